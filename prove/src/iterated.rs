//! Units that take several clocks for an operation: the control, for all sequences.
//!
//! The control is the flip-flops that `out_valid` depends on. Their next values depend on `rst_n`, `en`, `in_valid` and each other alone,
//! and they are few: all states that a reset leaves, and all that follow from them, are visited together with what the contract says is
//! due. The results of an operation are proven in [`clocked`](crate::clocked): they follow from its operands, whatever the registers held
//! when these were taken.

use crate::sweep::{cone, simulated, value};
use binade_gates::{Graph, Literal};
use binade_spec::contract::{Due, Levels, Line, Pace, Property};
use std::collections::{BTreeSet, HashMap};

/// The most flip-flops of a control: all their contents may be left by a reset.
const MOST_BITS: usize = 12;

/// The most undefined bits in it, all values of which are tried.
const MOST_UNDEFINED: usize = 6;

/// The levels of `rst_n`, `en` and `in_valid`, by their number.
const LEVELS: u64 = 8;

fn levels(number: u64) -> Levels {
    Levels { rst_n: number & 1 == 1, en: number >> 1 & 1 == 1, in_valid: number >> 2 & 1 == 1 }
}

/// The flip-flops that `out_valid` depends on.
struct Control<'a> {
    unit: &'a Graph,
    /// Their places among all flip-flops.
    bits: Vec<usize>,
    /// The undefined bits among the gates between them, each of which must not matter.
    undefined: Vec<Literal>,
}

/// `out_valid`, and the contents after the clock, for each number of levels.
type Moves = [(bool, u64); LEVELS as usize];

/// Checks `out_valid` of a unit at this pace, in all sequences.
pub fn check_control(unit: &Graph, pace: Pace) -> Result<(), Property> {
    let control = Control::new(unit).ok_or(Property::OutValid)?;
    let mut moves: HashMap<u64, Moves> = HashMap::new();
    let mut moves_of = |contents: u64| -> Result<Moves, Property> {
        if let Some(known) = moves.get(&contents) {
            return Ok(*known);
        }
        let found = control.moves(contents).ok_or(Property::Defined)?;
        moves.insert(contents, found);
        Ok(found)
    };
    let in_reset = (0..LEVELS).filter(|&number| !levels(number).rst_n);
    let mut after_reset: BTreeSet<u64> = BTreeSet::new();
    for contents in 0..1 << control.bits.len() {
        let moves = moves_of(contents)?;
        after_reset.extend(in_reset.clone().map(|number| moves[number as usize].1));
    }
    let empty = {
        let mut line = Line::new(pace);
        line.clock(levels(0), ());
        line
    };
    let mut open: Vec<(u64, Line<()>, bool)> =
        after_reset.into_iter().map(|contents| (contents, empty.clone(), true)).collect();
    let mut seen: BTreeSet<(u64, Vec<bool>)> = BTreeSet::new();
    while let Some((contents, line, is_fresh)) = open.pop() {
        if !seen.insert((contents, line.places())) {
            continue;
        }
        for (number, (is_valid, next)) in (0..).zip(moves_of(contents)?) {
            let levels = levels(number);
            let is_wrong = match line.due(levels, &()) {
                Due::Free => false,
                Due::Empty => is_valid,
                Due::Results(()) => !is_valid,
            };
            if is_wrong {
                return Err(if is_fresh { Property::Reset } else { Property::OutValid });
            }
            let mut line = line.clone();
            line.clock(levels, ());
            open.push((next, line, !levels.rst_n || is_fresh && !levels.take()));
        }
    }
    Ok(())
}

impl<'a> Control<'a> {
    /// The control, if it has few flip-flops, which depend on nothing else.
    fn new(unit: &'a Graph) -> Option<Control<'a>> {
        let controls: Vec<Literal> = unit.inputs()[..3].concat();
        let sources = unit.sources().len();
        let mut bits: BTreeSet<usize> = BTreeSet::new();
        let is_undefined = |source: usize| unit.undefined().iter().any(|bit| bit.node() == source);
        let mut wanted = unit.outputs()[0].clone();
        loop {
            let needed = cone(unit, &wanted);
            let mut found = bits.clone();
            for source in (1..=sources).filter(|&node| needed[node]) {
                if is_undefined(source) || controls.iter().any(|control| control.node() == source) {
                    continue;
                }
                found.insert(unit.flip_flops().iter().position(|flip_flop| flip_flop.state.node() == source)?);
            }
            if found.len() > MOST_BITS {
                return None;
            }
            if found == bits {
                let undefined: Vec<Literal> =
                    unit.undefined().iter().copied().filter(|bit| needed[bit.node()]).collect();
                let control = Control { unit, bits: bits.into_iter().collect(), undefined };
                return (control.undefined.len() <= MOST_UNDEFINED).then_some(control);
            }
            wanted.extend(found.iter().map(|&bit| unit.flip_flops()[bit].next));
            bits = found;
        }
    }

    /// The moves from these contents; `None` if an undefined bit changes them.
    fn moves(&self, contents: u64) -> Option<Moves> {
        let first = self.moves_with(contents, 0);
        let others = 1..1_u64 << self.undefined.len();
        others.map(|choice| self.moves_with(contents, choice)).all(|moves| moves == first).then_some(first)
    }

    /// The moves from these contents with a choice of the undefined bits.
    fn moves_with(&self, contents: u64, choice: u64) -> Moves {
        let mut words = vec![0; self.unit.sources().len()];
        let mut set = |literal: Literal, word: u64| words[literal.node() - 1] = word;
        for (place, control) in (0..).zip(self.unit.inputs()[..3].concat()) {
            set(control, (0..LEVELS).map(|number| (number >> place & 1) << number).sum());
        }
        for (place, &bit) in (0..).zip(&self.bits) {
            set(self.unit.flip_flops()[bit].state, if contents >> place & 1 == 1 { u64::MAX } else { 0 });
        }
        for (place, &bit) in (0..).zip(&self.undefined) {
            set(bit, if choice >> place & 1 == 1 { u64::MAX } else { 0 });
        }
        let values = simulated(self.unit.gates(), &words);
        let level = |literal: Literal, number: u64| value(&values, literal) >> number & 1;
        std::array::from_fn(|number| {
            let number = number as u64;
            let next =
                (0..).zip(&self.bits).map(|(place, &bit)| level(self.unit.flip_flops()[bit].next, number) << place);
            (level(self.unit.outputs()[0][0], number) == 1, next.sum())
        })
    }
}
