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
}

/// `out_valid`, and the contents after the clock, for each number of levels.
type Moves = [(bool, u64); LEVELS as usize];

/// Checks `out_valid` of a unit at this pace, in all sequences.
pub fn check_control(unit: &Graph, pace: Pace) -> Result<(), Property> {
    let control = Control::new(unit).ok_or(Property::OutValid)?;
    let mut moves: HashMap<u64, Moves> = HashMap::new();
    let mut moves_of = |contents: u64| *moves.entry(contents).or_insert_with(|| control.moves(contents));
    let in_reset = (0..LEVELS).filter(|&number| !levels(number).rst_n);
    let after_reset: BTreeSet<u64> = (0..1 << control.bits.len())
        .flat_map(|contents| in_reset.clone().map(move |number| (contents, number)))
        .map(|(contents, number)| moves_of(contents)[number as usize].1)
        .collect();
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
        for (number, (is_valid, next)) in (0..).zip(moves_of(contents)) {
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
        let mut wanted = unit.outputs()[0].clone();
        loop {
            let needed = cone(unit, &wanted);
            let mut found = bits.clone();
            for source in (1..=sources).filter(|&node| needed[node]) {
                if controls.iter().any(|control| control.node() == source) {
                    continue;
                }
                found.insert(unit.flip_flops().iter().position(|flip_flop| flip_flop.state.node() == source)?);
            }
            if found.len() > MOST_BITS {
                return None;
            }
            if found == bits {
                return Some(Control { unit, bits: bits.into_iter().collect() });
            }
            wanted.extend(found.iter().map(|&bit| unit.flip_flops()[bit].next));
            bits = found;
        }
    }

    fn moves(&self, contents: u64) -> Moves {
        let mut words = vec![0; self.unit.sources().len()];
        let mut set = |literal: Literal, word: u64| words[literal.node() - 1] = word;
        for (place, control) in (0..).zip(self.unit.inputs()[..3].concat()) {
            set(control, (0..LEVELS).map(|number| (number >> place & 1) << number).sum());
        }
        for (place, &bit) in (0..).zip(&self.bits) {
            set(self.unit.flip_flops()[bit].state, if contents >> place & 1 == 1 { u64::MAX } else { 0 });
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
