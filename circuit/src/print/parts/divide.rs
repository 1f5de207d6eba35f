//! Replaces the pieces of a netlist by instances.

use super::bundle::Bundle;
use super::demand::{Demands, Place};
use super::divided::{Divided, Placed};
use super::group::Group;
use super::join::joined;
use super::library::{Library, PartModule};
use super::names::common_name;
use super::order::{OrderedStep, order};
use super::piece::{Piece, PieceRead};
use super::runs::{Run, runs};
use super::words::in_words;
use crate::naming::signal_names;
use crate::{Instance, Label, Netlist, Node, NodeId, Op, Port};
use rustc_hash::{FxHashMap, FxHashSet};

/// Divides the netlist into the pieces in `level`, or the outermost ones; their modules go into the library.
pub fn divide(netlist: &Netlist, level: Place, library: &mut Library) -> Divided {
    let netlist = &in_words(netlist.clone());
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
    let mut rest = Rest::new(netlist, level, names, &demands);
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
    fn new(whole: &'n Netlist, level: Place, names: Vec<String>, demands: &Demands) -> Rest<'n> {
        // Those that begin before a part do not belong to it.
        let before = level.map_or(0, |level| whole.instances[level].sections[0]);
        let mut sections: Vec<usize> = (0..=whole.sections.len()).map(|at| if at > before { at } else { 0 }).collect();
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
        let read = module.inputs.iter().map(|(port, bundle)| (port.clone(), self.parts(pieces, bundle, is_run)));
        let read: Vec<(String, Vec<Vec<NodeId>>)> = read.collect();
        let at = self.rest.nodes.len();
        let handed = module.outputs.iter().map(|(port, bundle)| {
            let nodes: Vec<NodeId> = bundle.iter().map(|&output| module.nodes[output]).collect();
            (port.clone(), self.output(pieces, &nodes))
        });
        let outputs = handed.collect();
        let placed = Placed {
            module: module.name.clone(),
            name: common_name(instances.iter().map(|instance| instance.name.as_str())),
            about: instances[0].part.about,
            at,
            section,
            counts: counts.to_vec(),
            blocks: vec![],
            inputs: read,
            outputs,
        };
        self.placed.push(placed);
    }

    /// What pieces read at a port, the lowest part first: each part in each of the pieces. Neighboring bits of a signal are one part.
    fn parts(&mut self, pieces: &[&Piece], bundle: &Bundle, is_run: bool) -> Vec<Vec<NodeId>> {
        let mut parts: Vec<Vec<PieceRead>> = vec![];
        for &input in bundle {
            let follows = is_run || bundle.len() > 1;
            let reads = pieces.iter().map(|piece| self.source(piece.inputs[input], follows));
            let reads: Vec<PieceRead> = reads.collect();
            let is_above =
                |(low, high): (&PieceRead, &PieceRead)| low.node == high.node && low.low + low.width == high.low;
            match parts.last_mut() {
                Some(last) if last.iter().zip(&reads).all(is_above) => {
                    last.iter_mut().zip(&reads).for_each(|(part, above)| part.width += above.width);
                }
                _ => parts.push(reads),
            }
        }
        let names: Vec<String> = pieces.iter().map(|piece| self.names[piece.inputs[bundle[0]].node].clone()).collect();
        let is_part = parts.len() > 1;
        let mut read = |(read, name): (PieceRead, &String)| self.read(read, name, is_part);
        parts.into_iter().map(|reads| reads.into_iter().zip(&names).map(&mut read).collect()).collect()
    }

    /// The bits of the rest that a piece reads; if it follows bits, of the signal that they are bits of.
    fn source(&self, PieceRead { node, mut low, width }: PieceRead, follows: bool) -> PieceRead {
        let mut of = self.new[&node];
        while let (true, Op::Slice { of: whole, low: begin }) = (follows, &self.rest.nodes[of].op) {
            (of, low) = (*whole, low + begin);
        }
        PieceRead { node: of, low, width }
    }

    /// Bits of the rest as an output of it; parts of a port are bits of wires.
    fn read(&mut self, PieceRead { node: of, low, width }: PieceRead, name: &str, is_part: bool) -> NodeId {
        let whole = &mut self.rest.nodes[of];
        if !matches!(whole.op, Op::Input(_) | Op::Register(_) | Op::Constant(_)) {
            let label = Label { name: name.into(), note: None, is_wire: false };
            whole.label.get_or_insert(label).is_wire |= is_part;
        }
        let section = self.section;
        let read = match whole.width == width {
            true => of,
            false => self.push(Node { op: Op::Slice { of, low }, width, label: None, section, instance: None }),
        };
        self.rest.outputs.push((Port::new(name, width), read));
        read
    }

    /// The outputs of pieces side by side, the first one lowest, as an input of the rest; each is some nodes of its piece.
    fn output(&mut self, pieces: &[&Piece], nodes: &[NodeId]) -> NodeId {
        let origins: Vec<NodeId> =
            pieces.iter().flat_map(|piece| nodes.iter().map(|&node| piece.origins[node])).collect();
        let widths: Vec<u32> = origins.iter().map(|&origin| self.whole.nodes[origin].width).collect();
        let width = widths.iter().sum();
        let name = common_name(origins.iter().map(|origin| self.names[*origin].as_str()));
        self.rest.inputs.push(Port::new(name, width));
        let op = Op::Input(self.rest.inputs.len() - 1);
        let (label, section) = (self.whole.nodes[origins[0]].label.clone(), self.section);
        let all = self.push(Node { op, width, label, section, instance: None });
        if let [origin] = origins[..] {
            self.new.insert(origin, all);
            return all;
        }
        let mut low = 0;
        for (origin, width) in origins.into_iter().zip(widths) {
            let lane = self.push(Node { op: Op::Slice { of: all, low }, width, label: None, section, instance: None });
            self.new.insert(origin, lane);
            low += width;
        }
        all
    }

    fn finish(mut self) -> Divided {
        let new = &self.new;
        let outputs = self.whole.outputs.iter().map(|(port, node)| (port.clone(), new[node]));
        self.rest.outputs.splice(0..0, outputs);
        self.rest.registers.iter_mut().for_each(|register| register.next = new[&register.next]);
        joined(Divided { netlist: self.rest, own: self.own, placed: self.placed })
    }
}
