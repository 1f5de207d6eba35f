//! Finds a user module's ports: Verilator reads the files, and its C++ class lists the ports.

use super::expanded::{Expanded, task_that_reaches_out};
use super::members::members;
use super::text::line;
use super::{Member, Sources};
use binade_spec::contract::ControlPorts;
use binade_tools::checksummed;
use binade_tools::{Error, Tools, run_to_end, scratch_dir};
use std::fs;
use std::path::Path;
use thiserror::Error;

/// The C++ class that the ports are read from.
const CLASS: &str = "Vdut";

/// The most lines of errors that are shown.
const SHOWN_LINES: usize = 12;

/// Verilator's warning about a module that is declared twice; it takes the first.
const TWICE: &str = "%Warning-MODDUP";

/// The direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of it.
    Output,
}

/// A port of a user's module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DutPort {
    /// Its name in Verilog.
    pub name: String,
    /// Its direction.
    pub direction: Direction,
    /// Its width in bits.
    pub width: u32,
}

/// A user's module that can be checked.
#[derive(Clone, Debug)]
pub struct Dut {
    /// The name of the module.
    pub top: String,
    /// Its sources.
    pub sources: Sources,
    /// All its ports, in the order of Verilator's class.
    pub ports: Vec<DutPort>,
    /// The members of its ports that are packed structures.
    pub members: Vec<Member>,
    /// Verilator's messages about the files, one text each.
    pub warnings: Vec<String>,
    /// Whether the files that were read alone determine its behavior.
    pub is_closed: bool,
    /// Its ports besides clock, operands and results, once it is connected.
    pub controls: ControlPorts,
    /// What Verilator simulates otherwise than IEEE 1800 has it, with its place.
    pub unlike_simulation: Option<String>,
    /// A hash of everything that was read.
    key: String,
}

/// System functions and tasks that depend only on their arguments, or that print. Any other, such as `$readmemh`, `$fopen`, `$random` or
/// `$value$plusargs`, may depend on something unknown.
const CLOSED: [&str; 33] = [
    "$signed",
    "$unsigned",
    "$clog2",
    "$bits",
    "$size",
    "$left",
    "$right",
    "$high",
    "$low",
    "$increment",
    "$dimensions",
    "$unpacked_dimensions",
    "$countones",
    "$countbits",
    "$onehot",
    "$onehot0",
    "$isunknown",
    "$past",
    "$rose",
    "$fell",
    "$stable",
    "$changed",
    "$sampled",
    "$display",
    "$write",
    "$strobe",
    "$info",
    "$warning",
    "$error",
    "$fatal",
    "$finish",
    "$stop",
    "$cast",
];

/// Whether a Verilog text alone determines its behavior: it reads no other file, calls no foreign code, and uses no random numbers.
pub fn is_closed(text: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$');
    let words = text.split(|sign| !is_part(sign)).filter(|word| word.starts_with('$') && word.len() > 1);
    words.into_iter().all(|word| CLOSED.contains(&word)) && !text.contains("\"DPI")
}

/// Why a user's module cannot be checked.
#[derive(Debug, Error)]
pub enum DutError {
    /// Verilator rejects the files. The text has file and line.
    #[error("Verilator rejects the module {top}:\n{errors}")]
    Refused {
        /// Name of the module.
        top: String,
        /// Verilator's messages.
        errors: String,
    },
    /// A port that cannot be connected.
    #[error(
        "the port {port} of {top} cannot be checked: {why}; write a module around it that has plain ports, and name it with --top"
    )]
    Port {
        /// Name of the module.
        top: String,
        /// Name of the port.
        port: String,
        /// What is wrong with it.
        why: String,
    },
    /// The module runs programs or writes files.
    #[error(
        "{place}: {task} runs a program, writes a file or holds foreign code; add --allow-system-tasks if {top} may do that"
    )]
    ReachesOut {
        /// Name of the module.
        top: String,
        /// The system task, directive or import.
        task: String,
        /// File and line.
        place: String,
    },
    /// Verilator is missing, or a file cannot be read.
    #[error(transparent)]
    Tool(#[from] Error),
}

