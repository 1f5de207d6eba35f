//! Which port of a user's module is which of the unit's.

use super::{Direction, Dut, DutPort, Flag, FlagOrder, Member};
use crate::engines::PortWidth;
use binade_spec::Operation;
use binade_spec::contract::ControlPorts;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Common names of control ports, in lower case, in addition to the unit's own.
const CLOCKS: [&str; 6] = ["clk", "clock", "ck", "aclk", "clk_in", "clk_sys"];
const LOW_RESETS: [&str; 10] =
    ["rst_n", "rst_ni", "resetn", "reset_n", "rstn", "nrst", "nreset", "aresetn", "arst_n", "rst_b"];
const HIGH_RESETS: [&str; 5] = ["rst", "reset", "arst", "areset", "srst"];
const ENABLES: [&str; 5] = ["en", "enable", "ce", "clk_en", "clken"];
const IN_VALIDS: [&str; 5] = ["in_valid", "valid_in", "i_valid", "in_vld", "start"];
const OUT_VALIDS: [&str; 5] = ["out_valid", "valid_out", "o_valid", "out_vld", "done"];

/// The same of modules with valid and ready.
const IN_READIES: [&str; 5] = ["in_ready", "ready_in", "in_rdy", "ready", "s_axis_tready"];
const BUSIES: [&str; 2] = ["busy", "in_busy"];
const OUT_READIES: [&str; 5] = ["out_ready", "ready_out", "out_rdy", "ready", "m_axis_tready"];

/// Tags of modules whose results may come in any order.
const TAGS_IN: [&str; 3] = ["tag_in", "in_tag", "tag"];
const TAGS_OUT: [&str; 3] = ["tag_out", "out_tag", "tag"];
const MOST_TAG_BITS: u32 = 32;

/// The most other operations: input `beside` of the adapter has eight bits.
const MOST_BESIDES: usize = 255;

/// Names of the result besides `y`.
const RESULTS: [&str; 6] = ["y", "result", "res", "out", "z", "q"];

/// `--port`: a port of the unit, and the user's port or some of its bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortChoice {
    /// The name of the unit's port.
    pub ours: String,
    /// The name of the user's port, or of a member of it, as in `req_i.a`.
    pub theirs: String,
    /// Highest and lowest bit.
    pub range: Option<(u32, u32)>,
}

impl FromStr for PortChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<PortChoice, String> {
        let expected = || {
            format!("`{text}`: the unit's port and yours are expected, such as y=result, b=operands[31:16] or b=req.b")
        };
        let (ours, theirs) = text.split_once('=').ok_or_else(expected)?;
        let (theirs, range) = with_range(theirs).ok_or_else(expected)?;
        if !is_name(ours) || !is_path(theirs) {
            return Err(expected());
        }
        Ok(PortChoice { ours: ours.into(), theirs: theirs.into(), range })
    }
}

/// `--tie`: an input, or some of its bits, and a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The name of the user's port.
    pub theirs: String,
    /// Highest and lowest bit.
    pub range: Option<(u32, u32)>,
    /// A SystemVerilog expression.
    pub value: String,
}

impl FromStr for Tie {
    type Err = String;

    fn from_str(text: &str) -> Result<Tie, String> {
        let expected =
            || format!("`{text}`: an input of yours and a constant are expected, such as mode=0 or op=my_pkg::MUL");
        let (theirs, value) = text.split_once('=').ok_or_else(expected)?;
        let (theirs, range) = with_range(theirs).ok_or_else(expected)?;
        let value = value.trim();
        if !is_path(theirs) || value.is_empty() || value.contains([';', '\n', '"', '`']) {
            return Err(expected());
        }
        Ok(Tie { theirs: theirs.into(), range, value: value.into() })
    }
}

/// `--beside`: the constant inputs of another operation of the module, which runs in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside(
    /// The constants, as in `--tie`.
    pub Vec<Tie>,
);

impl FromStr for Beside {
    type Err = String;

    fn from_str(text: &str) -> Result<Beside, String> {
        text.split(',').map(str::parse).collect::<Result<_, _>>().map(Beside)
    }
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let range = self.range.map_or(String::new(), |(high, low)| format!("[{high}:{low}]"));
        write!(f, "{}{range}={}", self.theirs, self.value)
    }
}

impl fmt::Display for Beside {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ties: Vec<String> = self.0.iter().map(Tie::to_string).collect();
        f.write_str(&ties.join(","))
    }
}

/// `--reset`: an input and its active level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// The name of the user's port.
    pub theirs: String,
    /// Whether it is active high.
    pub is_high: bool,
}

