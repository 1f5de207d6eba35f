//! Certificates of units that are made of parts: of roundings one after the other, of the elements of a matrix, or of a function behind
//! another operation. Each part has a certificate in a folder of its own. `unit.aig` has the gates of the parts, one after the other, as
//! the list of instances connects them.

use super::{Below, Certified, Certifier, Evidence, Files, Frame, Results, certify, names, settled, without_output};
use crate::directions::heard_of_parts;
use crate::elements::{Asked, elements};
use crate::plans::NotSpecified;
use crate::stages::{Source, StageUnit, cut, of_first_output, second_output_of_first};
use crate::sweep::simulated;
use crate::{AllowedResults, Progress, Proof, Question};
use binade_gates::{AigerLiteral, Ands, Graph, Literal};
use binade_spec::{Operation, Port};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

/// Machine words of random patterns in which a unit and its parts, connected, must agree.
const PATTERN_WORDS: usize = 64;

/// The certificate of a part.
#[derive(Clone, Debug)]
pub struct CertifiedPart {
    /// The name of its folder.
    pub name: String,
    /// What it computes.
    pub operation: Operation,
    /// The certificate.
    pub certified: Certified,
    /// The gates of the part, and the literals of its outputs.
    ands: Ands,
    outputs: Vec<AigerLiteral>,
}

/// A part in the unit.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// The name of the part.
    pub part: String,
    /// For each input bit of the part an input bit of the unit, or an output bit of an instance before, as `NAME.PORT[BIT]`.
    pub inputs: Vec<String>,
}

impl CertifiedPart {
    /// A part with these gates, whose certificate is written below a folder.
    fn new(
        question: Question,
        name: String,
        files: &dyn Files,
        certify: impl FnOnce(&Below) -> Result<(Certified, Graph), NotSpecified>,
    ) -> Result<CertifiedPart, NotSpecified> {
        let below = Below { files, folder: name.clone() };
        let (certified, unit) = certify(&below)?;
        // Of a part that has parts, these are the gates of the whole.
        let (ands, outputs) = match &certified.evidence {
            Evidence::Cases(..) => {
                let ands = Ands::of(&unit);
                let outputs = unit.outputs().concat().iter().map(|&output| ands.literal(output)).collect();
                (ands, outputs)
            }
            Evidence::Parts { parts, instances, outputs } => composed(&certified.inputs, parts, instances, outputs),
        };
        Ok(CertifiedPart { name, operation: *question.operation, certified, ands, outputs })
    }

    /// The names of its output bits in an instance.
    fn output_names(&self, instance: &str) -> Vec<String> {
        names(&self.certified.outputs).iter().map(|name| format!("{instance}.{name}")).collect()
    }
}

/// The gates of a unit that is made of parts, and the literals of its outputs.
pub fn composed(
    inputs: &[Port],
    parts: &[CertifiedPart],
    instances: &[Instance],
    outputs: &[String],
) -> (Ands, Vec<AigerLiteral>) {
    let inputs = names(inputs);
    let mut ands = Ands::new(inputs.len() as u32);
    let mut literals: FxHashMap<String, AigerLiteral> =
        inputs.into_iter().zip(1..).map(|(name, input)| (name, 2 * input)).collect();
    for instance in instances {
        let part = parts.iter().find(|part| part.name == instance.part).expect("a part");
        let sources: Vec<AigerLiteral> = instance.inputs.iter().map(|name| literals[name]).collect();
        let images = ands.place(&part.ands, &sources);
        let of_outputs = part.outputs.iter().map(|&output| images[output as usize >> 1] ^ (output & 1));
        literals.extend(part.output_names(&instance.name).into_iter().zip(of_outputs));
    }
    let outputs = outputs.iter().map(|name| literals[name]).collect();
    (ands, outputs)
}

