//! Compares golden model and RTL with the claims of a file.

use super::case::{Answer, ConformCase, is_flags};
use super::claim::{Claim, Codes};
use super::difference::Difference;
use super::flags::Flags;
use super::responder::Responder;
use super::response::Response;
use binade_golden::Model;
use binade_spec::{Content, Format, NanResult, Operation, Port, Word};
use binade_stimulus::Columns;
use binade_stimulus::words::widths;
use binade_stimulus::{BLOCK, Place, places};

/// The most differences that are explained for one case.
const MOST_SHOWN: usize = 3;

/// A case with its golden model and its RTL.
pub struct JudgedCase {
    case: ConformCase,
    model: Model,
    rtl: Responder,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    /// The lanes of the operands, of the outputs, and of the results in the file.
    operand_lanes: Vec<Place>,
    output_lanes: Vec<Place>,
    result_lanes: Vec<Place>,
}

/// The outcome of one case's claims.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of claims.
    pub vectors: u64,
    /// The number of claims that the golden model does not meet.
    pub model_differs: u64,
    /// The number of claims that the RTL does not meet or does not answer.
    pub rtl_differs: u64,
    /// The first differences, explained.
    pub differences: Vec<Difference>,
    /// Violations of the RTL's port protocol, each with its line; the vectors of that block are not judged.
    pub violations: Vec<(u64, String)>,
}

impl Tally {
    /// Adds the outcome of later claims.
    pub fn add(&mut self, later: Tally) {
        self.vectors += later.vectors;
        self.model_differs += later.model_differs;
        self.rtl_differs += later.rtl_differs;
        let room = MOST_SHOWN.saturating_sub(self.differences.len());
        self.differences.extend(later.differences.into_iter().take(room));
        self.violations.extend(later.violations);
    }
}

impl JudgedCase {
    /// The unit of a case.
    pub fn new(case: ConformCase, rtl: Responder) -> JudgedCase {
        let (model, inputs, outputs) = (Model::new(&case.operation), case.operands(), case.operation.outputs());
        let [operand_lanes, output_lanes, result_lanes] =
            [&inputs, &outputs, &case.results()].map(|ports| places(ports));
        JudgedCase { model, rtl, inputs, outputs, operand_lanes, output_lanes, result_lanes, case }
    }

    /// The case.
    pub fn case(&self) -> &ConformCase {
        &self.case
    }

    /// The RTL.
    pub fn rtl(&self) -> &Responder {
        &self.rtl
    }

    /// The operands of a claim, as words of the unit's ports.
    pub fn words(&self, claim: &Claim) -> Vec<Word> {
        claim.words(&self.operand_lanes)
    }

    /// Judges claims, each with its line, in order.
    pub fn judge(&self, claims: &[(u64, Claim)]) -> Tally {
        let mut device = self.rtl.device();
        let mut tally = Tally::default();
        for block in claims.chunks(BLOCK) {
            let operands = self.columns(block);
            let [mut model, mut rtl] = [(); 2].map(|()| Columns::zeros(widths(&self.outputs), block.len()));
            self.model.evaluate_columns(&operands.views(), &mut model.views_mut(block.len()));
            let answered = device.evaluate(block[0].0, &operands.views(), &mut rtl.views_mut(block.len()));
            if let Err(violation) = answered {
                let at = block.len().min(violation.vector as usize + 1) - 1;
                let violations = vec![(block[at].0, violation.to_string())];
                let vectors = block.len() as u64;
                tally.add(Tally { vectors, rtl_differs: 1, violations, ..Tally::default() });
                continue;
            }
            tally.add(self.compare(block, &model, &rtl));
        }
        tally
    }

    /// The claims' operands as columns for the unit.
    fn columns(&self, claims: &[(u64, Claim)]) -> Columns {
        let mut columns = Columns::zeros(widths(&self.inputs), claims.len());
        if self.operand_lanes.len() > self.inputs.len() {
            let vector = |(_, claim): &(u64, Claim)| self.words(claim);
            return Columns::of_vectors(widths(&self.inputs), &claims.iter().map(vector).collect::<Vec<_>>());
        }
        for port in 0..self.inputs.len() {
            for (vector, (_, claim)) in claims.iter().enumerate() {
                columns.set_code(port, vector, claim.operands[port]);
            }
        }
        columns
    }

