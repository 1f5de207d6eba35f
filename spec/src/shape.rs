//! The shapes of formulas: well-known ones have fast paths and dedicated vectors.

use crate::{Formula, Meaning, Operation, Pair, Stage, StageKind, Term, TermId};

/// The shape of an operation's formula. Operands are the ports, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `Convert(x)`.
    Conversion,
    /// `Round(Product(a, b))`.
    Product,
    /// `Round(Sum[a, b])`.
    Sum,
    /// `Round(Sum[Product(a, b), c])`, with or without an output conversion.
    Accumulation,
    /// `Round(Sum[Round(Product(a, b)), c])`, with or without an output conversion.
    RoundedAccumulation,
    /// `state := Round(Choose(x, Sum[state, x]))`.
    RunningSum,
    /// `Round(Parts)`.
    Parts,
    /// A plain function of the ports.
    Function,
    /// A plain function of the ports and a state.
    Machine,
    /// Any other formula.
    Other,
}

impl Shape {
    /// The shape, and which of the two terms of its last sum are negated.
    fn of(formula: &Formula) -> (Shape, [bool; 2]) {
        const OTHER: (Shape, [bool; 2]) = (Shape::Other, [false; 2]);
        let plain = |shape| (shape, [false; 2]);
        let Ok(stages) = formula.stages() else { return OTHER };
        let term = |id: TermId| &formula.terms()[id.0];
        let is_port = |(port, code): (usize, TermId)| *term(code) == Term::Operand { port, lane: 0 };
        let are_ports = |codes: &[TermId]| codes.iter().copied().enumerate().all(is_port);
        // Besides the first result, at most its output conversion.
        let stages = formula.without_output(&stages);
        let has_output = stages.len() < formula.roundings().count();
        let [first, others @ ..] = stages else { return OTHER };
        if !formula.registers().is_empty() {
            let is_alone = others.is_empty() && !has_output;
            return if is_alone && formula.is_running_sum(first) { plain(Shape::RunningSum) } else { OTHER };
        }
        match (&first.kind, others) {
            (StageKind::Product(product), [Stage { kind: StageKind::Sum([rounded, c]), .. }])
                if !product.is_negated
                    && are_ports(&product.codes)
                    && rounded.code == first.id
                    && is_port((2, c.code)) =>
            {
                (Shape::RoundedAccumulation, [rounded.is_negated, c.is_negated])
            }
            (StageKind::MultiplyAdd(Pair { codes: [a, b], is_negated }, c), []) if are_ports(&[*a, *b, c.code]) => {
                (Shape::Accumulation, [*is_negated, c.is_negated])
            }
            _ if has_output => OTHER,
            (StageKind::Code(x), []) if !x.is_negated && are_ports(&[x.code]) => plain(Shape::Conversion),
            (StageKind::Parts, []) => plain(Shape::Parts),
            (StageKind::Product(product), []) if !product.is_negated && are_ports(&product.codes) => {
                plain(Shape::Product)
            }
            (StageKind::Sum([x, y]), []) if are_ports(&[x.code, y.code]) => (Shape::Sum, [x.is_negated, y.is_negated]),
            _ => OTHER,
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

impl Operation {
    /// The shape of the operation's formula if no term is negated. The factors in a shape have the same format.
    pub fn shape(&self) -> Shape {
        match self.signed_shape() {
            (shape, [false, false]) => shape,
            _ => Shape::Other,
        }
    }

    /// The shape of the operation's formula, and which of the two terms of its last sum are negated.
    pub fn signed_shape(&self) -> (Shape, [bool; 2]) {
        match self.meaning() {
            Meaning::Formula(_) if self.second().is_some() => (Shape::Other, [false; 2]),
            Meaning::Formula(formula) => Shape::of(&formula),
            Meaning::Function(_) => (Shape::Function, [false; 2]),
            Meaning::Machine(..) => (Shape::Machine, [false; 2]),
        }
    }
}
