//! Models are compiled, cached, loaded and driven; what is wrong with a module is said.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use binade_circuit::Interface;
use binade_sim::verilator::{CompiledModule, PortWidth, VerilogModule, lint};
use binade_spec::contract::Pace;
use binade_spec::{Column, ColumnMut};
use binade_tools::{Error, Source, Tools};

const ADDER: &str = "module adder (
  input  wire [7:0] a,
  input  wire [7:0] b,
  output wire [7:0] y
);
  assign y = a + b;
endmodule
";

/// Ports of 40, 1 and 64 bits, with names that Verilator would have to change in C++.
const WIDE: &str = "module wide (
  input  wire [39:0] delete,
  input  wire        x__y,
  output wire [63:0] double
);
  assign double = {delete[23:0], delete ^ {40{x__y}}};
endmodule
";

fn pinned() -> Tools {
    Tools::new(Source::Pinned)
}

fn port(name: &str, width: u32) -> PortWidth<'_> {
    PortWidth::new(name, width)
}

/// A combinational module, built.
fn build(
    tools: &Tools,
    module: &str,
    verilog: &str,
    inputs: &[PortWidth],
    outputs: &[PortWidth],
) -> Result<CompiledModule, Error> {
    CompiledModule::build(
        tools,
        &VerilogModule {
            name: module,
            verilog,
            inputs,
            outputs,
            pace: Pace::pipelined(0),
            has_state: false,
            interface: Interface::Plain,
            dut: None,
        },
    )
}

fn build_adder(tools: &Tools) -> CompiledModule {
    build(tools, "adder", ADDER, &[port("a", 8), port("b", 8)], &[port("y", 8)]).unwrap()
}

/// Every input of the adder, in one batch.
fn check_adder(model: &CompiledModule) {
    let a: Vec<u64> = (0..1 << 16).map(|pair| pair & 0xff).collect();
    let b: Vec<u64> = (0..1 << 16).map(|pair| pair >> 8).collect();
    let mut y = vec![0; a.len()];
    model.instance().evaluate(&[&a, &b].map(|column| Column::narrow(column)), &mut [ColumnMut::narrow(&mut y)]);
    for ((a, b), y) in a.iter().zip(&b).zip(&y) {
        assert_eq!(*y, (a + b) & 0xff, "{a} + {b}");
    }
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn threads_share_a_model() {
    let model = build_adder(&pinned());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| check_adder(&model));
        }
    });
}

#[test]
fn ports_of_any_width_and_name() {
    let inputs = [port("delete", 40), port("x__y", 1)];
    let model = build(&pinned(), "wide", WIDE, &inputs, &[port("double", 64)]).unwrap();
    let ones = (1 << 40) - 1;
    let (delete, x): ([u64; 4], [u64; 4]) = ([0, ones, 0x12_3456_789a, u64::MAX], [1, 1, 0, 2]);
    let mut double = [0; 4];
    let mut instance = model.instance();
    instance.evaluate(&[&delete, &x].map(|column| Column::narrow(column)), &mut [ColumnMut::narrow(&mut double)]);
    // The last vector has bits above its ports, which do not count.
    assert_eq!(double, [ones, 0xffff_ff00_0000_0000, 0x5678_9a12_3456_789a, u64::MAX]);
    instance.evaluate(&[Column::narrow(&[]); 2], &mut [ColumnMut::narrow(&mut [])]);
}

#[test]
fn an_output_that_ignores_the_input() {
    check_constant(&pinned());
}

fn check_constant(tools: &Tools) {
    let verilog = "module answer(input wire [2:0] x, output wire [5:0] y); assign y = 6'd42; endmodule";
    let model = build(tools, "answer", verilog, &[port("x", 3)], &[port("y", 6)]).unwrap();
    let mut y = [0; 3];
    model.instance().evaluate(&[Column::narrow(&[0, 1, 7])], &mut [ColumnMut::narrow(&mut y)]);
    assert_eq!(y, [42; 3]);
}

#[test]
fn the_bare_loop_depends_on_every_vector() {
    let model = build_adder(&pinned());
    let sum = |count| model.instance().bare_loop(count);
    assert_eq!(sum(1000), sum(1000));
    assert_ne!(sum(1000), sum(1001));
}

#[test]
#[ignore = "long"]
fn models_are_kept_in_any_home_and_damaged_ones_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::with_home(Source::Pinned, folder.path().join("a b $(x) 'q'"));
    assert!(!build_adder(&tools).from_cache());
    assert!(build_adder(&tools).from_cache());

    let models = files_in(&tools.cache().folder().join("models"));
    let [library] = models.as_slice() else { panic!("one model, not {models:?}") };
    let whole = fs::read(library).unwrap();
    for damaged in [&whole[..whole.len() / 2], b"not a library", b""] {
        // Another file, as a crash would leave it: the one before may still be mapped into this process.
        fs::remove_file(library).unwrap();
        fs::write(library, damaged).unwrap();
        let model = build_adder(&tools);
        assert!(!model.from_cache());
        check_adder(&model);
    }
}

