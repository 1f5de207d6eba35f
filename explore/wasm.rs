//! The answers of [`binade_explore`] for a browser: bytes in, bytes out, nothing imported.
//!
//! The page takes memory ([`reserve`]), writes a file and a request into it, calls [`call`], and reads the answer from where [`answer`] and
//! [`answer_length`] say. If something panics, the instance is of no use any more; the message is the answer then, which is empty if there was no
//! memory or no stack left for one.

use std::cell::RefCell;

thread_local! {
    /// What the page writes into: the file, then the request, so that the file stays where it is.
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
    /// What the page reads.
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
}

/// Makes room for so many bytes of a file and a request, and says where; null if there is no such room. No answer is left from before.
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

/// Answers what was written: a file of so many bytes, and a request behind it.
#[unsafe(no_mangle)]
pub extern "C" fn call(file_bytes: usize) {
    ANSWER.take();
    std::panic::set_hook(Box::new(|panic| keep(panic.to_string())));
    let mut file = REQUEST.take();
    let request = file.split_off(file_bytes);
    keep(binade_explore::answer(&String::from_utf8_lossy(&request), file));
}

fn keep(answer: String) {
    ANSWER.set(answer.into_bytes());
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}
