//! Circuits with state: their Verilog is clean, and the netlist that Yosys makes of it does, clock by clock, what the circuit
//! means.

use binade_circuit::pipeline::Pipeline;
use binade_circuit::print::{Heading, print_pipelined};
use binade_circuit::{Bits, Circuit, Interpreter, Netlist, concat};
use binade_circuit::{Language, Reset};
use binade_gates::{Graph, LANES, Machine, Plane, Program};
use binade_sim::verilator::lint;
use binade_synth::{Target, netlist as synthesized};
use binade_tools::{Source, Tools};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;

/// Registers, their drivers and the output, from the operands `x` of 8 bits and `clear` of one.
type Build = for<'c> fn(&'c Circuit, Bits<'c>, Bits<'c>) -> Bits<'c>;

const CIRCUITS: [(&str, Build); 4] = [
    ("counter", |circuit, _, clear| {
        let count = circuit.register("count", 7, 100, "steps since the last clear");
        circuit.drive(count, (!clear).gate(count.plus_constant(1)));
        count
    }),
    ("accumulator", |circuit, x, clear| {
        let total = circuit.register("total", 24, 0, "squares since the last clear");
        let next = (!clear).gate(total).add(x.multiply(x).zext(24)).named("sum");
        circuit.drive(total, next);
        concat(&[next, clear]).normalize_left(None, "shifted").0
    }),
    ("coupled", |circuit, x, clear| {
        let one = circuit.register("one", 8, 1, "");
        let other = circuit.register("other", 8, 0xa5, "");
        circuit.drive(one, one.add(other).add(x));
        circuit.drive(other, clear.select(one, concat(&[other.low(3), one.high(5)])));
        concat(&[one.mul(other), clear])
    }),
    ("last", |circuit, x, clear| {
        let last = circuit.register("last", 9, 0x55, "the operands before");
        circuit.drive(last, concat(&[x, clear]));
        last
    }),
];

fn netlist(build: Build) -> Netlist {
    let circuit = Circuit::new();
    let y = {
        let (x, clear) = (circuit.input("x", 8, "operand"), circuit.input("clear", 1, "forgets what was before"));
        build(&circuit, x, clear).node()
    };
    circuit.finish(&[("y", y, "result".into())])
}

/// The gates that Yosys makes of the printed Verilog, which Verilator has nothing to say of.
fn gates(tools: &Tools, name: &str, netlist: &Netlist, stages: u32) -> Program {
    let pipeline = Pipeline::new(netlist, stages);
    let module = format!("{name}_p{stages}");
    let heading = Heading { name: &module, commands: &[], about: &[], language: Language::Verilog, reset: Reset::Sync };
    let verilog = print_pipelined(netlist, &pipeline, &heading);
    lint(tools, &module, &verilog).unwrap_or_else(|error| panic!("{error}\n{verilog}"));
    let json = synthesized(tools, &module, &verilog, Target::Generic).unwrap_or_else(|error| panic!("{error}"));
    let inputs = [("rst_n", 1), ("en", 1), ("in_valid", 1), ("x", 8), ("clear", 1)];
    let outputs = [("out_valid", 1), ("y", netlist.outputs[0].0.width)];
    Program::new(&Graph::of_netlist(&json, &module, &inputs, &outputs).unwrap_or_else(|error| panic!("{error}")))
}

/// The same for all clocks, by steps of the netlist; each lane has operands of its own, and all have the same controls.
struct Plain<'n> {
    netlist: &'n Netlist,
    interpreter: Interpreter<'n>,
    states: Vec<Vec<u64>>,
    on_the_way: VecDeque<Option<Vec<u64>>>,
}

impl Plain<'_> {
    /// The results before a clock edge, if there are some, and what happens at it.
    fn clock(&mut self, [rst_n, en, in_valid]: [bool; 3], operands: &[Vec<u64>]) -> Option<Vec<u64>> {
        let mut next = self.states.clone();
        let mut results = [vec![0; LANES]];
        self.interpreter.step(operands, &mut next, &mut results);
        let [results] = results;
        self.on_the_way.push_back(in_valid.then_some(results));
        let now = self.on_the_way[0].clone();
        if en {
            self.on_the_way.pop_front();
            self.states = if in_valid { next } else { std::mem::take(&mut self.states) };
        } else {
            self.on_the_way.pop_back();
        }
        if !rst_n {
            self.states = self.netlist.reset_states(LANES);
            self.on_the_way.iter_mut().for_each(|results| *results = None);
        }
        now
    }
}

/// Bit `bit` of each lane's word.
fn plane(words: &[u64], bit: u32) -> Plane {
    let mut plane = Plane::of(0);
    for (lane, word) in words.iter().enumerate() {
        plane[lane / 64] |= (word >> bit & 1) << (lane % 64);
    }
    plane
}

fn compare(name: &str, netlist: &Netlist, program: &Program, stages: u32) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(stages.into());
    let mut machine = Machine::new(program);
    machine.flip_flops().fill(Plane::of(0xdead_beef));
    let states = netlist.reset_states(LANES);
    let on_the_way = (0..stages).map(|_| None).collect();
    let mut plain = Plain { netlist, interpreter: Interpreter::new(netlist), states, on_the_way };
    let mut results = 0;
    for clock in 0..200 {
        let controls = match clock {
            0 => [false; 3],
            _ => [random.random_range(0..25) > 0, random.random_range(0..4) > 0, random.random_range(0..4) > 0],
        };
        let operands: Vec<Vec<u64>> = netlist
            .inputs
            .iter()
            .map(|port| (0..LANES).map(|_| random.random_range(0..1_u64 << port.width)).collect())
            .collect();
        let want = plain.clock(controls, &operands);
        let constant = |high: bool| Plane::of(if high { u64::MAX } else { 0 });
        let of_operands = netlist.inputs.iter().zip(&operands);
        let bits = of_operands.flat_map(|(port, words)| (0..port.width).map(|bit| plane(words, bit)));
        let planes: Vec<Plane> = controls.into_iter().map(constant).chain(bits).collect();
        machine.inputs().copy_from_slice(&planes);
        machine.run();
        if clock > 0 {
            assert_eq!(
                *machine.output(0),
                constant(want.is_some()),
                "{name}, {stages} stages: out_valid, clock {clock}"
            );
            for (bit, words) in
                want.iter().flat_map(|words| (0..netlist.outputs[0].0.width).map(move |bit| (bit, words)))
            {
                let got = machine.output(1 + bit as usize);
                assert_eq!(*got, plane(words, bit), "{name}, {stages} stages: bit {bit}, clock {clock}");
            }
            results += u32::from(want.is_some());
        }
        machine.clock();
    }
    assert!(results > 50, "{name}, {stages} stages: {results} results");
}

#[test]
#[ignore = "long"]
fn synthesized_state_machines_are_right_clock_by_clock() {
    let tools = Tools::new(Source::Pinned);
    for (name, build) in CIRCUITS {
        let netlist = netlist(build);
        for stages in [0, 1, 4] {
            compare(name, &netlist, &gates(&tools, name, &netlist, stages), stages);
        }
    }
}
