//! The members of packed structures among a user's ports, as Verilator places them.

use super::Sources;
use binade_tools::{Error, Verilator, run, scratch_dir};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// The prefix of the file with the syntax tree.
const PREFIX: &str = "Vdut";

/// The bits of a member, such as `req_i.a`, in its port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The port and the names of the members, with dots.
    pub path: String,
    /// The name of the port.
    pub port: String,
    /// The highest bit.
    pub high: u32,
    /// The lowest bit.
    pub low: u32,
}

/// All members of the ports of the module `top`, those of members, too.
///
/// # Errors
/// When Verilator fails.
pub(super) fn members(verilator: &Verilator, sources: &Sources, top: &str) -> Result<Vec<Member>, Error> {
    let scratch = scratch_dir()?;
    let mut command = verilator.command();
    command.args(["--json-only", "--Mdir", ".", "--prefix", PREFIX, "--top-module", top]);
    command.args(sources.parameters.iter().map(|(name, value)| format!("-G{name}={value}")));
    command.args(sources.arguments()).current_dir(scratch.path());
    let what = format!("Verilator {} on the ports of {top}", verilator.version);
    run(&mut command, &what)?;
    let path = scratch.path().join(format!("{PREFIX}.tree.json"));
    let text = fs::read_to_string(&path).map_err(Error::io(format!("read `{}`", path.display())))?;
    let unreadable =
        |error: serde_json::Error| Error::unparsed(what, "a syntax tree as JSON".into(), error.to_string());
    Ok(of_tree(&serde_json::from_str(&text).map_err(unreadable)?))
}

fn of_tree(tree: &Value) -> Vec<Member> {
    let mut nodes = Nodes::default();
    nodes.collect(tree);
    let mut all = vec![];
    for port in &nodes.ports {
        if let (Some(name), Some(kind)) = (word(port, "name"), word(port, "dtypep")) {
            let (path, low) = (name, 0);
            nodes.add_members(kind, (name, path, low), &mut all);
        }
    }
    all
}

/// What of a syntax tree says where members are.
#[derive(Default)]
struct Nodes<'t> {
    ports: Vec<&'t Value>,
    /// Types by their addresses.
    types: BTreeMap<&'t str, &'t Value>,
}

impl<'t> Nodes<'t> {
    fn collect(&mut self, node: &'t Value) {
        match node {
            Value::Object(fields) => {
                if word(node, "type") == Some("VAR") && node["isPrimaryIO"] == true {
                    self.ports.push(node);
                }
                if let (Some(kind), Some(address)) = (word(node, "type"), word(node, "addr"))
                    && kind.ends_with("DTYPE")
                {
                    self.types.insert(address, node);
                }
                fields.values().for_each(|field| self.collect(field));
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            _ => {}
        }
    }

    /// The type that a name of a type, or an enumeration, stands for.
    fn resolved(&self, address: &str) -> Option<&'t Value> {
        let mut node = *self.types.get(address)?;
        while matches!(word(node, "type")?, "REFDTYPE" | "ENUMDTYPE" | "MEMBERDTYPE" | "CONSTDTYPE") {
            node = self.types.get(word(node, "refDTypep").or(word(node, "dtypep"))?)?;
        }
        Some(node)
    }

    /// The width of a packed type in bits.
    fn width(&self, address: &str) -> Option<u32> {
        let node = self.resolved(address)?;
        let members = || fields(node).map(|member| self.width(word(member, "dtypep")?));
        match word(node, "type")? {
            "BASICDTYPE" => word(node, "range").map_or(Some(1), length),
            "PACKARRAYDTYPE" => Some(length(word(node, "declRange")?)? * self.width(word(node, "refDTypep")?)?),
            "STRUCTDTYPE" => members().sum(),
            "UNIONDTYPE" => members().collect::<Option<Vec<_>>>()?.into_iter().max(),
            _ => None,
        }
    }

    /// The members of a type, and theirs; `low` is the place of the type's lowest bit in the port.
    fn add_members(&self, address: &str, (port, path, low): (&str, &str, u32), all: &mut Vec<Member>) -> Option<()> {
        let node = self.resolved(address)?;
        let is_union = match word(node, "type")? {
            "STRUCTDTYPE" => false,
            "UNIONDTYPE" => true,
            _ => return None,
        };
        // The first member of a structure has the highest bits.
        let mut above = low + self.width(address)?;
        for member in fields(node) {
            let (name, kind) = (word(member, "name")?, word(member, "dtypep")?);
            let width = self.width(kind)?;
            let lowest = if is_union { low } else { above - width };
            above = if is_union { above } else { lowest };
            let path = format!("{path}.{name}");
            all.push(Member { path: path.clone(), port: port.into(), high: lowest + width - 1, low: lowest });
            self.add_members(kind, (port, &path, lowest), all);
        }
        Some(())
    }
}

fn word<'t>(node: &'t Value, name: &str) -> Option<&'t str> {
    node.get(name)?.as_str()
}

/// The members of a structure or union.
fn fields(node: &Value) -> impl Iterator<Item = &Value> {
    node.get("membersp").and_then(Value::as_array).into_iter().flatten()
}

/// The number of bits or elements in a range such as `7:0` or `[0:3]`.
fn length(range: &str) -> Option<u32> {
    let (one, other) = range.trim_matches(['[', ']']).split_once(':')?;
    let [one, other]: [i64; 2] = [one.parse().ok()?, other.parse().ok()?];
    u32::try_from(one.abs_diff(other) + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_stand_below_one_another() {
        let basic = |address: &str, range: &str| json!({"type": "BASICDTYPE", "addr": address, "range": range});
        let member = |name: &str, of: &str| json!({"type": "MEMBERDTYPE", "name": name, "addr": name, "dtypep": of});
        let tree = json!([
            {"type": "VAR", "name": "req", "isPrimaryIO": true, "dtypep": "(R)"},
            {"type": "VAR", "name": "inner", "dtypep": "(R)"},
            {"type": "REFDTYPE", "addr": "(R)", "refDTypep": "(S)"},
            {"type": "STRUCTDTYPE", "addr": "(S)", "membersp": [member("op", "(E)"), member("x", "(U)"), member("v", "(A)")]},
            {"type": "ENUMDTYPE", "addr": "(E)", "refDTypep": "(2)"},
            {"type": "UNIONDTYPE", "addr": "(U)", "membersp": [member("whole", "(8)"), member("half", "(2)")]},
            {"type": "PACKARRAYDTYPE", "addr": "(A)", "declRange": "[0:2]", "refDTypep": "(2)"},
            basic("(2)", "1:0"), basic("(8)", "7:0"),
        ]);
        let member = |path: &str, high, low| Member { path: path.into(), port: "req".into(), high, low };
        let expected = [
            member("req.op", 15, 14),
            member("req.x", 13, 6),
            member("req.x.whole", 13, 6),
            member("req.x.half", 7, 6),
            member("req.v", 5, 0),
        ];
        assert_eq!(of_tree(&tree), expected);
    }
}
