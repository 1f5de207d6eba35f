//! Structure of pipelines; those of real units are clocked in the tests of the generator.

use super::reads::{is_wiring, reads_of, reads_of_output};
use super::*;
use crate::{Bits, Circuit, Op, concat};

const STAGES: [u32; 7] = [1, 2, 3, 5, 8, 13, 16];

/// Datapaths from the operands `a` and `b`, of 16 bits each, and `c`, of 5 bits.
type Datapath = for<'c> fn(Bits<'c>, Bits<'c>, Bits<'c>) -> Bits<'c>;

const DATAPATHS: [(&str, Datapath); 5] = [
    ("product", |a, b, _| a.multiply(b)),
    ("one multiplication", |a, b, c| a.mul(b).high(20) ^ c.zext(20)),
    ("sum, normalised", |a, b, _| a.zext(17).add(b.zext(17)).normalise_left(None, "shifted").0),
    ("aligned, added, compared", |a, b, c| {
        let (aligned, sticky) = a.shift_right_sticky(c, "aligned");
        let sum = aligned.zext(17).add(b.zext(17));
        concat(&[sum, sticky, a.less_than(b), c])
    }),
    ("wiring only", |a, b, c| concat(&[a.low(3), !c, b.high(4), a.bit(15)])),
];

fn for_all(check: impl Fn(&str, &Pipeline)) {
    for (name, datapath) in DATAPATHS {
        let circuit = Circuit::new();
        let y = {
            let [a, b, c] = [("a", 16), ("b", 16), ("c", 5)].map(|(name, width)| circuit.input(name, width, ""));
            datapath(a, b, c).node()
        };
        let netlist = circuit.finish(&[("y", y, String::new())]);
        STAGES.iter().for_each(|&stages| check(name, &Pipeline::new(&netlist, stages)));
    }
}

/// What is read at a rank is in a register of that rank and of each one before it, back to where it is computed.
#[test]
fn every_read_has_its_chain_of_registers() {
    for_all(|name, pipeline| {
        let Pipeline { netlist, ranks, registers, stages, .. } = pipeline;
        let computing = (0..netlist.nodes.len()).filter(|&id| !is_wiring(&netlist.nodes[id].op));
        let reads = computing.flat_map(|id| reads_of(netlist, id).into_iter().map(move |read| (read, ranks[id])));
        let outputs = netlist.outputs.iter().flat_map(|(_, node)| reads_of_output(netlist, *node));
        for (read, rank) in reads.chain(outputs.map(|read| (read, *stages))) {
            for crossed in ranks[read.node] + 1..=rank {
                let has_it = |register: &Register| {
                    let is_signal = register.node == read.node && register.rank == crossed;
                    is_signal && register.low <= read.low && read.high < register.low + register.width
                };
                assert!(registers.iter().any(has_it), "{name}: {read:?} at rank {rank}");
            }
        }
        assert!(registers.iter().all(|register| !matches!(netlist.nodes[register.node].op, Op::Constant(_))));
    });
}

/// A chain of adders between two shifters of flags: the cut has to be where one bit crosses, not where eight do.
#[test]
fn registers_are_where_few_bits_cross() {
    let circuit = Circuit::new();
    let y = {
        let [a, b] = ["a", "b"].map(|name| circuit.input(name, 16, ""));
        (a.add(b).any().named("any") & !b.bit(0)).node()
    };
    let netlist = circuit.finish(&[("y", y, String::new())]);
    let pipeline = Pipeline::new(&netlist, 1);
    let names: Vec<&str> = pipeline.registers.iter().map(|register| register.name.as_str()).collect();
    assert!(pipeline.register_bits() <= 1 + 17, "{names:?}");
    assert!(names.contains(&"b_0_s1"), "{names:?}");
}
