//! Adds up the cells of a mapped netlist to an area.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::parse::Unexpected;
use crate::target::{NEEDS_LIBRARY, Target};

/// The area of a unit on one target. Counts are cells unless a field says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Area {
    /// The area on [`Target::Generic`].
    Generic(GenericArea),
    /// The area on [`Target::Ice40`].
    Ice40(Ice40Area),
    /// The area on [`Target::Ecp5`].
    Ecp5(Ecp5Area),
    /// The area on [`Target::Xc7`].
    Xc7(Xc7Area),
    /// The area on [`Target::Cyclonev`].
    Cyclonev(CycloneVArea),
    /// The area and the delay on [`Target::Liberty`].
    Liberty(LibertyArea),
}

/// Whether there are no such cells; then JSON does not list them.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u32) -> bool {
    *count == 0
}

/// Technology-independent size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenericArea {
    /// Two-input AND and XOR, multiplexers and inverters, together.
    pub gates: u32,
    /// Nodes of the AND-inverter graph; inverters are free.
    pub aig_ands: u32,
    /// Levels of the AND-inverter graph; inverters are free.
    pub aig_levels: u32,
}

/// Cells of a Lattice iCE40.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ice40Area {
    /// `SB_LUT4`, of any number of used inputs.
    pub lut4: u32,
    /// `SB_CARRY`.
    pub carry: u32,
    /// DSP blocks (`SB_MAC16`), of 16 by 16 bits.
    #[serde(default, skip_serializing_if = "is_none")]
    pub sb_mac16: u32,
}

/// Cells of a Lattice ECP5.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ecp5Area {
    /// 4-input LUTs, without those inside `CCU2C`.
    pub lut4: u32,
    /// Two-bit carry cells; each takes the place of two LUT4.
    pub ccu2c: u32,
    /// Multiplexers that join two LUT4 to a LUT5; part of the slice, not counted in `luts`.
    pub pfumx: u32,
    /// Multiplexers that join two LUT5 and larger; part of the slice, not counted in `luts`.
    pub l6mux21: u32,
    /// LUT4 sites used: `lut4 + 2 * ccu2c`.
    pub luts: u32,
    /// DSP blocks (`MULT18X18D`), of 18 by 18 bits.
    #[serde(default, skip_serializing_if = "is_none")]
    pub mult18x18d: u32,
}

/// Cells of an AMD 7 series device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Xc7Area {
    /// LUTs of one input (`LUT1`).
    pub lut1: u32,
    /// LUTs of two inputs (`LUT2`).
    pub lut2: u32,
    /// LUTs of three inputs (`LUT3`).
    pub lut3: u32,
    /// LUTs of four inputs (`LUT4`).
    pub lut4: u32,
    /// LUTs of five inputs (`LUT5`).
    pub lut5: u32,
    /// LUTs of six inputs (`LUT6`).
    pub lut6: u32,
    /// `lut1 + … + lut6`; two small LUTs that could share a site count as two.
    pub luts: u32,
    /// LUTs used as shift registers (`SRL16E`, `SRLC32E`), not in `luts`; none in a combinational unit.
    pub shift_luts: u32,
    /// Four-bit carry cells.
    pub carry4: u32,
    /// Multiplexers that join two LUT6 to a LUT7.
    pub muxf7: u32,
    /// Multiplexers that join two `MUXF7`.
    pub muxf8: u32,
    /// Inverters that mapping left over, not in `luts`; placement folds them into neighbours.
    pub inv: u32,
    /// DSP blocks (`DSP48E1`), of 25 by 18 signed bits.
    #[serde(default, skip_serializing_if = "is_none")]
    pub dsp48e1: u32,
}

/// Cells of an Intel Cyclone V, and an estimate of the adaptive logic modules (ALMs) they fill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CycloneVArea {
    /// Adaptive look-up tables of two inputs (`MISTRAL_ALUT2`).
    pub alut2: u32,
    /// Adaptive look-up tables of three inputs (`MISTRAL_ALUT3`).
    pub alut3: u32,
    /// Adaptive look-up tables of four inputs (`MISTRAL_ALUT4`).
    pub alut4: u32,
    /// Adaptive look-up tables of five inputs (`MISTRAL_ALUT5`).
    pub alut5: u32,
    /// Adaptive look-up tables of six inputs (`MISTRAL_ALUT6`).
    pub alut6: u32,
    /// Look-up tables with their adder (`MISTRAL_ALUT_ARITH`).
    pub arith: u32,
    /// Inverters that mapping left over, not in the ALMs; placement folds them into neighbours.
    pub not: u32,
    /// ALMs if every two ALUTs of at most five inputs share one: `alut6 + (alut5 + alut4 + alut3 + alut2 + arith) / 2`.
    pub alm_lo: f64,
    /// ALMs if no ALUT5 shares one: `alut6 + alut5 + (alut4 + alut3 + alut2 + arith) / 2`.
    pub alm_hi: f64,
}

