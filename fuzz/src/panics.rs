//! Catches panics, which are faults of Binade.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The panic hook is global to all threads, so only one caller listens at a time.
static LISTENING: Mutex<()> = Mutex::new(());

/// The place and the message of the first panic.
#[derive(Debug)]
pub struct Panic {
    /// File, line and column.
    pub place: String,
    pub says: String,
}

/// Returns the output of `work`, or its first panic, in this thread or one that it waits for. Prints nothing of the panic. `work` must not
/// call this function.
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
    /// Parses the text that a hook gets: `panicked at FILE:LINE:COLUMN:`, and the message in the following lines.
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
