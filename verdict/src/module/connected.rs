//! A user's module in an adapter with the ports of a unit.

use crate::NoVerdict;
use binade_generator::GeneratedUnit;
use binade_sim::verilator::{Beside, Dut, Flag, FlagOrder, Measured, Wiring};
use binade_sim::{Policy, Subject, Tolerance};
use binade_spec::contract::Pace;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A user's module in place of a unit.
#[derive(Clone)]
pub struct Connected {
    /// The name of the adapter's module.
    pub name: String,
    /// The Verilog of the adapter, which has the unit's ports.
    pub adapter: String,
    /// The module itself.
    pub dut: Dut,
    /// What is known about the module as other tools read it.
    pub readings: Vec<String>,
    /// The user's files.
    pub(super) files: Vec<PathBuf>,
    pub(super) wiring: Wiring,
    /// The latency in clock cycles.
    pub latency: u32,
    pub(super) is_clocked: bool,
    pub(super) measured: Option<Measured>,
    pub(super) flag_order: FlagOrder,
    pub(super) besides: Vec<Beside>,
}

/// A description of the user's module for reports.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    module: String,
    files: Vec<PathBuf>,
    /// The unit that it was checked as.
    unit: String,
    parameters: Vec<String>,
    /// Ports whose names differ from the unit's, such as `y=result`.
    ports: Vec<String>,
    /// Constant inputs.
    ties: Vec<String>,
    /// The constant inputs of other operations that ran in between.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    besides: Vec<String>,
    /// Unchecked outputs.
    ignored: Vec<String>,
    /// The latency in clock cycles.
    latency: u32,
    /// The clock cycles after a reset in which it was given no operands.
    #[serde(skip_serializing_if = "is_zero")]
    startup: u32,
    /// Whether it has a clock.
    #[serde(skip)]
    is_clocked: bool,
    /// How it offers and takes, if it has valid and ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<String>,
    /// If the latency was measured: the results right with it, those right with the best other latency, and the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<[usize; 3]>,
    /// Ports that the module lacks, and that were not checked.
    not_checked: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag_order: Option<String>,
    /// The number of Verilator's warnings, by kind.
    warnings: BTreeMap<String, usize>,
    /// What is known about the module as other tools read it, where these read something else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    readings: Vec<String>,
}

impl Connected {
    /// The subject: the adapter around the module, in place of a unit.
    pub fn subject<'s>(&'s self, unit: &'s GeneratedUnit) -> Subject<'s> {
        Subject {
            operation: &unit.design.operation,
            pace: match unit.design.pace().is_iterated() {
                true => Pace::iterated(self.latency),
                false => Pace::pipelined(self.latency),
            },
            interface: unit.design.interface,
            module: &self.name,
            verilog: &self.adapter,
            circuit: None,
            dut: Some(&self.dut),
        }
    }

    /// Refuses a module without a flag of the unit, unless the tolerance says that it is not judged.
    ///
    /// # Errors
    /// When a flag is missing.
    pub(crate) fn check_flags(&self, tolerance: Tolerance) -> Result<(), NoVerdict> {
        let is_judged = |(flag, _): &&(Flag, u32)| !tolerance.policies.has(Policy::any_flag(*flag));
        match self.wiring.missing_flags.iter().find(is_judged) {
            None => Ok(()),
            Some((flag, _)) => Err(NoVerdict::Usage(format!(
                "--flag-order {}: {} does not have {}, which the unit has; add --policy {}",
                self.flag_order,
                self.dut.top,
                flag.name(),
                Policy::any_flag(*flag)
            ))),
        }
    }

    /// The description for reports; `unit` is the name of the unit that it was checked as.
    pub fn about(&self, unit: &str) -> About {
        let &Connected { ref dut, ref wiring, latency, is_clocked, measured, .. } = self;
        let not_checked = match wiring.taking {
            Some(_) => vec![],
            None if is_clocked => wiring.ports.missing(),
            None => vec![],
        };
        let mut warnings = BTreeMap::new();
        for warning in &dut.warnings {
            let kind = warning.trim_start_matches("%Warning-").split(':').next().unwrap_or_default();
            *warnings.entry(kind.to_string()).or_insert(0) += 1;
        }
        About {
            module: dut.top.clone(),
            files: self.files.clone(),
            readings: self.readings.clone(),
            unit: unit.into(),
            parameters: dut.sources.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            ports: wiring.renamed(),
            ties: wiring.tied(),
            besides: self.besides.iter().map(Beside::to_string).collect(),
            ignored: wiring.ignored.clone(),
            latency,
            startup: wiring.ports.startup,
            is_clocked,
            protocol: wiring.protocol(),
            measured: measured.map(|measured| [measured.right, measured.right_otherwise, measured.vectors]),
            not_checked,
            flag_order: (self.flag_order != FlagOrder::Binade).then(|| self.flag_order.to_string()),
            warnings,
        }
    }
}

impl About {
    /// The description as lines for the summary.
    pub fn lines(&self) -> Vec<String> {
        let list = |label: &str, words: &[String]| {
            if words.is_empty() { String::new() } else { format!("; {label} {}", words.join(", ")) }
        };
        let files: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
        let lists = [
            list("parameters", &self.parameters),
            list("ports", &self.ports),
            list("constants", &self.ties),
            list("not looked at:", &self.ignored),
        ];
        let files = if files.len() > 2 { format!("{} files", files.len()) } else { files.join(", ") };
        let mut lines = vec![format!("  module   {} of {files} as {}{}", self.module, self.unit, lists.concat())];
        if let Some([right, otherwise, vectors]) = self.measured {
            lines.push(format!(
                "  latency  {}, measured: with it {right} of {vectors} results are right, with any other at most {otherwise}",
                clocks(self.latency)
            ));
        } else if let Some(protocol) = &self.protocol {
            lines.push(format!("  protocol {protocol}"));
        } else if self.latency > 0 {
            lines.push(format!("  latency  {}", clocks(self.latency)));
        } else if self.is_clocked {
            lines.push("  latency  0 clocks, not measured since it has state; --latency gives another".into());
        }
        if !self.besides.is_empty() {
            lines.push(format!(
                "  between  operations with {}, which take as long; their results are not looked at",
                self.besides.join(" and ")
            ));
        }
        if self.startup > 0 {
            lines.push(format!("  startup  {} after a reset without operands", clocks(self.startup)));
        }
        if !self.not_checked.is_empty() {
            lines.push(format!("  open     {}", self.not_checked.join("; ")));
        }
        lines.extend(self.flag_order.iter().map(|order| match order.as_str() {
            "riscv" => "  flags    in the order of RISC-V; the one for a division by zero has to be 0".into(),
            order => format!("  flags    {order}"),
        }));
        lines.extend(self.readings.iter().map(|reading| format!("  reading  {reading}")));
        if !self.warnings.is_empty() {
            let total: usize = self.warnings.values().sum();
            let kinds: Vec<String> = self.warnings.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            let plural = if total == 1 { "" } else { "s" };
            lines.push(format!(
                "  lint     {total} warning{plural} of Verilator ({}); --lint shows them",
                kinds.join(", ")
            ));
        }
        lines
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(clocks: &u32) -> bool {
    *clocks == 0
}

fn clocks(latency: u32) -> String {
    if latency == 1 { "1 clock".into() } else { format!("{latency} clocks") }
}
