//! A case as two circuits beside each other, and the clauses that say that they differ.

use crate::case::{Case, Expected};
use crate::words::Word;
use binade_gates::{AigerLiteral, Ands, ClauseId, CnfLiteral, Gate, Graph, Literal, Lrat};
use std::io::{self, Write};
use std::ops::Range;

/// AND gates one after the other, none simplified or shared, of whose literals two shall be 1. Variable `v` of AIGER is variable `v + 1`
/// of the clauses, and variable 1 is the constant 0. The clauses are, in this order: that of the constant; three for each gate; one for
/// each of the two literals.
#[derive(Clone, Debug)]
pub struct Miter {
    /// The gates as the solver takes them. Multiplexers and XOR gates are three AND gates each.
    pub case: Case,
    inputs: u32,
    /// The operands of each AND gate.
    ands: Vec<[AigerLiteral; 2]>,
    /// The literal of each node.
    literals: Vec<AigerLiteral>,
    /// The AND gates of each node.
    places: Vec<Range<u32>>,
}

impl Miter {
    /// The clause of the constant.
    pub const CONSTANT: ClauseId = 1;
    /// The literal of the constant 0.
    pub const FALSE: CnfLiteral = 1;
    /// The literal of the constant 1.
    pub const TRUE: CnfLiteral = -1;

    /// The miter of a case: the gates of the specification, those of the unit, for each bit of the outputs an XOR, and their
    /// disjunction.
    ///
    /// # Panics
    /// When unit and specification do not have the same ports.
    pub fn of_case(expected: &Expected, of_expected: &Ands, unit: &Graph, of_unit: &Ands) -> Miter {
        let mut miter = Miter::new(&expected.graph, of_expected);
        let images = miter.add(unit, of_unit, &expected.inputs.concat(), &vec![true; unit.gates().len()]);
        let given: Word = unit.outputs().concat().into_iter().map(|bit| image(&images, bit)).collect();
        let wanted = expected.outputs.concat();
        assert_eq!(given.len(), wanted.len(), "the outputs of the operation");
        let differing: Vec<Literal> =
            given.iter().zip(&wanted).map(|(&given, &wanted)| miter.xor(given, wanted)).collect();
        (miter.case.valid, miter.case.differs) = (expected.valid, miter.any(differing));
        miter.case.inputs.clone_from(&expected.inputs);
        miter
    }

    /// A miter that begins with the gates of a graph.
    pub fn new(graph: &Graph, ands: &Ands) -> Miter {
        let nodes = 0..graph.gates().len();
        Miter {
            case: Case::of_graph(graph.clone(), Literal::TRUE, Literal::FALSE),
            inputs: ands.inputs,
            ands: ands.ands.clone(),
            literals: nodes.clone().map(|node| ands.literal(Literal::of(node))).collect(),
            places: nodes.map(|node| ands.of_node(node)).collect(),
        }
    }

    /// Adds those gates of a graph that are needed, with these literals in place of its inputs; returns the image of each node.
    pub fn add(&mut self, graph: &Graph, ands: &Ands, sources: &[Literal], is_needed: &[bool]) -> Vec<Literal> {
        assert_eq!(sources.len(), graph.sources().len(), "a literal for each input bit");
        let mut images: Vec<Literal> = [Literal::FALSE].into_iter().chain(sources.iter().copied()).collect();
        // The variable of AIGER of each AND gate.
        let mut variables: Vec<u32> = vec![];
        for (node, &gate) in graph.gates().iter().enumerate().skip(1 + sources.len()) {
            let of_node = ands.of_node(node);
            if !is_needed[node] {
                images.push(Literal::FALSE);
                variables.extend(of_node.map(|_| 0));
                continue;
            }
            let first = self.ands.len() as u32;
            for and in of_node {
                let operands = ands.ands[and as usize].map(|operand| {
                    let inverts = operand & 1;
                    let literal = match (operand >> 1).checked_sub(1 + ands.inputs) {
                        Some(and) => 2 * variables[and as usize],
                        None => self.aiger(images[operand as usize >> 1]),
                    };
                    literal ^ inverts
                });
                variables.push(self.variable());
                self.ands.push(operands);
            }
            let gate = gate.with_operands(|operand| image(&images, operand));
            images.push(self.place(gate, first, ands.literal(Literal::of(node)) & 1));
        }
        images
    }

