//! Watches the instances of a model from another thread, since a model may loop forever.

use binade_spec::Column;
use binade_spec::Word;
use binade_spec::word::word_of_limbs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The instances of a model.
#[derive(Default)]
pub(crate) struct Watches(Mutex<Vec<Weak<Watch>>>);

/// One instance.
pub(crate) struct Watch {
    /// The current vector, written by the harness.
    vector: AtomicU64,
    call: Mutex<Option<Call>>,
    /// The vector when last checked, and the time since which it has not changed.
    seen: Mutex<(u64, Instant)>,
}

/// A call of the harness in progress.
struct Call {
    block: u64,
    /// Limbs and words of each input.
    inputs: Vec<(usize, *const [u64])>,
    started: Instant,
}

// SAFETY: the pointers are read under the lock that ends the borrow of what they point to.
unsafe impl Send for Call {}

/// An instance that has made no progress for some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standstill {
    pub block: u64,
    /// Its number in the block.
    pub vector: u64,
    pub operands: Vec<Word>,
}

/// Ends a call when dropped.
pub(super) struct CallGuard<'w>(&'w Watch);

impl Drop for CallGuard<'_> {
    fn drop(&mut self) {
        *lock(&self.0.call) = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watches {
    pub(super) fn add(&self) -> Arc<Watch> {
        let watch = Arc::new(Watch {
            vector: AtomicU64::new(0),
            call: Mutex::new(None),
            seen: Mutex::new((0, Instant::now())),
        });
        let mut watches = lock(&self.0);
        watches.retain(|watch| watch.strong_count() > 0);
        watches.push(Arc::downgrade(&watch));
        watch
    }

    /// An instance that has been at one vector for longer than `limit`. To be called repeatedly.
    pub fn standstill(&self, limit: Duration) -> Option<Standstill> {
        let watches: Vec<Arc<Watch>> = lock(&self.0).iter().filter_map(Weak::upgrade).collect();
        watches.iter().find_map(|watch| watch.standstill(limit))
    }
}

impl Watch {
    /// The address to which the harness writes the current vector.
    pub(super) fn progress(&self) -> *mut u64 {
        self.vector.as_ptr()
    }

    /// Notes that a call begins. The guard keeps the inputs borrowed.
    pub(super) fn begin<'w>(&'w self, block: u64, inputs: &[Column]) -> CallGuard<'w> {
        self.vector.store(0, Ordering::Relaxed);
        let inputs = inputs.iter().map(|column| (column.limbs, std::ptr::from_ref(column.words))).collect();
        *lock(&self.call) = Some(Call { block, inputs, started: Instant::now() });
        CallGuard(self)
    }

    fn standstill(&self, limit: Duration) -> Option<Standstill> {
        let call = lock(&self.call);
        let call = call.as_ref()?;
        let vector = self.vector.load(Ordering::Relaxed);
        let mut seen = lock(&self.seen);
        if seen.0 != vector || seen.1 < call.started {
            *seen = (vector, Instant::now());
        }
        (seen.1.elapsed() > limit).then(|| Standstill {
            block: call.block,
            vector,
            operands: call.operands(vector as usize),
        })
    }
}

impl Call {
    /// The words of a vector; none before the first one.
    fn operands(&self, vector: usize) -> Vec<Word> {
        let word = |&(limbs, words): &(usize, *const [u64])| {
            // SAFETY: the call is in progress, so the columns are still borrowed: its end waits for the lock that we hold.
            let words = unsafe { &*words };
            words.get(vector * limbs..(vector + 1) * limbs).map(word_of_limbs)
        };
        self.inputs.iter().filter_map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_that_stays_at_a_vector_is_seen() {
        let watches = Watches::default();
        let watch = watches.add();
        let words = [5, 6, 7];
        assert_eq!(watches.standstill(Duration::ZERO), None, "no call is under way");
        let call = watch.begin(3, &[Column::narrow(&words)]);
        watch.vector.store(2, Ordering::Relaxed);
        assert_eq!(watches.standstill(Duration::from_millis(20)), None, "it has only now come to this vector");
        std::thread::sleep(Duration::from_millis(30));
        let found = watches.standstill(Duration::from_millis(20)).expect("it has not moved");
        assert_eq!(found, Standstill { block: 3, vector: 2, operands: vec![Word::from(7_u32)] });
        drop(call);
        assert_eq!(watches.standstill(Duration::ZERO), None);
    }
}
