//! The contract of a clocked module as properties for SymbiYosys, which can be checked without Binade.

use crate::engines::{Packed, PortWidth};
use askama::Template;
use binade_circuit::{Controls, Interface};
use binade_spec::Operation;
use binade_spec::contract::{ControlPorts, Pace};

/// The most consecutive stalls in proofs by induction; more would make the induction longer.
const MAX_STALLS: u32 = 2;

/// A solver that both distributions of SymbiYosys (the OSS CAD Suite and the YoWASP wheels) include.
const SOLVER: &str = "boolector";

/// A clocked module and the reference for its results.
#[derive(Clone, Copy, Debug)]
pub struct FormalSubject<'a> {
    /// The module under test.
    pub module: &'a str,
    /// Its interface.
    pub interface: Interface,
    /// Its control ports.
    pub ports: ControlPorts,
    /// What it computes.
    pub operation: &'a Operation,
    /// When it takes operands and answers.
    pub pace: Pace,
    /// The module of the same operation without registers.
    pub reference: &'a str,
}

/// The file names of the module and of its reference, relative to the script.
#[derive(Clone, Copy, Debug)]
pub struct FormalFiles<'a> {
    /// The file of the module.
    pub module: &'a str,
    /// The file of the reference.
    pub reference: &'a str,
}

#[derive(Template)]
#[template(path = "formal/contract.sv", escape = "none")]
struct Properties<'a> {
    version: &'a str,
    module: &'a str,
    reference: &'a str,
    ports: ControlPorts,
    controls: Option<&'static Controls>,
    has_state: bool,
    latency: u32,
    interval: u32,
    depth: u32,
    max_stalls: u32,
    inputs: &'a [PortWidth<'static>],
    outputs: &'a [PortWidth<'static>],
    packed: Option<Packed>,
    /// All operands concatenated, and the bits of each.
    operands: String,
    operand_bits: u32,
    operand_places: Vec<(&'a PortWidth<'static>, String)>,
    /// All results concatenated, and the bits of each.
    results: String,
    result_bits: u32,
    result_places: Vec<(&'a PortWidth<'static>, String)>,
}

#[derive(Template)]
#[template(path = "formal/contract.sby", escape = "none")]
struct Script<'a> {
    version: &'a str,
    module: &'a str,
    has_state: bool,
    depth: u32,
    max_stalls: u32,
    solver: &'a str,
    file: &'a str,
    reference_file: &'a str,
}

/// The properties in SystemVerilog, in a module around the one under test.
pub fn formal_properties(subject: &FormalSubject) -> String {
    let [inputs, outputs] = &PortWidth::of_operation(subject.operation);
    let nets: Vec<String> = inputs.iter().map(PortWidth::net).collect();
    let properties = Properties {
        version: env!("CARGO_PKG_VERSION"),
        module: subject.module,
        reference: subject.reference,
        ports: subject.ports,
        controls: subject.interface.controls(),
        has_state: subject.operation.has_state(),
        latency: subject.pace.latency,
        interval: subject.pace.interval,
        depth: depth(subject),
        max_stalls: MAX_STALLS,
        inputs,
        outputs,
        packed: (subject.interface == Interface::AxiStream).then(|| Packed::new(&nets, inputs, outputs)),
        operands: in_one_word(inputs),
        operand_bits: bits(inputs),
        operand_places: places(inputs),
        results: in_one_word(outputs),
        result_bits: bits(outputs),
        result_places: places(outputs),
    };
    written(&properties)
}

/// The script that checks the properties.
pub fn formal_script(subject: &FormalSubject, files: FormalFiles) -> String {
    let script = Script {
        version: env!("CARGO_PKG_VERSION"),
        module: subject.module,
        has_state: subject.operation.has_state(),
        depth: depth(subject),
        max_stalls: MAX_STALLS,
        solver: SOLVER,
        file: files.module,
        reference_file: files.reference,
    };
    written(&script)
}

fn written(template: &impl Template) -> String {
    format!("{}\n", template.render().expect("a template of plain values"))
}

/// The depth of the induction: after this many clocks everything that the pipeline held at the start has left it, even if each clock that
/// advances it follows the longest run of stalls. A skid buffer counts as one rank.
fn depth(subject: &FormalSubject) -> u32 {
    let skid = u32::from(subject.interface != Interface::Plain);
    (MAX_STALLS + 1) * (subject.pace.latency + skid + 1) + 2
}

fn bits(ports: &[PortWidth]) -> u32 {
    ports.iter().map(|port| port.width).sum()
}

/// The nets of ports concatenated, the first one lowest.
fn in_one_word(ports: &[PortWidth]) -> String {
    ports.iter().rev().map(PortWidth::net).collect::<Vec<_>>().join(", ")
}

/// The bits of each port in that word.
fn places<'a>(ports: &'a [PortWidth<'static>]) -> Vec<(&'a PortWidth<'static>, String)> {
    let place = |low: &mut u32, port: &'a PortWidth<'static>| {
        let range = format!("{}:{low}", *low + port.width - 1);
        *low += port.width;
        Some((port, range))
    };
    ports.iter().scan(0, place).collect()
}