/// Whether gates have the outputs of a unit, in random patterns.
fn is_same(unit: &Graph, ands: &Ands, outputs: &[AigerLiteral]) -> bool {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    (0..PATTERN_WORDS).all(|_| {
        // In some patterns, most bits are 0, or most are 1, so that exponents meet.
        let [sparse, inverse]: [u64; 2] = random.random();
        let word = |random: &mut Xoshiro256PlusPlus| {
            let all = (0..sparse % 3).fold(random.random::<u64>(), |word, _| word & random.random::<u64>());
            if inverse & 1 == 1 { !all } else { all }
        };
        let words: Vec<u64> = unit.inputs().iter().flatten().map(|_| word(&mut random)).collect();
        let of_unit = simulated(unit.gates(), &words);
        let mut values = [vec![0], words].concat();
        let value = |values: &[u64], literal: AigerLiteral| {
            values[literal as usize >> 1] ^ if literal & 1 == 1 { u64::MAX } else { 0 }
        };
        for &[a, b] in &ands.ands {
            values.push(value(&values, a) & value(&values, b));
        }
        let of_bit = |bit: Literal| of_unit[bit.node()] ^ if bit.is_inverted() { u64::MAX } else { 0 };
        unit.outputs().iter().flatten().zip(outputs).all(|(&bit, &output)| of_bit(bit) == value(&values, output))
    })
}

/// A certificate that is being made of parts.
pub struct Assembly<'a> {
    question: Question<'a>,
    results: &'a Results<'a>,
    files: &'a dyn Files,
    proof: Proof,
    parts: Vec<CertifiedPart>,
    instances: Vec<Instance>,
}

