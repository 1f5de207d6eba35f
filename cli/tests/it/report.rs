//! `binade report`: pages.

use crate::common::{self, binade_in, folder, home, names, outcome, run_in, start};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// A NumPy array of these numbers in binary32.
fn npy(folder: &Path, name: &str, numbers: &[f32]) {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}", numbers.len());
    let header = format!("{header:<117}\n");
    let mut content = b"\x93NUMPY\x01\x00".to_vec();
    content.extend((header.len() as u16).to_le_bytes());
    content.extend(header.as_bytes());
    content.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    fs::write(folder.join(name), content).expect("a file");
}

#[test]
fn a_page_of_formats_is_one_file() {
    let folder = folder();
    let formats = ["e5m2b1", "e5m2", "posit16_1", "bfloat16"];
    let (code, stdout, stderr) =
        run_in(folder.path(), &[["report", "formats", "--html", "a page.html"].as_slice(), &formats].concat());
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert!(stderr.contains("a page.html: ") && stderr.contains(" kB, which a browser shows offline"), "{stderr}");
    assert_eq!(names(folder.path()), ["a page.html"]);
    let html = fs::read_to_string(folder.path().join("a page.html")).expect("the page");
    assert!(html.len() < 1_800_000, "{}", html.len());
    assert!(html.contains("window.vegaEmbed=") && html.contains("<h1>Formats: e5m2b1, e5m2, posit16_1, bfloat16</h1>"));
    assert!(html.contains("at most e5m2b1 1.18, e5m2 1.18, posit16_1 4.21, bfloat16 2.71."));
    assert!(html.contains("binade report formats --html &#39;a page.html&#39; e5m2b1"));
}

