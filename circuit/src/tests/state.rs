//! Tests registers that are part of a circuit's meaning.

use super::machines::{MACHINES, Machine};
use super::random::{Random, Twins, assert_well_formed};
use crate::word::column;
use crate::{Bits, Circuit, Interpreter, Netlist, NetlistError, Op, Port, limbs, mask, prune, without_chains};
use num_bigint::BigUint;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// More than a block of the interpreter.
const COPIES: usize = 150;

fn random_words(random: &mut Random, width: u32, count: usize) -> Vec<u64> {
    (0..count).map(|_| random.next() & mask(width) as u64).collect()
}

/// Many copies of each machine, each with its own operands, agree with plain arithmetic.
#[test]
fn machines_step_side_by_side() {
    let mut random = Random(5);
    for machine in &MACHINES {
        let Machine { name, inputs, reset, step, .. } = machine;
        let netlist = machine.netlist();
        assert_eq!(netlist.check(), Ok(()), "{name}");
        let mut states = netlist.reset_states(COPIES);
        let mut wanted_states = vec![reset.to_vec(); COPIES];
        let mut interpreter = Interpreter::new(&netlist);
        let mut outputs = vec![vec![0; COPIES]; netlist.outputs.len()];
        for time in 0..20 {
            let columns: Vec<Vec<u64>> =
                inputs.iter().map(|(_, width)| random_words(&mut random, *width, COPIES)).collect();
            interpreter.step(&columns, &mut states, &mut outputs);
            for (copy, wanted_state) in wanted_states.iter_mut().enumerate() {
                let operands: Vec<u64> = columns.iter().map(|column| column[copy]).collect();
                let wanted = step(wanted_state, &operands);
                let of_copy = |columns: &[Vec<u64>]| columns.iter().map(|column| column[copy]).collect::<Vec<_>>();
                assert_eq!(of_copy(&outputs), wanted, "{name}, step {time}");
                assert_eq!(of_copy(&states), *wanted_state, "{name}, after step {time}");
            }
        }
    }
}

/// The outputs of a netlist in some steps from reset, for many copies with their own operands.
fn trace(netlist: &Netlist, seed: u64) -> Vec<Vec<Vec<u64>>> {
    let mut random = Random(seed);
    let mut states = netlist.reset_states(COPIES);
    let mut interpreter = Interpreter::new(netlist);
    let mut step = |_| {
        let mut operands = |port: &Port| -> Vec<u64> {
            (0..COPIES).flat_map(|_| column(&random.word(port.width), port.width)).collect()
        };
        let inputs: Vec<Vec<u64>> = netlist.inputs.iter().map(&mut operands).collect();
        let room = |(port, _): &(Port, usize)| vec![0; limbs(port.width) * COPIES];
        let mut outputs: Vec<Vec<u64>> = netlist.outputs.iter().map(room).collect();
        interpreter.step(&inputs, &mut states, &mut outputs);
        outputs
    };
    (0..6).map(&mut step).collect()
}

/// A random circuit with three registers, as written and as the builder makes it.
pub fn random_machine(random: &mut Random) -> (Netlist, Netlist) {
    let widths = [[4, 3, 2, 1], [1, 65, 130, 7]][random.below(2)];
    let (plain, folded) = (Circuit::new(), Circuit::new());
    let mut twins = Twins::new(&plain, &folded, &widths, 300);
    let registers: Vec<(usize, Bits)> =
        widths[..3].iter().map(|&width| twins.add_register(random.word(width), width)).collect();
    for _ in 0..8 + random.below(30) {
        twins.grow(random);
    }
    for register in registers {
        let like: Vec<_> = twins.nodes.iter().filter(|(_, bits)| bits.width() == register.1.width()).copied().collect();
        // Mostly the last one, so that drivers depend on many nodes.
        let driver = if random.below(3) > 0 { like[like.len() - 1] } else { like[random.below(like.len())] };
        plain.drive(Bits::new(&plain, register.0), Bits::new(&plain, driver.0));
        folded.drive(register.1, driver.1);
    }
    let outputs = twins.nodes[twins.nodes.len() - 1];
    (super::unpruned(&plain, Bits::new(&plain, outputs.0)), super::unpruned(&folded, outputs.1))
}

#[test]
fn folding_and_pruning_keep_the_state() {
    let mut random = Random(6);
    let (mut live, mut dropped) = (0, 0);
    for seed in 0..600 {
        let (as_written, as_built) = random_machine(&mut random);
        assert_eq!(as_written.check(), Ok(()));
        let wanted = trace(&as_written, seed);
        assert_eq!(trace(&as_built, seed), wanted, "folding changed\n{as_written:#?}");
        let pruned = prune::prune(as_built.clone());
        assert_eq!(trace(&pruned, seed), wanted, "pruning changed\n{as_built:#?}");
        assert_eq!(pruned.check(), Ok(()), "{pruned:#?}");
        assert_well_formed(&pruned);
        assert_eq!(trace(&without_chains(&pruned), seed), wanted, "prefix trees changed\n{pruned:#?}");
        live += pruned.registers.len();
        dropped += as_built.registers.len() - pruned.registers.len();
    }
    assert!(live > 200 && dropped > 200, "{live} registers are live, {dropped} are not");
}

