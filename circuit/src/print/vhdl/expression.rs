//! Expressions of VHDL.
//!
//! A single bit is a `std_logic`. Operands are `unsigned`; ports of the unit are `std_logic_vector`. Comparisons are those that
//! return a bit (`?=`, `?<`).

use crate::language::vhdl::identifier;
use crate::print::expression::{Expression, Infix, LoopStep, Prefix, Signal};
use crate::print::layout::{Between, List, Phrase};
use crate::print::syntax::chain;
use crate::wires::MAX_PARTS;
use num_bigint::BigUint;

/// The most bits of a number that is printed in decimal.
const MAX_DECIMAL: u64 = 12;

/// The type of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    Unsigned,
    StdLogicVector,
}

impl Vector {
    pub fn name(self) -> &'static str {
        match self {
            Vector::Unsigned => "unsigned",
            Vector::StdLogicVector => "std_logic_vector",
        }
    }

    /// The beginning of a conversion to the type.
    fn conversion(self) -> &'static str {
        match self {
            Vector::Unsigned => "unsigned(",
            Vector::StdLogicVector => "std_logic_vector(",
        }
    }

    /// The beginning of an expression whose type would otherwise be ambiguous.
    fn qualification(self) -> &'static str {
        match self {
            Vector::Unsigned => "unsigned'(",
            Vector::StdLogicVector => "std_logic_vector'(",
        }
    }

    /// The type of a signal.
    pub fn of(signal: &Signal) -> Vector {
        if signal.is_number { Vector::Unsigned } else { Vector::StdLogicVector }
    }
}

/// The driver of a signal of this type; a concatenation needs no explicit type there.
pub fn driver(expression: &Expression, vector: Vector) -> Phrase {
    match expression {
        Expression::Concat(parts) if (2..=MAX_PARTS).contains(&parts.len()) => {
            let link = |(place, part)| (if place == 0 { "" } else { "&" }, phrase(part, vector));
            Phrase::chain(parts.iter().enumerate().map(link).collect())
        }
        Expression::Choice(_) => choice(expression, vector),
        _ => phrase(expression, vector),
    }
}

/// An expression as an operand; if it is a vector, of this type.
pub fn phrase(expression: &Expression, vector: Vector) -> Phrase {
    let width = expression.width();
    match expression {
        Expression::Signal(signal) => converted(identifier(&signal.name), width, Vector::of(signal), vector),
        Expression::Bits { of, .. } if of.width == 1 => Phrase::Word(identifier(&of.name)),
        Expression::Bits { of, low, width } => {
            let bits = format!("{}{}", identifier(&of.name), bits(*low, *width));
            converted(bits, *width, Vector::of(of), vector)
        }
        Expression::Lane { of, low, width, steps } => {
            let bits = format!("{}{}", identifier(&of.name), lane(*low, *width, steps));
            converted(bits, *width, Vector::of(of), vector)
        }
        Expression::Constant { value, width } => Phrase::Word(constant(value, *width)),
        Expression::Prefix { operator, operand } => prefix(*operator, operand, vector),
        Expression::Infix { operator, operands } => match operator {
            Infix::And => chain(expression, "and", |link| phrase(link, vector)),
            Infix::Or => chain(expression, "or", |link| phrase(link, vector)),
            Infix::Xor => chain(expression, "xor", |link| phrase(link, vector)),
            // The sum and the difference of two bits, modulo 2.
            Infix::Add | Infix::Sub if width == 1 => chain(expression, "xor", |link| phrase(link, vector)),
            Infix::Add => sum(chain(expression, "+", number), vector),
            Infix::Sub => sum(chain(expression, "-", number), vector),
            Infix::Mul => sum(chain(expression, "*", factor), vector),
            Infix::Eq => equality(operands, "?="),
            Infix::Ne => equality(operands, "?/="),
            Infix::Lt => chain(expression, "?<", number),
            Infix::Ge => chain(expression, "?>=", number),
        },
        Expression::Choice(_) => choice(expression, vector),
        Expression::Concat(parts) => concatenation(parts, vector),
        Expression::Repeat { count: 1, of } => phrase(of, vector),
        Expression::Repeat { count, of } => {
            let bit = phrase(of, vector).text();
            Phrase::Word(format!("{}{} downto 0 => {bit})", vector.qualification(), count - 1))
        }
    }
}

fn number(expression: &Expression) -> Phrase {
    phrase(expression, Vector::Unsigned)
}

