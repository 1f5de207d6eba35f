//! Verilog that gives a user's module the ports of the unit.

use super::wiring::{CLOCK_NET, Piece, Taking};
use super::{Direction, Dut, DutPort, Wiring};
use crate::engines::PortWidth;
use askama::Template;
use binade_spec::Operation;

#[derive(Template)]
#[template(path = "verilator/adapter.sv", escape = "none")]
struct Adapter<'a> {
    name: &'a str,
    top: &'a str,
    parameters: &'a [(String, String)],
    inputs: &'a [PortWidth<'a>],
    outputs: &'a [PortWidth<'a>],
    ports: Vec<AdaptedPort<'a>>,
    wiring: &'a Wiring,
    is_clocked: bool,
    is_probe: bool,
    /// How a module with valid and ready says that it takes operands.
    taking: Option<Taking>,
    is_netlist: bool,
    /// Whether there is an input that chooses among several operations.
    has_besides: bool,
    tag_bits: u32,
    latency: u32,
    clock: &'a str,
}

/// A port of the user's module in the adapter.
struct AdaptedPort<'a> {
    name: &'a str,
    width: u32,
    is_output: bool,
    /// What the whole port is connected to.
    whole: Option<String>,
    pieces: Vec<(String, String)>,
    /// In a netlist, and where other operations run in between, the bit that must never be 1.
    never: Option<u32>,
    is_ignored: bool,
}

/// What an adapter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    /// The ports of a unit with this latency, clocked or not.
    Unit { latency: u32, is_clocked: bool },
    /// Clock and reset are inputs like the operands, and no clock is checked.
    Probe,
    /// The ports of a unit for a netlist; ports that the module lacks are not emulated.
    Netlist { is_clocked: bool },
}

impl Wiring {
    /// The Verilog of a module `name` that has the ports of a unit and instantiates `dut`.
    pub fn adapter(&self, name: &str, dut: &Dut, operation: &Operation, latency: u32) -> String {
        let is_clocked = latency > 0 || operation.has_state() || self.taking.is_some();
        self.text(name, dut, operation, Face::Unit { latency, is_clocked })
    }

    /// The Verilog of a module `name` that has the ports of a unit, for a netlist. If `dut` has no valid output, `out_valid` does not tell
    /// when results arrive.
    pub fn netlist_adapter(&self, name: &str, dut: &Dut, operation: &Operation, is_clocked: bool) -> String {
        self.text(name, dut, operation, Face::Netlist { is_clocked })
    }

    pub(super) fn text(&self, name: &str, dut: &Dut, operation: &Operation, face: Face) -> String {
        let [inputs, outputs] = &PortWidth::of_operation(operation);
        let (latency, is_clocked) = match face {
            Face::Unit { latency, is_clocked } => (latency, is_clocked),
            Face::Probe => (0, true),
            Face::Netlist { is_clocked } => (0, is_clocked),
        };
        let is_netlist = matches!(face, Face::Netlist { .. });
        let has_besides = self.ports.besides > 0 && matches!(face, Face::Unit { .. });
        let adapter = Adapter {
            name,
            top: &dut.top,
            parameters: &dut.sources.parameters,
            inputs,
            outputs,
            ports: dut.ports.iter().map(|port| self.adapted(port, is_netlist, has_besides)).collect(),
            has_besides,
            tag_bits: self.ports.tag_bits,
            wiring: self,
            is_clocked,
            is_probe: face == Face::Probe,
            taking: self.taking,
            is_netlist,
            latency,
            clock: CLOCK_NET,
        };
        format!("{}\n", adapter.render().expect("a template of plain values"))
    }

    fn adapted<'a>(&'a self, port: &'a DutPort, is_netlist: bool, has_besides: bool) -> AdaptedPort<'a> {
        let DutPort { ref name, width, direction } = *port;
        let is_output = direction == Direction::Output;
        let own = if is_output { &self.outputs } else { &self.inputs };
        let pieces: Vec<_> = own.iter().filter(|piece| piece.theirs == *name).collect();
        let driver = |piece: &Piece| if has_besides { piece.driver() } else { piece.ours.clone() };
        let whole = match pieces[..] {
            [piece] if !is_output && piece.high - piece.low + 1 == width => Some(driver(piece)),
            _ => None,
        };
        let range = |high: u32, low: u32| if width == 1 { String::new() } else { format!("[{high}:{low}]") };
        let pieces = pieces.into_iter().map(|piece| (range(piece.high, piece.low), driver(piece))).collect();
        AdaptedPort {
            name,
            width,
            is_output,
            whole,
            pieces,
            never: self
                .never
                .as_ref()
                .filter(|never| (is_netlist || has_besides) && never.theirs == *name)
                .map(|never| never.low),
            is_ignored: self.ignored.iter().any(|ignored| ignored == name),
        }
    }
}
