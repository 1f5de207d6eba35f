//! The options that allow answers other than the golden model's.

use binade_sim::{NanRule, Policy, Tolerance};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

#[derive(Args, Clone, Debug, Default)]
pub struct PolicyOptions {
    /// Which NaN is right if the result is NaN: the canonical one, any, or that of an operand, made quiet (payload)
    #[arg(long, value_enum, ignore_case = true, value_name = "RULE", default_value = "canonical")]
    pub nan: Nan,
    /// Which sign of a zero is right: the exact one, or any
    #[arg(long, value_enum, ignore_case = true, value_name = "RULE", default_value = "exact")]
    pub zero_sign: ZeroSign,
    /// What your module does otherwise: flush subnormal operands (daz) or results (ftz), to zeros of their sign or to +0, take zero
    /// times infinity for zero, give the largest number for infinity, give no -0, or have no such
    /// flag (any-underflow ..)
    #[arg(long, value_name = "POLICY", value_parser = PossibleValuesParser::new(Policy::ALL.map(Policy::name)).try_map(|name| name.parse::<Policy>()))]
    pub policy: Vec<Policy>,
}

/// `--nan`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Nan {
    #[default]
    Canonical,
    Any,
    Payload,
}

/// `--zero-sign`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ZeroSign {
    #[default]
    Exact,
    Any,
}

impl PolicyOptions {
    pub fn tolerance(&self) -> Tolerance {
        let nan = match self.nan {
            Nan::Canonical => NanRule::Canonical,
            Nan::Any => NanRule::Any,
            Nan::Payload => NanRule::Payload,
        };
        let policies = self.policy.iter().copied().collect();
        Tolerance { nan, any_zero_sign: self.zero_sign == ZeroSign::Any, policies }
    }
}
