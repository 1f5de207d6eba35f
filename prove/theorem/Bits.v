(** For the formats of IEEE 754, the code is that of Flocq's binary floating-point number. *)
From Coq Require Import ZArith Reals Lia Lra Bool.
From Flocq Require Import Core Round_odd BinarySingleNaN Binary Bits.
From Binade Require Import Rounding Line Correct Ends.
Open Scope Z_scope.

(** The five directions of IEEE 754. *)
Definition direction_of (m : mode) : direction :=
  match m with mode_NE => Rne | mode_NA => Rna | mode_ZR => Rtz | mode_UP => Rup | mode_DN => Rdn end.

Section Bits.
Variables w t : Z.
Hypothesis Hw : 0 < w.
Hypothesis Ht : 0 < t.
Let f := ieee w t.
Let prec := t + 1.
Let emax := 2 ^ (w - 1).
(** Flocq does not define formats with fewer exponents. *)
Hypothesis Hmax : prec < emax.
Hypothesis Hprec : Prec_gt_0 prec.

Lemma two_emax : 2 ^ w = 2 * emax.
Proof. unfold emax; rewrite <- Z.pow_succ_r by lia; f_equal; lia. Qed.

Lemma bias_is : bias f = emax - 1.
Proof. unfold prec in Hmax; cbn; fold emax; lia. Qed.

Lemma emin_is : emin f = SpecFloat.emin prec emax.
Proof. unfold emin, SpecFloat.emin, prec; rewrite bias_is; change (trailing_bits f) with t; ring. Qed.

Lemma fexp_is : fexp f = SpecFloat.fexp prec emax.
Proof. change (SpecFloat.fexp prec emax) with (FLT_exp (SpecFloat.emin prec emax) prec); now rewrite <- emin_is. Qed.

Lemma first_beyond : value f (max_code f + 1) = bpow radix2 emax.
Proof. unfold f; rewrite value_beyond_ieee by lia; f_equal; rewrite two_emax; fold f; rewrite bias_is; ring. Qed.

Lemma join_is : forall s m q, join_bits t w s m q = with_sign f s (q * 2 ^ t + m).
Proof.
intros s m q; unfold join_bits, with_sign; rewrite Z.shiftl_mul_pow2 by lia; cbn [exponent_bits trailing_bits f ieee].
rewrite Z.pow_add_r by lia; destruct s; unfold Z.b2z; ring. Qed.

(** The code of Flocq's number, as a place on the line. *)
Lemma bits_of_finite : forall b : binary_float prec emax, is_finite prec emax b = true -> exists c,
  bits_of_binary_float t w b = with_sign f (Bsign prec emax b) c /\ 0 <= c <= max_code f /\
  Rabs (B2R prec emax b) = value f c.
Proof. pose proof two_emax as E2; pose proof (two_pos t ltac:(lia)) as P; pose proof (two_double t ltac:(lia)) as P2.
intros [s|s|s pl H|s m e H] Hf; try discriminate; cbn [Bsign B2R bits_of_binary_float].
- exists 0; rewrite join_is, Rabs_R0; pose proof (is_format_ieee w t Hw ltac:(lia)) as (_ & _ & M).
  cbn [trailing_bits f ieee] in M; fold f in M; split; [f_equal|]; split; [lia|].
  unfold value; cbn [zero_field f ieee]; rewrite Zlt_bool_true by assumption; ring.
- clear Hf; pose proof H as H0; apply andb_prop in H0; destruct H0 as [H1 H2]; apply Zle_bool_imp_le in H2.
  unfold SpecFloat.canonical_mantissa in H1; apply Zeq_bool_eq in H1; rewrite Zpos_digits2_pos in H1.
  unfold SpecFloat.fexp in H1; pose proof (Zdigits_correct radix2 (Zpos m)) as D; cbn [Z.abs] in D.
  pose proof (Zdigits_gt_0 radix2 (Zpos m) ltac:(discriminate)) as D0.
  set (D1 := Zdigits radix2 (Zpos m)) in *; rewrite <- emin_is in *. assert (Lt : Zpos m < 2 ^ (t + 1)).
  { apply Z.lt_le_trans with (1 := proj2 D); apply (Zpower_le radix2); unfold prec in *; lia. }
  assert (Ge : e = emin f \/ 2 ^ t <= Zpos m).
  { destruct (Z.eq_dec e (emin f)); [now left | right].
    apply Z.le_trans with (2 := proj1 D); apply (Zpower_le radix2); unfold prec in *; lia. }
  assert (Em : emax - prec - emin f = 2 ^ w - 3) by (rewrite emin_is, E2; unfold SpecFloat.emin; ring).
  exists ((e - emin f) * 2 ^ t + Zpos m); split; [|split].
  + change (SpecFloat.emin (t + 1) (2 ^ (w - 1))) with (SpecFloat.emin prec emax); rewrite <- emin_is.
    case Zle_bool_spec; intros L; rewrite join_is; f_equal; [ring|]. destruct Ge as [->|]; [ring | lia].
  + change (max_code f) with ((2 ^ w - 1) * 2 ^ t - 1). rewrite P2 in Lt.
    assert (Q : 0 <= e - emin f <= 2 ^ w - 3) by lia; destruct Q as [Q1 Q2].
    apply (Z.mul_le_mono_nonneg_r _ _ (2 ^ t)) in Q1; [|lia]; apply (Z.mul_le_mono_nonneg_r _ _ (2 ^ t)) in Q2; lia.
  + rewrite <- F2R_Zabs, abs_cond_Zopp; change t with (trailing_bits f) at 1.
    rewrite value_at; cbn [trailing_bits zero_field f ieee]; try lia.
    * unfold F2R; cbn [Fnum Fexp Z.abs]; do 2 f_equal. fold f; ring.
    * destruct Ge as [->|]; [left; repeat split; trivial; lia | now right].
Qed.

(** A number of the format has one code with a given sign. *)
Lemma code_unique : forall s c c', 0 <= c -> 0 <= c' -> value f c = value f c' -> with_sign f s c = with_sign f s c'.
Proof. intros s c c' Hc Hc' E; f_equal. assert (T : 0 <= trailing_bits f) by (cbn; lia).
destruct (Z.lt_trichotomy c c') as [L|[L|L]]; trivial; apply (value_lt f) in L;
  trivial; try (intros _; assumption); lra.
Qed.

(** The code is that of Flocq's [binary_normalize], bit by bit: the exact number, rounded to the format. *)
Theorem float_code_is_bits_of_binary_float : forall tiny m negative n e szero, 0 < n ->
  result (float_code f tiny (direction_of m) negative n e) =
  bits_of_binary_float t w (binary_normalize prec emax Hprec Hmax m (if negative then - n else n) e szero).
Proof. intros tiny m negative n e szero Hn. set (n' := if negative then - n else n).
set (b := binary_normalize prec emax Hprec Hmax m n' e szero).
destruct (float_code_is_round f tiny (direction_of m) negative n e) as (Rg & Sg & Ov & Re & Be & _);
  [apply is_format_ieee; lia | assumption | cbn; lia|]. rewrite fexp_is in *; rewrite first_beyond in Ov.
pose proof (binary_normalize_correct prec emax Hprec Hmax m n' e szero) as C; fold b in C.
assert (X : F2R (Float radix2 n' e) = signed negative (IZR n * bpow radix2 e)).
{ unfold F2R, n'; destruct negative; cbn [Fnum Fexp signed]; rewrite ?opp_IZR; ring. }
assert (Rm : round_mode m = rnd (direction_of m)) by now destruct m. rewrite X, Rm in C; clearbody b.
set (y := round _ _ _ _) in *; set (r := float_code _ _ _ _ _ _) in *.
assert (P : (0 < IZR n * bpow radix2 e)%R) by (apply Rmult_lt_0_compat; [now apply IZR_lt | apply bpow_gt_0]).
rewrite (joined_code f (result r) (is_format_ieee w t Hw ltac:(lia)) Rg), Sg.
assert (M0 : 0 <= magnitude_of f (result r)) by (apply Z.mod_pos_bound, two_pos; cbn; lia).
revert C; case Rlt_bool_spec; intros H C.
- destruct C as (C1 & C2 & C3). assert (Hs : Bsign prec emax b = negative).
  { rewrite C3; destruct negative; cbn [signed]; [rewrite Rcompare_Lt | rewrite Rcompare_Gt]; trivial; lra. }
  destruct (bits_of_finite b C2) as (c & -> & Hc & E); rewrite Hs. apply code_unique; [exact M0 | lia|].
  assert (O : overflow r = false).
  { destruct (overflow r); [apply proj1 in Ov; specialize (Ov eq_refl); lra | trivial]. }
  specialize (Re O); unfold real_of, flushed in Re; cbn [zero_field f ieee] in Re; fold f in Re.
  rewrite <- E, C1, <- Re, Sg; symmetry; apply abs_signed, value_ge_0; [cbn; lia | intros _; exact M0].
- assert (O : overflow r = true) by now apply Ov. specialize (Be O); rewrite Be.
  assert (Hs : Rlt_bool (signed negative (IZR n * bpow radix2 e)) 0 = negative).
  { destruct negative; cbn [signed]; [apply Rlt_bool_true | apply Rlt_bool_false]; lra. }
  rewrite Hs in C; unfold binary_overflow, BinarySingleNaN.binary_overflow in C.
  assert (I : is_inward (direction_of m) negative (Z.odd (max_code f)) = negb (overflow_to_inf m negative))
  by (destruct m, negative; reflexivity).
  pose proof (two_pos t ltac:(lia)) as T; pose proof two_emax as E2; pose proof (two_double t ltac:(lia)) as T2.
  rewrite I; destruct (overflow_to_inf m negative); cbn [negb SF2FF] in *;
  destruct b as [s|s|s pl Hp|s p q Hq]; try discriminate C; cbn [bits_of_binary_float].
  + injection C as ->. rewrite join_is; f_equal. change (max_code f) with ((2 ^ w - 1) * 2 ^ t - 1); ring.
  + injection C as -> Hm Hq'. rewrite Hm, Hq', Z2Pos.id by (unfold prec; lia).
    change (SpecFloat.emin (t + 1) (2 ^ (w - 1))) with (SpecFloat.emin prec emax).
    rewrite Zle_bool_true by (unfold prec; lia); rewrite join_is; f_equal.
    change (max_code f) with ((2 ^ w - 1) * 2 ^ t - 1).
    replace (emax - prec - SpecFloat.emin prec emax + 1) with (2 ^ w - 2) by (rewrite E2; unfold SpecFloat.emin; ring).
    unfold prec; lia.
Qed.
End Bits.
