//! The description of one unit: what it computes, ports, settings, an example, its proof, and other generators.

use super::peers::{self, Family, families};
use super::picture::picture;
use super::proof::proof;
use super::{example, summary};
use crate::settings::options_of;
use binade_circuit::clock_ports;
use binade_generator::Design;
use binade_generator::description::{command, computes};
use binade_spec::alias::WORD_ALIASES;
use binade_spec::{Meaning, Operation, Port, Setting, Unit};
use comfy_table::{Table, presets};
use serde::Serialize;

/// The description of a unit; an example stands for what depends on formats and settings.
#[derive(Serialize)]
pub struct Description {
    name: &'static str,
    /// Accepted aliases.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    aliases: &'static [&'static str],
    summary: String,
    /// The format of the example, if the unit has one.
    format: Option<&'static str>,
    /// The kind of meaning: a formula, or not.
    meaning: &'static str,
    computes: Vec<String>,
    ports: Vec<PortEntry>,
    settings: Vec<SettingEntry>,
    /// The command that generates the example.
    example: String,
    /// The same command with defaults spelt out.
    command: String,
    proof: String,
    peers: Vec<Family>,
    #[serde(skip)]
    operation: Operation,
}

#[derive(Serialize)]
struct PortEntry {
    name: &'static str,
    direction: &'static str,
    width: u32,
    about: String,
}

#[derive(Serialize)]
struct SettingEntry {
    option: String,
    /// The placeholder of its word, if it takes one.
    placeholder: Option<&'static str>,
    about: String,
    /// All accepted words, if they can be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<&'static str>>,
    /// Its word in the example, if it has one.
    default: Option<String>,
}

impl Description {
    pub fn new(unit: Unit) -> Description {
        let operation = example::operation(unit);
        Description {
            name: unit.name(),
            aliases: aliases(unit),
            summary: summary(unit),
            format: example::format(unit),
            meaning: meaning(&operation),
            computes: computes(&operation),
            ports: ports(&operation),
            settings: settings(&operation),
            example: example::command(unit),
            command: command(&Design::from(operation)),
            proof: proof(&operation),
            peers: families(unit),
            operation,
        }
    }

    pub fn text(&self) -> String {
        let picture = picture(self.name, &self.operation.inputs(), &self.operation.outputs());
        let parts = [
            self.heading(),
            self.computation(),
            picture,
            self.port_table(),
            self.setting_text(),
            self.commands(),
            peers::text(&self.peers),
        ];
        parts.join("\n\n")
    }

    fn heading(&self) -> String {
        let heading = format!("{}: {}", self.name, self.summary);
        match self.aliases {
            [] => heading,
            aliases => format!("{heading}\nalso called {}", aliases.join(", ")),
        }
    }

    fn computation(&self) -> String {
        let chosen = match self.format {
            Some(format) => format!("For {format}, with defaults for all settings"),
            None => "With defaults for all settings".into(),
        };
        format!("{chosen}, the unit is {}:\n  {}", self.meaning, self.computes.join("\n  "))
    }

    fn port_table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["port", "", "bits", "carries"]);
        for PortEntry { name, direction, width, about } in &self.ports {
            table.add_row([name.to_string(), direction.to_string(), width.to_string(), about.clone()]);
        }
        table.to_string()
    }

    fn setting_text(&self) -> String {
        let name = self.name;
        let general = format!("`binade gen --unit {name} --help` lists the general options.");
        match options_of(self.operation.unit) {
            None => format!("It takes no settings. {general}"),
            Some(options) => format!("Settings:\n{options}\n{general}"),
        }
    }

    fn commands(&self) -> String {
        let Description { example, command, proof, .. } = self;
        format!("example   {example}\nin full   {command}\nproof     {proof}")
    }
}

/// The aliases of a unit.
fn aliases(unit: Unit) -> &'static [&'static str] {
    WORD_ALIASES.iter().find(|(name, _)| *name == unit.name()).map_or(&[], |(_, aliases)| *aliases)
}

fn meaning(operation: &Operation) -> &'static str {
    match operation.meaning() {
        Meaning::Formula(formula) if formula.registers().is_empty() => "a formula, exact up to each rounding",
        Meaning::Formula(_) => "a formula of operands and a register, exact up to each rounding",
        Meaning::Function(_) => "a function of its operands",
        Meaning::Machine(..) => "a function of its operands and of a state that it keeps from clock to clock",
    }
}

/// The ports in module order.
fn ports(operation: &Operation) -> Vec<PortEntry> {
    let of_clock = clock_ports(true).into_iter().filter(|_| operation.has_state()).map(|port| PortEntry {
        name: port.name,
        direction: direction(port.is_output),
        width: 1,
        about: port.about.into(),
    });
    let words = |is_output| {
        move |port: Port| PortEntry {
            name: port.name,
            direction: direction(is_output),
            width: port.width(),
            about: port.about(),
        }
    };
    let inputs = operation.inputs().into_iter().map(words(false));
    of_clock.chain(inputs).chain(operation.outputs().into_iter().map(words(true))).collect()
}

fn direction(is_output: bool) -> &'static str {
    if is_output { "output" } else { "input" }
}

fn settings(operation: &Operation) -> Vec<SettingEntry> {
    let unit = operation.unit;
    let entry = |setting: Setting| SettingEntry {
        option: format!("--{setting}"),
        placeholder: (!setting.is_flag()).then(|| setting.placeholder()),
        about: binade_spec::as_options(&setting.about_for(unit)),
        names: setting.names().filter(|_| !setting.is_flag()),
        default: operation.word(setting),
    };
    Setting::ALL.into_iter().filter(|&setting| unit.takes(setting)).map(entry).collect()
}
