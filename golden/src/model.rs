//! An operation that can be evaluated.

use crate::Codes;
use binade_spec::Operation;
use std::ops::Deref;

/// The golden model of an operation: what it returns for every input.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    operation: Operation,
    pub(crate) operand: Codes,
    pub(crate) result: Codes,
}

impl Model {
    /// The model of `operation`.
    pub fn new(operation: &Operation) -> Model {
        Model { operation: *operation, operand: Codes::new(operation.operand), result: Codes::new(operation.result) }
    }

    /// What is modelled.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }
}

impl Deref for Model {
    type Target = Operation;

    fn deref(&self) -> &Operation {
        &self.operation
    }
}
