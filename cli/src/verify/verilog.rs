//! A look at Verilog text, without Verilator.

/// The modules that a text declares, in their order. What is in comments and strings does not count.
pub fn modules(text: &str) -> Vec<String> {
    let code = without_comments(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words: Vec<&str> = code.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let mut declared = vec![];
    for (at, _) in words.iter().enumerate().filter(|(_, word)| ["module", "macromodule"].contains(word)) {
        let name = words[at + 1..].iter().find(|word| !["automatic", "static"].contains(word));
        declared.extend(name.map(|name| name.to_string()));
    }
    declared
}

/// The text with blanks in place of comments and strings.
fn without_comments(text: &str) -> String {
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
        code.push(' ');
        rest = &rest[end..];
    }
    code + rest
}

/// Where a string that starts the text ends.
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
    fn only_what_is_declared_counts() {
        let text = "// module a\n/* module b; */ module c #(parameter W = 8) (input x);\n\
                    initial $display(\"module d \\\" module e\"); wire y = x / 2; endmodule\nmodule automatic f; endmodule\n";
        assert_eq!(modules(text), ["c", "f"]);
        assert!(modules("// module a").is_empty() && modules("/* module a").is_empty());
    }
}
