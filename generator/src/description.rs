//! The names and headers of generated units.

use crate::Design;
use binade_circuit::{Interface, Language, pipeline::Pipeline};
use binade_spec::contract::Pace;
use binade_spec::{
    Float, Format, Formula, Meaning, Nan, NanResult, Operation, Output, Overflow, Port, PositRange, Rounding, Setting,
    Sign, Summation, Target, Term, TermId, Unit,
};
use std::collections::HashSet;

/// Name of the module and its files: the user's, or every setting that changes the logic, in one order.
pub fn module_name(design: &Design) -> String {
    if let Some(name) = design.name {
        return name.to_string();
    }
    design.operation.module_name() + &design.suffix()
}

/// The options that select this design. Defaults that matter are spelled out.
pub fn arguments(design: &Design) -> Vec<String> {
    let is_flag = |key| Setting::ALL.into_iter().any(|setting| setting.is_flag() && setting.key() == key);
    let words = design.operation.words().into_iter().chain(design.words());
    let option = |(key, word)| [Some(format!("--{key}")), Some(word).filter(|_| !is_flag(key))];
    words.flat_map(option).flatten().collect()
}

/// The command that writes this unit's Verilog.
pub fn command(design: &Design) -> String {
    command_in(design, Language::Verilog)
}

/// The command that writes this unit in a language.
pub fn command_in(design: &Design, language: Language) -> String {
    let option = if language == Language::default() { String::new() } else { format!(" --language {language}") };
    format!("binade gen {}{option}", arguments(design).join(" "))
}

/// The command that checks this unit: a proof, or vectors where no proof is built, of states that are not formulas.
pub fn check(design: &Design) -> String {
    let command = match design.operation.meaning() {
        Meaning::Formula(_) => "prove",
        _ if design.operation.registers().is_empty() => "prove",
        _ => "verify",
    };
    format!("binade {command} {}", arguments(design).join(" "))
}

/// What the unit computes, as lines for the header of its Verilog.
pub fn about(design: &Design, pipeline: Option<&Pipeline>) -> Vec<String> {
    let operation = &design.operation;
    let mut lines = computes(operation);
    if operation.summation().is_some_and(Summation::is_inexact_silent) {
        lines.extend(
            operation.flags.map(|_| "flags: invalid and overflow (IEEE 754); underflow and inexact are 0.".into()),
        );
    } else if operation.unit.takes(Setting::Tininess) {
        let tininess = |tininess| format!("flags: IEEE 754, tininess detected {tininess} rounding.");
        lines.extend(operation.flags.map(tininess));
    }
    match (design.interface, pipeline) {
        (Interface::Plain, _) if design.digits_per_clock > 0 => {
            let (clocks, digits) = (design.pace().latency, design.digits_per_clock);
            let each = if digits == 1 { "a digit".into() } else { format!("{digits} digits") };
            lines.push(format!("{} of the result in each clock cycle.", capitalised(&each)));
            lines.push(format!(
                "Latency {clocks}: results leave {clocks} enabled clock cycles (en high) after their operands. Initiation interval {clocks}: operands"
            ));
            lines.push("that come sooner replace those before them, which then have no results.".into());
        }
        (Interface::Plain, None) => lines.push("Latency 0: combinational.".into()),
        (Interface::Plain, Some(pipeline)) => {
            lines.push(latency(pipeline, if operation.array().is_some() { "step" } else { "operands" }));
        }
        (Interface::ReadyValid, _) => lines.extend(handshake(design, "valid and ready", "in_ready")),
        (Interface::AxiStream, _) => lines.extend(handshake(design, "AMBA AXI4-Stream", "s_axis_tready")),
    }
    lines.extend(pipeline.iter().flat_map(|pipeline| levels(pipeline, design.interface)));
    let mut lines = joined(lines);
    lines.extend(format_lines(operation));
    lines
}

