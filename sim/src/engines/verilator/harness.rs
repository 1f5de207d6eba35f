//! The two files around a unit: a Verilog wrapper with fixed port names, and the C++ that drives it.

use askama::Template;

use super::{PortWidth, VerilogModule};
use crate::engines::Packed;
use binade_circuit::{Controls, Interface};
use binade_spec::contract::{ControlPorts, Pace};
use binade_spec::word::limbs;
use binade_stimulus::words::top_mask;

/// The wrapper module; its ports are `in0`, `in1`, .. and `out0`, `out1`, ..
pub(super) const TOP: &str = "binade_top";

/// The C++ class that Verilator makes of the wrapper for a trace.
pub(super) const CLASS: &str = "Vunit";

/// The C++ class of a unit that is compiled together with others; `id` is unique to the unit.
pub(super) fn class(id: &str) -> String {
    format!("V{id}")
}

#[derive(Template)]
#[template(path = "verilator/top.v", escape = "none")]
struct Top<'a> {
    module: &'a str,
    inputs: &'a [PortWidth<'a>],
    outputs: &'a [PortWidth<'a>],
    is_clocked: bool,
    /// The control ports of a shell with valid and ready.
    controls: Option<&'static Controls>,
    packed: Option<Packed>,
    /// Whether an input chooses among several operations of a user's module.
    has_besides: bool,
    tag_bits: u32,
}

#[derive(Template)]
#[template(path = "verilator/handshake.cpp", escape = "none")]
struct HandshakeHarness<'a> {
    id: &'a str,
    class: &'a str,
    inputs: &'a [PortWidth<'a>],
    outputs: &'a [PortWidth<'a>],
    latency: u32,
    interval: u32,
    has_state: bool,
}

/// For a user's module with valid and ready.
#[derive(Template)]
#[template(path = "verilator/exchange.cpp", escape = "none")]
struct ExchangeHarness<'a> {
    id: &'a str,
    class: &'a str,
    inputs: &'a [PortWidth<'a>],
    outputs: &'a [PortWidth<'a>],
    has_state: bool,
    ports: ControlPorts,
}

#[derive(Template)]
#[template(path = "verilator/harness.cpp", escape = "none")]
struct Harness<'a> {
    id: &'a str,
    class: &'a str,
    inputs: &'a [PortWidth<'a>],
    outputs: &'a [PortWidth<'a>],
    besides: u32,
}

#[derive(Template)]
#[template(path = "verilator/clocked.cpp", escape = "none")]
struct ClockedHarness<'a> {
    id: &'a str,
    class: &'a str,
    inputs: &'a [PortWidth<'a>],
    outputs: &'a [PortWidth<'a>],
    latency: u32,
    interval: u32,
    has_state: bool,
    ports: ControlPorts,
}

/// The other operations of a user's module that run in between.
fn besides(module: &VerilogModule) -> u32 {
    module.dut.map_or(0, |dut| dut.controls.besides)
}

/// The Verilog wrapper around a module.
pub(super) fn top(module: &VerilogModule) -> String {
    let VerilogModule { name, inputs, outputs, interface, .. } = *module;
    let packed = (interface == Interface::AxiStream).then(|| {
        let nets: Vec<String> = (0..inputs.len()).map(|number| format!("in{number}")).collect();
        Packed::new(&nets, inputs, outputs)
    });
    let (is_clocked, controls) = (module.is_clocked(), interface.controls());
    let tag_bits = module.dut.map_or(0, |dut| dut.controls.tag_bits);
    Top { module: name, inputs, outputs, is_clocked, controls, packed, has_besides: besides(module) > 0, tag_bits }
        .render()
        .expect("a template of plain values")
}

/// The C++ functions that the library exports for a unit; their names end with its `id`.
pub(super) fn harness(id: &str, module: &VerilogModule) -> String {
    let VerilogModule { inputs, outputs, pace: Pace { latency, interval }, has_state, interface, .. } = *module;
    let class = &class(id);
    let rendered = match (interface, module.is_clocked()) {
        (Interface::Plain, false) => Harness { id, class, inputs, outputs, besides: besides(module) }.render(),
        (Interface::ReadyValid | Interface::AxiStream, _) if let Some(dut) = module.dut => {
            ExchangeHarness { id, class, inputs, outputs, has_state, ports: dut.controls }.render()
        }
        (Interface::ReadyValid | Interface::AxiStream, _) => {
            HandshakeHarness { id, class, inputs, outputs, latency, interval, has_state }.render()
        }
        (Interface::Plain, true) => {
            let ports = module.dut.map_or(ControlPorts::ALL, |dut| dut.controls);
            ClockedHarness { id, class, inputs, outputs, latency, interval, has_state, ports }.render()
        }
    };
    rendered.expect("a template of plain values")
}

impl PortWidth<'_> {
    /// A net with the name of the port.
    pub(crate) fn net(&self) -> String {
        binade_circuit::Language::Verilog.identifier(self.name)
    }

    /// The name in a port connection; a keyword is escaped, and the space ends it.
    fn connected(&self) -> String {
        format!("{} ", self.net().trim_end())
    }

    /// The number of limbs of a word.
    fn limbs(&self) -> usize {
        limbs(self.width)
    }

    /// A C++ literal for the top limb, with a one for each bit of the port.
    fn mask(&self) -> String {
        format!("{:#x}ull", top_mask(self.width))
    }
}
