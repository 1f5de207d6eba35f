//! A unit and its IEEE 754 operation as a question in SMT-LIB: is there an input for which they differ?
//!
//! The unit is its gates, and the operation is that of SMT-LIB's theory of floating point (<https://smt-lib.org/theories-FloatingPoint.shtml>),
//! which other people's solvers implement. So nothing here is shared with the specification that proofs use.

use binade_gates::{Gate, Graph, Literal};
use binade_spec::{
    Float, Format, Infinity, Kind, Minmax, Nan, NanResult, Negation, Operation, Overflow, Port, Rounding, Sign,
    Underflow, Unit,
};
use std::fmt::Write;
use thiserror::Error;

/// Why a question cannot be put in SMT-LIB.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotInSmt {
    /// A format that the theory does not have.
    #[error(
        "SMT-LIB has the formats of IEEE 754 only, with subnormals, infinities and NaNs, such as e5m2 or binary16, not {0}"
    )]
    Format(Format),
    /// An operation that the theory does not have.
    #[error(
        "SMT-LIB has no {0}; its operations are decode, encode, convert, add, sub, mul, divide, sqrt, fmac, compare and minmax"
    )]
    Operation(Unit),
    /// A setting that the theory does not have.
    #[error(
        "SMT-LIB has no minimum and maximum of magnitudes, second operand formats, NaN boxes, port fmt, second outputs or random bits; leave them out"
    )]
    Setting,
    /// A way to round or to overflow that the theory does not have.
    #[error("SMT-LIB rounds as IEEE 754 does: rne, rna, rtz, rdn, rup, or the direction on port rm; {0}")]
    Result(&'static str),
}

/// The question for solvers, as a text: they answer `unsat` if the unit is right for all inputs. `unit` has the operands and results of the
/// operation, and no flip-flops; its flags are left out.
///
/// # Errors
/// When SMT-LIB does not have the operation, a format, or the rounding.
///
/// # Panics
/// When the graph has flip-flops or undefined bits.
pub fn smt(name: &str, operation: &Operation, unit: &Graph) -> Result<String, NotInSmt> {
    assert!(unit.flip_flops().is_empty() && unit.undefined().is_empty(), "a unit without registers");
    let right = expectation(operation)?;
    if !is_plain(operation) {
        return Err(NotInSmt::Setting);
    }
    let flags = if operation.flags.is_some() { "; Its flags are not asked about.\n" } else { "" };
    let mut text = format!(
        "; {name}: is there an input for which the gates differ from the operation of IEEE 754?\n\
         ; unsat: no, the unit is right for all inputs. sat: yes, and (get-model) shows one.\n\
         {flags}(set-logic QF_BVFP)\n"
    );
    for port in operation.inputs() {
        _ = writeln!(text, "(declare-const {} (_ BitVec {}))", port.name, port.width());
    }
    text += "; the gates\n";
    text += &gates(&operation.inputs(), unit);
    for (port, bits) in operation.outputs().iter().zip(unit.outputs()) {
        _ = writeln!(text, "(define-fun {} () (_ BitVec {}) {})", port.name, port.width(), word(bits));
    }
    text += "; the operation\n";
    _ = write!(text, "{right}(assert (not is_right))\n(check-sat)\n");
    Ok(text)
}

/// Whether nothing but the unit, its formats and its rounding decides the numbers.
fn is_plain(operation: &Operation) -> bool {
    let Operation { unit, operand, result, rounding, overflow, flags, nan, .. } = *operation;
    let plain = Operation { rounding, overflow, flags, nan, ..Operation::new(unit, operand, result) };
    // The relations of comparisons do not depend on how they signal.
    let kind = match operation.kind {
        Kind::Compare(_) | Kind::MultiplyAdd(_) => operation.kind,
        Kind::Minmax(Minmax { extremum }) if !extremum.is_of_magnitudes() => operation.kind,
        _ => plain.kind,
    };
    Operation { kind, ..plain } == *operation
}

