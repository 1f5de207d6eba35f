//! The blocks of a circuit: its ports, its sections, and its registers.

use super::diagram::{Block, Diagram, Handed, Kind, width};
use crate::naming::Names;
use crate::pipeline::Pipeline;
use crate::print::body::{Piece, part, pieces};
use crate::print::languages::syntax;
use crate::print::parts::{Divided, Library, Placed, divide};
use crate::print::shell::Within;
use crate::print::signals::{Expressions, Surroundings};
use crate::{Language, Netlist, NodeId, Op, Port};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The blocks of a unit, and the nets between them.
pub fn diagram(netlist: &Netlist, within: Within, name: &str, language: Language) -> Diagram {
    let mut sketch = Sketch { name, language, blocks: vec![], signals: vec![], begun: FxHashSet::default() };
    match within {
        Within::Combinational => sketch.unit(netlist, None),
        Within::Pipelined(pipeline) => sketch.unit(netlist, Some(pipeline)),
        Within::Iterated(iteration) => sketch.unit(&iteration.netlist, None),
    }
    Diagram::new(sketch.blocks, sketch.signals)
}

/// A diagram under construction.
struct Sketch<'a> {
    name: &'a str,
    language: Language,
    blocks: Vec<Block>,
    signals: Vec<Handed>,
    /// The sections that have a block.
    begun: FxHashSet<usize>,
}

/// A netlist between two ranks, with the numbers of its signals.
struct Segment<'s> {
    divided: &'s Divided,
    expressions: &'s Expressions<'s>,
    /// The signals that nodes are.
    of_node: FxHashMap<NodeId, usize>,
    /// The signals of its inputs and of its registers.
    inputs: Vec<usize>,
    registers: Vec<usize>,
}

