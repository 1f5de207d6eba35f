"""Shapes, strides, types, arithmetic, random words, hardware, and what is refused."""

import threading

import ml_dtypes
import numpy as np
import pytest

import binade


def random_codes(format, shape, seed=1):
    format = binade.format(format)
    return np.random.default_rng(seed).integers(0, 1 << format.bits, shape, dtype=format.dtype)


def test_any_shape_and_stride():
    x = np.random.default_rng(1).normal(size=(6, 10, 4)).astype(np.float32)
    codes = binade.encode(x, "e4m3fn")
    values = binade.decode(codes, "e4m3fn")
    assert codes.shape == x.shape and codes.dtype == np.uint8
    for view in (lambda a: a[::2, ::-3], lambda a: a.T, lambda a: a[:, 1:1], lambda a: a[0, 0, 0], np.asfortranarray):
        np.testing.assert_array_equal(binade.encode(view(x), "e4m3fn"), view(codes))
        np.testing.assert_array_equal(binade.decode(view(codes), "e4m3fn"), view(values))
    np.testing.assert_array_equal(binade.encode(x.astype(">f4"), "e4m3fn"), codes)


def test_out_is_filled_and_returned():
    x = np.random.default_rng(1).normal(size=(8, 6)).astype(np.float32)
    codes = binade.encode(x, "posit16_1")
    out = np.zeros((8, 6), np.uint16)
    assert binade.encode(x, "posit16_1", out=out) is out
    np.testing.assert_array_equal(out, codes)
    wide = np.zeros((8, 12), np.uint16)
    binade.encode(x, "posit16_1", out=wide[:, ::2])
    np.testing.assert_array_equal(wide[:, ::2], codes)
    assert not wide[:, 1::2].any()
    values = np.zeros((8, 6), np.float64)
    assert binade.decode(codes, "posit16_1", out=values) is values
    np.testing.assert_array_equal(values, binade.decode(codes, "posit16_1"))
    same = x.copy()
    assert binade.quantize(same, "posit16_1", out=same) is same
    np.testing.assert_array_equal(same, values)
    # An operand as out, reversed: nothing is read after it was written.
    a = random_codes("e5m2", 1000)
    right = binade.add(a, a[::-1], "e5m2")
    np.testing.assert_array_equal(binade.add(a, a[::-1], "e5m2", out=a), right)


def test_what_cannot_be_out_is_refused():
    with pytest.raises(ValueError, match=r"out has shape \(3,\) and elements of uint8; \(2,\) and uint8 are expected"):
        binade.encode([1.0, 2.0], "e5m2", out=np.zeros(3, np.uint8))
    with pytest.raises(TypeError, match="values are float32 or float64"):
        binade.decode([1, 2], "e5m2", out=np.zeros(2, np.int32))
    frozen = np.zeros(2, np.uint8)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        binade.encode([1.0, 2.0], "e5m2", out=frozen)


def test_numbers_of_other_types_are_taken_as_they_are():
    np.testing.assert_array_equal(binade.encode([1, 2, 3], "e5m2"), [0x3C, 0x40, 0x42])
    np.testing.assert_array_equal(binade.encode(np.float16([1.5]), "e5m2"), [0x3E])
    assert binade.encode(2**-16 + 2.0**-60, "e5m2", round="rup") == 2
    with pytest.raises(ValueError, match="pass floats"):
        binade.encode(2**53 + 1, "e5m2")
    for wrong in (1j, "one", np.longdouble(1)):
        with pytest.raises(TypeError, match="float32 or float64"):
            binade.encode(wrong, "e5m2")


def test_binary64_is_rounded_once():
    x = 1 + 2.0**-11 + 2.0**-50
    assert binade.encode(x, "binary16") == 0x3C01
    assert binade.encode(np.float32(x), "binary16") == 0x3C00


def test_wide_and_narrow_values():
    assert binade.decode([1], "posit16_1").dtype == np.float32
    assert binade.decode([1], "posit16_5").dtype == np.float64
    assert binade.decode([1], "posit16_5")[0] == 2.0**-448
    assert binade.quantize(np.float32([1.5]), "posit16_5").dtype == np.float64
    assert binade.encode(1.0, "posit64_2").dtype == np.uint64
    with pytest.raises(ValueError, match="binary128 has 128 bits; arrays have formats of up to 64"):
        binade.format("binary128")


def test_what_is_no_code_is_refused():
    with pytest.raises(ValueError, match="0x100 is no code of e5m2, which has 8 bits"):
        binade.decode([0x100], "e5m2")
    with pytest.raises(ValueError, match="0x10 is no code of e2m1f, which has 4 bits"):
        binade.decode(np.uint8([0x10]), "e2m1f")
    with pytest.raises(ValueError, match="-0x1 is no code"):
        binade.decode([-1], "e5m2")
    with pytest.raises(TypeError, match="codes of e5m2 are integers, not float64"):
        binade.decode([1.0], "e5m2")


