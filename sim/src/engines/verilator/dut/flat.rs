//! The user's files as one text without directives of the preprocessor, for tools that read one file.

use super::Dut;
use binade_tools::{Error, Tools, run, scratch_dir};

/// Macros that synthesis tools define, Yosys among them.
const SYNTHESIS: [&str; 2] = ["-DSYNTHESIS", "-DYOSYS"];

/// The text, of which it is known where its lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatText {
    /// SystemVerilog.
    pub text: String,
    /// File and number of each line.
    places: Vec<(String, usize)>,
}

impl Dut {
    /// All files as Verilator's preprocessor reads them for synthesis.
    ///
    /// # Errors
    /// When Verilator is missing or does not take the files.
    pub fn flat(&self, tools: &Tools) -> Result<FlatText, Error> {
        let verilator = tools.verilator()?;
        let scratch = scratch_dir()?;
        let mut command = verilator.command();
        command.arg("-E").args(SYNTHESIS).args(self.sources.arguments()).current_dir(scratch.path());
        let said = run(&mut command, &format!("Verilator {} on the files of {}", verilator.version, self.top))?;
        Ok(FlatText::new(&said.stdout))
    }
}

impl FlatText {
    /// From what the preprocessor says; its lines such as `` `line 7 "a.v" 0 `` become empty ones.
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

    /// Where a line comes from, as in `a.v:7`; lines count from 1.
    pub fn place(&self, line: usize) -> Option<String> {
        let (file, number) = self.places.get(line.checked_sub(1)?)?;
        Some(format!("{file}:{number}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
