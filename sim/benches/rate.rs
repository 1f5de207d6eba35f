//! The speed of `binade verify` with each engine, compared with a bare C++ loop around the same Verilated model, in one run.
//!
//! `cargo bench -p binade-sim --bench rate` prints, for each unit, million vectors per second of the bare loop (random inputs,
//! the model's `eval()`, a checksum, one core; no golden model), and of complete checks (vectors, unit, golden model,
//! comparison) on all cores: with Verilator, and with lanes on the circuit and on Yosys' netlists. The ratio to the bare loop
//! is in parentheses. The engines take turns; figures are medians.

use binade_generator::{GeneratedUnit, generate};
use binade_sim::{Choice, Engine, Gates, Plan, Portion, Run, compile, verify};
use binade_spec::{Selection, Unit};
use binade_synth::Target;
use binade_tools::{Source, Tools};
use std::error::Error;
use std::time::Instant;

const TURNS: usize = 5;

/// Vectors per turn.
const VECTORS: u64 = 1 << 22;

/// The part of an exhaustive plan that makes up a turn.
const PARTS: &str = "1/256";

fn main() -> Result<(), Box<dyn Error>> {
    let tools = Tools::new(Source::Pinned);
    println!("million vectors/s on {} cores; in parentheses beside the bare loop", rayon::current_num_threads());
    let heads = ["bare loop", "verilator", "lanes", "lanes generic", "lanes ice40"];
    println!("{:<52}{}", "", heads.map(|head| format!("{head:>16}")).concat());
    for (format, unit, choice) in [
        ("e5m2b1", Unit::Fmac, Choice::Sample(VECTORS)),
        ("e5m2b1", Unit::Fmac, Choice::Exhaustive),
        ("binary16", Unit::Fmac, Choice::Sample(VECTORS)),
        ("posit16_1", Unit::PositDecoder, Choice::Exhaustive),
        ("e4m3fn", Unit::Encode, Choice::Exhaustive),
    ] {
        let unit = generate(Selection::new(unit, format.parse()?).operation()?);
        let plan = Plan::new(&unit.design.operation, choice, 1)?;
        print_row(&tools, &unit, &plan)?;
    }
    Ok(())
}

fn print_row(tools: &Tools, unit: &GeneratedUnit, plan: &Plan) -> Result<(), Box<dyn Error>> {
    let gates = [Gates::of_circuit(unit), netlist(tools, unit, Target::Generic)?, netlist(tools, unit, Target::Ice40)?];
    let module = compile(tools, unit)?;
    let engines = [Engine::Verilator, Engine::Lanes(&gates[0]), Engine::Lanes(&gates[1]), Engine::Lanes(&gates[2])];
    let mut figures = vec![vec![]; 1 + engines.len()];
    for _ in 0..TURNS {
        let started = Instant::now();
        std::hint::black_box(module.instance().bare_loop(VECTORS));
        figures[0].push(VECTORS as f64 / started.elapsed().as_secs_f64());
        for (figures, engine) in figures[1..].iter_mut().zip(engines) {
            figures.push(rate(tools, Run { engine, ..Run::new(unit, plan) })?);
        }
    }
    let ratio = |turn: usize, column: usize| figures[column][turn] / figures[0][turn];
    let cell = |column: usize| {
        let rate = median(figures[column].clone()) / 1e6;
        let ratio = median((0..TURNS).map(|turn| ratio(turn, column)).collect());
        format!("{:>16}", if column == 0 { format!("{rate:.1}") } else { format!("{rate:.1} ({ratio:.1})") })
    };
    let name = format!("{}, {}", unit.module, plan.describe().split(',').next().unwrap_or_default());
    let name = name.replace(" random vectors", " random").replace(" input combinations", "");
    println!("{name:<52}{}", (0..figures.len()).map(cell).collect::<String>());
    Ok(())
}

/// Vectors per second; small plans are run repeatedly.
fn rate(tools: &Tools, run: Run) -> Result<f64, Box<dyn Error>> {
    let portion = if run.plan.total() > 64 * VECTORS { PARTS } else { "1/1" };
    let run = Run { portion: Portion::new(run.plan, portion.parse()?, false)?, ..run };
    let (mut checked, mut seconds) = (0, 0.0);
    while checked < VECTORS {
        let verification = verify(tools, run, &|_| {})?;
        assert!(verification.mismatch.is_none(), "the unit is wrong");
        checked += verification.checked;
        seconds += verification.seconds;
    }
    Ok(checked as f64 / seconds)
}

fn netlist(tools: &Tools, unit: &GeneratedUnit, target: Target) -> Result<Gates, Box<dyn Error>> {
    let json = binade_synth::netlist(tools, &unit.module, &unit.verilog, target)?;
    Ok(Gates::of_netlist(unit, &json, target.to_string())?)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
