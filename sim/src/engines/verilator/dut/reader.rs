//! The user's files as `read_slang` of Yosys gets them, read as synthesis tools do or as simulators do.
//!
//! The two differ where files ask for it: synthesis tools skip what stands between `// synthesis translate_off` and `translate_on`, and
//! define `SYNTHESIS`; Verilator defines `VERILATOR`. A module is right only if it is right in each reading.

use super::text::{code, comments, for_synthesis, line, strings, uncommented, words};
use super::{Dut, Sources};
use binade_tools::{Error, checksummed};
use std::fmt;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

/// The folder of the copies, and the file of arguments, in the folder of a run.
const COPIES: &str = "files";
const ARGUMENTS: &str = "files.f";
const MACROS: &str = "macros.sv";
const ADAPTER: &str = "adapter.sv";

/// Macros that Verilator defines.
const OF_VERILATOR: [&str; 4] = ["VERILATOR", "verilator", "verilator3", "SYSTEMVERILOG"];

/// Macros that slang defines, and no other tool.
const OF_SLANG: [&str; 3] = ["__slang__", "__slang_major__", "__slang_minor__"];

/// The keywords of comments such as `// synthesis translate_off` that `read_slang` obeys.
const OBEYED: [&str; 4] = ["synthesis", "synopsys", "pragma", "xilinx"];

/// A tool that reads the files. Each one reads them in its own way if they ask which tool it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    /// A synthesis tool, as which `read_slang` of Yosys reads: regions between `translate_off` and `translate_on` are skipped.
    Synthesis,
    /// `read_verilog` of Yosys, which also defines `YOSYS`.
    Yosys,
    /// A simulator that defines no macro.
    Simulator,
    /// Verilator.
    Verilator,
}

impl Reader {
    const ALL: [Reader; 4] = [Reader::Synthesis, Reader::Yosys, Reader::Simulator, Reader::Verilator];

    fn macros(self) -> &'static [&'static str] {
        match self {
            Reader::Synthesis => &["SYNTHESIS"],
            Reader::Yosys => &["SYNTHESIS", "YOSYS"],
            Reader::Simulator => &[],
            Reader::Verilator => &OF_VERILATOR,
        }
    }

    fn is_of_synthesis(self) -> bool {
        matches!(self, Reader::Synthesis | Reader::Yosys)
    }

    /// Options of `read_slang`.
    fn options(self) -> String {
        if self.is_of_synthesis() {
            return String::new();
        }
        let unknown: Vec<String> = OF_SLANG.iter().map(|name| format!("-U {name}\n")).collect();
        format!("--no-synthesis-define\n--no-default-translate-off-format\n{}", unknown.concat())
    }
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reader::Synthesis => "as synthesis reads it (translate_off obeyed, SYNTHESIS defined)",
            Reader::Yosys => "as read_verilog of Yosys reads it (translate_off obeyed, SYNTHESIS and YOSYS defined)",
            Reader::Simulator => {
                "as a simulator reads it (translate_off ignored, neither SYNTHESIS nor VERILATOR defined)"
            }
            Reader::Verilator => "as Verilator reads it (translate_off ignored, VERILATOR defined)",
        })
    }
}

/// A file and its text.
#[derive(Clone, Debug)]
struct Copy {
    /// The absolute path of the user's file.
    path: PathBuf,
    text: String,
}

/// The user's files for `read_slang`, with all files that they include. Statements that print or stop a simulation are left out.
#[derive(Clone, Debug)]
pub struct SlangFiles {
    sources: Sources,
    copies: Vec<Copy>,
    /// Folders of included files.
    folders: Vec<PathBuf>,
}

impl Dut {
    /// Its files for `read_slang`.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn slang_files(&self) -> Result<SlangFiles, Error> {
        SlangFiles::read(&self.sources)
    }
}

