//! The units: the ports, formula and settings of each. To add a unit, add a file here and a row in the list of units
//! below.

mod accumulate;
mod add;
mod array;
mod classify;
mod compare;
mod convert;
mod divide;
mod dot;
mod dot_exact;
mod dot_stream;
mod fmac;
mod function;
mod loss_scaler;
mod minmax;
mod mma;
mod mul;
mod mx_dot;
mod mx_quantize;
mod posit_units;
mod random;
mod sgnj;
mod unscale;
mod update;
mod vector;

use crate::rounding::by_name;
use crate::{
    Activation, Algorithm, DIVISION_FLAG_BITS, Dataflow, FLAG_BITS, Fixed, Format, Formats, Formula, Generator, Kind,
    Operation, OperationError, Output, OutputConversion, Port, Posit, Selection, Setting, Sign, StateWord, Term,
    TermId, UpdateRule, WordKind,
};
pub use classify::CLASSES;
pub(crate) use dot::MAX_LANES;
pub use dot_exact::Accumulator;
pub(crate) use mma::MAX_SIZE;

use serde::Serialize;
use std::{fmt, str::FromStr};

/// The enum of kinds of units. Each row gives a summary (its comment), a variant, and its definition.
macro_rules! units {
    ($(#[doc = $summary:literal] $unit:ident => $definition:expr,)*) => {
        /// The kinds of units.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Unit {
            $(#[doc = $summary] $unit,)*
        }

        impl Unit {
            /// All units, in the order of the help.
            pub const ALL: [Unit; [$(Unit::$unit),*].len()] = [$(Unit::$unit),*];

            /// What the unit computes, in a sentence; formulas in it stand between backticks.
            pub fn summary(self) -> &'static str {
                let summary = match self {
                    $(Unit::$unit => $summary,)*
                };
                summary.trim()
            }

            pub(crate) fn definition(self) -> &'static Definition {
                match self {
                    $(Unit::$unit => $definition,)*
                }
            }
        }
    };
}

units! {
    /// The format to binary32.
    Decode => &convert::DECODE,
    /// binary32 to the format.
    Encode => &convert::ENCODE,
    /// One format to another.
    Convert => &convert::CONVERT,
    /// `a * b`.
    Mul => &mul::MUL,
    /// `a + b`.
    Add => &add::ADD,
    /// `a - b`.
    Sub => &add::SUB,
    /// `a / b`.
    Divide => &divide::DIVIDE,
    /// `1 / x`.
    Reciprocal => &divide::RECIPROCAL,
    /// The square root of `x`.
    Sqrt => &divide::SQRT,
    /// `1 / sqrt(x)`.
    Rsqrt => &divide::RSQRT,
    /// A function of `x`, such as `exp` or `tanh`, right for every code.
    Function => &function::FUNCTION,
    /// `a * b + c`, `c` and the result in the accumulator format, rounded once.
    Fmac => &fmac::FMAC,
    /// `a * b + c`, with the product rounded to the accumulator format before `c` is added.
    Mac => &fmac::MAC,
    /// `a[0] * b[0] + a[1] * b[1] + .. + c`, the sum in the accumulator format, rounded once or on the way.
    Dot => &dot::DOT,
    /// `D = A * B + C` for small matrices; every element is the sum of a dot product.
    Mma => &mma::MMA,
    /// `(a_scale * b_scale) * (a[0] * b[0] + ..) + c`, rounded once: a dot product of two blocks with a scale each.
    MxDot => &mx_dot::MX_DOT,
    /// A block of numbers to elements with a common scale.
    MxQuantize => &mx_quantize::MX_QUANTIZE,
    /// `acc = (clear ? 0 : acc) + a[0] * b[0] + ..` exactly, and `acc` rounded.
    DotExact => &dot_exact::DOT_EXACT,
    /// `acc = round((clear ? 0 : acc) + a * b)` from clock to clock, alone or in blocks.
    DotStream => &dot_stream::DOT_STREAM,
    /// `acc = clear ? x : acc + x` from clock to clock, the accumulator and the result in the accumulator format.
    Accumulate => &accumulate::ACCUMULATE,
    /// A posit to sign, exponent and significand.
    PositDecoder => &posit_units::DECODER,
    /// Sign, exponent and significand to a posit, rounded.
    PositEncoder => &posit_units::ENCODER,
    /// Less, equal, greater, unordered (IEEE 754-2019 section 5.11).
    Compare => &compare::COMPARE,
    /// The smaller or larger of two (IEEE 754-2019 section 9.6).
    Minmax => &minmax::MINMAX,
    /// The class of a code (IEEE 754-2019 section 5.7.2).
    Classify => &classify::CLASSIFY,
    /// `a` with the sign of `b`, its opposite, or the product of both signs (RISC-V's FSGNJ, FSGNJN, FSGNJX).
    Sgnj => &sgnj::SGNJ,
    /// `exp(x[i] - max)` over the sum of all.
    Softmax => &vector::SOFTMAX,
    /// `x[i] / sqrt(mean of x[i]^2 + epsilon) * gain[i]`.
    RmsNorm => &vector::RMS_NORM,
    /// `(x[i] - mean) / sqrt(variance + epsilon) * gain[i] + bias[i]`.
    LayerNorm => &vector::LAYER_NORM,
    /// The Hadamard transform of a vector, divided by the root of its length.
    Hadamard => &vector::HADAMARD,
    /// The largest, the sum, or the sum of squares of a vector.
    Reduce => &vector::REDUCE,
    /// The update of a weight: `w + u`, or `w - rate * g`.
    Update => &update::UPDATE,
    /// Halves a scale when gradients overflow, and doubles it after many steps without overflow.
    LossScaler => &loss_scaler::LOSS_SCALER,
    /// `g / scale`, where the scale is a power of two.
    Unscale => &unscale::UNSCALE,
    /// Pseudorandom words, one per clock.
    Random => &random::RANDOM,
}

