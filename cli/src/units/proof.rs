//! How a unit can be proven right for all inputs.

use binade_prove::specified;
use binade_spec::Operation;
use binade_verdict::proof::MOST_ENUMERATED_BITS;

/// How `binade prove` treats a unit.
pub fn proof(operation: &Operation) -> String {
    let bits = operation.input_bits();
    let is_enumerated = !operation.has_state() && bits <= MOST_ENUMERATED_BITS;
    match specified(operation) {
        Ok(()) if operation.has_state() => {
            "`binade prove` compares a step of the circuit, from any state, with its specification".into()
        }
        Ok(()) => format!("`binade prove` compares the circuit with its specification, for all 2^{bits} inputs"),
        Err(why) if is_enumerated => format!("`binade prove` tries all 2^{bits} inputs: {why}"),
        Err(why) => format!("none ({why}); `binade verify` checks samples"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;
    use binade_spec::Unit;

    #[test]
    fn each_way_is_said() {
        for (unit, beginning) in [
            (Unit::Fmac, "`binade prove` compares the circuit with its specification, for all 2^32 inputs"),
            (Unit::Mac, "`binade prove` compares the circuit"),
            (Unit::Compare, "`binade prove` compares the circuit"),
            (Unit::Accumulate, "`binade prove` compares a step"),
            (Unit::MxDot, "`binade prove` compares the circuit"),
            (Unit::MxQuantize, "none ("),
            (Unit::Random, "none ("),
        ] {
            let text = proof(&example::operation(unit));
            assert!(text.starts_with(beginning), "{unit}: {text}");
        }
    }
}
