//! Conversions between binary32 and the formats whose codes are the first bits of its own, such as bfloat16 and tf32.

use binade_golden::Model;
use binade_spec::{Float, Format, Operation, Overflow, Rounding};

/// Magnitude bits of binary32, and its infinity.
const MAGNITUDE: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;

/// The bits that a format drops from binary32's codes, if its codes are the others.
fn dropped_bits(format: &Format) -> Option<u32> {
    let float = format.float()?;
    let is_prefix = float.trailing_bits < 23 && *float == Float::ieee(8, float.trailing_bits);
    is_prefix.then(|| 23 - float.trailing_bits)
}

/// The canonical NaN, if every NaN becomes it.
fn only_nan(model: &Model, nans: [u32; 3]) -> Option<u32> {
    let [nan, ..] = nans.map(|nan| model.first_result(&[nan.into()]) as u32);
    nans.iter().all(|&other| model.first_result(&[other.into()]) as u32 == nan).then_some(nan)
}

/// From a prefix to binary32: zeros are appended.
#[derive(Clone, Copy)]
pub struct Longer {
    dropped: u32,
    /// What every NaN becomes, if it does not keep its payload.
    nan: Option<u32>,
}

impl Longer {
    /// `None` for other conversions.
    pub fn of(model: &Model) -> Option<Longer> {
        let Operation { operand, result, .. } = *model.operation();
        let dropped = dropped_bits(&operand).filter(|_| result == Format::binary32())?;
        let nans = [0x7fc0_0000, 0xffc0_0000, 0xff80_0000 | 1 << dropped].map(|nan: u32| nan >> dropped);
        let is_kept = |nan: u32| model.first_result(&[nan.into()]) == u128::from(nan << dropped);
        let nan = if nans.into_iter().all(is_kept) { None } else { Some(only_nan(model, nans)?) };
        Some(Longer { dropped, nan })
    }

    /// The code of binary32.
    #[inline(always)]
    pub fn result(&self, code: u32) -> u32 {
        let longer = code << self.dropped;
        match self.nan {
            Some(nan) if longer & MAGNITUDE > INFINITY => nan,
            _ => longer,
        }
    }
}

/// From binary32 to a prefix, to nearest with ties to even: a sum carries into the exponent, and into infinity, as it should.
#[derive(Clone, Copy)]
pub struct Shorter {
    dropped: u32,
    nan: u32,
}

impl Shorter {
    /// `None` for other conversions and roundings.
    pub fn of(model: &Model) -> Option<Shorter> {
        let Operation { operand, result, rounding, overflow, .. } = *model.operation();
        let is_nearest = rounding == Rounding::Rne && overflow == Overflow::Inf;
        let dropped = dropped_bits(&result).filter(|_| is_nearest && operand == Format::binary32())?;
        Some(Shorter { dropped, nan: only_nan(model, [0x7fc0_0000, 0xffc0_0000, 0xff80_0001])? })
    }

    /// The prefix's code.
    #[inline(always)]
    pub fn result(&self, number: u32) -> u32 {
        let below_half = (1 << (self.dropped - 1)) - 1;
        let is_odd = number >> self.dropped & 1;
        // Wraps around for NaN alone.
        let rounded = number.wrapping_add(below_half + is_odd) >> self.dropped;
        if number & MAGNITUDE > INFINITY { self.nan } else { rounded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::{Selection, Unit};

    /// The formats with these ways, and one that has none.
    #[test]
    fn what_begins_codes_of_binary32() {
        let model = |from: &str, to: &str| {
            let selection =
                Selection { target: Some(to.parse().unwrap()), ..Selection::new(Unit::Convert, from.parse().unwrap()) };
            Model::new(&selection.operation().unwrap())
        };
        for (name, is_it) in [("bfloat16", true), ("tf32", true), ("e8m3", true), ("binary16", false), ("e8m7f", false)]
        {
            assert_eq!(Longer::of(&model(name, "binary32")).is_some(), is_it, "{name}");
            assert_eq!(Shorter::of(&model("binary32", name)).is_some(), is_it, "{name}");
        }
    }
}
