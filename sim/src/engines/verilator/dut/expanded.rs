//! The user's files as Verilator's preprocessor outputs them, and what is refused in them.

use super::Sources;
use super::text::{code, enclosed_length, line, words};
use binade_tools::{Error, Verilator, run, scratch_dir};
use std::path::Path;

/// System tasks with effects outside the simulation: they run programs, write files, or hold C++.
const REACHING_OUT: [&str; 12] = [
    "$system",
    "$fopen",
    "$writememb",
    "$writememh",
    "$dumpfile",
    "$c",
    "$cpure",
    "`systemc_header",
    "`systemc_interface",
    "`systemc_implementation",
    "`systemc_ctor",
    "`systemc_dtor",
];

/// Nets with several drivers that are resolved by a function; Verilator takes them for wires.
const RESOLVED: [&str; 4] = ["wand", "wor", "triand", "trior"];

/// One text with all macros expanded, with the origin of its lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Expanded {
    text: String,
    /// File and number of each line.
    places: Vec<(String, usize)>,
}

impl Expanded {
    /// All files, as Verilator reads them.
    ///
    /// # Errors
    /// When Verilator rejects the files.
    pub fn of(verilator: &Verilator, sources: &Sources, top: &str) -> Result<Expanded, Error> {
        let scratch = scratch_dir()?;
        let mut command = verilator.command();
        command.arg("-E").args(sources.arguments()).current_dir(scratch.path());
        let said = run(&mut command, &format!("Verilator {} on the files of {top}", verilator.version))?;
        Ok(Expanded::new(&said.stdout))
    }

    /// Parses the preprocessor's output; its lines such as `` `line 7 "a.v" 0 `` become empty.
    fn new(said: &str) -> Expanded {
        let (mut file, mut number) = (String::new(), 0);
        let mut expanded = Expanded::default();
        for line in said.lines() {
            let marked = line.strip_prefix("`line ").and_then(|rest| rest.split_once(' '));
            match marked.and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest))) {
                Some((next, rest)) => {
                    file = rest.split('"').nth(1).unwrap_or_default().into();
                    number = next;
                    expanded.places.push((file.clone(), number));
                }
                None => {
                    expanded.text += line;
                    expanded.places.push((file.clone(), number));
                    number += 1;
                }
            }
            expanded.text.push('\n');
        }
        expanded
    }

    /// The file and line of a place in the text, as in `a.v:7`.
    fn place(&self, at: usize) -> String {
        let place = self.places.get(line(&self.text, at) - 1);
        place.map(|(file, number)| format!("{file}:{number}")).unwrap_or_default()
    }

    /// Whether this file is part of the text.
    pub fn has(&self, file: &Path) -> bool {
        self.places.iter().any(|(name, _)| Path::new(name) == file)
    }

    /// The first task that runs a program or writes a file, or the first foreign code, with its place.
    pub fn task_that_reaches_out(&self) -> Option<(String, String)> {
        task_that_reaches_out(&self.text).map(|(task, at)| (task, self.place(at)))
    }

    /// What Verilator simulates otherwise than IEEE 1800 has it, with its place.
    pub fn unlike_simulation(&self) -> Option<String> {
        let code = code(&self.text);
        let selects = words(&code).any(|(_, word)| ["casez", "casex"].contains(&word)) || code.contains("==?");
        let why = words(&code).find_map(|(at, word)| match word {
            _ if RESOLVED.contains(&word) => Some((
                at,
                format!("Verilator takes a net of type {word} for a wire; write the function of its drivers"),
            )),
            _ if !selects && has_high_impedance(&code, at, word) => Some((
                at,
                "Verilator does not see drivers in conflict, and this one may be z; write a multiplexer".into(),
            )),
            "$readmemh" | "$readmemb" => {
                let file = missing_data(&self.text[at + word.len()..])?;
                let why = format!(
                    "there is no `{file}` in the working folder, and Verilator simulates without it; run binade in its folder, or write its path"
                );
                Some((at, why))
            }
            _ => None,
        });
        why.map(|(at, why)| format!("{}: {why}", self.place(at)))
    }

    /// Whether there is a structure or union.
    pub fn has_structures(&self) -> bool {
        words(&code(&self.text)).any(|(_, word)| ["struct", "union"].contains(&word))
    }

    /// Whether a port with this name has a structure or union for its type that is not packed.
    pub fn is_unpacked(&self, port: &str) -> bool {
        let code = code(&self.text);
        let words: Vec<(usize, &str)> = words(&code).collect();
        let is_unpacked = |place: &usize| {
            let next = words.get(place + 1).map(|(_, word)| *word);
            ["struct", "union"].contains(&words[*place].1) && !matches!(next, Some("packed" | "tagged"))
        };
        let named = |place: usize| {
            let at = words[place].0;
            let from = at + code[at..].find('{')?;
            let end = from + enclosed_length(&code[from..]);
            words.iter().find(|(at, _)| *at >= end).map(|(_, word)| *word)
        };
        let types: Vec<&str> = (0..words.len()).filter(is_unpacked).filter_map(named).collect();
        let is_of = |pair: &[(usize, &str)]| types.contains(&pair[0].1) && pair[1].1 == port;
        types.contains(&port) || words.windows(2).any(is_of)
    }
}

