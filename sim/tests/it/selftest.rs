//! Units that test themselves, in Verilator: they pass in the clock in which they should, and fail when a gate is changed.

use crate::common::{format, operation};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::selftest::{Leds, Lit, SelfTest, SelfTestError, Simulated};
use binade_sim::verilator::lint;
use binade_spec::{Operation, Overflow, Unit};
use binade_tools::{Source, Tools};

const LEDS: Leds = Leds { running: Lit::High, passed: Lit::Low, failed: Lit::Low };

const MODULE: &str = "self_test";

fn tools() -> Tools {
    Tools::new(Source::Pinned)
}

fn unit(unit: Unit, name: &str, other: Option<&str>, stages: u32) -> GeneratedUnit {
    let operation: Operation = operation(unit, format(name), other.map(format), Overflow::Inf);
    generate(Design::pipelined(operation, stages))
}

fn text(test: &SelfTest) -> String {
    test.verilog(MODULE, test.signature().unwrap(), "binade flow --board icebreaker")
}

/// The clock in which a test of so many vectors ends, which passes.
fn passed(unit: &GeneratedUnit, vectors: u64, pressed: Option<u64>) -> u64 {
    let test = SelfTest::new(unit, vectors, LEDS).unwrap();
    let verilog = text(&test);
    lint(&tools(), MODULE, &verilog).unwrap();
    let ended = test.simulate(&tools(), MODULE, &verilog, pressed).unwrap();
    let clocks = test.clocks();
    assert_eq!(ended, Simulated { is_running: false, has_passed: true, has_failed: false, clocks }, "{}", unit.module);
    clocks
}

/// One word a vector, and one slice: a vector in each clock.
#[test]
fn a_combinational_unit_passes_in_time() {
    assert_eq!(passed(&unit(Unit::Mul, "e5m2", None, 0), 100_000, None), 100_000 + 5);
}

/// Operands of 50 bits are two words of 25; the button is pressed in the middle.
#[test]
fn a_pipelined_unit_passes_in_time() {
    assert_eq!(passed(&unit(Unit::Add, "e8m16", None, 3), 20_000, Some(12_345)), 2 * 20_000 + 5 + 3);
}

/// Results of 80 bits are three slices, and the operands of 2 are the last of three words.
#[test]
fn wide_results_pass_in_time() {
    assert_eq!(passed(&unit(Unit::Convert, "k3p1sf", Some("e15m64"), 1), 5_000, None), 3 * 5_000 + 7 + 1);
}

/// The vectors of a unit with state are a sequence from its reset on, also after the button was pressed.
#[test]
fn a_unit_with_state_passes_in_time() {
    let unit = unit(Unit::Accumulate, "e5m2", Some("binary16"), 0);
    assert_eq!(passed(&unit, 10_000, Some(2_000)), 10_000 + 5);
}

#[test]
fn a_unit_with_one_gate_changed_fails() {
    let unit = unit(Unit::Mul, "e3m2f", None, 1);
    let test = SelfTest::new(&unit, 4096, LEDS).unwrap();
    let sound = text(&test);
    let (gate, other) = ("guard & (lost_by_1 | shifted_by_1[1])", "guard & (lost_by_1 & shifted_by_1[1])");
    assert_eq!(sound.matches(gate).count(), 1, "{sound}");
    let ended = test.simulate(&tools(), MODULE, &sound.replace(gate, other), None).unwrap();
    let clocks = test.clocks();
    assert_eq!(ended, Simulated { is_running: false, has_passed: false, has_failed: true, clocks });
}

/// Each vector counts, those around the blocks in which the golden model evaluates them, too.
#[test]
fn more_vectors_have_another_signature() {
    let unit = unit(Unit::Mul, "e3m2f", None, 0);
    let signature = |vectors| SelfTest::new(&unit, vectors, LEDS).unwrap().signature().unwrap();
    let mut signatures: Vec<u32> = [1, 2, 4095, 4096, 4097, 100_000].map(signature).to_vec();
    signatures.dedup();
    assert_eq!(signatures.len(), 6);
}

#[test]
fn what_cannot_test_itself_is_refused() {
    let plain = unit(Unit::Mul, "e3m2f", None, 0);
    let shell = generate(plain.design.spoken_to(binade_circuit::Interface::AxiStream));
    let refused =
        |unit, vectors| SelfTest::new(unit, vectors, LEDS).err().map(|error: SelfTestError| error.to_string());
    let want = "--board tests the unit without a shell around it: leave --interface axi-stream out";
    assert_eq!(refused(&shell, 1).as_deref(), Some(want));
    let want = "--vectors 0: a self-test on a board has 1 to 4294967296";
    assert_eq!(refused(&plain, 0).as_deref(), Some(want));
    assert!(refused(&plain, (1 << 32) + 1).is_some() && refused(&plain, 1 << 32).is_none());
}
