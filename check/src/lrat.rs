//! Refutations in the text format LRAT. (L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, Efficient certified RAT
//! verification, CADE 2017.)
//!
//! A line states a number, a clause, and the numbers of earlier clauses. If the literals of the clause are 0, each of these has only one
//! literal that is not 0, which then is 1; in the last of them all literals are 0. So the clause follows. The last line states the empty
//! clause. Other steps of LRAT, which need no such chain, are refused.

use crate::clauses::Clauses;
use std::io::BufRead;

/// The most literals of all derived clauses: 1 GiB.
const MOST_LITERALS: usize = 1 << 28;

/// The most bytes of a line.
const LONGEST_LINE: u64 = 1 << 28;

/// The clauses that a refutation has derived so far.
pub struct Refutation<'c> {
    given: &'c Clauses,
    literals: Vec<i32>,
    /// The number of each derived clause, and the end of its literals.
    derived: Vec<(usize, usize)>,
    /// 1 or -1 for a variable that has a value in the current step, else 0.
    values: Vec<i8>,
    /// The literals that are 1 in the current step.
    ones: Vec<i32>,
}

impl Refutation<'_> {
    /// Nothing is derived yet.
    pub fn new(given: &Clauses) -> Refutation<'_> {
        Refutation { given, literals: vec![], derived: vec![], values: vec![0; given.variables + 1], ones: vec![] }
    }

    /// Checks each line of a file; returns the number of lines.
    pub fn check(mut self, mut file: impl BufRead) -> Result<usize, String> {
        let mut line = vec![];
        for number in 1.. {
            line.clear();
            let read = std::io::Read::take(&mut file, LONGEST_LINE).read_until(b'\n', &mut line);
            if read.map_err(|error| format!("line {number}: {error}"))? == 0 {
                return Err("the empty clause is not derived".into());
            }
            if self.step(&line).map_err(|why| format!("line {number}: {why}"))? {
                let rest = file.fill_buf().map_err(|error| error.to_string())?;
                return if rest.is_empty() { Ok(number) } else { Err("something follows the empty clause".into()) };
            }
        }
        unreachable!("a file has an end")
    }

    /// Checks one line; returns whether it states the empty clause.
    fn step(&mut self, line: &[u8]) -> Result<bool, String> {
        let text =
            std::str::from_utf8(line).ok().and_then(|line| line.strip_suffix('\n')).ok_or("not a line of text")?;
        let mut numbers = text.split(' ').map(|word| word.parse::<i64>().map_err(|_| format!("`{word}` is no number")));
        let number = numbers.next().ok_or("an empty line")??;
        let number = usize::try_from(number).map_err(|_| "the number of the clause is negative")?;
        if number <= self.derived.last().map_or(self.given.count(), |&(last, _)| last) {
            return Err(format!("clause {number} is not after those before it"));
        }
        let begin = self.literals.len();
        self.clause(&mut numbers)?;
        let result = self.follows(begin, &mut numbers);
        self.ones.drain(..).for_each(|literal| self.values[literal.unsigned_abs() as usize] = 0);
        result?;
        self.derived.push((number, self.literals.len()));
        Ok(self.literals.len() == begin)
    }

    /// Reads the literals of a clause, up to 0, and makes them 0.
    fn clause(&mut self, numbers: &mut impl Iterator<Item = Result<i64, String>>) -> Result<(), String> {
        loop {
            let literal = numbers.next().ok_or("the clause has no end")??;
            if literal == 0 {
                return Ok(());
            }
            if literal.unsigned_abs() as usize >= self.values.len() {
                return Err(format!("there is no variable {}", literal.unsigned_abs()));
            }
            if self.literals.len() == MOST_LITERALS {
                return Err("the refutation is too long for this checker".into());
            }
            let literal = literal as i32;
            if self.value(literal) == 1 {
                return Err(format!("the clause has both {literal} and {}", -literal));
            }
            self.literals.push(literal);
            self.set(-literal);
        }
    }

    /// Follows the chain of a clause, up to 0.
    fn follows(&mut self, begin: usize, numbers: &mut impl Iterator<Item = Result<i64, String>>) -> Result<(), String> {
        loop {
            let hint = numbers.next().ok_or("the line has no end")??;
            if hint == 0 {
                return Err("the clause does not follow".into());
            }
            let open = self.open(hint, begin)?;
            match open[..] {
                [] => break,
                [literal] if self.value(literal) == 0 => self.set(literal),
                _ => return Err(format!("clause {hint} has not exactly one literal left")),
            }
        }
        match (numbers.next().transpose()?, numbers.next()) {
            (Some(0), None) => Ok(()),
            _ => Err("something follows the clause in which all literals are 0".into()),
        }
    }

    /// The literals of an earlier clause that are not 0; at most two of them.
    fn open(&self, hint: i64, begin: usize) -> Result<Vec<i32>, String> {
        let clause = usize::try_from(hint).ok().filter(|&hint| hint > 0).and_then(|hint| self.known(hint, begin));
        let clause = clause.ok_or_else(|| format!("there is no clause {hint}"))?;
        Ok(clause.iter().copied().filter(|&literal| self.value(literal) != -1).take(2).collect())
    }

    /// The literals of a clause before the current one.
    fn known(&self, number: usize, begin: usize) -> Option<&[i32]> {
        if number <= self.given.count() {
            return Some(self.given.clause(number));
        }
        let place = self.derived.binary_search_by_key(&number, |&(number, _)| number).ok()?;
        let first = if place == 0 { 0 } else { self.derived[place - 1].1 };
        Some(&self.literals[first..self.derived[place].1.min(begin)])
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self.values[literal.unsigned_abs() as usize];
        if literal < 0 { -value } else { value }
    }

    fn set(&mut self, literal: i32) {
        if self.value(literal) == 0 {
            self.values[literal.unsigned_abs() as usize] = if literal < 0 { -1 } else { 1 };
            self.ones.push(literal);
        }
    }
}
