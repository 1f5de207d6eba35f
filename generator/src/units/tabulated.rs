//! Units of codebooks with few operand bits, as diagrams of their results.

use super::listed;
use binade_circuit::{Architecture, Bits, Circuit, Column, Interpreter, Netlist, Op, concat, diagram_size};
use binade_spec::{Operation, Port};

/// The most operand bits of such a unit.
const MOST_BITS: u32 = 12;

/// The most result bits.
const MOST_RESULT_BITS: u32 = 64;

/// The unit as a diagram of its results, if that is smaller: its results are computed for all operands.
pub fn smaller(operation: &Operation, netlist: Netlist, architecture: Architecture) -> Netlist {
    let operand_bits: u32 = netlist.inputs.iter().map(|port| port.width).sum();
    let result_bits: u32 = netlist.outputs.iter().map(|(port, _)| port.width).sum();
    if !netlist.registers.is_empty() || operand_bits > MOST_BITS || result_bits > MOST_RESULT_BITS {
        return netlist;
    }
    let results = results(&netlist, operand_bits);
    if diagram_size(&results, result_bits) >= size(&netlist) {
        return netlist;
    }
    let circuit = Circuit::optimized(architecture);
    let operands: Vec<Bits> =
        netlist.inputs.iter().map(|port| circuit.input(&port.name, port.width, &port.about)).collect();
    circuit.section_with("The result of all operands", &[super::function::DIAGRAM]);
    print_results(&circuit, operation, &results);
    let all = concat(&operands.into_iter().rev().collect::<Vec<_>>());
    let found = all.look_up("entry", result_bits, |operands| results[operands as usize]);
    let mut low = 0;
    let outputs: Vec<_> = netlist
        .outputs
        .iter()
        .map(|(port, _)| {
            let result = found.slice(low + port.width - 1, low);
            low += port.width;
            (port.name.as_str(), result.node(), port.about.clone())
        })
        .collect();
    circuit.finish(&outputs)
}

/// Prints the table of all operands: their codes, and the codes of the results; with the values of an operand that is alone, and of the first
/// result.
fn print_results(circuit: &Circuit, operation: &Operation, results: &[u64]) {
    circuit.table("Each operand and its result:", results.len(), || {
        let (operands, outputs) = (operation.inputs(), operation.outputs());
        let words: Vec<u64> = (0..results.len() as u64).collect();
        let is_alone = operands.len() == 1;
        [columns(&operands, &words, is_alone), columns(&outputs, results, true)].concat()
    });
}

/// The codes of ports that lie side by side in words, the first in the lowest bits, and the values of the first one if they are asked for.
fn columns(ports: &[Port], words: &[u64], has_values: bool) -> Vec<Column> {
    let mut columns = vec![];
    let mut low = 0;
    for port in ports {
        let codes: Vec<u64> = words.iter().map(|word| word >> low & (u64::MAX >> (64 - port.width()))).collect();
        columns.push((port.name, listed::codes(&codes, port.width())));
        let format = port.format().filter(|_| has_values && low == 0);
        columns.extend(format.map(|format| ("value", listed::values(format, &codes))));
        low += port.width();
    }
    columns
}

/// The results of all operands, side by side, the first in the lowest bits.
fn results(netlist: &Netlist, operand_bits: u32) -> Vec<u64> {
    let count = 1_u64 << operand_bits;
    let mut low = 0;
    let inputs: Vec<Vec<u64>> = netlist
        .inputs
        .iter()
        .map(|port| {
            let column = (0..count).map(|operands| operands >> low & ((1 << port.width) - 1)).collect();
            low += port.width;
            column
        })
        .collect();
    let mut outputs = vec![vec![0_u64; count as usize]; netlist.outputs.len()];
    Interpreter::new(netlist).evaluate(&inputs, &mut outputs);
    (0..count as usize)
        .map(|at| {
            let mut low = 0;
            netlist.outputs.iter().zip(&outputs).fold(0, |all, ((port, _), column)| {
                let all = all | column[at] << low;
                low += port.width;
                all
            })
        })
        .collect()
}

/// About as many selections as a netlist is worth: a bit of logic, or of a sum, is one.
fn size(netlist: &Netlist) -> usize {
    let width = |id: usize| netlist.nodes[id].width as usize;
    let of = |op: &Op, own: usize| match op {
        Op::And(..) | Op::Or(..) | Op::Xor(..) | Op::Add(..) | Op::Sub(..) | Op::Mux { .. } => own,
        Op::Eq(a, _) | Op::Lt(a, _) | Op::AnyOne(a) | Op::AllOnes(a) => width(*a),
        Op::Mul(a, b) => width(*a) * width(*b),
        _ => 0,
    };
    netlist.nodes.iter().map(|node| of(&node.op, node.width as usize)).sum()
}
