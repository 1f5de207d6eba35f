//! A user's module as other tools than Verilator read it. Files may ask which tool reads them (`ifdef SYNTHESIS`), and synthesis tools skip
//! what stands behind `translate_off`: then what Verilator simulates is not what is built.

use crate::case::ModuleSource;
use crate::{Case, Connected, NoVerdict};
use binade_generator::generate;
use binade_sim::Verification;
use binade_sim::verilator::{Reader, Sources};
use binade_synth::foreign_verilog;
use binade_tools::{Error, Tools};
use std::path::Path;

/// Verilator simulates what Yosys writes rightly from this version on.
const RIGHT: (u32, u32) = (5, 48);

/// Verilator's warning about an index that it cuts off.
const SHORT_INDEX: &str = "Bit extraction of ";

/// Verifies the case as `verify` does, and if it is right, also as the other tools read it. Returns the case that is wrong, or the first,
/// with its verification.
///
/// # Errors
/// Those of `verify`, and when Yosys is missing or fails.
pub fn verify(
    tools: &Tools,
    mut case: Case,
    verify: impl Fn(&Case) -> Result<Verification, NoVerdict>,
) -> Result<(Case, Verification), NoVerdict> {
    let verification = verify(&case)?;
    let ModuleSource::Dut(connected) = &case.source else { return Ok((case, verification)) };
    let readers = connected.dut.slang_files()?.readers();
    let asks = readers.len() > 1;
    match verification.is_right() {
        true if asks => {}
        true => return Ok((case, verification)),
        false => {
            refuse_other_indices(tools, &case, &verify)?;
            case.note(asks.then(|| format!("{}: wrong", Reader::Verilator)).into_iter().collect());
            return Ok((case, verification));
        }
    }
    let simulated = connected.written(tools, Reader::Verilator)?.ok();
    let (mut judged, mut notes): (Vec<String>, _) = (simulated.into_iter().collect(), vec![]);
    for reader in readers.into_iter().filter(|reader| *reader != Reader::Verilator) {
        match connected.written(tools, reader)? {
            Ok(text) if judged.contains(&text) => {}
            Ok(_) if !is_right(&tools.verilator()?.version) => {
                notes.push(format!("{reader}: not checked; Verilator 5.048 or newer is needed"));
            }
            Ok(text) => {
                let other = case.with_text(reader, text.clone());
                let verification = verify(&other)?;
                if !verification.is_right() {
                    return Ok((other, verification));
                }
                notes.push(format!("{reader}: right, too"));
                judged.push(text);
            }
            Err(why) => notes.push(format!("{reader}: not checked ({why})")),
        }
    }
    case.note(notes);
    Ok((case, verification))
}

/// Refuses a module that is wrong only since Verilator writes to another bit where an index is out of range. IEEE 1800, 11.5.1, ignores such
/// a write, as Yosys does.
fn refuse_other_indices(
    tools: &Tools,
    case: &Case,
    verify: &impl Fn(&Case) -> Result<Verification, NoVerdict>,
) -> Result<(), NoVerdict> {
    let ModuleSource::Dut(connected) = &case.source else { return Ok(()) };
    let Some(warning) = connected.dut.warnings.iter().find(|warning| warning.contains(SHORT_INDEX)) else {
        return Ok(());
    };
    if !is_right(&tools.verilator()?.version) {
        return Ok(());
    }
    let Ok(text) = connected.written(tools, Reader::Verilator)? else { return Ok(()) };
    match verify(&case.with_text(Reader::Verilator, text))?.is_right() {
        false => Ok(()),
        true => Err(NoVerdict::Usage(format!(
            "{} cannot be simulated: Verilator takes an index that is out of range for another one; make the index as narrow as the variable:\n{}",
            connected.dut.top,
            warning.lines().next().unwrap_or_default()
        ))),
    }
}

/// Whether this version of Verilator, such as `5.48.0` or `5.006`, simulates netlists rightly.
fn is_right(version: &str) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= RIGHT
}

impl Case {
    /// Keeps what is known about other readings for the report.
    fn note(&mut self, readings: Vec<String>) {
        if let ModuleSource::Dut(connected) = &mut self.source {
            connected.readings = readings;
        }
    }

    /// The same case with the Verilog that Yosys writes in place of the user's files.
    fn with_text(&self, reader: Reader, text: String) -> Case {
        let ModuleSource::Dut(connected) = &self.source else { unreachable!("only a user's module has readings") };
        let Case { unit, name, words, .. } = self;
        let source = ModuleSource::Dut(Box::new(connected.with_text(reader, text)));
        Case { unit: generate(unit.design), name: name.clone(), words: words.clone(), source }
    }
}

impl Connected {
    /// Adapter and module as Yosys writes them once they are read in this way, or why Yosys rejects them.
    fn written(&self, tools: &Tools, reader: Reader) -> Result<Result<String, String>, NoVerdict> {
        let files = self.dut.slang_files()?;
        let write = |folder: &Path| files.write(folder, reader, &self.adapter);
        match foreign_verilog(tools, &self.name, &write) {
            Ok(text) => Ok(Ok(text)),
            Err(Error::Failed { output, .. }) => {
                let line = output.lines().find(|line| line.contains("ERROR:")).unwrap_or(&output);
                Ok(Err(format!("Yosys rejects it: {}", files.placed(line))))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn with_text(&self, reader: Reader, adapter: String) -> Connected {
        let mut dut = self.dut.clone();
        dut.sources = Sources::default();
        let readings = vec![format!("{reader}: wrong; as Verilator reads it: right")];
        let mut other = self.clone();
        (other.adapter, other.dut, other.readings) = (adapter, dut, readings);
        other
    }
}

#[cfg(test)]
mod tests {
    use super::is_right;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(["5.006", "5.6.0", "5.048", "5.48.0", "6.1"].map(is_right), [false, false, true, true, true]);
    }
}
