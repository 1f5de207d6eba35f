"""Runs a Yosys script with pyosys, as `yosys -s SCRIPT` would: python3 -c THIS SCRIPT."""

import os
import sys

import pyosys

# Yosys calls ABC through a shell, with the path in double quotes: a variable there is safe whatever the path holds.
os.environ["BINADE_YOSYS_ABC"] = sys._pyosys_abc
sys._pyosys_abc = "$BINADE_YOSYS_ABC"

from pyosys import libyosys

libyosys.run_pass("script " + sys.argv[1], libyosys.Design())
