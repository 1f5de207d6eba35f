//! Tests the structure of pipelines, and pipelines with state clock by clock. The tests of the generator clock those of real
//! units.

use super::reads::{is_wiring, reads_of, reads_of_output};
use super::*;
use crate::tests::machines::MACHINES;
use crate::tests::random::Random;
use crate::tests::state::random_machine;
use crate::word::column;
use crate::{Bits, Circuit, Interpreter, Op, concat, limbs};
use std::collections::VecDeque;

const STAGES: [u32; 7] = [1, 2, 3, 5, 8, 13, 16];

/// Datapaths from the operands `a` and `b`, of 16 bits each, and `c`, of 5 bits.
type Datapath = for<'c> fn(Bits<'c>, Bits<'c>, Bits<'c>) -> Bits<'c>;

const DATAPATHS: [(&str, Datapath); 5] = [
    ("product", |a, b, _| a.multiply(b)),
    ("one multiplication", |a, b, c| a.mul(b).high(20) ^ c.zext(20)),
    ("sum, normalized", |a, b, _| a.zext(17).add(b.zext(17)).normalize_left(None, "shifted").0),
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

/// A value that is read at a rank is in a register of that rank and of each rank before it, back to where it is
/// computed.
#[test]
fn every_read_has_its_chain_of_registers() {
    for_all(|name, pipeline| {
        let Pipeline { netlist, ranks, registers, stages, .. } = pipeline;
        let computing = (0..netlist.nodes.len()).filter(|&id| !is_wiring(&netlist.nodes[id].op));
        let reads = computing.flat_map(|id| reads_of(netlist, id).into_iter().map(move |read| (read, ranks[id])));
        let outputs = netlist.outputs.iter().flat_map(|(_, node)| reads_of_output(netlist, *node));
        for (read, rank) in reads.chain(outputs.map(|read| (read, *stages))) {
            for crossed in ranks[read.node] + 1..=rank {
                let has_it = |register: &RankRegister| {
                    let is_signal = register.node == read.node && register.rank == crossed;
                    is_signal && register.low <= read.low && read.high < register.low + register.width
                };
                assert!(registers.iter().any(has_it), "{name}: {read:?} at rank {rank}");
            }
        }
        assert!(registers.iter().all(|register| !matches!(netlist.nodes[register.node].op, Op::Constant(_))));
    });
}

/// A chain of adders between two shifters of flags: the cut must be where one bit crosses, not where eight do.
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

/// The outputs of a netlist for one set of operands; replaces `states` by the next states.
fn step(
    netlist: &Netlist,
    interpreter: &mut Interpreter,
    states: &mut [Vec<u64>],
    inputs: &[Vec<u64>],
) -> Vec<Vec<u64>> {
    let mut outputs: Vec<Vec<u64>> = netlist.outputs.iter().map(|(port, _)| vec![0; limbs(port.width)]).collect();
    interpreter.step(inputs, states, &mut outputs);
    outputs
}

/// A pipelined unit as its Verilog describes it.
struct Clocked<'p> {
    pipeline: &'p Pipeline,
    interpreters: Vec<Interpreter<'p>>,
    /// The valid bit and the registers of each rank; both hold junk at first.
    ranks: Vec<(bool, Vec<Vec<u64>>)>,
    /// The states of each segment.
    states: Vec<Vec<Vec<u64>>>,
}

impl<'p> Clocked<'p> {
    fn new(pipeline: &'p Pipeline) -> Clocked<'p> {
        let junk = |port: &crate::Port| column(&(crate::ones(port.width) / 3_u32), port.width);
        let rank = |segment: &Netlist| (true, segment.inputs.iter().map(junk).collect());
        let state = |segment: &Netlist| {
            segment.registers.iter().map(|it| column(&(crate::ones(it.width) / 5_u32), it.width)).collect()
        };
        Clocked {
            pipeline,
            interpreters: pipeline.segments.iter().map(Interpreter::new).collect(),
            ranks: pipeline.segments[1..].iter().map(rank).collect(),
            states: pipeline.segments.iter().map(state).collect(),
        }
    }

    /// The outputs before a clock edge, if they are valid. Then applies the clock edge.
    fn clock(&mut self, [rst_n, en, in_valid]: [bool; 3], operands: &[Vec<u64>]) -> Option<Vec<Vec<u64>>> {
        let mut words = operands.to_vec();
        let mut is_valid = in_valid;
        let mut behind = vec![];
        for (place, segment) in self.pipeline.segments.iter().enumerate() {
            let mut next = self.states[place].clone();
            let values = step(segment, &mut self.interpreters[place], &mut next, &words);
            match (rst_n, en && is_valid) {
                (false, _) => self.states[place] = segment.reset_states(1),
                (true, true) => self.states[place] = next,
                (true, false) => {}
            }
            behind.push((is_valid, values));
            if let Some(rank) = self.ranks.get(place) {
                (is_valid, words) = rank.clone();
            }
        }
        let (is_valid, outputs) = behind.pop().expect("the last segment");
        if en {
            self.ranks = behind;
        }
        if !rst_n {
            self.ranks.iter_mut().for_each(|(is_valid, _)| *is_valid = false);
        }
        is_valid.then_some(outputs)
    }
}

/// The required behavior of a unit: each set of operands is a step of the netlist, and its results are due when `en` has
/// been high `stages` times.
struct Plain<'n> {
    netlist: &'n Netlist,
    interpreter: Interpreter<'n>,
    states: Vec<Vec<u64>>,
    on_the_way: VecDeque<Option<Vec<Vec<u64>>>>,
}

