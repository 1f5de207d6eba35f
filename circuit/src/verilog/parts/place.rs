//! Instances of modules in the text.

use super::divide::{Divided, Placed};
use crate::naming::Names;
use crate::verilog::expression::Expressions;
use crate::verilog::layout::{COLUMNS, INDENT, wrapped};
use crate::verilog::syntax::{port_name, range};
use crate::{NodeId, Op, Port};
use std::collections::{BTreeMap, HashMap};

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
}

impl Placed {
    /// The signals that the instance hands on, those of a width on one line, and the instance itself.
    pub fn lines(&self, expressions: &Expressions) -> Vec<String> {
        let mut widths: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for &(_, node) in self.outputs.iter().filter(|(_, node)| !expressions.is_output(*node)) {
            widths.entry(expressions.width(node)).or_default().push(expressions.expression(node).text() + ",");
        }
        let range_width = widths.keys().map(|&width| range(width).len()).max().unwrap_or(0);
        let declared = widths.iter().flat_map(|(&width, names)| {
            let head = format!("wire {:>range_width$} ", range(width));
            ended(wrapped(names.iter().map(String::as_str), &head, INDENT, COLUMNS - 1), ";")
        });
        let ports = self.inputs.iter().chain(&self.outputs);
        let connect = |(port, node): &(String, NodeId)| {
            format!(".{}({}),", port_name(port), expressions.expression(*node).text())
        };
        let connected: Vec<String> = ports.map(connect).collect();
        let head = format!("{} {} (", self.module, self.name);
        let list = |first: &str| ended(wrapped(connected.iter().map(String::as_str), first, INDENT, COLUMNS - 2), ");");
        let instance = match list(&head) {
            line if line.len() == 1 => line,
            _ => [vec![head], list(INDENT)].concat(),
        };
        declared.chain(instance).collect()
    }
}

/// Lines of a list, with this in place of the last comma.
fn ended(mut lines: Vec<String>, end: &str) -> Vec<String> {
    if let Some(last) = lines.last_mut() {
        last.truncate(last.len() - 1);
        last.push_str(end);
    }
    lines
}
