//! Yosys' synthesized netlist (`write_json`) as gates. What is checked is then what goes to the chip, including the
//! printed Verilog and Yosys' work on it.

use crate::cells;
use crate::flip_flop::{Control, FlipFlopKind};
use crate::graph::{Graph, Literal};
use crate::netlist_error::NetlistError;
use crate::pins::{Bit, Cell, Pins, connected, literal, net};
use crate::registered::expand;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

#[derive(Deserialize)]
struct File {
    modules: HashMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    ports: HashMap<String, Connection>,
    cells: BTreeMap<String, Cell>,
    #[serde(default)]
    netnames: BTreeMap<String, Net>,
}

/// A wire's name, and its nets.
#[derive(Deserialize)]
struct Net {
    /// 1 for a name that Yosys made up.
    hide_name: u8,
    bits: Vec<Bit>,
}

/// The origin of a gate or flip-flop of a netlist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file and line of the cell, as in `unit.v:12.3-12.20`; empty if unknown.
    pub source: String,
    /// The bit of a wire that it drives, as in `sum[3]`.
    pub wire: Option<String>,
}

/// The nets of a port's bits.
#[derive(Deserialize)]
struct Connection {
    bits: Vec<Bit>,
}

/// Whether the output of a cell is undefined: it may be anything in each clock, or is a flip-flop whose clock never
/// rises, such as a word of a memory that has no value and is never written.
fn is_undefined(cell: &Cell) -> bool {
    let never_rises = |kind: FlipFlopKind| {
        cell.connections.get(kind.clock).is_some_and(|clock| matches!(clock[..], [Bit::Constant(_)]))
    };
    cell.kind == "$anyseq" || FlipFlopKind::of(&cell.kind, &cell.parameters).is_some_and(never_rises)
}

impl Graph {
    /// The gates and flip-flops of `module` in the output of `write_json`. `ports` are names and widths in bits; the
    /// clock is the port `clk`.
    ///
    /// # Errors
    /// When the text is not such a netlist, or contains an unsupported cell.
    pub fn of_netlist(
        json: &str,
        module: &str,
        inputs: &[(&str, u32)],
        outputs: &[(&str, u32)],
    ) -> Result<Graph, NetlistError> {
        let module = module_of(json, module)?;
        Ok(Reader::read(&module, inputs, outputs)?.graph)
    }

    /// Like [`Self::of_netlist`], with the origin of each node of the graph.
    ///
    /// # Errors
    /// When the text is not such a netlist, or contains an unsupported cell.
    pub fn of_netlist_with_places(
        json: &str,
        module: &str,
        inputs: &[(&str, u32)],
        outputs: &[(&str, u32)],
    ) -> Result<(Graph, Vec<Place>), NetlistError> {
        let module = module_of(json, module)?;
        let reader = Reader::read(&module, inputs, outputs)?;
        let places = reader.places();
        Ok((reader.graph, places))
    }
}

/// The module with this name in the output of `write_json`.
fn module_of(json: &str, name: &str) -> Result<Module, NetlistError> {
    let mut file: File = serde_json::from_str(json)?;
    let mut module = file.modules.remove(name).ok_or_else(|| NetlistError::NoModule(name.into()))?;
    expand(&mut module.cells);
    Ok(module)
}

fn port<'m>(module: &'m Module, name: &str, width: u32) -> Result<&'m [Bit], NetlistError> {
    let port = module.ports.get(name).filter(|port| port.bits.len() == width as usize);
    port.map(|port| port.bits.as_slice()).ok_or_else(|| NetlistError::NoPort { name: name.into(), width })
}

/// Turns nets into literals, from the outputs backwards.
struct Reader<'m> {
    module: &'m Module,
    graph: Graph,
    known: HashMap<u64, Literal>,
    /// The name of the cell that drives each net.
    drivers: HashMap<u64, &'m str>,
    /// Flip-flops with their outputs.
    flip_flops: Vec<(Literal, FlipFlopKind, &'m Cell)>,
    /// The contents of shift registers, by their names: the most recent bit first.
    shifted: BTreeMap<&'m str, Vec<Literal>>,
    /// The net of the port `clk`, and those that buffers of it drive.
    clocks: Vec<&'m [Bit]>,
    /// The cell that made each node of the graph.
    makers: HashMap<usize, &'m Cell>,
}

