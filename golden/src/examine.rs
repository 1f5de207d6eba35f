//! What happens on the way to a result: the facts that coverage is counted by, from the exact values.

use crate::arithmetic::{Random, big};
use crate::codec::Family;
use crate::encode::{Natural, Position};
use crate::{Codes, Exact, FloatCodes, Model, Policy, PositCodes, Rest, Value};
use binade_spec::{Class, PositRange, Unit};
use num_bigint::BigUint;

/// How one vector went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The sum of two nonzero numbers, where there is one.
    pub sum: Option<Sum>,
    /// The rounding of the product before `c` is added (`mac`), if it is a nonzero number.
    pub product: Option<Landing>,
    /// The rounding of the result, if it is a nonzero number before it.
    pub result: Option<Landing>,
    /// The rounding to the output format, likewise.
    pub output: Option<Landing>,
    /// Whether a negative accumulator became zero before the output conversion.
    pub rectified: bool,
    /// The outputs, packed as [`Operation::evaluate`] does.
    pub packed: u64,
}

/// A sum of two nonzero numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Whether their signs differ: magnitudes are subtracted.
    pub is_subtraction: bool,
    /// Exponent of the first term (of a multiply-add the product) less that of the second.
    pub difference: i32,
    /// By how much the exponent of the sum is below that of the larger term; none if the sum is exactly zero. Only
    /// subtractions cancel; additions give 0.
    pub cancelled: Option<u32>,
}

/// Where an exact result lay among the values of the format, and where it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    pub negative: bool,
    pub region: Region,
    /// How far the exact magnitude lay from the lower of the two codes around it to the upper one.
    pub rest: Rest,
    /// Whether the lower code is odd: the lowest kept bit.
    pub is_odd: bool,
    /// Whether it became the upper code, or what stands for that.
    pub goes_up: bool,
    pub step: Step,
    /// Whether it is beyond the largest value after rounding.
    pub overflows: bool,
    /// Class of the result.
    pub class: Class,
    /// The flags of this rounding, if there are flags.
    pub flags: u64,
}

/// Where a nonzero exact magnitude lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Between zero and the smallest value.
    BelowSmallest,
    /// From a subnormal up to the next value; the names of the others are those of their classes.
    Subnormal,
    LowerSupernormal,
    Normal,
    UpperSupernormal,
    /// Between minpos and maxpos.
    Ordinary,
    /// Above the largest value, below the one that would come next.
    AboveLargest,
    /// That one or more.
    Beyond,
}

/// What a rounding up steps over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing: it is exact or rounded down, or it was beyond the largest value already.
    None,
    WithinBinade,
    NextBinade,
    /// From a posit to one whose regime is longer or shorter.
    NextRegime,
    /// From zero to the smallest value.
    ToSmallest,
    /// From the largest subnormal to the smallest normal value.
    SubnormalToNormal,
    /// From the largest power of two of the lower supernormal region to the smallest ordinary value.
    LowerToNormal,
    /// From the largest ordinary value to the smallest power of two above.
    NormalToUpper,
    /// From the largest value to overflow.
    ToOverflow,
}

impl Model {
    /// How the vector of these input codes and words goes.
    pub fn examine(&self, inputs: &[u64]) -> Facts {
        let (operands, mut random) = match inputs.split_last() {
            Some((&random, operands)) if self.random_bits() > 0 => (operands, Random(random)),
            _ => (inputs, Random(0)),
        };
        let mut facts = Facts { packed: self.evaluate(inputs), ..Facts::default() };
        let decoded = |operand: usize| self.operand.decode(operands[operand].into());
        match self.unit {
            Unit::Decode | Unit::Encode | Unit::Convert => facts.result = self.land(decoded(0), &mut random),
            Unit::Mul => facts.result = self.land(Value::product(decoded(0), decoded(1)), &mut random),
            Unit::Add => self.examine_sum(decoded(0), decoded(1), &mut random, &mut facts),
            Unit::Fmac => {
                let product = Value::product(decoded(0), decoded(1));
                self.examine_sum(product, self.result.decode(operands[2].into()), &mut random, &mut facts);
            }
            Unit::Mac => {
                let product = Value::product(decoded(0), decoded(1));
                facts.product = self.land(product, &mut { random });
                let rounded = self.result.decode(self.round(product, &mut random).code);
                self.examine_sum(rounded, self.result.decode(operands[2].into()), &mut random, &mut facts);
            }
            Unit::PositDecoder => {}
            Unit::PositEncoder => facts.result = self.land(self.value_of_parts(operands), &mut random),
        }
        self.examine_output(random, &mut facts);
        facts
    }

