//! `update`: the update of a weight in training, `w_next = w + u`, or `w - rate * g` for a gradient `g`.
//!
//! The rules are those of Zamirai et al., "Revisiting BFloat16 Training" (2020), section 3.2: to nearest, which loses
//! small updates; stochastic, which is right on average; and Kahan's summation (Algorithm 1 there), which keeps in `c`
//! what was lost.

use super::{Definition, Facts, Meaning, OnPorts, flag_port, signed_format};
use crate::{
    Algorithm, Format, Formula, Kind, Operation, OperationError, Optimizer, Output, Port, Rounding, RoundingFacets,
    Selection, Setting, Target, Term, TermId, Update, UpdateRule,
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
        let RoundingFacets { tie, is_random, .. } = rounding.facets();
        match self {
            UpdateRule::Stochastic => is_random,
            UpdateRule::Nearest | UpdateRule::Kahan => tie.is_some(),
        }
    }
}

pub(super) const UPDATE: Definition = Definition {
    name: "update",
    facts: Facts { multiplies: true, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[
        Setting::Optimizer,
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
        let (Update { rule, has_fused_rate, optimizer }, format) =
            (operation.settings(), operation.operand.identifier());
        match optimizer {
            Optimizer::Sgd if has_fused_rate => format!("update_{rule}_fused_rate_{format}"),
            Optimizer::Sgd => format!("update_{rule}_{format}"),
            Optimizer::Momentum | Optimizer::Adamw => format!("update_{optimizer}_{rule}_{format}"),
        }
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
        let optimizer = self.optimizer.unwrap_or_default();
        if self.has_fused_rate && optimizer != Optimizer::Sgd {
            return Err(OperationError::RateFused { optimizer });
        }
        let kind = Kind::Update(Update { rule, has_fused_rate: self.has_fused_rate, optimizer });
        Ok(Operation { rounding, kind, ..operation })
    }
}

/// The operands that the update is made of.
fn made_of(operation: &Operation) -> &'static [&'static str] {
    match operation.settings::<Update>().optimizer {
        Optimizer::Sgd if operation.has_fused_rate() => &["rate", "g"],
        Optimizer::Sgd => &["u"],
        Optimizer::Momentum => &["rate", "beta", "g", "m"],
        Optimizer::Adamw => &["rate", "beta1", "alpha1", "beta2", "alpha2", "epsilon", "decay", "g", "m", "v"],
    }
}

