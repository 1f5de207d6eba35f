//! The golden model for C and, through DPI, for SystemVerilog: `c/binade.h` and `c/binade_pkg.sv` declare these functions.
//!
//! A unit is opened, evaluated as often as needed by any number of threads, and closed.

use binade_arrays::operation;
use binade_golden::Model;
use binade_spec::word::low_bits;
use binade_spec::{Port, Word};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::ptr;

/// The most operands of a unit, including the random word.
const MOST_OPERANDS: usize = 4;

/// An open unit.
pub struct BinadeUnit {
    model: Model,
    operands: usize,
}

thread_local!(static ERROR: RefCell<CString> = RefCell::default());

impl BinadeUnit {
    /// Parses words such as `unit=fmac format=e5m2b1 round=rtz`.
    fn of(words: &str) -> Result<BinadeUnit, String> {
        let mut settings = BTreeMap::new();
        for word in words.split_whitespace() {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("{word:?}: words look like unit=fmac format=e5m2b1 round=rtz"))?;
            settings.insert(key.replace('_', "-"), value.to_string());
        }
        let unit = settings.remove("unit").ok_or("the unit is missing, as in unit=fmac format=e5m2b1")?;
        let format = settings.remove("format");
        let operation = operation(&unit, format.as_deref(), &settings)?;
        let ports = operation.inputs();
        let is_wide = |port: &&Port| port.width() > u64::BITS;
        if let Some(port) = ports.iter().chain(&operation.outputs()).find(is_wide) {
            return Err(format!("port {} of {unit} has {} bits; words of C have up to 64", port.name, port.width()));
        }
        if operation.has_state() || ports.len() > MOST_OPERANDS {
            return Err(format!(
                "{unit} keeps a state, or has more than {MOST_OPERANDS} operands: it cannot be evaluated this way"
            ));
        }
        Ok(BinadeUnit { model: Model::new(&operation), operands: ports.len() })
    }
}

impl BinadeUnit {
    /// The operands that the unit has, without bits above their widths.
    fn words(&self, operands: [u64; MOST_OPERANDS]) -> Vec<u128> {
        let word = |(word, port): (u64, &Port)| u128::from(word) & ((1 << port.width()) - 1);
        operands.into_iter().zip(self.model.input_ports()).map(word).take(self.operands).collect()
    }
}

/// Opens a unit, given by words as on the command line: `unit=fmac format=e5m2b1 round=rtz`. Returns null if there is no such unit;
/// `binade_error` tells why.
///
/// # Safety
/// `words` must be a zero-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binade_open(words: *const c_char) -> *mut BinadeUnit {
    // SAFETY: as the caller promises.
    let words = unsafe { CStr::from_ptr(words) }.to_string_lossy();
    match BinadeUnit::of(&words) {
        Ok(unit) => Box::into_raw(Box::new(unit)),
        Err(error) => {
            // C strings contain no zeros, and so neither does a message about them.
            ERROR.set(CString::new(error).unwrap_or_default());
            ptr::null_mut()
        }
    }
}

/// Why this thread's last failed `binade_open` returned null, in one sentence. The pointer is valid until the next failure.
#[unsafe(no_mangle)]
pub extern "C" fn binade_error() -> *const c_char {
    ERROR.with_borrow(|error| error.as_ptr())
}

/// The result of a unit, its first output. Operands are codes in the order of the ports, with the random word last. Operands that the unit
/// does not have are ignored, and so are bits above a port's width.
///
/// # Safety
/// `unit` must come from `binade_open` and must not be closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binade_eval(unit: *const BinadeUnit, a: u64, b: u64, c: u64, d: u64) -> u64 {
    // SAFETY: as the caller promises.
    let unit = unsafe { &*unit };
    unit.model.first_result(&unit.words([a, b, c, d])) as u64
}

/// The number of outputs of a unit: its results, and its flags if it has them.
///
/// # Safety
/// `unit` must come from `binade_open` and must not be closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binade_outputs(unit: *const BinadeUnit) -> u32 {
    // SAFETY: as the caller promises.
    unsafe { &*unit }.model.output_ports().len() as u32
}

/// The result of a unit on the output with this number, from 0 in the order of the ports; 0 if there is no such output. Operands as for
/// [`binade_eval`].
///
/// # Safety
/// `unit` must come from `binade_open` and must not be closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binade_eval_output(
    unit: *const BinadeUnit,
    output: u32,
    a: u64,
    b: u64,
    c: u64,
    d: u64,
) -> u64 {
    // SAFETY: as the caller promises.
    let unit = unsafe { &*unit };
    let words: Vec<Word> = unit.words([a, b, c, d]).into_iter().map(Word::from).collect();
    let results = unit.model.evaluate(&words);
    results.get(output as usize).map_or(0, |word| low_bits(word) as u64)
}

/// Closes a unit; null is ignored.
///
/// # Safety
/// `unit` must come from `binade_open`, must not be closed, and must not be used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binade_close(unit: *mut BinadeUnit) {
    if !unit.is_null() {
        // SAFETY: as the caller promises.
        drop(unsafe { Box::from_raw(unit) });
    }
}
