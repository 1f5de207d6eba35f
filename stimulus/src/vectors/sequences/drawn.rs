//! Sequences for units with internal random words: the vectors of the same unit with a port for them.

use crate::vectors::directed::directed as with_port;
use crate::words::side_by_side;
use binade_spec::word::limbs;
use binade_spec::{Operation, Word};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Average number of vectors between two loads.
const RUN: u32 = 64;

/// The directed vectors: those of the unit with a port, in order, with seeds in place of its random words; some of the
/// seeds are loaded.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    let inner = operation.with_random_port();
    let ports = operation.inputs();
    let (operands, generator) = ports.split_at(ports.len() - 2);
    let kept: usize = operands.iter().map(|port| limbs(port.width())).sum();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mask = u64::MAX >> (u64::BITS - generator[0].width());
    let vectors = with_port(&inner, seed);
    let vectors = vectors.chunks_exact(kept + limbs(inner.random_bits())).flat_map(|vector| {
        let load = u32::from(random.random_range(0..RUN) == 0);
        let started = side_by_side(generator, &[Word::from(random.random::<u64>() & mask), Word::from(load)]);
        [&vector[..kept], &started].concat()
    });
    vectors.collect()
}
