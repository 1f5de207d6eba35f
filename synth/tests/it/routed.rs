//! The pinned nextpnr over a small unit, and over one that is too large.

use binade_generator::{Design, GeneratedUnit, generate};
use binade_spec::{Selection, Unit};
use binade_synth::pnr::{Bitstream, Board, RouteError, RoutedReport, bitstream, map};
use binade_synth::synthesize;
use binade_tools::{Source, Tools};

fn unit(unit: Unit, format: &str, stages: u32) -> GeneratedUnit {
    let operation = Selection::new(unit, format.parse().unwrap()).operation().unwrap();
    generate(Design::pipelined(operation, stages))
}

fn route(unit: &GeneratedUnit, board: Board, seeds: u32) -> Result<RoutedReport, RouteError> {
    let tools = Tools::new(Source::Pinned);
    let nextpnr = tools.nextpnr(board.device())?;
    let mapped = map(&tools, unit, board)?;
    let routed = (1..=seeds).map(|seed| mapped.route(&nextpnr, seed)).collect::<Result<_, _>>()?;
    Ok(mapped.report(&nextpnr, routed)?)
}

/// What is counted in the shell is what is counted without it.
#[test]
#[ignore = "long"]
fn a_unit_costs_the_same_in_its_shell() {
    let unit = unit(Unit::Mul, "e3m2f", 1);
    for board in Board::ALL {
        let routed = route(&unit, board, 1).unwrap();
        let alone = synthesize(&Tools::new(Source::Pinned), &unit.module, &unit.verilog, board.target()).unwrap();
        assert_eq!((routed.area, routed.flip_flops), (alone.area, alone.flip_flops), "{board}");
        assert_eq!(routed.register_bits, unit.pipeline.as_ref().unwrap().register_bits());
        // Twelve operand bits and three of the handshake, six result bits and one.
        assert_eq!(routed.shell.flip_flops, 12 + 3 + 2 * (6 + 1), "{board}");
        let kind = if board == Board::Ulx3s { "TRELLIS_FF" } else { "ICESTORM_LC" };
        assert!(routed.placed[kind].used >= routed.flip_flops + routed.shell.flip_flops, "{board}");
    }
}

#[test]
#[ignore = "long"]
fn a_seed_gives_the_same_clock_each_time() {
    let unit = unit(Unit::Mul, "e2m1f", 0);
    let report = route(&unit, Board::Ice40Hx8k, 2).unwrap();
    assert_eq!(report, route(&unit, Board::Ice40Hx8k, 2).unwrap());
    assert_eq!(report.seeds.iter().map(|seed| seed.seed).collect::<Vec<_>>(), [1, 2]);
    assert!(report.fmax_mhz.min > 50.0, "{}", report.fmax_mhz);
}

/// More registers than an iCE40 UP5K has logic cells.
const LONG: &str = "
module mul_e2m1f_rne_p1 (input wire clk, input wire rst_n, input wire en, input wire in_valid, output wire out_valid,
                         input wire [3:0] a, input wire [3:0] b, output wire [3:0] y);
  reg [5399:0] long;
  always @(posedge clk) long <= {long, a[0]};
  assign out_valid = en & rst_n & in_valid;
  assign y = long[5399:5396] & b;
endmodule
";

#[test]
#[ignore = "long"]
fn a_unit_that_does_not_fit_says_so() {
    let long = GeneratedUnit { verilog: LONG.to_string(), ..unit(Unit::Mul, "e2m1f", 1) };
    let Err(RouteError::DoesNotFit { module, board, reason }) = route(&long, Board::Icebreaker, 1) else {
        panic!("it fits");
    };
    assert_eq!((module, board), (long.module, Board::Icebreaker));
    assert!(reason.contains("no BELs remaining to implement cell type 'ICESTORM_LC'"), "{reason}");
}

/// The bitstream of a design whose registers are `body`.
fn packed(board: Board, body: &str) -> Result<Bitstream, RouteError> {
    let verilog = format!(
        "module design_on_board (input wire clk, input wire rst_n,
                                 output wire led_running, output wire led_passed, output wire led_failed);
           {body}
         endmodule"
    );
    let tools = Tools::new(Source::Pinned);
    bitstream(&tools, (board, board.panel().expect("a button and LEDs")), "design_on_board", &verilog)
}

/// Three LEDs that count.
const COUNTER: &str = "
  reg [23:0] count;
  always @(posedge clk) count <= rst_n ? count + 24'd1 : 24'd0;
  assign {led_running, led_passed, led_failed} = count[23:21];";

/// Each bitstream has the word with which its device begins to listen.
#[test]
#[ignore = "long"]
fn a_design_becomes_a_bitstream_of_each_board() {
    let sync = [(Board::Icebreaker, [0x7e, 0xaa, 0x99, 0x7e]), (Board::Ulx3s, [0xff, 0xff, 0xbd, 0xb3])];
    for (board, word) in sync {
        let made = packed(board, COUNTER).unwrap();
        assert!(made.bytes[..1000].windows(4).any(|four| four == word), "{board}");
        let kind = if board == Board::Ulx3s { "TRELLIS_FF" } else { "ICESTORM_LC" };
        assert!(made.placed[kind].used >= 24 && made.fmax_mhz > 30.0, "{board}: {} MHz", made.fmax_mhz);
    }
}

#[test]
#[ignore = "long"]
fn a_design_that_is_too_large_or_too_slow_has_no_bitstream() {
    let long = "
      reg [5399:0] long;
      always @(posedge clk) long <= {long, rst_n};
      assign {led_running, led_passed, led_failed} = long[5399:5397];";
    let error = packed(Board::Icebreaker, long).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.starts_with("design_on_board does not fit icebreaker: Unable to place cell"), "{error}");
    // A sum, whose halves change places for the next one.
    let step = |at: u32| format!("wire [15:0] w{} = {{w{at}[7:0], w{at}[15:8]}} + (w{at} ^ 16'd{});", at + 1, 257 * at);
    let slow = format!(
        "reg [15:0] w0; {} always @(posedge clk) w0 <= w24 + {{15'd0, rst_n}};
         assign {{led_running, led_passed, led_failed}} = w0[15:13];",
        (0..24).map(step).collect::<String>()
    );
    let error = packed(Board::Icebreaker, &slow).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        error.contains(" MHz on icebreaker, whose clock has 12 MHz: add ranks of registers to the unit"),
        "{error}"
    );
}
