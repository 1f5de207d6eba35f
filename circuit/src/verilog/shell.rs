//! A shell around a unit: operands and results are offered (valid) and taken (ready).
//!
//! While results are offered that nobody takes, the unit stands still. What `in_ready` says is known from a register alone, so one
//! set of operands may be taken in the first clock of a standstill: it waits in the skid buffer, and goes into the unit before any other.

use super::layout::{assignment, statement};
use super::print::{Heading, comment, declaration, ports, render};
use super::syntax::{Expression, bits, constant, port_name, range};
use crate::interface::{Controls, OPERANDS, Packing, RESULTS};
use crate::{Interface, Netlist, Port};
use num_bigint::BigUint;

/// What a shell is around.
#[derive(Clone, Copy)]
pub struct Shell<'a> {
    /// How operands and results are offered and taken.
    pub interface: Interface,
    /// Name of the unit's module.
    pub unit: &'a str,
    /// The unit's ports.
    pub netlist: &'a Netlist,
    /// Whether the unit has a clock.
    pub is_clocked: bool,
}

/// The instance of the unit in its shell.
pub const INSTANCE: &str = "unit";

/// The Verilog of a shell, without the unit in it.
///
/// # Panics
/// If the interface is one without a shell.
pub fn print_shell(shell: &Shell, heading: &Heading) -> String {
    let direction = |is_output| if is_output { "output wire" } else { "input  wire" };
    let list: Vec<(&str, Port)> =
        shell.ports().into_iter().map(|(is_output, port)| (direction(is_output), port)).collect();
    let widest = list.iter().map(|(_, port)| port.name.len() + 1).max().unwrap_or(0);
    render(heading, ports(&list, widest), shell.body(), vec![])
}

/// The text of a unit behind that of its shell, in the same file.
pub fn below_shell(unit: &str) -> String {
    format!(
        "\n// The unit in the shell\n/* verilator lint_off DECLFILENAME */\n{unit}/* verilator lint_on DECLFILENAME */\n"
    )
}

