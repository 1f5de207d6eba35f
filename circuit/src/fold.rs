//! Simplification as nodes are built: values known while building cost nothing.

use crate::word::{is_ones, is_zero, low_bits, ones};
use crate::{Circuit, NodeId, Op};
use num_bigint::BigUint;

/// The node for `op` in its simplest form.
pub(crate) fn build(circuit: &Circuit, op: Op, width: u32) -> NodeId {
    let folder = Folder { circuit, width };
    match op {
        Op::Input(_) | Op::Register(_) | Op::Constant(_) => circuit.node(op, width),
        Op::Not(a) => folder.not(a),
        Op::And(a, b) => folder.and(a, b),
        Op::Or(a, b) => folder.or(a, b),
        Op::Xor(a, b) => folder.xor(a, b),
        Op::Add(a, b) => folder.add(a, b),
        Op::Sub(a, b) => folder.sub(a, b),
        Op::Eq(a, b) => folder.equal(a, b),
        Op::Lt(a, b) => folder.less(a, b),
        Op::Mul(a, b) => folder.multiply(a, b),
        Op::Mux { select, one, zero } => folder.mux(select, one, zero),
        Op::AnyOne(a) => folder.any_one(a),
        Op::AllOnes(a) => folder.all_ones(a),
        Op::Slice { of, low } => folder.slice(of, low),
        Op::Concat(parts) => folder.concat(parts),
        Op::Repeat(a) => folder.repeat(a),
    }
}

/// The kind of a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Zeros,
    Ones,
    Other,
}

/// Builds one node of `width` bits.
struct Folder<'c> {
    circuit: &'c Circuit,
    width: u32,
}

