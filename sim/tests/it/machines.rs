//! Units with a state that is no formula: right ones are right on every engine, in all states where these are few, and each
//! way to break them is noticed.

use crate::common::engines::{on_all_engines, synthesized, verified};
use crate::common::format;
use binade_circuit::{Interpreter, Optimize};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_golden::RandomWords;
use binade_sim::mutate::{Breakable, MutatedUnit, mutate};
use binade_sim::{Choice, Engine, Gates, Plan};
use binade_spec::{
    Accumulation, Algorithm, Format, Generator, Kind, Operation, Products, Rounding, Selection, Unit, UpdateRule,
};
use binade_synth::Target;
use rayon::prelude::*;

/// Seven sequences and a bit, behind the directed ones.
const VECTORS: u64 = 60_000;

fn chosen(selection: Selection) -> Operation {
    selection.operation().unwrap_or_else(|error| panic!("{error}"))
}

fn scaler(name: &str, lanes: u32, interval: u32, start: i32) -> Operation {
    let plain = Selection::new(Unit::LossScaler, format(name));
    chosen(Selection { lanes: Some(lanes), interval: Some(interval), start: Some(start), ..plain })
}

fn dot_exact(name: &str, result: &str, lanes: u32) -> Operation {
    let plain = Selection::new(Unit::DotExact, format(name));
    chosen(Selection { accumulator: Some(format(result)), lanes: Some(lanes), ..plain })
}

fn accumulating(accumulation: Accumulation, operation: Operation) -> Operation {
    Operation { kind: Kind::Accumulation(accumulation), ..operation }
}

fn rounded(products: Products) -> Products {
    Products { rounds_products: true, ..products }
}

fn quire(name: &str, lanes: u32) -> Operation {
    accumulating(Accumulation { has_quire: true, lanes, ..Accumulation::default() }, dot_exact(name, name, lanes))
}

fn dot_stream(name: &str, result: &str, sum: &str) -> Operation {
    let summation = sum.parse().unwrap_or_else(|error| panic!("{error}"));
    let plain = Selection::new(Unit::DotStream, format(name));
    chosen(Selection { accumulator: Some(format(result)), summation: Some(summation), ..plain })
}

fn random(generator: Generator, bits: u32) -> Operation {
    let plain = Selection::new(Unit::Random, Format::binary32());
    chosen(Selection { algorithm: Some(Algorithm::Random(generator)), word_bits: Some(bits), ..plain })
}

/// A unit that makes its random words itself.
fn drawn(unit: Unit, name: &str, bits: u32) -> Operation {
    let plain = Selection::new(unit, format(name));
    let algorithm = (unit == Unit::Update).then_some(Algorithm::Update(UpdateRule::Stochastic));
    chosen(Selection { rounding: Some(Rounding::Sr(bits)), has_internal_random: true, algorithm, ..plain })
}

