//! Exception flags in TestFloat's bit order.

use binade_spec::DIVISION_FLAG_BITS;
use serde::{Serialize, Serializer};
use std::fmt;

/// The five exception flags of IEEE 754 (section 7) as in Berkeley TestFloat's byte (`testfloat_gen`, Output Format): from bit 0 up,
/// inexact, underflow, overflow, division by zero ("infinite"), invalid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

/// The bits below division by zero; a unit's port has them in the same order.
const LOW: u8 = 0b111;

impl Flags {
    /// The result is rounded.
    pub const INEXACT: Flags = Flags(1);
    /// The result is tiny and inexact.
    pub const UNDERFLOW: Flags = Flags(1 << 1);
    /// The result exceeds the largest finite value.
    pub const OVERFLOW: Flags = Flags(1 << 2);
    /// Finite operands have an exact infinite result.
    pub const DIVISION_BY_ZERO: Flags = Flags(1 << 3);
    /// There is no usefully definable result.
    pub const INVALID: Flags = Flags(1 << 4);

    const NAMED: [(Flags, &'static str); 5] = [
        (Flags::INVALID, "invalid"),
        (Flags::DIVISION_BY_ZERO, "division by zero"),
        (Flags::OVERFLOW, "overflow"),
        (Flags::UNDERFLOW, "underflow"),
        (Flags::INEXACT, "inexact"),
    ];

    /// The flags in TestFloat's byte; none if other bits are set.
    pub fn of_byte(byte: u8) -> Option<Flags> {
        (byte < 1 << 5).then_some(Flags(byte))
    }

    /// The flags on a unit's port `flags` of `width` bits: invalid, with 5 bits division by zero, then overflow,
    /// underflow, inexact, from the top bit down.
    pub fn of_port(bits: u128, width: u32) -> Flags {
        let bits = bits as u8;
        if width == DIVISION_FLAG_BITS { Flags(bits) } else { Flags(bits & LOW | (bits >> 3 & 1) << 4) }
    }

    /// TestFloat's byte.
    pub fn byte(self) -> u8 {
        self.0
    }

    /// Whether all of `others` are raised.
    pub fn has(self, others: Flags) -> bool {
        self.0 & others.0 == others.0
    }

    /// The union of both.
    pub fn with(self, others: Flags) -> Flags {
        Flags(self.0 | others.0)
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let raised: Vec<&str> =
            Flags::NAMED.into_iter().filter(|(flag, _)| self.has(*flag)).map(|(_, name)| name).collect();
        f.write_str(&if raised.is_empty() { "none".into() } else { raised.join(", ") })
    }
}

impl Serialize for Flags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_of_four_bits_has_no_division_by_zero() {
        let all = [Flags::INVALID, Flags::OVERFLOW, Flags::UNDERFLOW, Flags::INEXACT];
        let raised = all.into_iter().fold(Flags::default(), Flags::with);
        assert_eq!(Flags::of_port(0b1111, 4), raised);
        assert_eq!((raised.byte(), Flags::of_port(0b1000, 4).byte(), Flags::of_byte(0x20)), (0x17, 0x10, None));
        assert_eq!(Flags::of_port(0b01000, 5), Flags::DIVISION_BY_ZERO);
        assert_eq!(raised.to_string(), "invalid, overflow, underflow, inexact");
        assert_eq!(Flags::default().to_string(), "none");
    }
}
