//! Policies: what a module makes of operands before an operation, or of its results, otherwise than the golden model. They are applied to
//! the golden model's operands and results, so that the same results are wanted.

use crate::engines::verilator::Flag;
use binade_golden::{Codec, Value};
use binade_spec::word::low_bits;
use binade_spec::{Class, Content, Format, Word};
use binade_stimulus::Place;
use std::fmt;
use std::str::FromStr;

/// A policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Subnormal operands are zeros of their sign.
    Daz,
    /// Subnormal operands are +0.
    DazPositive,
    /// Subnormal results are zeros of their sign.
    Ftz,
    /// Subnormal results are +0.
    FtzPositive,
    /// Results whose exact value lies below the normal numbers are zeros of their sign, also if they round up to a normal number.
    FtzExact,
    /// A product of zero and infinity is a zero.
    ZeroTimesInf,
    /// An infinite result is the largest number of its sign.
    InfToMax,
    /// A result is +0 where -0 is due.
    NoNegativeZero,
    /// The flag for an invalid operation is not looked at.
    AnyInvalid,
    /// The flag for a division by zero is not looked at.
    AnyDivisionByZero,
    /// The flag for an overflow is not looked at.
    AnyOverflow,
    /// The flag for an underflow is not looked at.
    AnyUnderflow,
    /// The flag for an inexact result is not looked at.
    AnyInexact,
}

impl Policy {
    /// All policies, in the order in which they apply.
    pub const ALL: [Policy; 13] = [
        Policy::Daz,
        Policy::DazPositive,
        Policy::ZeroTimesInf,
        Policy::InfToMax,
        Policy::Ftz,
        Policy::FtzPositive,
        Policy::FtzExact,
        Policy::NoNegativeZero,
        Policy::AnyInvalid,
        Policy::AnyDivisionByZero,
        Policy::AnyOverflow,
        Policy::AnyUnderflow,
        Policy::AnyInexact,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Daz => "daz",
            Policy::DazPositive => "daz-positive",
            Policy::Ftz => "ftz",
            Policy::FtzPositive => "ftz-positive",
            Policy::FtzExact => "ftz-exact",
            Policy::ZeroTimesInf => "zero-times-inf",
            Policy::InfToMax => "inf-to-max",
            Policy::NoNegativeZero => "no-negative-zero",
            Policy::AnyInvalid => "any-invalid",
            Policy::AnyDivisionByZero => "any-division-by-zero",
            Policy::AnyOverflow => "any-overflow",
            Policy::AnyUnderflow => "any-underflow",
            Policy::AnyInexact => "any-inexact",
        }
    }

    /// What it says.
    pub fn sentence(self) -> &'static str {
        match self {
            Policy::Daz => "subnormal operands are zeros of their sign",
            Policy::DazPositive => "subnormal operands are +0",
            Policy::Ftz => "subnormal results are zeros of their sign",
            Policy::FtzPositive => "subnormal results are +0",
            Policy::FtzExact => "results are zeros of their sign where their exact value is below the normal numbers",
            Policy::ZeroTimesInf => "the product of zero and infinity is a zero",
            Policy::InfToMax => "infinite results are the largest number of their sign",
            Policy::NoNegativeZero => "a zero result is +0",
            Policy::AnyInvalid => "the flag for an invalid operation is not looked at",
            Policy::AnyDivisionByZero => "the flag for a division by zero is not looked at",
            Policy::AnyOverflow => "the flag for an overflow is not looked at",
            Policy::AnyUnderflow => "the flag for an underflow is not looked at",
            Policy::AnyInexact => "the flag for an inexact result is not looked at",
        }
    }

    /// The policy that a flag is not looked at.
    pub fn any_flag(flag: Flag) -> Policy {
        match flag {
            Flag::Invalid => Policy::AnyInvalid,
            Flag::DivisionByZero => Policy::AnyDivisionByZero,
            Flag::Overflow => Policy::AnyOverflow,
            Flag::Underflow => Policy::AnyUnderflow,
            Flag::Inexact => Policy::AnyInexact,
        }
    }

    /// The code of an operand that this one counts as.
    fn operand(self, format: &Format, code: u128) -> u128 {
        let is_subnormal = format.class(code) == Class::Subnormal;
        match self {
            Policy::Daz if is_subnormal => format.zero_code(is_negative(format, code)),
            Policy::DazPositive if is_subnormal => format.zero_code(false),
            _ => code,
        }
    }

    /// The code of a result that takes the place of this one.
    fn result(self, format: &Format, code: u128) -> u128 {
        let negative = is_negative(format, code);
        match (self, format.class(code)) {
            (Policy::Ftz | Policy::FtzExact, Class::Subnormal) => format.zero_code(negative),
            (Policy::FtzPositive, Class::Subnormal) => format.zero_code(false),
            (Policy::InfToMax, Class::Infinity) => format.code(negative, format.max_magnitude(negative)),
            (Policy::NoNegativeZero, Class::Zero) => format.zero_code(false),
            _ => code,
        }
    }
}

