//! `mma`: `D = A * B + C` for small matrices, as matrix units of GPUs compute it: every element is a dot product of a
//! row of `A` and a column of `B`. For systolic arrays, see `array.rs`.

use super::dot::{self, sum_of_products};
use super::{Definition, Facts, MachineFunction, Meaning, OnPorts, array, flag_port, with_converted};
use crate::{Formula, Kind, Operation, OperationError, Output, Port, Products, Selection, Setting, TermId};

/// The default number of rows and columns of `D`, and of products per element.
const DEFAULT_SIZE: u32 = 4;

/// The most rows, and the most columns.
pub(crate) const MAX_SIZE: u32 = 16;

pub(super) const MMA: Definition = Definition {
    name: "mma",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Formats },
    settings: &[
        Setting::FormatB,
        Setting::QuantizeFrom,
        Setting::Acc,
        Setting::M,
        Setting::N,
        Setting::K,
        Setting::Array,
        Setting::Sum,
        Setting::Block,
        Setting::Product,
        Setting::Like,
        Setting::Out,
        Setting::Activation,
        Setting::Round,
        Setting::Overflow,
        Setting::PositRange,
        Setting::Flags,
        Setting::Tininess,
    ],
    formats: dot::formats,
    kind: || Kind::Products(Products::default()),
    resolve: Selection::mma,
    inputs,
    outputs: |operation| {
        if operation.array().is_some() {
            return array::outputs(operation);
        }
        let d = matrix(operation, Port::code("d", operation.result));
        let converted = operation.output.map(|output| matrix(operation, Port::code("d_out", output.format)));
        [d].into_iter().chain(converted).chain(flag_port(operation)).collect()
    },
    meaning,
    module: |operation| {
        let [rows, columns, lanes] = [operation.rows(), operation.columns(), operation.lanes()];
        if let Some(array) = operation.array() {
            return array::module(operation, array);
        }
        dot::module_of(operation, format!("mma{rows}x{columns}x{lanes}"))
    },
    about: Some(about),
};

impl Selection {
    /// Resolves the settings of a matrix unit.
    fn mma(&self, operation: Operation) -> Result<Operation, OperationError> {
        let [rows, columns] = [self.rows, self.columns].map(|size| size.unwrap_or(DEFAULT_SIZE));
        let resolved = match self.array {
            Some(array) => self.array(array, operation),
            None => Selection { lanes: self.depth, ..*self }.dot(operation),
        }?;
        Ok(resolved.with_products(|products| Products { rows, columns, ..products }))
    }
}

/// A port with one element for each element of `D`.
fn matrix(operation: &Operation, element: Port) -> Port {
    Port { lanes: operation.rows() * operation.columns(), ..element }
}

fn inputs(operation: &Operation) -> Vec<Port> {
    if let Some(array) = operation.array() {
        return array::inputs(operation, array);
    }
    let [rows, columns, lanes] = [operation.rows(), operation.columns(), operation.lanes()];
    let [a, b] = operation.factors().map(|format| operation.source().unwrap_or(format));
    vec![
        Port { lanes: rows * lanes, ..Port::code("a", a) },
        Port { lanes: lanes * columns, ..Port::code("b", b) },
        matrix(operation, Port::code("c", operation.result)),
    ]
}

fn meaning(operation: &Operation) -> Meaning {
    if let Some(array) = operation.array() {
        return Meaning::Machine(MachineFunction::Array(array), array::state(operation, array));
    }
    let [rows, columns, lanes] = [operation.rows(), operation.columns(), operation.lanes()];
    let mut formula = Formula::new();
    let [a, b] = [(0, rows * lanes), (1, lanes * columns)].map(|(port, count)| {
        let codes = (0..count).map(|lane| dot::factor(&mut formula, operation, port, lane));
        codes.collect::<Vec<TermId>>()
    });
    let c: Vec<TermId> = (0..rows * columns).map(|lane| formula.lane(2, lane)).collect();
    let elements = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let d = elements.map(|(row, column)| {
        let factors = |at: u32| [a[(row * lanes + at) as usize], b[(at * columns + column) as usize]];
        let pairs: Vec<[TermId; 2]> = (0..lanes).map(factors).collect();
        sum_of_products(&mut formula, operation, &pairs, c[(row * columns + column) as usize])
    });
    let d = d.collect();
    with_converted(formula, operation, Output::Codes(d))
}

fn about(operation: &Operation) -> Vec<String> {
    if let Some(array) = operation.array() {
        return array::about(operation, array);
    }
    let [rows, columns, lanes] = [operation.rows(), operation.columns(), operation.lanes()];
    let sum = dot::sum_in_words(operation);
    vec![
        format!(
            "D = A * B + C: A has {rows} x {lanes} elements, B {lanes} x {columns}, C and D {rows} x {columns}. Rows follow each other on"
        ),
        "the ports, the first element lowest.".into(),
        format!("d[i][j] is c[i][j] + a[i][0] * b[0][j] + a[i][1] * b[1][j] + .., {sum}."),
    ]
}