/// The lines, each with those that go on with its sentence.
fn joined(lines: Vec<String>) -> Vec<String> {
    let is_whole = |line: &str| line.ends_with(['.', ':']) || line.starts_with(' ');
    let mut all: Vec<String> = vec![];
    for line in lines {
        match all.last_mut() {
            Some(last) if !is_whole(last) && !line.starts_with(' ') => *last += &format!(" {line}"),
            _ => all.push(line),
        }
    }
    all
}

/// The lines about the shell.
fn handshake(design: &Design, words: &str, ready: &str) -> Vec<String> {
    let Pace { latency, interval } = design.pace();
    let when = match latency {
        0 => "in the clock cycle of their operands".into(),
        1 => "one clock cycle after their operands".into(),
        _ => format!("{latency} clock cycles after their operands"),
    };
    let mut lines = vec![
        format!("Handshake: {words}; a transfer takes place at a rising edge at which both valid and ready are high."),
        format!("Results leave in order, {when} unless stalled; {}.", rate(interval)),
        format!("{ready} comes from a register: there is no combinational path to it."),
    ];
    if design.interface == Interface::AxiStream {
        lines.push(
            "tdata holds all operands or all results, each in the fewest whole bytes, the first one lowest; bits above an \
             operand are ignored, and bits above a result are 0."
                .into(),
        );
    }
    lines
}

/// How often results can leave.
fn rate(interval: u32) -> String {
    if interval == 1 { "one per clock cycle".into() } else { format!("one in {interval} clock cycles") }
}

/// The time at which results leave, after their operands or, for an array, after the step in which they are due.
fn latency(pipeline: &Pipeline, after: &str) -> String {
    let stages = pipeline.stages;
    let when = match stages {
        0 => format!("in the clock cycle of their {after}"),
        1 => format!("one enabled clock cycle (en high) after their {after}"),
        _ => format!("{stages} enabled clock cycles (en high) after their {after}"),
    };
    format!("Latency {stages}: results leave {when}; one per clock cycle.")
}

/// The estimated lengths of the paths, and their limit.
fn levels(pipeline: &Pipeline, interface: Interface) -> Vec<String> {
    let levels: Vec<String> = pipeline.levels().iter().map(|levels| format!("{levels:.1}")).collect();
    let paths = if levels.len() == 1 { "" } else { " before, between and after the registers" };
    let without = if interface == Interface::Plain { "" } else { " without those of the handshake" };
    let mut lines = vec![format!(
        "Estimated lookup table levels{paths}: {}; {} register bits{without}.",
        levels.join(", "),
        pipeline.register_bits()
    )];
    lines.extend(pipeline.limit().map(|limit| format!("{}.", capitalised(&limit))));
    lines
}

/// What an operation computes, as lines for the header of its Verilog: the formula and its roundings, or a description if there
/// is no formula.
///
/// # Panics
/// If a unit without a formula has no description.
pub fn computes(operation: &Operation) -> Vec<String> {
    if let Some(bits) = operation.boxing {
        let mut lines = computes(&operation.unboxed());
        lines.push(format!(
            "Codes are NaN-boxed in {bits} bits: the bits above a result are ones, and an operand with a 0 above its code is"
        ));
        lines.push("the canonical NaN (RISC-V, section NaN Boxing of Narrower Values).".into());
        return lines;
    }
    if operation.has_choices() {
        return computes_chosen(operation);
    }
    if operation.has_internal_random {
        return [computes(&operation.with_random_port()), operation.about_random()].concat();
    }
    let Meaning::Formula(formula) = operation.meaning() else {
        return operation.about().expect("a unit that is no formula says what it computes");
    };
    let outputs: Vec<&[TermId]> =
        formula.outputs().iter().map(Output::codes).filter(|codes| !codes.is_empty()).collect();
    let results = &outputs[..outputs.len() - usize::from(operation.output.is_some())];
    // All lanes of a port have the same formula.
    let mut within: Vec<TermId> = results.iter().flat_map(|codes| formula.within(codes[0])).collect();
    within.sort_unstable();
    within.dedup();
    let times = match within.iter().filter(|id| formula.terms()[id.0].target().is_some()).count() {
        0 => return operation.about().expect("a unit that rounds nothing says what it computes"),
        1 => "once".into(),
        2 => "twice".into(),
        count => format!("{count} times"),
    };
    let target = result_target(operation).unwrap_or(operation.target());
    let of_range = beyond_result(operation, &target);
    let result = match converts_exactly(operation, &target) {
        true => format!("exact{of_range}."),
        false => format!("rounded {times}, {}{of_range}.", rounding(target.rounding)),
    };
    let mut lines = match operation.about() {
        Some(mut lines) => {
            lines.last_mut().into_iter().for_each(|line| *line += &format!(" {}", capitalised(&result)));
            lines
        }
        None => vec![format!("y = {}, {result}", formula.text(&operation.inputs(), outputs[0][0]))],
    };
    lines.extend(operation.output_target().map(|target| {
        let activation = operation.output.and_then(|output| output.activation);
        let ports = operation.outputs();
        let [y, out] = [0, 1].map(|port: usize| ports[port].name);
        let activated = activation.map_or(y.into(), |activation| activation.text(y));
        format!("{out} = {activated}, rounded {}; {}.", rounding(target.rounding), beyond(&target))
    }));
    lines
}