    fn compare(&self, claims: &[(u64, Claim)], model: &Columns, rtl: &Columns) -> Tally {
        let mut tally = Tally { vectors: claims.len() as u64, ..Tally::default() };
        for (vector, (line, claim)) in claims.iter().enumerate() {
            let responses = [model, rtl].map(|columns| self.response(columns, vector));
            let agree = responses.each_ref().map(|response| self.agrees(claim, response));
            let [model_agrees, rtl_agrees] = agree;
            if model_agrees && rtl_agrees {
                continue;
            }
            tally.model_differs += u64::from(!model_agrees);
            tally.rtl_differs += u64::from(!rtl_agrees);
            if tally.differences.len() < MOST_SHOWN {
                let [by_model, by_rtl] = &responses;
                let difference = Difference::new((&self.case, &self.model), (*line, claim), [by_model, by_rtl], agree);
                tally.differences.push(difference);
            }
        }
        tally
    }

    /// Results and flags of a vector as they would appear in a file.
    fn response(&self, outputs: &Columns, vector: usize) -> Response {
        let mut response = Response { results: Codes::new(), flags: None };
        let (mut bits, mut place) = (0, 0);
        let has_lanes = self.output_lanes.len() > self.outputs.len();
        for (at, port) in self.outputs.iter().enumerate() {
            match (is_flags(port), self.case.answer) {
                (true, _) => response.flags = Some(Flags::of_port(outputs.code(at, vector), port.width())),
                (false, Answer::Outputs) if has_lanes => {
                    let views = outputs.views();
                    let word = &views[at].words[vector * views[at].limbs..][..views[at].limbs];
                    let lanes = self.output_lanes.iter().filter(|lane| lane.port == at);
                    response.results.extend(lanes.map(|lane| lane.low_bits_of(word)));
                }
                (false, Answer::Outputs) => response.results.push(outputs.code(at, vector)),
                (false, Answer::AnyOf(_)) => {
                    bits |= outputs.code(at, vector) << place;
                    place += port.width();
                }
            }
        }
        if let Answer::AnyOf(mask) = self.case.answer {
            response.results.push(u128::from(bits & u128::from(mask) != 0));
        }
        response
    }

    /// Whether a response meets a claim. Any NaN matches any other, except where units are as in RISC-V; flags are compared if both
    /// sides have them.
    fn agrees(&self, claim: &Claim, response: &Response) -> bool {
        let flags_agree = match (claim.flags, response.flags) {
            (Some(claimed), Some(given)) => claimed == given,
            (Some(_), None) | (None, _) => true,
        };
        if !flags_agree {
            return false;
        }
        if claim.results == response.results {
            return true;
        }
        let Operation { nan, boxing, .. } = self.case.operation;
        if nan == NanResult::Riscv || boxing.is_some() {
            return false;
        }
        let is_invalid = claim.flags.is_some_and(|flags| flags.has(Flags::INVALID));
        if self.case.is_to_integer() && is_invalid {
            return true;
        }
        let pairs = claim.results.iter().zip(&response.results);
        self.result_lanes.iter().zip(pairs).all(|(lane, (claimed, given))| self.is_as_good(lane, *claimed, *given))
    }

    /// Whether a code is a valid NaN result: in a unit with flags no operation returns a signaling NaN (IEEE 754-2019 section 6.2).
    fn is_good_nan(&self, format: &Format, code: u128) -> bool {
        format.is_nan(code) && !(self.case.has_flags() && format.is_signaling(code))
    }

    fn is_as_good(&self, lane: &Place, claimed: u128, given: u128) -> bool {
        if claimed == given {
            return true;
        }
        let (format, [claimed, given]) = match lane.content {
            Content::Code(format) => (format, [claimed, given]),
            Content::Chosen { formats: [format], boxing: Some(_) }
                if claimed >> format.width() == given >> format.width() =>
            {
                (*format, [claimed, given].map(|word| word & format.code_mask()))
            }
            Content::Chosen { .. } | Content::Word { .. } => return false,
        };
        let is_zero = |code: u128| format.magnitude(code) == 0;
        self.is_good_nan(&format, claimed) && self.is_good_nan(&format, given)
            || self.case.any_zero_sign && is_zero(claimed) && is_zero(given)
    }
}
