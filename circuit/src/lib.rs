//! Circuits of words: built, simplified, pipelined, run and printed in a hardware description language. This crate knows no number
//! format.
//!
//! [`Circuit`] collects nodes; [`Bits`] is a `Copy` handle on one of them; [`Int`] is a number in known bounds on top of
//! `Bits`. Equal nodes are shared and constants folded as they are built. [`Circuit::finish`] drops nodes that no output needs
//! and leaves a [`Netlist`], plain data that is run ([`Interpreter`]), cut into stages ([`pipeline`]) and printed
//! ([`mod@print`]).
//!
//! ```
//! use binade_circuit::{Language, Reset};
//! use binade_circuit::print::{self, Heading};
//! use binade_circuit::{Circuit, Interpreter};
//!
//! // The mean of two bytes, rounded up.
//! let circuit = Circuit::new();
//! let mean = {
//!     let [a, b] = ["a", "b"].map(|name| circuit.input(name, 8, "a byte"));
//!     let sum = a.zext(9).add(b.zext(9)).named("sum");
//!     sum.high(8).add(sum.bit(0).zext(8)).node()
//! };
//! let netlist = circuit.finish(&[("mean", mean, "rounded up".into())]);
//!
//! let mut means = [0; 2];
//! Interpreter::new(&netlist).evaluate(&[[250, 0], [253, 1]], &mut [&mut means]);
//! assert_eq!(means, [252, 1]);
//!
//! let about = ["mean = (a + b) / 2".into()];
//! let heading = Heading { name: "mean", commands: &[], about: &about, language: Language::Verilog, reset: Reset::Sync };
//! let module = print::print(&netlist, &heading);
//! assert!(module.contains("wire [8:0] sum = {1'b0, b} + {1'b0, a};"));
//! assert!(module.contains("assign mean = {7'd0, sum[0]} + sum[8:1];"));
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `builder.rs`, `bits.rs`, `int.rs` | the builder: circuits under construction, signals, numbers in bounds |
//! | `architecture.rs` | the choices among architectures |
//! | `shift.rs`, `multiply.rs`, `sum.rs`, `constants.rs` | shifters, multiplier arrays, sums of many rows, arithmetic with constants |
//! | `part.rs` | pieces that occur several times |
//! | `table.rs` | tables in comments |
//! | `state.rs` | registers that are part of a circuit's meaning |
//! | `iteration.rs` | units that work on one operation for several clocks |
//! | `width.rs`, `word.rs` | widths of numbers; words of ones |
//! | `fold.rs`, `prune.rs` | simplification: known values, equal nodes, unused bits |
//! | `netlist.rs`, `check.rs` | a circuit as plain data; its check |
//! | `rebuild.rs`, `prefix.rs` | rebuilding a netlist; carries from prefix trees |
//! | `interpreter/` | the interpreter |
//! | `interface.rs` | interfaces of units: control ports of shells, words in bytes |
//! | `naming.rs` | names of signals |
//! | `language/` | the languages of printed circuits: names and keywords |
//! | `wires.rs`, `clock.rs` | which nodes are wires; the ports of clocked units |
//! | `pipeline/` | ranks of registers, placed by a delay model |
//! | `print/` | printing as Verilog, SystemVerilog or VHDL |

mod architecture;
mod bits;
mod builder;
mod check;
mod clock;
mod constants;
mod decision;
mod fold;
mod int;
mod interface;
mod interpreter;
mod iteration;
pub mod language;
mod multiply;
mod naming;
mod netlist;
mod part;
pub mod pipeline;
mod prefix;
pub mod print;
mod prune;
mod rebuild;
mod runs;
mod shift;
mod state;
mod sum;
mod table;
#[cfg(test)]
mod tests;
mod width;
mod wires;
mod word;

pub use architecture::{Architecture, Multiplier, Optimize};
pub use bits::{Bits, concat};
pub use builder::{Circuit, MAX_WIDTH};
pub use check::NetlistError;
pub use clock::{CLOCK_PORTS, ClockPort, Reset, clock_ports};
pub use decision::diagram_size;
pub use int::Int;
pub use interface::{Controls, Interface, OPERANDS, Packing, RESULTS};
pub use interpreter::Interpreter;
pub use iteration::Iteration;
pub use language::Language;
pub use netlist::{Label, Netlist, Node, NodeId, Note, Op, Port, Register, Section};
pub use part::{Instance, Part};
pub use prefix::without_chains;
pub use table::Column;
pub use width::{signed_width, unsigned_width};
pub use word::{limbs, mask, ones};
