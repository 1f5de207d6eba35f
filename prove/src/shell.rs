//! Shells with valid and ready: what must hold for a shell in all sequences of offers and acceptances.
//!
//! The unit is removed: its inputs become outputs of the graph, and its outputs become inputs, which may be anything. A
//! shell holds at most one set of operands, in its registers. For any contents of these, and any inputs:
//!
//! 1. The results offered are those of the unit; clock and reset of the unit are the shell's.
//! 2. The unit advances exactly when no result is offered, or the offered one is accepted: no results are lost or
//!    repeated.
//! 3. `in_ready` depends on the registers alone, and is low exactly when operands are held.
//! 4. Held operands enter the unit first, unchanged; offered ones enter only when none are held.
//! 5. After a clock, the shell holds operands exactly if some were there and the unit did not take them; and
//!    it holds these.
//! 6. After a reset it holds none.
//! 7. If the unit takes several clocks for an operation, operands enter it only when no operation is in progress, or when its results
//!    are due; until then they are held. Else the unit is always free.
//!
//! So accepted operands enter the unit once, unchanged and in order (3 to 6); the unit keeps its contents in order
//! ([`flow`](crate::flow())); and its results are accepted once (1, 2).

use crate::dependence::are_equal;
use binade_gates::{Graph, Literal};
use std::fmt;

/// Inputs before the operands: the clock, `rst_n`, `in_valid`, `out_ready`.
const CONTROLS: usize = 4;

/// A fault of a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellFault {
    /// Results, clock or reset are not passed on.
    Passing,
    /// The unit advances when it should not, or does not when it should.
    Moving,
    /// `in_ready` depends on more than registers, or does not tell whether operands are held.
    Ready,
    /// The unit gets other operands than the next ones.
    Entering,
    /// Operands that the unit has not taken are lost.
    Holding,
    /// Operands are held after a reset.
    Reset,
    /// Operands enter the unit while an operation is in progress, or do not enter when none is.
    Running,
}

impl fmt::Display for ShellFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ShellFault::Passing => "the shell does not pass on results, clock and reset as they are",
            ShellFault::Moving => "the unit does not stall exactly while its results are offered and not taken",
            ShellFault::Ready => "the shell is not ready exactly when its skid buffer is empty",
            ShellFault::Entering => "the unit does not get the operands that were taken, in their order",
            ShellFault::Holding => "operands that were taken while the unit was stalled are lost or repeated",
            ShellFault::Reset => "operands are left in the shell after a reset",
            ShellFault::Running => "the unit does not get operands exactly when no operation is in progress",
        })
    }
}

/// The inputs of a shell in one clock, without its registers.
#[derive(Clone)]
struct Clock {
    /// The net of the clock, which no logic should read.
    clock: Literal,
    is_not_reset: Literal,
    is_offered: Literal,
    is_taken: Literal,
    operands: Vec<Literal>,
    /// The outputs of the unit: `out_valid`, if it has a clock, and results.
    from_unit: Vec<Literal>,
}

/// The outputs of a shell in one clock, and its next state.
struct Seen {
    is_ready: Literal,
    is_result: Literal,
    results: Vec<Literal>,
    /// Whether the unit advances.
    moves: Literal,
    /// Whether operands are ready to enter the unit, and which.
    enters: Literal,
    operands: Vec<Literal>,
    /// Clock and reset, as the unit gets them.
    passed: Vec<Literal>,
    next: Vec<Literal>,
}

/// A shell as gates. Inputs: the clock, `rst_n`, `in_valid`, `out_ready`, the operands, then the outputs of the unit:
/// `out_valid` if it has a clock, and the results. Outputs: `in_ready`, `out_valid`, the results, then the inputs of
/// the unit: `clk`, `rst_n`, `en` and `in_valid` if it has a clock, and the operands. Where words are packed into one
/// port, `operands` and `results` give their bit positions; the other bits of the results' port must be 0.
#[derive(Clone, Debug)]
pub struct Shell {
    /// The gates.
    pub graph: Graph,
    /// Whether the unit has a clock.
    pub is_clocked: bool,
    /// Whether the unit takes several clocks for an operation, and operands wait until it is free.
    pub waits: bool,
    /// Positions of the operands' bits among those of their ports.
    pub operands: Vec<usize>,
    /// Positions of the results' bits among those of their ports.
    pub results: Vec<usize>,
}

impl Shell {
    /// Checks the shell for any unit in it. Soon after `is_over` returns true, the check ends.
    ///
    /// # Errors
    /// When a property does not hold, or could not be proven.
    ///
    /// # Panics
    /// When the graph does not have the ports of a shell.
    pub fn check(&self, is_over: &dyn Fn() -> bool) -> Result<(), ShellFault> {
        self.check_passing(is_over)?;
        self.check_ready(is_over)?;
        self.check_entering(is_over)?;
        self.check_holding(is_over)?;
        self.check_reset(is_over)?;
        if self.waits { self.check_running(is_over) } else { Ok(()) }
    }