impl FromStr for Reset {
    type Err = String;

    fn from_str(text: &str) -> Result<Reset, String> {
        let expected =
            || format!("`{text}`: an input of yours and its level are expected, such as rst:high or rst_n:low");
        let (theirs, level) = text.split_once(':').ok_or_else(expected)?;
        let is_high = match level {
            "high" => true,
            "low" => false,
            _ => return Err(expected()),
        };
        if is_name(theirs) { Ok(Reset { theirs: theirs.into(), is_high }) } else { Err(expected()) }
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit() || c == '$')
}

/// Whether this is a name, or those of a port and of its members.
fn is_path(text: &str) -> bool {
    text.split('.').all(is_name)
}

/// A name and its bits, if given.
fn with_range(text: &str) -> Option<(&str, Option<(u32, u32)>)> {
    let Some((name, bits)) = text.split_once('[') else { return Some((text, None)) };
    let bits = bits.strip_suffix(']')?;
    let (high, low) = bits.split_once(':').unwrap_or((bits, bits));
    let range: (u32, u32) = (high.parse().ok()?, low.parse().ok()?);
    (range.0 >= range.1).then_some((name, Some(range)))
}

/// The user's choices about ports; the other ports are found by name.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Ports with other names.
    pub ports: Vec<PortChoice>,
    /// Constant inputs.
    pub ties: Vec<Tie>,
    /// The constants of other operations.
    pub besides: Vec<Beside>,
    /// The reset, unless its name tells.
    pub reset: Option<Reset>,
    /// The order of its flags.
    pub flag_order: FlagOrder,
    /// The clock cycles after a reset in which the module takes no operands.
    pub startup: u32,
    /// Whether the module has valid and ready on both sides.
    pub exchanges: bool,
}

impl Choices {
    /// The same with bits of ports in place of members of structures.
    fn resolved(&self, dut: &Dut) -> Result<Choices, WiringError> {
        let mut resolved = self.clone();
        for choice in &mut resolved.ports {
            dut.resolve(&mut choice.theirs, &mut choice.range)?;
        }
        for tie in resolved.besides.iter_mut().flat_map(|beside| &mut beside.0).chain(&mut resolved.ties) {
            dut.resolve(&mut tie.theirs, &mut tie.range)?;
        }
        Ok(resolved)
    }
}

/// Ports that do not fit. The text is shown to the user.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct WiringError(
    /// What is wrong and what to do.
    pub String,
);

/// Bits of a user's port and the net connected to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The name of the user's port.
    pub theirs: String,
    /// The highest bit.
    pub high: u32,
    /// The lowest bit.
    pub low: u32,
    /// The net that drives an input, or that an output drives.
    pub ours: String,
    /// The range that the user gave.
    range: Option<(u32, u32)>,
    kind: Kind,
    /// What drives a constant input in each of the other operations.
    besides: Vec<String>,
}

impl Piece {
    /// The net or expression that drives an input; input `beside` of the adapter chooses an operation.
    pub(super) fn driver(&self) -> String {
        let choice = |(number, value): (usize, &String)| format!("beside == 8'd{} ? ({value}) : ", number + 1);
        let others: String = self.besides.iter().enumerate().map(choice).collect();
        if others.is_empty() { self.ours.clone() } else { format!("{others}({})", self.ours) }
    }
}

/// The purpose of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An operand or a result.
    Data,
    /// The clock, or a control port that goes with it.
    Control,
    /// A constant that the user gave.
    Tie,
}

/// How a module with valid and ready says that it takes the operands that are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// `in_ready` is 1.
    Ready,
    /// `busy` is 0.
    Busy,
    /// It does not say: it takes them unless it has taken others whose results it has not offered yet.
    OneByOne,
}

/// How a user's module is connected in place of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// The inputs of the module with their drivers.
    pub inputs: Vec<Piece>,
    /// The outputs of the module that are read.
    pub outputs: Vec<Piece>,
    /// Outputs that are ignored.
    pub ignored: Vec<String>,
    /// Its ports besides clock, operands and results.
    pub ports: ControlPorts,
    /// The bit of a divide-by-zero flag, which must be 0.
    pub never: Option<Piece>,
    /// The unit's flags that the module does not have, with their bits.
    pub missing_flags: Vec<(Flag, u32)>,
    /// How it says that it takes operands, if it has valid and ready.
    pub taking: Option<Taking>,
}

/// The nets of the adapter that drive control ports.
pub(super) const CLOCK_NET: &str = "clock";
const HIGH_RESET_NET: &str = "!rst_n";

