//! The interface of a language's syntax.

use super::expression::Expression;
use super::layout::{COLUMNS, Phrase, wrapped};
use super::module::{Heading, Module};
use crate::{Netlist, NodeId, Port};
use num_bigint::BigUint;
use std::collections::HashSet;

/// How modules are printed in a language.
pub trait Syntax {
    /// Whether ports of several lanes are arrays.
    fn has_arrays(&self) -> bool;

    /// The nodes that cannot be written where they are read; `connected` are the nodes that instances read.
    fn must_be_wires(&self, netlist: &Netlist, connected: &[(Port, NodeId)]) -> HashSet<NodeId>;

    /// An expression, as an operand of others.
    fn phrase(&self, expression: &Expression) -> Phrase;

    /// A constant, in comments.
    fn constant(&self, value: &BigUint, width: u32) -> String;

    /// The range of a signal, after a space; empty for a single bit.
    fn bits_of(&self, width: u32) -> String;

    /// A file with a module and those of its parts.
    fn file(&self, heading: &Heading, module: &Module, parts: Vec<String>) -> String;

    /// A module after that of the unit.
    fn part(&self, about: &str, module: &Module) -> String;
}

/// The lines of a header that say what the module computes.
pub fn about(heading: &Heading) -> Vec<String> {
    heading.about.iter().flat_map(|line| wrapped(line.split(' '), "", "  ", COLUMNS - 1)).collect()
}

/// An infix expression as a chain; `operator` prints the operators, and `phrase` the operands.
pub fn chain(expression: &Expression, operator: &'static str, mut phrase: impl FnMut(&Expression) -> Phrase) -> Phrase {
    let links = expression.links().into_iter().enumerate();
    Phrase::chain(links.map(|(place, link)| (if place == 0 { "" } else { operator }, phrase(link))).collect())
}
