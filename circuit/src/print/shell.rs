//! A shell around a unit: operands and results are transferred with valid and ready.
//!
//! While valid results are not taken, the unit stalls. `in_ready` depends only on a register, so one set of operands may be taken in the
//! first clock of a stall. It waits in the skid buffer and enters the unit before any other. Operands also wait there while a unit that
//! takes several clocks for an operation is not free.

use super::body::iterated;
use super::expression::{Expression, Infix, Prefix, Signal};
use super::languages::syntax;
use super::module::{Branch, Clocked, Heading, Item, Module, ModuleInstance, Registers, Unit, When, Wire, Wires};
use super::verilog::bits;
use super::{state, unit};
use crate::interface::{Controls, OPERANDS, Packing, RESULTS};
use crate::pipeline::Pipeline;
use crate::{Interface, Iteration, Language, Netlist, Port};
use num_bigint::BigUint;

/// A shell with its unit.
#[derive(Clone, Copy)]
pub struct Shell<'a> {
    /// The handshake of operands and results.
    pub interface: Interface,
    /// Name of the unit's module.
    pub unit: &'a str,
    /// The unit.
    pub netlist: &'a Netlist,
    /// The registers in it.
    pub within: Within<'a>,
}

/// The registers of a unit in its shell.
#[derive(Clone, Copy)]
pub enum Within<'a> {
    /// None: it has no clock.
    Combinational,
    /// Ranks of registers, or state.
    Pipelined(&'a Pipeline),
    /// Those of a unit that takes several clocks for an operation.
    Iterated(&'a Iteration),
}

/// The instance of the unit in its shell.
pub const INSTANCE: &str = "unit";

/// A shell, and its unit in the same file.
///
/// # Panics
/// If the interface has no shell.
pub fn print_shell(shell: &Shell, heading: &Heading) -> String {
    let Unit { module, mut parts } = match shell.within {
        Within::Combinational => unit(shell.netlist, None, shell.unit, heading.language),
        Within::Pipelined(pipeline) => unit(shell.netlist, Some(pipeline), shell.unit, heading.language),
        Within::Iterated(iteration) => iterated(&iteration.netlist, shell.unit, heading.language),
    };
    let syntax = syntax(heading.language);
    let unit = syntax.part("The unit inside the shell.", &module.reset(heading.reset));
    match heading.language {
        Language::Verilog | Language::SystemVerilog => parts.insert(0, unit),
        Language::Vhdl => parts.push(unit),
    }
    let about = state::with_state(heading.about, shell.netlist, syntax);
    let items = shell.body();
    let module = Module { name: heading.name, ports: shell.ports(), is_aligned: true, is_part: false, items };
    syntax.file(&Heading { about: &about, ..*heading }, &module.reset(heading.reset), parts)
}

/// A signal of the shell with the name of this port of the unit after a word.
fn before(word: &str, port: &Port) -> Signal {
    Signal::handed(format!("{word}{}", port.name), port.width)
}

/// A single bit of the shell.
fn bit(name: &str) -> Expression {
    Signal::handed(name, 1).into()
}

impl Shell<'_> {
    fn controls(&self) -> &'static Controls {
        self.interface.controls().expect("an interface with a shell")
    }

    fn is_clocked(&self) -> bool {
        !matches!(self.within, Within::Combinational)
    }

    fn is_iterated(&self) -> bool {
        matches!(self.within, Within::Iterated(_))
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
        let port = |is_output, name: &str, about: &str| {
            (is_output, Port { name: name.into(), width: 1, lanes: 1, about: about.into() })
        };
        let (input, output) = (false, true);
        let is_packed = self.interface == Interface::AxiStream;
        let words = |is_output, name: &str, ports: Vec<&Port>| -> Vec<(bool, Port)> {
            match is_packed {
                true => vec![(is_output, packed(name, &ports))],
                false => ports.into_iter().map(|port| (is_output, port.clone())).collect(),
            }
        };
        let reset_about = match self.netlist.registers.is_empty() {
            true => "active-low synchronous reset; drops operations",
            false => "active-low synchronous reset: drops operations, clears state",
        };
        let mut list = vec![
            port(input, clock, "clock, rising edge"),
            port(input, reset, reset_about),
            port(input, in_valid, "operands are valid"),
            port(output, in_ready, "operands are taken if valid; from a register"),
        ];
        list.extend(words(input, OPERANDS, self.inputs()));
        list.push(port(output, out_valid, "results are valid, and stay until taken"));
        list.push(port(input, out_ready, "results are taken if valid"));
        list.extend(words(output, RESULTS, self.outputs()));
        list
    }

    fn body(&self) -> Vec<Item> {
        let mut items = match self.interface {
            Interface::AxiStream => self.packing(),
            Interface::Plain | Interface::ReadyValid => vec![],
        };
        items.extend(self.skid_buffer());
        items.push(self.instance());
        items
    }

    /// The wires that `tdata` is made of.
    fn packing(&self) -> Vec<Item> {
        let (inputs, outputs) = (self.inputs(), self.outputs());
        let widest = widest(inputs.iter().chain(&outputs));
        let places = Packing::of(inputs.iter().map(|port| port.width));
        let operands = Signal::handed(OPERANDS, places.width);
        let taken = |low, width| Expression::Bits { of: operands.clone(), low, width };
        let (mut wires, mut padding) = (vec![], vec![]);
        for (port, &low) in inputs.iter().zip(&places.lows) {
            wires.push(wire(before("", port), taken(low, port.width)));
            let pad = port.width.next_multiple_of(8) - port.width;
            if pad > 0 {
                padding.push(taken(low + port.width, pad));
            }
        }
        let mut items = vec![
            Item::Comment("Operands and results, each in whole bytes of tdata".into()),
            Item::Wires(Wires { wires, widest, is_aligned: false }),
        ];
        // Each on its line.
        let declared = |port: &&Port| Item::Declared { signals: vec![before("", port)], widest };
        items.extend(outputs.iter().map(declared));
        let (results, driver) = (Packing::of(outputs.iter().map(|port| port.width)).width, padded(&outputs));
        items.push(Item::Assign { port: Signal::handed(RESULTS, results), driver });
        if !padding.is_empty() {
            items.push(Item::Unused { name: "unused_padding", about: None, bits: padding });
        }
        items.push(Item::Blank);
        items
    }

    /// The skid buffer, and the inputs of the unit.
    fn skid_buffer(&self) -> Vec<Item> {
        let Controls { in_valid, in_ready, out_valid, out_ready, .. } = *self.controls();
        let inputs = self.inputs();
        let widest = widest(inputs.iter());
        let mut items = vec![];
        let not = |name: &str| Expression::prefix(Prefix::Not, bit(name));
        let stays = if self.is_clocked() {
            let enable = Expression::infix(Infix::Or, bit(out_ready), not(out_valid));
            items.extend([
                Item::Comment("The unit stalls while valid results are not taken".into()),
                Item::Wires(Wires { wires: vec![wire(Signal::handed("en", 1), enable)], widest, is_aligned: false }),
                Item::Blank,
            ]);
            match self.is_iterated() {
                false => Expression::infix(Infix::And, bit("unit_valid"), not("en")),
                true => {
                    items.extend(self.running(widest));
                    let taken = Expression::infix(Infix::And, bit("is_free"), bit("en"));
                    Expression::infix(Infix::And, bit("is_offered"), Expression::prefix(Prefix::Not, taken))
                }
            }
        } else {
            Expression::infix(Infix::And, bit(out_valid), not(out_ready))
        };
        let about = "Skid buffer: operands taken in the first cycle of a stall; they enter the unit before any others";
        items.push(Item::Comment(about.into()));
        items.push(self.waiting(widest));
        let goes = Expression::infix(Infix::Or, bit(in_valid), bit("is_waiting"));
        let mut wires = vec![];
        if self.is_iterated() {
            wires.push(wire(Signal::handed("is_offered", 1), goes));
            let enters = Expression::infix(Infix::And, bit("is_offered"), bit("is_free"));
            wires.push(wire(Signal::handed("unit_valid", 1), enters));
        } else if self.is_clocked() {
            wires.push(wire(Signal::handed("unit_valid", 1), goes));
        } else {
            items.push(Item::Assign { port: Signal::handed(out_valid, 1), driver: goes });
        }
        wires.extend(inputs.iter().map(|port| {
            let choice = [bit("is_waiting"), before("waiting_", port).into(), before("", port).into()];
            wire(before("unit_", port), Expression::Choice(Box::new(choice)))
        }));
        items.push(Item::Wires(Wires { wires, widest, is_aligned: false }));
        items.push(Item::Clocked(self.clocked(stays)));
        items.push(Item::Assign { port: Signal::handed(in_ready, 1), driver: not("is_waiting") });
        items.push(Item::Blank);
        items
    }

    /// The register that says that the unit has an operation in progress, and whether it can take operands.
    fn running(&self, widest: u32) -> Vec<Item> {
        let registers = vec![(Signal::handed("is_running", 1), String::new())];
        let is_idle = Expression::prefix(Prefix::Not, bit("is_running"));
        let is_free = Expression::infix(Infix::Or, is_idle, bit(self.controls().out_valid));
        vec![
            Item::Comment("The unit takes operands unless an operation is in progress".into()),
            Item::Registers(Registers { title: None, registers, widest }),
            Item::Wires(Wires { wires: vec![wire(Signal::handed("is_free", 1), is_free)], widest, is_aligned: false }),
            Item::Blank,
        ]
    }

    /// The registers of the skid buffer.
    fn waiting(&self, widest: u32) -> Item {
        let signals = self.inputs().into_iter().map(|port| before("waiting_", port));
        let registers = std::iter::once(Signal::handed("is_waiting", 1)).chain(signals);
        let registers = registers.map(|signal| (signal, String::new())).collect();
        Item::Registers(Registers { title: None, registers, widest })
    }

    /// The statements of the skid buffer; it keeps its operands while it `stays`.
    fn clocked(&self, stays: Expression) -> Clocked {
        let Controls { clock, reset, .. } = *self.controls();
        let is_waiting = Signal::handed("is_waiting", 1);
        let flag = vec![
            Branch {
                condition: vec![(reset.into(), false)],
                assignments: vec![(is_waiting.clone(), Expression::zero())],
            },
            Branch { condition: vec![], assignments: vec![(is_waiting, stays)] },
        ];
        let taken = self.inputs().into_iter().map(|port| (before("waiting_", port), before("", port).into()));
        let operands = vec![Branch { condition: vec![("is_waiting".into(), false)], assignments: taken.collect() }];
        let mut statements = vec![When { branches: flag, is_short: true }];
        if self.is_iterated() {
            let is_running = Signal::handed("is_running", 1);
            let runs = Expression::infix(Infix::Or, bit("unit_valid"), Expression::prefix(Prefix::Not, bit("is_free")));
            let branches = vec![
                Branch {
                    condition: vec![(reset.into(), false)],
                    assignments: vec![(is_running.clone(), Expression::zero())],
                },
                Branch { condition: vec![("en".into(), true)], assignments: vec![(is_running, runs)] },
            ];
            statements.push(When { branches, is_short: true });
        }
        statements.push(When { branches: operands, is_short: false });
        Clocked { clock, reset: None, statements }
    }

    fn instance(&self) -> Item {
        let Controls { clock, reset, out_valid, .. } = *self.controls();
        let mut connections: Vec<(String, Expression)> = vec![];
        if self.is_clocked() {
            let controls =
                [("clk", clock), ("rst_n", reset), ("en", "en"), ("in_valid", "unit_valid"), ("out_valid", out_valid)];
            connections.extend(controls.map(|(port, net)| (port.into(), bit(net))));
        }
        connections.extend(self.inputs().iter().map(|port| (port.name.clone(), before("unit_", port).into())));
        connections.extend(self.outputs().iter().map(|port| (port.name.clone(), before("", port).into())));
        let (module, name) = (self.unit.to_string(), INSTANCE.to_string());
        Item::Instance(ModuleInstance { module, name, connections, is_listed: true })
    }
}

