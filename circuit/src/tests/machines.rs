//! Small machines, each with its function in plain arithmetic.

use crate::{Bits, Circuit, Netlist, concat};

/// A machine whose ports and registers have up to 64 bits.
pub struct Machine {
    pub name: &'static str,
    pub inputs: &'static [(&'static str, u32)],
    /// Registers and their drivers; the outputs `y0`, `y1` ..
    pub build: for<'c> fn(&'c Circuit, &[Bits<'c>]) -> Vec<Bits<'c>>,
    pub reset: &'static [u64],
    /// The outputs; replaces the values of the registers by their next values.
    pub step: fn(&mut [u64], &[u64]) -> Vec<u64>,
}

pub const MACHINES: [Machine; 6] = [
    Machine {
        name: "counter without operands",
        inputs: &[],
        build: |circuit, _| {
            let count = circuit.register("count", 8, 250, "steps so far, and 250");
            circuit.drive(count, count.plus_constant(1));
            vec![count]
        },
        reset: &[250],
        step: |state, _| {
            let count = state[0];
            state[0] = (count + 1) % 256;
            vec![count]
        },
    },
    Machine {
        name: "accumulator with clear",
        inputs: &[("x", 8), ("clear", 1)],
        build: |circuit, inputs| {
            let total = circuit.register("total", 16, 0, "sum of the operands since the last clear");
            let next = (!inputs[1]).gate(total).add(inputs[0].zext(16)).named("sum");
            circuit.drive(total, next);
            vec![next]
        },
        reset: &[0],
        step: |state, inputs| {
            state[0] = (if inputs[1] == 1 { 0 } else { state[0] } + inputs[0]) % 65536;
            vec![state[0]]
        },
    },
    Machine {
        name: "two registers of each other",
        inputs: &[("x", 8)],
        build: |circuit, inputs| {
            let one = circuit.register("one", 8, 1, "sum of the two and x");
            let other = circuit.register("other", 8, 0x55, "what the first was, bits exchanged");
            circuit.drive(one, one.add(other).add(inputs[0]));
            circuit.drive(other, concat(&[one.low(4), one.high(4)]));
            vec![one.mul(other), other.less_than(one)]
        },
        reset: &[1, 0x55],
        step: |state, inputs| {
            let (one, other) = (state[0], state[1]);
            state[0] = (one + other + inputs[0]) % 256;
            state[1] = (one % 16) << 4 | one >> 4;
            vec![one * other, (other < one).into()]
        },
    },
    Machine {
        name: "register that feeds only the output",
        inputs: &[("x", 12)],
        build: |circuit, inputs| {
            let last = circuit.register("last", 12, 7, "the operand before");
            circuit.drive(last, inputs[0]);
            vec![last]
        },
        reset: &[7],
        step: |state, inputs| vec![std::mem::replace(&mut state[0], inputs[0])],
    },
    Machine {
        name: "registers one behind the other",
        inputs: &[("x", 10)],
        build: |circuit, inputs| {
            let square = circuit.register("square", 20, 0, "the operand before, squared");
            let before = circuit.register("before", 20, 3, "the square before that");
            circuit.drive(square, inputs[0].mul(inputs[0]));
            circuit.drive(before, square);
            vec![square.sub(before), inputs[0].mul(before.low(10))]
        },
        reset: &[0, 3],
        step: |state, inputs| {
            let (square, before) = (state[0], state[1]);
            (state[0], state[1]) = (inputs[0] * inputs[0], square);
            vec![square.wrapping_sub(before) % (1 << 20), inputs[0] * (before % 1024)]
        },
    },
    Machine {
        name: "sum of products, normalized",
        inputs: &[("a", 8), ("b", 8)],
        build: |circuit, inputs| {
            let sum = circuit.register("sum", 24, 0, "products so far");
            let next = sum.add(inputs[0].multiply(inputs[1]).zext(24)).named("sum_with_product");
            circuit.drive(sum, next);
            vec![concat(&[next, circuit.constant(1, 1)]).normalize_left(None, "shifted").0]
        },
        reset: &[0],
        step: |state, inputs| {
            state[0] = (state[0] + inputs[0] * inputs[1]) % (1 << 24);
            let word = state[0] << 1 | 1;
            vec![word << (word.leading_zeros() - (64 - 25))]
        },
    },
];

impl Machine {
    pub fn netlist(&self) -> Netlist {
        let circuit = Circuit::new();
        let outputs: Vec<usize> = {
            let inputs: Vec<Bits> = self.inputs.iter().map(|(name, width)| circuit.input(name, *width, "")).collect();
            (self.build)(&circuit, &inputs).iter().map(Bits::node).collect()
        };
        let names: Vec<String> = (0..outputs.len()).map(|index| format!("y{index}")).collect();
        let ports: Vec<_> =
            names.iter().zip(outputs).map(|(name, node)| (name.as_str(), node, String::new())).collect();
        circuit.finish(&ports)
    }
}