def test_arithmetic_is_exact():
    a, b = random_codes("binary16", (300, 1), 1), random_codes("binary16", (1, 300), 2)
    x, y = a.view(np.float16), b.view(np.float16)
    with np.errstate(all="ignore"):
        for ours, theirs in (
            (binade.add(a, b, "binary16"), x + y),
            (binade.sub(a, b, "binary16"), x - y),
            (binade.mul(a, b, "binary16"), x * y),
        ):
            values = ours.view(np.float16)
            np.testing.assert_array_equal(values, theirs)
            is_number = ~np.isnan(theirs)
            np.testing.assert_array_equal(np.signbit(values)[is_number], np.signbit(theirs)[is_number])


def test_fma_is_rounded_once():
    # Products of 8-bit codes and binary16 addends are sums in float64 without rounding.
    a, b, c = (random_codes(name, 50_000, seed) for seed, name in enumerate(("e4m3fn", "e4m3fn", "binary16")))
    c[c & 0x7C00 == 0x7C00] = 0
    exact = binade.decode(a, "e4m3fn", dtype=np.float64) * binade.decode(b, "e4m3fn", dtype=np.float64)
    exact += c.view(np.float16).astype(np.float64)
    ours = binade.fma(a, b, c, "e4m3fn")
    assert ours.dtype == np.uint16
    np.testing.assert_array_equal(ours.view(np.float16), binade.quantize(exact, "binary16"))


def test_dot_products_along_the_last_axis():
    a, b = random_codes("e2m1f", (40, 1, 16), 1), random_codes("e2m1f", (30, 16), 2)
    exact = np.einsum("abi,bi->ab", binade.decode(a, "e2m1f"), binade.decode(b, "e2m1f"))
    ours = binade.dot(a, b, format="e2m1f")
    assert ours.shape == (40, 30)
    np.testing.assert_array_equal(ours.view(np.float16), exact)
    np.testing.assert_array_equal(
        binade.dot(a, b, ours, format="e2m1f", acc="binary16", sum="chain").view(np.float16), 2 * exact
    )
    with pytest.raises(ValueError, match="1 to 64"):
        binade.dot(np.zeros((2, 0), np.uint8), np.zeros((2, 0), np.uint8), format="e5m2")
    with pytest.raises(ValueError, match="matmul takes longer ones"):
        binade.dot(np.zeros(65, np.uint8), np.zeros(65, np.uint8), format="e5m2")


def test_conversions_between_formats():
    codes = np.arange(256, dtype=np.uint8)
    through = binade.encode(binade.decode(codes, "e5m2"), "posit8_2")
    np.testing.assert_array_equal(binade.convert(codes, "e5m2", "posit8_2"), through)


def test_stochastic_rounding():
    x = np.full(100_000, 1.0625, np.float32)
    with pytest.raises(ValueError, match="give either random_bits or seed"):
        binade.encode(x, "e4m3fn", round="sr8")
    with pytest.raises(ValueError, match="for stochastic rounding"):
        binade.encode(x, "e4m3fn", seed=1)
    np.testing.assert_array_equal(
        binade.encode(x, "e4m3fn", round="sr8", seed=1), binade.encode(x, "e4m3fn", round="sr8", seed=1)
    )
    # Half of the way up: up for half of the random words.
    ups = binade.encode(x[:256], "e4m3fn", round="sr8", random_bits=np.arange(256)) == 0x39
    np.testing.assert_array_equal(ups, np.arange(256) >= 128)
    mean = binade.quantize(x, "e4m3fn", round="sr8", seed=7).mean()
    assert abs(mean - 1.0625) < 1e-3


def test_ulps():
    for name in ("e5m2", "e4m3fn", "e5m2b1", "e8m0", "k8p3se", "posit8_2", "dlfloat16", "e4m3ns"):
        format = binade.format(name)
        values = format.values[: format._described.largest + 1]
        gaps = np.diff(values)
        np.testing.assert_array_equal(format.ulp(values[:-1]), gaps)
        np.testing.assert_array_equal(format.ulp(-(values[:-1] + gaps / 2)), gaps)
        assert format.ulp(format.max) == format.ulp(1e300) == gaps[-1]
        assert np.isnan(format.ulp(np.inf)) and np.isnan(format.ulp(np.nan))


