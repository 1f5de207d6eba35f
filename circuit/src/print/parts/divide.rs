//! Replaces the pieces of a netlist by instances.

use super::demand::{Demands, Place};
use super::divided::{Divided, Placed};
use super::group::Group;
use super::join::joined;
use super::library::{Library, PartModule};
use super::names::common_name;
use super::order::{OrderedStep, order};
use super::piece::{Piece, PieceRead};
use super::runs::{Run, runs};
use crate::naming::signal_names;
use crate::{Instance, Label, Netlist, Node, NodeId, Op, Port};
use rustc_hash::{FxHashMap, FxHashSet};

/// Divides the netlist into the pieces in `level`, or the outermost ones; their modules go into the library.
pub fn divide(netlist: &Netlist, level: Place, library: &mut Library) -> Divided {
    if netlist.instances.is_empty() {
        return Divided { netlist: netlist.clone(), own: own(netlist), placed: vec![] };
    }
    let Division { demands, groups, runs, order } = division(netlist, level);
    let names = signal_names(netlist);
    let mut pieces: FxHashMap<usize, (Piece, PartModule)> = FxHashMap::default();
    for group in groups {
        let module = library.module(&group, &names);
        pieces.extend(group.pieces.into_iter().map(|piece| (piece.instance, (piece, module.clone()))));
    }
    let mut rest = Rest::new(netlist, names, &demands);
    for step in order {
        match step {
            OrderedStep::Node(id) => rest.copy(id),
            OrderedStep::Run(run) => {
                let Run { pieces: instances, counts } = &runs[run];
                let (instances, modules): (Vec<&Piece>, Vec<&PartModule>) =
                    instances.iter().map(|instance| &pieces[instance]).map(|(piece, module)| (piece, module)).unzip();
                rest.place(&instances, modules[0], counts);
            }
        }
    }
    rest.finish()
}

fn own(netlist: &Netlist) -> [usize; 2] {
    [netlist.inputs.len(), netlist.outputs.len()]
}

/// The parts of a divided netlist.
struct Division {
    demands: Demands,
    /// The pieces that are modules, equal ones together.
    groups: Vec<Group>,
    runs: Vec<Run>,
    order: Vec<OrderedStep>,
}

fn division(netlist: &Netlist, level: Place) -> Division {
    let (mut dissolved, mut alone) = (FxHashSet::default(), FxHashSet::default());
    loop {
        let demands = Demands::new(netlist, level, &dissolved);
        let pieces = demands.of.keys().flatten().map(|&instance| Piece::new(netlist, &demands, instance));
        let (groups, few): (Vec<Group>, Vec<Group>) = Group::all(pieces).into_iter().partition(Group::becomes_module);
        dissolved.extend(few.iter().flat_map(|group| &group.pieces).map(|piece| piece.instance));
        if few.is_empty() {
            let runs = runs(netlist, &groups, &alone);
            match order(netlist, &demands, &runs) {
                Ok(order) => return Division { demands, groups, runs, order },
                Err(run) => match &runs[run].pieces[..] {
                    [piece] => _ = dissolved.insert(*piece),
                    pieces => alone.extend(pieces),
                },
            }
        }
    }
}

/// The netlist around the pieces under construction.
struct Rest<'n> {
    whole: &'n Netlist,
    names: Vec<String>,
    rest: Netlist,
    own: [usize; 2],
    placed: Vec<Placed>,
    /// The new node of each old one that is in the rest or comes from a piece.
    new: FxHashMap<NodeId, NodeId>,
    /// The section outside the pieces to which each section of the whole netlist belongs.
    sections: Vec<usize>,
    section: usize,
}

