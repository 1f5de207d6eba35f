(** Stochastic rounding: the exact number, rounded to the precision of the random bits, plus these, and rounded toward
    zero. *)
From Coq Require Import ZArith Reals Lia Lra Bool.
From Flocq Require Import Core.
From Binade Require Import Rounding Line Correct.
Open Scope Z_scope.

(** binade_spec::Rounding, the stochastic directions, with [bits] random bits. *)
Inductive stochastic := Sr | Srb | Src.

(** Rounding::tail_bits. *)
Definition tail_bits (s : stochastic) (bits : Z) : Z := match s with Sr => bits | Srb | Src => bits + 1 end.

(** mod.rs, [goes_up] and [with_random]: the carry out of the sum of the fraction and the random bits. *)
Definition goes_up_randomly (s : stochastic) (bits : Z) (p : place) (random : Z) : bool :=
  let half := Z.testbit (fraction p) 0 in
  match s with
  | Sr => 2 ^ bits <=? fraction p + random
  | Srb => 2 ^ bits <=? fraction p / 2 + Z.b2z half + random
  | Src => 2 ^ bits <=? fraction p / 2 + Z.b2z (half && (sticky p || Z.testbit (fraction p) 1)) + random
  end.

(** How the number is rounded to a multiple of [2 ^ -bits] first. *)
Definition first_rnd (s : stochastic) : R -> Z := match s with Sr => Zfloor | Srb => ZnearestA | Src => ZnearestE end.

Definition rnd_randomly (s : stochastic) (bits random : Z) (y : R) : Z :=
  zsigned (Rlt_bool y 0) ((first_rnd s (Rabs y * pow2 bits) + random) / 2 ^ bits).

Lemma carry : forall c z b, 0 <= b -> 0 <= z < 2 * 2 ^ b -> (c * 2 ^ b + z) / 2 ^ b = c + Z.b2z (2 ^ b <=? z).
Proof. intros c z b Hb Hz; rewrite Z.add_comm, Z.div_add, Z.add_comm by (pose proof (two_pos b Hb); lia); f_equal.
case Z.leb_spec; intros L; unfold Z.b2z.
- symmetry; apply Z.div_unique with (z - 2 ^ b); lia.
- apply Z.div_small; lia.
Qed.

Theorem stochastic_is_round : forall f s b random negative n e, 0 <= trailing_bits f -> 1 <= b ->
  0 <= random < 2 ^ b -> 0 < n ->
  let p := place_of f (tail_bits s b) n e in
  signed negative (value f (stepped (code p) (goes_up_randomly s b p random))) =
  round radix2 (fexp f) (rnd_randomly s b random) (signed negative (IZR n * pow2 e)).
Proof. intros f s b random negative n e Ht Hb Hr Hn p.
set (k := tail_bits s b) in *; assert (Hk : 1 <= k /\ b <= k) by (unfold k; destruct s; cbn; lia).
destruct Hk as [Hk Hbk]. unfold stepped; unfold p at 1; rewrite (value_stepped f k n e Ht Hk Hn).
pose proof (cexp_x f k n e Ht Hk Hn) as C; pose proof (scaled_x f k n e Ht Hk Hn) as S.
pose proof (unit_cases f k n e) as [U _]; pose proof (top_at_least f k n e Ht Hk Hn) as T.
pose proof (divided f k n e Ht Hk Hn k ltac:(lia)) as D; pose proof (bits_top f k n e Ht Hk Hn) as B.
pose proof (count_ge_0 f k n e Ht Hk Hn) as H0. set (a := n * 2 ^ (trailing_bits f + 1 + k)) in *.
set (low := e - (trailing_bits f + 1 + k)) in *; set (top := Z.log2 a) in *; set (u := unit_of f top low) in *.
set (x := (IZR n * pow2 e)%R) in *; set (c := a / 2 ^ u) in *; set (t := trailing_bits f) in *.
assert (P : (0 < IZR a / IZR (2 ^ u))%R).
{ apply Rdiv_lt_0_compat; apply IZR_lt; [pose proof (two_pos top); lia | apply two_pos; lia]. }
assert (F : fraction p = (a / 2 ^ (u - k)) mod 2 ^ k).
{ change (fraction p) with (((a / 2 ^ (u - k)) mod 2 ^ (t + 1 + k)) mod 2 ^ k). f_equal; apply Z.mod_small.
  split; [apply Z.div_pos; [pose proof (two_pos top); lia | apply two_pos; lia] | exact D]. }
assert (K : a / 2 ^ (u - k) / 2 ^ k = c).
{ rewrite Z.div_div by (try apply Z.pow_nonzero; try apply two_pos; lia).
  rewrite <- Z.pow_add_r by lia; unfold c; do 2 f_equal; ring. }
