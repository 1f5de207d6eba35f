//! Structure of pipelines: ranks are monotone, and clocked like hardware they give each result after so many cycles.

use super::delay::Delays;
use super::reads::{is_wiring, reads_of, reads_of_output};
use super::*;
use crate::circuit::{Interpreter, Op};
use crate::{Optimize, units};
use binade_golden::{Format, Operation, Selection, Tininess, Unit};

const STAGES: [u32; 7] = [1, 2, 3, 5, 8, 13, 16];

fn format(name: &str) -> Format {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Every unit, and the ports that some have more.
fn operations() -> Vec<Operation> {
    let plain = |unit: Unit, name: &str| Selection::new(unit, format(name));
    let target = Some(format("e4m3fn"));
    let selections = [
        plain(Unit::Decode, "e5m2b1"),
        plain(Unit::Encode, "binary16"),
        Selection { target, ..plain(Unit::Convert, "posit16_1") },
        plain(Unit::Mul, "e4m3fn"),
        plain(Unit::Mul, "binary16"),
        plain(Unit::Add, "bfloat16"),
        plain(Unit::Fmac, "e5m2b1"),
        plain(Unit::Fmac, "posit8_2"),
        Selection { rounding: Some("sr8".parse().unwrap()), ..plain(Unit::Fmac, "k8p3se") },
        Selection { output: target, relu: true, ..plain(Unit::Fmac, "e5m2b1") },
        Selection { flags: Some(Tininess::After), ..plain(Unit::Mul, "e5m2") },
        plain(Unit::Mac, "e2m1f"),
        plain(Unit::PositDecoder, "posit16_1"),
        plain(Unit::PositEncoder, "posit16_1"),
    ];
    selections.into_iter().map(|selection| selection.operation().expect("an operation that exists")).collect()
}

fn for_all(check: impl Fn(&Operation, &Netlist, &Pipeline)) {
    for operation in operations() {
        let netlist = units::build(&operation, Optimize::Area);
        for stages in STAGES {
            check(&operation, &netlist, &Pipeline::new(&netlist, stages));
        }
    }
}

#[test]
fn nothing_is_read_before_it_is_computed() {
    for_all(|operation, _, Pipeline { netlist, ranks, stages, .. }| {
        for (id, node) in netlist.nodes.iter().enumerate() {
            assert!(node.op.operands().iter().all(|&operand| ranks[operand] <= ranks[id]), "{operation:?}");
            assert!(ranks[id] <= *stages, "{operation:?}");
            assert!(!matches!(node.op, Op::Input(_)) || ranks[id] == 0, "{operation:?}");
        }
    });
}

/// What is read at a rank is in a register of that rank and of each one before it, back to where it is computed.
#[test]
fn every_read_has_its_chain_of_registers() {
    for_all(|operation, _, pipeline| {
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
                assert!(registers.iter().any(has_it), "{operation:?}: {read:?} at rank {rank}");
            }
        }
        assert!(registers.iter().all(|register| !matches!(netlist.nodes[register.node].op, Op::Constant(_))));
    });
}

/// A rank of registers for each segment but the last, all of them holding junk at first.
struct Clocked<'p> {
    segments: Vec<Interpreter<'p>>,
    ranks: Vec<Vec<u128>>,
}

impl<'p> Clocked<'p> {
    fn new(pipeline: &'p Pipeline) -> Clocked<'p> {
        let segments = pipeline.segments.iter().map(Interpreter::new).collect();
        let junk = |rank: u32| {
            let registers = pipeline.registers.iter().filter(|register| register.rank == rank);
            registers.map(|register| (u128::MAX / 3) & crate::circuit::mask(register.width)).collect()
        };
        Clocked { segments, ranks: (1..=pipeline.stages).map(junk).collect() }
    }

    /// The outputs before a clock edge, each by itself.
    fn clock(&mut self, operands: Vec<u128>) -> Vec<u128> {
        let mut words = operands;
        let mut new = vec![];
        for (segment, interpreter) in self.segments.iter_mut().enumerate() {
            new.push(interpreter.run_vector(&words));
            words = self.ranks.get(segment).cloned().unwrap_or_default();
        }
        let outputs = new.pop().expect("the last segment");
        self.ranks = new;
        outputs
    }
}

/// Operands go in at every clock, and each result comes out as many clocks later as there are stages.
#[test]
fn results_come_after_as_many_clocks_as_stages() {
    for_all(|operation, netlist, pipeline| {
        let mut random = 1_u128;
        let mut vector = || -> Vec<u128> {
            let mut word = |width: u32| {
                random = random.wrapping_mul(0xda94_2042_e4dd_58b5) % ((1 << 89) - 1);
                random >> 20 & crate::circuit::mask(width)
            };
            operation.inputs().iter().map(|port| word(port.width())).collect()
        };
        let vectors: Vec<Vec<u128>> = (0..60).map(|_| vector()).collect();
        let mut whole = Interpreter::new(netlist);
        let mut clocked = Clocked::new(pipeline);
        let got: Vec<Vec<u128>> = vectors.iter().map(|vector| clocked.clock(vector.clone())).collect();
        let stages = pipeline.stages as usize;
        for (vector, got) in vectors.iter().zip(&got[stages..]) {
            assert_eq!(whole.run_vector(vector), *got, "{operation:?}, {stages} stages");
        }
    });
}

#[test]
fn segments_are_balanced_and_shrink_with_each_rank() {
    for operation in operations() {
        let netlist = units::build(&operation, Optimize::Area);
        let longest = |stages: u32| {
            let depths = Pipeline::new(&netlist, stages).depths(&Delays::LEVELS);
            assert_eq!(depths.len(), stages as usize + 1);
            depths.into_iter().max().unwrap()
        };
        let whole = longest(0);
        let mut before = whole;
        for stages in 1..=MAX_STAGES {
            let now = longest(stages);
            assert!(now <= before, "{operation:?}: {stages} stages");
            before = now;
        }
        // Two equal halves, but for an operator that cannot be parted just there.
        assert!(longest(1) <= whole / 2 + 2000, "{operation:?}: {whole} and {}", longest(1));
    }
}

/// A chain of adders between two shifters of flags: the cut has to be where one bit crosses, not where eight do.
#[test]
fn registers_are_where_few_bits_cross() {
    use crate::circuit::Circuit;
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
