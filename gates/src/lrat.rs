//! Proofs in the format LRAT: each clause comes with the earlier clauses from which it follows by unit propagation. (L. Cruz-Filipe, M.
//! Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, Efficient certified RAT verification, CADE 2017.) No clause here needs more than unit
//! propagation.
//!
//! A solver does not say why the clauses that it learns follow. That is found afterwards, from the last clause to the first, and only for
//! those that later ones need. (E. Goldberg, Y. Novikov, Verification of proofs of unsatisfiability for CNF formulas, DATE 2003.)

use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// The number of a clause, from 1.
pub type ClauseId = u32;

/// The literal of a variable, from 1; negative if inverted.
pub type CnfLiteral = i32;

/// The reason of a literal that is assumed, not implied.
const ASSUMED: ClauseId = 0;

/// A list of lists in one piece of memory.
#[derive(Debug, Default)]
struct Lists<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T: Copy> Lists<T> {
    fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.ends.push(u32::try_from(self.items.len()).expect("fewer than 2^32 items"));
    }

    fn range(&self, at: usize) -> std::ops::Range<usize> {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        begin as usize..self.ends[at] as usize
    }

    fn get(&self, at: usize) -> &[T] {
        &self.items[self.range(at)]
    }
}

/// The clauses of a proof.
#[derive(Debug)]
pub struct Lrat {
    clauses: Lists<CnfLiteral>,
    /// The clauses from which each derived clause follows; none if that is not known yet.
    hints: Lists<ClauseId>,
    /// The number of clauses to refute.
    given: usize,
    variables: usize,
    /// The clauses from which learned ones follow.
    active: Vec<ClauseId>,
}

impl Lrat {
    /// Nothing is derived yet from these clauses, of which none is active.
    pub fn new<'c>(variables: usize, given: impl IntoIterator<Item = &'c [CnfLiteral]>) -> Lrat {
        let mut clauses = Lists::default();
        given.into_iter().for_each(|clause| clauses.push(clause.iter().copied()));
        Lrat { given: clauses.ends.len(), clauses, hints: Lists::default(), variables, active: vec![] }
    }

    /// The literals of a clause.
    fn clause(&self, id: ClauseId) -> &[CnfLiteral] {
        self.clauses.get(id as usize - 1)
    }

    /// The clauses from which a clause follows.
    fn hints(&self, id: ClauseId) -> &[ClauseId] {
        self.hints.get(id as usize - 1 - self.given)
    }

    fn push(&mut self, clause: &[CnfLiteral], hints: &[ClauseId]) -> ClauseId {
        self.clauses.push(clause.iter().copied());
        self.hints.push(hints.iter().copied());
        ClauseId::try_from(self.clauses.ends.len()).expect("fewer than 2^32 clauses")
    }

    /// Lets learned clauses follow from this one, too.
    pub fn activate(&mut self, id: ClauseId) {
        self.active.push(id);
    }

    /// Adds a clause that follows from the active ones by unit propagation.
    pub fn learn(&mut self, clause: &[CnfLiteral]) -> ClauseId {
        let id = self.push(clause, &[]);
        self.activate(id);
        id
    }

    /// Derives a clause from these ones alone: by unit propagation, or else from two clauses that have one more literal, each of the
    /// variables of `split`.
    pub fn follow_from(&mut self, clause: &[CnfLiteral], from: &[ClauseId], split: &[CnfLiteral]) -> Option<ClauseId> {
        let is_part = |id: &&ClauseId| self.clause(**id).iter().all(|literal| clause.contains(literal));
        if let Some(&part) = from.iter().find(is_part) {
            return Some(part);
        }
        if let Some(hints) = self.implied(clause, from) {
            return Some(self.push(clause, &hints));
        }
        let (&literal, others) = split.split_first()?;
        if clause.contains(&literal) || clause.contains(&-literal) {
            return self.follow_from(clause, from, others);
        }
        let one = self.follow_from(&[clause, &[literal]].concat(), from, others)?;
        let other = self.follow_from(&[clause, &[-literal]].concat(), from, others)?;
        Some(self.push(clause, &[one, other]))
    }

    /// The clauses among these from which a clause follows by unit propagation, in order.
    fn implied(&self, clause: &[CnfLiteral], from: &[ClauseId]) -> Option<Vec<ClauseId>> {
        let mut known: Vec<(CnfLiteral, ClauseId)> = clause.iter().map(|&literal| (-literal, ASSUMED)).collect();
        loop {
            let before = known.len();
            for &id in from {
                let is_known = |literal: CnfLiteral| known.iter().any(|&(known, _)| known == literal);
                let mut open = self.clause(id).iter().copied().filter(|&literal| !is_known(-literal));
                match (open.next(), open.next()) {
                    (None, _) => return Some(self.needed(&known, id)),
                    (Some(literal), None) if !is_known(literal) => known.push((literal, id)),
                    _ => {}
                }
            }
            if known.len() == before {
                return None;
            }
        }
    }

    /// The clauses that are needed for a conflict, among those that made literals known.
    fn needed(&self, known: &[(CnfLiteral, ClauseId)], conflict: ClauseId) -> Vec<ClauseId> {
        let mut hints = vec![conflict];
        for &(literal, reason) in known.iter().rev() {
            if reason != ASSUMED && hints.iter().any(|&hint| self.clause(hint).contains(&-literal)) {
                hints.push(reason);
            }
        }
        hints.reverse();
        hints
    }

    /// Finds out how the empty clause follows from the active clauses, if it is not the last one already.
    ///
    /// # Panics
    /// When it does not follow.
    pub fn refuted(mut self) -> Refutation {
        if self.clauses.ends.len() == self.given || !self.clauses.get(self.clauses.ends.len() - 1).is_empty() {
            self.learn(&[]);
        }
        Backward::new(self).refuted()
    }
}

