//! What a generated unit is called and how it describes itself.

use crate::Design;
use binade_circuit::{Optimize, pipeline::Pipeline};
use binade_spec::{Format, Operation, Overflow, PositRange, Rounding, Tininess, Unit};

/// Name of the module and its files: every setting that changes the logic, in one order.
pub fn module_name(design: &Design) -> String {
    let mut parts = operation_name(&design.operation);
    if design.optimize == Optimize::Depth {
        parts.push("depth".into());
    }
    if design.stages > 0 {
        parts.push(format!("p{}", design.stages));
    }
    parts.join("_")
}

/// The parts of the name that say what the unit computes.
fn operation_name(operation: &Operation) -> Vec<String> {
    let (operand, result) = (operation.operand.identifier(), operation.result.identifier());
    let mut parts = vec![match operation.unit {
        Unit::Decode => format!("decode_{operand}"),
        Unit::Encode => format!("encode_{result}"),
        Unit::Convert => format!("convert_{operand}_to_{result}"),
        Unit::Mul => format!("mul_{operand}"),
        Unit::Add => format!("add_{operand}"),
        Unit::Fmac => format!("fmac_{operand}_acc_{result}"),
        Unit::Mac => format!("mac_{operand}_acc_{result}"),
        Unit::PositDecoder => return vec![format!("posit_decoder_{operand}")],
        Unit::PositEncoder => format!("posit_encoder_{operand}"),
    }];
    if let Some(output) = operation.output {
        parts.push(format!("out_{}", output.format.identifier()));
        parts.extend(output.relu.then(|| "relu".into()));
    }
    parts.push(operation.rounding.to_string());
    match operation.overflow {
        Overflow::Inf => {}
        Overflow::Saturate | Overflow::Propagate => parts.push(operation.overflow.to_string()),
    }
    match operation.posit_range {
        PositRange::Saturate => {}
        PositRange::Float => parts.push("float_range".into()),
    }
    match operation.flags {
        None => {}
        Some(Tininess::After) => parts.push("flags".into()),
        Some(Tininess::Before) => parts.push("flags_before".into()),
    }
    parts
}

/// The options that select this design, defaults spelled out where they matter.
pub fn arguments(design: &Design) -> Vec<String> {
    let operation = &design.operation;
    let named = if operation.unit == Unit::Encode { operation.result } else { operation.operand };
    let mut words = vec![("--format", named.to_string()), ("--unit", operation.unit.to_string())];
    match operation.unit {
        Unit::Fmac | Unit::Mac => words.push(("--acc", operation.result.to_string())),
        Unit::Convert => words.push(("--to", operation.result.to_string())),
        _ => {}
    }
    if let Some(output) = operation.output {
        words.push(("--out", output.format.to_string()));
        words.extend(output.relu.then(|| ("--activation", "relu".into())));
    }
    if operation.unit != Unit::PositDecoder {
        words.push(("--round", operation.rounding.to_string()));
    }
    let results = [Some(operation.result), operation.output.map(|output| output.format)];
    if results.into_iter().flatten().any(|format| format.float().is_some()) {
        words.push(("--overflow", operation.overflow.to_string()));
    }
    if operation.posit_range != PositRange::default() {
        words.push(("--posit-range", operation.posit_range.to_string()));
    }
    let mut arguments: Vec<String> =
        words.into_iter().flat_map(|(option, value)| [option.to_string(), value]).collect();
    if let Some(tininess) = operation.flags {
        arguments.extend(["--flags", "--tininess", tininess.name()].map(String::from));
    }
    if design.optimize != Optimize::default() {
        arguments.extend(["--optimize".into(), design.optimize.to_string()]);
    }
    if design.stages > 0 {
        arguments.extend(["--stages".into(), design.stages.to_string()]);
    }
    arguments
}

/// The command that writes this unit's Verilog.
pub fn command(design: &Design) -> String {
    format!("binade gen {}", arguments(design).join(" "))
}

/// What the unit computes, as lines for the header of its Verilog.
pub fn about(design: &Design, pipeline: Option<&Pipeline>) -> Vec<String> {
    let operation = &design.operation;
    let mut lines = computes(operation);
    lines.extend(operation.flags.map(|tininess| format!("flags: IEEE 754, tininess detected {tininess} rounding.")));
    match pipeline {
        None => lines.push("Latency 0: combinational.".into()),
        Some(pipeline) => lines.extend(latency(pipeline)),
    }
    lines.extend(format_lines(operation));
    lines
}