assert (K2 : a / 2 ^ (u - k) = c * 2 ^ k + fraction p).
{ rewrite F, <- K; rewrite Z.mul_comm; apply Z.div_mod; apply Z.pow_nonzero; lia. }
assert (Fb : 0 <= fraction p < 2 ^ k) by (rewrite F; apply Z.mod_pos_bound, two_pos; lia).
assert (Y : (IZR a / IZR (2 ^ u) * pow2 b = IZR a / IZR (2 ^ (u - b)))%R).
{ change 2 with (radix_val radix2); rewrite (IZR_Zpower radix2 u), (IZR_Zpower radix2 (u - b)) by lia.
  replace (bpow radix2 u) with (pow2 (u - b) * pow2 b)%R by (rewrite <- bpow_plus; f_equal; ring).
  field; split; apply Rgt_not_eq, bpow_gt_0. }
assert (F2 : fraction p = 2 * (fraction p / 2) + Z.b2z (Z.testbit (fraction p) 0)).
{ rewrite Z.bit0_odd, <- Z.div2_div; apply Z.div2_odd. }
assert (Od : Z.testbit (fraction p) 1 = Z.odd (fraction p / 2)).
{ rewrite <- Z.div2_div, <- Z.bit0_odd, Z.div2_spec, Z.shiftr_spec by lia; reflexivity. }
assert (A : s <> Sr -> (IZR a / IZR (2 ^ (u - b)) = IZR ((c * 2 ^ b + fraction p / 2) * (2 * 2 ^ (u - k)) +
2 ^ (u - k) * Z.b2z (Z.testbit (fraction p) 0) + a mod 2 ^ (u - k)) / IZR (2 * 2 ^ (u - k)))%R).
{ intros Hs; assert (E : k = b + 1) by (unfold k; destruct s; trivial; now destruct Hs).
  replace (2 ^ (u - b)) with (2 * 2 ^ (u - k)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
  do 2 f_equal; rewrite (Z.div_mod a (2 ^ (u - k))) at 1 by (apply Z.pow_nonzero; lia).
  rewrite K2, E, (two_double b) by lia; rewrite F2 at 1; ring. }
assert (Hh : s <> Sr -> 0 <= fraction p / 2 < 2 ^ b).
{ intros Hs; assert (E : k = b + 1) by (unfold k; destruct s; trivial; now destruct Hs).
  rewrite E, (two_double b) in Fb by lia; destruct (Z.testbit (fraction p) 0); cbn [Z.b2z] in F2; lia. }
assert (Cb : 0 <= c * 2 ^ b) by (apply Z.mul_nonneg_nonneg; [exact H0 | apply Z.lt_le_incl, two_pos; lia]).
assert (Bb : 0 < 2 ^ (u - k)) by (apply two_pos; lia).
assert (Mb : 0 <= a mod 2 ^ (u - k) < 2 ^ (u - k)) by (now apply Z.mod_pos_bound).
assert (M : (first_rnd s (IZR a / IZR (2 ^ u) * pow2 b) + random) / 2 ^ b = c + Z.b2z (goes_up_randomly s b p random)).
{ rewrite Y; destruct s; cbn [first_rnd goes_up_randomly k tail_bits] in *.
  - rewrite Zfloor_div by (apply Z.pow_nonzero; lia). change k with b in K2; rewrite K2, <- Z.add_assoc.
    apply carry; [lia | change k with b in Fb; lia].
  - specialize (Hh ltac:(discriminate)); rewrite A, nearest_y by (discriminate || lia).
    replace (0 <=? c * 2 ^ b + fraction p / 2) with true by (symmetry; apply Z.leb_le; lia).
    rewrite orb_true_r, andb_true_r, <- !Z.add_assoc.
    apply carry; [lia | destruct (Z.testbit (fraction p) 0); unfold Z.b2z; lia].
  - specialize (Hh ltac:(discriminate)); rewrite A, nearest_y by (discriminate || lia).
    rewrite Z.negb_even, Z.odd_add, Z.odd_mul, Z.odd_pow, andb_false_r, xorb_false_l by lia.
    change (sticky p) with (negb (a mod 2 ^ (u - k) =? 0)); rewrite Od, <- !Z.add_assoc.
    apply carry; [lia | match goal with |- context [Z.b2z ?x] => destruct x; unfold Z.b2z; lia end]. }
unfold round, F2R; cbn [Fnum Fexp].
assert (Sy : scaled_mantissa radix2 (fexp f) (signed negative x) = signed negative (IZR a / IZR (2 ^ u))).
{ destruct negative; cbn [signed]; rewrite ?scaled_mantissa_opp, S; reflexivity. }
assert (Cy : cexp radix2 (fexp f) (signed negative x) = low + u).
{ destruct negative; cbn [signed]; rewrite ?cexp_opp; exact C. }
rewrite Sy, Cy; unfold rnd_randomly; rewrite abs_signed, M by (apply Rlt_le; exact P).
destruct negative; cbn [signed]; [rewrite Rlt_bool_true by lra | rewrite Rlt_bool_false by lra]; cbn [zsigned];
rewrite ?opp_IZR; ring. Qed.
