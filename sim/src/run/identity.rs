//! Identifiers of runs and circuits.

use crate::Subject;
use crate::engines::verilator::Dut;
use crate::verdict::Tolerance;
use binade_generator::GeneratedUnit;
use binade_stimulus::Choice;
use binade_tools::checksummed;

/// An identifier that all parts of one run share on any machine, and no other run has. It covers the unit, its requested settings, the
/// vectors and the seed.
pub fn identity<'s>(subject: impl Into<Subject<'s>>, choice: &Choice, seed: u64) -> String {
    let Subject { operation, pace, interface, module, verilog, circuit, .. } = subject.into();
    let (asked, vectors) = (format!("{operation:?}, {pace:?}, {interface:?}"), format!("{choice:?}, seed {seed}"));
    let circuit = circuit.map_or(String::new(), |netlist| checksummed::digest(&(netlist, pace)));
    checksummed::key([env!("CARGO_PKG_VERSION"), &asked, module, verilog, &circuit, &vectors])
}

/// An identifier that all parts of one run share and no other run has, like [`identity`], with a user's module and policies.
pub fn identity_of<'s>(subject: impl Into<Subject<'s>>, choice: &Choice, seed: u64, tolerance: Tolerance) -> String {
    let subject = subject.into();
    let identity = identity(subject, choice, seed);
    if subject.dut.is_none() && tolerance.is_none() {
        return identity;
    }
    checksummed::key([identity.as_str(), subject.dut.map_or("", Dut::key), &tolerance.to_string()])
}

/// An identifier of the circuit and its registers, since two circuits may be printed as the same text.
pub fn circuit_identity(unit: &GeneratedUnit) -> String {
    checksummed::digest(&(unit.circuit(), unit.design.stages))
}

/// An identifier that the parts of several combined runs share, and no others, from the [`identity`] of each.
pub fn joint_identity(runs: &[&str]) -> String {
    checksummed::key(runs)
}
