//! Operands in the format of the shared unit.

use super::Choices;
use crate::units::convert::convert;
use binade_circuit::{Bits, concat};
use binade_spec::{Operation, Overflow, Port, Rounding, Target, Tininess};

impl<'c> Choices<'c> {
    /// The operand on a port in the format of the shared unit, and whether a code is a signaling NaN, if flags need that.
    pub fn widened(
        &self,
        operation: &Operation,
        at: usize,
        (port, bits): (&Port, Bits<'c>),
        to: &Port,
    ) -> (Bits<'c>, Option<Bits<'c>>) {
        let Some(format) = to.format().filter(|format| port.format() != Some(*format)) else { return (bits, None) };
        let target = Target {
            format,
            rounding: Rounding::Rne,
            overflow: Overflow::Inf,
            posit_range: Default::default(),
            nan: Default::default(),
            flags: operation.flags.map(|_| Tininess::Before),
        };
        let mut signal: Option<Bits> = None;
        let mut lane = |lane: u32| {
            let lane_bits = bits.slice((lane + 1) * port.lane_width() - 1, lane * port.lane_width());
            let lane_name = if port.lanes > 1 { format!("{}_{lane}", port.name) } else { port.name.into() };
            let converted = self.for_each(
                |scaled| scaled.of_port(port.name),
                |choice, scaled| {
                    let from = scaled.of_port(port.name);
                    let code = lane_bits.low(from.width());
                    if from == format {
                        return (code, None);
                    }
                    let own = choice.inputs()[at].format().expect("a port with codes");
                    let name = format!("{lane_name}_{}", own.identifier());
                    let coded = bits.circuit().stage(&name, || convert(from, &target, (&lane_name, code), None));
                    (coded.code, coded.flags.map(|flags| flags.msb()))
                },
            );
            let codes: Vec<Bits> = converted.iter().map(|(code, _)| *code).collect();
            let zero = bits.circuit().zero();
            let signals: Vec<Bits> = converted.iter().map(|(_, signal)| signal.unwrap_or(zero)).collect();
            if operation.flags.is_some() {
                let is_signaling = self.choose(&signals);
                signal = Some(signal.map_or(is_signaling, |others| others | is_signaling));
            }
            self.choose(&codes).named(format!("{lane_name}_widened"))
        };
        let mut lanes: Vec<Bits> = (0..port.lanes).map(&mut lane).collect();
        lanes.reverse();
        (concat(&lanes), signal)
    }
}
