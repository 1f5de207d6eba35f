//! Violations of the contract by a clocked unit.

use binade_spec::Word;
use binade_stimulus::words::hex;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A clock at which a clocked unit breaks the contract of its ports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// What went wrong.
    pub fault: Fault,
    /// The block of vectors, which starts with a reset.
    pub block: u64,
    /// Rising clock edges since that reset.
    pub clock: u64,
    /// The position in the block of the vector at the outputs, or of the next one to arrive there.
    pub vector: u64,
    /// The expected value: `out_valid`, `in_ready`, or one word per output.
    #[serde(with = "hex")]
    pub want: Vec<Word>,
    /// The actual value: `out_valid`, `in_ready`, or one word per output.
    #[serde(with = "hex")]
    pub got: Vec<Word>,
    /// What stopped the simulation, as in `$finish at mul.v:12`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
}

/// How a clocked unit breaks its contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// `out_valid` is high without results, or low with results.
    OutValid,
    /// An output changed at a clock edge while `en` was low.
    OutputMoved,
    /// `in_ready` is high although operands wait, or low although none do.
    InReady,
    /// Results that were offered but not taken have changed.
    OfferMoved,
    /// Results that were offered but not taken are not offered any more.
    OfferGone,
    /// Operands were taken, and no results came for 4096 clocks in which they would have been taken.
    Lost,
    /// Operands were offered for 4096 clocks, and not taken.
    Refused,
    /// Results have a tag that no operands in flight have.
    Tag,
    /// The results do not belong to the operands that entered `latency` clocks before.
    Results,
    /// The unit stops the simulation.
    Stopped,
}

impl Violation {
    /// Decides which of two different results is wrong, given the right one.
    pub(super) fn settle(&mut self, want: Vec<Word>) {
        if self.got == want {
            std::mem::swap(&mut self.got, &mut self.want);
        }
        self.want = want;
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Violation { fault, block, clock, vector, want, got, stop } = self;
        if let Some(stop) = stop {
            return write!(f, "the simulation was stopped by {stop}");
        }
        writeln!(f, "clock {clock} after the reset of block {block}, vector {vector} of it:")?;
        let words = |words: &[Word]| words.iter().map(|word| format!("{word:#x}")).collect::<Vec<_>>().join(", ");
        let (got_words, want_words) = (words(got), words(want));
        match fault {
            Fault::OutValid if got.iter().all(|level| level.bits() == 0) => {
                write!(f, "  out_valid is low, and results are due")
            }
            Fault::OutValid => write!(f, "  out_valid is high, and no results are due"),
            Fault::OutputMoved => {
                write!(f, "  the outputs changed from {want_words} to {got_words} while en was low")
            }
            Fault::OfferGone => write!(f, "  results that were offered, {want_words}, are gone before they were taken"),
            Fault::Lost => write!(
                f,
                "  operands were taken, and no results have come in 4096 clocks in which they would have been taken"
            ),
            Fault::Refused => write!(f, "  operands have been offered for 4096 clocks, and were not taken"),
            Fault::Tag => write!(f, "  results are offered with the tag {got_words}, which no operands in flight have"),
            Fault::InReady if got.iter().all(|level| level.bits() == 0) => {
                write!(f, "  in_ready is low, and no operands wait")
            }
            Fault::InReady => write!(f, "  in_ready is high, and operands wait already"),
            Fault::OfferMoved if got == want => {
                write!(f, "  results that were offered, {want_words}, got another tag before they were taken")
            }
            Fault::OfferMoved => {
                write!(f, "  results that were offered changed from {want_words} to {got_words} before they were taken")
            }
            Fault::Results | Fault::Stopped => {
                write!(f, "  the results are wrong or at the wrong clock: {got_words}, not {want_words}")
            }
        }
    }
}
