//! Parts of a circuit: pieces that may be there several times, such as the lanes of a dot product.
//!
//! They change nothing in a netlist but a note at each node. The printer makes modules of those that are there more than once.

use crate::Circuit;
use std::sync::Arc;

/// A kind of piece that a circuit is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Behind the name of the unit, the name of its module.
    pub name: &'static str,
    /// What it computes: the comment above its module.
    pub about: &'static str,
}

/// One piece of a circuit.
#[derive(Clone, Debug, Hash)]
pub struct Instance {
    /// What it is one of.
    pub part: Part,
    /// What it is called: `multiply_3`.
    pub name: String,
    /// The piece that it is itself a piece of, which comes before it.
    pub parent: Option<usize>,
    /// How many section titles there are before it, and how many with those in it.
    pub sections: [usize; 2],
}

impl Circuit {
    /// Builds one of several pieces of a kind; `which` tells it from the others, if there are any: `3` for `multiply_3`.
    pub fn part<T>(&self, part: Part, which: &str, build: impl FnOnce() -> T) -> T {
        let mut state = self.state.borrow_mut();
        let (begin, parent, this) = (state.netlist.sections.len(), state.instance, state.netlist.instances.len());
        let name = if which.is_empty() { part.name.into() } else { format!("{}_{which}", part.name) };
        Arc::make_mut(&mut state.netlist.instances).push(Instance { part, name, parent, sections: [begin; 2] });
        state.instance = Some(this);
        drop(state);
        let built = build();
        let mut state = self.state.borrow_mut();
        state.instance = parent;
        let end = state.netlist.sections.len();
        Arc::make_mut(&mut state.netlist.instances)[this].sections[1] = end;
        built
    }
}
