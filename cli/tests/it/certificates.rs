//! `binade prove --certificate` and `binade check`: certificates, and forgeries of them.

use crate::common::{folder, run_in};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

/// The files of a certificate, not compressed but in the folders of parts.
#[derive(Clone)]
struct Certificate {
    files: BTreeMap<String, Vec<u8>>,
    manifest: Value,
}

impl Certificate {
    fn of(format: &str, round: &str) -> Certificate {
        let folder = folder();
        let words = ["prove", "--format", format, "--unit", "mul", "--round", round, "--certificate", "out"];
        let (code, stdout, stderr) = run_in(folder.path(), &words);
        assert_eq!(code, 0, "{stdout}{stderr}");
        Certificate::read(&folder.path().join(format!("out/mul_{format}_{round}")))
    }

    fn read(folder: &Path) -> Certificate {
        let mut files = BTreeMap::new();
        Certificate::read_into(folder, "", &mut files);
        let manifest = serde_json::from_slice(&files.remove("manifest.json").expect("a manifest")).expect("JSON");
        Certificate { files, manifest }
    }

    /// Reads the files of a folder and of those in it.
    fn read_into(folder: &Path, below: &str, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = format!("{below}{}", path.file_name().expect("a name").to_string_lossy());
            if path.is_dir() {
                Certificate::read_into(&path, &format!("{name}/"), files);
                continue;
            }
            let mut bytes = fs::read(&path).expect("a file");
            if name.ends_with(".gz") && below.is_empty() {
                let packed = std::mem::take(&mut bytes);
                GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("gzip");
            }
            files.insert(name, bytes);
        }
    }

    /// Writes the files with the right hashes, and says why they are refused.
    fn refused(&self, is_hashed: bool) -> Option<String> {
        let folder = folder();
        let mut manifest = self.manifest.clone();
        for (name, bytes) in &self.files {
            let packed = match name.ends_with(".gz") && !name.contains('/') {
                true => {
                    let mut encoder = GzEncoder::new(vec![], Compression::fast());
                    encoder.write_all(bytes).expect("memory");
                    encoder.finish().expect("memory")
                }
                false => bytes.clone(),
            };
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, &packed).expect("a file");
            let digits: String = Sha256::digest(&packed).iter().map(|byte| format!("{byte:02x}")).collect();
            match name.split_once('/') {
                _ if !is_hashed => {}
                None => manifest["files"][name] = json!(digits),
                // The hashes of a part's files stand in its manifest, which is not forged.
                Some((part, "manifest.json")) => manifest["parts"][part] = json!(digits),
                Some(_) => {}
            }
        }
        fs::write(folder.path().join("manifest.json"), manifest.to_string()).expect("a file");
        let (code, stdout, stderr) = run_in(folder.path(), &["check", "."]);
        assert_eq!((code == 0, stderr.is_empty()), (!stdout.is_empty(), code == 0), "{stdout}{stderr}");
        assert!(code <= 1, "{stderr}");
        (code == 1).then_some(stderr)
    }

    fn lines(&self, name: &str) -> Vec<String> {
        String::from_utf8(self.files[name].clone()).expect("text").lines().map(String::from).collect()
    }

    fn set_lines(&mut self, name: &str, lines: &[String]) {
        self.files.insert(name.into(), (lines.join("\n") + "\n").into_bytes());
    }

    fn stems(&self) -> Vec<String> {
        let cases = self.manifest["cases"].as_array().expect("cases");
        cases.iter().map(|case| case["stem"].as_str().expect("a stem").into()).collect()
    }

    /// Changes the numbers of a random line.
    fn edit(
        &mut self,
        name: &str,
        random: &mut Xoshiro256PlusPlus,
        change: impl Fn(&mut Vec<i64>, &mut Xoshiro256PlusPlus),
    ) {
        let mut lines = self.lines(name);
        let at = random.random_range(1..lines.len());
        let mut numbers: Vec<i64> = lines[at].split(' ').map(|word| word.parse().expect("a number")).collect();
        change(&mut numbers, random);
        lines[at] = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        self.set_lines(name, &lines);
    }

    /// Replaces the literal of an output of a circuit.
    fn set_output(&mut self, name: &str, output: usize, literal: &str) {
        let bytes = &self.files[name];
        let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        lines[1 + output] = literal.into();
        self.files.insert(name.into(), lines.join(&b'\n'));
    }

    fn replace(&mut self, name: &str, old: &str, new: &str) {
        let bytes = &self.files[name];
        let at = bytes.windows(old.len()).position(|window| window == old.as_bytes()).expect("the old text");
        let changed = [&bytes[..at], new.as_bytes(), &bytes[at + old.len()..]].concat();
        self.files.insert(name.into(), changed);
    }
}

