#!/usr/bin/env python3
"""The cost of the whole product, estimated from a sample: core-hours, and hours on many nodes.

    cost.py [--sample 12] [--seed 1] [--limit 120]

Every sampled unit is verified, proven and measured alone, on one core, with an empty cache: seconds of processor time,
the tools' included. A proof that takes longer than the limit is given up, and counts as the limit. The rest is arithmetic:
mean x units, with the standard error of the mean.
"""

import argparse
import math
import os
import random
import resource
import signal
import subprocess
import tempfile

import product

CORES = 64
NODES = [1, 10, 100, 1000]
UNITS_PER_JOB = 8
TASKS = {
    "verify": ["verify"],
    "prove": ["prove"],
    "synth": ["synth", "--target", "ice40"],
}


def seconds(words, home, limit):
    """Processor seconds of one command, including its tools, and whether it timed out."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "RAYON_NUM_THREADS": "1", "BINADE_HOME": home}
    bounded = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    command = ["taskset", "-c", "0", product.BINADE, *words]
    run = subprocess.run(command, env=environment, capture_output=True, preexec_fn=bounded)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode not in (0, 1, 4, -signal.SIGKILL, -signal.SIGXCPU):
        raise SystemExit(f"{words}: {run.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, run.returncode < 0


def sample(formats, count, seed):
    """A sample of units from the whole product, each as the options that select it."""
    choose = random.Random(seed)
    units = [(unit, rounding) for unit in product.ROUNDED for rounding in product.ROUNDINGS]
    units += [(unit, None) for unit in product.EXACT]
    for _ in range(count):
        (unit, rounding), stages = choose.choice(units), choose.choice(product.STAGES)
        words = ["--format", choose.choice(formats), "--unit", unit, "--stages", str(stages)]
        yield words + (["--round", rounding] if rounding else [])


def mean(values):
    """The mean and its standard error."""
    middle = sum(values) / len(values)
    squares = sum((value - middle) ** 2 for value in values)
    return middle, math.sqrt(squares / max(len(values) - 1, 1) / len(values))


def home_beside(installed):
    """A home with the installed tools and nothing in its cache but Verilator's runtime."""
    home = tempfile.mkdtemp()
    for name in os.listdir(installed):
        if name != "cache" and not name.startswith("lock-"):
            os.symlink(os.path.join(installed, name), os.path.join(home, name))
    return home


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=12, help="units to measure")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--limit", type=int, default=120, help="seconds of one command")
    arguments = parser.parse_args()

    formats = product.formats()
    whole = len(formats) * product.units()
    installed = os.environ.get("BINADE_HOME")
    if not installed:
        raise SystemExit("set BINADE_HOME to the folder with the tools; `binade doctor` names it")
    home = home_beside(installed)
    # Work that every machine does once.
    seconds(["verify", "--format", "e2m1f", "--unit", "mul"], home, arguments.limit)

    found, given_up = {task: [] for task in TASKS}, 0
    for words in sample(formats, arguments.sample, arguments.seed):
        for task, command in TASKS.items():
            spent, is_given_up = seconds([command[0], *words, *command[1:]], home, arguments.limit)
            found[task].append(spent)
            given_up += is_given_up
    print(f"{whole} units ({len(formats)} formats, {product.units()} units each); {arguments.sample} measured, seed {arguments.seed}\n")
    print("| | seconds a unit (mean, standard error) | core-hours for all |" + "".join(f" on {nodes} x {CORES} cores |" for nodes in NODES))
    print("|---|---:|---:|" + "---:|" * len(NODES))
    total = 0
    for task, values in found.items():
        middle, error = mean(values)
        total += middle * whole / 3600
        print(row(task, f"{middle:.1f} ± {error:.1f}", middle * whole / 3600, whole, max(values)))
    print(row("all", "", total, whole * len(TASKS), max(map(max, found.values()))))
    print(f"\n{given_up} of {3 * arguments.sample} commands were given up after {arguments.limit} s.")


def row(task, each, hours, units, longest):
    """A line of the table. A campaign takes at least as long as its longest unit, and as one job if there are cores for all."""
    def wall(nodes):
        at_once = min(nodes * CORES, math.ceil(units / UNITS_PER_JOB))
        spent = max(hours / at_once, longest / 3600)
        return f"{spent:.1f} h" if spent >= 1 else f"{spent * 60:.0f} min"
    return f"| {task} | {each} | {hours:.1f} |" + "".join(f" {wall(nodes)} |" for nodes in NODES)


if __name__ == "__main__":
    main()
