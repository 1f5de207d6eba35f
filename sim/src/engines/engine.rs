//! The choice of an engine.

use crate::Subject;
use binade_gates::{Graph, NetlistError, Place};
use binade_generator::GeneratedUnit;
use binade_spec::{Operation, Port};
use binade_tools::{Error, Tools};

/// How the unit is evaluated.
#[derive(Clone, Copy)]
pub enum Engine<'a> {
    /// Verilator compiles the printed Verilog.
    Verilator,
    /// Evaluates gates, thousands of vectors at a time.
    Lanes(&'a Gates),
}

/// A unit's gates.
pub struct Gates {
    /// The gates, with the unit's ports as inputs and outputs.
    pub graph: Graph,
    /// The source of the gates, as in `the circuit`.
    pub origin: String,
}

impl Gates {
    /// The gates and registers of the unit's circuit.
    pub fn of_circuit(unit: &GeneratedUnit) -> Gates {
        let graph = match (&unit.iteration, &unit.pipeline) {
            (Some(iteration), _) => Graph::of_iteration(iteration),
            (None, Some(pipeline)) => Graph::of_pipeline(pipeline),
            (None, None) => Graph::of_circuit(&unit.netlist),
        };
        Gates { graph, origin: "the circuit".into() }
    }

    /// The gates of a netlist that Yosys made from the unit's Verilog and wrote with `write_json`.
    ///
    /// # Errors
    /// When the text is not such a netlist, or has an unknown cell.
    pub fn of_netlist<'s>(subject: impl Into<Subject<'s>>, json: &str, origin: String) -> Result<Gates, NetlistError> {
        let subject = subject.into();
        Gates::of_module(subject.module, subject.operation, subject.is_clocked(), json, origin)
    }

    /// Like [`Self::of_netlist`], for a module with the ports of a unit of this operation, clocked or combinational.
    ///
    /// # Errors
    /// When the text is not such a netlist, or has an unknown cell.
    pub fn of_module(
        module: &str,
        operation: &Operation,
        is_clocked: bool,
        json: &str,
        origin: String,
    ) -> Result<Gates, NetlistError> {
        let graph = Gates::placed_of_module(module, operation, is_clocked, json)?.0;
        Ok(Gates { graph, origin })
    }

    /// The gates of [`Self::of_module`], with the origin of each node.
    ///
    /// # Errors
    /// When the text is not such a netlist, or has an unknown cell.
    pub fn placed_of_module(
        module: &str,
        operation: &Operation,
        is_clocked: bool,
        json: &str,
    ) -> Result<(Graph, Vec<Place>), NetlistError> {
        let ports = |controls: &[&'static str], ports: Vec<Port>| -> Vec<(&str, u32)> {
            let controls = controls.iter().filter(|_| is_clocked).map(|&name| (name, 1));
            controls.chain(ports.iter().map(|port| (port.name, port.width()))).collect()
        };
        let inputs = ports(&["rst_n", "en", "in_valid"], operation.inputs());
        let outputs = ports(&["out_valid"], operation.outputs());
        Graph::of_netlist_with_places(json, module, &inputs, &outputs)
    }
}

impl Engine<'_> {
    /// The engine with its version, as in `Verilator 5.48.0`.
    ///
    /// # Errors
    /// When Verilator is the engine and is missing or too old.
    pub fn describe(&self, tools: &Tools) -> Result<String, Error> {
        Ok(match self {
            Engine::Verilator => format!("Verilator {}", tools.verilator()?.version),
            Engine::Lanes(gates) => format!("lanes on {}", gates.origin),
        })
    }
}
