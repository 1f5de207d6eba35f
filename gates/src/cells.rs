//! The functions of the cells in Yosys' netlists: Yosys' own gates, and the cells of iCE40, ECP5 and 7 series,
//! following the simulation models that Yosys ships.

use crate::blocks;
use crate::graph::{Graph, Literal};
use crate::netlist_error::NetlistError;
use crate::pins::{Cell, Pins};

/// Yosys' own gates that are supported.
const GATES: [&str; 11] = [
    "$_BUF_",
    "$_NOT_",
    "$_AND_",
    "$_NAND_",
    "$_OR_",
    "$_NOR_",
    "$_XOR_",
    "$_XNOR_",
    "$_ANDNOT_",
    "$_ORNOT_",
    "$_MUX_",
];

/// The inputs of lookup tables of 7 series, lowest first.
const XC7_INPUTS: [&str; 6] = ["I0", "I1", "I2", "I3", "I4", "I5"];

/// Bits of a carry cell of 7 series.
const CARRY_BITS: usize = 4;

/// The output pins of a cell, if its kind is known.
pub(super) fn output_pins(cell: &Cell) -> Option<&'static [&'static str]> {
    // Two families have a cell of this name, with different pins.
    let is_ecp5 = cell.connections.contains_key("Z");
    Some(match cell.kind.as_str() {
        "LUT4" if is_ecp5 => &["Z"],
        "PFUMX" | "L6MUX21" => &["Z"],
        "CCU2C" => &["S0", "S1", "COUT"],
        "SB_LUT4" | "LUT1" | "LUT2" | "LUT3" | "LUT4" | "LUT5" | "LUT6" => &["O"],
        "MUXF7" | "MUXF8" | "INV" | "BUFG" => &["O"],
        "CARRY4" => &["CO", "O"],
        "SB_CARRY" => &["CO"],
        "MULT18X18D" => &blocks::ECP5_OUTPUTS,
        "SB_MAC16" => &["O"],
        "DSP48E1" => &["P", "PCOUT", "ACOUT", "BCOUT"],
        "SRL16E" => &["Q"],
        "SRLC32E" => &["Q", "Q31"],
        kind if GATES.contains(&kind) => &["Y"],
        kind => {
            super::flip_flop::FlipFlopKind::of(kind, &cell.parameters)?;
            &["Q"]
        }
    })
}

/// The pins that the function of a DSP block reads, if the kind is one; its other inputs have no effect.
pub(super) fn block_inputs(kind: &str) -> Option<&'static [&'static str]> {
    match kind {
        "SB_MAC16" => Some(&["A", "B"]),
        "DSP48E1" => {
            Some(&["A", "B", "C", "ACIN", "BCIN", "PCIN", "OPMODE", "ALUMODE", "INMODE", "CARRYINSEL", "CARRYIN"])
        }
        _ => None,
    }
}

/// The length of a shift register, if the kind is one.
pub(super) fn shift_length(kind: &str) -> Option<usize> {
    match kind {
        "SRL16E" => Some(16),
        "SRLC32E" => Some(32),
        _ => None,
    }
}

/// The bits of each output pin.
pub(super) fn compute(graph: &mut Graph, pins: Pins) -> Result<Vec<Vec<Literal>>, NetlistError> {
    let one = |literal| Ok(vec![vec![literal]]);
    match pins.cell.kind.as_str() {
        "CCU2C" => ccu2c(graph, pins),
        "CARRY4" => carry4(graph, pins),
        "MULT18X18D" => blocks::mult18x18d(graph, pins),
        "SB_MAC16" => blocks::sb_mac16(graph, pins),
        "DSP48E1" => blocks::dsp48e1(graph, pins),
        "SB_CARRY" => {
            let [a, b, carry] = pins.bits(["I0", "I1", "CI"])?;
            let differ = graph.xor(a, b);
            one(graph.mux(differ, carry, a))
        }
        "SB_LUT4" => {
            let inputs = pins.bits(["I0", "I1", "I2", "I3"])?;
            one(table(graph, pins.number("LUT_INIT")?, &inputs))
        }
        "LUT4" if pins.cell.connections.contains_key("Z") => {
            let inputs = pins.bits(["A", "B", "C", "D"])?;
            one(table(graph, pins.number("INIT")?, &inputs))
        }
        "PFUMX" => multiplexer(graph, pins, ["C0", "ALUT", "BLUT"]),
        "L6MUX21" => multiplexer(graph, pins, ["SD", "D1", "D0"]),
        "MUXF7" | "MUXF8" => multiplexer(graph, pins, ["S", "I1", "I0"]),
        "$_MUX_" => multiplexer(graph, pins, ["S", "B", "A"]),
        "INV" => one(!pins.bit("I")?),
        "BUFG" => one(pins.bit("I")?),
        "$_BUF_" => one(pins.bit("A")?),
        "$_NOT_" => one(!pins.bit("A")?),
        kind => match kind.strip_prefix("LUT").and_then(|inputs| inputs.parse::<usize>().ok()) {
            Some(inputs) => {
                let inputs: Result<Vec<_>, _> = XC7_INPUTS[..inputs].iter().map(|pin| pins.bit(pin)).collect();
                one(table(graph, pins.number("INIT")?, &inputs?))
            }
            None => one(gate(graph, pins)?),
        },
    }
}