/// What a unit computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Exact terms, rounded.
    Formula(Formula),
    /// A plain function of the codes, implemented in the golden model under its name.
    Function(PlainFunction),
    /// A plain function of the operands and these state words, implemented in the golden model under its name. It returns the
    /// outputs, and the words after the step.
    Machine(MachineFunction, Vec<StateWord>),
}

/// The plain functions of operands and a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineFunction {
    /// That of `dot-exact`.
    DotExact,
    /// That of `dot-stream`.
    DotStream,
    /// That of a systolic array.
    Array(Dataflow),
    /// That of `loss-scaler`.
    LossScaler,
    /// That of `random`.
    Random,
    /// What the operation computes with the random bits of this generator on a port.
    Drawn(Generator),
}

/// The plain functions of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainFunction {
    /// That of `compare`.
    Compare,
    /// That of `minmax`.
    Minmax,
    /// That of `classify`.
    Classify,
    /// That of `sgnj`.
    Sgnj,
    /// That of `posit-decoder`, for codes of this format.
    PositDecoder(Posit),
    /// What the operation computes that port `fmt` chooses, or that has the codes in the boxes.
    OfChoice,
}

impl Meaning {
    /// The formula; `None` for other meanings.
    pub fn formula(&self) -> Option<&Formula> {
        if let Meaning::Formula(formula) = self { Some(formula) } else { None }
    }

    /// The state, as ports.
    pub fn registers(&self) -> Vec<Port> {
        match self {
            Meaning::Formula(formula) => {
                formula.registers().iter().map(|register| Port::code(register.name, register.format)).collect()
            }
            Meaning::Function(_) => vec![],
            Meaning::Machine(_, words) => words.iter().map(StateWord::port).collect(),
        }
    }
}

/// A unit as data.
pub(crate) struct Definition {
    pub name: &'static str,
    pub facts: Facts,
    /// The settings it takes besides format and unit.
    pub settings: &'static [Setting],
    /// The formats of the operands and of the result.
    pub formats: fn(&Selection) -> Result<[Format; 2], OperationError>,
    /// The default settings of this kind of units.
    pub kind: fn() -> Kind,
    /// Resolves the settings of this kind of units, or says why there is no such unit.
    pub resolve: fn(&Selection, Operation) -> Result<Operation, OperationError>,
    /// The ports of its operands.
    pub inputs: fn(&Operation) -> Vec<Port>,
    pub outputs: fn(&Operation) -> Vec<Port>,
    pub meaning: fn(&Operation) -> Meaning,
    /// The beginning of the module name.
    pub module: fn(&Operation) -> String,
    /// A description of what the unit computes, if the formula does not say it.
    pub about: Option<fn(&Operation) -> Vec<String>>,
}

/// What is true of every operation of a unit, and does not follow from its formula.
pub(crate) struct Facts {
    /// Whether its circuits multiply significands.
    pub multiplies: bool,
    /// Whether it finds its result digit by digit.
    pub computes_digits: bool,
    /// Whether `format` names the format of the result, not that of the operands.
    pub format_is_result: bool,
    pub on_ports: OnPorts,
}

/// What ports can choose for each operation.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum OnPorts {
    Nothing,
    Formats,
    /// Formats, and the rounding direction.
    Both,
}

impl Unit {
    /// The unit's name on the command line.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// Whether the unit has a number format.
    pub fn has_format(self) -> bool {
        self != Unit::Random
    }

    /// The format for a [`Selection`] of the unit, from the user's choice, if any.
    ///
    /// # Errors
    /// When the unit needs a format but none is given, or the reverse.
    pub fn format_or_none(self, format: Option<Formats>) -> Result<Formats, OperationError> {
        match (format, self.has_format()) {
            (Some(format), true) => Ok(format),
            (None, false) => Ok(random::NO_FORMAT().into()),
            (None, true) => Err(OperationError::FormatMissing { unit: self }),
            (Some(_), false) => Err(OperationError::FormatUnused { unit: self }),
        }
    }

    /// Whether the unit takes a setting.
    pub fn takes(self, setting: Setting) -> bool {
        self.definition().settings.contains(&setting)
    }

    /// Whether the unit finds its result digit by digit, so that it can take several clocks for an operation.
    pub fn computes_digits(self) -> bool {
        self.definition().facts.computes_digits
    }

