//! Files of the user: read whole, and written completely or not at all.

use crate::{Error, interrupted};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// The prefix of incomplete files' names.
const PREFIX: &str = ".binade-";

/// An incomplete file older than this belongs to a dead process: writing a file takes seconds.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The largest text file read.
const LARGEST_TEXT: u64 = 1 << 26;

/// Reads a text file.
///
/// # Errors
/// When it cannot be read, is no text, or has more than 64 MiB, and after Ctrl-C.
pub fn read_text(path: &Path) -> Result<String, Error> {
    read_whole(path, LARGEST_TEXT, String::new(), |file, text| file.read_to_string(text))
}

/// Reads a text file in any encoding. Devices and pipes, which may have no end, are refused: other tools read the file once more.
///
/// # Errors
/// When it cannot be read, is no regular file, or has more than 64 MiB.
pub fn read_text_leniently(path: &Path) -> Result<String, Error> {
    if fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        return Err(Error::File(format!("cannot read `{}`: it is no regular file", path.display())));
    }
    let bytes = read_whole(path, LARGEST_TEXT, vec![], |file, bytes| file.read_to_end(bytes))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The largest other file read.
const LARGEST_FILE: u64 = 1 << 30;

/// Reads a file.
///
/// # Errors
/// When it cannot be read, or has more than 1 GiB, and after Ctrl-C.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    read_whole(path, LARGEST_FILE, vec![], |file, bytes| file.read_to_end(bytes))
}

/// Reads a file into `empty`; fails if it has more than `limit` bytes.
fn read_whole<Content: Send + 'static>(
    path: &Path,
    limit: u64,
    empty: Content,
    read: fn(&mut io::Take<fs::File>, &mut Content) -> io::Result<usize>,
) -> Result<Content, Error> {
    let own = path.to_path_buf();
    let read = move || {
        let mut content = empty;
        let length = read(&mut fs::File::open(own)?.take(limit + 1), &mut content)?;
        Ok((content, length))
    };
    let (content, length) = patiently("writer", path, read)?.map_err(|error| Error::file("read", path, error))?;
    if length as u64 > limit {
        let megabytes = limit >> 20;
        return Err(Error::File(format!("cannot read `{}`: it has more than {megabytes} MiB", path.display())));
    }
    Ok(content)
}

/// Writes files that belong together into existing folders. All are written beside their places first and then renamed, so that a full disk
/// leaves neither half-written files nor one without the others. Follows symbolic links; writes into devices and pipes.
///
/// # Errors
/// When a file cannot be written, and after Ctrl-C.
pub fn write_files(files: &[(&Path, &[u8])]) -> Result<(), Error> {
    let mut complete = vec![];
    for &(path, content) in files {
        let failure = |error| Error::file("write", path, error);
        match Place::of(path).map_err(failure)? {
            Place::File(place) => {
                let file = write_aside(&place, content).map_err(failure)?;
                complete.push((path, place, file));
            }
            Place::Stream => {
                let (own, content) = (path.to_path_buf(), content.to_vec());
                let write = move || fs::OpenOptions::new().write(true).open(own)?.write_all(&content);
                patiently("reader", path, write)?.map_err(failure)?;
            }
        }
    }
    for (path, place, file) in complete {
        file.persist(place).map_err(|error| Error::file("write", path, error.error))?;
    }
    Ok(())
}