impl Sketch<'_> {
    fn unit(&mut self, netlist: &Netlist, pipeline: Option<&Pipeline>) {
        let stages = pipeline.map_or(0, |pipeline| pipeline.stages);
        let mut names = Names::of_unit(netlist, stages, self.language);
        pipeline.iter().flat_map(|pipeline| &pipeline.registers).for_each(|register| _ = names.give(&register.name));
        let mut library = Library::new(self.name, self.language, part);
        let mut inputs: Vec<usize> = netlist.inputs.iter().map(|port| self.port(port)).collect();
        let segments = pipeline.map_or(std::slice::from_ref(netlist), |pipeline| &pipeline.segments);
        for (rank, segment) in (1..).zip(segments) {
            let mut divided = divide(segment, None, &mut library);
            divided.give_names(&mut names);
            let driven = self.segment(&divided, &netlist.inputs, &mut names, &inputs);
            if rank <= stages {
                inputs = self.rank([rank, stages], &segment.outputs, &driven);
            } else {
                self.results(&divided, &driven);
            }
        }
    }

    fn block(&mut self, kind: Kind, title: String, note: String) -> usize {
        self.blocks.push(Block { kind, title, note });
        self.blocks.len() - 1
    }

    fn signal(&mut self, name: &str, width: u32, source: usize) -> usize {
        self.signals.push(Handed { name: name.into(), width, source, readers: BTreeSet::new() });
        self.signals.len() - 1
    }

    fn port(&mut self, port: &Port) -> usize {
        let block = self.block(Kind::Input, port.name.clone(), width(port.width));
        self.signal(&port.name, port.width, block)
    }

    fn read(&mut self, signals: impl IntoIterator<Item = usize>, reader: usize) {
        for signal in signals {
            let signal = &mut self.signals[signal];
            if signal.source != reader {
                signal.readers.insert(reader);
            }
        }
    }

    /// The blocks of a segment; the signals that drive each of its outputs.
    fn segment(&mut self, divided: &Divided, ports: &[Port], names: &mut Names, inputs: &[usize]) -> Vec<Vec<usize>> {
        let netlist = &divided.netlist;
        let around = Surroundings { outputs: &[], connected: divided.connected(), ports };
        let (expressions, wires) = Expressions::new(netlist, &around, names, syntax(self.language));
        let registers = self.state(netlist);
        let (of_node, inputs) = (FxHashMap::default(), inputs.to_vec());
        let mut segment = Segment { divided, expressions: &expressions, of_node, inputs, registers };
        let pieces = pieces(divided, &wires);
        for pieces in pieces.chunk_by(|one, next| one.section(netlist) == next.section(netlist)) {
            self.section(&mut segment, pieces);
        }
        if !netlist.registers.is_empty() {
            let next = self.block(Kind::State, "Next state".into(), String::new());
            netlist.registers.iter().for_each(|register| self.read(segment.signals([register.next]), next));
        }
        divided.outputs().iter().map(|(_, node)| segment.signals([*node])).collect()
    }

    /// The block of the registers of the state, if there are any.
    fn state(&mut self, netlist: &Netlist) -> Vec<usize> {
        if netlist.registers.is_empty() {
            return vec![];
        }
        let bits: u32 = netlist.registers.iter().map(|register| register.width).sum();
        let block = self.block(Kind::State, "State".into(), bits_in_words(bits));
        netlist.registers.iter().map(|register| self.signal(&register.name, register.width, block)).collect()
    }

    /// The block of a rank of registers; the signals of its registers.
    fn rank(&mut self, [rank, stages]: [u32; 2], registers: &[(Port, NodeId)], driven: &[Vec<usize>]) -> Vec<usize> {
        let bits = 1 + registers.iter().map(|(register, _)| register.width).sum::<u32>();
        let block = self.block(Kind::Rank, format!("Registers, rank {rank} of {stages}"), bits_in_words(bits));
        driven.iter().for_each(|signals| self.read(signals.iter().copied(), block));
        registers.iter().map(|(register, _)| self.signal(&register.name, register.width, block)).collect()
    }

    fn results(&mut self, divided: &Divided, driven: &[Vec<usize>]) {
        for ((port, _), signals) in divided.outputs().iter().zip(driven) {
            let block = self.block(Kind::Output, port.name.clone(), width(port.width));
            self.read(signals.iter().copied(), block);
        }
    }

    /// The wires and instances of one section.
    fn section(&mut self, segment: &mut Segment, pieces: &[Piece]) {
        let netlist = &segment.divided.netlist;
        let block = self.titled(netlist, pieces[0].section(netlist));
        self.instances(block, pieces);
        for piece in pieces {
            match piece {
                Piece::Wire(wire) => {
                    let read = segment.signals(netlist.nodes[wire.node].op.operands());
                    self.read(read, block);
                    segment.of_node.insert(wire.node, self.signal(&wire.signal.name, wire.signal.width, block));
                }
                Piece::Instance(placed) => {
                    let read = placed.inputs.iter().flat_map(|(_, parts)| parts.iter().flatten().copied());
                    self.read(segment.signals(read), block);
                    for (_, node) in &placed.outputs {
                        let signal = segment.expressions.signal(*node).expect("what instances hand on has names");
                        segment.of_node.insert(*node, self.signal(&signal.name, signal.width, block));
                    }
                }
            }
        }
    }

    /// A block with the title of a section. Sections one after the other with the same words before a colon share a block.
    fn titled(&mut self, netlist: &Netlist, section: usize) -> usize {
        let title = section.checked_sub(1).map_or(NAMELESS, |section| &netlist.sections[section].title);
        let (title, rest) = title.split_once(": ").unwrap_or((title, ""));
        if !self.begun.insert(section) {
            return self.block(Kind::Section, format!("{title} (continued)"), String::new());
        }
        match self.blocks.last_mut() {
            Some(last) if last.kind == Kind::Section && last.title == title && !rest.is_empty() => {
                let first = last.note.split(" .. ").next().unwrap_or_default();
                last.note = format!("{first} .. {rest}");
                self.blocks.len() - 1
            }
            _ => self.block(Kind::Section, title.into(), rest.into()),
        }
    }

    /// Adds the instances to the note of a block, equal modules together.
    fn instances(&mut self, block: usize, pieces: &[Piece]) {
        let mut counts: Vec<(&str, usize)> = vec![];
        for placed in
            pieces.iter().filter_map(|piece| if let Piece::Instance(placed) = piece { Some(placed) } else { None })
        {
            let Placed { module, counts: loops, .. } = placed;
            let module = module.strip_prefix(&format!("{}_", self.name)).unwrap_or(module);
            match counts.iter_mut().find(|(counted, _)| *counted == module) {
                Some((_, count)) => *count += loops.iter().product::<usize>(),
                None => counts.push((module, loops.iter().product())),
            }
        }
        let count =
            |(module, count): (&str, usize)| if count == 1 { module.into() } else { format!("{count} x {module}") };
        let note = &mut self.blocks[block].note;
        let notes = Some(note.clone()).filter(|note| !note.is_empty()).into_iter().chain(counts.into_iter().map(count));
        *note = notes.collect::<Vec<String>>().join(", ");
    }
}

impl Segment<'_> {
    /// The signals in the expressions of some nodes.
    fn signals(&self, nodes: impl IntoIterator<Item = NodeId>) -> Vec<usize> {
        let (mut left, mut seen, mut found) = (Vec::from_iter(nodes), FxHashSet::default(), vec![]);
        while let Some(id) = left.pop() {
            if !seen.insert(id) {
                continue;
            }
            match (self.of_node.get(&id), &self.divided.netlist.nodes[id].op) {
                (Some(signal), _) => found.push(*signal),
                (None, Op::Input(input)) => found.push(self.inputs[*input]),
                (None, Op::Register(register)) => found.push(self.registers[*register]),
                (None, op) => left.extend(op.operands()),
            }
        }
        found
    }
}

/// The title of the wires before the first section.
const NAMELESS: &str = "Logic";

fn bits_in_words(bits: u32) -> String {
    if bits == 1 { "1 bit".into() } else { format!("{bits} bits") }
}
