//! The golden model for C, and so for SystemVerilog: `c/binade.h` and `c/binade_pkg.sv` declare these functions.
//!
//! A unit is opened by its words, evaluated as often as needed, by any number of threads at once, and closed.

use binade_arrays::operation;
use binade_golden::Model;
use binade_spec::Port;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::ptr;

/// Most operands of a unit, the random word included.
const MOST_OPERANDS: usize = 4;

/// A unit that is open.
pub struct BinadeUnit {
    model: Model,
    operands: usize,
}

thread_local!(static ERROR: RefCell<CString> = RefCell::default());

impl BinadeUnit {
    /// Reads `unit=fmac format=e5m2b1 round=rtz` and its kind.
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
        if let Some(port) = ports.iter().chain(&operation.outputs()[..1]).find(is_wide) {
            return Err(format!("port {} of {unit} has {} bits; words of C have up to 64", port.name, port.width()));
        }
        if operation.has_state() || ports.len() > MOST_OPERANDS {
            return Err(format!(
                "{unit} keeps a state, or has more than {MOST_OPERANDS} operands: it cannot be evaluated so"
            ));
        }
        Ok(BinadeUnit { model: Model::new(&operation), operands: ports.len() })
    }
}

/// Opens a unit: its words are those of the command line, as in `unit=fmac format=e5m2b1 round=rtz`. Gives null if there is
/// no such unit; `binade_error` says why.
///
/// # Safety
/// `words` is a string that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binade_open(words: *const c_char) -> *mut BinadeUnit {
    // SAFETY: as the caller promises.
    let words = unsafe { CStr::from_ptr(words) }.to_string_lossy();
    match BinadeUnit::of(&words) {
        Ok(unit) => Box::into_raw(Box::new(unit)),
        Err(error) => {
            // Words of C hold no zeros, so neither does what is said of them.
            ERROR.set(CString::new(error).unwrap_or_default());
            ptr::null_mut()
        }
    }
}

/// Why this thread's last `binade_open` gave null: one sentence, until the next failure.
#[unsafe(no_mangle)]
pub extern "C" fn binade_error() -> *const c_char {
    ERROR.with_borrow(|error| error.as_ptr())
}

/// The result of a unit, its first output: operands are codes in the order of the ports, the random word last; those that
/// the unit does not have are left out of account, and so are bits above a port's.
///
/// # Safety
/// `unit` comes from `binade_open`, and is not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binade_eval(unit: *const BinadeUnit, a: u64, b: u64, c: u64, d: u64) -> u64 {
    // SAFETY: as the caller promises.
    let BinadeUnit { model, operands } = unsafe { &*unit };
    let mut words = [a, b, c, d].map(u128::from);
    for (word, port) in words.iter_mut().zip(model.input_ports()) {
        *word &= (1 << port.width()) - 1;
    }
    model.first_result(&words[..*operands]) as u64
}

/// Closes a unit; null is no unit, and nothing happens.
///
/// # Safety
/// `unit` comes from `binade_open`, is not closed, and nothing uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binade_close(unit: *mut BinadeUnit) {
    if !unit.is_null() {
        // SAFETY: as the caller promises.
        drop(unsafe { Box::from_raw(unit) });
    }
}