    /// A graph with the inputs of two clocks and the contents of the registers.
    fn two_clocks(&self) -> (Graph, [Clock; 2], Vec<Literal>) {
        let inputs = self.graph.inputs();
        let ports: usize = inputs.iter().skip(CONTROLS).map(Vec::len).sum();
        let from_unit = usize::from(self.is_clocked) + self.results.len();
        let bits = 2 + ports;
        let graph = Graph::new([2 * bits as u32, self.graph.flip_flops().len() as u32]);
        let (of_clocks, state) = (graph.inputs()[0].clone(), graph.inputs()[1].clone());
        let clock = |bits: &[Literal]| Clock {
            clock: Literal::TRUE,
            is_not_reset: Literal::TRUE,
            is_offered: bits[0],
            is_taken: bits[1],
            operands: bits[2..bits.len() - from_unit].to_vec(),
            from_unit: bits[bits.len() - from_unit..].to_vec(),
        };
        let clocks = [clock(&of_clocks[..bits]), clock(&of_clocks[bits..])];
        (graph, clocks, state)
    }

    fn see(&self, graph: &mut Graph, clock: &Clock, state: &[Literal]) -> Seen {
        let controls = [clock.clock, clock.is_not_reset, clock.is_offered, clock.is_taken];
        let sources = [&controls[..], &clock.operands, &clock.from_unit, state].concat();
        let images = graph.add_gates(&self.graph, sources, None);
        let next = self.graph.flip_flops().iter().map(|flip_flop| images.of(flip_flop.next)).collect();
        let outputs = images.of_words(self.graph.outputs());
        let (is_ready, is_result, rest) = (outputs[0][0], outputs[1][0], outputs[2..].concat());
        let ports = rest.len() - self.operands.len() - if self.is_clocked { 4 } else { 0 };
        let (results, to_unit) = rest.split_at(ports);
        let (controls, operands) = to_unit.split_at(to_unit.len() - self.operands.len());
        let (passed, moves, enters) = match *controls {
            [clock, reset, moves, enters] => (vec![clock, reset], moves, enters),
            _ => (vec![], graph.or(clock.is_taken, !is_result), is_result),
        };
        Seen {
            is_ready,
            is_result,
            results: results.to_vec(),
            moves,
            enters,
            operands: operands.to_vec(),
            passed,
            next,
        }
    }

    /// What the shell holds: what would enter the unit if nothing were offered.
    fn held(&self, graph: &mut Graph, clock: &Clock, state: &[Literal]) -> Seen {
        let mut free = Clock { is_offered: Literal::FALSE, is_not_reset: Literal::TRUE, ..clock.clone() };
        if self.waits {
            free.from_unit[0] = Literal::TRUE;
        }
        self.see(graph, &free, state)
    }

    /// Whether the unit can take operands: whether any that were offered would enter it.
    fn is_free(&self, graph: &mut Graph, clock: &Clock, state: &[Literal]) -> Literal {
        match self.waits {
            true => self.see(graph, &Clock { is_offered: Literal::TRUE, ..clock.clone() }, state).enters,
            false => Literal::TRUE,
        }
    }

    /// Whether an operation is in progress: whether the unit is not free without results.
    fn runs(&self, graph: &mut Graph, clock: &Clock, state: &[Literal]) -> Literal {
        let mut without = clock.clone();
        without.from_unit[0] = Literal::FALSE;
        !self.is_free(graph, &without, state)
    }

    /// The bits of the offered operands.
    fn offered(&self, clock: &Clock) -> Vec<Literal> {
        self.operands.iter().map(|&bit| clock.operands[bit]).collect()
    }

    fn check_passing(&self, is_over: &dyn Fn() -> bool) -> Result<(), ShellFault> {
        let (mut graph, [mut clock, other], state) = self.two_clocks();
        (clock.clock, clock.is_not_reset) = (other.is_taken, other.is_offered);
        let seen = self.see(&mut graph, &clock, &state);
        let mut passed = vec![Literal::FALSE; seen.results.len()];
        let results = &clock.from_unit[usize::from(self.is_clocked)..];
        self.results.iter().zip(results).for_each(|(&bit, &result)| passed[bit] = result);
        let moves = graph.or(clock.is_taken, !seen.is_result);
        if !are_equal(&mut graph, &seen.results, &passed, is_over) {
            return Err(ShellFault::Passing);
        }
        if self.is_clocked {
            let (got, want) =
                ([&seen.passed[..], &[seen.is_result]].concat(), [clock.clock, clock.is_not_reset, clock.from_unit[0]]);
            if !are_equal(&mut graph, &got, &want, is_over) {
                return Err(ShellFault::Passing);
            }
        }
        if are_equal(&mut graph, &[seen.moves], &[moves], is_over) { Ok(()) } else { Err(ShellFault::Moving) }
    }

