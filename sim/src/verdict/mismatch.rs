//! A wrong result, explained.

use super::counterexample::Counterexample;
use crate::reference::Reference;
use binade_golden::Codec;
use binade_spec::Word;
use binade_spec::word::low_bits;
use binade_spec::{Content, Format, Port, WordKind};
use binade_stimulus::{Place, join, places, split};
use serde::Serialize;
use std::fmt;

/// The most steps before a wrong one that are shown.
const SHOWN: usize = 8;

/// A wrong result: the vector that was found, and the simplest one that also fails.
#[derive(Clone, Debug, Serialize)]
pub struct Mismatch {
    /// The simplest vector.
    #[serde(flatten)]
    pub simplest: Disagreement,
    /// Whether it fails as the only vector of a run. If not, no simpler one was searched for.
    pub fails_alone: bool,
    /// The vector on which the run found the fault.
    pub found: Found,
}

/// The vector on which the run found the fault.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// The number of the vector in the run.
    pub index: u64,
    #[serde(flatten)]
    pub disagreement: Disagreement,
}

/// A vector on which the unit is wrong, explained.
#[derive(Clone, Debug, Serialize)]
pub struct Disagreement {
    #[serde(skip)]
    codes: Vec<Word>,
    /// The vectors before it since the reset; none for a unit without state.
    #[serde(skip)]
    before: Vec<Vec<Word>>,
    /// Name and code of each operand, with all its lanes.
    #[serde(skip)]
    ports: Vec<[String; 2]>,
    /// The same for the vectors before it.
    #[serde(rename = "before", skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Vec<[String; 2]>>,
    /// What the registers should hold, one entry per lane.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    state: Vec<Explained>,
    /// The operands, one entry per lane.
    pub operands: Vec<Explained>,
    /// The first wrong output, with the lane if it has several.
    pub output: String,
    /// The value before rounding, if that output is rounded.
    pub exact: Option<String>,
    /// The code that the unit returns.
    pub got: Explained,
    /// The code that the golden model returns.
    pub want: Explained,
    /// The distance between the two codes in steps, if both are finite.
    pub ulps: Option<u128>,
    /// A word with ones where the two words differ; none for codes of formats.
    #[serde(skip)]
    differing: Option<String>,
}

/// A code and its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// The port, or the source of the code.
    pub name: String,
    /// The name of the format, or a description of the word.
    pub format: String,
    /// The code in hexadecimal.
    pub code: String,
    /// The fields of the code in binary, or the word in binary; only the width of a word wider than 64 bits.
    pub fields: String,
    /// The number; for a wider word the position of its leading one.
    pub value: String,
}

impl Explained {
    pub(crate) fn new(name: String, place: &Place, word: &Word) -> Explained {
        let (format, fields, value) = match place.content {
            Content::Code(format) => {
                let code = low_bits(word) & format.code_mask();
                let lane = match format.width() == place.width {
                    true => format.to_string(),
                    false => format!("{format} in the lowest {} bits", format.width()),
                };
                (lane, format.fields(code), format.decode(code).to_string())
            }
            Content::Chosen { formats: [format], boxing: Some(bits) } => {
                let code = low_bits(word) & format.code_mask();
                let is_boxed = word >> format.width() == (Word::from(1_u32) << (bits - format.width())) - 1_u32;
                let value =
                    if is_boxed { format.decode(code).to_string() } else { "NaN, because it is not boxed".into() };
                (format!("{format}, NaN-boxed in {bits} bits"), format.fields(code), value)
            }
            Content::Chosen { .. } => ("formats that fmt chooses".into(), bits(word, place.width), word.to_string()),
            Content::Word { kind, .. } => {
                let value = if place.width <= u64::BITS { word.to_string() } else { leading_one(word) };
                (kind.about().into(), bits(word, place.width), value)
            }
        };
        Explained { name, format, code: hex(word, place.width), fields, value }
    }
}

/// The content of a lane, in the format that port `fmt`, which is the last one, chooses.
fn chosen_content(inputs: &[Port], operands: &[Word], content: Content) -> Content {
    match (content, inputs.last().map(|port| port.content), operands.last()) {
        (Content::Chosen { formats, boxing }, Some(Content::Word { kind: WordKind::Choice, .. }), Some(fmt)) => {
            let at = usize::try_from(low_bits(fmt)).unwrap_or(usize::MAX).min(formats.len() - 1);
            match boxing {
                Some(bits) if formats[at].width() < bits => Content::Chosen { formats: &formats[at..=at], boxing },
                _ => Content::Code(formats[at]),
            }
        }
        _ => content,
    }
}

