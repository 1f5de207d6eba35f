#!/usr/bin/env bash
# Checks a folder of certificates with other people's programs.
#
# usage: check.sh [--install] FOLDER
#   exit code 0: every certificate holds; 1: one does not, or too few programs were found to
#   say so; 2: wrong usage
#
# For every unit (a folder in FOLDER with a file unit.aig), and every part of one (a folder in it):
#   1. cnf.py, next to this script, makes every CNF anew from the AIGER files and compares it
#      byte for byte with the certificate's. If the unit has parts, cnf.py connects these as the
#      manifest says, and unit.aig must have just these gates.
#   2. Every proof (LRAT) is checked against its CNF by every checker that was found. At least
#      two must be found, and at least one of them must itself be verified by a proof assistant.
#      One refusal by any of them is a failure.
#   3. If AIGER's aigtocnf is found, it makes its own CNF of the miter that cnf.py laid out,
#      and its clauses must be the same.
#   4. If ABC is found, it tries to prove each small CNF's miter by itself, without the proof.
#
# Every checker must first accept a right proof and refuse two wrong ones. One that accepts a
# wrong proof still runs, but is not counted.
#
# Programs (a path in the variable of that name comes before the search path):
#   ACL2       acl2 with its book projects/sat/lrat; verified. Debian: acl2, acl2-books
#   CAKE_LPR   cake_lpr of tanyongkiam/cake_lpr on GitHub; verified down to the machine code
#   LRAT_TRIM  lrat-trim of arminbiere/lrat-trim on GitHub
#   LRAT_CHECK lrat-check of marijnheule/drat-trim on GitHub
#   CARGO      cargo, to build a checker around the crate ordeal-lrat
#   AIGTOCNF   aigtocnf of arminbiere/aiger on GitHub
#   ABC        berkeley-abc or abc. Debian: berkeley-abc
# With --install those that Debian has are installed first with apt-get (as root; ACL2 with its
# books takes 500 MB to bring and 2.5 GB on disk). Those on GitHub you build yourself, as their
# own pages say.
#
# ABC_SECONDS (20) and ABC_CLAUSES (20000) limit step 4; ABC_SECONDS=0 leaves it out.
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
install=no
if [ "${1-}" = --install ]; then install=yes; shift; fi
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    echo "usage: check.sh [--install] FOLDER" >&2
    exit 2
fi
folder=$(cd "$1" && pwd)
abc_seconds=${ABC_SECONDS-20}
abc_clauses=${ABC_CLAUSES-20000}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

if [ $install = yes ]; then
    echo "Installing acl2, acl2-books and berkeley-abc .."
    if ! apt-get update >"$work/log" 2>&1 || ! apt-get install -y --no-install-recommends \
        acl2 acl2-books berkeley-abc >>"$work/log" 2>&1; then
        tail -5 "$work/log" >&2
        fail "apt-get could not install them"
    fi
fi
for tool in python3 gzip awk timeout; do
    command -v $tool >/dev/null || fail "this script needs $tool"
done

find_tool() { # find_tool VARIABLE NAME..: the path given in the variable, or the first one found
    local given=${!1-} name path
    if [ -n "$given" ]; then
        path=$(command -v "$given") || fail "$1 is set to $given, which cannot be run"
        realpath -s "$path"
        return
    fi
    shift
    for name; do command -v "$name" && return; done
    true
}
acl2=$(find_tool ACL2 acl2) || exit 1
cake_lpr=$(find_tool CAKE_LPR cake_lpr) || exit 1
lrat_trim=$(find_tool LRAT_TRIM lrat-trim) || exit 1
lrat_check=$(find_tool LRAT_CHECK lrat-check) || exit 1
cargo=$(find_tool CARGO cargo) || exit 1
aigtocnf=$(find_tool AIGTOCNF aigtocnf) || exit 1
abc=$(find_tool ABC berkeley-abc abc) || exit 1
cd "$work" || exit 1