/// The same for a unit whose port `fmt` chooses the formats.
fn computes_chosen(operation: &Operation) -> Vec<String> {
    let choices = operation.choices();
    let mut lines = computes(&choices[0]);
    let beyond: Vec<String> =
        choices.iter().map(|choice| beyond_result(choice, &result_target(choice).unwrap_or(choice.target()))).collect();
    let is_same = beyond.iter().all(|of_choice| *of_choice == beyond[0]);
    if !is_same {
        lines.iter_mut().for_each(|line| *line = line.replace(&beyond[0], ""));
    }
    lines.push(
        "Port fmt chooses the formats of each operation; a narrower code has the lowest bits of its lane, and the"
            .into(),
    );
    lines.push("bits above are ignored in operands and 0 in results:".into());
    for (value, choice) in choices.iter().enumerate() {
        let above = if value + 1 == choices.len() && !choices.len().is_power_of_two() { " or more" } else { "" };
        let ports = choice.inputs().into_iter().chain(choice.outputs());
        let coded: Vec<(&str, Format)> = ports.filter_map(|port| Some((port.name, port.format()?))).collect();
        let formats: Vec<String> =
            by_format(&coded).iter().map(|(names, format)| format!("{names}: {format}")).collect();
        let beyond = if is_same { "" } else { &beyond[value] };
        lines.push(format!("  fmt {value}{above}: {}{beyond}", formats.join("; ")));
    }
    lines.push("Inside, numbers may be scaled by powers of two: the titles of sections name formats with the biases that they have there.".into());
    lines
}

/// The names of the ports of each format, in order.
fn by_format(coded: &[(&str, Format)]) -> Vec<(String, Format)> {
    let mut all: Vec<(String, Format)> = vec![];
    for &(name, format) in coded {
        match all.iter_mut().find(|(_, known)| *known == format) {
            Some((names, _)) => *names += &format!(", {name}"),
            None => all.push((name.into(), format)),
        }
    }
    all
}

fn capitalised(sentence: &str) -> String {
    sentence[..1].to_uppercase() + &sentence[1..]
}

/// A rounding in words: `to nearest, ties to even`.
pub fn rounding(rounding: Rounding) -> String {
    match rounding {
        Rounding::Rne => "to nearest, ties to even".into(),
        Rounding::Rna | Rounding::Rnu => "to nearest, ties away from zero".into(),
        Rounding::Rtz => "toward zero".into(),
        Rounding::Rup => "toward +infinity".into(),
        Rounding::Rdn => "toward -infinity".into(),
        Rounding::Rto => "to odd".into(),
        Rounding::Sr(bits) => format!("stochastically with {bits} random bits"),
        Rounding::Srb(bits) => format!("stochastically with {bits} random bits, the fraction to nearest with ties up"),
        Rounding::Src(bits) => {
            format!("stochastically with {bits} random bits, the fraction to nearest with ties to even")
        }
        Rounding::Mptorch => "as the MPTorch software does".into(),
        Rounding::Any => "in the direction that rm chooses".into(),
    }
}

