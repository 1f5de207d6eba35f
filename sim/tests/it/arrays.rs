//! Systolic arrays: every step is what the golden model says, on every engine, with stalls, bubbles and resets; products of large
//! matrices, tile by tile; each way to break an array is noticed.

use crate::common::engines::{on_all_engines, synthesized, verified};
use crate::common::format;
use binade_circuit::Optimize;
use binade_generator::{Design, generate};
use binade_golden::Model;
use binade_sim::mutate::{Breakable, MutatedUnit, mutate};
use binade_sim::verilator::lint;
use binade_sim::{Choice, Engine, Gates, Plan};
use binade_spec::word::field;
use binade_spec::{Dataflow, Operation, Rounding, Selection, Summation, Unit, Word};
use binade_synth::Target;
use binade_tools::{Source, Tools};
use rayon::prelude::*;

fn selection(array: Dataflow, [operand, result]: [&str; 2], [rows, columns]: [u32; 2]) -> Selection {
    Selection {
        accumulator: Some(format(result)),
        array: Some(array),
        rows: Some(rows),
        columns: Some(columns),
        ..Selection::new(Unit::Mma, format(operand))
    }
}

fn array(array: Dataflow, formats: [&str; 2], size: [u32; 2]) -> Operation {
    selection(array, formats, size).operation().unwrap_or_else(|error| panic!("{error}"))
}

fn both(formats: [&str; 2], size: [u32; 2]) -> [Operation; 2] {
    Dataflow::ALL.map(|dataflow| array(dataflow, formats, size))
}

/// Formats of every family, and sizes of one element, a row, a column and more.
fn all() -> Vec<Operation> {
    let plain = [
        both(["e2m1f", "e3m2"], [1, 1]),
        both(["e5m2b1", "binary16"], [2, 2]),
        both(["e4m3fn", "e5m2"], [1, 3]),
        both(["posit8_1", "posit16_1"], [3, 1]),
        both(["e5m2", "dlfloat16"], [2, 3]),
        both(["fixed8_4", "fixed16_8"], [3, 2]),
        both(["k4p2sf", "posit6_1"], [1, 2]),
    ];
    let others = Dataflow::ALL.map(|dataflow| {
        let plain = selection(dataflow, ["e4m3fn", "binary16"], [2, 2]);
        let selection =
            Selection { second: Some(format("e5m2")), rounding: Some(Rounding::Rdn), rounds_products: true, ..plain };
        selection.operation().unwrap_or_else(|error| panic!("{error}"))
    });
    plain.into_iter().flatten().chain(others).collect()
}

#[test]
fn circuits_do_what_the_golden_model_says() {
    all().into_par_iter().enumerate().for_each(|(turn, operation)| {
        let design = Design::pipelined(operation, turn as u32 % 3).optimized(Optimize::ALL[turn / 2 % 2]);
        let unit = generate(design);
        let found = verified(&unit, Engine::Lanes(&Gates::of_circuit(&unit)), Choice::Sample(12_000));
        assert!(found.is_right(), "{}: {:?}", unit.module, found.mismatch);
    });
}

#[test]
#[ignore = "long"]
fn all_states_of_one_element() {
    let unit = generate(array(Dataflow::OutputStationary, ["k3p2sf", "e2m1f"], [1, 1]));
    let plan = Plan::new(&unit.design.operation, Choice::Exhaustive, 1).unwrap_or_else(|error| panic!("{error}"));
    assert!(plan.describe().contains("reachable states"), "{}", plan.describe());
    assert!(verified(&unit, Engine::Lanes(&Gates::of_circuit(&unit)), Choice::Exhaustive).is_right());
}

#[test]
#[ignore = "takes minutes"]
fn nightly_right_arrays_are_right_on_every_engine() {
    let operations = [both(["e5m2b1", "binary16"], [2, 3]), both(["e2m1f", "e3m2"], [3, 2])];
    operations.into_par_iter().flatten().for_each(|operation| {
        for found in on_all_engines(&generate(operation), &Choice::Sample(40_000)) {
            assert!(found.is_right(), "{}: {}: {:?}, {:?}", found.module, found.tool, found.violation, found.mismatch);
        }
    });
}

