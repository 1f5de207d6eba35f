//! Names of signals: legal and unique identifiers, and names for signals without their own.

use crate::clock::{CLOCK_PORTS, MAX_STAGES, valid_name};
use crate::language::{Language, keywords};
use crate::{Netlist, NodeId, Op};
use rustc_hash::{FxHashMap, FxHashSet};

/// The counters of a loop of instances, and of two nested loops.
pub const LOOP_VARIABLES: [&str; 3] = ["lane", "row", "column"];

/// Hands out legal identifiers, each once.
pub struct Names {
    /// In lower case, because VHDL is not case-sensitive.
    taken: FxHashSet<String>,
    /// For each name and suffix that were wanted more than once, the last number between them: all lower ones are taken, so that the next
    /// search begins there.
    last_numbers: FxHashMap<[String; 2], u64>,
}

impl Names {
    /// The keywords of all languages are taken from the start, so that names are the same in every language. So are the
    /// counters of loops.
    pub fn new(language: Language) -> Names {
        let used = language.used_names().iter().copied();
        let taken = keywords().chain(used).chain(LOOP_VARIABLES).map(String::from).collect();
        Names { taken, last_numbers: FxHashMap::default() }
    }

    /// The names of a circuit's ports and registers are also taken; if it is clocked, also those of its clock ports and valid
    /// bits.
    pub fn of_unit(netlist: &Netlist, stages: u32, language: Language) -> Names {
        let mut names = Names::of_ports(netlist, language);
        if stages > 0 || !netlist.registers.is_empty() {
            names.take_clocked(stages);
        }
        netlist.registers.iter().for_each(|register| names.take(&register.name));
        names
    }

    fn of_ports(netlist: &Netlist, language: Language) -> Names {
        let mut names = Names::new(language);
        netlist.inputs.iter().for_each(|port| names.take(&port.name));
        netlist.outputs.iter().for_each(|(port, _)| names.take(&port.name));
        names
    }

    fn take_clocked(&mut self, stages: u32) {
        CLOCK_PORTS.iter().for_each(|port| self.take(port.name));
        (1..=stages).for_each(|rank| self.take(&valid_name(rank)));
    }

    fn take(&mut self, name: &str) {
        self.taken.insert(name.to_ascii_lowercase());
    }

    /// `wanted`, followed by a number if it is taken.
    pub fn give(&mut self, wanted: &str) -> String {
        self.give_with(wanted, "")
    }

    /// `wanted` and `suffix`, with a number between them if that name is taken.
    pub fn give_with(&mut self, wanted: &str, suffix: &str) -> String {
        let plain = format!("{wanted}{suffix}");
        let is_taken = |name: &str| self.taken.contains(&name.to_ascii_lowercase());
        if !is_taken(&plain) {
            self.take(&plain);
            return plain;
        }
        let parts = [wanted, suffix].map(String::from);
        let first = self.last_numbers.get(&parts).map_or(2, |last| last + 1);
        let numbered = |number: &u64| format!("{wanted}_{number}{suffix}");
        let number = (first..).find(|number| !is_taken(&numbered(number))).expect("numbers do not run out");
        self.last_numbers.insert(parts, number);
        let name = numbered(&number);
        self.take(&name);
        name
    }
}

/// Gives each register a name that no port and no other register has, whatever the number of stages.
pub fn name_registers(netlist: &mut Netlist) {
    let mut names = Names::of_ports(netlist, Language::Verilog);
    names.take_clocked(MAX_STAGES);
    for register in &mut netlist.registers {
        register.name = names.give(&register.name);
    }
}

/// `whole_word`, or `whole` alone if `word` is its last word already.
pub fn with_word(whole: &str, word: &str) -> String {
    let is_word = |word: &&str| !word.bytes().all(|c| c.is_ascii_digit());
    match whole.split('_').rfind(is_word) {
        Some(last) if last == word => whole.into(),
        _ => format!("{whole}_{word}"),
    }
}