/// A definition for each gate.
fn gates(inputs: &[Port], unit: &Graph) -> String {
    let mut text = String::new();
    for (port, bits) in inputs.iter().zip(unit.inputs()) {
        for (place, bit) in bits.iter().enumerate() {
            let of = format!("(= ((_ extract {place} {place}) {}) #b1)", port.name);
            _ = writeln!(text, "(define-fun n{} () Bool {of})", bit.node());
        }
    }
    for (node, gate) in unit.gates().iter().enumerate() {
        let of = match *gate {
            Gate::Input => continue,
            Gate::False => "false".into(),
            Gate::And(a, b) => format!("(and {} {})", literal(a), literal(b)),
            Gate::Xor(a, b) => format!("(xor {} {})", literal(a), literal(b)),
            Gate::Mux { select, one, zero } => format!("(ite {} {} {})", literal(select), literal(one), literal(zero)),
        };
        _ = writeln!(text, "(define-fun n{node} () Bool {of})");
    }
    text
}

fn literal(literal: Literal) -> String {
    let node = format!("n{}", literal.node());
    if literal.is_inverted() { format!("(not {node})") } else { node }
}

/// Bits, the lowest first, as a word.
fn word(bits: &[Literal]) -> String {
    let bit = |bit: &Literal| format!("(ite {} #b1 #b0)", literal(*bit));
    match bits {
        [only] => bit(only),
        _ => format!("(concat {})", bits.iter().rev().map(bit).collect::<Vec<_>>().join(" ")),
    }
}

/// The definition of `is_right`, and what it needs.
fn expectation(operation: &Operation) -> Result<String, NotInSmt> {
    let operand = ieee(operation.operand)?;
    if let Unit::Compare = operation.unit {
        return Ok(comparison(&operand));
    }
    let result = ieee(operation.result)?;
    if operation.target().overflow != Overflow::Inf {
        return Err(NotInSmt::Result("give --overflow inf"));
    }
    let rm = direction(operation.rounding)?;
    let number = |port: &str| format!("((_ to_fp {operand}) {port})");
    let [a, b, x] = ["a", "b", "x"].map(number);
    let wide = |port: &str| format!("((_ to_fp {result}) RNE {})", number(port));
    let mut keeps_payload = false;
    let exact = match operation.unit {
        Unit::Add => format!("(fp.add {rm} {a} {b})"),
        Unit::Sub => format!("(fp.sub {rm} {a} {b})"),
        Unit::Mul => format!("(fp.mul {rm} {a} {b})"),
        Unit::Divide => format!("(fp.div {rm} {a} {b})"),
        Unit::Sqrt => format!("(fp.sqrt {rm} {x})"),
        Unit::Decode | Unit::Encode | Unit::Convert => {
            // The payload of a NaN, which the theory does not have.
            keeps_payload = operation.target().nan == NanResult::Payload;
            format!("((_ to_fp {result}) {rm} {x})")
        }
        Unit::Fmac if !operand.is_within(&result) => {
            return Err(NotInSmt::Result("give --acc a format that has all numbers of the operands"));
        }
        Unit::Fmac => {
            let negates = |term| [Some(term), Some(Negation::Both)].contains(&operation.negation());
            let negated = |is_negated: bool, of: String| if is_negated { format!("(fp.neg {of})") } else { of };
            let a = negated(negates(Negation::Product), wide("a"));
            let c = negated(negates(Negation::Addend), format!("((_ to_fp {result}) c)"));
            format!("(fp.fma {rm} {a} {} {c})", wide("b"))
        }
        Unit::Minmax => extremum(operation, &a, &b)?,
        unit => return Err(NotInSmt::Operation(unit)),
    };
    let nan = operation.result.nan_code().filter(|_| !keeps_payload);
    let nan = nan.map_or("true".into(), |code| format!("(= y (_ bv{code} {}))", operation.result.width()));
    Ok(format!(
        "(define-fun wanted () (_ FloatingPoint {result}) {exact})\n\
         (define-fun is_right () Bool (and (= ((_ to_fp {result}) y) wanted) (=> (fp.isNaN wanted) {nan})))\n"
    ))
}

