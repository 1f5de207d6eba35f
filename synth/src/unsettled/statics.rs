//! Variables of functions and tasks that are not automatic keep their values from call to call in simulators (IEEE 1800, 13.3.1 and
//! 13.4.2); synthesis reads them as new at each call. Both agree if each call writes a variable before it reads it. Variables of four
//! states without an initial value are x in synthesis, and need no check here.

use super::{Symbol, Unsettled, each, kind, named, reference, text};
use serde_json::{Map, Value};

/// What a statement does first with a variable.
#[derive(Clone, Copy, PartialEq)]
enum First {
    Nothing,
    /// Writes all of it, or leaves the subroutine.
    Writes,
    Reads,
}

/// A static variable that this subroutine may read before it writes it.
pub(super) fn kept(subroutine: &Map<String, Value>) -> Option<Unsettled> {
    if text(subroutine, "defaultLifetime") == "Automatic" && !declares_static(subroutine) {
        return None;
    }
    let of_subroutine = text(subroutine, "defaultLifetime") == "Static";
    let body = subroutine.get("body")?;
    let mut variables = vec![];
    for key in ["members", "body"] {
        let declared = subroutine.get(key).unwrap_or(&Value::Null);
        each(declared, &mut |node| variables.extend(variable(node, of_subroutine)));
    }
    let is_kept = |variable: &&Variable| match first(body, variable.symbol) {
        First::Reads => is_written(body, variable.symbol),
        First::Nothing => variable.is_returned,
        First::Writes => false,
    };
    let name = variables.iter().find(is_kept)?.name;
    let (of, what) = (text(subroutine, "name"), text(subroutine, "subroutineKind").to_lowercase());
    let why = format!(
        "the {what} {of} is not automatic and may use the value that {name} has from an earlier call, and synthesis does not keep it; write `{what} automatic`"
    );
    Some(Unsettled::new(&what, &format!(" {of}"), why))
}

struct Variable<'a> {
    symbol: Symbol,
    name: &'a str,
    /// Whether the caller gets its value.
    is_returned: bool,
}

fn declares_static(subroutine: &Map<String, Value>) -> bool {
    let mut is_static = false;
    let members = subroutine.get("members").unwrap_or(&Value::Null);
    each(members, &mut |node| is_static |= kind(node) == "Variable" && text(node, "lifetime") == "Static");
    is_static
}

/// The variable of a declaration, if it keeps its value with a value at the start.
fn variable(node: &Map<String, Value>, of_subroutine: bool) -> Option<Variable<'_>> {
    let is_result = text(node, "flags").contains("compiler_generated");
    let is_output = kind(node) == "FormalArgument" && text(node, "direction") == "Out";
    let is_local = kind(node) == "Variable" && text(node, "lifetime") == "Static";
    if !(is_local
        || of_subroutine && (is_result && kind(node) == "Variable" || is_output && text(node, "lifetime") == "Static"))
    {
        return None;
    }
    let kept = text(node, "type");
    let has_four_states = ["logic", "reg", "integer", "time"].iter().any(|word| kept.contains(word)) || kept == "void";
    if has_four_states && !node.contains_key("initializer") {
        return None;
    }
    Some(Variable {
        symbol: node.get("addr")?.as_u64()?,
        name: text(node, "name"),
        is_returned: is_result || is_output,
    })
}

fn is_written(body: &Value, variable: Symbol) -> bool {
    let mut is_written = false;
    each(body, &mut |node| {
        let written = || named(node.get("left").or(node.get("operand"))?).filter(|(symbol, _)| *symbol == variable);
        is_written |= matches!(kind(node), "Assignment" | "UnaryOp") && written().is_some();
    });
    is_written
}

fn mentions(tree: &Value, variable: Symbol) -> bool {
    let mut is_mentioned = false;
    each(tree, &mut |node| {
        let is_value = kind(node).ends_with("Value");
        is_mentioned |=
            is_value && node.get("symbol").and_then(reference).is_some_and(|(symbol, _)| symbol == variable);
    });
    is_mentioned
}

/// What comes first in a list of statements or expressions.
fn in_order<'a>(parts: impl IntoIterator<Item = &'a Value>, variable: Symbol) -> First {
    let firsts = parts.into_iter().map(|part| first(part, variable));
    firsts.into_iter().find(|first| *first != First::Nothing).unwrap_or(First::Nothing)
}

/// What comes first if one of several branches is taken.
fn of_branches(branches: Vec<First>) -> First {
    if branches.contains(&First::Reads) {
        First::Reads
    } else if !branches.is_empty() && branches.iter().all(|first| *first == First::Writes) {
        First::Writes
    } else {
        First::Nothing
    }
}

/// What a statement or an expression does first with a variable; where it is not clear, it reads.
fn first(node: &Value, variable: Symbol) -> First {
    let part = |key: &str| node.get(key).unwrap_or(&Value::Null);
    let parts = |key: &str| part(key).as_array().map(Vec::as_slice).unwrap_or_default();
    let read = |mentioned: &Value| if mentions(mentioned, variable) { First::Reads } else { First::Nothing };
    match node["kind"].as_str().unwrap_or_default() {
        "List" => in_order(parts("list"), variable),
        "Block" => first(part("body"), variable),
        "ExpressionStatement" => first(part("expr"), variable),
        "Assignment" => {
            let is_whole = part("left").get("symbol").and_then(reference).is_some_and(|(symbol, _)| symbol == variable);
            match (read(part("right")), is_whole && node.get("op").is_none()) {
                (First::Reads, _) => First::Reads,
                (_, true) => First::Writes,
                _ if is_whole => First::Reads,
                _ => read(part("left")),
            }
        }
        "Return" => match read(part("expr")) {
            First::Reads => First::Reads,
            _ => First::Writes,
        },
        "Conditional" => match in_order(parts("conditions").iter().map(|condition| &condition["expr"]), variable) {
            First::Nothing => of_branches(vec![first(part("ifTrue"), variable), first(part("ifFalse"), variable)]),
            of_condition => of_condition,
        },
        "Case" => {
            let items = parts("items");
            let chosen = items.iter().any(|item| mentions(&item["expressions"], variable));
            if chosen || mentions(part("expr"), variable) {
                return First::Reads;
            }
            let last = first(part("defaultCase"), variable);
            of_branches(items.iter().map(|item| first(&item["stmt"], variable)).chain([last]).collect())
        }
        "ForLoop" => match in_order(parts("initializers"), variable) {
            First::Nothing if mentions(part("stopExpr"), variable) => First::Reads,
            First::Nothing => match in_order([part("body")].into_iter().chain(parts("steps")), variable) {
                First::Reads => First::Reads,
                _ => First::Nothing,
            },
            initial => initial,
        },
        _ => read(node),
    }
}