    fn check_ready(&self, is_over: &dyn Fn() -> bool) -> Result<(), ShellFault> {
        let (mut graph, [clock, other], state) = self.two_clocks();
        let seen = self.see(&mut graph, &clock, &state);
        let held = self.held(&mut graph, &other, &state);
        if are_equal(&mut graph, &[seen.is_ready], &[!held.enters], is_over) { Ok(()) } else { Err(ShellFault::Ready) }
    }

    fn check_entering(&self, is_over: &dyn Fn() -> bool) -> Result<(), ShellFault> {
        let (mut graph, [clock, other], state) = self.two_clocks();
        let seen = self.see(&mut graph, &clock, &state);
        let held = self.held(&mut graph, &other, &state);
        let is_free = self.is_free(&mut graph, &clock, &state);
        let enters = graph.or(held.enters, clock.is_offered);
        let enters = graph.and(is_free, enters);
        let offered = self.offered(&clock);
        let mut wanted = vec![enters];
        for ((&held_bit, &offered), &got) in held.operands.iter().zip(&offered).zip(&seen.operands) {
            let first = graph.mux(held.enters, held_bit, offered);
            // When nothing enters, operands are don't-care.
            wanted.push(graph.mux(enters, first, got));
        }
        let got = [&[seen.enters], &seen.operands[..]].concat();
        if are_equal(&mut graph, &got, &wanted, is_over) { Ok(()) } else { Err(ShellFault::Entering) }
    }

    fn check_holding(&self, is_over: &dyn Fn() -> bool) -> Result<(), ShellFault> {
        let (mut graph, [clock, other], state) = self.two_clocks();
        let seen = self.see(&mut graph, &clock, &state);
        let held = self.held(&mut graph, &other, &state);
        let after = self.held(&mut graph, &other, &seen.next);
        let is_free = self.is_free(&mut graph, &clock, &state);
        let is_there = graph.or(held.enters, clock.is_offered);
        let is_taken = graph.and(seen.moves, is_free);
        let holds = graph.and(is_there, !is_taken);
        let mut wanted = vec![holds];
        for ((&before, &offered), &got) in held.operands.iter().zip(&self.offered(&clock)).zip(&after.operands) {
            let first = graph.mux(held.enters, before, offered);
            wanted.push(graph.mux(holds, first, got));
        }
        let got = [&[after.enters], &after.operands[..]].concat();
        if are_equal(&mut graph, &got, &wanted, is_over) { Ok(()) } else { Err(ShellFault::Holding) }
    }

    /// Checks that operands enter a unit exactly when no operation is in progress: one is from the clock in which operands enter
    /// until its results are due.
    fn check_running(&self, is_over: &dyn Fn() -> bool) -> Result<(), ShellFault> {
        let (mut graph, [clock, other], state) = self.two_clocks();
        let seen = self.see(&mut graph, &clock, &state);
        let is_result = clock.from_unit[0];
        let runs = self.runs(&mut graph, &other, &state);
        let is_free = self.is_free(&mut graph, &clock, &state);
        let free = graph.or(!runs, is_result);
        let stays = graph.and(runs, !is_result);
        let goes_on = graph.or(seen.enters, stays);
        let runs_on = graph.mux(seen.moves, goes_on, runs);
        let mut in_reset = clock.clone();
        in_reset.is_not_reset = Literal::FALSE;
        let reset = self.see(&mut graph, &in_reset, &state).next;
        let [runs_after, runs_after_reset] = [&seen.next, &reset].map(|next| self.runs(&mut graph, &other, next));
        match are_equal(&mut graph, &[is_free, runs_after, runs_after_reset], &[free, runs_on, Literal::FALSE], is_over)
        {
            true => Ok(()),
            false => Err(ShellFault::Running),
        }
    }

    fn check_reset(&self, is_over: &dyn Fn() -> bool) -> Result<(), ShellFault> {
        let (mut graph, [mut clock, other], state) = self.two_clocks();
        clock.is_not_reset = Literal::FALSE;
        let seen = self.see(&mut graph, &clock, &state);
        let after = self.held(&mut graph, &other, &seen.next);
        if are_equal(&mut graph, &[after.enters], &[Literal::FALSE], is_over) { Ok(()) } else { Err(ShellFault::Reset) }
    }
}