    /// Where an exact value would land as a result; `random` is the random integer of stochastic rounding.
    pub fn landing(&self, exact: Exact, random: u64) -> Landing {
        let policy = self.policy(&mut Random(random));
        self.land_finite(exact.negative, &exact.n, exact.k, &policy)
    }

    fn examine_sum(&self, x: Value, y: Value, random: &mut Random, facts: &mut Facts) {
        let (x, y) = match (x, y) {
            (Value::Finite(x), Value::Finite(y)) => (x, y),
            (finite @ Value::Finite(_), Value::Zero { .. }) | (Value::Zero { .. }, finite @ Value::Finite(_)) => {
                facts.result = self.land(finite, random);
                return;
            }
            _ => return,
        };
        let policy = self.policy(random);
        let (exponent, landing) = match narrow_sum(x, y) {
            Some((_, 0)) => (None, None),
            Some((negative, n)) => {
                let k = x.k.min(y.k);
                (Some(k + n.bit_length() - 1), Some(self.land_finite(negative, &n, k, &policy)))
            }
            None => self.land_wide_sum(x, y, &policy),
        };
        let is_subtraction = x.negative != y.negative;
        let larger = x.exponent().max(y.exponent());
        // An addition that carries has nothing cancelled.
        let cancelled = exponent.map(|exponent| (larger - exponent).max(0) as u32);
        facts.sum = Some(Sum { is_subtraction, difference: x.exponent() - y.exponent(), cancelled });
        facts.result = landing;
    }

    /// Exponent and landing of a sum of any width; none if it is zero.
    fn land_wide_sum(&self, x: Exact, y: Exact, policy: &Policy) -> (Option<i32>, Option<Landing>) {
        let k = x.k.min(y.k);
        let sum = (big(x) << (x.k - k) as u32) + (big(y) << (y.k - k) as u32);
        let negative = sum.sign() == num_bigint::Sign::Minus;
        let n: &BigUint = sum.magnitude();
        if n.bits() == 0 {
            return (None, None);
        }
        (Some(k + n.bit_length() - 1), Some(self.land_finite(negative, n, k, policy)))
    }

    /// The conversion of the accumulator to the output format.
    fn examine_output(&self, random: Random, facts: &mut Facts) {
        let Some(output) = &self.output else { return };
        let accumulator = self.result.decode(self.unpacked(facts.packed)[0].into());
        facts.rectified = output.relu && accumulator.is_negative();
        if !facts.rectified {
            facts.output = Model::new(&self.output_conversion(output)).land(accumulator, &mut { random });
        }
    }

    fn land(&self, value: Value, random: &mut Random) -> Option<Landing> {
        let policy = self.policy(random);
        let Value::Finite(Exact { negative, n, k }) = value else { return None };
        Some(self.land_finite(negative, &n, k, &policy))
    }

    fn land_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> Landing {
        let code = self.result.encode_finite(negative, n, k, policy);
        let flags = match (self.flags, &self.result.family) {
            (Some(tininess), Family::Float(float)) => float.exceptions(negative, n, k, policy, tininess),
            _ => 0,
        };
        let (position, goes_up) = match &self.result.family {
            Family::Float(float) => float.position(negative, n, k, policy),
            Family::Posit(posit) => posit.position(negative, n, k, policy),
        };
        Landing {
            negative,
            region: self.result.region(position),
            rest: position.rest,
            is_odd: position.code & 1 == 1,
            goes_up,
            step: if goes_up { self.result.step_from(position.code) } else { Step::None },
            overflows: self.result.overflows(position, goes_up),
            class: self.result.class(code),
            flags,
        }
    }
}

