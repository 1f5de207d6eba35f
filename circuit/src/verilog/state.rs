//! Registers of the state: what the header says of them, their declarations, and what happens to them at a clock edge.

use super::expression::Expressions;
use super::layout::assignment;
use super::print::{comment, declaration};
use super::syntax::{Expression, constant, range};
use crate::clock::valid_of;
use crate::{Netlist, Register};

/// Most registers that the header lists; of those without a comment it lists none.
const MOST_LISTED: usize = 24;

/// The lines of the header that say what the state is.
pub fn about(netlist: &Netlist) -> Vec<String> {
    if netlist.registers.is_empty() {
        return vec![];
    }
    let mut lines = vec![
        "State, with its value after a reset; operands that are taken (in_valid and en high) change it:".to_string(),
    ];
    let commented = netlist.registers.iter().filter(|register| !register.about.is_empty());
    lines.extend(commented.take(MOST_LISTED).map(|register| {
        let Register { name, width, reset, about, .. } = register;
        let range = if *width == 1 { String::new() } else { format!(" {}", range(*width)) };
        format!("  {name}{range} = {}: {about}", constant(reset, *width).text())
    }));
    let more = netlist.registers.len() + 1 - lines.len();
    lines.extend((more > 0).then(|| format!("  and {more} more, below")));
    lines
}

/// The registers of a segment, each under its comment.
pub fn declarations(segment: &Netlist) -> Vec<String> {
    if segment.registers.is_empty() {
        return vec![];
    }
    let range_width = segment.registers.iter().map(|register| range(register.width).len()).max().unwrap_or(0);
    let mut lines = vec!["// State".to_string()];
    for register in &segment.registers {
        if !register.about.is_empty() {
            lines.extend(comment(&format!("{}: {}", register.name, register.about)));
        }
        lines.push(declaration("reg ", range_width, register.width, &register.name) + ";");
    }
    lines.push(String::new());
    lines
}

/// What the registers of a segment hold after a clock edge.
pub fn clocked(segment: &Netlist, number: u32, expressions: &Expressions) -> Vec<String> {
    if segment.registers.is_empty() {
        return vec![];
    }
    let name_width = segment.registers.iter().map(|register| register.name.len()).max().unwrap_or(0);
    let take = |register: &Register, value: &Expression| {
        assignment(&format!("    {:name_width$}", register.name), "<=", value)
    };
    let reset = |register: &Register| take(register, &constant(&register.reset, register.width));
    let next = |register: &Register| take(register, &expressions.expression(register.next));
    let mut lines = vec!["// State: what these operands leave for the next ones".to_string()];
    lines.extend(["always @(posedge clk) begin".into(), "  if (!rst_n) begin".into()]);
    lines.extend(segment.registers.iter().flat_map(reset));
    lines.push(format!("  end else if (en && {}) begin", valid_of(number)));
    lines.extend(segment.registers.iter().flat_map(next));
    lines.extend(["  end".into(), "end".into(), String::new()]);
    lines
}