impl Dut {
    /// The module with this wiring.
    pub fn connected(mut self, wiring: &Wiring) -> Dut {
        self.controls = wiring.ports;
        self
    }

    /// Replaces a member, such as `req_i.a`, by bits of its port.
    fn resolve(&self, theirs: &mut String, range: &mut Option<(u32, u32)>) -> Result<(), WiringError> {
        let Some((port, _)) = theirs.split_once('.') else { return Ok(()) };
        let Some(member) = self.members.iter().find(|member| member.path == *theirs) else {
            let members = self.members_of(port);
            let members = if members.is_empty() { "no members".into() } else { members.join(", ") };
            return Err(WiringError(format!("{} has no {theirs}; {port} has {members}", self.top)));
        };
        let (high, low) = range.unwrap_or((member.high - member.low, 0));
        if member.low + high > member.high {
            let width = bits(member.high - member.low + 1);
            return Err(WiringError(format!("{theirs}[{high}:{low}] reaches beyond its {width}")));
        }
        *range = Some((member.low + high, member.low + low));
        *theirs = member.port.clone();
        Ok(())
    }

    /// The members of a port, with their widths.
    fn members_of(&self, port: &str) -> Vec<String> {
        let members = self.members.iter().filter(|member| member.port == port);
        members.map(|member| format!("{} ({})", member.path, bits(member.high - member.low + 1))).collect()
    }

    /// Whether an input has a name for a clock.
    pub fn has_clock(&self) -> bool {
        self.ports_of(Direction::Input).any(|port| CLOCKS.iter().any(|name| is_called(&port.name, name)))
    }
}

struct Wirer<'a> {
    dut: &'a Dut,
    choices: &'a Choices,
    is_clocked: bool,
    wiring: Wiring,
}

impl Wiring {
    /// Connects the module's ports with those of a unit; `is_clocked` says whether the unit has latency or state.
    ///
    /// # Errors
    /// When a port is missing, has another width, or remains unconnected.
    pub fn new(dut: &Dut, operation: &Operation, choices: &Choices, is_clocked: bool) -> Result<Wiring, WiringError> {
        let [inputs, outputs] = PortWidth::of_operation(operation);
        let wiring = Wiring {
            inputs: vec![],
            outputs: vec![],
            ignored: vec![],
            ports: ControlPorts {
                startup: choices.startup,
                besides: choices.besides.len() as u32,
                ..ControlPorts::NONE
            },
            never: None,
            missing_flags: vec![],
            taking: None,
        };
        let choices = &choices.resolved(dut)?;
        let mut wirer = Wirer { dut, choices, is_clocked, wiring };
        wirer.refuse_unknown([&inputs, &outputs])?;
        for port in &inputs {
            let pieces = wirer.operand(port)?;
            wirer.wiring.inputs.push(pieces);
        }
        for port in &outputs {
            wirer.result(port)?;
        }
        wirer.refuse_besides()?;
        for tie in &choices.ties {
            wirer.tie(tie)?;
        }
        if choices.exchanges {
            wirer.exchange()?
        } else {
            wirer.controls(operation.has_state())?
        }
        wirer.finish()
    }

    /// The ports whose names differ from the unit's, such as `a=in1`.
    pub fn renamed(&self) -> Vec<String> {
        let pieces = self.inputs.iter().chain(&self.outputs).filter(|piece| piece.kind == Kind::Data);
        pieces.filter(|piece| piece.ours.trim_end() != piece.theirs).map(Piece::to_string).collect()
    }

    /// How a module with valid and ready offers and takes, in words.
    pub fn protocol(&self) -> Option<String> {
        let named = |ours: &str| {
            let is_offer = |piece: &Piece| ours == "in_valid" && piece.ours == "starts";
            let piece = self.inputs.iter().chain(&self.outputs).find(|piece| piece.ours == ours || is_offer(piece));
            piece.map_or(ours.to_string(), |piece| piece.theirs.clone())
        };
        let taking = match self.taking? {
            Taking::Ready => format!("are taken where {} is 1", named("in_ready")),
            Taking::Busy => format!("are taken where {} is 0", named("busy")),
            Taking::OneByOne => "are taken at once, one operation after the other".into(),
        };
        let results = match self.ports.has_out_ready {
            true => format!("stay until {} is 1", named("out_ready")),
            false => "stay for a clock".into(),
        };
        let [in_valid, out_valid] = ["in_valid", "out_valid"].map(named);
        let order = match self.ports.tag_bits {
            0 => "in their order".into(),
            _ => format!("in any order, with {} as {} was,", named("tag_out"), named("tag_in")),
        };
        Some(format!(
            "operands with {in_valid} {taking}; results with {out_valid} come {order} after any number of clocks, and {results}"
        ))
    }