/// A factor; a single bit is a number of one bit.
fn factor(expression: &Expression) -> Phrase {
    match expression.width() {
        1 => Phrase::Word(format!("unsigned'(0 => {})", number(expression).text())),
        _ => number(expression),
    }
}

/// Converts a name from one type to another.
fn converted(name: String, width: u32, from: Vector, to: Vector) -> Phrase {
    Phrase::Word(if width == 1 || from == to { name } else { format!("{}{name})", to.conversion()) })
}

/// An `unsigned` as this type.
fn sum(number: Phrase, vector: Vector) -> Phrase {
    match vector {
        Vector::Unsigned => number,
        Vector::StdLogicVector => Phrase::List(List {
            open: vector.conversion(),
            close: ")",
            between: Between::Comma,
            parts: vec![(number, String::new())],
            comment: "--",
        }),
    }
}

fn prefix(operator: Prefix, operand: &Expression, vector: Vector) -> Phrase {
    let sign = match operator {
        Prefix::AnyOne | Prefix::AllOnes if operand.width() == 1 => return phrase(operand, vector),
        Prefix::Not => "not ",
        Prefix::AnyOne => "or ",
        Prefix::AllOnes => "and ",
    };
    let vector = if operator == Prefix::Not { vector } else { own_type(operand) };
    let operand = match phrase(operand, vector) {
        Phrase::Prefix { operator, operand, .. } => Phrase::Prefix { operator, operand, is_bare: false },
        operand => operand,
    };
    Phrase::Prefix { operator: sign, operand: Box::new(operand), is_bare: operator == Prefix::Not }
}

/// The type that an expression has without a conversion.
fn own_type(expression: &Expression) -> Vector {
    match expression {
        Expression::Signal(of) | Expression::Bits { of, .. } | Expression::Lane { of, .. } => Vector::of(of),
        _ => Vector::Unsigned,
    }
}

/// A comparison of ports needs no conversion.
fn equality(operands: &[Expression; 2], operator: &'static str) -> Phrase {
    let [first, last] = operands.each_ref().map(own_type);
    let is_constant = |expression: &Expression| matches!(expression, Expression::Constant { .. });
    let vector = match &operands[..] {
        [_, constant] if is_constant(constant) => first,
        [constant, _] if is_constant(constant) => last,
        _ if first == last => first,
        _ => Vector::Unsigned,
    };
    Phrase::chain(vec![("", phrase(&operands[0], vector)), (operator, phrase(&operands[1], vector))])
}

/// `one when select else zero`, continued if `zero` is also a choice.
fn choice(expression: &Expression, vector: Vector) -> Phrase {
    let (mut links, mut operator, mut rest) = (vec![], "", expression);
    while let Expression::Choice(parts) = rest {
        let [select, one, zero] = &**parts;
        links.extend([(operator, phrase(one, vector)), ("when", phrase(select, vector))]);
        (operator, rest) = ("else", zero);
    }
    links.push((operator, phrase(rest, vector)));
    Phrase::Chain { links, is_loose: true }
}

/// Parts side by side, the highest first; the type mark resolves the ambiguity of `&`.
fn concatenation(parts: &[Expression], vector: Vector) -> Phrase {
    let mut low: u32 = parts.iter().map(Expression::width).sum();
    let placed = parts.iter().map(|part| {
        low -= part.width();
        (phrase(part, vector), bits(low, part.width()))
    });
    let (open, between) = (vector.qualification(), Between::Operator("&"));
    Phrase::List(List { open, close: ")", between, parts: placed.collect(), comment: "--" })
}

/// The bits from `low` up: `(3)` or `(7 downto 4)`.
pub fn bits(low: u32, width: u32) -> String {
    if width == 1 { format!("({low})") } else { format!("({} downto {low})", low + width - 1) }
}

/// Bits in loops: `(8*lane + 7 downto 8*lane)`.
fn lane(low: u32, width: u32, steps: &[LoopStep]) -> String {
    let [first, last] = [low, low + width - 1].map(|place| LoopStep::sum(steps, place, 1));
    if width == 1 { format!("({first})") } else { format!("({last} downto {first})") }
}

/// The type of a signal.
pub fn subtype(width: u32, vector: Vector) -> String {
    if width == 1 { "std_logic".into() } else { format!("{}{}", vector.name(), bits(0, width)) }
}

/// A constant: a character for single bits, decimal for small numbers, else hexadecimal.
pub fn constant(value: &BigUint, width: u32) -> String {
    match width {
        1 => format!("'{value}'"),
        _ if value.bits() <= MAX_DECIMAL => format!("{width}d\"{value}\""),
        _ => format!("{width}x\"{value:x}\""),
    }
}