# ---- the checkers: each reads x.cnf and x.lrat and returns 0 if it accepts the proof ----

# Its exit code says nothing: only this one line does.
run_cake_lpr() {
    "$cake_lpr" x.cnf x.lrat >out 2>&1
    [ "$(cat out)" = "s VERIFIED UNSAT" ]
}

# Exit code 20, as a SAT solver's for unsatisfiable. (0 says only that no step was wrong.)
run_lrat_trim() {
    "$lrat_trim" x.cnf x.lrat >out 2>&1
    [ $? -eq 20 ] && grep -qx 's VERIFIED' out
}

run_lrat_check() {
    "$lrat_check" x.cnf x.lrat >out 2>&1 && grep -qx 'c VERIFIED' out
}

run_ordeal_lrat() {
    "$ordeal_lrat" x.cnf x.lrat >out 2>&1 && [ "$(cat out)" = "s VERIFIED UNSAT" ]
}

# ACL2 takes no clause that has a literal together with its negation, and gates with opposite
# inputs make such clauses. Such a clause, always
# true, becomes a second copy of the first clause: neither changes what the formula says, and
# every clause keeps its number. A book without its certificate, or a proof that was skipped,
# makes ACL2 warn: that is a failure.
run_acl2() {
    awk 'NR == 1 { print; next }
         NR == 2 { first = $0 }
         { split("", has); out = ""; always = 0
           for (i = 1; i < NF; i++) if (!($i in has)) {
               has[$i] = 1; out = out $i " "; if ((-$i) in has) always = 1 }
           if (always) print first; else print out "0" }' x.cnf >y.cnf
    ACL2_CUSTOMIZATION=NONE "$acl2" >out 2>&1 <<'END'
(include-book "projects/sat/lrat/stobj-based/soundness" :dir :system)
(include-book "projects/sat/lrat/stobj-based/run" :dir :system)
(lrat::lrat-check "y.cnf" "x.lrat")
END
    grep -qx 's VERIFIED' out && ! grep -qiE 'uncertified|skip-?proofs' out
}

# The crate ordeal-lrat is a library, so a few lines around it make a program of it.
build_ordeal_lrat() {
    mkdir -p ordeal/src
    cat >ordeal/Cargo.toml <<'END'
[package]
name = "check"
version = "0.0.0"
edition = "2021"
[dependencies]
ordeal-lrat = "=0.34.0"
[workspace]
END
    cat >ordeal/src/main.rs <<'END'
fn main() {
    let file = |n| std::fs::read_to_string(std::env::args().nth(n).unwrap()).unwrap();
    let (cnf, lrat) = (file(1), file(2));
    let mut clauses = vec![vec![]];
    for word in cnf.lines().skip(1).flat_map(str::split_whitespace) {
        match word.parse::<i32>().unwrap() {
            0 => clauses.push(vec![]),
            lit => clauses.last_mut().unwrap().push(lit),
        }
    }
    assert_eq!(clauses.pop(), Some(vec![]));
    match ordeal_lrat::check(&clauses, &lrat) {
        Ok(()) => println!("s VERIFIED UNSAT"),
        Err(err) => {
            println!("c {err}");
            std::process::exit(1);
        }
    }
}
END
    (cd ordeal && CARGO_TARGET_DIR=target "$cargo" build --quiet --release) >out 2>&1 &&
        ordeal_lrat=$work/ordeal/target/release/check && [ -x "$ordeal_lrat" ]
}

# ---- which checkers are there, and do they tell right from wrong? ----

put_test() { # put_test PROOF: a small CNF without a model, and this proof
    printf 'p cnf 3 5\n-1 0\n-2 1 0\n2 -1 -1 0\n3 2 -3 0\n2 0\n' >x.cnf
    printf '%b' "$1" >x.lrat
}

