//! A compiled unit, loaded into this process.

use std::ffi::c_void;
use std::io;
use std::path::Path;

use binade_tools::{Error, Tools};
use libloading::Library;

use super::VerilogModule;
use super::compile::Recipe;
use super::prune;
use crate::run::sealed;
use crate::verdict::Device;
use crate::verdict::{Fault, Violation};

/// The start of the bare loop's random numbers; any but 0 will do.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The functions of `testbench/verilator/harness.cpp`.
struct Functions {
    create: unsafe extern "C" fn(u64) -> *mut c_void,
    destroy: unsafe extern "C" fn(*mut c_void),
    evaluate: unsafe extern "C" fn(*mut c_void, *const *const u64, *mut u64, usize, u64, *mut u32, *mut Report),
    bare_loop: unsafe extern "C" fn(*mut c_void, u64, u64) -> u64,
}

/// What `evaluate` says of a clock that went wrong.
#[derive(Default)]
#[repr(C)]
struct Report {
    kind: u64,
    clock: u64,
    vector: u64,
    want: u64,
    got: u64,
}

/// A module, compiled and loaded. Threads share it; each works on its own [`Instance`].
pub struct Model {
    functions: Functions,
    inputs: usize,
    latency: u32,
    from_cache: bool,
    /// Keeps `functions` valid.
    _library: Library,
}

impl Model {
    /// Compiles a module, or takes what an earlier call with the same texts and tools has left.
    ///
    /// # Panics
    /// When a port is not 1 to 64 bits wide, or the outputs together have more bits.
    pub fn build(tools: &Tools, module: &VerilogModule) -> Result<Model, Error> {
        let recipe = recipe(tools, module)?;
        let library = recipe.library();
        if sealed::is_intact(&library)
            && let Ok(model) = Model::load(&library, recipe.id(), module, true)
        {
            prune::used(&library);
            return Ok(model);
        }
        Recipe::make_libraries(&[&recipe])?;
        Model::load(&library, recipe.id(), module, false)
    }

    /// Compiles what is not in the cache yet of several modules, together, so that [`build`](Self::build) finds it there.
    /// When one of them cannot be compiled, none is; `build` says which. The answer is which of them were compiled.
    pub fn build_together(tools: &Tools, modules: &[VerilogModule]) -> Result<Vec<bool>, Error> {
        let recipes = modules.iter().map(|module| recipe(tools, module)).collect::<Result<Vec<_>, _>>()?;
        let is_missing: Vec<bool> = recipes.iter().map(|recipe| !sealed::is_intact(&recipe.library())).collect();
        let missing = recipes.iter().zip(&is_missing).filter(|(_, is_missing)| **is_missing);
        let mut missing: Vec<&Recipe> = missing.map(|(recipe, _)| recipe).collect();
        missing.sort_by_key(|recipe| recipe.id());
        missing.dedup_by_key(|recipe| recipe.id());
        Recipe::make_libraries(&missing)?;
        Ok(is_missing)
    }

    /// Whether it was compiled by an earlier call.
    pub fn from_cache(&self) -> bool {
        self.from_cache
    }

    /// The module with registers and wires of its own: one for each thread.
    pub fn instance(&self) -> Instance<'_> {
        // SAFETY: `create` is the harness' function of this type; its library is loaded as long as `self` lives.
        Instance { model: self, handle: unsafe { (self.functions.create)(SEED) } }
    }

    /// A pipelined module with registers and wires of its own, to stream vectors through; `seed` decides the bubbles, stalls and
    /// resets.
    ///
    /// # Panics
    /// When the module is combinational.
    pub fn stream(&self, seed: u64) -> Stream<'_> {
        assert!(self.latency > 0, "only through a pipelined module vectors are streamed");
        Stream { instance: self.instance(), seed, clocks: vec![] }
    }

    fn load(path: &Path, id: &str, module: &VerilogModule, from_cache: bool) -> Result<Model, Error> {
        // SAFETY: the file was compiled from our harness, whose constructors and functions are known; the seal was
        // checked or it was just made.
        let loaded = unsafe { Library::new(path).and_then(|library| Ok((Functions::of(&library, id)?, library))) };
        let (functions, library) = loaded.map_err(|error| {
            Error::io(format!("load the compiled model `{}`", path.display()))(io::Error::other(error))
        })?;
        let (inputs, latency) = (module.inputs.len(), module.latency);
        Ok(Model { functions, inputs, latency, from_cache, _library: library })
    }
}

