//! Turns Verilog into a shared library: Verilator writes C++, and the compiler does the rest. Make is not needed.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use binade_tools::{Cache, Compiler, Error, Tools, Verilator, cache_used, lock_file, run, scratch_dir};

use super::cache;
use super::harness::{CLASS, TOP, class, harness, top};
use super::{Dut, VerilogModule};
use binade_tools::checksummed;

/// Measured on 1500 random operators, `-march=native` gained nothing and `-O2` ran as fast, so the library stays portable. Hidden symbols
/// let each model in a process keep its own runtime. `-fno-finite-loops` keeps an endless loop endless; C++ compilers may otherwise assume
/// that it ends.
const FLAGS: [&str; 7] = ["-std=gnu++17", "-O3", "-fPIC", "-fvisibility=hidden", "-pthread", "-w", "-fno-finite-loops"];

/// Above this many bytes of C++, a model is optimized less: a 16 x 16 array has 31 MB, which take a minute and a half even so.
const LARGE: u64 = 8 << 20;

/// The option for large models, after [`FLAGS`].
const LESS: &str = "-O1";

/// Options for generated C++ and Verilator's runtime, in addition to [`FLAGS`].
const DEFINES: [&str; 10] = defines("-DVM_TRACE=0", "-DVM_TRACE_VCD=0");

/// Options for a model with waves, in place of [`DEFINES`].
const TRACE_DEFINES: [&str; 10] = defines("-DVM_TRACE=1", "-DVM_TRACE_VCD=1");

/// What a unit prints goes to stderr, since stdout is for reports. The harness is told when a simulation ends (`stop.cpp`).
const fn defines(trace: &'static str, vcd: &'static str) -> [&'static str; 10] {
    [
        "-DVERILATOR=1",
        "-DVM_COVERAGE=0",
        "-DVM_SC=0",
        trace,
        vcd,
        "-DVM_TIMING=0",
        "-DVL_PRINTF(...)=fprintf(stderr,__VA_ARGS__)",
        "-DVL_USER_STOP",
        "-DVL_USER_FINISH",
        "-DVL_USER_FATAL",
    ]
}

/// The part of Verilator's runtime that models without traces need.
const RUNTIME: &str = "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n";

/// What every model includes first.
const HEADER: &str = "#include \"verilated.h\"\n";

/// The runtime that a model with waves needs.
const TRACE_RUNTIME: &str =
    "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n#include \"verilated_vcd_c.cpp\"\n";

/// Hexadecimal digits of the key that distinguish units compiled together.
const ID_DIGITS: usize = 16;

/// Everything a model is made from.
pub(super) struct Recipe<'a> {
    module: VerilogModule<'a>,
    top: String,
    harness: String,
    /// A hash of everything the library is made from.
    key: String,
    verilator: Verilator,
    compiler: Compiler,
    cache: Cache,
}

