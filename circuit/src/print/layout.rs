//! Line breaking: statements, lists, and words in comments.

use crate::wires::MAX_PARTS;

/// The columns of a line in a module, without its indentation by two.
pub const COLUMNS: usize = 98;

/// The indentation of a statement's lines after the first.
pub const INDENT: &str = "    ";

/// The indentation of the body of a loop.
pub const INDENT_OF_LOOP: usize = 2;

/// The text of an expression, with the places where its line may be broken.
#[derive(Clone, Debug)]
pub enum Phrase {
    Word(String),
    /// A prefix operator, and the text between it and its operand.
    Prefix {
        operator: &'static str,
        operand: Box<Phrase>,
        /// Whether it is an operand without parentheses.
        is_bare: bool,
    },
    /// Operands, each but the first after its operator.
    Chain {
        links: Vec<(&'static str, Phrase)>,
        /// Whether the operators are words whose operands need no parentheses.
        is_loose: bool,
    },
    List(List),
}

/// Parts side by side in brackets.
#[derive(Clone, Debug)]
pub struct List {
    pub open: &'static str,
    pub close: &'static str,
    /// The separator of the parts.
    pub between: Between,
    /// The parts, each with its range of bits.
    pub parts: Vec<(Phrase, String)>,
    /// The beginning of a comment.
    pub comment: &'static str,
}

/// The separator of the parts of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    Comma,
    /// This operator.
    Operator(&'static str),
}

impl Phrase {
    pub fn word(text: impl Into<String>) -> Phrase {
        Phrase::Word(text.into())
    }

    pub fn chain(links: Vec<(&'static str, Phrase)>) -> Phrase {
        Phrase::Chain { links, is_loose: false }
    }

    /// The phrase as a whole expression.
    pub fn text(&self) -> String {
        match self {
            Phrase::Word(text) => text.clone(),
            Phrase::Prefix { operator, operand, .. } => format!("{operator}{}", operand.operand()),
            Phrase::Chain { links, is_loose } => {
                let text = |link: &Phrase| if *is_loose { link.text() } else { link.operand() };
                let links = links.iter().map(|(operator, link)| match *operator {
                    "" => text(link),
                    operator => format!("{operator} {}", text(link)),
                });
                links.collect::<Vec<_>>().join(" ")
            }
            Phrase::List(list) => {
                let parts: Vec<String> = list.parts.iter().map(|(part, _)| list.between.of(part)).collect();
                let between = match list.between {
                    Between::Comma => ", ".to_string(),
                    Between::Operator(operator) => format!(" {operator} "),
                };
                format!("{}{}{}", list.open, parts.join(&between), list.close)
            }
        }
    }

    /// The phrase as an operand: in parentheses if it needs them.
    pub fn operand(&self) -> String {
        if self.needs_parentheses() { format!("({})", self.text()) } else { self.text() }
    }

    pub fn needs_parentheses(&self) -> bool {
        match self {
            Phrase::Word(_) | Phrase::List(_) => false,
            Phrase::Prefix { is_bare, .. } => !is_bare,
            Phrase::Chain { .. } => true,
        }
    }
}

impl Between {
    /// A part on its own line.
    fn of(self, part: &Phrase) -> String {
        match self {
            Between::Comma => part.text(),
            Between::Operator(_) => part.operand(),
        }
    }
}

/// `head sign phrase;`, broken into lines. A long list has a line for each part, with its bits.
pub fn assignment(head: &str, sign: &str, phrase: &Phrase) -> Vec<String> {
    let head = format!("{head} {sign}");
    let line = format!("{head} {};", phrase.text());
    let is_long = matches!(phrase, Phrase::List(list) if list.parts.len() > MAX_PARTS);
    if line.len() <= COLUMNS && !is_long {
        return vec![line];
    }
    // The braces of a list stand below the statement.
    let deeper = if matches!(phrase, Phrase::List(_)) { "" } else { INDENT };
    let indent = " ".repeat(head.len() - head.trim_start().len()) + deeper;
    let mut lines = broken(phrase, COLUMNS - indent.len() - 1);
    let last = lines.len() - 1;
    lines[last] += ";";
    let first = format!("{head} {}", lines[0]);
    let (start, rest) = if first.len() <= COLUMNS { (first, &lines[1..]) } else { (head, &lines[..]) };
    std::iter::once(start).chain(rest.iter().map(|line| format!("{indent}{line}"))).collect()
}

/// A phrase that does not fit on a line, broken at its outermost operator.
fn broken(phrase: &Phrase, columns: usize) -> Vec<String> {
    match phrase {
        Phrase::Word(text) => vec![text.clone()],
        Phrase::Prefix { operator, operand, .. } => with_start(operator, operand, false, columns),
        Phrase::Chain { links, is_loose } => {
            let start = |operator: &str| if operator.is_empty() { String::new() } else { format!("{operator} ") };
            links.iter().flat_map(|(operator, link)| with_start(&start(operator), link, *is_loose, columns)).collect()
        }
        Phrase::List(list) => list.lines(columns),
    }
}

/// An operand, broken only if it does not fit.
fn fitted(operand: &Phrase, is_loose: bool, columns: usize) -> Vec<String> {
    let text = if is_loose { operand.text() } else { operand.operand() };
    if text.len() <= columns {
        return vec![text];
    }
    if is_loose || !operand.needs_parentheses() {
        return broken(operand, columns);
    }
    let mut lines = vec!["(".to_string()];
    lines.extend(broken(operand, columns - INDENT.len()).iter().map(|line| format!("{INDENT}{line}")));
    lines.push(")".into());
    lines
}

/// An operand after the preceding text of its line.
fn with_start(start: &str, operand: &Phrase, is_loose: bool, columns: usize) -> Vec<String> {
    let mut lines = fitted(operand, is_loose, columns - start.len());
    lines[0].insert_str(0, start);
    lines
}

impl List {
    /// One line per part; if there are many parts, with their bits.
    fn lines(&self, columns: usize) -> Vec<String> {
        let texts: Vec<Vec<String>> = (0..self.parts.len()).map(|index| self.part(index, columns)).collect();
        let widest = texts.iter().flatten().map(String::len).max().unwrap_or(0);
        let mut lines = vec![self.open.to_string()];
        for (text, (_, place)) in texts.into_iter().zip(&self.parts) {
            let is_shown = self.parts.len() > MAX_PARTS && widest + place.len() + 12 <= columns;
            let end = text.len() - 1;
            lines.extend(text.into_iter().enumerate().map(|(index, line)| match index == end && is_shown {
                true => format!("{INDENT}{line:widest$}  {} {place}", self.comment),
                false => format!("{INDENT}{line}"),
            }));
        }
        lines.push(self.close.into());
        lines
    }

