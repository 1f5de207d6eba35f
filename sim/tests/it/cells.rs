//! What is known of a vendor's cells, against the models that Yosys ships: both as gates, for all inputs.

use binade_gates::{Equivalence, equivalence};
use binade_gates::{Graph, Literal};
use binade_tools::{Source, Tools, scratch_dir};
use std::fs;

/// Bits that each cell takes what it needs of.
const INPUTS: u32 = 12;

/// Cells of a family, as `KIND #(parameters) c (pins);` with results in `y`, and how many bits these have.
struct Family {
    models: &'static str,
    cells: Vec<(String, u32)>,
}

fn ice40() -> Family {
    let mut cells = vec![
        ("SB_LUT4 #(.LUT_INIT(16'h9c35)) c (.O(y), .I0(i[0]), .I1(i[1]), .I2(i[2]), .I3(i[3]));".to_string(), 1),
        ("SB_CARRY c (.CO(y), .I0(i[0]), .I1(i[1]), .CI(i[2]));".into(), 1),
    ];
    for (enable, reset) in [("", ""), ("E", ""), ("", "SR"), ("", "SS"), ("E", "SR"), ("E", "SS")] {
        let enabled = if enable.is_empty() { "" } else { ", .E(i[1])" };
        let resets = if reset.is_empty() { String::new() } else { format!(", .{}(i[2])", &reset[1..]) };
        cells.push((format!("SB_DFF{enable}{reset} c (.Q(y), .C(clk), .D(i[0]){enabled}{resets});"), 1));
    }
    Family { models: "+/ice40/cells_sim.v", cells }
}

fn ecp5() -> Family {
    let mut cells = vec![
        ("LUT4 #(.INIT(16'h9c35)) c (.Z(y), .A(i[0]), .B(i[1]), .C(i[2]), .D(i[3]));".to_string(), 1),
        ("PFUMX c (.Z(y), .ALUT(i[0]), .BLUT(i[1]), .C0(i[2]));".into(), 1),
        ("L6MUX21 c (.Z(y), .D0(i[0]), .D1(i[1]), .SD(i[2]));".into(), 1),
    ];
    for (first, second) in [("NO", "NO"), ("YES", "NO"), ("NO", "YES"), ("YES", "YES")] {
        cells.push((
            format!(
                "CCU2C #(.INIT0(16'h96aa), .INIT1(16'h3c5b), .INJECT1_0(\"{first}\"), .INJECT1_1(\"{second}\")) c (.CIN(i[8]), \
                 .A0(i[0]), .B0(i[1]), .C0(i[2]), .D0(i[3]), .A1(i[4]), .B1(i[5]), .C1(i[6]), .D1(i[7]), \
                 .S0(y[0]), .S1(y[1]), .COUT(y[2]));"
            ),
            3,
        ));
    }
    for enable in ["1", "CE", "INV"] {
        for (reset, value) in [("LSR", "RESET"), ("INV", "SET")] {
            let words = format!(".CEMUX(\"{enable}\"), .LSRMUX(\"{reset}\"), .REGSET(\"{value}\")");
            cells.push((format!("TRELLIS_FF #({words}) c (.Q(y), .CLK(clk), .DI(i[0]), .CE(i[1]), .LSR(i[2]));"), 1));
        }
    }
    Family { models: "+/ecp5/cells_sim.v", cells }
}

fn xc7() -> Family {
    let mut cells = vec![
        ("MUXF7 c (.O(y), .I0(i[0]), .I1(i[1]), .S(i[2]));".to_string(), 1),
        ("MUXF8 c (.O(y), .I0(i[0]), .I1(i[1]), .S(i[2]));".into(), 1),
        ("INV c (.O(y), .I(i[0]));".into(), 1),
        ("CARRY4 c (.O(y[3:0]), .CO(y[7:4]), .DI(i[3:0]), .S(i[7:4]), .CI(i[8]), .CYINIT(i[9]));".into(), 8),
        ("SRL16E c (.Q(y), .CLK(clk), .D(i[0]), .CE(i[1]), .A0(i[2]), .A1(i[3]), .A2(i[4]), .A3(i[5]));".into(), 1),
        ("SRLC32E c (.Q(y[0]), .Q31(y[1]), .CLK(clk), .D(i[0]), .CE(i[1]), .A(i[6:2]));".into(), 2),
    ];
    for inputs in 1..=6 {
        let (bits, table) = (1_u32 << inputs, 0x9c35_5ac3_1e78_d2b4_u64 >> (64 - (1 << inputs)));
        let pins: Vec<String> = (0..inputs).map(|input| format!(".I{input}(i[{input}])")).collect();
        cells.push((format!("LUT{inputs} #(.INIT({bits}'h{table:x})) c (.O(y), {});", pins.join(", ")), 1));
    }
    for (kind, reset) in [("FDRE", "R"), ("FDSE", "S")] {
        for inverted in 0..=1 {
            let words = format!(".IS_{reset}_INVERTED(1'b{inverted})");
            cells.push((format!("{kind} #({words}) c (.Q(y), .C(clk), .D(i[0]), .CE(i[1]), .{reset}(i[2]));"), 1));
        }
    }
    Family { models: "+/xilinx/cells_sim.v", cells }
}

