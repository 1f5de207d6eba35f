//! Registers around a unit, so that pins are no part of the paths that are measured.

use binade_generator::GeneratedUnit;
use binade_generator::verilog::{CLOCK_PORTS, port_name};
use std::fmt::Write;

/// Name of the module.
pub const SHELL: &str = "shell";

/// A port of the unit: its name, whether it is an output, its width.
type Port = (String, bool, u32);

/// Verilog of a module with the unit between a register at each input and output.
pub fn shell(unit: &GeneratedUnit) -> String {
    let ports = ports(unit);
    let mut text = format!("module {SHELL} (\n  input wire clk");
    for (place, (_, is_output, width)) in ports.iter().enumerate() {
        let direction = if *is_output { "output reg" } else { "input wire" };
        write!(text, ",\n  {direction} [{}:0] p{place}", width - 1).expect("text grows");
    }
    text += "\n);\n";
    let mut connections: Vec<String> = unit.pipeline.iter().map(|_| ".clk(clk)".to_string()).collect();
    for (place, (name, is_output, width)) in ports.iter().enumerate() {
        let (kind, from, to) = if *is_output {
            ("wire", format!("q{place}"), format!("p{place}"))
        } else {
            ("reg", format!("p{place}"), format!("q{place}"))
        };
        writeln!(text, "  {kind} [{}:0] q{place};\n  always @(posedge clk) {to} <= {from};", width - 1)
            .expect("text grows");
        connections.push(format!(".{} (q{place})", port_name(name).trim_end()));
    }
    text + &format!("  {} unit ({});\nendmodule\n", unit.module, connections.join(", "))
}

fn ports(unit: &GeneratedUnit) -> Vec<Port> {
    let clocked = unit.pipeline.iter().flat_map(|_| CLOCK_PORTS).filter(|port| port.name != "clk");
    let clocked = clocked.map(|port| (port.name.to_string(), port.is_output, 1));
    let inputs = unit.netlist.inputs.iter().map(|port| (port.name.clone(), false, port.width));
    let outputs = unit.netlist.outputs.iter().map(|(port, _)| (port.name.clone(), true, port.width));
    clocked.chain(inputs).chain(outputs).collect()
}
