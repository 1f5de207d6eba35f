//! Ways to break a user's module: one gate or flip-flop at a time, as Yosys reads its Verilog.

use super::flip_flops::{self, FlipFlopFault};
use super::mutant::faults;
use super::{Breakable, verdict};
use crate::Subject;
use binade_circuit::Interface;
use binade_gates::{Equivalence, GateFault, Graph, Literal, Place};
use binade_spec::Operation;
use binade_spec::contract::{ControlPorts, Pace};

/// A user's module with one thing changed.
#[derive(Clone, Debug)]
pub enum ModuleMutant {
    /// A gate, by its index in the graph.
    Gate(usize, GateFault),
    /// A flip-flop, by its index.
    FlipFlop(usize, FlipFlopFault),
}

/// The results of a clocked module as functions of its operands, if it keeps its contract.
pub type Flow<'a> = Box<dyn Fn(&Graph) -> Option<Graph> + Sync + 'a>;

/// A user's module to be mutated.
pub struct MutatedModule<'a> {
    name: String,
    operation: Operation,
    /// None without a clock.
    pace: Option<Pace>,
    ports: ControlPorts,
    /// The gates as Yosys reads them.
    module: Graph,
    /// The same with all controls of a unit.
    sound: Graph,
    /// The origin of each node.
    places: Vec<Place>,
    flow: Flow<'a>,
}

impl<'a> MutatedModule<'a> {
    /// A module with these gates and their origins. Gates without an origin are not broken; undefined bits are 0.
    pub fn new(
        name: String,
        operation: Operation,
        (pace, ports): (Option<Pace>, ControlPorts),
        (module, places): (Graph, Vec<Place>),
        flow: Flow<'a>,
    ) -> MutatedModule<'a> {
        let (module, places) = defined(&module, &places);
        let sound = completed(&module, ports, pace);
        MutatedModule { name, operation, pace, ports, module, sound, places, flow }
    }

    /// The module, to be checked before anything is broken.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            operation: &self.operation,
            pace: self.pace.unwrap_or(Pace::pipelined(0)),
            interface: Interface::Plain,
            module: &self.name,
            verilog: "",
            circuit: None,
            dut: None,
        }
    }

    fn is_of_user(&self, node: usize) -> bool {
        !self.places[node].source.is_empty()
    }

    /// The node of a flip-flop.
    fn node(&self, flip_flop: usize) -> usize {
        self.module.flip_flops()[flip_flop].state.node()
    }

    /// The gates as Yosys would read the broken module.
    fn broken(&self, mutant: &ModuleMutant) -> Graph {
        match *mutant {
            ModuleMutant::Gate(gate, fault) => self.module.with_fault(gate, fault),
            ModuleMutant::FlipFlop(bit, fault) => flip_flops::with_fault(&self.module, bit, fault),
        }
    }
}