fn variable(literal: CnfLiteral) -> usize {
    literal.unsigned_abs() as usize
}

fn slot(literal: CnfLiteral) -> usize {
    2 * variable(literal) + usize::from(literal < 0)
}

/// A step of a refutation.
#[derive(Clone, Debug)]
struct Step {
    clause: Vec<CnfLiteral>,
    hints: Vec<Hint>,
}

/// A clause, or a unit clause that was added to those of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Hint {
    Clause(ClauseId),
    Unit(usize),
}

/// A refutation of clauses.
#[derive(Debug)]
pub struct Refutation {
    given: usize,
    /// The steps, and the numbers of the clauses that they use.
    steps: Vec<(Vec<CnfLiteral>, Vec<usize>)>,
}

impl Refutation {
    /// The number of steps.
    pub fn count(&self) -> usize {
        self.steps.len()
    }

    /// Writes the steps as text.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        for ((clause, hints), number) in self.steps.iter().zip(self.given + 1..) {
            write!(to, "{number}")?;
            clause.iter().try_for_each(|literal| write!(to, " {literal}"))?;
            write!(to, " 0")?;
            hints.iter().try_for_each(|hint| write!(to, " {hint}"))?;
            writeln!(to, " 0")?;
        }
        Ok(())
    }
}

/// The places of needed clauses and of others.
const NEEDED: usize = 0;
const OTHER: usize = 1;

/// A clause that is watched at a literal, and another literal of it.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseId,
    blocker: CnfLiteral,
}

/// A literal that is 1 in any case, with the last clause that this needs.
#[derive(Debug)]
struct Unit {
    step: Step,
    after: ClauseId,
    is_needed: bool,
}

/// The walk through a proof from its last clause to its first.
struct Backward {
    proof: Lrat,
    /// The hints of clauses that were learned.
    found: Vec<Option<Vec<Hint>>>,
    is_needed: Vec<bool>,
    units: Vec<Unit>,
    /// The value of each variable: 0 if it is free, 1 or -1.
    values: Vec<i8>,
    /// The clause that made each variable known.
    reasons: Vec<ClauseId>,
    /// The place of each known variable in the trail.
    places: Vec<usize>,
    /// The clause of only that literal, once it is needed.
    of_variables: Vec<Option<Hint>>,
    /// The literals that are 1, in the order in which they became so.
    trail: Vec<CnfLiteral>,
    /// Literals of the trail whose consequences by needed clauses are known, and those by others.
    propagated: [usize; 2],
    /// Literals at the beginning of the trail that are 1 without assumptions.
    fixed: usize,
    /// The needed clauses that are watched at each literal, and the others. Clauses that have become needed move when they are met.
    watches: [Vec<Vec<Watch>>; 2],
    /// Active clauses of one literal, in order.
    single: Vec<ClauseId>,
    /// Clauses from this one on are not used.
    end: ClauseId,
    /// A clause that is violated without assumptions.
    conflict: Option<ClauseId>,
    /// Whether it is known what holds without assumptions.
    is_settled: bool,
    is_marked: Vec<bool>,
}

