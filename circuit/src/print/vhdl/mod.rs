//! VHDL-2008.
//!
//! Signals are declared above the statements that drive them, and entities come before those that instantiate them. A choice is
//! a statement, not an expression: it is written in place only where it drives a signal, or after the `else` of another choice.

mod expression;

use super::expression::{Expression, Signal};
use super::layout::{INDENT_OF_LOOP, Phrase, assignment, comment, parenthesized};
use super::module::{Branch, Clocked, Heading, Item, Loop, Module, ModuleInstance, Registers, Wires};
use super::syntax::{Syntax, about};
use crate::language::vhdl::identifier;
use crate::{Netlist, NodeId, Op, Port};
use askama::Template;
use expression::{Vector, bits, driver, phrase, subtype};
use num_bigint::BigUint;
use std::collections::HashSet;

/// The language.
pub struct Vhdl;

#[derive(Template)]
#[template(path = "entity.vhd", escape = "none")]
struct EntityText<'a> {
    about: Vec<String>,
    name: &'a str,
    /// Declarations, aligned, each with its comment.
    ports: Vec<String>,
    declarations: Vec<String>,
    body: Vec<String>,
}

#[derive(Template)]
#[template(path = "file.vhd", escape = "none")]
struct FileText<'a> {
    language: &'a str,
    version: &'a str,
    commands: &'a [String],
    about: Vec<String>,
    /// The text of each entity, each after those that it instantiates.
    entities: Vec<String>,
}

impl Syntax for Vhdl {
    fn has_arrays(&self) -> bool {
        false
    }

    /// Choices that are operands, and connections of instances that are not plain names.
    fn must_be_wires(&self, netlist: &Netlist, connected: &[(Port, NodeId)]) -> HashSet<NodeId> {
        let is_choice = |id: &NodeId| matches!(netlist.nodes[*id].op, Op::Mux { .. });
        let is_name = |id: &NodeId| matches!(netlist.nodes[*id].op, Op::Slice { .. });
        let operands = netlist.nodes.iter().flat_map(|node| match node.op {
            // After `else` there may be another choice.
            Op::Mux { select, one, .. } => vec![select, one],
            ref op => op.operands(),
        });
        let connected = connected.iter().map(|(_, node)| *node).filter(|id| !is_name(id));
        operands.filter(is_choice).chain(connected).collect()
    }

    fn phrase(&self, expression: &Expression) -> Phrase {
        phrase(expression, Vector::Unsigned)
    }

    fn constant(&self, value: &BigUint, width: u32) -> String {
        phrase(&Expression::constant(value, width), Vector::Unsigned).text()
    }

    fn bits_of(&self, width: u32) -> String {
        if width == 1 { String::new() } else { bits(0, width) }
    }

    fn file(&self, heading: &Heading, module: &Module, parts: Vec<String>) -> String {
        let entities = parts.into_iter().chain([entity(vec![], module)]).collect();
        let text = FileText {
            language: heading.language.standard(),
            version: env!("CARGO_PKG_VERSION"),
            commands: heading.commands,
            about: about(heading),
            entities,
        };
        format!("{}\n", text.render().expect("the template takes every module"))
    }

    fn part(&self, about: &str, module: &Module) -> String {
        entity(comment("--", about), module)
    }
}

/// An entity and its architecture.
fn entity(about: Vec<String>, module: &Module) -> String {
    let mut text = Architecture { declarations: vec![], body: vec![] };
    module.items.iter().for_each(|item| text.add(item));
    let Architecture { declarations, body } = text;
    let entity =
        EntityText { about, name: module.name, ports: ports(module), declarations: aligned(declarations), body };
    entity.render().expect("the template takes every module")
}