/// The target of the first result, if the unit rounds it.
fn result_target(operation: &Operation) -> Option<Target> {
    let Meaning::Formula(formula) = operation.meaning() else { return None };
    formula.terms()[first_result(&formula)?.0].target().copied()
}

/// The first result of a formula.
fn first_result(formula: &Formula) -> Option<TermId> {
    formula.outputs().iter().find_map(|output| output.codes().first().copied())
}

/// The same for the result of a unit, after a semicolon; nothing for blocks, whose description says it, and where nothing overflows.
fn beyond_result(operation: &Operation, target: &Target) -> String {
    let beyond = beyond(target);
    let without_infinities = beyond.strip_prefix("overflow and infinities ");
    match operation.unit {
        Unit::MxQuantize => String::new(),
        _ if !overflows(operation, target) && beyond.starts_with("overflow") && !beyond.contains("below zero") => {
            let infinities = beyond.find("infinities to ").filter(|_| has_infinite_operand(operation));
            infinities.map_or(String::new(), |at| format!("; {}", &beyond[at..]))
        }
        Unit::Mul | Unit::Add | Unit::Sub | Unit::Fmac | Unit::Dot | Unit::MxDot
            if !has_infinite_operand(operation) =>
        {
            format!("; {}", without_infinities.map_or(beyond.clone(), |to| format!("overflow {to}")))
        }
        _ => format!("; {beyond}"),
    }
}

/// Whether the unit converts codes into a format that has all of their numbers, and infinities if they have.
fn converts_exactly(operation: &Operation, target: &Target) -> bool {
    let (Format::Float(from), Format::Float(to)) = (operation.operand, target.format) else { return false };
    let lowest = |float: Float| match float.underflows_gradually() {
        true => float.min_exponent(),
        false => float.min_exponent() - i64::from(float.trailing_bits),
    };
    let has_infinities = to.infinity_code().is_some() || from.infinity_code().is_none();
    let has_sign = to.sign == Sign::Signed || from.sign == to.sign;
    rounded_term(operation).is_some_and(|term| matches!(term, Term::Operand { .. }))
        && from.precision() <= to.precision()
        && has_sign
        && has_infinities
        && Format::from(from).largest_exponent() < Format::from(to).largest_exponent()
        && to.underflows_gradually()
        && lowest(from) >= lowest(to)
}

/// Whether a finite result can be beyond the range of its format, as far as the formula tells.
fn overflows(operation: &Operation, target: &Target) -> bool {
    let Some(term) = rounded_term(operation) else { return true };
    let largest = target.format.largest_exponent();
    // Codes of a narrower format are values of one that has their infinities and signs.
    let has_all = target.format.infinity_code().is_some() && target.format.sign() == Sign::Signed;
    let is_within = operation.operand == target.format || has_all && operation.operand.largest_exponent() < largest;
    match term {
        // A root is smaller than the operand, or than 1.
        Term::Root { is_reciprocal: false, .. } | Term::Operand { .. } => {
            !is_within && !converts_exactly(operation, target)
        }
        Term::Function { function, .. } => !function.is_bounded() || largest <= 0,
        _ => true,
    }
}

/// What the first result is, before it is rounded.
fn rounded_term(operation: &Operation) -> Option<Term> {
    let Meaning::Formula(formula) = operation.meaning() else { return None };
    match formula.terms()[first_result(&formula)?.0] {
        Term::Round { of, .. } | Term::Convert { of, .. } => Some(formula.terms()[of.0].clone()),
        _ => None,
    }
}

fn has_infinite_operand(operation: &Operation) -> bool {
    let has_infinity = |format: Format| format.infinity_code().is_some();
    operation.inputs().iter().filter_map(Port::format).any(has_infinity)
}