fn all() -> Vec<Operation> {
    let formats =
        ["e5m2", "e4m3fn", "e5m2b1", "k8p3se", "dlfloat16", "binary16", "binary32", "posit8_2", "e8m0", "binary128"];
    let scalers = formats
        .iter()
        .enumerate()
        .map(|(at, name)| scaler(name, [1, 3, 8, 17][at % 4], [1, 2, 5, 2000, 37][at % 5], [24, 120, -126][at % 3]));
    let generators = Generator::ALL.into_iter().flat_map(|generator| {
        [1, 5, 8, 16, 23, 32]
            .into_iter()
            .filter(move |&bits| bits <= generator.most_bits())
            .map(move |bits| random(generator, bits))
    });
    let sums = [
        ("e5m2", "binary16", 1),
        ("e4m3fn", "binary32", 3),
        ("e5m2b1", "e4m3b2", 4),
        ("k8p3se", "bfloat16", 2),
        ("posit8_2", "posit8_2", 2),
        ("posit6_1", "e5m2", 1),
        ("binary16", "binary32", 1),
        ("bfloat16", "binary32", 1),
        ("e8m0", "binary32", 2),
        ("e2m1f", "dlfloat16", 5),
    ];
    let sums = sums.map(|(name, result, lanes)| dot_exact(name, result, lanes));
    let quires = [("posit8_2", 2), ("posit16_1", 1), ("posit32_2", 1), ("posit6_0", 3)];
    let quires = quires.map(|(name, lanes)| quire(name, lanes));
    let streams = [
        dot_stream("e5m2", "binary16", "fmac8"),
        dot_stream("e4m3fn", "e5m2b1", "chain"),
        Operation { rounding: Rounding::Rdn, ..dot_stream("e5m2b1", "binary32", "fmac8") }
            .with_products(|products| Products { block: 3, ..products }),
        dot_stream("posit8_1", "posit16_1", "fmac8").with_products(rounded),
        dot_stream("k8p3se", "dlfloat16", "fmac8").with_products(|products| Products { block: 1, ..products }),
        Operation { rounding: Rounding::Rto, ..dot_stream("bfloat16", "binary32", "chain") }.with_products(rounded),
    ];
    let drawn = [
        drawn(Unit::Update, "bfloat16", 8),
        drawn(Unit::Encode, "e5m2b1", 16),
        drawn(Unit::Mac, "e5m2", 12),
        drawn(Unit::Add, "posit8_2", 1),
        // Results are exact, and no random bit is used.
        drawn(Unit::Decode, "e5m2", 1),
        drawn(Unit::Mul, "e8m0", 1),
        drawn(Unit::Dot, "binary16", 5),
        drawn(Unit::Mul, "binary128", 32),
    ];
    scalers.chain(generators).chain(sums).chain(quires).chain(streams).chain(drawn).collect()
}

#[test]
fn circuits_do_what_the_golden_model_says() {
    all().into_par_iter().enumerate().for_each(|(turn, operation)| {
        let design = Design::pipelined(operation, turn as u32 % 3).optimized(Optimize::ALL[turn % 2]);
        let unit = generate(design);
        let gates = Gates::of_circuit(&unit);
        let found = verified(&unit, Engine::Lanes(&gates), Choice::Sample(VECTORS));
        assert!(found.is_right(), "{}: {:?}", unit.module, found.mismatch);
        assert_eq!(found.checked, VECTORS);
    });
}

/// From the smallest scale to the largest, with all counts of good steps, before and behind an overflow.
#[test]
fn all_states_of_small_scalers() {
    for (name, interval, start) in [("e2m1", 1, 24), ("e2m1", 3, 24), ("e3m1n", 2, -120)] {
        let operation = scaler(name, 1, interval, start);
        let plan = Plan::new(&operation, Choice::Exhaustive, 1).unwrap_or_else(|error| panic!("{error}"));
        let states = 255 * interval * 2;
        let wanted = format!("all {states} reachable states x {} inputs, in ", 1 << operation.input_bits());
        assert!(plan.describe().starts_with(&wanted), "{}", plan.describe());
        let unit = generate(operation);
        assert!(verified(&unit, Engine::Lanes(&Gates::of_circuit(&unit)), Choice::Default).is_right());
    }
}

/// Every sum that an accumulator holds, the lowest one and those that wrap around among them.
#[test]
fn all_sums_of_small_accumulators() {
    for (name, result, guard_bits, rounding) in [
        ("e2m1f", "binary16", 0, Rounding::Rdn),
        ("e2m1f", "e2m1b1", 0, Rounding::Rne),
        ("e2m1f", "e5m3ns", 0, Rounding::Rtz),
        ("fixed3_1", "e4m3", 1, Rounding::Rne),
        ("fixed3_1", "fixed6_2", 1, Rounding::Rna),
        ("posit3_0", "posit8_1", 1, Rounding::Rne),
    ] {
        let accumulation = Accumulation { guard_bits, ..Accumulation::default() };
        let operation = Operation { rounding, ..accumulating(accumulation, dot_exact(name, result, 1)) };
        for optimize in Optimize::ALL {
            let unit = generate(Design::from(operation).optimized(optimize));
            let found = verified(&unit, Engine::Lanes(&Gates::of_circuit(&unit)), Choice::Exhaustive);
            assert!(found.is_right(), "{}: {:?}", unit.module, found.mismatch);
        }
    }
}