/// Does work that blocks while nobody has opened the other end of a pipe. Tells the user that it waits; Ctrl-C ends it.
fn patiently<T: Send + 'static>(
    other_end: &str,
    path: &Path,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<io::Result<T>, Error> {
    if fs::metadata(path).is_ok_and(|data| data.is_file()) {
        return Ok(work());
    }
    let (started, mut is_said) = (Instant::now(), false);
    let worker = thread::spawn(work);
    while !worker.is_finished() {
        if interrupted() {
            return Err(Error::Interrupted);
        }
        if !is_said && started.elapsed() > Duration::from_secs(1) {
            eprintln!("waiting for a {other_end} of `{}`", path.display());
            is_said = true;
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(worker.join().expect("reading and writing do not panic"))
}

/// The destination of a file's content.
enum Place {
    /// A regular file, existing or not, with all links resolved.
    File(PathBuf),
    /// A device or a pipe.
    Stream,
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        // These paths refer to open files: a new file at the path would not be the open one.
        let is_open = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|open| path.starts_with(open));
        match fs::metadata(path) {
            Ok(_) if is_open => Ok(Place::Stream),
            Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(data) if data.is_file() => Ok(Place::File(fs::canonicalize(path)?)),
            Ok(_) => Ok(Place::Stream),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            // A dangling link names the place of the new file.
            Err(_) => match fs::read_link(path) {
                Ok(target) => Place::of(&folder_of(path).join(target)),
                Err(_) => Ok(Place::File(path.into())),
            },
        }
    }
}

/// The parent folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Refuses to write a file that is also read.
///
/// # Errors
/// When it is the same file.
pub fn check_not_read(written: &Path, read: &Path) -> Result<(), Error> {
    let is_same =
        fs::canonicalize(written).is_ok_and(|written| fs::canonicalize(read).is_ok_and(|read| read == written));
    if is_same {
        let (written, read) = (written.display(), read.display());
        return Err(Error::File(format!(
            "`{written}` would be written over `{read}`, an input of this run; name another file"
        )));
    }
    Ok(())
}

fn write_aside(path: &Path, content: &[u8]) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    remove_abandoned(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    readable_by_all(&mut builder);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_data()?;
    Ok(file)
}

/// Removes incomplete files that killed runs left in a folder. Ignores those that cannot be removed.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let named = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for entry in named {
        let is_abandoned = entry.metadata().is_ok_and(|data| {
            let age = data.modified().map(|changed| changed.elapsed().unwrap_or_default());
            data.is_file() && age.is_ok_and(|age| age > ABANDONED)
        });
        if is_abandoned {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Temporary files are readable by their owner only; the final files get the usual permissions of new files.
#[cfg(unix)]
fn readable_by_all(builder: &mut tempfile::Builder) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable_by_all(_builder: &mut tempfile::Builder) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("elsewhere")).unwrap();
        fs::write(at("elsewhere/old"), "old").unwrap();
        for target in ["elsewhere/old", "elsewhere/new"] {
            symlink(target, at("link")).unwrap();
            write_files(&[(&at("link"), b"text")]).unwrap();
            assert_eq!(fs::read(at(target)).unwrap(), b"text");
            assert_eq!(fs::read_link(at("link")).unwrap(), Path::new(target));
            fs::remove_file(at("link")).unwrap();
        }
        assert_eq!(names(&at("elsewhere")), ["new", "old"]);
    }

    /// A device stays a device; a socket without a listener is refused, and stays, too.
    #[cfg(unix)]
    #[test]
    fn what_is_no_plain_file_is_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        use std::os::unix::net::UnixListener;
        write_files(&[(Path::new("/dev/null"), b"text")]).unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(write_files(&[(&socket, b"text")]).is_err());
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
        assert_eq!(names(folder.path()), ["socket"]);
    }

    #[test]
    fn a_file_that_is_read_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let (suite, other) = (folder.path().join("suite.toml"), folder.path().join("report.xml"));
        fs::write(&suite, "").unwrap();
        assert!(check_not_read(&folder.path().join("./suite.toml"), &suite).is_err());
        assert!(check_not_read(&other, &suite).is_ok());
    }

    /// Files of other programs, and files that may still be written, are kept.
    #[test]
    fn abandoned_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let yesterday = SystemTime::now() - Duration::from_secs(86_400);
        for (name, is_old) in
            [(".binade-old", true), (".binade-new", false), (".other-old", true), ("binade-old", true)]
        {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            if is_old {
                file.set_modified(yesterday).unwrap();
            }
        }
        write_files(&[(&folder.path().join("unit.v"), b"text")]).unwrap();
        assert_eq!(names(folder.path()), [".binade-new", ".other-old", "binade-old", "unit.v"]);
    }
}
