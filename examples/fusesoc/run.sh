#!/usr/bin/env bash
# Runs every target of the example: lint, three simulators in three languages, synthesis; and writes projects for Vivado and Quartus, whose commands are
# checked without these tools. Needs fusesoc, iverilog, ghdl, tclsh and make on PATH; Verilator and Yosys are those installed by Binade below $BINADE_HOME.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${1:?usage: run.sh FOLDER}
export PATH=$here/bin:$PATH XDG_CACHE_HOME=$work/cache
mkdir -p "$work"
cd "$work"
fusesoc --config fusesoc.conf library add --sync-type=local binade "$here" >/dev/null 2>&1 || true
for target in lint sim sim_verilator sim_systemverilog sim_unit vhdl synth; do
  fusesoc --config fusesoc.conf run --target "$target" binade:examples:mac >"$target.log" 2>&1 || { cat "$target.log"; exit 1; }
  case $target in
    # A simulation that checks nothing also succeeds.
    sim*) grep -qE "PASS|is right on" "$target.log" || { cat "$target.log"; echo "$target: nothing has passed" >&2; exit 1; } ;;
  esac
  said=$(grep -hoE 'PASS.*|[A-Za-z0-9_]+ is right on .*|[0-9]+ +SB_LUT4' "$target.log" build/*/"$target"/yosys.log 2>/dev/null | tail -n 1 || true)
  echo "$target: ${said:-clean}"
done
for target in vivado vivado_vhdl quartus; do
  rm -rf build/*/"$target"*
  fusesoc --config fusesoc.conf run --setup --target "$target" binade:examples:mac >"$target.log" 2>&1 || { cat "$target.log"; exit 1; }
  projects=(build/*/"$target"*/binade_examples_mac_0[._]1[._]0.tcl)
  said=$(cd "$(dirname "${projects[0]}")" && tclsh "$here/project.tcl" "$(basename "${projects[0]}")")
  echo "$target: $said"
done
