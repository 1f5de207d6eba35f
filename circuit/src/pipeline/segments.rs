//! Cuts a netlist with ranks into segments, each a combinational netlist between two ranks of registers.

use super::RankRegister;
use super::reads::{Read, is_wiring, reads_of, reads_of_output};
use crate::Language;
use crate::naming::{Names, signal_names};
use crate::runs::Runs;
use crate::{Label, Netlist, Node, NodeId, Op, Port, Register};

/// The registers of all ranks, and the segments before, between and after them. A segment's outputs are the registers of the
/// next rank, in their order, and the next segment's inputs.
pub fn cut(netlist: &Netlist, ranks: &[u32], stages: u32) -> (Vec<RankRegister>, Vec<Netlist>) {
    let mut named = netlist.clone();
    let registered = registered(netlist, ranks, stages);
    let registers = name(&mut named, &registered, stages);
    let segments = (0..=stages).map(|rank| Segment::new(&named, ranks, &registers, rank, stages).build()).collect();
    (registers, segments)
}

/// The segment of each register of the state.
pub fn state_segments(netlist: &Netlist, ranks: &[u32]) -> Vec<u32> {
    let mut segments = vec![0; netlist.registers.len()];
    for (node, &rank) in netlist.nodes.iter().zip(ranks) {
        if let Op::Register(register) = node.op {
            segments[register] = rank;
        }
    }
    segments
}

/// For each rank, the runs of bits that cross it.
fn registered(netlist: &Netlist, ranks: &[u32], stages: u32) -> Vec<Vec<Read>> {
    let mut read = vec![vec![Runs::default(); netlist.nodes.len()]; stages as usize + 1];
    let mut note = |reads: Vec<Read>, rank: u32| {
        for Read { node, low, high } in reads {
            for crossed in ranks[node] + 1..=rank {
                read[crossed as usize][node].insert(low, high);
            }
        }
    };
    for id in (0..netlist.nodes.len()).filter(|&id| !is_wiring(&netlist.nodes[id].op)) {
        note(reads_of(netlist, id), ranks[id]);
    }
    for (_, node) in &netlist.outputs {
        note(reads_of_output(netlist, *node), stages);
    }
    let reads = |(node, runs): (NodeId, &Runs)| -> Vec<Read> {
        runs.iter().map(|(low, high)| Read { node, low, high }).collect()
    };
    read.iter().map(|of_rank| of_rank.iter().enumerate().flat_map(reads).collect()).collect()
}

/// Gives each named or registered node a unique name, and each register the name of its signal and rank.
fn name(netlist: &mut Netlist, registered: &[Vec<Read>], stages: u32) -> Vec<RankRegister> {
    let mut names = Names::of_unit(netlist, stages, Language::Verilog);
    let signals = signal_names(netlist);
    let mut is_registered = vec![false; netlist.nodes.len()];
    registered.iter().flatten().for_each(|read| is_registered[read.node] = true);
    for (id, node) in netlist.nodes.iter_mut().enumerate() {
        match node.op {
            Op::Input(port) => rename(node, netlist.inputs[port].name.clone()),
            Op::Register(register) => rename(node, netlist.registers[register].name.clone()),
            _ if node.wire_name().is_some() || is_registered[id] => rename(node, names.give(&signals[id])),
            _ => {}
        }
    }
    let mut registers = vec![];
    for rank in 1..=stages {
        for &Read { node, low, high } in &registered[rank as usize] {
            let Node { width, .. } = &netlist.nodes[node];
            let signal = netlist.nodes[node].wire_name().expect("registered signals have names");
            let bits = match (high - low + 1, high) {
                (whole, _) if whole == *width => String::new(),
                (1, bit) => format!("_{bit}"),
                _ => format!("_{high}_{low}"),
            };
            let name = names.give_with(&format!("{signal}{bits}"), &format!("_s{rank}"));
            registers.push(RankRegister { name, rank, node, low, width: high - low + 1 });
        }
    }
    registers
}

/// Gives a node this name and keeps its note.
fn rename(node: &mut Node, name: String) {
    let note = node.label.take().and_then(|label| label.note);
    node.label = Some(Label { name, note, is_wire: true });
}

/// The netlist between two ranks under construction.
struct Segment<'n> {
    whole: &'n Netlist,
    ranks: &'n [u32],
    /// The registers of the state in this segment.
    state: Vec<usize>,
    /// The registers before and after it.
    before: Vec<&'n RankRegister>,
    behind: Vec<&'n RankRegister>,
    rank: u32,
    is_last: bool,
    segment: Netlist,
    /// The new node for each old one in this segment.
    new: Vec<Option<NodeId>>,
}

