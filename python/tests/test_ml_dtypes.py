"""The same codes as ml_dtypes gives, and why not where they differ."""

import ml_dtypes
import numpy as np
import pytest

import binade

# Names that mean another format here have the name of the same format.
FORMATS = {
    "bfloat16": "bfloat16",
    "float8_e5m2": "float8_e5m2",
    "float8_e4m3fn": "float8_e4m3fn",
    "float8_e4m3": "float8_e4m3",
    "float8_e3m4": "float8_e3m4",
    "float8_e4m3fnuz": "float8_e4m3fnuz",
    "float8_e5m2fnuz": "float8_e5m2fnuz",
    "float8_e4m3b11fnuz": "float8_e4m3b11fnuz",
    "float8_e8m0fnu": "float8_e8m0fnu",
    "float6_e2m3fn": "e2m3f",
    "float6_e3m2fn": "e3m2f",
    "float4_e2m1fn": "e2m1f",
}

FINFO = "bits eps max min tiny smallest_normal smallest_subnormal nmant nexp minexp maxexp".split()


def numbers():
    """All signs and exponents, ordinary sizes, and everything special."""
    random = np.random.default_rng(1)
    any_bits = random.integers(0, 1 << 32, 300_000, dtype=np.uint32).view(np.float32)
    spread = random.normal(size=300_000) * 2.0 ** random.integers(-24, 20, 300_000)
    # Middles of two values of 8-bit formats.
    ties = (np.arange(1 << 12, dtype=np.uint32) << 19).view(np.float32)
    special = np.array([0.0, np.inf, np.nan, 448, 464, 480, 57344, 61440, 65504, 3.4e38], np.float32)
    positive = np.concatenate([np.abs(any_bits), np.abs(spread).astype(np.float32), np.abs(ties), special])
    return np.concatenate([positive, -positive])


def agrees(x, name, theirs, ours):
    """Where the codes have to be the same: for the rest the reason is given here."""
    format = binade.format(FORMATS[name])
    values = binade.decode(theirs, format)
    # The sign of a NaN is no part of a value; here a NaN result is always the canonical one.
    is_free = np.isnan(values) & np.isnan(binade.decode(ours, format))
    if name.endswith("fnuz"):
        # ml_dtypes makes NaN of what is too large. These formats have no infinity, and so the largest value is taken here,
        # as IEEE P3109 says.
        is_free |= np.isnan(values) & (np.abs(binade.decode(ours, format)) == format.max)
    if name == "float8_e8m0fnu":
        # There is no zero. ml_dtypes makes NaN of it, here it becomes the smallest value; and ml_dtypes rounds all that lies
        # between the two smallest values, 2^-127 and 2^-126, up. A tie between two powers of two goes to the larger one there,
        # here to the even code.
        significand, _ = np.frexp(x)
        is_free |= (x == 0) | (np.abs(x) < 2.0**-126) | (significand == 0.75)
    if format.nan_code is None:
        # A format without NaN: ml_dtypes makes -0 of it, here it is +0.
        is_free |= np.isnan(x)
    return (theirs == ours) | is_free


@pytest.mark.parametrize("name", FORMATS)
def test_codes(name):
    x = numbers()
    format = binade.format(FORMATS[name])
    with np.errstate(all="ignore"):
        theirs = x.astype(getattr(ml_dtypes, name)).view(format.dtype)
    ours = binade.encode(x, format)
    wrong = np.flatnonzero(~agrees(x, name, theirs, ours))
    assert wrong.size == 0, [(x[at], hex(theirs[at]), hex(ours[at])) for at in wrong[:5]]
    assert np.mean(theirs == ours) > 0.6


@pytest.mark.parametrize("name", FORMATS)
def test_values_of_all_codes(name):
    format = binade.format(FORMATS[name])
    codes = np.arange(1 << format.bits, dtype=format.dtype)
    with np.errstate(invalid="ignore"):
        theirs = codes.view(getattr(ml_dtypes, name)).astype(np.float64)
    np.testing.assert_array_equal(format.values, theirs)
    is_number = ~np.isnan(theirs)
    np.testing.assert_array_equal(np.signbit(format.values)[is_number], np.signbit(theirs)[is_number])


@pytest.mark.parametrize("name", FORMATS)
def test_attributes_of_finfo(name):
    format, info = binade.format(FORMATS[name]), ml_dtypes.finfo(getattr(ml_dtypes, name))
    for attribute in FINFO:
        assert float(getattr(format, attribute)) == float(getattr(info, attribute)), attribute


@pytest.mark.parametrize("name", FORMATS)
def test_views(name):
    format = binade.format(FORMATS[name])
    assert format.ml_dtype == getattr(ml_dtypes, name)
    codes = binade.encode([1.0, 2.0], format)
    assert np.shares_memory(codes, codes.view(format.ml_dtype))
    # And their arrays are numbers here.
    np.testing.assert_array_equal(binade.encode(codes.view(format.ml_dtype), format), codes)


def test_formats_that_only_binade_knows_have_no_view():
    assert binade.format("e5m2b1").ml_dtype is None
    assert binade.format("binary16").ml_dtype == np.float16
