"""Formats from files, and the codebooks that come along."""

import numpy as np
import pytest

import binade

NF4 = np.float32([
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
])


def test_nf4_is_the_nearest_value_of_its_table():
    np.testing.assert_array_equal(binade.decode(np.arange(16, dtype=np.uint8), "nf4"), NF4)
    x = np.random.default_rng(1).normal(size=100_000)
    nearest = np.argmin(np.abs(x[:, None] - NF4.astype(np.float64)), axis=1)
    np.testing.assert_array_equal(binade.encode(x, "nf4"), nearest)


def test_blocks_have_no_infinities_of_their_own():
    np.testing.assert_array_equal(binade.quantize([1.9, 1, 1, 1], "hifloat8", scale="e8m0", block=4), [1, 1, 1, 1])
    x = np.random.default_rng(1).normal(size=(1000, 32)).astype(np.float32)
    for numbers in (x, x.astype(np.float64)):
        blocks = binade.encode_blocks(numbers, "hifloat8", scale="e8m0", block=32)
        assert np.isfinite(blocks.values).all()
        assert np.abs(binade.decode(blocks.codes, "hifloat8")).max() == binade.format("hifloat8").max


def test_scales_with_a_significand_divide_exactly():
    rng = np.random.default_rng(2)
    x = (rng.normal(size=(2000, 16)) * 2.0 ** rng.integers(-20, 20, (2000, 1))).astype(np.float32)
    # Numbers at bounds between two elements, times a scale.
    x[:, 1:5] = x[:, :1] / 6 * np.float32([0.25, 0.75, 2.5, 5])
    for format, scale in (("e2m1f", "e4m3fn"), ("e4m3fn", "e4m3fn"), ("mxint8", "ue4m3"), ("e2m1f", "binary32"), ("e5m2", "bfloat16")):
        for round in ("rne", "rtz", "rup"):
            # Numbers of binary64 are evaluated by the golden model, one by one.
            blocks, golden = (binade.encode_blocks(of, format, scale=scale, block=16, round=round) for of in (x, x.astype(np.float64)))
            np.testing.assert_array_equal(blocks.codes, golden.codes)
            np.testing.assert_array_equal(blocks.scales, golden.scales)


def test_a_format_from_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nbits = 3\nsegments = [{ prefix = "0", linear = -1 }, { exponent = 0, trailing = 1 }]\n')
    codes = binade.encode([0.4, 1.3, -9.0], str(path))
    np.testing.assert_array_equal(codes, [1, 3, 7])
    format = binade.format(str(path))
    assert format.bits == 3 and format.name.startswith("mine_")
    np.testing.assert_array_equal(binade.decode(codes, format), [0.5, 1.5, -1.5])
    path.write_text('name = "mine"\nbits = 3\n')
    with pytest.raises(ValueError, match="neither a table nor segments"):
        binade.encode([1.0], str(path))
