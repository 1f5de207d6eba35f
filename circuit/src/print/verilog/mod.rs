//! Verilog-2005, and SystemVerilog, which uses some other keywords.

mod expression;

pub use expression::bits;

use super::expression::{Expression, Prefix, Signal};
use super::layout::{COLUMNS, INDENT, INDENT_OF_LOOP, Phrase, assignment, comment, ended, parenthesized, wrapped};
use super::module::{Branch, Clocked, Heading, Item, Loop, Module, ModuleInstance, Registers, When, Wire, Wires};
use super::syntax::{Syntax, about};
use crate::language::verilog::identifier;
use crate::{Netlist, NodeId, Port};
use askama::Template;
use expression::{phrase, range};
use num_bigint::BigUint;
use std::collections::HashSet;

/// Both languages.
pub struct Verilog {
    /// Whether it is SystemVerilog.
    pub is_system: bool,
}

#[derive(Template)]
#[template(path = "module.v", escape = "none")]
struct ModuleText<'a> {
    language: &'a str,
    version: &'a str,
    commands: &'a [String],
    about: Vec<String>,
    name: &'a str,
    /// Declarations, aligned, each with its comment.
    ports: Vec<String>,
    body: Vec<String>,
    /// The modules of its parts.
    parts: Vec<String>,
    /// Whether every net must be declared. Not in SystemVerilog, where ports of type `logic` are nets of the default kind.
    declares_all: bool,
}

#[derive(Template)]
#[template(path = "part.v", escape = "none")]
struct PartText<'a> {
    about: &'a [String],
    name: &'a str,
    ports: Vec<String>,
    body: Vec<String>,
}

impl Syntax for Verilog {
    fn has_arrays(&self) -> bool {
        self.is_system
    }

    fn must_be_wires(&self, _: &Netlist, _: &[(Port, NodeId)]) -> HashSet<NodeId> {
        HashSet::new()
    }

    fn phrase(&self, expression: &Expression) -> Phrase {
        phrase(expression)
    }

    fn constant(&self, value: &BigUint, width: u32) -> String {
        phrase(&Expression::constant(value, width)).text()
    }

    fn bits_of(&self, width: u32) -> String {
        if width == 1 { String::new() } else { format!(" {}", range(width)) }
    }

    fn file(&self, heading: &Heading, module: &Module, parts: Vec<String>) -> String {
        let text = ModuleText {
            language: heading.language.standard(),
            version: env!("CARGO_PKG_VERSION"),
            commands: heading.commands,
            about: about(heading),
            name: module.name,
            ports: self.ports(module),
            body: self.body(module),
            parts,
            declares_all: !self.is_system,
        };
        format!("{}\n", text.render().expect("the template takes every module"))
    }

    fn part(&self, about: &str, module: &Module) -> String {
        let about = comment("//", about);
        let text = PartText { about: &about, name: module.name, ports: self.ports(module), body: self.body(module) };
        text.render().expect("the template takes every module")
    }
}

