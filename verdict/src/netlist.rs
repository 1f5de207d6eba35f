//! The gates that Yosys makes of a module.

use crate::NoVerdict;
use binade_sim::{Gates, Subject};
use binade_synth::Netlist;
use binade_tools::{Error, Tools};

/// The gates that Yosys makes of a module's Verilog.
///
/// # Errors
/// When Yosys is missing or fails, and when its netlist has unknown cells.
pub fn netlist(tools: &Tools, subject: Subject, netlist: Netlist) -> Result<Gates, NoVerdict> {
    let json = binade_synth::netlist(tools, subject.module, subject.verilog, netlist)?;
    let tool = format!("Yosys {}", tools.yosys()?.version);
    Gates::of_netlist(subject, &json, netlist.described(&tool)).map_err(|error| {
        let (expected, output) = (format!("cells that are known in {netlist} netlists"), error.to_string());
        NoVerdict::Tool(Error::unparsed(tool, expected, output))
    })
}
