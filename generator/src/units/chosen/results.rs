//! Results in their own formats.

use super::Choices;
use crate::units::{coded::Coded, convert::convert, flags::both, unpack::unpack};
use binade_circuit::{Bits, concat};
use binade_spec::{Format, Operation, Rounding, Target};

impl<'c> Choices<'c> {
    /// The results of the shared unit, rounded to their own formats, and the flags of all roundings.
    pub fn rounded(
        &self,
        operation: &Operation,
        odd: Format,
        codes: Bits<'c>,
        rm: Option<Bits<'c>>,
    ) -> (Bits<'c>, Option<Bits<'c>>) {
        let port = operation.outputs()[0];
        let width = odd.width();
        let mut flags: Option<Bits> = None;
        let mut element = |lane: u32| {
            let code = codes.slice((lane + 1) * width - 1, lane * width);
            let name = if port.lanes > 1 { format!("y_{lane}") } else { "y".into() };
            let rounded = self.result(odd, code, &name, rm);
            flags = [flags, rounded.flags].into_iter().flatten().reduce(both);
            rounded.code.zext(port.lane_width())
        };
        let mut lanes: Vec<Bits> = (0..port.lanes).map(&mut element).collect();
        lanes.reverse();
        (concat(&lanes), flags)
    }

    /// A result, rounded once for each format.
    fn result(&self, odd: Format, code: Bits<'c>, name: &str, rm: Option<Bits<'c>>) -> Coded<'c> {
        // Its signals belong to all formats.
        unpack(odd, code, &format!("{name}_odd"));
        let rounded = self.for_each(
            |scaled| scaled.result,
            |choice, scaled| {
                let name = format!("{name}_{}", choice.result.identifier());
                let random = rm.filter(|_| choice.rounding == Rounding::Any);
                let target = Target { format: scaled.result, ..choice.target() };
                code.circuit().stage(&name, || convert(odd, &target, ("odd", code), random))
            },
        );
        let width = rounded.iter().map(|coded| coded.code.width()).max().expect("a choice");
        let codes: Vec<Bits> = rounded.iter().map(|coded| coded.code.zext(width)).collect();
        let flags: Option<Vec<Bits>> = rounded.iter().map(|coded| coded.flags).collect();
        Coded { code: self.choose(&codes), flags: flags.map(|flags| self.choose(&flags)) }
    }
}
