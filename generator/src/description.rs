//! What a generated unit is called and how it describes itself.

use binade_golden::{Operation, Overflow, Port, Rounding, Unit};

/// Name of the module and its files: every setting that changes the logic, in one order.
pub fn module_name(operation: &Operation) -> String {
    let (operand, result) = (operation.operand.identifier(), operation.result.identifier());
    let formats = match operation.unit {
        Unit::Decode => format!("decode_{operand}"),
        Unit::Encode => format!("encode_{result}"),
        Unit::Convert => format!("convert_{operand}_to_{result}"),
        Unit::Mul => format!("mul_{operand}"),
        Unit::Add => format!("add_{operand}"),
        Unit::Fmac => format!("fmac_{operand}_acc_{result}"),
        Unit::Mac => format!("mac_{operand}_acc_{result}"),
    };
    let overflow = match operation.overflow {
        Overflow::Inf => "",
        Overflow::Saturate => "_saturate",
        Overflow::Propagate => "_propagate",
    };
    format!("{formats}_{}{overflow}", operation.rounding)
}

/// The options that select this operation, defaults spelled out.
pub fn arguments(operation: &Operation) -> Vec<String> {
    let named = match operation.unit {
        Unit::Encode => operation.result,
        Unit::Decode | Unit::Convert | Unit::Mul | Unit::Add | Unit::Fmac | Unit::Mac => operation.operand,
    };
    let mut arguments = vec!["--format".into(), named.to_string(), "--unit".into(), operation.unit.to_string()];
    match operation.unit {
        Unit::Fmac | Unit::Mac => arguments.extend(["--acc".into(), operation.result.to_string()]),
        Unit::Convert => arguments.extend(["--to".into(), operation.result.to_string()]),
        Unit::Decode | Unit::Encode | Unit::Mul | Unit::Add => {}
    }
    let policies = [("--round", operation.rounding.name()), ("--overflow", operation.overflow.name())];
    arguments.extend(policies.iter().flat_map(|(option, value)| [option.to_string(), value.to_string()]));
    arguments
}

/// The command that writes this unit's Verilog.
pub fn command(operation: &Operation) -> String {
    format!("binade gen {}", arguments(operation).join(" "))
}

/// What the unit computes, as lines for the header of its Verilog.
pub fn about(operation: &Operation) -> Vec<String> {
    let formula = match operation.unit {
        Unit::Decode | Unit::Encode | Unit::Convert => "y = x",
        Unit::Mul => "y = a * b",
        Unit::Add => "y = a + b",
        Unit::Fmac => "y = a * b + c",
        Unit::Mac => "y = (a * b) + c",
    };
    let times = if operation.unit == Unit::Mac { "twice, " } else { "once, " };
    let rounding = match operation.rounding {
        Rounding::Rne => "to nearest, ties to even",
        Rounding::Rna | Rounding::Rnu => "to nearest, ties away from zero",
        Rounding::Rtz => "toward zero",
        Rounding::Rup => "toward +infinity",
        Rounding::Rdn => "toward -infinity",
        Rounding::Rto => "to odd",
    };
    let overflow = match operation.overflow {
        Overflow::Inf => "overflow to infinity (or what the format has in its place)",
        Overflow::Saturate => "overflow and infinities to the largest finite value",
        Overflow::Propagate => "overflow to the largest finite value, infinities stay",
    };
    let mut lines =
        vec![format!("{formula}, rounded {times}{rounding}; {overflow}."), "Latency 0: combinational.".into()];
    lines.extend(format_lines(&operation.inputs(), operation.output()));
    lines
}

/// One line a format: the ports that have it, and what it is.
fn format_lines(inputs: &[Port], output: Port) -> Vec<String> {
    let mut ports = inputs.to_vec();
    ports.push(output);
    let mut lines: Vec<String> = vec![];
    while let Some(first) = ports.first().copied() {
        let (same, other): (Vec<Port>, Vec<Port>) = ports.into_iter().partition(|port| port.format == first.format);
        let names: Vec<&str> = same.iter().map(|port| port.name).collect();
        lines.push(format!("{}: {}, {}", names.join(", "), first.format, first.format.summary()));
        ports = other;
    }
    lines
}
