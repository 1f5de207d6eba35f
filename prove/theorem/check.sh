#!/bin/sh
# Checks the theorem on the specification's rounding: all proofs, the axioms that they depend on, and that rounding.txt is
# the table of the function that the theorem is about. With --write, rounding.txt is written.
#
# Needs Coq 8.16 and Flocq 4.1 (Debian 12: apt-get install coq libcoq-flocq).
set -eu
export LC_ALL=C
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.v "$work"
cd "$work"

if grep -nwE 'Admitted|admit|Abort|Axioms?|Parameters?|Conjecture|Unset' ./*.v; then
    echo 'a proof is not complete, or an axiom is added' >&2
    exit 1
fi
for file in Rounding Line Correct Ends Bits Words Stochastic; do
    nice coqc -q -Q . Binade "$file.v"
    echo "$file.v: all proofs are complete"
done
# The kernel alone, without the tactics, checks the same files.
nice coqchk -silent -Q . Binade -norec Binade.Line -norec Binade.Correct -norec Binade.Ends -norec Binade.Bits -norec Binade.Words \
    -norec Binade.Stochastic

{
    echo '# Results of float_code in Rounding.v, written by check.sh --write. A line: exponent bits w, trailing significand bits t,'
    echo '# s (with subnormals) or n (without: FieldZero::Zero, Underflow::ToZero), direction, sign, exponent e, and for each'
    echo '# significand m from 1 to 63 the code of m * 2^e in Float::ieee(w, t), in two hexadecimal digits, and a letter: "=" exact,'
    echo '# "~" inexact, "u" underflow and inexact, "b" the same, but inexact alone if tininess is detected after rounding, "o"'
    echo '# overflow and inexact.'
    nice coqc -q -Q . Binade Table.v | grep -o '"[^"]*"' | tr -d '"'
} > rounding.txt
[ "$(wc -l < rounding.txt)" -gt 400 ]
if [ "${1-}" = --write ]; then
    cp rounding.txt "$here"
fi
cmp rounding.txt "$here/rounding.txt"
echo "rounding.txt: $(grep -vc '^#' rounding.txt) lines are those of Rounding.v"

nice coqc -q -Q . Binade Assumptions.v > assumptions
names=$(sed -n 's/^\([^ ][^ ]*\).*/\1/p' assumptions | grep -vx -e 'Axioms:' -e 'Closed' | sort -u)
expected='ClassicalDedekindReals.sig_forall_dec
ClassicalDedekindReals.sig_not_dec
Classical_Prop.classic
FunctionalExtensionality.functional_extensionality_dep'
answers=$(grep -cx -e 'Axioms:' -e 'Closed under the global context' assumptions)
[ "$answers" -eq "$(grep -c '^Print' Assumptions.v)" ]
if [ "$names" != "$expected" ]; then
    printf 'unexpected axioms:\n%s\n' "$names" >&2
    exit 1
fi
printf 'axioms of the %s theorems, all of them of the real numbers of Coq:\n%s\n' "$answers" "$names"
