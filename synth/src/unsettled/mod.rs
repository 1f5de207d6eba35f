//! Where a user's SystemVerilog has no one meaning: simulators and synthesis may do different things there, and so no proof holds for
//! both. Found in the syntax tree that `read_slang` prints.
//!
//! | file | what it holds |
//! |---|---|
//! | `statics.rs` | variables of functions that keep their values from call to call |
//! | `races.rs` | blocking assignments of one clocked block that another one reads |

mod races;
mod statics;

use serde_json::{Map, Value};

/// A symbol of the tree: its address there.
type Symbol = u64;

/// What has no one meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsettled {
    /// Why, and what to write instead.
    pub why: String,
    /// A word of the statement, and code behind it: the tree has no lines.
    pub place: [String; 2],
}

impl Unsettled {
    fn new(word: &str, behind: &str, why: String) -> Unsettled {
        Unsettled { why, place: [word, behind].map(String::from) }
    }
}

/// What is unsettled in the module of this log of Yosys; the first if there are several.
pub(crate) fn unsettled(log: &str) -> Option<Unsettled> {
    let tree = log.find("\n{\n").map(|start| &log[start..]);
    let tree = tree.and_then(|tree| Some(&tree[..tree.find("\n}\n")? + 2]));
    match tree.map(serde_json::from_str) {
        Some(Ok(tree)) => of_nodes(&tree).or_else(|| races::race(&tree)),
        _ => Some(Unsettled::new("", "", "the syntax tree of Yosys cannot be read; please report it".into())),
    }
}

/// The first node that is unsettled by itself.
fn of_nodes(tree: &Value) -> Option<Unsettled> {
    let mut found = None;
    each(tree, &mut |node| {
        found = found.take().or_else(|| match kind(node) {
            "Subroutine" => statics::kept(node),
            "Assignment" => waits(node),
            "Conditional" => unchecked(node),
            "FormalArgument" => by_reference(node),
            _ => None,
        });
    });
    found
}

/// An assignment that waits for an event before it takes effect.
fn waits(assignment: &Map<String, Value>) -> Option<Unsettled> {
    let timing = assignment.get("timingControl")?;
    let is_delay = timing["kind"].as_str().is_some_and(|kind| kind.contains("Delay"));
    let name = assignment.get("left").and_then(named).map_or("", |(_, name)| name);
    let why = format!(
        "the assignment to {name} waits for an event behind its `=` or `<=`, and synthesis does not; write a register"
    );
    (!is_delay).then(|| Unsettled::new(name, "@", why))
}

/// `unique if` and its kin.
fn unchecked(conditional: &Map<String, Value>) -> Option<Unsettled> {
    let check = conditional.get("check")?.as_str().filter(|check| *check != "None")?.to_lowercase();
    let why = format!(
        "`{check} if` lets synthesis choose the result where no branch or more than one applies, and a proof would take the first; write `if`, or `{check} case`"
    );
    Some(Unsettled::new(&check, "if", why))
}

/// An argument that Yosys does not connect.
fn by_reference(argument: &Map<String, Value>) -> Option<Unsettled> {
    let name = text(argument, "name");
    let why = format!(
        "Yosys does not read the argument {name}, which is passed by reference; write `input`, `output` or `inout`"
    );
    (text(argument, "direction") == "Ref").then(|| Unsettled::new("ref", name, why))
}

fn kind(node: &Map<String, Value>) -> &str {
    text(node, "kind")
}

fn text<'a>(node: &'a Map<String, Value>, key: &str) -> &'a str {
    node.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Calls `visit` for each object of the tree, outer ones first.
fn each<'a>(tree: &'a Value, visit: &mut dyn FnMut(&'a Map<String, Value>)) {
    match tree {
        Value::Object(node) => {
            visit(node);
            node.values().for_each(|value| each(value, visit));
        }
        Value::Array(nodes) => nodes.iter().for_each(|node| each(node, visit)),
        _ => {}
    }
}

/// The symbol and name in a reference such as `93996933181400 clk`.
fn reference(value: &Value) -> Option<(Symbol, &str)> {
    let (symbol, name) = value.as_str()?.split_once(' ')?;
    Some((symbol.parse().ok()?, name))
}

/// The variable at the root of the left side of an assignment, such as `q` of `q[3:0]`.
fn named(left: &Value) -> Option<(Symbol, &str)> {
    match left.get("symbol") {
        Some(symbol) => reference(symbol),
        None => named(left.get("value")?),
    }
}
