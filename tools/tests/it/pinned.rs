//! The pinned tools are installed and run, from a home folder with an awkward name.

use std::fs;
use std::path::Path;

use binade_tools::{Source, State, Tools, run, scratch_dir};

const ADDER: &str = "module adder(input wire [7:0] a, input wire [7:0] b, output wire [7:0] y);\n\
                     assign y = a + b;\nendmodule\n";

/// What breaks scripts that paste paths: a space, a command substitution, quotes.
const AWKWARD: &str = "a b $(x) 'q'";

fn tools_in(folder: &Path) -> Tools {
    Tools::with_home(Source::Pinned, folder.join(AWKWARD))
}

fn yosys_runs(tools: &Tools) {
    let folder = tempfile::tempdir().unwrap();
    let workdir = folder.path().join(AWKWARD);
    fs::create_dir(&workdir).unwrap();
    fs::write(workdir.join("adder.v"), ADDER).unwrap();
    let yosys = tools.yosys().unwrap();

    let log = yosys.run_script("read_verilog adder.v\n# a comment\nsynth_ice40 -abc9\nstat\n", &workdir).unwrap();
    assert!(log.contains("SB_LUT4"), "{log}");

    let error = yosys.run_script("read_verilog adder.v\nhierarchy -check -top nobody\n", &workdir).unwrap_err();
    assert!(error.to_string().contains("Module `nobody' not found"), "{error}");

    let left: Vec<_> = fs::read_dir(&workdir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["adder.v"]);
}

fn verilator_runs(tools: &Tools) {
    let scratch = scratch_dir().unwrap();
    fs::write(scratch.path().join("adder.v"), ADDER).unwrap();
    let verilator = tools.verilator().unwrap();
    assert!(verilator.root.join("include/verilated.cpp").exists());
    let mut command = verilator.command();
    command.args(["--lint-only", "-Wall", "adder.v"]).current_dir(scratch.path());
    run(&mut command, "Verilator").unwrap();
}

#[test]
fn pinned_tools_install_themselves_once() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools_in(folder.path());
    let waiting = |tools: &Tools| {
        tools.doctor().iter().filter(|finding| matches!(finding.state, State::InstalledAtFirstNeed { .. })).count()
    };
    // Verilator, Yosys, nextpnr for two devices, and what has Vega-Lite.
    assert_eq!(waiting(&tools), 5);

    // Two at once, and the remains of a run that was killed.
    fs::create_dir_all(folder.path().join(AWKWARD).join("installing-verilator/package")).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| tools.verilator().unwrap());
        scope.spawn(|| tools.fetch().unwrap());
    });
    assert_eq!(waiting(&tools), 3);
    verilator_runs(&tools);
    yosys_runs(&tools);
}

#[test]
fn a_home_that_cannot_be_written_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Tools::with_home(Source::Pinned, file.path()).verilator().unwrap_err().to_string();
    assert!(error.contains("set BINADE_HOME") && error.contains(file.path().to_str().unwrap()), "{error}");
}

/// Needs Verilator and Yosys on `PATH`: `cargo test -p binade-tools -- --ignored`.
#[test]
#[ignore = "needs Verilator and Yosys on PATH"]
fn system_tools_run() {
    let tools = Tools::new(Source::System);
    verilator_runs(&tools);
    yosys_runs(&tools);
}
