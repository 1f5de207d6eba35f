//! Verilator as a fast simulator: a module is compiled once into a shared library, which is loaded and driven with many
//! vectors a call. Through a pipelined one they are streamed, with bubbles, stalls and resets, and its outputs are checked
//! at every clock.
//!
//! ```no_run
//! use binade_sim::verilator::{VerilogModule, Model, PortWidth};
//! use binade_tools::{Source, Tools};
//!
//! let verilog = "module inverter(input wire [7:0] x, output wire [7:0] y); assign y = ~x; endmodule";
//! let (x, y) = (PortWidth { name: "x", width: 8 }, PortWidth { name: "y", width: 8 });
//! let inverter = VerilogModule { name: "inverter", verilog, inputs: &[x], outputs: &[y], latency: 0 };
//! let model = Model::build(&Tools::new(Source::Pinned), &inverter)?;
//! let mut output = [0; 2];
//! model.instance().evaluate(&[&[0x00, 0x0f]], &mut output);
//! assert_eq!(output, [0xff, 0xf0]);
//! # Ok::<(), binade_tools::Error>(())
//! ```

mod cache;
mod compile;
mod harness;
mod lint;
mod model;
mod prune;
mod trace;
mod unit;

pub use crate::engines::PortWidth;
pub use lint::lint;
pub use model::{Instance, Model, Stream};
pub use trace::trace;
pub use unit::{build_together, model};

/// A module to simulate.
#[derive(Clone, Copy, Debug)]
pub struct VerilogModule<'a> {
    pub name: &'a str,
    /// Holds the module.
    pub verilog: &'a str,
    /// Without the clock and its companions.
    pub inputs: &'a [PortWidth<'a>],
    pub outputs: &'a [PortWidth<'a>],
    /// Clock cycles from operands to results. Unless it is 0, the module has the ports `clk`, `rst_n`, `en`, `in_valid` and `out_valid`.
    pub latency: u32,
}
