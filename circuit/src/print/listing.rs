//! The wires of a circuit one by one, for tools that show their values.

use super::languages::syntax;
use super::signals::{Expressions, Surroundings};
use crate::Language;
use crate::naming::Names;
use crate::{Netlist, NodeId};

/// A wire of the circuit's Verilog.
#[derive(Clone, Debug)]
pub struct Wire {
    /// The node whose value the wire carries.
    pub node: NodeId,
    /// Its name.
    pub name: String,
    /// The expression that drives it.
    pub driver: String,
    /// Its comment.
    pub note: Option<String>,
}

/// The wires of a netlist, in order. Pieces that occur more than once are written out each time, so their wires can have other names
/// than in the module of the piece.
pub fn wires(netlist: &Netlist) -> Vec<Wire> {
    let language = Language::Verilog;
    let syntax = syntax(language);
    let mut names = Names::of_unit(netlist, 0, language);
    let around = Surroundings { outputs: &[], connected: &[], ports: &netlist.inputs };
    let (_, driven) = Expressions::new(netlist, &around, &mut names, syntax);
    let note = |node: NodeId| Some(netlist.nodes[node].label.as_ref()?.note.as_ref()?.to_string());
    let wire = |wire: super::signals::Driven| Wire {
        node: wire.node,
        name: wire.signal.name,
        driver: syntax.phrase(&wire.driver).text(),
        note: note(wire.node),
    };
    driven.into_iter().map(wire).collect()
}
