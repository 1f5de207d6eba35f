(** Prints the axioms that the theorems depend on. check.sh compares them with those of the real numbers. *)
From Binade Require Import Line Correct Ends Bits Words Stochastic.
Print Assumptions value_next.
Print Assumptions value_beyond_ieee.
Print Assumptions magnitude_code_is_round.
Print Assumptions is_inexact_iff.
Print Assumptions overflow_iff.
Print Assumptions precision_1_differs.
Print Assumptions line_is_format.
Print Assumptions float_code_is_round.
Print Assumptions float_code_is_bits_of_binary_float.
Print Assumptions magnitude_code_is_in_words.
Print Assumptions stochastic_is_round.
