//! `sgnj`: the code of `a` with another sign.

use binade_circuit::{Bits, concat};

/// `a` with the sign that `op` says: that of `b`, its opposite, or minus where one of both has it.
pub fn sgnj<'c>([a, b, op]: [Bits<'c>; 3]) -> Bits<'c> {
    a.circuit().section("Sign");
    let (multiplies, negates) = (op.bit(1).named("multiplies"), op.bit(0).named("negates"));
    let changed = multiplies.select(a.msb(), negates);
    concat(&[(b.msb() ^ changed).named("sign"), a.low(a.width() - 1)])
}