/// A register is live if an output or another live register needs it; ports stay.
#[test]
fn dead_registers_go() {
    let circuit = Circuit::new();
    let y = {
        let x = circuit.input("x", 4, "");
        let [dead, behind, read] = ["dead", "behind", "read"].map(|name| circuit.register(name, 4, 9, ""));
        circuit.drive(dead, dead.add(x));
        circuit.drive(read, behind);
        circuit.drive(behind, x);
        read.low(2).node()
    };
    let netlist = circuit.finish(&[("y", y, String::new())]);
    let names: Vec<(&str, u32)> = netlist.registers.iter().map(|it| (it.name.as_str(), it.width)).collect();
    assert_eq!(names, [("behind", 4), ("read", 4)]);
    assert_eq!(netlist.inputs.len(), 1);
}

/// A kept register stays, with everything that it needs.
#[test]
fn kept_registers_stay() {
    let circuit = Circuit::new();
    let y = {
        let x = circuit.input("x", 4, "");
        let [kept, behind, dead] = ["kept", "behind", "dead"].map(|name| circuit.register(name, 4, 9, ""));
        circuit.drive(kept, behind);
        circuit.drive(behind, x);
        circuit.drive(dead, kept);
        circuit.keep(kept);
        x.node()
    };
    let netlist = circuit.finish(&[("y", y, String::new())]);
    let names: Vec<&str> = netlist.registers.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["kept", "behind"]);
}

#[test]
fn registers_have_names_of_their_own() {
    let circuit = Circuit::new();
    let y = {
        let x = circuit.input("x", 1, "");
        let registers = ["x", "y", "en", "valid_s3", "wire", "fine"].map(|name| circuit.register(name, 1, 0, ""));
        let prefixed = circuit.prefixed("b", || circuit.register("fine", 1, 0, ""));
        let stage = || circuit.prefixed("stage", || circuit.register("fine", 1, 0, ""));
        let of_part = circuit.part_named("part_1", stage);
        let registers: Vec<Bits> = registers.into_iter().chain([prefixed, of_part, stage()]).collect();
        registers.iter().for_each(|&register| circuit.drive(register, x));
        registers.into_iter().reduce(|a, b| a & b).expect("some").node()
    };
    let names: Vec<String> =
        circuit.finish(&[("y", y, String::new())]).registers.into_iter().map(|register| register.name).collect();
    assert_eq!(
        names,
        ["x_2", "y_2", "en_2", "valid_s3_2", "wire_2", "fine", "b_fine", "part_1_stage_fine", "stage_fine"]
    );
}

/// The message about a mistake with registers; `total` has eight bits, `x` has nine.
fn complaint(mistake: impl Fn(&Circuit, Bits, Bits)) -> String {
    let circuit = Circuit::new();
    let panic = catch_unwind(AssertUnwindSafe(|| {
        let y = {
            let x = circuit.input("x", 9, "").plus_constant(1).named("next");
            let total = circuit.register("total", 8, 0, "");
            mistake(&circuit, total, x);
            total.node()
        };
        circuit.finish(&[("y", y, String::new())])
    }));
    panic.expect_err("a panic").downcast_ref::<String>().cloned().expect("a formatted message")
}

#[test]
fn mistakes_with_registers_name_them() {
    assert_eq!(complaint(|_, _, _| {}), "nothing drives the register total");
    assert_eq!(
        complaint(|circuit, total, x| circuit.drive(total, x)),
        "register total [8 bits] is driven by next [9 bits]"
    );
    assert_eq!(
        complaint(|circuit, total, x| {
            circuit.drive(total, x.low(8));
            circuit.drive(total, x.high(8).named("upper"));
        }),
        "register total [8 bits] is driven twice, by node 4 [8 bits] and by upper [8 bits]"
    );
    assert_eq!(
        complaint(|circuit, total, x| circuit.drive(x, total)),
        "next [9 bits] is no register, so nothing drives it"
    );
    assert_eq!(complaint(|circuit, _, _| _ = circuit.register("full", 3, 8, "")), "8 does not fit in 3 bits");
}

/// Netlists that the builder would not make are refused.
#[test]
fn netlists_from_elsewhere_are_checked() {
    let sound = MACHINES[1].netlist();
    let broken = |change: fn(&mut Netlist)| {
        let mut netlist = sound.clone();
        change(&mut netlist);
        netlist.check().expect_err("something is wrong").to_string()
    };
    let last = sound.nodes.len() - 1;
    assert_eq!(
        broken(|netlist| {
            let last = netlist.nodes.len() - 1;
            netlist.nodes[last].op = Op::Not(last);
        }),
        format!("sum reads node {last}, which is not before it")
    );
    assert_eq!(broken(|it| it.registers[0].width = 15), "node 2 has 16 bits; 15 are possible there");
    assert_eq!(
        broken(|it| it.registers[0].next = 0),
        "what the register total holds next has 8 bits; 16 are possible there"
    );
    assert_eq!(
        broken(|it| it.registers[0].next = 99),
        "what the register total holds next is node 99, which does not exist"
    );
    assert_eq!(
        broken(|it| it.registers[0].reset = BigUint::from(70_000_u32)),
        "70000 does not fit in the 16 bits of total"
    );
    assert_eq!(broken(|it| it.nodes[2].op = Op::Register(1)), "node 2 is register 1, which does not exist");
    let unread = NetlistError::Readers { register: "total".into(), readers: 0 };
    let without_readers = {
        let mut netlist = sound.clone();
        netlist.nodes[2].op = Op::Constant(BigUint::ZERO);
        netlist.check()
    };
    assert_eq!(without_readers, Err(unread));
}

#[test]
#[should_panic(expected = "there is one column for each of the inputs, the registers and the outputs")]
fn machines_are_not_functions() {
    let netlist = MACHINES[0].netlist();
    Interpreter::new(&netlist).evaluate(&[] as &[&[u64]], &mut [[0_u64; 1]]);
}
