//! Circuits with NaN-boxed codes, on all inputs of small units; the vectors notice every bit of a box that is not looked at.

use crate::common::engines::verified;
use crate::common::{check, selected};
use binade_generator::{Design, generate};
use binade_golden::Model;
use binade_sim::{Choice, Engine, Gates};
use binade_spec::{Operation, Setting, Unit};
use binade_stimulus::{Columns, Plan, Stimulus};
use rayon::prelude::*;

const IN_9: (Setting, &str) = (Setting::NanBoxing, "9");

fn of(unit: Unit, formats: &str, words: &[(Setting, &str)]) -> Operation {
    selected(unit, formats, words).expect("an operation")
}

/// Every unit with boxes, also with formats that a port chooses.
fn operations() -> Vec<Operation> {
    let riscv = (Setting::Profile, "riscv");
    let plain = [Unit::Mul, Unit::Add, Unit::Sub, Unit::Divide, Unit::Sqrt, Unit::Reciprocal, Unit::Rsqrt];
    let mut all: Vec<Operation> = plain.iter().map(|&unit| of(unit, "e3m2", &[IN_9])).collect();
    all.extend(plain.iter().map(|&unit| of(unit, "e3m2+e2m2", &[riscv])));
    all.extend(plain.iter().map(|&unit| of(unit, "e3m2+e3m1", &[IN_9, (Setting::Round, "rdn")])));
    all.extend([Unit::Compare, Unit::Classify, Unit::Sgnj].map(|unit| of(unit, "e3m2", &[IN_9, riscv])));
    let minimum = (Setting::Operation, "minimum-number");
    all.extend([
        of(Unit::Minmax, "e3m2", &[minimum, riscv, IN_9]),
        of(Unit::Fmac, "e2m1n", &[(Setting::Acc, "e3m2"), (Setting::NanBoxing, "7")]),
        of(Unit::Decode, "e3m2", &[riscv]),
        of(Unit::Encode, "e3m2", &[riscv]),
        of(Unit::Convert, "e3m2", &[(Setting::To, "e5m2"), riscv]),
        of(Unit::Convert, "e5m2", &[(Setting::To, "e3m2"), riscv]),
        of(Unit::Convert, "e5m2", &[(Setting::To, "int6"), riscv, (Setting::NanBoxing, "11")]),
        of(Unit::Convert, "int6", &[(Setting::To, "e3m2"), riscv, IN_9]),
        of(Unit::Convert, "e5m2+e3m2", &[(Setting::To, "e3m2+binary16"), riscv]),
    ]);
    all.extend(["e3m2", "k6p3se"].map(|format| of(Unit::Add, format, &[IN_9])));
    all
}

#[test]
fn every_unit_with_boxes() {
    operations().par_iter().for_each(|operation| {
        let is_small = operation.input_bits() <= 16;
        check(operation, if is_small { Choice::Exhaustive } else { Choice::Sample(8_000) });
    });
}

/// Digit by digit, with formats and rounding as they were when the operands came.
#[test]
fn in_several_clocks() {
    let units = [Unit::Divide, Unit::Sqrt, Unit::Reciprocal, Unit::Rsqrt];
    let riscv = (Setting::Profile, "riscv");
    let operations = units.into_iter().flat_map(|unit| {
        let any = [(Setting::Round, "any"), (Setting::Flags, "true")];
        [of(unit, "e3m2+e5m4", &[riscv]), of(unit, "e3m2+e4m1+e2m3", &any), of(unit, "e3m2", &[IN_9])]
    });
    let designs: Vec<(Operation, u32)> = operations.zip((1..4).cycle()).collect();
    designs.par_iter().for_each(|&(operation, digits)| {
        let unit = Design::from(operation);
        let unit = generate(unit.in_clocks(digits).or_else(|_| unit.in_clocks(1)).expect("a unit with digits"));
        let found = verified(&unit, Engine::Lanes(&Gates::of_circuit(&unit)), Choice::Sample(6_000));
        assert!(found.is_right(), "{}: {found:?}", unit.module);
    });
}

/// A unit that does not look at a bit of a box gives other results in some directed vector, and in some random one.
#[test]
fn vectors_look_at_every_bit_of_a_box() {
    for (unit, formats, first) in [(Unit::Mul, "binary16", 16), (Unit::Add, "e5m4+e3m2", 6)] {
        let operation = of(unit, formats, &[(Setting::NanBoxing, "40")]);
        let model = Model::new(&operation);
        let plan = Plan::new(&operation, Choice::Default, 1).expect("a plan");
        let stimulus = Stimulus::new(&operation, &plan);
        let mut columns = stimulus.columns();
        let random = vectors(&stimulus, stimulus.blocks() - 2, &mut columns);
        let listed = (0..stimulus.blocks().min(100)).flat_map(|block| vectors(&stimulus, block, &mut columns));
        let directed: Vec<Vec<u64>> =
            listed.filter(|vector| vector[..2].iter().any(|word| is_almost_boxed(*word))).collect();
        for port in 0..2 {
            for bit in first..40 {
                let shows = |vector: &&Vec<u64>| {
                    let mut other = (*vector).clone();
                    other[port] |= 1 << bit;
                    other[port] != vector[port] && model.evaluate(&other) != model.evaluate(vector)
                };
                assert!(directed.iter().any(|vector| shows(&vector)), "{unit} {formats}: bit {bit} of port {port}");
            }
        }
        let boxed = random.iter().filter(|vector| vector[0] >> 16 == 0xff_ffff).count();
        assert!(boxed * 10 > random.len() * 8 && boxed < random.len(), "{boxed} of {}", random.len());
    }
}

fn vectors(stimulus: &Stimulus, block: u64, columns: &mut Columns) -> Vec<Vec<u64>> {
    stimulus.fill(block, columns);
    let word = |word: &binade_spec::Word| u64::try_from(word).expect("a word of 64 bits");
    (0..columns.len()).map(|at| columns.vector(at).iter().map(word).collect()).collect()
}

/// Whether a word has one 0 from bit 6, 10 or 16 up to bit 40.
fn is_almost_boxed(word: u64) -> bool {
    [6, 10, 16].iter().any(|&low| (word >> low).count_ones() == 40 - low - 1)
}
