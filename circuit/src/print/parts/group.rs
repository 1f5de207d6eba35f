//! Groups of equal pieces.

use super::bundle::{Bundle, bundled};
use super::names::{ANY, common_name, common_text};
use super::piece::{MIN_PIECES, Piece};
use crate::Language;
use crate::naming::Names;
use crate::{Label, Netlist, Node, NodeId, Note, Op, Port};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The common structure of equal pieces: operators, widths and wiring, and the pieces in them.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Structure {
    part: &'static str,
    nodes: Vec<(Op, u32, usize)>,
    /// The kind of each piece within, and the piece around it, in the order of their first nodes.
    within: Vec<(&'static str, usize)>,
}

impl Structure {
    fn of(piece: &Piece) -> Structure {
        let instances = &piece.netlist.instances;
        let mut numbers = FxHashMap::default();
        let mut within = vec![];
        let mut number_of = |id: NodeId| {
            let mut around = 0;
            for instance in piece.within(id).into_iter().rev() {
                around = *numbers.entry(instance).or_insert_with(|| {
                    within.push((instances[instance].part.name, around));
                    within.len()
                });
            }
            around
        };
        let nodes = piece.netlist.nodes.iter().enumerate();
        let nodes = nodes.map(|(id, node)| (node.op.clone(), node.width, number_of(id))).collect();
        Structure { part: instances[piece.instance].part.name, nodes, within }
    }
}

/// About how many nodes are wires: those that always are, and those that have a name and are read twice.
fn wires(netlist: &Netlist) -> usize {
    let mut reads = vec![0; netlist.nodes.len()];
    netlist.nodes.iter().flat_map(|node| node.op.operands()).for_each(|operand| reads[operand] += 1);
    let is_wire = |(node, reads): &(&Node, usize)| node.wire_name().is_some() || (node.label.is_some() && *reads > 1);
    netlist.nodes.iter().zip(reads).filter(is_wire).count()
}

/// Pieces of so many wires are a module if there may be a loop of them, even if that takes more lines.
const MANY_WIRES: usize = 5;

/// Equal pieces.
pub struct Group {
    pub structure: Structure,
    pub pieces: Vec<Piece>,
}

impl Group {
    /// The pieces group by group, in the order of the first of each.
    pub fn all(pieces: impl Iterator<Item = Piece>) -> Vec<Group> {
        let mut groups: Vec<Group> = vec![];
        let mut places: FxHashMap<Structure, usize> = FxHashMap::default();
        for piece in pieces {
            let structure = Structure::of(&piece);
            let place = *places.entry(structure.clone()).or_insert_with(|| {
                groups.push(Group { structure, pieces: vec![] });
                groups.len() - 1
            });
            groups[place].pieces.push(piece);
        }
        groups
    }

    /// Whether the pieces are modules by their kind, or many of many wires each, whose names would be numbered, or a module and its
    /// instances take fewer lines than the pieces written in place.
    pub fn becomes_module(&self) -> bool {
        let Piece { netlist, outputs, instance, .. } = &self.pieces[0];
        let wires = wires(netlist);
        let ports = netlist.inputs.len() + outputs.len();
        let is_module = netlist.instances[*instance].part.is_module;
        let (module, instance) = (4 + ports + wires, 2 + ports / 4);
        let are_many = self.pieces.len() >= MIN_PIECES && wires >= MANY_WIRES;
        is_module || are_many || module + self.pieces.len() * instance < self.pieces.len() * wires
    }

    /// The nodes that at least one of the pieces outputs.
    pub fn outputs(&self) -> Vec<NodeId> {
        let outputs: BTreeSet<NodeId> = self.pieces.iter().flat_map(|piece| piece.outputs.iter().copied()).collect();
        outputs.into_iter().collect()
    }

    /// The netlist for all of the pieces, and which of their inputs and outputs make up each of its ports. `names` holds the names of the
    /// surrounding nodes.
    pub fn netlist(&self, names: &[String], language: Language) -> (Netlist, [Vec<Bundle>; 2]) {
        let mut netlist = self.pieces[0].netlist.clone();
        for (place, input) in netlist.inputs.iter_mut().enumerate() {
            input.name = self.common(|piece| &names[piece.inputs[place].node]);
        }
        let outputs = self.outputs().into_iter().map(|node| {
            let name = self.common(|piece| &names[piece.origins[node]]);
            (Port::new(if name == ANY { "y" } else { &name }, netlist.nodes[node].width), node)
        });
        netlist.outputs = outputs.collect();
        for (id, node) in netlist.nodes.iter_mut().enumerate() {
            node.label =
                node.label.take().map(|label| Label { name: self.name_of(id), note: self.note_of(id), ..label });
        }
        self.name_sections(&mut netlist);
        self.name_pieces(&mut netlist);
        bundled(netlist, self.pieces.len(), &mut Names::new(language))
    }

    /// Titles of the sections for all of the pieces.
    fn name_sections(&self, netlist: &mut Netlist) {
        let [begin, end] = netlist.instances[self.pieces[0].instance].sections;
        for title in begin..end.min(netlist.sections.len()) {
            let titles = self.pieces.iter().filter_map(|piece| {
                let [own, end] = piece.netlist.instances[piece.instance].sections;
                let place = own + title - begin;
                piece.netlist.sections.get(place).filter(|_| place < end).map(|section| section.title.as_str())
            });
            Arc::make_mut(&mut netlist.sections)[title].title = common_text(&titles.collect::<Vec<_>>());
        }
    }

    /// Names of the pieces within, for all of the pieces.
    fn name_pieces(&self, netlist: &mut Netlist) {
        let mut named = FxHashSet::default();
        for id in 0..netlist.nodes.len() {
            let within: Vec<Vec<usize>> = self.pieces.iter().map(|piece| piece.within(id)).collect();
            for (depth, &instance) in within[0].iter().enumerate() {
                if named.insert(instance) {
                    let names = self.pieces.iter().zip(&within);
                    let names = names.map(|(piece, within)| &*piece.netlist.instances[within[depth]].name);
                    Arc::make_mut(&mut netlist.instances)[instance].name = common_name(names);
                }
            }
        }
    }

    fn common<'p>(&'p self, name: impl Fn(&'p Piece) -> &'p str) -> String {
        common_name(self.pieces.iter().map(name))
    }

    fn name_of(&self, id: NodeId) -> String {
        let names = self.pieces.iter().filter_map(|piece| piece.netlist.nodes[id].label.as_ref());
        common_name(names.map(|label| label.name.as_str()))
    }

    /// The comment of a node, if it is the same in all pieces.
    fn note_of(&self, id: NodeId) -> Option<Note> {
        let note = |piece: &Piece| piece.netlist.nodes[id].label.as_ref().and_then(|label| label.note.clone());
        let first = note(&self.pieces[0]);
        first.filter(|first| self.pieces.iter().all(|piece| note(piece).as_ref() == Some(first)))
    }
}
