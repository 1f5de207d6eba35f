//! The Yosys commands of each target, as used for the peers' figures.

use crate::netlist::Netlist;
use crate::target::{NEEDS_LIBRARY, Target};

/// The Verilog file that the script reads. All files are relative to the directory of the run.
pub const VERILOG: &str = "design.v";
/// The output of `stat -json`: the cells of the mapped netlist.
pub const STAT: &str = "stat.json";
/// The output of `ltp`: the longest topological path.
pub const LTP: &str = "ltp.txt";
/// ABC's output about the AND-inverter graph (generic only).
pub const ABC: &str = "abc.txt";

/// The Yosys commands, one per line, that map `module` to `target` and write the results to [`STAT`], [`LTP`] and, for the generic target,
/// [`ABC`].
pub fn commands(target: Target, module: &str) -> Vec<String> {
    let mut script = vec![format!("read_verilog {VERILOG}")];
    script.extend(map(target, module));
    script.push(format!("tee -q -o {STAT} stat -json"));
    script.push(format!("tee -q -o {LTP} ltp -noff * {} %d", flip_flops(target)));
    if target == Target::Generic {
        script.push("design -load synthesized".to_string());
        script.push(format!("tee -q -o {ABC} abc -script +strash;dc2;dc2;balance;print_stats"));
    }
    script
}

/// The netlist of a mapped unit.
pub const NETLIST: &str = "netlist.json";

/// Asynchronous resets become synchronous ones.
const SYNCHRONOUS: [&str; 2] = ["proc", "async2sync"];

/// Whether registers of a text are reset asynchronously.
fn has_asynchronous_reset(verilog: &str) -> bool {
    verilog.contains("negedge")
}

/// The commands that turn `module` of this text into gates and write them to [`NETLIST`]. Asynchronous resets become synchronous.
pub fn netlist_commands(netlist: Netlist, module: &str, verilog: &str) -> Vec<String> {
    let mut script = vec![format!("read_verilog {VERILOG}")];
    if has_asynchronous_reset(verilog) {
        script.extend(SYNCHRONOUS.map(String::from));
    }
    script.extend(gates(netlist, module));
    script.push(format!("write_json {NETLIST}"));
    script
}

/// Like [`netlist_commands`], for the generic target and the shell `module` without the module `unit` in it, whose pins become ports of the
/// shell.
pub fn shell_commands(module: &str, unit: &str, verilog: &str) -> Vec<String> {
    let mut script = vec![
        format!("read_verilog {VERILOG}"),
        format!("hierarchy -check -top {module}"),
        format!("blackbox {unit}"),
        format!("expose -evert t:{unit}"),
    ];
    if has_asynchronous_reset(verilog) {
        script.extend(SYNCHRONOUS.map(String::from));
    }
    script.extend(map(Target::Generic, module));
    script.push(format!("write_json {NETLIST}"));
    script
}

/// The file with the arguments of `read_slang` for a user's files.
pub const FILES: &str = "files.f";

/// The Verilog that Yosys writes.
pub const WRITTEN: &str = "written.v";

/// The `techmap` file that replaces results that are `x` by undriven wires.
pub const UNDEFINED: &str = "undefined.v";

/// The warning of `read_slang` if Yosys reads a sensitivity list as if it were complete.
pub const LISTED: &str = "non-edge sensitivity";

/// How SystemVerilog is read: as leniently as in simulators, and without simulation-only code.
const READ_SLANG: &str = "read_slang --ignore-assertions --ignore-timing --allow-use-before-declare \
    --allow-dup-initial-drivers --allow-genblk-reference --allow-merging-ansi-ports --relax-enum-conversions \
    --relax-string-conversions";

/// Turns everything that may be `x` into a `$anyseq` cell, whose output is arbitrary at each clock, before any optimization: Yosys would
/// choose a convenient value. A `z` in an expression is a cell that no netlist reader supports.
const DEFINE: [&str; 9] = [
    "proc",
    "flatten",
    "async2sync",
    "memory_collect",
    "memory_map",
    "tribuf",
    "techmap -max_iter 1 -map undefined.v",
    "opt_clean",
    "setundef -undriven -anyseq",
];

