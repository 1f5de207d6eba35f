//! Runs a generated unit and checks it against the golden model.
//!
//! ```
//! use binade_generator::generate;
//! use binade_sim::{Choice, Engine, Gates, Plan, Run, verify};
//! use binade_spec::{Selection, Unit};
//! use binade_tools::{Source, Tools};
//!
//! let unit = generate(Selection::new(Unit::Mul, "e4m3fn".parse()?).operation()?);
//!
//! // All 2^16 pairs of operands, on the gates of the circuit: no other program is needed.
//! let plan = Plan::new(&unit.design.operation, Choice::Exhaustive, 1)?;
//! let gates = Gates::of_circuit(&unit);
//! let run = Run { engine: Engine::Lanes(&gates), ..Run::new(&unit, &plan) };
//! let verification = verify(&Tools::new(Source::System), run, &|_| {})?;
//! assert!(verification.is_right());
//! assert_eq!(verification.checked, 1 << 16);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | folder | what it holds |
//! |---|---|
//! | `engines/` | [`Engine`]: how the unit is evaluated: [`verilator`] on the printed Verilog, `lanes` on gates |
//! | `run/` | [`verify`]: the loop over a plan's vectors on all cores, in parts, resumable |
//! | `verdict/` | [`Verification`] and [`Mismatch`]: the outcome, and the evidence for a failure |
//! | `conform/` | [`conform`]: published test vectors, compared with golden model and unit |
//! | `selftest/` | [`SelfTest`](selftest::SelfTest): a unit that tests itself on an FPGA |
//! | `mutate/` | mutants: whether the vectors kill them |
//!
//! `subject.rs` holds the subject under test, `reference.rs` the model of the right results, and `formal.rs` the contract of clocked
//! modules for SymbiYosys. The vectors are chosen in `binade-stimulus`.

pub mod conform;
mod engines;
pub mod formal;
pub mod mutate;
mod reference;
mod run;
pub mod selftest;
mod subject;
#[cfg(test)]
mod tests;
mod verdict;

pub use binade_stimulus::{Choice, Coverage, Plan, PlanError, SEQUENCE, coverage, list};
pub use engines::verilator::{build_together, compile};
pub use engines::{Engine, Gates, verilator};
pub use reference::Reference;
pub use run::{
    Hang, Portion, PortionError, Run, Shard, Watchdog, circuit_identity, identity, identity_of, joint_identity,
    resumable, verify,
};
pub use subject::Subject;
pub use verdict::{
    Counterexample, Device, Disagreement, Dissent, Evidence, Explained, Fault, Files, Mismatch, NanRule, Policies,
    Policy, Tolerance, Verification, Violation, commands, compare, complexity, explain, failing_testbench,
    nothing_wrong, shrink, testbench, vhdl_testbench, waves,
};
