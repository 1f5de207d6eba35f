//! Verilog text, examined without a tool.

/// System tasks with effects outside the simulation: they run programs or write files.
const REACHING_OUT: [&str; 5] = ["$system", "$fopen", "$writememb", "$writememh", "$dumpfile"];

/// The first task in a text that runs a program or writes a file, with its line number.
pub fn task_that_reaches_out(text: &str) -> Option<(&'static str, usize)> {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$');
    let code = code(text);
    let in_line = |(number, line): (usize, &str)| {
        let mut words = line.split(|sign| !is_part(sign));
        words.find_map(|word| REACHING_OUT.into_iter().find(|task| *task == word)).map(|task| (task, number))
    };
    (1..).zip(code.lines()).find_map(in_line)
}

/// The text with comments and strings replaced by blanks.
pub fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        code += &rest[..at];
        rest = &rest[at..];
        let end = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            [b'"', ..] => string_end(rest),
            _ => {
                code.push('/');
                rest = &rest[1..];
                continue;
            }
        };
        code.extend(rest[..end].chars().map(|sign| if sign == '\n' { '\n' } else { ' ' }));
        rest = &rest[end..];
    }
    code + rest
}

/// The end of a string that starts the text.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' | '\n' if !is_escaped => return at + 1,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_reach_out_are_found() {
        let text = "// $system\n/* $fopen\n*/ x = \"$system\";\ninitial f = $fopen(\"a\");\n";
        assert_eq!(task_that_reaches_out(text), Some(("$fopen", 4)));
        assert_eq!(task_that_reaches_out("$display(\"x\"); $countones(a$system)"), None);
    }
}
