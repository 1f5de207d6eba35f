//! Compares signals of hundreds and thousands of bits with big integers.

use super::random::{Random, Twins, assert_well_formed};
use super::unpruned;
use crate::word::{column, ones};
use crate::{Bits, Circuit, Interpreter, MAX_WIDTH, Netlist, Op, Port, concat, limbs, mask, prune, without_chains};
use num_bigint::BigUint;

/// Widths just below and above the ends of limbs and words.
const WIDTHS: [u32; 14] = [1, 2, 31, 63, 64, 65, 127, 128, 129, 191, 192, 193, 320, 1000];

/// The value of each node of a netlist for one vector, with big integers.
fn values(netlist: &Netlist, inputs: &[BigUint]) -> Vec<BigUint> {
    let mut values: Vec<BigUint> = vec![];
    for node in &netlist.nodes {
        let of = |id: usize| &values[id];
        let width = |id: usize| netlist.nodes[id].width;
        let modulus = BigUint::from(1_u32) << node.width;
        let truth = |truth: bool| BigUint::from(u32::from(truth));
        let is_one = |id: usize| *of(id) == truth(true);
        values.push(match node.op {
            Op::Input(port) => inputs[port].clone(),
            Op::Register(_) => unreachable!("a circuit without registers"),
            Op::Constant(ref value) => value.clone(),
            Op::Not(a) => modulus - 1_u32 - of(a),
            Op::And(a, b) => of(a) & of(b),
            Op::Or(a, b) => of(a) | of(b),
            Op::Xor(a, b) => of(a) ^ of(b),
            Op::Add(a, b) => (of(a) + of(b)) % modulus,
            Op::Sub(a, b) => (&modulus + of(a) - of(b)) % modulus,
            Op::Eq(a, b) => truth(of(a) == of(b)),
            Op::Lt(a, b) => truth(of(a) < of(b)),
            Op::Mul(a, b) => of(a) * of(b),
            Op::Mux { select, one, zero } => of(if is_one(select) { one } else { zero }).clone(),
            Op::AnyOne(a) => truth(*of(a) != BigUint::ZERO),
            Op::AllOnes(a) => truth(*of(a) == (BigUint::from(1_u32) << width(a)) - 1_u32),
            Op::Slice { of: whole, low } => (of(whole) >> low) % modulus,
            Op::Concat(ref parts) => parts.iter().fold(BigUint::ZERO, |word, &part| (word << width(part)) + of(part)),
            Op::Repeat(bit) => {
                if is_one(bit) {
                    modulus - 1_u32
                } else {
                    BigUint::ZERO
                }
            }
        });
    }
    values
}

/// The interpreter's results for some vectors: one column per output.
fn run(netlist: &Netlist, vectors: &[Vec<BigUint>]) -> Vec<Vec<u64>> {
    let of_input = |(index, port): (usize, &Port)| -> Vec<u64> {
        vectors.iter().flat_map(|vector| column(&vector[index], port.width)).collect()
    };
    let inputs: Vec<Vec<u64>> = netlist.inputs.iter().enumerate().map(of_input).collect();
    let of_output = |(port, _): &(Port, usize)| vec![u64::MAX; limbs(port.width) * vectors.len()];
    let mut outputs: Vec<Vec<u64>> = netlist.outputs.iter().map(of_output).collect();
    Interpreter::new(netlist).evaluate(&inputs, &mut outputs);
    outputs
}

/// Every node of a netlist as an output.
fn with_all_outputs(netlist: &Netlist) -> Netlist {
    let port = |width| Port::new("y", width);
    let outputs = netlist.nodes.iter().enumerate().map(|(id, node)| (port(node.width), id)).collect();
    Netlist { outputs, ..netlist.clone() }
}

/// Random circuits: every node agrees with big integers, and folding, pruning and prefix trees keep the output.
#[test]
fn random_circuits_of_any_width() {
    let mut random = Random(2);
    let mut wide = 0;
    for _ in 0..400 {
        let widths: Vec<u32> = [1].into_iter().chain((0..4).map(|_| WIDTHS[random.below(WIDTHS.len())])).collect();
        let (plain, folded) = (Circuit::new(), Circuit::new());
        let mut twins = Twins::new(&plain, &folded, &widths, 4000);
        for _ in 0..8 + random.below(30) {
            twins.grow(&mut random);
        }
        let (plain_output, folded_output) = twins.nodes[twins.nodes.len() - 1];
        let as_written = unpruned(&plain, Bits::new(&plain, plain_output));
        // More vectors than a block.
        let vector = |random: &mut Random| -> Vec<BigUint> { widths.iter().map(|&width| random.word(width)).collect() };
        let vectors: Vec<Vec<BigUint>> = (0..70).map(|_| vector(&mut random)).collect();
        let got = run(&with_all_outputs(&as_written), &vectors);
        for (at, vector) in vectors.iter().enumerate() {
            for (id, value) in values(&as_written, vector).iter().enumerate() {
                let width = as_written.nodes[id].width;
                let limbs = &got[id][at * limbs(width)..][..limbs(width)];
                assert_eq!(limbs, column(value, width), "{:?} of {width} bits, node {id}", as_written.nodes[id].op);
            }
        }
        wide += usize::from(as_written.nodes.iter().any(|node| node.width > 128));
        let wanted = &got[plain_output..=plain_output];
        let as_built = unpruned(&folded, folded_output);
        assert_eq!(run(&as_built, &vectors), wanted, "folding changed\n{as_written:#?}");
        let pruned = prune::prune(as_built.clone());
        assert_eq!(run(&pruned, &vectors), wanted, "pruning changed\n{as_built:#?}");
        assert_well_formed(&pruned);
        assert_eq!(run(&without_chains(&pruned), &vectors), wanted, "prefix trees changed\n{pruned:#?}");
    }
    assert!(wide > 200, "only {wide} circuits had wide signals");
}

