//! Numbers in known bounds: exponents and shift amounts.

use crate::width::width_between;
use crate::{Bits, Circuit, concat};

/// A number in `min..=max`, carried as `raw + offset`: `raw` is a signal (two's complement if it can be negative), the
/// offset a constant, so that biases cost nothing until a comparison or a shift needs the number itself.
/// Results are as wide as their bounds demand, and comparisons that the bounds decide are constants.
#[derive(Clone, Copy)]
pub struct Int<'c> {
    raw: Bits<'c>,
    offset: i64,
    min: i64,
    max: i64,
}

/// The name of a number plus a constant.
pub(crate) fn moved_name(constant: i64) -> String {
    if constant < 0 { format!("less_{}", -constant) } else { format!("plus_{constant}") }
}

#[allow(clippy::should_implement_trait, reason = "as for signals")]
impl<'c> Int<'c> {
    /// The unsigned number that `bits` spell.
    ///
    /// # Panics
    /// If they are more than 62: bounds are `i64`.
    #[track_caller]
    pub fn unsigned(bits: Bits<'c>) -> Int<'c> {
        assert!(
            bits.width() <= 62,
            "{} is no number in bounds; 62 bits are possible",
            bits.circuit().describe(bits.node())
        );
        Int { raw: bits, offset: 0, min: 0, max: (1 << bits.width()) - 1 }
    }

    /// The number that `bits` spell in two's complement.
    ///
    /// # Panics
    /// If they are more than 62: bounds are `i64`.
    #[track_caller]
    pub fn signed(bits: Bits<'c>) -> Int<'c> {
        assert!(
            bits.width() <= 62,
            "{} is no number in bounds; 62 bits are possible",
            bits.circuit().describe(bits.node())
        );
        let half = 1 << (bits.width() - 1);
        Int { raw: bits, offset: 0, min: -half, max: half - 1 }
    }

    /// A number that is known: all of it is offset, and it costs nothing.
    pub fn constant(circuit: &'c Circuit, value: i64) -> Int<'c> {
        Int { raw: circuit.zero(), offset: value, min: value, max: value }
    }

    /// The number with these tighter bounds and a signal as narrow as they allow. The author guarantees that the number
    /// stays within them.
    ///
    /// # Panics
    /// If no number is left within the bounds.
    #[track_caller]
    pub fn within(self, min: i64, max: i64) -> Int<'c> {
        let (min, max) = (min.max(self.min), max.min(self.max));
        assert!(min <= max, "no number is left in {min}..={max}");
        Int { min, max, ..self }.fitted()
    }

    /// The least value.
    pub fn min(&self) -> i64 {
        self.min
    }

    /// The largest value.
    pub fn max(&self) -> i64 {
        self.max
    }

    /// The constant that is added to the raw signal to give the number.
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// Names the raw signal. If the number is not the value of the signal, a comment gives the bias.
    pub fn named(self, name: impl AsRef<str>) -> Int<'c> {
        let is_signed = self.min < self.offset;
        let raw = match (self.offset, is_signed) {
            (0, _) => self.raw.named(name),
            (..0, false) => self.raw.explained(name, format!("biased by {}", -self.offset)),
            (..0, true) => self.raw.explained(name, format!("signed: the number plus {}", -self.offset)),
            (1.., false) => self.raw.explained(name, format!("the number minus {}", self.offset)),
            (1.., true) => self.raw.explained(name, format!("signed: the number minus {}", self.offset)),
        };
        Int { raw, ..self }
    }

    /// Names the raw signal in case it must become a wire.
    pub fn called(self, name: impl AsRef<str>) -> Int<'c> {
        Int { raw: self.raw.called(name), ..self }
    }

    /// The same number, carried by another signal of the same value and width.
    pub fn carried_by(self, signal: impl FnOnce(Bits<'c>) -> Bits<'c>) -> Int<'c> {
        Int { raw: signal(self.raw), ..self }
    }

