//! Finds modules in Verilog text without Verilator.

use binade_sim::verilator::code;

/// The names of the modules that a text declares, in order; ignores comments and strings.
pub(crate) fn modules(text: &str) -> Vec<String> {
    let code = code(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words: Vec<&str> = code.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let mut declared = vec![];
    for (at, _) in words.iter().enumerate().filter(|(_, word)| ["module", "macromodule"].contains(word)) {
        let name = words[at + 1..].iter().find(|word| !["automatic", "static"].contains(word));
        declared.extend(name.map(|name| name.to_string()));
    }
    declared
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