impl<'a> Recipe<'a> {
    pub fn new(tools: &Tools, module: &VerilogModule<'a>) -> Result<Recipe<'a>, Error> {
        let mut recipe = Recipe {
            module: *module,
            top: top(module),
            harness: harness("", module),
            key: String::new(),
            verilator: tools.verilator()?,
            compiler: tools.compiler()?,
            cache: tools.cache(),
        };
        let dut = module.dut.map_or("", Dut::key);
        recipe.key = recipe.key_of(&[module.name, module.verilog, dut, &recipe.top, &recipe.harness]);
        recipe.harness = harness(recipe.id(), module);
        Ok(recipe)
    }

    /// The part of C++ names that is unique to the unit.
    pub fn id(&self) -> &str {
        &self.key[..ID_DIGITS]
    }

    /// The path of the library, whether it exists or not.
    pub fn library(&self) -> PathBuf {
        self.cache.folder().join("models").join(&self.key).with_extension("so")
    }

    fn key_of(&self, sources: &[&str]) -> String {
        // The full command, with arguments in `CXX`.
        let compiler = format!("{:?}", self.compiler.command());
        let tools = [self.verilator.version.as_str(), &compiler, &self.compiler.version];
        checksummed::key([sources, &tools, &FLAGS, &DEFINES].concat())
    }

    /// Builds and stores the libraries of several units. They are compiled as one, which is much faster than one by one, and each unit gets
    /// a copy under its own key: if one of them changes later, the others are not rebuilt.
    pub fn make_libraries(recipes: &[&Recipe]) -> Result<(), Error> {
        let Some(first) = recipes.first() else { return Ok(()) };
        let runtime = first.runtime(RUNTIME, &DEFINES, "-O3")?;
        let header = first.header()?;
        let scratch = scratch_dir()?;
        let (mut together, mut largest) = (String::new(), 0);
        for recipe in recipes {
            let folder = scratch.path().join(recipe.id());
            fs::create_dir(&folder).map_err(Error::io(format!("make `{}`", folder.display())))?;
            largest = largest.max(recipe.verilate(&folder, &class(recipe.id()), &[])?);
            write(&folder, "harness.cpp", &recipe.harness)?;
            together += &format!("#include \"{}/harness.cpp\"\n", recipe.id());
        }
        write(scratch.path(), "models.cpp", &together)?;
        let mut options = vec![OsStr::new("-shared"), runtime.as_os_str()];
        options.extend((largest > LARGE).then_some(OsStr::new(LESS)));
        options.extend(header.iter().flat_map(|header| [OsStr::new("-include"), header.as_os_str()]));
        let modules: Vec<&str> = recipes.iter().map(|recipe| recipe.module.name).collect();
        first.compile(scratch.path(), &DEFINES, "models.cpp", "models.so", &options, &modules.join(", "))?;
        for recipe in recipes {
            cache::store(&scratch.path().join("models.so"), &recipe.library())?;
            recipe.cache.grown();
        }
        Ok(())
    }

    /// What all models share, compiled once and stored.
    fn shared(
        &self,
        sources: &[&str],
        ending: &str,
        make: impl Fn(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let kept = self.cache.folder().join("runtime").join(self.key_of(sources)).with_extension(ending);
        if !cache::was_intact(&kept) {
            let _lock = lock_file(&self.cache.folder().join("runtime/lock"), "compiles Verilator's runtime")?;
            // Another thread or process may have made it while we waited for the lock.
            if !cache::was_intact(&kept) {
                make(&kept)?;
            }
        }
        cache_used(&kept);
        Ok(kept)
    }

    /// Verilator's runtime, compiled: the parts that `source` includes.
    fn runtime(&self, source: &str, defines: &[&str], optimize: &str) -> Result<PathBuf, Error> {
        self.shared(&[&[source, optimize], defines].concat(), "o", |kept| {
            let scratch = scratch_dir()?;
            write(scratch.path(), "runtime.cpp", source)?;
            let options = ["-c", optimize].map(OsStr::new);
            self.compile(scratch.path(), defines, "runtime.cpp", "runtime.o", &options, self.module.name)?;
            cache::store(&scratch.path().join("runtime.o"), kept)
        })
    }

    /// Verilator's header with its precompiled form beside it; parsing the header takes longer than compiling a small model. Clang reads
    /// precompiled headers to the end of the file, where our checksum would be.
    fn header(&self) -> Result<Option<PathBuf>, Error> {
        if self.compiler.version.contains("clang") {
            return Ok(None);
        }
        let precompiled = self.shared(&[HEADER], "h.gch", |kept| self.make_header(kept))?;
        Ok(Some(precompiled.with_extension("")))
    }

    fn make_header(&self, kept: &Path) -> Result<(), Error> {
        let scratch = scratch_dir()?;
        write(scratch.path(), "header.h", HEADER)?;
        self.compile(scratch.path(), &DEFINES, "header.h", "header.h.gch", &[], self.module.name)?;
        // The plain header, used if the precompiled one does not fit.
        let plain = kept.with_extension("");
        let folder = kept.parent().expect("a file in the cache has a folder");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&plain, HEADER))
            .map_err(Error::io(format!("write `{}`", plain.display())))?;
        cache::store(&scratch.path().join("header.h.gch"), kept)
    }

