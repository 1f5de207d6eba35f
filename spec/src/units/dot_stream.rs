//! `dot-stream`: a dot product whose products arrive clock by clock, each added and rounded: alone (`chain`), or in
//! blocks that are added in binary32 (`fmac8`: Algorithm 1 of Popescu et al., "Representation range needs for 16-bit
//! neural network training").

use super::dot::module_of;
use super::{Definition, Facts, MachineFunction, Meaning, OnPorts, accumulator_format};
use crate::{
    Class, Kind, Operation, OperationError, Port, Products, Selection, Setting, StateWord, Summation, Unit, WordKind,
};

/// Bits of the sum of all blocks, a binary32 code.
const TOTAL_BITS: u32 = 32;

pub(super) const DOT_STREAM: Definition = Definition {
    name: "dot-stream",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[
        Setting::Acc,
        Setting::Sum,
        Setting::Block,
        Setting::Product,
        Setting::Round,
        Setting::Overflow,
        Setting::PositRange,
    ],
    formats: accumulator_format,
    kind: || Kind::Products(Products::default()),
    resolve: Selection::dot_stream,
    inputs: |operation| {
        let [a, b] = ["a", "b"].map(|name| Port::code(name, operation.operand));
        vec![a, b, Port::word("clear", 1, WordKind::Bit("the old sum is ignored"))]
    },
    outputs: |operation| vec![Port::code("y", operation.result)],
    meaning: |operation| Meaning::Machine(MachineFunction::DotStream, state(operation)),
    module: |operation| module_of(operation, "dot_stream".into()),
    about: Some(about),
};

impl Selection {
    /// Resolves the settings of a streamed dot product.
    fn dot_stream(&self, operation: Operation) -> Result<Operation, OperationError> {
        let summation = self.summation.unwrap_or(Summation::Chain);
        let unit = Unit::DotStream;
        if !matches!(summation, Summation::Chain | Summation::Blocks) {
            return Err(OperationError::NotStreamed { summation });
        }
        if self.block.is_some() && summation != Summation::Blocks {
            return Err(OperationError::BlockUnused);
        }
        if operation.result.class_codes(Class::Zero).is_none() {
            return Err(OperationError::NoZero { unit, format: operation.result });
        }
        if operation.rounding.random_bits() > 0 {
            return Err(OperationError::NotStochastic { unit });
        }
        let block = if summation == Summation::Blocks { self.block.unwrap_or(8) } else { 1 };
        let products = Products { summation, block, rounds_products: self.rounds_products, ..Products::default() };
        Ok(Operation { kind: Kind::Products(products), ..operation })
    }
}

/// The sum since the last clear. For `fmac8`, the sum of the current block, then the sum of earlier blocks and the
/// number of products in the block.
fn state(operation: &Operation) -> Vec<StateWord> {
    let word = |name, width, kind, reset| StateWord { name, width, lanes: 1, kind, reset };
    let acc = word("acc", operation.result.width(), WordKind::Digits, operation.result.zero_code(false));
    if operation.settings::<Products>().summation == Summation::Chain {
        return vec![acc];
    }
    let count_bits = (operation.block() - 1).max(1).ilog2() + 1;
    vec![acc, word("total", TOTAL_BITS, WordKind::Digits, 0), word("count", count_bits, WordKind::Count, 0)]
}

fn about(operation: &Operation) -> Vec<String> {
    let product = if operation.rounds_products() { "round(a * b)" } else { "a * b" };
    match operation.settings::<Products>().summation {
        Summation::Blocks => vec![
            format!("acc = round((first of a block of {} ? 0 : acc) + {product});", operation.block()),
            "y = round(total + acc), where total is the binary32 sum of the complete blocks;".into(),
            "clear: total = 0, and this clock's product is the first of a block.".into(),
        ],
        _ => vec![format!("acc = round((clear ? 0 : acc) + {product}); y = acc.")],
    }
}
