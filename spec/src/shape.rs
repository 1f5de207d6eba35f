//! What formulas look like: those of well-known shapes have fast paths and vectors of their own.

use crate::{Formula, Meaning, Operation, Term};

/// What the meaning of an operation looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `Convert(x)`.
    Conversion,
    /// `Round(Product(a, b))`.
    Product,
    /// `Round(Sum[a, b])`.
    Sum,
    /// `Round(Sum[Product(a, b), c])`, and what is converted of it.
    Accumulation,
    /// `Round(Sum[Round(Product(a, b)), c])`, and what is converted of it.
    RoundedAccumulation,
    /// `state := Round(Choose(x, Sum[state, x]))`.
    RunningSum,
    /// `Round(Parts)`.
    Parts,
    /// A plain function of the ports.
    Function,
    /// A plain function of the ports and of a state.
    Machine,
    /// A formula that is none of these.
    Other,
}

impl Shape {
    fn of(formula: &Formula) -> Shape {
        use Term::*;
        match formula.terms() {
            [Operand { .. }, State { .. }, Sum { .. }, Choose { .. }, Round { .. }] => Shape::RunningSum,
            _ if !formula.registers().is_empty() => Shape::Other,
            [Operand { .. }, Convert { .. }] => Shape::Conversion,
            [Parts, Round { .. }] => Shape::Parts,
            [Operand { .. }, Operand { .. }, Product(..), Round { .. }] => Shape::Product,
            [Operand { .. }, Operand { .. }, Sum { .. }, Round { .. }] => Shape::Sum,
            [Operand { .. }, Operand { .. }, Operand { .. }, Product(..), rest @ ..] => match rest {
                [Sum { .. }, Round { .. }, outputs @ ..] if is_output(outputs) => Shape::Accumulation,
                [Round { .. }, Sum { .. }, Round { .. }, outputs @ ..] if is_output(outputs) => {
                    Shape::RoundedAccumulation
                }
                _ => Shape::Other,
            },
            _ => Shape::Other,
        }
    }

    /// Whether exact or rounded products are accumulated.
    pub fn accumulates(self) -> bool {
        match self {
            Shape::Accumulation | Shape::RoundedAccumulation => true,
            Shape::Conversion
            | Shape::Product
            | Shape::Sum
            | Shape::RunningSum
            | Shape::Parts
            | Shape::Function
            | Shape::Machine
            | Shape::Other => false,
        }
    }

    /// Whether two terms are added.
    pub fn adds(self) -> bool {
        self == Shape::Sum || self.accumulates()
    }
}

/// Nothing, or the conversion of the accumulator.
fn is_output(terms: &[Term]) -> bool {
    use Term::*;
    matches!(terms, [] | [Convert { .. }] | [Rectify(_), Convert { .. }])
}

impl Operation {
    /// What the operation's formula looks like. The shapes have factors of one format.
    pub fn shape(&self) -> Shape {
        match self.meaning() {
            Meaning::Formula(_) if self.second.is_some() => Shape::Other,
            Meaning::Formula(formula) => Shape::of(&formula),
            Meaning::Function => Shape::Function,
            Meaning::Machine(_) => Shape::Machine,
        }
    }
}
