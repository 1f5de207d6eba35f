//! The flip-flops of Yosys' netlists that are clocked on the rising edge and have synchronous resets.

use crate::graph::{Graph, Literal};
use std::collections::HashMap;

/// A control pin and its active level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Control {
    pub pin: &'static str,
    pub active: bool,
}

/// The parameters of a cell, as `write_json` writes them.
pub(super) type Parameters = HashMap<String, String>;

/// The pins of a kind of flip-flop, other than its output Q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlipFlopKind {
    pub clock: &'static str,
    pub data: &'static str,
    pub enable: Option<Control>,
    /// The reset pin, with the reset value.
    pub reset: Option<(Control, bool)>,
    /// Whether a reset waits for the enable.
    enable_first: bool,
}

impl FlipFlopKind {
    /// The flip-flop with this name, if it is supported.
    pub fn of(kind: &str, parameters: &Parameters) -> Option<FlipFlopKind> {
        match (kind, kind.strip_prefix("SB_DFF")) {
            (_, Some(suffix)) => FlipFlopKind::of_ice40(suffix),
            ("TRELLIS_FF", _) => FlipFlopKind::of_ecp5(parameters),
            ("FDRE", _) => FlipFlopKind::of_xc7(Control { pin: "R", active: true }, false, parameters),
            ("FDSE", _) => FlipFlopKind::of_xc7(Control { pin: "S", active: true }, true, parameters),
            _ => FlipFlopKind::of_yosys(kind),
        }
    }

    fn of_ice40(suffix: &str) -> Option<FlipFlopKind> {
        let enable = suffix.starts_with('E').then_some(Control { pin: "E", active: true });
        let reset = match suffix.trim_start_matches('E') {
            "" => None,
            "SR" => Some((Control { pin: "R", active: true }, false)),
            "SS" => Some((Control { pin: "S", active: true }, true)),
            _ => return None,
        };
        Some(FlipFlopKind { clock: "C", data: "D", enable, reset, enable_first: true })
    }

