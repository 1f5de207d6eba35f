//! A unit on every engine.

use binade_generator::GeneratedUnit;
use binade_sim::{Choice, Engine, Gates, Plan, Run, Verification, verify};
use binade_synth::{Target, netlist};
use binade_tools::{Source, Tools};

fn tools() -> Tools {
    Tools::new(Source::Pinned)
}

/// What an engine says of a unit.
pub fn verified(unit: &GeneratedUnit, engine: Engine, choice: Choice) -> Verification {
    let plan = Plan::new(&unit.design.operation, choice, 7).unwrap_or_else(|error| panic!("{error}"));
    verify(&tools(), Run { engine, ..Run::new(unit, &plan) }, &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// The gates that Yosys makes of the Verilog.
pub fn synthesized(unit: &GeneratedUnit, target: Target) -> Gates {
    let json = netlist(&tools(), &unit.module, &unit.verilog, target).unwrap_or_else(|error| panic!("{error}"));
    Gates::of_netlist(unit, &json, "the netlist".into()).unwrap_or_else(|error| panic!("{error}"))
}

/// What each engine finds.
pub fn on_all_engines(unit: &GeneratedUnit, choice: &Choice) -> Vec<Verification> {
    let gates = [Gates::of_circuit(unit), synthesized(unit, Target::Generic), synthesized(unit, Target::Ice40)];
    let lanes = gates.iter().map(Engine::Lanes);
    lanes.chain([Engine::Verilator]).map(|engine| verified(unit, engine, choice.clone())).collect()
}
