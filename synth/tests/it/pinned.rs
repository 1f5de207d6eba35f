//! The pinned Yosys over small units, on every target that needs no library. The figures are those of Yosys 0.70 run by hand with the peers'
//! commands; a new pinned version may change them.

use binade_synth::{MappedReport, Target, synthesize};
use binade_tools::{Error, Source, Tools};

const ADDER: &str = "
module adder (input wire [7:0] a, input wire [7:0] b, output wire [8:0] y);
  assign y = {1'b0, a} + {1'b0, b};
endmodule
";

const MULTIPLIER: &str = "
module multiplier (input wire [5:0] a, input wire [5:0] b, output wire [11:0] y);
  assign y = {6'b0, a} * {6'b0, b};
endmodule
";

/// Leading zeros of 32 bits.
const PRIORITY: &str = "
module priority_encoder (input wire [31:0] a, output reg [5:0] y);
  integer i;
  always @* begin
    y = 6'd32;
    for (i = 0; i < 32; i = i + 1) if (a[i]) y = 6'd31 - i[5:0];
  end
endmodule
";

const WIRES: &str = "
module wires (input wire [3:0] a, output wire [3:0] y);
  assign y = {a[0], a[1], a[2], a[3]};
endmodule
";

const CONSTANT: &str = "
module constant (input wire [3:0] a, output wire [3:0] y);
  assign y = 4'b1010;
endmodule
";

const INVERTER: &str = "
module inverter (input wire a, output wire y);
  assign y = ~a;
endmodule
";

/// Four ranks of registers: the product, two of nothing, and a sum.
const PIPELINE: &str = "
module pipeline (input wire clk, input wire rst_n, input wire en, input wire in_valid, input wire [5:0] a,
                 input wire [5:0] b, output reg out_valid, output reg [11:0] y);
  reg v1, v2, v3;
  reg [11:0] p1, p2, p3;
  always @(posedge clk) begin
    if (!rst_n) begin
      v1 <= 0; v2 <= 0; v3 <= 0; out_valid <= 0;
    end else if (en) begin
      v1 <= in_valid; v2 <= v1; v3 <= v2; out_valid <= v3;
    end
    if (en) begin
      p1 <= {6'b0, a} * {6'b0, b}; p2 <= p1; p3 <= p2; y <= p3 + 12'd5;
    end
  end
endmodule
";

fn report(module: &str, verilog: &str, target: Target) -> Result<MappedReport, Error> {
    synthesize(&Tools::new(Source::Pinned), module, verilog, target)
}

/// The targets without DSP blocks that need no library.
const WITHOUT_BLOCKS: [Target; 5] = [Target::Generic, Target::Ice40, Target::Ecp5, Target::Xc7, Target::Cyclonev];

/// Checks the headline of `module` on every target without DSP blocks that needs no library.
fn check(module: &str, verilog: &str, headlines: [&str; 5]) {
    for (target, want) in WITHOUT_BLOCKS.into_iter().zip(headlines) {
        let report = report(module, verilog, target).unwrap();
        assert_eq!(report.headline(), format!("{target}: {want}"), "{module}");
        assert_eq!((report.tool.as_str(), report.module.as_str()), ("Yosys 0.70", module));
    }
}

#[test]
fn an_adder() {
    check(
        "adder",
        ADDER,
        [
            "58 gates, 52 AIG nodes in 16 levels, depth 29",
            "8 LUT4 + 8 carry, depth 8",
            "0 LUT4 + 5 CCU2C, depth 5",
            "8 LUTs, depth 4",
            "4.5–4.5 ALM, depth 9",
        ],
    );
}

#[test]
fn a_multiplier() {
    check(
        "multiplier",
        MULTIPLIER,
        [
            "248 gates, 230 AIG nodes in 26 levels, depth 35",
            "79 LUT4 + 8 carry, depth 12",
            "122 LUT4 + 6 CCU2C, depth 10",
            "60 LUTs, depth 7",
            "42.5–50.0 ALM, depth 7",
        ],
    );
}

