//! Identifiers.

use crate::circuit::Port;
use std::collections::HashSet;

/// Words of Verilog-2005 (IEEE 1364-2005 annex B) and SystemVerilog (IEEE 1800-2017 annex B) that name nothing else.
const RESERVED: &str = "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic \
before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking \
cmos config const constraint context continue cover covergroup coverpoint cross deassign default defparam design \
disable dist do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup \
endinterface endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum \
event eventually expect export extends extern final first_match for force foreach forever fork forkjoin function \
generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include \
initial inout input inside instance int integer interconnect interface intersect join join_any join_none large let \
liblist library local localparam logic longint macromodule matches medium modport module nand negedge nettype new \
nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive \
priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc \
randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 \
rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed \
small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 \
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri \
tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored \
virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

/// Hands out identifiers: legal ones, each once.
pub struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Reserved words are taken from the start.
    pub fn new() -> Names {
        Names { taken: RESERVED.split_whitespace().map(String::from).collect() }
    }

    /// The same, with those of the ports.
    pub fn of_ports<'p>(ports: impl IntoIterator<Item = &'p Port>) -> Names {
        let mut names = Names::new();
        for port in ports {
            names.give(&port.name);
        }
        names
    }

    /// `wanted`, or with a number behind it if that is taken.
    pub fn give(&mut self, wanted: &str) -> String {
        self.give_with(wanted, "")
    }

    /// The same with a suffix behind the number.
    pub fn give_with(&mut self, wanted: &str, suffix: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}_{number}{suffix}"));
        let name = std::iter::once(format!("{wanted}{suffix}"))
            .chain(numbered)
            .find(|name| !self.taken.contains(name))
            .expect("numbers do not run out");
        self.taken.insert(name.clone());
        name
    }
}

/// A port's name as it is written: reserved words (`rand`) as escaped identifiers, which end with a space.
pub fn port_name(name: &str) -> String {
    if RESERVED.split_whitespace().any(|word| word == name) { format!("\\{name} ") } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_and_repeated_names_are_numbered() {
        let mut names = Names::new();
        assert_eq!(names.give("sum"), "sum");
        assert_eq!(names.give("sum"), "sum_2");
        assert_eq!(names.give("sum"), "sum_3");
        assert_eq!(
            (names.give_with("sum", "_s1"), names.give_with("sum", "_s1")),
            ("sum_s1".into(), "sum_2_s1".into())
        );
        assert_eq!(names.give("small"), "small_2");
        assert_eq!(names.give("wire"), "wire_2");
    }
}
