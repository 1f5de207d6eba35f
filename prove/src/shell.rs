//! Shells with valid and ready: what is to be shown of one, for all sequences of what is offered and taken.
//!
//! The unit is taken out: what the shell gives it is an output of the graph, what it gives back is an input, and may be anything. A
//! shell holds at most one set of operands, in its registers. Of any content of these, and any inputs:
//!
//! 1. What is offered as results is what the unit gives; clock and reset of the unit are the shell's.
//! 2. The unit moves just when nothing is offered, or what is offered is taken: no results are lost, and none come twice.
//! 3. `in_ready` depends on the registers alone, and is low just when operands are held.
//! 4. Operands that are held go into the unit first, as they are; only when none are, those that are offered do.
//! 5. After a clock, the shell holds operands just if some were there to go into the unit and it did not move; and these.
//! 6. After a reset it holds none.
//!
//! So what was taken goes into the unit once, unchanged and in order (3 to 6); the unit moves what is in it in order
//! ([`flow`](crate::flow())); and what comes out of it is taken once (1, 2).

use crate::clocked::are_equal;
use binade_gates::{Graph, Literal};
use std::fmt;

/// Inputs before the operands: the clock, `rst_n`, `in_valid`, `out_ready`.
const CONTROLS: usize = 4;

/// What is wrong with a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellFault {
    /// Results, clock or reset are not passed on.
    Passing,
    /// The unit moves when it should not, or does not when it should.
    Moving,
    /// What is ready depends on more than registers, or is not whether operands are held.
    Ready,
    /// Other operands go into the unit than those that are next.
    Entering,
    /// Operands that the unit has not taken are not held.
    Holding,
    /// Operands are held after a reset.
    Reset,
}

impl fmt::Display for ShellFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ShellFault::Passing => "the shell does not pass on results, clock and reset as they are",
            ShellFault::Moving => "the unit does not stand still just while its results are offered and not taken",
            ShellFault::Ready => "the shell is not ready just when its skid buffer is empty",
            ShellFault::Entering => "other operands go into the unit than those that were taken, in their order",
            ShellFault::Holding => "operands that were taken while the unit stood still are lost, or come twice",
            ShellFault::Reset => "operands are left in the shell after a reset",
        })
    }
}

/// What goes into a shell at one clock; the registers are beside it.
#[derive(Clone)]
struct Clock {
    /// The net of the clock, which nothing should compute with.
    clock: Literal,
    is_not_reset: Literal,
    is_offered: Literal,
    is_taken: Literal,
    operands: Vec<Literal>,
    /// What the unit gives: `out_valid`, if it has a clock, and results.
    from_unit: Vec<Literal>,
}

/// What comes of it.
struct Seen {
    is_ready: Literal,
    is_result: Literal,
    results: Vec<Literal>,
    /// Whether the unit moves.
    moves: Literal,
    /// Whether operands are there to go into it, and which.
    enters: Literal,
    operands: Vec<Literal>,
    /// Clock and reset, as the unit gets them.
    passed: Vec<Literal>,
    next: Vec<Literal>,
}

/// A shell as gates. Inputs: the clock, `rst_n`, `in_valid`, `out_ready`, the operands, then what the unit gives: `out_valid` if it
/// has a clock, and the results. Outputs: `in_ready`, `out_valid`, the results, then what the unit gets: `clk`, `rst_n`, `en` and
/// `in_valid` if it has a clock, and the operands. Where words are packed into one port, `operands` and `results` say which bits
/// of it they are; the other bits of the results' port have to be 0.
#[derive(Clone, Debug)]
pub struct Shell {
    /// The gates.
    pub graph: Graph,
    /// Whether the unit has a clock.
    pub is_clocked: bool,
    /// Bits of the operands among those of their ports.
    pub operands: Vec<usize>,
    /// Bits of the results among those of their ports.
    pub results: Vec<usize>,
}

impl Shell {
    /// Whether the shell does what it should with any unit in it.
    ///
    /// # Errors
    /// What is wrong, or could not be shown.
    ///
    /// # Panics
    /// When the graph has not the ports of a shell.
    pub fn check(&self) -> Result<(), ShellFault> {
        self.check_passing()?;
        self.check_ready()?;
        self.check_entering()?;
        self.check_holding()?;
        self.check_reset()
    }

