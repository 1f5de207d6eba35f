//! What formulas look like: those of well-known shapes have fast paths and vectors of their own.

use crate::{Formula, Meaning, Operation, Pair, Stage, StageKind, Term, TermId};

/// What the meaning of an operation looks like. Operands are the ports in their order.
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
    /// The shape, and which of the two terms of its last sum are taken with the other sign.
    fn of(formula: &Formula) -> (Shape, [bool; 2]) {
        const OTHER: (Shape, [bool; 2]) = (Shape::Other, [false; 2]);
        let plain = |shape| (shape, [false; 2]);
        let Ok(stages) = formula.stages() else { return OTHER };
        let term = |id: TermId| &formula.terms()[id.0];
        let is_port = |(port, code): (usize, TermId)| *term(code) == Term::Operand { port, lane: 0 };
        let are_ports = |codes: &[TermId]| codes.iter().copied().enumerate().all(is_port);
        let [first, others @ ..] = stages.as_slice() else { return OTHER };
        if !formula.registers().is_empty() {
            let is_running_sum = others.is_empty() && is_running_sum(formula, first);
            return if is_running_sum { plain(Shape::RunningSum) } else { OTHER };
        }
        // Besides the first result there is at most what is converted of it.
        let is_output = |stages: &[Stage], result: TermId| match stages {
            [] => true,
            [Stage { kind: StageKind::Code(x), .. }] => x.code == result || *term(x.code) == Term::Rectify(result),
            _ => false,
        };
        match &first.kind {
            StageKind::Code(x) if others.is_empty() && !x.is_negated && are_ports(&[x.code]) => {
                plain(Shape::Conversion)
            }
            StageKind::Parts if others.is_empty() => plain(Shape::Parts),
            StageKind::Product(product) if !product.is_negated && are_ports(&product.codes) => match others {
                [] => plain(Shape::Product),
                [Stage { id, kind: StageKind::Sum([rounded, c]), .. }, outputs @ ..]
                    if rounded.code == first.id && is_port((2, c.code)) && is_output(outputs, *id) =>
                {
                    (Shape::RoundedAccumulation, [rounded.is_negated, c.is_negated])
                }
                _ => OTHER,
            },
            StageKind::Sum([x, y]) if others.is_empty() && are_ports(&[x.code, y.code]) => {
                (Shape::Sum, [x.is_negated, y.is_negated])
            }
            StageKind::MultiplyAdd(Pair { codes: [a, b], is_negated }, c)
                if are_ports(&[*a, *b, c.code]) && is_output(others, first.id) =>
            {
                (Shape::Accumulation, [*is_negated, c.is_negated])
            }
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

/// Whether the only register becomes x, or its sum with x.
fn is_running_sum(formula: &Formula, stage: &Stage) -> bool {
    let [register] = formula.registers() else { return false };
    let StageKind::Choice { one, zero, .. } = &stage.kind else { return false };
    let (StageKind::Code(x), StageKind::Sum([state, addend])) = (&**one, &**zero) else { return false };
    register.next == stage.id
        && ![x, state, addend].iter().any(|code| code.is_negated)
        && addend == x
        && formula.terms()[x.code.0] == Term::Operand { port: 0, lane: 0 }
        && formula.terms()[state.code.0] == Term::State { register: 0 }
}

impl Operation {
    /// What the operation's formula looks like, if no term has the other sign. The shapes have factors of one format.
    pub fn shape(&self) -> Shape {
        match self.signed_shape() {
            (shape, [false, false]) => shape,
            _ => Shape::Other,
        }
    }

    /// What the operation's formula looks like, and which of the two terms of its last sum are taken with the other sign.
    pub fn signed_shape(&self) -> (Shape, [bool; 2]) {
        match self.meaning() {
            Meaning::Formula(_) if self.second().is_some() => (Shape::Other, [false; 2]),
            Meaning::Formula(formula) => Shape::of(&formula),
            Meaning::Function => (Shape::Function, [false; 2]),
            Meaning::Machine(_) => (Shape::Machine, [false; 2]),
        }
    }
}