impl SlangFiles {
    fn read(sources: &Sources) -> Result<SlangFiles, Error> {
        let folders = sources.folders();
        let mut files = SlangFiles { sources: sources.clone(), copies: vec![], folders };
        for file in &sources.files {
            let text = read(file)?;
            files.add(cleaned(file), text);
        }
        Ok(files)
    }

    /// Adds a file, and what it includes in any branch of its conditions.
    fn add(&mut self, path: PathBuf, text: String) {
        if self.copies.iter().any(|copy| copy.path == path) {
            return;
        }
        let included = included(&text);
        let beside = path.parent().map(Path::to_owned);
        self.copies.push(Copy { path, text });
        for name in included {
            for folder in beside.iter().chain(&self.folders.clone()) {
                let found = cleaned(&folder.join(&name));
                if let Ok(text) = read(&found) {
                    self.add(found, text);
                }
            }
        }
    }

    /// The tools that may read the files differently, `Synthesis` first.
    pub fn readers(&self) -> Vec<Reader> {
        let [mut asks_yosys, mut asks_simulator] = [false; 2];
        for copy in &self.copies {
            let code = code(&copy.text);
            let asks = |names: &[&str]| words(&code).any(|(_, word)| names.contains(&word.trim_start_matches('`')));
            asks_yosys |= asks(&["YOSYS"]);
            asks_simulator |= asks(&["SYNTHESIS", "YOSYS"]) || asks(&OF_VERILATOR) || asks(&OF_SLANG);
            asks_simulator |= comments(&copy.text).contains("translate_off");
        }
        let is_needed = |reader: &Reader| match reader {
            Reader::Synthesis => true,
            Reader::Yosys => asks_yosys,
            Reader::Simulator | Reader::Verilator => asks_simulator,
        };
        Reader::ALL.into_iter().filter(is_needed).collect()
    }

    /// What synthesis tools read otherwise than `read_slang`, with its place.
    pub fn refused(&self) -> Option<String> {
        self.copies.iter().find_map(|copy| {
            let (at, why) = unlike_slang(&copy.text)?;
            Some(format!("{}:{}: {why}", copy.path.display(), line(&copy.text, at)))
        })
    }

    /// The file and line of the first place where a word is followed by this code within its statement.
    pub fn locate(&self, word: &str, behind: &str) -> Option<String> {
        self.copies.iter().find_map(|copy| {
            let code = code(&copy.text);
            let is_there = |(at, found): &(usize, &str)| {
                let rest = &code[at + found.len()..];
                *found == word && rest.split(';').next().is_some_and(|statement| statement.contains(behind))
            };
            let (at, _) = words(&code).find(is_there)?;
            Some(format!("{}:{}", copy.path.display(), line(&copy.text, at)))
        })
    }

    /// Identifies everything that is read.
    pub fn identity(&self) -> String {
        let texts = self.copies.iter().flat_map(|copy| [copy.path.display().to_string(), copy.text.clone()]);
        let given = format!("{:?} {:?} {:?}", self.sources.files, self.folders, self.sources.defines);
        checksummed::key(texts.chain([given]))
    }

    /// Whether [`Self::identity`] covers everything that is read: no name of an included file is made by a macro.
    pub fn is_closed(&self) -> bool {
        self.copies.iter().all(|copy| {
            let code = code(&copy.text);
            let includes = words(&code).filter(|(_, word)| *word == "`include").count();
            includes == included(&copy.text).len()
        })
    }

