//! Factors that a unit cannot distinguish: those with the same exact product.

use crate::evaluate::Factors;
use crate::{Model, Value};
use std::collections::BTreeMap;

/// Identifies an exact product: its flags, kind and sign, and for finite products the odd part and the power of two.
type Key = (u64, u8, bool, u128, i32);

impl Model {
    /// All pairs of codes of `a` and `b`, grouped by their exact product. A unit that accumulates gives the same result
    /// for all pairs of a group with any addend, so the golden model needs to evaluate only one of them.
    ///
    /// # Panics
    /// For units that accumulate no product.
    pub fn pairs_by_product(&self) -> Vec<Vec<[u64; 2]>> {
        assert!(self.shape.accumulates(), "{} does not accumulate products", self.unit);
        let codes = 0..1_u64 << self.operand.width();
        let mut groups: BTreeMap<Key, Vec<[u64; 2]>> = BTreeMap::new();
        for a in codes.clone() {
            for b in codes.clone() {
                let factors = self.factors([a, b], [a, b].map(|code| self.operand.decode(code.into())));
                groups.entry(factors.key()).or_default().push([a, b]);
            }
        }
        groups.into_values().collect()
    }
}

impl Factors {
    fn key(self) -> Key {
        match self.product {
            Value::Zero { negative } => (self.signals, 0, negative, 0, 0),
            Value::Finite(exact) => {
                let zeros = exact.n.trailing_zeros();
                (self.signals, 1, exact.negative, exact.n >> zeros, exact.k + zeros as i32)
            }
            Value::Infinite { negative } => (self.signals, 2, negative, 0, 0),
            Value::Nan => (self.signals, 3, false, 0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Model;
    use binade_spec::{Format, Operation, Tininess, Unit};

    /// Every pair is in one group, and the pairs of a group give the same result with every addend.
    #[test]
    fn a_group_has_one_result_for_every_addend() {
        let format = |name: &str| name.parse::<Format>().unwrap();
        let plain = |unit| Operation::new(unit, format("e3m1"), format("e3m2"));
        let flagged = Operation { flags: Some(Tininess::After), ..plain(Unit::Fmac) };
        for operation in [plain(Unit::Fmac), plain(Unit::Mac), flagged] {
            let groups = Model::new(&operation).pairs_by_product();
            let mut pairs: Vec<[u64; 2]> = groups.iter().flatten().copied().collect();
            pairs.sort_unstable();
            assert_eq!(pairs, (0..32).flat_map(|a| (0..32).map(move |b| [a, b])).collect::<Vec<_>>());
            assert!(groups.len() < 200, "{} groups", groups.len());
            for group in groups {
                let results = |pair: [u64; 2]| {
                    let [a, b] = pair.map(u128::from);
                    (0..64).map(|c| Model::new(&operation).first_result(&[a, b, c])).collect::<Vec<_>>()
                };
                let first = results(group[0]);
                assert!(group.iter().all(|&pair| results(pair) == first), "{group:?}");
            }
        }
    }
}
