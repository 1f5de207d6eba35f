//! Names and widths of ports.

use binade_circuit::{OPERANDS, Packing, RESULTS};
use binade_spec::{Operation, Port};

/// A port of a module or netlist, with its width in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortWidth<'a> {
    /// The port's name in the module or netlist.
    pub name: &'a str,
    /// The bits of all lanes together.
    pub width: u32,
    /// The number of equal parts that waves show separately, the first in the lowest bits.
    pub lanes: u32,
}

impl<'a> PortWidth<'a> {
    /// A port of one lane.
    pub fn new(name: &'a str, width: u32) -> PortWidth<'a> {
        PortWidth { name, width, lanes: 1 }
    }

    pub(crate) fn of(port: &Port) -> PortWidth<'static> {
        PortWidth { name: port.name, width: port.width(), lanes: port.lanes }
    }

    /// The operands and the results of an operation.
    pub(crate) fn of_operation(operation: &Operation) -> [Vec<PortWidth<'static>>; 2] {
        [operation.inputs(), operation.outputs()].map(|ports| ports.iter().map(PortWidth::of).collect())
    }

    /// Name, highest and lowest bit of each lane; empty if there is only one.
    pub(crate) fn lane_ranges(&self) -> Vec<(String, u32, u32)> {
        let width = self.width / self.lanes;
        let lanes = if self.lanes == 1 { 0..0 } else { 0..self.lanes };
        lanes.map(|lane| (format!("{}_{lane}", self.name), lane * width + width - 1, lane * width)).collect()
    }
}

/// Operands and results of an AXI4-Stream, each in a single port, for a module around it.
pub(crate) struct Packed {
    /// The names of the ports.
    pub operands: &'static str,
    pub results: &'static str,
    /// The nets of the operands, each padded to whole bytes with ones, which the module must ignore.
    pub sent: String,
    /// The number of bits of the results.
    pub width: u32,
    /// For each result, its bits of the net `results`; they are inverted if any padding bit above a result is 1.
    pub received: Vec<String>,
}

impl Packed {
    /// `nets` holds the nets of the operands.
    pub fn new(nets: &[String], inputs: &[PortWidth], outputs: &[PortWidth]) -> Packed {
        let pad = |port: &PortWidth| port.width.next_multiple_of(8) - port.width;
        let mut sent = vec![];
        for (net, port) in nets.iter().zip(inputs).rev() {
            sent.extend((pad(port) > 0).then(|| format!("{{{}{{1'b1}}}}", pad(port))));
            sent.push(net.clone());
        }
        let places = Packing::of(outputs.iter().map(|port| port.width));
        let bits = |low: u32, width: u32| format!("results[{}:{low}]", low + width - 1);
        let each = || outputs.iter().zip(&places.lows);
        let padded = each().filter(|(port, _)| pad(port) > 0);
        let padding: Vec<String> = padded.map(|(port, &low)| bits(low + port.width, pad(port))).collect();
        let inverted = |width: u32| match padding.is_empty() {
            true => String::new(),
            false => format!(" ^ {{{width}{{|{{{}}}}}}}", padding.join(", ")),
        };
        let received = each().map(|(port, &low)| bits(low, port.width) + &inverted(port.width)).collect();
        Packed { operands: OPERANDS, results: RESULTS, sent: sent.join(", "), width: places.width, received }
    }
}
