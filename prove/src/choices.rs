//! Units whose port `fmt` chooses the formats: one proof for each value of the port. With a constant on the port, such a unit
//! must be the plain unit that the value chooses, whatever the bits above narrower operands are, and with zeros above narrower
//! results.
//!
//! Units with NaN-boxed codes, with such a port or without: with ones above the operands, the unit must be the plain unit. With any
//! bits there, it must give what it gives for boxed operands, of which those without a box are the canonical NaN. Above results there
//! must be ones.

use crate::dependence::{alone, compared};
use crate::directions::heard_of_parts;
use crate::sweep::Outcome;
use crate::words::{choose, constant, word_of};
use crate::{NotSpecified, Progress, Proof, Question, prove};
use binade_gates::{Graph, Literal};
use binade_spec::{Operation, Port, Word};

/// Compares a unit with the specification for each value of `fmt`. Values of one choice that give the same gates are compared
/// once.
pub fn prove_choices(
    question: Question,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Proof, NotSpecified> {
    let operation = question.operation;
    let choices = operation.choices();
    let bits = fmt_bits(operation);
    let mut asked: Vec<Chosen> = vec![];
    for fmt in 0..1_u64 << bits {
        let choice = &choices[operation.index_of_choice(fmt)];
        let chosen = Chosen::new(question.unit, operation, choice, fmt);
        if !asked.iter().any(|known| known.choice == choice && known.is_same_unit(&chosen)) {
            asked.push(chosen);
        }
    }
    let hear = heard_of_parts(progress, asked.len());
    let mut whole = Proof::default();
    for chosen in &asked {
        let mut proof = chosen.prove(question, &hear, is_over)?;
        whole.differs = proof.differs.take();
        let name = if bits > 0 { format!("fmt {}", chosen.fmt) } else { "boxed".into() };
        whole.join(proof, &name);
        if whole.differs.is_some() {
            break;
        }
    }
    Ok(whole)
}

/// Bits of port `fmt`, 0 without it.
fn fmt_bits(operation: &Operation) -> u32 {
    operation.inputs().last().filter(|_| operation.has_choices()).map_or(0, Port::width)
}

/// The code in a box, or the canonical NaN if a bit above it is 0.
pub fn opened(graph: &mut Graph, own: &Port, code: &[Literal], above: &[Literal]) -> Vec<Literal> {
    let nan = own.format().and_then(|format| format.nan_code());
    let Some(nan) = nan.filter(|_| !above.is_empty()) else { return code.to_vec() };
    let is_boxed = graph.all(above);
    choose(graph, is_boxed, code, &constant(nan as i128, code.len()))
}

/// The unit with a constant on port `fmt`.
struct Chosen<'a> {
    operation: &'a Operation,
    choice: &'a Operation,
    fmt: u64,
    /// The unit: its inputs are those of the plain unit, then the bits above its operands.
    graph: Graph,
    /// The outputs of the plain unit.
    results: Vec<Vec<Literal>>,
    /// Whether any bit above them is wrong: 1, or 0 if codes are boxed.
    is_wrong_above: Literal,
}