/// The sum as sign and magnitude in units of the smaller `2^k`, if 128 bits hold it.
fn narrow_sum(x: Exact, y: Exact) -> Option<(bool, u128)> {
    let k = x.k.min(y.k);
    let term = |x: Exact| {
        let shift = (x.k - k) as u32;
        // One bit for the sign, one for the carry.
        let fits = shift + 2 <= x.n.leading_zeros();
        fits.then(|| if x.negative { -((x.n << shift) as i128) } else { (x.n << shift) as i128 })
    };
    let sum = term(x)? + term(y)?;
    Some((sum < 0, sum.unsigned_abs()))
}

impl Codes {
    fn region(&self, position: Position) -> Region {
        let (max, min) = (self.max_code() as i64, self.min_code() as i64);
        match position.code {
            code if code > max => Region::Beyond,
            code if code == max && position.is_inexact() => Region::AboveLargest,
            code if code < min => Region::BelowSmallest,
            code => self.region_of(code as u128),
        }
    }

    /// The region that begins with a magnitude code.
    fn region_of(&self, magnitude: u128) -> Region {
        let Family::Float(float) = &self.family else { return Region::Ordinary };
        match float.class_of_magnitude(magnitude) {
            Class::Subnormal => Region::Subnormal,
            Class::LowerSupernormal => Region::LowerSupernormal,
            Class::UpperSupernormal => Region::UpperSupernormal,
            class => {
                debug_assert_eq!(class, Class::Normal, "the class of a nonzero number");
                Region::Normal
            }
        }
    }

    /// What is stepped over from one place on the line of magnitude codes to the next.
    fn step_from(&self, code: i64) -> Step {
        let (max, min) = (self.max_code() as i64, self.min_code() as i64);
        match code {
            _ if code > max => return Step::None,
            _ if code == max => return Step::ToOverflow,
            _ if code + 1 == min => return Step::ToSmallest,
            _ if code < min => return Step::WithinBinade,
            _ => {}
        }
        let (lower, upper) = (code as u128, code as u128 + 1);
        match (self.region_of(lower), self.region_of(upper)) {
            (Region::Subnormal, Region::Normal) => Step::SubnormalToNormal,
            (Region::LowerSupernormal, Region::Normal) => Step::LowerToNormal,
            (Region::Normal, Region::UpperSupernormal) => Step::NormalToUpper,
            _ if self.posit().is_some_and(|posit| {
                PositCodes::new(*posit).regime(lower) != PositCodes::new(*posit).regime(upper)
            }) =>
            {
                Step::NextRegime
            }
            _ if self.exponent_of(lower) != self.exponent_of(upper) => Step::NextBinade,
            _ => Step::WithinBinade,
        }
    }

    /// floor(log2) of a magnitude code's value, which is a nonzero number.
    fn exponent_of(&self, magnitude: u128) -> i32 {
        match self.decode(magnitude) {
            Value::Finite(exact) => exact.exponent(),
            other => unreachable!("{other} is no number"),
        }
    }

    fn overflows(&self, position: Position, goes_up: bool) -> bool {
        match &self.family {
            Family::Float(float) => position.code + i64::from(goes_up) > float.largest,
            // Nothing above maxpos is near enough to it to be rounded to it.
            Family::Posit(_) => matches!(self.region(position), Region::AboveLargest | Region::Beyond),
        }
    }
}

impl FloatCodes {
    /// Where a magnitude lies, and whether it becomes the next code.
    fn position<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> (Position, bool) {
        let position = self.locate(n, k, policy.rounding);
        (position, self.goes_up(position, negative, policy))
    }
}

impl PositCodes {
    /// The same: what saturates goes up to minpos, and not up from maxpos.
    fn position<N: Natural>(&self, negative: bool, n: &N, k: i32, policy: &Policy) -> (Position, bool) {
        let position = self.locate(n, k, policy.rounding.random_bits());
        let goes_up = match policy.posit_range {
            _ if position.code == 0 => self.encode_finite(negative, n, k, policy) != 0,
            PositRange::Saturate if position.code == self.largest => false,
            PositRange::Float if position.code == self.largest => position.is_inexact(),
            PositRange::Saturate | PositRange::Float => position.goes_up(negative, policy),
        };
        (position, goes_up)
    }
}
