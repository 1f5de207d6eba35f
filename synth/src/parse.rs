//! What Yosys and ABC say, as numbers.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What was looked for, and what was there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unexpected {
    pub expected: String,
    pub found: String,
}

impl Unexpected {
    pub fn new(expected: impl Into<String>, found: impl Into<String>) -> Unexpected {
        Unexpected { expected: expected.into(), found: found.into() }
    }
}

/// The size of an AND-inverter graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aig {
    pub ands: u32,
    pub levels: u32,
}

impl Aig {
    /// The graph of a unit of wires and constants.
    pub const EMPTY: Aig = Aig { ands: 0, levels: 0 };
}

/// The part of `stat -json` that is read.
#[derive(Deserialize)]
struct Stat {
    modules: BTreeMap<String, ModuleStat>,
}

#[derive(Deserialize)]
struct ModuleStat {
    /// Without instances of other modules, in versions that count these apart.
    num_cells: u32,
    #[serde(default)]
    num_submodules: u32,
    num_cells_by_type: BTreeMap<String, u32>,
}

impl ModuleStat {
    fn adds_up(&self) -> bool {
        self.num_cells_by_type.values().sum::<u32>() == self.num_cells + self.num_submodules
    }
}

/// The cells of `module` and its instances of other modules, counted by type, from the output of `stat -json`.
pub fn cells(stat: &str, module: &str) -> Result<BTreeMap<String, u32>, Unexpected> {
    let expected = format!("the cells of module `{module}` in the output of `stat -json`");
    let parsed = serde_json::from_str::<Stat>(stat).ok();
    match parsed.and_then(|mut stat| stat.modules.remove(&format!("\\{module}"))) {
        Some(mut found) if found.adds_up() => {
            found.num_cells_by_type.remove(NOTE);
            Ok(found.num_cells_by_type)
        }
        _ => Err(Unexpected::new(expected, stat)),
    }
}

/// What flattening leaves of each module that was: a note, which is no cell.
const NOTE: &str = "$scopeinfo";

/// The number of cells on the longest path of `module`, from the output of `ltp`.
pub fn depth(ltp: &str, module: &str) -> Result<u32, Unexpected> {
    if let Some(line) = ltp.lines().find(|line| line.contains("Detected loop")) {
        return Err(Unexpected::new("a netlist without combinational loops", line.trim()));
    }
    let start = format!("Longest topological path in {module} (length=");
    ltp.lines()
        .find_map(|line| line.strip_prefix(&start)?.strip_suffix("):")?.parse().ok())
        .ok_or_else(|| Unexpected::new(format!("the line `{start}N):` of `ltp`"), ltp))
}

/// The size of the AND-inverter graph, from the output of `abc -script +…;print_stats`.
pub fn aig(abc: &str) -> Result<Aig, Unexpected> {
    // Yosys calls ABC for the gates of each clock enable by themselves: one call for a combinational unit, several for others.
    abc.lines()
        .filter_map(|line| Some(Aig { ands: field(line, "and =")?, levels: field(line, "lev =")? }))
        .reduce(|sum, part| Aig { ands: sum.ands + part.ands, levels: sum.levels.max(part.levels) })
        .ok_or_else(|| Unexpected::new("the line `and = N  lev = N` of ABC's `print_stats`", abc))
}