#[test]
#[ignore = "takes minutes"]
fn nightly_verilator_is_silent() {
    all().into_par_iter().enumerate().for_each(|(turn, operation)| {
        let unit = generate(Design::pipelined(operation, turn as u32 % 3).optimized(Optimize::ALL[turn / 2 % 2]));
        lint(&Tools::new(Source::Pinned), &unit.module, &unit.verilog).unwrap_or_else(|error| panic!("{error}"));
    });
}

/// Changes of the Verilog of arrays of 2 x 2 elements.
const OUTPUT_FAULTS: [(&str, &str); 8] = [
    ("e0_0_sum_or_zero = clear_after_1 ?", "e0_0_sum_or_zero = clear ?"),
    ("e1_1_sum_next = feed_after_1 ?", "e1_1_sum_next = feed ?"),
    ("e1_1_b          <= b_1_after_1", "e1_1_b          <= b_1"),
    ("a_0_after_1     <= a_0", "a_0_after_1     <= a_1"),
    ("e1_0_passing    <= e1_0_leaving", "e1_0_passing    <= e1_0_sum"),
    ("last_after_2 ? e0_1_sum_next", "last_after_1 ? e0_1_sum_next"),
    ("rows_left       <= rows_left_next", "rows_left       <= {2{last}}"),
    ("d_valid_after_2 <= d_valid_after_1", "d_valid_after_2 <= rows_left[0]"),
];

const WEIGHT_FAULTS: [(&str, &str); 6] = [
    ("load_after_1 ? e0_0_passing", "load_after_1 ? e0_0_waiting"),
    ("swap_after_2 ? e1_1_waiting_next", "swap_after_1 ? e1_1_waiting_next"),
    ("swap ? e0_0_waiting_next", "swap ? e0_0_waiting"),
    ("c_1_after_1     <= c_1", "c_1_after_1     <= c_0"),
    (" & {32{d_valid_after_3}}", ""),
    ("d_valid_after_3 <= d_valid_after_2", "d_valid_after_3 <= d_valid_after_1"),
];

#[test]
#[ignore = "takes minutes"]
fn nightly_faults_are_found_and_shrunk() {
    let operations = both(["e5m2b1", "binary16"], [2, 2]);
    for (operation, faults) in operations.into_iter().zip([&OUTPUT_FAULTS[..], &WEIGHT_FAULTS]) {
        for (right, wrong) in faults {
            let mut unit = generate(operation);
            assert!(unit.verilog.contains(right), "no `{right}` in\n{}", unit.verilog);
            unit.verilog = unit.verilog.replacen(right, wrong, 1);
            let gates = synthesized(&unit, Target::Generic);
            let found = verified(&unit, Engine::Lanes(&gates), Choice::Sample(20_000));
            let mismatch = found.mismatch.unwrap_or_else(|| panic!("{right} to {wrong} is not noticed"));
            assert!(mismatch.fails_alone && mismatch.simplest.sequence().len() <= 30, "{wrong}: {mismatch}");
        }
    }
}

/// Side of the matrices that are multiplied tile by tile.
const SIDE: usize = 64;

/// Elements in a row and in a column of the array that does so.
const TILE: usize = 16;

/// Codes of a square matrix, of numbers of modest size.
fn matrix(seed: u64) -> Vec<Vec<u64>> {
    let mut state = seed;
    let mut code = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // Exponent fields from 11 to 18 of 31, any sign and fraction.
        let bits = state >> 40;
        (bits & 0x83) | ((11 + (bits >> 8) % 8) << 2)
    };
    (0..SIDE).map(|_| (0..SIDE).map(|_| code()).collect()).collect()
}

fn word(codes: impl DoubleEndedIterator<Item = u64>, width: u32) -> Word {
    codes.rev().fold(Word::ZERO, |word, code| word << width | Word::from(code))
}

/// The elements of the product, each a dot product of a row and a column as the golden model has it.
fn product([a, b]: [&[Vec<u64>]; 2], result: &str) -> Vec<Vec<u64>> {
    let dot = Selection {
        lanes: Some(SIDE as u32),
        summation: Some(Summation::Chain),
        accumulator: Some(format(result)),
        ..Selection::new(Unit::Dot, format("e5m2b1"))
    };
    let dot = Model::new(&dot.operation().unwrap_or_else(|error| panic!("{error}")));
    let element = |row: &Vec<u64>, column: usize| {
        let inputs = [word(row.iter().copied(), 8), word(b.iter().map(|row| row[column]), 8), Word::ZERO];
        field(&dot.evaluate(&inputs)[0], 0, 64) as u64
    };
    a.iter().map(|row| (0..SIDE).map(|column| element(row, column)).collect()).collect()
}