/// Yosys' own gates with two inputs.
fn gate(graph: &mut Graph, pins: Pins) -> Result<Literal, NetlistError> {
    let [a, b] = pins.bits(["A", "B"])?;
    Ok(match pins.cell.kind.as_str() {
        "$_AND_" => graph.and(a, b),
        "$_NAND_" => !graph.and(a, b),
        "$_OR_" => graph.or(a, b),
        "$_NOR_" => !graph.or(a, b),
        "$_XOR_" => graph.xor(a, b),
        "$_XNOR_" => !graph.xor(a, b),
        "$_ANDNOT_" => graph.and(a, !b),
        "$_ORNOT_" => graph.or(a, !b),
        kind => return Err(NetlistError::UnknownCell { kind: kind.into() }),
    })
}

/// `names` are the select pin, the input for select 1, and the input for select 0.
fn multiplexer(graph: &mut Graph, pins: Pins, names: [&str; 3]) -> Result<Vec<Vec<Literal>>, NetlistError> {
    let [select, one, zero] = pins.bits(names)?;
    Ok(vec![vec![graph.mux(select, one, zero)]])
}

/// Two bits of a carry chain. Each has a lookup table that says whether a carry propagates; injecting a carry cuts the
/// chain.
fn ccu2c(graph: &mut Graph, pins: Pins) -> Result<Vec<Vec<Literal>>, NetlistError> {
    let halves = [("INIT0", "INJECT1_0", ["A0", "B0", "C0", "D0"]), ("INIT1", "INJECT1_1", ["A1", "B1", "C1", "D1"])];
    let (mut carry, mut sums) = (pins.bit("CIN")?, vec![]);
    for (init, inject, inputs) in halves {
        let (init, inputs, is_cut) = (pins.number(init)?, pins.bits(inputs)?, pins.is_yes(inject));
        let passes = table(graph, init, &inputs);
        let generated = if is_cut { Literal::FALSE } else { table(graph, init & 0xf, &inputs[..2]) };
        let taken = if is_cut { Literal::FALSE } else { carry };
        sums.push(vec![graph.xor(passes, taken)]);
        carry = graph.mux(passes, carry, generated);
    }
    sums.push(vec![carry]);
    Ok(sums)
}

/// Four bits of a carry chain.
fn carry4(graph: &mut Graph, pins: Pins) -> Result<Vec<Vec<Literal>>, NetlistError> {
    let [first, start] = pins.bits(["CI", "CYINIT"])?;
    let (data, select) = (pins.word("DI")?, pins.word("S")?);
    if data.len() != CARRY_BITS || select.len() != CARRY_BITS {
        return Err(pins.incomplete(format!("{CARRY_BITS} bits at pins DI and S")));
    }
    let (mut carry, mut carries, mut sums) = (graph.or(first, start), vec![], vec![]);
    for (data, select) in data.into_iter().zip(select) {
        sums.push(graph.xor(select, carry));
        carry = graph.mux(select, carry, data);
        carries.push(carry);
    }
    Ok(vec![carries, sums])
}

/// The bit of a shift register that its address selects; for a long register, its last bit as well.
pub(super) fn shifted(graph: &mut Graph, pins: Pins, states: &[Literal]) -> Result<Vec<Vec<Literal>>, NetlistError> {
    let address = match pins.cell.connections.contains_key("A") {
        true => pins.word("A")?,
        false => pins.bits(["A0", "A1", "A2", "A3"])?.to_vec(),
    };
    if 1 << address.len() != states.len() {
        return Err(pins.incomplete(format!("an address of {} bits", states.len().ilog2())));
    }
    let chosen = choice(graph, states, &address);
    Ok(vec![vec![chosen], vec![states[states.len() - 1]]])
}

/// Bit `inputs` of a table.
fn table(graph: &mut Graph, table: u64, inputs: &[Literal]) -> Literal {
    let bit = |place: usize| if table >> place & 1 == 1 { Literal::TRUE } else { Literal::FALSE };
    choice(graph, &(0..1 << inputs.len()).map(bit).collect::<Vec<_>>(), inputs)
}

/// The leaf whose index is `selects`; the highest bit selects a half.
fn choice(graph: &mut Graph, leaves: &[Literal], selects: &[Literal]) -> Literal {
    let Some((&highest, rest)) = selects.split_last() else { return leaves[0] };
    let (low, high) = leaves.split_at(leaves.len() / 2);
    let (one, zero) = (choice(graph, high, rest), choice(graph, low, rest));
    graph.mux(highest, one, zero)
}
