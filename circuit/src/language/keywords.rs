//! Keywords of the languages that circuits are printed in.
//!
//! No signal and no module of a user may have one of these names, whatever the language, because projects mix languages.
//! Each list is the complete list of its standard.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Verilog-2005 (IEEE 1364-2005, annex B).
const VERILOG: &str = "\
always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default defparam \
design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify endtable \
endtask event for force forever fork function generate genvar highz0 highz1 if ifnone incdir include initial inout \
input instance integer join large liblist library localparam macromodule medium module nand negedge nmos nor \
noshowcanceled not notif0 notif1 or output parameter pmos posedge primitive pull0 pull1 pulldown pullup \
pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran rtranif0 rtranif1 \
scalared showcanceled signed small specify specparam strong0 strong1 supply0 supply1 table task time tran tranif0 \
tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait wand weak0 weak1 while wire wor xnor xor";

/// SystemVerilog (IEEE 1800-2017, annex B), without the words above, which are also keywords of SystemVerilog.
const SYSTEMVERILOG: &str = "\
accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof bit break byte chandle \
checker class clocking const constraint context continue cover covergroup coverpoint cross dist do endchecker \
endclass endclocking endgroup endinterface endpackage endprogram endproperty endsequence enum eventually expect \
export extends extern final first_match foreach forkjoin global iff ignore_bins illegal_bins implements implies \
import inside int interconnect interface intersect join_any join_none let local logic longint matches modport nettype \
new nexttime null package packed priority program property protected pure rand randc randcase randsequence ref \
reject_on restrict return s_always s_eventually s_nexttime s_until s_until_with sequence shortint shortreal soft \
solve static string strong struct super sync_accept_on sync_reject_on tagged this throughout timeprecision timeunit \
type typedef union unique unique0 until until_with untyped var virtual void wait_order weak wildcard with within";

/// VHDL-2008 (IEEE 1076-2008, 15.10).
const VHDL: &str = "\
abs access after alias all and architecture array assert assume assume_guarantee attribute begin block body buffer \
bus case component configuration constant context cover default disconnect downto else elsif end entity exit fairness \
file for force function generate generic group guarded if impure in inertial inout is label library linkage literal \
loop map mod nand new next nor not null of on open or others out package parameter port postponed procedure process \
property protected pure range record register reject release rem report restrict restrict_guarantee return rol ror \
select sequence severity shared signal sla sll sra srl strong subtype then to transport type unaffected units until \
use variable vmode vprop vunit wait when while with xnor xor";

static OF_VERILOG: LazyLock<HashSet<&str>> = LazyLock::new(|| VERILOG.split_whitespace().collect());
static OF_SYSTEMVERILOG: LazyLock<HashSet<&str>> = LazyLock::new(|| SYSTEMVERILOG.split_whitespace().collect());
static OF_VHDL: LazyLock<HashSet<&str>> = LazyLock::new(|| VHDL.split_whitespace().collect());

/// The keywords of all languages, in lower case; some occur twice.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    [VERILOG, SYSTEMVERILOG, VHDL].into_iter().flat_map(str::split_whitespace)
}

/// The first of Verilog, SystemVerilog and VHDL in which a word is a keyword.
pub fn keyword_of(word: &str) -> Option<&'static str> {
    if OF_VERILOG.contains(word) {
        Some("Verilog")
    } else if OF_SYSTEMVERILOG.contains(word) {
        Some("SystemVerilog")
    } else if is_keyword_of_vhdl(word) {
        Some("VHDL")
    } else {
        None
    }
}

/// Whether a word is a keyword of Verilog or SystemVerilog.
pub fn is_keyword_of_verilog(word: &str) -> bool {
    OF_VERILOG.contains(word) || OF_SYSTEMVERILOG.contains(word)
}

/// Whether a word is a keyword of VHDL, which is not case-sensitive.
pub fn is_keyword_of_vhdl(word: &str) -> bool {
    OF_VHDL.contains(word.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of words are those of the standards: SystemVerilog has 248, including those of Verilog.
    #[test]
    fn lists_are_whole_and_sorted() {
        for (list, count) in [(VERILOG, 124), (SYSTEMVERILOG, 248 - 124), (VHDL, 115)] {
            let words: Vec<&str> = list.split_whitespace().collect();
            assert_eq!(words.len(), count);
            assert!(words.is_sorted_by(|one, next| one < next), "{list}");
        }
        assert!(OF_SYSTEMVERILOG.is_disjoint(&OF_VERILOG));
    }

    #[test]
    fn keywords_are_those_of_any_language() {
        assert_eq!(["wire", "rand", "signal"].map(keyword_of), ["Verilog", "SystemVerilog", "VHDL"].map(Some));
        // Both languages have it.
        assert_eq!(keyword_of("begin"), Some("Verilog"));
        // Only VHDL is not case-sensitive.
        assert_eq!(
            ["Signal", "BEGIN", "Wire", "random_bits", "std"].map(keyword_of),
            [Some("VHDL"), Some("VHDL"), None, None, None]
        );
    }
}
