//! `mma --array`: a systolic array of `m` x `n` elements, each with a multiplier and an adder. Operands move from
//! element to element, one per step; each sum is rounded after every product, as in `dot` with the sum `chain`.

use super::dot;
use crate::{
    Class, Dataflow, Operation, OperationError, Port, Products, Selection, Setting, StateWord, Summation, Unit,
    WordKind,
};

/// Settings that are fixed for arrays, each with the reason.
const FIXED: [(Setting, &str); 8] = [
    (Setting::K, "a sum takes as many products as are fed"),
    (Setting::Block, "a sum is rounded product after product"),
    (Setting::Like, "a sum is rounded product after product"),
    (Setting::QuantizeFrom, "operands come in the formats that are multiplied"),
    (Setting::Out, "its elements have one result"),
    (Setting::Activation, "its elements have one result"),
    (Setting::Flags, "its elements raise no flags"),
    (Setting::Tininess, "its elements raise no flags"),
];

impl Selection {
    /// Resolves the settings of an array other than its size.
    pub(crate) fn array(&self, array: Dataflow, operation: Operation) -> Result<Operation, OperationError> {
        let refuse = |setting, why| Err(OperationError::ArrayFixed { setting, why });
        if let Some((setting, why)) = FIXED.into_iter().find(|(setting, _)| self.says(*setting)) {
            return refuse(setting, why);
        }
        if self.summation.is_some_and(|summation| summation != Summation::Chain) {
            return refuse(Setting::Sum, "a sum is rounded product after product (`sum chain`)");
        }
        if operation.rounding.random_bits() > 0 {
            return refuse(Setting::Round, "there are no random bits in its elements");
        }
        if array == Dataflow::OutputStationary && operation.result.class_codes(Class::Zero).is_none() {
            return Err(OperationError::NoZero { unit: Unit::Mma, format: operation.result });
        }
        let chain = Selection { lanes: Some(1), summation: Some(Summation::Chain), ..*self };
        Ok(chain.dot(operation)?.with_products(|products| Products { array: Some(array), ..products }))
    }
}

impl Operation {
    /// What an element of an array computes: a product and a sum, rounded, as a dot product with one lane.
    pub fn array_element(&self) -> Operation {
        let element = |products| Products { array: None, rows: 1, columns: 1, ..products };
        Operation { unit: Unit::Dot, ..self.with_products(element) }
    }

    /// Steps from operands to the first row of results that they complete: through all elements of an array.
    pub fn array_latency(&self) -> u32 {
        self.rows() + self.columns() - 1
    }
}

/// One operand for each row and each column of elements, and controls.
pub(super) fn inputs(operation: &Operation, array: Dataflow) -> Vec<Port> {
    let [a, b] = operation.factors();
    let codes = |name, format, lanes| Port { lanes, ..Port::code(name, format) };
    let bit = |name, says| Port::word(name, 1, WordKind::Bit(says));
    let feed = bit("feed", "operands are on the ports");
    let a = codes("a", a, operation.rows());
    let b = codes("b", b, operation.columns());
    match array {
        Dataflow::OutputStationary => vec![
            a,
            b,
            feed,
            bit("clear", "the sums are zero before this step"),
            bit("last", "D is the sums after this step"),
        ],
        Dataflow::WeightStationary => {
            vec![
                a,
                b,
                codes("c", operation.result, operation.columns()),
                feed,
                bit("load", "b is a row of weights"),
                bit("swap", "the waiting weights are in use from the next step on"),
            ]
        }
    }
}

/// A row of results, with a valid bit.
pub(super) fn outputs(operation: &Operation) -> Vec<Port> {
    let d = Port { lanes: operation.columns(), ..Port::code("d", operation.result) };
    vec![d, Port::word("d_valid", 1, WordKind::Bit("d is a row of results"))]
}

/// The contents of the elements, and the rows on their way out, the next one first.
pub(super) fn state(operation: &Operation, array: Dataflow) -> Vec<StateWord> {
    let (rows, columns, result) = (operation.rows(), operation.columns(), operation.result);
    let codes = |name, width, lanes, reset| StateWord { name, width, kind: WordKind::Digits, lanes, reset };
    let elements = rows * columns;
    let (mut words, leaving) = match array {
        Dataflow::OutputStationary => {
            let sums = codes("sums", result.width(), elements, result.zero_code(false));
            (vec![sums], operation.array_latency() - 1 + rows)
        }
        Dataflow::WeightStationary => {
            let width = operation.factors()[1].width();
            (
                vec![codes("weights", width, elements, 0), codes("waiting", width, elements, 0)],
                operation.array_latency(),
            )
        }
    };
    words.push(codes("leaving", result.width(), leaving * columns, 0));
    words.push(StateWord { kind: WordKind::Bit("the row holds results"), ..codes("leaving_valid", 1, leaving, 0) });
    words
}

pub(super) fn module(operation: &Operation, array: Dataflow) -> String {
    let (rows, columns) = (operation.rows(), operation.columns());
    let name = format!("mma_{}_{rows}x{columns}", array.name().replace('-', "_"));
    // There is no other sum.
    let plain = operation.with_products(|products| Products { summation: Summation::Exact, ..products });
    dot::module_of(&plain, name)
}

pub(super) fn about(operation: &Operation, array: Dataflow) -> Vec<String> {
    let (rows, columns) = (operation.rows(), operation.columns());
    let latency = operation.array_latency();
    let last_row = rows - 1;
    let product = |b: &str| match operation.rounds_products() {
        true => format!("round(a[i] * {b})"),
        false => format!("a[i] * {b}"),
    };
    let steps =
        "A step is a clock that takes operands (in_valid and en high). On each port the first element is lowest.";
    match array {
        Dataflow::OutputStationary => vec![
            format!(
                "Systolic array of {rows} x {columns} elements: D = A * B. A has {rows} rows, B {columns} columns."
            ),
            steps.into(),
            "feed: a is the next column of A and b the next row of B; element (i, j), which sums d[i][j], computes"
                .into(),
            format!("sum = round(sum + {}). Without feed, the sums stay.", product("b[j]")),
            "clear: the sums are zero before this step. last: D is the sums after this step.".into(),
            format!(
                "d: row i of D, {latency} + i steps after last, with d_valid high, i = 0 to {last_row}; else zero. Rows that"
            ),
            "have not left when the next D is taken are lost.".into(),
        ],
        Dataflow::WeightStationary => vec![
            format!(
                "Systolic array of {rows} x {columns} elements: D = A * B + C. A has {rows} columns, B is {rows} x {columns} weights."
            ),
            steps.into(),
            format!(
                "feed: a is a row of A and c of C. d is the row of D {latency} steps later, with d_valid high; else zero."
            ),
            format!(
                "Element (i, j) computes d[j] = round(d[j] + {}), i = 0 to {last_row}, starting from c[j].",
                product("b[i][j]")
            ),
            "load: the waiting rows of B move down by one, and b becomes the first: the last row is loaded first."
                .into(),
            "swap: the rows that wait after this step are B from the next step on.".into(),
        ],
    }
}
