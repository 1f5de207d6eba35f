//! A compiled unit, loaded into this process.

use std::ffi::{CStr, c_void};
use std::io;
use std::path::Path;
use std::sync::Arc;

use binade_tools::{Error, Tools};
use libloading::Library;

use super::VerilogModule;
use super::compile::Recipe;
use super::{Watch, Watches};
use crate::engines::PortWidth;
use crate::verdict::{Device, Fault, Violation};
use binade_spec::word::{limbs, word_of_limbs};
use binade_spec::{Column, ColumnMut, Word};
use binade_tools::checksummed;

/// The seed of the bare loop's random numbers; any value but 0 will do.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The functions of `testbench/verilator/harness.cpp`.
struct Functions {
    create: unsafe extern "C" fn(u64) -> *mut c_void,
    destroy: unsafe extern "C" fn(*mut c_void),
    evaluate: Evaluate,
    bare_loop: unsafe extern "C" fn(*mut c_void, u64, u64) -> u64,
}

/// Instance, inputs, outputs, vectors, seed, clocks, progress, report.
type Evaluate =
    unsafe extern "C" fn(*mut c_void, *const *const u64, *const *mut u64, usize, u64, *mut u32, *mut u64, *mut Report);

/// What `evaluate` reports about a faulty clock, or about the end of the simulation.
#[repr(C)]
struct Report {
    kind: u64,
    clock: u64,
    vector: u64,
    /// The limbs of all outputs side by side, or the level of `out_valid` or `in_ready`.
    want: *mut u64,
    got: *mut u64,
    what: [u8; 128],
    file: [u8; 512],
    line: u64,
}

impl Report {
    /// What stopped the simulation, as in `$finish at mul.v:12`.
    fn stop(&self) -> String {
        let text = |bytes: &[u8]| CStr::from_bytes_until_nul(bytes).unwrap_or_default().to_string_lossy().into_owned();
        let (what, file) = (text(&self.what), text(&self.file));
        if file.is_empty() { what } else { format!("{what} at {file}:{}", self.line) }
    }
}

/// The first clock that went wrong.
struct ClockReport {
    fault: Fault,
    clock: u64,
    vector: u64,
    want: Vec<u64>,
    got: Vec<u64>,
    /// What stopped the simulation.
    stop: Option<String>,
}

impl ClockReport {
    fn violation(self, block: u64, output_limbs: &[usize]) -> Violation {
        let ClockReport { fault, clock, vector, want, got, stop } = self;
        let words = |side_by_side: &[u64]| match fault {
            Fault::Stopped => vec![],
            Fault::OutValid | Fault::InReady | Fault::Lost | Fault::Refused | Fault::Tag => {
                vec![Word::from(side_by_side[0])]
            }
            Fault::OutputMoved | Fault::OfferMoved | Fault::OfferGone | Fault::Results => {
                let mut rest = side_by_side;
                let mut word = |&limbs: &usize| {
                    let (own, others) = rest.split_at(limbs);
                    rest = others;
                    word_of_limbs(own)
                };
                output_limbs.iter().map(&mut word).collect()
            }
        };
        Violation { fault, block, clock, vector, want: words(&want), got: words(&got), stop }
    }
}

/// A compiled and loaded module. Threads share it; each works on its own [`Instance`].
pub struct CompiledModule {
    functions: Functions,
    /// Limbs of each port.
    input_limbs: Vec<usize>,
    output_limbs: Vec<usize>,
    is_clocked: bool,
    /// Whether it is a user's.
    is_foreign: bool,
    from_cache: bool,
    watches: Watches,
    /// Keeps `functions` valid.
    _library: Library,
}

impl CompiledModule {
    /// Compiles a module, or loads the result of an earlier call with the same texts and tools.
    ///
    /// # Errors
    /// When Verilator or the C++ compiler is missing or fails.
    ///
    /// # Panics
    /// When a port has no bits, or there is no output.
    pub fn build(tools: &Tools, module: &VerilogModule) -> Result<CompiledModule, Error> {
        let recipe = recipe(tools, module)?;
        let library = recipe.library();
        if checksummed::is_intact(&library)
            && let Ok(compiled) = CompiledModule::load(&library, recipe.id(), module, true)
        {
            binade_tools::cache_used(&library);
            return Ok(compiled);
        }
        Recipe::make_libraries(&[&recipe])?;
        CompiledModule::load(&library, recipe.id(), module, false)
    }

    /// Compiles those of several modules that are not in the cache yet, together, so that [`build`](Self::build) finds them there. If one
    /// cannot be compiled, none is; `build` says which. Returns for each module whether it was compiled.
    ///
    /// # Errors
    /// When Verilator or the C++ compiler is missing or fails.
    pub fn build_together(tools: &Tools, modules: &[VerilogModule]) -> Result<Vec<bool>, Error> {
        let recipes = modules.iter().map(|module| recipe(tools, module)).collect::<Result<Vec<_>, _>>()?;
        let is_missing: Vec<bool> = recipes.iter().map(|recipe| !checksummed::is_intact(&recipe.library())).collect();
        let missing = recipes.iter().zip(&is_missing).filter(|(_, is_missing)| **is_missing);
        let mut missing: Vec<&Recipe> = missing.map(|(recipe, _)| recipe).collect();
        missing.sort_by_key(|recipe| recipe.id());
        missing.dedup_by_key(|recipe| recipe.id());
        Recipe::make_libraries(&missing)?;
        Ok(is_missing)
    }

