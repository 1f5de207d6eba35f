//! Planes of numbers that count up from lane to lane.

use crate::program::{LANES, Machine, Plane};

/// Bits of an index that number the lanes.
pub const LANE_BITS: u32 = LANES.trailing_zeros();

impl Machine<'_> {
    /// The inputs side by side, the first in the lowest bits, are the number of the vector: `block * LANES` in lane 0.
    pub fn count(&mut self, block: u64) {
        for (plane, bit) in self.inputs().iter_mut().zip(0..) {
            fill_bit_of_index(plane, block, bit);
        }
    }
}

/// All lanes alike.
pub fn all_if(condition: bool) -> u64 {
    if condition { u64::MAX } else { 0 }
}

/// Bit `bit` of 64 numbers that follow each other, the first of them `64 * word`.
pub fn counting(word: u64, bit: u32) -> u64 {
    /// The bits below 6.
    const WITHIN: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match bit {
        0..6 => WITHIN[bit as usize],
        _ => all_if(word >> (bit - 6) & 1 == 1),
    }
}

/// Bit `bit` of the index, which is `block` above the number of the lane.
pub fn fill_bit_of_index(plane: &mut Plane, block: u64, bit: u32) {
    match bit {
        0..6 => plane.fill(counting(0, bit)),
        6..LANE_BITS => {
            for (index, word) in plane.iter_mut().enumerate() {
                *word = all_if(index >> (bit - 6) & 1 == 1);
            }
        }
        _ => plane.fill(all_if(block >> (bit - LANE_BITS) & 1 == 1)),
    }
}
