//! Shrinks a failing vector to a simple one on which the unit is also wrong.
//!
//! This is a descent: among all simpler vectors that differ from the current one by a small step in one lane, or else in two, the simplest
//! failing one becomes the current one, until none fails. Steps clear bits, move codes closer to that of 1, and change exponents, so that
//! both exponents can change together if a fault needs them to match.
//!
//! | file | what it holds |
//! |---|---|
//! | `complexity.rs` | [`complexity`]: which vector is simpler |
//! | `steps.rs` | vectors that are a small step away |
//! | `sequence.rs` | shrinks sequences of a unit with state |

mod complexity;
mod sequence;
mod steps;

pub use complexity::complexity;

use super::counterexample::Counterexample;
use super::mismatch::Mismatch;
use super::scoreboard::{Device, first_wrong};
use crate::reference::Reference;
use binade_golden::Model;
use binade_spec::Operation;
use binade_spec::Word;
use binade_stimulus::Columns;
use binade_stimulus::words::widths;
use binade_stimulus::{Choice, Plan};
use binade_stimulus::{Place, join, places, split};
use complexity::complexity_of_lanes;
use steps::{double_steps, single_steps, steps};

/// The most vectors that are evaluated. Even the interpreter of circuits takes only a fraction of a second for them.
const EVALUATIONS: usize = 8192;

/// Vectors evaluated at once. Candidates are tried from the simplest on, so the first failing one ends a round.
const BATCH: usize = 128;

/// The simplest vector that was found to fail alone, as the first of a new instance. None if even `found` does not: then the result depends
/// on earlier vectors, or on a bubble or a stall. `new_instance` makes the unit as in the run.
pub fn shrink<Instance: Device>(
    operation: &Operation,
    found: &Counterexample,
    new_instance: impl Fn() -> Instance,
) -> Option<Counterexample> {
    shrink_for(&Model::new(operation), found, new_instance)
}

/// The simplest vector that fails alone for any reference, like [`shrink`].
pub(crate) fn shrink_for<Instance: Device>(
    reference: &dyn Reference,
    found: &Counterexample,
    new_instance: impl Fn() -> Instance,
) -> Option<Counterexample> {
    if reference.has_state() {
        return sequence::shrink(reference, found, new_instance());
    }
    let alone = |vector: &Counterexample| {
        let mut search = Search::new(reference, new_instance(), 1);
        let lanes = split(&search.places, &vector.operands);
        search.first_failing(&[lanes])
    };
    let found = Counterexample { index: found.index, ..alone(found)? };
    let mut search = Search::new(reference, new_instance(), EVALUATIONS);
    let mut simplest = found.clone();
    while let Some(simpler) = search.simpler(&simplest) {
        simplest = simpler;
    }
    let simplest = alone(&simplest).map(|vector| Counterexample { index: found.index, ..vector });
    simplest.or(Some(found))
}

/// Explains what was found, and shrinks it unless the run had only that vector. `new_instance` makes the unit as in the run.
pub fn explain<Instance: Device>(
    operation: &Operation,
    plan: &Plan,
    found: &Counterexample,
    new_instance: impl Fn() -> Instance,
) -> Mismatch {
    explain_for(&Model::new(operation), plan, found, new_instance)
}

/// Like [`explain`], for any reference.
pub(crate) fn explain_for<Instance: Device>(
    reference: &dyn Reference,
    plan: &Plan,
    found: &Counterexample,
    new_instance: impl Fn() -> Instance,
) -> Mismatch {
    let is_replay = plan.total() == 1 || matches!(plan.choice(), Choice::Replay(_));
    let simplest = if is_replay { Some(found.clone()) } else { shrink_for(reference, found, new_instance) };
    Mismatch::new(reference, found, simplest.as_ref())
}

struct Search<'r, Instance> {
    reference: &'r dyn Reference,
    places: Vec<Place>,
    input_widths: Vec<u32>,
    output_widths: Vec<u32>,
    unit: Instance,
    /// How many evaluations are left.
    evaluations: usize,
}