/// A word of this width with all its hexadecimal digits.
fn hex(word: &Word, width: u32) -> String {
    format!("0x{word:0digits$x}", digits = width.div_ceil(4) as usize)
}

/// A word in binary, or only its width.
fn bits(word: &Word, width: u32) -> String {
    if width <= u64::BITS { format!("{word:0width$b}", width = width as usize) } else { format!("{width} bits") }
}

fn leading_one(word: &Word) -> String {
    word.bits().checked_sub(1).map_or_else(|| "0".into(), |bit| format!("leading one in bit {bit}"))
}

impl Mismatch {
    pub(crate) fn new(
        reference: &dyn Reference,
        found: &Counterexample,
        simplest: Option<&Counterexample>,
    ) -> Mismatch {
        Mismatch {
            simplest: Disagreement::new(reference, simplest.unwrap_or(found)),
            fails_alone: simplest.is_some(),
            found: Found { index: found.index, disagreement: Disagreement::new(reference, found) },
        }
    }

    /// The codes of the simplest vector or sequence, as `--replay` accepts them.
    pub fn replay(&self) -> String {
        let codes =
            |vector: &Vec<[String; 2]>| vector.iter().map(|[_, code]| code.as_str()).collect::<Vec<_>>().join(",");
        let vectors = self.simplest.steps.iter().chain([&self.simplest.ports]);
        vectors.map(codes).collect::<Vec<_>>().join("/")
    }

    /// Whether a simpler vector than the one found also fails.
    pub fn is_shrunk(&self) -> bool {
        let Disagreement { codes, before, .. } = &self.found.disagreement;
        (&self.simplest.codes, &self.simplest.before) != (codes, before)
    }
}

impl Disagreement {
    /// The operands' codes.
    pub fn codes(&self) -> &[Word] {
        &self.codes
    }

    /// The vectors since the reset, including this one; for a unit without state this one alone.
    pub fn sequence(&self) -> Vec<Vec<Word>> {
        self.before.iter().chain([&self.codes]).cloned().collect()
    }

    fn new(reference: &dyn Reference, vector: &Counterexample) -> Disagreement {
        let (inputs, outputs) = (reference.inputs(), reference.outputs());
        let (operand_places, result_places) = (places(&inputs), places(&outputs));
        let [got, want] = [&vector.got, &vector.want].map(|words| split(&result_places, words));
        let is_wrong = |at: usize| {
            let mut lanes = want.clone();
            lanes[at].clone_from(&got[at]);
            let alone = join(&result_places, &lanes);
            alone != vector.want && !reference.allows(&vector.operands, &alone, &vector.want)
        };
        let at = (0..got.len()).find(|&at| is_wrong(at)).expect("a mismatch is on some output");
        let (place, got, want) = (&result_places[at], &got[at], &want[at]);
        let chosen = |place: &Place| place.with_content(chosen_content(&inputs, &vector.operands, place.content));
        let shown = &chosen(place);
        let output = &outputs[place.port];
        let of_port = |(port, word): (&Port, &Word)| [port.name.into(), hex(word, port.width())];
        let of_vector = |words: &Vec<Word>| inputs.iter().zip(words).map(of_port).collect::<Vec<_>>();
        let operands = operand_places.iter().zip(split(&operand_places, &vector.operands));
        Disagreement {
            codes: vector.operands.clone(),
            before: vector.before.clone(),
            ports: of_vector(&vector.operands),
            steps: vector.before.iter().map(of_vector).collect(),
            state: explained_registers(&reference.state(&vector.before)),
            operands: operands
                .map(|(place, word)| Explained::new(place.name(inputs[place.port].name), &chosen(place), &word))
                .collect(),
            output: place.name(output.name),
            exact: reference.unrounded(&vector.before, &vector.operands, output.name, place.lane),
            got: Explained::new("got".into(), shown, got),
            want: Explained::new("want".into(), shown, want),
            differing: match shown.content {
                Content::Code(_) | Content::Chosen { boxing: None, .. } => None,
                Content::Chosen { .. } => Some(hex(&(got ^ want), place.width)),
                Content::Word { width, .. } if width <= u64::BITS => Some(bits(&(got ^ want), width)),
                Content::Word { width, .. } => Some(hex(&(got ^ want), width)),
            },
            ulps: match shown.content {
                Content::Code(format) => ulps(&format, low_bits(got), low_bits(want)),
                Content::Chosen { .. } | Content::Word { .. } => None,
            },
        }
    }