checkers=()
counted=0
verified=0
try_checker() { # try_checker NAME FUNCTION VERIFIED(yes|no)
    local name=$1 run=$2
    put_test '6 -2 0 1 2 0\n6 d 2 3 0\n7 0 5 6 0\n'
    if ! $run; then
        echo "$name: not used, as it refuses a right proof:"
        tail -3 out | sed 's/^/    /'
        return
    fi
    checkers+=("$name|$run")
    put_test '6 0 1 2 0\n'
    if $run; then echo "$name: used, but not counted, as it accepts a wrong proof"; return; fi
    put_test '6 -2 0 1 2 0\n'
    if $run; then echo "$name: used, but not counted, as it accepts half a proof"; return; fi
    counted=$((counted + 1))
    if [ "$3" = yes ]; then
        verified=$((verified + 1))
        echo "$name: used (itself verified)"
    else
        echo "$name: used"
    fi
}

missing() { echo "$1: not found ($2)"; }

if [ -n "$cake_lpr" ]; then try_checker cake_lpr run_cake_lpr yes
else missing cake_lpr "on GitHub: tanyongkiam/cake_lpr; or set CAKE_LPR"; fi
if [ -n "$acl2" ]; then try_checker ACL2 run_acl2 yes
else missing ACL2 "in Debian: run this script with --install; or set ACL2"; fi
if [ -z "$cargo" ]; then missing ordeal-lrat "a crate: install Rust; or set CARGO"
elif build_ordeal_lrat; then try_checker ordeal-lrat run_ordeal_lrat no
else missing ordeal-lrat "cargo could not build it: $(tail -1 out)"; fi
if [ -n "$lrat_trim" ]; then try_checker lrat-trim run_lrat_trim no
else missing lrat-trim "on GitHub: arminbiere/lrat-trim; or set LRAT_TRIM"; fi
if [ -n "$lrat_check" ]; then try_checker lrat-check run_lrat_check no
else missing lrat-check "on GitHub: marijnheule/drat-trim; or set LRAT_CHECK"; fi
[ -n "$aigtocnf" ] || missing aigtocnf "on GitHub: arminbiere/aiger; or set AIGTOCNF"

run_abc() { # run_abc SECONDS: what ABC says of the one output of m.aig
    timeout "$1" "$abc" -q 'read_aiger m.aig; iprove' >out 2>&1
    grep -oE '^(UNSATISFIABLE|SATISFIABLE)' out | head -1
}
if [ -z "$abc" ]; then
    missing ABC "in Debian: run this script with --install; or set ABC"
elif [ "$abc_seconds" -gt 0 ]; then
    printf 'aig 2 1 0 1 1\n4\n\002\001' >m.aig
    yes=$(run_abc 20)
    printf 'aig 2 1 0 1 1\n4\n\001\001' >m.aig
    no=$(run_abc 20)
    if [ "$yes" != SATISFIABLE ] || [ "$no" != UNSATISFIABLE ]; then
        echo "ABC: not used, as it gives no right answer to two small questions"
        abc=
    else
        echo "ABC: used, $abc_seconds s at most for each CNF of at most $abc_clauses clauses"
    fi
else
    abc=
fi
[ $verified -ge 1 ] || fail "no verified checker is here: cake_lpr or ACL2 is needed"
[ $counted -ge 2 ] || fail "only one checker is here that counts: two are needed"

# ---- the certificates ----

# Both CNFs as sets of sorted clauses. aigtocnf has the constant 1 as variable 1, where the
# certificate has the constant 0, and its CNF ends with the gates that join the claims.
clauses() { # clauses FILE TURN TOP
    awk -v turn="$2" -v top="$3" '/^[pc]/ { next }
        { n = 0; split("", has)
          for (i = 1; i < NF; i++) {
              v = $i + 0
              if (v == 1 || v == -1) v *= turn
              if (v > top || -v > top) next
              if (v in has) continue
              has[v] = 1
              for (j = n++; j > 0 && c[j - 1] > v; j--) c[j] = c[j - 1]
              c[j] = v }
          line = ""
          for (j = 0; j < n; j++) line = line c[j] " "
          print line }' "$1" | sort -u
}