impl<'a> Chosen<'a> {
    fn new(unit: &Graph, operation: &'a Operation, choice: &'a Operation, fmt: u64) -> Chosen<'a> {
        let (own, ports) = (choice.inputs(), operation.inputs());
        let above: u32 = own.iter().zip(&ports).map(|(own, port)| port.width() - own.width()).sum();
        let mut graph = Graph::new(own.iter().map(Port::width).chain([above]));
        let inputs = graph.inputs().to_vec();
        let mut unused = inputs[own.len()].iter().copied();
        let mut sources: Vec<Literal> = vec![];
        for ((own, port), bits) in own.iter().zip(&ports).zip(&inputs) {
            for lane in bits.chunks(own.lane_width() as usize) {
                sources.extend(lane);
                sources.extend(unused.by_ref().take((port.lane_width() - own.lane_width()) as usize));
            }
        }
        sources.extend(
            (0..fmt_bits(operation)).map(|bit| if fmt >> bit & 1 == 1 { Literal::TRUE } else { Literal::FALSE }),
        );
        let images = graph.add_gates(unit, sources, None);
        let outputs = images.of_words(unit.outputs());
        let (mut results, mut above) = (vec![], vec![]);
        for ((own, port), bits) in choice.outputs().iter().zip(operation.outputs()).zip(&outputs) {
            let lanes = || bits.chunks(port.lane_width() as usize);
            let width = own.lane_width() as usize;
            results.push(lanes().flat_map(|lane| &lane[..width]).copied().collect());
            let is_boxed = operation.boxing.is_some();
            above.extend(lanes().flat_map(|lane| &lane[width..]).map(|&bit| if is_boxed { !bit } else { bit }));
        }
        let is_wrong_above = graph.any(&above);
        Chosen { operation, choice, fmt, graph, results, is_wrong_above }
    }

    fn is_same_unit(&self, other: &Chosen) -> bool {
        let is_same = |one: &Graph, other: &Graph| one.gates() == other.gates();
        is_same(&self.graph, &other.graph)
            && self.results == other.results
            && self.is_wrong_above == other.is_wrong_above
    }

    fn prove(
        &self,
        question: Question,
        progress: &(dyn Fn(Progress) + Sync),
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Proof, NotSpecified> {
        let widths: Vec<u32> = self.choice.inputs().iter().map(Port::width).collect();
        // The unit with zeros above its operands, or boxed operands, which must be the plain unit.
        let plain = self.with_constants_above(&widths);
        let mut proof = prove(Question { unit: &plain, operation: self.choice, ..question }, progress, is_over)?;
        if let Some(words) = proof.differs.take() {
            let above = vec![self.operation.boxing.is_some(); self.graph.inputs()[widths.len()].len()];
            proof.differs = Some(self.inputs_of(&words, &above));
            return Ok(proof);
        }
        let depends_on_others =
            self.operation.boxing.is_some() || alone(&self.graph, &self.results, &widths, is_over).is_none();
        if depends_on_others && !proof.open.is_empty() {
            // Where they change a result, it need not be this one that is wrong.
            proof.open.push("bits above narrower operands".into());
        } else if depends_on_others {
            let mut graph = self.graph.clone();
            let sources = self.operands(&mut graph);
            let expected = graph.add_gates(&plain, sources, None).of_words(plain.outputs());
            self.look(
                graph,
                [self.results.concat(), expected.concat()],
                "bits above narrower operands",
                &mut proof,
                is_over,
            );
        }
        if self.is_wrong_above != Literal::FALSE && proof.differs.is_none() {
            let (any, none) = (vec![self.is_wrong_above], vec![Literal::FALSE]);
            self.look(self.graph.clone(), [any, none], "bits above narrower results", &mut proof, is_over);
        }
        Ok(proof)
    }

    /// Looks for inputs for which two words differ, which must not exist.
    fn look(
        &self,
        graph: Graph,
        [one, other]: [Vec<Literal>; 2],
        what: &str,
        proof: &mut Proof,
        is_over: &dyn Fn() -> bool,
    ) {
        match compared(graph.clone(), &one, &other, is_over) {
            Outcome::Proven => {}
            Outcome::Open => proof.open.push(what.into()),
            Outcome::Wrong(bits) => {
                let value = |literal: Literal| bits[literal.node() - 1];
                let (above, own) = graph.inputs().split_last().expect("the bits above the operands");
                let words: Vec<Word> = own.iter().map(|bits| word_of(bits, value)).collect();
                proof.differs = Some(self.inputs_of(&words, &above.iter().map(|&bit| value(bit)).collect::<Vec<_>>()));
            }
        }
    }

    /// The operands of the plain unit, which the bits above them do not change; codes outside boxes are NaNs.
    fn operands(&self, graph: &mut Graph) -> Vec<Literal> {
        let (own, ports) = (self.choice.inputs(), self.operation.inputs());
        let inputs = graph.inputs().to_vec();
        let mut above = inputs[own.len()].iter().copied();
        let mut operands = vec![];
        for ((own, port), bits) in own.iter().zip(&ports).zip(&inputs) {
            let bits_above = port.boxing().map_or(0, |width| width - own.width());
            let above: Vec<Literal> = above.by_ref().take(bits_above as usize).collect();
            operands.extend(opened(graph, own, bits, &above));
        }
        operands
    }

    fn with_constants_above(&self, widths: &[u32]) -> Graph {
        let mut plain = Graph::new(widths.iter().copied());
        let constant = if self.operation.boxing.is_some() { Literal::TRUE } else { Literal::FALSE };
        let above = self.graph.inputs()[widths.len()].iter().map(|_| constant);
        let sources: Vec<Literal> = plain.sources().into_iter().chain(above).collect();
        let images = plain.add_gates(&self.graph, sources, None);
        images.of_words(&self.results).into_iter().for_each(|bits| plain.add_output(bits));
        plain
    }

    /// The words on the unit's ports, from those of the plain unit and the bits above them.
    fn inputs_of(&self, words: &[Word], above: &[bool]) -> Vec<Word> {
        let (own, ports) = (self.choice.inputs(), self.operation.inputs());
        let mut above = above.iter();
        let mut inputs: Vec<Word> = vec![];
        for ((own, port), word) in own.iter().zip(&ports).zip(words) {
            let mut moved = own.moved(word, port);
            for lane in 0..port.lanes {
                for bit in own.lane_width()..port.lane_width() {
                    moved.set_bit((lane * port.lane_width() + bit).into(), *above.next().expect("a bit above"));
                }
            }
            inputs.push(moved);
        }
        inputs.extend(self.operation.has_choices().then(|| Word::from(self.fmt)));
        inputs
    }
}
