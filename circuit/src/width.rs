//! Widths of numbers.

/// Bits of an unsigned number; none for 0.
pub fn unsigned_width(number: impl Into<u64>) -> u32 {
    u64::BITS - number.into().leading_zeros()
}

/// Bits of a number in two's complement, the sign bit included.
pub fn signed_width(number: i64) -> u32 {
    unsigned_width(number.max(!number) as u64) + 1
}

/// Bits of all numbers in these bounds: in two's complement if some are negative, and one bit for 0 alone.
pub(crate) fn width_between(min: i64, max: i64) -> u32 {
    if min >= 0 { unsigned_width(max as u64).max(1) } else { signed_width(min).max(signed_width(max)) }
}
