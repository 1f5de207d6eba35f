(** Both ends of the line of codes: the code of the result, and its flags. *)
From Coq Require Import ZArith Reals Lia Lra Bool.
From Flocq Require Import Core Round_odd.
From Binade Require Import Rounding Line Correct.
Open Scope Z_scope.

(** With subnormals, the values of the codes are the numbers of Flocq's format that are not negative. *)
Theorem line_is_format : forall f x, 0 <= trailing_bits f -> zero_field f = Subnormal -> (0 <= x)%R ->
  (generic_format radix2 (fexp f) x <-> exists c, 0 <= c /\ x = value f c).
Proof. intros f x Ht Z0 Hx; pose proof (valid_fexp f Ht) as Hv; split.
- intros G; destruct Hx as [Hx| <-].
  + set (m := Ztrunc (scaled_mantissa radix2 (fexp f) x)); set (e := cexp radix2 (fexp f) x).
    assert (E : x = (IZR m * pow2 e)%R) by exact G.
    assert (Hm : 0 < m) by (apply lt_IZR, Rmult_lt_reg_r with (pow2 e); [apply bpow_gt_0 | rewrite Rmult_0_l; lra]).
    exists (magnitude_code f 1 Rtz false m e); split; [apply magnitude_code_ge_0; trivial; lia|].
    pose proof (magnitude_code_is_round f 1 m e Ht ltac:(lia) Hm Rtz false ltac:(intros []; discriminate)) as V.
    cbn [signed] in V; rewrite V, <- E; symmetry; now apply round_generic; [apply valid_rnd|].
  + exists 0; split; [lia|]; unfold value; rewrite Z0, Zlt_bool_true by (now apply two_pos); ring.
- intros (c & Hc & E); rewrite E; clear E Hx x; revert c Hc; apply natlike_ind.
  + unfold value; rewrite Z0, Zlt_bool_true, Rmult_0_l by (now apply two_pos); apply generic_format_0.
  + intros c Hc G; unfold Z.succ; rewrite value_next by (trivial; intros _; exact Hc). now apply generic_format_succ.
Qed.

(** A code of a format with signs: its sign, its magnitude code, and the number that it stands for. Without subnormals,
    magnitudes below the smallest normal number are zero. *)
Definition sign_of f code : bool := 2 ^ (exponent_bits f + trailing_bits f) <=? code.
Definition magnitude_of f code : Z := code mod 2 ^ (exponent_bits f + trailing_bits f).
Definition flushed f (x : R) : R :=
  match zero_field f with
  | Subnormal => x
  | Zero => if Rlt_bool (Rabs x) (pow2 (1 - bias f)) then 0%R else x
  end.
Definition real_of f code : R := signed (sign_of f code) (flushed f (value f (magnitude_of f code))).
(** The largest code, and that of infinity after it, are codes of the format. *)
Definition is_format f :=
  0 <= exponent_bits f /\ 0 <= trailing_bits f /\
  2 ^ trailing_bits f <= max_code f + 1 < 2 ^ (exponent_bits f + trailing_bits f).

Lemma split_code : forall f negative c, is_format f -> 0 <= c <= max_code f + 1 ->
  sign_of f (with_sign f negative c) = negative /\ magnitude_of f (with_sign f negative c) = c.
Proof. intros f negative c (Hw & Ht & HM) Hc; unfold sign_of, magnitude_of, with_sign.
set (P := 2 ^ (exponent_bits f + trailing_bits f)) in *; split.
- destruct negative; unfold Z.b2z; [apply Z.leb_le | apply Z.leb_gt]; lia.
- rewrite Z.add_comm, Z.mod_add by lia; apply Z.mod_small; lia.
Qed.

Lemma joined_code : forall f code, is_format f -> 0 <= code < 2 ^ (exponent_bits f + trailing_bits f + 1) ->
  code = with_sign f (sign_of f code) (magnitude_of f code).
Proof. intros f code (Hw & Ht & HM); rewrite two_double by lia; unfold sign_of, magnitude_of, with_sign.
set (P := 2 ^ (exponent_bits f + trailing_bits f)) in *; intros Hc; case Z.leb_spec; intros L; unfold Z.b2z.
- replace code with (code - P + 1 * P) at 2 by ring; rewrite Z.mod_add, Z.mod_small by lia; ring.
- rewrite Z.mod_small by lia; ring.
Qed.

(** A result is tiny if it is below the smallest normal number, with an unbounded exponent range. *)
Theorem is_tiny_iff : forall f tiny n e d negative, 0 <= trailing_bits f -> 0 < n ->
  (d = Rne \/ d = Rto -> 1 <= trailing_bits f) ->
  let x := signed negative (IZR n * pow2 e) in
  is_tiny f tiny d negative n e = true <->
  (Rabs match tiny with
        | After => round radix2 (FLX_exp (trailing_bits f + 1)) (rnd d) x
        | Before => x
        end < pow2 (1 - bias f))%R.
Proof. intros f tiny n e d negative Ht Hn Hd x. assert (Hk : 1 <= fraction_bits) by (unfold fraction_bits; lia).
assert (T : forall d, (d = Rne \/ d = Rto -> 1 <= trailing_bits f) ->
magnitude_code (unbounded f) fraction_bits d negative n e < 2 ^ trailing_bits f <->
(Rabs (round radix2 (FLX_exp (trailing_bits f + 1)) (rnd d) x) < pow2 (1 - bias f))%R).
{ intros d' Hd'.
  pose proof (overflow_iff (unbounded f) fraction_bits n e d' negative (2 ^ trailing_bits f - 1) Ht Hk Hn Hd') as O.
  replace (2 ^ trailing_bits f - 1 + 1) with (2 ^ trailing_bits (unbounded f)) in O by (cbn; ring).
  rewrite value_normal in O by assumption.
  specialize (O ltac:(discriminate)). cbn [fexp zero_field unbounded trailing_bits bias] in O; fold x in O.
  split; intros H.
  - apply Rnot_le_lt; intros C; apply O in C; lia.
  - destruct (Z.lt_ge_cases (magnitude_code (unbounded f) fraction_bits d' negative n e) (2 ^ trailing_bits f)) as [|G];
    trivial. assert (C : 2 ^ trailing_bits f - 1 < magnitude_code (unbounded f) fraction_bits d' negative n e) by lia.
    apply O in C; lra. }
unfold is_tiny; rewrite Z.ltb_lt; destruct tiny; [now apply T|].
change (stepped _ false) with (magnitude_code (unbounded f) fraction_bits Rtz negative n e).
rewrite T by (intros []; discriminate). pose proof (valid_fexp (unbounded f) Ht) as Hv; cbn in Hv.
assert (G : generic_format radix2 (FLX_exp (trailing_bits f + 1)) (pow2 (1 - bias f)))
by (apply generic_format_bpow; unfold FLX_exp; lia). cbn [rnd]; rewrite <- round_ZR_abs by assumption.
split; intros H.
- apply Rnot_le_lt; intros C. apply (round_ge_generic radix2 _ Ztrunc _ _ G) in C; lra.
- apply Rle_lt_trans with (2 := H). rewrite round_ZR_DN by apply Rabs_pos. now apply round_DN_pt.
Qed.

(** The result and its flags, with IEEE 754's rules for overflow (section 7.4), underflow (7.5) and inexact (7.6). *)
Theorem float_code_is_round : forall f tiny d negative n e, is_format f -> 0 < n ->
  (d = Rne \/ d = Rto -> 1 <= trailing_bits f) ->
  let x := signed negative (IZR n * pow2 e) in
  let y := round radix2 (fexp f) (rnd d) x in
  let r := float_code f tiny d negative n e in
  0 <= result r < 2 ^ (exponent_bits f + trailing_bits f + 1) /\ sign_of f (result r) = negative /\
  (overflow r = true <-> (value f (max_code f + 1) <= Rabs y)%R) /\
  (overflow r = false -> real_of f (result r) = flushed f y) /\
  (overflow r = true -> magnitude_of f (result r) =
     if is_inward d negative (Z.odd (max_code f)) then max_code f else max_code f + 1) /\
  (inexact r = true <-> overflow r = true \/ real_of f (result r) <> x) /\
  (underflow r = true <-> inexact r = true /\
     (Rabs match tiny with
           | After => round radix2 (FLX_exp (trailing_bits f + 1)) (rnd d) x
           | Before => x
           end < pow2 (1 - bias f))%R).
Proof. intros f tiny d negative n e F Hn Hd x y r. pose proof F as (Hw & Ht & HM); pose proof (two_pos _ Ht) as P.
assert (Hk : 1 <= fraction_bits) by (unfold fraction_bits; lia).
pose proof (on_line f fraction_bits n e d negative Ht Hk Hn) as L.
pose proof (magnitude_code_is_round f fraction_bits n e Ht Hk Hn d negative Hd) as V; fold x y in V.
assert (LM : is_on_line f (max_code f + 1)) by (unfold is_on_line; lia).
pose proof (overflow_iff f fraction_bits n e d negative (max_code f) Ht Hk Hn Hd LM) as O; fold x y in O.
pose proof (is_inexact_iff f fraction_bits n e Ht Hk Hn d negative) as I; fold x y in I.
pose proof (is_tiny_iff f tiny n e d negative Ht Hn Hd) as T; cbv zeta in T; fold x in T.
assert (X : (0 < IZR n * pow2 e)%R) by (apply Rmult_lt_0_compat; [now apply IZR_lt | apply bpow_gt_0]).
assert (X0 : x <> 0%R) by (unfold x; destruct negative; cbn; lra).
set (c := magnitude_code f fraction_bits d negative n e) in *.
set (beyond := if is_inward d negative (Z.odd (max_code f)) then max_code f else max_code f + 1).
assert (Hr : r = float_code f tiny d negative n e) by reflexivity; clearbody r.
unfold float_code in Hr; change (stepped _ _) with c in Hr; fold beyond in Hr.
assert (HB : 0 <= beyond <= max_code f + 1) by (unfold beyond; destruct is_inward; lia).
assert (Ay : Rabs y = value f c) by (rewrite <- V; apply abs_signed, value_ge_0; assumption).
assert (N : is_on_line f (2 ^ trailing_bits f)) by (unfold is_on_line; lia).
assert (Fl : forall m, is_on_line f m -> flushed f (signed negative (value f m)) =
if match zero_field f with Zero => m <? 2 ^ trailing_bits f | Subnormal => false end then 0%R
else signed negative (value f m)).
{ intros m Lm; unfold flushed; rewrite abs_signed by now apply value_ge_0. rewrite <- (value_normal f Ht).
  destruct (zero_field f); trivial. destruct (Z.ltb_spec m (2 ^ trailing_bits f)) as [H|H].
  - rewrite Rlt_bool_true; trivial. now apply value_lt.
  - rewrite Rlt_bool_false; trivial. apply Rnot_lt_le; intros C; apply value_lt_iff in C; trivial; lia. }
assert (Fs : forall m, 0 <= m <= max_code f + 1 ->
real_of f (with_sign f negative m) = flushed f (signed negative (value f m))).
{ intros m Hm; destruct (split_code f negative m F Hm) as [S1 S2].
  unfold real_of; rewrite S1, S2; unfold flushed; destruct negative, (zero_field f); cbn [signed]; trivial.
  rewrite Rabs_Ropp; destruct Rlt_bool; trivial; apply Ropp_0. }
set (lost := match zero_field f with Zero => c <? 2 ^ trailing_bits f | Subnormal => false end) in *.
assert (Lost : lost = true -> c < 2 ^ trailing_bits f /\ zero_field f = Zero).
{ unfold lost; destruct (zero_field f); [discriminate|]; rewrite Z.ltb_lt; tauto. }
assert (Kept : lost = false -> 0 <= c).
{ unfold lost; unfold is_on_line in L; destruct (zero_field f); [intros _; now apply L|]; rewrite Z.ltb_ge; lia. }
assert (Fy : flushed f y = if lost then 0%R else y) by (rewrite <- V; apply Fl; assumption).
assert (U : underflow r = true <-> inexact r = true /\ (Rabs match tiny with
| After => round radix2 (FLX_exp (trailing_bits f + 1)) (rnd d) x | Before => x end < pow2 (1 - bias f))%R).
{ rewrite <- T, Hr; cbn [underflow inexact]; rewrite andb_true_iff; tauto. }
assert (R : exists m, result r = with_sign f negative m /\ 0 <= m <= max_code f + 1 /\
(overflow r = false -> m = if lost then 0 else c) /\ (overflow r = true -> m = beyond)).
{ rewrite Hr; cbn [result overflow]; eexists; split; [reflexivity|].
  destruct (Z.ltb_spec c (max_code f + 1)) as [C|C]; cbn [negb].
  - assert (E : forall b : Z, (if lost || (c =? 0) then 0 else
    if c <? 0 then 0 else c mod 2 ^ (exponent_bits f + trailing_bits f)) = if lost then 0 else c).
    { intros _; destruct lost; trivial; cbn [orb]; specialize (Kept eq_refl).
      destruct (Z.eqb_spec c 0); [congruence|]. destruct (Z.ltb_spec c 0); [lia|]. apply Z.mod_small; lia. }
    rewrite E by exact 0. split; [|split; [reflexivity | discriminate]].
    destruct lost; [lia | specialize (Kept eq_refl); lia].
  - destruct lost; [destruct (Lost eq_refl); lia|]. cbn [orb]; destruct (Z.eqb_spec c 0); [lia|].
    split; [exact HB | split; [discriminate | reflexivity]]. }
destruct R as (m & -> & Hm & M1 & M2). destruct (split_code f negative m F Hm) as [S1 S2].
assert (Ov : overflow r = true <-> max_code f < c).
{ rewrite Hr; cbn [overflow]; rewrite negb_true_iff, Z.ltb_ge; lia. }
assert (Re : overflow r = false -> real_of f (with_sign f negative m) = flushed f y).
{ intros H; rewrite (M1 H), Fs by (rewrite <- (M1 H); exact Hm). rewrite Fy; destruct lost eqn:E.
  - destruct (Lost eq_refl) as [_ Z0]. rewrite Fl by (unfold is_on_line; lia).
    rewrite Z0; destruct (Z.ltb_spec 0 (2 ^ trailing_bits f)); [reflexivity | lia].
  - rewrite Fl by assumption; fold lost. rewrite E; exact V. }
split; [unfold with_sign; rewrite two_double by lia; destruct negative; unfold Z.b2z; lia|].
split; [exact S1|]. split; [now rewrite Ov|]. split; [exact Re|]. split; [now rewrite S2|]. split; [|exact U].
assert (In : inexact r = is_inexact (place_of f fraction_bits n e) || overflow r || lost) by (rewrite Hr; reflexivity).
rewrite In; destruct (overflow r); [rewrite orb_true_r; tauto|]. rewrite orb_false_r, (Re eq_refl), Fy. destruct lost.
- rewrite orb_true_r; split; [right; congruence | trivial].
- rewrite orb_false_r; split; [intros H; right; now apply I in H | intros [H|H]; [discriminate | now apply I in H]].
Qed.

Lemma is_format_ieee : forall w t, 0 < w -> 0 <= t -> is_format (ieee w t).
Proof. intros w t Hw Ht; unfold is_format; cbn [exponent_bits trailing_bits max_code ieee].
pose proof (two_pos t Ht); assert (2 ^ w = 2 * 2 ^ (w - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
pose proof (two_pos (w - 1) ltac:(lia)); rewrite Z.pow_add_r by lia; nia. Qed.

