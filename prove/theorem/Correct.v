(** The magnitude code that the specification circuit computes is that of Flocq's [round], for every precision, exponent
    range and direction. *)
From Coq Require Import ZArith Reals Lia Lra Bool.
From Flocq Require Import Core Round_odd.
From Binade Require Import Rounding Line.
Open Scope Z_scope.

(** Flocq's roundings of a real number to an integer. *)
Definition rnd (d : direction) : R -> Z :=
  match d with
  | Rne => ZnearestE
  | Rna => ZnearestA
  | Rtz => Ztrunc
  | Rup => Zceil
  | Rdn => Zfloor
  | Rto => Zrnd_odd
  end.

Global Instance valid_rnd d : Valid_rnd (rnd d).
Proof. destruct d; cbn; auto with typeclass_instances. Qed.

(** A number with its sign. *)
Definition signed (negative : bool) (x : R) : R := if negative then (- x)%R else x.
Definition zsigned (negative : bool) (x : Z) : Z := if negative then - x else x.

Lemma zero_parts : forall p g l, 0 < p -> 0 <= g -> 0 <= l ->
  negb (g =? 0) || negb (l =? 0) = negb (p * g + l =? 0).
Proof.
intros p g l Hp Hg Hl; pose proof (Z.mul_nonneg_nonneg p g); pose proof (Z.mul_pos_pos p g).
assert (g = 0 -> p * g = 0) by (intros ->; ring).
destruct (Z.eqb_spec g 0), (Z.eqb_spec l 0), (Z.eqb_spec (p * g + l) 0); cbn; try reflexivity; exfalso; lia.
Qed.

(** What is shifted out: the guard bit and a rest below it, of which only is used whether it is 0. *)
Lemma tail : forall a u k w, 1 <= k <= u -> 0 <= a ->
  a / 2 ^ (u - k) < 2 ^ w ->
  let kept := fst (shifted_right a (u - k) w) in
  let fraction := kept mod 2 ^ k in
  exists low,
    a = kept / 2 ^ k * 2 ^ u + 2 ^ (u - 1) * Z.b2z (Z.testbit fraction (k - 1)) + low /\
    0 <= low < 2 ^ (u - 1) /\
    negb (fraction mod 2 ^ (k - 1) =? 0) || snd (shifted_right a (u - k) w) = negb (low =? 0) /\
    negb (fraction =? 0) || snd (shifted_right a (u - k) w) =
      Z.testbit fraction (k - 1) || negb (low =? 0).
Proof. intros a u k w Hk Ha Hw; unfold shifted_right; cbn [fst snd]. pose proof (two_pos (u - k) ltac:(lia)) as PL.
pose proof (two_pos (k - 1) ltac:(lia)) as PG.
rewrite (Z.mod_small (a / 2 ^ (u - k))) by (split; [apply Z.div_pos; lia | assumption]). set (q := a / 2 ^ (u - k)).
set (L := a mod 2 ^ (u - k)). assert (Ea : a = 2 ^ (u - k) * q + L) by (apply Z.div_mod; lia).
assert (HL : 0 <= L < 2 ^ (u - k)) by (apply Z.mod_pos_bound; lia).
assert (Ek : 2 ^ k = 2 ^ (k - 1) * 2) by (rewrite Z.mul_comm, <- Z.pow_succ_r by lia; f_equal; lia).
set (F := q mod 2 ^ k). assert (Eq : q = 2 ^ k * (q / 2 ^ k) + F) by (apply Z.div_mod; lia).
assert (HF : 0 <= F < 2 ^ k) by (apply Z.mod_pos_bound; lia). set (G := F mod 2 ^ (k - 1)).
assert (EF : F = 2 ^ (k - 1) * Z.b2z (Z.testbit F (k - 1)) + G).
{ rewrite Z.testbit_spec' by lia. rewrite (Z.mod_small (F / _)).
  - apply Z.div_mod; lia.
  - split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]. }
