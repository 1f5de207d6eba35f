//! A clocked unit: segment by segment, each with its state, and each but the last followed by a rank of registers.

use super::body::{assigns, part, sections, unused, unused_bits};
use super::expression::{Expression, Signal};
use super::languages::syntax;
use super::module::{Branch, Clocked, Item, Module, Registers, Unit, When};
use super::module_ports;
use super::parts::{Library, divide};
use super::signals::{Expressions, Surroundings};
use super::state;
use crate::clock::{valid_name, valid_of};
use crate::naming::Names;
use crate::pipeline::{Pipeline, RankRegister};
use crate::{Language, Netlist, NodeId, Port};
use rustc_hash::FxHashSet;

/// A netlist with these ranks of registers; there may be none if the netlist has registers of its own.
pub fn pipelined<'a>(netlist: &Netlist, pipeline: &Pipeline, name: &'a str, language: Language) -> Unit<'a> {
    let syntax = syntax(language);
    let mut names = Names::of_unit(netlist, pipeline.stages, language);
    for register in &pipeline.registers {
        names.give(&register.name);
    }
    let mut items = vec![];
    let (mut unread, mut begun) = (vec![], FxHashSet::default());
    let mut library = Library::new(name, language, part);
    for (rank, segment) in (1..).zip(&pipeline.segments) {
        let mut divided = divide(segment, None, &mut library);
        divided.give_names(&mut names);
        let around = Surroundings { outputs: &[], connected: divided.connected(), ports: &netlist.inputs };
        let segment = &divided.netlist;
        let (expressions, wires) = Expressions::new(segment, &around, &mut names, syntax);
        items.extend(state::declarations(segment));
        items.extend(sections(&divided, &wires, &expressions, &mut begun));
        items.extend(state::clocked(segment, rank - 1, &expressions));
        match rank {
            _ if rank <= pipeline.stages => items.extend(registers_of(pipeline, rank, segment, &expressions)),
            _ => items.extend(assigns(divided.outputs(), &expressions)),
        }
        unread.extend(unused_bits(segment, &expressions));
    }
    let valid = Signal::number(valid_of(pipeline.stages), 1);
    items.push(Item::Assign { port: Signal::handed("out_valid", 1), driver: valid.into() });
    items.extend(unused(unread));
    let ports = module_ports(netlist, true);
    Unit { module: Module { name, ports, is_aligned: true, is_part: false, items }, parts: library.texts() }
}

/// One rank: declarations, and the assignments at a clock edge. `segment` is the segment before it.
fn registers_of(pipeline: &Pipeline, rank: u32, segment: &Netlist, expressions: &Expressions) -> Vec<Item> {
    let registers: Vec<&RankRegister> = pipeline.registers.iter().filter(|register| register.rank == rank).collect();
    let valid = Signal::number(valid_name(rank), 1);
    let signals = registers.iter().map(|register| Signal::number(&register.name, register.width));
    let widest = registers.iter().map(|register| register.width).max().unwrap_or(1);
    let take = |signal: Signal, (_, next): &(Port, NodeId)| (signal, expressions.expression(*next));
    let taken: Vec<(Signal, Expression)> =
        signals.clone().zip(&segment.outputs).map(|(signal, output)| take(signal, output)).collect();
    let (reset, enabled) = (vec![("rst_n".into(), false)], vec![("en".into(), true)]);
    let before = Signal::number(valid_of(rank - 1), 1);
    let branches = vec![
        Branch { condition: reset, assignments: vec![(valid.clone(), Expression::zero())] },
        Branch { condition: enabled.clone(), assignments: vec![(valid.clone(), before.into())] },
    ];
    let mut statements = vec![When { branches, is_short: true }];
    if !taken.is_empty() {
        statements.push(When { branches: vec![Branch { condition: enabled, assignments: taken }], is_short: false });
    }
    let declared = std::iter::once(valid).chain(signals).map(|signal| (signal, String::new())).collect();
    vec![
        Item::Comment(format!("Registers, rank {rank} of {}", pipeline.stages)),
        Item::Registers(Registers { title: None, registers: declared, widest }),
        Item::Clocked(Clocked { clock: "clk", reset: None, statements }),
        Item::Blank,
    ]
}
