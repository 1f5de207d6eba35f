//! Formats with the names of OCP's formats in lower case, which are IEEE encodings with infinities.

use crate::output;
use binade_spec::{Format, Operation};
use std::sync::Once;

/// The names, OCP's names, and the names of OCP's formats here.
const NAMESAKES: [(&str, &str, &str); 4] =
    [("e4m3", "E4M3", "e4m3fn"), ("e3m2", "E3M2", "e3m2f"), ("e2m3", "E2M3", "e2m3f"), ("e2m1", "E2M1", "e2m1f")];

/// Says on stderr what these formats are, if one has such a name: once in a process.
pub fn say(formats: impl IntoIterator<Item = Format>) {
    static ONCE: Once = Once::new();
    let names: Vec<String> = formats.into_iter().map(|format| format.to_string()).collect();
    let met: Vec<_> = NAMESAKES.iter().filter(|(name, ..)| names.iter().any(|known| known == name)).collect();
    if met.is_empty() {
        return;
    }
    ONCE.call_once(|| {
        for (name, ocp, of_ocp) in met {
            output::say(format_args!("format: {name}, with infinity; OCP's {ocp} is {of_ocp}"));
        }
    });
}

/// The same for the formats on the ports of a unit.
pub fn say_of(operation: &Operation) {
    let ports = operation.choices().into_iter().flat_map(|choice| choice.inputs().into_iter().chain(choice.outputs()));
    say(ports.filter_map(|port| port.format()));
}
