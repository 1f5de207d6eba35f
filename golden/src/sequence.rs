//! Units with state: one machine from a reset, step by step, and one step of many machines side by side. Running sums
//! have a fast path, all other formulas use the plain walk.

use crate::arithmetic::Random;
use crate::decoder::FastDecoder;
use crate::evaluate::{Results, Sink};
use crate::{Bits, Model, Value, functions, port_lanes};
use binade_spec::{Column, ColumnMut, MachineFunction, Meaning, Port, Shape, Word};

impl Model {
    /// Whether the unit has state.
    pub fn has_state(&self) -> bool {
        !self.registers().is_empty()
    }

    /// The codes in the registers after these vectors from a reset.
    pub fn state_after(&self, vectors: &[Vec<Word>]) -> Vec<Word> {
        vectors.iter().fold(self.reset(), |state, vector| self.step(&state, vector).0)
    }

    /// One step of many independent machines: fills the columns of the outputs from those of the registers and inputs,
    /// and updates the codes in the registers.
    pub fn step_columns(&self, states: &mut [ColumnMut], inputs: &[Column], outputs: &mut [ColumnMut]) {
        let count = outputs[0].words.len() / outputs[0].limbs;
        if let Some(sum) = RunningSum::new(self, count) {
            let mut sink = Sink::new(self, outputs);
            for (vector, acc) in states[0].words.iter_mut().enumerate() {
                let results = sum.step(*acc, inputs, vector);
                *acc = results.y;
                sink.store(vector, results);
            }
            return;
        }
        if let Some(mut machine) = Machine::new(self, inputs) {
            for vector in 0..count {
                machine.load(states.iter().map(|column| limbs_of(column, vector)));
                machine.step(vector, outputs);
                let limbs = states.iter_mut().map(|column| limbs_mut(column, vector));
                port_lanes::store(&machine.registers, &machine.state, limbs);
            }
            return;
        }
        for vector in 0..count {
            let state: Vec<Word> = states.iter().map(|column| column.word(vector)).collect();
            let next = self.store_step(&state, inputs, outputs, vector);
            states.iter_mut().zip(&next).for_each(|(column, word)| column.set(vector, word));
        }
    }

    /// The steps of one machine from a reset: the vectors are a sequence.
    pub(crate) fn run_columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        let count = outputs[0].words.len() / outputs[0].limbs;
        if let Some(sum) = RunningSum::new(self, count) {
            let mut acc = self.result.zero_code(false) as u64;
            let mut sink = Sink::new(self, outputs);
            for vector in 0..count {
                let results = sum.step(acc, inputs, vector);
                acc = results.y;
                sink.store(vector, results);
            }
            return;
        }
        if let Some(mut machine) = Machine::new(self, inputs) {
            machine.load(self.reset().into_iter());
            (0..count).for_each(|vector| machine.step(vector, outputs));
            return;
        }
        let mut state = self.reset();
        for vector in 0..count {
            state = self.store_step(&state, inputs, outputs, vector);
        }
    }

    /// Stores the outputs of one step by the plain walk, and returns the new state.
    fn store_step(&self, state: &[Word], inputs: &[Column], outputs: &mut [ColumnMut], vector: usize) -> Vec<Word> {
        let words: Vec<Word> = inputs.iter().map(|column| column.word(vector)).collect();
        let (next, results) = self.step(state, &words);
        outputs.iter_mut().zip(&results).for_each(|(column, word)| column.set(vector, word));
        next
    }

    /// The next accumulator, `acc = clear ? x : acc + x`.
    #[inline(always)]
    pub(crate) fn running_sum(&self, acc: Value, (x, value): (u64, Value), clear: bool, mut random: Random) -> Results {
        let signals = self.signals(&self.operand, x, value);
        let rounded = if clear { self.round(value, &mut random) } else { self.sum(acc, value, &mut random) };
        self.plain(rounded.with_flags(signals))
    }
}

/// The steps of a unit without a formula, in reused storage.
struct Machine<'m> {
    model: &'m Model,
    function: MachineFunction,
    inputs: &'m [Column<'m>],
    registers: Vec<Port>,
    /// The lanes of the registers, and of the outputs.
    state: Vec<u128>,
    outputs: Vec<u128>,
}

impl<'m> Machine<'m> {
    /// `None` for formulas.
    fn new(model: &'m Model, inputs: &'m [Column<'m>]) -> Option<Machine<'m>> {
        let Meaning::Machine(function, _) = model.meaning else { return None };
        let outputs = vec![0; port_lanes::count(&model.outputs)];
        Some(Machine { model, function, inputs, registers: model.registers(), state: vec![], outputs })
    }

    /// Loads the words of the registers.
    fn load<W: Bits>(&mut self, words: impl Iterator<Item = W>) {
        self.state.clear();
        self.state.extend(port_lanes::split(&self.registers, words));
    }

    /// Takes a step with the operands of a vector, and stores the outputs.
    fn step(&mut self, vector: usize, outputs: &mut [ColumnMut]) {
        let operands: Vec<&[u64]> = self.inputs.iter().map(|column| column.only(vector).words).collect();
        functions::step(self.model, self.function, &mut self.state, &operands, &mut self.outputs);
        let limbs = outputs.iter_mut().map(|column| limbs_mut(column, vector));
        port_lanes::store(&self.model.outputs, &self.outputs, limbs);
    }
}

/// The limbs of a vector's word.
fn limbs_of<'c>(column: &'c ColumnMut, vector: usize) -> &'c [u64] {
    &column.words[vector * column.limbs..][..column.limbs]
}

/// The limbs of a vector's word, for writing.
fn limbs_mut<'c>(column: &'c mut ColumnMut, vector: usize) -> &'c mut [u64] {
    &mut column.words[vector * column.limbs..][..column.limbs]
}

/// The fast path of a running sum.
struct RunningSum<'m> {
    model: &'m Model,
    operand: FastDecoder,
    accumulator: FastDecoder,
}

impl RunningSum<'_> {
    /// The fast path of a running sum, sized for roughly `count` steps; `None` for other units.
    fn new(model: &Model, count: usize) -> Option<RunningSum<'_>> {
        let is_it = model.is_fast() && model.shape == Shape::RunningSum;
        is_it.then(|| {
            let [operand, accumulator] = [model.operand, model.result].map(|codes| FastDecoder::new(codes, count));
            RunningSum { model, operand, accumulator }
        })
    }

    #[inline(always)]
    fn step(&self, acc: u64, inputs: &[Column], vector: usize) -> Results {
        let (x, clear) = (inputs[0].words[vector], inputs[1].words[vector] & 1 == 1);
        let random = Random(if self.model.rounding_port_bits > 0 { inputs[2].words[vector] } else { 0 });
        self.model.running_sum(self.accumulator.decode(acc), (x, self.operand.decode(x)), clear, random)
    }
}