impl<'n> Segment<'n> {
    fn new(whole: &'n Netlist, ranks: &'n [u32], registers: &'n [RankRegister], rank: u32, stages: u32) -> Segment<'n> {
        let of = |rank: u32| registers.iter().filter(|register| register.rank == rank).collect();
        let segments = state_segments(whole, ranks);
        let state: Vec<usize> = (0..segments.len()).filter(|&register| segments[register] == rank).collect();
        let registers = state.iter().map(|&register| whole.registers[register].clone()).collect();
        let (sections, instances) = (whole.sections.clone(), whole.instances.clone());
        let segment = Netlist { sections, instances, registers, ..Netlist::default() };
        let new = vec![None; whole.nodes.len()];
        let (before, behind) = (of(rank), of(rank + 1));
        Segment { whole, ranks, state, before, behind, rank, is_last: rank == stages, segment, new }
    }

    fn build(mut self) -> Netlist {
        self.segment.inputs = match self.rank {
            0 => self.whole.inputs.clone(),
            _ => self.before.iter().map(|register| port(register)).collect(),
        };
        for input in 0..self.before.len() {
            self.push(Node {
                op: Op::Input(input),
                width: self.before[input].width,
                label: None,
                section: 0,
                instance: None,
            });
        }
        let needed = self.needed();
        for id in (0..self.whole.nodes.len()).filter(|&id| needed[id]) {
            let node = self.copy(id);
            self.new[id] = Some(node);
        }
        for register in 0..self.segment.registers.len() {
            let Register { next, width, .. } = self.segment.registers[register];
            self.segment.registers[register].next = self.driver(next, 0, width);
        }
        self.segment.outputs = if self.is_last {
            self.whole.outputs.iter().map(|(port, node)| (port.clone(), self.driver(*node, 0, port.width))).collect()
        } else {
            let registers = self.behind.clone();
            registers.iter().map(|next| (port(next), self.driver(next.node, next.low, next.width))).collect()
        };
        self.segment
    }

    /// The nodes of this rank, and all wiring that they or the outputs read.
    fn needed(&self) -> Vec<bool> {
        let nodes = &self.whole.nodes;
        let is_here = |id: NodeId| !is_wiring(&nodes[id].op) && self.ranks[id] == self.rank;
        let mut needed: Vec<bool> = (0..nodes.len()).map(is_here).collect();
        if self.is_last {
            self.whole.outputs.iter().for_each(|(_, node)| needed[*node] |= is_wiring(&nodes[*node].op));
        }
        self.segment.registers.iter().for_each(|register| needed[register.next] |= is_wiring(&nodes[register.next].op));
        for id in (0..nodes.len()).rev() {
            if needed[id] {
                for operand in nodes[id].op.operands() {
                    // A slice of a slice needs only its own bits.
                    let (operand, _) =
                        if let Op::Slice { of, .. } = nodes[id].op { self.unsliced(of, 0) } else { (operand, 0) };
                    needed[operand] |= is_wiring(&nodes[operand].op);
                }
            }
        }
        needed
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.segment.nodes.push(node);
        self.segment.nodes.len() - 1
    }

    /// The node and the place of bit `low` of a slice, through slices of slices.
    fn unsliced(&self, id: NodeId, low: u32) -> (NodeId, u32) {
        match self.whole.nodes[id].op {
            Op::Slice { of, low: lower } if self.new[id].is_none() => self.unsliced(of, low + lower),
            _ => (id, low),
        }
    }

    /// The node of the segment for a node of the whole netlist.
    fn copy(&mut self, id: NodeId) -> NodeId {
        let node = &self.whole.nodes[id];
        let mut op = node.op.clone();
        if let Op::Register(register) = node.op {
            let place = self.state.iter().position(|&here| here == register);
            op = Op::Register(place.expect("a register is in the segment of what reads it"));
        } else if let Op::Slice { of, low } = node.op {
            let (of, low) = self.unsliced(of, low);
            let (of, low) = self.bits(of, low, node.width);
            if self.segment.nodes[of].width == node.width {
                return of;
            }
            op = Op::Slice { of, low };
        } else {
            let width = |id: NodeId| self.whole.nodes[id].width;
            op.for_each_operand(|operand| *operand = self.bits(*operand, 0, width(*operand)).0);
        }
        // Wiring that also was in an earlier segment is the same signal some clocks later.
        let later = if self.ranks[id] < self.rank { format!("_s{}", self.rank) } else { String::new() };
        let label = node.label.clone().map(|label| Label { name: label.name + &later, ..label });
        self.push(Node { op, label, ..node.clone() })
    }

    /// The node or register that holds these bits of a node of the whole netlist, and the place of the lowest bit in
    /// it.
    fn bits(&self, id: NodeId, low: u32, width: u32) -> (NodeId, u32) {
        if let Some(node) = self.new[id] {
            return (node, low);
        }
        let has_bits = |register: &&RankRegister| {
            register.node == id && register.low <= low && low + width <= register.low + register.width
        };
        let place = self.before.iter().position(has_bits).expect("what is read later is in a register");
        (place, low - self.before[place].low)
    }

    /// The driver of an output that consists of these bits of a node.
    fn driver(&mut self, id: NodeId, low: u32, width: u32) -> NodeId {
        let (of, low) = self.bits(id, low, width);
        if self.segment.nodes[of].width == width {
            return of;
        }
        self.push(Node { op: Op::Slice { of, low }, width, label: None, section: 0, instance: None })
    }
}

fn port(register: &RankRegister) -> Port {
    Port::new(&register.name, register.width)
}
