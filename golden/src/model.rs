//! An operation that can be evaluated.

use crate::walk::Walk;
use crate::{Codes, dot::Element, functions, port_lanes};
use binade_spec::word::low_bits;
use binade_spec::{Formula, Meaning, Operation, Port, Shape, TermId, Word};
use std::ops::Deref;

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
    pub(crate) random_bits: u32,
    /// The conversion of the accumulator to the output format.
    pub(crate) conversion: Option<Box<Model>>,
    /// The same unit with its random word on a port, if it generates that itself.
    pub(crate) with_port: Option<Box<Model>>,
    /// What an element of a systolic array computes.
    element: Option<Box<Model>>,
    /// The elements of the result, if they are exact sums of products of narrow codes.
    pub(crate) elements: Option<Vec<Element>>,
    /// For each term that rounds, the offset of its part of the random word.
    random_offsets: Vec<u32>,
    /// For each term that has a code, the codes of its format.
    codes: Vec<Option<Codes>>,
}

impl Model {
    /// The model of `operation`.
    pub fn new(operation: &Operation) -> Model {
        let ports = [operation.inputs(), operation.outputs()];
        let (shape, signs) = operation.signed_shape();
        let mut model = Model { signs, ..Model::over_ports(operation, operation.meaning(), shape, ports) };
        model.elements = model.formula().and_then(|formula| Element::all(operation, formula));
        model
    }

    /// The model of a formula with these input and output ports; `operation` says whether there are exception flags. It
    /// has no fast paths.
    pub fn of_formula(operation: &Operation, formula: Formula, ports: [Vec<Port>; 2]) -> Model {
        Model::over_ports(operation, Meaning::Formula(formula), Shape::Other, ports)
    }

    fn over_ports(operation: &Operation, meaning: Meaning, shape: Shape, [inputs, outputs]: [Vec<Port>; 2]) -> Model {
        let random_bits = match &meaning {
            Meaning::Formula(formula) => formula.random_bits(),
            Meaning::Function | Meaning::Machine(_) => 0,
        };
        let (random_offsets, codes) = match &meaning {
            Meaning::Formula(formula) => (offsets(formula), codes(formula, &inputs)),
            Meaning::Function | Meaning::Machine(_) => (vec![], vec![]),
        };
        let is_narrow = inputs.iter().chain(&outputs).all(|port| port.width() <= u64::BITS)
            && 2 * operation.operand.precision() <= PRODUCT_BITS;
        let conversion = operation.output.map(|output| Box::new(Model::new(&operation.output_conversion(&output))));
        let with_port = operation.has_internal_random.then(|| Box::new(Model::new(&operation.with_random_port())));
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
            random_bits,
            conversion,
            with_port,
            element,
            elements: None,
            random_offsets,
            codes,
        }
    }

    /// The operation that is modelled.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// The formula, if the operation has one.
    pub fn formula(&self) -> Option<&Formula> {
        match &self.meaning {
            Meaning::Formula(formula) => Some(formula),
            Meaning::Function | Meaning::Machine(_) => None,
        }
    }

    /// The input ports.
    pub fn input_ports(&self) -> &[Port] {
        &self.inputs
    }

    /// The output ports.
    pub fn output_ports(&self) -> &[Port] {
        &self.outputs
    }

    /// The words of all outputs for the words of all inputs, in the order of the ports; a unit with state starts from a
    /// reset.
    ///
    /// # Panics
    /// When the number of words is not that of the inputs.
    pub fn evaluate<W: Clone + Into<Word>>(&self, inputs: &[W]) -> Vec<Word> {
        let inputs: Vec<Word> = inputs.iter().cloned().map(Into::into).collect();
        assert_eq!(inputs.len(), self.inputs.len(), "one word an input of {}", self.unit);
        if let Some(words) = self.fast(&inputs) {
            return words;
        }
        self.step(&self.reset(), &inputs).1
    }

    /// [`Model::evaluate`] without the fast paths: the definition.
    pub fn evaluate_plainly(&self, inputs: &[Word]) -> Vec<Word> {
        self.step(&self.reset(), inputs).1
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
            Meaning::Function => vec![],
            Meaning::Machine(words) => {
                let reset = words.iter().flat_map(|word| (0..word.lanes).map(|_| word.reset));
                port_lanes::join(&self.registers(), &reset.collect::<Vec<_>>())
            }
        }
    }

    /// One clock of a unit with state: the new words in the registers, and the words of all outputs.
    pub fn step(&self, state: &[Word], inputs: &[Word]) -> (Vec<Word>, Vec<Word>) {
        match &self.meaning {
            Meaning::Formula(formula) => {
                let walk = Walk::new(self, formula, inputs, state);
                (walk.next_state().map(Word::from).collect(), walk.words(&self.outputs))
            }
            Meaning::Function => {
                let words: Vec<u128> = inputs.iter().map(low_bits).collect();
                let mut outputs = vec![0; self.outputs.len()];
                functions::evaluate(self, &words, &mut outputs);
                (vec![], outputs.into_iter().map(Word::from).collect())
            }
            Meaning::Machine(_) => {
                let registers = self.registers();
                let mut state: Vec<u128> = port_lanes::split(&registers, state.iter().cloned()).collect();
                let mut outputs = vec![0; port_lanes::count(&self.outputs)];
                functions::step(self, &mut state, inputs, &mut outputs);
                (port_lanes::join(&registers, &state), port_lanes::join(&self.outputs, &outputs))
            }
        }
    }

    /// The result of an element of a systolic array for a code of `a`, one of `b` and a sum.
    pub(crate) fn element(&self, codes: [u128; 3]) -> u128 {
        self.element.as_ref().expect("the unit is an array").first_result(&codes)
    }

    /// Whether there is a fast path.
    pub(crate) fn is_fast(&self) -> bool {
        self.is_narrow && !matches!(self.shape, Shape::Function | Shape::Machine | Shape::Other)
    }

    /// The codes that a term can have.
    ///
    /// # Panics
    /// For terms without a code: products, sums and parts.
    pub fn codes(&self, id: TermId) -> &Codes {
        self.codes[id.0].as_ref().expect("a term that has a code")
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
        next += term.target().map_or(0, |target| target.rounding.random_bits());
        offset
    });
    terms.collect()
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
