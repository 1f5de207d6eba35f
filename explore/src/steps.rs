//! The steps to a result: the terms of the unit's formula with their exact values, and each rounding.

use crate::flags::raised;
use crate::number::Written;
use crate::shown::Shown;
use crate::value::Around;
use binade_golden::{Fact, Landing, Model, Number, Rest, Step, Sum};
use binade_spec::{FLAG_BITS, Formula, Rounding, Target, Term, TermId, Word};
use serde_json::{Value, json};

/// The most terms that are shown; the last ones are kept.
const MOST_TERMS: usize = 160;

/// The terms that add, multiply or round, in order; none for a unit without a formula.
pub fn steps(model: &Model, state: &[Word], inputs: &[Word]) -> Value {
    let Some(formula) = model.formula() else { return json!({ "terms": [], "left_out": 0 }) };
    let numbers = model.numbers(state, inputs);
    let mut examination = Default::default();
    let facts = &model.examine_in(&mut examination, state, inputs).terms;
    let is_step = |at: &usize| !matches!(formula.terms()[*at], Term::Operand { .. } | Term::Zero | Term::State { .. });
    let all: Vec<usize> = (0..formula.terms().len()).filter(is_step).collect();
    let left_out = all.len().saturating_sub(MOST_TERMS);
    let step = |&at: &usize| {
        json!({
            "text": shortened(formula.text(model.input_ports(), TermId(at))),
            "kind": kind(&formula.terms()[at]),
            "number": Written::number(&numbers[at]),
            "said": facts.get(at).and_then(said),
            "rounding": rounding(model, formula, &numbers, TermId(at), facts.get(at)),
        })
    };
    json!({ "terms": all[left_out..].iter().map(step).collect::<Vec<_>>(), "left_out": left_out })
}

/// The longest formula that is shown in full.
const LONGEST: usize = 90;

fn shortened(text: String) -> String {
    if text.len() <= LONGEST { text } else { format!("{} ..", text.chars().take(LONGEST).collect::<String>()) }
}

fn kind(term: &Term) -> &'static str {
    match term {
        Term::Operand { .. } | Term::Zero | Term::Power(_) | Term::State { .. } => "operand",
        Term::Largest(_) => "largest",
        Term::Parts => "number",
        Term::Product(..) => "product",
        Term::Sum { .. } => "sum",
        Term::Aligned { cut: Rounding::Rto, .. } => "sum of the terms rounded to odd",
        Term::Aligned { .. } => "sum of the truncated terms",
        Term::Grouped { .. } => "sum of the truncated terms of groups",
        Term::Choose { .. } => "choice",
        Term::Round { .. } => "rounded",
        Term::Convert { .. } => "converted",
        Term::Rectify(_) => "negative becomes zero",
        Term::Flush { .. } => "subnormal becomes zero",
        Term::Negate(_) => "sign changed",
        Term::Scale { .. } => "scale",
        Term::Quotient(..) => "quotient",
        Term::Function { .. } => "function",
        Term::Root { is_reciprocal: false, .. } => "root",
        Term::Root { is_reciprocal: true, .. } => "reciprocal of the root",
    }
}

/// A remark about a sum.
fn said(fact: &Fact) -> Option<String> {
    let Fact::Sum(Sum { is_subtraction, difference, canceled }) = fact else { return None };
    let signs = if *is_subtraction { "signs differ: magnitudes are subtracted" } else { "magnitudes are added" };
    let apart = match difference {
        0 => "the exponents are equal".into(),
        1.. => format!("the last term's exponent is {difference} lower"),
        _ => format!("the last term's exponent is {} higher", -difference),
    };
    let canceled = match canceled {
        None => "; all cancels".into(),
        Some(0) => String::new(),
        Some(1) => "; the leading bit cancels".into(),
        Some(bits) => format!("; {bits} leading bits cancel"),
    };
    Some(format!("{signs}; {apart}{canceled}"))
}

/// How a rounding treats the exact number.
fn rounding(model: &Model, formula: &Formula, numbers: &[Number], id: TermId, fact: Option<&Fact>) -> Option<Value> {
    let (Term::Round { of, target } | Term::Convert { of, target }) = &formula.terms()[id.0] else { return None };
    let codes = model.codes(id);
    let around = Around::new(codes, &numbers[of.0]).map(|around| around.json(codes));
    let landing = match fact {
        Some(Fact::Landing(landing)) => Some(landing),
        Some(Fact::Nothing | Fact::Sum(_) | Fact::Rectified) | None => None,
    };
    Some(json!({
        "format": target.format.to_string(),
        "mode": target.rounding.to_string(),
        "exact": Written::number(&numbers[of.0]),
        "around": around,
        "chosen": landing.map(|landing| Shown::new(codes, landing.code)),
        "said": landing.map(|landing| sentences(landing, target)),
        "flags": landing.filter(|_| target.flags.is_some()).map(|landing| raised(landing.flags, FLAG_BITS)),
    }))
}

fn sentences(landing: &Landing, target: &Target) -> Vec<String> {
    let rest = match landing.rest {
        Rest::Zero => "The exact number is a value of the format: nothing is lost.".to_string(),
        Rest::LessThanHalf => "The discarded part is less than half the distance to the next value.".into(),
        Rest::Half => {
            format!("A tie: exactly halfway; the lower code is {}.", if landing.is_odd { "odd" } else { "even" })
        }
        Rest::MoreThanHalf => "The discarded part is more than half the distance to the next value.".into(),
    };
    let way = match (landing.rest, landing.goes_up) {
        (Rest::Zero, _) => None,
        (_, true) => Some(format!("{} rounds the magnitude up.", target.rounding)),
        (_, false) => Some(format!("{} keeps the lower magnitude.", target.rounding)),
    };
    let step = match landing.step {
        Step::None | Step::WithinBinade => None,
        Step::NextBinade => Some("The carry goes into the next binade."),
        Step::NextRegime => Some("The length of the regime changes."),
        Step::ToSmallest => Some("From zero to the smallest value."),
        Step::SubnormalToNormal => Some("From the largest subnormal to the smallest normal value."),
        Step::LowerToNormal => Some("From the lower supernormal region to the ordinary binades."),
        Step::NormalToUpper => Some("From the ordinary binades to the upper supernormal region."),
        Step::ToOverflow => Some("From the largest value to overflow."),
    };
    let overflow = landing.overflows.then(|| "It is beyond the largest value.".to_string());
    let class = format!("Result: {}.", landing.class.name());
    [Some(rest), way, step.map(String::from), overflow, Some(class)].into_iter().flatten().collect()
}
