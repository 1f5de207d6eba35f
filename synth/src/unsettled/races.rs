//! Races: a clocked block writes a variable with a blocking assignment, and another clocked block reads it at the same edge, by itself or
//! through logic between them. Which of the two runs first is not defined (IEEE 1800, 4.8).

use super::{Symbol, Unsettled, each, kind, named, reference, text};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What a process or a continuous assignment does with variables.
#[derive(Default)]
struct Actor {
    is_clocked: bool,
    uses: BTreeSet<Symbol>,
    writes: BTreeSet<Symbol>,
    /// Written by blocking assignments.
    blocking: BTreeMap<Symbol, String>,
    calls: BTreeSet<Symbol>,
}

/// All that act in a design, and what they share.
#[derive(Default)]
struct Actors {
    actors: Vec<Actor>,
    subroutines: BTreeMap<Symbol, Actor>,
}

/// A variable that is written and read in a race.
pub(super) fn race(tree: &Value) -> Option<Unsettled> {
    let mut found = Actors::default();
    found.walk(tree);
    found.expand_calls();
    let clocked = || found.actors.iter().enumerate().filter(|(_, actor)| actor.is_clocked);
    for (place, writer) in clocked() {
        for (&variable, name) in &writer.blocking {
            let reached = found.reached(variable);
            if clocked().any(|(other, reader)| other != place && !reader.uses.is_disjoint(&reached)) {
                let why = format!(
                    "{name} is written with `=` in a clocked block, and another clocked block reads it: which one comes first is not defined; write `<=`"
                );
                return Some(Unsettled::new(name, "=", why));
            }
        }
    }
    None
}

impl Actors {
    fn walk(&mut self, tree: &Value) {
        match tree {
            Value::Object(node) => self.node(node),
            Value::Array(nodes) => nodes.iter().for_each(|node| self.walk(node)),
            _ => {}
        }
    }

    fn node(&mut self, node: &Map<String, Value>) {
        match kind(node) {
            "ProceduralBlock" if text(node, "procedureKind").starts_with("Always") => {
                self.actors.push(Actor { is_clocked: is_clocked(node), ..Actor::of(node) });
            }
            "ProceduralBlock" => {}
            "ContinuousAssign" => self.actors.push(Actor::of(node)),
            "Net" if node.contains_key("initializer") => {
                let writes = node.get("addr").and_then(Value::as_u64).into_iter().collect();
                self.actors.push(Actor { writes, ..Actor::of(node) });
            }
            "Subroutine" => drop(
                node.get("addr").and_then(Value::as_u64).map(|symbol| self.subroutines.insert(symbol, Actor::of(node))),
            ),
            _ => {
                self.connect(node);
                node.values().for_each(|value| self.walk(value));
            }
        }
    }

    /// A port stands for a variable inside of it, and for one outside.
    fn connect(&mut self, node: &Map<String, Value>) {
        let inner =
            |port: &Map<String, Value>| Some((port.get("addr")?.as_u64()?, reference(port.get("internalSymbol")?)?.0));
        let mut sides = BTreeSet::new();
        if let Some((port, inner)) = inner(node) {
            sides.extend([port, inner]);
        }
        if let (Some(Value::Object(port)), Some(outer)) = (node.get("port"), node.get("expr")) {
            sides.extend(inner(port).map(|(_, inner)| inner));
            sides.extend(used(outer));
        }
        if sides.len() > 1 {
            self.actors.push(Actor { uses: sides.clone(), writes: sides, ..Actor::default() });
        }
    }

    /// Adds what called subroutines do to their callers.
    fn expand_calls(&mut self) {
        let Actors { actors, subroutines } = self;
        for actor in actors {
            let mut left: Vec<Symbol> = actor.calls.iter().copied().collect();
            while let Some(called) = left.pop() {
                let Some(subroutine) = subroutines.get(&called) else { continue };
                actor.uses.extend(&subroutine.uses);
                actor.writes.extend(&subroutine.writes);
                actor.blocking.extend(subroutine.blocking.iter().map(|(&symbol, name)| (symbol, name.clone())));
                left.extend(subroutine.calls.iter().filter(|call| actor.calls.insert(**call)));
            }
        }
    }

    /// The variables that follow this one without a clock, and itself.
    fn reached(&self, variable: Symbol) -> BTreeSet<Symbol> {
        let mut reached = BTreeSet::from([variable]);
        let mut left = vec![variable];
        while let Some(next) = left.pop() {
            for actor in self.actors.iter().filter(|actor| !actor.is_clocked && actor.uses.contains(&next)) {
                left.extend(actor.writes.iter().filter(|symbol| reached.insert(**symbol)));
            }
        }
        reached
    }
}

impl Actor {
    fn of(node: &Map<String, Value>) -> Actor {
        let mut actor = Actor::default();
        let own = own_variables(node);
        for value in node.values() {
            actor.uses.extend(used(value));
            each(value, &mut |node| actor.take(node));
        }
        actor.uses.retain(|symbol| !own.contains(symbol));
        actor.blocking.retain(|symbol, _| !own.contains(symbol));
        actor
    }

    fn take(&mut self, node: &Map<String, Value>) {
        match kind(node) {
            "Assignment" => {
                let mut written = vec![];
                each(node.get("left").unwrap_or(&Value::Null), &mut |part| {
                    written.extend(
                        part.get("symbol").and_then(reference).map(|(symbol, name)| (symbol, name.to_string())),
                    );
                });
                self.writes.extend(written.iter().map(|(symbol, _)| *symbol));
                if node.get("isNonBlocking").and_then(Value::as_bool) == Some(false) {
                    self.blocking.extend(written);
                }
            }
            "UnaryOp"
                if ["increment", "decrement"].iter().any(|word| text(node, "op").to_lowercase().contains(word)) =>
            {
                if let Some((symbol, name)) = node.get("operand").and_then(named) {
                    self.writes.insert(symbol);
                    self.blocking.insert(symbol, name.into());
                }
            }
            "Call" => self.calls.extend(node.get("subroutine").and_then(reference).map(|(symbol, _)| symbol)),
            _ => {}
        }
    }
}

/// Variables that are declared in a subroutine or a block of statements.
fn own_variables(node: &Map<String, Value>) -> BTreeSet<Symbol> {
    let mut own = BTreeSet::new();
    for value in node.values() {
        each(value, &mut |node| {
            if kind(node) == "VariableDeclaration" {
                own.extend(node.get("symbol").and_then(reference).map(|(symbol, _)| symbol));
            } else if ["Variable", "FormalArgument"].contains(&kind(node)) {
                own.extend(node.get("addr").and_then(Value::as_u64));
            }
        });
    }
    own
}

/// The variables in an expression or statement.
fn used(tree: &Value) -> BTreeSet<Symbol> {
    let mut used = BTreeSet::new();
    each(tree, &mut |node| {
        if kind(node).ends_with("Value") {
            used.extend(node.get("symbol").and_then(reference).map(|(symbol, _)| symbol));
        }
    });
    used
}

/// Whether a process waits for an edge.
fn is_clocked(process: &Map<String, Value>) -> bool {
    let mut has_edge = false;
    if let Some(timing) = process.get("body").and_then(|body| body.get("timing")) {
        each(timing, &mut |node| has_edge |= text(node, "edge").ends_with("Edge"));
    }
    has_edge
}
