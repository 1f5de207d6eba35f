//! The findings of `binade doctor`: which tools are available, and how to get the others.

use std::path::Path;

use crate::compiler::Compiler;
use crate::install::{self, Package};
use crate::{Device, Error, Source, Verilator, Yosys, vega, verilator, yosys};

/// One tool that Binade needs, and whether it is available.
#[derive(Debug)]
pub struct Finding {
    /// The tool's name for people.
    pub tool: &'static str,
    /// Whether the tool is available, and what to do if it is not.
    pub state: State,
}

/// Whether a tool is available.
#[derive(Debug)]
pub enum State {
    /// Available and new enough; the text is its version and, if useful, its location.
    Found(String),
    /// A pinned version that will be installed when it is first needed.
    InstalledAtFirstNeed {
        /// The version that will be installed.
        version: String,
    },
    /// Missing, too old or broken; the error says what to do.
    Unusable(Error),
}

pub(crate) fn examine(source: Source, home: &Path) -> Vec<Finding> {
    let compiler = Compiler::find().map(|found| format!("{} ({})", found.version, found.path.display()));
    let mut findings = vec![Finding { tool: "C++ compiler", state: state(compiler) }];
    let nextpnr = Device::ALL.map(|device| Finding { tool: device.tool(), state: pinned(device.package(), home) });
    match source {
        Source::Pinned => findings.extend([
            Finding { tool: "Python", state: state(install::python_version()) },
            Finding { tool: "Verilator", state: pinned(verilator::PACKAGE, home) },
            Finding { tool: "Yosys", state: pinned(yosys::PACKAGE, home) },
        ]),
        Source::System => findings.extend([
            Finding { tool: "Verilator", state: state(Verilator::system().map(|found| found.version)) },
            Finding { tool: "Yosys", state: state(Yosys::system().map(|found| found.version)) },
        ]),
    }
    if source == Source::Pinned {
        findings.extend(nextpnr);
        findings.push(Finding { tool: "vl-convert", state: pinned(vega::PACKAGE, home) });
    }
    findings
}

fn state(found: Result<String, Error>) -> State {
    found.map_or_else(State::Unusable, State::Found)
}

fn pinned(package: Package, home: &Path) -> State {
    match package.folder(home) {
        Err(error) => State::Unusable(error),
        Ok(folder) if folder.exists() => State::Found(package.version().to_string()),
        Ok(_) => State::InstalledAtFirstNeed { version: package.version().to_string() },
    }
}
