//! What a module with a clock must do at its ports: the contract of `docs/contract.md`. The lanes take what is due from
//! [`Line`], the harness of Verilator (`testbench/verilator/clocked.cpp`) has the same rules in C++, and the prover
//! shows each [`Property`] for all sequences.

use std::collections::VecDeque;
use std::fmt;

/// Which ports a module has beside its clock, operands and results. What a module has not is not asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlPorts {
    /// `en`: it stalls while this is 0. Without it, it never stalls.
    pub has_enable: bool,
    /// `in_valid`: operands are there. Without it, each enabled clock takes operands.
    pub has_in_valid: bool,
    /// `out_valid`: results are there. Without it, they are looked at after the latency.
    pub has_out_valid: bool,
    /// `rst_n`, of either level, with the clock or without.
    pub has_reset: bool,
}

impl ControlPorts {
    /// Those of every generated unit with a clock.
    pub const ALL: ControlPorts =
        ControlPorts { has_enable: true, has_in_valid: true, has_out_valid: true, has_reset: true };

    /// Whether there can be clocks that take nothing: `in_valid` says so, or nobody sees valid results of what was taken.
    pub fn has_bubbles(self) -> bool {
        self.has_in_valid || !self.has_out_valid
    }

    /// What may come between its operands, in words.
    pub fn disturbances(self) -> Option<String> {
        let there = [(self.has_bubbles(), "bubbles"), (self.has_enable, "stalls"), (self.has_reset, "resets")];
        let words: Vec<&str> = there.into_iter().filter(|(is_there, _)| *is_there).map(|(_, what)| what).collect();
        match words[..] {
            [] => None,
            [only] => Some(only.into()),
            [first, second] => Some(format!("{first} and {second}")),
            _ => Some("bubbles, stalls and resets".into()),
        }
    }

    /// What a module has not, and so is not looked at, in words.
    pub fn missing(self) -> Vec<&'static str> {
        let there = [
            (self.has_enable, "it has no enable"),
            (self.has_out_valid, "it does not say when results are valid"),
            (self.has_reset, "it has no reset"),
        ];
        there.into_iter().filter(|(is_there, _)| !is_there).map(|(_, what)| what).collect()
    }
}

/// A property of the contract, of every sequence of operands, bubbles, stalls and resets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Results that are due are those of the operands that were taken the latency before.
    Results,
    /// `out_valid` is 1 where results are due, and 0 where none are.
    OutValid,
    /// A clock with `en` at 0 changes nothing.
    Stall,
    /// After a clock in reset nothing is due of what was taken before, whatever `en` is.
    Reset,
    /// A unit with state holds what the operands taken since the reset, one after the other, make of its first state.
    State,
    /// Nothing that is due depends on a bit that nothing defines.
    Defined,
}

impl Property {
    /// The name in `docs/contract.md`.
    pub fn name(self) -> &'static str {
        match self {
            Property::Results => "results",
            Property::OutValid => "out-valid",
            Property::Stall => "stall",
            Property::Reset => "reset",
            Property::State => "state",
            Property::Defined => "defined",
        }
    }

    /// What happens where it does not hold.
    fn breach(self) -> &'static str {
        match self {
            Property::Results => "the results depend on more than the operands that were taken the latency before",
            Property::OutValid => "out_valid is not in_valid of the latency before",
            Property::Stall => "a flip-flop changes while en is 0",
            Property::Reset => "out_valid may be 1 after a reset, before results are due",
            Property::State => "the state is not what the operands that were taken, one after the other, make of it",
            Property::Defined => "the results depend on a bit that nothing defines",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} (property `{}`)", self.breach(), self.name())
    }
}

/// The levels of the controls at a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// 0 resets.
    pub rst_n: bool,
    /// 0 stalls.
    pub en: bool,
    /// 1 takes operands, if neither of the others forbids it.
    pub in_valid: bool,
}

