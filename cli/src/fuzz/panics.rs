//! Work that may panic, which is a fault of Binade.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A hook hears the panics of all threads: one at a time listens.
static LISTENING: Mutex<()> = Mutex::new(());

/// Where some work panicked first, and what it said.
#[derive(Debug)]
pub struct Panic {
    /// File, line and column.
    pub place: String,
    pub says: String,
}

/// What some work gives, unless it panics, here or in a thread that it waits for. Nothing of that is printed. The work does not
/// call this again.
pub fn caught<Output>(work: impl FnOnce() -> Output) -> Result<Output, Panic> {
    let _listening = LISTENING.lock().unwrap_or_else(PoisonError::into_inner);
    let first = Arc::new(OnceLock::new());
    let heard = Arc::clone(&first);
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic: &PanicHookInfo<'_>| {
        heard.get_or_init(|| panic.to_string());
    }));
    let result = catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(before);
    result.map_err(|_| Panic::of_text(first.get().map_or("", String::as_str)))
}

impl Panic {
    /// From what a hook is told: `panicked at FILE:LINE:COLUMN:`, and the message in the lines behind.
    fn of_text(text: &str) -> Panic {
        let (place, says) = text.split_once('\n').unwrap_or((text, ""));
        let place = place.trim_start_matches("panicked at ").trim_end_matches(':');
        Panic { place: place.into(), says: says.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_says_where_it_was() {
        let texts = ["panicked at circuit/src/builder.rs:12:5:\na signal of 65762 bits", ""];
        let [told, untold] = texts.map(Panic::of_text);
        assert_eq!(
            (told.place.as_str(), told.says.as_str()),
            ("circuit/src/builder.rs:12:5", "a signal of 65762 bits")
        );
        assert_eq!((untold.place, untold.says), (String::new(), String::new()));
        assert_eq!(caught(|| 3).ok(), Some(3));
        assert!(caught(|| -> u32 { panic!("no number") }).is_err());
    }
}
