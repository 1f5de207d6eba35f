//! A vector on which specification and golden model disagree.

use crate::reference::Reference;
use binade_spec::Word;
use binade_stimulus::words::named;
use serde::Serialize;
use std::fmt;

/// The results of both, as names and codes of the ports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dissent {
    /// The operands.
    pub operands: Vec<[String; 2]>,
    /// The results of the specification.
    pub specification: Vec<[String; 2]>,
    /// The results of the golden model.
    pub golden_model: Vec<[String; 2]>,
    /// Whether the unit agrees with the golden model; then no fault of the unit is known.
    pub is_unit_right: bool,
}

impl Dissent {
    /// None if both agree.
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
