//! `--liberty`: standard cells.

use crate::failure::Failure;
use crate::output;
use crate::synth::part::{self, PartOptions};
use binade_campaign::Measured;
use binade_generator::GeneratedUnit;
use binade_synth::Target;
use binade_synth::liberty::{Conditions, Curve, LibertyError, Library, csv, table};
use binade_tools::Tools;
use clap::Args;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// The name of the kit that Debian packages.
const OSU018: &str = "osu018";

/// The path of Debian's cells.
const OSU018_FILE: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// Debian's package with the kit.
const OSU018_PACKAGE: &str = "qflow-tech-osu018";

#[derive(Args, Clone, Debug)]
pub struct LibertyOptions {
    /// Standard cells for --target liberty: a Liberty file, plain or gzipped, repeated for each file of a kit; osu018 is the one in
    /// Debian's package qflow-tech-osu018
    #[arg(long = "liberty", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// With --liberty, the cell that drives each input [default: none, inputs change at once]
    #[arg(long, value_name = "CELL", requires = "files")]
    driving_cell: Option<String>,
    /// With --liberty, the capacitance at each output in fF [default: 0]
    #[arg(long, value_name = "FF", requires = "files", allow_negative_numbers = true, value_parser = femtofarads)]
    load: Option<f64>,
}

impl LibertyOptions {
    /// Reads the standard cells, if a target needs them.
    pub fn open(&self, tools: &Tools, is_needed: bool) -> Result<Option<Library>, Failure> {
        self.check(is_needed)?;
        if !is_needed {
            return Ok(None);
        }
        let files = self.files.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
        let conditions = Conditions { driving_cell: self.driving_cell.clone(), load_ff: self.load.unwrap_or_default() };
        let library = Library::open(tools, &files, conditions)?;
        if library.kit().nand2_um2.is_none() {
            let name = library.kit().name();
            output::say(format_args!("note: {name} has no NAND of two inputs: areas are given only in µm²"));
        }
        Ok(Some(library))
    }

    /// Refuses standard cells that no target uses, and a target without standard cells.
    pub fn check(&self, is_needed: bool) -> Result<(), Failure> {
        match (is_needed, self.files.is_empty()) {
            (true, true) => Err(Failure::Usage(format!(
                "--target liberty needs standard cells: add --liberty FILE, the .lib file of a kit, or --liberty {OSU018}"
            ))),
            (false, false) => {
                Err(Failure::Usage("--liberty: nothing is mapped to standard cells; add --target liberty".into()))
            }
            (true, false) | (false, true) => Ok(()),
        }
    }
}

/// Everything about a library that affects figures.
pub fn identity(library: &Library) -> String {
    serde_json::to_string(library.kit()).expect("a kit is plain data")
}

/// Area against delay of each of these units, or of one part of them.
pub fn curves(
    tools: &Tools,
    library: &Library,
    units: &[GeneratedUnit],
    points: u32,
    options: &PartOptions,
) -> Result<Measured<Curve>, Failure> {
    let yosys = format!("Yosys {}", tools.yosys()?.version);
    let all = units.iter().map(|unit| (unit, Target::Liberty)).collect();
    let jobs = part::jobs(all, &format!("{points} points, {}", identity(library)), options)?;
    jobs.measure(tools, "binade sweep", &yosys, |jobs, notes| {
        let curves = jobs.par_iter().enumerate().map(|(job, (unit, _))| {
            let curve = Curve::measure(tools, library, unit, points)?;
            notes.note(job, &curve);
            Ok(curve)
        });
        curves.collect()
    })
}

/// The curves in the requested output format.
pub fn text(measured: &Measured<Curve>, json: bool, as_csv: bool) -> String {
    match (json, as_csv) {
        (true, _) => part::json(measured),
        (_, true) => csv(&measured.reports),
        _ => table(&measured.reports),
    }
}

/// Prints a sentence on stderr.
pub fn conclude(curves: &[Curve]) {
    let points = curves.iter().map(|curve| curve.points.len()).sum();
    let [curves, points] =
        [(curves.len(), "curve"), (points, "point")].map(|(count, what)| output::counted(count, what));
    output::say(format_args!("{curves} of area against delay, {points}"));
}

/// A file's name for messages, and its content.
fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    Ok((path.display().to_string(), output::read_bytes(place(path, Path::new(OSU018_FILE))?)?))
}

/// The path of a file: the kit known by name where it is installed, others as given.
fn place<'p>(path: &'p Path, installed: &'p Path) -> Result<&'p Path, Failure> {
    match path == Path::new(OSU018) {
        false => Ok(path),
        true if installed.exists() => Ok(installed),
        true => Err(Failure::Usage(format!(
            "--liberty {OSU018}: `{}` does not exist; on Debian and Ubuntu, `apt install {OSU018_PACKAGE}` installs it, or name a file of your \
             own",
            installed.display()
        ))),
    }
}

/// The largest output load, in fF.
const LARGEST_LOAD: f64 = 1e9;

fn femtofarads(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(load) if (0.0..=LARGEST_LOAD).contains(&load) => Ok(load),
        _ => Err("a capacitance in fF is expected, such as 10".into()),
    }
}

impl From<LibertyError> for Failure {
    fn from(error: LibertyError) -> Failure {
        match error {
            LibertyError::Tool(error) => Failure::Tool(error),
            error @ LibertyError::NotLiberty { .. } => Failure::File(error.to_string()),
            error => Failure::Usage(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kit_that_is_not_installed_says_how_to_get_it() {
        let [absent, there] = [Path::new("/nowhere/cells.lib"), Path::new("/")];
        let message = place(Path::new("osu018"), absent).expect_err("it is absent").message().expect("a sentence");
        assert!(
            message.contains("`/nowhere/cells.lib` does not exist")
                && message.contains("apt install qflow-tech-osu018")
        );
        assert_eq!(place(Path::new("osu018"), there).ok(), Some(there));
        // A file with that name is reached through its folder.
        assert_eq!(place(Path::new("./osu018"), there).ok(), Some(Path::new("./osu018")));
    }

    #[test]
    fn a_load_is_a_capacitance() {
        assert_eq!([femtofarads("0"), femtofarads("2.5")], [Ok(0.0), Ok(2.5)]);
        for text in ["-1", "inf", "nan", "2e9", "many", ""] {
            assert!(femtofarads(text).is_err(), "{text}");
        }
    }
}
