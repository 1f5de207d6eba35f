//! How fast `binade verify` checks, against a bare C++ loop around the same Verilated model, side by side in one run.
//!
//! `cargo bench -p binade-sim` prints, for each unit, vectors a second of the bare loop (random inputs, the model's
//! `eval()`, a checksum; no model of what is right) and of the whole check (stimulus, unit, golden model, comparison)
//! on one core and, as `binade verify` runs it, on all; the ratios are medians over several turns.

use binade_generator::generate;
use binade_golden::{Format, Operation, Overflow, Selection, Unit};
use binade_sim::verilator::Model;
use binade_sim::{Choice, Plan, compare, model};
use binade_tools::{Source, Tools};
use std::time::Instant;

const TURNS: usize = 7;
const VECTORS: u64 = 1 << 21;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Tools::new(Source::Pinned);
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!(
        "{:<36} {:>10} {:>10} {:>7} {:>10} {:>7}",
        "million vectors/s", "bare loop", "one core", "ratio", "all cores", "ratio"
    );
    for (format, unit) in [
        ("e5m2b1", Unit::Fmac),
        ("e4m3fn", Unit::Fmac),
        ("binary16", Unit::Fmac),
        ("bfloat16", Unit::Fmac),
        ("binary16", Unit::Mul),
        ("binary16", Unit::Encode),
    ] {
        let operation = operation(format.parse()?, unit)?;
        let generated = generate(operation);
        let model = model(&tools, &generated)?;
        let plan = Plan::new(&operation, Choice::Sample(VECTORS), 1)?;
        let turns: Vec<[f64; 3]> = (0..TURNS)
            .map(|_| {
                let bare = rate(|| {
                    std::hint::black_box(model.instance().bare_loop(VECTORS));
                });
                let check = || check(&operation, &plan, &model);
                [bare, one_core.install(|| rate(check)), rate(check)]
            })
            .collect();
        let median = |figure: &dyn Fn(&[f64; 3]) -> f64| {
            let mut figures: Vec<f64> = turns.iter().map(figure).collect();
            figures.sort_by(f64::total_cmp);
            figures[TURNS / 2]
        };
        println!(
            "{:<36} {:>10.1} {:>10.1} {:>7.2} {:>10.1} {:>7.2}",
            generated.module,
            median(&|turn| turn[0]),
            median(&|turn| turn[1]),
            median(&|turn| turn[1] / turn[0]),
            median(&|turn| turn[2]),
            median(&|turn| turn[2] / turn[0]),
        );
    }
    Ok(())
}

fn operation(format: Format, unit: Unit) -> Result<Operation, binade_golden::OperationError> {
    let overflow = Overflow::Inf;
    Selection { overflow, ..Selection::new(unit, format) }.operation()
}

fn check(operation: &Operation, plan: &Plan, model: &Model) {
    let new_instance = || {
        let mut instance = model.instance();
        move |inputs: &[&[u64]], output: &mut [u64]| instance.evaluate(inputs, output)
    };
    let found = compare(operation, plan, new_instance, &|_| {}).expect("nobody interrupts a benchmark");
    assert_eq!(found, None, "the unit is wrong");
}

/// Million vectors a second.
fn rate(run: impl FnOnce()) -> f64 {
    let started = Instant::now();
    run();
    VECTORS as f64 / started.elapsed().as_secs_f64() / 1e6
}