/// Each table of the page, row by row.
#[test]
fn a_page_of_formats_comes_as_data() {
    let folder = folder();
    let (code, stdout, stderr) = run_in(folder.path(), &["report", "formats", "e2m1f", "e3m2f", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(names(folder.path()), ["report.html"]);
    let data: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(data["title"], "Formats: e2m1f, e3m2f");
    let html = fs::read_to_string(folder.path().join("report.html")).expect("the page");
    let tables = data["tables"].as_array().expect("a list");
    assert_eq!(tables.len(), html.matches("<table>\n<caption>").count());
    let codes = tables.iter().find(|table| table["columns"][0] == "code").expect("the table of codes");
    assert_eq!(codes["columns"], serde_json::json!(["code", "e2m1f", "e3m2f"]));
    let rows = codes["rows"].as_array().expect("a list");
    assert_eq!((rows.len(), &rows[7]), (64, &serde_json::json!(["0x07", "1.5*2^2", "1.75*2^-2"])));
}

/// Formats of 32 bits take seconds for a million numbers, and the first signal ends them.
#[test]
fn the_first_interrupt_ends_a_report() {
    let folder = folder();
    npy(folder.path(), "w.npy", &(0..1 << 20).map(|at| at as f32 * 1e-3).collect::<Vec<f32>>());
    let words = [
        "report",
        "tensor",
        "w.npy",
        "--formats",
        "posit32_2,takum_linear32,posit32_1,posit32_3,posit32_0,takum_linear30",
    ];
    let child = start(folder.path(), &home(), &[], &words);
    std::thread::sleep(Duration::from_millis(500));
    common::press_ctrl_c(&child);
    let sent = Instant::now();
    let (code, stdout, stderr) = outcome(&child.wait_with_output().expect("a process"));
    assert_eq!((code, stdout.as_str()), (130, ""), "{stderr}");
    assert!(sent.elapsed() < Duration::from_millis(700), "{:?}", sent.elapsed());
    assert_eq!(names(folder.path()), ["w.npy"]);
}

#[test]
fn a_page_of_a_tensor_comes_with_its_figures() {
    let folder = folder();
    npy(folder.path(), "w.npy", &[1.0, 0.3, -3.0, 0.0, 1e9, f32::NAN, 1e-30]);
    let words = ["report", "tensor", "w.npy", "--formats", "e5m2,posit8_1,scale=2^-2", "--formats", "binary32"];
    let (code, stdout, stderr) = run_in(folder.path(), &[words.as_slice(), &["--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(names(folder.path()), ["report.html", "w.npy"]);
    let figures: Value = serde_json::from_str(&stdout).expect("JSON");
    let array = &figures["arrays"][0];
    assert_eq!((&array["elements"], &array["nans"], &array["zeros"]), (&7.into(), &1.into(), &1.into()));
    let of = |at: usize| &figures["all"][at];
    assert_eq!((&of(0)["plain"]["overflows"], &of(0)["plain"]["flushed"]), (&1.into(), &1.into()));
    assert_eq!(of(1)["format"], "posit8_1,scale=2^-2");
    assert_eq!((&of(2)["plain"]["sqnr_db"], &of(2)["best_scale"]), (&Value::Null, &0.into()));
    let (code, stdout, _) = run_in(folder.path(), &words);
    assert_eq!(code, 0);
    assert!(stdout.lines().any(|line| line.contains("binary32") && line.contains("no error")), "{stdout}");
}

/// A page that could not be written leaves nothing behind.
#[test]
fn a_full_disk_is_told() {
    let folder = folder();
    let (code, _, stderr) = run_in(folder.path(), &["report", "formats", "e5m2", "--html", "/dev/full"]);
    // The first page ever prints that its scripts are being installed.
    let said = stderr.lines().last();
    assert_eq!((code, said), (2, Some("error: cannot write `/dev/full`: No space left on device (os error 28)")));
    assert_eq!(names(folder.path()), [""; 0]);
}

/// Without Python, a message says what is missing.
#[test]
fn a_missing_tool_is_told() {
    let (home, folder) = (folder(), folder());
    let output = binade_in(folder.path())
        .env("PATH", "")
        .env("BINADE_HOME", home.path())
        .args(["report", "formats", "e5m2"])
        .output();
    let (code, _, stderr) = outcome(&output.expect("the program starts"));
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("python3"), "{stderr}");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
#[ignore = "long"]
fn a_page_of_units_has_a_front() {
    let folder = folder();
    npy(folder.path(), "w.npy", &[1.0, 0.3, -3.0, 0.7]);
    let words =
        "report units --format e2m1f,e3m2f --unit mul --target ice40 --tensor w.npy --html units.html --prove-within 1";
    let (code, stdout, stderr) = run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    let html = fs::read_to_string(folder.path().join("units.html")).expect("the page");
    assert!(html.contains("mul_e2m1f_rne") && html.contains("SQNR in dB on w.npy"), "{stderr}");
    assert!(html.contains("on the front"));
}

/// Places and routes with five seeds.
#[test]
#[ignore = "long"]
fn a_page_of_units_has_clocks() {
    let folder = folder();
    let words =
        "report units --format e2m1f --unit mul --stages 1 --target ice40 --clock ice40-hx8k --prove-within 1 --json";
    let (code, stdout, stderr) = run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!(code, 0, "{stderr}");
    let data: Value = serde_json::from_str(&stdout).expect("JSON");
    let table = &data["tables"][0];
    let place = table["columns"].as_array().expect("a list").iter().position(|name| name == "clock on ice40-hx8k, MHz");
    let clock = table["rows"][0][place.expect("a column of clocks")].as_str().expect("a cell");
    let median: f64 = clock.split(' ').next().expect("a number").parse().expect("a number");
    assert!((50.0..2000.0).contains(&median), "{clock}");
    let words = "report units --format e2m1f --unit mul --clock ice40-hx8q";
    let (code, _, stderr) = run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!(code, 2);
    assert!(stderr.contains("ice40-hx8k"), "{stderr}");
}

/// A unit that a suite lists twice gets a full row each time.
#[test]
fn a_suite_may_name_a_unit_twice() {
    let folder = folder();
    let unit = "[[unit]]\nunit = \"mul\"\nformat = \"e2m1f\"\n";
    fs::write(folder.path().join("s.toml"), format!("{unit}{unit}[[unit]]\nunit = \"mul\"\nformat = \"e3m2f\"\n"))
        .expect("a suite");
    let words = "report units --suite s.toml --target ice40 --html units.html --prove-within 0";
    let (code, _, stderr) = run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!(code, 0, "{stderr}");
    let html = fs::read_to_string(folder.path().join("units.html")).expect("the page");
    assert!(html.matches("mul_e2m1f_rne").count() >= 2 && html.contains("mul_e3m2f_rne"));
}

/// The curve, the error of each result, and the cost of two units.
#[test]
fn functions() {
    let folder = tempfile::tempdir().unwrap();
    let words = "report function exp2 e2m1f e4m3 --to e5m2 --target ice40 --html f.html --json";
    let (code, stdout, stderr) = run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!(code, 0, "{stderr}");
    let data: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let tables = data["tables"].as_array().unwrap();
    // 2^0 to 2^6 and their reciprocals are exact, for operands 0, -0 and six more of either sign, of which 1/2 and 3/2 are not.
    assert_eq!(tables[0]["rows"][0].as_array().unwrap()[..3], ["e2m1f to e5m2", "16", "12"]);
    let cost = tables.last().unwrap();
    assert_eq!(cost["columns"][1], "area on ice40");
    assert_eq!(cost["rows"][1][3], "all 256 input combinations");
    assert!(std::fs::read_to_string(folder.path().join("f.html")).unwrap().contains("<title>Function: exp2</title>"));
}
