//! Expressions, independent of a language.

use crate::word::low_bits;
use num_bigint::BigUint;

/// A port, a wire or a register.
#[derive(Clone, Debug)]
pub struct Signal {
    pub name: String,
    pub width: u32,
    /// The number of words of equal width side by side in it; more than one for an array.
    pub lanes: u32,
    /// Whether expressions compute with it: true except for the ports of a unit and the signals of a shell, which are
    /// only passed on.
    pub is_number: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    Signal(Signal),
    /// The bits of a signal from `low` up.
    Bits {
        of: Signal,
        low: u32,
        width: u32,
    },
    /// The bits of a signal from `low` up; each step of the loops around it moves them up by a number of places.
    Lane {
        of: Signal,
        low: u32,
        width: u32,
        steps: Vec<LoopStep>,
    },
    Constant {
        value: BigUint,
        width: u32,
    },
    Prefix {
        operator: Prefix,
        operand: Box<Expression>,
    },
    Infix {
        operator: Infix,
        operands: Box<[Expression; 2]>,
    },
    /// The second if the first, which is a single bit, is 1, else the third.
    Choice(Box<[Expression; 3]>),
    /// Parts side by side, the highest first.
    Concat(Vec<Expression>),
    /// One bit, several times.
    Repeat {
        count: u32,
        of: Box<Expression>,
    },
}

/// The number of places by which each step of a loop moves up.
#[derive(Clone, Debug)]
pub struct LoopStep {
    pub variable: &'static str,
    pub places: u32,
}

impl LoopStep {
    /// The place at a step, in units of this number of places: `8*row + 2*column + 1`.
    pub fn sum(steps: &[LoopStep], last: u32, unit: u32) -> String {
        let place = |LoopStep { variable, places }: &LoopStep| match places / unit {
            1 => variable.to_string(),
            places => format!("{places}*{variable}"),
        };
        let last = (last > 0).then(|| last.to_string());
        steps.iter().map(place).chain(last).collect::<Vec<_>>().join(" + ")
    }
}

/// An operator in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    Not,
    AnyOne,
    AllOnes,
}

/// An operator between operands of equal width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    And,
    Or,
    Xor,
    Add,
    Sub,
    /// As wide as both factors together; these may have any widths.
    Mul,
    Eq,
    Ne,
    Lt,
    Ge,
}

impl Infix {
    /// Whether the operands are numbers.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Infix::Add | Infix::Sub | Infix::Lt | Infix::Ge)
    }

    /// Whether `(a + b) + c` is printed without parentheses.
    fn is_chained(self) -> bool {
        matches!(self, Infix::And | Infix::Or | Infix::Xor | Infix::Add)
    }
}

impl Signal {
    /// A signal that expressions compute with.
    pub fn number(name: impl Into<String>, width: u32) -> Signal {
        Signal { name: name.into(), width, lanes: 1, is_number: true }
    }

    /// A signal that is only passed on.
    pub fn handed(name: impl Into<String>, width: u32) -> Signal {
        Signal { is_number: false, ..Signal::number(name, width) }
    }
}

impl From<Signal> for Expression {
    fn from(signal: Signal) -> Expression {
        Expression::Signal(signal)
    }
}

impl Expression {
    pub fn prefix(operator: Prefix, operand: Expression) -> Expression {
        Expression::Prefix { operator, operand: Box::new(operand) }
    }

    pub fn infix(operator: Infix, a: Expression, b: Expression) -> Expression {
        Expression::Infix { operator, operands: Box::new([a, b]) }
    }

    /// A single bit that is 0.
    pub fn zero() -> Expression {
        Expression::constant(&BigUint::ZERO, 1)
    }

    /// A constant; a concatenation of parts if it is very wide.
    pub fn constant(value: &BigUint, width: u32) -> Expression {
        if value.bits() <= MAX_CONSTANT.into() {
            return Expression::Constant { value: value.clone(), width };
        }
        let part = |low: u32| {
            let bits = MAX_CONSTANT.min(width - low);
            Expression::constant(&low_bits(value >> low, bits), bits)
        };
        Expression::Concat((0..width).step_by(MAX_CONSTANT as usize).rev().map(part).collect())
    }

    /// Bits of its value.
    pub fn width(&self) -> u32 {
        match self {
            Expression::Signal(signal) => signal.width,
            Expression::Bits { width, .. } | Expression::Lane { width, .. } | Expression::Constant { width, .. } => {
                *width
            }
            Expression::Prefix { operator: Prefix::Not, operand } => operand.width(),
            Expression::Prefix { operator: Prefix::AnyOne | Prefix::AllOnes, .. } => 1,
            Expression::Infix { operator, operands } => match operator {
                Infix::And | Infix::Or | Infix::Xor | Infix::Add | Infix::Sub => operands[0].width(),
                Infix::Mul => operands.iter().map(Expression::width).sum(),
                Infix::Eq | Infix::Ne | Infix::Lt | Infix::Ge => 1,
            },
            Expression::Choice(parts) => parts[1].width(),
            Expression::Concat(parts) => parts.iter().map(Expression::width).sum(),
            Expression::Repeat { count, .. } => *count,
        }
    }

    /// The operands of a chain such as `a & b & c`, which is `(a & b) & c`; the expression alone if it is not a chain.
    pub fn links(&self) -> Vec<&Expression> {
        let Expression::Infix { operator, operands } = self else { return vec![self] };
        let [first, last] = &**operands;
        let continues =
            operator.is_chained() && matches!(first, Expression::Infix { operator: inner, .. } if inner == operator);
        let mut links = if continues { first.links() } else { vec![first] };
        links.push(last);
        links
    }
}

/// The most bits of a constant that is printed as one number.
const MAX_CONSTANT: u32 = 256;
