//! Verilog text, examined without a tool.

/// System tasks that print or stop a simulation; synthesis ignores them.
const MESSAGES: [&str; 22] = [
    "$display",
    "$displayb",
    "$displayh",
    "$displayo",
    "$write",
    "$writeb",
    "$writeh",
    "$writeo",
    "$strobe",
    "$monitor",
    "$info",
    "$warning",
    "$error",
    "$fatal",
    "$finish",
    "$stop",
    "$exit",
    "$timeformat",
    "$asserton",
    "$assertoff",
    "$dumpfile",
    "$dumpvars",
];

/// Directives that make a module a cell of a library, which is not looked into.
const OF_CELLS: [&str; 2] = ["`celldefine", "`endcelldefine"];

/// A stretch of Verilog text.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Code,
    Comment,
    Text,
}

/// The text with comments and strings replaced by blanks, byte for byte.
pub fn code(text: &str) -> String {
    only(text, &[Kind::Code])
}

/// The comments of a text, and blanks in place of everything else, byte for byte.
pub(super) fn comments(text: &str) -> String {
    only(text, &[Kind::Comment])
}

/// The text with comments replaced by blanks, byte for byte.
pub(super) fn uncommented(text: &str) -> String {
    only(text, &[Kind::Code, Kind::Text])
}

fn only(text: &str, kinds: &[Kind]) -> String {
    let mut kept = String::with_capacity(text.len());
    for (kind, part) in parts(text) {
        match kinds.contains(&kind) {
            true => kept += part,
            false => kept.extend(part.bytes().map(blank)),
        }
    }
    kept
}

fn blank(byte: u8) -> char {
    if byte == b'\n' { '\n' } else { ' ' }
}

fn parts(text: &str) -> Vec<(Kind, &str)> {
    let (mut parts, mut rest, mut at) = (vec![], text, 0);
    while let Some(found) = rest[at..].find(['/', '"']) {
        at += found;
        let from = &rest[at..];
        let (kind, end) = match from.as_bytes() {
            [b'/', b'/', ..] => (Kind::Comment, from.find('\n').unwrap_or(from.len())),
            [b'/', b'*', ..] => (Kind::Comment, from[2..].find("*/").map_or(from.len(), |end| end + 4)),
            [b'"', ..] => (Kind::Text, string_end(from)),
            _ => {
                at += 1;
                continue;
            }
        };
        parts.extend([(Kind::Code, &rest[..at]), (kind, &from[..end])]);
        (rest, at) = (&from[end..], 0);
    }
    parts.push((Kind::Code, rest));
    parts
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

/// The strings of a text, without their quotation marks.
pub(super) fn strings(text: &str) -> impl Iterator<Item = &str> {
    let strings = parts(text).into_iter().filter(|(kind, _)| *kind == Kind::Text);
    strings.map(|(_, part)| part.trim_matches(['"', '\n']))
}

pub(super) fn is_word_part(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '$')
}

/// The words of a code with their places; directives keep their backquote.
pub(super) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + code[at..].find(|sign| is_word_part(sign) || sign == '`')?;
        let first = code[start..].chars().next().map_or(1, char::len_utf8);
        let rest = &code[start + first..];
        at = start + first + rest.find(|sign| !is_word_part(sign)).unwrap_or(rest.len());
        Some((start, &code[start..at]))
    })
}

/// The number of the line at this place.
pub(super) fn line(text: &str, place: usize) -> usize {
    1 + text[..place].matches('\n').count()
}

/// The text with blanks in place of what synthesis ignores: the calls of tasks in [`MESSAGES`], of which only the semicolon remains, and the
/// directives in [`OF_CELLS`].
pub(super) fn for_synthesis(text: &str) -> String {
    let code = code(text);
    let mut kept = text.as_bytes().to_vec();
    for (start, word) in words(&code).filter(|(_, word)| MESSAGES.contains(word) || OF_CELLS.contains(word)) {
        let behind = start + word.len();
        let end = behind + if OF_CELLS.contains(&word) { 0 } else { arguments_length(&code[behind..]) };
        kept[start..end].iter_mut().for_each(|byte| *byte = blank(*byte) as u8);
    }
    String::from_utf8(kept).expect("calls begin and end between characters")
}

/// The length of the blanks and the parenthesized arguments with which a code begins; 0 if it begins otherwise.
fn arguments_length(code: &str) -> usize {
    let Some(open) = code.find(|sign: char| !sign.is_whitespace()).filter(|&at| code[at..].starts_with('(')) else {
        return 0;
    };
    open + enclosed_length(&code[open..])
}

/// The length of what a bracket at the start of a code encloses, with both brackets.
pub(super) fn enclosed_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, sign) in code.char_indices() {
        match sign {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart() {
        let text = "a // \u{e9}\n/* $fopen\n*/ \"$\\\"x\" b/c `d";
        let (code, comments) = (code(text), comments(text));
        assert_eq!((code.len(), comments.len()), (text.len(), text.len()));
        assert_eq!(words(&code).map(|(_, word)| word).collect::<Vec<_>>(), ["a", "b", "c", "`d"]);
        assert_eq!(comments.split_whitespace().collect::<Vec<_>>(), ["//", "\u{e9}", "/*", "$fopen", "*/"]);
        assert!(strings(text).eq(["$\\\"x"]));
        assert_eq!(line(text, text.len()), 3);
    }

    #[test]
    fn what_synthesis_ignores_is_left_out() {
        assert_eq!(for_synthesis("`celldefine\nmodule m;"), "           \nmodule m;");
        let text =
            "initial $display(\"a) \\\" $error(\", f(1,\n2)); y = $signed(a$error); s = \"$fatal\"; // $stop\n$finish;";
        let left = for_synthesis(text);
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(words, ["initial", ";", "y", "=", "$signed(a$error);", "s", "=", "\"$fatal\";", "//", "$stop", ";"]);
        assert_eq!((left.len(), left.lines().count()), (text.len(), 3));
    }
}
