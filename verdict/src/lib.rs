//! What a verdict is: a unit, or a user's module in its place, is judged by vectors or by proof.
//!
//! A [`Case`] says what is judged. [`Report`] is the verdict of a [`Checker`], which tries vectors; [`proof::ProofReport`] is that of a
//! [`proof::Prover`].
//!
//! ```
//! use binade_generator::generate;
//! use binade_spec::{Selection, Unit};
//! use binade_tools::{Source, Tools};
//! use binade_verdict::Verdict;
//! use binade_verdict::proof::{Prover, Task};
//!
//! let unit = generate(Selection::new(Unit::Mul, "e5m2".parse()?).operation()?);
//! let tools = Tools::new(Source::System);
//! let report = Prover::silent(&tools).prove(&Task::of_circuit(unit))?;
//! assert_eq!(report.verdict, Verdict::Proven);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `verdict.rs` | [`Verdict`]: right, proven, wrong, open, or none |
//! | `case.rs` | [`Case`]: a unit to judge, and the source of its Verilog |
//! | `module/` | a user's module: its options, its ports connected to those of a unit, and what each tool reads |
//! | `checker.rs`, `means.rs` | [`Checker`]: judges by vectors; [`Means`]: what evaluates the unit |
//! | `netlist.rs` | the gates that Yosys makes of a module |
//! | `report.rs` | [`Report`]: the verdict of vectors |
//! | `evidence.rs` | the files that show a failure |
//! | `replay.rs` | the command that reproduces a failure |
//! | `proof/` | proofs: what is proven, within which limit, and the verdict |
//! | `schema.rs` | [`WithSchema`]: reports as JSON |
//! | `no_verdict.rs` | [`NoVerdict`]: why there is none |
//! | `family.rs` | [`Family`]: families of formats, which reports count |

mod case;
mod checker;
mod evidence;
mod family;
mod means;
mod module;
mod netlist;
mod no_verdict;
pub mod proof;
mod replay;
mod report;
mod schema;
mod verdict;

pub use case::Case;
pub use checker::{Checker, Vectors};
pub use evidence::{Artefacts, Waves};
pub use family::Family;
pub use means::Means;
pub use module::{About, Connected, Latency, MOST_LATENCY, ModuleOptions, Outline, readings};
pub use netlist::netlist;
pub use no_verdict::NoVerdict;
pub use replay::{check_tolerance, quoted, replay, replay_codes, runnable, tolerance_words};
pub use report::{CheckSetting, Hanging, Report};
pub use schema::WithSchema;
pub use verdict::Verdict;

/// A count with its noun, in the plural unless the count is 1.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
