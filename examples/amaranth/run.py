"""Units of Binade in Amaranth: `run.py FOLDER` generates a combinational and a pipelined unit with wrappers, and elaborates a design that
uses both. Its RTLIL, for Yosys, has an instance of each module with all ports connected."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

from amaranth.back import rtlil
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

BINADE = os.environ.get("BINADE", "binade")
UNITS = {
    "Fp8Mul": ["--format", "e4m3fn", "--unit", "mul"],
    "Fp8Mac": ["--format", "e5m2b1", "--unit", "fmac", "--acc", "binary16", "--stages", "2"],
}


def wrapped(name, words, folder):
    """The class of a unit's wrapper."""
    command = [BINADE, "gen", *words, "--module", name, "--wrapper", "amaranth", "--out", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}_amaranth.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


class Top(wiring.Component):
    """A product of two codes, and a sequence of multiply-adds with `c` from outside."""

    a: In(8)
    b: In(8)
    c: In(16)
    product: Out(8)
    sum: Out(16)

    def __init__(self, mul, mac):
        self.mul, self.mac = mul, mac
        super().__init__()

    def elaborate(self, platform):
        m = Module()
        m.submodules.mul = mul = self.mul()
        m.submodules.mac = mac = self.mac()
        for unit in (mul, mac):
            m.d.comb += [unit.a.eq(self.a), unit.b.eq(self.b)]
        m.d.comb += [mac.c.eq(self.c), mac.en.eq(1), mac.in_valid.eq(1)]
        m.d.comb += [self.product.eq(mul.y), self.sum.eq(mac.y)]
        return m


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    top = Top(*(wrapped(name, words, folder) for name, words in UNITS.items()))
    text = rtlil.convert(top)
    for name in UNITS:
        ports = set(re.findall(r"^\s*(?:input|output)\s[^;,]*?(\w+)\s*[,;)]?\s*(?://.*)?$", (folder / f"{name}.v").read_text(), re.M))
        cell = re.search(rf"cell \\{name} .*?\n(.*?)\n\s*end\n", text, re.S)
        connected = set(re.findall(r"connect \\(\w+) ", cell[1])) if cell else set()
        if not ports or connected != ports:
            sys.exit(f"{name}: ports {sorted(ports)}, connected {sorted(connected)}")
        print(f"{name}: {len(connected)} ports connected")


if __name__ == "__main__":
    main(sys.argv[1])