#[test]
fn a_certificate_is_written_and_checked() {
    let folder = folder();
    let words = ["prove", "--format", "e3m2f", "--unit", "fmac", "--acc", "e3m2f", "--certificate", "out"];
    let (code, stdout, _) = run_in(folder.path(), &words);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("\ncertificate: out/fmac_e3m2f_acc_e3m2f_rne ("), "{stdout}");
    let (code, stdout, _) = run_in(folder.path(), &["check", "out"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.starts_with("fmac_e3m2f_acc_e3m2f_rne: for all 2^18 inputs"), "{stdout}");
    assert!(stdout.ends_with("; not shown: that unit.aig is the circuit\n"), "{stdout}");
    let page = fs::read_to_string(folder.path().join("out/fmac_e3m2f_acc_e3m2f_rne/README.md")).expect("a page");
    assert!(page.contains("For each of the 2^18 inputs"), "{page}");
}

/// The outputs of a circuit in binary AIGER for these input bits.
fn evaluated(bytes: &[u8], inputs: &[bool]) -> Vec<bool> {
    let mut rest = bytes;
    let mut line = || {
        let end = rest.iter().position(|&byte| byte == b'\n').expect("a line");
        let (line, after) = rest.split_at(end);
        rest = &after[1..];
        String::from_utf8(line.to_vec()).expect("text")
    };
    let header: Vec<usize> = line().split(' ').skip(1).map(|number| number.parse().expect("a number")).collect();
    let outputs: Vec<usize> = (0..header[3]).map(|_| line().parse().expect("a literal")).collect();
    let mut bytes = rest.iter();
    let mut number = || {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = usize::from(*bytes.next().expect("a byte"));
            number |= (byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return number;
            }
        }
    };
    let mut values = [&[false], inputs].concat();
    let value = |values: &[bool], literal: usize| values[literal >> 1] != (literal & 1 == 1);
    for _ in 0..header[4] {
        let high = 2 * values.len() - number();
        let low = high - number();
        values.push(value(&values, high) && value(&values, low));
    }
    outputs.iter().map(|&output| value(&values, output)).collect()
}

/// `unit.aig` computes what the golden model does, also where it is made of parts.
#[test]
fn circuits_of_certificates_are_the_units() {
    let folder = folder();
    let sum = |sum: &str| {
        ["--format", "e2m1f", "--unit", "dot", "--lanes", "2", "--sum", sum, "--acc", "e3m2f"].map(String::from)
    };
    let cases: [(Vec<String>, &str); 5] = [
        (sum("chain").into(), "dot2_chain_e2m1f_acc_e3m2f_rne"),
        (sum("tree").into(), "dot2_tree_e2m1f_acc_e3m2f_rne"),
        (words("--format e2m1f --unit mma --m 2 --n 1 --k 2 --acc e3m2f"), "mma2x1x2_e2m1f_acc_e3m2f_rne"),
        (words("--format e3m2f --unit mul --round any"), "mul_e3m2f_any"),
        (
            words("--format e2m1f --unit fmac --acc e3m2f --out e2m1f --activation tanh"),
            "fmac_e2m1f_acc_e3m2f_out_e2m1f_tanh_rne",
        ),
    ];
    for (words, module) in cases {
        let of_unit: Vec<&str> = words.iter().map(String::as_str).collect();
        let (code, stdout, stderr) =
            run_in(folder.path(), &[&["prove", "--certificate", "out"], &of_unit[..]].concat());
        assert_eq!(code, 0, "{stdout}{stderr}");
        let certificate = Certificate::read(&folder.path().join("out").join(module));
        let widths = |ports: &str| -> Vec<usize> {
            let ports = certificate.manifest[ports].as_array().expect("ports");
            ports.iter().map(|port| port["width"].as_u64().expect("a width") as usize).collect()
        };
        let (of_inputs, of_outputs) = (widths("inputs"), widths("outputs"));
        let (code, stdout, stderr) = run_in(folder.path(), &[&["vectors", "--vectors", "500"], &of_unit[..]].concat());
        assert_eq!(code, 0, "{stderr}");
        for line in stdout.lines() {
            let ports = of_inputs.iter().chain(&of_outputs);
            let bits: Vec<bool> = line.split(' ').zip(ports).flat_map(|(word, &width)| bits(word, width)).collect();
            let (inputs, outputs) = bits.split_at(of_inputs.iter().sum());
            assert_eq!(evaluated(&certificate.files["unit.aig"], inputs), outputs, "{module}: {line}");
        }
        assert!(stdout.lines().count() >= 500, "{stdout}");
    }
}

