//! Parts of a circuit: pieces that may occur several times, such as the lanes of a dot product.
//!
//! In a netlist they are only a note at each node. The printer makes modules of pieces that occur more than once.

use crate::Circuit;
use std::sync::Arc;

/// A kind of piece that a circuit is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The name of its module, after the name of the unit.
    pub name: &'static str,
    /// What it computes: the comment above its module.
    pub about: &'static str,
    /// Whether it is a module even if it occurs once.
    pub is_module: bool,
    /// Whether other pieces use what it computes, instead of computing the same again.
    pub is_shared: bool,
}

impl Part {
    /// A piece that becomes a module if several equal ones take fewer lines as instances.
    pub const fn repeated(name: &'static str, about: &'static str) -> Part {
        Part { name, about, is_module: false, is_shared: false }
    }

    /// A piece like [`Self::repeated`], of which equal ones with the same operands are built once.
    pub const fn shared(name: &'static str, about: &'static str) -> Part {
        Part { is_shared: true, ..Part::repeated(name, about) }
    }

    /// A piece that becomes a module.
    pub const fn module(name: &'static str, about: &'static str) -> Part {
        Part { is_module: true, ..Part::repeated(name, about) }
    }
}

/// One piece of a circuit.
#[derive(Clone, Debug, Hash)]
pub struct Instance {
    /// The kind of piece.
    pub part: Part,
    /// The name: `multiply_3`.
    pub name: String,
    /// The piece that contains it, which comes before it.
    pub parent: Option<usize>,
    /// The number of section titles before it, and that number plus the titles in it.
    pub sections: [usize; 2],
}

impl Circuit {
    /// Builds one of several pieces of a kind; `which` distinguishes it from the others, if any: `3` for `multiply_3`.
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
