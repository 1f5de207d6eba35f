//! `update`: the update of a weight in training, `w_next = w + u`, or `w - rate * g` for a gradient `g`.
//!
//! The rules are those of Zamirai et al., "Revisiting BFloat16 Training" (2020), section 3.2: to nearest, which loses
//! small updates; stochastic, which is right on average; and Kahan's summation (Algorithm 1 there), which keeps in `c`
//! what was lost.

use super::{Definition, Meaning, flag_port, signed_format};
use crate::{
    Algorithm, Format, Formula, Kind, Operation, OperationError, Output, Port, Rounding, Selection, Setting, TermId,
    Update, UpdateRule,
};

/// The default number of random bits of the stochastic rule.
const DEFAULT_RANDOM_BITS: u32 = 8;

impl UpdateRule {
    /// The default rounding for results of a format.
    fn default_rounding(self, result: Format) -> Rounding {
        match self {
            UpdateRule::Nearest | UpdateRule::Kahan => result.default_rounding(),
            UpdateRule::Stochastic => result.own_rounding(Rounding::Sr(DEFAULT_RANDOM_BITS)),
        }
    }

    /// Whether a rounding matches the rule.
    fn takes(self, rounding: Rounding) -> bool {
        match rounding {
            Rounding::Rne | Rounding::Rna | Rounding::Rnu | Rounding::Mptorch => self != UpdateRule::Stochastic,
            Rounding::Sr(_) => self == UpdateRule::Stochastic,
            Rounding::Rtz | Rounding::Rup | Rounding::Rdn | Rounding::Rto => false,
        }
    }
}

pub(super) const UPDATE: Definition = Definition {
    name: "update",
    settings: &[
        Setting::Algorithm,
        Setting::FusedRate,
        Setting::Round,
        Setting::Random,
        Setting::Overflow,
        Setting::PositRange,
        Setting::Flags,
        Setting::Tininess,
    ],
    // Updates can have either sign.
    formats: signed_format,
    kind: || Kind::Update(Update::default()),
    resolve: Selection::update,
    inputs,
    outputs,
    meaning,
    module: |operation| {
        let rate = if operation.has_fused_rate() { "_fused_rate" } else { "" };
        format!("update_{}{rate}_{}", operation.rule(), operation.operand.identifier())
    },
    about: Some(about),
};

impl Selection {
    /// Resolves the settings of an update.
    fn update(&self, operation: Operation) -> Result<Operation, OperationError> {
        let rule = match self.algorithm {
            Some(Algorithm::Update(rule)) => rule,
            Some(Algorithm::Random(_)) | None => UpdateRule::default(),
        };
        let rounding = self.rounding.unwrap_or(rule.default_rounding(operation.result));
        if !rule.takes(rounding) {
            return Err(OperationError::RuleRounds { rule, rounding, format: operation.result });
        }
        let kind = Kind::Update(Update { rule, has_fused_rate: self.has_fused_rate });
        Ok(Operation { rounding, kind, ..operation })
    }
}

fn inputs(operation: &Operation) -> Vec<Port> {
    let update: &[&'static str] = if operation.has_fused_rate() { &["rate", "g"] } else { &["u"] };
    let lost: &[&'static str] = if operation.rule() == UpdateRule::Kahan { &["c"] } else { &[] };
    [update, &["w"], lost].concat().into_iter().map(|name| Port::code(name, operation.operand)).collect()
}

fn outputs(operation: &Operation) -> Vec<Port> {
    let lost = (operation.rule() == UpdateRule::Kahan).then_some("c_next");
    let codes = ["w_next"].into_iter().chain(lost).map(|name| Port::code(name, operation.result));
    codes.chain(flag_port(operation)).collect()
}

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let update = update(&mut formula, operation);
    let operands = inputs(operation).len();
    let target = operation.target();
    let rounded = |formula: &mut Formula, terms: [TermId; 2]| {
        let sum = formula.sum(&terms, target.rounding);
        formula.round(sum, target)
    };
    if operation.rule() == UpdateRule::Kahan {
        let (w, c) = (formula.operand(operands - 2), formula.operand(operands - 1));
        let minus_c = formula.negate(c);
        let y = rounded(&mut formula, [update, minus_c]);
        let next = rounded(&mut formula, [w, y]);
        let minus_w = formula.negate(w);
        let added = rounded(&mut formula, [next, minus_w]);
        let minus_y = formula.negate(y);
        let lost = rounded(&mut formula, [added, minus_y]);
        formula.output(Output::code(next));
        formula.output(Output::code(lost));
    } else {
        let w = formula.operand(operands - 1);
        let next = rounded(&mut formula, [update, w]);
        formula.output(Output::code(next));
    }
    if operation.flags.is_some() {
        formula.output(Output::Flags);
    }
    Meaning::Formula(formula)
}

/// `u`, or the unrounded `-(rate * g)`.
fn update(formula: &mut Formula, operation: &Operation) -> TermId {
    let first = formula.operand(0);
    if !operation.has_fused_rate() {
        return first;
    }
    let g = formula.operand(1);
    let product = formula.product(first, g);
    formula.negate(product)
}

fn about(operation: &Operation) -> Vec<String> {
    let update = if operation.has_fused_rate() { "-rate * g" } else { "u" };
    match operation.rule() {
        UpdateRule::Nearest | UpdateRule::Stochastic => {
            let sum = if operation.has_fused_rate() { "w - rate * g" } else { "w + u" };
            vec![format!("Weight update: w_next = {sum}.")]
        }
        UpdateRule::Kahan => vec![
            "Weight update by Kahan summation: c is the excess that the previous update added.".into(),
            format!("y = {update} - c; w_next = w + y; c_next = (w_next - w) - y."),
        ],
    }
}
