//! Directed and random sequences for units with state. A block of vectors is a sequence that starts from a reset.

mod arrays;
mod drawn;
mod generators;
mod operands;
mod products;
mod scaling;
mod sums;

use crate::columns::Columns;
use binade_spec::{Operation, Unit};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The directed vectors, their limbs side by side: any prefix of them is a sequence, too.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    match operation.unit {
        _ if operation.has_internal_random => drawn::directed(operation, seed),
        Unit::Mma => arrays::directed(operation, seed),
        Unit::LossScaler => scaling::directed(operation, seed),
        Unit::Random => generators::directed(operation, seed),
        Unit::DotExact | Unit::DotStream => products::directed(operation, seed),
        _ => sums::directed(operation, seed),
    }
}

/// Turns random vectors into a sequence.
pub(super) enum Walks {
    Sums(Box<sums::Walks>),
    Scaling(scaling::Walks),
    Products(Box<products::Walks>),
    /// The port that reseeds a generator.
    Generators(usize),
    Arrays(arrays::Walks),
}

impl Walks {
    pub fn new(operation: &Operation) -> Walks {
        match operation.unit {
            _ if operation.has_internal_random => Walks::Generators(operation.inputs().len() - 1),
            Unit::Mma => Walks::Arrays(arrays::Walks::new(operation)),
            Unit::LossScaler => Walks::Scaling(scaling::Walks::new(operation)),
            Unit::Random => Walks::Generators(1),
            Unit::DotExact | Unit::DotStream => Walks::Products(Box::new(products::Walks::new(operation))),
            _ => Walks::Sums(Box::new(sums::Walks::new(operation))),
        }
    }

    /// Shapes the vectors of a block from the `first` random one on.
    pub fn shape(&self, first: usize, random: &mut Xoshiro256PlusPlus, columns: &mut Columns) {
        match self {
            Walks::Sums(walks) => walks.shape(first, random, columns),
            Walks::Scaling(walks) => walks.shape(first, random, columns),
            Walks::Products(walks) => walks.shape(first, random, columns),
            &Walks::Generators(port) => generators::shape(port, first, random, columns),
            Walks::Arrays(walks) => walks.shape(first, random, columns),
        }
    }
}