/// The rows of results of a sequence from a reset on.
fn rows(operation: &Operation, sequence: &[Vec<Word>]) -> Vec<Vec<u64>> {
    let model = Model::new(operation);
    let mut state = model.reset();
    let mut rows = vec![];
    for inputs in sequence {
        let (next, outputs) = model.step(&state, inputs);
        state = next;
        if outputs[1] == Word::from(1_u8) {
            rows.push((0..TILE as u32).map(|lane| field(&outputs[0], lane * 16, 16) as u64).collect());
        }
    }
    rows
}

/// The steps that multiply all tiles: those of `D` one behind the other, without a gap.
fn output_stationary([a, b]: [&[Vec<u64>]; 2]) -> Vec<Vec<Word>> {
    let tiles = (0..SIDE / TILE).flat_map(|row| (0..SIDE / TILE).map(move |column| (row * TILE, column * TILE)));
    let steps = tiles.flat_map(|(row, column)| {
        (0..SIDE).map(move |step| {
            let a = word((row..row + TILE).map(|row| a[row][step]), 8);
            let b = word((column..column + TILE).map(|column| b[step][column]), 8);
            let bit = |is_one: bool| Word::from(u8::from(is_one));
            vec![a, b, bit(true), bit(step == 0), bit(step + 1 == SIDE)]
        })
    });
    let drain = (0..3 * TILE).map(|_| vec![Word::ZERO; 5]);
    steps.chain(drain).collect()
}

/// A 16 x 16 array in Verilator, held against the golden model at every step, multiplies 64 x 64 matrices; the rows are those of the
/// product whose elements are dot products of 64 lanes.
#[test]
#[ignore = "takes minutes"]
fn nightly_large_matrices_tile_by_tile() {
    let (a, b) = (matrix(1), matrix(2));
    let operation = array(Dataflow::OutputStationary, ["e5m2b1", "binary16"], [TILE as u32; 2]);
    let sequence = output_stationary([&a, &b]);
    let found = verified(&generate(operation), Engine::Verilator, Choice::Replay(sequence.clone()));
    assert!(found.is_right(), "{:?}, {:?}", found.violation, found.mismatch);
    assert_eq!(found.checked, sequence.len() as u64);
    let rows = rows(&operation, &sequence);
    let wanted = product([&a, &b], "binary16");
    let tiles = (0..SIDE / TILE).flat_map(|row| (0..SIDE / TILE).map(move |column| (row * TILE, column * TILE)));
    let rows_of_tiles = tiles.flat_map(|(row, column)| (row..row + TILE).map(move |row| (row, column)));
    let wanted: Vec<Vec<u64>> =
        rows_of_tiles.map(|(row, column)| wanted[row][column..column + TILE].to_vec()).collect();
    assert_eq!(rows, wanted);
    assert!(wanted.iter().flatten().all(|code| code & 0x7fff < 0x7c00), "no sum is infinite or NaN");
}

/// No mutant of a small array survives. What operands leave behind before a reset stays unseen, and so does that weights which wait in
/// the last row are loaded once more in a stall. The sum of a second format comes in from outside: one that begins at 0 and grows
/// by products does not become all codes, so that mutants remain of which nothing can be said.
#[test]
#[ignore = "takes minutes"]
fn nightly_mutants() {
    let of_two_formats = array(Dataflow::WeightStationary, ["e2m1f", "e3m2"], [1, 1]);
    let of_one = [[2, 2], [1, 3]].map(|size| both(["e2m1f", "e2m1f"], size));
    for operation in of_one.into_iter().flatten().chain([of_two_formats]) {
        let unit = generate(operation);
        let subject = MutatedUnit::new(&unit);
        let plan = Plan::new(&operation, Choice::Sample(60_000), 5).unwrap_or_else(|error| panic!("{error}"));
        let found = mutate(&subject, &subject.mutants(), &plan, &|_| {}).expect("nobody interrupts a test");
        assert!(found.survived.is_empty(), "{found:?}");
        let stays_unseen = |mutant: &String| mutant.ends_with("ignores rst_n") || mutant.contains("_waiting[");
        assert!(found.undecided.iter().all(stays_unseen), "{found:?}");
    }
}