impl<'n> Rest<'n> {
    fn new(whole: &'n Netlist, names: Vec<String>, demands: &Demands) -> Rest<'n> {
        let mut sections: Vec<usize> = (0..=whole.sections.len()).collect();
        for instance in demands.of.keys().flatten() {
            let [begin, end] = whole.instances[*instance].sections.map(|section| section.min(whole.sections.len()));
            let around = sections[begin];
            sections[begin..=end].fill(around);
        }
        let rest = Netlist { nodes: vec![], outputs: vec![], ..whole.clone() };
        Rest { whole, names, rest, own: own(whole), placed: vec![], new: FxHashMap::default(), sections, section: 0 }
    }

    /// The section of a node; sections never go back.
    fn reach(&mut self, section: usize) -> usize {
        self.section = self.section.max(self.sections[section.min(self.sections.len() - 1)]);
        self.section
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.rest.nodes.push(node);
        self.rest.nodes.len() - 1
    }

    fn copy(&mut self, id: NodeId) {
        let node = &self.whole.nodes[id];
        let mut op = node.op.clone();
        op.for_each_operand(|operand| *operand = self.new[operand]);
        let section = self.reach(node.section);
        let node = self.push(Node { op, section, instance: None, ..node.clone() });
        self.new.insert(id, node);
    }

    /// The instance of a piece, or those of a run of pieces.
    fn place(&mut self, pieces: &[&Piece], module: &PartModule, counts: &[usize]) {
        let instances: Vec<&Instance> = pieces.iter().map(|piece| &self.whole.instances[piece.instance]).collect();
        let section = self.reach(instances[0].sections[0]);
        let is_run = !counts.is_empty();
        let read = (0..module.inputs.len())
            .map(|input| pieces.iter().map(|piece| self.read(piece.inputs[input], is_run)).collect::<Vec<_>>());
        let read: Vec<Vec<NodeId>> = read.collect();
        let at = self.rest.nodes.len();
        let outputs: Vec<NodeId> = module.nodes.iter().map(|&node| self.output(pieces, node)).collect();
        let placed = Placed {
            module: module.name.clone(),
            name: common_name(instances.iter().map(|instance| instance.name.as_str())),
            about: instances[0].part.about,
            at,
            section,
            counts: counts.to_vec(),
            blocks: vec![],
            inputs: module.inputs.iter().cloned().zip(read).collect(),
            outputs: module.outputs.iter().cloned().zip(outputs).collect(),
        };
        self.placed.push(placed);
    }

    /// The bits that a piece reads, as an output of the rest; for a run, the bits of the signal that all its pieces
    /// read.
    fn read(&mut self, PieceRead { node, mut low, width }: PieceRead, is_run: bool) -> NodeId {
        let name = self.names[node].clone();
        let mut of = self.new[&node];
        while let (true, Op::Slice { of: whole, low: begin }) = (is_run, &self.rest.nodes[of].op) {
            (of, low) = (*whole, low + begin);
        }
        let whole = &mut self.rest.nodes[of];
        if whole.label.is_none() && !matches!(whole.op, Op::Input(_) | Op::Register(_) | Op::Constant(_)) {
            whole.label = Some(Label { name: name.clone(), note: None, is_wire: false });
        }
        let section = self.section;
        let read = match whole.width == width {
            true => of,
            false => self.push(Node { op: Op::Slice { of, low }, width, label: None, section, instance: None }),
        };
        self.rest.outputs.push((Port::new(name, width), read));
        read
    }

    /// The outputs of pieces side by side, the first one lowest, as an input of the rest.
    fn output(&mut self, pieces: &[&Piece], node: NodeId) -> NodeId {
        let origins: Vec<NodeId> = pieces.iter().map(|piece| piece.origins[node]).collect();
        let width = pieces[0].netlist.nodes[node].width;
        let name = common_name(origins.iter().map(|origin| self.names[*origin].as_str()));
        self.rest.inputs.push(Port::new(name, width * origins.len() as u32));
        let op = Op::Input(self.rest.inputs.len() - 1);
        let (label, section) = (self.whole.nodes[origins[0]].label.clone(), self.section);
        let all = Node { op, width: width * origins.len() as u32, label, section, instance: None };
        let all = self.push(all);
        if let [origin] = origins[..] {
            self.new.insert(origin, all);
            return all;
        }
        for (origin, low) in origins.into_iter().zip((0..).step_by(width as usize)) {
            let lane = Node { op: Op::Slice { of: all, low }, width, label: None, section, instance: None };
            let lane = self.push(lane);
            self.new.insert(origin, lane);
        }
        all
    }

    fn finish(mut self) -> Divided {
        let new = &self.new;
        let outputs = self.whole.outputs.iter().map(|(port, node)| (port.clone(), new[node]));
        self.rest.outputs.splice(0..0, outputs);
        self.rest.registers.iter_mut().for_each(|register| register.next = new[&register.next]);
        let has_runs = self.placed.iter().any(|placed| !placed.counts.is_empty());
        let divided = Divided { netlist: self.rest, own: self.own, placed: self.placed };
        if has_runs { joined(divided) } else { divided }
    }
}