impl Backward {
    fn new(mut proof: Lrat) -> Backward {
        let (variables, clauses) = (proof.variables + 1, proof.clauses.ends.len());
        let mut active = std::mem::take(&mut proof.active);
        active.sort_unstable();
        active.dedup();
        let mut watches: Vec<Vec<Watch>> = (0..2 * variables).map(|_| vec![]).collect();
        let mut single = vec![];
        for clause in active {
            match *proof.clause(clause) {
                [] => {}
                [_] => single.push(clause),
                [first, second, ..] => {
                    watches[slot(first)].push(Watch { clause, blocker: second });
                    watches[slot(second)].push(Watch { clause, blocker: first });
                }
            }
        }
        Backward {
            found: vec![None; clauses + 1],
            is_needed: vec![false; clauses + 1],
            units: vec![],
            values: vec![0; variables],
            reasons: vec![ASSUMED; variables],
            places: vec![0; variables],
            of_variables: vec![None; variables],
            trail: vec![],
            propagated: [0; 2],
            fixed: 0,
            watches: [(0..2 * variables).map(|_| vec![]).collect(), watches],
            single,
            end: clauses as ClauseId + 1,
            conflict: None,
            is_settled: false,
            is_marked: vec![false; variables],
            proof,
        }
    }

    fn refuted(mut self) -> Refutation {
        let mut last = self.proof.clauses.ends.len() as ClauseId;
        assert!(self.proof.clause(last).is_empty(), "the last clause is the empty one");
        self.is_needed[last as usize] = true;
        for id in (self.proof.given as ClauseId + 1..=last).rev() {
            self.shorten(id);
            if !self.is_needed[id as usize] {
                continue;
            }
            let known = self.proof.hints(id);
            let hints: Vec<Hint> = match known {
                [] => {
                    if self.has_conflict() && id != last {
                        // The clauses before this one have no solution, so that the rest is not needed.
                        last = id;
                        self.is_needed.fill(false);
                        self.units.iter_mut().for_each(|unit| unit.is_needed = false);
                        self.is_needed[id as usize] = true;
                    }
                    self.chain(id)
                }
                known => known.iter().map(|&hint| Hint::Clause(hint)).collect(),
            };
            hints.iter().for_each(|&hint| self.need(hint));
            self.found[id as usize] = Some(hints);
        }
        self.numbered(last)
    }

    /// Leaves out a clause, and what follows from it.
    fn shorten(&mut self, id: ClauseId) {
        self.end = id;
        let is_caused = |&literal: &CnfLiteral| self.value(literal) == 1 && self.reasons[variable(literal)] == id;
        let place = self.proof.clause(id).iter().copied().find(is_caused).map(|literal| self.places[variable(literal)]);
        if let Some(place) = place {
            self.undo(place);
            (self.fixed, self.is_settled) = (place, false);
        }
        if self.conflict == Some(id) {
            self.is_settled = false;
        }
    }

    /// Finds what holds without assumptions.
    fn settle(&mut self) {
        if self.is_settled {
            return;
        }
        (self.is_settled, self.propagated, self.conflict) = (true, [0; 2], None);
        for at in 0..self.single.partition_point(|&id| id < self.end) {
            let id = self.single[at];
            let literal = self.proof.clause(id)[0];
            match self.value(literal) {
                0 => self.set(literal, id),
                1 => {}
                _ => self.conflict = Some(id),
            }
        }
        self.conflict = self.conflict.or_else(|| self.propagate());
        self.fixed = self.trail.len();
    }

    fn has_conflict(&mut self) -> bool {
        self.settle();
        self.conflict.is_some()
    }

    /// The clauses from which a learned clause follows, in order.
    fn chain(&mut self, id: ClauseId) -> Vec<Hint> {
        self.settle();
        if let Some(conflict) = self.conflict {
            return self.explained(conflict, &[]);
        }
        let clause = self.proof.clause(id).to_vec();
        if let Some(&literal) = clause.iter().find(|&&literal| self.value(literal) == 1) {
            return vec![self.unit(variable(literal))];
        }
        for &literal in &clause {
            if self.values[variable(literal)] == 0 {
                self.set(-literal, ASSUMED);
            }
        }
        let conflict = self.propagate().expect("a learned clause follows by unit propagation");
        let hints = self.explained(conflict, &clause);
        self.undo(self.fixed);
        self.propagated = [self.fixed; 2];
        hints
    }