    /// Whether an earlier call compiled it.
    pub fn from_cache(&self) -> bool {
        self.from_cache
    }

    /// The state of its instances, for another thread to inspect.
    pub(crate) fn watches(&self) -> &Watches {
        &self.watches
    }

    /// A copy with its own registers and wires; each thread needs one.
    pub fn instance(&self) -> Instance<'_> {
        // SAFETY: `create` is the harness' function of this type; its library is loaded as long as `self` lives.
        let watch = self.watches.add();
        let _call = watch.begin(0, &[]);
        let handle = unsafe { (self.functions.create)(SEED) };
        drop(_call);
        Instance { module: self, handle, watch }
    }

    /// A copy of a clocked module with its own registers and wires, to stream vectors through; `seed` determines bubbles, stalls and
    /// resets.
    ///
    /// # Panics
    /// When the module has no clock.
    pub fn stream(&self, seed: u64) -> Stream<'_> {
        assert!(self.is_clocked, "only through a clocked module vectors are streamed");
        Stream { instance: self.instance(), seed, clocks: vec![] }
    }

    fn load(path: &Path, id: &str, module: &VerilogModule, from_cache: bool) -> Result<CompiledModule, Error> {
        // SAFETY: the file was compiled from our harness, whose constructors and functions are known; the seal was
        // checked or it was just made.
        let loaded = unsafe { Library::new(path).and_then(|library| Ok((Functions::of(&library, id)?, library))) };
        let (functions, library) = loaded.map_err(|error| {
            Error::io(format!("load the compiled model `{}`", path.display()))(io::Error::other(error))
        })?;
        let limbs = |ports: &[PortWidth]| ports.iter().map(|port| limbs(port.width)).collect();
        let (input_limbs, output_limbs) = (limbs(module.inputs), limbs(module.outputs));
        Ok(CompiledModule {
            functions,
            input_limbs,
            output_limbs,
            is_clocked: module.is_clocked(),
            is_foreign: module.dut.is_some(),
            from_cache,
            watches: Watches::default(),
            _library: library,
        })
    }
}

/// # Panics
/// When a port has no bits, or there is no output.
fn recipe<'a>(tools: &Tools, module: &VerilogModule<'a>) -> Result<Recipe<'a>, Error> {
    let VerilogModule { name, inputs, outputs, .. } = *module;
    for port in inputs.iter().chain(outputs) {
        assert!(port.width > 0, "port `{}` has no bits", port.name);
    }
    assert!(!outputs.is_empty(), "`{name}` has no outputs");
    Recipe::new(tools, module)
}

impl Functions {
    /// # Safety
    /// `library` is a compiled harness, and stays loaded as long as the functions are used.
    unsafe fn of(library: &Library, id: &str) -> Result<Functions, libloading::Error> {
        let name = |function: &str| format!("binade_{function}_{id}");
        // SAFETY: the types are those in `harness.cpp`.
        unsafe {
            Ok(Functions {
                create: *library.get(name("create"))?,
                destroy: *library.get(name("destroy"))?,
                evaluate: *library.get(name("evaluate"))?,
                bare_loop: *library.get(name("bare_loop"))?,
            })
        }
    }
}

/// One simulation of a [`CompiledModule`].
pub struct Instance<'m> {
    module: &'m CompiledModule,
    handle: *mut c_void,
    watch: Arc<Watch>,
}

// SAFETY: the handle owns its simulation, context included; nothing in it is tied to the thread that made it.
unsafe impl Send for Instance<'_> {}