def test_values_and_classes():
    e5m2 = binade.format("float8_e5m2")
    assert e5m2.name == "e5m2" and e5m2 == binade.format(e5m2)
    assert e5m2.values.shape == (256,)
    assert e5m2.classes["subnormal"] == (1, 3) and e5m2.classes["infinity"] == (124, 124)
    assert set(binade.format("posit8_2").classes) == {"zero", "minpos", "ordinary posit", "maxpos", "NaN"}
    with pytest.raises(ValueError, match="did you mean"):
        binade.format("binary61")
    with pytest.raises(TypeError, match="a format is a name"):
        binade.format(8)
    with pytest.raises(ValueError, match="up to 16 bits"):
        binade.format("binary32").values


def test_the_verilog_is_that_of_the_command():
    unit = binade.generate("fmac", "e5m2b1", acc="binary16", flags=False, round="rne")
    assert unit.module == "fmac_e5m2b1_acc_binary16_rne"
    assert f"module {unit.module} (" in unit.verilog
    assert [port["name"] for port in unit.manifest["ports"]] == ["a", "b", "c", "y"]
    assert binade.generate("random").manifest["unit"] == "random"
    named = binade.generate("mul", "e5m2", module="Fp8Mul")
    assert named.module == "Fp8Mul" and "\nmodule Fp8Mul (" in named.verilog
    blocks = binade.generate("mul", "binary16", multiplier="operator")
    assert blocks.module == "mul_binary16_rne_operator" and " * " in blocks.verilog
    packed = binade.generate("mul", "e5m2", stages=2, interface="axi-stream")
    assert packed.module == "mul_e5m2_rne_p2_axis" and packed.manifest["interface"] == "axi-stream"
    system = binade.generate("dot", "e5m2", language="systemverilog")
    assert "input  logic [3:0][7:0] a," in system.text and system.manifest["language"] == "systemverilog"
    vhdl = binade.generate("mul", "e5m2", module="Fp8Mul", language="vhdl")
    assert "\nentity Fp8Mul is" in vhdl.text
    with pytest.raises(ValueError, match="Fp8Mul was generated in vhdl: its text is in .text"):
        vhdl.verilog
    with pytest.raises(ValueError, match="`process` is a keyword of VHDL"):
        binade.generate("mul", "e5m2", module="process", language="vhdl")
    with pytest.raises(ValueError, match="language=\"vhdll\": "):
        binade.generate("mul", "e5m2", language="vhdll")
    with pytest.raises(ValueError, match="plain, ready-valid or axi-stream is expected"):
        binade.generate("mul", "e5m2", interface="axi")
    with pytest.raises(ValueError, match="`wire` is a keyword"):
        binade.generate("mul", "e5m2", module="wire")
    with pytest.raises(ValueError, match="mul takes no accumulator format"):
        binade.generate("mul", "e5m2", acc="binary16")
    with pytest.raises(ValueError, match="area or depth is expected"):
        binade.generate("mul", "e5m2", optimize="speed")
    with pytest.raises(ValueError, match="there is no setting color"):
        binade.generate("mul", "e5m2", color="red")


def test_settings_that_are_wrong_are_named():
    with pytest.raises(ValueError, match="round=\"up\": one of rne"):
        binade.encode(1.0, "e5m2", round="up")
    with pytest.raises(ValueError, match="posits always saturate"):
        binade.encode(1.0, "posit8_2", overflow="saturate")


def test_the_lock_is_released():
    """While one thread encodes a large array, another one runs."""
    x = np.random.default_rng(1).normal(size=20_000_000).astype(np.float32)
    finished = threading.Event()
    turns = 0

    def encode():
        binade.encode(x, "e5m2", round="sr8", seed=1)
        finished.set()

    thread = threading.Thread(target=encode)
    thread.start()
    while not finished.wait(0.001):
        turns += 1
    thread.join()
    assert turns > 10


