//! How the ports of a certificate's unit and those of the operation that its cases specify belong together.

use crate::case::ports;
use crate::stages::StageUnit;
use crate::words::{Word, constant};
use binade_gates::Graph;
use binade_spec::{Operation, Port};

/// An operation that specifies cases of a unit. The unit may have a port `rm` more, whose value is given, or one port less, which then is
/// a zero.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The operation of the cases.
    pub operation: Operation,
    /// The port of the unit that chooses the rounding, and its value.
    rm: Option<(Port, Word)>,
    /// The place of the port that is a zero, and its code.
    zero: Option<(usize, Word)>,
}

impl Frame {
    /// The ports of the unit are those of the operation.
    pub fn plain(operation: &Operation) -> Frame {
        Frame { operation: *operation, rm: None, zero: None }
    }

    /// The unit has this value on its port `rm`.
    pub fn of_direction(unit: &Operation, direction: Operation, rm: u64) -> Frame {
        let port = unit.rounding_port().expect("the port rm");
        let word = constant(rm.into(), port.width() as usize);
        Frame { operation: direction, rm: Some((port, word)), zero: None }
    }

    /// The unit is a stage without an addend, if this is one.
    pub fn of_stage(stage: &StageUnit) -> Frame {
        let width = |place: usize| stage.operation.inputs()[place].width() as usize;
        let zero = stage.zero().map(|(place, zero)| (place, constant(zero as i128, width(place))));
        Frame { operation: stage.operation, rm: None, zero }
    }

    /// The input ports of the unit.
    pub fn ports(&self) -> Vec<Port> {
        let mut all = ports(&self.operation);
        if let Some((place, _)) = self.zero {
            all.remove(place);
        }
        all.extend(self.rm.iter().map(|(port, _)| *port));
        all
    }

    /// The words on the unit's ports, from those on the ports of the operation.
    pub fn of_unit(&self, mut words: Vec<Word>) -> Vec<Word> {
        if let Some((place, _)) = self.zero {
            words.remove(place);
        }
        words.extend(self.rm.iter().map(|(_, value)| value.clone()));
        words
    }

    /// The words on the ports of the operation, from those on the unit's ports.
    pub fn of_operation(&self, mut words: Vec<Word>) -> Vec<Word> {
        words.truncate(words.len() - usize::from(self.rm.is_some()));
        if let Some((place, zero)) = &self.zero {
            words.insert(*place, zero.clone());
        }
        words
    }

    /// The unit, from its gates with the ports of the operation.
    pub fn unit(&self, gates: &Graph) -> Graph {
        let mut graph = Graph::new(self.ports().iter().map(Port::width));
        let sources = self.of_operation(graph.inputs().to_vec()).concat();
        let images = graph.add_gates(gates, sources, None);
        images.of_words(gates.outputs()).into_iter().for_each(|word| graph.add_output(word));
        graph
    }
}