/// The treatment of results beyond the range of the result format.
fn beyond(target: &Target) -> String {
    match (target.format, target.overflow) {
        (Format::Float(float), Overflow::Inf | Overflow::ToInfinity) => beyond_range(&float, target),
        (Format::Float(float), Overflow::Propagate) => match (far(&float), float.infinity_code()) {
            (None, _) => beyond_otherwise(target).into(),
            (Some(_), Some(_)) => "overflow to the largest finite value, infinities stay".into(),
            (Some(nan), None) => format!("overflow to the largest finite value, infinities to {nan}"),
        },
        _ => beyond_otherwise(target).into(),
    }
}

/// The treatment of results beyond the range of a float whose results do not saturate.
fn beyond_range(float: &Float, target: &Target) -> String {
    let Some(infinity) = far(float) else {
        let below = match (float.sign, float.nan) {
            (Sign::Signed, _) | (_, Nan::None) => "",
            (Sign::Unsigned, _) => ", results below zero to NaN, or to 0 if they round to it",
        };
        return format!("overflow and infinities to the largest finite value{below}");
    };
    let is_far = target.overflow == Overflow::ToInfinity;
    match target.rounding {
        Rounding::Rtz if !is_far => "overflow to the largest finite value".into(),
        Rounding::Rup | Rounding::Rdn | Rounding::Rto | Rounding::Any if !is_far => {
            format!("overflow as the rounding requires, to the largest finite value or {infinity}")
        }
        _ if infinity == "infinity" => "overflow to infinity".into(),
        _ => format!("overflow and infinities to {infinity}"),
    }
}

/// What an infinite result becomes in a float, unless it is the largest finite value.
fn far(float: &Float) -> Option<&'static str> {
    match (float.infinity_code(), float.nan) {
        (Some(_), _) => Some("infinity"),
        (None, Nan::AllOnes) => Some("NaN"),
        (None, Nan::NanInfinity) => Some("NaN-infinity"),
        (None, _) => None,
    }
}

/// The same for other formats, and for floats whose results saturate.
fn beyond_otherwise(target: &Target) -> &'static str {
    match (target.format, target.overflow, target.posit_range) {
        (Format::Fixed(_), ..) if target.nan == NanResult::Riscv => {
            "saturated beyond the range, NaN to the largest value"
        }
        (Format::Fixed(_), ..) => "saturated beyond the range, NaN to 0",
        (Format::Posit(_), _, PositRange::Saturate) => "never to zero or NaR",
        (Format::Posit(_), _, PositRange::Float) => "zero below minpos/2, NaR above maxpos",
        (Format::Float(_), ..) => "overflow and infinities to the largest finite value",
        (Format::Codebook(codebook), Overflow::Inf, _) if codebook.place_of_infinity.is_some() => match target.rounding
        {
            Rounding::Rtz => "overflow to the outermost number",
            Rounding::Rup | Rounding::Rdn | Rounding::Rto => {
                "overflow as the rounding requires, to the outermost number or infinity"
            }
            _ => "overflow to infinity",
        },
        (Format::Codebook(_), Overflow::Propagate, _) => "overflow to the outermost number, infinities stay",
        (Format::Codebook(_), ..) => "overflow and infinities to the outermost number",
    }
}

/// One line per format: its ports and its summary.
fn format_lines(operation: &Operation) -> Vec<String> {
    let choices = operation.choices();
    let ports = choices.iter().flat_map(|choice| choice.inputs().into_iter().chain(choice.outputs()));
    let mut coded: Vec<(&str, Format)> = ports.filter_map(|port| Some((port.name, port.format()?))).collect();
    let mut lines: Vec<String> = vec![];
    while let Some(&(_, format)) = coded.first() {
        let (same, other): (Vec<_>, Vec<_>) = coded.into_iter().partition(|(_, other)| *other == format);
        let mut names: Vec<&str> = same.iter().map(|(name, _)| *name).collect();
        let mut known = HashSet::new();
        names.retain(|name| known.insert(*name));
        let of_file = match format {
            Format::Codebook(codebook) if !codebook.is_standard => {
                "; the path of its file takes the place of that name"
            }
            _ => "",
        };
        lines.push(format!("{}: {format}, {}{of_file}", names.join(", "), format.summary()));
        coded = other;
    }
    lines
}