/// The declarations of the ports, aligned.
fn ports(module: &Module) -> Vec<String> {
    let vector = if module.is_part { Vector::Unsigned } else { Vector::StdLogicVector };
    let widest = module.ports.iter().map(|(_, port)| identifier(&port.name).len()).max().unwrap_or(0);
    let last = module.ports.len() - 1;
    let declared = module.ports.iter().enumerate().map(|(index, (is_output, port))| {
        let direction = if *is_output { "out" } else { "in " };
        let end = if index == last { " " } else { ";" };
        let declared = format!("{:widest$} : {direction} {}{end}", identifier(&port.name), subtype(port.width, vector));
        (declared, port.about.as_str())
    });
    let declared: Vec<(String, &str)> = declared.collect();
    let widest = declared.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
    let with_comment = |(text, about): (String, &str)| match about {
        "" => text.trim_end().to_string(),
        about => format!("{text:widest$}  -- {about}"),
    };
    declared.into_iter().map(with_comment).collect()
}

/// The contents of an architecture.
struct Architecture {
    declarations: Vec<Declaration>,
    body: Vec<String>,
}

/// A declaration above the statements.
enum Declaration {
    Comment(String),
    Signal(Signal),
}

/// The declarations with their types aligned.
fn aligned(declarations: Vec<Declaration>) -> Vec<String> {
    let width = |declaration: &Declaration| match declaration {
        Declaration::Comment(_) => 0,
        Declaration::Signal(signal) => identifier(&signal.name).len(),
    };
    let widest = declarations.iter().map(width).max().unwrap_or(0);
    let line = |declaration| match declaration {
        Declaration::Comment(text) => comment("--", &text),
        Declaration::Signal(signal) => {
            let subtype = subtype(signal.width, Vector::of(&signal));
            vec![format!("signal {:widest$} : {subtype};", identifier(&signal.name))]
        }
    };
    declarations.into_iter().flat_map(line).collect()
}

impl Architecture {
    fn add(&mut self, item: &Item) {
        match item {
            Item::Blank => self.body.push(String::new()),
            Item::Comment(text) => self.body.extend(comment("--", text)),
            Item::Wires(wires) => self.wires(wires),
            Item::Declared { signals, .. } => signals.iter().for_each(|signal| self.declare(signal)),
            Item::Assign { port, driver } => {
                self.body.extend(assign(&identifier(&port.name), driver, Vector::of(port)));
            }
            Item::Registers(registers) => self.registers(registers),
            Item::Clocked(clocked) => self.body.extend(process(clocked)),
            Item::Instance(instance) => self.body.extend(instance_lines(instance, 0)),
            Item::Loops { loops, instance } => self.body.extend(in_loops(loops, instance)),
            // No tool needs them.
            Item::Unused { .. } => {}
        }
    }

    fn declare(&mut self, signal: &Signal) {
        self.declarations.push(Declaration::Signal(signal.clone()));
    }

    fn wires(&mut self, Wires { wires, is_aligned, .. }: &Wires) {
        let names = wires.iter().map(|wire| identifier(&wire.signal.name).len());
        let name_width = if *is_aligned { names.max().unwrap_or(0) } else { 0 };
        for wire in wires {
            if !wire.is_output {
                self.declare(&wire.signal);
            }
            let note = wire.note.iter().flat_map(|note| comment("--", &format!("{}: {note}", wire.signal.name)));
            self.body.extend(note);
            let name = format!("{:name_width$}", identifier(&wire.signal.name));
            self.body.extend(assign(&name, &wire.driver, Vector::of(&wire.signal)));
        }
    }

    fn registers(&mut self, Registers { title, registers, .. }: &Registers) {
        self.declarations.extend(title.iter().map(|title| Declaration::Comment(title.to_string())));
        for (signal, about) in registers {
            if !about.is_empty() {
                self.declarations.push(Declaration::Comment(format!("{}: {about}", signal.name)));
            }
            self.declare(signal);
        }
    }
}

fn assign(head: &str, value: &Expression, vector: Vector) -> Vec<String> {
    assignment(head, "<=", &driver(value, vector))
}