/// The file that a task reads, if its name stands there and there is no such file; `text` follows the name of the task.
fn missing_data(text: &str) -> Option<&str> {
    let name = text.trim_start().strip_prefix('(')?.trim_start().strip_prefix('"')?;
    let (name, _) = name.split_once('"')?;
    (!Path::new(name).is_file()).then_some(name)
}

/// Whether a word is a literal with `z`, as in `8'bz`, which begins behind its apostrophe.
fn has_high_impedance(code: &str, at: usize, word: &str) -> bool {
    let is_literal = code[..at].ends_with('\'');
    let digits = word.trim_start_matches(['s', 'S']).trim_start_matches(['b', 'o', 'h', 'd', 'B', 'O', 'H', 'D']);
    is_literal
        && digits.contains(['z', 'Z'])
        && digits.chars().all(|sign| sign.is_ascii_hexdigit() || "xzXZ_".contains(sign))
}

/// The first task in a text that runs a program or writes a file, or the first foreign code, with its place.
pub(super) fn task_that_reaches_out(text: &str) -> Option<(String, usize)> {
    let code = code(text);
    let is_numbered =
        |word: &str| word.strip_prefix("$c").is_some_and(|rest| rest.bytes().all(|digit| digit.is_ascii_digit()));
    let found = words(&code).find(|(_, word)| REACHING_OUT.contains(word) || is_numbered(word));
    let task = found.map(|(at, word)| (word.trim_start_matches('`').to_string(), at));
    task.or_else(|| text.find("\"DPI").map(|at| ("DPI".into(), at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Expanded {
        Expanded::new(&format!("`line 1 \"m.sv\" 1\n{text}"))
    }

    #[test]
    fn tasks_that_reach_out_are_found() {
        let found = |text: &str| expanded(text).task_that_reaches_out();
        let at = |task: &str, place: &str| Some((task.to_string(), place.to_string()));
        assert_eq!(
            found("// $system\n/* $fopen\n*/ x = \"$system\";\ninitial f = $fopen(\"a\");\n"),
            at("$fopen", "m.sv:4")
        );
        assert_eq!(found("initial $c32(\"_exit(0)\");"), at("$c32", "m.sv:1"));
        assert_eq!(found("\n`systemc_implementation"), at("systemc_implementation", "m.sv:2"));
        assert_eq!(found("import \"DPI-C\" function f();"), at("DPI", "m.sv:1"));
        assert_eq!(found("$display(\"x\"); $countones(a$system); $clog2(8); $cast(a, b)"), None);
    }

    #[test]
    fn nets_that_verilator_takes_for_wires_are_found() {
        let found = |text: &str| expanded(text).unlike_simulation();
        assert!(
            found("wire x;\nwand [7:0] y;")
                .is_some_and(|why| why.starts_with("m.sv:2: Verilator takes a net of type wand"))
        );
        for text in ["assign y = k ? p : 8'bz;", "y = 'z;", "y = 4'sbzz0z", "y = 8'hZZ"] {
            assert!(found(text).is_some(), "{text}");
        }
        for text in [
            "// wand\nwire z; assign y = 8'h3c ^ z;",
            "casez (a) 8'b1zzzzzzz: y = 1; endcase",
            "y = '{z: 1}",
            "y = type_t'(zz)",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn data_that_is_missing_is_found() {
        let found = |text: &str| expanded(text).unlike_simulation();
        let missing = found("initial begin\n$readmemh ( \"no/rom.hex\", t); end");
        assert!(missing.is_some_and(|why| why.starts_with("m.sv:2: there is no `no/rom.hex` in the working folder")));
        for text in
            ["initial $readmemb(\"Cargo.toml\", t);", "// $readmemh(\"rom.hex\", t);", "initial $readmemh(NAME, t);"]
        {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn unpacked_structures_are_found() {
        let text = "typedef struct { logic [3:0] u; } us_t;\ntypedef struct packed { logic v; } ps_t;\n\
                    module m(input us_t a, input ps_t b, input struct { logic w; } c, input logic d);";
        assert_eq!(["a", "b", "c", "d"].map(|port| expanded(text).is_unpacked(port)), [true, false, true, false]);
    }

    #[test]
    fn lines_know_where_they_come_from() {
        let expanded = Expanded::new(
            "`line 1 \"a.v\" 1\nmodule a;\n`line 2 \"b.vh\" 1\nwire x;\n\n`line 3 \"a.v\" 2\nendmodule\n",
        );
        assert_eq!(expanded.text, "\nmodule a;\n\nwire x;\n\n\nendmodule\n");
        let places = ["module", "wire", "endmodule"].map(|word| expanded.place(expanded.text.find(word).unwrap()));
        assert_eq!(places, ["a.v:1", "b.vh:2", "a.v:3"]);
    }
}