impl Dut {
    /// Reads the module `top`.
    ///
    /// # Errors
    /// When Verilator is missing or rejects the files, or a port is not a vector of bits.
    pub fn survey(tools: &Tools, top: &str, sources: Sources) -> Result<Dut, DutError> {
        let verilator = tools.verilator()?;
        let scratch = scratch_dir()?;
        let mut command = verilator.command();
        command.args(["--cc", "--Mdir", ".", "--prefix", CLASS, "--top-module", top]);
        command.args(sources.parameters.iter().map(|(name, value)| format!("-G{name}={value}")));
        command.args(sources.arguments()).current_dir(scratch.path());
        let what = format!("Verilator {} on the module {top}", verilator.version);
        let (status, output) = run_to_end(&mut command, &what)?;
        if !status.success() {
            return Err(DutError::Refused { top: top.into(), errors: errors(&output.stderr) });
        }
        let read = |name: String| {
            let path = scratch.path().join(name);
            fs::read_to_string(&path).map_err(Error::io(format!("read `{}`", path.display())))
        };
        let expanded = Expanded::of(&verilator, &sources, top)?;
        let ports = ports(top, &read(format!("{CLASS}.h"))?)?;
        if let Some(port) = ports.iter().find(|port| expanded.is_unpacked(&port.name)) {
            return Err(unusable(top, &port.name, "it is a structure or union that is not packed"));
        }
        let listed = read(format!("{CLASS}__verFiles.dat"))?;
        let members = if expanded.has_structures() { members(&verilator, &sources, top)? } else { vec![] };
        let (key, is_closed) = key(&sources, &listed, &verilator.root)?;
        if !sources.may_reach_out {
            refuse_reaching_out(top, &expanded, &listed, &verilator.root)?;
        }
        let warnings = warnings(&output.stderr);
        if let Some(twice) = warnings.iter().find(|warning| warning.starts_with(TWICE)) {
            return Err(DutError::Refused { top: top.into(), errors: twice.clone() });
        }
        Ok(Dut {
            top: top.into(),
            ports,
            members,
            warnings,
            unlike_simulation: expanded.unlike_simulation(),
            sources,
            is_closed,
            controls: ControlPorts::ALL,
            key,
        })
    }

    /// A hash of everything that was read.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// The ports of one direction.
    pub fn ports_of(&self, direction: Direction) -> impl Iterator<Item = &DutPort> {
        self.ports.iter().filter(move |port| port.direction == direction)
    }
}

/// The ports declared in the class, as in `VL_IN8(&clk,0,0);`, `VL_OUTW(&y,127,0,4);`, between the lines `// PORTS` and `// CELLS`.
fn ports(top: &str, header: &str) -> Result<Vec<DutPort>, DutError> {
    let declared = header.lines().map(str::trim).skip_while(|line| *line != "// PORTS").skip(1);
    let declared =
        declared.take_while(|line| *line != "// CELLS").filter(|line| !line.is_empty() && !line.starts_with("//"));
    declared.map(|line| port(line).map_err(|(name, why)| unusable(top, &name, why))).collect()
}

/// The port of a declaration; or else its name, and why it cannot be connected.
fn port(line: &str) -> Result<DutPort, (String, &'static str)> {
    let Some((kind, rest)) = line.strip_prefix("VL_").and_then(|line| line.split_once('(')) else {
        let name = line.trim_end_matches(';').rsplit(['&', ' ', '*']).next().unwrap_or(line);
        let is_array = line.starts_with("VlUnpacked");
        return Err((plain(name), if is_array { "it is an unpacked array" } else { "it is no vector of bits" }));
    };
    let (name, range) = rest.split_once(',').unwrap_or((rest, ""));
    let name = plain(name.trim_start_matches(['&', '(']));
    let direction = match kind.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W') {
        "IN" => Direction::Input,
        "OUT" => Direction::Output,
        _ => return Err((name, "it is neither an input nor an output")),
    };
    if name.contains(['[', ')']) {
        return Err((name.split(')').next().unwrap_or_default().into(), "it is an unpacked array"));
    }
    let bounds: Vec<u32> = range.split([',', ')']).map_while(|bound| bound.parse().ok()).collect();
    match bounds[..] {
        [high, low, ..] => Ok(DutPort { name, direction, width: high.abs_diff(low) + 1 }),
        _ => Err((name, "Verilator gives no width for it")),
    }
}

fn unusable(top: &str, port: &str, why: &str) -> DutError {
    DutError::Port { top: top.into(), port: port.into(), why: why.into() }
}

/// The Verilog name: C++ has `__SYM__` before its own reserved words, and `___05F` for two underscores.
fn plain(name: &str) -> String {
    name.strip_prefix("__SYM__").unwrap_or(name).replace("___05F", "__")
}

/// A hash of the files in Verilator's list and their contents, and whether nothing else was read. Files below `root` are Verilator's own;
/// their version identifies them.
fn key(sources: &Sources, listed: &str, root: &Path) -> Result<(String, bool), Error> {
    let mut is_all = true;
    let mut parts = vec![format!("{:?} {:?} {:?}", sources.files, sources.defines, sources.parameters).into_bytes()];
    for file in read_files(listed).filter(|file| !file.starts_with(root)) {
        // A file that is not there was named by a `line directive.
        let Ok(content) = fs::read(file) else {
            is_all = false;
            continue;
        };
        is_all &= is_closed(&String::from_utf8_lossy(&content));
        parts.extend([file.to_string_lossy().as_bytes().to_vec(), content]);
    }
    Ok((checksummed::key(parts), is_all))
}

