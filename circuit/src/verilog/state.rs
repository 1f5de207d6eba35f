//! Registers of the state: what the header says of them, their declarations, and what happens to them at a clock edge.

use super::expression::{Expressions, constant};
use super::print::{declaration, range};
use crate::clock::valid_of;
use crate::{Netlist, Register};

/// The lines of the header that say what the state is.
pub fn about(netlist: &Netlist) -> Vec<String> {
    if netlist.registers.is_empty() {
        return vec![];
    }
    let mut lines = vec![
        "State, with its value after a reset; operands that are taken (in_valid and en high) change it:".to_string(),
    ];
    lines.extend(netlist.registers.iter().map(|register| {
        let Register { name, width, reset, about, .. } = register;
        let range = if *width == 1 { String::new() } else { format!(" {}", range(*width)) };
        format!("  {name}{range} = {}: {about}", constant(reset, *width))
    }));
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
        lines.extend((!register.about.is_empty()).then(|| format!("// {}: {}", register.name, register.about)));
        lines.push(declaration("reg ", range_width, register.width, &register.name));
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
    let take = |register: &Register, value: &str| format!("    {:name_width$} <= {value};", register.name);
    let resets = segment.registers.iter().map(|register| take(register, &constant(&register.reset, register.width)));
    let nexts = segment.registers.iter().map(|register| take(register, &expressions.driver(register.next)));
    let mut lines = vec!["// State: what these operands leave for the next ones".to_string()];
    lines.extend(["always @(posedge clk) begin".into(), "  if (!rst_n) begin".into()]);
    lines.extend(resets);
    lines.push(format!("  end else if (en && {}) begin", valid_of(number)));
    lines.extend(nexts);
    lines.extend(["  end".into(), "end".into(), String::new()]);
    lines
}