/// The bits of a word of this width, in hexadecimal, its lanes separated by commas.
fn bits(word: &str, width: usize) -> Vec<bool> {
    let lanes: Vec<&str> = word.split(',').collect();
    let of_lane = width / lanes.len();
    let codes = lanes.into_iter().map(|lane| u64::from_str_radix(lane, 16).expect("a code"));
    codes.flat_map(|code| (0..of_lane).map(move |place| code >> place & 1 == 1)).collect()
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(String::from).collect()
}

/// A certificate that is checked right away leaves its manifests and pages.
#[test]
fn checked_certificates_leave_their_manifests() {
    let folder = folder();
    let unit = ["--format", "e2m1f", "--unit", "dot", "--lanes", "2", "--sum", "chain", "--acc", "e3m2f"];
    let all = [&["prove", "--certificate", "out", "--certificate-check"], &unit[..]].concat();
    let (code, stdout, stderr) = run_in(folder.path(), &all);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("; checked, and only the manifests are kept)\n"), "{stdout}");
    let mut files = BTreeMap::new();
    Certificate::read_into(&folder.path().join("out/dot2_chain_e2m1f_acc_e3m2f_rne"), "", &mut files);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let of_parts =
        ["rounding-1/README.md", "rounding-1/manifest.json", "rounding-2/README.md", "rounding-2/manifest.json"];
    assert_eq!(names, [&["README.md", "manifest.json"], &of_parts[..]].concat());
    let (code, _, stderr) =
        run_in(folder.path(), &["prove", "--certificate-check", "--format", "e2m1f", "--unit", "mul"]);
    assert!(code == 2 && stderr.contains("--certificate <FOLDER>"), "{stderr}");
}

