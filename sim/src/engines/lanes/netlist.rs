//! Yosys' synthesized netlist (`write_json`) as gates: what is checked is then what goes to the chip, the printed Verilog and
//! Yosys' work on it included.

use super::flip_flop::{Control, FlipFlopKind};
use super::graph::{Graph, Literal};
use crate::engines::PortWidth;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use thiserror::Error;

/// Why a netlist cannot be run.
#[derive(Debug, Error)]
pub enum NetlistError {
    /// The text is no JSON, or not as `write_json` writes it.
    #[error("Yosys' netlist cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// There is no module of this name.
    #[error("Yosys' netlist has no module {0}")]
    NoModule(String),
    /// A port of the unit is not there, or has another width.
    #[error("Yosys' netlist has no port {name} of {width} bits")]
    NoPort {
        /// The name of the port.
        name: String,
        /// Bits of the port in the unit.
        width: u32,
    },
    /// A cell of a kind that is none of the known ones.
    #[error("Yosys' netlist has a cell `{kind}`, of which it is not known what it computes")]
    UnknownCell {
        /// The kind, as Yosys calls it.
        kind: String,
    },
    /// A cell without a port or parameter that its kind has.
    #[error("Yosys' netlist: cell `{kind}` has no {what}")]
    Incomplete {
        /// The kind, as Yosys calls it.
        kind: String,
        /// The port or parameter that is missing.
        what: String,
    },
    /// A flip-flop with another clock than the unit's.
    #[error("Yosys' netlist has a flip-flop `{kind}` whose clock is not the port clk")]
    Clock {
        /// The kind of flip-flop, as Yosys calls it.
        kind: String,
    },
    /// A bit without a value: nothing drives its net, the net depends on itself, or it is `x`; in words.
    #[error("Yosys' netlist: {0}")]
    Undriven(String),
}

#[derive(Deserialize)]
struct File {
    modules: HashMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    ports: HashMap<String, Connection>,
    cells: BTreeMap<String, Cell>,
}

/// A port, as the nets of its bits.
#[derive(Deserialize)]
struct Connection {
    bits: Vec<Bit>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    parameters: HashMap<String, String>,
    connections: HashMap<String, Vec<Bit>>,
}

/// A net, or a constant: "0", "1", "x".
#[derive(Clone, Deserialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
enum Bit {
    Net(u64),
    Constant(String),
}

impl Graph {
    /// The gates and flip-flops of `module` in what `write_json` has written, with these ports; the clock is the port `clk`.
    ///
    /// # Errors
    /// When the text is no such netlist, or has a cell that is not known.
    pub fn of_netlist(
        json: &str,
        module: &str,
        inputs: &[PortWidth],
        outputs: &[PortWidth],
    ) -> Result<Graph, NetlistError> {
        let mut file: File = serde_json::from_str(json)?;
        let module = file.modules.remove(module).ok_or_else(|| NetlistError::NoModule(module.into()))?;
        let mut reader = Reader::new(&module, inputs)?;
        for PortWidth { name, width, .. } in outputs {
            let bits = port(&module, name, *width)?;
            let literals = bits.iter().map(|bit| reader.value(bit)).collect::<Result<Vec<_>, _>>()?;
            reader.graph.add_output(literals);
        }
        reader.connect_flip_flops()?;
        Ok(reader.graph)
    }
}

fn port<'m>(module: &'m Module, name: &str, width: u32) -> Result<&'m [Bit], NetlistError> {
    let port = module.ports.get(name).filter(|port| port.bits.len() == width as usize);
    port.map(|port| port.bits.as_slice()).ok_or_else(|| NetlistError::NoPort { name: name.into(), width })
}

/// Turns nets into literals, from the outputs backwards.
struct Reader<'m> {
    graph: Graph,
    known: HashMap<u64, Literal>,
    /// The gate that drives a net.
    drivers: HashMap<u64, &'m Cell>,
    /// Flip-flops with their outputs.
    flip_flops: Vec<(Literal, FlipFlopKind, &'m Cell)>,
    /// The net of the port `clk`.
    clock: Option<&'m Vec<Bit>>,
}