impl Breakable for MutatedModule<'_> {
    type Mutant = ModuleMutant;

    fn operation(&self) -> &Operation {
        &self.operation
    }

    fn pace(&self) -> Option<Pace> {
        self.pace
    }

    fn sound(&self) -> &Graph {
        &self.sound
    }

    /// Gate by gate, then the flip-flops.
    fn mutants(&self) -> Vec<ModuleMutant> {
        let gates = (0..self.module.gates().len()).filter(|&gate| self.is_of_user(gate));
        let of_gates =
            gates.flat_map(|gate| faults(&self.module, gate).map(move |fault| ModuleMutant::Gate(gate, fault)));
        let of_flip_flops = flip_flops::faults_of_module(&self.module).into_iter();
        let of_flip_flops = of_flip_flops.filter(|(bit, _)| self.is_of_user(self.node(*bit)));
        of_gates.chain(of_flip_flops.map(|(bit, fault)| ModuleMutant::FlipFlop(bit, fault))).collect()
    }

    fn graph(&self, mutant: &ModuleMutant) -> Graph {
        completed(&self.broken(mutant), self.ports, self.pace)
    }

    fn describe(&self, mutant: &ModuleMutant) -> String {
        let (node, what, fault) = match mutant {
            ModuleMutant::Gate(gate, GateFault::Zero) => (*gate, "a gate", "is stuck at 0".into()),
            ModuleMutant::Gate(gate, GateFault::One) => (*gate, "a gate", "is stuck at 1".into()),
            ModuleMutant::Gate(gate, GateFault::Operator) => (*gate, "a gate", "has another operator".into()),
            ModuleMutant::FlipFlop(bit, fault) => (self.node(*bit), "a flip-flop", fault.describe(&[])),
        };
        let Place { source, wire } = &self.places[node];
        format!("{source}: {} {fault}", wire.as_deref().unwrap_or(what))
    }

    /// A clocked mutant is equivalent if nothing differs in a single clock, or if it keeps the contract and its results are the same
    /// functions of the operands.
    fn judge(&self, mutant: &ModuleMutant, changed: &Graph, all_tried: bool) -> Equivalence {
        if self.pace.is_none() {
            return match all_tried {
                true => Equivalence::Proven,
                false => verdict::equivalence(&self.sound, changed),
            };
        }
        if verdict::are_equal(&verdict::one_clock(&self.sound), &verdict::one_clock(changed)) {
            return Equivalence::Proven;
        }
        match ((self.flow)(&self.module), (self.flow)(&self.broken(mutant))) {
            (Some(sound), Some(changed)) => verdict::equivalence(&sound, &changed),
            _ => Equivalence::Open,
        }
    }
}

/// The module with 0 for its undefined bits, and the origins of its nodes.
fn defined(module: &Graph, places: &[Place]) -> (Graph, Vec<Place>) {
    let mut graph = Graph::new(module.inputs().iter().map(|bits| bits.len() as u32));
    let states: Vec<Literal> = module.flip_flops().iter().map(|_| graph.add_flip_flop()).collect();
    let undefined = vec![Literal::FALSE; module.undefined().len()];
    let sources = [graph.inputs().concat(), undefined, states].concat();
    let images = graph.add_gates(module, sources, None);
    graph.connect(module, &images);
    let mut of_graph = vec![Place::default(); graph.gates().len()];
    for (node, place) in places.iter().enumerate() {
        let image = images.of(Literal::of(node)).node();
        if of_graph[image].source.is_empty() {
            of_graph[image] = place.clone();
        }
    }
    (graph, of_graph)
}

/// The module with all controls of a unit. Without a port for `en` its flip-flops load only in enabled clocks; if it does not say when
/// results are valid, flip-flops count its latency.
fn completed(module: &Graph, ports: ControlPorts, pace: Option<Pace>) -> Graph {
    let Some(pace) = pace else { return module.clone() };
    let ControlPorts { has_enable, has_in_valid, has_out_valid, has_reset, .. } = ports;
    let counted = if has_in_valid && has_out_valid && has_reset { None } else { Some(pace.latency as usize) };
    let own = module.flip_flops().len();
    let mut graph = Graph::new(module.inputs().iter().map(|bits| bits.len() as u32));
    let states: Vec<Literal> = (0..own + counted.unwrap_or(0)).map(|_| graph.add_flip_flop()).collect();
    let [rst_n, en, in_valid] = [0, 1, 2].map(|control: usize| graph.inputs()[control][0]);
    let sources: Vec<Literal> = graph.inputs().concat().into_iter().chain(states[..own].iter().copied()).collect();
    let images = graph.add_gates(module, sources, None);
    let mut outputs = images.of_words(module.outputs());
    let loads = graph.or(en, !rst_n);
    for (flip_flop, &state) in module.flip_flops().iter().zip(&states) {
        let next = images.of(flip_flop.next);
        let next = if has_enable { next } else { graph.mux(loads, next, state) };
        graph.set_next(state, next);
    }
    if counted.is_some() {
        let mut before = in_valid;
        for &valid in &states[own..] {
            let next = graph.mux(en, before, valid);
            let next = graph.and(rst_n, next);
            graph.set_next(valid, next);
            before = valid;
        }
        outputs[0] = vec![before];
    }
    outputs.into_iter().for_each(|bits| graph.add_output(bits));
    graph
}
