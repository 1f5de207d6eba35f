//! What a module with a clock must do at its ports: the contract of `docs/contract.md`. The lanes engine gets the
//! expected outputs from [`Line`], the Verilator harness (`testbench/verilator/clocked.cpp`) implements the same rules
//! in C++, and the prover proves each [`Property`] for all sequences.

use std::collections::VecDeque;
use std::fmt;

/// The control ports of a module, besides its clock, operands and results. Rules about missing ports do not apply. And when the module may
/// be used after a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlPorts {
    /// `en`: the module stalls while this is 0. Without it, the module never stalls.
    pub has_enable: bool,
    /// `in_valid`: operands are present. Without it, each enabled clock takes operands.
    pub has_in_valid: bool,
    /// `out_valid`: results are present. Without it, results are checked after the latency.
    pub has_out_valid: bool,
    /// `rst_n`, of either polarity, synchronous or asynchronous.
    pub has_reset: bool,
    /// `out_ready` of a module with valid and ready: results wait while this is 0. Without it, they must be taken at once.
    pub has_out_ready: bool,
    /// The clock cycles after a reset, or after the start, that are bubbles: the module takes no operands in them.
    pub startup: u32,
    /// The other operations that a user's module is given in between, whose results are not judged.
    pub besides: u32,
    /// Bits of `tag_in` and `tag_out` of a module with valid and ready, whose results may come in any order; 0 if it has none.
    pub tag_bits: u32,
}

impl ControlPorts {
    /// The ports of every generated unit with a clock.
    pub const ALL: ControlPorts = ControlPorts {
        has_enable: true,
        has_in_valid: true,
        has_out_valid: true,
        has_reset: true,
        has_out_ready: true,
        startup: 0,
        besides: 0,
        tag_bits: 0,
    };

    /// No ports.
    pub const NONE: ControlPorts = ControlPorts {
        has_enable: false,
        has_in_valid: false,
        has_out_valid: false,
        has_reset: false,
        has_out_ready: false,
        startup: 0,
        besides: 0,
        tag_bits: 0,
    };

    /// Whether some clocks can take nothing: `in_valid` marks them, or without `out_valid` their results are not
    /// checked. A module with state takes operands in each clock unless `in_valid` says otherwise.
    pub fn has_bubbles(self, has_state: bool) -> bool {
        self.has_in_valid || !self.has_out_valid && !has_state
    }

    /// The disturbances that can occur between operands, in words.
    pub fn disturbances(self, has_state: bool) -> Option<String> {
        let there = [(self.has_bubbles(has_state), "bubbles"), (self.has_enable, "stalls"), (self.has_reset, "resets")];
        let words: Vec<&str> = there.into_iter().filter(|(is_there, _)| *is_there).map(|(_, what)| what).collect();
        match words[..] {
            [] => None,
            [only] => Some(only.into()),
            [first, second] => Some(format!("{first} and {second}")),
            _ => Some("bubbles, stalls and resets".into()),
        }
    }

    /// The missing controls, whose rules are not checked, in words.
    pub fn missing(self) -> Vec<&'static str> {
        let there = [
            (self.has_enable, "it has no enable"),
            (self.has_out_valid, "it does not say when results are valid"),
            (self.has_reset, "it has no reset"),
        ];
        there.into_iter().filter(|(is_there, _)| !is_there).map(|(_, what)| what).collect()
    }
}

/// A property of the contract, for every sequence of operands, bubbles, stalls and resets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Results that are due belong to the operands taken a latency before.
    Results,
    /// `out_valid` is 1 when results are due, else 0.
    OutValid,
    /// A clock with `en` at 0 changes nothing.
    Stall,
    /// After a clock in reset, no earlier operands are due, whatever `en` is.
    Reset,
    /// The state of a unit follows from its initial state and the operands taken since the reset, one after the other.
    State,
    /// Results that are due do not depend on an undefined bit.
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

    /// What happens when the property is violated.
    fn breach(self) -> &'static str {
        match self {
            Property::Results => "the results depend on more than the operands taken a latency before",
            Property::OutValid => "out_valid does not equal in_valid a latency before",
            Property::Stall => "a flip-flop changes while en is 0",
            Property::Reset => "out_valid may be 1 after a reset, before results are due",
            Property::State => "the state does not follow from the operands taken, one after the other",
            Property::Defined => "the results depend on an undefined bit",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} (property `{}`)", self.breach(), self.name())
    }
}

