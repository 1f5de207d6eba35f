//! Circuits as gates: a [`Graph`] of AND, XOR and multiplexer gates, made from a circuit or from Yosys' netlist. It is
//! evaluated on thousands of vectors at a time, and compared with another one for all inputs by a SAT solver.
//!
//! ```
//! use binade_gates::{Equivalence, Graph, equivalence};
//!
//! // a | b, and !(!a & !b)
//! let graph = |build: fn(&mut Graph, [binade_gates::Literal; 2]) -> binade_gates::Literal| {
//!     let mut graph = Graph::new([1, 1]);
//!     let [a, b] = [0, 1].map(|port| graph.inputs()[port][0]);
//!     let y = build(&mut graph, [a, b]);
//!     graph.add_output(vec![y]);
//!     graph
//! };
//! let one = graph(|graph, [a, b]| graph.or(a, b));
//! let other = graph(|graph, [a, b]| !graph.and(!a, !b));
//! assert_eq!(equivalence(&one, &other, &|| false), Equivalence::Proven);
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `graph.rs` | [`Graph`]: gates, with inverters for free, and flip-flops |
//! | `blast.rs` | a circuit's words as gates, and its pipeline's registers |
//! | `netlist.rs` | Yosys' synthesized netlist as gates and registers |
//! | `netlist_error.rs` | [`NetlistError`]: why it cannot be run |
//! | `pins.rs` | a cell of that netlist, and the bits at its pins |
//! | `registered.rs` | the registers inside DSP blocks as flip-flops around them |
//! | `cells.rs`, `blocks.rs`, `flip_flop.rs` | the functions of Yosys' cells, of DSP blocks, and of flip-flops |
//! | `program.rs` | [`Program`] and [`Machine`]: the gates as a straight-line program; bit `v` of a wide word belongs to vector `v` |
//! | `pattern.rs` | planes that count up from lane to lane |
//! | `transpose.rs`, `packing.rs` | conversion between words of vectors and planes of bits |
//! | `answers.rs` | evaluation of gates on words |
//! | `solver.rs` | [`Solver`]: a SAT solver that is queried about gates, and a [`Record`] of what it does |
//! | `lrat.rs` | [`Lrat`]: a refutation that others can check |
//! | `aiger.rs` | [`Ands`]: a graph as AND gates, and as AIGER |
//! | `equivalence.rs` | [`equivalence()`]: whether two circuits compute the same |

mod aiger;
mod answers;
mod blast;
mod blocks;
mod cells;
mod equivalence;
mod flip_flop;
mod graph;
mod lrat;
mod netlist;
mod netlist_error;
mod packing;
mod pattern;
mod pins;
mod program;
mod registered;
mod solver;
mod transpose;

pub use aiger::{AigerLiteral, Ands};
pub use blast::{KeptBit, NodeGates, kept_bits};
pub use equivalence::{Equivalence, equivalence};
pub use graph::{Gate, GateFault, Graph, Images, Literal};
pub use lrat::{ClauseId, CnfLiteral, Lrat, Refutation};
pub use netlist::Place;
pub use netlist_error::NetlistError;
pub use packing::Packing;
pub use pattern::{LANE_BITS, all_if, counting, fill_bit_of_index};
pub use program::{LANES, Machine, Plane, Program, bit};
pub use solver::{Answer, Record, Solver};
