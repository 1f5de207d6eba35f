#!/usr/bin/env python3
"""The product of formats, units, roundings and stages, as one suite file per format.

    product.py FORMAT      prints the suite
    product.py --count     prints how many units all formats of Binade's list have together
"""

import json
import os
import subprocess
import sys

BINADE = os.environ.get("BINADE", "binade")
ROUNDED = ["encode", "mul", "add", "fmac"]
EXACT = ["decode", "compare", "classify"]
ROUNDINGS = ["rne", "rna", "rtz", "rup", "rdn", "rto", "sr8"]
STAGES = [0, 1, 2, 4, 8]

# It has only one rounding, its own.
LEFT_OUT = ["dlfloat16"]


def formats():
    """Every format that Binade lists."""
    listed = subprocess.run([BINADE, "formats", "--json"], check=True, capture_output=True).stdout
    return [entry["name"] for entry in json.loads(listed) if entry["name"] not in LEFT_OUT]


def suite(format, roundings=ROUNDINGS, stages=STAGES, targets=("ice40",)):
    """The suite file of one format."""
    return f"""targets = {json.dumps(list(targets))}

[[unit]]
format = "{format}"
unit = {json.dumps(ROUNDED)}
round = {json.dumps(roundings)}
stages = {json.dumps(stages)}

[[unit]]
format = "{format}"
unit = {json.dumps(EXACT)}
stages = {json.dumps(stages)}
"""


def units(roundings=ROUNDINGS, stages=STAGES):
    """The number of units in the suite of one format."""
    return (len(ROUNDED) * len(roundings) + len(EXACT)) * len(stages)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--count"]:
            print(f"{len(formats())} formats, {units()} units each: {len(formats()) * units()} units")
        case [format]:
            print(suite(format), end="")
        case _:
            sys.exit(__doc__)
