//! The contract of a module with a clock as properties for SymbiYosys: no Binade is needed to check them.

use crate::engines::{Packed, PortWidth};
use askama::Template;
use binade_circuit::{Controls, Interface};
use binade_spec::Operation;
use binade_spec::contract::ControlPorts;

/// Stalls that may follow each other where the properties are shown by induction: more make it longer.
const MAX_STALLS: u32 = 2;

/// A solver that both distributions of SymbiYosys bring along (the OSS CAD Suite and the wheels of YoWASP).
const SOLVER: &str = "boolector";

/// A module with a clock, and what its results are compared with.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The module that is asked about.
    pub module: &'a str,
    /// How it is spoken to.
    pub interface: Interface,
    /// Which ports it has.
    pub ports: ControlPorts,
    /// What it computes.
    pub operation: &'a Operation,
    /// Clocks from operands to results.
    pub latency: u32,
    /// The module of the same operation without ranks of registers.
    pub reference: &'a str,
}

/// The files of [`Subject`] and of its reference, as they are beside the script.
#[derive(Clone, Copy, Debug)]
pub struct FormalFiles<'a> {
    /// The module's.
    pub module: &'a str,
    /// The reference's.
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
    depth: u32,
    max_stalls: u32,
    inputs: &'a [PortWidth<'static>],
    outputs: &'a [PortWidth<'static>],
    packed: Option<Packed>,
    /// All operands in one word, and the bits of each.
    operands: String,
    operand_bits: u32,
    operand_places: Vec<(&'a PortWidth<'static>, String)>,
    /// All results in one word, and the bits of each.
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

/// The properties in SystemVerilog, as a module around the one that is asked about.
pub fn formal_properties(subject: &Subject) -> String {
    let [inputs, outputs] = &PortWidth::of_operation(subject.operation);
    let nets: Vec<String> = inputs.iter().map(PortWidth::net).collect();
    let properties = Properties {
        version: env!("CARGO_PKG_VERSION"),
        module: subject.module,
        reference: subject.reference,
        ports: subject.ports,
        controls: subject.interface.controls(),
        has_state: subject.operation.has_state(),
        latency: subject.latency,
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
pub fn formal_script(subject: &Subject, files: FormalFiles) -> String {
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

/// Clocks that are looked at: after so many, all that a pipeline held at the start has left it, though each clock that moves
/// it comes after as many stalls as there may be. A skid buffer is one rank more.
fn depth(subject: &Subject) -> u32 {
    let skid = u32::from(subject.interface != Interface::Plain);
    (MAX_STALLS + 1) * (subject.latency + skid + 1) + 2
}

fn bits(ports: &[PortWidth]) -> u32 {
    ports.iter().map(|port| port.width).sum()
}

/// The nets of ports in one word, the first one lowest.
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