impl Instance<'_> {
    /// Evaluates a batch on a combinational module: fills each output's column with the results of the inputs' columns.
    ///
    /// Bits above a port's width are ignored.
    ///
    /// # Panics
    /// When there is not exactly one column per port, as wide as the port and as long as the others; when the module has a clock; or when
    /// it stops the simulation.
    pub fn evaluate(&mut self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        assert!(!self.module.is_clocked, "vectors are streamed through a clocked module");
        if let Err(report) = self.run(0, inputs, outputs, 0, &mut []) {
            panic!("the simulation was stopped by {}", report.stop.unwrap_or_default());
        }
    }

    /// One call of the harness. `clocks` has one entry per vector, or none for a combinational module. Returns the first clock that went
    /// wrong.
    fn run(
        &mut self,
        block: u64,
        inputs: &[Column],
        outputs: &mut [ColumnMut],
        seed: u64,
        clocks: &mut [u32],
    ) -> Result<(), ClockReport> {
        let CompiledModule { input_limbs, output_limbs, is_clocked, .. } = self.module;
        assert_eq!(inputs.len(), input_limbs.len(), "one column for each input");
        assert_eq!(outputs.len(), output_limbs.len(), "one column for each output");
        let count = outputs[0].words.len() / output_limbs[0];
        let is_fitting = |limbs: usize, words: usize, wanted: usize| limbs == wanted && words == count * limbs;
        let of_inputs = inputs.iter().map(|column| (column.limbs, column.words.len())).zip(input_limbs);
        let of_outputs = outputs.iter().map(|column| (column.limbs, column.words.len())).zip(output_limbs);
        for ((limbs, words), &wanted) in of_inputs.chain(of_outputs) {
            assert!(is_fitting(limbs, words, wanted), "{words} words of {limbs} limbs for {count} of {wanted} limbs");
        }
        assert!(!is_clocked || clocks.len() == count, "as many clocks as vectors");
        let read: Vec<*const u64> = inputs.iter().map(|column| column.words.as_ptr()).collect();
        let written: Vec<*mut u64> = outputs.iter_mut().map(|column| column.words.as_mut_ptr()).collect();
        let [mut want, mut got] = [(); 2].map(|()| vec![0; output_limbs.iter().sum()]);
        let (what, file) = ([0; 128], [0; 512]);
        let (want_limbs, got_limbs) = (want.as_mut_ptr(), got.as_mut_ptr());
        let mut report = Report { kind: 0, clock: 0, vector: 0, want: want_limbs, got: got_limbs, what, file, line: 0 };
        let _call = self.watch.begin(block, inputs);
        let (read, written, clocks) = (read.as_ptr(), written.as_ptr(), clocks.as_mut_ptr());
        // SAFETY: the harness reads `count` words with the port's limbs from each input pointer, and writes as many to each output
        // pointer, and as many clocks if it has a clock; the lengths were just checked. `want` and `got` have the limbs of all
        // outputs. The progress lives as long as the watch. The handle is alive until `drop`, and `&mut self` excludes other users.
        unsafe {
            let evaluate = self.module.functions.evaluate;
            evaluate(self.handle, read, written, count, seed, clocks, self.watch.progress(), &mut report);
        }
        let Report { kind, clock, vector, .. } = report;
        let fault = match kind {
            0 => return Ok(()),
            1 => Fault::OutValid,
            2 => Fault::OutputMoved,
            3 => Fault::Results,
            5 => Fault::InReady,
            6 => Fault::OfferMoved,
            7 => Fault::OfferGone,
            8 => Fault::Lost,
            9 => Fault::Refused,
            10 => Fault::Tag,
            _ => Fault::Stopped,
        };
        let stop = (fault == Fault::Stopped).then(|| report.stop());
        Err(ClockReport { fault, clock, vector, want, got, stop })
    }

    /// Makes the simulation anew, with other values in its registers.
    fn renew(&mut self, seed: u64) {
        // SAFETY: as in `drop` and `CompiledModule::instance`.
        unsafe {
            (self.module.functions.destroy)(self.handle);
            self.handle = (self.module.functions.create)(seed);
        }
    }

    /// Evaluates `count` random vectors in a loop as one would write it by hand in C++, with Verilator's public `eval()`, and returns a
    /// checksum. The rate of [`evaluate`](Self::evaluate) is compared with it.
    pub fn bare_loop(&mut self, count: u64) -> u64 {
        // SAFETY: as in `evaluate`; it touches no memory of ours.
        unsafe { (self.module.functions.bare_loop)(self.handle, count, SEED) }
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle comes from `create` and is not used again.
        unsafe { (self.module.functions.destroy)(self.handle) }
    }
}

/// A combinational module, block by block.
impl Device for Instance<'_> {
    fn evaluate(&mut self, block: u64, inputs: &[Column], outputs: &mut [ColumnMut]) -> Result<(), Violation> {
        let report = self.run(block, inputs, outputs, 0, &mut []);
        report.map_err(|report| report.violation(block, &self.module.output_limbs))
    }

    fn clock(&self, _: usize) -> Option<u64> {
        None
    }
}

/// A clocked module through which blocks of vectors are streamed.
pub struct Stream<'m> {
    instance: Instance<'m>,
    seed: u64,
    /// For each vector of the last block, the clock at which its results arrived.
    clocks: Vec<u32>,
}

impl Device for Stream<'_> {
    /// A block starts with a reset and has its own bubbles, stalls and resets, whichever blocks came before; in a user's module, the
    /// registers that the reset leaves alone have values of their own, too.
    fn evaluate(&mut self, block: u64, inputs: &[Column], outputs: &mut [ColumnMut]) -> Result<(), Violation> {
        self.clocks.resize(outputs[0].words.len() / outputs[0].limbs, 0);
        let seed = self.seed ^ (block + 1).wrapping_mul(SEED);
        if self.instance.module.is_foreign {
            self.instance.renew(seed);
        }
        let report = self.instance.run(block, inputs, outputs, seed, &mut self.clocks);
        report.map_err(|report| report.violation(block, &self.instance.module.output_limbs))
    }

    fn clock(&self, vector: usize) -> Option<u64> {
        self.clocks.get(vector).map(|&clock| clock.into())
    }
}
