//! Units that take several clocks for an operation: the control, for all sequences.
//!
//! The control is the flip-flops that `out_valid` depends on. Their next values depend on `rst_n`, `en`, `in_valid` and each other alone,
//! and they are few: all states that a reset leaves, and all that follow from them, are visited together with what the contract says is
//! due. The results of an operation are proven in [`clocked`](crate::clocked): they follow from its operands, whatever the registers held
//! when these were taken.

use crate::dependence::{CONTROLS, alone};
use crate::sweep::{cone, simulated, value};
use binade_gates::{Graph, Literal};
use binade_spec::contract::{Due, Levels, Line, Pace, Property};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most flip-flops of a control: all their contents may be left by a reset.
const MOST_BITS: usize = 12;

/// The levels of `rst_n`, `en` and `in_valid`, by their number.
const LEVELS: u64 = 8;

fn levels(number: u64) -> Levels {
    Levels { rst_n: number & 1 == 1, en: number >> 1 & 1 == 1, in_valid: number >> 2 & 1 == 1 }
}

/// The flip-flops that `out_valid` depends on.
struct Control {
    /// Their number.
    bits: usize,
    /// `out_valid` and their next values, as functions of the levels and of their values.
    clock: Graph,
}

/// `out_valid`, and the contents after the clock, for each number of levels.
type Moves = [(bool, u64); LEVELS as usize];

/// Checks `out_valid` of a unit at this pace, in all sequences.
pub fn check_control(unit: &Graph, pace: Pace, is_over: &dyn Fn() -> bool) -> Result<(), Property> {
    let control = Control::new(unit, is_over)?;
    let mut moves: FxHashMap<u64, Moves> = FxHashMap::default();
    let mut moves_of = |contents: u64| *moves.entry(contents).or_insert_with(|| control.moves(contents));
    let in_reset = (0..LEVELS).filter(|&number| !levels(number).rst_n);
    let mut after_reset: BTreeSet<u64> = BTreeSet::new();
    for contents in 0..1 << control.bits {
        let moves = moves_of(contents);
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

impl Control {
    /// The control, if it has few flip-flops, which depend on nothing else; no undefined bit may matter.
    fn new(unit: &Graph, is_over: &dyn Fn() -> bool) -> Result<Control, Property> {
        let flip_flops = flip_flops(unit).ok_or(Property::OutValid)?;
        let widths = [CONTROLS as u32, flip_flops.len() as u32];
        let mut clock = Graph::new(widths.into_iter().chain([unit.undefined().len() as u32]));
        let [controls, kept, undefined] = [0, 1, 2].map(|input: usize| clock.inputs()[input].clone());
        let operands = vec![Literal::FALSE; unit.inputs()[CONTROLS..].iter().map(Vec::len).sum()];
        let value = |at: usize| flip_flops.iter().position(|&it| it == at).map_or(Literal::FALSE, |place| kept[place]);
        let state: Vec<Literal> = (0..unit.flip_flops().len()).map(value).collect();
        let images = clock.add_gates(unit, [controls, operands, undefined, state].concat(), None);
        let nexts = flip_flops.iter().map(|&at| images.of(unit.flip_flops()[at].next)).collect();
        let results = [images.of_words(&unit.outputs()[..1])[0].clone(), nexts];
        let clock = alone(&clock, &results, &widths, is_over).ok_or(Property::Defined)?;
        Ok(Control { bits: flip_flops.len(), clock })
    }

    fn moves(&self, contents: u64) -> Moves {
        let controls = (0..CONTROLS).map(|place| (0..LEVELS).map(|number| (number >> place & 1) << number).sum());
        let kept = (0..self.bits).map(|place| if contents >> place & 1 == 1 { u64::MAX } else { 0 });
        let values = simulated(self.clock.gates(), &controls.chain(kept).collect::<Vec<u64>>());
        let level = |literal: Literal, number: usize| value(&values, literal) >> number & 1;
        let [is_valid, nexts] = [0, 1].map(|output: usize| &self.clock.outputs()[output]);
        std::array::from_fn(|number| {
            let next = (0..).zip(nexts).map(|(place, &bit)| level(bit, number) << place);
            (level(is_valid[0], number) == 1, next.sum())
        })
    }
}

/// The flip-flops that `out_valid` depends on, by their places; `None` if they are many or depend on operands.
fn flip_flops(unit: &Graph) -> Option<Vec<usize>> {
    let sources = unit.sources().len();
    let nodes = |literals: &[Literal]| literals.iter().map(|literal| literal.node()).collect::<BTreeSet<usize>>();
    let others = &nodes(&unit.inputs()[..CONTROLS].concat()) | &nodes(unit.undefined());
    let mut wanted = unit.outputs()[0].clone();
    let mut known: BTreeSet<usize> = BTreeSet::new();
    loop {
        let needed = cone(unit, &wanted);
        let place = |node: usize| unit.flip_flops().iter().position(|flip_flop| flip_flop.state.node() == node);
        let found = (1..=sources).filter(|node| needed[*node] && !others.contains(node)).map(place);
        let found: BTreeSet<usize> = found.collect::<Option<_>>()?;
        if found.len() > MOST_BITS {
            return None;
        }
        if found == known {
            return Some(found.into_iter().collect());
        }
        wanted.extend(found.iter().map(|&at| unit.flip_flops()[at].next));
        known = found;
    }
}
