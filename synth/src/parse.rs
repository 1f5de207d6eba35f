//! Parses the output of Yosys and ABC.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What was expected, and what was found instead.
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
    /// The graph of a unit that consists of wires and constants.
    pub const EMPTY: Aig = Aig { ands: 0, levels: 0 };
}

/// The fields of `stat -json` that are read.
#[derive(Deserialize)]
struct Stat {
    modules: BTreeMap<String, ModuleStat>,
}

#[derive(Deserialize)]
struct ModuleStat {
    /// Without instances of other modules, in versions that count those separately.
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

/// The area of `module` in the unit of the Liberty file, from the output of `stat -liberty ..`.
pub fn area(stat: &str, module: &str) -> Result<f64, Unexpected> {
    let end = format!("module '\\{module}': ");
    let area =
        stat.lines().find_map(|line| line.trim().strip_prefix("Chip area for ")?.split_once(&end)?.1.parse().ok());
    area.ok_or_else(|| Unexpected::new(format!("the line `Chip area for {end}N` of `stat -liberty`"), stat))
}

/// The cell type that flattening leaves for each former module. It is a note, not a cell.
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
    // Yosys calls ABC once per clock enable: once for a combinational unit, several times for others.
    abc.lines()
        .filter_map(|line| Some(Aig { ands: field(line, "and =")?, levels: field(line, "lev =")? }))
        .reduce(|sum, part| Aig { ands: sum.ands + part.ands, levels: sum.levels.max(part.levels) })
        .ok_or_else(|| Unexpected::new("the line `and = N  lev = N` of ABC's `print_stats`", abc))
}

/// The delay of logic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The delay of the critical path in ps.
    pub delay_ps: f64,
    /// The number of cells on it.
    pub depth: u32,
}

/// The critical path, from the last `stime -p` in ABC's output; none if ABC was not called.
pub fn timing(abc: &str) -> Result<Option<Timing>, Unexpected> {
    if abc.contains("Don't call ABC as there is nothing to map") {
        return Ok(None);
    }
    let unexpected = || Unexpected::new("the line `.. Delay = N ps ..` of ABC's `stime -p`, and its path", abc);
    let (_, last) = abc.rsplit_once(" Delay = ").ok_or_else(unexpected)?;
    let delay_ps = last.split_whitespace().next().and_then(|delay| delay.parse().ok()).ok_or_else(unexpected)?;
    // The first line of the path, number 0, is an input or a register.
    let depth = last.lines().filter_map(|line| field(line, "ABC: Path")).max().ok_or_else(unexpected)?;
    Ok(Some(Timing { delay_ps, depth }))
}

/// ABC's last message if a cell's table gives the same delay for the first load and for the last but one.
const WITHOUT_SLOPE: &str = "Assertion `Delay > 0' failed";

/// Why the cells of a Liberty file cannot be used, if Yosys' or ABC's output ends with a reason.
pub fn refusal(yosys: &str, abc: &str) -> Option<String> {
    let too_few = |line: &&str| line.ends_with("cannot be used.") || line.starts_with("Cannot find ");
    let of_abc = abc
        .lines()
        .find_map(|line| line.strip_prefix("ABC: Error: ").or_else(|| line.strip_prefix("ABC: ").filter(too_few)));
    let of_yosys = || yosys.lines().find_map(|line| line.strip_prefix("ERROR: ").filter(|why| why.contains("liberty")));
    if abc.contains(WITHOUT_SLOPE) || yosys.contains(WITHOUT_SLOPE) {
        return Some("ABC maps to cells whose tables have a delay for three loads or more, and one has fewer".into());
    }
    of_abc.or_else(of_yosys).map(|why| why.trim_end_matches(" Quitting.").trim_end_matches(['.', ' ']).to_string())
}

