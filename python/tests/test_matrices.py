"""Products of matrices, blocks with scales, running sums, and the lists of names."""

import numpy as np
import pytest

import binade


def random_codes(format, shape, seed=1):
    format = binade.format(format)
    return np.random.default_rng(seed).integers(0, 1 << format.bits, shape, dtype=format.dtype)


def encoded(format, shape, seed=1):
    return binade.encode(np.random.default_rng(seed).normal(size=shape), format)


@pytest.mark.parametrize("codes", [random_codes, encoded])
@pytest.mark.parametrize(
    "format, options",
    [
        ("e4m3fn", {}),
        ("e5m2", {"acc": "binary32", "round": "rtz"}),
        ("posit8_2", {"acc": "posit16_2"}),
        ("bfloat16", {}),
        ("e4m3fn", {"like": "h100"}),
        ("e5m2", {"sum": "chain", "acc": "binary16"}),
        ("binary16", {"like": "mi300x"}),
        ("e4m3fn", {"format_b": "e5m2"}),
    ],
)
def test_elements_are_dot_products(codes, format, options):
    a, b = codes(format, (6, 32)), codes(options.get("format_b", format), (32, 5), seed=2)
    expected = binade.dot(a[:, np.newaxis], b.T[np.newaxis], format=format, **options)
    c = random_codes(options.get("acc", "binary32" if "like" in options or binade.format(format).bits > 8 else "binary16"), (6, 5))
    np.testing.assert_array_equal(binade.matmul(a, b, format, **options), expected)
    with_c = binade.dot(a[:, np.newaxis], b.T[np.newaxis], c, format=format, **options)
    np.testing.assert_array_equal(binade.matmul(a, b, format, c=c, **options), with_c)


def test_sums_of_any_length_are_exact():
    a, b = encoded("e4m3fn", (9, 3000)), encoded("e4m3fn", (3000, 6), seed=2)
    exact = binade.decode(a, "e4m3fn", dtype=np.float64) @ binade.decode(b, "e4m3fn", dtype=np.float64)
    np.testing.assert_array_equal(binade.matmul(a, b, "e4m3fn", acc="binary32"), binade.encode(exact, "binary32"))


def test_shapes_are_those_of_numpy():
    a, b = encoded("e4m3fn", (2, 1, 4, 8)), encoded("e4m3fn", (3, 8, 5), seed=2)
    whole = binade.matmul(a, b, "e4m3fn")
    assert whole.shape == (2, 3, 4, 5) and whole.dtype == np.uint16
    np.testing.assert_array_equal(whole[1, 2], binade.matmul(a[1, 0], b[2], "e4m3fn"))
    np.testing.assert_array_equal(binade.matmul(a[0, 0, 1], b, "e4m3fn"), whole[0, :, 1])
    np.testing.assert_array_equal(binade.matmul(a, b[1, :, 2], "e4m3fn"), whole[:, 1, :, 2][:, np.newaxis])
    assert binade.matmul(a[0, 0, 1], b[1, :, 2], "e4m3fn") == whole[0, 1, 1, 2]
    np.testing.assert_array_equal(binade.matmul(a[0, 0, ::2, ::-1], b[0, ::-1, ::2], "e4m3fn"), whole[0, 0, ::2, ::2])
    out = np.zeros((4, 10), np.uint16)
    assert binade.matmul(a[0, 0], b[0], "e4m3fn", out=out[:, ::2]).base is out
    np.testing.assert_array_equal(out[:, ::2], whole[0, 0])
    for a, b, of_result in (((0, 4), (4, 3), (0, 3)), ((2, 4), (4, 0), (2, 0)), ((0, 2, 4), (4, 3), (0, 2, 3))):
        assert binade.matmul(np.zeros(a, np.uint8), np.zeros(b, np.uint8), "e4m3fn").shape == of_result
    with pytest.raises(ValueError, match="c has shape"):
        binade.matmul(np.zeros((2, 2), np.uint8), np.zeros((2, 2), np.uint8), "e4m3fn", c=np.zeros((1, 2, 2), np.uint16))
    for a, b in (((2, 3), (2, 3)), ((2, 0), (0, 3)), ((), (3,))):
        with pytest.raises(ValueError):
            binade.matmul(np.zeros(a, np.uint8), np.zeros(b, np.uint8), "e4m3fn")
    with pytest.raises(ValueError, match="lanes"):
        binade.matmul(np.zeros((2, 2), np.uint8), np.zeros((2, 2), np.uint8), "e4m3fn", lanes=2)


