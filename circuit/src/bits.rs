//! Signals.

use crate::{Circuit, Label, NodeId, Note, Op, mask};
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A signal: a `Copy` handle on a node of a circuit. Operators keep the width; methods say the width of their result.
/// A width mistake is a bug of the unit's author and panics with the names of both operands.
#[derive(Clone, Copy)]
pub struct Bits<'c> {
    pub(crate) circuit: &'c Circuit,
    pub(crate) node: NodeId,
}

/// Parts side by side, the highest first.
///
/// # Panics
/// If there is no part.
#[track_caller]
pub fn concat<'c>(parts: &[Bits<'c>]) -> Bits<'c> {
    let width = parts.iter().map(Bits::width).sum();
    parts[0].circuit.bits(Op::Concat(parts.iter().map(|part| part.node).collect()), width)
}

#[allow(clippy::should_implement_trait, reason = "arithmetic is a method: its doc says the width of the result")]
impl<'c> Bits<'c> {
    pub(crate) fn new(circuit: &'c Circuit, node: NodeId) -> Bits<'c> {
        Bits { circuit, node }
    }

    /// The circuit that the signal belongs to.
    pub fn circuit(&self) -> &'c Circuit {
        self.circuit
    }

    /// The node that the signal is a handle on.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Bits of the signal.
    pub fn width(&self) -> u32 {
        self.circuit.width(self.node)
    }

    /// The value, if it is known while building and has no more than 128 bits.
    pub fn known(&self) -> Option<u128> {
        self.circuit.with_constant(self.node, |value, _| value.try_into().ok()).flatten()
    }

