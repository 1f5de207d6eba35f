//! Matrix units: each element of the result is a dot product of its own, of a row and a column, and is proven as one. Elements
//! with the same gates are proven once.

use crate::dependence::compared;
use crate::directions::heard_of_parts;
use crate::part::{part, part_with_zeros};
use crate::sweep::Outcome;
use crate::words::word_of;
use crate::{AllowedResults, NotSpecified, Progress, Proof, Question, prove};
use binade_gates::{Graph, Literal};
use binade_spec::{Operation, Port, Products, Unit, Word};

/// The dot product that each element of a matrix unit is; `None` for other units, with flags, which are those of all elements
/// together, and where the random bits of an element do not follow each other.
pub fn element(operation: &Operation) -> Option<Operation> {
    let is_matrix = operation.rows() * operation.columns() > 1 && operation.array().is_none() && !operation.has_state();
    let are_random_bits_apart = operation.random_bits() > 0 && operation.output.is_some();
    if !is_matrix || operation.flags.is_some() || are_random_bits_apart {
        return None;
    }
    let dot = Operation { unit: Unit::Dot, ..*operation };
    Some(dot.with_products(|products| Products { rows: 1, columns: 1, ..products }))
}

/// One element: its place in the result, and the lanes of the ports that it depends on.
pub struct Element {
    pub row: u32,
    pub column: u32,
    /// For each port of the dot product, the lanes of the matrix unit's port. Each element has a lane of the random bits.
    lanes: [Vec<u32>; 4],
    /// The lane of the addend, and of the results.
    lane: u32,
}

/// The elements of a matrix unit, in the order of their lanes.
pub fn elements(operation: &Operation) -> impl Iterator<Item = Element> {
    let [rows, columns, depth] = [operation.rows(), operation.columns(), operation.lanes()];
    let places = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
    places.map(move |(row, column)| {
        let lane = row * columns + column;
        let of_a = (0..depth).map(|at| row * depth + at).collect();
        let of_b = (0..depth).map(|at| at * columns + column).collect();
        Element { row, column, lanes: [of_a, of_b, vec![lane], vec![lane]], lane }
    })
}

/// The width of a lane of each input port; random bits are divided among the elements.
fn lane_widths(operation: &Operation) -> Vec<usize> {
    let ports = operation.inputs();
    let count = operation.rows() * operation.columns();
    let width = |(place, port): (usize, &Port)| if place < 3 { port.lane_width() } else { port.width() / count };
    ports.iter().enumerate().map(width).map(|width| width as usize).collect()
}

impl Element {
    /// The bits of the element's operands among those of the matrix unit's ports.
    pub fn operands(&self, operation: &Operation, inputs: &[Vec<Literal>]) -> Vec<Vec<Literal>> {
        let ports = self.lanes.iter().zip(lane_widths(operation)).zip(inputs);
        ports
            .map(|((lanes, width), bits)| lanes.iter().flat_map(|&lane| bits_of(width, lane, bits)).collect())
            .collect()
    }

    /// The bits of the element's results among those of the matrix unit's ports.
    pub fn outputs(&self, operation: &Operation, outputs: &[Vec<Literal>]) -> Vec<Vec<Literal>> {
        let ports = operation.outputs();
        ports.iter().zip(outputs).map(|(port, bits)| bits_of(port.lane_width() as usize, self.lane, bits)).collect()
    }

    /// The words on the matrix unit's ports with these words of the element, and zeros elsewhere.
    pub fn inputs(&self, operation: &Operation, words: &[Word]) -> Vec<Word> {
        let ports = self.lanes.iter().zip(lane_widths(operation)).zip(words);
        let of_port = |((lanes, width), word): ((&Vec<u32>, usize), &Word)| {
            let (mut input, width) = (Word::ZERO, width as u64);
            for (at, &lane) in (0_u64..).zip(lanes) {
                (0..width).for_each(|bit| input.set_bit(u64::from(lane) * width + bit, word.bit(at * width + bit)));
            }
            input
        };
        ports.map(of_port).collect()
    }
}