/// Refuses tasks that run programs or write files, in the text with all macros expanded and in the modules that Verilator found itself.
fn refuse_reaching_out(top: &str, expanded: &Expanded, listed: &str, root: &Path) -> Result<(), DutError> {
    let refusal = |(task, place)| Err(DutError::ReachesOut { top: top.into(), task, place });
    if let Some(found) = expanded.task_that_reaches_out() {
        return refusal(found);
    }
    for file in read_files(listed).filter(|file| !file.starts_with(root) && !expanded.has(file)) {
        let content = fs::read(file).map_err(Error::io(format!("read `{}`", file.display())))?;
        let text = String::from_utf8_lossy(&content);
        if let Some((task, at)) = task_that_reaches_out(&text) {
            return refusal((task, format!("{}:{}", file.display(), line(&text, at))));
        }
    }
    Ok(())
}

/// The sources in Verilator's list: lines such as `S 12 34 "hash" "/a/b.v"`.
fn read_files(listed: &str) -> impl Iterator<Item = &Path> {
    listed.lines().filter(|line| line.starts_with("S ")).filter_map(|line| line.split('"').nth(3)).map(Path::new)
}

/// The errors with their continuation lines, without what Verilator says about itself.
fn errors(output: &str) -> String {
    let kept =
        messages(output).into_iter().filter(|text| text.starts_with("%Error") && !text.contains("Exiting due to"));
    let lines: Vec<String> = kept.flat_map(|text| text.lines().map(String::from).collect::<Vec<_>>()).collect();
    match lines.is_empty() {
        true => output.trim().to_owned(),
        false => lines[..lines.len().min(SHOWN_LINES)].join("\n"),
    }
}

fn warnings(output: &str) -> Vec<String> {
    messages(output).into_iter().filter(|text| text.starts_with("%Warning")).collect()
}

/// Verilator's messages, one text each: a message starts with `%`, and its other lines start with blanks.
fn messages(output: &str) -> Vec<String> {
    let mut texts: Vec<String> = vec![];
    for line in output.lines().filter(|line| !line.contains("verilator.org") && !line.contains("disable lint message"))
    {
        match texts.last_mut() {
            Some(text) if line.starts_with(' ') => *text += &format!("\n{line}"),
            _ => texts.push(line.into()),
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_more_than_its_text_is_not_closed() {
        assert!(is_closed("module m; wire [$clog2(8)-1:0] a$b = $signed(c); // $ 5\nendmodule"));
        for more in [
            "$readmemh(\"t.hex\", t)",
            "x = $random;",
            "$value$plusargs(\"a=%d\", a)",
            "import \"DPI-C\" function f();",
        ] {
            assert!(!is_closed(&format!("module m; {more} endmodule")), "{more}");
        }
    }

    #[test]
    fn ports_are_read_from_the_class() {
        let header = "    // PORTS\n    // read\n    VL_IN8(&clk,0,0);\n    VL_INW(&x,127,0,4);\n    VL_OUT16(&__SYM__double,15,0);\n\
                      VL_IN8(&a___05Fb,7,1);\n\n    // CELLS\n    VL_IN(&cell,31,0)\n";
        let port = |name: &str, direction, width| DutPort { name: name.into(), direction, width };
        let expected = [
            port("clk", Direction::Input, 1),
            port("x", Direction::Input, 128),
            port("double", Direction::Output, 16),
            port("a__b", Direction::Input, 7),
        ];
        assert_eq!(ports("dut", header).unwrap(), expected);
        for (line, name, why) in [
            ("VL_IN8((&x)[3],7,0);", "x", "unpacked array"),
            ("VL_INOUT8(&z,0,0);", "z", "neither an input nor an output"),
            ("double &r;", "r", "no vector"),
        ] {
            let error = ports("dut", &format!("// PORTS\n{line}\n// CELLS")).unwrap_err().to_string();
            assert!(error.contains(why) && error.starts_with(&format!("the port {name} of dut")), "{error}");
        }
    }

    #[test]
    fn files_are_read_from_the_list() {
        let list =
            "C \"--cc\"\nS   8 10 \"jNt\" \"/a/my file.v\"\nS 1 2 \"unhashed\" \"/v/bin\"\nT 3 4 \"x\" \"o/Vd.h\"\n";
        assert!(read_files(list).eq([Path::new("/a/my file.v"), Path::new("/v/bin")]));
    }
}
