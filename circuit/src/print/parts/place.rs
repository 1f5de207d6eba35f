//! Instances of modules in the text.

use super::divided::{Divided, Placed};
use crate::naming::{LOOP_VARIABLES, Names};
use crate::print::expression::{Expression, LoopStep, Signal};
use crate::print::module::{Item, Loop, ModuleInstance};
use crate::print::signals::Expressions;
use crate::{NodeId, Op, Port};
use rustc_hash::FxHashMap;

impl Divided {
    /// Gives unique names to the instances and to the signals that they drive.
    pub fn give_names(&mut self, names: &mut Names) {
        self.give_names_but(&FxHashMap::default(), names);
    }

    /// The same, but a signal from an instance to an output of the part gets the name of the output.
    pub fn give_names_of_part(&mut self, names: &mut Names) {
        let outputs = self.outputs().iter().map(|(port, node)| (*node, port.name.clone())).collect();
        self.give_names_but(&outputs, names);
    }

    fn give_names_but(&mut self, outputs: &FxHashMap<NodeId, String>, names: &mut Names) {
        for (_, node) in self.placed.iter().flat_map(|placed| &placed.outputs) {
            let Op::Input(input) = self.netlist.nodes[*node].op else { unreachable!("instances hand on inputs") };
            let name = &mut self.netlist.inputs[input].name;
            *name = outputs.get(node).cloned().unwrap_or_else(|| names.give(name));
        }
        for placed in &mut self.placed {
            placed.name = names.give(&placed.name);
            let variables = placed.variables().iter();
            placed.blocks = variables.map(|variable| names.give(&format!("{}_{variable}s", placed.name))).collect();
        }
    }

    /// The outputs that are not inputs of instances.
    pub fn outputs(&self) -> &[(Port, NodeId)] {
        &self.netlist.outputs[..self.own[1]]
    }

    /// The nodes that the instances read.
    pub fn connected(&self) -> &[(Port, NodeId)] {
        &self.netlist.outputs[self.own[1]..]
    }
}

impl Placed {
    /// The signals that the instances drive, the narrow ones first, and the instances themselves.
    pub fn items(&self, expressions: &Expressions) -> Vec<Item> {
        let handed = self.outputs.iter().filter(|(_, node)| !expressions.is_output(*node));
        let mut signals: Vec<Signal> = handed.filter_map(|(_, node)| expressions.signal(*node).cloned()).collect();
        signals.sort_by_key(|signal| signal.width);
        let widest = signals.last().map_or(1, |signal| signal.width);
        let read = self.inputs.iter().map(|(port, parts)| (port.clone(), self.read(parts, expressions)));
        let handed = self.outputs.iter().map(|(port, node)| (port.clone(), self.lane_handed(*node, expressions)));
        let connections = read.chain(handed).collect();
        let (module, name) = (self.module.clone(), self.name.clone());
        let instance = ModuleInstance { module, name, connections, is_listed: false };
        vec![Item::Declared { signals, widest }, self.in_loops(instance)]
    }

    /// The loop variables, the outer loop's first.
    fn variables(&self) -> &'static [&'static str] {
        match self.counts.len() {
            0 => &[],
            1 => &LOOP_VARIABLES[..1],
            _ => &LOOP_VARIABLES[1..],
        }
    }

    fn in_loops(&self, instance: ModuleInstance) -> Item {
        if self.counts.is_empty() {
            return Item::Instance(instance);
        }
        let loops = self.variables().iter().zip(&self.counts).zip(&self.blocks);
        let loops = loops.map(|((variable, count), block)| Loop { variable, count: *count, block: block.clone() });
        Item::Loops { loops: loops.collect(), instance }
    }

    /// The connection of a port: its parts side by side.
    fn read(&self, parts: &[Vec<NodeId>], expressions: &Expressions) -> Expression {
        let mut read: Vec<Expression> = parts.iter().rev().map(|nodes| self.lane_read(nodes, expressions)).collect();
        if read.len() == 1 { read.remove(0) } else { Expression::Concat(read) }
    }

    /// The connection of an input: in a loop, the bits of each instance, which move up step by step.
    fn lane_read(&self, nodes: &[NodeId], expressions: &Expressions) -> Expression {
        let first = expressions.expression(nodes[0]);
        let (Expression::Bits { of, low, width }, true) = (&first, nodes.len() > 1) else {
            assert!(nodes.iter().all(|node| *node == nodes[0]), "{}: instances read several signals", self.name);
            return first;
        };
        let lows = nodes.iter().map(|node| match expressions.expression(*node) {
            Expression::Bits { of: other, low, .. } if other.name == of.name => low,
            _ => unreachable!("what the instances of a loop read is bits of one signal"),
        });
        let lows: Vec<u32> = lows.collect();
        let inner = self.counts.last().map_or(1, |count| *count);
        let [outer, step] = [inner, 1].map(|next| lows.get(next).map_or(0, |next| next - low));
        let place = |at: usize| low + outer * (at / inner) as u32 + step * (at % inner) as u32;
        assert!((0..lows.len()).all(|at| lows[at] == place(at)), "{}: lanes are not regular", self.name);
        self.lane(of, [*low, *width], &[outer, step])
    }

    /// The connection of an output: in a loop, the bits of each instance, side by side.
    fn lane_handed(&self, node: NodeId, expressions: &Expressions) -> Expression {
        let all = expressions.expression(node);
        let Expression::Signal(of) = &all else { unreachable!("what instances hand on is a signal") };
        let inner = self.counts.last().map_or(1, |count| *count as u32);
        let width = of.width / self.counts.iter().product::<usize>() as u32;
        if self.counts.is_empty() { all } else { self.lane(of, [0, width], &[width * inner, width]) }
    }

    /// Bits of a signal from `low` up, which each step of a loop moves up by a number of places; the outer loop comes first.
    fn lane(&self, of: &Signal, [low, width]: [u32; 2], steps: &[u32; 2]) -> Expression {
        let steps = self.variables().iter().zip(&steps[2 - self.counts.len()..]);
        let steps =
            steps.filter(|(_, places)| **places > 0).map(|(variable, places)| LoopStep { variable, places: *places });
        match steps.collect::<Vec<_>>() {
            steps if steps.is_empty() => Expression::Bits { of: of.clone(), low, width },
            steps => Expression::Lane { of: of.clone(), low, width, steps },
        }
    }
}