    /// Names the signal; the name appears in the Verilog. A shared signal keeps its first name.
    pub fn named(self, name: impl AsRef<str>) -> Bits<'c> {
        self.labeled(name.as_ref(), None, true)
    }

    /// Names the signal, with a comment in the Verilog that says what its value stands for. A shared signal keeps its first
    /// name, with or without a comment.
    pub fn explained(self, name: impl AsRef<str>, note: impl Into<String>) -> Bits<'c> {
        self.labeled(name.as_ref(), Some(Note::Value(note.into())), true)
    }

    /// Names the signal, with a comment in the Verilog that explains its width: the parts from the top down, each with its
    /// bits. The comment is dropped if some bits turn out to be unused.
    ///
    /// # Panics
    /// If the widths of the parts do not add up to the width of the signal.
    #[track_caller]
    pub fn made_of(self, name: impl AsRef<str>, parts: &[(u32, &str)]) -> Bits<'c> {
        let width = self.width();
        let (name, sum) = (name.as_ref(), parts.iter().map(|(bits, _)| bits).sum::<u32>());
        assert_eq!(sum, width, "the parts of {name}, which has {width} bits");
        let parts: Vec<String> =
            parts.iter().filter(|(bits, _)| *bits > 0).map(|(bits, what)| format!("{bits} {what}")).collect();
        self.labeled(name, Some(Note::Width(format!("{width} bits: {}", parts.join(", ")))), true)
    }

    /// Names the signal in case it must become a wire: it has several uses, or is too long to inline.
    pub fn called(self, name: impl AsRef<str>) -> Bits<'c> {
        self.labeled(name.as_ref(), None, false)
    }

    /// Names the signal after another one, if that has a name, in case it must become a wire.
    pub(crate) fn called_after(self, other: Bits<'c>, what: &str) -> Bits<'c> {
        if let Some(name) = self.circuit.name(other.node) {
            self.circuit.label(self.node, Label { name: format!("{name}_{what}"), note: None, is_wire: false });
        }
        self
    }

    /// A comment for the signal, behind one that it gets with its name.
    pub(crate) fn remarked(self, remark: Option<String>) -> Bits<'c> {
        let is_constant = matches!(self.circuit.op(self.node), Op::Constant(_));
        if let Some(remark) = remark.filter(|_| !is_constant) {
            self.circuit.state.borrow_mut().remarks.entry(self.node).or_insert(remark);
        }
        self
    }

    fn labeled(self, name: &str, note: Option<Note>, is_wire: bool) -> Bits<'c> {
        let state = self.circuit.state.borrow();
        let name = format!("{}{name}", state.prefix);
        let note = match (note, state.remarks.get(&self.node)) {
            (Some(Note::Value(note)), Some(remark)) => Some(Note::Value(format!("{note}: {remark}"))),
            (note, remark) => note.or(remark.cloned().map(Note::Value)),
        };
        drop(state);
        self.circuit.label(self.node, Label { name, note, is_wire });
        self
    }

    /// Bits `high` down to `low`.
    ///
    /// # Panics
    /// If the signal does not have these bits.
    #[track_caller]
    pub fn slice(self, high: u32, low: u32) -> Bits<'c> {
        assert!(
            low <= high && high < self.width(),
            "bits [{high}:{low}] of {} do not exist",
            self.circuit.describe(self.node)
        );
        self.circuit.bits(Op::Slice { of: self.node, low }, high - low + 1)
    }

    /// The bit at a place, 0 the lowest.
    ///
    /// # Panics
    /// If the signal does not have this bit.
    #[track_caller]
    pub fn bit(self, index: u32) -> Bits<'c> {
        self.slice(index, index)
    }

    /// The top bit.
    pub fn msb(self) -> Bits<'c> {
        self.bit(self.width() - 1)
    }

    /// The lowest `width` bits.
    ///
    /// # Panics
    /// If there are fewer.
    #[track_caller]
    pub fn low(self, width: u32) -> Bits<'c> {
        self.slice(width - 1, 0)
    }

    /// The highest `width` bits.
    ///
    /// # Panics
    /// If there are fewer.
    #[track_caller]
    pub fn high(self, width: u32) -> Bits<'c> {
        self.slice(self.width() - 1, self.width() - width)
    }

    /// Zeros above, up to `width`.
    ///
    /// # Panics
    /// If the signal has more bits already.
    #[track_caller]
    pub fn zext(self, width: u32) -> Bits<'c> {
        let more = self.extension(width);
        if more == 0 { self } else { concat(&[self.circuit.constant(0, more), self]) }
    }

    /// Copies of the top bit above, up to `width`.
    ///
    /// # Panics
    /// If the signal has more bits already.
    #[track_caller]
    pub fn sext(self, width: u32) -> Bits<'c> {
        let more = self.extension(width);
        if more == 0 { self } else { concat(&[self.msb().repeat(more), self]) }
    }

    #[track_caller]
    fn extension(&self, width: u32) -> u32 {
        match width.checked_sub(self.width()) {
            Some(more) => more,
            None => panic!("{} cannot be extended to {width} bits", self.circuit.describe(self.node)),
        }
    }

    /// `count` zeros below.
    #[track_caller]
    pub fn zeros_below(self, count: u32) -> Bits<'c> {
        if count == 0 { self } else { concat(&[self, self.circuit.constant(0, count)]) }
    }

    /// One bit, `count` times.
    ///
    /// # Panics
    /// If the signal has more than one bit.
    #[track_caller]
    pub fn repeat(self, count: u32) -> Bits<'c> {
        assert_eq!(self.width(), 1, "only a single bit is repeated");
        self.circuit.bits(Op::Repeat(self.node), count)
    }

    /// Sum modulo 2^width.
    ///
    /// # Panics
    /// If the widths differ.
    #[track_caller]
    pub fn add(self, other: Bits<'c>) -> Bits<'c> {
        self.binary(other, Op::Add)
    }

    /// Difference modulo 2^width.
    ///
    /// # Panics
    /// If the widths differ.
    #[track_caller]
    pub fn sub(self, other: Bits<'c>) -> Bits<'c> {
        self.binary(other, Op::Sub)
    }

    /// Unsigned product, as wide as both together.
    #[track_caller]
    pub fn mul(self, other: Bits<'c>) -> Bits<'c> {
        self.circuit.bits(Op::Mul(self.node, other.node), self.width() + other.width())
    }

    /// 1 if equal.
    ///
    /// # Panics
    /// If the widths differ.
    #[track_caller]
    pub fn equals(self, other: Bits<'c>) -> Bits<'c> {
        self.same_width(other);
        self.circuit.bits(Op::Eq(self.node, other.node), 1)
    }

    /// 1 if equal to a constant.
    #[track_caller]
    pub fn equals_constant(self, value: u128) -> Bits<'c> {
        self.equals(self.circuit.constant(value, self.width()))
    }

    /// 1 if less, unsigned.
    ///
    /// # Panics
    /// If the widths differ.
    #[track_caller]
    pub fn less_than(self, other: Bits<'c>) -> Bits<'c> {
        self.same_width(other);
        self.circuit.bits(Op::Lt(self.node, other.node), 1)
    }

    /// 1 if greater than a constant, unsigned.
    pub fn greater_than_constant(self, value: u128) -> Bits<'c> {
        let width = self.width();
        if width <= 128 && value >= mask(width) {
            return self.circuit.zero();
        }
        self.circuit.constant(value, width).less_than(self)
    }

    /// 1 if any bit is 1.
    pub fn any(self) -> Bits<'c> {
        self.circuit.bits(Op::AnyOne(self.node), 1)
    }

    /// 1 if no bit is 1.
    pub fn none(self) -> Bits<'c> {
        !self.any()
    }

    /// 1 if all bits are 1.
    pub fn all(self) -> Bits<'c> {
        self.circuit.bits(Op::AllOnes(self.node), 1)
    }

    /// Chooses by this single bit: `one` if it is 1, else `zero`.
    ///
    /// # Panics
    /// If this signal has more than one bit, or the two others differ in width.
    #[track_caller]
    pub fn select(self, one: Bits<'c>, zero: Bits<'c>) -> Bits<'c> {
        assert_eq!(self.width(), 1, "only a single bit selects");
        one.same_width(zero);
        self.circuit.bits(Op::Mux { select: self.node, one: one.node, zero: zero.node }, one.width())
    }

    /// The signal where this single bit is 1, else zeros.
    #[track_caller]
    pub fn gate(self, bits: Bits<'c>) -> Bits<'c> {
        self.repeat(bits.width()) & bits
    }

    #[track_caller]
    fn same_width(self, other: Bits<'c>) {
        assert!(
            self.width() == other.width(),
            "{} meets {}",
            self.circuit.describe(self.node),
            self.circuit.describe(other.node)
        );
    }

    #[track_caller]
    fn binary(self, other: Bits<'c>, op: fn(NodeId, NodeId) -> Op) -> Bits<'c> {
        self.same_width(other);
        self.circuit.bits(op(self.node, other.node), self.width())
    }
}

impl<'c> BitAnd for Bits<'c> {
    type Output = Bits<'c>;
    #[track_caller]
    fn bitand(self, other: Bits<'c>) -> Bits<'c> {
        self.binary(other, Op::And)
    }
}

impl<'c> BitOr for Bits<'c> {
    type Output = Bits<'c>;
    #[track_caller]
    fn bitor(self, other: Bits<'c>) -> Bits<'c> {
        self.binary(other, Op::Or)
    }
}

impl<'c> BitXor for Bits<'c> {
    type Output = Bits<'c>;
    #[track_caller]
    fn bitxor(self, other: Bits<'c>) -> Bits<'c> {
        self.binary(other, Op::Xor)
    }
}

impl<'c> Not for Bits<'c> {
    type Output = Bits<'c>;
    fn not(self) -> Bits<'c> {
        self.circuit.bits(Op::Not(self.node), self.width())
    }
}