    /// The next variable of AIGER.
    fn variable(&self) -> u32 {
        self.inputs + 1 + self.ands.len() as u32
    }

    /// Records a gate whose AND gates are the last ones.
    fn place(&mut self, gate: Gate, first: u32, inverts: u32) -> Literal {
        self.places.push(first..self.ands.len() as u32);
        self.literals.push((2 * (self.variable() - 1)) ^ inverts);
        self.case.graph.push(gate)
    }

    /// An AND gate.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let first = self.ands.len() as u32;
        self.ands.push([a, b].map(|operand| self.aiger(operand)));
        self.place(Gate::And(a, b), first, 0)
    }

    /// An XOR gate: neither both nor none.
    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let first = self.ands.len() as u32;
        let [a_literal, b_literal] = [a, b].map(|operand| self.aiger(operand));
        let both = 2 * self.variable();
        self.ands.push([a_literal, b_literal]);
        let none = 2 * self.variable();
        self.ands.push([a_literal ^ 1, b_literal ^ 1]);
        self.ands.push([both ^ 1, none ^ 1]);
        self.place(Gate::Xor(a, b), first, 0)
    }

    /// Whether one of some bits is 1, of which there is at least one.
    pub fn any(&mut self, bits: Vec<Literal>) -> Literal {
        bits.into_iter().reduce(|any, bit| !self.and(!any, !bit)).expect("a bit")
    }

    fn aiger(&self, literal: Literal) -> AigerLiteral {
        self.literals[literal.node()] ^ u32::from(literal.is_inverted())
    }

    /// The literal in the clauses.
    pub fn literal(&self, literal: Literal) -> CnfLiteral {
        of_aiger(self.aiger(literal))
    }

    /// The clauses of the AND gates of a node.
    pub fn clauses_of(&self, node: usize) -> Range<ClauseId> {
        let Range { start, end } = self.places[node];
        2 + 3 * start..2 + 3 * end
    }

    /// The clause that says that the inputs belong to the case.
    pub fn valid_clause(&self) -> ClauseId {
        2 + 3 * self.ands.len() as u32
    }

    /// The clause that says that unit and specification differ.
    pub fn differs_clause(&self) -> ClauseId {
        3 + 3 * self.ands.len() as u32
    }

    fn variables(&self) -> usize {
        self.variable() as usize
    }

    fn clauses(&self) -> impl Iterator<Item = Vec<CnfLiteral>> {
        let of_and = |(at, &[a, b]): (u32, &[AigerLiteral; 2])| {
            let (out, a, b) = (of_aiger(2 * (self.inputs + 1 + at)), of_aiger(a), of_aiger(b));
            [vec![-out, a], vec![-out, b], if a == b { vec![out, -a] } else { vec![out, -a, -b] }]
        };
        let goals = [self.case.valid, self.case.differs].map(|goal| vec![self.literal(goal)]);
        [vec![-Miter::FALSE]].into_iter().chain((0..).zip(&self.ands).flat_map(of_and)).chain(goals)
    }

    /// The beginning of a refutation of the clauses.
    pub fn lrat(&self) -> Lrat {
        let clauses: Vec<_> = self.clauses().collect();
        Lrat::new(self.variables(), clauses.iter().map(Vec::as_slice))
    }

    /// Writes the clauses in the format of DIMACS.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        writeln!(to, "p cnf {} {}", self.variables(), self.differs_clause())?;
        for clause in self.clauses() {
            clause.iter().try_for_each(|literal| write!(to, "{literal} "))?;
            writeln!(to, "0")?;
        }
        Ok(())
    }
}

/// The image of a literal among those of the nodes.
pub fn image(images: &[Literal], literal: Literal) -> Literal {
    let image = images[literal.node()];
    if literal.is_inverted() { !image } else { image }
}

/// The literal in the clauses of a literal of AIGER.
fn of_aiger(literal: AigerLiteral) -> CnfLiteral {
    let variable = (literal >> 1) as CnfLiteral + 1;
    if literal & 1 == 1 { -variable } else { variable }
}
