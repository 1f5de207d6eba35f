//! Instances of modules in the text.

use super::divide::{Divided, Placed};
use crate::naming::Names;
use crate::print::expression::Signal;
use crate::print::module::{Instance, Item};
use crate::print::signals::Expressions;
use crate::{NodeId, Op, Port};
use std::collections::HashMap;

impl Divided {
    /// Gives the instances, and the signals that they hand on, names of their own.
    pub fn give_names(&mut self, names: &mut Names) {
        self.give_names_but(&HashMap::new(), names);
    }

    /// The same, but what an instance hands on to an output of the part has its name.
    pub fn give_names_of_part(&mut self, names: &mut Names) {
        let outputs = self.outputs().iter().map(|(port, node)| (*node, port.name.clone())).collect();
        self.give_names_but(&outputs, names);
    }

    fn give_names_but(&mut self, outputs: &HashMap<NodeId, String>, names: &mut Names) {
        for (_, node) in self.placed.iter().flat_map(|placed| &placed.outputs) {
            let Op::Input(input) = self.netlist.nodes[*node].op else { unreachable!("instances hand on inputs") };
            let name = &mut self.netlist.inputs[input].name;
            *name = outputs.get(node).cloned().unwrap_or_else(|| names.give(name));
        }
        self.placed.iter_mut().for_each(|placed| placed.name = names.give(&placed.name));
    }

    /// The outputs that are no inputs of instances.
    pub fn outputs(&self) -> &[(Port, NodeId)] {
        &self.netlist.outputs[..self.own[1]]
    }

    /// What the instances read.
    pub fn connected(&self) -> &[(Port, NodeId)] {
        &self.netlist.outputs[self.own[1]..]
    }
}

impl Placed {
    /// The signals that the instance hands on, the narrow ones first, and the instance itself.
    pub fn items(&self, expressions: &Expressions) -> Vec<Item> {
        let handed = self.outputs.iter().filter(|(_, node)| !expressions.is_output(*node));
        let mut signals: Vec<Signal> = handed.filter_map(|(_, node)| expressions.signal(*node).cloned()).collect();
        signals.sort_by_key(|signal| signal.width);
        let widest = signals.last().map_or(1, |signal| signal.width);
        let ports = self.inputs.iter().chain(&self.outputs);
        let connections = ports.map(|(port, node)| (port.clone(), expressions.expression(*node))).collect();
        let (module, name) = (self.module.clone(), self.name.clone());
        let instance = Item::Instance(Instance { module, name, connections, is_listed: false });
        vec![Item::Declared { signals, widest }, instance]
    }
}
