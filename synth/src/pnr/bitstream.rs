//! A design with the board's ports as a bitstream: mapped, placed and routed with the board's constraints, and packed.

use std::collections::BTreeMap;
use std::fs;

use binade_tools::{Device, Error, Tools, scratch_dir};

use super::board::{Board, Panel};
use super::report::Used;
use super::route::{RouteError, read_report, why};
use crate::run::{run_over, unparsed};
use crate::script::{NETLIST, VERILOG, map};

const REPORT: &str = "report.json";
/// The routed design as text.
const ROUTED: &str = "routed.txt";
const PACKED: &str = "packed";

/// A design built for a board.
#[derive(Clone, Debug)]
pub struct Bitstream {
    /// The bitstream.
    pub bytes: Vec<u8>,
    /// The fastest clock according to nextpnr, in MHz.
    pub fmax_mhz: f64,
    /// The cells used, and those available on the device.
    pub placed: BTreeMap<String, Used>,
    /// The synthesis tool and its version.
    pub yosys: String,
    /// The place-and-route tool and its version.
    pub nextpnr: String,
}

/// Builds the bitstream of `module`, the top of `verilog`.
///
/// # Errors
/// When the design does not fit the device or is slower than the board's clock, and when a tool is missing or fails.
pub fn bitstream(
    tools: &Tools,
    (board, panel): (Board, &Panel),
    module: &str,
    verilog: &str,
) -> Result<Bitstream, RouteError> {
    let (yosys, nextpnr) = (tools.yosys()?, tools.nextpnr(board.device())?);
    let scratch = scratch_dir()?;
    let folder = scratch.path();
    let mut script = vec![format!("read_verilog {VERILOG}")];
    script.extend(map(board.target(), module));
    script.push(format!("write_json {NETLIST}"));
    run_over(&yosys, verilog, &script, folder)?;

    let constraints = board.constraints();
    let file = constraints.file;
    fs::write(folder.join(file), constraints.text).map_err(Error::io(format!("write `{file}` for place and route")))?;
    let clock = panel.clock_mhz.to_string();
    let mut arguments = board.arguments().to_vec();
    arguments.extend(["--json", NETLIST, constraints.option, file, "--report", REPORT, "--seed", "1", "--quiet"]);
    // If the design is too slow, the message says which clock it reaches.
    arguments.extend(["--freq", &clock, "--timing-allow-fail", written(board.device()), ROUTED]);
    nextpnr.run(&arguments, folder).map_err(|error| why(error, module, board))?;

    let text = fs::read_to_string(folder.join(REPORT)).map_err(Error::io("read nextpnr's report"))?;
    let (fmax_mhz, placed) = read_report(&text).map_err(|unexpected| unparsed(&nextpnr.title(), unexpected))?;
    if fmax_mhz < panel.clock_mhz {
        let (module, clock_mhz) = (module.to_string(), panel.clock_mhz);
        return Err(RouteError::TooSlow { module, board, fmax_mhz, clock_mhz });
    }
    nextpnr.pack(ROUTED, PACKED, folder)?;
    let bytes = fs::read(folder.join(PACKED)).map_err(Error::io("read the packed bitstream"))?;
    let (yosys, nextpnr) = (format!("Yosys {}", yosys.version), nextpnr.title());
    Ok(Bitstream { bytes, fmax_mhz, placed, yosys, nextpnr })
}

/// The nextpnr option that names the packer's input file.
fn written(device: Device) -> &'static str {
    match device {
        Device::Ecp5 => "--textcfg",
        Device::Ice40 => "--asc",
    }
}