impl Verilog {
    /// The type of a port.
    fn port(&self) -> &'static str {
        if self.is_system { "logic" } else { "wire" }
    }

    /// The keyword that declares a register.
    fn register(&self) -> &'static str {
        if self.is_system { "logic" } else { "reg " }
    }

    /// The beginning of a block of registers.
    fn always(&self) -> &'static str {
        if self.is_system { "always_ff" } else { "always" }
    }

    /// The range of a signal: `[7:0]`, or `[3:0][7:0]` for an array of lanes.
    fn range(&self, width: u32, lanes: u32) -> String {
        if lanes == 1 || !self.is_system { range(width) } else { format!("[{}:0][{}:0]", lanes - 1, width / lanes - 1) }
    }

    /// The declarations of the ports, aligned.
    fn ports(&self, module: &Module) -> Vec<String> {
        let declared_range = |port: &Port| self.range(port.width, port.lanes);
        let widest = module.ports.iter().map(|(_, port)| declared_range(port).len()).max().unwrap_or(0);
        let names = module.ports.iter().map(|(_, port)| port.name.len() + 1);
        let name_width = if module.is_aligned { names.max().unwrap_or(0) } else { 0 };
        let last = module.ports.len() - 1;
        let declared = module.ports.iter().enumerate().map(|(index, (is_output, port))| {
            let direction = if *is_output { "output" } else { "input " };
            let comma = if index == last { " " } else { "," };
            let (kind, range, name) = (self.port(), declared_range(port), identifier(&port.name) + comma);
            let declared = format!("{direction} {kind} {range:>widest$} {name:name_width$}");
            match port.about.as_str() {
                "" => declared.trim_end().into(),
                about => format!("{declared}  // {about}"),
            }
        });
        declared.collect()
    }

    fn body(&self, module: &Module) -> Vec<String> {
        let mut body = vec![];
        let mut declared: Vec<&str> = vec![];
        for item in &module.items {
            if let (Item::Loops { loops, .. }, false) = (item, self.is_system) {
                let variables: Vec<&str> = loops.iter().map(|of| of.variable).collect();
                let new: Vec<&str> = variables.into_iter().filter(|variable| !declared.contains(variable)).collect();
                body.extend((!new.is_empty()).then(|| format!("genvar {};", new.join(", "))));
                declared.extend(new);
            }
            body.extend(self.item(item));
        }
        body
    }

    fn item(&self, item: &Item) -> Vec<String> {
        match item {
            Item::Blank => vec![String::new()],
            Item::Comment(text) => comment("//", text),
            Item::Wires(wires) => self.wires(wires),
            Item::Declared { signals, widest } => self.declared(signals, *widest),
            Item::Assign { port, driver } => {
                assignment(&format!("assign {}", identifier(&port.name)), "=", &phrase(driver))
            }
            Item::Registers(registers) => self.registers(registers),
            Item::Clocked(clocked) => self.clocked(clocked),
            Item::Instance(instance) => instance_lines(instance, 0),
            Item::Loops { loops, instance } => self.loops(loops, instance),
            Item::Unused { name, about, bits } => self.unused(name, *about, bits),
        }
    }

    /// `wire [7:0] name = driver;` with columns aligned.
    fn wires(&self, Wires { wires, widest, is_aligned }: &Wires) -> Vec<String> {
        let names = wires.iter().map(|wire| wire.signal.name.len());
        let name_width = if *is_aligned { names.max().unwrap_or(0) } else { 0 };
        // There is always a space after `assign`.
        let range_width = range(*widest).len().max(usize::from(wires.iter().any(|wire| wire.is_output)));
        let lines = |Wire { signal, driver, note, is_output }: &Wire| {
            let head = match is_output {
                true => format!("assign{:range_width$}{}", "", signal.name),
                false => declaration("wire", range_width, signal),
            };
            let pad = name_width.saturating_sub(signal.name.len());
            let head = format!("{}{:pad$}", head.trim_end(), "");
            let note = note.iter().flat_map(|note| comment("//", &format!("{}: {note}", signal.name)));
            note.chain(assignment(&head, "=", &phrase(driver))).collect::<Vec<_>>()
        };
        wires.iter().flat_map(lines).collect()
    }

    /// Signals that an instance drives; neighbours of equal width are on one line.
    fn declared(&self, signals: &[Signal], widest: u32) -> Vec<String> {
        let range_width = range(widest).len();
        let lines = |signals: &[Signal]| {
            let names: Vec<String> = signals.iter().map(|signal| identifier(&signal.name) + ",").collect();
            let head = format!("wire {:>range_width$} ", range(signals[0].width));
            ended(wrapped(names.iter().map(String::as_str), &head, INDENT, COLUMNS - 1), ";")
        };
        signals.chunk_by(|one, next| one.width == next.width).flat_map(lines).collect()
    }

    /// Instances in loops, the outer loop first.
    fn loops(&self, loops: &[Loop], instance: &ModuleInstance) -> Vec<String> {
        let lines = instance_lines(instance, INDENT_OF_LOOP * loops.len());
        loops.iter().rev().fold(lines, |lines, Loop { variable, count, block }| {
            let genvar = if self.is_system { "genvar " } else { "" };
            let begin = format!(
                "for ({genvar}{variable} = 0; {variable} < {count}; {variable} = {variable} + 1) begin : {block}"
            );
            [vec![begin], indented(lines), vec!["end".into()]].concat()
        })
    }

    fn registers(&self, Registers { title, registers, widest }: &Registers) -> Vec<String> {
        let title = title.iter().flat_map(|title| comment("//", title));
        let declared = registers.iter().flat_map(|(signal, about)| {
            let declared = declaration(self.register(), range(*widest).len(), signal) + ";";
            let about = match about.as_str() {
                "" => vec![],
                about => comment("//", &format!("{}: {about}", signal.name)),
            };
            about.into_iter().chain([declared])
        });
        title.chain(declared).collect()
    }

    fn clocked(&self, Clocked { clock, reset, statements }: &Clocked) -> Vec<String> {
        let reset = reset.as_ref().map_or_else(String::new, |reset| format!(" or negedge {reset}"));
        let begin = format!("{} @(posedge {clock}{reset}) begin", self.always());
        [vec![begin], statements.iter().flat_map(when).collect(), vec!["end".into()]].concat()
    }

    /// A wire that reads otherwise unused bits, so that lint can distinguish them from forgotten ones.
    fn unused(&self, name: &str, about: Option<&str>, bits: &[Expression]) -> Vec<String> {
        let head = format!("wire {name}");
        let Some(about) = about else {
            let bits = std::iter::once(Expression::zero()).chain(bits.iter().cloned()).collect();
            let all = Expression::prefix(Prefix::AllOnes, Expression::Concat(bits));
            return assignment(&head, "=", &phrase(&all));
        };
        let names: Vec<String> = bits.iter().map(|bits| phrase(bits).text() + ",").collect();
        let words = std::iter::once("1'b0,").chain(names.iter().map(String::as_str));
        let lines = ended(wrapped(words, &format!("{head} = &{{"), "    ", COLUMNS - 1), "};");
        [vec![format!("// {about}")], lines].concat()
    }
}

