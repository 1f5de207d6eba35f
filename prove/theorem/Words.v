(** The words of the circuit are wide enough: with every sum in the width that it has in the circuit, the rounding is
    the one on integers. The exponent's word has to have the width that [He] and [Hsize] below ask for, which
    case/mod.rs, [exponent_bits], is to provide. *)
From Coq Require Import ZArith Lia Bool.
From Binade Require Import Rounding.
Open Scope Z_scope.

(** The number that the lowest [width] bits stand for in two's complement. *)
Definition word_of (width z : Z) : Z := (z + 2 ^ (width - 1)) mod 2 ^ width - 2 ^ (width - 1).

(** float.rs, [place], [magnitude], [unit] and [origin]; [exponent] is a word of [exponent_width] bits. *)
Definition word_width (f : float) (exponent_width : Z) : Z := Z.max exponent_width (trailing_bits f + 8) + 2.

Definition place_in_words (f : float) (exponent_width fractions significand exponent : Z) : place :=
  let t := trailing_bits f in
  let kept := t + 1 + fractions in
  let bits := significand * 2 ^ kept in
  let low := word_of exponent_width (exponent - kept) in
  let word := word_of (word_width f exponent_width) in
  let top := word (Z.log2 bits) in
  let full := word (top - t) in
  let unit :=
    match zero_field f with
    | Subnormal =>
        let least := word (word (1 - bias f - t) - low) in
        if full <? least then least else full
    | Zero => full
    end in
  let places := word (unit - fractions) mod 2 ^ word_width f exponent_width in
  let (kept, sticky) := shifted_right bits places kept in
  let fraction := kept mod 2 ^ fractions in
  let count := kept / 2 ^ fractions in
  let field := word (word (low + bias f) + unit) in
  let origin := word (field + (t - 1)) * 2 ^ t in
  {| code := word_of (word_width f exponent_width + t) (origin + count); fraction := fraction; sticky := sticky |}.

Definition magnitude_code_in_words f exponent_width fractions d negative n e : Z :=
  let p := place_in_words f exponent_width fractions n e in
  word_of (word_width f exponent_width + trailing_bits f) (stepped (code p) (goes_up fractions p d negative)).

Lemma word_of_small : forall width z, 0 < width -> - 2 ^ (width - 1) <= z < 2 ^ (width - 1) -> word_of width z = z.
Proof. intros width z Hw Hz; unfold word_of.
assert (2 ^ width = 2 * 2 ^ (width - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia). rewrite Z.mod_small; lia.
Qed.

Section Words.
Variables (f : float) (E N k n e : Z).
Let t := trailing_bits f.
Hypothesis Ht : 0 <= t.
Hypothesis Hk : 1 <= k.
Hypothesis HE : 0 < E.
(** The significand has [N] bits, and the exponent [E], also when the zeros are put below the significand. *)
Hypothesis Hn : 0 < n < 2 ^ N.
Hypothesis He : - 2 ^ (E - 1) <= e - (t + 1 + k) < 2 ^ (E - 1).
Hypothesis Hsize : N + 2 * t + k + 4 + Z.abs (bias f) <= 2 ^ E.

Lemma place_is_in_words : place_in_words f E k n e = place_of f k n e /\
  - 2 ^ (word_width f E + t - 1) <= code (place_of f k n e) < 2 ^ (word_width f E + t - 1) - 1.
Proof.
assert (HN : 0 <= N) by (destruct (Z.lt_ge_cases N 0) as [H|]; trivial; rewrite Z.pow_neg_r in Hn by assumption; lia).
set (W := word_width f E). assert (HW : E + 2 <= W /\ t + 10 <= W) by (unfold W, word_width; fold t; lia).
assert (E2 : 2 ^ E = 2 * 2 ^ (E - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
assert (W2 : 4 * 2 ^ (E - 1) <= 2 ^ (W - 1)).
{ change 4 with (2 ^ 2); rewrite <- Z.pow_add_r by lia; apply Z.pow_le_mono_r; lia. }
assert (Wt : 2 ^ (W + t - 1) = 2 ^ (W - 1) * 2 ^ t) by (rewrite <- Z.pow_add_r by lia; f_equal; ring).
assert (P : 0 < 2 ^ t) by (apply Z.pow_pos_nonneg; lia).
assert (WW : 2 ^ W = 2 * 2 ^ (W - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
assert (I : forall z, - 2 ^ (W - 1) <= z < 2 ^ (W - 1) -> word_of W z = z) by (intros; apply word_of_small; lia).
unfold place_in_words, place_of; fold t W. set (bits := n * 2 ^ (t + 1 + k)).
assert (T : t + 1 + k <= Z.log2 bits < N + (t + 1 + k)).
{ unfold bits; rewrite Z.log2_mul_pow2 by lia; pose proof (Z.log2_nonneg n).
  assert (Z.log2 n < N) by (apply Z.log2_lt_pow2; lia). lia. }
rewrite (word_of_small E) by (assumption || exact He). rewrite (I (Z.log2 bits)) by lia.
set (low := e - (t + 1 + k)) in *; set (top := Z.log2 bits) in *.
rewrite (I (top - t)), (I (1 - bias f - t)), (I (1 - bias f - t - low)), (I (low + bias f)) by lia.
set (unit := unit_of f top low).
replace (match zero_field f with Subnormal => _ | Zero => _ end) with unit by reflexivity.
assert (U : top - t <= unit /\ unit <= Z.max (top - t) (1 - bias f - t - low)).
{ unfold unit, unit_of; fold t; destruct (zero_field f); [case Z.ltb_spec|]; lia. }
rewrite (I (unit - k)), (I (low + bias f + unit)), (I (low + bias f + unit + (t - 1))), Z.mod_small by lia.
unfold shifted_right, origin_of; fold t; cbn [code]. set (kept := (bits / 2 ^ (unit - k)) mod 2 ^ (t + 1 + k)).
assert (C : 0 <= kept / 2 ^ k < 2 * 2 ^ t).
{ assert (K : 0 <= kept < 2 ^ (t + 1 + k)) by (apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia).
  rewrite !Z.pow_add_r in K by lia. assert (0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
  split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]. }
set (F := low + bias f + unit + (t - 1)). assert (F1 : - 2 ^ (W - 1) <= F <= 2 ^ (W - 1) - 3) by (unfold F; lia).
destruct F1 as [F1 F2].
apply (Z.mul_le_mono_nonneg_r _ _ (2 ^ t)) in F1; [|lia]; apply (Z.mul_le_mono_nonneg_r _ _ (2 ^ t)) in F2; [|lia].
rewrite Z.mul_sub_distr_r, <- Wt in F2; rewrite Z.mul_opp_l, <- Wt in F1.
rewrite word_of_small by lia; split; [reflexivity | lia]. Qed.

Theorem magnitude_code_is_in_words : forall d negative,
  magnitude_code_in_words f E k d negative n e = magnitude_code f k d negative n e.
Proof. intros d negative; unfold magnitude_code_in_words, magnitude_code; fold t.
destruct place_is_in_words as [-> B]; apply word_of_small; [unfold word_width; fold t; lia|].
unfold stepped; destruct goes_up; unfold Z.b2z; lia. Qed.
End Words.
