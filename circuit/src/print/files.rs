//! A file for each module.

use crate::Language;

/// The text of a file with several modules as one text for each: the name of the module, and its text. The first is that of the unit; the
/// others have the first lines of its header, and say which unit they are a part of.
pub fn files(text: &str, unit: &str, language: Language) -> Vec<(String, String)> {
    let (begin, comment) = match language {
        Language::Verilog | Language::SystemVerilog => ("module ", "//"),
        Language::Vhdl => ("entity ", "--"),
    };
    let header: Vec<&str> = text.lines().take_while(|line| line.starts_with(comment)).collect();
    let is_command = |line: &&&str| line.starts_with(&format!("{comment}   binade "));
    let commands = header.iter().take(1).chain(header.iter().filter(is_command));
    let part = format!("{comment} A part of {unit}.");
    let license = header.iter().rev().take(3).rev();
    let mut of_part: Vec<&str> = commands.chain([&comment, &part.as_str()]).chain(license).copied().collect();
    let rest: Vec<&str> = text.lines().skip(header.len()).collect();
    let is_waiver = |line: &str| line.starts_with("// verilator lint_o");
    let directive = rest.first().filter(|line| line.starts_with('`'));
    of_part.extend(directive.copied());
    let last = rest.last().filter(|line| line.starts_with('`')).copied();
    // A comment above a module belongs to it, as the libraries that a VHDL entity names do.
    let mut files: Vec<(String, Vec<&str>)> = vec![];
    let mut waiting: Vec<&str> = vec![];
    for line in rest.iter().filter(|line| !is_waiver(line) && !line.starts_with('`')) {
        waiting.push(line);
        if let Some(name) = line.strip_prefix(begin).and_then(|rest| rest.split([' ', '(']).next()) {
            files.push((name.into(), vec![]));
        }
        let is_end = matches!(*line, "endmodule" | "end architecture;");
        if is_end && let Some((_, lines)) = files.last_mut() {
            lines.append(&mut waiting);
        }
    }
    // In VHDL, the unit comes last.
    files.sort_by_key(|(name, _)| name != unit);
    let printed = |(name, lines): (String, Vec<&str>)| {
        let begin: Vec<&str> =
            if name == unit { header.iter().chain(directive).copied().collect() } else { of_part.clone() };
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
        let end = last.map(|line| ["", line]).into_iter().flatten();
        let lines: Vec<&str> = begin.into_iter().chain([""]).chain(lines[first..].iter().copied()).chain(end).collect();
        (name, lines.join("\n") + "\n")
    };
    files.into_iter().map(printed).collect()
}