/// # Panics
/// When a port is not 1 to 64 bits wide, or the outputs together have more bits.
fn recipe<'a>(tools: &Tools, module: &VerilogModule<'a>) -> Result<Recipe<'a>, Error> {
    let VerilogModule { name, inputs, outputs, .. } = *module;
    for port in inputs.iter().chain(outputs) {
        assert!((1..=64).contains(&port.width), "port `{}` is {} bits wide, not 1 to 64", port.name, port.width);
    }
    let bits: u32 = outputs.iter().map(|port| port.width).sum();
    assert!(bits <= 64, "the outputs of `{name}` have {bits} bits");
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

/// One simulation of a [`Model`].
pub struct Instance<'m> {
    model: &'m Model,
    handle: *mut c_void,
}

// SAFETY: the handle owns its simulation, context included; nothing in it is tied to the thread that made it.
unsafe impl Send for Instance<'_> {}

impl Instance<'_> {
    /// Evaluates a batch on a combinational module: `output[v]` is the answer to input `i` having the value `inputs[i][v]`; several outputs are packed,
    /// the first in the lowest bits.
    ///
    /// Bits above a port's width are ignored.
    ///
    /// # Panics
    /// When there is not one slice for each input, each as long as `output`, or when the module has a clock.
    pub fn evaluate(&mut self, inputs: &[&[u64]], output: &mut [u64]) {
        assert_eq!(self.model.latency, 0, "vectors are streamed through a pipelined module");
        self.run(inputs, output, 0, &mut []);
    }

    /// One call of the harness. `clocks` is as long as `output`, or empty for a combinational module.
    fn run(&mut self, inputs: &[&[u64]], output: &mut [u64], seed: u64, clocks: &mut [u32]) -> Report {
        assert_eq!(inputs.len(), self.model.inputs, "one slice for each input");
        assert!(inputs.iter().all(|input| input.len() == output.len()), "as many values for each input as outputs");
        let pointers: Vec<*const u64> = inputs.iter().map(|input| input.as_ptr()).collect();
        assert!(self.model.latency == 0 || clocks.len() == output.len(), "as many clocks as outputs");
        let mut report = Report::default();
        let (results, count, clocks) = (output.as_mut_ptr(), output.len(), clocks.as_mut_ptr());
        // SAFETY: the harness reads `output.len()` values behind each pointer and writes as many, and as many clocks if it has
        // a clock: the lengths were just checked. The handle is alive until `drop`, and `&mut self` keeps others away.
        unsafe {
            (self.model.functions.evaluate)(self.handle, pointers.as_ptr(), results, count, seed, clocks, &mut report);
        }
        report
    }

    /// Evaluates `count` random vectors in the loop that one would write by hand in C++, with Verilator's public
    /// `eval()`, and returns a checksum: the yardstick that the rate of [`evaluate`](Self::evaluate) is held against.
    pub fn bare_loop(&mut self, count: u64) -> u64 {
        // SAFETY: as in `evaluate`; it touches no memory of ours.
        unsafe { (self.model.functions.bare_loop)(self.handle, count, SEED) }
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle comes from `create` and is not used again.
        unsafe { (self.model.functions.destroy)(self.handle) }
    }
}

/// A pipelined module through which blocks of vectors are streamed.
pub struct Stream<'m> {
    instance: Instance<'m>,
    seed: u64,
    /// For each vector of the last block, the clock at which its results were there.
    clocks: Vec<u32>,
}

impl Device for Stream<'_> {
    /// A block starts with a reset and has bubbles, stalls and resets of its own, whichever blocks were before.
    fn evaluate(&mut self, block: u64, inputs: &[&[u64]], output: &mut [u64]) -> Result<(), Violation> {
        self.clocks.resize(output.len(), 0);
        let seed = self.seed ^ (block + 1).wrapping_mul(SEED);
        let report = self.instance.run(inputs, output, seed, &mut self.clocks);
        let fault = match report.kind {
            0 => return Ok(()),
            1 => Fault::OutValid,
            _ => Fault::OutputMoved,
        };
        let Report { clock, vector, want, got, .. } = report;
        Err(Violation { fault, block, clock, vector, want, got })
    }

    fn clock(&self, vector: usize) -> Option<u64> {
        self.clocks.get(vector).map(|&clock| clock.into())
    }
}
