//! Modules written by hand, with a fault planted or rewritten without one (`testbench/planted/`): `prove` and `verify` judge each. A fault is
//! never proven, and a right module is never wrong.

use crate::common::{folder, run_in, today};
use binade_sim::verilator::{Dut, Reader, Sources};
use binade_synth::{Netlist, foreign_netlist};
use binade_tools::{Error, Source, Tools};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What is judged: a module around the right product of two codes of e4m3fn.
const UNIT: [&str; 5] = ["--format", "e4m3fn", "--unit", "mul", "--no-waves"];

/// Modules that are judged at once.
const AT_ONCE: usize = 2;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    plant: Vec<Plant>,
}

/// A module `M` that uses the product `core`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plant {
    name: String,
    is: Truth,
    #[serde(default)]
    options: Vec<String>,
    text: String,
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Why it is a fault or none, for readers.
    #[serde(default, rename = "why")]
    _why: String,
    /// The exit codes that are expected, if not only the rule is to hold.
    prove: Option<i32>,
    verify: Option<i32>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
enum Truth {
    Fault,
    Equal,
}

/// The verdicts on a module: the exit codes of `prove` and `verify`, and what they say.
struct Verdicts<'a> {
    plant: &'a Plant,
    codes: [i32; 2],
    said: [String; 2],
    /// Whether the printed testbench shows in Icarus what `verify` found; `None` if it found nothing, or if Icarus does not read the module.
    is_shown: Option<bool>,
}

fn planted() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/planted")
}

fn read(path: &Path) -> Vec<Plant> {
    let text = fs::read_to_string(path).expect("a file of this repository");
    let File { plant } = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    plant
}

/// The Verilog of the product, as the module `core`.
fn core() -> String {
    let folder = folder();
    let unit = ["gen", "--format", "e4m3fn", "--unit", "mul", "--module", "core", "--out", "."];
    assert_eq!(run_in(folder.path(), &unit).0, 0);
    fs::read_to_string(folder.path().join("core.v")).expect("generated")
}

fn judge<'a>(plant: &'a Plant, core: &str) -> Verdicts<'a> {
    let folder = folder();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    write("core.v", core);
    write("M.sv", &plant.text);
    plant.files.iter().for_each(|(name, text)| write(name, text));
    let module = ["--verilog", "core.v", "--verilog", "M.sv", "--top", "M"];
    let options: Vec<&str> = plant.options.iter().map(String::as_str).collect();
    let [(prove, proved), (verify, verified)] = ["prove", "verify"].map(|command| {
        let (code, stdout, stderr) = run_in(folder.path(), &[&[command], &UNIT[..], &module, &options].concat());
        (code, stdout + &stderr)
    });
    let is_shown = (verify == 1).then(|| is_shown(folder.path(), plant)).flatten();
    Verdicts { plant, codes: [prove, verify], said: [proved, verified], is_shown }
}

/// Runs the printed testbench of a module in Icarus.
fn is_shown(folder: &Path, plant: &Plant) -> Option<bool> {
    let written = fs::read_dir(folder.join("rtl_out")).ok()?.map(|entry| entry.expect("an entry").path());
    let (benches, others): (Vec<PathBuf>, Vec<PathBuf>) =
        written.partition(|path| path.to_string_lossy().ends_with("_mismatch_tb.v"));
    let adapters = others.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "sv"));
    let own = ["core.v", "M.sv"].map(PathBuf::from).into_iter();
    let sources = own.chain(plant.files.keys().filter(|name| name.ends_with("v")).map(PathBuf::from));
    let mut compile = Command::new("iverilog");
    compile.args(["-g2012", "-o", "bench.vvp"]).args(benches.iter().take(1).cloned().chain(adapters).chain(sources));
    let compiled = compile.current_dir(folder).output().expect("Icarus (apt-get install iverilog)");
    let run = || Command::new("vvp").args(["-n", "bench.vvp"]).current_dir(folder).output().expect("vvp").status;
    compiled.status.success().then(|| !run().success())
}

fn judge_all<'a>(plants: &'a [Plant], core: &str) -> Vec<Verdicts<'a>> {
    let (next, verdicts) = (AtomicUsize::new(0), Mutex::new(vec![]));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(plant) = plants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let judged = judge(plant, core);
                    verdicts.lock().expect("no panic").push(judged);
                }
            });
        }
    });
    let mut verdicts = verdicts.into_inner().expect("no panic");
    verdicts.sort_by(|a, b| a.plant.name.cmp(&b.plant.name));
    verdicts
}