    /// Missing parameters have the defaults of the cell.
    fn of_ecp5(parameters: &Parameters) -> Option<FlipFlopKind> {
        let word = |name: &str, default: &'static str| -> String {
            parameters.get(name).map_or(default, |word| word.trim_end()).into()
        };
        if word("CLKMUX", "CLK") != "CLK"
            || word("SRMODE", "LSR_OVER_CE") != "LSR_OVER_CE"
            || word("LSRMODE", "LSR") != "LSR"
        {
            return None;
        }
        let enable = match word("CEMUX", "1").as_str() {
            "1" => None,
            "CE" => Some(Control { pin: "CE", active: true }),
            "INV" => Some(Control { pin: "CE", active: false }),
            _ => return None,
        };
        let reset = Control { pin: "LSR", active: word("LSRMUX", "LSR") != "INV" };
        let reset = Some((reset, word("REGSET", "RESET") == "SET"));
        Some(FlipFlopKind { clock: "CLK", data: "DI", enable, reset, enable_first: false })
    }

    fn of_xc7(reset: Control, value: bool, parameters: &Parameters) -> Option<FlipFlopKind> {
        let is_inverted = |name: &str| parameters.get(name).is_some_and(|bits| bits.contains('1'));
        if is_inverted("IS_C_INVERTED") || is_inverted("IS_D_INVERTED") {
            return None;
        }
        let reset = Control { active: !is_inverted(&format!("IS_{}_INVERTED", reset.pin)), ..reset };
        let enable = Some(Control { pin: "CE", active: true });
        Some(FlipFlopKind { clock: "C", data: "D", enable, reset: Some((reset, value)), enable_first: false })
    }

    /// `$_SDFFE_PN0P_`: rising clock, reset active low, to 0, enable active high; other kinds omit letters.
    fn of_yosys(kind: &str) -> Option<FlipFlopKind> {
        let (name, letters) = kind.strip_prefix("$_")?.strip_suffix('_')?.split_once('_')?;
        let mut levels = letters.chars().map(|letter| matches!(letter, 'P' | '1'));
        if levels.next() != Some(true) {
            return None;
        }
        let (has_reset, has_enable, enable_first) = match name {
            "DFF" => (false, false, false),
            "DFFE" => (false, true, false),
            "SDFF" => (true, false, false),
            "SDFFE" => (true, true, false),
            "SDFFCE" => (true, true, true),
            _ => return None,
        };
        let reset = if has_reset { Some((Control { pin: "R", active: levels.next()? }, levels.next()?)) } else { None };
        let enable = if has_enable { Some(Control { pin: "E", active: levels.next()? }) } else { None };
        // Other letters are those of a reset that is asynchronous.
        levels.next().is_none().then_some(FlipFlopKind { clock: "C", data: "D", enable, reset, enable_first })
    }

    /// The next value of `state`; `enable` and `reset` are 1 when active.
    pub fn next(
        &self,
        graph: &mut Graph,
        state: Literal,
        data: Literal,
        enable: Option<Literal>,
        reset: Option<Literal>,
    ) -> Literal {
        let enabled = |graph: &mut Graph, next| enable.map_or(next, |enable| graph.mux(enable, next, state));
        let cleared = |graph: &mut Graph, next| match (reset, self.reset) {
            (Some(reset), Some((_, true))) => graph.or(reset, next),
            (Some(reset), Some((_, false))) => graph.and(!reset, next),
            _ => next,
        };
        if self.enable_first {
            let next = cleared(graph, data);
            enabled(graph, next)
        } else {
            let next = enabled(graph, data);
            cleared(graph, next)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, parameters: &[(&str, &str)]) -> Option<FlipFlopKind> {
        let owned = parameters.iter().map(|&(name, word)| (name.to_string(), word.to_string()));
        FlipFlopKind::of(name, &owned.collect())
    }

    #[test]
    fn kinds_are_read_from_their_names() {
        let control = |pin, active| Control { pin, active };
        let known = |name| kind(name, &[]).unwrap();
        let plain = known("$_DFF_P_");
        assert_eq!((plain.clock, plain.data, plain.enable, plain.reset), ("C", "D", None, None));
        assert_eq!(known("$_DFFE_PN_").enable, Some(control("E", false)));
        let full = known("$_SDFFE_PN0P_");
        assert_eq!((full.enable, full.reset), (Some(control("E", true)), Some((control("R", false), false))));
        assert!(!full.enable_first && known("$_SDFFCE_PP1P_").enable_first && known("SB_DFFESR").enable_first);
        assert_eq!(known("SB_DFFSS").reset, Some((control("S", true), true)));
        for unknown in [
            "$_DFF_PN0_",
            "$_DFFE_PN0P_",
            "$_DFF_N_",
            "$_DLATCH_P_",
            "SB_DFFNE",
            "SB_DFFR",
            "$_AND_",
            "SB_LUT4",
            "$_ALDFF_PP_",
            "FDCE",
        ] {
            assert_eq!(kind(unknown, &[]), None, "{unknown}");
        }
    }

    #[test]
    fn words_of_a_cell_count() {
        let inverted = kind("TRELLIS_FF", &[("CEMUX", "INV"), ("LSRMUX", "INV"), ("REGSET", "SET")]).unwrap();
        assert_eq!(inverted.enable, Some(Control { pin: "CE", active: false }));
        assert_eq!(inverted.reset, Some((Control { pin: "LSR", active: false }, true)));
        assert_eq!(kind("TRELLIS_FF", &[("CEMUX", "1 ")]).unwrap().enable, None);
        assert!(!kind("FDRE", &[("IS_R_INVERTED", "1")]).unwrap().reset.unwrap().0.active);
        for (name, word) in [("SRMODE", "ASYNC"), ("CLKMUX", "INV"), ("CEMUX", "0 "), ("LSRMODE", "PRLD")] {
            assert_eq!(kind("TRELLIS_FF", &[(name, word)]), None, "{name} {word}");
        }
        assert_eq!(kind("FDSE", &[("IS_C_INVERTED", "1")]), None);
    }
}