fn process(Clocked { clock, reset, statements }: &Clocked) -> Vec<String> {
    let Some(reset) = reset else {
        let mut lines = vec![format!("process ({clock})"), "begin".into(), format!("  if rising_edge({clock}) then")];
        lines.extend(statements.iter().flat_map(|statement| when(&statement.branches)));
        lines.extend(["  end if;".into(), "end process;".into()]);
        return lines;
    };
    let (at_reset, others) = statements[0].branches.split_first().expect("a branch for the reset");
    let mut lines = vec![format!("process ({clock}, {reset})"), "begin".into(), format!("  if {reset} = '0' then")];
    lines.extend(assignments(at_reset).into_iter().map(|line| line[2..].to_string()));
    lines.push(format!("  elsif rising_edge({clock}) then"));
    lines.extend(when(others));
    lines.extend(["  end if;".into(), "end process;".into()]);
    lines
}

/// The assignments of a branch.
fn assignments(Branch { assignments, .. }: &Branch) -> Vec<String> {
    let name_width = assignments.iter().map(|(signal, _)| identifier(&signal.name).len()).max().unwrap_or(0);
    let assigned = |(signal, value): &(Signal, Expression)| {
        assign(&format!("      {:name_width$}", identifier(&signal.name)), value, Vector::of(signal))
    };
    assignments.iter().flat_map(assigned).collect()
}

/// An `if` statement with its branches; the assignments alone if the only one has no condition.
fn when(branches: &[Branch]) -> Vec<String> {
    if let [branch] = branches
        && branch.condition.is_empty()
    {
        return assignments(branch).into_iter().map(|line| line[2..].to_string()).collect();
    }
    let mut lines = vec![];
    for (place, branch) in branches.iter().enumerate() {
        let condition = &branch.condition;
        let test = |(name, is_high): &(String, bool)| format!("{} = '{}'", identifier(name), u8::from(*is_high));
        let tests: Vec<String> = condition.iter().map(test).collect();
        lines.push(match (place, tests.is_empty()) {
            (0, _) => format!("    if {} then", tests.join(" and ")),
            (_, false) => format!("    elsif {} then", tests.join(" and ")),
            (_, true) => "    else".into(),
        });
        lines.extend(assignments(branch));
    }
    lines.push("    end if;".into());
    lines
}

/// Instances in loops, the outer loop first.
fn in_loops(loops: &[Loop], instance: &ModuleInstance) -> Vec<String> {
    let lines = instance_lines(instance, INDENT_OF_LOOP * loops.len());
    loops.iter().rev().fold(lines, |lines, Loop { variable, count, block }| {
        let begin = format!("{} : for {variable} in 0 to {} generate", identifier(block), count - 1);
        let within = lines.into_iter().map(|line| format!("{:INDENT_OF_LOOP$}{line}", ""));
        std::iter::once(begin).chain(within).chain(["end generate;".into()]).collect()
    })
}

/// An instance with this indentation.
fn instance_lines(
    ModuleInstance { module, name, connections, is_listed }: &ModuleInstance,
    indent: usize,
) -> Vec<String> {
    let vector = if *is_listed { Vector::StdLogicVector } else { Vector::Unsigned };
    let connect = |port: &str, net: &Expression| format!("{port} => {},", phrase(net, vector).text());
    let connected = connections.iter().flat_map(|(port, net)| {
        let port = identifier(port);
        let Expression::Concat(parts) = net else { return vec![connect(&port, net)] };
        // Expressions are no names, so each part is connected by itself.
        let mut top = net.width();
        let part = |part: &Expression| {
            top -= part.width();
            connect(&format!("{port}{}", bits(top, part.width())), part)
        };
        parts.iter().map(part).collect()
    });
    let connected: Vec<String> = connected.collect();
    parenthesized(
        format!("{} : entity work.{} port map (", identifier(name), identifier(module)),
        &connected,
        *is_listed,
        indent,
    )
}
