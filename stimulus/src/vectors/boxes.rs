//! NaN boxes around random codes: most operands are boxed, and the others test that every bit above a code is looked at.

use crate::columns::Columns;
use binade_spec::{Format, Operation, Port};
use rand::Rng;
use std::ops::Range;

/// One operand in so many is no boxed code.
const OPEN_ONE_IN: u64 = 16;

/// The ports with boxed codes.
pub(super) struct Boxes {
    operation: Operation,
    /// Port and bits of a box, and the bits of a code for each value of `fmt`.
    ports: Vec<(usize, u32, Vec<u32>)>,
    /// The port that chooses the formats.
    fmt: Option<usize>,
}

impl Boxes {
    /// `None` for units without boxes.
    pub fn of(operation: &Operation) -> Option<Boxes> {
        operation.boxing?;
        let inputs = operation.inputs();
        let choices: Vec<Vec<Port>> = operation.choices().iter().map(Operation::inputs).collect();
        let boxed = (0..inputs.len()).filter_map(|at| {
            let bits = inputs[at].boxing()?;
            let codes = choices.iter().filter_map(|ports| ports[at].format()).map(|format: Format| format.width());
            Some((at, bits, codes.collect()))
        });
        let fmt = operation.has_choices().then(|| inputs.len() - 1);
        Some(Boxes { operation: *operation, ports: boxed.collect(), fmt })
    }

    /// Puts boxes around the codes in the lowest bits of these vectors. One operand in 16 keeps what is above, or has one 0 there.
    pub fn close(&self, vectors: Range<usize>, random: &mut impl Rng, columns: &mut Columns) {
        for vector in vectors {
            let choice = self.fmt.map_or(0, |port| self.operation.index_of_choice(columns.code(port, vector) as u64));
            for (port, bits, codes) in &self.ports {
                let above = bits - codes[choice];
                let number = random.next_u64();
                let is_open = number.is_multiple_of(OPEN_ONE_IN);
                let is_kept = is_open && number >> 63 == 0;
                if above == 0 || is_kept {
                    continue;
                }
                let ones = (u128::MAX >> (u128::BITS - above)) << codes[choice];
                let zero = 1 << (codes[choice] + (number >> 8) as u32 % above);
                let code = columns.code(*port, vector) | ones;
                columns.set_code(*port, vector, if is_open { code & !zero } else { code });
            }
        }
    }
}