/// The relations of IEEE 754-2019 section 5.11.
fn comparison(operand: &Ieee) -> String {
    let relations = [("lt", "fp.lt"), ("eq", "fp.eq"), ("gt", "fp.gt")];
    let is = |(port, relation): (&str, &str)| format!("(= (= {port} #b1) ({relation} a_number b_number))");
    let unordered = "(= (= unordered #b1) (or (fp.isNaN a_number) (fp.isNaN b_number)))";
    let number = |port: &str| {
        format!("(define-fun {port}_number () (_ FloatingPoint {operand}) ((_ to_fp {operand}) {port}))\n")
    };
    let all = relations.map(is).join(" ");
    format!("{}{}(define-fun is_right () Bool (and {all} {unordered}))\n", number("a"), number("b"))
}

/// `minimum`, `maximum` and their kin (IEEE 754-2019 section 9.6), in which -0 is less than +0: the theory's own leave that open.
fn extremum(operation: &Operation, a: &str, b: &str) -> Result<String, NotInSmt> {
    let Kind::Minmax(Minmax { extremum }) = operation.kind else { return Err(NotInSmt::Operation(operation.unit)) };
    let zeros = format!("(and (fp.isZero {a}) (fp.isZero {b}) (fp.isNegative {a}))");
    let is_less = format!("(or (fp.lt {a} {b}) {zeros})");
    let [first, second] = if extremum.is_maximum() { [b, a] } else { [a, b] };
    let chosen = format!("(ite {is_less} {first} {second})");
    let nan = |if_a: &str, if_b: &str| format!("(ite (fp.isNaN {a}) {if_a} (ite (fp.isNaN {b}) {if_b} {chosen}))");
    Ok(if extremum.prefers_number() { nan(b, a) } else { nan(a, b) })
}

/// The rounding mode of a direction.
fn direction(rounding: Rounding) -> Result<String, NotInSmt> {
    Ok(match rounding {
        Rounding::Rne => "RNE".into(),
        Rounding::Rna => "RNA".into(),
        Rounding::Rtz => "RTZ".into(),
        Rounding::Rdn => "RTN".into(),
        Rounding::Rup => "RTP".into(),
        Rounding::Any => {
            "(ite (= rm #b000) RNE (ite (= rm #b001) RTZ (ite (= rm #b010) RTN (ite (= rm #b011) RTP RNA))))".into()
        }
        _ => return Err(NotInSmt::Result("choose one of these with --round")),
    })
}

/// A format of IEEE 754 as a sort: bits of the exponent, and of the significand with its hidden bit.
struct Ieee {
    exponent: u32,
    significand: u32,
}

impl Ieee {
    /// Whether another format has all its numbers.
    fn is_within(&self, other: &Ieee) -> bool {
        self.exponent <= other.exponent && self.significand <= other.significand
    }
}

impl std::fmt::Display for Ieee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.exponent, self.significand)
    }
}

fn ieee(format: Format) -> Result<Ieee, NotInSmt> {
    let Some(&float) = format.float() else { return Err(NotInSmt::Format(format)) };
    let Float { exponent_bits, trailing_bits, bias, .. } = float;
    let is_ieee = float.sign == Sign::Signed
        && float.infinity == Infinity::TopField
        && float.nan == Nan::TopField
        && float.underflow == Underflow::Nearest
        && float.underflows_gradually()
        && exponent_bits > 1
        && trailing_bits > 0
        && i64::from(bias) == (1 << (exponent_bits - 1)) - 1;
    match is_ieee {
        true => Ok(Ieee { exponent: exponent_bits, significand: trailing_bits + 1 }),
        false => Err(NotInSmt::Format(format)),
    }
}
