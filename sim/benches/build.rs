//! The time to compile a unit's Verilog to a model: cold, with an empty cache of models, and warm, from the cache.
//!
//! `cargo bench -p binade-sim --bench build` prints both for ten units and their medians, and the time when all ten are
//! compiled together, as `verify --suite` does with a few at a time. Verilator's runtime and header, which
//! are compiled once for all models, are timed separately, with the first unit.

use binade_generator::{GeneratedUnit, generate};
use binade_sim::{build_together, compile};
use binade_spec::{Selection, Unit};
use binade_tools::{Error, Source, Tools};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Instant;

const TURNS: usize = 5;

const UNITS: [(&str, Unit); 10] = [
    ("e5m2", Unit::Mul),
    ("e4m3fn", Unit::Add),
    ("e4m3b2", Unit::Add),
    ("k8p3se", Unit::Mul),
    ("posit8_2", Unit::Mul),
    ("binary16", Unit::Decode),
    ("bfloat16", Unit::Encode),
    ("binary16", Unit::Mul),
    ("e5m2", Unit::Mac),
    ("e5m2b1", Unit::Fmac),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let installed = Tools::new(Source::Pinned);
    installed.verilator()?;
    let folder = tempfile::tempdir()?;
    let tools = with_empty_cache(&installed, folder.path())?;
    let units: Vec<GeneratedUnit> = UNITS.iter().map(|&(format, unit)| generated(format, unit)).collect();

    println!("{:<36} {:>8.2} s", "runtime and header, once", seconds(|| build(&tools, &units[0]))?);
    println!("{:<36} {:>8}   {:>8}", "median of five", "cold", "warm");
    let (mut cold, mut warm) = (vec![], vec![]);
    for unit in &units {
        let mut turns = [vec![], vec![]];
        for _ in 0..TURNS {
            forget_models(&tools)?;
            turns[0].push(seconds(|| build(&tools, unit))?);
            turns[1].push(seconds(|| build(&tools, unit))?);
        }
        let [of_cold, of_warm] = turns.map(median);
        println!("{:<36} {of_cold:>8.3} s {of_warm:>8.4} s", unit.module);
        cold.push(of_cold);
        warm.push(of_warm);
    }
    println!("{:<36} {:>8.3} s {:>8.4} s", "median unit", median(cold), median(warm));
    let mut together = vec![];
    for _ in 0..TURNS {
        forget_models(&tools)?;
        let units: Vec<&GeneratedUnit> = units.iter().collect();
        together.push(seconds(|| build_together(&tools, units.iter().copied()).map(drop))? / UNITS.len() as f64);
    }
    println!("{:<36} {:>8.3} s a unit", "all compiled together", median(together));
    Ok(())
}

/// The installed tools, in a separate home folder.
fn with_empty_cache(installed: &Tools, folder: &Path) -> std::io::Result<Tools> {
    let home = installed.cache().folder().parent().expect("the cache is in the home").to_path_buf();
    for entry in fs::read_dir(home)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("verilator-") {
            symlink(fs::canonicalize(entry.path())?, folder.join(entry.file_name()))?;
        }
    }
    Ok(Tools::with_home(Source::Pinned, folder))
}

fn forget_models(tools: &Tools) -> std::io::Result<()> {
    fs::remove_dir_all(tools.cache().folder().join("models"))
}

fn generated(format: &str, unit: Unit) -> GeneratedUnit {
    let format = format.parse().expect("a format");
    generate(Selection::new(unit, format).operation().expect("a unit for it"))
}

fn build(tools: &Tools, unit: &GeneratedUnit) -> Result<(), Error> {
    compile(tools, unit).map(drop)
}

fn seconds(work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed().as_secs_f64())
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
