//! Registers of the state: their lines in the header, their declarations, and their assignments at a clock edge.

use super::expression::{Expression, Signal};
use super::module::{Branch, Clocked, Item, Registers, When};
use super::signals::Expressions;
use super::syntax::Syntax;
use crate::clock::valid_of;
use crate::{Netlist, Register};

/// The most registers that the header lists. It lists only registers with a comment.
const MOST_LISTED: usize = 24;

/// The lines of a header, followed by those about the state.
pub fn with_state(lines: &[String], netlist: &Netlist, syntax: &dyn Syntax) -> Vec<String> {
    [lines, &about(netlist, syntax)].concat()
}

/// The lines of the header about the state.
fn about(netlist: &Netlist, syntax: &dyn Syntax) -> Vec<String> {
    if netlist.registers.is_empty() {
        return vec![];
    }
    let mut lines = vec![
        "State, with its value after a reset; operands that are taken (in_valid and en high) change it:".to_string(),
    ];
    let commented = netlist.registers.iter().filter(|register| !register.about.is_empty());
    lines.extend(commented.take(MOST_LISTED).map(|register| {
        let Register { name, width, reset, about, .. } = register;
        format!("  {name}{} = {}: {about}", syntax.bits_of(*width), syntax.constant(reset, *width))
    }));
    let more = netlist.registers.len() + 1 - lines.len();
    lines.extend((more > 0).then(|| format!("  and {more} more, below")));
    lines
}

/// The registers of a segment, each under its comment.
pub fn declarations(segment: &Netlist) -> Vec<Item> {
    titled_declarations(segment, "State")
}

/// The registers of a netlist under a title, each under its comment.
pub fn titled_declarations(segment: &Netlist, title: &'static str) -> Vec<Item> {
    if segment.registers.is_empty() {
        return vec![];
    }
    let widest = segment.registers.iter().map(|register| register.width).max().unwrap_or(1);
    let declared = segment.registers.iter().map(|register| (signal(register), register.about.clone()));
    vec![Item::Registers(Registers { title: Some(title), registers: declared.collect(), widest }), Item::Blank]
}

/// The assignments to the registers of a segment at a clock edge.
pub fn clocked(segment: &Netlist, number: u32, expressions: &Expressions) -> Vec<Item> {
    if segment.registers.is_empty() {
        return vec![];
    }
    let registers = || segment.registers.iter();
    let reset = registers().map(|register| (signal(register), Expression::constant(&register.reset, register.width)));
    let next = registers().map(|register| (signal(register), expressions.expression(register.next)));
    let when_taken = vec![("en".into(), true), (valid_of(number), true)];
    let branches = vec![
        Branch { condition: vec![("rst_n".into(), false)], assignments: reset.collect() },
        Branch { condition: when_taken, assignments: next.collect() },
    ];
    vec![
        Item::Comment("State for the next operands".into()),
        Item::Clocked(Clocked { clock: "clk", reset: None, statements: vec![When { branches, is_short: false }] }),
        Item::Blank,
    ]
}

/// The assignments to the registers of a unit that takes several clocks: only the first one is reset.
pub fn iterated(netlist: &Netlist, expressions: &Expressions) -> Vec<Item> {
    let next = |register: &Register| (signal(register), expressions.expression(register.next));
    let enabled = || vec![("en".into(), true)];
    let (busy, others) = netlist.registers.split_first().expect("a register that is 1 during an operation");
    let branches = vec![
        Branch { condition: vec![("rst_n".into(), false)], assignments: vec![(signal(busy), Expression::zero())] },
        Branch { condition: enabled(), assignments: vec![next(busy)] },
    ];
    let others = vec![Branch { condition: enabled(), assignments: others.iter().map(next).collect() }];
    let statements = vec![When { branches, is_short: true }, When { branches: others, is_short: false }];
    vec![
        Item::Comment("The next clock".into()),
        Item::Clocked(Clocked { clock: "clk", reset: None, statements }),
        Item::Blank,
    ]
}

fn signal(register: &Register) -> Signal {
    Signal::number(&register.name, register.width)
}
