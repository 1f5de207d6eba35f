//! An operation with what its evaluation needs.

use crate::elements::Element;
use crate::flags::{INEXACT, UNDERFLOW, port_word};
use crate::number::Number;
use crate::{Codes, port_lanes, real};
use binade_spec::{Formula, Function, Meaning, Operation, Port, Rounding, Shape, Summation, Term, TermId, Word};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// The most bits of a product on the fast paths: sums take a few more.
const PRODUCT_BITS: u32 = 124;

/// The golden model of an operation: its results for every input.
#[derive(Clone, Debug)]
pub struct Model {
    operation: Operation,
    pub(crate) operand: Codes,
    pub(crate) result: Codes,
    pub(crate) meaning: Meaning,
    pub(crate) shape: Shape,
    /// Which of the two terms of the last sum are negated, in a shape with such a sum.
    pub(crate) signs: [bool; 2],
    /// Whether codes and products are narrow enough for the fast paths.
    is_narrow: bool,
    pub(crate) inputs: Vec<Port>,
    pub(crate) outputs: Vec<Port>,
    pub(crate) rounding_port_bits: u32,
    /// The conversion of the accumulator to the output format.
    pub(crate) conversion: Option<Box<Model>>,
    /// The same unit with its random word on a port, once it is asked for.
    with_port: OnceLock<Box<Model>>,
    /// For a rounding on port `rm`: the models of the five roundings that it chooses, by its value.
    pub(crate) directions: Vec<Model>,
    /// For formats on port `fmt`, or NaN-boxed codes: the models of the plain units, by the value of `fmt`.
    pub(crate) choices: Vec<Model>,
    /// What an element of a systolic array computes.
    pub(crate) element: Option<Box<Model>>,
    /// The elements of the result, if they are exact sums of products of narrow codes.
    pub(crate) elements: Option<Vec<Element>>,
    /// Whether there is a flag for a division by zero.
    divides: bool,
    /// For each term that rounds, the offset of its part of the random word.
    random_offsets: Vec<u32>,
    /// For each term that has a code, the codes of its format.
    codes: Vec<Option<Codes>>,
    /// For each term that is a function, its values for the codes that were asked for.
    values: Vec<Option<Arc<[Known]>>>,
}

/// The most bits of codes whose functions are kept.
const MOST_KEPT_BITS: u32 = 16;

/// The value of a function for one code, and whether that is a pole.
type Known = OnceLock<(Number, bool)>;

impl Model {
    /// The model of `operation`.
    pub fn new(operation: &Operation) -> Model {
        if operation.is_wrapped() {
            return Model::of_choices(operation);
        }
        let ports = [operation.inputs(), operation.outputs()];
        let (shape, signs) = operation.signed_shape();
        let mut model = Model { signs, ..Model::over_ports(operation, operation.meaning(), shape, ports) };
        model.elements = model.formula().and_then(|formula| Element::all(operation, formula));
        model
    }

    /// The model of a unit whose port `fmt` chooses the formats, or whose codes are NaN-boxed.
    fn of_choices(operation: &Operation) -> Model {
        let choices: Vec<Model> = operation.choices().iter().map(Model::new).collect();
        Model {
            operation: *operation,
            meaning: operation.meaning(),
            shape: operation.shape(),
            inputs: operation.inputs(),
            outputs: operation.outputs(),
            choices: choices.clone(),
            ..choices[0].clone()
        }
    }

    /// The model of a formula with these input and output ports; `operation` says whether there are exception flags. It
    /// has no fast paths.
    pub fn of_formula(operation: &Operation, formula: Formula, ports: [Vec<Port>; 2]) -> Model {
        Model::over_ports(operation, Meaning::Formula(formula), Shape::Other, ports)
    }

    fn over_ports(operation: &Operation, meaning: Meaning, shape: Shape, [inputs, outputs]: [Vec<Port>; 2]) -> Model {
        let formula = meaning.formula();
        let rounding_port_bits = formula.map_or(0, Formula::rounding_port_bits);
        let random_offsets = formula.map_or(vec![], offsets);
        let codes = formula.map_or(vec![], |formula| codes(formula, &inputs));
        let terms = formula.map_or(&[][..], Formula::terms);
        let values = terms.iter().map(|term| unknown(term, &codes)).collect();
        let is_narrow = inputs.iter().chain(&outputs).all(|port| port.width() <= u64::BITS)
            && 2 * operation.operand.precision() <= PRODUCT_BITS;
        let conversion = operation.output.map(|output| Box::new(Model::new(&operation.output_conversion(&output))));
        let directions = match operation.rounding {
            Rounding::Any => {
                let of = |rounding| Model::new(&Operation { rounding, ..*operation });
                Rounding::MODES.map(of).into()
            }
            _ => vec![],
        };
        let element = operation.array().map(|_| Box::new(Model::new(&operation.array_element())));
        Model {
            operation: *operation,
            operand: Codes::new(operation.operand),
            result: Codes::new(operation.result),
            meaning,
            shape,
            signs: [false; 2],
            is_narrow,
            inputs,
            outputs,
            rounding_port_bits,
            directions,
            choices: vec![],
            conversion,
            with_port: OnceLock::new(),
            element,
            elements: None,
            divides: operation.flags.is_some() && operation.divides(),
            random_offsets,
            values,
            codes,
        }
    }

