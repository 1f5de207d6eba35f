//! The user's files as one text, without preprocessor directives and without statements that print or stop a simulation, for tools that
//! read one file.

use super::Dut;
use binade_tools::{Error, Tools, run, scratch_dir};

/// Macros that synthesis tools define, Yosys among them.
const SYNTHESIS: [&str; 2] = ["-DSYNTHESIS", "-DYOSYS"];

/// System tasks that print or stop a simulation; synthesis ignores them.
const MESSAGES: [&str; 13] = [
    "$display",
    "$displayb",
    "$displayh",
    "$write",
    "$strobe",
    "$monitor",
    "$info",
    "$warning",
    "$error",
    "$fatal",
    "$finish",
    "$stop",
    "$exit",
];

/// The text, with the origin of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatText {
    /// SystemVerilog.
    pub text: String,
    /// File and number of each line.
    places: Vec<(String, usize)>,
}

impl Dut {
    /// All files as Verilator's preprocessor outputs them for synthesis.
    ///
    /// # Errors
    /// When Verilator is missing or rejects the files.
    pub fn flat(&self, tools: &Tools) -> Result<FlatText, Error> {
        let verilator = tools.verilator()?;
        let scratch = scratch_dir()?;
        let mut command = verilator.command();
        command.arg("-E").args(SYNTHESIS).args(self.sources.arguments()).current_dir(scratch.path());
        let said = run(&mut command, &format!("Verilator {} on the files of {}", verilator.version, self.top))?;
        let flat = FlatText::new(&said.stdout);
        Ok(FlatText { text: without_messages(&flat.text), ..flat })
    }
}

impl FlatText {
    /// Parses the preprocessor's output; its lines such as `` `line 7 "a.v" 0 `` become empty.
    fn new(said: &str) -> FlatText {
        let (mut file, mut number) = (String::new(), 0);
        let mut flat = FlatText { text: String::new(), places: vec![] };
        for line in said.lines() {
            let marked = line.strip_prefix("`line ").and_then(|rest| rest.split_once(' '));
            match marked.and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest))) {
                Some((next, rest)) => {
                    file = rest.split('"').nth(1).unwrap_or_default().into();
                    number = next;
                    flat.places.push((file.clone(), number));
                }
                None => {
                    flat.text += line;
                    flat.places.push((file.clone(), number));
                    number += 1;
                }
            }
            flat.text.push('\n');
        }
        flat
    }

    /// The origin of a line, as in `a.v:7`; lines count from 1.
    pub fn place(&self, line: usize) -> Option<String> {
        let (file, number) = self.places.get(line.checked_sub(1)?)?;
        Some(format!("{file}:{number}"))
    }
}

/// The text with each call of a task in [`MESSAGES`] replaced by blanks; only the semicolon of the statement remains.
fn without_messages(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['$', '"']) {
        let (before, from) = rest.split_at(at);
        let length = if from.starts_with('"') { string_length(from) } else { name_length(from) };
        let call = &from[..length];
        let behind = &from[length..];
        kept += before;
        if MESSAGES.contains(&call) && !before.ends_with(is_name_part) {
            let arguments = arguments_length(behind);
            let blank = |sign: char| if sign == '\n' { '\n' } else { ' ' };
            kept.extend(from[..length + arguments].chars().map(blank));
            rest = &behind[arguments..];
        } else {
            kept += call;
            rest = behind;
        }
    }
    kept + rest
}

fn is_name_part(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '$')
}

/// The length of the name in a text that begins with `$`.
fn name_length(text: &str) -> usize {
    text.find(|sign| !is_name_part(sign)).unwrap_or(text.len())
}

/// The length of the string in a text that begins with a quotation mark.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = sign == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// The length of the blanks and the parenthesized arguments with which a text begins; 0 if it begins otherwise.
fn arguments_length(text: &str) -> usize {
    if !text.trim_start().starts_with('(') {
        return 0;
    }
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(found) = text[at..].find(['(', ')', '"']) {
        let place = at + found;
        match text.as_bytes()[place] {
            b'(' => depth += 1,
            b')' if depth == 1 => return place + 1,
            b')' => depth -= 1,
            _ => {
                at = place + string_length(&text[place..]);
                continue;
            }
        }
        at = place + 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_prints_is_left_out() {
        let text = "initial $display(\"a) \\\" $error(\", f(1,\n2)); y = $signed(a$error); s = \"$fatal\"; $finish;";
        let left = without_messages(text);
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(words, ["initial", ";", "y", "=", "$signed(a$error);", "s", "=", "\"$fatal\";", ";"]);
        assert_eq!((left.len(), left.lines().count()), (text.len(), 2));
    }

    #[test]
    fn lines_know_where_they_come_from() {
        let flat = FlatText::new(
            "`line 1 \"a.v\" 1\nmodule a;\n`line 2 \"b.vh\" 1\nwire x;\n\n`line 3 \"a.v\" 2\nendmodule\n",
        );
        assert_eq!(flat.text, "\nmodule a;\n\nwire x;\n\n\nendmodule\n");
        let places = [2, 4, 5, 7].map(|line| flat.place(line).unwrap());
        assert_eq!(places, ["a.v:1", "b.vh:2", "b.vh:3", "a.v:3"]);
        assert_eq!((flat.place(0), flat.place(8)), (None, None));
    }
}