    /// Builds and runs a program that evaluates a few vectors with waves; `driver` is its C++. The waves are written to `folder`, under the
    /// name that the driver gives.
    pub fn run_traced(&self, folder: &Path, driver: &str) -> Result<(), Error> {
        // With few vectors, most of the time goes into compiling.
        let runtime = self.runtime(TRACE_RUNTIME, &TRACE_DEFINES, "-O0")?;
        self.verilate(folder, CLASS, &["--trace"])?;
        write(folder, "driver.cpp", driver)?;
        let options = [runtime.as_os_str(), OsStr::new("-O0")];
        self.compile(folder, &TRACE_DEFINES, "driver.cpp", "driver", &options, self.module.name)?;
        let mut program = Command::new(folder.join("driver"));
        run(program.current_dir(folder), "the traced model")?;
        Ok(())
    }

    /// Builds and runs a fast program with its own way to drive the module; `driver` is its C++. Returns what it prints.
    pub fn run_driven(&self, folder: &Path, driver: &str) -> Result<String, Error> {
        let (runtime, header) = (self.runtime(RUNTIME, &DEFINES, "-O3")?, self.header()?);
        self.verilate(folder, CLASS, &[])?;
        write(folder, "driver.cpp", driver)?;
        let mut options = vec![runtime.as_os_str()];
        options.extend(header.iter().flat_map(|header| [OsStr::new("-include"), header.as_os_str()]));
        self.compile(folder, &DEFINES, "driver.cpp", "driver", &options, self.module.name)?;
        let mut program = Command::new(folder.join("driver"));
        Ok(run(program.current_dir(folder), &format!("the simulation of `{}`", self.module.name))?.stdout)
    }

    /// Writes `model.cpp` and everything it includes to `folder`, with the C++ class `class`; returns its size in bytes.
    fn verilate(&self, folder: &Path, class: &str, options: &[&str]) -> Result<u64, Error> {
        let unit = format!("{}.v", self.module.name);
        write(folder, &unit, self.module.verilog)?;
        write(folder, "binade_top.v", &self.top)?;
        let mut command = self.verilator.command();
        command.args(["--cc", "-O3", "--Mdir", ".", "--prefix", class, "--top-module", TOP, "binade_top.v", &unit]);
        // Variables that were never written are random, not 0.
        command.args(["--x-initial", "unique", "--x-assign", "unique"]);
        command.args(options);
        command.args(self.module.dut.iter().flat_map(|dut| dut.sources.arguments()));
        run(command.current_dir(folder), &format!("Verilator {} on `{unit}`", self.verilator.version))?;
        let (model, bytes) = include_all(folder)?;
        write(folder, "model.cpp", &model)?;
        Ok(bytes)
    }

    /// Compiles the C++ of `modules`.
    fn compile(
        &self,
        folder: &Path,
        defines: &[&str],
        source: &str,
        made: &str,
        more: &[&OsStr],
        modules: &str,
    ) -> Result<(), Error> {
        let mut command = self.compiler.command();
        let include = self.verilator.root.join("include");
        // `svdpi.h`, for modules with C functions, is in `vltstd`.
        command.args(FLAGS).args(defines).arg("-I").arg(&include).arg("-I").arg(include.join("vltstd"));
        command.args([source, "-o", made]).args(more);
        // The compiler's own temporary files are removed with the folder.
        command.current_dir(folder).env("TMPDIR", folder);
        let what = format!("the C++ compiler on what Verilator made of `{modules}`");
        run(&mut command, &what)?;
        if folder.join(made).exists() {
            return Ok(());
        }
        let (status, output) = ("exit status: 0".into(), format!("it made no `{made}`; CXX names another compiler"));
        Err(Error::Failed { what, status, output })
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(Error::io(format!("write `{}`", path.display())))
}

/// One C++ file that includes all files in `folder`, and their total size in bytes.
fn include_all(folder: &Path) -> Result<(String, u64), Error> {
    let entries = fs::read_dir(folder).and_then(|entries| {
        let sized =
            |entry: fs::DirEntry| Ok((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
        entries.map(|entry| entry.and_then(sized)).collect::<Result<Vec<_>, _>>()
    });
    let mut files = entries.map_err(Error::io(format!("read `{}`", folder.display())))?;
    files.retain(|(name, _)| name.ends_with(".cpp"));
    files.sort();
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes).sum();
    Ok((files.iter().map(|(name, _)| format!("#include \"{name}\"\n")).collect(), bytes))
}