/// A signal of the shell with its driver.
fn wire(signal: Signal, driver: Expression) -> Wire {
    Wire { signal, driver, note: None, is_output: false }
}

/// Bits of the widest port.
fn widest<'p>(ports: impl Iterator<Item = &'p &'p Port>) -> u32 {
    ports.map(|port| port.width).max().unwrap_or(1)
}

/// The port into which these ports are packed.
fn packed(name: &str, ports: &[&Port]) -> Port {
    let places = Packing::of(ports.iter().map(|port| port.width));
    let place = |(port, low): (&&Port, &u32)| format!("{} in {}", port.name, bits(*low, port.width));
    let about = ports.iter().zip(&places.lows).map(place).collect::<Vec<_>>().join(", ");
    Port { name: name.into(), width: places.width, lanes: 1, about }
}

/// All words, each extended with zeros to a whole byte, the first one lowest.
fn padded(ports: &[&Port]) -> Expression {
    let mut parts: Vec<Expression> = vec![];
    for port in ports.iter().rev() {
        let pad = port.width.next_multiple_of(8) - port.width;
        if pad > 0 {
            parts.push(Expression::constant(&BigUint::ZERO, pad));
        }
        parts.push(before("", port).into());
    }
    match parts.len() {
        1 => parts.remove(0),
        _ => Expression::Concat(parts),
    }
}
