//! The interface of [`binade_explore`] for a browser: bytes in, bytes out, and one import, which hears of progress.
//!
//! The page reserves memory ([`reserve`]), writes a file and a request into it, calls [`call`], and reads the answer from the place given
//! by [`answer`] and [`answer_length`]. After a panic the instance is unusable; the answer is then the panic message, or empty if memory or
//! stack was exhausted.

use std::cell::RefCell;

thread_local! {
    /// The buffer that the page writes: the file, then the request, so that the file need not be moved.
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
    /// The buffer that the page reads.
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
}

/// Reserves space for a file and a request of this many bytes in total, and returns its address; null if memory is exhausted. Drops the
/// last answer.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    ANSWER.take();
    REQUEST.with_borrow_mut(|request| {
        *request = vec![];
        if request.try_reserve_exact(bytes).is_err() {
            return std::ptr::null_mut();
        }
        request.resize(bytes, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request in the buffer, which follows a file of `file_bytes` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn call(file_bytes: usize) {
    ANSWER.take();
    std::panic::set_hook(Box::new(|panic| keep(panic.to_string())));
    let mut file = REQUEST.take();
    let request = file.split_off(file_bytes);
    keep(binade_explore::answer_with_progress(&String::from_utf8_lossy(&request), file, &hear));
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Hears that so many parts of the work are done, and how many there are by then.
    safe fn progress(done: usize, all: usize);
}

fn hear(done: usize, all: usize) {
    progress(done, all);
}

fn keep(answer: String) {
    ANSWER.set(answer.into_bytes());
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// The length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}
