//! Expressions of Verilog and SystemVerilog.

use crate::language::verilog::identifier;
use crate::print::expression::{Expression, Infix, LoopStep, Prefix, Signal};
use crate::print::layout::{Between, List, Phrase};
use crate::print::signals::extended;
use crate::print::syntax::chain;
use num_bigint::BigUint;

/// The most bits of a word that is printed in decimal.
const MAX_DECIMAL: u64 = 12;

/// The same for an operand of arithmetic.
const MAX_NUMBER: u64 = 20;

/// The text of an expression.
pub fn phrase(expression: &Expression) -> Phrase {
    match expression {
        Expression::Signal(signal) => Phrase::word(identifier(&signal.name)),
        Expression::Bits { of, low, width } => bits_of_signal(of, *low, *width),
        Expression::Lane { of, low, width, steps } => Phrase::Word(lane(of, *low, *width, steps)),
        Expression::Constant { value, width } => Phrase::Word(constant(value, *width)),
        Expression::Prefix { operator, operand } => prefix(*operator, operand),
        Expression::Infix { operator: Infix::Mul, operands } => {
            let width = expression.width();
            Phrase::chain(vec![
                ("", phrase(&extended(&operands[0], width))),
                ("*", phrase(&extended(&operands[1], width))),
            ])
        }
        Expression::Infix { operator, .. } => {
            let operand = if operator.is_arithmetic() { number } else { phrase };
            chain(expression, infix(*operator), operand)
        }
        Expression::Choice(parts) => {
            let [select, one, zero] = parts.each_ref().map(phrase);
            Phrase::chain(vec![("", select), ("?", one), (":", zero)])
        }
        Expression::Concat(parts) => concatenation(parts),
        Expression::Repeat { count, of } => Phrase::Word(format!("{{{count}{{{}}}}}", phrase(of).text())),
    }
}

/// The same for an operand of arithmetic: constants are numbers, in decimal.
fn number(expression: &Expression) -> Phrase {
    match expression {
        Expression::Constant { value, width } if *width > 1 && value.bits() <= MAX_NUMBER => {
            Phrase::Word(format!("{width}'d{value}"))
        }
        expression => phrase(expression),
    }
}

fn prefix(operator: Prefix, operand: &Expression) -> Phrase {
    let (sign, is_bare) = match operator {
        Prefix::Not => ("~", true),
        Prefix::AnyOne => ("|", false),
        Prefix::AllOnes => ("&", false),
    };
    let operand = match phrase(operand) {
        // `|~` and `&~` are one operator to some tools.
        Phrase::Prefix { operator, operand, .. } if !is_bare => Phrase::Prefix { operator, operand, is_bare: false },
        operand => operand,
    };
    Phrase::Prefix { operator: sign, operand: Box::new(operand), is_bare }
}

fn infix(operator: Infix) -> &'static str {
    match operator {
        Infix::And => "&",
        Infix::Or => "|",
        Infix::Xor => "^",
        Infix::Add => "+",
        Infix::Sub => "-",
        Infix::Mul => "*",
        Infix::Eq => "==",
        Infix::Ne => "!=",
        Infix::Lt => "<",
        Infix::Ge => ">=",
    }
}

/// Parts in braces, the highest first.
fn concatenation(parts: &[Expression]) -> Phrase {
    let mut low: u32 = parts.iter().map(Expression::width).sum();
    let placed = parts.iter().map(|part| {
        low -= part.width();
        (phrase(part), bits(low, part.width()))
    });
    Phrase::List(List { open: "{", close: "}", between: Between::Comma, parts: placed.collect(), comment: "//" })
}

/// Bits of a signal; for an array of lanes, those of each lane, side by side.
fn bits_of_signal(of: &Signal, low: u32, width: u32) -> Phrase {
    // A scalar has no bit that could be selected.
    if of.width == 1 {
        return Phrase::Word(identifier(&of.name));
    }
    if of.lanes == 1 {
        return Phrase::Word(format!("{}{}", identifier(&of.name), bits(low, width)));
    }
    let lane_width = of.width / of.lanes;
    let (first, last) = (low / lane_width, (low + width - 1) / lane_width);
    let is_whole = low.is_multiple_of(lane_width) && width.is_multiple_of(lane_width);
    if is_whole {
        return Phrase::Word(format!("{}{}", identifier(&of.name), bits(first, last - first + 1)));
    }
    if first == last {
        let place = bits(low % lane_width, width);
        return Phrase::Word(format!("{}[{first}]{place}", identifier(&of.name)));
    }
    let cut = |lane: u32| {
        let begin = low.max(lane * lane_width);
        let end = (low + width).min((lane + 1) * lane_width);
        Expression::Bits { of: of.clone(), low: begin, width: end - begin }
    };
    concatenation(&(first..=last).rev().map(cut).collect::<Vec<_>>())
}

/// Bits of a signal in loops; for an array of lanes, whole lanes or bits within a lane.
fn lane(of: &Signal, low: u32, width: u32, steps: &[LoopStep]) -> String {
    let name = identifier(&of.name);
    let lane_width = if of.lanes == 1 { 1 } else { of.width / of.lanes };
    let first = LoopStep::sum(steps, low / lane_width, lane_width);
    if width < lane_width {
        return format!("{name}[{first}]{}", bits(low % lane_width, width));
    }
    match width / lane_width {
        1 => format!("{name}[{first}]"),
        // Icarus does not accept a range of lanes whose place depends on a loop variable.
        lanes if of.lanes > 1 => {
            let lane = |place| format!("{name}[{}]", LoopStep::sum(steps, low / lane_width + place, lane_width));
            format!("{{{}}}", (0..lanes).rev().map(lane).collect::<Vec<_>>().join(", "))
        }
        width => format!("{name}[{first} +: {width}]"),
    }
}

/// `[7:0]`, or empty for a single bit.
pub fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
}

/// The bits from `low` up: `[3]` or `[7:4]`.
pub fn bits(low: u32, width: u32) -> String {
    if width == 1 { format!("[{low}]") } else { format!("[{}:{low}]", low + width - 1) }
}

/// A sized constant: binary for single bits, decimal for small numbers, else hexadecimal.
pub fn constant(value: &BigUint, width: u32) -> String {
    match width {
        1 => format!("1'b{value}"),
        _ if value.bits() <= MAX_DECIMAL => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    }
}
