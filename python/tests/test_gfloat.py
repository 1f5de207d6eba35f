"""The same values as gfloat gives, in every direction."""

import gfloat
import numpy as np
import pytest
from gfloat import RoundMode, formats

import binade

FORMATS = {
    "e5m2": formats.format_info_ocp_e5m2,
    "e4m3fn": formats.format_info_ocp_e4m3,
    "e3m2f": formats.format_info_ocp_e3m2,
    "e2m3f": formats.format_info_ocp_e2m3,
    "e2m1f": formats.format_info_ocp_e2m1,
    "binary16": formats.format_info_binary16,
    "bfloat16": formats.format_info_bfloat16,
    "k8p1se": formats.format_info_p3109(8, 1),
    "k8p3se": formats.format_info_p3109(8, 3),
    "k8p4se": formats.format_info_p3109(8, 4),
}

ROUNDINGS = {
    "rne": RoundMode.TiesToEven,
    "rna": RoundMode.TiesToAway,
    "rtz": RoundMode.TowardZero,
    "rup": RoundMode.TowardPositive,
    "rdn": RoundMode.TowardNegative,
}


@pytest.mark.parametrize("overflow", ["inf", "saturate"])
@pytest.mark.parametrize("round", ROUNDINGS)
@pytest.mark.parametrize("name", FORMATS)
def test_rounded_values(name, round, overflow):
    if binade.format(name).nan_code is None and overflow == "inf":
        # gfloat refuses that: such a format has nothing in the place of infinity. Here it is the largest value.
        with pytest.raises(ValueError):
            gfloat.round_ndarray(FORMATS[name], np.array([np.inf]), ROUNDINGS[round], sat=False)
        assert binade.quantize(np.inf, name, round=round) == binade.format(name).max
        return
    random = np.random.default_rng(2)
    x = random.normal(size=20_000) * 2.0 ** random.integers(-30, 30, 20_000)
    x = np.concatenate([x, np.clip(x, -6e4, 6e4).astype(np.float16), [0.0, -0.0, np.inf, -np.inf]])
    theirs = gfloat.round_ndarray(FORMATS[name], x, ROUNDINGS[round], sat=overflow == "saturate")
    np.testing.assert_array_equal(binade.quantize(x, name, round=round, overflow=overflow), theirs)


def test_nan():
    assert np.isnan(binade.quantize(np.nan, "e4m3fn"))
    assert np.isnan(gfloat.round_ndarray(FORMATS["e4m3fn"], np.array([np.nan]))[0])
    # A format without NaN: gfloat leaves NaN as it is, here it becomes a value of the format, +0.
    assert np.isnan(gfloat.round_ndarray(FORMATS["e2m1f"], np.array([np.nan]), sat=True)[0])
    assert binade.quantize(np.nan, "e2m1f") == 0