    /// Plus a constant: free.
    pub fn plus(self, constant: i64) -> Int<'c> {
        Int { offset: self.offset + constant, min: self.min + constant, max: self.max + constant, ..self }
    }

    /// The sum, as wide as its bounds demand; the offsets are added while building.
    pub fn add(self, other: Int<'c>) -> Int<'c> {
        let (min, max) = (self.min + other.min, self.max + other.max);
        self.combine(other, min, max, self.offset + other.offset, Bits::add)
    }

    /// Half of the number, rounded down, and whether the number is odd. An odd offset takes an adder.
    pub fn half(self) -> (Int<'c>, Bits<'c>) {
        let (min, max) = (self.min.div_euclid(2), self.max.div_euclid(2));
        let offset = self.offset.div_euclid(2);
        let lowest = self.raw.bit(0);
        let raw = match self.raw.width() {
            1 if self.min < self.offset => self.raw,
            1 => self.raw.circuit().zero(),
            width => self.raw.high(width - 1),
        };
        let is_signed = self.min < self.offset;
        if self.offset % 2 == 0 {
            return (Int { raw, offset, min, max }, lowest);
        }
        // raw + 1 + 2 * offset: with an odd raw, 1 is carried.
        let width = width_between(min - offset, max - offset).max(raw.width());
        let wide = if is_signed { raw.sext(width) } else { raw.zext(width) };
        (Int { raw: wide.add(lowest.zext(width)), offset, min, max }.fitted(), !lowest)
    }

    /// The sum plus `carry`, in one adder `name_with_carry` that has an extra low place for the carry.
    pub fn add_with_carry(self, other: Int<'c>, carry: Bits<'c>, name: &str) -> Int<'c> {
        let (min, max, offset) = (self.min + other.min, self.max + other.max + 1, self.offset + other.offset);
        let one = carry.circuit().constant(1, 1);
        let width = width_between(min - offset, max - offset);
        let raw = concat(&[self.raw_bits(width), one]).add(concat(&[other.raw_bits(width), carry]));
        let raw = raw.called(format!("{name}_with_carry")).high(width);
        Int { raw, offset, min, max }
    }

    /// The difference, as wide as its bounds demand; the offsets are subtracted while building.
    pub fn sub(self, other: Int<'c>) -> Int<'c> {
        let (min, max) = (self.min - other.max, self.max - other.min);
        if self.min == self.max {
            return other.negated_from(self.min, min, max);
        }
        self.combine(other, min, max, self.offset - other.offset, Bits::sub)
    }

    /// `constant - self`: the offset is folded into the constant.
    fn negated_from(self, constant: i64, min: i64, max: i64) -> Int<'c> {
        let constant = constant - self.offset;
        let width = width_between(min.min(constant), max.max(constant));
        let raw = self.constant_bits(constant, width).sub(self.raw_bits(width));
        Int { raw, offset: 0, min, max }.fitted()
    }

    /// Whether the signal is the number itself, without an offset.
    pub fn is_resolved(&self) -> bool {
        self.offset == 0
    }

    /// The number without an offset; an adder, if it has an offset.
    pub fn resolved(self) -> Int<'c> {
        self.with_offset(0)
    }

    fn combine(
        self,
        other: Int<'c>,
        min: i64,
        max: i64,
        offset: i64,
        operator: fn(Bits<'c>, Bits<'c>) -> Bits<'c>,
    ) -> Int<'c> {
        let width = width_between(min - offset, max - offset);
        let raw = operator(self.raw_bits(width), other.raw_bits(width));
        Int { raw, offset, min, max }
    }

    /// `one` where `select` is 1, else `zero`.
    pub fn select(select: Bits<'c>, one: Int<'c>, zero: Int<'c>) -> Int<'c> {
        let (min, max) = (one.min.min(zero.min), one.max.max(zero.max));
        let offset = zero.offset;
        let width = width_between(min - offset, max - offset);
        let raw = select.select(one.with_offset(offset).raw_bits(width), zero.raw_bits(width));
        Int { raw, offset, min, max }
    }

    /// 1 if less than a constant.
    pub fn less_than(self, constant: i64) -> Bits<'c> {
        self.is_below(constant).remarked(self.remark("less than", constant, false))
    }

    /// 1 if less than a constant, without a carry chain. Most of the constant's bits should be equal.
    pub fn less_than_in_logic(self, constant: i64) -> Bits<'c> {
        self.is_below_in_logic(constant).remarked(self.remark("less than", constant, true))
    }

    /// 1 if at least a constant, without a carry chain.
    pub fn at_least_in_logic(self, constant: i64) -> Bits<'c> {
        (!self.is_below_in_logic(constant)).remarked(self.remark("at least", constant, true))
    }

    /// 1 if at least a constant.
    pub fn at_least(self, constant: i64) -> Bits<'c> {
        (!self.is_below(constant)).remarked(self.remark("at least", constant, false))
    }

    /// What a comparison of the signal with a constant says, where the Verilog does not show it: signed numbers are compared with the sign
    /// inverted, and others in logic without the constant.
    fn remark(self, relation: &str, constant: i64, is_in_logic: bool) -> Option<String> {
        let raw_constant = constant - self.offset;
        match (self.min < self.offset, raw_constant) {
            (true, 0) => None,
            (true, _) => Some(format!("{relation} {raw_constant}, as signed numbers")),
            (false, _) => is_in_logic.then(|| format!("{relation} {raw_constant}")),
        }
    }

    fn is_below(self, constant: i64) -> Bits<'c> {
        let circuit = self.raw.circuit();
        if self.max < constant {
            return circuit.constant(1, 1);
        }
        if self.min >= constant {
            return circuit.zero();
        }
        let (raw_min, raw_constant) = (self.min - self.offset, constant - self.offset);
        if raw_min >= 0 {
            return self.raw.less_than(self.raw_constant(raw_constant));
        }
        if raw_constant == 0 {
            return self.raw.msb();
        }
        // Two's complement with the sign flipped is in unsigned order.
        let flipped = |bits: Bits<'c>| match bits.width() {
            1 => !bits,
            width => concat(&[!bits.msb(), bits.low(width - 1)]).called_after(bits, "in_order"),
        };
        flipped(self.raw).less_than(flipped(self.raw_constant(raw_constant)))
    }

    fn is_below_in_logic(self, constant: i64) -> Bits<'c> {
        let raw_constant = constant - self.offset;
        if !(self.min + 1..=self.max).contains(&constant) || (self.min < self.offset && raw_constant == 0) {
            return self.is_below(constant);
        }
        let limit = raw_constant as u128 & (u128::MAX >> (128 - self.raw.width()));
        if self.min >= self.offset {
            return !self.raw.at_least_constant(limit);
        }
        let sign = 1 << (self.raw.width() - 1);
        // Two's complement with the sign flipped is in unsigned order.
        let in_order =
            concat(&[!self.raw.msb(), self.raw.low(self.raw.width() - 1)]).called_after(self.raw, "in_order");
        !in_order.at_least_constant(limit ^ sign)
    }

    /// The larger of the number and a constant.
    pub fn no_less_than(self, constant: i64) -> Int<'c> {
        if self.min >= constant {
            return self;
        }
        let least = Int::constant(self.raw.circuit(), constant);
        Int::select(self.less_than(constant), least, self).within(constant, self.max.max(constant))
    }

    /// The smaller of the number and a constant.
    pub fn no_more_than(self, constant: i64) -> Int<'c> {
        if self.max <= constant {
            return self;
        }
        let most = Int::constant(self.raw.circuit(), constant);
        Int::select(self.at_least(constant), most, self).within(self.min.min(constant), constant)
    }

    /// 1 if equal to a constant.
    pub fn equals(self, constant: i64) -> Bits<'c> {
        if constant < self.min || constant > self.max {
            return self.raw.circuit().zero();
        }
        self.raw.equals(self.raw_constant(constant - self.offset))
    }

    /// The number as an unsigned signal just wide enough.
    ///
    /// # Panics
    /// If the bounds let it be negative.
    #[track_caller]
    pub fn to_unsigned(self) -> Bits<'c> {
        assert!(self.min >= 0, "a number from {} to {} is not unsigned", self.min, self.max);
        self.with_offset(0).raw_bits(width_between(0, self.max))
    }

    /// The number in two's complement, with a sign bit.
    pub fn to_signed(self) -> Bits<'c> {
        self.low_bits(width_between(self.min.min(-1), self.max))
    }

    /// The lowest `width` bits of the number in two's complement.
    pub fn low_bits(self, width: u32) -> Bits<'c> {
        self.with_offset(0).raw_bits(width)
    }

    /// The raw signal, as narrow as the bounds allow.
    fn fitted(self) -> Int<'c> {
        let width = width_between(self.min - self.offset, self.max - self.offset);
        Int { raw: self.raw_bits(width), ..self }
    }

    /// The number with another offset; an adder, if that differs from the present one.
    fn with_offset(self, offset: i64) -> Int<'c> {
        if offset == self.offset {
            return self;
        }
        let width = width_between(self.min - offset, self.max - offset);
        let moved = self.offset - offset;
        let raw = self.raw_bits(width).add(self.constant_bits(moved, width));
        let raw = raw.called_after(self.raw, &moved_name(moved));
        Int { raw, offset, ..self }
    }

    fn constant_bits(&self, value: i64, width: u32) -> Bits<'c> {
        self.raw.circuit().integer(value, width)
    }

    fn raw_constant(&self, value: i64) -> Bits<'c> {
        self.constant_bits(value, self.raw.width())
    }

    /// The raw signal cut or extended to `width` bits.
    fn raw_bits(&self, width: u32) -> Bits<'c> {
        let is_signed = self.min < self.offset;
        match width.cmp(&self.raw.width()) {
            std::cmp::Ordering::Less => self.raw.low(width),
            std::cmp::Ordering::Equal => self.raw,
            std::cmp::Ordering::Greater if is_signed => self.raw.sext(width),
            std::cmp::Ordering::Greater => self.raw.zext(width),
        }
    }
}
