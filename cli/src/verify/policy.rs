//! The options that allow answers other than the golden model's.

use binade_sim::{NanRule, Tolerance};
use clap::{Args, ValueEnum};

#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PolicyOptions {
    /// Which NaN is right if the result is NaN: the canonical one, any, or that of an operand, made quiet (payload)
    #[arg(long, value_enum, ignore_case = true, value_name = "RULE", default_value = "canonical")]
    pub nan: Nan,
    /// Which sign of a zero is right: the exact one, or any
    #[arg(long, value_enum, ignore_case = true, value_name = "RULE", default_value = "exact")]
    pub zero_sign: ZeroSign,
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
    pub fn tolerance(self) -> Tolerance {
        let nan = match self.nan {
            Nan::Canonical => NanRule::Canonical,
            Nan::Any => NanRule::Any,
            Nan::Payload => NanRule::Payload,
        };
        Tolerance { nan, any_zero_sign: self.zero_sign == ZeroSign::Any }
    }
}