impl<'m> Reader<'m> {
    fn read(module: &'m Module, inputs: &[(&str, u32)], outputs: &[(&str, u32)]) -> Result<Reader<'m>, NetlistError> {
        let mut reader = Reader::new(module, inputs)?;
        for (name, width) in outputs {
            let bits = port(module, name, *width)?;
            let literals = bits.iter().map(|bit| reader.value(bit)).collect::<Result<Vec<_>, _>>()?;
            reader.graph.add_output(literals);
        }
        reader.connect_flip_flops()?;
        Ok(reader)
    }

    fn new(module: &'m Module, inputs: &[(&str, u32)]) -> Result<Reader<'m>, NetlistError> {
        let mut graph = Graph::new(inputs.iter().map(|(_, width)| *width));
        let mut known = HashMap::new();
        for ((name, width), literals) in inputs.iter().zip(graph.inputs()) {
            for (bit, literal) in port(module, name, *width)?.iter().zip(literals) {
                if let Bit::Net(net) = bit {
                    known.insert(*net, *literal);
                }
            }
        }
        for cell in module.cells.values().filter(|cell| is_undefined(cell)) {
            let bits = ["Y", "Q"].iter().filter_map(|pin| cell.connections.get(*pin)).flatten().filter_map(net);
            known.extend(bits.map(|net| (net, graph.add_undefined())));
        }
        let mut reader = Reader {
            module,
            graph,
            known,
            drivers: HashMap::new(),
            flip_flops: vec![],
            shifted: BTreeMap::new(),
            clocks: clocks(module),
            makers: HashMap::new(),
        };
        for (name, cell) in module.cells.iter().filter(|(_, cell)| !is_undefined(cell)) {
            reader.enter(name, cell)?;
        }
        Ok(reader)
    }

    /// Records the nets that a cell drives.
    fn enter(&mut self, name: &'m str, cell: &'m Cell) -> Result<(), NetlistError> {
        // Nothing reads a cell whose outputs are not connected.
        let outputs: Vec<u64> = output_nets(cell)?.collect();
        if let Some(flip_flop) = FlipFlopKind::of(&cell.kind, &cell.parameters) {
            if let [output] = outputs[..] {
                let state = self.graph.add_flip_flop();
                self.known.insert(output, state);
                self.makers.insert(state.node(), cell);
                self.flip_flops.push((state, flip_flop, cell));
            }
            return Ok(());
        }
        if let Some(length) = cells::shift_length(&cell.kind) {
            let states = (0..length).map(|_| self.graph.add_flip_flop()).collect();
            self.shifted.insert(name, states);
        }
        self.drivers.extend(outputs.into_iter().map(|output| (output, name)));
        Ok(())
    }

    /// Sets the next value of each flip-flop.
    fn connect_flip_flops(&mut self) -> Result<(), NetlistError> {
        for (state, flip_flop, cell) in std::mem::take(&mut self.flip_flops) {
            self.check_clock(cell, flip_flop.clock)?;
            let data = self.pin(cell, flip_flop.data)?;
            let enable = flip_flop.enable.map(|control| self.control(cell, control)).transpose()?;
            let reset = flip_flop.reset.map(|(control, _)| self.control(cell, control)).transpose()?;
            let first = self.graph.gates().len();
            let next = flip_flop.next(&mut self.graph, state, data, enable, reset);
            self.graph.set_next(state, next);
            self.makers.extend((first..self.graph.gates().len()).map(|node| (node, cell)));
        }
        for (name, states) in self.shifted.clone() {
            let cell = &self.module.cells[name];
            self.check_clock(cell, "CLK")?;
            let (data, enable) = (self.pin(cell, "D")?, self.pin(cell, "CE")?);
            let taken = [data].into_iter().chain(states.iter().copied());
            for (&state, taken) in states.iter().zip(taken) {
                let next = self.graph.mux(enable, taken, state);
                self.graph.set_next(state, next);
            }
        }
        Ok(())
    }

    fn cells(&self) -> &'m BTreeMap<String, Cell> {
        &self.module.cells
    }

    fn check_clock(&self, cell: &Cell, pin: &str) -> Result<(), NetlistError> {
        let is_inverted = cell.parameters.get("IS_CLK_INVERTED").is_some_and(|bits| bits.contains('1'));
        let clock = cell.connections.get(pin).map(Vec::as_slice);
        match clock.is_some_and(|clock| self.clocks.contains(&clock)) && !is_inverted {
            true => Ok(()),
            false => Err(NetlistError::Clock { kind: cell.kind.clone() }),
        }
    }

    /// The literal at a cell's pin.
    fn pin(&mut self, cell: &Cell, name: &str) -> Result<Literal, NetlistError> {
        self.value(connected(cell, name)?)
    }

    /// 1 when the pin is active.
    fn control(&mut self, cell: &Cell, control: Control) -> Result<Literal, NetlistError> {
        let level = self.pin(cell, control.pin)?;
        Ok(if control.active { level } else { !level })
    }

    /// The literal of a net. The search towards the inputs uses an explicit stack, since paths can be long.
    fn value(&mut self, bit: &Bit) -> Result<Literal, NetlistError> {
        let mut waiting: Vec<u64> = net(bit).into_iter().collect();
        let mut entered: HashMap<u64, bool> = HashMap::new();
        while let Some(&next) = waiting.last() {
            if self.known.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let name =
                *self.drivers.get(&next).ok_or_else(|| NetlistError::Undriven(format!("nothing drives net {next}")))?;
            let cell = &self.cells()[name];
            let missing: Vec<u64> = input_nets(cell)?.filter(|net| !self.known.contains_key(net)).collect();
            if missing.is_empty() {
                self.compute(name, cell)?;
                waiting.pop();
            } else if entered.insert(next, true).is_some() {
                return Err(NetlistError::Undriven(format!(
                    "net {next} depends on itself: a branch gives it no value, or there is a loop"
                )));
            } else {
                waiting.extend(missing);
            }
        }
        literal(&self.known, bit)
    }

    /// Computes the outputs of a cell whose inputs are known.
    fn compute(&mut self, name: &str, cell: &'m Cell) -> Result<(), NetlistError> {
        let first = self.graph.gates().len();
        let pins = Pins { cell, known: &self.known };
        let words = match self.shifted.get(name) {
            Some(states) => cells::shifted(&mut self.graph, pins, states)?,
            None => cells::compute(&mut self.graph, pins)?,
        };
        for (pin, word) in output_pins(cell)?.iter().zip(words) {
            let bits = cell.connections.get(*pin).into_iter().flatten();
            self.known.extend(bits.zip(word).filter_map(|(bit, literal)| Some((net(bit)?, literal))));
        }
        self.makers.extend((first..self.graph.gates().len()).map(|node| (node, cell)));
        Ok(())
    }

    /// The origin of each node: of several wires' names the first one, in the order of the alphabet.
    fn places(&self) -> Vec<Place> {
        let mut places = vec![Place::default(); self.graph.gates().len()];
        for (&node, cell) in &self.makers {
            places[node].source = cell.attributes.get("src").cloned().unwrap_or_default();
        }
        for (name, wire) in self.module.netnames.iter().filter(|(_, wire)| wire.hide_name == 0) {
            for (index, bit) in wire.bits.iter().enumerate() {
                let Some(literal) = net(bit).and_then(|net| self.known.get(&net)) else { continue };
                let place = &mut places[literal.node()].wire;
                place.get_or_insert_with(
                    || if wire.bits.len() == 1 { name.clone() } else { format!("{name}[{index}]") },
                );
            }
        }
        places
    }
}

/// The nets that carry the clock: that of the port, and those behind a buffer.
fn clocks(module: &Module) -> Vec<&[Bit]> {
    let Some(port) = module.ports.get("clk").or(module.ports.get("aclk")) else { return vec![] };
    let port = port.bits.as_slice();
    let buffers = module.cells.values().filter(|cell| cell.kind == "BUFG");
    let of_clock = buffers.filter(|buffer| buffer.connections.get("I").is_some_and(|input| input == port));
    let outputs = of_clock.filter_map(|buffer| buffer.connections.get("O").map(Vec::as_slice));
    [port].into_iter().chain(outputs).collect()
}

fn output_pins(cell: &Cell) -> Result<&'static [&'static str], NetlistError> {
    cells::output_pins(cell).ok_or_else(|| NetlistError::UnknownCell { kind: cell.kind.clone() })
}

fn output_nets(cell: &Cell) -> Result<impl Iterator<Item = u64>, NetlistError> {
    Ok(output_pins(cell)?.iter().filter_map(|pin| cell.connections.get(*pin)).flatten().filter_map(net))
}

/// The nets that the outputs depend on combinationally.
fn input_nets(cell: &Cell) -> Result<impl Iterator<Item = u64>, NetlistError> {
    let (outputs, is_shift) = (output_pins(cell)?, cells::shift_length(&cell.kind).is_some());
    let block = cells::block_inputs(&cell.kind);
    let is_input = move |pin: &str| {
        !outputs.contains(&pin)
            && (!is_shift || pin.starts_with('A'))
            && block.is_none_or(|inputs| inputs.contains(&pin))
    };
    Ok(cell.connections.iter().filter(move |(pin, _)| is_input(pin)).flat_map(|(_, bits)| bits).filter_map(net))
}
