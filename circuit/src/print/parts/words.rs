//! Concatenations of neighboring parts of a wire as bits of it.
//!
//! ```text
//!   wire [5:0] product = {sum, row[1:0]};
//!   |{sum[1:0], row[1:0]}  ->  |product[3:0]
//! ```

use crate::{Netlist, NodeId, Op};
use rustc_hash::FxHashMap;

/// A bit of a node, or of a constant.
type Bit = (NodeId, u32);

/// What stands for the node of constants.
const CONSTANT: NodeId = NodeId::MAX;

/// The same netlist, with bits of wires in place of their parts.
pub fn in_words(mut netlist: Netlist) -> Netlist {
    let mut words: FxHashMap<NodeId, Vec<Bit>> = FxHashMap::default();
    // The wires that each bit is a part of, and its first place there.
    let mut places: FxHashMap<Bit, Vec<(NodeId, usize)>> = FxHashMap::default();
    for id in 0..netlist.nodes.len() {
        let Op::Concat(parts) = &netlist.nodes[id].op else { continue };
        let bits: Vec<Bit> = parts.iter().rev().flat_map(|&part| bits(&netlist, part)).collect();
        // A bit of a wire is one of its parts.
        let bits: Vec<Bit> =
            bits.into_iter().map(|bit| words.get(&bit.0).map_or(bit, |word| word[bit.1 as usize])).collect();
        if netlist.nodes[id].wire_name().is_some() {
            for (place, bit) in bits.iter().enumerate().filter(|(_, bit)| bit.0 != CONSTANT) {
                let places = places.entry(*bit).or_default();
                if places.last().is_none_or(|(of, _)| *of != id) {
                    places.push((id, place));
                }
            }
            words.insert(id, bits);
        } else if let Some((of, low)) = word(&netlist, id, &bits, &words, &places) {
            netlist.nodes[id].op = Op::Slice { of, low };
        }
    }
    netlist
}

/// The wire that has these bits of a node, and the place of the lowest.
fn word(
    netlist: &Netlist,
    id: NodeId,
    bits: &[Bit],
    words: &FxHashMap<NodeId, Vec<Bit>>,
    places: &FxHashMap<Bit, Vec<(NodeId, usize)>>,
) -> Option<(NodeId, u32)> {
    let has_constants = bits.iter().any(|bit| bit.0 == CONSTANT);
    let (at, places) = bits.iter().enumerate().find_map(|(at, bit)| Some((at, places.get(bit)?)))?;
    places.iter().find_map(|&(of, place)| {
        let low = place.checked_sub(at)?;
        let is_same = words[&of].get(low..low + bits.len()) == Some(bits);
        (is_same && may_read(netlist, id, of, has_constants)).then_some((of, low as u32))
    })
}

/// Whether a node is better bits of this wire: if the wire is in the same piece, or around it. Constant bits of a wire are read only from
/// within a piece, as it has fewer ports then.
fn may_read(netlist: &Netlist, id: NodeId, of: NodeId, has_constants: bool) -> bool {
    let [piece, place] = [id, of].map(|node| netlist.nodes[node].instance);
    let mut around = std::iter::successors(Some(piece), |piece| piece.map(|piece| netlist.instances[piece].parent));
    around.any(|around| around == place) && !(has_constants && piece == place)
}

/// The bits of a node, the lowest first, as bits of the node that it is bits of.
fn bits(netlist: &Netlist, id: NodeId) -> Vec<Bit> {
    let bits = 0..netlist.nodes[id].width;
    match &netlist.nodes[id].op {
        Op::Slice { of, low } => bits.map(|bit| (*of, low + bit)).collect(),
        Op::Repeat(of) => bits.map(|_| (*of, 0)).collect(),
        Op::Constant(value) => bits.map(|bit| (CONSTANT, value.bit(bit.into()).into())).collect(),
        _ => bits.map(|bit| (id, bit)).collect(),
    }
}