/// Like [`netlist_commands`], for a user's SystemVerilog module: asynchronous resets become synchronous, and undefined bits become outputs
/// of `$anyseq` cells. The log holds the syntax tree.
pub fn foreign_netlist_commands(netlist: Netlist, module: &str) -> Vec<String> {
    let mut script = foreign(module, " --dump-ast");
    script.extend(DEFINE.map(String::from));
    script.push(WITHOUT_NOTES.to_string());
    match netlist {
        Netlist::Mapped(target) => script.extend(map(target, module)),
        Netlist::Printed => script.extend(["techmap", "opt_clean", "setundef -undriven -anyseq"].map(String::from)),
    }
    script.push(format!("write_json {NETLIST}"));
    script
}

/// The commands that read a user's SystemVerilog module, and write it to [`WRITTEN`] as Verilog.
pub fn foreign_verilog_commands(module: &str) -> Vec<String> {
    let mut script = foreign(module, "");
    script.extend(["proc", "flatten", "bwmuxmap"].map(String::from));
    script.extend([WITHOUT_NOTES.to_string(), WITHOUT_OUTPUT.to_string()]);
    script.push(format!("write_verilog -noattr {WRITTEN}"));
    script
}

/// Reads the user's module `module` from [`FILES`].
fn foreign(module: &str, option: &str) -> Vec<String> {
    let read = format!("{READ_SLANG}{option} --top {module} -f {FILES}");
    vec![read, format!("hierarchy -check -top {module}")]
}

/// From Verilog to gates.
fn gates(netlist: Netlist, module: &str) -> Vec<String> {
    match netlist {
        Netlist::Mapped(target) => map(target, module),
        Netlist::Printed => {
            let hierarchy = format!("hierarchy -check -top {module}");
            [&hierarchy, "proc", "flatten", WITHOUT_NOTES, "memory", "techmap", "opt_clean"].map(String::from).to_vec()
        }
    }
}

/// Deletes the notes about former modules that flattening leaves; they are not cells.
pub const WITHOUT_NOTES: &str = "delete t:$scopeinfo";

/// Deletes what prints.
const WITHOUT_OUTPUT: &str = "delete t:$print t:$check";

/// From Verilog to the cells of `target`: combinational top, no memories, no pads, and DSP blocks only on targets that are named so.
pub fn map(target: Target, module: &str) -> Vec<String> {
    let synthesis = match target {
        Target::Generic => format!("synth -flatten -top {module}"),
        Target::Ice40 => format!("synth_ice40 -flatten -top {module}"),
        // ECP5 flattens and omits pads by default.
        Target::Ecp5 => format!("synth_ecp5 -nodsp -top {module}"),
        Target::Xc7 => format!("synth_xilinx -family xc7 -flatten -nodsp -noiopad -top {module}"),
        Target::Up5kDsp => format!("synth_ice40 -device u -dsp -flatten -top {module}"),
        Target::Ecp5Dsp => format!("synth_ecp5 -top {module}"),
        Target::Xc7Dsp => format!("synth_xilinx -family xc7 -flatten -noiopad -top {module}"),
        Target::Cyclonev => {
            format!("synth_intel_alm -family cyclonev -nodsp -noiopad -nobram -nolutram -top {module}")
        }
        Target::Liberty => unreachable!("{NEEDS_LIBRARY}"),
    };
    let mut script = vec![synthesis, WITHOUT_NOTES.to_string()];
    if target == Target::Generic {
        script.extend(["design -save synthesized".to_string(), "abc -g AND,XOR,MUX".to_string()]);
    }
    script
}

/// Selects the registers of the target. `ltp -noff` only excludes Yosys' own flip-flops, not a vendor's. With these excluded too, a path
/// ends at a register, and the depth of a pipelined unit is that of its deepest segment.
fn flip_flops(target: Target) -> &'static str {
    match target {
        Target::Generic => "t:$_*DFF*_",
        Target::Ice40 | Target::Up5kDsp => "t:SB_DFF*",
        Target::Ecp5 | Target::Ecp5Dsp => "t:TRELLIS_FF",
        Target::Xc7 | Target::Xc7Dsp => "t:FD?E t:SRL* %u",
        Target::Cyclonev => "t:MISTRAL_FF",
        Target::Liberty => unreachable!("{NEEDS_LIBRARY}"),
    }
}
