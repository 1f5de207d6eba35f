//! Ways through the states of a machine that no input returns to a known state.

use std::collections::VecDeque;

/// The successors of each state, each with an input that leads there.
pub(super) struct Ways {
    successors: Vec<Vec<(u32, u32)>>,
}

impl Ways {
    /// `next` is the next state for each of `inputs` inputs in each state.
    pub fn new(next: &[u32], inputs: usize) -> Ways {
        let successors = next.chunks(inputs).map(|next| {
            let mut successors: Vec<(u32, u32)> = next.iter().copied().zip(0..).collect();
            successors.sort_unstable();
            successors.dedup_by_key(|(state, _)| *state);
            successors
        });
        Ways { successors: successors.collect() }
    }

    /// The inputs on the shortest way from a state to a wanted one, if there is one.
    pub fn to_nearest(&self, from: usize, is_wanted: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let mut before = vec![None; self.successors.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            if is_wanted(state) {
                return Some(way(&before, from, state));
            }
            for &(next, input) in &self.successors[state] {
                if next as usize != from && before[next as usize].is_none() {
                    before[next as usize] = Some((state, input as usize));
                    queue.push_back(next as usize);
                }
            }
        }
        None
    }
}

/// The inputs from one state to another; `before` has the predecessor and the input for each state on the way.
fn way(before: &[Option<(usize, usize)>], from: usize, to: usize) -> Vec<usize> {
    let mut way = vec![];
    let mut state = to;
    while state != from {
        let (last, input) = before[state].expect("a state on the way");
        way.push(input);
        state = last;
    }
    way.reverse();
    way
}
