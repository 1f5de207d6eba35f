//! Directed and random sequences for units with state. A block of vectors is a sequence that starts from a reset.

mod arrays;
mod drawn;
mod generators;
mod operands;
mod products;
mod scaling;
mod sums;

use crate::columns::Columns;
use binade_spec::{Kind, Operation, Products};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The directed vectors, their limbs side by side: any prefix of them is a sequence, too.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    match Walks::new(operation) {
        Walks::Generators(_) if operation.has_internal_random => drawn::directed(operation, seed),
        Walks::Generators(_) => generators::directed(operation, seed),
        Walks::Arrays(_) => arrays::directed(operation, seed),
        Walks::Scaling(_) => scaling::directed(operation, seed),
        Walks::Products(_) => products::directed(operation, seed),
        Walks::Sums(_) => sums::directed(operation, seed),
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
        match operation.kind {
            _ if operation.has_internal_random => Walks::Generators(operation.inputs().len() - 1),
            Kind::Products(Products { array: Some(_), .. }) => Walks::Arrays(arrays::Walks::new(operation)),
            Kind::Products(_) | Kind::Accumulation(_) => Walks::Products(Box::new(products::Walks::new(operation))),
            Kind::LossScaler(_) => Walks::Scaling(scaling::Walks::new(operation)),
            Kind::Random(_) => Walks::Generators(1),
            Kind::Plain
            | Kind::MultiplyAdd(_)
            | Kind::Scaled(_)
            | Kind::Compare(_)
            | Kind::Decoder(_)
            | Kind::Minmax(_)
            | Kind::Update(_)
            | Kind::Function(_)
            | Kind::Vector(_) => Walks::Sums(Box::new(sums::Walks::new(operation))),
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