impl Folder<'_> {
    /// The lowest bits of a value.
    fn constant(&self, value: BigUint) -> NodeId {
        self.circuit.node(Op::Constant(low_bits(value, self.width)), self.width)
    }

    fn zeros(&self) -> NodeId {
        self.constant(BigUint::ZERO)
    }

    fn ones(&self) -> NodeId {
        self.constant(ones(self.width))
    }

    fn truth(&self, truth: bool) -> NodeId {
        self.constant(u32::from(truth).into())
    }

    /// The facts that are known about a node.
    fn known(&self, node: NodeId) -> Option<Known> {
        self.circuit.with_constant(node, |value, width| match value {
            _ if is_zero(value) => Known::Zeros,
            _ if is_ones(value, width) => Known::Ones,
            _ => Known::Other,
        })
    }

    /// A function of two constants.
    fn compute<T>(&self, a: NodeId, b: NodeId, function: impl Fn(&BigUint, &BigUint) -> T) -> T {
        let result = self.circuit.with_constant(a, |x, _| self.circuit.with_constant(b, |y, _| function(x, y)));
        result.flatten().expect("both are constants")
    }

    fn keep(&self, op: Op) -> NodeId {
        self.circuit.node(op, self.width)
    }

    /// Another node of this width.
    fn build(&self, op: Op) -> NodeId {
        build(self.circuit, op, self.width)
    }

    fn not(&self, a: NodeId) -> NodeId {
        match self.circuit.op(a) {
            Op::Constant(value) => self.constant(ones(self.width) ^ value),
            Op::Not(inner) => inner,
            _ => self.keep(Op::Not(a)),
        }
    }

    /// Constants first, else the older node first, so that equal nodes look equal.
    fn ordered(&self, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        match (self.known(a), self.known(b)) {
            (None, Some(_)) => (b, a),
            (Some(_), None) => (a, b),
            (Some(_), Some(_)) | (None, None) => (a.min(b), a.max(b)),
        }
    }

    fn are_complements(&self, a: NodeId, b: NodeId) -> bool {
        self.circuit.op(a) == Op::Not(b) || self.circuit.op(b) == Op::Not(a)
    }

    fn and(&self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = self.ordered(a, b);
        match (self.known(a), self.known(b)) {
            (Some(_), Some(_)) => self.constant(self.compute(a, b, |x, y| x & y)),
            (Some(Known::Zeros), _) => a,
            (Some(Known::Ones), _) => b,
            _ if a == b => a,
            _ if self.are_complements(a, b) => self.zeros(),
            _ => self.keep(Op::And(a, b)),
        }
    }

    fn or(&self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = self.ordered(a, b);
        match (self.known(a), self.known(b)) {
            (Some(_), Some(_)) => self.constant(self.compute(a, b, |x, y| x | y)),
            (Some(Known::Zeros), _) => b,
            (Some(Known::Ones), _) => a,
            _ if a == b => a,
            _ if self.are_complements(a, b) => self.ones(),
            _ => self.keep(Op::Or(a, b)),
        }
    }

    fn xor(&self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = self.ordered(a, b);
        match (self.known(a), self.known(b)) {
            (Some(_), Some(_)) => self.constant(self.compute(a, b, |x, y| x ^ y)),
            (Some(Known::Zeros), _) => b,
            (Some(Known::Ones), _) => self.build(Op::Not(b)),
            _ if a == b => self.zeros(),
            _ => self.keep(Op::Xor(a, b)),
        }
    }

    fn add(&self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = self.ordered(a, b);
        match (self.known(a), self.known(b)) {
            (Some(_), Some(_)) => self.constant(self.compute(a, b, |x, y| x + y)),
            (Some(Known::Zeros), _) => b,
            _ if self.width == 1 => self.build(Op::Xor(a, b)),
            _ => self.keep(Op::Add(b, a)),
        }
    }

    fn sub(&self, a: NodeId, b: NodeId) -> NodeId {
        match (self.known(a), self.known(b)) {
            (Some(_), Some(_)) => {
                self.constant(self.compute(a, b, |x, y| (BigUint::from(1_u32) << self.width) + x - y))
            }
            (_, Some(Known::Zeros)) => a,
            _ if a == b => self.zeros(),
            _ if self.width == 1 => self.build(Op::Xor(a, b)),
            _ => self.keep(Op::Sub(a, b)),
        }
    }

    fn equal(&self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = self.ordered(a, b);
        match (self.known(a), self.known(b)) {
            (Some(_), Some(_)) => self.truth(self.compute(a, b, BigUint::eq)),
            (Some(Known::Zeros), _) => {
                let any = self.build(Op::AnyOne(b));
                self.build(Op::Not(any))
            }
            (Some(Known::Ones), _) => self.build(Op::AllOnes(b)),
            _ if a == b => self.truth(true),
            _ => self.keep(Op::Eq(b, a)),
        }
    }

    fn less(&self, a: NodeId, b: NodeId) -> NodeId {
        let is_one = |value: &BigUint, _| value.bits() == 1;
        let is_all_but_one = |value: &BigUint, width| is_ones(&(value + 1_u32), width);
        match (self.known(a), self.known(b)) {
            (Some(_), Some(_)) => self.truth(self.compute(a, b, BigUint::lt)),
            (_, Some(Known::Zeros)) => self.truth(false),
            (_, Some(_)) if self.circuit.with_constant(b, is_one) == Some(true) => {
                let any = self.build(Op::AnyOne(a));
                self.build(Op::Not(any))
            }
            (Some(Known::Zeros), _) => self.build(Op::AnyOne(b)),
            (Some(Known::Ones), _) => self.truth(false),
            (Some(_), _) if self.circuit.with_constant(a, is_all_but_one) == Some(true) => self.build(Op::AllOnes(b)),
            _ if a == b => self.truth(false),
            _ => self.keep(Op::Lt(a, b)),
        }
    }

    fn multiply(&self, a: NodeId, b: NodeId) -> NodeId {
        let single = |bit, other| {
            let other_width = self.width - 1;
            let bits = build(self.circuit, Op::Repeat(bit), other_width);
            let product = build(self.circuit, Op::And(bits, other), other_width);
            let zero = self.circuit.node(Op::Constant(BigUint::ZERO), 1);
            self.build(Op::Concat(vec![zero, product]))
        };
        match (self.known(a), self.known(b)) {
            (Some(_), Some(_)) => self.constant(self.compute(a, b, |x, y| x * y)),
            _ if self.circuit.width(a) == 1 => single(a, b),
            _ if self.circuit.width(b) == 1 => single(b, a),
            _ => self.keep(Op::Mul(a, b)),
        }
    }

    fn mux(&self, select: NodeId, one: NodeId, zero: NodeId) -> NodeId {
        if let Op::Not(inner) = self.circuit.op(select) {
            return self.build(Op::Mux { select: inner, one: zero, zero: one });
        }
        // Where the other value is chosen, copies of the selecting bit are constant.
        if let Op::Repeat(bit) = self.circuit.op(one) {
            let constant = if bit == select { Some(self.ones()) } else { None };
            let is_inverse = self.circuit.op(bit) == Op::Not(select);
            if let Some(one) = constant.or_else(|| is_inverse.then(|| self.zeros())) {
                return self.mux(select, one, zero);
            }
        }
        let all = |bit| build(self.circuit, Op::Repeat(bit), self.width);
        let is_single = self.width == 1;
        match (self.known(select), self.known(one), self.known(zero)) {
            (Some(Known::Zeros), _, _) => zero,
            (Some(_), _, _) => one,
            _ if one == zero => one,
            (_, Some(Known::Ones), Some(Known::Zeros)) => all(select),
            (_, Some(Known::Zeros), Some(Known::Ones)) => self.build(Op::Not(all(select))),
            (_, Some(Known::Zeros), _) if is_single => self.build(Op::And(self.build(Op::Not(select)), zero)),
            (_, _, Some(Known::Zeros)) => self.build(Op::And(all(select), one)),
            (_, Some(Known::Ones), _) => self.build(Op::Or(all(select), zero)),
            (_, _, Some(Known::Ones)) if is_single => self.build(Op::Or(self.build(Op::Not(select)), one)),
            _ => self.keep(Op::Mux { select, one, zero }),
        }
    }

    /// Zeros in a concatenation change nothing.
    fn any_one(&self, a: NodeId) -> NodeId {
        self.reduce(a, Known::Zeros, Op::AnyOne)
    }

    /// Ones in a concatenation change nothing.
    fn all_ones(&self, a: NodeId) -> NodeId {
        self.reduce(a, Known::Ones, Op::AllOnes)
    }

    /// A reduction over the bits of `a`: constant bits are `neutral` or decide the result.
    fn reduce(&self, a: NodeId, neutral: Known, op: fn(NodeId) -> Op) -> NodeId {
        let is_neutral = |part: &NodeId| self.known(*part) == Some(neutral);
        match self.circuit.op(a) {
            Op::Constant(_) => self.truth(is_neutral(&a) == (neutral == Known::Ones)),
            Op::Repeat(bit) => bit,
            Op::Concat(parts) => {
                if parts.iter().any(|part| self.known(*part).is_some() && !is_neutral(part)) {
                    return self.truth(neutral == Known::Zeros);
                }
                let kept: Vec<NodeId> = parts.iter().copied().filter(|part| !is_neutral(part)).collect();
                if kept.len() == parts.len() {
                    return self.keep(op(a));
                }
                let width = kept.iter().map(|&part| self.circuit.width(part)).sum();
                let kept = build(self.circuit, Op::Concat(kept), width);
                self.build(op(kept))
            }
            _ if self.circuit.width(a) == 1 => a,
            _ => self.keep(op(a)),
        }
    }

    fn slice(&self, of: NodeId, low: u32) -> NodeId {
        if self.width == self.circuit.width(of) {
            return of;
        }
        match self.circuit.op(of) {
            Op::Constant(value) => self.constant(value >> low),
            Op::Slice { of: whole, low: deeper } if !self.circuit.is_named(of) => {
                self.build(Op::Slice { of: whole, low: low + deeper })
            }
            Op::Repeat(bit) => self.build(Op::Repeat(bit)),
            Op::Concat(parts) => self.slice_of_concat(&parts, low),
            Op::Not(a) => {
                let slice = self.build(Op::Slice { of: a, low });
                self.build(Op::Not(slice))
            }
            _ => self.keep(Op::Slice { of, low }),
        }
    }

    fn slice_of_concat(&self, parts: &[NodeId], low: u32) -> NodeId {
        let high = low + self.width;
        let mut kept = vec![];
        let mut bottom = 0;
        for &part in parts.iter().rev() {
            let top = bottom + self.circuit.width(part);
            let (from, to) = (low.max(bottom), high.min(top));
            if from < to {
                kept.push(build(self.circuit, Op::Slice { of: part, low: from - bottom }, to - from));
            }
            bottom = top;
        }
        kept.reverse();
        self.build(Op::Concat(kept))
    }

    fn concat(&self, parts: Vec<NodeId>) -> NodeId {
        let mut flat: Vec<NodeId> = vec![];
        for part in parts {
            match self.circuit.op(part) {
                // A part with a name stays whole, because the reader knows it by that name.
                Op::Concat(inner) if !self.circuit.is_named(part) => {
                    inner.into_iter().for_each(|part| self.append(&mut flat, part));
                }
                _ => self.append(&mut flat, part),
            }
        }
        if flat.len() == 1 { flat[0] } else { self.keep(Op::Concat(flat)) }
    }

    /// Appends a part. It is joined with the part above it if both are constants, neighbouring bits of one signal, or
    /// copies of one bit.
    fn append(&self, parts: &mut Vec<NodeId>, part: NodeId) {
        let joined = parts.last().and_then(|&above| self.join(above, part));
        if let Some(joined) = joined {
            parts.pop();
            parts.push(joined);
        } else {
            parts.push(part);
        }
    }

    fn join(&self, above: NodeId, below: NodeId) -> Option<NodeId> {
        let widths = (self.circuit.width(above), self.circuit.width(below));
        let width = widths.0 + widths.1;
        let op = match (self.circuit.op(above), self.circuit.op(below)) {
            (Op::Constant(a), Op::Constant(b)) => Op::Constant(a << widths.1 | b),
            (Op::Slice { of: a, low: high }, Op::Slice { of: b, low }) if a == b && low + widths.1 == high => {
                Op::Slice { of: a, low }
            }
            (Op::Repeat(a), Op::Repeat(b)) if a == b => Op::Repeat(a),
            (Op::Repeat(a), _) if a == below => Op::Repeat(a),
            (_, Op::Repeat(b)) if above == b => Op::Repeat(b),
            _ if above == below && widths.0 == 1 => Op::Repeat(above),
            _ => return None,
        };
        Some(build(self.circuit, op, width))
    }

    fn repeat(&self, bit: NodeId) -> NodeId {
        match self.known(bit) {
            Some(Known::Zeros) => self.zeros(),
            Some(_) => self.ones(),
            None if self.width == 1 => bit,
            None => self.keep(Op::Repeat(bit)),
        }
    }
}