fn inputs(operation: &Operation) -> Vec<Port> {
    let lost: &[&'static str] = if operation.settings::<Update>().rule == UpdateRule::Kahan { &["c"] } else { &[] };
    [made_of(operation), &["w"], lost].concat().into_iter().map(|name| Port::code(name, operation.operand)).collect()
}

fn outputs(operation: &Operation) -> Vec<Port> {
    let Update { rule, optimizer, .. } = operation.settings();
    let lost = (rule == UpdateRule::Kahan).then_some("c_next");
    let means: &[&'static str] = match optimizer {
        Optimizer::Sgd => &[],
        Optimizer::Momentum => &["m_next"],
        Optimizer::Adamw => &["m_next", "v_next"],
    };
    let names = ["w_next"].into_iter().chain(lost).chain(means.iter().copied());
    let codes = names.map(|name| Port::code(name, operation.result));
    codes.chain(flag_port(operation)).collect()
}

fn meaning(operation: &Operation) -> Meaning {
    let mut formula = Formula::new();
    let Made { update, w, means } = made(&mut formula, operation);
    let target = operation.target();
    let rounded = |formula: &mut Formula, terms: [TermId; 2]| rounded_sum(formula, terms, target);
    if operation.settings::<Update>().rule == UpdateRule::Kahan {
        let c = formula.operand(made_of(operation).len() + 1);
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
        let next = rounded(&mut formula, [update, w]);
        formula.output(Output::code(next));
    }
    means.into_iter().for_each(|mean| formula.output(Output::code(mean)));
    if operation.flags.is_some() {
        formula.output(Output::Flags);
    }
    Meaning::Formula(formula)
}

/// An update, and the next running sums or means.
struct Made {
    /// A code, or a product that is not rounded.
    update: TermId,
    w: TermId,
    means: Vec<TermId>,
}

/// The update of a weight. What an optimizer keeps is rounded to nearest, whatever the rule of the weight.
fn made(formula: &mut Formula, operation: &Operation) -> Made {
    let operands: Vec<TermId> = (0..made_of(operation).len()).map(|port| formula.operand(port)).collect();
    let w = formula.operand(operands.len());
    let target = operation.target();
    let nearest = if target.rounding.random_bits() > 0 { target.format.default_rounding() } else { target.rounding };
    let nearest = Target { rounding: nearest, ..target };
    let (step, means) = match *operands {
        [u] => return Made { update: u, w, means: vec![] },
        [_, g] => (g, vec![]),
        [_, beta, g, m] => {
            let kept = formula.product(beta, m);
            let next = rounded_sum(formula, [kept, g], nearest);
            (next, vec![next])
        }
        [_, beta1, alpha1, beta2, alpha2, epsilon, decay, g, m, v] => {
            let [kept, new] = [formula.product(beta1, m), formula.product(alpha1, g)];
            let m_next = rounded_sum(formula, [kept, new], nearest);
            let part = formula.product(alpha2, g);
            let part = formula.round(part, nearest);
            let [kept, new] = [formula.product(beta2, v), formula.product(part, g)];
            let v_next = rounded_sum(formula, [kept, new], nearest);
            let root = formula.term(Term::Root { of: v_next, is_reciprocal: false });
            let root = formula.round(root, nearest);
            let divisor = rounded_sum(formula, [root, epsilon], nearest);
            let quotient = formula.quotient(m_next, divisor);
            let quotient = formula.round(quotient, nearest);
            let decayed = formula.product(decay, w);
            (rounded_sum(formula, [decayed, quotient], nearest), vec![m_next, v_next])
        }
        _ => unreachable!("the operands of an optimizer"),
    };
    let product = formula.product(operands[0], step);
    Made { update: formula.negate(product), w, means }
}

fn rounded_sum(formula: &mut Formula, terms: [TermId; 2], target: Target) -> TermId {
    let sum = formula.sum(&terms, target.rounding);
    formula.round(sum, target)
}

fn about(operation: &Operation) -> Vec<String> {
    let Update { rule, has_fused_rate, optimizer } = operation.settings();
    let (update, sum) = match optimizer {
        Optimizer::Sgd if has_fused_rate => ("-rate * g", "w - rate * g"),
        Optimizer::Sgd => ("u", "w + u"),
        Optimizer::Momentum => ("-rate * m_next", "w - rate * m_next"),
        Optimizer::Adamw => ("-rate * s", "w - rate * s"),
    };
    let mut lines: Vec<String> = match optimizer {
        Optimizer::Sgd => vec![],
        Optimizer::Momentum => vec!["Momentum: m_next = beta * m + g, to nearest.".into()],
        Optimizer::Adamw => vec![
            "AdamW: m_next = beta1 * m + alpha1 * g; v_next = beta2 * v + (alpha2 * g) * g, where alpha is 1 - beta;".into(),
            "s = decay * w + (m_next / ((sqrt(v_next)) + epsilon)); parentheses and sums are rounded, once and to nearest.".into(),
            "The rate and epsilon contain the corrections of the bias of both means.".into(),
        ],
    };
    lines.extend(match rule {
        UpdateRule::Nearest | UpdateRule::Stochastic => vec![format!("Weight update: w_next = {sum}.")],
        UpdateRule::Kahan => vec![
            "Weight update by Kahan summation: c is the excess that the previous update added.".into(),
            format!("y = {update} - c; w_next = w + y; c_next = (w_next - w) - y."),
        ],
    });
    lines
}