impl Verdicts<'_> {
    /// What is wrong with the verdicts.
    fn faults(&self) -> Vec<String> {
        let Plant { name, is, prove, verify, .. } = self.plant;
        let [proved, verified] = &self.said;
        let [prove_code, verify_code] = self.codes;
        let allowed: [&[i32]; 2] = match is {
            Truth::Fault => [&[1, 2, 4], &[0, 1, 2]],
            Truth::Equal => [&[0, 2, 4], &[0, 2]],
        };
        let check = |command, code: i32, allowed: &[i32], expected: Option<i32>, said: &str| {
            let is_right = expected.map_or(allowed.contains(&code), |expected| expected == code);
            (!is_right).then(|| format!("{name} ({is:?}): {command} ends with {code}, expected {expected:?}: {said}"))
        };
        let prove = check("prove", prove_code, allowed[0], *prove, proved);
        prove.into_iter().chain(check("verify", verify_code, allowed[1], *verify, verified)).collect()
    }
}

/// How many modules got each verdict, as a table.
fn table(verdicts: &[Verdicts]) -> String {
    let mut counts = BTreeMap::new();
    for verdict in verdicts {
        for (command, code) in [("prove", verdict.codes[0]), ("verify", verdict.codes[1])] {
            *counts.entry((verdict.plant.is, command, code)).or_insert(0) += 1;
        }
    }
    let mut table = "| modules | command | exit code | count |\n|---|---|--:|--:|\n".to_string();
    for ((is, command, code), count) in counts {
        writeln!(table, "| {is:?} | {command} | {code} | {count} |").expect("a string");
    }
    table
}

/// The false verdicts that were ever found, with the verdict that is right, a quarter of them each day; and a twelfth of the modules with
/// valid and ready. All are judged at night.
#[test]
#[ignore = "long"]
fn verdicts_once_false_are_right() {
    let mut plants = vec![];
    for (file, share) in [("found.toml", 4), ("exchange.toml", 12)] {
        let all = read(&planted().join(file));
        assert!(all.iter().all(|plant| plant.prove.is_some() && plant.verify.is_some()));
        assert!(all.iter().all(|plant| plant.is == Truth::Equal || plant.prove != Some(0)));
        let (today, count) = (today() as usize % share, all.len());
        plants.extend(all.into_iter().skip(today).step_by(share));
        assert!(count >= share);
    }
    let core = core();
    let faults: Vec<String> = judge_all(&plants, &core).iter().flat_map(Verdicts::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every construct that synthesis knows: at least 200 faults, none proven, and 120 rewrites, none wrong.
#[test]
#[ignore = "minutes"]
fn nightly_planted_modules_are_judged_rightly() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(planted()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let plants: Vec<Plant> = files.iter().flat_map(|path| read(path)).collect();
    let core = core();
    let verdicts = judge_all(&plants, &core);
    println!("{}", table(&verdicts));
    let unshown: Vec<&str> =
        verdicts.iter().filter(|it| it.is_shown == Some(false)).map(|it| it.plant.name.as_str()).collect();
    let shown = verdicts.iter().filter(|verdict| verdict.is_shown == Some(true)).count();
    println!("{shown} faults are shown by the printed testbench, {} are not: {}", unshown.len(), unshown.join(", "));
    let faults: Vec<String> = verdicts.iter().flat_map(Verdicts::faults).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), plants.len(), faults.join("\n"));
    let count = |is, codes: &[i32]| {
        verdicts.iter().filter(|verdict| verdict.plant.is == is && codes.contains(&verdict.codes[0])).count()
    };
    assert!(count(Truth::Fault, &[1, 2, 4]) >= 200 && count(Truth::Equal, &[0, 2, 4]) >= 120);
    // A verdict for most: what refuses everything is never wrong either.
    assert!(count(Truth::Fault, &[1]) >= 130 && count(Truth::Equal, &[0]) >= 100, "{}", table(&verdicts));
}

