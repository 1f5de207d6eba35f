//! Number formats and units, as data. The golden model defines their results, and circuits are built for them; the two
//! read the same data here and know nothing of each other. This crate does no arithmetic.
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
//! | `family.rs` | [`Family`]: the interface to the families of formats; [`Sign`], [`FormatError`] |
//! | `float.rs`, `posit.rs`, `fixed.rs`, `codebook.rs` | [`Float`], [`Posit`], [`Fixed`], [`Codebook`]: each family as orthogonal fields, and properties derived from them |
//! | `definition.rs` | [`definition`]: codebooks from files, as tables or segments |
//! | `name.rs` | format names: parsing, canonical spelling, the list of known formats |
//! | `alias.rs` | aliases of formats, units and settings |
//! | `class.rs` | [`Class`]: zero, subnormal, normal, and so on |
//! | `operation_error.rs` | [`OperationError`]: why settings do not make an operation |
//! | `rounding.rs` | rounding directions and the table of what holds of each ([`RoundingFacets`]), overflow and range policies |
//! | `algorithm.rs` | [`Algorithm`]: the setting `algorithm` of the units that take it |
//! | `generator.rs` | [`Generator`]: generators of pseudorandom words |
//! | `summation.rs` | [`Summation`]: the order in which dot products are summed, and where they are rounded |
//! | `units/` | [`Unit`]: the ports, formula and settings of each kind of unit |
//! | `formula/` | [`Formula`]: what a unit computes, as exact terms; which formulas have a meaning; and their stages |
//! | `function.rs` | [`Function`]: functions of one number, and their special values |
//! | `machine.rs` | [`StateWord`]: the state of units without a formula |
//! | `shape.rs` | [`Shape`]: recognizes well-known formulas |
//! | `contract.rs` | [`contract`]: what a module with a clock must do at its ports |
//! | `target.rs` | [`Target`]: the format and policies of a rounding |
//! | `setting/` | [`Setting`]: the settings of units, with their names and values |
//! | `word.rs` | [`Word`], [`Column`]: the bits of ports |
//! | `port.rs` | [`Port`]: the contents of ports |
//! | `operation.rs`, `kind.rs` | [`Operation`]: a unit with its formats, policies and ports; [`Kind`]: the settings of some kinds of units, with their values |
//! | `selection.rs` | [`Selection`]: from the user's settings to an operation |

mod algorithm;
pub mod alias;
mod choice;
mod class;
mod codebook;
pub mod contract;
pub mod definition;
mod family;
mod fixed;
mod float;
mod format;
mod formula;
mod function;
mod generator;
mod kind;
mod machine;
mod name;
mod operation;
mod operation_error;
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
pub use choice::{Formats, OtherFormats};
pub use class::Class;
pub use codebook::{Codebook, Listed, Listing, MOST_CODEBOOK_BITS};
pub use family::{Family, FormatError, Sign};
pub use fixed::Fixed;
pub use float::{FieldZero, Float, Infinity, Nan, Underflow};
pub use format::Format;
pub use formula::{
    Addend, AlignedTerm, Facets, Formula, FormulaError, Invalid, NanFrom, Output, Pair, Register, Signed, Stage,
    StageKind, Term, TermId,
};
pub use function::{Activation, Domain, Function, MOST_FUNCTION_DIGITS, Special};
pub use generator::Generator;
pub use kind::{
    Accumulation, Compare, Comparison, Dataflow, Decoder, Extremum, Kind, LossScaler, Minmax, MultiplyAdd, Negation,
    OfFunction, Optimizer, Products, Random, Reduction, ScaleRule, Scaled, Significand, Update, UpdateRule, Vector,
};
pub use machine::StateWord;
pub use name::{NameError, known_formats};
pub use operation::{Operation, OutputConversion};
pub use operation_error::OperationError;
pub use port::{Content, DIVISION_FLAG_BITS, FLAG_BITS, MOST_PORT_BITS, Port, WordKind, encoder_ports};
pub use posit::{Posit, Regime, RegimeCodes};
pub use rounding::{Inward, NanResult, Overflow, PositRange, Profile, Rounding, RoundingFacets, Ties, Tininess};
pub use selection::Selection;
pub use setting::{Setting, as_options};
pub use shape::Shape;
pub use summation::{Alignment, Grouping, Like, MatrixUnit, ScaledUnit, Summation};
pub use target::Target;
pub use units::{Accumulator, CLASSES, MachineFunction, Meaning, PlainFunction, Unit};
pub use word::{Column, ColumnMut, Word};
