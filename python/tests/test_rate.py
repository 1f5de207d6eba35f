"""Binade encodes 8-bit formats no slower than ml_dtypes does, which a table four times as fast leaves room for."""

import os
import subprocess
import sys
from pathlib import Path


def test_rate_of_8_bit_formats():
    command = [sys.executable, str(Path(__file__).parent / "rate.py")]
    said = subprocess.run(
        command, env=os.environ | {"RAYON_NUM_THREADS": "1"}, check=True, capture_output=True, text=True
    ).stdout
    conversions, _ = said.split("512 x 512 matrices")
    rows = {cells[0]: cells[1:] for cells in map(str.split, conversions.splitlines()[1:])}
    for name in ("e5m2", "e4m3fn"):
        ours, theirs = float(rows[name][0]), float(rows[name][3])
        assert ours >= theirs, said
