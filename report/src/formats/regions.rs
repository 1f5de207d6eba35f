//! Regions of a format: ranges of magnitudes with one number of significand bits.

use super::stretches::{log2, value};
use binade_golden::Codes;
use binade_spec::{Codebook, Family, Float, Format, Listed, Posit, RegimeCodes};
use std::fmt;

/// The kind of values in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// Full precision: as many significand bits as the format has.
    Full,
    /// Equidistant values with fewer bits the smaller they are.
    Subnormal,
    /// Fewer bits than elsewhere, in a posit with a longer regime, or in a codebook.
    Tapered,
    /// One power of two per code, where other formats have a binade: supernormal.
    PowersOfTwo,
}

impl RegionKind {
    /// All kinds, in the order of legends.
    pub const ALL: [RegionKind; 4] =
        [RegionKind::Full, RegionKind::Subnormal, RegionKind::Tapered, RegionKind::PowersOfTwo];
}

impl fmt::Display for RegionKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            RegionKind::Full => "full precision",
            RegionKind::Subnormal => "subnormal",
            RegionKind::Tapered => "tapered",
            RegionKind::PowersOfTwo => "powers of two (supernormal)",
        })
    }
}

/// Magnitudes with the same number of significand bits (for subnormals, with at most that number).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// The kind of values.
    pub kind: RegionKind,
    /// The first and the last magnitude code.
    pub codes: [u128; 2],
    /// Significand bits, including the leading one.
    pub precision: u32,
}

impl Region {
    /// log2 of the first and of the last value.
    pub fn reach(&self, format: &Format) -> [f64; 2] {
        let codes = Codes::new(*format);
        self.codes.map(|code| log2(value(&codes, code)))
    }
}

/// The regions of a format, from the smallest value to the largest.
pub fn regions(format: &Format) -> Vec<Region> {
    match format {
        Format::Float(float) => of_float(float),
        Format::Posit(posit) => of_posit(posit),
        Format::Fixed(fixed) => {
            vec![Region { kind: RegionKind::Full, codes: [1, fixed.max_code()], precision: fixed.bits }]
        }
        Format::Codebook(codebook) => of_codebook(codebook),
    }
}

/// The first and the last magnitude code with full precision. Results below the first have lost digits, whether they are subnormal,
/// supernormal or posits.
pub fn full_precision(format: &Format) -> [u128; 2] {
    let all = regions(format);
    all.iter().find(|region| region.kind == RegionKind::Full).unwrap_or(&all[0]).codes
}

fn of_float(float: &Float) -> Vec<Region> {
    let (smallest, largest) = (float.min_code(), float.max_code());
    let normal = if float.underflows_gradually() { 1 << float.trailing_bits } else { smallest };
    let first = normal.max(float.first_ordinary_code()).max(smallest);
    let below = if float.underflows_gradually() { RegionKind::Subnormal } else { RegionKind::PowersOfTwo };
    let region = |kind, first: u128, end: u128, precision| {
        (first < end).then(|| Region { kind, codes: [first, end - 1], precision })
    };
    let fewer = if below == RegionKind::Subnormal { float.trailing_bits } else { 1 };
    let upper = float.first_upper_code().clamp(first, largest + 1);
    let regions = [
        region(below, smallest, first.min(largest + 1), fewer),
        region(RegionKind::Full, first, upper, float.precision()),
        region(RegionKind::PowersOfTwo, upper, largest + 1, 1),
    ];
    regions.into_iter().flatten().collect()
}

/// A region for each length of the regime; neighbours with the same precision are merged.
fn of_posit(posit: &Posit) -> Vec<Region> {
    let of_regime = |RegimeCodes { codes: [first, last], fraction_bits, .. }| ([first.max(1), last], fraction_bits + 1);
    tapered(posit.regimes().into_iter().map(of_regime), posit.precision())
}

/// Regions of these codes and significand bits, in ascending order; neighbours with the same precision are merged. Those with the most bits
/// have full precision.
fn tapered(parts: impl Iterator<Item = ([u128; 2], u32)>, most: u32) -> Vec<Region> {
    let mut regions: Vec<Region> = vec![];
    for (codes, precision) in parts {
        let kind = if precision == most { RegionKind::Full } else { RegionKind::Tapered };
        match regions.last_mut() {
            Some(region) if region.precision == precision => region.codes[1] = codes[1],
            Some(_) | None => regions.push(Region { kind, codes, precision }),
        }
    }
    regions
}

/// The significand bits of each value are those from its leading one down to the place of the step to the next value. Where a step is no power
/// of two, the values follow no such rule, and all are one region.
fn of_codebook(codebook: &Codebook) -> Vec<Region> {
    let last = codebook.max_code();
    let bits = |code: u128| {
        let below = code.saturating_sub(1).max(1);
        let step =
            codebook.step(false, code).or_else(|| (code == last).then(|| codebook.step(false, below)).flatten())?;
        let exponent = codebook.value_at(false, code).and_then(Listed::exponent)?;
        u32::try_from(exponent - step + 1).ok()
    };
    match (1..=last).map(bits).collect::<Option<Vec<u32>>>() {
        Some(all) => {
            let most = all.iter().copied().max().unwrap_or(1);
            tapered((1..=last).zip(all).map(|(code, bits)| ([code; 2], bits)), most)
        }
        None => vec![Region { kind: RegionKind::Full, codes: [1, last], precision: codebook.precision() }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_golden::Codec;

    /// Regions follow each other without gaps, and their codes have the stated number of bits.
    #[test]
    fn regions_have_all_codes_and_their_bits() {
        for name in [
            "e5m2",
            "e5m2b1",
            "e4m3b2u0",
            "e5m2b1u3",
            "e4m3fn",
            "e4m3n",
            "e4m3ns",
            "e2m1f",
            "e5m0",
            "e8m0",
            "k8p3se",
            "posit8_0",
            "posit8_1",
            "posit16_1",
            "posit5_4",
            "posit3_0",
            "bfloat16",
            "binary16",
            "dlfloat16",
            "posit16_1,scale=2^-6",
            "takum_linear8",
            "hifloat8",
        ] {
            let Ok(format) = name.parse::<Format>() else { panic!("{name}") };
            let regions = regions(&format);
            let mut next = format.min_code();
            for region in &regions {
                assert_eq!(region.codes[0], next, "{name} {regions:?}");
                next = region.codes[1] + 1;
                let most = (region.codes[0]..next)
                    .filter_map(|code| match format.decode(format.code(false, code)) {
                        binade_golden::Value::Finite(exact) => Some(exact.precision()),
                        _ => None,
                    })
                    .max();
                assert_eq!(most.map(|bits| bits.max(1)), Some(region.precision), "{name} {region:?}");
            }
            assert_eq!(next, format.max_code() + 1, "{name} {regions:?}");
        }
    }

    #[test]
    fn full_precision_is_where_the_papers_have_it() {
        let reach = |name: &str| {
            let format: Format = name.parse().expect("a format");
            full_precision(&format).map(|code| format.decode(format.code(false, code)).to_string())
        };
        assert_eq!(reach("e5m2"), ["1*2^-14", "1.75*2^15"]);
        assert_eq!(reach("posit16_1"), ["1*2^-2", "1.999755859375*2^1"]);
        assert_eq!(reach("e5m2b1"), ["1*2^-15", "1.75*2^14"]);
        // 3 trailing significand bits for exponents from -3 to 3 (arXiv 2409.16626, Table 2).
        assert_eq!(reach("hifloat8"), ["1*2^-3", "1.875*2^3"]);
        assert_eq!(reach("nf4")[1], "1*2^0");
    }
}
