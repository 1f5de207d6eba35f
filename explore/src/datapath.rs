//! The wires of a circuit by section, with their values.

use binade_circuit::print::{Wire, wires};
use binade_circuit::{Interpreter, Netlist, NodeId, Port, limbs};
use binade_spec::Word;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// The most wires that are shown; the text of the unit has all of them.
const MOST_WIRES: usize = 600;

/// A circuit evaluated on input words.
pub struct Run {
    /// The words of the outputs.
    pub outputs: Vec<Word>,
    /// The next content of the registers.
    pub next: Vec<Word>,
    /// The wires by section, in order.
    pub sections: Vec<Value>,
    /// How many wires are left out.
    pub more: usize,
}

/// Evaluates a netlist on one vector, with these words in its registers, and records every wire.
pub fn run(netlist: &Netlist, inputs: &[Word], state: &[Word]) -> Run {
    let mut wires = wires(netlist);
    let more = wires.len().saturating_sub(MOST_WIRES);
    wires.truncate(MOST_WIRES);
    // Each wire becomes an output.
    let mut probed = netlist.clone();
    let probe = |wire: &Wire| (Port::new(wire.name.clone(), netlist.nodes[wire.node].width), wire.node);
    probed.outputs.extend(wires.iter().map(probe));

    let inputs: Vec<Vec<u64>> =
        netlist.inputs.iter().zip(inputs).map(|(port, word)| column(word, port.width)).collect();
    let registers = netlist.registers.iter().zip(state);
    let mut states: Vec<Vec<u64>> = registers.map(|(register, word)| column(word, register.width)).collect();
    let mut outputs: Vec<Vec<u64>> = probed.outputs.iter().map(|(port, _)| vec![0; limbs(port.width)]).collect();
    Interpreter::new(&probed).step(&inputs, &mut states, &mut outputs);

    let mut outputs: Vec<Word> = outputs.iter().map(|column| word(column)).collect();
    let carried = outputs.split_off(netlist.outputs.len());
    let next = states.iter().map(|column| word(column)).collect();
    Run { outputs, next, sections: sections(netlist, &wires, &carried), more }
}

fn column(word: &Word, width: u32) -> Vec<u64> {
    let mut column = word.to_u64_digits();
    column.resize(limbs(width), 0);
    column
}

fn word(column: &[u64]) -> Word {
    column.iter().rev().fold(Word::default(), |word, limb| (word << 64_u32) | Word::from(*limb))
}

/// The wires of each section and part of the circuit, under its title.
fn sections(netlist: &Netlist, wires: &[Wire], carried: &[Word]) -> Vec<Value> {
    let place = |wire: &Wire| (netlist.nodes[wire.node].instance, netlist.nodes[wire.node].section);
    let reads = reads(netlist, wires);
    let all: Vec<(usize, &Wire)> = wires.iter().enumerate().collect();
    let section = |wires: &[(usize, &Wire)]| {
        let (instance, section) = place(wires[0].1);
        let title = section.checked_sub(1).map(|section| netlist.sections[section].title.clone());
        let piece = instance.map(|instance| netlist.instances[instance].name.clone());
        let wire = |&(at, wire): &(usize, &Wire)| {
            json!({
                "name": wire.name,
                "width": netlist.nodes[wire.node].width,
                "value": written(&carried[at], netlist.nodes[wire.node].width),
                "driver": wire.driver,
                "note": wire.note,
                "reads": reads[at],
            })
        };
        json!({ "title": title, "piece": piece, "wires": wires.iter().map(wire).collect::<Vec<_>>() })
    };
    all.chunk_by(|(_, one), (_, next)| place(one) == place(next)).map(section).collect()
}

/// The widest wire whose value is shown in binary.
const MOST_BINARY: u32 = 24;

/// A value as a Verilog number, and in decimal if that is short.
fn written(value: &Word, width: u32) -> Value {
    let digits = if width <= MOST_BINARY {
        format!("{value:0width$b}", width = width as usize)
    } else {
        format!("0x{value:0width$x}", width = width.div_ceil(4) as usize)
    };
    json!({ "digits": digits, "decimal": (2..=MOST_BINARY).contains(&width).then(|| value.to_string()) })
}

/// For each wire, the names of the wires and ports that it depends on.
fn reads(netlist: &Netlist, wires: &[Wire]) -> Vec<Vec<String>> {
    let mut names: HashMap<NodeId, &str> = wires.iter().map(|wire| (wire.node, wire.name.as_str())).collect();
    for (id, node) in netlist.nodes.iter().enumerate() {
        match node.op {
            binade_circuit::Op::Input(port) => _ = names.insert(id, &netlist.inputs[port].name),
            binade_circuit::Op::Register(register) => _ = names.insert(id, &netlist.registers[register].name),
            _ => {}
        }
    }
    let of = |wire: &Wire| {
        let (mut found, mut seen) = (vec![], HashSet::new());
        let mut left = netlist.nodes[wire.node].op.operands();
        while let Some(id) = left.pop() {
            if !seen.insert(id) {
                continue;
            }
            match names.get(&id) {
                Some(name) => found.push(name.to_string()),
                None => left.extend(netlist.nodes[id].op.operands()),
            }
        }
        found
    };
    wires.iter().map(of).collect()
}
