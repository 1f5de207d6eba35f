//! The flip-flops of Yosys' netlists: those that take over at the rising edge, with synchronous resets.

use super::graph::{Graph, Literal};

/// A pin that acts when it has this level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Control {
    pub pin: &'static str,
    pub active: bool,
}

/// What a kind of flip-flop takes over. Its clock is pin C, its data pin D, its output pin Q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlipFlopKind {
    pub enable: Option<Control>,
    /// The control that resets it, with the value that it then gives.
    pub reset: Option<(Control, bool)>,
    /// Whether a reset waits for the enable.
    enable_first: bool,
}

impl FlipFlopKind {
    /// The flip-flop of this name, if it is one that is known.
    pub fn of(kind: &str) -> Option<FlipFlopKind> {
        match kind.strip_prefix("SB_DFF") {
            Some(suffix) => FlipFlopKind::of_ice40(suffix),
            None => FlipFlopKind::of_yosys(kind),
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
        Some(FlipFlopKind { enable, reset, enable_first: true })
    }

    /// `$_SDFFE_PN0P_`: rising clock, reset active low, to 0, enable active high; other kinds leave out letters.
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
        Some(FlipFlopKind { enable, reset, enable_first })
    }

    /// What `state` becomes at a clock; `enable` and `reset` are 1 when they act.
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

    #[test]
    fn kinds_are_read_from_their_names() {
        let control = |pin, active| Control { pin, active };
        let kind = |name| FlipFlopKind::of(name).unwrap();
        assert_eq!(kind("$_DFF_P_"), FlipFlopKind { enable: None, reset: None, enable_first: false });
        assert_eq!(kind("$_DFFE_PN_").enable, Some(control("E", false)));
        let full = kind("$_SDFFE_PN0P_");
        assert_eq!((full.enable, full.reset), (Some(control("E", true)), Some((control("R", false), false))));
        assert!(!full.enable_first && kind("$_SDFFCE_PP1P_").enable_first && kind("SB_DFFESR").enable_first);
        assert_eq!(kind("SB_DFFSS").reset, Some((control("S", true), true)));
        for unknown in ["$_DFF_N_", "$_DLATCH_P_", "SB_DFFNE", "SB_DFFR", "$_AND_", "SB_LUT4", "$_ALDFF_PP_"] {
            assert_eq!(FlipFlopKind::of(unknown), None, "{unknown}");
        }
    }
}