/// Known bits of wide words cost nothing.
#[test]
fn wide_constants_fold() {
    let circuit = Circuit::new();
    let x = circuit.input("x", 1000, "");
    let constant = |value: BigUint| circuit.wide_constant(value, 1000);
    let big: BigUint = BigUint::from(3_u32) << 700;
    assert_eq!(constant(big.clone()).add(constant(big.clone())).node(), constant(&big * 2_u32).node());
    assert_eq!(constant(BigUint::ZERO).sub(circuit.constant(1, 1000)).node(), circuit.ones(1000).node());
    assert_eq!((x & circuit.ones(1000)).node(), x.node());
    assert_eq!(x.sub(x).node(), circuit.constant(0, 1000).node());
    assert_eq!(constant(big.clone()).slice(701, 690).known(), Some(3 << 10));
    assert_eq!(constant(big.clone()).known(), None);
    assert_eq!(constant(big.clone()).high(200).any().known(), Some(0));
    assert_eq!(circuit.integer(-2, 1000).node(), constant(ones(1000) - 1_u32).node());
    assert_eq!(circuit.integer(5, 2).known(), Some(1));
    assert_eq!(x.greater_than_constant(mask(128)).node(), circuit.constant(mask(128), 1000).less_than(x).node());
}

/// Unused bits are dropped, wherever they are.
#[test]
fn wide_signals_are_pruned() {
    let circuit = Circuit::new();
    let y = {
        let [a, b] = ["a", "b"].map(|name| circuit.input(name, 4096, ""));
        a.add(b).slice(600, 500).node()
    };
    let netlist = circuit.finish(&[("y", y, String::new())]);
    let widths: Vec<u32> = netlist.nodes.iter().map(|node| node.width).collect();
    assert_eq!(widths.iter().filter(|&&width| width == 4096).count(), 2, "the ports: {widths:?}");
    assert!(widths.contains(&601), "{widths:?}");
}

/// The widest possible signals.
#[test]
fn the_widest_product() {
    let circuit = Circuit::new();
    let y = {
        let [a, b] = ["a", "b"].map(|name| circuit.input(name, MAX_WIDTH / 2, ""));
        concat(&[a.mul(b).high(MAX_WIDTH / 2), b.high(MAX_WIDTH / 2)]).node()
    };
    let netlist = circuit.finish(&[("y", y, String::new())]);
    let mut random = Random(3);
    for _ in 0..4 {
        let vector: Vec<BigUint> = netlist.inputs.iter().map(|port| random.word(port.width)).collect();
        let half = MAX_WIDTH / 2;
        // The product's upper half, and all of `b` below.
        let wanted = (((&vector[0] * &vector[1]) >> half) << half) + &vector[1];
        assert_eq!(run(&netlist, &[vector])[0], column(&wanted, MAX_WIDTH));
    }
}

/// Shifters, arrays, counts and sums of constants that reach beyond 128 bits.
#[test]
fn stages_of_datapaths_are_as_wide_as_they_need() {
    let circuit = Circuit::new();
    let outputs = {
        let (x, amount) = (circuit.input("x", 300, ""), circuit.input("amount", 9, ""));
        let (right, sticky) = x.shift_right_sticky(amount, "right");
        let (left, shift) = x.normalize_left(None, "left");
        let product = x.multiply(x.low(70));
        [right, sticky, left, shift, product, x.plus_constant(-12), x.at_least_constant(1 << 100)]
            .map(|bits| bits.node())
    };
    let names = ["right", "sticky", "left", "shift", "product", "less", "at_least"];
    let ports: Vec<_> = names.iter().zip(outputs).map(|(name, node)| (*name, node, String::new())).collect();
    let netlist = circuit.finish(&ports);
    let mut random = Random(4);
    for _ in 0..200 {
        let length = 1 + random.below(300) as u32;
        let x = random.word(length) | BigUint::from(1_u32);
        let amount = random.below(400) as u32;
        let shift = 300 - x.bits() as u32;
        let wanted = [
            &x >> amount,
            u32::from(amount > 0).into(),
            &x << shift,
            shift.into(),
            &x * (&x & ones(70)),
            (&x + (BigUint::from(1_u32) << 300) - 12_u32) & ones(300),
            u32::from(x >= BigUint::from(1_u128 << 100)).into(),
        ];
        let got = run(&netlist, &[vec![x.clone(), amount.into()]]);
        for (((port, _), wanted), got) in netlist.outputs.iter().zip(wanted).zip(got) {
            assert_eq!(got, column(&wanted, port.width), "{} of {x:#x}, {amount}", port.name);
        }
    }
}
