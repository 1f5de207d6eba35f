//! Ways to break the registers of a clocked unit, bit by bit.

use binade_circuit::pipeline::Pipeline;
use binade_gates::{Graph, Images, KeptBit, Literal, kept_bits};

/// A fault in a flip-flop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlipFlopFault {
    /// The flip-flop always holds this value.
    StuckAt(bool),
    /// The flip-flop behaves as if this control were high.
    Ignores(Control),
    /// The flip-flop is bypassed, so its value arrives one clock early.
    Missing,
}

/// A signal that decides whether flip-flops load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `rst_n`, `en` or `in_valid`.
    Input(usize),
    /// A valid bit, by its index among the flip-flops.
    Valid(usize),
}

const INPUTS: [&str; 3] = ["rst_n", "en", "in_valid"];
const RST_N: Control = Control::Input(0);
const EN: Control = Control::Input(1);

/// Every possible fault of every flip-flop, with the flip-flop's index.
pub fn faults(graph: &Graph, pipeline: &Pipeline) -> Vec<(usize, FlipFlopFault)> {
    let valids = (0..pipeline.stages as usize).map(Control::Valid);
    let controls: Vec<Control> = (0..INPUTS.len()).map(Control::Input).chain(valids).collect();
    let mut all = vec![];
    for (bit, (flip_flop, kept)) in graph.flip_flops().iter().zip(kept_bits(pipeline)).enumerate() {
        all.extend([false, true].map(|level| (bit, FlipFlopFault::StuckAt(level))));
        let read = read_by(graph, flip_flop.next);
        let ignored = controls.iter().filter(|control| **control != Control::Valid(bit));
        let ignored = ignored.filter(|control| read[control.literal(graph).node()]);
        all.extend(ignored.map(|&control| (bit, FlipFlopFault::Ignores(control))));
        // Without the register of a state bit there would be a combinational loop.
        if !matches!(kept, KeptBit::State { .. }) {
            all.push((bit, FlipFlopFault::Missing));
        }
    }
    all
}

/// The faults of the flip-flops of a user's module: stuck, or deaf to a control input.
pub fn faults_of_module(graph: &Graph) -> Vec<(usize, FlipFlopFault)> {
    let mut all = vec![];
    for (bit, flip_flop) in graph.flip_flops().iter().enumerate() {
        all.extend([false, true].map(|level| (bit, FlipFlopFault::StuckAt(level))));
        let read = read_by(graph, flip_flop.next);
        let ignored = (0..INPUTS.len()).map(Control::Input).filter(|control| read[control.literal(graph).node()]);
        all.extend(ignored.map(|control| (bit, FlipFlopFault::Ignores(control))));
    }
    all
}

/// For each node, whether the flip-flop's next value depends on it.
fn read_by(graph: &Graph, next: Literal) -> Vec<bool> {
    let mut read = vec![false; graph.gates().len()];
    read[next.node()] = true;
    for (id, gate) in graph.gates().iter().enumerate().take(next.node() + 1).rev() {
        if read[id] {
            gate.operands().for_each(|operand| read[operand.node()] = true);
        }
    }
    read
}

/// The graph with a fault in the flip-flop at this index.
pub fn with_fault(graph: &Graph, bit: usize, fault: FlipFlopFault) -> Graph {
    let mut changed = graph.bare();
    let flip_flop = graph.flip_flops()[bit];
    let mut add = |replaced: &[(Literal, Literal)]| -> Images {
        let mut sources = graph.sources();
        replaced.iter().for_each(|&(of, by)| sources[of.node() - 1] = by);
        changed.add_gates(graph, sources, None)
    };
    let (images, next) = match fault {
        FlipFlopFault::StuckAt(level) => {
            let level = if level { Literal::TRUE } else { Literal::FALSE };
            (add(&[(flip_flop.state, level)]), Some(level))
        }
        FlipFlopFault::Ignores(control) => {
            let next = add(&[(control.literal(graph), Literal::TRUE)]).of(flip_flop.next);
            (add(&[]), Some(next))
        }
        FlipFlopFault::Missing => {
            let passed = add(&[RST_N, EN].map(|control| (control.literal(graph), Literal::TRUE))).of(flip_flop.next);
            (add(&[(flip_flop.state, passed)]), None)
        }
    };
    changed.connect(graph, &images);
    if let Some(next) = next {
        changed.set_next(flip_flop.state, next);
    }
    changed
}

impl Control {
    fn literal(self, graph: &Graph) -> Literal {
        match self {
            Control::Input(input) => graph.inputs()[input][0],
            Control::Valid(bit) => graph.flip_flops()[bit].state,
        }
    }
}

impl FlipFlopFault {
    /// What is wrong with the flip-flop; `kept` describes all flip-flops.
    pub fn describe(&self, kept: &[KeptBit]) -> String {
        match self {
            FlipFlopFault::StuckAt(level) => format!("is stuck at {}", u8::from(*level)),
            FlipFlopFault::Ignores(Control::Input(input)) => format!("ignores {}", INPUTS[*input]),
            FlipFlopFault::Ignores(Control::Valid(bit)) => format!("ignores {}", kept[*bit]),
            FlipFlopFault::Missing => "is missing".into(),
        }
    }
}