    /// Makes the literals of the trail from a place on unknown.
    fn undo(&mut self, place: usize) {
        for literal in self.trail.drain(place..) {
            self.values[variable(literal)] = 0;
            self.of_variables[variable(literal)] = None;
        }
    }

    /// The clauses that lead to a violated one, in order, if the literals of a clause are 0.
    fn explained(&mut self, conflict: ClauseId, assumed: &[CnfLiteral]) -> Vec<Hint> {
        let (mut hints, mut units, mut marked) = (vec![Hint::Clause(conflict)], vec![], vec![]);
        let (mut place, mut reason) = (self.trail.len(), conflict);
        loop {
            for &literal in self.proof.clauses.get(reason as usize - 1) {
                let variable = variable(literal);
                if !std::mem::replace(&mut self.is_marked[variable], true) {
                    marked.push(variable);
                    if self.places[variable] < self.fixed && !assumed.contains(&literal) && !assumed.contains(&-literal)
                    {
                        units.push(variable);
                    }
                }
            }
            let is_implied = |&place: &usize| {
                let variable = variable(self.trail[place]);
                self.is_marked[variable] && self.reasons[variable] != ASSUMED
            };
            let Some(next) = (self.fixed..place).rev().find(is_implied) else { break };
            (place, reason) = (next, self.reasons[variable(self.trail[next])]);
            hints.push(Hint::Clause(reason));
        }
        marked.into_iter().for_each(|variable| self.is_marked[variable] = false);
        units.into_iter().map(|variable| self.unit(variable)).chain(hints.into_iter().rev()).collect::<Vec<_>>()
    }

    /// The clause that says which value a variable has in any case.
    fn unit(&mut self, variable: usize) -> Hint {
        let mut waiting = vec![variable];
        while let Some(&next) = waiting.last() {
            if self.of_variables[next].is_some() {
                waiting.pop();
                continue;
            }
            let others = self.proof.clause(self.reasons[next]).iter().map(|&literal| self::variable(literal));
            let before = waiting.len();
            let missing: Vec<usize> =
                others.filter(|&other| other != next && self.of_variables[other].is_none()).collect();
            waiting.extend(missing);
            if waiting.len() == before {
                waiting.pop();
                self.of_variables[next] = Some(self.added_unit(next));
            }
        }
        self.of_variables[variable].expect("the clause of the variable")
    }

    /// Adds a clause of only one literal, whose reason has other literals with such clauses.
    fn added_unit(&mut self, variable: usize) -> Hint {
        let reason = self.reasons[variable];
        let clause = self.proof.clause(reason);
        if clause.len() == 1 {
            return Hint::Clause(reason);
        }
        let others = clause.iter().filter(|&&literal| self::variable(literal) != variable);
        let of_others =
            others.map(|&literal| self.of_variables[self::variable(literal)].expect("a clause of the other"));
        let hints: Vec<Hint> = of_others.chain([Hint::Clause(reason)]).collect();
        let after = |&hint: &Hint| match hint {
            Hint::Clause(id) => id,
            Hint::Unit(unit) => self.units[unit].after,
        };
        let after = hints.iter().map(after).max().expect("the reason");
        let clause = vec![self.trail[self.places[variable]]];
        self.units.push(Unit { step: Step { clause, hints }, after, is_needed: false });
        Hint::Unit(self.units.len() - 1)
    }

    /// Marks a clause, and what a unit clause needs.
    fn need(&mut self, hint: Hint) {
        let mut waiting = vec![hint];
        while let Some(hint) = waiting.pop() {
            match hint {
                Hint::Clause(id) => self.is_needed[id as usize] = true,
                Hint::Unit(unit) => {
                    if !std::mem::replace(&mut self.units[unit].is_needed, true) {
                        waiting.extend(&self.units[unit].step.hints);
                    }
                }
            }
        }
    }