/// Ports that choose the rounding, several roundings, and matrices, whose elements have one certificate.
#[test]
fn certificates_have_directions_and_parts() {
    let folder = folder();
    let certified = |words: &[&str], module: &str, cases: &str| {
        let (code, stdout, stderr) = run_in(folder.path(), &[&["prove", "--certificate", "out"], words].concat());
        assert_eq!(code, 0, "{stdout}{stderr}");
        let (code, stdout, stderr) = run_in(folder.path(), &["check", &format!("out/{module}")]);
        assert_eq!(code, 0, "{stderr}");
        assert!(stdout.contains(cases), "{stdout}");
    };
    certified(&["--format", "e3m2f", "--unit", "mul", "--round", "any"], "mul_e3m2f_any", "2^15 inputs");
    let chain = ["--format", "e2m1f", "--unit", "dot", "--lanes", "2", "--sum", "chain", "--acc", "e4m3fn"];
    certified(&chain, "dot2_chain_e2m1f_acc_e4m3fn_rne", "2^24 inputs");
    let tree = ["--format", "e2m1f", "--unit", "dot", "--lanes", "2", "--sum", "tree", "--acc", "e4m3fn"];
    certified(&tree, "dot2_tree_e2m1f_acc_e4m3fn_rne", "2^24 inputs");
    let matrix = ["--format", "e2m1f", "--unit", "mma", "--m", "2", "--n", "2", "--k", "2", "--acc", "e4m3fn"];
    certified(&matrix, "mma2x2x2_e2m1f_acc_e4m3fn_rne", "2^64 inputs");
    let parts = fs::read_dir(folder.path().join("out/mma2x2x2_e2m1f_acc_e4m3fn_rne")).expect("a folder");
    assert_eq!(parts.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_dir())).count(), 1);
    let both = [&matrix[..], &["--sum", "chain"]].concat();
    certified(&both, "mma2x2x2_chain_e2m1f_acc_e4m3fn_rne", "2^64 inputs");
    // Tables, and a function behind another operation.
    certified(
        &["--format", "e4m3fn", "--unit", "function", "--function", "tanh"],
        "function_tanh_e4m3fn_rne",
        "2^8 inputs",
    );
    certified(&["--format", "nf4", "--unit", "mul"], "mul_nf4_rne", "2^8 inputs");
    let stochastic = ["--format", "e3m2f", "--unit", "function", "--function", "exp", "--round", "sr4"];
    certified(&stochastic, "function_exp_e3m2f_sr4", "2^10 inputs");
    let behind = ["--format", "e2m1f", "--unit", "fmac", "--acc", "e3m2f", "--out", "e2m1f", "--activation", "tanh"];
    certified(&behind, "fmac_e2m1f_acc_e3m2f_out_e2m1f_tanh_rne", "2^14 inputs");
    // What depends on the list of connections is said by the checker, too.
    let (_, stdout, _) = run_in(folder.path(), &["check", "out/dot2_chain_e2m1f_acc_e4m3fn_rne"]);
    assert!(
        stdout.ends_with("; not shown: that its parts, connected as manifest.json says, are the operation\n"),
        "{stdout}"
    );
    let page = fs::read_to_string(folder.path().join("out/dot2_chain_e2m1f_acc_e4m3fn_rne/README.md")).expect("a page");
    assert!(page.contains("- `rounding-2` reads `a[7:4]`, `b[7:4]`, `rounding-1.y[7:0]`"), "{page}");
}

/// Forgeries of how parts are connected.
#[test]
fn forged_connections_are_refused() {
    let folder = folder();
    let words = ["--format", "e2m1f", "--unit", "dot", "--lanes", "2", "--sum", "chain", "--acc", "e3m2f"];
    let all = [&["prove", "--certificate", "out"], &words[..]].concat();
    let (code, stdout, stderr) = run_in(folder.path(), &all);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let sound = Certificate::read(&folder.path().join("out/dot2_chain_e2m1f_acc_e3m2f_rne"));
    assert_eq!(sound.refused(true), None);
    let reads = |forged: &mut Certificate, instance: usize, bit: usize, name: &str| {
        forged.manifest["instances"][instance]["inputs"][bit] = json!(name);
    };
    type Forgery<'a> = Box<dyn Fn(&mut Certificate) + 'a>;
    let forgeries: Vec<Forgery> = vec![
        Box::new(|forged| reads(forged, 0, 0, "a[1]")),
        Box::new(|forged| reads(forged, 1, 8, "rounding-1.y[1]")),
        Box::new(|forged| reads(forged, 0, 8, "rounding-2.y[0]")),
        Box::new(|forged| reads(forged, 0, 0, "a[99]")),
        Box::new(|forged| forged.manifest["outputs_from"][0] = json!("rounding-1.y[0]")),
        Box::new(|forged| _ = forged.manifest["outputs_from"].as_array_mut().expect("bits").pop()),
        Box::new(|forged| _ = forged.manifest["instances"].as_array_mut().expect("instances").pop()),
        Box::new(|forged| forged.manifest["instances"].as_array_mut().expect("instances").swap(0, 1)),
        Box::new(|forged| forged.manifest["instances"][1]["name"] = json!("rounding-1")),
        Box::new(|forged| forged.manifest["instances"][1]["part"] = json!("rounding-1")),
        Box::new(|forged| forged.manifest["instances"] = json!([])),
        Box::new(|forged| {
            let part = forged.manifest["parts"]["rounding-1"].clone();
            forged.manifest["parts"]["../rounding-1"] = part;
        }),
        Box::new(|forged| forged.set_output("unit.aig", 0, "2")),
        Box::new(|forged| {
            let other = forged.files["rounding-1/unit.aig"].clone();
            forged.files.insert("unit.aig".into(), other);
        }),
        Box::new(|forged| {
            let other = forged.files["rounding-1/unit.aig"].clone();
            forged.files.insert("rounding-2/unit.aig".into(), other);
        }),
        Box::new(|forged| forged.files.retain(|name, _| !name.starts_with("rounding-2/"))),
        Box::new(|forged| {
            // The manifest of a part, whose hash is known, has no case left.
            let bytes = &forged.files["rounding-1/manifest.json"];
            let mut manifest: Value = serde_json::from_slice(bytes).expect("JSON");
            manifest["cases"] = json!([]);
            forged.files.insert("rounding-1/manifest.json".into(), manifest.to_string().into_bytes());
        }),
    ];
    for (number, forge) in forgeries.iter().enumerate() {
        let mut forged = sound.clone();
        forge(&mut forged);
        assert!(forged.refused(true).is_some(), "forgery {number}");
    }
}

