//! A claim that the golden model or the RTL does not meet, explained.

use super::case::{Answer, ConformCase};
use super::claim::Claim;
use super::flags::Flags;
use super::response::Response;
use crate::reference::Reference;
use crate::verdict::Explained;
use binade_golden::Model;
use binade_spec::{Port, Word};
use binade_stimulus::{Place, places};
use serde::Serialize;
use std::fmt;

/// A claim that the golden model or the RTL does not meet.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The line of the file, counted from 1.
    pub line: u64,
    /// Whether the golden model agrees with the file.
    pub model_agrees: bool,
    /// Whether the RTL agrees with the file.
    pub rtl_agrees: bool,
    /// The operands of the unit.
    pub operands: Vec<Explained>,
    /// The value before rounding, if the result is rounded.
    pub exact: Option<String>,
    /// Each result on which file, model and RTL do not all agree, in that order.
    pub results: Vec<[Explained; 3]>,
    /// The flags of the file, the model and the RTL, if they were compared.
    pub flags: Option<[Flags; 3]>,
    /// The operands of the unit as `--replay` takes them.
    #[serde(skip)]
    pub replay: String,
}

impl Difference {
    pub(super) fn new(
        (case, model): (&ConformCase, &Model),
        (line, claim): (u64, &Claim),
        [by_model, by_rtl]: [&Response; 2],
        [model_agrees, rtl_agrees]: [bool; 2],
    ) -> Difference {
        let operands = claim.words(&places(&case.operands()));
        let codes = |ports: &[Port], codes: &[u128], names: &dyn Fn(String) -> String| {
            let explain = |(place, &code): (&Place, &u128)| {
                let lane = if place.is_one_of_many { format!("[{}]", place.lane) } else { String::new() };
                let name = format!("{}{lane}", ports[place.port].name);
                Explained::new(names(name), place, &Word::from(code))
            };
            places(ports).iter().zip(codes).map(explain).collect::<Vec<_>>()
        };
        let ports = case.results();
        let is_alone = places(&ports).len() == 1;
        let rows = |who: &str, response: &[u128]| {
            let label = |name: String| if is_alone { who.to_string() } else { format!("{name} {who}") };
            codes(&ports, response, &label)
        };
        let [file, model_rows, rtl_rows] =
            [("file", &claim.results), ("model", &by_model.results), ("RTL", &by_rtl.results)]
                .map(|(who, response)| rows(who, response));
        let triples = file.into_iter().zip(model_rows).zip(rtl_rows).map(|((file, model), rtl)| [file, model, rtl]);
        let is_apart = |[file, model, rtl]: &[Explained; 3]| file.code != model.code || file.code != rtl.code;
        let triples: Vec<[Explained; 3]> = triples.collect();
        let lane = places(&ports)[triples.iter().position(is_apart).unwrap_or(0)];
        let results: Vec<[Explained; 3]> = triples.into_iter().filter(|triple| is_alone || is_apart(triple)).collect();
        let exact = match case.answer {
            Answer::Outputs => Reference::unrounded(model, &[], &operands, ports[lane.port].name, lane.lane),
            Answer::AnyOf(_) => None,
        };
        let replay: Vec<String> = operands.iter().map(|word| format!("{word:#x}")).collect();
        Difference {
            line,
            model_agrees,
            rtl_agrees,
            operands: codes(&case.operands(), &claim.operands, &|name| name),
            exact,
            results,
            flags: flags_of(claim, by_model, by_rtl),
            replay: replay.join(","),
        }
    }

    /// Which of the two differs from the file, in words.
    pub fn who(&self) -> &'static str {
        match (self.model_agrees, self.rtl_agrees) {
            (false, false) => "golden model and RTL differ from the file",
            (false, true) => "the golden model differs from the file, the RTL does not",
            (true, _) => "the RTL differs from the file, the golden model does not",
        }
    }
}

/// The flags of file, model and RTL, if they are compared.
fn flags_of(claim: &Claim, by_model: &Response, by_rtl: &Response) -> Option<[Flags; 3]> {
    Some([claim.flags?, by_model.flags?, by_rtl.flags?])
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rows: Vec<&Explained> = self.operands.iter().chain(self.results.iter().flatten()).collect();
        let widest = |text: fn(&Explained) -> &str| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
        let name = widest(|row| &row.name).max("exact".len());
        let (code, fields) = (widest(|row| &row.code), widest(|row| &row.fields));
        let line = |row: &Explained| {
            let Explained { name: label, format, code: hex, fields: bits, value } = row;
            format!("  {label:<name$}  {hex:<code$}  {bits:<fields$}  {value}  ({format})")
        };
        let mut lines: Vec<String> = self.operands.iter().map(line).collect();
        lines.extend(
            self.exact.iter().map(|exact| format!("  {:<name$}  {:code$}  {:fields$}  {exact}", "exact", "", "")),
        );
        lines.extend(self.results.iter().flatten().map(line));
        if let Some([file, model, rtl]) = self.flags {
            lines.push(format!("  {:<name$}  file {file}; model {model}; RTL {rtl}", "flags"));
        }
        f.write_str(&lines.join("\n"))
    }
}