impl<'a> Assembly<'a> {
    pub fn new(question: Question<'a>, results: &'a Results<'a>, files: &'a dyn Files) -> Assembly<'a> {
        Assembly { question, results, files, proof: Proof::default(), parts: vec![], instances: vec![] }
    }

    /// Writes the gates of the whole, which must be the unit.
    fn finish(self, outputs: Vec<String>) -> Result<Certified, NotSpecified> {
        let Assembly { question, files, proof, parts, instances, .. } = self;
        let (inputs, ports) = (question.operation.inputs(), question.operation.outputs());
        if proof.is_whole() {
            let (ands, literals) = composed(&inputs, &parts, &instances, &outputs);
            if question.tolerance == AllowedResults::default() && !is_same(question.unit, &ands, &literals) {
                return Err(NotSpecified("its parts, connected as its certificate would say, are not the unit"));
            }
            let named: Vec<(String, AigerLiteral)> = names(&ports).into_iter().zip(literals).collect();
            files.write("unit.aig", &mut |mut to| ands.write(&names(&inputs), &named, &mut to));
        }
        let evidence = Evidence::Parts { parts, instances, outputs };
        Ok(Certified { proof, inputs, outputs: ports, evidence, registers: None })
    }

    /// The certificate of a unit that rounds more than once.
    pub fn of_stages(
        mut self,
        stages: &[StageUnit],
        progress: &(dyn Fn(Progress) + Sync),
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Certified, NotSpecified> {
        let cut = cut(self.question.unit, stages)?;
        let hear = heard_of_parts(progress, stages.len());
        for (number, (stage, alone)) in stages.iter().zip(&cut).enumerate() {
            let asked = stage.question(self.question, alone, number + 1 == stages.len());
            let name = stage_name(number);
            let inputs = stage_inputs(self.question.operation, stage);
            let part = CertifiedPart::new(asked, name.clone(), self.files, |below| {
                let frame = Frame::of_stage(stage);
                let unit = frame.unit(&settled(&asked));
                let certified = match stage.plans() {
                    None => certify(asked, self.results, below, &hear, is_over)?,
                    Some(plans) => Certifier::new(frame, &unit, below).of_plans(asked, &plans, &hear, is_over)?,
                };
                Ok((certified, unit))
            })?;
            self.proof.join_stage(part.certified.proof.clone(), number);
            self.instances.push(Instance { name: name.clone(), part: name, inputs });
            self.parts.push(part);
        }
        let last = self.parts.last().expect("several roundings");
        let outputs = last.output_names(&last.name);
        self.finish(outputs)
    }

    /// The certificate of a matrix unit. Elements with the same gates have one certificate.
    pub fn of_elements(
        mut self,
        dot: &Operation,
        progress: &(dyn Fn(Progress) + Sync),
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Certified, NotSpecified> {
        let Question { unit, operation, .. } = self.question;
        let input_names: FxHashMap<usize, String> =
            unit.inputs().concat().iter().map(|bit| bit.node()).zip(names(&operation.inputs())).collect();
        let mut asked: Vec<(Asked, String)> = vec![];
        let mut outputs: Vec<Vec<String>> = operation.outputs().iter().map(|_| vec![]).collect();
        for element in elements(operation) {
            let name = format!("element-{}-{}", element.row, element.column);
            let inputs = element.operands(operation, unit.inputs()).concat();
            let inputs = inputs.iter().map(|bit| input_names[&bit.node()].clone()).collect();
            let element = Asked::new(unit, operation, element)?;
            if element.connected.is_some() {
                return Err(CONNECTED);
            }
            let known = asked.iter().find(|(known, _)| element.is_known_from(known)).map(|(_, part)| part.clone());
            let part = known.clone().unwrap_or_else(|| name.clone());
            self.instances.push(Instance { name: name.clone(), part: part.clone(), inputs });
            for (port, of_port) in dot.outputs().iter().zip(&mut outputs) {
                of_port.extend(names(&[*port]).iter().map(|bit| format!("{name}.{bit}")));
            }
            if known.is_none() {
                asked.push((element, part));
            }
        }
        let hear = heard_of_parts(progress, asked.len());
        for (element, name) in &asked {
            let of_part = Question { unit: &element.part, operation: dot, ..self.question };
            let mut proof = self.add_part(of_part, name, &hear, is_over)?;
            self.proof.differs = proof.differs.take().map(|words| element.element.inputs(operation, &words));
            self.proof.join(proof, name);
            if self.proof.differs.is_some() {
                break;
            }
        }
        self.finish(outputs.concat())
    }

    /// The certificate of a unit whose second output is a function of the first.
    pub fn of_function(
        mut self,
        progress: &(dyn Fn(Progress) + Sync),
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Certified, NotSpecified> {
        let Question { unit, operation, .. } = self.question;
        let function = operation.activation_function().expect("a function");
        let of_second = second_output_of_first(unit).ok_or(NotSpecified("its function depends on more than y"))?;
        let (of_first, first) = (of_first_output(unit), without_output(operation));
        let ports = operation.outputs();
        let mut outputs = vec![];
        let mut inputs = names(&operation.inputs());
        let hear = heard_of_parts(progress, 2);
        for (port, graph, operation) in [(ports[0], &of_first, &first), (ports[1], &of_second, &function)] {
            let name = port.name;
            let mut proof =
                self.add_part(Question { unit: graph, operation, ..self.question }, name, &hear, is_over)?;
            // The code for which the function is wrong need not be one that the first output has.
            let differs = proof.differs.take();
            match outputs.is_empty() {
                true => self.proof.differs = differs,
                false => proof.open.extend(differs.map(|words| format!("{words:x?}"))),
            }
            self.proof.join(proof, name);
            let part = self.parts.last().expect("the part that was added");
            let of_part = part.output_names(name);
            self.instances.push(Instance { name: name.into(), part: name.into(), inputs });
            inputs = of_part.clone();
            outputs.extend(of_part);
        }
        self.finish(outputs)
    }

    /// Adds the certificate of a part; returns its proof.
    fn add_part(
        &mut self,
        asked: Question,
        name: &str,
        progress: &(dyn Fn(Progress) + Sync),
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Proof, NotSpecified> {
        let part = CertifiedPart::new(asked, name.into(), self.files, |below| {
            Ok((certify(asked, self.results, below, progress, is_over)?, settled(&asked)))
        })?;
        let proof = part.certified.proof.clone();
        self.parts.push(part);
        Ok(proof)
    }
}

/// Why a matrix unit has no certificate.
const CONNECTED: NotSpecified =
    NotSpecified("gates of an element are connected to lanes of others: such a unit has no certificate yet");

/// Removes what was written about stages.
pub fn remove_stages(stages: &[StageUnit], files: &dyn Files) {
    (0..stages.len()).for_each(|number| files.remove(&stage_name(number)));
}

fn stage_name(number: usize) -> String {
    format!("rounding-{}", number + 1)
}

/// Where the input bits of a stage come from.
fn stage_inputs(unit: &Operation, stage: &StageUnit) -> Vec<String> {
    let ports = unit.inputs();
    let operands = stage.operation.inputs();
    let of_operand = |(source, operand): (&Source, &Port)| -> Vec<String> {
        let bits = 0..operand.width() as usize;
        match source {
            Source::Port(port, from) => bits.map(|bit| format!("{}[{}]", ports[*port].name, from + bit)).collect(),
            Source::Stage(earlier) => bits.map(|bit| format!("{}.y[{bit}]", stage_name(*earlier))).collect(),
            Source::Zero(_) => vec![],
        }
    };
    stage.operands.iter().zip(&operands).flat_map(of_operand).collect()
}
