//! What number formats and units are, as data. The golden model says what they mean, circuits are built for them; the two
//! read the same data here and know nothing of each other. There is no arithmetic in this crate.
//!
//! ```
//! use binade_spec::{Format, Selection, Unit};
//!
//! // A format is read from its name; everything else about it is derived.
//! let e5m2: Format = "e5m2".parse()?;
//! assert_eq!((e5m2.width(), e5m2.precision()), (8, 3));
//! assert_eq!((e5m2.max_code(), e5m2.infinity_code()), (0x7b, Some(0x7c)));
//!
//! // An error says what is allowed.
//! let error = "e4m3b9".parse::<Format>().unwrap_err();
//! assert!(error.to_string().contains("use at most b7"));
//!
//! // A unit with its formats and policies, its formula and its ports.
//! let fmac = Selection::new(Unit::Fmac, e5m2).operation()?;
//! assert_eq!(fmac.module_name(), "fmac_e5m2_acc_binary16_rne");
//! let ports = fmac.inputs().iter().map(|port| format!("{}: {}", port.name, port.about())).collect::<Vec<_>>();
//! assert_eq!(ports, ["a: e5m2", "b: e5m2", "c: binary16"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `format.rs` | [`Format`]: a float, a posit, a fixed-point format or a codebook |
//! | `family.rs` | [`Family`]: what is asked of a format whatever its family |
//! | `float.rs`, `posit.rs`, `fixed.rs`, `codebook.rs` | [`Float`], [`Posit`], [`Fixed`], [`Codebook`]: each family as orthogonal fields, and the numbers derived from them |
//! | `name.rs` | format names: parsing, canonical spelling, the list of known formats |
//! | `alias.rs` | other names of formats and words |
//! | `class.rs` | [`Class`]: zero, subnormal, normal, and so on |
//! | `rounding.rs` | rounding directions, overflow and range policies |
//! | `algorithm.rs` | [`Algorithm`]: what the word `algorithm` means to the units that take it |
//! | `summation.rs` | [`Summation`]: in which order dot products are summed, and where they are rounded |
//! | `units/` | [`Unit`]: of each kind of unit its ports, formula and words |
//! | `formula/` | [`Formula`]: what a unit computes, as exact terms, which formulas have a meaning, and the stages that they are cut into |
//! | `machine.rs` | [`StateWord`]: what a unit keeps from step to step where it is no formula |
//! | `shape.rs` | [`Shape`]: what well-known formulas look like |
//! | `contract.rs` | [`contract`]: what a module with a clock must do at its ports |
//! | `target.rs` | [`Target`]: what a result is rounded into |
//! | `setting/` | [`Setting`]: the one vocabulary of the words that choose a unit |
//! | `word.rs` | [`Word`], [`Column`]: the bits of ports |
//! | `port.rs` | [`Port`]: what the ports of units carry |
//! | `operation.rs`, `kind.rs` | [`Operation`]: a unit with its formats and policies, its ports; [`Kind`]: what only some kinds of units have |
//! | `selection.rs` | [`Selection`]: from the user's words to an operation |

mod algorithm;
pub mod alias;
mod class;
mod codebook;
pub mod contract;
mod family;
mod fixed;
mod float;
mod format;
mod formula;
mod kind;
mod machine;
mod name;
mod operation;
mod port;
mod posit;
mod rounding;
mod selection;
mod setting;
mod shape;
mod summation;
mod target;
mod units;
pub mod word;

pub use algorithm::Algorithm;
pub use class::Class;
pub use codebook::Codebook;
pub use family::Family;
pub use fixed::Fixed;
pub use float::{FieldZero, Float, Infinity, Nan, Sign, Underflow};
pub use format::{Format, FormatError};
pub use formula::{
    Addend, Facets, Formula, FormulaError, Invalid, NanFrom, Output, Pair, Register, Signed, Stage, StageKind, Term,
    TermId,
};
pub use kind::{Accumulation, Compare, Kind, LossScaler, Minmax, MultiplyAdd, Products, Random, Scaled, Update};
pub use machine::StateWord;
pub use name::{NameError, known_formats};
pub use operation::{Operation, OutputConversion};
pub use port::{Content, FLAG_BITS, MOST_PORT_BITS, Port, WordKind, encoder_ports};
pub use posit::Posit;
pub use rounding::{Overflow, PositRange, Rounding, Tininess};
pub use selection::{OperationError, Selection};
pub use setting::Setting;
pub use shape::Shape;
pub use summation::{Alignment, Gpu, MatrixUnit, Summation};
pub use target::Target;
pub use units::{Accumulator, CLASSES, Comparison, Dataflow, Extremum, Generator, Meaning, Negation, Unit, UpdateRule};
pub use word::{Column, ColumnMut, Word};