class Lent:
    """An array of another library, which lends its memory by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_of_other_libraries_lend_their_memory():
    numbers = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    assert np.shares_memory(binade._array(Lent(numbers)), numbers)
    codes = binade.encode(Lent(numbers), "e5m2")
    assert np.array_equal(codes, binade.encode(numbers, "e5m2"))
    assert np.array_equal(binade.decode(Lent(codes), "e5m2"), numbers)
    assert np.array_equal(binade.matmul(Lent(codes), Lent(codes), "e5m2"), binade.matmul(codes, codes, "e5m2"))
    assert np.array_equal(binade.dot(Lent(codes), codes, format="e5m2"), binade.dot(codes, codes, format="e5m2"))
    assert np.array_equal(np.from_dlpack(codes), codes)


def test_types_of_arrays_are_formats():
    for kind, name in [
        (np.float16, "binary16"),
        (np.dtype(np.float32), "binary32"),
        (np.int8, "int8"),
        (ml_dtypes.bfloat16, "bfloat16"),
        (ml_dtypes.float8_e4m3fn, "e4m3fn"),
        (np.dtype(ml_dtypes.float8_e5m2), "e5m2"),
        (ml_dtypes.float4_e2m1fn, "e2m1f"),
    ]:
        assert binade.format(kind).name == name
    for wrong in (np.bool_, object, "no format"):
        with pytest.raises(ValueError):
            binade.format(wrong)
    for wrong in (3, None, [np.float16]):
        with pytest.raises(TypeError, match="a format is a name"):
            binade.format(wrong)


def test_arrays_of_these_types_are_codes():
    numbers = np.array([[1.5, -2.0], [0.0, 448.0]], ml_dtypes.float8_e4m3fn)
    codes = numbers.view(np.uint8)
    assert binade.decode(numbers, "e4m3fn").tolist() == numbers.astype(float).tolist()
    assert binade.mul(numbers.T, numbers.T, ml_dtypes.float8_e4m3fn).tolist() == binade.mul(codes.T, codes.T, "e4m3fn").tolist()
    for name in ("e5m2", "e4m3", "binary16"):
        with pytest.raises(TypeError, match="codes of .* are integers, not float8_e4m3fn"):
            binade.decode(numbers, name)
    halves = np.array([1.5, np.inf], np.float16)
    assert binade.decode(halves, np.float16).tolist() == [1.5, np.inf]
    # The bytes of an array of the other byte order are no codes.
    with pytest.raises(TypeError):
        binade.decode(halves.astype(">f2"), np.float16)


def test_numbers_in_place_of_codes():
    x = binade.encode([[1.0, 2.0], [3.0, -4.0]], "e4m3fn")
    for codes, numbers in [
        (binade.mul(x, x, "e4m3fn"), binade.mul(x, x, "e4m3fn", decode=True)),
        (binade.matmul(x, x, "e4m3fn", acc="e4m3fn"), binade.matmul(x, x, "e4m3fn", acc="e4m3fn", decode=True)),
        (binade.dot(x, x, format="e4m3fn", acc="e4m3fn"), binade.dot(x, x, format="e4m3fn", acc="e4m3fn", decode=True)),
    ]:
        assert np.array_equal(binade.decode(codes, "e4m3fn"), numbers)
    assert np.array_equal(binade.mul(x, x, "e4m3fn", decode=False), binade.mul(x, x, "e4m3fn"))
    for function in (binade.mul, binade.matmul):
        with pytest.raises(ValueError, match="out is for codes"):
            function(x, x, "e4m3fn", out=np.empty_like(x) if function is binade.mul else np.empty((2, 2), np.uint16), decode=True)


def test_units_of_vectors():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(5, 3, 8))
    x, gain, bias = (binade.encode(numbers, "bfloat16") for numbers in (rows, rng.normal(size=8), rng.normal(size=8)))
    values = [binade.decode(codes, "bfloat16").astype(float) for codes in (x, gain, bias)]
    epsilon = binade.encode(0.5, "binary32")
    centred = values[0] - values[0].mean(-1, keepdims=True)
    squares = lambda of: (of**2).mean(-1, keepdims=True)
    near = dict(rtol=2**-7, atol=2**-7)
    exps = np.exp(values[0])
    softmax = binade.softmax(x, "bfloat16", decode=True)
    assert softmax.shape == x.shape
    assert np.allclose(softmax, exps / exps.sum(-1, keepdims=True), **near)
    norm = binade.rms_norm(x, gain, epsilon, "bfloat16", decode=True)
    assert np.allclose(norm, values[0] / np.sqrt(squares(values[0]) + 0.5) * values[1], **near)
    norm = binade.layer_norm(x, gain, bias, epsilon, "bfloat16", decode=True)
    assert np.allclose(norm, centred / np.sqrt(squares(centred) + 0.5) * values[1] + values[2], rtol=2**-6, atol=2**-6)
    total = binade.reduce(x, "bfloat16", decode=True)
    assert total.shape == (5, 3) and np.array_equal(total, values[0].sum(-1).astype(np.float32))
    assert np.array_equal(binade.reduce(x, "bfloat16", reduction="max", decode=True), values[0].max(-1))


@pytest.mark.parametrize("shape", [(), (0,), (3, 65)])
def test_vectors_of_impossible_lengths(shape):
    x = np.zeros(shape, np.uint8)
    for call in (lambda: binade.softmax(x, "e5m2"), lambda: binade.reduce(x, "e5m2"), lambda: binade.dot(x, x, format="e5m2")):
        with pytest.raises(ValueError, match="takes 1 to 64 codes along the last axis"):
            call()


def test_a_unit_is_shown_in_one_line():
    shown = repr(binade.generate("fmac", "e5m2", stages=1))
    assert shown.startswith("<fmac_e5m2_acc_binary16_rne_p1: ") and len(shown) < 200 and "clk 1" in shown
    assert set(dir(binade)) >= set(binade.__all__) and "np" not in dir(binade)