/// The name of each node. A node without a name is named after the named signal that it is part of.
pub fn signal_names(netlist: &Netlist) -> Vec<String> {
    let label = |id: NodeId| match (&netlist.nodes[id].label, &netlist.nodes[id].op) {
        (Some(label), _) => Some(label.name.clone()),
        (None, Op::Input(port)) => Some(netlist.inputs[*port].name.clone()),
        (None, _) => None,
    };
    let mut purpose: Vec<Option<String>> = (0..netlist.nodes.len()).map(label).collect();
    let parts = part_names(netlist);
    for (port, node) in &netlist.outputs {
        purpose[*node].get_or_insert(port.name.clone());
    }
    for register in &netlist.registers {
        purpose[register.next].get_or_insert(register.name.clone());
    }
    let outputs: FxHashSet<NodeId> = netlist.outputs.iter().map(|(_, node)| *node).collect();
    let nexts: FxHashSet<NodeId> = netlist.registers.iter().map(|register| register.next).collect();
    for (id, node) in netlist.nodes.iter().enumerate().rev() {
        for operand in node.op.operands() {
            if purpose[operand].is_none() {
                purpose[operand] = parts[operand].clone().or(purpose[id].clone());
            }
        }
    }
    let name = |id: NodeId| {
        // A part of a part keeps the name of the whole.
        let whole = purpose[id].as_deref().unwrap_or("signal");
        match (label(id), &parts[id]) {
            (Some(name), _) => name,
            (None, _) if outputs.contains(&id) => format!("{whole}_code"),
            (None, _) if nexts.contains(&id) => format!("{whole}_next"),
            (None, Some(part)) => part.clone(),
            (None, None) => with_word(whole, part_name(&netlist.nodes[id].op)),
        }
    };
    (0..netlist.nodes.len()).map(name).collect()
}

/// Names for nodes that are the inverse of a named signal, or some bits of a named concatenation.
fn part_names(netlist: &Netlist) -> Vec<Option<String>> {
    let mut names: Vec<Option<String>> = vec![None; netlist.nodes.len()];
    for node in netlist.nodes.iter().rev() {
        let Some(label) = &node.label else { continue };
        if let Op::Not(inverse) = node.op {
            let inverted = label.name.strip_prefix("not_").map(String::from);
            names[inverse] = Some(inverted.unwrap_or_else(|| format!("not_{}", label.name)));
        }
        for (part, low) in netlist.places(node) {
            let high = low + netlist.nodes[part].width - 1;
            let place = if high == low { format!("{low}") } else { format!("{high}_{low}") };
            names[part].get_or_insert(format!("{}_{place}", label.name));
        }
    }
    names
}

/// The name of a part of a signal, by the operator that computes it.
fn part_name(op: &Op) -> &'static str {
    match op {
        Op::Input(_) | Op::Register(_) | Op::Constant(_) | Op::Slice { .. } => "bits",
        Op::Not(_) => "inverted",
        Op::And(..) => "term",
        Op::Or(..) => "either",
        Op::Xor(..) => "flipped",
        Op::Add(..) => "sum",
        Op::Sub(..) => "difference",
        Op::Eq(..) => "match",
        Op::Lt(..) => "below",
        Op::Mul(..) => "product",
        Op::Mux { .. } => "choice",
        Op::AnyOne(_) => "any",
        Op::AllOnes(_) => "all",
        Op::Concat(_) => "joined",
        Op::Repeat(_) => "copies",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_said_once() {
        assert_eq!(["sum", "sum_3_0", "sum_of"].map(|whole| with_word(whole, "sum")), ["sum", "sum_3_0", "sum_of_sum"]);
    }

    #[test]
    fn keywords_and_repeated_names_are_numbered() {
        let mut names = Names::new(Language::Verilog);
        assert_eq!(names.give("sum"), "sum");
        assert_eq!(names.give("sum"), "sum_2");
        assert_eq!(names.give("sum"), "sum_3");
        assert_eq!(
            (names.give_with("sum", "_s1"), names.give_with("sum", "_s1")),
            ("sum_s1".into(), "sum_2_s1".into())
        );
        // The same text, with the number at another place.
        assert_eq!([names.give("sum_s1"), names.give("sum_s1")], ["sum_s1_2", "sum_s1_3"]);
        assert_eq!(names.give_with("sum", "_s1"), "sum_3_s1");
        // A number that is taken by another name.
        assert_eq!([names.give("sum_4"), names.give("SUM"), names.give("sum")], ["sum_4", "SUM_5", "sum_6"]);
        assert_eq!(names.give("small"), "small_2");
        assert_eq!(["wire", "class", "next"].map(|name| names.give(name)), ["wire_2", "class_2", "next_2"]);
    }
}
