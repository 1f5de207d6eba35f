//! Compares the builder with plain arithmetic, on all inputs of small circuits.

mod fold;
mod int;
mod logic;
pub mod machines;
mod prefix;
mod products;
pub mod random;
mod shift;
pub mod state;
mod wide;
mod widths;

use crate::{Bits, Circuit, Interpreter, Netlist, Port};

/// Every combination of inputs of these widths, one column per input; the first input changes fastest.
fn all_inputs(widths: &[u32]) -> Vec<Vec<u64>> {
    let total = 1_u64 << widths.iter().sum::<u32>();
    let mut low = 0;
    let column = |width: &u32| {
        let column = (0..total).map(|index| index >> low & ((1 << width) - 1)).collect();
        low += width;
        column
    };
    widths.iter().map(column).collect()
}

/// The output for all inputs of a netlist.
fn all_outputs(netlist: &Netlist) -> Vec<u64> {
    let widths: Vec<u32> = netlist.inputs.iter().map(|port| port.width).collect();
    let columns = all_inputs(&widths);
    let inputs: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let mut output = vec![0; columns[0].len()];
    Interpreter::new(netlist).evaluate(&inputs, &mut [&mut output]);
    output
}

/// The circuit so far with this output, without pruning.
fn unpruned(circuit: &Circuit, output: Bits) -> Netlist {
    let mut netlist = circuit.state.borrow().netlist.clone();
    netlist.outputs = vec![(Port::new("y", output.width()), output.node())];
    netlist
}

/// The values of a signal for all inputs of its circuit.
fn values(signal: Bits) -> Vec<u64> {
    all_outputs(&unpruned(signal.circuit(), signal))
}
