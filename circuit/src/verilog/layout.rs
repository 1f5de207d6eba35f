//! Lines that fit: statements, and lists in comments and braces.

use super::syntax::{Expression, bits};
use crate::wires::MAX_PARTS;

/// Columns of a line in a module, which is indented by two.
pub const COLUMNS: usize = 118;

/// How much deeper the lines after a statement's first one begin.
pub const INDENT: &str = "    ";

/// `head = expression;` in lines that fit. A long concatenation has a line for each part, with its bits.
pub fn statement(head: &str, expression: &Expression) -> Vec<String> {
    assignment(head, "=", expression)
}

/// A [`statement`] with another sign in place of `=`.
pub fn assignment(head: &str, assigns: &str, expression: &Expression) -> Vec<String> {
    let head = format!("{head} {assigns}");
    let line = format!("{head} {};", expression.text());
    let is_long = matches!(expression, Expression::Concat(parts) if parts.len() > MAX_PARTS);
    if line.len() <= COLUMNS && !is_long {
        return vec![line];
    }
    // The braces of a concatenation stand below the statement.
    let deeper = if matches!(expression, Expression::Concat(_)) { "" } else { INDENT };
    let indent = " ".repeat(head.len() - head.trim_start().len()) + deeper;
    let mut lines = broken(expression, COLUMNS - indent.len() - 1);
    let last = lines.len() - 1;
    lines[last] += ";";
    let first = format!("{head} {}", lines[0]);
    let (start, rest) = if first.len() <= COLUMNS { (first, &lines[1..]) } else { (head, &lines[..]) };
    std::iter::once(start).chain(rest.iter().map(|line| format!("{indent}{line}"))).collect()
}

/// An expression that does not fit, broken at its outermost operator.
fn broken(expression: &Expression, columns: usize) -> Vec<String> {
    match expression {
        Expression::Atom(text) => vec![text.clone()],
        Expression::Prefix { operator, operand } => with_start(&operator.to_string(), operand, columns),
        Expression::Infix { operator, .. } => {
            let mut links = expression.links().into_iter();
            let mut lines = links.next().map_or(vec![], |first| fitted(first, columns));
            links.for_each(|link| lines.extend(with_start(&format!("{operator} "), link, columns)));
            lines
        }
        Expression::Choice(parts) => {
            let [select, one, zero] = &**parts;
            [fitted(select, columns), with_start("? ", one, columns), with_start(": ", zero, columns)].concat()
        }
        Expression::Concat(parts) => concatenation(parts, columns),
        Expression::Repeat { .. } => vec![expression.text()],
    }
}

/// An operand, broken only if it has to be.
fn fitted(operand: &Expression, columns: usize) -> Vec<String> {
    let text = operand.operand();
    if text.len() <= columns {
        return vec![text];
    }
    if !operand.needs_parentheses() {
        return broken(operand, columns);
    }
    let mut lines = vec!["(".to_string()];
    lines.extend(broken(operand, columns - INDENT.len()).iter().map(|line| format!("{INDENT}{line}")));
    lines.push(")".into());
    lines
}

/// An operand behind what comes before it on its line.
fn with_start(start: &str, operand: &Expression, columns: usize) -> Vec<String> {
    let mut lines = fitted(operand, columns - start.len());
    lines[0].insert_str(0, start);
    lines
}

/// A part a line; if there are many, with its bits.
fn concatenation(parts: &[(Expression, u32)], columns: usize) -> Vec<String> {
    let last = parts.len() - 1;
    let texts: Vec<Vec<String>> = parts
        .iter()
        .enumerate()
        .map(|(index, (part, _))| {
            let mut lines = vec![part.text()];
            if lines[0].len() > columns - INDENT.len() {
                lines = broken(part, columns - INDENT.len());
            }
            let end = lines.len() - 1;
            lines[end] += if index == last { "" } else { "," };
            lines
        })
        .collect();
    let widest = texts.iter().flatten().map(String::len).max().unwrap_or(0);
    let mut low: u32 = parts.iter().map(|(_, width)| width).sum();
    let mut lines = vec!["{".to_string()];
    for (text, (_, width)) in texts.into_iter().zip(parts) {
        low -= width;
        let place = bits(low, *width);
        let is_shown = parts.len() > MAX_PARTS && widest + place.len() + 12 <= columns;
        let end = text.len() - 1;
        lines.extend(text.into_iter().enumerate().map(|(index, line)| match index == end && is_shown {
            true => format!("{INDENT}{line:widest$}  // {place}"),
            false => format!("{INDENT}{line}"),
        }));
    }
    lines.push("}".into());
    lines
}

/// Words in lines that fit behind `first` on the first line and `next` on the others.
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