/// Area in standard cells, including registers, and the delay of the logic between registers, mapped for area and mapped for delay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LibertyArea {
    /// The area in µm², mapped for area.
    pub area_um2: f64,
    /// The same in two-input NANDs, if the library has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nand2: Option<f64>,
    /// The delay in ps, mapped for area.
    pub delay_ps: f64,
    /// The area in µm², mapped for delay.
    pub tight_area_um2: f64,
    /// The same in two-input NANDs, if the library has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tight_nand2: Option<f64>,
    /// The delay in ps, mapped for delay.
    pub tight_delay_ps: f64,
}

impl Area {
    /// The number of DSP blocks, and their cell.
    pub(crate) fn blocks(&self) -> (u32, &'static str) {
        match self {
            Area::Ice40(area) => (area.sb_mac16, "SB_MAC16"),
            Area::Ecp5(area) => (area.mult18x18d, "MULT18X18D"),
            Area::Xc7(area) => (area.dsp48e1, "DSP48E1"),
            Area::Generic(_) | Area::Cyclonev(_) | Area::Liberty(_) => (0, ""),
        }
    }

    /// The fields by name, as in JSON.
    pub(crate) fn fields(self) -> Map<String, Value> {
        let Ok(Value::Object(fields)) = serde_json::to_value(self) else {
            unreachable!("an area is an object");
        };
        fields
    }
}

impl fmt::Display for Area {
    /// The headline: the figures of the area column in a peer's table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Area::Generic(a) => write!(f, "{} gates, {} AIG nodes in {} levels", a.gates, a.aig_ands, a.aig_levels),
            Area::Ice40(a) => {
                write!(f, "{} LUT4 + {} carry", a.lut4, a.carry)?;
                with_more(f, self.blocks())
            }
            Area::Ecp5(a) => {
                write!(f, "{} LUT4 + {} CCU2C", a.lut4, a.ccu2c)?;
                with_more(f, self.blocks())
            }
            Area::Xc7(a) => {
                write!(f, "{} LUTs", a.luts)?;
                with_more(f, (a.shift_luts, "SRL"))?;
                with_more(f, self.blocks())
            }
            Area::Cyclonev(a) => write!(f, "{:.1}–{:.1} ALM", a.alm_lo, a.alm_hi),
            Area::Liberty(a) => {
                let LibertyArea { area_um2, delay_ps, tight_area_um2, tight_delay_ps, .. } = a;
                write!(f, "{area_um2:.0} µm² in {delay_ps:.0} ps, {tight_area_um2:.0} µm² in {tight_delay_ps:.0} ps")
            }
        }
    }
}

/// Adds a number of further cells to a headline, if there are any.
fn with_more(f: &mut fmt::Formatter<'_>, (count, cell): (u32, &str)) -> fmt::Result {
    if count == 0 { Ok(()) } else { write!(f, " + {count} {cell}") }
}

/// The cells of a netlist that have not been counted yet.
pub struct Tally(BTreeMap<String, u32>);

impl Tally {
    pub fn new(cells: &BTreeMap<String, u32>) -> Tally {
        Tally(cells.clone())
    }

    /// Two-input AND and XOR, multiplexers and inverters, together.
    pub fn gates(&mut self) -> u32 {
        ["$_AND_", "$_XOR_", "$_MUX_", "$_NOT_"].map(|gate| self.take(gate)).iter().sum()
    }

    pub fn ice40(&mut self) -> Area {
        let [lut4, carry, sb_mac16] = ["SB_LUT4", "SB_CARRY", "SB_MAC16"].map(|cell| self.take(cell));
        Area::Ice40(Ice40Area { lut4, carry, sb_mac16 })
    }

    pub fn ecp5(&mut self) -> Area {
        let lut4 = self.take("LUT4");
        let ccu2c = self.take("CCU2C");
        let luts = lut4 + 2 * ccu2c;
        let [pfumx, l6mux21, mult18x18d] = ["PFUMX", "L6MUX21", "MULT18X18D"].map(|cell| self.take(cell));
        Area::Ecp5(Ecp5Area { lut4, ccu2c, pfumx, l6mux21, luts, mult18x18d })
    }

    pub fn xc7(&mut self) -> Area {
        let luts = ["LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6"].map(|lut| self.take(lut));
        let [lut1, lut2, lut3, lut4, lut5, lut6] = luts;
        self.take("BUFG"); // the clock buffer is not part of the unit
        Area::Xc7(Xc7Area {
            lut1,
            lut2,
            lut3,
            lut4,
            lut5,
            lut6,
            luts: luts.iter().sum(),
            shift_luts: self.take("SRL16E") + self.take("SRLC32E"),
            carry4: self.take("CARRY4"),
            muxf7: self.take("MUXF7"),
            muxf8: self.take("MUXF8"),
            inv: self.take("INV"),
            dsp48e1: self.take("DSP48E1"),
        })
    }