impl Levels {
    /// Whether the clock takes operands.
    pub fn take(self) -> bool {
        self.rst_n && self.en && self.in_valid
    }
}

/// What is due at the outputs, just before a rising edge of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due<T> {
    /// Nothing is: the outputs may be anything.
    Free,
    /// `out_valid` is 0, and the results may be anything.
    Empty,
    /// `out_valid` is 1, with the results of what was taken.
    Results(T),
}

/// What a module of some latency has taken and not given yet: a place for each clock on the way.
#[derive(Clone, Debug)]
pub struct Line<T> {
    /// The newest first.
    ranks: VecDeque<Option<T>>,
    /// Whether the last clock was one in reset.
    was_reset: bool,
}

impl<T> Line<T> {
    /// Nothing has been taken.
    pub fn new(latency: u32) -> Line<T> {
        Line { ranks: (0..latency).map(|_| None).collect(), was_reset: false }
    }

    /// Clocks from operands to results.
    pub fn latency(&self) -> usize {
        self.ranks.len()
    }

    /// What is due with these levels; `offered` comes with them, and without latency is at the outputs at once, if it is valid.
    ///
    /// In the first clock in reset anything may be: a reset without the clock has acted already, another has not. In later ones
    /// the line is empty; without latency `out_valid` follows `in_valid`, and nothing is asked of it in reset.
    pub fn due<'a>(&'a self, levels: Levels, offered: &'a T) -> Due<&'a T> {
        match self.ranks.back() {
            _ if !(levels.rst_n || self.was_reset && self.latency() > 0) => Due::Free,
            Some(Some(taken)) => Due::Results(taken),
            Some(None) => Due::Empty,
            None if levels.in_valid => Due::Results(offered),
            None => Due::Empty,
        }
    }

    /// A rising edge of the clock with these levels.
    pub fn clock(&mut self, levels: Levels, offered: T) {
        self.was_reset = !levels.rst_n;
        if self.was_reset {
            self.ranks.iter_mut().for_each(|rank| *rank = None);
        } else if levels.en {
            self.ranks.push_front(levels.in_valid.then_some(offered));
            self.ranks.pop_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAKE: Levels = Levels { rst_n: true, en: true, in_valid: true };
    const BUBBLE: Levels = Levels { in_valid: false, ..TAKE };
    const STALL: Levels = Levels { en: false, ..TAKE };
    const RESET: Levels = Levels { rst_n: false, ..TAKE };

    /// What is due at each of these clocks, which offer 1, 2, ..
    fn dues(latency: u32, clocks: &[Levels]) -> Vec<Due<usize>> {
        let mut line = Line::new(latency);
        let mut due = |(number, &levels): (usize, &Levels)| {
            let due = match line.due(levels, &number) {
                Due::Free => Due::Free,
                Due::Empty => Due::Empty,
                Due::Results(&taken) => Due::Results(taken),
            };
            line.clock(levels, number);
            due
        };
        (1..).zip(clocks).map(&mut due).collect()
    }

    #[test]
    fn what_is_taken_is_due_the_latency_later() {
        let clocks = [TAKE, BUBBLE, STALL, STALL, TAKE, BUBBLE];
        let due = [Due::Empty, Due::Empty, Due::Results(1), Due::Results(1), Due::Results(1), Due::Empty];
        assert_eq!(dues(2, &clocks), due);
        let at_once = [Due::Results(1), Due::Empty, Due::Results(3), Due::Results(4), Due::Results(5), Due::Empty];
        assert_eq!(dues(0, &clocks), at_once);
    }

    #[test]
    fn a_reset_forgets_what_was_taken() {
        let clocks = [TAKE, RESET, RESET, TAKE, TAKE, STALL];
        assert_eq!(dues(1, &clocks), [Due::Empty, Due::Free, Due::Empty, Due::Empty, Due::Results(4), Due::Results(5)]);
        assert_eq!(dues(0, &clocks)[..3], [Due::Results(1), Due::Free, Due::Free]);
    }
}
