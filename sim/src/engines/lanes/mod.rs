//! A unit as gates, many vectors at a time: bit `v` of a wide word belongs to vector `v`, and a gate is one bitwise operation
//! on such words. No external tool is needed.
//!
//! | file | what it holds |
//! |---|---|
//! | `graph.rs` | [`Graph`]: AND, XOR and multiplexer gates with inverters for free |
//! | `blast.rs` | a circuit's words as gates, and its pipeline's registers |
//! | `answers.rs` | the gates as a unit that answers words |
//! | `feed.rs` | the vectors of a plan as planes |
//! | `netlist.rs` | Yosys' synthesized netlist as gates and registers |
//! | `cells.rs`, `flip_flop.rs` | what its cells compute and take over |
//! | `check.rs`, `clocked.rs` | the gates against the golden model, without and with registers |
//! | `sequences.rs` | those of a unit with state |
//! | `driver.rs` | what drives clocked gates |
//! | `pattern.rs` | planes that count from lane to lane |
//! | `program.rs` | [`Program`] and [`Machine`]: the gates as a straight-line program |
//! | `transpose.rs`, `packing.rs` | words of vectors to planes of bits |
//! | `wanted.rs` | the right answers as planes |

mod answers;
mod blast;
mod cells;
mod check;
mod clocked;
mod driver;
mod feed;
mod flip_flop;
mod graph;
mod netlist;
mod packing;
mod pattern;
mod program;
mod sequences;
mod transpose;
mod wanted;

pub use blast::{KeptBit, NodeGates, kept_bits};
pub(crate) use check::Lanes;
pub(crate) use clocked::ClockedLanes;
pub(crate) use feed::Feed;
pub use graph::{Gate, GateFault, Graph, Images, Literal};
pub use netlist::NetlistError;
pub(crate) use packing::Packing;
pub use pattern::counting;
pub use program::{LANES, Machine, Plane, Program};
pub(crate) use sequences::{LaneDevice, SequenceLanes};
pub(crate) use wanted::SAMPLED;