#[test]
fn all_states_of_small_streams() {
    for (name, result) in [("e2m1", "e3m2"), ("e2m1f", "e2m1b1"), ("posit4_1", "posit6_1")] {
        let unit = generate(dot_stream(name, result, "chain"));
        let plan = Plan::new(&unit.design.operation, Choice::Exhaustive, 1).unwrap_or_else(|error| panic!("{error}"));
        assert!(plan.describe().contains("reachable states"), "{}", plan.describe());
        assert!(verified(&unit, Engine::Lanes(&Gates::of_circuit(&unit)), Choice::Exhaustive).is_right());
    }
}

/// All states of a shift register go where the golden model says, whatever the seed that is not loaded.
#[test]
fn all_states_of_a_shift_register() {
    for bits in [1, 8, 16] {
        let netlist = generate(random(Generator::Lfsr16, bits)).netlist;
        let words = RandomWords { generator: Generator::Lfsr16, bits };
        let all: Vec<u64> = (0..1 << 16).collect();
        let seeds: Vec<u64> = all.iter().map(|state| (state * 0x9e37) & 0x7fff).collect();
        let (mut states, mut out) = (netlist.reset_states(all.len()), vec![0; all.len()]);
        states[0].copy_from_slice(&all);
        Interpreter::new(&netlist).step(&[&seeds, &vec![0; all.len()]], &mut states, &mut [&mut out]);
        for (&state, (&next, &word)) in all.iter().zip(states[0].iter().zip(&out)) {
            assert_eq!(
                (u128::from(next), u128::from(word)),
                (words.next(state.into()), words.word(state.into())),
                "{state:#x}"
            );
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn nightly_right_units_are_right_on_every_engine() {
    let operations = [
        (scaler("e5m2", 4, 2000, 24), 0),
        (scaler("binary16", 9, 3, 126), 2),
        (dot_exact("e4m3", "binary16", 2), 1),
        (quire("posit16_2", 1), 2),
        (dot_stream("e5m2", "binary16", "fmac8"), 1),
        (random(Generator::Lfsr16, 8), 0),
        (random(Generator::Lfsr32, 32), 1),
        (random(Generator::Xoshiro128, 32), 0),
        (scaler("e3m1n", 1, 2, -120), 0),
        (drawn(Unit::Update, "e5m2", 8), 0),
        (drawn(Unit::Fmac, "e4m3", 4), 2),
    ];
    operations.into_par_iter().for_each(|(operation, stages)| {
        let unit = generate(Design::pipelined(operation, stages));
        let choice = if operation.input_bits() > 7 { Choice::Sample(VECTORS) } else { Choice::Exhaustive };
        for found in on_all_engines(&unit, &choice) {
            assert!(found.is_right(), "{}: {}: {:?}, {:?}", found.module, found.tool, found.violation, found.mismatch);
        }
    });
}

/// Changes of the Verilog of a scaler that doubles its scale after six steps.
const FAULTS: [(&str, &str); 9] = [
    ("overflow_seen <= overflows & ~step", "overflow_seen <= overflows"),
    ("overflow_seen <= overflows & ~step", "overflow_seen <= g_overflows & ~step"),
    ("skips     = step & overflows", "skips     = step & overflow_seen"),
    ("starts_again ? 3'd5", "starts_again ? 3'd4"),
    ("is_last      = ~(|steps_left)", "is_last      = ~(|steps_left[2:1])"),
    ("starts_again = skips | (step & is_last)", "starts_again = step & is_last"),
    ("is_due       = step & ~overflows & is_last", "is_due       = step & is_last"),
    ("(scale_code != 8'd254)", "(scale_code != 8'd253)"),
    ("halves        = skips & ~is_least", "halves        = skips"),
];

/// Changes of the Verilog of a stream in blocks.
const STREAM_FAULTS: [(&str, &str); 6] = [
    ("acc_or_zero = clear ? 16'd0 : acc", "acc_or_zero = acc"),
    ("place         = count & {3{~clear}}", "place         = count"),
    ("is_last       = &place", "is_last       = &place[2:1]"),
    ("acc_next      = is_last ? 16'd0 : sum_of_block", "acc_next      = sum_of_block"),
    ("total_or_zero = total & {32{~clear}}", "total_or_zero = total"),
    ("is_last ? new_total : total_or_zero", "is_last ? new_total : total"),
];

/// Changes of the Verilog of a quire.
const QUIRE_FAULTS: [(&str, &str); 3] = [
    ("quire = {any_nan | sum_is_negative,", "quire = {sum_is_negative,"),
    ("quire = {any_nan | sum_is_negative,", "quire = {any_nan,"),
    ("acc_next[62:0] & {63{~any_nan}}", "acc_next[62:0]"),
];

#[test]
#[ignore = "long"]
fn faults_of_quires_are_found_and_shrunk() {
    assert_all_found(quire("posit6_1", 1), &QUIRE_FAULTS);
}

#[test]
#[ignore = "long"]
fn faults_are_found_and_shrunk() {
    assert_all_found(scaler("e3m2", 1, 6, 120), &FAULTS);
}

#[test]
#[ignore = "takes minutes"]
fn nightly_faults_of_streams_are_found_and_shrunk() {
    assert_all_found(dot_stream("e5m2", "binary16", "fmac8"), &STREAM_FAULTS);
}

fn assert_all_found(operation: Operation, faults: &[(&str, &str)]) {
    for (right, wrong) in faults {
        let mut unit = generate(operation);
        assert!(unit.verilog.contains(right), "no `{right}` in\n{}", unit.verilog);
        unit.verilog = unit.verilog.replacen(right, wrong, 1);
        let gates = synthesized(&unit, Target::Generic);
        for engine in [Engine::Verilator, Engine::Lanes(&gates)] {
            assert_found(&unit, engine, wrong);
        }
    }
}

fn assert_found(unit: &GeneratedUnit, engine: Engine, fault: &str) {
    let found = verified(unit, engine, Choice::Sample(VECTORS));
    let mismatch = found.mismatch.unwrap_or_else(|| panic!("{fault}: not noticed by {}", found.tool));
    assert!(mismatch.fails_alone, "{fault}: {mismatch}");
    // It takes 247 halvings from 2^120 to the smallest scale.
    assert!(mismatch.simplest.sequence().len() <= 600, "{fault}: {mismatch}");
    let again = verified(unit, engine, Choice::Replay(mismatch.simplest.sequence()));
    assert!(!again.is_right(), "{fault}: not found again");
}

/// No mutant of a small unit survives; a bit that is not reset may stay unseen, as only the first step shows it.
#[test]
#[ignore = "takes minutes"]
fn nightly_mutants() {
    // Few products reach the highest bit of the accumulator.
    let few_guard_bits = Accumulation { guard_bits: 3, ..Accumulation::default() };
    let accumulator = accumulating(few_guard_bits, dot_exact("e2m1f", "e3m2", 1));
    for operation in [scaler("e2m1", 1, 4, 1), accumulator, random(Generator::Lfsr16, 4)] {
        let unit = generate(operation);
        let subject = MutatedUnit::new(&unit);
        let plan = Plan::new(&operation, Choice::Sample(20_000), 5).unwrap_or_else(|error| panic!("{error}"));
        let found = mutate(&subject, &subject.mutants(), &plan, &|_| {}).expect("nobody interrupts a test");
        assert!(found.survived.is_empty(), "{found:?}");
        assert!(found.undecided.iter().all(|mutant| mutant.ends_with("ignores rst_n")), "{found:?}");
    }
}