impl<'r, Instance: Device> Search<'r, Instance> {
    fn new(reference: &'r dyn Reference, unit: Instance, evaluations: usize) -> Self {
        let (inputs, outputs) = (reference.inputs(), reference.outputs());
        Search {
            reference,
            places: places(&inputs),
            input_widths: widths(&inputs).collect(),
            output_widths: widths(&outputs).collect(),
            unit,
            evaluations,
        }
    }

    /// The simplest failing vector that is one step from `current` (or one step in each of two lanes), if there is a simpler one.
    fn simpler(&mut self, current: &Counterexample) -> Option<Counterexample> {
        let lanes = split(&self.places, &current.operands);
        let steps = steps(&self.places, &lanes);
        let single = self.sorted(&lanes, single_steps(&lanes, &steps));
        self.first_failing(&single).or_else(|| {
            let double = self.sorted(&lanes, double_steps(&lanes, &steps));
            self.first_failing(&double)
        })
    }

    /// The candidates that are simpler than `current`, simplest first.
    fn sorted(&self, current: &[Word], candidates: Vec<Vec<Word>>) -> Vec<Vec<Word>> {
        let limit = complexity_of_lanes(&self.places, current.to_vec());
        let mut keyed: Vec<_> = candidates.into_iter().map(|lanes| complexity_of_lanes(&self.places, lanes)).collect();
        keyed.retain(|key| *key < limit);
        keyed.sort();
        keyed.dedup();
        keyed.into_iter().map(|(_, lanes)| lanes).collect()
    }

