//! Planes of numbers that count up from lane to lane.

use crate::program::{LANES, Machine, Plane};

/// The number of index bits that select the lane.
pub const LANE_BITS: u32 = LANES.trailing_zeros();

impl Machine<'_> {
    /// Sets the inputs, side by side with the first in the lowest bits, to the number of the vector: `block * LANES` in
    /// lane 0.
    pub fn count(&mut self, block: u64) {
        for (plane, bit) in self.inputs().iter_mut().zip(0..) {
            fill_bit_of_index(plane, block, bit);
        }
    }
}

/// The same bit in all lanes.
pub fn all_if(condition: bool) -> u64 {
    if condition { u64::MAX } else { 0 }
}

/// Bit `bit` of 64 consecutive numbers that begin at `64 * word`.
pub fn counting(word: u64, bit: u32) -> u64 {
    /// The bits below bit 6.
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

/// Fills a plane with bit `bit` of the index `block * LANES + lane`.
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
