(** Prints the results of [float_code] for all inputs of small formats. check.sh makes rounding.txt of it. *)
From Coq Require Import ZArith String Ascii List.
From Binade Require Import Rounding.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

Definition digit (z : Z) : string :=
  match String.get (Z.to_nat z) "0123456789abcdef" with Some c => String c "" | None => "?" end.
Definition decimal (z : Z) : string :=
  (if z <? 0 then "-" else "") ++ (if Z.abs z <? 10 then "" else digit (Z.abs z / 10)) ++ digit (Z.abs z mod 10).

(** Two hexadecimal digits of the code, and a letter: [o] overflow, [u] underflow, [b] underflow only where tininess is
    detected before rounding, [~] inexact without either, [=] exact; [?] for flags that contradict each other. *)
Definition entry (f : float) (d : direction) (negative : bool) (e n : Z) : string :=
  let r := float_code f After d negative n e in
  let before := underflow (float_code f Before d negative n e) in
  digit (result r / 16) ++ digit (result r mod 16) ++
  match overflow r, underflow r, before, inexact r with
  | true, false, false, true => "o"
  | false, true, true, true => "u"
  | false, false, true, true => "b"
  | false, false, false, true => "~"
  | false, false, false, false => "="
  | _, _, _, _ => "?"
  end.

Definition range (first last : Z) : list Z :=
  map (fun i => first + Z.of_nat i) (seq 0 (Z.to_nat (last - first + 1))).

Definition name (d : direction) : string :=
  match d with Rne => "rne" | Rna => "rna" | Rtz => "rtz" | Rup => "rup" | Rdn => "rdn" | Rto => "rto" end.

(** Without subnormals, as in the formats whose name ends in n: Float { field_zero: Zero, underflow: ToZero, ..ieee }. *)
Definition format_of (w t : Z) (zero : field_zero) : float :=
  match zero with Subnormal => ieee w t | Zero => unbounded (ieee w t) end.

(** The exponents: from where every significand is below half of the smallest value to where every one overflows. *)
Definition rows (format : Z * Z * field_zero) : list string :=
  let '(w, t, zero) := format in
  let f := format_of w t zero in
  let format := decimal w ++ " " ++ decimal t ++ match zero with Subnormal => " s " | Zero => " n " end in
  flat_map (fun d =>
    flat_map (fun negative : bool =>
      map (fun e =>
        format ++ name d ++ (if negative then " - " else " + ") ++ decimal e ++ " " ++
        String.concat "" (map (entry f d negative e) (range 1 63)))
      (range (1 - bias f - t - 7) (2 ^ w - 1 - bias f)))
    [false; true])
  [Rne; Rna; Rtz; Rup; Rdn; Rto].

Set Printing Width 1000.
Eval vm_compute in flat_map rows [(2, 1, Subnormal); (2, 1, Zero); (3, 2, Subnormal)].
