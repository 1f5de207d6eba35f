//! Formulas that no unit has, for tests.

use binade_golden::Model;
use binade_spec::{Content, Format, Formula, Operation, Output, Port, Term, TermId, Unit};

fn over(format: Format, result: Format) -> Operation {
    Operation::new(Unit::Fmac, format, result)
}

fn codes(names: &[&'static str], format: Format) -> Vec<Port> {
    names.iter().map(|name| Port::code(name, format)).collect()
}

/// A formula with these results, each on a port.
fn model(operation: &Operation, mut formula: Formula, inputs: Vec<Port>, results: &[(&'static str, TermId)]) -> Model {
    results.iter().for_each(|(_, id)| formula.output(Output::code(*id)));
    let outputs = results.iter().map(|(name, _)| Port::code(name, operation.result)).collect();
    Model::of_formula(operation, formula, [inputs, outputs])
}

/// `a[0] * b[0] + a[1] * b[1] + .. + c`, rounded once.
pub(crate) fn dot(products: u32, operand: Format, result: Format) -> Model {
    let operation = over(operand, result);
    let mut formula = Formula::new();
    let mut terms: Vec<TermId> = vec![];
    for lane in 0..products {
        let [a, b] = [0, 1].map(|port| formula.term(Term::Operand { port, lane }));
        terms.push(formula.product(a, b));
    }
    terms.push(formula.operand(2));
    let sum = formula.sum(&terms, operation.rounding);
    let y = formula.round(sum, operation.target());
    let lanes = |name| Port { name, content: Content::Code(operand), lanes: products };
    model(&operation, formula, vec![lanes("a"), lanes("b"), Port::code("c", result)], &[("y", y)])
}

/// `(a + b) + c`, the inner sum rounded.
pub(crate) fn sum_of_sums(format: Format) -> Model {
    nested(format, true)
}

/// `(a + b) + c`, the inner sum exact.
pub(crate) fn nested_sums(format: Format) -> Model {
    nested(format, false)
}

fn nested(format: Format, is_rounded: bool) -> Model {
    let operation = over(format, format);
    let mut formula = Formula::new();
    let [a, b, c] = [0, 1, 2].map(|port| formula.operand(port));
    let inner = formula.sum(&[a, b], operation.rounding);
    let inner = if is_rounded { formula.round(inner, operation.target()) } else { inner };
    let sum = formula.sum(&[inner, c], operation.rounding);
    let y = formula.round(sum, operation.target());
    model(&operation, formula, codes(&["a", "b", "c"], format), &[("y", y)])
}

/// `a * b + c` and `a * b`.
pub(crate) fn shared_product(format: Format) -> Model {
    let operation = over(format, format);
    let mut formula = Formula::new();
    let [a, b, c] = [0, 1, 2].map(|port| formula.operand(port));
    let product = formula.product(a, b);
    let sum = formula.sum(&[product, c], operation.rounding);
    let [y, rounded] = [sum, product].map(|exact| formula.round(exact, operation.target()));
    model(&operation, formula, codes(&["a", "b", "c"], format), &[("y", y), ("product", rounded)])
}
