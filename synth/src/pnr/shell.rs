//! Registers around a unit, so that a unit with more bits than the device has pins fits, and no pin is part of a measured path.
//!
//! ```text
//!   serial_in -> operands (shift register) -> unit -> results -> folding (shift and xor) -> folded
//! ```
//!
//! Every path into the unit starts at a register, and every path out of it ends at one. The shell's own paths are a wire (`operands`) or
//! one LUT (`folding`), which is less than any unit. All ports of a clocked unit except the clock are also shifted in and folded out.

use binade_circuit::Language;
use binade_generator::GeneratedUnit;

/// Name of the module.
pub const SHELL: &str = "shell";

/// A port of the unit.
struct Port {
    name: String,
    width: u32,
}

/// Verilog of the module `shell` with the unit in it.
pub fn shell(unit: &GeneratedUnit) -> String {
    let [inputs, outputs] = ports(unit);
    let (operands, results) = (bits(&inputs), bits(&outputs));
    let clock = unit.design.is_clocked().then(|| format!(".{} (clk)", clock(unit)));
    let connections = clock.into_iter().chain(connect(&inputs, "operands")).chain(connect(&outputs, "computed"));
    let connections = connections.collect::<Vec<_>>().join(",\n    ");
    let (module, last_operand, last_result) = (&unit.module, operands - 1, results - 1);
    format!(
        "\
// {module} between registers: operands are shifted in, results are folded to one bit.
module {SHELL} (
  input  wire clk,
  input  wire serial_in,
  output wire folded
);
  reg  [{last_operand}:0] operands;
  wire [{last_result}:0] computed;
  reg  [{last_result}:0] results;
  reg  [{last_result}:0] folding;

  // The top bits of the shifted words fall off.
  always @(posedge clk) begin
    operands <= {{operands, serial_in}};
    results  <= computed;
    folding  <= {{folding, 1'b0}} ^ results;
  end
  assign folded = folding[{last_result}];

  {module} unit (
    {connections}
  );
endmodule
"
    )
}

/// The input and output ports, without the clock.
fn ports(unit: &GeneratedUnit) -> [Vec<Port>; 2] {
    let named = |port: binade_circuit::Port| Port {
        name: Language::Verilog.identifier(&port.name).trim_end().to_string(),
        width: port.width,
    };
    let without_clock = unit.ports().into_iter().filter(|(_, port)| port.name != clock(unit));
    let (outputs, inputs): (Vec<_>, Vec<_>) = without_clock.partition(|(is_output, _)| *is_output);
    [inputs, outputs].map(|ports| ports.into_iter().map(|(_, port)| named(port)).collect())
}

/// The name of the clock, if there is one.
fn clock(unit: &GeneratedUnit) -> &'static str {
    unit.design.interface.controls().map_or("clk", |controls| controls.clock)
}

fn bits(ports: &[Port]) -> u32 {
    ports.iter().map(|port| port.width).sum()
}

/// Connects the ports to the bits of `word`, from bit 0 up.
fn connect(ports: &[Port], word: &str) -> impl Iterator<Item = String> {
    let connection = move |low: &mut u32, port: &Port| {
        let (first, next) = (*low, *low + port.width);
        *low = next;
        Some(format!(".{} ({word}[{}:{first}])", port.name, next - 1))
    };
    ports.iter().scan(0, connection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_generator::{Design, generate};
    use binade_spec::{Selection, Unit};

    fn small(stages: u32) -> GeneratedUnit {
        let operation = Selection::new(Unit::Mul, "e2m1f".parse().unwrap()).operation().unwrap();
        generate(Design::pipelined(operation, stages))
    }

    #[test]
    fn a_combinational_unit_has_registers_around_it() {
        let text = shell(&small(0));
        assert!(text.contains("reg  [7:0] operands;\n  wire [3:0] computed;"), "{text}");
        let instance =
            "  mul_e2m1f_rne unit (\n    .a (operands[3:0]),\n    .b (operands[7:4]),\n    .y (computed[3:0])\n  );";
        assert!(text.contains(instance), "{text}");
    }

    #[test]
    fn the_handshake_of_a_clocked_unit_is_shifted_in_and_folded_out() {
        let text = shell(&small(2));
        let ports = [
            ".clk (clk)",
            ".rst_n (operands[0:0])",
            ".en (operands[1:1])",
            ".in_valid (operands[2:2])",
            ".a (operands[6:3])",
            ".b (operands[10:7])",
            ".out_valid (computed[0:0])",
            ".y (computed[4:1])",
        ];
        assert!(text.contains(&ports.join(",\n    ")), "{text}");
    }
}