    /// The needed steps, up to the empty clause, with new numbers.
    fn numbered(self, last: ClauseId) -> Refutation {
        let given = self.proof.given;
        let mut order: Vec<(ClauseId, Hint)> = (given as ClauseId + 1..=last)
            .filter(|&id| self.is_needed[id as usize])
            .map(|id| (id, Hint::Clause(id)))
            .chain(
                (0..self.units.len())
                    .filter(|&unit| self.units[unit].is_needed)
                    .map(|unit| (self.units[unit].after, Hint::Unit(unit))),
            )
            .collect();
        // A unit clause stands behind the last clause that it needs, and behind the unit clauses that were added before it.
        order.sort_by_key(|&(after, hint)| match hint {
            Hint::Clause(_) => (after, 0),
            Hint::Unit(unit) => (after, unit + 1),
        });
        let mut numbers: FxHashMap<Hint, usize> = FxHashMap::default();
        let mut steps = vec![];
        for (id, hint) in order {
            let (clause, hints) = match hint {
                Hint::Clause(_) if id == last => (vec![], self.found[id as usize].as_deref().expect("the hints")),
                Hint::Clause(_) => {
                    (self.proof.clause(id).to_vec(), self.found[id as usize].as_deref().expect("the hints"))
                }
                Hint::Unit(unit) => (self.units[unit].step.clause.clone(), &self.units[unit].step.hints[..]),
            };
            let number = |hint: &Hint| match *hint {
                Hint::Clause(id) if id as usize <= given => id as usize,
                hint => numbers[&hint],
            };
            steps.push((clause, hints.iter().map(number).collect()));
            numbers.insert(hint, given + steps.len());
        }
        Refutation { given, steps }
    }

    fn value(&self, literal: CnfLiteral) -> i8 {
        self.values[variable(literal)] * literal.signum() as i8
    }

    fn set(&mut self, literal: CnfLiteral, reason: ClauseId) {
        self.values[variable(literal)] = literal.signum() as i8;
        self.reasons[variable(literal)] = reason;
        self.places[variable(literal)] = self.trail.len();
        self.trail.push(literal);
    }

    /// Finds what follows from the literals of the trail; returns a clause that is violated, if there is one. Clauses that are needed
    /// anyway come first, so that few others become needed.
    fn propagate(&mut self) -> Option<ClauseId> {
        loop {
            let kind = match self.propagated {
                [needed, _] if needed < self.trail.len() => NEEDED,
                [_, other] if other < self.trail.len() => OTHER,
                _ => return None,
            };
            let falsified = -self.trail[self.propagated[kind]];
            self.propagated[kind] += 1;
            let watches = std::mem::take(&mut self.watches[kind][slot(falsified)]);
            let (watches, conflict) = self.looked_through(watches, falsified, kind);
            self.watches[kind][slot(falsified)] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
    }

    /// What follows from the clauses that are watched at a literal that became 0; returns those that remain watched there.
    fn looked_through(
        &mut self,
        mut watches: Vec<Watch>,
        falsified: CnfLiteral,
        kind: usize,
    ) -> (Vec<Watch>, Option<ClauseId>) {
        let (mut kept, mut conflict) = (0, None);
        for at in 0..watches.len() {
            let mut watch = watches[at];
            if watch.clause >= self.end {
                continue;
            }
            if conflict.is_none() && self.value(watch.blocker) != 1 {
                let range = self.proof.clauses.range(watch.clause as usize - 1);
                let literals = &mut self.proof.clauses.items[range];
                if literals[0] == falsified {
                    literals.swap(0, 1);
                }
                let first = literals[0];
                watch.blocker = first;
                let is_open = |literal: CnfLiteral| self.values[variable(literal)] * literal.signum() as i8 != -1;
                if self.values[variable(first)] * first.signum() as i8 != 1 {
                    if let Some(place) = (2..literals.len()).find(|&place| is_open(literals[place])) {
                        literals.swap(1, place);
                        let to = if self.is_needed[watch.clause as usize] { NEEDED } else { OTHER };
                        self.watches[to][slot(literals[1])].push(watch);
                        continue;
                    }
                    match self.value(first) {
                        -1 => conflict = Some(watch.clause),
                        _ => self.set(first, watch.clause),
                    }
                }
            }
            if kind == OTHER && self.is_needed[watch.clause as usize] {
                self.watches[NEEDED][slot(falsified)].push(watch);
                continue;
            }
            watches[kept] = watch;
            kept += 1;
        }
        watches.truncate(kept);
        (watches, conflict)
    }
}