    /// A graph with what goes into two clocks, and the registers' content.
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

    /// What the shell holds: what would go into the unit if nothing were offered.
    fn held(&self, graph: &mut Graph, clock: &Clock, state: &[Literal]) -> Seen {
        self.see(graph, &Clock { is_offered: Literal::FALSE, is_not_reset: Literal::TRUE, ..clock.clone() }, state)
    }

    /// The words of operands that are offered.
    fn offered(&self, clock: &Clock) -> Vec<Literal> {
        self.operands.iter().map(|&bit| clock.operands[bit]).collect()
    }

    fn check_passing(&self) -> Result<(), ShellFault> {
        let (mut graph, [mut clock, other], state) = self.two_clocks();
        (clock.clock, clock.is_not_reset) = (other.is_taken, other.is_offered);
        let seen = self.see(&mut graph, &clock, &state);
        let mut passed = vec![Literal::FALSE; seen.results.len()];
        let results = &clock.from_unit[usize::from(self.is_clocked)..];
        self.results.iter().zip(results).for_each(|(&bit, &result)| passed[bit] = result);
        let moves = graph.or(clock.is_taken, !seen.is_result);
        if !are_equal(&mut graph, &seen.results, &passed) {
            return Err(ShellFault::Passing);
        }
        if self.is_clocked {
            let (got, want) =
                ([&seen.passed[..], &[seen.is_result]].concat(), [clock.clock, clock.is_not_reset, clock.from_unit[0]]);
            if !are_equal(&mut graph, &got, &want) {
                return Err(ShellFault::Passing);
            }
        }
        if are_equal(&mut graph, &[seen.moves], &[moves]) { Ok(()) } else { Err(ShellFault::Moving) }
    }

    fn check_ready(&self) -> Result<(), ShellFault> {
        let (mut graph, [clock, other], state) = self.two_clocks();
        let seen = self.see(&mut graph, &clock, &state);
        let held = self.held(&mut graph, &other, &state);
        if are_equal(&mut graph, &[seen.is_ready], &[!held.enters]) { Ok(()) } else { Err(ShellFault::Ready) }
    }

    fn check_entering(&self) -> Result<(), ShellFault> {
        let (mut graph, [clock, other], state) = self.two_clocks();
        let seen = self.see(&mut graph, &clock, &state);
        let held = self.held(&mut graph, &other, &state);
        let enters = graph.or(held.enters, clock.is_offered);
        let offered = self.offered(&clock);
        let mut wanted = vec![enters];
        for ((&held_bit, &offered), &got) in held.operands.iter().zip(&offered).zip(&seen.operands) {
            let first = graph.mux(held.enters, held_bit, offered);
            // Where nothing goes in, operands mean nothing.
            wanted.push(graph.mux(enters, first, got));
        }
        let got = [&[seen.enters], &seen.operands[..]].concat();
        if are_equal(&mut graph, &got, &wanted) { Ok(()) } else { Err(ShellFault::Entering) }
    }

    fn check_holding(&self) -> Result<(), ShellFault> {
        let (mut graph, [clock, other], state) = self.two_clocks();
        let seen = self.see(&mut graph, &clock, &state);
        let after = self.held(&mut graph, &other, &seen.next);
        let holds = graph.and(seen.enters, !seen.moves);
        let mut wanted = vec![holds];
        for (&before, &got) in seen.operands.iter().zip(&after.operands) {
            wanted.push(graph.mux(holds, before, got));
        }
        let got = [&[after.enters], &after.operands[..]].concat();
        if are_equal(&mut graph, &got, &wanted) { Ok(()) } else { Err(ShellFault::Holding) }
    }

    fn check_reset(&self) -> Result<(), ShellFault> {
        let (mut graph, [mut clock, other], state) = self.two_clocks();
        clock.is_not_reset = Literal::FALSE;
        let seen = self.see(&mut graph, &clock, &state);
        let after = self.held(&mut graph, &other, &seen.next);
        if are_equal(&mut graph, &[after.enters], &[Literal::FALSE]) { Ok(()) } else { Err(ShellFault::Reset) }
    }
}