assert (HG : 0 <= G < 2 ^ (k - 1)) by (apply Z.mod_pos_bound; lia).
assert (Eu : 2 ^ u = 2 ^ (u - k) * 2 ^ k) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
assert (Eu1 : 2 ^ (u - 1) = 2 ^ (u - k) * 2 ^ (k - 1)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
exists (2 ^ (u - k) * G + L); repeat split.
- rewrite Eu, Eu1.
  transitivity (2 ^ (u - k) * (2 ^ k * (q / 2 ^ k) + (2 ^ (k - 1) * Z.b2z (Z.testbit F (k - 1)) + G)) + L).
  + rewrite <- EF, <- Eq; exact Ea.
  + ring.
- pose proof (Z.mul_nonneg_nonneg (2 ^ (u - k)) G); lia.
- rewrite Eu1; pose proof (Z.mul_le_mono_nonneg_l G (2 ^ (k - 1) - 1) (2 ^ (u - k))); lia.
- fold G L; apply zero_parts; lia.
- fold L; rewrite <- (zero_parts (2 ^ (u - k)) G L) by lia. destruct (Z.testbit F (k - 1)); unfold Z.b2z in EF.
  + destruct (Z.eqb_spec F 0); [lia | reflexivity].
  + rewrite EF, Z.mul_0_r; reflexivity.
Qed.

(** A positive number [y] with integer part [c], a guard bit and a rest, rounded to an integer. *)
Section Integer.
Variables (c B low : Z) (guard : bool).
Hypothesis HB : 0 < B.
Hypothesis Hlow : 0 <= low < B.
Hypothesis Hc : 0 <= c.
Let a := c * (2 * B) + B * Z.b2z guard + low.
Let y := (IZR a / IZR (2 * B))%R.
Let below := negb (low =? 0).

Lemma floor_y : Zfloor y = c.
Proof. unfold y; rewrite Zfloor_div by lia.
symmetry; apply Z.div_unique with (B * Z.b2z guard + low); unfold a; [left; destruct guard; unfold Z.b2z; lia | ring].
Qed.

Lemma rest_y : (y - IZR c = IZR (B * Z.b2z guard + low) / IZR (2 * B))%R.
Proof. unfold y, a; rewrite <- Z.add_assoc, (plus_IZR (c * (2 * B))), (mult_IZR c). field; apply IZR_neq; lia. Qed.

Lemma integer_y : guard || below = false -> y = IZR c.
Proof. intros H; apply Rminus_diag_uniq; rewrite rest_y. unfold below in H; destruct guard; [discriminate|]; cbn in H.
destruct (Z.eqb_spec low 0) as [->|]; [|discriminate].
unfold Z.b2z; replace (B * 0 + 0) with 0 by ring; apply Rmult_0_l. Qed.

Lemma not_integer_y : guard || below = true -> IZR (Zfloor y) <> y.
Proof. intros H E; rewrite floor_y in E.
assert (R0 : (IZR (B * Z.b2z guard + low) / IZR (2 * B) = 0)%R) by (rewrite <- rest_y; lra).
assert (N : (IZR (2 * B) <> 0)%R) by (apply IZR_neq; lia). assert (Z0 : IZR (B * Z.b2z guard + low) = 0%R).
{ replace (IZR (B * Z.b2z guard + low)) with (IZR (B * Z.b2z guard + low) / IZR (2 * B) * IZR (2 * B))%R
    by (field; exact N).
  rewrite R0; ring. }
apply eq_IZR in Z0. unfold below in H; destruct guard; unfold Z.b2z in *; cbn [orb] in H; [lia|].
destruct (Z.eqb_spec low 0); [discriminate | lia]. Qed.

Lemma ceil_y : Zceil y = c + Z.b2z (guard || below).
Proof. destruct (guard || below) eqn:E; cbn.
- rewrite Zceil_floor_neq by now apply not_integer_y. now rewrite floor_y.
- rewrite (integer_y E), Zceil_IZR; ring.
Qed.

Lemma compare_y : Rcompare (y - IZR (Zfloor y)) (/ 2) =
  if guard then (if below then Gt else Eq) else Lt.
Proof. rewrite floor_y, rest_y. replace (/ 2)%R with (IZR B / IZR (2 * B))%R
by (rewrite mult_IZR; field; apply IZR_neq; lia).
unfold Rdiv; rewrite Rcompare_mult_r by (apply Rinv_0_lt_compat, IZR_lt; lia). rewrite Rcompare_IZR; unfold below.
destruct guard; cbn; destruct (Z.eqb_spec low 0); cbn;
[apply Z.compare_eq_iff | apply Z.compare_gt_iff | apply Z.compare_lt_iff | apply Z.compare_lt_iff]; lia. Qed.

Lemma nearest_y : forall choice,
  Znearest choice y = c + Z.b2z (guard && (below || choice c)).
Proof. intros choice; unfold Znearest; rewrite compare_y, ceil_y, floor_y.
destruct guard, below; cbn; try ring. destruct (choice c); cbn; ring. Qed.

Lemma y_ge_0 : (0 <= y)%R.
Proof. unfold y, Rdiv; apply Rmult_le_pos.
- apply IZR_le; unfold a; destruct guard; unfold Z.b2z; nia.
- left; apply Rinv_0_lt_compat, IZR_lt; lia.
Qed.

(** The code has to have the parity of the integer part where the direction looks at it. *)
Lemma rnd_integer : forall d negative k p,
  Z.testbit (fraction p) (k - 1) = guard ->
  negb (fraction p mod 2 ^ (k - 1) =? 0) || sticky p = below ->
  (d = Rne \/ d = Rto -> Z.odd (code p) = Z.odd c) ->
  rnd d (signed negative y) = zsigned negative (c + Z.b2z (goes_up k p d negative)).
Proof. intros d negative k p Eg Eb Hodd; unfold goes_up. rewrite Eg, Eb, Z.bit0_odd. destruct d; cbn [rnd].
- rewrite Hodd by tauto. destruct negative; cbn [signed zsigned]; rewrite ?Znearest_opp, nearest_y.
  + do 4 f_equal; cbv beta; rewrite Bool.negb_involutive, Z.even_opp, Z.even_add, <- Z.negb_odd; now destruct (Z.odd c).
  + now rewrite Z.negb_even.
- destruct negative; cbn [signed zsigned]; rewrite ?Znearest_opp, nearest_y.
  + replace (0 <=? - (c + 1)) with false by (symmetry; apply Z.leb_gt; lia). now cbn; rewrite orb_true_r, andb_true_r.
  + replace (0 <=? c) with true by (symmetry; apply Z.leb_le; lia). now rewrite orb_true_r, andb_true_r.
- assert (E : Ztrunc y = c) by (rewrite Ztrunc_floor by apply y_ge_0; apply floor_y).
  destruct negative; cbn [signed zsigned Z.b2z]; rewrite ?Ztrunc_opp, E; ring.
- destruct negative; cbn [signed zsigned negb]; rewrite ?andb_false_r, ?andb_true_r.
  + unfold Zceil; rewrite Ropp_involutive, floor_y; cbn; ring.
  + apply ceil_y.
- destruct negative; cbn [signed zsigned]; rewrite ?andb_false_r, ?andb_true_r.
  + rewrite <- ceil_y; unfold Zceil; ring.
  + rewrite floor_y; cbn; ring.
- rewrite Hodd by tauto. destruct (guard || below) eqn:E; cbn [andb].
  + assert (Hf : Zfloor (- y) = - (c + 1)).
    { pose proof ceil_y as H; rewrite E in H; unfold Zceil in H; cbn in H; lia. }
    assert (Hceil : Zceil (- y) = - c) by (unfold Zceil; rewrite Ropp_involutive, floor_y; reflexivity).
    pose proof (not_integer_y E) as N. destruct negative; cbn [signed zsigned]; unfold Zrnd_odd.
    * destruct Req_EM_T as [H|_].
      { exfalso; apply N. rewrite Hf, opp_IZR in H. apply Ropp_eq_compat in H; rewrite !Ropp_involutive in H.
        rewrite H, Zfloor_IZR; reflexivity. }
      rewrite Hf, Hceil, Z.even_opp, Z.even_add, <- Z.negb_odd. destruct (Z.odd c); cbn; ring.
    * destruct Req_EM_T as [H|_]; [now symmetry in H|].
      rewrite floor_y, ceil_y, E, <- Z.negb_odd. destruct (Z.odd c); cbn; ring.
  + rewrite (integer_y E), Z.add_0_r. destruct negative; cbn [signed zsigned]; rewrite <- ?opp_IZR;
    apply (@Zrnd_IZR _ valid_rnd_odd).
Qed.
End Integer.

(** The place of [n * 2 ^ e], with [k] bits of fraction. *)
Section Place.
Variables (f : float) (k n e : Z).
Hypothesis Ht : 0 <= trailing_bits f.
Hypothesis Hk : 1 <= k.
Hypothesis Hn : 0 < n.
Let t := trailing_bits f.
Local Instance valid_fexp_f : Valid_exp (fexp f) := valid_fexp f Ht.
Let bits := n * 2 ^ (t + 1 + k).
Let low := e - (t + 1 + k).
Let top := Z.log2 bits.
Let unit := unit_of f top low.
Let x := (IZR n * pow2 e)%R.

Lemma top_at_least : t + 1 + k <= top.
Proof. unfold top, bits; rewrite Z.log2_mul_pow2 by (unfold t; lia). pose proof (Z.log2_nonneg n); lia. Qed.

Lemma bits_top : 2 ^ top <= bits < 2 ^ (top + 1).
Proof. apply Z.log2_spec; unfold bits; apply Z.mul_pos_pos; [lia | apply two_pos; unfold t; lia]. Qed.

Lemma unit_cases : top - t <= unit /\
  match zero_field f with
  | Subnormal => emin f <= low + unit /\ (unit = top - t \/ low + unit = emin f)
  | Zero => unit = top - t
  end.
Proof. unfold unit, unit_of, emin; fold t. destruct (zero_field f); [case Z.ltb_spec|]; lia. Qed.

Lemma divided : forall j, 0 <= j <= k -> bits / 2 ^ (unit - j) < 2 ^ (t + 1 + j).
Proof. intros j Hj. pose proof unit_cases as [Hu _]; pose proof top_at_least; pose proof bits_top.
apply Z.div_lt_upper_bound; [apply two_pos; unfold t in *; lia|]. rewrite <- Z.pow_add_r by (unfold t in *; lia).
apply Z.lt_le_trans with (2 ^ (top + 1)); [lia|]. apply Z.pow_le_mono_r; unfold t in *; lia. Qed.

Lemma count_full : unit = top - t -> 2 ^ t <= bits / 2 ^ unit.
Proof. intros E; pose proof top_at_least; pose proof bits_top.
apply Z.div_le_lower_bound; [apply two_pos; unfold t in *; lia|]. rewrite <- Z.pow_add_r by (unfold t in *; lia).
rewrite E; replace (top - t + t) with top by ring; lia. Qed.

Lemma x_bits : x = (IZR bits * pow2 low)%R.
Proof. unfold x, bits, low. change 2 with (radix_val radix2) at 1. rewrite mult_IZR, IZR_Zpower by (unfold t; lia).
rewrite Rmult_assoc, <- bpow_plus; do 2 f_equal; ring. Qed.

Lemma mag_x : mag radix2 x = low + top + 1 :> Z.
Proof. pose proof top_at_least; pose proof bits_top. apply mag_unique_pos; rewrite x_bits.
replace (low + top + 1 - 1) with (top + low) by ring. replace (low + top + 1) with (top + 1 + low) by ring.
rewrite 2!(bpow_plus radix2 _ low), <- (IZR_Zpower radix2 top), <- (IZR_Zpower radix2 (top + 1))
  by (unfold t in *; lia).
split; [apply Rmult_le_compat_r | apply Rmult_lt_compat_r];
try apply bpow_ge_0; try apply bpow_gt_0; [apply IZR_le | apply IZR_lt]; apply bits_top. Qed.

Lemma cexp_x : cexp radix2 (fexp f) x = low + unit.
Proof. unfold cexp; rewrite mag_x; pose proof unit_cases as [_ H].
unfold fexp, unit, unit_of, FLT_exp, FLX_exp, emin; fold t. destruct (zero_field f); [case Z.ltb_spec|]; lia. Qed.

Lemma scaled_x : scaled_mantissa radix2 (fexp f) x = (IZR bits / IZR (2 ^ unit))%R.
Proof. unfold scaled_mantissa; rewrite cexp_x, x_bits, Rmult_assoc, <- bpow_plus.
replace (low + - (low + unit)) with (- unit) by ring. pose proof unit_cases as [Hu _]; pose proof top_at_least.
change 2 with (radix_val radix2). rewrite bpow_opp, IZR_Zpower by (unfold t in *; lia); reflexivity. Qed.

Let p := place_of f k n e.
Let q := low + unit - emin f.
Let count := bits / 2 ^ unit.

Lemma count_ge_0 : 0 <= count.
Proof. pose proof unit_cases; pose proof top_at_least; pose proof bits_top.
apply Z.div_pos; [pose proof (two_pos top) | apply two_pos]; unfold t in *; lia. Qed.

Lemma place_is : exists rest,
  bits = count * (2 * 2 ^ (unit - 1)) + 2 ^ (unit - 1) * Z.b2z (Z.testbit (fraction p) (k - 1)) + rest /\
  0 <= rest < 2 ^ (unit - 1) /\
  negb (fraction p mod 2 ^ (k - 1) =? 0) || sticky p = negb (rest =? 0) /\
  is_inexact p = Z.testbit (fraction p) (k - 1) || negb (rest =? 0) /\
  code p = q * 2 ^ t + count.
Proof. pose proof unit_cases as [Hu _]; pose proof top_at_least; pose proof bits_top.
assert (Hk' : 1 <= k <= unit) by lia. assert (Hb : 0 <= bits) by (pose proof (two_pos top); lia).
assert (Hw : bits / 2 ^ (unit - k) < 2 ^ (t + 1 + k)) by (apply divided; unfold t in *; lia).
destruct (tail bits unit k (t + 1 + k) Hk' Hb Hw) as (rest & E & R1 & R2 & R3). exists rest.
assert (Ec : fst (shifted_right bits (unit - k) (t + 1 + k)) / 2 ^ k = count).
{ unfold shifted_right; cbn [fst]; rewrite Z.mod_small.
  - rewrite Z.div_div by (try apply Z.pow_nonzero; try apply two_pos; lia).
    rewrite <- Z.pow_add_r by lia. unfold count; do 2 f_equal; ring.
  - split; [apply Z.div_pos; [lia | apply two_pos; lia] | exact Hw]. }
rewrite Ec in E. replace (2 * 2 ^ (unit - 1)) with (2 ^ unit) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
unfold is_inexact, p, place_of; fold t bits; fold low; fold top; fold unit.
destruct (shifted_right bits (unit - k) (t + 1 + k)) as [kept s]; cbn [fst snd code fraction sticky] in *.
repeat split; trivial; try lia. rewrite Ec; unfold origin_of, q, emin; fold t; ring. Qed.

Lemma parity : 1 <= t -> Z.odd (code p) = Z.odd count.
Proof. intros H; destruct place_is as (_ & _ & _ & _ & _ & ->).
rewrite Z.odd_add, Z.odd_mul, Z.odd_pow by lia. cbn; now rewrite andb_false_r, xorb_false_l. Qed.

Lemma value_stepped : forall up, value f (code p + Z.b2z up) = (IZR (count + Z.b2z up) * pow2 (low + unit))%R.
Proof. intros up; destruct place_is as (_ & _ & _ & _ & _ & ->).
pose proof unit_cases as [Hu Hc]; pose proof top_at_least. pose proof count_ge_0 as H0.
rewrite <- Z.add_assoc, value_at; fold t; trivial.
- do 2 f_equal; unfold q; ring.
- destruct (zero_field f).
  + destruct Hc as [_ [E|E]].
    * right. pose proof (count_full E) as G; fold count in G. destruct up; unfold Z.b2z; lia.
    * left. repeat split; unfold q; destruct up; unfold Z.b2z; lia.
  + right. pose proof (count_full Hc) as G; fold count in G. destruct up; unfold Z.b2z; lia.
- pose proof (divided 0 ltac:(unfold t in *; lia)) as D.
  rewrite Z.sub_0_r, Z.add_0_r in D; fold count in D. destruct up; unfold Z.b2z; lia.
- intros E; rewrite E in Hc. unfold q; lia.
Qed.

(** The main theorem. *)
Theorem magnitude_code_is_round : forall d negative,
  (d = Rne \/ d = Rto -> 1 <= trailing_bits f) ->
  signed negative (value f (magnitude_code f k d negative n e)) =
  round radix2 (fexp f) (rnd d) (signed negative (IZR n * pow2 e)).
Proof. intros d negative Hd; fold x. unfold magnitude_code; fold p; unfold stepped; rewrite value_stepped.
destruct place_is as (rest & E & R1 & R2 & _ & _). pose proof unit_cases as [Hu _]; pose proof top_at_least as Htop.
assert (HB : 0 < 2 ^ (unit - 1)) by (apply two_pos; unfold t in *; lia).
assert (Ec : cexp radix2 (fexp f) (signed negative x) = low + unit).
{ destruct negative; cbn; rewrite ?cexp_opp; apply cexp_x. }
assert (Es : scaled_mantissa radix2 (fexp f) (signed negative x) =
  signed negative (IZR bits / IZR (2 * 2 ^ (unit - 1)))).
{ replace (2 * 2 ^ (unit - 1)) with (2 ^ unit) by (rewrite <- Z.pow_succ_r by (unfold t in *; lia); f_equal; lia).
  destruct negative; cbn; rewrite ?scaled_mantissa_opp, scaled_x; reflexivity. }
pose proof count_ge_0 as H0. unfold round, F2R; cbn [Fnum Fexp]; rewrite Ec, Es, E.
rewrite (rnd_integer count (2 ^ (unit - 1)) rest _ HB R1 H0 d negative k p eq_refl R2).
- destruct negative; cbn [signed zsigned]; rewrite ?opp_IZR; ring.
- intros H; apply parity; auto.
Qed.

Lemma magnitude_code_ge_0 : forall d negative, zero_field f = Subnormal -> 0 <= magnitude_code f k d negative n e.
Proof. intros d negative E; unfold magnitude_code, stepped; fold p. destruct place_is as (_ & _ & _ & _ & _ & ->).
pose proof unit_cases as [Hu Hc]; rewrite E in Hc; pose proof top_at_least; pose proof bits_top.
pose proof (two_pos t Ht); pose proof count_ge_0; pose proof (Z.mul_nonneg_nonneg q (2 ^ t)).
destruct goes_up; unfold q, Z.b2z in *; lia. Qed.

(** The result is inexact if it is not the number itself. *)
Theorem is_inexact_iff : forall d negative,
  is_inexact p = true <->
  round radix2 (fexp f) (rnd d) (signed negative x) <> signed negative x.
Proof. intros d negative. destruct place_is as (rest & E & R1 & _ & R3 & _).
assert (HB : 0 < 2 ^ (unit - 1)) by (apply two_pos; pose proof unit_cases; pose proof top_at_least; unfold t in *; lia).
assert (Es : scaled_mantissa radix2 (fexp f) x = (IZR bits / IZR (2 * 2 ^ (unit - 1)))%R).
{ rewrite scaled_x; do 2 f_equal; rewrite <- Z.pow_succ_r; pose proof unit_cases; pose proof top_at_least;
  [f_equal; lia | unfold t in *; lia]. }
assert (G : generic_format radix2 (fexp f) x <-> is_inexact p = false).
{ rewrite R3; split; intros H.
  - destruct (Z.testbit (fraction p) (k - 1) || negb (rest =? 0)) eqn:N; [|reflexivity].
    apply scaled_mantissa_generic in H; rewrite Es, E in H. destruct (not_integer_y count _ rest _ HB R1 N).
    rewrite H at 1; rewrite Zfloor_IZR; symmetry; exact H.
  - pose proof (integer_y count _ rest _ HB R1 H) as Y; rewrite <- E, <- Es in Y; clear H; rename Y into H.
    unfold generic_format; rewrite H, Ztrunc_IZR; unfold F2R; cbn; rewrite <- H.
    symmetry; apply scaled_mantissa_mult_bpow. }
assert (S : generic_format radix2 (fexp f) (signed negative x) <-> generic_format radix2 (fexp f) x).
{ destruct negative; cbn; [split; intros H|tauto].
  - apply generic_format_opp in H; now rewrite Ropp_involutive in H.
  - now apply generic_format_opp. }
split.
- intros I R; rewrite <- R in S at 1.
  assert (F : is_inexact p = false) by (apply G, S, generic_format_round; typeclasses eauto). congruence.
- intros R; destruct (is_inexact p) eqn:I; trivial.
  destruct R; apply round_generic; [typeclasses eauto | apply S, G; reflexivity].
Qed.
End Place.

Lemma abs_signed : forall negative x, (0 <= x)%R -> Rabs (signed negative x) = x.
Proof. intros [] x H; cbn; rewrite ?Rabs_Ropp; now apply Rabs_pos_eq. Qed.

Lemma on_line : forall f k n e d negative, 0 <= trailing_bits f -> 1 <= k -> 0 < n ->
  is_on_line f (magnitude_code f k d negative n e).
Proof. intros; unfold is_on_line; now apply magnitude_code_ge_0. Qed.

(** The magnitude code is beyond a code [M] if the rounded magnitude is at least the next value. *)
Theorem overflow_iff : forall f k n e d negative M, 0 <= trailing_bits f -> 1 <= k -> 0 < n ->
  (d = Rne \/ d = Rto -> 1 <= trailing_bits f) -> is_on_line f (M + 1) ->
  M < magnitude_code f k d negative n e <->
  (value f (M + 1) <= Rabs (round radix2 (fexp f) (rnd d) (signed negative (IZR n * pow2 e))))%R.
Proof. intros f k n e d negative M Ht Hk Hn Hd HM. pose proof (on_line f k n e d negative Ht Hk Hn) as L.
rewrite <- (magnitude_code_is_round f k n e), abs_signed by (trivial; apply value_ge_0; trivial).
pose proof (value_lt_iff f _ _ Ht L HM) as V. split; intros H.
- apply Rnot_lt_le; intros C; apply V in C; lia.
- destruct (Z.lt_ge_cases M (magnitude_code f k d negative n e)) as [|G]; trivial.
  assert (C : magnitude_code f k d negative n e < M + 1) by lia. apply V in C; lra.
Qed.

(** With a precision of 1, ties to even and round to odd look at the code, and Flocq at the significand, which is always
    1: of 3, between 2 (code 4) and 4 (code 5), the code rounds to 2 and Flocq to 4. *)
Theorem precision_1_differs :
  value (ieee 3 0) (magnitude_code (ieee 3 0) 1 Rne false 3 0) = 2%R /\
  round radix2 (fexp (ieee 3 0)) ZnearestE 3 = 4%R.
Proof. set (f := ieee 3 0); split.
- change (magnitude_code f 1 Rne false 3 0) with 4.
  unfold value, ordinary; cbn [f ieee zero_field trailing_bits]; change (4 <? 2 ^ 0) with false.
  change (emin _ + _ - 1) with 1; change (2 ^ 0 + _) with 1; change (pow2 1) with 2%R; cbv iota; ring.
- replace 3%R with (IZR 3 * pow2 0)%R by (change (pow2 0) with 1%R; ring).
  unfold round; rewrite (cexp_x f 1 3 0), (scaled_x f 1 3 0) by (cbn; lia).
  match goal with |- F2R (Float radix2 (ZnearestE (IZR ?a / IZR ?b)) ?c) = _ =>
    change a with (1 * (2 * 4) + 4 * Z.b2z true + 0); change b with (2 * 4) end.
  rewrite nearest_y by lia; unfold F2R; cbn [Fnum Fexp].
  match goal with |- (IZR ?z * _)%R = _ => change z with 2 end; change (pow2 _) with 2%R; ring.
Qed.