    /// The operation that is modeled.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// The formula, if the operation has one.
    pub fn formula(&self) -> Option<&Formula> {
        self.meaning.formula()
    }

    /// The input ports.
    pub fn input_ports(&self) -> &[Port] {
        &self.inputs
    }

    /// The output ports.
    pub fn output_ports(&self) -> &[Port] {
        &self.outputs
    }

    /// The registers of the unit's state, as ports.
    pub fn registers(&self) -> Vec<Port> {
        self.meaning.registers()
    }

    /// The words in the registers after a reset: codes are +0.
    pub fn reset(&self) -> Vec<Word> {
        match &self.meaning {
            Meaning::Formula(formula) => {
                formula.registers().iter().map(|register| Word::from(register.format.zero_code(false))).collect()
            }
            Meaning::Function(_) => vec![],
            Meaning::Machine(_, words) => {
                let reset = words.iter().flat_map(|word| (0..word.lanes).map(|_| word.reset));
                port_lanes::join(&self.registers(), &reset.collect::<Vec<_>>())
            }
        }
    }

    /// The word on the port `flags` for raised flags, as [`crate::Landing::flags`] has them.
    pub fn port_flags(&self, raised: u64) -> u64 {
        let is_silent = self.summation().is_some_and(Summation::is_inexact_silent);
        let silent = if is_silent { INEXACT | UNDERFLOW } else { 0 };
        port_word(raised & !silent, self.divides)
    }

    /// Whether there is a fast path.
    pub(crate) fn is_fast(&self) -> bool {
        self.is_narrow && !matches!(self.shape, Shape::Function | Shape::Machine | Shape::Other)
    }

    /// The model of the same unit with its random word on a port.
    pub(crate) fn with_port(&self) -> &Model {
        self.with_port.get_or_init(|| Box::new(Model::new(&self.operation.with_random_port())))
    }

    /// The codes that a term can have.
    ///
    /// # Panics
    /// For terms without a code: products, sums and parts.
    pub fn codes(&self, id: TermId) -> &Codes {
        self.codes[id.0].as_ref().expect("a term that has a code")
    }

    /// The value of a term that is a function, for a code of its operand, and whether that is a pole; each of a format of few bits is
    /// computed once.
    pub(crate) fn function(&self, id: TermId, function: Function, of: TermId, code: u128) -> (Number, bool) {
        let codes = self.codes(of);
        let value = || real::value(function, &codes.decode(code).into(), codes.has_minus_zero());
        match &self.values[id.0] {
            Some(values) => values[code as usize].get_or_init(value).clone(),
            None => value(),
        }
    }

    /// The offset of a rounding's part of the random word.
    pub fn random_offset(&self, id: TermId) -> u32 {
        self.random_offsets[id.0]
    }
}

fn offsets(formula: &Formula) -> Vec<u32> {
    let mut next = 0;
    let terms = formula.terms().iter().map(|term| {
        let offset = next;
        next += term.target().map_or(0, |target| target.rounding.port_bits());
        offset
    });
    terms.collect()
}

/// The values of a function, none of which is known yet.
fn unknown(term: &Term, codes: &[Option<Codes>]) -> Option<Arc<[Known]>> {
    let Term::Function { of, .. } = term else { return None };
    let width = codes[of.0].as_ref().expect("a function is that of a code").width();
    (width <= MOST_KEPT_BITS).then(|| (0..1_usize << width).map(|_| OnceLock::new()).collect())
}

fn codes(formula: &Formula, inputs: &[Port]) -> Vec<Option<Codes>> {
    (0..formula.terms().len()).map(|at| formula.format(TermId(at), inputs).map(Codes::new)).collect()
}

impl Deref for Model {
    type Target = Operation;

    fn deref(&self) -> &Operation {
        &self.operation
    }
}