impl Shell<'_> {
    fn controls(&self) -> &'static Controls {
        self.interface.controls().expect("an interface with a shell")
    }

    fn inputs(&self) -> Vec<&Port> {
        self.netlist.inputs.iter().collect()
    }

    fn outputs(&self) -> Vec<&Port> {
        self.netlist.outputs.iter().map(|(port, _)| port).collect()
    }

    /// All ports, and whether the shell drives them.
    pub fn ports(&self) -> Vec<(bool, Port)> {
        let Controls { clock, reset, in_valid, in_ready, out_valid, out_ready } = *self.controls();
        let port =
            |is_output, name: &str, about: &str| (is_output, Port { name: name.into(), width: 1, about: about.into() });
        let (input, output) = (false, true);
        let is_packed = self.interface == Interface::AxiStream;
        let words = |is_output, name: &str, ports: Vec<&Port>| -> Vec<(bool, Port)> {
            match is_packed {
                true => vec![(is_output, packed(name, &ports))],
                false => ports.into_iter().map(|port| (is_output, port.clone())).collect(),
            }
        };
        let reset_about = "low: what is on its way is dropped, and the state is reset if there is one";
        let mut list = vec![
            port(input, clock, "everything happens at its rising edge"),
            port(input, reset, reset_about),
            port(input, in_valid, "operands are offered"),
            port(output, in_ready, "operands that are offered are taken; from a register"),
        ];
        list.extend(words(input, OPERANDS, self.inputs()));
        list.push(port(output, out_valid, "results are offered, and stay until they are taken"));
        list.push(port(input, out_ready, "results that are offered are taken"));
        list.extend(words(output, RESULTS, self.outputs()));
        list
    }

    fn body(&self) -> Vec<String> {
        let mut lines = match self.interface {
            Interface::AxiStream => self.packing(),
            Interface::Plain | Interface::ReadyValid => vec![],
        };
        lines.extend(self.skid_buffer());
        lines.extend(self.instance());
        lines
    }

    /// The wires that `tdata` is made of.
    fn packing(&self) -> Vec<String> {
        let (inputs, outputs) = (self.inputs(), self.outputs());
        let widest = inputs.iter().chain(&outputs).map(|port| range(port.width).len()).max().unwrap_or(0);
        let wire = |port: &Port| declaration("wire", widest, port.width, &port_name(&port.name));
        let mut lines = vec!["// Operands and results, each in whole bytes of tdata".to_string()];
        let (places, mut padding) = (Packing::of(inputs.iter().map(|port| port.width)), vec![]);
        for (port, &low) in inputs.iter().zip(&places.lows) {
            lines.push(format!("{} = {OPERANDS}{};", wire(port).trim_end(), bits(low, port.width)));
            let pad = port.width.next_multiple_of(8) - port.width;
            if pad > 0 {
                padding.push(format!("{OPERANDS}{}", bits(low + port.width, pad)));
            }
        }
        lines.extend(outputs.iter().map(|port| format!("{};", wire(port))));
        lines.extend(statement(&format!("assign {RESULTS}"), &padded(&outputs)));
        if !padding.is_empty() {
            let unused = Expression::Concat(
                std::iter::once("1'b0".to_string()).chain(padding).map(|bits| (Expression::Atom(bits), 1)).collect(),
            );
            lines.extend(statement("wire unused_padding", &Expression::prefix('&', unused)));
        }
        lines.push(String::new());
        lines
    }

    /// What waits, and what goes into the unit.
    fn skid_buffer(&self) -> Vec<String> {
        let Controls { clock, reset, in_valid, in_ready, out_valid, out_ready } = *self.controls();
        let inputs = self.inputs();
        let range_width = inputs.iter().map(|port| range(port.width).len()).max().unwrap_or(0);
        let wire = |name: &str| declaration("wire", range_width, 1, name);
        let mut lines = vec![];
        let stays = if self.is_clocked {
            lines.push("// The unit stands still while results are offered that are not taken".into());
            lines.push(format!("{} = {out_ready} | ~{out_valid};", wire("en")));
            lines.push(String::new());
            "unit_valid & ~en".to_string()
        } else {
            format!("{out_valid} & ~{out_ready}")
        };
        lines.extend(comment(
            "Skid buffer: operands that were taken when the unit stood still; they go into it before any others",
        ));
        lines.push(declaration("reg ", range_width, 1, "is_waiting") + ";");
        let waiting =
            |port: &&Port| declaration("reg ", range_width, port.width, &format!("waiting_{}", port.name)) + ";";
        lines.extend(inputs.iter().map(waiting));
        let goes = format!("{in_valid} | is_waiting");
        lines.push(if self.is_clocked {
            format!("{} = {goes};", wire("unit_valid"))
        } else {
            format!("assign {out_valid} = {goes};")
        });
        for port in &inputs {
            let head = declaration("wire", range_width, port.width, &format!("unit_{}", port.name));
            lines.push(format!("{head} = is_waiting ? waiting_{} : {};", port.name, port_name(&port.name)));
        }
        lines.push(format!("always @(posedge {clock}) begin"));
        lines.push(format!("  if (!{reset}) is_waiting <= 1'b0;"));
        lines.push(format!("  else is_waiting <= {stays};"));
        lines.push("  if (!is_waiting) begin".into());
        let name_width = inputs.iter().map(|port| port.name.len()).max().unwrap_or(0);
        for port in &inputs {
            let head = format!("    waiting_{:name_width$}", port.name);
            lines.extend(assignment(&head, "<=", &Expression::Atom(port_name(&port.name))));
        }
        lines.extend(["  end".into(), "end".into(), format!("assign {in_ready} = ~is_waiting;"), String::new()]);
        lines
    }

    fn instance(&self) -> Vec<String> {
        let Controls { clock, reset, out_valid, .. } = *self.controls();
        let mut connections = vec![];
        if self.is_clocked {
            let controls =
                [("clk", clock), ("rst_n", reset), ("en", "en"), ("in_valid", "unit_valid"), ("out_valid", out_valid)];
            connections.extend(controls.map(|(port, net)| format!("  .{port}({net})")));
        }
        let named = |port: &Port| port_name(&port.name);
        connections.extend(self.inputs().iter().map(|port| format!("  .{}(unit_{})", named(port), port.name)));
        connections.extend(self.outputs().iter().map(|port| format!("  .{}({})", named(port), named(port))));
        let last = connections.len() - 1;
        connections[..last].iter_mut().for_each(|line| line.push(','));
        [vec![format!("{} {INSTANCE} (", self.unit)], connections, vec![");".into()]].concat()
    }
}

/// The port that these are packed into.
fn packed(name: &str, ports: &[&Port]) -> Port {
    let places = Packing::of(ports.iter().map(|port| port.width));
    let place = |(port, low): (&&Port, &u32)| format!("{} in {}", port.name, bits(*low, port.width));
    let about = ports.iter().zip(&places.lows).map(place).collect::<Vec<_>>().join(", ");
    Port { name: name.into(), width: places.width, about }
}

/// All words with zeros above each up to a whole byte, the first one lowest.
fn padded(ports: &[&Port]) -> Expression {
    let mut parts = vec![];
    for port in ports.iter().rev() {
        let pad = port.width.next_multiple_of(8) - port.width;
        if pad > 0 {
            parts.push((constant(&BigUint::ZERO, pad), pad));
        }
        parts.push((Expression::Atom(port_name(&port.name)), port.width));
    }
    match parts.len() {
        1 => parts.remove(0).0,
        _ => Expression::Concat(parts),
    }
}