    /// Writes the last vectors before it.
    fn write_steps(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let left_out = self.steps.len().saturating_sub(SHOWN);
        if left_out > 0 {
            writeln!(f, "  after {left_out} steps from a reset on:")?;
        }
        for (number, step) in self.steps.iter().enumerate().skip(left_out) {
            let codes: Vec<String> = step.iter().map(|[name, code]| format!("{name} {code}")).collect();
            writeln!(f, "  step {number}: {}", codes.join(", "))?;
        }
        Ok(())
    }
}

/// The lanes of ports or registers, with neighbouring lanes of equal code merged into one row.
fn rows(lanes: &[Explained]) -> Vec<Explained> {
    let mut rows: Vec<Explained> = vec![];
    let mut first = String::new();
    for explained in lanes {
        let (port, lane) = explained.name.split_once('[').unwrap_or((&explained.name, ""));
        match rows.last_mut() {
            Some(row) if !lane.is_empty() && first.starts_with(&format!("{port}[")) && row.code == explained.code => {
                row.name = format!("{}..{lane}", first.trim_end_matches(']'));
            }
            _ => {
                first.clone_from(&explained.name);
                rows.push(explained.clone());
            }
        }
    }
    rows
}

/// The lanes of registers with their codes.
fn explained_registers(registers: &[(Port, Word)]) -> Vec<Explained> {
    let (ports, words): (Vec<Port>, Vec<Word>) = registers.iter().cloned().unzip();
    let places = places(&ports);
    let lanes = places.iter().zip(split(&places, &words));
    lanes.map(|(place, word)| Explained::new(place.name(ports[place.port].name), place, &word)).collect()
}

/// The number of steps between two finite codes.
fn ulps(format: &Format, x: u128, y: u128) -> Option<u128> {
    let position = |code: u128| {
        let magnitude = format.magnitude(code);
        let signed = if format.is_negative(code) { -(magnitude as i128) } else { magnitude as i128 };
        (magnitude <= format.max_magnitude(signed < 0) && !format.is_nan(code)).then_some(signed)
    };
    Some(position(x)?.abs_diff(position(y)?))
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Found { index, disagreement } = &self.found;
        if !self.is_shrunk() {
            write!(f, "vector {index}:\n{disagreement}")?;
            return if self.fails_alone { Ok(()) } else { write!(f, "\n  not without the vectors before it") };
        }
        let codes: Vec<String> = disagreement.ports.iter().map(|[name, code]| format!("{name} {code}")).collect();
        let steps = match self.simplest.before.len() {
            0 if disagreement.before.is_empty() => String::new(),
            0 => " a single step from a reset on".into(),
            before => format!(" {} steps from a reset on", before + 1),
        };
        write!(f, "vector {index} ({}), shrunk to{steps}:\n{}", codes.join(", "), self.simplest)
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (operands, state, results) = (rows(&self.operands), rows(&self.state), [&self.want, &self.got]);
        self.write_steps(f)?;
        let widest = |text: fn(&Explained) -> &str| {
            operands.iter().chain(&state).chain(results).map(|row| text(row).chars().count()).max().unwrap_or(0)
        };
        let name = widest(|row| &row.name).max("exact".len());
        let (code, fields) = (widest(|row| &row.code), widest(|row| &row.fields));
        let row = |f: &mut fmt::Formatter, row: &Explained| {
            let Explained { name: label, format, code: hex, fields: bits, value } = row;
            writeln!(f, "  {label:<name$} {hex:<code$}  {bits:<fields$}  {value}  ({format})")
        };
        operands.iter().chain(&state).try_for_each(|operand| row(f, operand))?;
        if let Some(exact) = &self.exact {
            writeln!(f, "  {:<name$} {:code$}  {:fields$}  {exact}", "exact", "", "")?;
        }
        results.into_iter().try_for_each(|result| row(f, result))?;
        if self.output != "y" {
            writeln!(f, "  on output {}", self.output)?;
        }
        if let Some(differing) = &self.differing {
            return write!(f, "  the differing bits are those set in {differing}");
        }
        match self.ulps {
            Some(0) => write!(f, "  the same value, but not the same code"),
            Some(ulps) => write!(f, "  off by {ulps} ulp"),
            None if self.got.value == self.want.value => write!(f, "  the same value, but not the same code"),
            None => write!(f, "  not both finite"),
        }
    }
}