/// The number after `label` in a line of ABC.
fn field(line: &str, label: &str) -> Option<u32> {
    let (_, rest) = line.split_once(label)?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT_0_23: &str = r#"{
   "creator": "Yosys 0.23 (git sha1 7ce5011c24b)",
   "invocation": "stat -json ",
   "modules": {
      "\\adder": {
         "num_wires":         4,
         "num_wire_bits":     34,
         "num_pub_wires":     4,
         "num_pub_wire_bits": 34,
         "num_memories":      0,
         "num_memory_bits":   0,
         "num_processes":     0,
         "num_cells":         16,
         "num_cells_by_type": {
            "SB_CARRY": 8,
            "SB_LUT4": 8
         }
      }
   }
}
"#;

    const STAT_0_70_WIRES: &str = r#"{
   "creator": "Yosys 0.70 (git sha1 28ba3cb92, Release)",
   "invocation": "stat -json ",
   "modules": {
      "\\wires": {
         "num_wires":         2,
         "num_wire_bits":     8,
         "num_pub_wires":     2,
         "num_pub_wire_bits": 8,
         "num_ports":         2,
         "num_port_bits":     8,
         "num_memories":      0,
         "num_memory_bits":   0,
         "num_processes":     0,
         "num_cells":         0,
         "num_submodules":       0,
         "num_cells_by_type": {

         }
      }
   }
}
"#;

    #[test]
    fn cells_of_both_versions() {
        let adder = BTreeMap::from([("SB_CARRY".to_string(), 8), ("SB_LUT4".to_string(), 8)]);
        assert_eq!(cells(STAT_0_23, "adder"), Ok(adder));
        assert_eq!(cells(STAT_0_70_WIRES, "wires"), Ok(BTreeMap::new()));
    }

    #[test]
    fn an_instance_of_another_module_is_a_cell() {
        let stat = STAT_0_23.replace("8\n         }", "8, \"\\\\unit\": 1\n         }");
        let shell = stat.replace("\"num_cells\":", "\"num_submodules\": 1, \"num_cells\":");
        assert!(cells(&stat, "adder").is_err());
        assert_eq!(cells(&shell, "adder").map(|cells| cells.len()), Ok(3));
    }

    #[test]
    fn cells_that_are_missing_cut_off_or_do_not_add_up_are_errors() {
        let expected = "the cells of module `adder` in the output of `stat -json`";
        for stat in ["", &STAT_0_23[..300], STAT_0_70_WIRES, &STAT_0_23.replace("8\n", "9\n")] {
            assert_eq!(cells(stat, "adder").unwrap_err().expected, expected, "{stat}");
        }
    }

    const LTP_0_23: &str = r"
4. Executing LTP pass (find longest path).

Longest topological path in adder (length=8):
    0: \b [0]
    1: \y_SB_LUT4_O_I3 [1] (via b_SB_CARRY_I0)
";

    const LTP_0_70: &str = r#"
4. Executing LTP pass (find longest path).
Warning: Selection "t:$_*DFF*_" did not match any object.

Longest topological path in wires (length=0):
    0: \a [0]
"#;

    const LTP_LOOP: &str = r"
3. Executing LTP pass (find longest path).
Warning: Detected loop at \q in loopy

Longest topological path in loopy (length=2):
    0: \a
";

    #[test]
    fn depths_of_both_versions() {
        assert_eq!(depth(LTP_0_23, "adder"), Ok(8));
        assert_eq!(depth(LTP_0_70, "wires"), Ok(0));
    }

    #[test]
    fn a_missing_depth_or_a_loop_is_an_error() {
        let missing = depth(LTP_0_23, "add").unwrap_err();
        assert_eq!(missing.expected, "the line `Longest topological path in add (length=N):` of `ltp`");
        let looped = depth(LTP_LOOP, "loopy").unwrap_err();
        assert_eq!(looped.found, r"Warning: Detected loop at \q in loopy");
    }

    const ABC_0_23: &str = r"
ABC: + balance
ABC: + print_stats
ABC: netlist                       : i/o =   16/    9  lat =    0  and =     53  lev = 16
ABC: + write_blif <abc-temp-dir>/output.blif
";

    const ABC_0_70: &str = r"
ABC: + balance
ABC: + print_stats
ABC: netlist                       : i/o =   12/   12  lat =    0  and =    230  lev = 26
ABC: + write_blif <abc-temp-dir>/output.blif
";

    #[test]
    fn graphs_of_both_versions() {
        assert_eq!(aig(ABC_0_23), Ok(Aig { ands: 53, levels: 16 }));
        assert_eq!(aig(ABC_0_70), Ok(Aig { ands: 230, levels: 26 }));
        assert_eq!(aig(&format!("{ABC_0_70}{ABC_0_23}")), Ok(Aig { ands: 283, levels: 26 }));
    }

    #[test]
    fn a_missing_graph_is_an_error() {
        let error = aig("ABC: + print_stats\nABC: Empty network.\n").unwrap_err();
        assert_eq!(error.expected, "the line `and = N  lev = N` of ABC's `print_stats`");
    }
}
