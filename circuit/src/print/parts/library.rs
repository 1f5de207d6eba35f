//! The modules of pieces.

use super::bundle::Bundle;
use super::group::{Group, Structure};
use crate::Language;
use crate::{Netlist, NodeId};

/// A module, as its instances see it.
#[derive(Clone)]
pub struct PartModule {
    pub name: String,
    /// Its ports, with the inputs of each piece that they are.
    pub inputs: Vec<(String, Bundle)>,
    /// The same with the numbers of outputs.
    pub outputs: Vec<(String, Bundle)>,
    /// The outputs, as nodes of each piece that the module implements.
    pub nodes: Vec<NodeId>,
}

/// Prints the module of a piece, from its netlist, name and instance; the modules of the pieces in it go into the library.
pub type PrintPart = fn(&Netlist, &str, usize, &mut Library) -> String;

/// The modules of a unit's pieces, each before those of the pieces in it.
pub struct Library {
    /// The unit's module.
    top: String,
    language: Language,
    modules: Vec<Entry>,
    print: PrintPart,
    /// The modules by their numbers, each after those of the pieces in it.
    finished: Vec<usize>,
}

struct Entry {
    structure: Structure,
    module: PartModule,
    part: &'static str,
    text: String,
}

impl Library {
    pub fn new(top: &str, language: Language, print: PrintPart) -> Library {
        Library { top: top.into(), language, modules: vec![], print, finished: vec![] }
    }

    /// The language of the modules.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The texts of the modules; in VHDL, each after those that it instantiates.
    pub fn texts(mut self) -> Vec<String> {
        match self.language {
            Language::Verilog | Language::SystemVerilog => self.modules.into_iter().map(|entry| entry.text).collect(),
            Language::Vhdl => {
                let text = |number: usize| std::mem::take(&mut self.modules[number].text);
                self.finished.into_iter().map(text).collect()
            }
        }
    }

    /// The module of equal pieces, which may exist already. `names` holds the names of the nodes around the pieces.
    pub fn module(&mut self, group: &Group, names: &[String]) -> PartModule {
        let nodes = group.outputs();
        let is_same = |entry: &&Entry| entry.structure == group.structure && entry.module.nodes == nodes;
        if let Some(entry) = self.modules.iter().find(is_same) {
            return entry.module.clone();
        }
        let piece = &group.pieces[0];
        let part = piece.netlist.instances[piece.instance].part;
        let variant = match self.modules.iter().filter(|entry| entry.part == part.name).count() {
            0 => String::new(),
            others => format!("_{}", others + 1),
        };
        let name = format!("{}_{}{variant}", self.top, part.name);
        let (netlist, [read, handed]) = group.netlist(names, self.language);
        let inputs = netlist.inputs.iter().map(|port| port.name.clone()).zip(read).collect();
        let outputs = netlist.outputs.iter().map(|(port, _)| port.name.clone()).zip(handed).collect();
        let module = PartModule { name, inputs, outputs, nodes };
        let place = self.modules.len();
        self.modules.push(Entry {
            structure: group.structure.clone(),
            module: module.clone(),
            part: part.name,
            text: String::new(),
        });
        self.modules[place].text = (self.print)(&netlist, &module.name, piece.instance, self);
        self.finished.push(place);
        module
    }
}