    /// Writes the copies and the adapter into a folder, and the arguments of `read_slang` for this reader into `files.f` there.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, folder: &Path, reader: Reader, adapter: &str) -> Result<(), Error> {
        for Copy { path, text } in &self.copies {
            let file = folder.join(copied(path));
            fs::create_dir_all(file.parent().unwrap_or(folder))
                .map_err(Error::io(format!("make a folder in `{}`", folder.display())))?;
            write(&file, &for_synthesis(text))?;
        }
        self.link_data(folder)?;
        let predefined = reader.macros().iter().map(|name| format!("`define {name} 1\n"));
        let own = self.sources.defines.iter().map(|define| match define.split_once('=') {
            Some((name, value)) => format!("`define {name} {value}\n"),
            None => format!("`define {define} 1\n"),
        });
        write(&folder.join(MACROS), &predefined.chain(own).collect::<String>())?;
        write(&folder.join(ADAPTER), adapter)?;
        // As Verilator does, which looks beside the including file last.
        let mut arguments = format!("--single-unit\n--incdir-first\n{}", reader.options());
        for path in &self.folders {
            let folders = [Some(copied(path)), Some(path.clone()).filter(|path| is_plain(path))].into_iter().flatten();
            arguments.extend(folders.map(|folder| format!("-I {}\n", folder.display())));
        }
        arguments += &format!("{MACROS}\n");
        arguments.extend(self.sources.files.iter().map(|file| format!("{}\n", copied(&cleaned(file)).display())));
        write(&folder.join(ARGUMENTS), &format!("{arguments}{ADAPTER}\n"))
    }

    /// Makes the files that `$readmemh` reads by a relative path visible in a folder.
    fn link_data(&self, folder: &Path) -> Result<(), Error> {
        let values = self.sources.defines.iter().chain(self.sources.parameters.iter().map(|(_, value)| value));
        let values = values.flat_map(|value| value.split('=')).map(|value| value.trim_matches(['"', '\\']).to_string());
        let texts = self.copies.iter().flat_map(|copy| strings(&copy.text).map(String::from).collect::<Vec<_>>());
        for name in texts.chain(values).filter(|name| is_inner(Path::new(name)) && Path::new(name).is_file()) {
            let link = folder.join(&name);
            let made = || {
                fs::create_dir_all(link.parent()?).ok()?;
                symlink(std::path::absolute(&name).ok()?, &link).ok()
            };
            if !link.exists() && made().is_none() {
                return Err(Error::io(format!("link `{}`", link.display()))(std::io::Error::other(
                    "it cannot be made",
                )));
            }
        }
        Ok(())
    }

    /// Whether this is one of the user's files, or one that they include.
    pub fn has(&self, path: &Path) -> bool {
        self.copies.iter().any(|copy| copy.path == path)
    }

    /// A tool's message with the user's paths in place of the copies'.
    pub fn placed(&self, said: &str) -> String {
        let mut placed = said.to_string();
        for Copy { path, .. } in &self.copies {
            placed = placed.replace(&copied(path).display().to_string(), &path.display().to_string());
        }
        placed
    }
}

/// The place of what tools read differently in a text, and why it is refused.
fn unlike_slang(text: &str) -> Option<(usize, String)> {
    let (code, comments) = (code(text), comments(text));
    if let Some((at, _)) = words(&code).find(|(_, word)| *word == "`unconnected_drive") {
        return Some((at, "Yosys ignores `unconnected_drive; connect the inputs that it is meant for".into()));
    }
    let mut before = "";
    for (at, word) in words(&comments) {
        if ["full_case", "parallel_case"].contains(&word) {
            let why = format!(
                "some synthesis tools obey this comment, and others, Yosys among them, do not; write the attribute (* {word} *), or a default"
            );
            return Some((at, why));
        }
        if word == "translate_off" && !OBEYED.contains(&before) {
            let why = "some synthesis tools skip the lines after this comment, and Yosys does not; write // synthesis translate_off";
            return Some((at, why.into()));
        }
        before = word;
    }
    None
}

/// The names in the `include` directives of a text.
fn included(text: &str) -> Vec<String> {
    let text = uncommented(text);
    let places = text.match_indices("`include");
    let name = |(at, directive): (usize, &str)| {
        let rest = text[at + directive.len()..].trim_start();
        let end = match rest.chars().next()? {
            '"' => '"',
            '<' => '>',
            _ => return None,
        };
        rest[1..].split_once(end).map(|(name, _)| name.to_string())
    };
    places.filter_map(name).collect()
}

