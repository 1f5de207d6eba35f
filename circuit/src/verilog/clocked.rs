//! A clocked unit: segment by segment, with the state that is in it and, but for the last, a rank of registers behind it.

use super::expression::Expressions;
use super::layout::assignment;
use super::parts::{Library, divide};
use super::print::{Heading, assigns, declaration, ports, render, sections, unused_bits, unused_lines};
use super::state;
use super::syntax::range;
use crate::clock::{clock_ports, valid_name, valid_of};
use crate::naming::Names;
use crate::pipeline::{Pipeline, RankRegister};
use crate::{Netlist, Port};

/// The Verilog of a netlist with these ranks of registers, which may be none if it has registers of its own.
pub fn print_pipelined(netlist: &Netlist, pipeline: &Pipeline, heading: &Heading) -> String {
    let mut names = Names::of_unit(netlist, pipeline.stages);
    for register in &pipeline.registers {
        names.give(&register.name);
    }
    let mut lines = vec![];
    let mut unused = vec![];
    let mut library = Library::new(heading.name);
    for (rank, segment) in (1..).zip(&pipeline.segments) {
        let mut divided = divide(segment, None, &mut library);
        divided.give_names(&mut names);
        let segment = &divided.netlist;
        let (expressions, wires) = Expressions::new(segment, &mut names);
        lines.extend(state::declarations(segment));
        lines.extend(sections(&divided, &wires, &expressions));
        lines.extend(state::clocked(segment, rank - 1, &expressions));
        match rank {
            _ if rank <= pipeline.stages => lines.extend(registers_of(pipeline, rank, segment, &expressions)),
            _ => lines.extend(assigns(divided.outputs(), &expressions)),
        }
        unused.extend(unused_bits(segment, &expressions));
    }
    lines.push(format!("assign out_valid = {};", valid_of(pipeline.stages)));
    lines.extend(unused_lines(&unused));
    let list = port_list(netlist);
    let widest = list.iter().map(|(_, port)| port.name.len() + 1).max().unwrap_or(0);
    let about: Vec<String> = heading.about.iter().cloned().chain(state::about(netlist)).collect();
    render(&Heading { about: &about, ..*heading }, ports(&list, widest), lines, library.texts())
}

fn port_list(netlist: &Netlist) -> Vec<(&'static str, Port)> {
    let clocked = clock_ports(!netlist.registers.is_empty()).into_iter().map(|port| {
        let direction = if port.is_output { "output wire" } else { "input  wire" };
        (direction, Port { name: port.name.into(), width: 1, about: port.about.into() })
    });
    clocked.chain(super::print::port_list(netlist)).collect()
}

/// One rank: declarations, and what happens at a clock edge. `segment` is what lies before it.
fn registers_of(pipeline: &Pipeline, rank: u32, segment: &Netlist, expressions: &Expressions) -> Vec<String> {
    let registers: Vec<&RankRegister> = pipeline.registers.iter().filter(|register| register.rank == rank).collect();
    let valid = valid_name(rank);
    let valid_before = valid_of(rank - 1);
    let range_width = registers.iter().map(|register| range(register.width).len()).max().unwrap_or(0);
    let name_width = registers.iter().map(|register| register.name.len()).max().unwrap_or(0);
    let mut lines = vec![format!("// Registers, rank {rank} of {}", pipeline.stages)];
    lines.push(declaration("reg ", range_width, 1, &valid) + ";");
    let declared = |register: &&RankRegister| declaration("reg ", range_width, register.width, &register.name) + ";";
    lines.extend(registers.iter().map(declared));
    lines.push("always @(posedge clk) begin".into());
    lines.push(format!("  if (!rst_n) {valid} <= 1'b0;"));
    lines.push(format!("  else if (en) {valid} <= {valid_before};"));
    if !registers.is_empty() {
        lines.push("  if (en) begin".into());
        for (register, (_, next)) in registers.iter().zip(&segment.outputs) {
            let name = format!("    {:name_width$}", register.name);
            lines.extend(assignment(&name, "<=", &expressions.expression(*next)));
        }
        lines.push("  end".into());
    }
    lines.extend(["end".into(), String::new()]);
    lines
}