/// The bits of a lane of this width.
fn bits_of(width: usize, lane: u32, bits: &[Literal]) -> Vec<Literal> {
    bits[lane as usize * width..][..width].to_vec()
}

/// An element's gates as a unit of their own.
pub struct Asked<'u> {
    pub element: Element,
    /// The unit with zeros on the lanes of other elements.
    pub part: Graph,
    /// The matrix unit, if gates of the element are connected to lanes of others. These gates may be harmless.
    pub connected: Option<&'u Graph>,
}

impl<'u> Asked<'u> {
    pub fn new(unit: &'u Graph, operation: &Operation, element: Element) -> Result<Asked<'u>, NotSpecified> {
        let operands = element.operands(operation, unit.inputs());
        let outputs = element.outputs(operation, unit.outputs());
        if let Some(part) = part(unit, &operands, &outputs) {
            return Ok(Asked { element, part, connected: None });
        }
        let part = part_with_zeros(unit, &operands, &outputs)
            .ok_or(NotSpecified("an element depends on bits that the module leaves undefined"))?;
        Ok(Asked { element, part, connected: Some(unit) })
    }

    /// Whether the proof of another element is that of this one.
    pub fn is_known_from(&self, known: &Asked) -> bool {
        self.connected.is_none()
            && known.part.gates() == self.part.gates()
            && known.part.outputs() == self.part.outputs()
    }

    fn prove(
        &self,
        question: Question,
        dot: &Operation,
        progress: &(dyn Fn(Progress) + Sync),
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Proof, NotSpecified> {
        let mut proof = prove(Question { unit: &self.part, operation: dot, ..question }, progress, is_over)?;
        proof.differs = proof.differs.take().map(|words| self.element.inputs(question.operation, &words));
        if let Some(unit) = self.connected.filter(|_| proof.differs.is_none()) {
            self.look_at_others(unit, question, &mut proof, is_over);
        }
        Ok(proof)
    }

    /// Looks for inputs for which the element is not what it is with zeros on the lanes of others. If it is right with zeros, it is
    /// wrong there.
    fn look_at_others(&self, unit: &Graph, question: Question, proof: &mut Proof, is_over: &dyn Fn() -> bool) {
        let mut graph = unit.clone();
        let operands = self.element.operands(question.operation, graph.inputs()).concat();
        let expected = graph.add_gates(&self.part, operands, None).of_words(self.part.outputs()).concat();
        let actual = self.element.outputs(question.operation, graph.outputs()).concat();
        match compared(graph, &actual, &expected, is_over) {
            Outcome::Proven => {}
            Outcome::Wrong(bits) if proof.open.is_empty() && question.tolerance == AllowedResults::default() => {
                let word = |port: &Vec<Literal>| word_of(port, |bit| bits[bit.node() - 1]);
                proof.differs = Some(unit.inputs().iter().map(word).collect());
            }
            Outcome::Wrong(_) | Outcome::Open => proof.open.push("lanes of other elements".into()),
        }
    }
}

/// Compares each element of a matrix unit with the dot product that it is.
pub fn prove_elements(
    question: Question,
    dot: &Operation,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Proof, NotSpecified> {
    let mut all: Vec<Asked> = vec![];
    for element in elements(question.operation) {
        let asked = Asked::new(question.unit, question.operation, element)?;
        if !all.iter().any(|known| asked.is_known_from(known)) {
            all.push(asked);
        }
    }
    let hear = heard_of_parts(progress, all.len());
    let mut whole = Proof::default();
    for asked in &all {
        let mut proof = asked.prove(question, dot, &hear, is_over)?;
        whole.differs = proof.differs.take();
        whole.join(proof, &format!("element ({}, {})", asked.element.row, asked.element.column));
        if whole.differs.is_some() {
            break;
        }
    }
    Ok(whole)
}