/// The levels of the controls in a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// 0 resets.
    pub rst_n: bool,
    /// 0 stalls.
    pub en: bool,
    /// 1 takes operands, unless one of the others forbids it.
    pub in_valid: bool,
}

impl Levels {
    /// Whether operands are taken in the clock.
    pub fn take(self) -> bool {
        self.rst_n && self.en && self.in_valid
    }
}

/// What is due at the outputs just before a rising edge of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due<T> {
    /// Nothing: the outputs may be anything.
    Free,
    /// `out_valid` is 0, and the results may be anything.
    Empty,
    /// `out_valid` is 1, with the results of these operands.
    Results(T),
}

/// When a module takes operands and answers, in clocks without stalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pace {
    /// From operands to their results.
    pub latency: u32,
    /// The fewest from operands to the next ones; those that come sooner replace them. It is 1 or the latency.
    pub interval: u32,
}

impl Pace {
    /// Operands in each clock.
    pub const fn pipelined(latency: u32) -> Pace {
        Pace { latency, interval: 1 }
    }

    /// The next operands with the results at the earliest.
    pub const fn iterated(clocks: u32) -> Pace {
        Pace { latency: clocks, interval: clocks }
    }

    /// Whether operands can come too soon.
    pub const fn is_iterated(self) -> bool {
        self.interval > 1
    }
}

/// The operands that a module with some latency has taken and not answered yet, one place per clock of latency.
#[derive(Clone, Debug)]
pub struct Line<T> {
    /// The newest first.
    ranks: VecDeque<Option<T>>,
    /// Whether operands replace those that are not answered yet.
    replaces: bool,
    /// Whether the last clock was in reset.
    was_reset: bool,
}

impl<T> Line<T> {
    /// A line without operands.
    pub fn new(pace: Pace) -> Line<T> {
        Line { ranks: (0..pace.latency).map(|_| None).collect(), replaces: pace.is_iterated(), was_reset: false }
    }

    /// The number of clocks from operands to results.
    pub fn latency(&self) -> usize {
        self.ranks.len()
    }

    /// Whether each place holds operands, the newest first, and whether the last clock was in reset.
    pub fn places(&self) -> Vec<bool> {
        self.ranks.iter().map(Option::is_some).chain([self.was_reset]).collect()
    }

    /// What is due at these levels; `offered` comes with them, and without latency appears at the outputs at once, if
    /// it is valid.
    ///
    /// In the first clock in reset anything may be due: an asynchronous reset has acted already, a synchronous one has
    /// not. In later ones the line is empty; without latency `out_valid` follows `in_valid`, and nothing is required of
    /// it in reset.
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
            if levels.in_valid && self.replaces {
                self.ranks.iter_mut().for_each(|rank| *rank = None);
            }
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

    /// What is due in each of these clocks, which offer 1, 2, ..
    fn dues(latency: u32, clocks: &[Levels]) -> Vec<Due<usize>> {
        dues_at(Pace::pipelined(latency), clocks)
    }

    fn dues_at(pace: Pace, clocks: &[Levels]) -> Vec<Due<usize>> {
        let mut line = Line::new(pace);
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
    fn operands_that_come_too_soon_replace_those_before_them() {
        let clocks = [TAKE, TAKE, BUBBLE, STALL, TAKE, BUBBLE, BUBBLE];
        let due = [Due::Empty, Due::Empty, Due::Empty, Due::Results(2), Due::Results(2), Due::Empty, Due::Results(5)];
        assert_eq!(dues_at(Pace::iterated(2), &clocks), due);
    }

    #[test]
    fn a_reset_forgets_what_was_taken() {
        let clocks = [TAKE, RESET, RESET, TAKE, TAKE, STALL];
        assert_eq!(dues(1, &clocks), [Due::Empty, Due::Free, Due::Empty, Due::Empty, Due::Results(4), Due::Results(5)]);
        assert_eq!(dues(0, &clocks)[..3], [Due::Results(1), Due::Free, Due::Free]);
    }
}
