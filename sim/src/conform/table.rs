//! Tables of codes: `code,code,result`, one line per vector.

use super::case::ConformCase;
use super::claim::{Claim, ClaimLine, Codes, Syntax, fits, hex};
use super::flags::Flags;
use binade_spec::word::low_bits;
use binade_spec::{Port, Word};
use binade_stimulus::{places, split};

/// Lines with the codes of the operands, the results and, if the unit has it, the port `flags`, separated by commas: 0x3c, 0b111100 or 60.
/// A port with several lanes has its codes, separated by blanks, from the lowest lane on, or its whole word as 0x...
/// The first line may be a heading.
pub struct Table {
    case: ConformCase,
    operands: Vec<Port>,
    results: Vec<Port>,
    /// Bits of the port `flags`, 0 if there is none.
    flag_bits: u32,
}

impl Table {
    /// A table of vectors for this case.
    pub fn new(case: ConformCase) -> Table {
        let (operands, results, flag_bits) = (case.operands(), case.results(), case.flag_bits());
        Table { case, operands, results, flag_bits }
    }

    fn names(&self) -> Vec<&str> {
        let ports = self.operands.iter().chain(&self.results).map(|port| port.name);
        ports.chain((self.flag_bits > 0).then_some("flags")).collect()
    }
}

/// Appends the codes of a port's lanes.
fn push_lanes(port: &Port, cell: &str, codes: &mut Codes) -> Result<(), String> {
    let (width, lanes) = (port.lane_width(), port.lanes as usize);
    let words: Vec<&str> = cell.split_ascii_whitespace().collect();
    if lanes > 1 && words.len() == 1 {
        let digits = cell.strip_prefix("0x").or_else(|| cell.strip_prefix("0X"));
        let word = digits.and_then(|digits| Word::parse_bytes(digits.as_bytes(), 16));
        let word = word.ok_or_else(|| format!("`{cell}` is not a word of {lanes} lanes such as 0x3c40"))?;
        if word.bits() > port.width().into() {
            return Err(format!("{cell} has more than the {} bits of {}", port.width(), port.name));
        }
        let places = places(std::slice::from_ref(port));
        codes.extend(split(&places, &[word]).iter().map(low_bits));
        return Ok(());
    }
    if words.len() != lanes {
        return Err(format!(
            "{} has {lanes} lanes: as many codes are expected, separated by blanks, not {}",
            port.name,
            words.len()
        ));
    }
    for word in words {
        let code = code_of(word)?;
        if !fits(code, width) {
            let lane = if lanes > 1 { "a lane of " } else { "" };
            return Err(format!("{code:#x} has more than the {width} bits of {lane}{}", port.name));
        }
        codes.push(code);
    }
    Ok(())
}

fn code_of(cell: &str) -> Result<u128, String> {
    code(cell).ok_or_else(|| format!("`{cell}` is not a code such as 0x3c"))
}

/// A code with the prefix of its base.
fn code(cell: &str) -> Option<u128> {
    let lower = cell.to_lowercase();
    match (lower.strip_prefix("0x"), lower.strip_prefix("0b")) {
        (Some(digits), _) => hex(digits),
        (_, Some(digits)) => u128::from_str_radix(digits, 2).ok(),
        _ => lower.parse().ok(),
    }
}

impl Syntax for Table {
    fn read(&self, line: &str) -> Result<ClaimLine, String> {
        let cells: Vec<&str> = line.trim().split(',').map(str::trim).collect();
        let is_heading = cells[0].starts_with(|sign: char| sign.is_alphabetic() || sign == '#');
        if cells == [""] || is_heading {
            return Ok(ClaimLine::Blank);
        }
        let names = self.names();
        if cells.len() != names.len() {
            return Err(format!("{} columns are expected, {}", names.len(), names.join(",")));
        }
        let mut cells = cells.iter();
        let mut of_ports = |ports: &[Port]| -> Result<Codes, String> {
            let mut codes = Codes::new();
            for port in ports {
                push_lanes(port, cells.next().expect("as many cells as ports"), &mut codes)?;
            }
            Ok(codes)
        };
        let (operands, results) = (of_ports(&self.operands)?, of_ports(&self.results)?);
        let flags = match cells.next().map(|cell| code_of(cell)).transpose()? {
            Some(bits) if bits >> self.flag_bits > 0 => {
                return Err(format!("{bits:#x} has more than the {} bits of flags", self.flag_bits));
            }
            bits => bits.map(|bits| Flags::of_port(bits, self.flag_bits)),
        };
        Ok(ClaimLine::Claim { case: 0, claim: Claim { operands, results, flags } })
    }

    fn case(&self, _: usize) -> ConformCase {
        self.case.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::{Selection, Tininess, Unit};

    fn table(flags: Option<Tininess>) -> Table {
        let selection = Selection { flags, ..Selection::new(Unit::Mul, "e5m2".parse().unwrap()) };
        Table::new(ConformCase::new("mul", selection.operation().unwrap()))
    }

    #[test]
    fn a_line_is_codes_with_commas() {
        let claim = |line: &str, flags| match table(flags).read(line) {
            Ok(ClaimLine::Claim { claim, .. }) => claim,
            other => panic!("{other:?}"),
        };
        let plain = claim("0x3c, 0b111100,60", None);
        assert_eq!((plain.operands[..2].to_vec(), plain.results[0], plain.flags), (vec![0x3c, 0x3c], 0x3c, None));
        assert_eq!(claim("1,2,3,9", Some(Tininess::After)).flags.unwrap().to_string(), "invalid, inexact");
        assert_eq!([table(None).read("a,b,y"), table(None).read("")], [Ok(ClaimLine::Blank), Ok(ClaimLine::Blank)]);
        for (line, flags, sentence) in [
            ("1,2", None, "3 columns are expected, a,b,y"),
            ("1,2,3", Some(Tininess::After), "4 columns are expected, a,b,y,flags"),
            ("1,0x100,3", None, "0x100 has more than the 8 bits of b"),
            ("1,2,3c", None, "`3c` is not a code such as 0x3c"),
            ("1,2,3,16", Some(Tininess::After), "0x10 has more than the 4 bits of flags"),
        ] {
            let refused = table(flags).read(line).unwrap_err();
            assert!(refused.contains(sentence), "{refused}");
        }
    }
}
