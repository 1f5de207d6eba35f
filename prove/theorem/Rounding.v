(** The rounding of the specification circuit, on integers.

    Each definition transcribes a function of prove/src/rounding/ and names it. A word is the integer that it stands
    for; Words.v shows that the words of the circuit are wide enough for that. Transcribed is the rounding to floats
    with or without subnormals: here in the six directions that are not random, in Stochastic.v in the others.

    Not transcribed: [Mptorch], supernormals ([binades_below], [binades_above]),
    [FieldZero::Binade] and [FieldZero::NoZero], unsigned formats, posits, fixed point and codebooks. *)
From Coq Require Import ZArith Bool.
Open Scope Z_scope.

(** binade_spec::Rounding, as far as it is transcribed. [Rnu] is [Rna]. *)
Inductive direction := Rne | Rna | Rtz | Rup | Rdn | Rto.

(** binade_spec::FieldZero: subnormals, or none and an exponent range that has no lower end. *)
Inductive field_zero := Subnormal | Zero.

(** binade_spec::Tininess. *)
Inductive tininess := After | Before.

(** binade_spec::Float. The largest magnitude code is a field here, since it is derived from the codes of NaN and
    infinity. *)
Record float := {
  exponent_bits : Z;
  trailing_bits : Z;
  bias : Z;
  zero_field : field_zero;
  max_code : Z
}.

(** Float::ieee: the code after the largest is that of infinity. *)
Definition ieee (exponent_bits trailing_bits : Z) : float :=
  {| exponent_bits := exponent_bits;
     trailing_bits := trailing_bits;
     bias := Z.max (2 ^ (exponent_bits - 1) - 1) 1;
     zero_field := Subnormal;
     max_code := (2 ^ exponent_bits - 1) * 2 ^ trailing_bits - 1 |}.

(** mod.rs, [Place]: a place on the line of magnitude codes. *)
Record place := { code : Z; fraction : Z; sticky : bool }.

(** words.rs, [shifted_right]: a word shifted right, in [width] bits, and whether a 1 was shifted out. *)
Definition shifted_right (word places width : Z) : Z * bool :=
  ((word / 2 ^ places) mod 2 ^ width, negb (word mod 2 ^ places =? 0)).

(** float.rs, [unit]: the position, in the significand, of the place in which codes count by one. [top] is the position
    of the highest 1, and [low] the exponent of position 0. *)
Definition unit_of (f : float) (top low : Z) : Z :=
  let full := top - trailing_bits f in
  match zero_field f with
  | Subnormal =>
      let least := 1 - bias f - trailing_bits f - low in
      if full <? least then least else full
  | Zero => full
  end.

(** float.rs, [origin]: the code that 0 would have if the step size extended down to it. *)
Definition origin_of (f : float) (field : Z) : Z :=
  (field + (trailing_bits f - 1)) * 2 ^ trailing_bits f.

(** float.rs, [place] and [magnitude]: where [significand * 2 ^ exponent] lies, with [fractions] bits of fraction. *)
Definition place_of (f : float) (fractions significand exponent : Z) : place :=
  let kept := trailing_bits f + 1 + fractions in
  let bits := significand * 2 ^ kept in
  let low := exponent - kept in
  let top := Z.log2 bits in
  let unit := unit_of f top low in
  let (kept, sticky) := shifted_right bits (unit - fractions) kept in
  let fraction := kept mod 2 ^ fractions in
  let count := kept / 2 ^ fractions in
  let field := low + bias f + unit in
  {| code := origin_of f field + count; fraction := fraction; sticky := sticky |}.

(** mod.rs, [is_inexact]. *)
Definition is_inexact (p : place) : bool := negb (fraction p =? 0) || sticky p.

(** mod.rs, [goes_up]: whether a magnitude is rounded up to the next code. *)
Definition goes_up (fractions : Z) (p : place) (d : direction) (negative : bool) : bool :=
  let guard := Z.testbit (fraction p) (fractions - 1) in
  let below := negb (fraction p mod 2 ^ (fractions - 1) =? 0) || sticky p in
  let inexact := guard || below in
  let odd := Z.testbit (code p) 0 in
  match d with
  | Rne => guard && (below || odd)
  | Rna => guard
  | Rtz => false
  | Rup => inexact && negb negative
  | Rdn => inexact && negative
  | Rto => inexact && negb odd
  end.

(** mod.rs, [stepped]. *)
Definition stepped (code : Z) (up : bool) : Z := code + Z.b2z up.

(** float.rs, first lines of [code]: the magnitude code, before a look at the ends of the line. *)
Definition magnitude_code (f : float) (fractions : Z) (d : direction) (negative : bool) (n e : Z) : Z :=
  let p := place_of f fractions n e in stepped (code p) (goes_up fractions p d negative).

(** mod.rs, [fraction_bits]: Rounding::tail_bits of a direction that is not random. *)
Definition fraction_bits : Z := 1.

(** mod.rs, [is_inward], with Rounding::facets. *)
Definition is_inward (d : direction) (negative inner_is_odd : bool) : bool :=
  match d with
  | Rne | Rna => false
  | Rtz => true
  | Rup => negative
  | Rdn => negb negative
  | Rto => inner_is_odd
  end.

(** float.rs, [is_tiny]: the same rounding with an unbounded exponent range, compared with the smallest normal code. *)
Definition unbounded (f : float) : float :=
  {| exponent_bits := exponent_bits f; trailing_bits := trailing_bits f; bias := bias f; zero_field := Zero;
     max_code := max_code f |}.

Definition is_tiny (f : float) (tiny : tininess) (d : direction) (negative : bool) (n e : Z) : bool :=
  let p := place_of (unbounded f) fraction_bits n e in
  let up := match tiny with After => goes_up fraction_bits p d negative | Before => false end in
  stepped (code p) up <? 2 ^ trailing_bits f.

(** float.rs, [with_sign], of a signed format. *)
Definition with_sign (f : float) (negative : bool) (magnitude : Z) : Z :=
  Z.b2z negative * 2 ^ (exponent_bits f + trailing_bits f) + magnitude.

(** mod.rs, [Rounded], without [invalid], which is 0 here. *)
Record rounded := { result : Z; overflow : bool; underflow : bool; inexact : bool }.

(** float.rs, [code], with [overflow_code] and [infinite_code] for a format in which the code after the largest is
    infinity, and Overflow::Inf. *)
Definition float_code (f : float) (tiny : tininess) (d : direction) (negative : bool) (n e : Z) : rounded :=
  let p := place_of f fraction_bits n e in
  let up := goes_up fraction_bits p d negative in
  let code := stepped (code p) up in
  let overflow := negb (code <? max_code f + 1) in
  let is_flushed := match zero_field f with Zero => code <? 2 ^ trailing_bits f | Subnormal => false end in
  let is_zero := is_flushed || (code =? 0) in
  let ordinary := if code <? 0 then 0 else code mod 2 ^ (exponent_bits f + trailing_bits f) in
  let beyond := if is_inward d negative (Z.odd (max_code f)) then max_code f else max_code f + 1 in
  let magnitude := if is_zero then 0 else if overflow then beyond else ordinary in
  let inexact := is_inexact p || overflow || is_flushed in
  {| result := with_sign f negative magnitude; overflow := overflow;
     underflow := is_tiny f tiny d negative n e && inexact; inexact := inexact |}.
