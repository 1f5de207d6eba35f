#!/usr/bin/env python3
"""Runs bench.py on a combinational and on a 4-stage fmac of e5m2b1, in Icarus and in the Verilator that Binade installed.

    run.py FOLDER [icarus] [verilator]
"""

import json
import os
import re
import subprocess
import sys
from glob import escape, glob
from pathlib import Path

from cocotb_tools.runner import get_runner

BINADE = os.environ.get("BINADE", "binade")
WORDS = ["--format", "e5m2b1", "--unit", "fmac", "--acc", "binary16"]
VECTORS = 2000


def use_pinned_verilator():
    """Puts the Verilator below $BINADE_HOME first on PATH, since Debian's is too old for cocotb 2."""
    home = os.environ.get("BINADE_HOME") or sys.exit("run.py: set BINADE_HOME to the folder that `binade doctor` names")
    found = glob(f"{escape(home)}/verilator-*/verilator") or sys.exit(f"run.py: no Verilator in {home}; `binade verify` installs it")
    newest = max(found, key=lambda path: [int(number) for number in re.findall(r"\d+", Path(path).parent.name)])
    os.environ["VERILATOR_ROOT"] = newest
    os.environ["PATH"] = f"{newest}/bin:{os.environ['PATH']}"


def run(simulator, stages, folder):
    """Generates the unit and its vectors, builds, and tests; exits with the number of failed tests."""
    folder = folder / f"{simulator}-{stages}"
    folder.mkdir(parents=True, exist_ok=True)
    words = [*WORDS, "--stages", str(stages)]
    made = subprocess.run([BINADE, "gen", *words, "--json", "--out", folder], check=True, capture_output=True).stdout
    unit = json.loads(made)
    rows = subprocess.run([BINADE, "vectors", *words, "--vectors", str(VECTORS), "--json"], check=True, capture_output=True)
    vectors = folder / "vectors.jsonl"
    vectors.write_bytes(rows.stdout)
    operands = [port["name"] for port in unit["ports"] if port["direction"] == "input" and port["format"]]
    settings = {"VECTORS": str(vectors), "STAGES": str(stages), "INPUTS": " ".join(operands)}

    runner = get_runner(simulator)
    runner.build(
        sources=[folder / f"{unit['module']}.v"],
        hdl_toplevel=unit["module"],
        build_dir=folder / "build",
        build_args=["-CFLAGS", "-std=gnu++20"] if simulator == "verilator" else [],
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
    )
    results = runner.test(
        hdl_toplevel=unit["module"],
        test_module="bench",
        test_dir=folder,
        build_dir=folder / "build",
        extra_env={**settings, "PYTHONPATH": str(Path(__file__).parent)},
        log_file=folder / "test.log",
    )
    text = (folder / "test.log").read_text()
    # One of the two is skipped.
    if "PASS=1 FAIL=0" not in text:
        sys.exit(text)
    print(f"{simulator}, {stages} stages: {VECTORS} vectors agree ({results.name})")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    simulators = sys.argv[2:] or ["icarus", "verilator"]
    if "verilator" in simulators:
        use_pinned_verilator()
    for simulator in simulators:
        for stages in [0, 4]:
            run(simulator, stages, Path(sys.argv[1]).absolute())


if __name__ == "__main__":
    main()