fn is_negative(format: &Format, code: u128) -> bool {
    code & format.sign_mask() != 0
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(name: &str) -> Result<Policy, String> {
        let found = Policy::ALL.into_iter().find(|policy| policy.name() == name);
        found.ok_or_else(|| format!("one of {} is expected", Policy::ALL.map(Policy::name).join(", ")))
    }
}

/// A set of policies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policies(u16);

impl Policies {
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The policies, in the order in which they apply.
    pub fn iter(self) -> impl Iterator<Item = Policy> {
        Policy::ALL.into_iter().filter(move |&policy| self.has(policy))
    }

    /// All but one.
    pub fn without(self, policy: Policy) -> Policies {
        Policies(self.0 & !bit(policy))
    }

    /// Replaces the lanes of a vector's operands by those that they count as; `places` are their places.
    pub(super) fn replace_operands(self, places: &[Place], lanes: &mut [Word]) {
        self.replace(places, lanes, Policy::operand);
        if self.has(Policy::ZeroTimesInf) {
            replace_factors(places, lanes);
        }
    }

    /// Replaces the lanes of a vector's results. With [`Policy::FtzExact`], `truncated` are the results rounded toward zero.
    pub(super) fn replace_results(self, places: &[Place], lanes: &mut [Word], truncated: Option<&[Word]>) {
        for ((place, lane), truncated) in places.iter().zip(&mut *lanes).zip(truncated.unwrap_or_default()) {
            let Content::Code(format) = place.content else { continue };
            if format.class(low_bits(truncated)) == Class::Subnormal {
                *lane = Word::from(format.zero_code(is_negative(&format, low_bits(lane))));
            }
        }
        self.replace(places, lanes, Policy::result);
    }

    /// The bits of a port `flags` of this width that are judged.
    pub fn judged_flags(self, width: u32) -> u128 {
        let judged = Flag::ALL.into_iter().filter(|&flag| !self.has(Policy::any_flag(flag)));
        judged.filter_map(|flag| flag.bit(width)).map(|bit| 1 << bit).sum()
    }

    /// Whether this policy is among them.
    pub fn has(self, policy: Policy) -> bool {
        self.0 & bit(policy) != 0
    }

    /// Two of them that contradict each other.
    pub fn contradiction(self) -> Option<[Policy; 2]> {
        use Policy::{Daz, DazPositive, Ftz, FtzExact, FtzPositive};
        let pairs = [[Daz, DazPositive], [Ftz, FtzPositive], [Ftz, FtzExact], [FtzPositive, FtzExact]];
        pairs.into_iter().find(|pair| pair.iter().all(|&policy| self.has(policy)))
    }

    fn replace(self, places: &[Place], lanes: &mut [Word], by: fn(Policy, &Format, u128) -> u128) {
        for (place, lane) in places.iter().zip(lanes) {
            let Content::Code(format) = place.content else { continue };
            let code = low_bits(lane);
            let replaced = self.iter().fold(code, |code, policy| by(policy, &format, code));
            if replaced != code {
                *lane = Word::from(replaced);
            }
        }
    }
}

fn bit(policy: Policy) -> u16 {
    1 << policy as u8
}

impl FromIterator<Policy> for Policies {
    fn from_iter<I: IntoIterator<Item = Policy>>(policies: I) -> Policies {
        Policies(policies.into_iter().map(bit).fold(0, |all, bit| all | bit))
    }
}

/// Replaces an infinite factor by the largest number of its sign where the other factor is a zero. The factors are the lanes of the first
/// two ports.
fn replace_factors(places: &[Place], lanes: &mut [Word]) {
    let value = |place: &Place, lane: &Word| match place.content {
        Content::Code(format) => Some((format, format.decode(low_bits(lane)))),
        _ => None,
    };
    for first in 0..places.len() {
        let other = places.iter().position(|place| place.port == 1 && place.lane == places[first].lane);
        let Some(second) = other.filter(|_| places[first].port == 0) else { continue };
        for [zero, factor] in [[first, second], [second, first]] {
            let is_zero = matches!(value(&places[zero], &lanes[zero]), Some((_, Value::Zero { .. })));
            if let (true, Some((format, Value::Infinite { negative }))) =
                (is_zero, value(&places[factor], &lanes[factor]))
            {
                lanes[factor] = Word::from(format.code(negative, format.max_magnitude(negative)));
            }
        }
    }
}
