//! Certificates of units that are made of parts: of roundings one after the other, or of the elements of a matrix. Each part has a
//! certificate in a folder of its own. `unit.aig` has the gates of the parts, one after the other, as the list of instances connects them.

use super::{Below, Certified, Certifier, Evidence, Files, Frame, certify, names, settled};
use crate::directions::heard_of_parts;
use crate::elements::{Asked, elements};
use crate::plans::NotSpecified;
use crate::stages::{Source, StageUnit, cut};
use crate::{Progress, Proof, Question};
use binade_gates::{AigerLiteral, Ands, Graph};
use binade_spec::{Operation, Port};
use rustc_hash::FxHashMap;

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
fn composed(
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

/// A certificate that is being made of parts.
struct Assembly<'a> {
    question: Question<'a>,
    files: &'a dyn Files,
    proof: Proof,
    parts: Vec<CertifiedPart>,
    instances: Vec<Instance>,
}

impl<'a> Assembly<'a> {
    fn new(question: Question<'a>, files: &'a dyn Files) -> Assembly<'a> {
        Assembly { question, files, proof: Proof::default(), parts: vec![], instances: vec![] }
    }

    /// Writes the gates of the whole.
    fn finish(self, outputs: Vec<String>) -> Certified {
        let Assembly { question, files, proof, parts, instances } = self;
        let ports = [question.operation.inputs(), question.operation.outputs()];
        let is_complete = proof.is_whole();
        if is_complete {
            let (ands, literals) = composed(&ports[0], &parts, &instances, &outputs);
            let named: Vec<(String, AigerLiteral)> = names(&ports[1]).into_iter().zip(literals).collect();
            files.write("unit.aig", &mut |mut to| ands.write(&names(&ports[0]), &named, &mut to));
        }
        let [inputs, out] = ports;
        Certified { proof, inputs, outputs: out, evidence: Evidence::Parts { parts, instances, outputs } }
    }
}

/// The certificate of a unit that rounds more than once.
pub fn of_stages(
    question: Question,
    stages: &[StageUnit],
    files: &dyn Files,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Certified, NotSpecified> {
    let cut = cut(question.unit, stages)?;
    let hear = heard_of_parts(progress, stages.len());
    let mut all = Assembly::new(question, files);
    for (number, (stage, alone)) in stages.iter().zip(&cut).enumerate() {
        let asked = stage.question(question, alone, number + 1 == stages.len());
        let name = stage_name(number);
        let inputs = stage_inputs(question.operation, stage);
        let part = CertifiedPart::new(asked, name.clone(), files, |below| {
            let frame = Frame::of_stage(stage);
            let unit = frame.unit(&settled(&asked));
            match stage.plans() {
                None => Ok((certify(asked, below, &hear, is_over)?, unit)),
                Some(plans) => {
                    Ok((Certifier::new(frame, &unit, below).of_plans(asked, &plans, &hear, is_over)?, unit.clone()))
                }
            }
        })?;
        all.proof.join_stage(part.certified.proof.clone(), number);
        all.instances.push(Instance { name: name.clone(), part: name, inputs });
        all.parts.push(part);
    }
    let last = all.parts.last().expect("several roundings");
    let outputs = last.output_names(&last.name);
    Ok(all.finish(outputs))
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

/// The certificate of a matrix unit. Elements with the same gates have one certificate.
pub fn of_elements(
    question: Question,
    dot: &Operation,
    files: &dyn Files,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Certified, NotSpecified> {
    let Question { unit, operation, .. } = question;
    let input_names: FxHashMap<usize, String> =
        unit.inputs().concat().iter().map(|bit| bit.node()).zip(names(&operation.inputs())).collect();
    let mut asked: Vec<(Asked, String)> = vec![];
    let mut all = Assembly::new(question, files);
    let mut outputs: Vec<Vec<String>> = operation.outputs().iter().map(|_| vec![]).collect();
    for element in elements(operation) {
        let name = format!("element-{}-{}", element.row, element.column);
        let inputs = element.operands(operation, unit.inputs()).concat();
        let inputs = inputs.iter().map(|bit| input_names[&bit.node()].clone()).collect();
        let element = Asked::new(unit, operation, element)?;
        if element.connected.is_some() {
            return Err(NotSpecified(
                "gates of an element are connected to lanes of others: such a unit has no certificate yet",
            ));
        }
        let known = asked.iter().find(|(known, _)| element.is_known_from(known)).map(|(_, part)| part.clone());
        let part = known.clone().unwrap_or_else(|| name.clone());
        all.instances.push(Instance { name: name.clone(), part: part.clone(), inputs });
        for (port, of_port) in dot.outputs().iter().zip(&mut outputs) {
            of_port.extend(names(&[*port]).iter().map(|bit| format!("{name}.{bit}")));
        }
        if known.is_none() {
            asked.push((element, part));
        }
    }
    let hear = heard_of_parts(progress, asked.len());
    for (element, name) in &asked {
        let of_part = Question { unit: &element.part, operation: dot, ..question };
        let part = CertifiedPart::new(of_part, name.clone(), files, |below| {
            Ok((certify(of_part, below, &hear, is_over)?, settled(&of_part)))
        })?;
        let mut proof = part.certified.proof.clone();
        all.proof.differs = proof.differs.take().map(|words| element.element.inputs(operation, &words));
        all.proof.join(proof, name);
        all.parts.push(part);
        if all.proof.differs.is_some() {
            break;
        }
    }
    Ok(all.finish(outputs.concat()))
}