/// The cells and nets that Yosys makes of a module, without the places in files.
fn netlist(tools: &Tools, top: &str, write: &dyn Fn(&Path) -> Result<(), Error>) -> Result<Value, Error> {
    let read = foreign_netlist(tools, top, write, Netlist::Printed)?;
    let mut netlist = serde_json::from_str(&read.json).expect("JSON");
    without_attributes(&mut netlist);
    Ok(netlist)
}

fn without_attributes(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("attributes");
            fields.values_mut().for_each(without_attributes);
        }
        Value::Array(values) => values.iter_mut().for_each(without_attributes),
        _ => {}
    }
}

/// Whether the text that is judged is what Yosys reads of the files alone; none if Yosys rejects the files.
fn is_what_yosys_reads(tools: &Tools, folder: &Path, files: &[&str], top: &str) -> Option<bool> {
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let alone = |scratch: &Path| {
        let list: String = paths.iter().map(|path| format!("{}\n", path.display())).collect();
        fs::write(scratch.join("files.f"), format!("-I {}\n{list}", folder.display())).expect("written");
        Ok(())
    };
    let alone = netlist(tools, top, &alone).ok()?;
    let sources = Sources { files: paths.clone(), may_reach_out: true, ..Sources::default() };
    let judged = Dut::survey(tools, top, sources).ok()?.slang_files().expect("files");
    let write = |scratch: &Path| {
        judged.write(scratch, Reader::Synthesis, "")?;
        // What `$readmemh` reads stands beside the module.
        let copies = scratch.join("files").join(folder.strip_prefix("/").expect("a whole path"));
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            if !copies.join(entry.file_name()).exists() {
                fs::copy(entry.path(), copies.join(entry.file_name())).expect("copied");
            }
        }
        Ok(())
    };
    Some(netlist(tools, top, &write).expect("what Yosys reads alone") == alone)
}

/// For every reference file and every planted module, what is judged is what Yosys reads of the files alone.
#[test]
#[ignore = "minutes"]
fn nightly_what_is_judged_is_what_yosys_reads() {
    let tools = Tools::new(Source::Pinned);
    let core = core();
    let mut modules: Vec<(tempfile::TempDir, Vec<String>, String)> = vec![];
    for entry in fs::read_dir(planted()).expect("a folder") {
        for plant in read(&entry.expect("an entry").path()) {
            let folder = folder();
            let texts = [("core.v", &core), ("M.sv", &plant.text)].into_iter();
            let others = plant.files.iter().map(|(name, text)| (name.as_str(), text));
            texts.chain(others).for_each(|(name, text)| fs::write(folder.path().join(name), text).expect("written"));
            modules.push((folder, vec!["core.v".into(), "M.sv".into()], "M".into()));
        }
    }
    let references = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl_out/reference");
    for entry in fs::read_dir(references).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.extension().is_some_and(|ending| ending == "v" || ending == "sv") {
            let folder = folder();
            let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
            fs::copy(&entry, folder.path().join(&name)).expect("copied");
            let top = entry.file_stem().expect("a name").to_string_lossy().into_owned();
            modules.push((folder, vec![name], top));
        }
    }
    let next = AtomicUsize::new(0);
    let compared = Mutex::new(BTreeMap::new());
    let different = Mutex::new(vec![]);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((folder, files, top)) = modules.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let files: Vec<&str> = files.iter().map(String::as_str).collect();
                    let is_same = is_what_yosys_reads(&tools, folder.path(), &files, top);
                    if is_same == Some(false) {
                        let text = fs::read_to_string(folder.path().join(files[files.len() - 1])).expect("read");
                        different.lock().expect("no panic").push(text);
                    }
                    *compared.lock().expect("no panic").entry(is_same.is_some()).or_insert(0) += 1;
                }
            });
        }
    });
    let compared = compared.into_inner().expect("no panic");
    println!("{} compared, {} rejected by Yosys or Verilator", compared[&true], compared.get(&false).unwrap_or(&0));
    // `read_slang` leaves out what stands in library cells; they are judged like other modules.
    let (cells, others): (Vec<String>, Vec<String>) =
        different.into_inner().expect("no panic").into_iter().partition(|text| text.contains("`celldefine"));
    assert!(others.is_empty(), "{} differ:\n{}", others.len(), others.join("\n----\n"));
    assert!((1..=5).contains(&cells.len()), "{}", cells.join("\n----\n"));
    assert!(compared[&true] >= 400, "{compared:?}");
}
