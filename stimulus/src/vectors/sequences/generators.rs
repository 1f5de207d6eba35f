//! Sequences for `random`: runs from a reset and from seeds, and consecutive loads.

use crate::columns::Columns;
use crate::vectors::block::BLOCK;
use crate::vectors::corners::edges_of_word;
use crate::words::side_by_side;
use binade_spec::{Operation, Word};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Clocks after a load.
const RUN: usize = 40;

/// The directed vectors: a block without a load, then each edge of a seed and the words after it, with other seeds that
/// are not loaded; then all edges one after the other.
pub(super) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    let ports = operation.inputs();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mask = u128::MAX >> (128 - ports[0].width());
    let mut any = || u128::from_ne_bytes(random.random()) & mask;
    let mut vectors: Vec<[u128; 2]> = (0..BLOCK).map(|_| [any(), 0]).collect();
    let edges = edges_of_word(ports[0].width());
    for &edge in &edges {
        vectors.push([edge, 1]);
        vectors.extend((0..RUN).map(|_| [any(), 0]));
    }
    vectors.extend(edges.iter().map(|&edge| [edge, 1]));
    vectors.iter().flat_map(|words| side_by_side(&ports, &words.map(Word::from))).collect()
}

/// Sets the loads on this port in the vectors of a block from the `first` random one on, with odds chosen per block.
pub(super) fn shape(load_port: usize, first: usize, random: &mut Xoshiro256PlusPlus, columns: &mut Columns) {
    let odds = [0, 1, 2, 4, 16, 64, 256, 1024][random.random_range(0..8)];
    for vector in first..columns.len() {
        let load = odds > 0 && random.random_range(0..odds) == 0;
        columns.set_code(load_port, vector, load.into());
    }
}