/// DSP blocks as multipliers of few bits, of either kind; that of 7 series with each addend, too.
fn blocks() -> [Family; 3] {
    let signs = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let extended = |bits: &str, sign: u32, width: u32| {
        let top = if sign == 1 { bits.split(':').next().unwrap_or("0") } else { "" };
        let above = width - 5;
        if sign == 1 { format!("{{{{{above}{{i[{top}]}}}}, i[{bits}]}}") } else { format!("{{{above}'d0, i[{bits}]}}") }
    };
    let mut ice40 = vec![];
    let mut ecp5 = vec![];
    for (a, b) in signs {
        let [a_bits, b_bits] = [("4:0", a), ("9:5", b)].map(|(bits, sign)| extended(bits, sign, 16));
        let parameters = "TOPOUTPUT_SELECT(2'b11), .BOTOUTPUT_SELECT(2'b11), .A_REG(1'b0), .B_REG(1'b0), .TOP_8x8_MULT_REG(1'b0), \
                          .BOT_8x8_MULT_REG(1'b0), .PIPELINE_16x16_MULT_REG1(1'b0), .PIPELINE_16x16_MULT_REG2(1'b0), .MODE_8x8(1'b0)";
        ice40.push((
            format!("SB_MAC16 #(.{parameters}, .A_SIGNED({a}), .B_SIGNED({b})) c (.A({a_bits}), .B({b_bits}), .O(y));"),
            32,
        ));
        let pins = |pin: char, low: u32, sign: u32| -> String {
            let bit = |at: u32| {
                if at < 5 {
                    format!("i[{}]", low + at)
                } else if sign == 1 {
                    format!("i[{}]", low + 4)
                } else {
                    "1'b0".into()
                }
            };
            (0..18).map(|at| format!(".{pin}{at}({}), ", bit(at))).collect()
        };
        let outputs: Vec<String> = (0..36).map(|at| format!(".P{at}(y[{at}])")).collect();
        let (a_pins, b_pins) = (pins('A', 0, a), pins('B', 5, b));
        ecp5.push((
            format!("MULT18X18D c ({a_pins}{b_pins}.SIGNEDA(1'b{a}), .SIGNEDB(1'b{b}), .SOURCEA(1'b0), .SOURCEB(1'b0), {});", outputs.join(", ")),
            36,
        ));
    }
    let mut xc7 = vec![];
    let off = [
        "ACASCREG",
        "ADREG",
        "ALUMODEREG",
        "AREG",
        "BCASCREG",
        "BREG",
        "CARRYINREG",
        "CARRYINSELREG",
        "CREG",
        "DREG",
        "INMODEREG",
        "MREG",
        "OPMODEREG",
        "PREG",
    ];
    let off: String = off.map(|register| format!(".{register}(0), ")).concat();
    for (a, b) in signs {
        let [a_bits, b_bits] = [("4:0", a, 30), ("9:5", b, 18)].map(|(bits, sign, width)| extended(bits, sign, width));
        for (opmode, alumode) in [("0000101", 0), ("0010101", 0), ("0110101", 0), ("1010101", 0), ("0110101", 3)] {
            xc7.push((
                format!(
                    "DSP48E1 #({off}.A_INPUT(\"DIRECT\"), .B_INPUT(\"DIRECT\"), .USE_MULT(\"MULTIPLY\"), .USE_SIMD(\"ONE48\"), \
                     .USE_DPORT(\"FALSE\")) c (.A({a_bits}), .B({b_bits}), .C({{18'd0, i[11:8], i[3:0], 22'd9}}), \
                     .PCIN({{i[11], 20'd3, i[10:8], 24'd5}}), .D(25'd0), .INMODE(5'd0), .CARRYINSEL(3'd0), .CARRYIN(1'b0), \
                     .OPMODE(7'b{opmode}), .ALUMODE(4'd{alumode}), .P(y));"
                ),
                48,
            ));
        }
    }
    [
        Family { models: "+/ice40/cells_sim.v", cells: ice40 },
        Family { models: "mult18x18d.v", cells: ecp5 },
        Family { models: "+/xilinx/cells_sim.v", cells: xc7 },
    ]
}

