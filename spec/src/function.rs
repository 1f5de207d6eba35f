//! Functions of one number, and their values where they are not those of a series: at zeros, infinities and poles.
//!
//! The table follows IEEE 754-2019 section 9.2.1 for the functions that it names, and the limits for the others. P3109
//! has the same values; its `Recip` and `RSqrt` of a zero without a sign are NaN.

use crate::rounding::{by_name, named};
use serde::Serialize;
use std::{fmt, str::FromStr};

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    /// `e^x`.
    Exp,
    /// `2^x`.
    Exp2,
    /// `e^x - 1`.
    Expm1,
    /// The natural logarithm.
    Log,
    /// The logarithm to base 2.
    Log2,
    /// The natural logarithm of `1 + x`.
    Log1p,
    /// The sine of `x` radians.
    Sin,
    /// The cosine of `x` radians.
    Cos,
    /// The hyperbolic tangent.
    Tanh,
    /// `1 / (1 + e^-x)`.
    Sigmoid,
    /// `log(1 + e^x)`.
    Softplus,
    /// `x * (1 + erf(x / sqrt(2))) / 2` (Hendrycks and Gimpel, arXiv 1606.08415).
    Gelu,
    /// `x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2`: their approximation of `gelu`.
    GeluTanh,
    /// `x / (1 + e^-x)`.
    Silu,
    /// `2 / sqrt(pi)` times the integral of `e^-t^2` from 0 to `x`.
    Erf,
    /// `1 / x`.
    Recip,
    /// `1 / sqrt(x)`.
    Rsqrt,
    /// The cube root.
    Cbrt,
}

/// The value of a function at a special operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// The operand.
    Same,
    /// +0.
    Zero,
    /// -0.
    MinusZero,
    /// 1.
    One,
    /// -1.
    MinusOne,
    /// 1/2.
    Half,
    /// A number that the function computes as it does any other.
    Number,
    /// +infinity.
    Infinity,
    /// -infinity.
    MinusInfinity,
    /// -infinity, by a division by zero (IEEE 754-2019 section 7.3).
    Pole,
    /// Infinity with the sign of the zero, by a division by zero; NaN where zero has no sign.
    PoleOfZero,
    /// NaN: the operand is outside the domain, and the operation is invalid.
    Nan,
}

impl Function {
    /// Whether no value has a magnitude above 1.
    pub fn is_bounded(self) -> bool {
        matches!(self, Function::Sin | Function::Cos | Function::Tanh | Function::Sigmoid | Function::Erf)
    }

    /// The value at a zero.
    pub fn at_zero(self) -> Special {
        match self {
            Function::Exp | Function::Exp2 | Function::Cos => Special::One,
            Function::Sigmoid => Special::Half,
            Function::Softplus => Special::Number,
            Function::Log | Function::Log2 => Special::Pole,
            Function::Recip | Function::Rsqrt => Special::PoleOfZero,
            Function::Expm1
            | Function::Log1p
            | Function::Sin
            | Function::Tanh
            | Function::Gelu
            | Function::GeluTanh
            | Function::Silu
            | Function::Erf
            | Function::Cbrt => Special::Same,
        }
    }

    /// The value at +infinity.
    pub fn at_infinity(self) -> Special {
        match self {
            Function::Sin | Function::Cos => Special::Nan,
            Function::Tanh | Function::Sigmoid | Function::Erf => Special::One,
            Function::Recip | Function::Rsqrt => Special::Zero,
            Function::Exp
            | Function::Exp2
            | Function::Expm1
            | Function::Log
            | Function::Log2
            | Function::Log1p
            | Function::Softplus
            | Function::Gelu
            | Function::GeluTanh
            | Function::Silu
            | Function::Cbrt => Special::Infinity,
        }
    }

    /// The value at -infinity.
    pub fn at_minus_infinity(self) -> Special {
        match self {
            Function::Exp | Function::Exp2 | Function::Sigmoid | Function::Softplus => Special::Zero,
            Function::Gelu | Function::GeluTanh | Function::Silu | Function::Recip => Special::MinusZero,
            Function::Expm1 | Function::Tanh | Function::Erf => Special::MinusOne,
            Function::Cbrt => Special::MinusInfinity,
            Function::Log | Function::Log2 | Function::Log1p | Function::Sin | Function::Cos | Function::Rsqrt => {
                Special::Nan
            }
        }
    }

    /// The numbers for which it is defined.
    pub fn domain(self) -> Domain {
        match self {
            Function::Log | Function::Log2 | Function::Rsqrt => Domain::Positive,
            Function::Log1p => Domain::AboveMinusOne,
            _ => Domain::All,
        }
    }

    /// Whether an operand may be a pole, which raises division by zero.
    pub fn has_pole(self) -> bool {
        matches!(self, Function::Log | Function::Log2 | Function::Log1p | Function::Recip | Function::Rsqrt)
    }

    /// The formula, where `x` is the text of the operand.
    pub fn text(self, x: &str) -> String {
        format!("{self}({x})")
    }
}

/// The numbers for which a function is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All numbers.
    All,
    /// Those above zero.
    Positive,
    /// Those above -1, which is a pole.
    AboveMinusOne,
}

/// What is done to an accumulator before its conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activation {
    /// Negative numbers become zero.
    Relu,
    /// A function of the accumulator, rounded once, to the format of the conversion.
    Function(Function),
}

impl Activation {
    /// The names on the command line.
    pub fn names() -> Vec<&'static str> {
        [Activation::Relu].into_iter().chain(Function::ALL.map(Activation::Function)).map(Activation::name).collect()
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Activation::Relu => "relu",
            Activation::Function(function) => function.name(),
        }
    }

    /// The activation with this name.
    pub(crate) fn named(name: &str) -> Option<Activation> {
        let functions = Function::ALL.map(Activation::Function);
        [Activation::Relu].into_iter().chain(functions).find(|activation| activation.name() == name)
    }

    /// The formula, where `y` is the text of the accumulator.
    pub fn text(self, y: &str) -> String {
        match self {
            Activation::Relu => format!("max({y}, 0)"),
            Activation::Function(function) => function.text(y),
        }
    }
}

/// The most bits of an operand of a function: each code is looked at.
pub(crate) const MOST_OPERAND_BITS: u32 = 16;

/// The most bits of an operand of a function whose result is rounded stochastically: digits of all codes are looked up.
pub(crate) const MOST_RANDOM_OPERAND_BITS: u32 = 8;

/// The most bits of a result of a function.
pub(crate) const MOST_RESULT_BITS: u32 = 32;

/// The largest magnitude of the exponents of operands and results: binary64 holds them all.
pub(crate) const MOST_EXPONENT: i64 = 960;

/// The most digits of a result that a rounding looks at, random bits included.
pub const MOST_FUNCTION_DIGITS: u32 = 40;

named! {
    /// All functions, in the order of the help.
    Function {
        Exp: "exp", Exp2: "exp2", Expm1: "expm1", Log: "log", Log2: "log2", Log1p: "log1p", Sin: "sin", Cos: "cos",
        Tanh: "tanh", Sigmoid: "sigmoid", Softplus: "softplus", Gelu: "gelu", GeluTanh: "gelu-tanh", Silu: "silu",
        Erf: "erf", Recip: "recip", Rsqrt: "rsqrt", Cbrt: "cbrt",
    }
}