    /// The constant inputs, such as `mode=0`.
    pub fn tied(&self) -> Vec<String> {
        self.inputs
            .iter()
            .filter(|piece| piece.kind == Kind::Tie)
            .map(|piece| {
                let range = piece.range.map_or(String::new(), |(high, low)| format!("[{high}:{low}]"));
                format!("{}{range}={}", piece.theirs, piece.ours)
            })
            .collect()
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}={}", self.ours.trim_end(), self.theirs)?;
        match self.range {
            Some((high, low)) if high == low => write!(f, "[{high}]"),
            Some((high, low)) => write!(f, "[{high}:{low}]"),
            None => Ok(()),
        }
    }
}

impl Wirer<'_> {
    /// Refuses choices that name an unknown port of the unit or of the module.
    fn refuse_unknown(&self, units: [&[PortWidth]; 2]) -> Result<(), WiringError> {
        let controls: &[&str] = match self.choices.exchanges {
            true => &["clk", "rst_n", "in_valid", "in_ready", "busy", "out_valid", "out_ready", "tag_in", "tag_out"],
            false => &["clk", "rst_n", "en", "in_valid", "out_valid"],
        };
        let known: Vec<&str> =
            units.into_iter().flatten().map(|port| port.name).chain(controls.iter().copied()).collect();
        for choice in &self.choices.ports {
            if !known.contains(&choice.ours.as_str()) {
                let known = known.join(", ");
                return Err(WiringError(format!(
                    "--port {}={}: the unit has no port {}; it has {known}",
                    choice.ours, choice.theirs, choice.ours
                )));
            }
        }
        for (place, PortChoice { ours, .. }) in self.choices.ports.iter().enumerate() {
            if self.choices.ports[..place].iter().any(|choice| choice.ours == *ours) {
                return Err(WiringError(format!("--port {ours}=..: {ours} is connected twice; give it once")));
            }
        }
        let named = self.choices.ports.iter().map(|choice| &choice.theirs);
        let named = named.chain(self.choices.ties.iter().map(|tie| &tie.theirs));
        let named = named.chain(self.choices.reset.iter().map(|reset| &reset.theirs));
        for theirs in named {
            if self.port(theirs).is_none() {
                return Err(WiringError(format!("{} has no port {theirs}; it has {}", self.dut.top, self.listed())));
            }
        }
        Ok(())
    }

    fn port(&self, name: &str) -> Option<&DutPort> {
        self.dut.ports.iter().find(|port| port.name == name)
    }

    /// The module's ports, for messages.
    fn listed(&self) -> String {
        let text = |direction, port: &DutPort| {
            let members = self.dut.members_of(&port.name);
            let members = if members.is_empty() { String::new() } else { format!(" with {}", members.join(", ")) };
            format!("{direction} {} ({}){members}", port.name, bits(port.width))
        };
        let listed = self.dut.ports.iter().map(|port| match port.direction {
            Direction::Input => text("input", port),
            Direction::Output => text("output", port),
        });
        listed.collect::<Vec<_>>().join(", ")
    }

    /// The user's port for a port of the unit: the chosen one, or else by name.
    fn theirs(&self, ours: &str, names: &[&str], direction: Direction) -> Result<Option<PortChoice>, WiringError> {
        if let Some(choice) = self.choices.ports.iter().find(|choice| choice.ours == ours) {
            let port = self.port(&choice.theirs).expect("unknown ports were refused");
            if port.direction != direction {
                let wanted = if direction == Direction::Input { "an input" } else { "an output" };
                return Err(WiringError(format!(
                    "--port {ours}={}: that is no {}",
                    choice.theirs,
                    wanted.split(' ').next_back().unwrap_or_default()
                )));
            }
            return Ok(Some(choice.clone()));
        }
        let found = names.iter().find_map(|name| self.dut.ports_of(direction).find(|port| is_called(&port.name, name)));
        Ok(found.map(|port| PortChoice { ours: ours.into(), theirs: port.name.clone(), range: None }))
    }

    /// The piece of the user's port with the width of the unit's port.
    fn piece(&self, choice: &PortChoice, width: u32, net: String) -> Result<Piece, WiringError> {
        let port = self.port(&choice.theirs).expect("unknown ports were refused");
        let (high, low) = choice.range.unwrap_or((port.width - 1, 0));
        if high >= port.width || high - low + 1 != width {
            let (top, ours, theirs) = (&self.dut.top, &choice.ours, &choice.theirs);
            return Err(WiringError(format!(
                "{} of the unit has {}, {theirs}{} of {top} {}; a --parameter may change that, or --port {ours}={theirs}[HIGH:LOW] takes some bits",
                ours,
                bits(width),
                choice.range.map(|(high, low)| format!("[{high}:{low}]")).unwrap_or_default(),
                if high >= port.width {
                    format!("reaches beyond its {}", bits(port.width))
                } else {
                    format!("has {}", bits(high - low + 1))
                },
            )));
        }
        Ok(Piece {
            theirs: choice.theirs.clone(),
            high,
            low,
            ours: net,
            range: choice.range,
            kind: Kind::Data,
            besides: vec![],
        })
    }

    fn operand(&self, port: &PortWidth) -> Result<Piece, WiringError> {
        let choice = self.theirs(port.name, &[port.name], Direction::Input)?;
        let choice = choice.ok_or_else(|| self.missing(port, "input"))?;
        self.piece(&choice, port.width, port.net())
    }

    fn result(&mut self, port: &PortWidth) -> Result<(), WiringError> {
        let own = [port.name];
        let names: &[&str] = if port.name == RESULTS[0] { &RESULTS } else { &own };
        let names: &[&str] =
            if port.name == "flags" { &["flags", "fflags", "status", "exceptionflags"] } else { names };
        let choice = self.theirs(port.name, names, Direction::Output)?.ok_or_else(|| self.missing(port, "output"))?;
        if let ("flags", FlagOrder::Listed(order)) = (port.name, &self.choices.flag_order) {
            return self.flags(port.width, &choice, order);
        }
        let piece = self.piece(&choice, port.width, port.net())?;
        self.wiring.outputs.push(piece);
        Ok(())
    }

    /// Connects flags in an order of their own.
    fn flags(&mut self, width: u32, choice: &PortChoice, order: &[Option<Flag>]) -> Result<(), WiringError> {
        let whole = self.piece(choice, order.len() as u32, String::new())?;
        let place = |flag: Flag| order.iter().position(|listed| *listed == Some(flag));
        let theirs = |place: usize| whole.low + (order.len() - 1 - place) as u32;
        // Bits that follow each other on both sides are one piece: highest of theirs and ours, and their number.
        let mut runs: Vec<(u32, u32, u32)> = vec![];
        for flag in Flag::ALL {
            match (place(flag).map(theirs), flag.bit(width)) {
                (Some(theirs), Some(ours)) => match runs.last_mut() {
                    Some((high, own, count)) if *high == theirs + *count && *own == ours + *count => *count += 1,
                    _ => runs.push((theirs, ours, 1)),
                },
                (None, Some(ours)) => self.wiring.missing_flags.push((flag, ours)),
                (Some(theirs), None) => {
                    let range = Some((theirs, theirs));
                    self.wiring.never = Some(Piece { high: theirs, low: theirs, range, ..whole.clone() });
                }
                (None, None) => {}
            }
        }
        let range = |high: u32, count: u32| match count {
            1 => format!("[{high}]"),
            _ => format!("[{high}:{}]", high + 1 - count),
        };
        self.wiring.outputs.extend(runs.into_iter().map(|(high, own, count)| Piece {
            high,
            low: high + 1 - count,
            ours: format!("flags{}", range(own, count)),
            range: Some((high, high + 1 - count)),
            ..whole.clone()
        }));
        Ok(())
    }

    fn missing(&self, port: &PortWidth, direction: &str) -> WiringError {
        let (top, name) = (&self.dut.top, port.name);
        WiringError(format!(
            "no {direction} of {top} is named like {name} of the unit ({}); name yours with --port {name}=NAME: {top} has {}",
            bits(port.width),
            self.listed()
        ))
    }

    /// The constants of the same input in each of the other operations; its own where they name none.
    fn besides(&self, tie: &Tie) -> Vec<String> {
        let is_same = |other: &&Tie| other.theirs == tie.theirs && other.range == tie.range;
        let of_beside = |beside: &Beside| beside.0.iter().find(is_same).unwrap_or(tie).value.clone();
        let all: Vec<String> = self.choices.besides.iter().map(of_beside).collect();
        if all.iter().all(|value| *value == tie.value) { vec![] } else { all }
    }

    /// Refuses constants of other operations for inputs that have none of their own, or that do not fit.
    fn refuse_besides(&self) -> Result<(), WiringError> {
        if self.choices.besides.len() > MOST_BESIDES {
            return Err(WiringError(format!("--beside: at most {MOST_BESIDES} other operations can be given")));
        }
        for tie in self.choices.besides.iter().flat_map(|beside| &beside.0) {
            let own = self.choices.ties.iter().find(|own| own.theirs == tie.theirs && own.range == tie.range);
            if own.is_none() {
                return Err(WiringError(format!(
                    "--beside {tie}: {} has no value in the operation that is checked; add --tie {}=VALUE",
                    tie.theirs,
                    tie.to_string().split('=').next().unwrap_or_default()
                )));
            }
        }
        Ok(())
    }

    fn tie(&mut self, tie: &Tie) -> Result<(), WiringError> {
        let port = self.port(&tie.theirs).expect("unknown ports were refused");
        if port.direction == Direction::Output {
            return Err(WiringError(format!(
                "--tie {}: that is an output; outputs that nobody names are ignored",
                tie.theirs
            )));
        }
        let (high, low) = tie.range.unwrap_or((port.width - 1, 0));
        if high >= port.width {
            return Err(WiringError(format!("--tie {}: it has {}", tie.theirs, bits(port.width))));
        }
        if bits_of(&tie.value).is_some_and(|needed| needed > high - low + 1) {
            let (tie, width) = (format!("{}={}", tie.theirs, tie.value), bits(high - low + 1));
            return Err(WiringError(format!("--tie {tie}: the value does not fit into {width}")));
        }
        self.wiring.inputs.push(Piece {
            theirs: tie.theirs.clone(),
            high,
            low,
            ours: tie.value.clone(),
            range: tie.range,
            kind: Kind::Tie,
            besides: self.besides(tie),
        });
        Ok(())
    }

    /// Connects the clock and the control ports. If the unit has no clock, they are held inactive.
    fn controls(&mut self, has_state: bool) -> Result<(), WiringError> {
        let is_clocked = self.is_clocked;
        let net = |clocked: &'static str, resting: &'static str| if is_clocked { clocked } else { resting };
        self.clock(net(CLOCK_NET, "1'b0"))?;
        if !is_clocked && let Some(enable) = self.theirs("en", &ENABLES, Direction::Input)? {
            self.refuse_enable(&enable.theirs)?;
        }
        self.wiring.ports.has_enable = self.control("en", &ENABLES, net("en", "1'b1"))?;
        self.wiring.ports.has_in_valid = self.control("in_valid", &IN_VALIDS, net("in_valid", "1'b1"))?;
        self.wiring.ports.has_reset = self.reset()?;
        if has_state && !self.wiring.ports.has_reset {
            return Err(WiringError(format!(
                "a unit with state starts with a reset, but no input of {} has a name for one; set it with --reset NAME:high or --reset NAME:low",
                self.dut.top
            )));
        }
        self.wiring.ports.has_out_valid = is_clocked && self.said("out_valid", &OUT_VALIDS)?;
        let (ports, top) = (self.wiring.ports, &self.dut.top);
        match () {
            () if ports.startup > 0 && !is_clocked => Err(WiringError(format!(
                "--startup: {top} has no latency, and so no clock that it could need to start"
            ))),
            () if ports.startup > 0 && !ports.has_bubbles(has_state) => Err(WiringError(format!(
                "--startup: {top} takes operands in every clock cycle, since it has no in_valid; name that port with --port in_valid=NAME"
            ))),
            () => Ok(()),
        }
    }

    /// Connects the clock, which a module with latency has.
    fn clock(&mut self, net: &str) -> Result<(), WiringError> {
        match self.control("clk", &CLOCKS, net)? {
            false if self.is_clocked => Err(WiringError(format!(
                "no input of {} has a name for a clock; set it with --port clk=NAME: the ports are {}",
                self.dut.top,
                self.listed()
            ))),
            _ => Ok(()),
        }
    }

    /// Connects the clock and the control ports of a module with valid and ready, or with start, busy and done.
    fn exchange(&mut self) -> Result<(), WiringError> {
        self.clock(CLOCK_NET)?;
        self.wiring.taking = Some(match () {
            () if self.said("in_ready", &IN_READIES)? => Taking::Ready,
            () if self.said("busy", &BUSIES)? => Taking::Busy,
            () => Taking::OneByOne,
        });
        let offer = if self.wiring.taking == Some(Taking::OneByOne) { "starts" } else { "in_valid" };
        let names = |more: &[&'static str], own: &[&'static str]| [own, more].concat();
        let ports = ControlPorts {
            has_in_valid: self.control("in_valid", &names(&["valid", "s_axis_tvalid"], &IN_VALIDS), offer)?,
            has_out_valid: self.said("out_valid", &names(&["valid", "m_axis_tvalid"], &OUT_VALIDS))?,
            has_reset: self.reset()?,
            has_out_ready: self.control("out_ready", &OUT_READIES, "out_ready")?,
            ..self.wiring.ports
        };
        let top = &self.dut.top;
        let needed = [
            (ports.has_in_valid, "in_valid, with which operands are offered; name it with --port in_valid=NAME"),
            (ports.has_out_valid, "out_valid, with which results are offered; name it with --port out_valid=NAME"),
            (ports.has_reset, "a reset; name it with --reset NAME:high or --reset NAME:low"),
        ];
        let missing: Vec<&str> = needed.iter().filter(|(is_there, _)| !is_there).map(|(_, what)| *what).collect();
        if !missing.is_empty() {
            let missing = missing.join("; and ");
            return Err(WiringError(format!("--interface: {top} needs {missing}. It has {}", self.listed())));
        }
        self.wiring.ports = ports;
        self.tags()
    }

    /// Connects the tags of a module whose results may come in any order.
    fn tags(&mut self) -> Result<(), WiringError> {
        let ports =
            [self.theirs("tag_in", &TAGS_IN, Direction::Input)?, self.theirs("tag_out", &TAGS_OUT, Direction::Output)?];
        let is_free = |choice: &PortChoice| !self.wiring.inputs.iter().any(|piece| piece.theirs == choice.theirs);
        let [Some(tag_in), Some(tag_out)] = ports else { return Ok(()) };
        if !is_free(&tag_in) {
            return Ok(());
        }
        let width = |choice: &PortChoice| {
            choice.range.map_or(self.port(&choice.theirs).map_or(0, |port| port.width), |(high, low)| high - low + 1)
        };
        let [own, other] = [width(&tag_in), width(&tag_out)];
        if own != other || own > MOST_TAG_BITS {
            return Err(WiringError(format!(
                "{} has {}, {} has {}: both tags need the same width, of up to {MOST_TAG_BITS} bits",
                tag_in.theirs,
                bits(own),
                tag_out.theirs,
                bits(other)
            )));
        }
        let tag_in = Piece { kind: Kind::Control, ..self.piece(&tag_in, own, "tag_in".into())? };
        let tag_out = Piece { kind: Kind::Control, ..self.piece(&tag_out, own, "tag_out".into())? };
        self.wiring.inputs.push(tag_in);
        self.wiring.outputs.push(tag_out);
        self.wiring.ports.tag_bits = own;
        Ok(())
    }

    /// Connects a one-bit output with one of these names, if there is one.
    fn said(&mut self, ours: &str, names: &[&str]) -> Result<bool, WiringError> {
        let Some(choice) = self.theirs(ours, names, Direction::Output)? else { return Ok(false) };
        let piece = Piece { kind: Kind::Control, ..self.piece(&choice, 1, ours.into())? };
        self.wiring.outputs.push(piece);
        Ok(true)
    }

    /// Refuses an enable of a module without latency: such a module has no stalls in which it could be checked.
    fn refuse_enable(&self, enable: &str) -> Result<(), WiringError> {
        if self.wiring.inputs.iter().any(|piece| piece.theirs == enable) {
            return Ok(());
        }
        Err(WiringError(format!(
            "{} has no latency, and so no stalls in which its enable {enable} could be checked; set it with --tie {enable}=1",
            self.dut.top
        )))
    }

    /// Connects a free one-bit input with one of these names, if there is one.
    fn control(&mut self, ours: &str, names: &[&str], net: &str) -> Result<bool, WiringError> {
        let Some(choice) = self.theirs(ours, names, Direction::Input)? else { return Ok(false) };
        let is_given = self.choices.ports.contains(&choice);
        if !is_given && self.wiring.inputs.iter().any(|piece| piece.theirs == choice.theirs) {
            return Ok(false);
        }
        let piece = Piece { kind: Kind::Control, ..self.piece(&choice, 1, net.into())? };
        self.wiring.inputs.push(piece);
        Ok(true)
    }

    fn reset(&mut self) -> Result<bool, WiringError> {
        let [low, high] = if self.is_clocked { ["rst_n", HIGH_RESET_NET] } else { ["1'b1", "1'b0"] };
        if let Some(Reset { theirs, is_high }) = &self.choices.reset {
            let choice = PortChoice { ours: "rst_n".into(), theirs: theirs.clone(), range: None };
            let net = if *is_high { high } else { low };
            let piece = Piece { kind: Kind::Control, ..self.piece(&choice, 1, net.into())? };
            self.wiring.inputs.push(piece);
            return Ok(true);
        }
        Ok(self.control("rst_n", &LOW_RESETS, low)? || self.control("rst", &HIGH_RESETS, high)?)
    }

    /// Checks that every bit of every input is connected exactly once.
    fn finish(mut self) -> Result<Wiring, WiringError> {
        let mut open = vec![];
        for port in self.dut.ports_of(Direction::Input) {
            let own = || self.wiring.inputs.iter().filter(|piece| piece.theirs == port.name);
            let times = |bit: u32| own().filter(|piece| (piece.low..=piece.high).contains(&bit)).count();
            if let Some(bit) = (0..port.width).find(|&bit| times(bit) > 1) {
                return Err(WiringError(format!("bit {bit} of {} is connected twice", port.name)));
            }
            let first = (0..port.width).find(|&bit| times(bit) == 0);
            open.extend(first.map(|bit| (port, (own().count() > 0).then_some(bit))));
        }
        if !open.is_empty() {
            return Err(self.open(&open));
        }
        let is_read = |port: &DutPort| self.wiring.outputs.iter().any(|piece| piece.theirs == port.name);
        let ignored = self.dut.ports_of(Direction::Output).filter(|port| !is_read(port));
        self.wiring.ignored = ignored.map(|port| port.name.clone()).collect();
        Ok(self.wiring)
    }

    /// The error about inputs that are not connected, or only below some bit.
    fn open(&self, inputs: &[(&DutPort, Option<u32>)]) -> WiringError {
        let member = |port: &DutPort, bit: Option<u32>| {
            let is_in = |member: &&Member| {
                member.port == port.name && bit.is_some_and(|bit| (member.low..=member.high).contains(&bit))
            };
            self.dut.members.iter().rfind(is_in).map(|member| member.path.clone())
        };
        let what = |(port, bit): &(&DutPort, Option<u32>)| match (bit, member(port, *bit)) {
            (Some(bit), None) => format!("bit {bit} of its input {}", port.name),
            (_, Some(member)) => format!("{member} of its input {}", port.name),
            (None, None) => format!("its input {} ({})", port.name, bits(port.width)),
        };
        let theirs = |(port, bit): &(&DutPort, Option<u32>)| member(port, *bit).unwrap_or(port.name.clone());
        let ties = inputs.iter().map(|input| format!("--tie {}=VALUE", theirs(input)));
        let verb = if inputs.len() == 1 { "is" } else { "are" };
        let is_ready = |(port, _): &(&DutPort, Option<u32>)| OUT_READIES.iter().any(|name| is_called(&port.name, name));
        let exchange = if inputs.iter().any(is_ready) && !self.choices.exchanges {
            "; a module with valid and ready is checked with --interface ready-valid"
        } else {
            ""
        };
        WiringError(format!(
            "{}: {} {verb} not connected; set constants with {}, or say with --port which of the unit's ports {}{exchange}",
            self.dut.top,
            inputs.iter().map(what).collect::<Vec<_>>().join(", "),
            ties.collect::<Vec<_>>().join(" "),
            if inputs.len() == 1 { "it is" } else { "they are" },
        ))
    }
}

/// Whether a port has this name, in any case, and with an input or output prefix or suffix.
fn is_called(port: &str, name: &str) -> bool {
    let port = port.to_lowercase();
    let stems = [
        Some(port.as_str()),
        port.strip_suffix("_i"),
        port.strip_suffix("_o"),
        port.strip_prefix("i_"),
        port.strip_prefix("o_"),
        port.strip_prefix("io_"),
    ];
    stems.into_iter().flatten().any(|stem| stem == name)
}

/// The bits that a constant takes, if it is a plain number such as `16`, `5'd16` or `'h10`.
fn bits_of(value: &str) -> Option<u32> {
    let (base, digits) = match value.split_once('\'') {
        None => ('d', value),
        Some((_, rest)) => (rest.chars().next()?.to_ascii_lowercase(), &rest[1..]),
    };
    let radix = [('b', 2), ('o', 8), ('d', 10), ('h', 16)].iter().find(|(name, _)| *name == base)?.1;
    let number = u128::from_str_radix(&digits.replace('_', ""), radix).ok()?;
    Some((u128::BITS - number.leading_zeros()).max(1))
}

fn bits(width: u32) -> String {
    if width == 1 { "1 bit".into() } else { format!("{width} bits") }
}
