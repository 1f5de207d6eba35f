//! Verilator as a fast simulator: a module is compiled once into a shared library, which is loaded and driven with many vectors per call.
//! Vectors are streamed through a pipelined module, with bubbles, stalls and resets, and its outputs are checked at every clock.
//!
//! ```no_run
//! use binade_circuit::Interface;
//! use binade_sim::verilator::{CompiledModule, PortWidth, VerilogModule};
//! use binade_spec::contract::Pace;
//! use binade_spec::{Column, ColumnMut};
//! use binade_tools::{Source, Tools};
//!
//! let verilog = "module inverter(input wire [7:0] x, output wire [7:0] y); assign y = ~x; endmodule";
//! let (x, y) = (PortWidth::new("x", 8), PortWidth::new("y", 8));
//! let inverter = VerilogModule { name: "inverter", verilog, inputs: &[x], outputs: &[y],
//!     pace: Pace::pipelined(0), has_state: false, interface: Interface::Plain, dut: None };
//! let compiled = CompiledModule::build(&Tools::new(Source::Pinned), &inverter)?;
//! let mut output = [0; 2];
//! compiled.instance().evaluate(&[Column::narrow(&[0x00, 0x0f])], &mut [ColumnMut::narrow(&mut output)]);
//! assert_eq!(output, [0xff, 0xf0]);
//! # Ok::<(), binade_tools::Error>(())
//! ```

mod cache;
mod compile;
mod compiled;
mod drive;
mod dut;
mod harness;
mod lint;
mod trace;
mod unit;
mod watch;

pub use crate::engines::PortWidth;
use binade_circuit::Interface;
use binade_spec::contract::Pace;
pub use compiled::{CompiledModule, Instance, Stream};
pub(crate) use drive::drive;
pub use dut::{
    Beside, Choices, Direction, Dut, DutError, DutPort, Flag, FlagOrder, LatencyError, Measured, PortChoice, Reader,
    Reset, SlangFiles, Sources, Tie, Wiring, WiringError, code, is_closed, measure_latency,
};
pub use lint::lint;
pub use trace::trace;
pub use unit::{build_together, compile};
pub(crate) use watch::{Standstill, Watch, Watches};

/// A module to simulate.
#[derive(Clone, Copy, Debug)]
pub struct VerilogModule<'a> {
    /// The module's name.
    pub name: &'a str,
    /// The text of the Verilog file that holds the module.
    pub verilog: &'a str,
    /// The inputs of the operation, without clock and control ports.
    pub inputs: &'a [PortWidth<'a>],
    /// The outputs of the operation, without `out_valid`.
    pub outputs: &'a [PortWidth<'a>],
    /// When it takes operands and answers.
    pub pace: Pace,
    /// Whether results depend on operands since the last reset.
    pub has_state: bool,
    /// The protocol for operands and results.
    pub interface: Interface,
    /// The user's module that it instantiates, if it is an adapter.
    pub dut: Option<&'a Dut>,
}

impl VerilogModule<'_> {
    /// Whether the module has a clock, and with it the control ports of its interface.
    pub fn is_clocked(&self) -> bool {
        self.pace.latency > 0 || self.has_state || self.interface != Interface::Plain
    }
}
