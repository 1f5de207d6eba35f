//! The time that a thread has worked.

#[cfg(not(target_family = "wasm"))]
pub use cpu_time::ThreadTime;

/// In a browser, nothing is timed.
#[cfg(target_family = "wasm")]
pub struct ThreadTime;

#[cfg(target_family = "wasm")]
impl ThreadTime {
    pub fn now() -> ThreadTime {
        ThreadTime
    }

    pub fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}