impl<'m> Reader<'m> {
    fn new(module: &'m Module, inputs: &[PortWidth]) -> Result<Reader<'m>, NetlistError> {
        let graph = Graph::new(inputs.iter().map(|port| port.width));
        let mut known = HashMap::new();
        for (PortWidth { name, width, .. }, literals) in inputs.iter().zip(graph.inputs()) {
            for (bit, literal) in port(module, name, *width)?.iter().zip(literals) {
                if let Bit::Net(net) = bit {
                    known.insert(*net, *literal);
                }
            }
        }
        let clock = module.ports.get("clk").map(|port| &port.bits);
        let mut reader = Reader { graph, known, drivers: HashMap::new(), flip_flops: vec![], clock };
        for cell in module.cells.values() {
            let output = cell.connections.get(output_pin(&cell.kind)?).and_then(|bits| bits.first()).and_then(net);
            // Nobody asks for a cell whose output is connected to nothing.
            let Some(output) = output else { continue };
            match FlipFlopKind::of(&cell.kind) {
                None => _ = reader.drivers.insert(output, cell),
                Some(flip_flop) => {
                    let state = reader.graph.add_flip_flop();
                    reader.known.insert(output, state);
                    reader.flip_flops.push((state, flip_flop, cell));
                }
            }
        }
        Ok(reader)
    }

    /// Says what each flip-flop takes over at a clock.
    fn connect_flip_flops(&mut self) -> Result<(), NetlistError> {
        for (state, flip_flop, cell) in std::mem::take(&mut self.flip_flops) {
            if self.clock.is_none() || cell.connections.get("C") != self.clock {
                return Err(NetlistError::Clock { kind: cell.kind.clone() });
            }
            let data = self.pin(cell, "D")?;
            let enable = flip_flop.enable.map(|control| self.control(cell, control)).transpose()?;
            let reset = flip_flop.reset.map(|(control, _)| self.control(cell, control)).transpose()?;
            let next = flip_flop.next(&mut self.graph, state, data, enable, reset);
            self.graph.set_next(state, next);
        }
        Ok(())
    }

    /// What reaches a cell's pin.
    fn pin(&mut self, cell: &Cell, name: &str) -> Result<Literal, NetlistError> {
        self.value(connected(cell, name)?)
    }

    /// 1 when the pin acts.
    fn control(&mut self, cell: &Cell, control: Control) -> Result<Literal, NetlistError> {
        let level = self.pin(cell, control.pin)?;
        Ok(if control.active { level } else { !level })
    }

    /// What a net carries. The way back to the inputs is kept on a stack of our own: it can be long.
    fn value(&mut self, bit: &Bit) -> Result<Literal, NetlistError> {
        let mut waiting: Vec<u64> = net(bit).into_iter().collect();
        let mut entered: HashMap<u64, bool> = HashMap::new();
        while let Some(&next) = waiting.last() {
            if self.known.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let cell =
                *self.drivers.get(&next).ok_or_else(|| NetlistError::Undriven(format!("nothing drives net {next}")))?;
            let output = output_pin(&cell.kind)?;
            let pins = cell.connections.iter().filter(|(pin, _)| pin.as_str() != output);
            let missing: Vec<u64> = pins
                .flat_map(|(_, bits)| bits.iter().filter_map(net))
                .filter(|net| !self.known.contains_key(net))
                .collect();
            if missing.is_empty() {
                let literal = self.cell(cell)?;
                self.known.insert(next, literal);
                waiting.pop();
            } else if entered.insert(next, true).is_some() {
                return Err(NetlistError::Undriven(format!("net {next} depends on itself")));
            } else {
                waiting.extend(missing);
            }
        }
        self.literal(bit)
    }

    fn literal(&self, bit: &Bit) -> Result<Literal, NetlistError> {
        match bit {
            Bit::Net(net) => Ok(self.known[net]),
            Bit::Constant(text) if text == "0" => Ok(Literal::FALSE),
            Bit::Constant(text) if text == "1" => Ok(Literal::TRUE),
            Bit::Constant(text) => Err(NetlistError::Undriven(format!("an output depends on a bit that is `{text}`"))),
        }
    }

    /// What a cell computes from its inputs, which are known.
    fn cell(&mut self, cell: &Cell) -> Result<Literal, NetlistError> {
        let pin = |name: &str| self.literal(connected(cell, name)?);
        let pair = || -> Result<(Literal, Literal), NetlistError> { Ok((pin("A")?, pin("B")?)) };
        Ok(match cell.kind.as_str() {
            "$_BUF_" => pin("A")?,
            "$_NOT_" => !pin("A")?,
            "$_MUX_" => {
                let (zero, one, select) = (pin("A")?, pin("B")?, pin("S")?);
                self.graph.mux(select, one, zero)
            }
            "SB_CARRY" => {
                let (a, b, carry) = (pin("I0")?, pin("I1")?, pin("CI")?);
                let differ = self.graph.xor(a, b);
                self.graph.mux(differ, carry, a)
            }
            "SB_LUT4" => {
                let inputs = [pin("I0")?, pin("I1")?, pin("I2")?, pin("I3")?];
                let table = parameter(cell, "LUT_INIT")?;
                self.table(table, &inputs)
            }
            kind => {
                let (a, b) = pair()?;
                match kind {
                    "$_AND_" => self.graph.and(a, b),
                    "$_NAND_" => !self.graph.and(a, b),
                    "$_OR_" => self.graph.or(a, b),
                    "$_NOR_" => !self.graph.or(a, b),
                    "$_XOR_" => self.graph.xor(a, b),
                    "$_XNOR_" => !self.graph.xor(a, b),
                    "$_ANDNOT_" => self.graph.and(a, !b),
                    "$_ORNOT_" => self.graph.or(a, !b),
                    _ => return Err(NetlistError::UnknownCell { kind: kind.into() }),
                }
            }
        })
    }

    /// Bit `inputs` of a table: the highest input chooses a half.
    fn table(&mut self, table: u64, inputs: &[Literal]) -> Literal {
        let Some((&highest, rest)) = inputs.split_last() else {
            return if table & 1 == 1 { Literal::TRUE } else { Literal::FALSE };
        };
        let one = self.table(table >> (1 << rest.len()), rest);
        let zero = self.table(table, rest);
        self.graph.mux(highest, one, zero)
    }
}

/// What a one-bit pin is connected to.
fn connected<'c>(cell: &'c Cell, pin: &str) -> Result<&'c Bit, NetlistError> {
    let bit = cell.connections.get(pin).and_then(|bits| bits.first());
    bit.ok_or_else(|| NetlistError::Incomplete { kind: cell.kind.clone(), what: format!("pin {pin}") })
}

fn net(bit: &Bit) -> Option<u64> {
    match bit {
        Bit::Net(net) => Some(*net),
        Bit::Constant(_) => None,
    }
}

/// Yosys' own gates that are known.
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

/// The pin at which a cell's result appears.
fn output_pin(kind: &str) -> Result<&'static str, NetlistError> {
    match kind {
        "SB_LUT4" => Ok("O"),
        "SB_CARRY" => Ok("CO"),
        _ if GATES.contains(&kind) => Ok("Y"),
        _ if FlipFlopKind::of(kind).is_some() => Ok("Q"),
        _ => Err(NetlistError::UnknownCell { kind: kind.into() }),
    }
}

/// A number, written in binary.
fn parameter(cell: &Cell, name: &str) -> Result<u64, NetlistError> {
    let text = cell.parameters.get(name).and_then(|text| u64::from_str_radix(text, 2).ok());
    text.ok_or_else(|| NetlistError::Incomplete { kind: cell.kind.clone(), what: format!("number {name}") })
}