    pub fn cyclonev(&mut self) -> Area {
        let [alut2, alut3, alut4, alut5, alut6] =
            ["2", "3", "4", "5", "6"].map(|inputs| self.take(&format!("MISTRAL_ALUT{inputs}")));
        let arith = self.take("MISTRAL_ALUT_ARITH");
        let not = self.take("MISTRAL_NOT");
        self.take("MISTRAL_CLKBUF"); // the clock buffer is not part of the unit
        let halves = f64::from(alut4 + alut3 + alut2 + arith) / 2.0;
        let alm_lo = f64::from(alut6) + f64::from(alut5) / 2.0 + halves;
        let alm_hi = f64::from(alut6) + f64::from(alut5) + halves;
        Area::Cyclonev(CycloneVArea { alut2, alut3, alut4, alut5, alut6, arith, not, alm_lo, alm_hi })
    }

    /// The number of one-bit registers.
    pub fn flip_flops(&mut self, target: Target) -> u32 {
        let names: Vec<String> = self.0.keys().filter(|cell| is_flip_flop(target, cell)).cloned().collect();
        names.iter().map(|cell| self.take(cell)).sum()
    }

    /// # Errors
    /// When cells remain that were not counted, so that no part of a unit is omitted silently.
    pub fn finish(self, target: Target) -> Result<(), Unexpected> {
        if self.0.is_empty() {
            return Ok(());
        }
        let left: Vec<String> = self.0.iter().map(|(cell, count)| format!("{count} {cell}")).collect();
        Err(Unexpected::new(format!("a netlist of the cells that {target} counts"), left.join(", ")))
    }

    fn take(&mut self, cell: &str) -> u32 {
        self.0.remove(cell).unwrap_or(0)
    }
}

fn is_flip_flop(target: Target, cell: &str) -> bool {
    match target {
        Target::Generic => cell.starts_with("$_") && cell.contains("DFF"),
        Target::Ice40 | Target::Up5kDsp => cell.starts_with("SB_DFF"),
        Target::Ecp5 | Target::Ecp5Dsp => cell == "TRELLIS_FF",
        Target::Xc7 | Target::Xc7Dsp => ["FDRE", "FDSE", "FDCE", "FDPE"].contains(&cell),
        Target::Cyclonev => cell == "MISTRAL_FF",
        Target::Liberty => unreachable!("{NEEDS_LIBRARY}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(cells: &[(&str, u32)]) -> Tally {
        Tally::new(&cells.iter().map(|&(cell, count)| (cell.to_string(), count)).collect())
    }

    #[test]
    fn alm_estimates_follow_the_peers_formula() {
        // Yosys 0.70, 6-bit multiplier.
        let mut cells = tally(&[
            ("MISTRAL_ALUT2", 10),
            ("MISTRAL_ALUT3", 9),
            ("MISTRAL_ALUT4", 13),
            ("MISTRAL_ALUT5", 15),
            ("MISTRAL_ALUT6", 19),
        ]);
        let area = cells.cyclonev();
        let Area::Cyclonev(alm) = area else { panic!("{area:?}") };
        assert_eq!((alm.alm_lo, alm.alm_hi), (42.5, 50.0));
        assert_eq!(area.to_string(), "42.5–50.0 ALM");
        assert_eq!(cells.finish(Target::Cyclonev), Ok(()));
    }

    #[test]
    fn a_carry_cell_of_ecp5_takes_two_luts() {
        let area = tally(&[("CCU2C", 6), ("L6MUX21", 21), ("LUT4", 122), ("PFUMX", 41)]).ecp5();
        assert_eq!(
            area,
            Area::Ecp5(Ecp5Area { lut4: 122, ccu2c: 6, pfumx: 41, l6mux21: 21, luts: 134, mult18x18d: 0 })
        );
        assert_eq!(area.to_string(), "122 LUT4 + 6 CCU2C");
    }

    #[test]
    fn the_registers_of_a_pipelined_unit_are_counted_apart() {
        let mut cells = tally(&[("BUFG", 1), ("FDRE", 16), ("INV", 3), ("LUT2", 18), ("LUT6", 12), ("SRL16E", 12)]);
        assert_eq!(cells.xc7().to_string(), "30 LUTs + 12 SRL");
        assert_eq!(cells.flip_flops(Target::Xc7), 16);
        assert_eq!(cells.finish(Target::Xc7), Ok(()));
    }

    #[test]
    fn a_cell_that_is_not_counted_is_an_error() {
        let mut cells = tally(&[("SB_LUT4", 8), ("SB_RAM40_4K", 1), ("SB_DFFESR", 2)]);
        cells.ice40();
        assert_eq!(cells.flip_flops(Target::Ice40), 2);
        let error = cells.finish(Target::Ice40).unwrap_err();
        assert_eq!(error, Unexpected::new("a netlist of the cells that ice40 counts", "1 SB_RAM40_4K"));
    }
}
