//! The answers of [`binade_explore`] for a browser: bytes in, bytes out, nothing imported.
//!
//! The page takes memory ([`reserve`]), writes a request and a file into it, calls [`call`], and reads the answer from where [`answer`] and
//! [`answer_length`] say. If something panics, the instance is of no use any more; the message is the answer then.

use std::cell::RefCell;

thread_local! {
    /// What the page writes into: the request, then the file.
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
    /// What the page reads.
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
}

/// Makes room for so many bytes of a request and its file, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        *request = vec![0; bytes];
        request.as_mut_ptr()
    })
}

/// Answers what was written: a request of so many bytes, and a file behind it.
#[unsafe(no_mangle)]
pub extern "C" fn call(request_bytes: usize) {
    std::panic::set_hook(Box::new(|panic| keep(panic.to_string())));
    let mut request = REQUEST.take();
    let file = request.split_off(request_bytes);
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