/// An adder of a constant, under a name and with an answer of its own.
fn plus(constant: u64) -> (String, String) {
    let module = format!("plus_{constant}");
    let verilog =
        format!("module {module}(input wire [7:0] x, output wire [7:0] y); assign y = x + 8'd{constant}; endmodule");
    (module, verilog)
}

fn from_x_to_y<'a>((name, verilog): &'a (String, String)) -> VerilogModule<'a> {
    const X: [PortWidth; 1] = [PortWidth { name: "x", width: 8, lanes: 1 }];
    const Y: [PortWidth; 1] = [PortWidth { name: "y", width: 8, lanes: 1 }];
    VerilogModule {
        name,
        verilog,
        inputs: &X,
        outputs: &Y,
        pace: Pace::pipelined(0),
        has_state: false,
        interface: Interface::Plain,
        dut: None,
    }
}

/// Whether it was in the cache.
fn check_plus(tools: &Tools, constant: u64) -> bool {
    let model = CompiledModule::build(tools, &from_x_to_y(&plus(constant))).unwrap();
    let mut y = [0; 2];
    model.instance().evaluate(&[Column::narrow(&[1, 250])], &mut [ColumnMut::narrow(&mut y)]);
    assert_eq!(y, [1 + constant, (250 + constant) & 0xff]);
    model.from_cache()
}

#[test]
#[ignore = "long"]
fn models_that_are_compiled_together_are_kept_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::with_home(Source::Pinned, folder.path());
    let mut units = [3, 5, 7].map(plus);
    // The same unit twice is the same unit.
    let modules = [from_x_to_y(&units[0]), from_x_to_y(&units[1]), from_x_to_y(&units[2]), from_x_to_y(&units[0])];
    CompiledModule::build_together(&tools, &modules).unwrap();
    assert!([3, 5, 7].map(|constant| check_plus(&tools, constant)).iter().all(|cached| *cached));
    let models = || files_in(&tools.cache().folder().join("models")).len();
    assert_eq!(models(), 3);

    // One of them changes: only it is made.
    units[1] = plus(9);
    let before = files_in(&tools.cache().folder().join("models"));
    let written = |path: &PathBuf| fs::metadata(path).unwrap().ino();
    let inodes: Vec<u64> = before.iter().map(written).collect();
    let compiled = CompiledModule::build_together(&tools, &units.each_ref().map(from_x_to_y)).unwrap();
    assert_eq!(compiled, [false, true, false]);
    assert_eq!((models(), before.iter().map(written).collect::<Vec<_>>()), (4, inodes));
    assert!(check_plus(&tools, 9));

    // One that cannot be compiled: none is kept, and the others are made by themselves.
    let broken = ("plus_1".to_string(), plus(1).1.replace("x +", "x + +;"));
    let good = plus(2);
    assert!(CompiledModule::build_together(&tools, &[from_x_to_y(&good), from_x_to_y(&broken)]).is_err());
    assert_eq!(models(), 4);
    assert!(!check_plus(&tools, 2));
    CompiledModule::build_together(&tools, &[]).unwrap();
}

#[test]
fn a_port_of_another_width_is_refused() {
    let error = build(&pinned(), "adder", ADDER, &[port("a", 7), port("b", 8)], &[port("y", 8)]).err().unwrap();
    assert!(error.to_string().contains("'a'"), "{error}");
}

#[test]
fn a_syntax_error_shows_its_line() {
    let verilog = ADDER.replace("a + b;", "a + ;");
    let error = build(&pinned(), "adder", &verilog, &[port("a", 8), port("b", 8)], &[port("y", 8)]).err().unwrap();
    assert!(matches!(error, Error::Failed { .. }));
    assert!(error.to_string().contains("adder.v:6:"), "{error}");
}

#[test]
fn lint_refuses_any_warning() {
    lint(&pinned(), "adder", ADDER).unwrap();
    let unused = ADDER.replace("a + b;", "a;");
    let error = lint(&pinned(), "adder", &unused).unwrap_err();
    assert!(error.to_string().contains("UNUSEDSIGNAL"), "{error}");
}

#[test]
#[ignore = "needs Verilator on PATH"]
fn verilator_on_path() {
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::with_home(Source::System, folder.path());
    check_adder(&build_adder(&tools));
    check_constant(&tools);
    lint(&tools, "adder", ADDER).unwrap();
    assert!(lint(&tools, "adder", &ADDER.replace("a + b;", "a;")).is_err());
}