# Checks one CNF and its proof; adds to by_abc and by_aigtocnf.
check_file() { # check_file MODULE NAME
    local what="$1/$2" entry answer vars count
    gzip -dc "$folder/$1/$2.cnf.gz" >x.cnf || fail "$what.cnf.gz cannot be unpacked"
    gzip -dc "$folder/$1/$2.lrat.gz" >x.lrat || fail "$what.lrat.gz cannot be unpacked"
    ! grep -qvE '^[0-9]+( d)?( -?[0-9]+)+$' x.lrat || fail "$what.lrat.gz is not LRAT as text"
    for entry in "${checkers[@]}"; do
        if ! ${entry#*|}; then
            tail -5 out >&2
            fail "$what.lrat.gz: ${entry%%|*} does not accept the proof"
        fi
    done
    [ -n "$aigtocnf$abc" ] || return 0
    python3 "$here/cnf.py" miter "$folder/$1" "$2" >m.aig || fail "$what"
    read -r _ _ vars count <x.cnf
    if [ -n "$aigtocnf" ]; then
        "$aigtocnf" --no-coi --no-pg --no-xor --no-ite m.aig m.cnf >out 2>&1 ||
            fail "$what: aigtocnf: $(tail -1 out)"
        # Each claim is a unit clause at the end of the CNF, but a further gate in m.aig: with
        # g gates and c claims the CNF has 1 + 3 g + c clauses and m.aig has g + c gates.
        read -r _ _ _ _ _ gates < <(head -n 1 m.aig)
        head -n $((2 + 3 * ((count - 1 - gates) / 2))) x.cnf >gates.cnf
        clauses gates.cnf 1 "$vars" >ours
        clauses m.cnf -1 "$vars" >theirs
        cmp -s ours theirs || fail "$what.cnf.gz: aigtocnf makes other clauses"
        by_aigtocnf=$((by_aigtocnf + 1))
    fi
    if [ -n "$abc" ] && [ "$count" -le "$abc_clauses" ]; then
        answer=$(run_abc "$abc_seconds")
        [ "$answer" != SATISFIABLE ] || fail "$what: ABC has found a counterexample"
        [ "$answer" != UNSATISFIABLE ] || by_abc=$((by_abc + 1))
    fi
}

names=
for entry in "${checkers[@]}"; do names="$names${names:+, }${entry%%|*}"; done
units=0
proofs=0
while read -r unit <&3; do
    module=$(dirname "${unit#"$folder/"}")
    python3 -m json.tool "$folder/$module/manifest.json" >/dev/null 2>&1 ||
        fail "$module/manifest.json is missing or is not JSON"
    python3 "$here/cnf.py" compare "$folder/$module" || fail "$module"
    units=$((units + 1))
    if grep -q '"instances"' "$folder/$module/manifest.json"; then
        echo "$module: unit.aig is made of the parts as manifest.json says"
    fi
    cnfs=$(python3 "$here/cnf.py" names "$folder/$module") || fail "$module"
    by_abc=0
    by_aigtocnf=0
    files=0
    for name in $cnfs; do
        check_file "$module" "$name"
        files=$((files + 1))
    done
    [ "$files" -gt 0 ] || continue
    echo "$module: CNFs made anew, all equal: $files; proofs, each accepted by $names: $files"
    [ -z "$aigtocnf" ] || echo "$module: CNFs with the same clauses as aigtocnf's: $by_aigtocnf"
    [ -z "$abc" ] || echo "$module: CNFs that ABC by itself refutes, without the proof: $by_abc"
    proofs=$((proofs + files))
done 3< <(find "$folder" -mindepth 2 -name unit.aig | sort)
[ "$units" -gt 0 ] || fail "there is no unit in $folder"
for dir in "$folder"/*/; do
    [ -f "$dir/unit.aig" ] || fail "$(basename "$dir") has no unit.aig"
done
echo "All hold: $units units, $proofs proofs."
