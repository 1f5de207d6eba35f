//! The delay model: how long each operator takes, from each bit of its operands to each bit of its result.
//!
//! An operator costs levels of 4-input lookup tables. An adder or comparison costs a level and a half to enter and leave the carry chain, and one
//! step of the chain per bit, so its low bits are early. Delays add up along a path, so the same figures give arrival times (forwards) and remaining
//! times (backwards).

use crate::{Netlist, NodeId, Op};
use serde::Serialize;

/// Time in picoseconds, or in thousandths of a level.
pub type Time = i64;

/// The delays of the parts of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Delays {
    /// A lookup table and the wires to it.
    pub level: Time,
    /// One bit of a carry chain.
    pub carry: Time,
}

impl Delays {
    /// The unit in which registers are placed: levels, with a carry chain as fast as in FPGAs.
    pub const LEVELS: Delays = Delays { level: 1000, carry: 50 };
}

/// How delays run from the bits of an operand to the bits of the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path {
    /// From each bit to the bit at the same place.
    Bitwise(Time),
    /// From each bit to all bits.
    All(Time),
    /// From each bit to the one at the same place, and up the carry chain.
    Carry { start: Time, step: Time },
    /// From each bit up the carry chain, whose end is the only bit of the result.
    CarryOut { start: Time, step: Time },
}

impl Path {
    /// Makes `result`, the arrival time of each bit, no earlier than this operand's bits allow; a constant bit is `None`.
    pub fn forward(self, operand: &[Option<Time>], result: &mut [Time]) {
        let raise = |time: &mut Time, to: Time| *time = (*time).max(to);
        let known = || operand.iter().enumerate().filter_map(|(bit, time)| Some((bit, (*time)?)));
        match self {
            Path::Bitwise(delay) => known().for_each(|(bit, time)| raise(&mut result[bit], time + delay)),
            Path::All(delay) => {
                let Some(latest) = known().map(|(_, time)| time).max() else { return };
                result.iter_mut().for_each(|time| raise(time, latest + delay));
            }
            Path::Carry { start, step } => {
                let mut chain = None;
                for (bit, time) in result.iter_mut().enumerate() {
                    let enters = operand.get(bit).copied().flatten().map(|time| time + start);
                    chain = chain.map(|time: Time| time + step).max(enters);
                    chain.into_iter().for_each(|chain| raise(time, chain));
                }
            }
            Path::CarryOut { start, step } => {
                let top = operand.len() as Time - 1;
                known().for_each(|(bit, time)| raise(&mut result[0], time + start + step * (top - bit as Time)));
            }
        }
    }

    /// Makes `operand`, the latest time of each bit, no later than what `result` allows.
    pub fn backward(self, result: &[Time], operand: &mut [Time]) {
        let lower = |time: &mut Time, to: Time| *time = (*time).min(to);
        match self {
            Path::Bitwise(delay) => operand.iter_mut().zip(result).for_each(|(time, end)| lower(time, end - delay)),
            Path::All(delay) => {
                let earliest = result.iter().min().expect("a result has bits");
                operand.iter_mut().for_each(|time| lower(time, earliest - delay));
            }
            Path::Carry { start, step } => {
                let mut chain = Time::MAX;
                for (bit, end) in result.iter().enumerate().rev() {
                    chain = chain.saturating_sub(step).min(*end);
                    operand.get_mut(bit).into_iter().for_each(|time| lower(time, chain - start));
                }
            }
            Path::CarryOut { start, step } => {
                let top = operand.len() as Time - 1;
                for (bit, time) in operand.iter_mut().enumerate() {
                    lower(time, result[0] - start - step * (top - bit as Time));
                }
            }
        }
    }
}

impl Delays {
    /// The paths through a computing node, one for each operand.
    pub(super) fn paths(&self, netlist: &Netlist, id: NodeId) -> Vec<(NodeId, Path)> {
        let Delays { level, carry } = *self;
        let width = |id: NodeId| netlist.nodes[id].width;
        let both = |a, b, path| vec![(a, path), (b, path)];
        match netlist.nodes[id].op {
            Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) => both(a, b, Path::Bitwise(level / 2)),
            Op::Add(a, b) | Op::Sub(a, b) => both(a, b, Path::Carry { start: self.adder(), step: carry }),
            Op::Lt(a, b) => both(a, b, Path::CarryOut { start: self.adder(), step: carry }),
            Op::Eq(a, b) => {
                let constants = [a, b].iter().filter(|&&id| matches!(netlist.nodes[id].op, Op::Constant(_))).count();
                both(a, b, Path::All(self.tree((2 - constants as u32) * width(a))))
            }
            Op::AnyOne(a) | Op::AllOnes(a) => vec![(a, Path::All(self.tree(width(a))))],
            Op::Mul(a, b) => both(a, b, Path::Carry { start: self.product(width(a).min(width(b))), step: carry }),
            Op::Mux { select, one, zero } => {
                let data = Path::Bitwise(3 * level / 4);
                vec![(select, Path::All(3 * level / 4)), (one, data), (zero, data)]
            }
            Op::Input(_)
            | Op::Register(_)
            | Op::Constant(_)
            | Op::Not(_)
            | Op::Slice { .. }
            | Op::Concat(_)
            | Op::Repeat(_) => vec![],
        }
    }

    /// From a bit of a factor to the bit of the product at the same place. One level forms the rows of partial products, each
    /// further level reduces three rows to two, and an adder sums the last two.
    pub(super) fn product(&self, rows: u32) -> Time {
        let compression = (f64::from(rows) / 2.0).log(1.5).ceil() as Time;
        self.level + self.level * compression.max(0) + self.adder()
    }

    /// Into a carry chain and out of it at the same bit.
    pub(super) fn adder(&self) -> Time {
        3 * self.level / 2
    }

    /// A tree of gates over this number of bits: a lookup table holds two levels of it.
    pub(super) fn tree(&self, bits: u32) -> Time {
        self.level / 2 * Time::from(bits.max(2).next_power_of_two().ilog2())
    }
}
