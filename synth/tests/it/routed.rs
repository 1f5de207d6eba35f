//! The pinned nextpnr over a small unit, and over one that is too large.

use binade_generator::{Design, GeneratedUnit, generate};
use binade_spec::{Selection, Unit};
use binade_synth::pnr::{Board, RouteError, RoutedReport, map};
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