    /// Whether circuits of the unit multiply significands.
    pub fn multiplies(self) -> bool {
        self.definition().facts.multiplies
    }

    /// The algorithms among which the setting `algorithm` chooses.
    pub fn algorithms(self) -> Vec<Algorithm> {
        match self {
            Unit::Random => Generator::ALL.map(Algorithm::Random).to_vec(),
            Unit::Update => UpdateRule::ALL.map(Algorithm::Update).to_vec(),
            _ => vec![],
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Unit {
    type Err = String;
    fn from_str(name: &str) -> Result<Unit, String> {
        by_name(name, &Unit::ALL, |unit| unit.name())
    }
}

/// The settings of every rounded result.
const ROUNDED: &[Setting] = &[
    Setting::Round,
    Setting::Random,
    Setting::Overflow,
    Setting::PositRange,
    Setting::NanBoxing,
    Setting::Profile,
    Setting::Flags,
    Setting::Tininess,
];

/// The settings of a rounded result whose format can be chosen.
const ROUNDED_TO: &[Setting] = &[
    Setting::To,
    Setting::Round,
    Setting::Random,
    Setting::Overflow,
    Setting::PositRange,
    Setting::Flags,
    Setting::Tininess,
];

/// For units without settings of their own.
fn as_chosen(_: &Selection, operation: Operation) -> Result<Operation, OperationError> {
    Ok(operation)
}

/// Operands and result in the format.
fn own_format(selection: &Selection) -> Result<[Format; 2], OperationError> {
    Ok([selection.format; 2])
}

/// Operands and result in the format, which must have a sign.
fn signed_format(selection: &Selection) -> Result<[Format; 2], OperationError> {
    match selection.format.sign() {
        Sign::Signed => own_format(selection),
        Sign::Unsigned => Err(OperationError::NoSign { unit: selection.unit, format: selection.format }),
    }
}

/// Whether binary32 represents all numbers of a format.
fn fits_binary32(format: &Format) -> bool {
    let binary32 = Format::binary32();
    let Some(float) = binary32.float() else { return false };
    let least = binary32.min_exponent() + i64::from(format.precision()) - 1;
    let is_within = format.max_exponent() <= i64::from(float.bias) && format.min_exponent() >= least;
    is_within && format.precision() <= binary32.precision()
}

/// Operands in the format, the result in the accumulator format: by default binary16 for formats of up to 8 bits, binary32 for those of up
/// to 16 and for those that it represents, and else the format itself. So it is never narrower than the operands.
fn accumulator_format(selection: &Selection) -> Result<[Format; 2], OperationError> {
    let operand = selection.format;
    let default = match operand {
        Format::Fixed(fixed) => wide_fixed(&fixed).into(),
        _ if operand.width() <= 8 => Format::binary16(),
        _ if operand.width() <= 16 || fits_binary32(&operand) => Format::binary32(),
        _ => operand,
    };
    Ok([operand, selection.accumulator.unwrap_or(default)])
}

/// The accumulator for products of a fixed-point format: all their fraction bits, in 32 bits for codes of up to 8 bits,
/// else in 64.
fn wide_fixed(fixed: &Fixed) -> Fixed {
    Fixed { bits: if fixed.bits <= 8 { 32 } else { 64 }, fraction_bits: 2 * fixed.fraction_bits, ..*fixed }
}

/// The result on port `y`; `y_out` and `flags` on demand.
fn result_ports(operation: &Operation) -> Vec<Port> {
    let mut ports = vec![Port::code("y", operation.result)];
    ports.extend(operation.output.map(|output| Port::code("y_out", output.format)));
    ports.extend(flag_port(operation));
    ports
}

fn flag_port(operation: &Operation) -> Option<Port> {
    let bits = if operation.divides() { DIVISION_FLAG_BITS } else { FLAG_BITS };
    operation.flags.map(|_| Port::word("flags", bits, WordKind::Flags))
}

/// A formula with its result on port `y`, and its output conversion and flags on `y_out` and `flags`.
fn with_outputs(formula: Formula, operation: &Operation, y: TermId) -> Meaning {
    with_converted(formula, operation, Output::code(y))
}

/// Outputs the results, each of them converted, and the flags, as far as they are selected.
fn with_converted(mut formula: Formula, operation: &Operation, results: Output) -> Meaning {
    let codes = results.codes().to_vec();
    formula.output(results);
    if let Some((OutputConversion { activation, .. }, target)) = operation.output.zip(operation.output_target()) {
        let converted = codes.into_iter().map(|code| match activation {
            None => formula.convert(code, target),
            Some(Activation::Relu) => {
                let rectified = formula.term(Term::Rectify(code));
                formula.convert(rectified, target)
            }
            Some(Activation::Function(function)) => {
                let exact = formula.term(Term::Function { of: code, function });
                formula.round(exact, target)
            }
        });
        let converted: Vec<TermId> = converted.collect();
        formula.output(Output::Codes(converted));
    }
    if operation.flags.is_some() {
        formula.output(Output::Flags);
    }
    Meaning::Formula(formula)
}