/// The certificate of a pipeline holds one clock of it, and what shows that its registers do not change the results. That of a unit which
/// takes several clocks for an operation says that it does not show that.
#[test]
fn what_a_certificate_shows_of_registers_is_said() {
    let folder = folder();
    let unit = ["prove", "--format", "e5m2", "--unit", "add", "--stages", "2", "--certificate", "out"];
    assert_eq!(run_in(folder.path(), &unit).0, 0);
    let (code, stdout, _) = run_in(folder.path(), &["check", "out"]);
    assert_eq!(code, 0, "{stdout}");
    let shown = "; with registers, for any sequence: latency 2, controls rst_n, en, in_valid, out_valid; not shown: that step.aig is a clock of the circuit\n";
    assert!(stdout.ends_with(shown), "{stdout}");
    let iterated = ["--format", "e5m2", "--unit", "divide", "--digits-per-clock", "1", "--certificate", "iterated"];
    assert_eq!(run_in(folder.path(), &[&["prove"], &iterated[..]].concat()).0, 0);
    let (code, stdout, _) = run_in(folder.path(), &["check", "iterated"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(
        stdout.contains("not shown: that unit.aig is the circuit; not shown: that the unit's registers"),
        "{stdout}"
    );
}

/// Forgeries of what is shown of registers.
#[test]
fn forged_registers_are_refused() {
    let folder = folder();
    let words = ["prove", "--format", "e2m1f", "--unit", "mul", "--round", "rtz", "--stages", "2"];
    let (code, stdout, stderr) = run_in(folder.path(), &[&words[..], &["--certificate", "out"]].concat());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let sound = Certificate::read(&folder.path().join("out/mul_e2m1f_rtz_p2"));
    assert_eq!(sound.refused(true), None);
    type Forgery<'a> = Box<dyn Fn(&mut Certificate) + 'a>;
    let copied = |to: &'static str, from: &'static str| -> Forgery {
        Box::new(move |forged| _ = forged.files.insert(to.into(), forged.files[from].clone()))
    };
    let outputs = output_literals(&sound.files["step.aig"]);
    let forgeries: Vec<Forgery> = vec![
        Box::new(|forged| forged.manifest["registers"]["latency"] = json!(1)),
        Box::new(|forged| forged.manifest["registers"]["latency"] = json!(0)),
        Box::new(|forged| forged.manifest["registers"]["latency"] = json!(3)),
        Box::new(|forged| forged.manifest["registers"]["latency"] = json!(1_000_000_000_000_u64)),
        Box::new(|forged| forged.manifest["registers"]["latency"] = json!(-1)),
        Box::new(|forged| forged.manifest["registers"]["controls"] = json!(["rst_n", "en", "out_valid"])),
        Box::new(|forged| forged.manifest["registers"]["controls"] = json!(["rst_n", "en", "in_valid"])),
        copied("registers-results.lrat.gz", "registers-stall.lrat.gz"),
        copied("registers-results.lrat.gz", "cover.lrat.gz"),
        copied("registers-reset.cnf.gz", "registers-results.cnf.gz"),
        copied("step.aig", "unit.aig"),
        copied("unit.aig", "step.aig"),
        Box::new(|forged| _ = forged.files.remove("registers-stall.lrat.gz")),
        Box::new(|forged| _ = forged.files.remove("registers-reset.cnf.gz")),
        Box::new(|forged| _ = forged.files.remove("step.aig")),
        // `out_valid` and the lowest bit of the result are constants; two bits of the result, and two registers, are exchanged.
        Box::new(|forged| forged.set_output("step.aig", 0, "1")),
        Box::new(|forged| forged.set_output("step.aig", 0, "0")),
        Box::new(|forged| forged.set_output("step.aig", 1, "0")),
        Box::new(|forged| {
            forged.set_output("step.aig", 1, &outputs[2]);
            forged.set_output("step.aig", 2, &outputs[1]);
        }),
        Box::new(|forged| {
            forged.set_output("step.aig", 6, &outputs[outputs.len() - 1]);
            forged.set_output("step.aig", outputs.len() - 1, &outputs[6]);
        }),
        Box::new(|forged| forged.replace("step.aig", "i1 en", "i1 em")),
        Box::new(|forged| forged.replace("step.aig", "i3 a[0]", "i3 b[0]")),
        Box::new(|forged| forged.replace("step.aig", "o0 out_valid", "o0 out_validx")),
    ];
    for (number, forge) in forgeries.iter().enumerate() {
        let mut forged = sound.clone();
        forge(&mut forged);
        assert!(forged.refused(true).is_some(), "forgery {number}");
    }
    // Without `en`, nothing is claimed of it.
    let mut forged = sound.clone();
    forged.manifest["registers"]["controls"] = json!(["rst_n", "in_valid", "out_valid"]);
    assert_eq!(forged.refused(true), None);
}

/// The literals of the outputs of a circuit in binary AIGER.
fn output_literals(bytes: &[u8]) -> Vec<String> {
    let lines = || bytes.split(|&byte| byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned());
    let header = lines().next().expect("a header");
    let count = header.split(' ').nth(4).expect("the number of outputs").parse().expect("a number");
    lines().skip(1).take(count).collect()
}

#[test]
fn units_without_certificates_are_refused() {
    let folder = folder();
    let refused = |words: &[&str], says: &str| {
        let all = [&["prove", "--certificate", "out"], words].concat();
        let (code, _, stderr) = run_in(folder.path(), &all);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(says) && stderr.contains("prove it without --certificate"), "{stderr}");
        assert!(!folder.path().join("out").exists());
    };
    refused(&["--format", "e5m2+e4m3fn", "--unit", "add"], "port `fmt`");
    refused(&["--format", "e5m2", "--unit", "accumulate"], "state");
    refused(&["--format", "nf4", "--unit", "fmac"], "codebook");
    let (code, _, stderr) = run_in(folder.path(), &["check", "nowhere"]);
    assert_eq!(code, 2, "a folder that cannot be read: {stderr}");
    let (code, _, stderr) = run_in(folder.path(), &["check", "."]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no certificate here"), "{stderr}");
}

/// A folder that holds something else is left alone; nothing remains of a proof that fails.
#[test]
fn nothing_is_overwritten_or_half_written() {
    let folder = folder();
    let unit = ["prove", "--format", "e3m2f", "--unit", "mul", "--certificate", "."];
    let other = folder.path().join("mul_e3m2f_rne");
    fs::create_dir(&other).expect("a folder");
    fs::write(other.join("thesis.tex"), "years of work").expect("a file");
    let (code, _, stderr) = run_in(folder.path(), &unit);
    assert_eq!(code, 2, "{stderr}");
    assert!(other.join("thesis.tex").exists());
    fs::remove_dir_all(&other).expect("a folder");
    assert_eq!(run_in(folder.path(), &unit).0, 0);
    assert_eq!(run_in(folder.path(), &unit).0, 0, "a certificate is replaced");
    // One wrong input of 2^12.
    assert_eq!(run_in(folder.path(), &["gen", "--format", "e3m2f", "--unit", "mul", "--out", "."]).0, 0);
    let wrong = "module wrong(input [5:0] a, b, output [5:0] y); wire [5:0] p; mul_e3m2f_rne core(.a, .b, .y(p)); \
                 assign y = a == 6'h15 & b == 6'h0b ? ~p : p; endmodule\n";
    fs::write(folder.path().join("wrong.v"), wrong).expect("a file");
    let files = ["--verilog", "wrong.v", "--verilog", "mul_e3m2f_rne.v", "--top", "wrong", "--no-waves"];
    let (code, stdout, _) = run_in(folder.path(), &[&unit[..], &files].concat());
    assert_eq!(code, 1, "{stdout}");
    // One wrong row of a table.
    let table = ["--format", "e3m2f", "--unit", "function", "--function", "tanh"];
    assert_eq!(run_in(folder.path(), &[&["gen", "--out", "."], &table[..]].concat()).0, 0);
    let wrong = "module wrong(input [5:0] x, output [5:0] y); wire [5:0] p; function_tanh_e3m2f_rne core(.x, .y(p)); \
                 assign y = x == 6'h15 ? p + 1 : p; endmodule\n";
    fs::write(folder.path().join("wrong.v"), wrong).expect("a file");
    let files = ["--verilog", "wrong.v", "--verilog", "function_tanh_e3m2f_rne.v", "--top", "wrong", "--no-waves"];
    let (code, stdout, _) = run_in(folder.path(), &[&["prove", "--certificate", "."], &table[..], &files].concat());
    assert_eq!(code, 1, "{stdout}");
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    assert!(!left.iter().any(|path| path.to_string_lossy().contains("partial") || path.ends_with("wrong")), "{left:?}");
}

/// Forgeries of each kind, with hashes that are right again.
#[test]
fn forgeries_are_refused() {
    let sound = Certificate::of("e3m2f", "rne");
    let other = Certificate::of("e3m2f", "rtz");
    assert_eq!(sound.refused(true), None);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (stems, kinds) = (sound.stems(), 24);
    for seed in 0..5 * kinds {
        let mut forged = sound.clone();
        let stem = &stems[random.random_range(0..stems.len())];
        let [aig, cnf, lrat] = [format!("{stem}.aig"), format!("{stem}.cnf.gz"), format!("{stem}.lrat.gz")];
        let kind = seed % kinds;
        let mut is_hashed = true;
        match kind {
            // A literal of a derived clause is inverted, or a step is left out, or the last clause of a chain.
            0 => forged.edit(&lrat, &mut random, |numbers, random| {
                let end = numbers[1..].iter().position(|&number| number == 0).expect("an end");
                let at = random.random_range(0..=end);
                if at < end {
                    numbers[1 + at] *= -1
                } else {
                    numbers.remove(numbers.len() - 2);
                }
            }),
            1 => forged.edit(&lrat, &mut random, |numbers, _| _ = numbers.remove(numbers.len() - 2)),
            2 => {
                let lines = forged.lines(&lrat);
                forged.set_lines(&lrat, &lines[..random.random_range(0..lines.len())]);
            }
            // Only the empty clause remains.
            3 => {
                let lines = forged.lines(&lrat);
                forged.set_lines(&lrat, &lines[lines.len() - 1..]);
            }
            // The proof, the clauses or the circuit of another case, or of another unit.
            4 => _ = forged.files.insert(lrat, sound.files["cover.lrat.gz"].clone()),
            5 => _ = forged.files.insert(cnf, sound.files["cover.cnf.gz"].clone()),
            6 => _ = forged.files.insert("unit.aig".into(), other.files["unit.aig"].clone()),
            7 => {
                let next = &stems[(stems.iter().position(|other| other == stem).expect("a stem") + 1) % stems.len()];
                for end in [".aig", ".cnf.gz", ".lrat.gz"] {
                    let name = |stem: &str| format!("{stem}{end}");
                    forged.files.insert(name(stem), sound.files[&name(next)].clone());
                    forged.files.insert(name(next), sound.files[&name(stem)].clone());
                }
            }
            // A case is left out, or put in twice, or contains no input.
            8 => _ = forged.manifest["cases"].as_array_mut().expect("cases").pop(),
            9 => {
                let first = forged.manifest["cases"][0].clone();
                forged.manifest["cases"].as_array_mut().expect("cases").push(first);
            }
            10 => forged.set_output(&aig, 0, "0"),
            11 => forged.manifest["cases"] = json!([]),
            // An output of the unit is a constant; the first expected bit is inverted.
            12 => forged.set_output("unit.aig", 0, "0"),
            13 => forged.set_output(&aig, 13, "1"),
            // Pins change their names.
            14 => forged.replace("unit.aig", "i0 a[0]", "i0 b[0]"),
            15 => {
                forged.replace("unit.aig", "i0 a[0]", "i0 a[x]");
                forged.replace("unit.aig", "i1 a[1]", "i1 a[0]");
                forged.replace("unit.aig", "i0 a[x]", "i0 a[1]");
            }
            16 => forged.replace(&aig, "o1 a[0]", "o1 b[0]"),
            // The manifest lies.
            17 => forged.manifest["outputs"][0]["width"] = json!(5),
            18 => {
                is_hashed = false;
                forged.files.get_mut("unit.aig").expect("the unit").push(b'c');
            }
            19 => forged.manifest["files"]["../unit.aig"] = json!("00"),
            20 => {
                _ = forged.manifest["files"]
                    .as_object_mut()
                    .expect("files")
                    .remove(&lrat)
                    .map(|_| forged.files.remove(&lrat))
            }
            // Something follows, or is missing.
            21 => forged.files.get_mut(&cnf).expect("clauses").extend(b"1 0\n"),
            22 => {
                let bytes = forged.files.get_mut("cover.aig").expect("the cover");
                bytes.truncate(random.random_range(0..bytes.len()));
            }
            // A circuit of 2^31 gates.
            _ => _ = forged.files.insert("unit.aig".into(), b"aig 2147483659 12 0 6 2147483647\n".to_vec()),
        }
        assert!(forged.refused(is_hashed).is_some(), "forgery {kind} of {stem}, seed {seed}");
    }
}

/// A changed byte in any file is found, unless it is in a name or in a refutation that is still one.
#[test]
fn changed_bytes_are_found() {
    let sound = Certificate::of("e2m1f", "rne");
    let names: Vec<String> = sound.files.keys().filter(|name| !name.ends_with(".md")).cloned().collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut refused = 0;
    for _ in 0..100 {
        let name = &names[random.random_range(0..names.len())];
        let mut forged = sound.clone();
        let bytes = forged.files.get_mut(name).expect("a file");
        let at = random.random_range(0..bytes.len());
        bytes[at] ^= 1 << random.random_range(0..7);
        match forged.refused(true) {
            Some(_) => refused += 1,
            None => {
                assert!(name.ends_with(".lrat.gz") || bytes_are_a_name(&sound.files[name], at), "{name}, byte {at}")
            }
        }
    }
    assert!(refused > 80, "{refused}");
}

/// Whether a byte belongs to a name of a free bit, which says nothing.
fn bytes_are_a_name(bytes: &[u8], at: usize) -> bool {
    let names = bytes.windows(8).position(|window| window == b"i0 free[");
    let outputs = bytes.windows(4).rposition(|window| window == b"\no0 ");
    let is_cover = bytes.windows(9).any(|window| window == b"o0 case-0");
    match (names, outputs) {
        (Some(first), Some(last)) => first < at && at < last,
        (None, Some(first)) => is_cover && at > first,
        _ => false,
    }
}