fn read(file: &Path) -> Result<String, Error> {
    let bytes = fs::read(file).map_err(Error::io(format!("read `{}`", file.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write(file: &Path, text: &str) -> Result<(), Error> {
    fs::write(file, text).map_err(Error::io(format!("write `{}`", file.display())))
}

/// The absolute path without `.` and `..`.
fn cleaned(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            Component::ParentDir => drop(cleaned.pop()),
            Component::CurDir => {}
            part => cleaned.push(part),
        }
    }
    cleaned
}

/// Where a file or folder is copied to: a relative path of plain characters, since `read_slang` expands variables and patterns in paths.
fn copied(path: &Path) -> PathBuf {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().chars().map(plain_character).collect::<String>()),
        _ => None,
    });
    [COPIES.to_string()].into_iter().chain(names).collect()
}

fn plain_character(sign: char) -> String {
    if is_plain_character(sign) { sign.into() } else { format!("_x{:x}_", u32::from(sign)) }
}

fn is_plain_character(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.' | '+')
}

fn is_plain(path: &Path) -> bool {
    path.to_string_lossy().chars().all(|sign| is_plain_character(sign) || sign == '/')
}

/// Whether a relative path stays within its folder.
fn is_inner(path: &Path) -> bool {
    path.file_name().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> SlangFiles {
        let copy = Copy { path: "/a b/m.sv".into(), text: text.into() };
        SlangFiles { sources: Sources::default(), copies: vec![copy], folders: vec![] }
    }

    #[test]
    fn readers_differ_where_files_ask() {
        use Reader::{Simulator, Synthesis, Verilator, Yosys};
        let readers = |text: &str| files(text).readers();
        assert_eq!(readers("// VERILATOR\nmodule m; wire s = \"SYNTHESIS\"; endmodule"), [Synthesis]);
        for text in [
            "`ifdef VERILATOR",
            "`ifndef\nSYNTHESIS",
            "x // synopsys translate_off",
            "`elsif verilator3",
            "`SYSTEMVERILOG",
        ] {
            assert_eq!(readers(text), [Synthesis, Simulator, Verilator], "{text}");
        }
        assert_eq!(readers("`ifdef YOSYS"), [Synthesis, Yosys, Simulator, Verilator]);
    }

    #[test]
    fn what_tools_read_differently_is_refused() {
        let refused = |text: &str| files(text).refused();
        assert!(refused("\n`unconnected_drive pull1").is_some_and(|why| why.starts_with("/a b/m.sv:2: Yosys ignores")));
        assert!(
            refused("case (a) // synopsys full_case parallel_case").is_some_and(|why| why.contains("(* full_case *)"))
        );
        assert!(refused("/* altera translate_off */").is_some());
        for fine in
            ["(* full_case *) case (a)", "// pragma translate_off", "/*synthesis translate_off*/", "x = \"full_case\";"]
        {
            assert_eq!(refused(fine), None, "{fine}");
        }
    }

    #[test]
    fn statements_are_located() {
        let files = files("q <= p;\n// q <= @(x)\nq <= @(posedge clk) p;\nfunction int f(int i);");
        assert_eq!(files.locate("q", "@").as_deref(), Some("/a b/m.sv:3"));
        assert_eq!(files.locate("function", " f").as_deref(), Some("/a b/m.sv:4"));
        assert_eq!(files.locate("q", "x"), None);
    }

    #[test]
    fn includes_are_found() {
        let text = "`include \"a.vh\"\n// `include \"b.vh\"\n`include <c.vh>\n`include `NAME\n";
        assert_eq!(included(text), ["a.vh", "c.vh"]);
        assert!(!files(text).is_closed() && files("`include \"a.vh\"").is_closed());
    }

    #[test]
    fn copies_have_plain_paths() {
        assert_eq!(copied(&cleaned(Path::new("/a b/../$c/d.sv"))), Path::new("files/_x24_c/d.sv"));
        assert_eq!(files("").placed("files/a_x20_b/m.sv:3: no"), "/a b/m.sv:3: no");
    }
}
