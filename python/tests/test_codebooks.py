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