def test_stochastic_elements_have_words_of_their_own():
    a, b = encoded("e4m3fn", (2, 4, 8)), encoded("e4m3fn", (8, 5), seed=2)
    words = np.random.default_rng(3).integers(0, 1 << 8, (2, 4, 5))
    options = {"acc": "e4m3fn", "round": "sr8"}
    whole = binade.matmul(a, b, "e4m3fn", random_bits=words, **options)
    np.testing.assert_array_equal(binade.matmul(a[1], b, "e4m3fn", random_bits=words[1], **options), whole[1])
    seeded = binade.matmul(a[[0, 0]], b, "e4m3fn", seed=1, **options)
    np.testing.assert_array_equal(binade.matmul(a[0], b, "e4m3fn", seed=1, **options), seeded[0])
    assert (seeded[0] != seeded[1]).any()


def test_long_chains_are_rounded_stochastically():
    # 128 small numbers are added to 1: each is lost if it is rounded to nearest, and none on average.
    a = np.broadcast_to(binade.encode([2.0**-9], "binary16"), (4000, 128))
    b = binade.encode(np.ones((128, 1)), "binary16")
    options = {"acc": "bfloat16", "sum": "chain", "c": binade.encode([[1.0]], "bfloat16")}
    nearest = binade.matmul(a, b, "binary16", decode=True, **options)
    assert (nearest == 1).all()
    stochastic = binade.matmul(a, b, "binary16", round="sr8", seed=3, decode=True, **options)
    assert abs(stochastic.mean() - 1.25) < 0.005 and stochastic.std() > 0.01
    with pytest.raises(ValueError, match="give seed"):
        binade.matmul(a, b, "binary16", round="sr8", random_bits=np.zeros((4000, 1), np.uint64), **options)
    # As many chains of eight products, with the seeds that are theirs.
    total, parts = options["c"], {"acc": "bfloat16", "sum": "chain", "round": "sr8"}
    for number in range(16):
        some = slice(8 * number, 8 * number + 8)
        own = (3 + number * 0x9E3779B97F4A7C15) % (1 << 64)
        total = binade.matmul(a[:, some], b[some], "binary16", c=total, seed=own, **parts)
    np.testing.assert_array_equal(binade.decode(total, "bfloat16"), stochastic)
    row = binade.matmul(a[0], b, "binary16", round="sr8", seed=3, acc="bfloat16", sum="chain", c=options["c"][0])
    column = binade.matmul(a, b[:, 0], "binary16", round="sr8", seed=3, acc="bfloat16", sum="chain", c=options["c"][0])
    assert row.shape == (1,) and column.shape == (4000,)
    np.testing.assert_array_equal(binade.decode(column, "bfloat16"), stochastic[:, 0])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize(
    "format, scale, rule", [("e4m3fn", "e8m0", "rceil"), ("e2m1f", "e4m3fn", None), ("int8", "e8m0", None), ("posit8_2", "e8m0", None), ("hifloat8", "e8m0", None)]
)
def test_blocks_are_those_of_the_unit(format, scale, rule, kind):
    x = np.random.default_rng(1).normal(size=(3, 48)).astype(kind) * np.exp2(np.arange(3)[:, np.newaxis] * 40 - 60).astype(kind)
    x[1, 5] = 0
    x[2, 20] = np.nan
    options = {"scale": scale} | ({"scale_rule": rule} if rule else {})
    blocks = binade.encode_blocks(x, format, block=16, **options)
    source = "binary32" if kind == np.float32 else "binary64"
    settings = options | {"quantize_from": source, "lanes": 16}
    words = tuple(sorted(binade._words(settings).items()))
    for output, expected in ((0, blocks.codes.reshape(-1)), (1, blocks.scales.reshape(-1))):
        unit = binade._evaluator("mx-quantize", format, words, output)
        results = np.empty(expected.size, expected.dtype)
        unit.run([binade._bits(x).reshape(-1)], results, None, None)
        np.testing.assert_array_equal(results, expected)
    values = binade.decode(blocks.codes, format, dtype=np.float64)
    scales = np.repeat(binade.decode(blocks.scales, scale, dtype=np.float64), 16, axis=1)
    np.testing.assert_array_equal(blocks.values, (values * scales).astype(kind))
    np.testing.assert_array_equal(binade.quantize(x, format, block=16, **options), blocks.values)


