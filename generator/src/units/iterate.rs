//! Units that take several clocks for an operation: registers hold what a clock leaves to the next one.
//!
//! ```text
//!   operands -> first values -> registers <--+
//!                                 |          |
//!                                 +-> step --+
//!                                 |
//!                                 +-> results, after the last step
//! ```

use super::class::Class;
use binade_circuit::{Bits, Circuit, Int, unsigned_width};

/// When the steps of a unit take place.
pub enum Schedule<'c> {
    /// In one clock, row below row.
    AtOnce,
    /// Clock after clock.
    Clocked(Clocks<'c>),
}

/// The control of a unit that takes several clocks.
pub struct Clocks<'c> {
    /// 1 where operands are taken.
    takes: Bits<'c>,
    /// The steps in one clock.
    pub per_clock: u32,
    /// All steps.
    pub steps: u32,
}

/// The clocks that a number of steps take: one takes the operands, the others make up to `per_clock` steps each.
pub fn clocks(steps: u32, per_clock: u32) -> u32 {
    1 + steps.div_ceil(per_clock)
}

impl<'c> Clocks<'c> {
    /// The control for at least `steps` steps, and its `out_valid`.
    pub fn new(circuit: &'c Circuit, takes: Bits<'c>, steps: u32, per_clock: u32) -> (Clocks<'c>, Bits<'c>) {
        circuit.section("Control: clocks left in the operation");
        let rounds = steps.div_ceil(per_clock);
        let is_busy = circuit.register("is_busy", 1, 0, "an operation is in progress");
        let width = unsigned_width(rounds);
        let left = circuit.register("clocks_left", width, 0, "clocks until its results are due");
        let is_last = left.none().named("is_last");
        circuit.drive(is_busy, takes | (is_busy & !is_last));
        let first = circuit.constant(rounds.into(), width);
        circuit.drive(left, takes.select(first, left.sub(circuit.constant(1, width)).called("fewer_clocks")));
        (Clocks { takes, per_clock, steps: rounds * per_clock }, is_busy & is_last)
    }

    /// A register that begins an operation with a first value; [`Clocks::step`] gives the other ones.
    pub fn register(&self, name: &str, width: u32, about: &str) -> Bits<'c> {
        self.takes.circuit().register(name, width, 0, about)
    }

    /// The values of a register: `first` when operands are taken, `next` after each other clock.
    pub fn step(&self, register: Bits<'c>, first: Bits<'c>, next: Bits<'c>) {
        self.takes.circuit().drive(register, self.takes.select(first, next));
    }

    /// A value as it was when the operands were taken.
    pub fn held(&self, name: &str, bits: Bits<'c>) -> Bits<'c> {
        if bits.known().is_some() {
            return bits;
        }
        let register = self.register(name, bits.width(), "");
        self.step(register, bits, register);
        register
    }
}

impl<'c> Schedule<'c> {
    /// A value when the results are made.
    pub fn held(&self, name: &str, bits: Bits<'c>) -> Bits<'c> {
        match self {
            Schedule::AtOnce => bits,
            Schedule::Clocked(clocks) => clocks.held(&format!("held_{name}"), bits),
        }
    }

    /// A number when the results are made.
    pub fn held_number(&self, name: &str, number: Int<'c>) -> Int<'c> {
        number.carried_by(|raw| self.held(name, raw))
    }

    /// A class when the results are made.
    pub fn held_class(&self, class: Class<'c>) -> Class<'c> {
        Class {
            sign: self.held("sign", class.sign),
            is_zero: self.held("is_zero", class.is_zero),
            is_infinite: self.held("is_infinite", class.is_infinite),
            is_nan: self.held("is_nan", class.is_nan),
            is_invalid: self.held("is_invalid", class.is_invalid),
        }
    }
}