    /// The lines of a part, with its separator.
    fn part(&self, index: usize, columns: usize) -> Vec<String> {
        let (part, _) = &self.parts[index];
        match self.between {
            Between::Comma => {
                let mut lines = fitted(part, true, columns - INDENT.len());
                let last = lines.len() - 1;
                lines[last] += if index + 1 == self.parts.len() { "" } else { "," };
                lines
            }
            Between::Operator(_) if index == 0 => fitted(part, false, columns - INDENT.len()),
            Between::Operator(operator) => with_start(&format!("{operator} "), part, false, columns - INDENT.len()),
        }
    }
}

/// A comment, broken into lines that begin with `begin`; a row of a table, which is indented, stays whole.
pub fn comment(begin: &str, text: &str) -> Vec<String> {
    if text.starts_with("  ") {
        return vec![format!("{begin} {text}")];
    }
    wrapped(text.split(' '), &format!("{begin} "), &format!("{begin}   "), COLUMNS)
}

/// Lines of a list, with this in place of the last comma.
pub fn ended(mut lines: Vec<String>, end: &str) -> Vec<String> {
    if let Some(last) = lines.last_mut() {
        last.truncate(last.len() - 1);
        last.push_str(end);
    }
    lines
}

/// Words, broken into lines; the first line begins with `first` and the others with `next`.
pub fn wrapped<'a>(words: impl IntoIterator<Item = &'a str>, first: &str, next: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![];
    let (mut line, mut is_empty) = (first.to_string(), true);
    for word in words {
        if !is_empty && line.len() + 1 + word.len() > columns {
            lines.push(std::mem::replace(&mut line, next.to_string()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    lines.push(line);
    lines
}

/// The head of an instance: on two lines if it is too long.
fn headed(head: String, columns: usize) -> Vec<String> {
    match head.split_once(' ') {
        Some((module, name)) if head.len() > columns => vec![module.into(), format!("{INDENT}{name}")],
        _ => vec![head],
    }
}

/// The connections of an instance after `head`, each ended by a comma: one per line if they are listed, else as few lines as
/// possible with this indentation.
pub fn parenthesized(head: String, connected: &[String], is_listed: bool, indent: usize) -> Vec<String> {
    if is_listed {
        let ports = ended(connected.iter().map(|port| format!("  {port}")).collect(), "");
        return [vec![head], ports, vec![");".into()]].concat();
    }
    let columns = COLUMNS - 2 - indent;
    // A connection is broken only if it does not fit.
    let words = |connection: &'_ String| match connection.len() + INDENT.len() > columns {
        true => connection.split(' ').map(String::from).collect::<Vec<_>>(),
        false => vec![connection.clone()],
    };
    let words: Vec<String> = connected.iter().flat_map(words).collect();
    let list = |first: &str| ended(wrapped(words.iter().map(String::as_str), first, INDENT, columns), ");");
    match list(&head) {
        line if line.len() == 1 => line,
        _ => [headed(head, columns), list(INDENT)].concat(),
    }
}