def test_blocks_lie_along_an_axis():
    x = np.random.default_rng(1).normal(size=(6, 10, 4)).astype(np.float32)
    rows = binade.encode_blocks(x, "e4m3fn", axis=1)
    assert rows.codes.shape == x.shape and rows.scales.shape == (6, 1, 4)
    turned = binade.encode_blocks(np.moveaxis(x, 1, -1), "e4m3fn", axis=-1)
    np.testing.assert_array_equal(np.moveaxis(turned.codes, -1, 1), rows.codes)
    short = binade.encode_blocks(x, "e4m3fn", block=8, axis=1)
    assert short.scales.shape == (6, 2, 4)
    np.testing.assert_array_equal(short.codes[:, 8:], binade.encode_blocks(x[:, 8:], "e4m3fn", axis=1).codes)
    whole = binade.encode_blocks(x, "e4m3fn")
    assert whole.scales.shape == () and whole.codes.shape == x.shape
    single = binade.encode_blocks(2.5, "e4m3fn")
    assert single.codes.shape == () and float(single.values) == 2.5


def test_the_recipe_of_nvfp4():
    x = np.random.default_rng(1).normal(size=(4, 32)).astype(np.float32) * np.float32(1e-4)
    blocks = binade.encode_blocks(x, "e2m1f", scale="e4m3fn", block=16, tensor_scale="amax")
    assert blocks.tensor_scale == np.float32(6 * 448 / np.abs(x).max())
    assert (blocks.scales == 0x7E).any() and np.abs(blocks.values - x).max() < 0.2 * np.abs(x).max()
    same = binade.encode_blocks(x * np.float32(blocks.tensor_scale), "e2m1f", scale="e4m3fn", block=16)
    np.testing.assert_array_equal(same.codes, blocks.codes)
    for wrong in (-1, 0, "max"):
        with pytest.raises(ValueError, match="tensor_scale is"):
            binade.encode_blocks(x, "e2m1f", tensor_scale=wrong)


def test_stochastic_blocks():
    x = np.full((2, 4096), 1.25, np.float32)
    x[:, ::16] = 6
    for scale in ("e8m0", "e4m3fn"):
        blocks = binade.encode_blocks(x, "e2m1f", scale=scale, block=16, round="sr8", seed=1)
        assert abs(blocks.values[x == 1.25].mean() - 1.25) < 0.02 and (blocks.values[x == 6] == 6).all()
        words = np.random.default_rng(1).integers(0, 1 << 8, x.shape)
        given = binade.encode_blocks(x, "e2m1f", scale=scale, block=16, round="sr8", random_bits=words)
        np.testing.assert_array_equal(given.values[x == 1.25], np.where(words[x == 1.25] >= 128, 1.5, 1))


def test_scales_that_are_given():
    x = np.random.default_rng(1).normal(size=(3, 8)).astype(np.float32)
    scale = np.array([[1.0], [0.25], [3.0]])
    expected = binade.quantize(x / scale, "e4m3fn") * scale
    np.testing.assert_array_equal(binade.quantize(x, "e4m3fn", scale=scale), expected.astype(np.float32))
    for wrong in ({"block": 4}, {"scale": 2.0, "axis": 1}, {"scale": "e8m0", "overflow": "saturate"}, {"scale": "e8m0", "block": 0}):
        with pytest.raises(ValueError):
            binade.quantize(x, "e4m3fn", **wrong)


def test_running_sums_along_an_axis():
    x = encoded("e4m3fn", (5, 7, 3))
    sums = binade.accumulate(x, "e4m3fn", acc="binary16", axis=1)
    one = binade.encode(1.0, "e4m3fn")
    acc = binade.convert(x[:, 0], "e4m3fn", "binary16")
    for at in range(7):
        acc = acc if at == 0 else binade.fma(x[:, at], one, acc, "e4m3fn", acc="binary16")
        np.testing.assert_array_equal(sums[:, at], acc)
    with pytest.raises(ValueError):
        binade.accumulate(np.uint8(1), "e4m3fn")
    with pytest.raises(ValueError, match="random bits"):
        binade.accumulate(x, "e4m3fn", round="sr4")


def test_names_and_tables():
    assert {"e5m2", "binary16", "posit16_1"} <= set(binade.formats()) and len(set(binade.formats())) == len(binade.formats())
    assert all(binade.format(name).bits <= 64 for name in binade.formats())
    assert "mma" in binade.units()
    table = binade.format("e2m1f")._repr_html_()
    assert table.count("<td>3</td>") == 1 and table.count("<td>-6</td>") == 1 and "precision" in table
    assert len(binade.format("binary16")._repr_html_()) < 2000
    assert all("<table>" in binade.format(name)._repr_html_() for name in binade.formats())
