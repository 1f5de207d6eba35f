//! Data on stdout, files that appear whole or not at all.

use crate::failure::Failure;
pub use binade_campaign::counted;
use binade_generator::SCHEMA;
use binade_tools::{Error, interrupted};
use serde::Serialize;
use std::fmt::Display;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Prints text on stdout. A reader that has gone (`| head`) has seen enough: what is still to be found out, such as a
/// mismatch, keeps its exit code.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    // Tables fill their last column up with blanks.
    let lines = text.trim_end().lines().try_for_each(|line| writeln!(stdout, "{}", line.trim_end()));
    match lines.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Says something on stderr. That it cannot be heard changes no result.
pub fn say(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// A value as indented JSON; an object begins with the number of the schema.
pub fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("reports are plain data");
    match text.strip_prefix("{\n") {
        Some(fields) if !fields.starts_with("  \"schema\":") => format!("{{\n  \"schema\": {SCHEMA},\n{fields}"),
        _ => text,
    }
}

/// Rows as CSV, under the names of their columns.
pub fn csv(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(vec![]);
    let mut write = |row: &[&str]| writer.write_record(row).expect("rows of one length, in memory");
    write(columns);
    rows.into_iter().for_each(|row| write(&row.iter().map(String::as_str).collect::<Vec<_>>()));
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("cells are UTF-8")
}

/// How the names of files begin that are not complete yet.
const PREFIX: &str = ".binade-";

/// An incomplete file older than this is of a process that is gone: files are written in seconds.
const ABANDONED: Duration = Duration::from_secs(3600);

/// No file of text that is read is larger.
const LARGEST_TEXT: u64 = 1 << 26;

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    read_whole(path, LARGEST_TEXT, String::new(), |file, text| file.read_to_string(text))
}

/// No file of anything else that is read is larger.
const LARGEST_FILE: u64 = 1 << 30;

/// The content of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    read_whole(path, LARGEST_FILE, vec![], |file, bytes| file.read_to_end(bytes))
}

/// A file read into what is `empty`, unless it has more than `limit` bytes.
fn read_whole<Content: Send + 'static>(
    path: &Path,
    limit: u64,
    empty: Content,
    read: fn(&mut io::Take<fs::File>, &mut Content) -> io::Result<usize>,
) -> Result<Content, Failure> {
    let own = path.to_path_buf();
    let read = move || {
        let mut content = empty;
        let length = read(&mut fs::File::open(own)?.take(limit + 1), &mut content)?;
        Ok((content, length))
    };
    let (content, length) = patiently("writer", path, read)?.map_err(|error| Failure::file("read", path, error))?;
    if length as u64 > limit {
        let megabytes = limit >> 20;
        return Err(Failure::File(format!("cannot read `{}`: it has more than {megabytes} MiB", path.display())));
    }
    Ok(content)
}

/// Writes files that belong together into existing folders: all beside their places first, then renamed, so that
/// nothing half-written is left, nor one without the others when the disk is full. Symbolic links are followed; devices and
/// pipes are written into.
pub fn write_files(files: &[(&Path, &[u8])]) -> Result<(), Failure> {
    let mut complete = vec![];
    for &(path, content) in files {
        let failure = |error| Failure::file("write", path, error);
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
        file.persist(place).map_err(|error| Failure::file("write", path, error.error))?;
    }
    Ok(())
}

/// Does work that waits as long as a pipe has nobody at its other end, which is said, and which Ctrl-C ends.
fn patiently<T: Send + 'static>(
    other_end: &str,
    path: &Path,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<io::Result<T>, Failure> {
    if fs::metadata(path).is_ok_and(|data| data.is_file()) {
        return Ok(work());
    }
    let (started, mut is_said) = (Instant::now(), false);
    let worker = thread::spawn(work);
    while !worker.is_finished() {
        if interrupted() {
            return Err(Failure::Tool(Error::Interrupted));
        }
        if !is_said && started.elapsed() > Duration::from_secs(1) {
            say(format_args!("waiting for a {other_end} of `{}`", path.display()));
            is_said = true;
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(worker.join().expect("reading and writing do not panic"))
}

/// Where the content of a file goes.
enum Place {
    /// A plain file, there or not, with all links followed.
    File(PathBuf),
    /// A device or a pipe.
    Stream,
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        // What these lead to is open already: another file in its place would not be what is open.
        let is_open = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|open| path.starts_with(open));
        match fs::metadata(path) {
            Ok(_) if is_open => Ok(Place::Stream),
            Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(data) if data.is_file() => Ok(Place::File(fs::canonicalize(path)?)),
            Ok(_) => Ok(Place::Stream),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            // A link to what is not there yet says where it is to be.
            Err(_) => match fs::read_link(path) {
                Ok(target) => Place::of(&folder_of(path).join(target)),
                Err(_) => Ok(Place::File(path.into())),
            },
        }
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Refuses to write a file that is read, too.
pub fn check_not_read(written: &Path, read: &Path) -> Result<(), Failure> {
    let is_same =
        fs::canonicalize(written).is_ok_and(|written| fs::canonicalize(read).is_ok_and(|read| read == written));
    if is_same {
        let (written, read) = (written.display(), read.display());
        return Err(Failure::Usage(format!(
            "`{written}` would be written over `{read}`, which is read; name another file"
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

/// Removes the incomplete files that killed runs have left in a folder. What cannot be removed is in nobody's way.
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

/// A temporary file is for its owner only; what we leave should be as any new file is.
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

    /// A device stays one; a socket that nobody listens to is refused, and stays, too.
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

    /// Those of other programs, and those that may be at work, are left alone.
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
