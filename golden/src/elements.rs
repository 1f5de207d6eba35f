//! Exact dot products as elements of the result of a formula.

use binade_spec::{Addend, Formula, Operation, Pair, Signed, Stage, StageKind, Term, TermId};

/// An element of the result: a sum of products of codes on the first two ports, perhaps scaled, and a code on the last.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// The bit offsets of each product's codes on their ports.
    pub products: Vec<[u32; 2]>,
    /// The bit offset of the addend on its port.
    pub addend: u32,
    /// Whether the products are multiplied by the codes on the third and fourth port; the addend is then on the fifth.
    pub has_scales: bool,
}

impl Element {
    /// The elements of the result, in order; `None` unless every result is such a sum of narrow codes.
    pub fn all(operation: &Operation, formula: &Formula) -> Option<Vec<Element>> {
        let has_more = operation.rounding_port_bits() > u64::BITS
            || operation.flags.is_some()
            || operation.output.is_some()
            || operation.source().is_some();
        let formats = || operation.factors().into_iter().chain([operation.result]).chain(operation.scale());
        if has_more || !formula.registers().is_empty() || formats().any(|format| format.width() > 32) {
            return None;
        }
        let stages = formula.stages().ok()?;
        let are_results = formula.results().eq(stages.iter().map(|stage| stage.id));
        let element = |stage: &Stage| {
            let is_it = stage.target == operation.target();
            is_it.then(|| Element::of(operation, formula, &stage.kind)).flatten()
        };
        if are_results { stages.iter().map(element).collect() } else { None }
    }

    fn of(operation: &Operation, formula: &Formula, kind: &StageKind) -> Option<Element> {
        let inputs = operation.inputs();
        let start = |code: TermId, on: usize| match formula.terms()[code.0] {
            Term::Operand { port, lane } if port == on => Some(lane * inputs[port].lane_width()),
            _ => None,
        };
        let product = |addend: &Addend| match addend {
            Addend::Product(Pair { codes: [a, b], is_negated: false }) => Some([start(*a, 0)?, start(*b, 1)?]),
            Addend::Product(_) | Addend::Code(_) => None,
        };
        let (products, addend, has_scales) = match kind {
            StageKind::ExactSum(of) => match of.split_last()? {
                (Addend::Code(addend), products) => (products, addend, false),
                (Addend::Product(_), _) => return None,
            },
            StageKind::Scaled { scales: Pair { codes: [a, b], is_negated: false }, of, addend } => {
                [start(*a, 2)?, start(*b, 3)?].iter().all(|&at| at == 0).then_some((of.as_slice(), addend, true))?
            }
            _ => return None,
        };
        let Signed { code, is_negated: false } = addend else { return None };
        let addend = start(*code, if has_scales { 4 } else { 2 })?;
        Some(Element { products: products.iter().map(product).collect::<Option<_>>()?, addend, has_scales })
    }
}