    /// The first of these vectors on which unit and golden model disagree, as far as evaluations are left.
    fn first_failing(&mut self, vectors: &[Vec<Word>]) -> Option<Counterexample> {
        let affordable = &vectors[..vectors.len().min(self.evaluations)];
        for batch in affordable.chunks(BATCH) {
            self.evaluations -= batch.len();
            let operands: Vec<Vec<Word>> = batch.iter().map(|lanes| join(&self.places, lanes)).collect();
            let inputs = Columns::of_vectors(self.input_widths.iter().copied(), &operands);
            let count = batch.len();
            let mut got = Columns::zeros(self.output_widths.iter().copied(), batch.len());
            let mut want = got.clone();
            if self.unit.evaluate(0, &inputs.views(), &mut got.views_mut(batch.len())).is_err() {
                // The results of a pipelined unit came at the wrong clock, so there is nothing to compare.
                continue;
            }
            self.reference.evaluate_columns(&inputs.views(), &mut want.views_mut(batch.len()));
            if let Some(at) = first_wrong(self.reference, &inputs, [&got, &want], count) {
                let (operands, got, want) = (operands[at].clone(), got.vector(at), want.vector(at));
                return Some(Counterexample { index: 0, operands, before: vec![], got, want, violation: None });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::Unit;
    use binade_spec::word::low_bits;
    use binade_spec::{Column, ColumnMut};

    fn operation(unit: Unit, operand: &str, result: &str) -> Operation {
        Operation::new(unit, operand.parse().unwrap(), result.parse().unwrap())
    }

    fn words(codes: &[u64]) -> Vec<Word> {
        codes.iter().copied().map(Word::from).collect()
    }

    /// The only result.
    fn answer(operation: &Operation, codes: &[u64]) -> u64 {
        low_bits(&Reference::evaluate(&Model::new(operation), &words(codes))[0]) as u64
    }

    /// Shrinks `start` for a unit that is wrong where `is_wrong` says so; also returns the number of evaluations.
    fn shrunk(operation: &Operation, start: &[u64], is_wrong: impl Fn(&[u64]) -> bool) -> (Vec<u64>, usize) {
        let asked = std::cell::Cell::new(0);
        let unit = |inputs: &[Column], got: &mut [ColumnMut]| {
            asked.set(asked.get() + got[0].words.len());
            for (at, got) in got[0].words.iter_mut().enumerate() {
                let vector: Vec<u64> = inputs.iter().map(|column| column.words[at]).collect();
                *got = answer(operation, &vector) ^ u64::from(is_wrong(&vector));
            }
        };
        let found = Counterexample {
            index: 7,
            operands: words(start),
            before: vec![],
            got: vec![],
            want: vec![],
            violation: None,
        };
        let simplest = shrink(operation, &found, || unit).expect("it fails alone");
        assert_eq!(simplest.index, 7);
        assert_eq!(simplest.want, Reference::evaluate(&Model::new(operation), &simplest.operands));
        (simplest.operands.iter().map(|word| low_bits(word) as u64).collect(), asked.get())
    }

    #[test]
    fn a_unit_that_is_always_wrong_is_shown_with_zeros() {
        let fmac = Operation { rounding: binade_spec::Rounding::Sr(3), ..operation(Unit::Fmac, "e5m2b1", "binary16") };
        let (vector, asked) = shrunk(&fmac, &[0x7d, 0xbc, 0x1234, 5], |_| true);
        assert_eq!(vector, [0; 4]);
        assert!(asked <= EVALUATIONS + 1, "{asked}");
    }

    #[test]
    fn what_matters_stays() {
        let mul = operation(Unit::Mul, "binary16", "binary16");
        let is_subnormal = |code: u64| code & 0x7c00 == 0 && code & 0x3ff != 0;
        let (vector, _) = shrunk(&mul, &[0x80f3, 0xc5a7], |vector| is_subnormal(vector[0]) && vector[1] > 0x8000);
        // The largest subnormal power of two, and -1, the simplest negative number.
        assert_eq!(vector, [0x0200, 0xbc00]);
        let (vector, _) = shrunk(&mul, &[0x7e12, 0x3c00], |vector| vector[0] & 0x7fff > 0x7c00 && vector[1] != 0);
        assert_eq!(vector, [0x7e00, 0x3c00]);
    }

    #[test]
    fn exponents_that_must_fit_move_together() {
        let add = operation(Unit::Add, "binary32", "binary32");
        let exponent = |code: u64| (code >> 23 & 0xff) as i64;
        let (vector, _) =
            shrunk(&add, &[0x4b12_3456, 0xc512_3456], |vector| exponent(vector[0]) - exponent(vector[1]) == 12);
        assert_eq!(vector, [0x3f80_0000, 0x3980_0000]);
    }

    #[test]
    fn every_format_shrinks_within_the_bound_to_something_no_more_complex() {
        for name in
            ["e5m2b1", "e4m3fn", "k8p4uf", "e8m0", "dlfloat16", "posit16_1", "posit32_2", "binary32", "e2m1f", "e6m9n"]
        {
            let mul = operation(Unit::Mul, name, name);
            let mask = u64::MAX >> (64 - mul.operand.width());
            for seed in 1..20_u64 {
                let start = [1, 2].map(|factor| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15 * factor) & mask);
                let wrong = |vector: &[u64]| (vector[0] ^ vector[1]) % 3 == (start[0] ^ start[1]) % 3;
                let (vector, asked) = shrunk(&mul, &start, wrong);
                assert!(wrong(&vector) && asked <= EVALUATIONS + 1, "{name} {start:x?} {vector:x?} {asked}");
                assert!(complexity(&mul.inputs(), &words(&vector)) <= complexity(&mul.inputs(), &words(&start)));
                assert_eq!(shrunk(&mul, &start, wrong).0, vector, "the same each time");
            }
        }
    }

    /// A latch: it is wrong only after another vector, so no vector fails alone.
    #[test]
    fn a_failure_that_needs_earlier_vectors_is_not_shrunk() {
        let mul = operation(Unit::Mul, "e2m1f", "e2m1f");
        let found = Counterexample {
            index: 3,
            operands: words(&[5, 6]),
            before: vec![],
            got: vec![],
            want: vec![],
            violation: None,
        };
        let latch = || {
            let mut is_first = true;
            move |inputs: &[Column], got: &mut [ColumnMut]| {
                for (at, got) in got[0].words.iter_mut().enumerate() {
                    *got = answer(&mul, &[inputs[0].words[at], inputs[1].words[at]]) ^ u64::from(!is_first);
                    is_first = false;
                }
            }
        };
        assert_eq!(shrink(&mul, &found, latch), None);
    }
}
