//! Inputs for which a unit is wrong.

use binade_gates::Graph;
use binade_golden::Model;
use binade_spec::{Operation, Port, Word};
use serde::{Deserialize, Serialize};

/// Inputs for which the unit is wrong.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    inputs: Vec<Value>,
    got: Vec<Value>,
    want: Vec<Value>,
}

/// A port and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Value {
    port: String,
    value: String,
}

impl Counterexample {
    /// A counterexample: these inputs with the outputs of unit and golden model.
    pub fn new(operation: &Operation, graph: &Graph, inputs: &[Word]) -> Counterexample {
        let want = Model::new(operation).evaluate(inputs);
        Counterexample {
            inputs: values(&operation.inputs(), inputs),
            got: values(&operation.outputs(), &graph.answer(inputs)),
            want: values(&operation.outputs(), &want),
        }
    }

    /// One step of a unit with state: inputs and state, with the outputs and next state of unit and golden model.
    pub fn of_step(operation: &Operation, graph: &Graph, words: &[Word]) -> Counterexample {
        let registers = operation.registers();
        let with_state = |ports: Vec<Port>| [ports, registers.clone()].concat();
        let (inputs, of_state) = words.split_at(operation.inputs().len());
        let (next, results) = Model::new(operation).step(of_state, inputs);
        Counterexample {
            inputs: values(&with_state(operation.inputs()), words),
            got: values(&with_state(operation.outputs()), &graph.answer(words)),
            want: values(&with_state(operation.outputs()), &[results, next].concat()),
        }
    }

    /// Whether unit and golden model agree, so that the specification is at fault.
    pub fn is_of_the_specification(&self) -> bool {
        self.got == self.want
    }

    /// The inputs, the unit's outputs and the right ones, in words.
    pub fn sentence(&self) -> String {
        let text = |values: &[Value]| {
            let each = values.iter().map(|Value { port, value }| format!("{port}={value}"));
            each.collect::<Vec<_>>().join(" ")
        };
        let (inputs, got, want) = (text(&self.inputs), text(&self.got), text(&self.want));
        if self.is_of_the_specification() {
            return format!(
                "specification and golden model differ for {inputs}: the golden model gives {want}, as the unit does; please report this"
            );
        }
        format!("{inputs} gives {got}, not {want}")
    }
}

fn values(ports: &[Port], words: &[Word]) -> Vec<Value> {
    let value = |(port, word): (&Port, &Word)| Value { port: port.name.into(), value: format!("{word:#x}") };
    ports.iter().zip(words).map(value).collect()
}
