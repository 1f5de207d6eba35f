//! The order of all combinations of a unit's inputs.

use crate::columns::Columns;
use binade_golden::Model;
use binade_spec::{Operation, Port};
use std::ops::Range;

/// The most bits of a pair of factors that are ordered by product; other units count.
const MOST_PAIR_BITS: u32 = 20;

/// Bits of the other inputs for which the expected results of one product can be cached.
const OTHER_BITS: Range<u32> = 12..19;

/// The order of all combinations: [`fill`](Self::fill) appends vector `i` of it.
pub enum Order {
    /// The index is the inputs side by side, the last one in the lowest bits.
    Counting {
        /// The widths of the inputs.
        widths: Vec<u32>,
    },
    /// For accumulations: pairs of `a` and `b`, with equal products next to each other, and for each pair all other
    /// inputs.
    Products {
        /// The pairs in order, with the number of their product.
        pairs: Vec<([u64; 2], u32)>,
        /// Widths of the inputs after `a` and `b`.
        others: Vec<u32>,
    },
}

impl Order {
    /// The order in which the results of this operation are computed fastest.
    pub fn of(operation: &Operation) -> Order {
        let widths: Vec<u32> = operation.inputs().iter().map(Port::width).collect();
        let others: u32 = widths.iter().skip(2).sum();
        let by_product =
            operation.shape().accumulates() && widths[0] + widths[1] <= MOST_PAIR_BITS && OTHER_BITS.contains(&others);
        if !by_product {
            return Order::counting(&operation.inputs());
        }
        let numbered = Model::new(operation).pairs_by_product().into_iter().zip(0..);
        let pairs = numbered.flat_map(|(group, number)| group.into_iter().map(move |pair| (pair, number))).collect();
        Order::Products { pairs, others: widths[2..].to_vec() }
    }

    /// The counting order, with the inputs side by side.
    pub fn counting(inputs: &[Port]) -> Order {
        Order::Counting { widths: inputs.iter().map(Port::width).collect() }
    }

    /// Appends vectors `range` to the columns of the inputs.
    pub fn fill(&self, range: Range<u64>, columns: &mut Columns) {
        match self {
            Order::Counting { widths } => place(range, widths, 0, columns),
            Order::Products { pairs, others } => {
                let bits = others.iter().sum::<u32>();
                for operand in 0..2 {
                    let factors = range.clone().map(|index| pairs[(index >> bits) as usize].0[operand]);
                    columns.limbs_mut(operand).extend(factors);
                }
                place(range, others, 2, columns);
            }
        }
    }
}

/// Splits indices into words for the ports from `first` on. An index has 64 bits, so a port has one limb.
pub(super) fn place(indices: impl Iterator<Item = u64> + Clone, widths: &[u32], first: usize, columns: &mut Columns) {
    let mut low = widths.iter().sum::<u32>();
    for (port, width) in (first..).zip(widths) {
        low -= width;
        let mask = u64::MAX >> (64 - width);
        columns.limbs_mut(port).extend(indices.clone().map(|index| index >> low & mask));
    }
}
