//! How fast `binade verify --engine lanes` checks wide units against the golden model, and against the specification.
//!
//! `cargo bench -p binade-prove --bench rate` prints million vectors a second of whole checks on all cores: random vectors, unit,
//! right answers, comparison. Figures are the best of some turns: what else the machine does makes them less.

use binade_generator::generate;
use binade_prove::specification;
use binade_sim::{Choice, Engine, Gates, Plan, Run, verify};
use binade_spec::{Selection, Unit};
use binade_tools::{Source, Tools};
use std::error::Error;

const TURNS: usize = 5;

/// Vectors of a turn against the golden model.
const VECTORS: u64 = 1 << 25;

/// Against the specification there are so many times as many.
const MORE: u64 = 16;

fn main() -> Result<(), Box<dyn Error>> {
    println!("million vectors/s on {} cores", rayon::current_num_threads());
    println!("{:<24}{:>16}{:>16}", "--against", "golden-model", "specification");
    for (format, unit) in [
        ("binary16", Unit::Add),
        ("binary16", Unit::Mul),
        ("binary16", Unit::Fmac),
        ("binary32", Unit::Add),
        ("binary32", Unit::Mul),
        ("binary32", Unit::Fmac),
        ("binary64", Unit::Add),
        ("posit16_1", Unit::Add),
        ("posit16_1", Unit::Mul),
    ] {
        print_row(&Selection::new(unit, format.parse()?))?;
    }
    Ok(())
}

fn print_row(selection: &Selection) -> Result<(), Box<dyn Error>> {
    let operation = selection.operation()?;
    let unit = generate(operation);
    let (gates, specification) =
        (Gates::of_circuit(&unit), specification(&operation).map_err(|none| none.to_string())?);
    let plan = |vectors| Plan::new(&operation, Choice::Sample(vectors), 1);
    let plans = [plan(VECTORS)?, plan(MORE * VECTORS)?.in_planes()];
    let mut best = [0.0_f64; 2];
    for _ in 0..TURNS {
        for ((plan, against), best) in plans.iter().zip([None, Some(&specification)]).zip(&mut best) {
            let run = Run { engine: Engine::Lanes(&gates), against, ..Run::new(&unit, plan) };
            let found = verify(&Tools::new(Source::Pinned), run, &|_| {})?;
            assert!(found.is_right(), "the unit is wrong");
            *best = best.max(found.rate / 1e6);
        }
    }
    println!("{:<24}{:>16.1}{:>16.1}", unit.module, best[0], best[1]);
    Ok(())
}
