//! The pinned Yosys and ABC over small modules and a library of round figures: areas and delays are those that one adds up by hand.

use binade_synth::liberty::{Conditions, LibertyError, Library};
use binade_synth::{Area, LibertyArea, MappedReport};
use binade_tools::{Source, Tools};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// INV 1, BUF 2, NAND2 2, NOR2 2, DFF 8; each gate takes 20 ps and 10 ps a fF, each input has 1 fF.
const SMALL: &str = include_str!("../../../testbench/cells/small.lib");

const GATES: &str = "
module gates (input wire a, input wire b, input wire c, output wire y, output wire z);
  assign y = ~(a & b);
  assign z = ~(a & c);
endmodule
";

const PIPELINE: &str = "
module pipeline (input wire clk, input wire a, input wire b, output reg y);
  reg x;
  always @(posedge clk) begin
    x <= ~(a & b);
    y <= ~x;
  end
endmodule
";

const WIRES: &str = "
module wires (input wire clk, input wire a, output reg y, output wire z);
  always @(posedge clk) y <= a;
  assign z = a;
endmodule
";

fn open(files: &[&[u8]], conditions: Conditions) -> Result<Library, LibertyError> {
    let files: Vec<_> = files.iter().map(|bytes| ("my cells.lib".to_string(), bytes.to_vec())).collect();
    Library::open(&Tools::new(Source::Pinned), &files, conditions)
}

/// Inputs driven by an inverter, outputs loaded.
fn driven(load_ff: f64) -> Conditions {
    Conditions { driving_cell: Some("INV".into()), load_ff }
}

fn report(library: &Library, module: &str, verilog: &str) -> Result<MappedReport, LibertyError> {
    library.synthesize(&Tools::new(Source::Pinned), module, verilog)
}

/// Area, in NANDs, and delay; mapped for area and mapped for delay these modules are the same.
fn check(library: &Library, module: &str, verilog: &str, flip_flops: u32, [area, delay]: [f64; 2]) {
    let report = report(library, module, verilog).unwrap();
    let nands = Some(area / 2.0);
    let want = LibertyArea {
        area_um2: area,
        nand2: nands,
        delay_ps: delay,
        tight_area_um2: area,
        tight_nand2: nands,
        tight_delay_ps: delay,
    };
    assert_eq!((report.area, report.flip_flops), (Area::Liberty(want), flip_flops), "{module}");
    assert_eq!(report.kit.as_ref(), Some(library.kit()));
}

/// `SMALL` without some of its cells.
fn without(cells: &[&str]) -> String {
    let mut text = SMALL.to_string();
    for cell in cells {
        let begin = text.find(&format!("  cell ({cell})")).expect("the cell is there");
        let end = begin + text[begin..].find("\n  }\n").expect("it ends") + "\n  }\n".len();
        text.replace_range(begin..end, "");
    }
    text
}

#[test]
fn areas_and_delays_are_exact() {
    let library = open(&[SMALL.as_bytes()], Conditions::default()).unwrap();
    assert_eq!((library.kit().name().as_str(), library.kit().nand2_um2), ("small", Some(2.0)));
    check(&library, "gates", GATES, 0, [4.0, 20.0]);
    // Two registers, a NAND and an inverter, of which each is alone between registers.
    check(&library, "pipeline", PIPELINE, 2, [19.0, 20.0]);
    check(&library, "wires", WIRES, 1, [8.0, 0.0]);
}

/// An inverter at each input has one or two gates to drive (10 ps each), and each output 2.5 fF (25 ps).
#[test]
fn the_driving_cell_and_the_load_count() {
    let library = open(&[SMALL.as_bytes()], driven(2.5)).unwrap();
    check(&library, "gates", GATES, 0, [4.0, 20.0 + 20.0 + 25.0]);
    check(&library, "pipeline", PIPELINE, 2, [19.0, 10.0 + 20.0 + 25.0]);
    // More than a gate may drive: the NAND that areas are counted in has no load.
    assert_eq!(open(&[SMALL.as_bytes()], driven(5000.0)).unwrap().kit().nand2_um2, Some(2.0));
}

/// Packed and divided, these are the same cells; with other areas they are others, however alike the files' names are.
#[test]
fn files_may_be_packed_and_several() {
    let mut packed = GzEncoder::new(vec![], Compression::default());
    packed.write_all(without(&["DFF"]).as_bytes()).unwrap();
    let registers = without(&["INV", "BUF", "NAND2", "NOR2"]).replace("library (small)", "library (registers)");
    let library = open(&[&packed.finish().unwrap(), registers.as_bytes()], Conditions::default()).unwrap();
    assert_eq!(library.kit().libraries, ["small", "registers"]);
    check(&library, "pipeline", PIPELINE, 2, [19.0, 20.0]);
    let large = open(&[SMALL.replace("area : 8", "area : 9").as_bytes()], Conditions::default()).unwrap();
    assert_ne!(large.kit().sha256, open(&[SMALL.as_bytes()], Conditions::default()).unwrap().kit().sha256);
    check(&large, "pipeline", PIPELINE, 2, [21.0, 20.0]);
}

#[test]
fn a_cell_that_is_missing_is_said() {
    let library = open(&[without(&["DFF"]).as_bytes()], Conditions::default()).unwrap();
    check(&library, "gates", GATES, 0, [4.0, 20.0]);
    let error = report(&library, "pipeline", PIPELINE).unwrap_err();
    let want = "pipeline has registers, and small has no flip-flop for them";
    assert!(matches!(error, LibertyError::NoFlipFlop { .. }) && error.to_string().starts_with(want), "{error}");

    let library = open(&[without(&["NAND2"]).as_bytes()], Conditions::default()).unwrap();
    assert_eq!(library.kit().nand2_um2, None);
    let report = report(&library, "gates", GATES).unwrap();
    assert!(matches!(report.area, Area::Liberty(LibertyArea { nand2: None, tight_nand2: None, .. })), "{report:?}");

    for (text, reason) in [
        (without(&["BUF"]), "Cannot find buffer in the current library"),
        (without(&["NAND2", "NOR2"]), "Library with only 2 cell classes cannot be used"),
        (
            SMALL.replace("0, 10, 100", "0, 100").replace(", 120", ""),
            "whose tables have a delay for three loads or more",
        ),
        (SMALL[..SMALL.len() / 2].to_string(), "Syntax error in liberty file on line"),
    ] {
        let error = open(&[text.as_bytes()], Conditions::default()).expect_err(reason);
        assert!(matches!(error, LibertyError::Unusable { .. }) && error.to_string().contains(reason), "{error}");
    }
}

/// Versions differ in how they map, not in what they count.
#[test]
#[ignore = "needs Yosys on PATH"]
fn the_yosys_on_path_maps_to_cells() {
    let tools = Tools::new(Source::System);
    let file = ("small.lib".to_string(), SMALL.as_bytes().to_vec());
    let library = Library::open(&tools, &[file], driven(2.5)).unwrap();
    assert_eq!(library.kit().nand2_um2, Some(2.0));
    let report = library.synthesize(&tools, "pipeline", PIPELINE).unwrap();
    let Area::Liberty(area) = report.area else { panic!("{:?}", report.area) };
    assert_eq!((report.flip_flops, area.area_um2, area.delay_ps), (2, 19.0, 55.0));
}
