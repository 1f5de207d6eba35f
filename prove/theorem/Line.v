(** The line of magnitude codes of a float: the value of each code, and that the next code is the next value. *)
From Coq Require Import ZArith Reals Lia Lra Bool.
From Flocq Require Import Core.
From Binade Require Import Rounding.
Open Scope Z_scope.

Notation pow2 := (bpow radix2).

(** The exponent of the smallest subnormal number. *)
Definition emin f := 1 - bias f - trailing_bits f.

(** The value of magnitude code [field * 2 ^ t + m], with [t] trailing bits: [(1 + m / 2 ^ t) * 2 ^ (field - bias)];
    with subnormals [m * 2 ^ emin] if the field is 0. Without them the line of codes has no lower end. *)
Definition ordinary f c : R :=
  (IZR (2 ^ trailing_bits f + c mod 2 ^ trailing_bits f) * pow2 (emin f + c / 2 ^ trailing_bits f - 1))%R.
Definition value (f : float) (c : Z) : R :=
  match zero_field f with
  | Subnormal => if c <? 2 ^ trailing_bits f then (IZR c * pow2 (emin f))%R else ordinary f c
  | Zero => ordinary f c
  end.

(** Flocq's format: of precision [t + 1], with or without a smallest exponent. *)
Definition fexp f : Z -> Z :=
  match zero_field f with
  | Subnormal => FLT_exp (emin f) (trailing_bits f + 1)
  | Zero => FLX_exp (trailing_bits f + 1)
  end.

Lemma two_pos : forall t, 0 <= t -> 0 < 2 ^ t.
Proof. intros; apply Z.pow_pos_nonneg; lia. Qed.

Lemma two_double : forall t, 0 <= t -> 2 ^ (t + 1) = 2 * 2 ^ t.
Proof. intros; rewrite Z.pow_add_r by lia; lia. Qed.

Lemma ordinary_at : forall f q n, 0 <= trailing_bits f ->
  2 ^ trailing_bits f <= n <= 2 ^ (trailing_bits f + 1) ->
  ordinary f (q * 2 ^ trailing_bits f + n) = (IZR n * pow2 (emin f + q))%R.
Proof. intros f q n Ht Hn; unfold ordinary. pose proof (two_pos _ Ht) as P; rewrite two_double in Hn by lia.
set (T := 2 ^ trailing_bits f) in *. destruct (Z.eq_dec n (2 * T)) as [->|N].
- replace (q * T + 2 * T) with ((q + 2) * T) by ring. rewrite Z.mod_mul, Z.div_mul by lia.
  replace (emin f + (q + 2) - 1) with (emin f + q + 1) by ring.
  rewrite (bpow_plus radix2 _ 1), Z.add_0_r, mult_IZR; change (pow2 1) with 2%R; ring.
- replace (q * T + n) with ((n - T) + (q + 1) * T) by ring. rewrite Z.mod_add, Z.div_add by lia.
  rewrite Z.mod_small, Z.div_small by lia. f_equal; [f_equal; ring | f_equal; ring].
Qed.

(** [n] units of [2 ^ (emin + q)], also where [n] units are the first value of the next binade. *)
Lemma value_at : forall f q n, 0 <= trailing_bits f ->
  (0 <= n /\ zero_field f = Subnormal /\ q = 0 \/ 2 ^ trailing_bits f <= n) ->
  n <= 2 ^ (trailing_bits f + 1) ->
  (zero_field f = Subnormal -> 0 <= q) ->
  value f (q * 2 ^ trailing_bits f + n) = (IZR n * pow2 (emin f + q))%R.
Proof. intros f q n Ht H1 H2 H3; unfold value. pose proof (two_pos _ Ht) as P. destruct (zero_field f) eqn:Z0.
- specialize (H3 eq_refl). case Z.ltb_spec; intros L.
  + assert (q = 0) by nia. subst q. rewrite Z.add_0_r. f_equal; f_equal; ring.
  + apply ordinary_at; trivial. destruct H1 as [(A & _ & ->)|A]; lia.
- destruct H1 as [(_ & A & _)|A]; [discriminate|]. now apply ordinary_at.
Qed.

Lemma valid_fexp f : 0 <= trailing_bits f -> Valid_exp (fexp f).
Proof.
intros H; unfold fexp; destruct (zero_field f); [apply FLT_exp_valid | apply FLX_exp_valid]; unfold Prec_gt_0; lia.
Qed.

(** The codes of the line; with subnormals it begins at 0. *)
Definition is_on_line f c := zero_field f = Subnormal -> 0 <= c.

Lemma parts_of_code : forall f c, 0 <= trailing_bits f -> is_on_line f c -> exists q n,
  c = q * 2 ^ trailing_bits f + n /\ n < 2 ^ (trailing_bits f + 1) /\ (zero_field f = Subnormal -> 0 <= q) /\
  (0 <= n /\ zero_field f = Subnormal /\ q = 0 \/ 2 ^ trailing_bits f <= n).
Proof. intros f c Ht Hc; unfold is_on_line in Hc; pose proof (two_pos _ Ht) as P; rewrite two_double by lia.
set (T := 2 ^ trailing_bits f) in *. pose proof (Z.div_mod c T ltac:(lia)); pose proof (Z.mod_pos_bound c T P).
destruct (zero_field f) eqn:E; [destruct (Z.ltb_spec c T)|].
- specialize (Hc eq_refl); exists 0, c; split; [ring|]; split; [lia|]; split; [lia|]; left; repeat split; lia.
- exists (c / T - 1), (c mod T + T); pose proof (Z.div_le_lower_bound c T 1 P).
  split; [lia|]; split; [lia|]; split; [lia|]; right; lia.
- exists (c / T - 1), (c mod T + T); split; [lia|]; split; [lia|]; split; [discriminate|]; right; lia.
Qed.

(** A code and the next one differ by one unit. *)
Lemma values_at_code : forall f c, 0 <= trailing_bits f -> is_on_line f c -> exists q n,
  value f c = (IZR n * pow2 (emin f + q))%R /\ value f (c + 1) = (IZR (n + 1) * pow2 (emin f + q))%R /\
  0 <= n < 2 ^ (trailing_bits f + 1) /\ (zero_field f = Subnormal -> 0 <= q) /\
  (zero_field f = Subnormal /\ q = 0 \/ 2 ^ trailing_bits f <= n).
Proof. intros f c Ht Hc; pose proof (two_pos _ Ht) as P.
destruct (parts_of_code f c Ht Hc) as (q & n & -> & N & Q & C); exists q, n.
assert (C' : 0 <= n + 1 /\ zero_field f = Subnormal /\ q = 0 \/ 2 ^ trailing_bits f <= n + 1)
by (destruct C as [(C1 & C2 & C3)|C]; [left; repeat split; trivial; lia | right; lia]).
rewrite <- Z.add_assoc, !value_at by (assumption || lia). repeat split; trivial; try lia; tauto. Qed.

(** The next code is that of the next number of the format. *)
Theorem value_next : forall f c, 0 <= trailing_bits f -> is_on_line f c ->
  value f (c + 1) = succ radix2 (fexp f) (value f c).
Proof. intros f c Ht Hc; pose proof (valid_fexp f Ht) as Hv; pose proof (two_pos _ Ht) as P.
destruct (values_at_code f c Ht Hc) as (q & n & -> & -> & [N0 N] & Q & C).
assert (X0 : (0 <= IZR n * pow2 (emin f + q))%R) by (apply Rmult_le_pos; [now apply IZR_le | apply bpow_ge_0]).
rewrite succ_eq_pos by assumption.
replace (ulp radix2 (fexp f) (IZR n * pow2 (emin f + q))) with (pow2 (emin f + q)); [rewrite plus_IZR; ring|].
destruct (Z.eq_dec n 0) as [->|Nn].
- destruct C as [(E & ->)|]; [|lia]. rewrite Rmult_0_l, Z.add_0_r; unfold fexp; rewrite E.
  assert (Prec_gt_0 (trailing_bits f + 1)) by (unfold Prec_gt_0; lia). now rewrite ulp_FLT_0.
- assert (X1 : (0 < IZR n * pow2 (emin f + q))%R) by (apply Rmult_lt_0_compat; [apply IZR_lt; lia | apply bpow_gt_0]).
  rewrite ulp_neq_0 by lra; unfold cexp; f_equal. destruct (Z.ltb_spec n (2 ^ trailing_bits f)) as [L|L].
  + destruct C as [(E & ->)|]; [|lia].
    assert (M : mag radix2 (IZR n * pow2 (emin f + 0)) <= trailing_bits f + emin f).
    { apply mag_le_bpow; [lra|]. rewrite Rabs_pos_eq by assumption.
      rewrite Z.add_0_r, bpow_plus, <- (IZR_Zpower radix2 (trailing_bits f)) by assumption.
      apply Rmult_lt_compat_r; [apply bpow_gt_0 | now apply IZR_lt]. }
    unfold fexp; rewrite E; unfold FLT_exp; lia.
  + assert (M : mag radix2 (IZR n * pow2 (emin f + q)) = trailing_bits f + 1 + (emin f + q) :> Z).
    { apply mag_unique_pos.
      replace (trailing_bits f + 1 + (emin f + q) - 1) with (trailing_bits f + (emin f + q)) by ring.
      rewrite 2!(bpow_plus radix2 _ (emin f + q)), <- (IZR_Zpower radix2 (trailing_bits f + 1)) by lia.
      rewrite <- (IZR_Zpower radix2 (trailing_bits f)) by lia.
      split; [apply Rmult_le_compat_r; [apply bpow_ge_0 | now apply IZR_le]
      | apply Rmult_lt_compat_r; [apply bpow_gt_0 | now apply IZR_lt]]. }
    unfold fexp; destruct (zero_field f); [specialize (Q eq_refl)|]; unfold FLT_exp, FLX_exp; rewrite M; lia.
Qed.

Lemma value_ge_0 : forall f c, 0 <= trailing_bits f -> is_on_line f c -> (0 <= value f c)%R.
Proof. intros f c Ht Hc; pose proof (two_pos _ Ht) as P.
destruct (values_at_code f c Ht Hc) as (q & n & -> & _ & N & _).
apply Rmult_le_pos; [apply IZR_le; lia | apply bpow_ge_0]. Qed.

Lemma value_lt_next : forall f c, 0 <= trailing_bits f -> is_on_line f c -> (value f c < value f (c + 1))%R.
Proof. intros f c Ht Hc; pose proof (two_pos _ Ht) as P. destruct (values_at_code f c Ht Hc) as (q & n & -> & -> & _).
apply Rmult_lt_compat_r; [apply bpow_gt_0 | apply IZR_lt; lia]. Qed.

(** Greater codes are greater numbers. *)
Theorem value_lt : forall f c c', 0 <= trailing_bits f -> is_on_line f c ->
  c < c' -> (value f c < value f c')%R.
Proof. intros f c c' Ht Hc H. assert (G : forall d, 0 <= d -> (value f c < value f (c + 1 + d))%R).
{ apply natlike_ind.
  - rewrite Z.add_0_r; now apply value_lt_next.
  - intros d Hd IH; apply Rlt_trans with (1 := IH). replace (c + 1 + Z.succ d) with (c + 1 + d + 1) by ring.
    apply value_lt_next; trivial. unfold is_on_line in *; intros E; specialize (Hc E); lia. }
specialize (G (c' - c - 1) ltac:(lia)); now replace (c + 1 + (c' - c - 1)) with c' in G by ring. Qed.

Lemma value_lt_iff : forall f c c', 0 <= trailing_bits f -> is_on_line f c -> is_on_line f c' ->
  ((value f c < value f c')%R <-> c < c').
Proof. intros f c c' Ht H H'; split; [|now apply value_lt].
intros L; destruct (Z.lt_trichotomy c c') as [|[->|G]]; trivial; exfalso.
- lra.
- apply (value_lt f _ _ Ht H') in G; lra.
Qed.

(** The smallest normal number. *)
Lemma value_normal : forall f, 0 <= trailing_bits f -> value f (2 ^ trailing_bits f) = pow2 (1 - bias f).
Proof. intros f Ht; pose proof (two_pos _ Ht); pose proof (two_double _ Ht).
replace (2 ^ trailing_bits f) with (0 * 2 ^ trailing_bits f + 2 ^ trailing_bits f) by ring.
rewrite value_at by lia. change 2 with (radix_val radix2); rewrite IZR_Zpower, <- bpow_plus by lia.
f_equal; unfold emin; ring. Qed.

(** In a format of IEEE 754, the first value beyond the largest finite one is a power of two. *)
Theorem value_beyond_ieee : forall w t, 0 < w -> 0 <= t ->
  value (ieee w t) (max_code (ieee w t) + 1) = pow2 (2 ^ w - 1 - bias (ieee w t)).
Proof. intros w t Hw Ht; pose proof (two_pos t Ht); pose proof (two_double t Ht).
assert (2 ^ w = 2 * 2 ^ (w - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
pose proof (two_pos (w - 1) ltac:(lia)).
replace (max_code _ + 1) with ((2 ^ w - 2) * 2 ^ trailing_bits (ieee w t) + 2 ^ t)
  by (cbn [max_code trailing_bits ieee]; ring).
rewrite value_at by (cbn [trailing_bits ieee]; lia).
change 2 with (radix_val radix2) at 1; rewrite IZR_Zpower, <- bpow_plus by lia.
f_equal; unfold emin; cbn [trailing_bits ieee]; ring. Qed.

