//! Known verdicts are not computed again, and a change of anything that a verdict depends on recomputes it.

use crate::common::{self, fresh_home, names, outcome, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A folder with its own home, where no verdicts are known.
struct Site {
    folder: tempfile::TempDir,
    home: std::path::PathBuf,
}

const UNITS: &str = "[[unit]]\nformat = [\"e2m1f\", \"e2m2f\"]\nunit = [\"mul\", \"add\"]\n";

impl Site {
    fn new() -> Site {
        let folder = common::folder();
        let home = fresh_home(folder.path());
        Site { folder, home }
    }

    /// The number of right units of the suite, and the number of known ones among them.
    fn run(&self, suite: &str, words: &[&str]) -> (u64, u64) {
        let (code, stdout, stderr) = self.said(suite, &[words, &["--json"]].concat());
        assert_eq!(code, 0, "{stderr}");
        let totals = &serde_json::from_str::<Value>(&stdout).expect("JSON")["totals"];
        let right = totals.get("right").or(totals.get("proven")).expect("a count");
        (right.as_u64().expect("a number"), totals["known"].as_u64().expect("a number"))
    }

    fn said(&self, suite: &str, words: &[&str]) -> (i32, String, String) {
        fs::write(self.folder.path().join("s.toml"), suite).expect("a file");
        let mut command = common::binade_in(self.folder.path());
        command.env("BINADE_HOME", &self.home).arg(words[0]).args(["--suite", "s.toml"]).args(&words[1..]);
        outcome(&command.output().expect("the program starts"))
    }

    fn verdicts(&self) -> Vec<std::path::PathBuf> {
        let folder = self.home.join("cache/verdicts");
        names(&folder).into_iter().map(|name| folder.join(name)).collect()
    }
}

/// Another selection, text, choice of vectors, seed, engine or question: all are checked.
#[test]
fn what_a_verdict_depends_on_makes_it_anew() {
    let site = Site::new();
    let lanes = ["verify", "--engine", "lanes", "--vectors", "2000"];
    assert_eq!(site.run(UNITS, &lanes), (4, 0));
    assert_eq!(site.run(UNITS, &lanes), (4, 4));
    // The order of units and the name of their suite do not matter.
    let reordered = UNITS.replace("\"e2m1f\", \"e2m2f\"", "\"e2m2f\", \"e2m3f\", \"e2m1f\"");
    assert_eq!(site.run(&reordered, &lanes), (6, 4), "two units are new");
    assert_eq!(site.run(&format!("{UNITS}round = \"rtz\"\n"), &lanes), (4, 0), "selections");
    assert_eq!(site.run(&format!("{UNITS}optimize = \"depth\"\n"), &lanes), (4, 0), "circuits");
    assert_eq!(site.run(&format!("{UNITS}stages = 1\n"), &lanes), (4, 0), "registers");
    assert_eq!(site.run(UNITS, &["verify", "--engine", "lanes", "--vectors", "2001"]), (4, 0), "vectors");
    assert_eq!(site.run(UNITS, &[&lanes[..], &["--seed", "2"]].concat()), (4, 0), "the seed");
    assert_eq!(site.run(UNITS, &["verify", "--vectors", "2000"]), (4, 0), "the engine");
    assert_eq!(site.run(UNITS, &["verify", "--vectors", "2000"]), (4, 4));
    assert_eq!(site.run(UNITS, &["prove"]), (4, 0), "the question");
    assert_eq!(site.run(UNITS, &["prove"]), (4, 4));
    assert_eq!(site.run(UNITS, &[&lanes[..], &["--coverage"]].concat()), (4, 0), "bins are counted, not known");
    assert_eq!(site.run(UNITS, &[&lanes[..], &["--fresh"]].concat()), (4, 0), "--fresh");
    assert_eq!(site.run(UNITS, &lanes), (4, 4));
}

/// The text of a user's module: a right one is checked again when a character changes.
#[test]
fn a_module_that_changed_is_judged_anew() {
    let site = Site::new();
    let (code, _, stderr) =
        run_in(site.folder.path(), &["gen", "--format", "e2m1f", "--unit", "mul", "--module", "Mine", "--out", "."]);
    assert_eq!(code, 0, "{stderr}");
    let suite = "[[unit]]\nformat = \"e2m1f\"\nunit = \"mul\"\nverilog = \"Mine.v\"\ntop = \"Mine\"\n";
    assert_eq!(site.run(suite, &["verify"]), (1, 0));
    assert_eq!(site.run(suite, &["verify"]), (1, 1));
    let file = site.folder.path().join("Mine.v");
    let text = fs::read_to_string(&file).expect("the module");
    fs::write(&file, text.replace("endmodule", "  wire another = 1'b0;\nendmodule")).expect("a file");
    assert_eq!(site.run(suite, &["verify"]), (1, 0));
    fs::write(&file, text.replacen("assign", "assign y = 4'd1; //", 1)).expect("a file");
    let (code, stdout, _) = site.said(suite, &["verify"]);
    assert!(code == 1 && stdout.contains("WRONG"), "{stdout}");
    assert_eq!(site.said(suite, &["verify"]).0, 1, "what is wrong is shown again");
    fs::write(&file, text).expect("a file");
    assert_eq!(site.run(suite, &["verify"]), (1, 1), "and the first text is still known");
}

/// A table that a module reads from a file is not part of its text: nothing is known about it.
#[test]
fn a_module_that_reads_a_file_is_never_known() {
    let site = Site::new();
    let folder = site.folder.path();
    let (code, table, stderr) = run_in(folder, &["vectors", "--format", "e2m1f", "--unit", "mul", "--exhaustive"]);
    assert_eq!(code, 0, "{stderr}");
    let results: Vec<&str> = table.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert_eq!(results.len(), 256, "{table}");
    let path = folder.join("table.hex");
    let module = format!(
        "module Table(input [3:0] a, input [3:0] b, output [3:0] y);\n  reg [3:0] t [0:255];\n  \
         initial $readmemh(\"{}\", t);\n  assign y = t[{{a, b}}];\nendmodule\n",
        path.display()
    );
    fs::write(folder.join("Table.v"), module).expect("a file");
    let suite = "[[unit]]\nformat = \"e2m1f\"\nunit = \"mul\"\nverilog = \"Table.v\"\ntop = \"Table\"\n";
    fs::write(&path, results.join("\n")).expect("a file");
    assert_eq!(site.run(suite, &["verify"]), (1, 0));
    assert_eq!(site.run(suite, &["verify"]), (1, 0), "looked at again");
    fs::write(&path, [&["f"], &results[1..]].concat().join("\n")).expect("a file");
    assert_eq!(site.said(suite, &["verify"]).0, 1, "the table is wrong now");
}

/// Only Yosys reads included files: in the lanes, nothing is known about a file with an include.
#[test]
fn a_file_that_includes_another_is_never_known_to_lanes() {
    let site = Site::new();
    let folder = site.folder.path();
    let (code, _, stderr) = run_in(folder, &["gen", "--format", "e2m1f", "--unit", "mul", "--out", "."]);
    assert_eq!(code, 0, "{stderr}");
    let file = folder.join("mul_e2m1f_rne.v");
    let included = folder.join("included.vh");
    let text = fs::read_to_string(&file).expect("the module");
    let include = format!("`include \"{}\"\nendmodule", included.display());
    fs::write(&file, text.replace("endmodule", &include)).expect("a file");
    fs::write(&included, "").expect("a file");
    fs::write(folder.join("s.toml"), "[[unit]]\nformat = \"e2m1f\"\nunit = \"mul\"\nverilog = \"mul_e2m1f_rne.v\"\n")
        .expect("a file");
    // With the checkout's Yosys, and therefore in its home.
    let known = || {
        let words = ["verify", "--engine", "lanes", "--netlist", "generic", "--suite", "s.toml", "--json"];
        let (code, stdout, stderr) = run_in(folder, &words);
        assert_eq!(code, 0, "{stderr}");
        serde_json::from_str::<Value>(&stdout).expect("JSON")["totals"]["known"].clone()
    };
    assert_eq!([known(), known()], [0, 0]);
}

/// Known verdicts are reported separately, in words and figures; a damaged verdict is recomputed, and the cache limit applies to verdicts.
#[test]
fn what_is_known_is_counted_apart() {
    let site = Site::new();
    let (_, first, _) = site.said(UNITS, &["prove"]);
    assert!(!first.contains("known"), "{first}");
    fs::write(&site.verdicts()[0], "damaged").expect("a file");
    let (_, table, sentence) = site.said(UNITS, &["prove"]);
    assert!(sentence.contains("4 units, 4 proven, of these 3 known, 0 wrong, 0 open"), "{sentence}");
    assert_eq!(table.matches("proven (known)").count(), 3, "{table}");
    let lanes = ["verify", "--engine", "lanes", "--vectors", "2000"];
    site.said(UNITS, &lanes);
    let (_, table, sentence) = site.said(UNITS, &lanes);
    assert!(sentence.contains("4 units, 0 wrong, 4 known: "), "{sentence}");
    assert!(table.contains("4 right, of these 4 known"), "{table}");
    let (code, _, stderr) = run_in(site.folder.path(), &["verify", "--format", "e2m1f", "--unit", "mul", "--fresh"]);
    assert!(code == 2 && stderr.contains("--suite"), "{stderr}");

    let kept = site.verdicts();
    assert_eq!(kept.len(), 8);
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    kept.iter().for_each(|path| fs::File::open(path).and_then(|file| file.set_modified(old)).expect("a time"));
    let mut clean = common::binade_in(site.folder.path());
    clean.env("BINADE_HOME", &site.home).env("BINADE_CACHE_MB", "0").args(["doctor", "--clean"]);
    assert_eq!(outcome(&clean.output().expect("the program starts")).0, 0);
    assert!(kept.iter().all(|path| !Path::new(path).exists()), "verdicts go as all of the cache");
}

/// Mutants and measurements are kept, too.
#[test]
fn mutants_and_measurements_are_known() {
    let site = Site::new();
    let suite = "targets = \"ice40\"\n[[unit]]\nformat = \"e2m1f\"\nunit = [\"mul\", \"add\"]\n";
    let mutants = |most: &str| {
        let (code, stdout, stderr) = site.said(suite, &["verify", "--mutate", most]);
        assert_eq!(code, 0, "{stderr}");
        (stdout, stderr)
    };
    let (table, first) = mutants("1000");
    assert!(!first.contains("known"), "{first}");
    let (again, second) = mutants("1000");
    assert!(second.contains("mutants (2 of 2 units known): "), "{second}");
    assert_eq!(again, table);
    assert!(!mutants("20").1.contains("known"));
    let fresh = site.said(suite, &["verify", "--mutate", "1000", "--fresh"]).2;
    assert!(!fresh.contains("known"), "{fresh}");

    // With the checkout's Yosys, and therefore in its home, which may know the figures; they are recomputed first.
    let measure = |words: &[&str]| {
        let mut command = common::binade_in(site.folder.path());
        command.args(["synth", "--suite", "s.toml", "--json"]).args(words);
        outcome(&command.output().expect("the program starts"))
    };
    let (code, figures, _) = measure(&["--fresh"]);
    assert_eq!(code, 0);
    let (_, again, stderr) = measure(&[]);
    assert!(stderr.contains("note: 2 measurements of 2 known"), "{stderr}");
    assert_eq!(again, figures);
}
