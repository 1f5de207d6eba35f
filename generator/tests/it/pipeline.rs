//! Tests pipelines of every unit: ranks are monotone, and when clocked like hardware, each result comes after the
//! latency.

use binade_circuit::pipeline::{Delays, MAX_STAGES, Pipeline};
use binade_circuit::{Interpreter, Netlist, Op, Optimize, limbs, mask};
use binade_generator::{Design, units};
use binade_spec::{Activation, Format, Operation, Rounding, Selection, Tininess, Unit};

const STAGES: [u32; 7] = [1, 2, 3, 5, 8, 13, 16];

fn format(name: &str) -> Format {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Every unit, also with optional ports.
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
        Selection { output: target, activation: Some(Activation::Relu), ..plain(Unit::Fmac, "e5m2b1") },
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

/// A rank of registers for each segment but the last; all hold junk at first.
struct Clocked<'p> {
    segments: Vec<(&'p Netlist, Interpreter<'p>)>,
    ranks: Vec<Vec<Column>>,
}

/// A word of a port in limbs.
type Column = Vec<u64>;

/// The outputs of a netlist for a single vector.
fn outputs(interpreter: &mut Interpreter, netlist: &Netlist, inputs: &[Column]) -> Vec<Column> {
    let mut outputs: Vec<Column> = netlist.outputs.iter().map(|(port, _)| vec![0; limbs(port.width)]).collect();
    interpreter.evaluate(inputs, &mut outputs);
    outputs
}

impl<'p> Clocked<'p> {
    fn new(pipeline: &'p Pipeline) -> Clocked<'p> {
        let segments = pipeline.segments.iter().map(|segment| (segment, Interpreter::new(segment))).collect();
        let junk = |rank: u32| {
            let registers = pipeline.registers.iter().filter(|register| register.rank == rank);
            let word = |width: u32| vec![u64::MAX / 3; limbs(width)];
            registers.map(|register| cut(word(register.width), register.width)).collect()
        };
        Clocked { segments, ranks: (1..=pipeline.stages).map(junk).collect() }
    }

    /// The outputs before a clock edge.
    fn clock(&mut self, operands: Vec<Column>) -> Vec<Column> {
        let mut words = operands;
        let mut new = vec![];
        for (rank, (segment, interpreter)) in self.segments.iter_mut().enumerate() {
            new.push(outputs(interpreter, segment, &words));
            words = self.ranks.get(rank).cloned().unwrap_or_default();
        }
        let outputs = new.pop().expect("the last segment");
        self.ranks = new;
        outputs
    }
}

/// The word without the bits from `width` up.
fn cut(mut word: Column, width: u32) -> Column {
    if !width.is_multiple_of(64) {
        word[limbs(width) - 1] &= mask(width % 64) as u64;
    }
    word
}

/// Operands enter in every clock, and each result comes `stages` clocks later.
#[test]
fn results_come_after_as_many_clocks_as_stages() {
    for_all(|operation, netlist, pipeline| {
        let mut random = 1_u128;
        let mut vector = || -> Vec<Column> {
            let mut word = |width: u32| {
                random = random.wrapping_mul(0xda94_2042_e4dd_58b5) % ((1 << 89) - 1);
                cut(vec![(random >> 20) as u64; limbs(width)], width)
            };
            netlist.inputs.iter().map(|port| word(port.width)).collect()
        };
        let vectors: Vec<Vec<Column>> = (0..60).map(|_| vector()).collect();
        let mut whole = Interpreter::new(netlist);
        let mut clocked = Clocked::new(pipeline);
        let got: Vec<Vec<Column>> = vectors.iter().map(|vector| clocked.clock(vector.clone())).collect();
        let stages = pipeline.stages as usize;
        for (vector, got) in vectors.iter().zip(&got[stages..]) {
            assert_eq!(outputs(&mut whole, netlist, vector), *got, "{operation:?}, {stages} stages");
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
        // Two equal halves, except for an operator that cannot be split exactly there.
        assert!(longest(1) <= whole / 2 + 2000, "{operation:?}: {whole} and {}", longest(1));
    }
}

/// More ranks than a unit can have are refused before anything is built.
#[test]
fn too_many_ranks_are_refused() {
    let operation = Operation::new(Unit::Mul, format("e5m2"), format("e5m2"));
    assert!(Design::new(operation, MAX_STAGES, Optimize::Depth).is_ok());
    let refused = Design::new(operation, MAX_STAGES + 1, Optimize::Area).unwrap_err();
    assert_eq!(refused.to_string(), "17 ranks of registers; a unit can have up to 16");
}

/// A unit that takes several clocks for an operation would use other random bits in each of them.
#[test]
fn digits_with_random_bits_inside_are_refused() {
    for unit in [Unit::Divide, Unit::Sqrt, Unit::Rsqrt] {
        let selection = Selection { rounding: Some(Rounding::Sr(4)), ..Selection::new(unit, format("e5m2")) };
        let design = |has_internal_random| {
            let operation = Selection { has_internal_random, ..selection }.operation().expect("an operation");
            Design::from(operation).in_clocks(1)
        };
        assert!(design(false).is_ok());
        assert!(design(true).unwrap_err().to_string().contains("leave `random internal` out"), "{unit}");
    }
}