fn latency(pipeline: &Pipeline) -> [String; 2] {
    let stages = pipeline.stages;
    let cycles = match stages {
        1 => "one clock cycle".into(),
        _ => format!("{stages} clock cycles"),
    };
    let levels: Vec<String> = pipeline.levels().iter().map(|levels| format!("{levels:.1}")).collect();
    [
        format!(
            "Latency {stages}: results come {cycles} (with en high) after their operands; operands are taken in every cycle."
        ),
        format!(
            "Estimated levels of lookup tables before, between and behind the registers: {}; {} register bits.",
            levels.join(", "),
            pipeline.register_bits()
        ),
    ]
}

fn computes(operation: &Operation) -> Vec<String> {
    let times = if operation.unit == Unit::Mac { "twice" } else { "once" };
    let result = format!("rounded {times}, {}; {}.", rounding(operation.rounding), beyond(operation));
    let formula = match operation.unit {
        Unit::Decode | Unit::Encode | Unit::Convert => "y = x",
        Unit::Mul => "y = a * b",
        Unit::Add => "y = a + b",
        Unit::Fmac => "y = a * b + c",
        Unit::Mac => "y = (a * b) + c",
        Unit::PositDecoder => {
            return vec![
                "x = (-1)^sign * significand * 2^exponent, where the significand's top bit counts 1.".into(),
                "Of zero and NaR the significand is 0, the exponent that of a regime of zeros.".into(),
            ];
        }
        Unit::PositEncoder => {
            return vec![
                "y = (-1)^sign * significand * 2^exponent, where the significand's top bit counts 1, whatever it is;"
                    .into(),
                "nar goes before zero, zero before the number. The last significand bits are below those of the posit,"
                    .into(),
                format!("sticky is below them. {}", capitalised(&result)),
            ];
        }
    };
    let mut lines = vec![format!("{formula}, {result}")];
    lines.extend(operation.output.map(|output| {
        let activated = if output.relu { "max(y, 0)" } else { "y" };
        let conversion = operation.output_conversion(&output);
        format!("out = {activated}, rounded {}; {}.", rounding(conversion.rounding), beyond(&conversion))
    }));
    lines
}

fn capitalised(sentence: &str) -> String {
    sentence[..1].to_uppercase() + &sentence[1..]
}

fn rounding(rounding: Rounding) -> String {
    match rounding {
        Rounding::Rne => "to nearest, ties to even".into(),
        Rounding::Rna | Rounding::Rnu => "to nearest, ties away from zero".into(),
        Rounding::Rtz => "toward zero".into(),
        Rounding::Rup => "toward +infinity".into(),
        Rounding::Rdn => "toward -infinity".into(),
        Rounding::Rto => "to odd".into(),
        Rounding::Sr(bits) => format!("stochastically with {bits} random bits"),
        Rounding::Mptorch => "as the MPTorch software does".into(),
    }
}

/// What becomes of results beyond the range of the result format.
fn beyond(operation: &Operation) -> &'static str {
    match (operation.result, operation.overflow, operation.posit_range) {
        (Format::Posit(_), _, PositRange::Saturate) => "never to zero or NaR",
        (Format::Posit(_), _, PositRange::Float) => "zero below minpos/2, NaR above maxpos",
        (Format::Float(_), Overflow::Inf, _) => match operation.rounding {
            Rounding::Rtz => "overflow to the largest finite value",
            Rounding::Rup | Rounding::Rdn | Rounding::Rto => {
                "overflow as the direction says, to the largest finite value or infinity (or what the format has for it)"
            }
            _ => "overflow to infinity (or what the format has in its place)",
        },
        (Format::Float(_), Overflow::Saturate, _) => "overflow and infinities to the largest finite value",
        (Format::Float(_), Overflow::Propagate, _) => "overflow to the largest finite value, infinities stay",
    }
}

/// One line a format: the ports that have it, and what it is.
fn format_lines(operation: &Operation) -> Vec<String> {
    let ports = operation.inputs().into_iter().chain(operation.outputs());
    let mut coded: Vec<(&str, Format)> = ports.filter_map(|port| Some((port.name, port.format()?))).collect();
    let mut lines: Vec<String> = vec![];
    while let Some(&(_, format)) = coded.first() {
        let (same, other): (Vec<_>, Vec<_>) = coded.into_iter().partition(|(_, other)| *other == format);
        let names: Vec<&str> = same.iter().map(|(name, _)| *name).collect();
        lines.push(format!("{}: {format}, {}", names.join(", "), format.summary()));
        coded = other;
    }
    lines
}
