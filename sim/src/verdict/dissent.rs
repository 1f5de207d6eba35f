//! A vector on which specification and golden model differ.

use crate::reference::Reference;
use binade_spec::Word;
use binade_stimulus::words::named;
use serde::Serialize;
use std::fmt;

/// What each of the two gives, as names and codes of the ports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dissent {
    /// The operands.
    pub operands: Vec<[String; 2]>,
    /// What the specification gives.
    pub specification: Vec<[String; 2]>,
    /// What the golden model gives.
    pub golden_model: Vec<[String; 2]>,
    /// Whether the unit gives what the golden model gives: then nothing is known to be wrong with it.
    pub is_unit_right: bool,
}

impl Dissent {
    /// None if the two agree.
    pub(crate) fn new(
        reference: &dyn Reference,
        operands: &[Word],
        [specified, golden, got]: [&[Word]; 3],
    ) -> Option<Dissent> {
        let (inputs, outputs) = (reference.inputs(), reference.outputs());
        (specified != golden).then(|| Dissent {
            operands: named(&inputs, operands),
            specification: named(&outputs, specified),
            golden_model: named(&outputs, golden),
            is_unit_right: golden == got,
        })
    }
}

impl fmt::Display for Dissent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let listed = |values: &[[String; 2]]| {
            let values: Vec<String> = values.iter().map(|[name, code]| format!("{name}={code}")).collect();
            values.join(", ")
        };
        let [operands, specified, golden] =
            [&self.operands, &self.specification, &self.golden_model].map(|it| listed(it));
        let side = if self.is_unit_right { ", as the unit does" } else { "" };
        write!(
            f,
            "specification and golden model differ for {operands}: the specification gives {specified}, the golden model \
             {golden}{side}; please report this"
        )
    }
}