/// A product that fits in a DSP block takes one, and nothing else.
#[test]
fn a_product_in_a_block() {
    let verilog = "module product (input wire [11:0] a, input wire [11:0] b, output wire [23:0] y);\n  assign y = a * b;\nendmodule\n";
    for (target, want) in [
        (Target::Up5kDsp, "0 LUT4 + 0 carry + 1 SB_MAC16"),
        (Target::Ecp5Dsp, "0 LUT4 + 0 CCU2C + 1 MULT18X18D"),
        (Target::Xc7Dsp, "0 LUTs + 1 DSP48E1"),
    ] {
        assert_eq!(report("product", verilog, target).unwrap().area.to_string(), want, "{target}");
    }
    for target in [Target::Ice40, Target::Ecp5, Target::Xc7] {
        assert!(!report("product", verilog, target).unwrap().area.to_string().contains("+ 1 "), "{target}");
    }
}

#[test]
#[ignore = "long"]
fn a_priority_encoder() {
    check(
        "priority_encoder",
        PRIORITY,
        [
            "176 gates, 88 AIG nodes in 31 levels, depth 62",
            "46 LUT4 + 0 carry, depth 11",
            "82 LUT4 + 0 CCU2C, depth 8",
            "36 LUTs, depth 7",
            "22.0–27.0 ALM, depth 7",
        ],
    );
}

#[test]
#[ignore = "long"]
fn wires_and_constants_cost_nothing() {
    let nothing = [
        "0 gates, 0 AIG nodes in 0 levels, depth 0",
        "0 LUT4 + 0 carry, depth 0",
        "0 LUT4 + 0 CCU2C, depth 0",
        "0 LUTs, depth 0",
        "0.0–0.0 ALM, depth 0",
    ];
    check("wires", WIRES, nothing);
    check("constant", CONSTANT, nothing);
}

#[test]
#[ignore = "long"]
fn an_inverter_is_free_where_placement_folds_it() {
    check(
        "inverter",
        INVERTER,
        [
            "1 gates, 0 AIG nodes in 0 levels, depth 1",
            "1 LUT4 + 0 carry, depth 1",
            "1 LUT4 + 0 CCU2C, depth 1",
            "0 LUTs, depth 1",
            "0.0–0.0 ALM, depth 1",
        ],
    );
}

#[test]
#[ignore = "long"]
fn the_depth_of_a_pipeline_is_that_of_its_deepest_stage() {
    check(
        "pipeline",
        PIPELINE,
        [
            "271 gates, 265 AIG nodes in 27 levels + 52 FF, depth 35",
            "93 LUT4 + 18 carry + 52 FF, depth 12",
            "124 LUT4 + 12 CCU2C + 52 FF, depth 10",
            "59 LUTs + 12 SRL + 16 FF, depth 7",
            "46.0–55.5 ALM + 52 FF, depth 12",
        ],
    );
}

#[test]
fn a_combinational_loop_is_an_error() {
    let latch = "
module latch (input wire s, input wire r, output wire q);
  wire n;
  assign n = ~(r & q);
  assign q = ~(s & n);
endmodule
";
    let error = report("latch", latch, Target::Generic).unwrap_err();
    assert!(matches!(&error, Error::Unparsed { output, .. } if output.contains("Detected loop")), "{error}");
}

#[test]
fn cells_of_unknown_area_are_an_error() {
    let transparent = "
module transparent (input wire en, input wire d, output reg q);
  always @* if (en) q = d;
endmodule
";
    for (target, cell) in [(Target::Generic, "1 $_DLATCH_P_"), (Target::Xc7, "1 LDCE")] {
        let error = report("transparent", transparent, target).unwrap_err();
        assert!(matches!(&error, Error::Unparsed { output, .. } if output == cell), "{error}");
    }
}

#[test]
fn what_yosys_refuses_is_an_error() {
    let error = report("adder", "module adder (", Target::Ice40).unwrap_err();
    assert!(matches!(error, Error::Failed { .. }), "{error}");
    let error = report("adder", WIRES, Target::Ice40).unwrap_err();
    assert!(matches!(error, Error::Failed { .. }), "{error}");
}
