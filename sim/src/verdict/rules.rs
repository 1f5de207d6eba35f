//! Tolerances as Verilog functions in a testbench.

use super::policy::Policies;
use super::tolerance::{NanRule, Tolerance, quiet_bit};
use crate::engines::PortWidth;
use binade_golden::{Codec, Value};
use binade_spec::{Content, Float, Format, Nan, Port, WordKind};
use binade_stimulus::{Place, places};

/// An output of a testbench, and how its results are judged.
pub(super) struct Judged {
    pub port: PortWidth<'static>,
    /// The function that judges a result, if more than the wanted one is right.
    pub rule: Option<Rule>,
}

/// A function that says whether a result is right.
pub(super) struct Rule {
    pub name: String,
    /// For each lane, the condition under which a result is right.
    pub lanes: Vec<String>,
    /// The operands that it depends on.
    pub operands: Vec<PortWidth<'static>>,
}

impl Judged {
    /// The condition of a wrong result; `prefix` precedes the names of the operands' nets.
    pub fn differs(&self, prefix: &str) -> String {
        let (net, name) = (self.port.net(), self.port.name);
        let Some(rule) = &self.rule else { return format!("{net} !== want_{name}") };
        let operand = |port: &PortWidth| match prefix {
            "" => format!(", {}", port.net()),
            prefix => format!(", {prefix}{}", port.name),
        };
        let operands: String = rule.operands.iter().map(operand).collect();
        format!("!{}({net}, want_{name}{operands})", rule.name)
    }
}

/// The outputs, with the rules that follow from the tolerance.
pub(super) fn judged(tolerance: Tolerance, inputs: &[Port], outputs: &[Port]) -> Vec<Judged> {
    let (operands, results) = (places(inputs), places(outputs));
    let of_output = |(at, port): (usize, &Port)| {
        let lanes = results.iter().filter(|place| place.port == at);
        let lanes: Vec<String> = lanes.map(|lane| lane_rule(tolerance, lane, inputs, &operands)).collect();
        let is_strict = lanes.iter().all(|lane| !lane.contains("||"));
        let rule = (!is_strict).then(|| Rule {
            name: format!("is_right_{}", port.name),
            lanes,
            operands: inputs.iter().filter(|_| tolerance.nan == NanRule::Payload).map(PortWidth::of).collect(),
        });
        Judged { port: PortWidth::of(port), rule }
    };
    outputs.iter().enumerate().map(of_output).collect()
}

/// The condition under which the result of one lane is right.
fn lane_rule(tolerance: Tolerance, lane: &Place, inputs: &[Port], operands: &[Place]) -> String {
    let [got, want] = ["got", "want"].map(|word| lane.bits(word));
    let mut right = vec![format!("{got} == {want}")];
    if let Content::Word { kind: WordKind::Flags, width } = lane.content {
        let judged = tolerance.policies.judged_flags(width);
        if judged != Policies::default().judged_flags(width) {
            right.push(format!("({got} & {width}'h{judged:x}) == ({want} & {width}'h{judged:x})"));
        }
    }
    if let Content::Code(format) = lane.content {
        let both = |test: &dyn Fn(&str) -> String| format!("{} && {}", test("got"), test("want"));
        let nan = |word: &str| is_nan(&format, lane, word);
        right.extend(match tolerance.nan {
            _ if format.nan_code().is_none() => None,
            NanRule::Canonical => None,
            NanRule::Any => Some(both(&nan)),
            NanRule::Payload => Some(format!("{} && ({})", nan("want"), payload(&format, lane, inputs, operands))),
        });
        let has_signed_zeros =
            format.has_minus_zero() && matches!(format.decode(format.zero_code(true)), Value::Zero { .. });
        let zero = |word: &str| match format {
            Format::Codebook(_) => {
                let [plus, minus] = [false, true].map(|sign| format.zero_code(sign));
                let bits = lane.bits(word);
                format!("({bits} == {width}'h{plus:x} || {bits} == {width}'h{minus:x})", width = lane.width)
            }
            Format::Float(_) | Format::Posit(_) | Format::Fixed(_) => {
                format!("{} == 0", magnitude(&format, lane, word))
            }
        };
        right.extend((tolerance.any_zero_sign && has_signed_zeros).then(|| both(&zero)));
    }
    match &right[..] {
        [only] => only.clone(),
        several => format!("({})", several.join(" || ")),
    }
}

/// Whether a NaN is an operand's NaN made quiet, or, if no operand is NaN, the wanted one with either sign.
fn payload(format: &Format, lane: &Place, inputs: &[Port], operands: &[Place]) -> String {
    let own = operands.iter().filter(|place| matches!(place.content, Content::Code(other) if other == *format));
    let (width, quiet) = (lane.width, quiet_bit(format));
    let (mut given, mut none) = (vec![], vec![]);
    for place in own {
        let name = operand_name(&inputs[place.port]);
        let (nan, bits) = (is_nan(format, place, &name), place.bits(&name));
        given.push(format!("{nan} && {} == ({bits} | {width}'h{quiet:x})", lane.bits("got")));
        none.push(format!("!({nan})"));
    }
    let [got, want] = ["got", "want"].map(|word| magnitude(format, lane, word));
    none.push(format!("{got} == {want}"));
    given.push(none.join(" && "));
    given.join(" || ")
}

/// The name of an operand inside a function.
fn operand_name(port: &Port) -> String {
    format!("of_{}", port.name)
}

impl Rule {
    /// The operands as additional arguments.
    pub fn arguments(&self) -> String {
        let argument = |port: &PortWidth| format!(", input [{}:0] of_{}", port.width - 1, port.name);
        self.operands.iter().map(argument).collect()
    }
}

/// Whether a lane of a word is NaN.
fn is_nan(format: &Format, lane: &Place, word: &str) -> String {
    let bits = lane.bits(word);
    let is_code = |code: u128| format!("{bits} == {}'h{code:x}", lane.width);
    match format {
        Format::Posit(posit) => is_code(posit.nar()),
        Format::Fixed(_) => "1'b0".into(),
        Format::Codebook(_) => {
            let codes = (0..=format.code_mask()).filter(|&code| format.is_nan(code)).map(is_code);
            codes.reduce(|any, code| format!("({any} || {code})")).unwrap_or("1'b0".into())
        }
        Format::Float(float) => {
            let magnitude = magnitude(format, lane, word);
            match float.nan {
                Nan::None => "1'b0".into(),
                Nan::TopField => {
                    format!("{magnitude} > {}'h{:x}", float.magnitude_bits(), float.infinity_magnitude())
                }
                Nan::AllOnes | Nan::NanInfinity | Nan::LastCode => format!("&{magnitude}"),
                Nan::SignAlone => is_code(float.sign_mask()),
            }
        }
    }
}

/// A lane of a word without its sign.
fn magnitude(format: &Format, lane: &Place, word: &str) -> String {
    let width = format.float().map_or(lane.width, Float::magnitude_bits);
    lane.lowest_bits(word, width)
}