/// `wire [7:0] name` with its range aligned.
fn declaration(kind: &str, range_width: usize, signal: &Signal) -> String {
    format!("{kind} {:>range_width$} {}", range(signal.width), identifier(&signal.name))
}

/// Lines in a loop.
fn indented(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("{:INDENT_OF_LOOP$}{line}", "")).collect()
}

/// An `if` statement with its branches.
fn when(When { branches, is_short }: &When) -> Vec<String> {
    let mut lines = vec![];
    for (place, Branch { condition, assignments }) in branches.iter().enumerate() {
        let tests: Vec<String> =
            condition.iter().map(|(name, is_high)| format!("{}{name}", if *is_high { "" } else { "!" })).collect();
        let begin = match (place, tests.is_empty()) {
            (0, _) => format!("if ({})", tests.join(" && ")),
            (_, false) => format!("else if ({})", tests.join(" && ")),
            (_, true) => "else".into(),
        };
        if *is_short {
            lines.extend(
                assignments
                    .iter()
                    .map(|(signal, value)| format!("  {begin} {} <= {};", signal.name, phrase(value).text())),
            );
            continue;
        }
        let end = if place == 0 { "" } else { "end " };
        lines.push(format!("  {end}{begin} begin"));
        let name_width = assignments.iter().map(|(signal, _)| signal.name.len()).max().unwrap_or(0);
        lines.extend(
            assignments.iter().flat_map(|(signal, value)| {
                assignment(&format!("    {:name_width$}", signal.name), "<=", &phrase(value))
            }),
        );
    }
    if !is_short {
        lines.push("  end".into());
    }
    lines
}

/// An instance with this indentation.
fn instance_lines(instance: &ModuleInstance, indent: usize) -> Vec<String> {
    let ModuleInstance { module, name, connections, is_listed } = instance;
    let connect = |(port, net): &(String, Expression)| format!(".{}({}),", identifier(port), phrase(net).text());
    let connected: Vec<String> = connections.iter().map(connect).collect();
    parenthesized(format!("{module} {name} ("), &connected, *is_listed, indent)
}
