//! The pinned tools as one file, for machines that cannot reach a registry.

use std::fs;
use std::io;
use std::path::Path;

use crate::install::{self, Package};
use crate::{Device, Error, nextpnr, run, run_to_end, scratch, vega, verilator, yosys};

/// Packs folders into an archive, in a fixed order, without owners and links: python3 -c THIS ARCHIVE FOLDER...
const PACK: &str = "\
import os, sys, tarfile
def plain(info):
    info.uid = info.gid = 0
    info.uname = info.gname = ''
    return None if '__pycache__' in info.name else info
with tarfile.open(sys.argv[1], 'w:gz', dereference=True) as archive:
    for folder in sys.argv[2:]:
        archive.add(folder, os.path.basename(folder), filter=plain)
";

/// Unpacks an archive into a folder, and nowhere else. Links are refused, since they could point elsewhere, and wheels contain none. A
/// failure prints one line: python3 -c THIS ARCHIVE FOLDER
const UNPACK: &str = "\
import sys, tarfile, zlib
try:
    with tarfile.open(sys.argv[1]) as archive:
        for member in archive:
            if member.name.startswith('/') or '..' in member.name.split('/') or not (member.isreg() or member.isdir()):
                sys.exit('`' + member.name + '` in it is not a file of a tool')
        archive.extractall(sys.argv[2], **({'filter': 'data'} if hasattr(tarfile, 'data_filter') else {}))
except (tarfile.TarError, EOFError, zlib.error):
    sys.exit('it is damaged, or `binade doctor --bundle` has not made it')
except OSError as error:
    sys.exit(str(error))
";

/// All packages that a machine without a registry needs.
fn packages() -> Vec<Package> {
    let nextpnr = nextpnr::RUNTIME.into_iter().chain(Device::ALL.map(Device::package));
    [verilator::PACKAGE, yosys::PACKAGE, vega::PACKAGE].into_iter().chain(nextpnr).collect()
}

/// Writes all pinned tools into the archive `file`; missing ones are installed first.
pub(crate) fn write(home: &Path, file: &Path) -> Result<(), Error> {
    let failed = || Error::io(format!("write `{}`", file.display()));
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Done first, so that a missing folder is reported before minutes of installing.
    let aside = scratch::file_aside(".binade-", folder).map_err(failed())?;
    let folders = packages().iter().map(|package| package.ensure(home)).collect::<Result<Vec<_>, _>>()?;
    let mut python = install::python()?;
    run(python.args(["-c", PACK]).arg(aside.path()).args(folders), "packing the tools")?;
    aside.persist(file).map_err(|error| failed()(error.error))?;
    Ok(())
}

/// Installs the tools from the archive `file`, except those already installed. Returns the number of tools installed.
pub(crate) fn read(home: &Path, file: &Path) -> Result<usize, Error> {
    fs::File::open(file).map_err(Error::io(format!("read `{}`", file.display())))?;
    fs::create_dir_all(home).map_err(Error::io(format!("make `{}`", home.display())))?;
    let aside = tempfile::Builder::new().prefix("installing-bundle-").tempdir_in(home);
    let aside = aside.map_err(Error::io(format!("write into `{}`", home.display())))?;
    let mut python = install::python()?;
    let (status, said) = run_to_end(python.args(["-c", UNPACK]).arg(file).arg(aside.path()), "unpacking the tools")?;
    if !status.success() {
        return Err(Error::io(format!("unpack `{}`", file.display()))(io::Error::other(said.stderr.trim())));
    }
    let packages = packages();
    let mut folders = vec![];
    for package in &packages {
        let folder = package.folder(home)?;
        let unpacked = aside.path().join(folder.file_name().expect("a package has a name"));
        if !unpacked.is_dir() && !folder.exists() {
            return Err(Error::Missing {
                tool: format!("{} in `{}`", package.title(), file.display()),
                advice: "make the file again with this version of Binade (and, for Yosys, of Python): `binade doctor --bundle`".into(),
            });
        }
        folders.push((unpacked, folder));
    }
    let mut installed = 0;
    for (package, (unpacked, folder)) in packages.iter().zip(folders) {
        let _lock = package.lock(home)?;
        if !folder.exists() {
            fs::rename(&unpacked, &folder).map_err(Error::io(format!("write `{}`", folder.display())))?;
            installed += 1;
        }
    }
    Ok(installed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn python(script: &str, arguments: &[&Path]) -> std::process::Output {
        Command::new("python3").args(["-c", script]).args(arguments).output().unwrap()
    }

    /// A home with an empty file for each tool.
    fn home(folder: &Path) {
        for package in packages() {
            let tool = package.folder(folder).unwrap();
            fs::create_dir_all(&tool).unwrap();
            fs::write(tool.join("file"), package.title()).unwrap();
        }
    }

    #[test]
    fn what_is_packed_is_installed_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to, file) =
            (folder.path().join("from"), folder.path().join("to"), folder.path().join("tools.tar.gz"));
        home(&from);
        write(&from, &file).unwrap();
        assert_eq!(read(&to, &file).unwrap(), packages().len());
        let yosys = yosys::PACKAGE.folder(&to).unwrap().join("file");
        assert_eq!(fs::read_to_string(yosys).unwrap(), yosys::PACKAGE.title());
        assert_eq!(read(&to, &file).unwrap(), 0, "all are there");
        let mut left = fs::read_dir(&to).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
        assert!(!left.any(|name| name.starts_with("installing")));
    }

    /// Installing needs a network; a missing folder is reported before.
    #[test]
    fn a_folder_that_is_missing_is_told_first() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let error = write(&home, &folder.path().join("absent/tools.tar.gz")).unwrap_err().to_string();
        assert!(error.starts_with("cannot write") && !home.exists(), "{error}");
    }

    #[test]
    fn others_may_read_the_archive() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, plain) = (folder.path().join("tools.tar.gz"), folder.path().join("plain"));
        home(folder.path());
        write(folder.path(), &file).unwrap();
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&file), mode(&plain));
    }

    #[test]
    fn archives_of_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (file, to) = (folder.path().join("x.tar.gz"), folder.path().join("to"));
        let refusal = || read(&to, &file).unwrap_err().to_string();
        let member = |name: &str, fields: &str| {
            let script = format!(
                "import sys, tarfile\nmember = tarfile.TarInfo('{name}')\n{fields}\n\
                 with tarfile.open(sys.argv[1], 'w:gz') as archive:\n    archive.addfile(member)\n"
            );
            assert!(python(&script, &[&file]).status.success());
        };
        let link = |to: &str| format!("member.type, member.linkname = tarfile.SYMTYPE, '{to}'");
        for (name, fields) in
            [("../escaped", ""), ("/escaped", ""), ("tool/link", &link("/etc")), ("tool/link", &link("../.."))]
        {
            member(name, fields);
            let expected = format!("cannot unpack `{}`: `{name}` in it is not a file of a tool", file.display());
            assert_eq!(refusal(), expected);
        }
        assert!(!folder.path().join("escaped").exists());
        assert!(python(PACK, &[&file]).status.success());
        let error = refusal();
        assert!(error.contains("verilator 5.48.0 in `") && error.contains("make the file again"), "{error}");
        let damaged = "it is damaged, or `binade doctor --bundle` has not made it";
        fs::write(&file, "text").unwrap();
        assert_eq!(refusal(), format!("cannot unpack `{}`: {damaged}", file.display()));
        assert!(read(&to, Path::new("absent")).unwrap_err().to_string().starts_with("cannot read `absent`"));
    }
}
