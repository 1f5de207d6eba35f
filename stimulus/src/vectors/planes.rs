//! Random vectors generated as planes, 64 at a time: a random word is one bit of an operand in 64 lanes.

use super::block::{BLOCK, RUN};
use crate::columns::Columns;
use crate::words::widths;
use binade_gates::{LANES, Packing, Plane};
use binade_spec::Port;
use multiversion::multiversion;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Machine words of a plane.
const WORDS: usize = LANES / 64;

/// The first machine words of a block, whose vectors are generated one by one, so that operands are at edges and meet.
const SINGLE_WORDS: usize = 2;

const _: () = assert!(LANES == BLOCK && RUN == 64, "a run of vectors is a machine word of a plane");

/// Generates the planes of operands.
pub(super) struct RandomPlanes {
    widths: Vec<u32>,
    packing: Packing,
}

impl RandomPlanes {
    pub fn new(inputs: &[Port]) -> RandomPlanes {
        let widths: Vec<u32> = widths(inputs).collect();
        RandomPlanes { packing: Packing::new(widths.iter().copied()), widths }
    }

    /// Fills the planes of all lanes from its own random numbers. `push` appends a run of vectors that are generated
    /// one by one.
    pub fn fill(
        &self,
        random: &mut Xoshiro256PlusPlus,
        planes: &mut [Plane],
        push: impl Fn(&mut Xoshiro256PlusPlus, &mut Columns),
    ) {
        let mut generators = Generators::new(random);
        let mut first = 0;
        for &width in &self.widths {
            let (before, from_here) = planes.split_at_mut(first);
            let port = &mut from_here[..width as usize];
            generators.fill(port, &Kinds::new(random, width));
            if first == self.widths[0] as usize && width == self.widths[0] {
                share_leading_bits(port, before, &leading_bits(random, width));
            }
            first += width as usize;
        }
        let mut columns = Columns::new(self.widths.iter().copied());
        (0..SINGLE_WORDS).for_each(|_| push(random, &mut columns));
        self.packing.fill_planes(&columns.views(), columns.len(), &mut planes[..first]);
    }

    /// The columns of the first `count` vectors in these planes.
    pub fn columns(&self, planes: &[Plane], count: usize) -> Columns {
        let widths = self.widths.iter().copied();
        let mut columns = Columns::zeros(widths.clone(), count);
        Packing::new(widths).fill_columns(|bit| &planes[bit], &mut columns.views_mut(count), 0..count);
        columns
    }

    /// Planes for filling.
    pub fn planes(&self) -> Vec<Plane> {
        vec![Plane::of(0); self.widths.iter().sum::<u32>() as usize]
    }
}

/// The density of ones in an operand, the same for all lanes of a machine word.
struct Kinds {
    /// All ones where one bit in four is 1.
    sparse: Plane,
    /// All ones where three bits in four are 1.
    dense: Plane,
}

impl Kinds {
    /// About one machine word in eight is sparse, and one is dense.
    fn new(random: &mut impl Rng, width: u32) -> Kinds {
        let mut kinds = Kinds { sparse: Plane::of(0), dense: Plane::of(0) };
        // A single bit is neither sparse nor dense.
        for word in (0..WORDS).filter(|_| width > 1) {
            let kind = random.next_u64() >> 61;
            kinds.sparse[word] = if kind == 0 { u64::MAX } else { 0 };
            kinds.dense[word] = if kind == 1 { u64::MAX } else { 0 };
        }
        kinds
    }
}

/// The bit from which on the second operand equals the first, except for its top bit: in one machine word in four any
/// bit, in the others none.
fn leading_bits(random: &mut impl Rng, width: u32) -> Plane {
    let mut from = Plane::of(u64::from(width));
    for from in from.iter_mut() {
        let number = random.next_u64();
        if number & 3 == 0 {
            *from = ((number >> 32) * *from) >> 32;
        }
    }
    from
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn share_leading_bits(port: &mut [Plane], first: &[Plane], from: &Plane) {
    let top = port.len() - 1;
    for ((bit, plane), first) in (0..).zip(&mut port[..top]).zip(first) {
        for ((word, first), &from) in plane.iter_mut().zip(first.iter()).zip(from.iter()) {
            let is_shared = if bit >= from { u64::MAX } else { 0 };
            *word = *word & !is_shared | first & is_shared;
        }
    }
}

/// xoshiro256++ (D. Blackman and S. Vigna, Scrambled linear pseudorandom number generators, 2021), one generator for each
/// machine word of a plane.
struct Generators {
    state: [Plane; 4],
}

impl Generators {
    fn new(random: &mut impl Rng) -> Generators {
        let mut state = [Plane::of(0); 4];
        state.iter_mut().flat_map(|plane| plane.iter_mut()).for_each(|word| *word = random.next_u64());
        Generators { state }
    }

    /// Fills the planes of a port.
    fn fill(&mut self, planes: &mut [Plane], kinds: &Kinds) {
        fill(&mut self.state, planes, kinds);
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn fill(state: &mut [Plane; 4], planes: &mut [Plane], kinds: &Kinds) {
    for plane in planes {
        for (at, word) in plane.iter_mut().enumerate() {
            let mut lane = state.each_ref().map(|words| words[at]);
            let (one, other) = (next(&mut lane), next(&mut lane));
            *word = one & (other | !kinds.sparse[at]) | other & kinds.dense[at];
            state.iter_mut().zip(lane).for_each(|(words, word)| words[at] = word);
        }
    }
}

/// The next number of one generator.
#[inline(always)]
fn next(state: &mut [u64; 4]) -> u64 {
    let [a, b, c, d] = *state;
    let number = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
    let (c, d) = (c ^ a, d ^ b);
    *state = [a ^ d, b ^ c, c ^ b << 17, d.rotate_left(45)];
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// The generators return the same numbers as the library.
    #[test]
    fn numbers_are_those_of_xoshiro() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut state: [u64; 4] = std::array::from_fn(|_| random.next_u64());
        let mut seed = [0; 32];
        seed.chunks_mut(8).zip(state).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
        let mut library = Xoshiro256PlusPlus::from_seed(seed);
        (0..100).for_each(|_| assert_eq!(next(&mut state), library.next_u64()));
    }
}