/// The number of objects, from the output of `select -count`.
pub fn count(said: &str) -> Result<u32, Unexpected> {
    let line = said.lines().find_map(|line| line.trim().strip_suffix(" objects.")?.parse().ok());
    line.ok_or_else(|| Unexpected::new("the line `N objects.` of `select -count`", said))
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

    const STIME: &str = r#"
ABC: + stime -p
ABC: WireLoad = "none"  Gates =    236 ( 12.3 %)   Cap = 30.4 ff (  0.1 %)   Area =     6660.00 ( 99.6 %)   Delay =  1300.00 ps  (  8.9 %)
ABC: Path  0 --       1 : 0    3 pi      A =   0.00  Df =   0.0   -0.0 ps  S =   0.0 ps
ABC: Path  1 --     294 : 3    3 NAND3X1 A =  36.00  Df = 150.1  -49.0 ps  S = 185.3 ps
ABC: + dnsize -D 1
ABC: + stime -p
ABC: WireLoad = "none"  Gates =    236 ( 12.3 %)   Cap = 30.4 ff (  0.1 %)   Area =     6660.00 ( 99.6 %)   Delay =  1167.94 ps  (  8.9 %)
ABC: Path  0 --       1 : 0    3 pi      A =   0.00  Df =   0.0   -0.0 ps  S =   0.0 ps
ABC: Path  1 --     294 : 3    3 NAND3X1 A =  36.00  Df = 150.1  -49.0 ps  S = 185.3 ps
ABC: Path 10 --     326 : 2    1 NOR2X1  A =  24.00  Df =1167.9  -26.0 ps  S =  42.4 ps
ABC: Start-point = pi0 (\round_up_s2).  End-point = po39 (\y [0]).
"#;

    #[test]
    fn the_last_timing_counts() {
        assert_eq!(timing(STIME), Ok(Some(Timing { delay_ps: 1167.94, depth: 10 })));
        let nothing =
            "ABC: using cached merged SCL: /tmp/a.scl (1 files)\nDon't call ABC as there is nothing to map.\n";
        assert_eq!(timing(nothing), Ok(None));
        assert!(timing("ABC: + stime -p\n").is_err() && timing(&STIME.replace("ABC: Path", "")).is_err());
    }

    #[test]
    fn areas_and_counts_are_read() {
        let stat = "     XOR2X1                          9\n\n   Chip area for module '\\adder': 12.500000\n";
        assert_eq!(area(stat, "adder"), Ok(12.5));
        assert!(area(stat, "add").is_err() && area("", "adder").is_err());
        assert_eq!(count("34 objects.\n"), Ok(34));
        assert!(count("").is_err());
    }

    #[test]
    fn the_reason_why_cells_cannot_be_used_is_found() {
        let abc = "ABC: + buffer -c\nABC: Error: Cannot find buffer gate in the library.\n";
        let failed = "ERROR: Can't open ABC output file `/tmp/output.blif'.";
        assert_eq!(refusal(failed, abc).as_deref(), Some("Cannot find buffer gate in the library"));
        let cut = "ERROR: Syntax error in liberty file on line 61.\n  Unexpected end of file";
        assert_eq!(refusal(cut, "").as_deref(), Some("Syntax error in liberty file on line 61"));
        assert_eq!(refusal(failed, ""), None);
        let without_buffer = "ABC: Cannot find buffer in the current library. Quitting.\nABC: Segmentation fault\n";
        assert_eq!(refusal(failed, without_buffer).as_deref(), Some("Cannot find buffer in the current library"));
        let few = "ABC: Library with only 2 cell classes cannot be used.\n";
        assert_eq!(refusal(failed, few).as_deref(), Some("Library with only 2 cell classes cannot be used"));
        let aborted =
            "ABC: yosys-abc: sclLibUtil.c:983: Abc_SclProduceGenlibStr: Assertion `Delay > 0' failed.\nABC: Aborted\n";
        assert!(refusal(failed, aborted).expect("a reason").starts_with("ABC maps to cells whose tables have"));
    }

    #[test]
    fn a_missing_graph_is_an_error() {
        let error = aig("ABC: + print_stats\nABC: Empty network.\n").unwrap_err();
        assert_eq!(error.expected, "the line `and = N  lev = N` of ABC's `print_stats`");
    }
}