/// ECP5's block as Lattice describes it; Yosys has no model of it.
fn mult18x18d() -> String {
    let pins = |pin: char, count: u32| (0..count).map(|at| format!("{pin}{at}")).collect::<Vec<_>>();
    let word =
        |pin: char, count: u32| format!("{{{}}}", pins(pin, count).into_iter().rev().collect::<Vec<_>>().join(", "));
    format!(
        "module MULT18X18D(input {}, {}, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, output {}); wire [17:0] a = {}; wire [17:0] b = {};\n\
         wire signed [35:0] x = {{{{18{{SIGNEDA & a[17]}}}}, a}}; wire signed [35:0] z = {{{{18{{SIGNEDB & b[17]}}}}, b}};\n\
         assign {} = x * z; endmodule\n",
        pins('A', 18).join(", "),
        pins('B', 18).join(", "),
        pins('P', 36).join(", "),
        word('A', 18),
        word('B', 18),
        word('P', 36)
    )
}

/// The cell in a module of its own: as it is, and as Yosys reads its model.
fn graphs(tools: &Tools, models: &str, cells: &[(String, u32)]) -> Vec<[Graph; 2]> {
    let scratch = scratch_dir().expect("a folder");
    let module = |(at, (cell, width)): (usize, &(String, u32))| {
        format!("module top{at}(input clk, input [{}:0] i, output [{}:0] y); {cell} endmodule\n", INPUTS - 1, width - 1)
    };
    let text: String = cells.iter().enumerate().map(module).collect();
    fs::write(scratch.path().join("tops.v"), text).expect("written");
    fs::write(scratch.path().join("mult18x18d.v"), mult18x18d()).expect("written");
    let tops: Vec<String> = (0..cells.len()).map(|at| format!("top{at}")).collect();
    let mut script = String::from("read_verilog tops.v\nwrite_json cells.json\ndesign -reset\n");
    for top in &tops {
        script += &format!(
            "read_verilog -defer -D NO_INCLUDES {models}\nread_verilog tops.v\nsynth -flatten -top {top}\nabc -g AND,XOR,MUX\n\
             delete t:$scopeinfo\nwrite_json {top}.json\ndesign -reset\n"
        );
    }
    tools.yosys().and_then(|yosys| yosys.run_script(&script, scratch.path())).unwrap_or_else(|error| panic!("{error}"));
    let read = |file: &str| fs::read_to_string(scratch.path().join(file)).expect("a netlist");
    let known = read("cells.json");
    let graph = |json: &str, (top, width): (&String, u32)| {
        let (inputs, outputs) = ([("i", INPUTS)], [("y", width)]);
        Graph::of_netlist(json, top, &inputs, &outputs).unwrap_or_else(|error| panic!("{error}"))
    };
    let both = |(top, (_, width)): (&String, &(String, u32))| {
        [graph(&known, (top, *width)), graph(&read(&format!("{top}.json")), (top, *width))]
    };
    tops.iter().zip(cells).map(both).collect()
}

/// The outputs at so many clocks, from registers on that hold nothing.
fn unrolled(graph: &Graph, clocks: usize) -> Graph {
    let mut unrolled = Graph::new(vec![INPUTS; clocks]);
    let mut state = vec![Literal::FALSE; graph.flip_flops().len()];
    for clock in 0..clocks {
        let sources = [unrolled.inputs()[clock].clone(), state].concat();
        let images = unrolled.add_gates(graph, sources, None);
        images.of_words(graph.outputs()).into_iter().for_each(|bits| unrolled.add_output(bits));
        state = graph.flip_flops().iter().map(|flip_flop| images.of(flip_flop.next)).collect();
    }
    unrolled
}

/// The graph with one of its outputs.
fn with_output(graph: &Graph, output: usize) -> Graph {
    let mut alone = graph.bare();
    let images = alone.add_gates(graph, graph.sources(), None);
    images.of_words(&graph.outputs()[output..=output]).into_iter().for_each(|bits| alone.add_output(bits));
    alone
}

#[test]
fn cells_compute_what_their_models_do() {
    let tools = Tools::new(Source::Pinned);
    for Family { models, cells } in [ice40(), ecp5(), xc7()].into_iter().chain(blocks()) {
        for ((cell, _), [known, model]) in cells.iter().zip(graphs(&tools, models, &cells)) {
            // Long enough for a bit to come through.
            let clocks = known.flip_flops().len() + 3;
            let [known, model] = [known, model].map(|graph| unrolled(&graph, clocks));
            for clock in 0..clocks {
                let [known, model] = [&known, &model].map(|graph| with_output(graph, clock));
                assert_eq!(equivalence(&known, &model, &|| false), Equivalence::Proven, "{cell} at clock {clock}");
            }
        }
    }
}
