//! The clauses of a case and of the cover, made from the AIGER files.
//!
//! Each set of clauses belongs to a list of AND gates in AIGER's numbering, none of them simplified, and to two literals that shall be 1.
//! Variable `v` of AIGER is variable `v + 1` of the clauses; variable 1 is the constant 0. The clauses are, in this order: that of the
//! constant; for each gate `y = a & b` the clauses `!y | a`, `!y | b` and `y | !a | !b`; the two literals.

use crate::aiger::{Aig, Literal};
use std::io::{BufRead, Write};

/// Clauses, numbered from 1.
pub struct Clauses {
    pub variables: usize,
    literals: Vec<i32>,
    ends: Vec<usize>,
}

impl Clauses {
    /// The clauses that say: the inputs lie in the case, and the unit's outputs for them are not the expected ones.
    pub fn of_case(case: &Aig, unit: &Aig) -> Clauses {
        let mut gates = Gates::new(case);
        let (&valid, rest) = case.outputs.split_first().expect("valid and the ports");
        let (inputs, expected) = rest.split_at(unit.inputs());
        let outputs = gates.added(unit, inputs);
        let differing: Vec<Literal> =
            outputs.iter().zip(expected).map(|(&one, &other)| gates.xor(one, other)).collect();
        let differs = gates.any(differing);
        gates.clauses([valid, differs])
    }

    /// The clauses that say: no case has these inputs.
    pub fn of_cover(cover: &Aig, cases: &[Aig], inputs: usize) -> Clauses {
        let mut gates = Gates::new(cover);
        let (mut none, mut free) = (1, &cover.outputs[..]);
        for case in cases {
            let of_case;
            (of_case, free) = free.split_at(case.inputs());
            let made = &case.outputs[..=inputs];
            let images = gates.add(case, of_case, &case.cone(made));
            let mut has = 1;
            let pairs = made[1..].iter().zip(1..);
            let differing: Vec<Literal> = pairs.map(|(&made, given)| gates.xor(of(&images, made), 2 * given)).collect();
            for differs in differing {
                has = gates.and(has, differs ^ 1);
            }
            has = gates.and(has, of(&images, made[0]));
            none = gates.and(none, has ^ 1);
        }
        gates.clauses([1, none])
    }

    fn push(&mut self, clause: &[i32]) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len());
    }

    /// The number of clauses.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The literals of a clause, by its number.
    pub fn clause(&self, number: usize) -> &[i32] {
        let begin = if number == 1 { 0 } else { self.ends[number - 2] };
        &self.literals[begin..self.ends[number - 1]]
    }

    /// Requires that a file in the format of DIMACS holds exactly these clauses.
    pub fn compare(&self, mut file: impl BufRead) -> Result<(), String> {
        let mut line = vec![];
        for number in 0..=self.count() {
            line.clear();
            match number {
                0 => writeln!(line, "p cnf {} {}", self.variables, self.count()),
                _ => self
                    .clause(number)
                    .iter()
                    .try_for_each(|literal| write!(line, "{literal} "))
                    .and_then(|()| writeln!(line, "0")),
            }
            .expect("memory can be written");
            let mut read = vec![0; line.len()];
            file.read_exact(&mut read).map_err(|error| format!("line {}: {error}", number + 1))?;
            if read != line {
                return Err(format!("line {} is not what the AIGER files give", number + 1));
            }
        }
        match file.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err("something follows the clauses".into()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The image of a literal among those of the variables.
fn of(images: &[Literal], literal: Literal) -> Literal {
    images[literal as usize >> 1] ^ (literal & 1)
}

/// A list of AND gates behind some inputs.
pub struct Gates {
    inputs: u32,
    operands: Vec<[Literal; 2]>,
}

impl Gates {
    /// No gates behind some inputs.
    pub fn behind(inputs: usize) -> Gates {
        Gates { inputs: inputs as u32, operands: vec![] }
    }

    /// Adds all gates of a circuit, with these literals in place of its inputs; returns the literals of its outputs.
    pub fn added(&mut self, circuit: &Aig, inputs: &[Literal]) -> Vec<Literal> {
        let images = self.add(circuit, inputs, &vec![true; circuit.gates.len()]);
        circuit.outputs.iter().map(|&output| of(&images, output)).collect()
    }

    /// Whether a circuit has these gates. AIGER has the larger operand first.
    pub fn are_those_of(&self, circuit: &Aig) -> bool {
        self.operands.iter().map(|&[a, b]| [a.max(b), a.min(b)]).eq(circuit.gates.iter().copied())
    }

    fn new(first: &Aig) -> Gates {
        Gates { inputs: first.inputs() as u32, operands: first.gates.clone() }
    }

    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        self.operands.push([a, b]);
        2 * (self.inputs + self.operands.len() as u32)
    }

    /// Neither both nor none.
    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let both = self.and(a, b);
        let none = self.and(a ^ 1, b ^ 1);
        self.and(both ^ 1, none ^ 1)
    }

    /// Whether one of some bits is 1.
    pub fn any(&mut self, bits: Vec<Literal>) -> Literal {
        bits.into_iter().reduce(|any, bit| self.and(any ^ 1, bit ^ 1) ^ 1).unwrap_or(0)
    }

    /// Adds the needed gates of a circuit, with these literals in place of its inputs; returns the literals of its variables.
    fn add(&mut self, circuit: &Aig, inputs: &[Literal], is_needed: &[bool]) -> Vec<Literal> {
        let mut images: Vec<Literal> = [0].into_iter().chain(inputs.iter().copied()).collect();
        for (&[a, b], &is_needed) in circuit.gates.iter().zip(is_needed) {
            let image = if is_needed { self.and(of(&images, a), of(&images, b)) } else { 0 };
            images.push(image);
        }
        images
    }

    /// The clauses of all gates, and of two literals that shall be 1.
    pub fn clauses(self, goals: [Literal; 2]) -> Clauses {
        let literal = |literal: Literal| {
            let variable = (literal >> 1) as i32 + 1;
            if literal & 1 == 1 { -variable } else { variable }
        };
        let variables = self.inputs as usize + self.operands.len() + 1;
        let mut clauses = Clauses { variables, literals: vec![], ends: vec![] };
        clauses.push(&[-1]);
        for (&[a, b], at) in self.operands.iter().zip(self.inputs + 1..) {
            let (out, a, b) = (literal(2 * at), literal(a), literal(b));
            clauses.push(&[-out, a]);
            clauses.push(&[-out, b]);
            // A literal stands in a clause once.
            let last = [out, -a, -b];
            clauses.push(if a == b { &last[..2] } else { &last });
        }
        goals.into_iter().for_each(|goal| clauses.push(&[literal(goal)]));
        clauses
    }
}