impl<'n> Plain<'n> {
    /// Right after a reset.
    fn new(netlist: &'n Netlist, stages: u32) -> Plain<'n> {
        let on_the_way = (0..stages).map(|_| None).collect();
        Plain { netlist, interpreter: Interpreter::new(netlist), states: netlist.reset_states(1), on_the_way }
    }

    fn clock(&mut self, [rst_n, en, in_valid]: [bool; 3], operands: &[Vec<u64>]) -> Option<Vec<Vec<u64>>> {
        let mut next = self.states.clone();
        let results = step(self.netlist, &mut self.interpreter, &mut next, operands);
        self.on_the_way.push_back(in_valid.then_some(results));
        let outputs = self.on_the_way[0].clone();
        if en {
            self.on_the_way.pop_front();
            if in_valid {
                self.states = next;
            }
        } else {
            self.on_the_way.pop_back();
        }
        if !rst_n {
            self.states = self.netlist.reset_states(1);
            self.on_the_way.iter_mut().for_each(|results| *results = None);
        }
        outputs
    }
}

/// Clocks a pipeline with random operands, bubbles, stalls and resets, and compares it with the plain netlist. Returns the
/// number of results.
fn compare(name: &str, netlist: &Netlist, stages: u32, random: &mut Random) -> u32 {
    let pipeline = Pipeline::new(netlist, stages);
    check_state(name, &pipeline);
    let (mut clocked, mut plain) = (Clocked::new(&pipeline), Plain::new(netlist, stages));
    let mut results = 0;
    for clock in 0..120 {
        let controls = match clock {
            0 => [false, false, false],
            _ => [random.below(30) > 0, random.below(4) > 0, random.below(4) > 0],
        };
        let operands: Vec<Vec<u64>> =
            netlist.inputs.iter().map(|port| column(&random.word(port.width), port.width)).collect();
        let (got, want) = (clocked.clock(controls, &operands), plain.clock(controls, &operands));
        if clock > 0 {
            assert_eq!(got, want, "{name}, {stages} stages, clock {clock}");
            results += u32::from(want.is_some());
        }
    }
    results
}

/// Each register is in the segment that `state_segments` gives, and all nodes of a loop are in one segment.
fn check_state(name: &str, pipeline: &Pipeline) {
    let Pipeline { netlist, ranks, state_segments, segments, .. } = pipeline;
    let loops = loops::Loops::new(netlist);
    for number in 0..loops.count {
        let of_loop = (0..ranks.len()).filter(|&id| loops.of(id) == Some(number)).map(|id| ranks[id]);
        let distinct: std::collections::HashSet<u32> = of_loop.collect();
        assert_eq!(distinct.len(), 1, "{name}: a loop in the segments {distinct:?}");
    }
    for (number, segment) in (0..).zip(segments) {
        assert_eq!(segment.check(), Ok(()), "{name}, segment {number}");
        let here = netlist.registers.iter().zip(state_segments).filter(|(_, segment)| **segment == number);
        let names = |it: &crate::Register| (it.name.clone(), it.width, it.reset.clone());
        let wanted: Vec<_> = here.map(|(register, _)| names(register)).collect();
        assert_eq!(segment.registers.iter().map(names).collect::<Vec<_>>(), wanted, "{name}, segment {number}");
    }
}

#[test]
fn machines_keep_their_meaning_in_stages() {
    let mut random = Random(7);
    for machine in &MACHINES {
        let netlist = machine.netlist();
        for stages in [0, 1, 2, 3, 5, 8] {
            let results = compare(machine.name, &netlist, stages, &mut random);
            assert!(results > 20, "{}, {stages} stages: only {results} results", machine.name);
        }
    }
}

#[test]
fn random_machines_keep_their_meaning_in_stages() {
    let mut random = Random(8);
    let mut behind_ranks = 0;
    for _ in 0..150 {
        let netlist = crate::prune::prune(random_machine(&mut random).1);
        for stages in [0, 1, 2, 4] {
            compare("random machine", &netlist, stages, &mut random);
            behind_ranks += Pipeline::new(&netlist, stages).state_segments.iter().filter(|it| **it > 0).count();
        }
    }
    assert!(behind_ranks > 30, "only {behind_ranks} registers were behind a rank");
}

/// Ranks are placed before and after the loop until the loop limits the clock.
#[test]
fn a_loop_limits_the_clock() {
    let netlist = MACHINES.last().expect("a sum of products").netlist();
    let limit = |stages| Pipeline::new(&netlist, stages).limit();
    assert_eq!((limit(0), limit(4)), (None, None));
    let said = "the loop of 2.6 levels limits the clock; ranks are only before and behind it";
    assert_eq!(limit(9).as_deref(), Some(said));
    let pipeline = Pipeline::new(&netlist, 9);
    assert!(pipeline.state_segments[0] > 0 && pipeline.state_segments[0] < 9, "{:?}", pipeline.state_segments);
    let depths = pipeline.depths(&Delays::LEVELS);
    assert_eq!(depths.into_iter().max(), pipeline.loop_depth(&Delays::LEVELS));
    // Without state there is no loop, and an empty loop limits nothing.
    for_all(|name, pipeline| assert_eq!(pipeline.limit(), None, "{name}"));
    assert_eq!(Pipeline::new(&MACHINES[3].netlist(), 2).limit(), None);
}
