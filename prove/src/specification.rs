//! The specification as one circuit: any code on any port, with variable shifts.

use crate::case::undivided;
use crate::choices::opened;
use crate::directions::of_modes;
use crate::elements::{element, elements};
use crate::plans::{self, NotSpecified};
use crate::words::Multiplier;
use binade_gates::{Graph, Literal};
use binade_spec::{Operation, Port, Rounding};

/// A circuit with the ports of a unit that computes the expected results.
///
/// # Errors
/// When the operation has no specification.
pub fn specification(operation: &Operation) -> Result<Graph, NotSpecified> {
    if operation.is_wrapped() {
        return specification_of_choices(operation);
    }
    if operation.rounding == Rounding::Any {
        return specification_of_modes(operation);
    }
    if let Some(dot) = element(operation) {
        return specification_of_elements(operation, &dot);
    }
    let plan = plans::undivided(operation)?;
    undivided(operation, &plan, Multiplier::Tree)
}

/// The specification as one circuit: those of all roundings, of which `rm` chooses one.
fn specification_of_modes(operation: &Operation) -> Result<Graph, NotSpecified> {
    let mut graph = Graph::new(operation.inputs().iter().map(Port::width));
    let (rm, operands) = graph.inputs().split_last().expect("the port rm");
    let (rm, operands) = (rm.clone(), operands.concat());
    let mut all = vec![];
    for operation in of_modes(operation) {
        let one = specification(&operation)?;
        all.push(graph.add_gates(&one, operands.clone(), None).of_words(one.outputs()));
    }
    let results = chosen(&mut graph, &rm, all);
    results.into_iter().for_each(|bits| graph.add_output(bits));
    Ok(graph)
}

/// The specification of a matrix unit as one circuit: that of a dot product for each element.
fn specification_of_elements(operation: &Operation, dot: &Operation) -> Result<Graph, NotSpecified> {
    let one = specification(dot)?;
    let mut graph = Graph::new(operation.inputs().iter().map(Port::width));
    let inputs = graph.inputs().to_vec();
    let mut results: Vec<Vec<Literal>> = vec![vec![]; operation.outputs().len()];
    for element in elements(operation) {
        let operands = element.operands(operation, &inputs).concat();
        let of_element = graph.add_gates(&one, operands, None).of_words(one.outputs());
        results.iter_mut().zip(of_element).for_each(|(port, lane)| port.extend(lane));
    }
    results.into_iter().for_each(|bits| graph.add_output(bits));
    Ok(graph)
}

/// The specification as one circuit: those of all choices, of which `fmt` chooses one, with codes in and out of their boxes.
fn specification_of_choices(operation: &Operation) -> Result<Graph, NotSpecified> {
    let ports = operation.inputs();
    let mut graph = Graph::new(ports.iter().map(Port::width));
    let inputs = graph.inputs().to_vec();
    let mut all = vec![];
    for choice in operation.choices() {
        let one = specification(&choice)?;
        let mut operands: Vec<Literal> = vec![];
        for ((own, port), bits) in choice.inputs().iter().zip(&ports).zip(&inputs) {
            for lane in bits.chunks(port.lane_width() as usize) {
                let (code, above) = lane.split_at(own.lane_width() as usize);
                let above = if port.boxing().is_some() { above } else { &[] };
                operands.extend(opened(&mut graph, own, code, above));
            }
        }
        let results = graph.add_gates(&one, operands, None).of_words(one.outputs());
        let widened = |((word, own), port): ((&Vec<Literal>, &Port), &Port)| {
            let above = if port.boxing().is_some() { Literal::TRUE } else { Literal::FALSE };
            let above = vec![above; (port.lane_width() - own.lane_width()) as usize];
            word.chunks(own.lane_width() as usize).flat_map(|lane| [lane, &above].concat()).collect()
        };
        all.push(results.iter().zip(&choice.outputs()).zip(&operation.outputs()).map(widened).collect());
    }
    let fmt = inputs.last().filter(|_| operation.has_choices()).map_or(&[][..], |fmt| fmt);
    let results = chosen(&mut graph, fmt, all);
    results.into_iter().for_each(|bits| graph.add_output(bits));
    Ok(graph)
}

/// The words that the value of a port chooses; any value above the last one chooses the last.
fn chosen(graph: &mut Graph, port: &[Literal], all: Vec<Vec<Vec<Literal>>>) -> Vec<Vec<Literal>> {
    let mut values = all.into_iter().enumerate().rev();
    let (_, last) = values.next().expect("a choice");
    values.fold(last, |others, (value, words)| {
        let matches = |(bit, &literal): (usize, &Literal)| if value >> bit & 1 == 1 { literal } else { !literal };
        let is_here: Vec<Literal> = port.iter().enumerate().map(matches).collect();
        let is_here = graph.all(&is_here);
        let mut mux = |(one, zero): (&Literal, &Literal)| graph.mux(is_here, *one, *zero);
        words.iter().zip(&others).map(|(word, other)| word.iter().zip(other).map(&mut mux).collect()).collect()
    })
}
