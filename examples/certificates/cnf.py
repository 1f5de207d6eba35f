#!/usr/bin/env python3
"""Makes the CNFs of a certificate anew from its AIGER files and compares them byte for byte.

usage: cnf.py compare MODULE          every CNF of the folder MODULE: 0 all equal, 1 not;
                                      if MODULE has parts instead, whether its unit.aig has
                                      the gates of the parts, connected as its manifest says
       cnf.py names MODULE            print the names of the CNFs that the certificate must have
       cnf.py cnf MODULE NAME         print the CNF of NAME (case-0001, .., cover, registers-..)
       cnf.py miter MODULE NAME       print its gates as one binary AIGER file, whose one
                                      output is 1 for just the inputs that satisfy the CNF

CNF variable 1 is the constant 0, variable v of the first AIGER file is CNF variable v + 1, and
every further gate takes the next one. No gate is simplified, shared, or has its inputs swapped.
A clause has no literal twice.
"""
import glob
import gzip
import json
import os
import sys
import zlib


def read_aiger(path):
    """A combinational binary AIGER file: its number of inputs, its outputs, its gates."""
    with open(path, "rb") as file:
        head, _, data = file.read().partition(b"\n")
    words = head.split(b" ")
    if len(words) != 6 or words[0] != b"aig" or not all(w.isdigit() for w in words[1:]):
        raise ValueError(path + ": not a binary AIGER header of five numbers")
    top, inputs, latches, outputs, ands = map(int, words[1:])
    if latches or top != inputs + ands:
        raise ValueError(path + ": latches, or variables that are neither inputs nor gates")
    *lines, data = data.split(b"\n", outputs)
    outs = [int(line) if line.isdigit() else -1 for line in lines]
    if len(outs) != outputs or not all(0 <= out < 2 * top + 2 for out in outs):
        raise ValueError(path + ": bad outputs")
    gates, at = [], 0
    for var in range(inputs + 1, top + 1):
        left, sides = 2 * var, []
        for _ in range(2):
            byte, shift = 128, 0
            while byte > 127:
                byte, at = (data[at:at + 1] or b"\0")[0], at + 1
                left -= (byte & 127) << shift
                shift += 7
            sides.append(left)
        if sides[1] < 0 or sides[0] >= 2 * var or at > len(data):
            raise ValueError(path + ": bad gate")
        gates.append(tuple(sides))
    return inputs, outs, gates


class Miter:
    """One list of gates over AIGER literals, and the literals that are claimed to be 1."""

    def __init__(self, inputs, gates):
        self.inputs, self.gates, self.units = inputs, list(gates), []

    def gate(self, a, b):
        self.gates.append((a, b))
        return 2 * (self.inputs + len(self.gates))

    def differ(self, u, w):
        return self.gate(self.gate(u, w) ^ 1, self.gate(u ^ 1, w ^ 1) ^ 1)

    def place(self, circuit, inputs, wanted=None):
        """Lays a circuit in with its inputs replaced; with `wanted` only those outputs' cone."""
        count, outs, gates = circuit
        if count != len(inputs):
            raise ValueError("%d bits come to a circuit of %d inputs" % (len(inputs), count))
        keep = {out >> 1 for out in outs[:wanted]}
        for var in range(count + len(gates), count, -1):
            if wanted is None or var in keep:
                keep.update((var, gates[var - count - 1][0] >> 1, gates[var - count - 1][1] >> 1))
        new = [0] + list(inputs) + [0] * len(gates)
        for var, (a, b) in enumerate(gates, count + 1):
            if var in keep:
                new[var] = self.gate(new[a >> 1] ^ a & 1, new[b >> 1] ^ b & 1)
        return [new[out >> 1] ^ out & 1 for out in outs[:wanted]]

    def any(self, bits):
        any, *rest = bits
        for bit in rest:
            any = self.gate(any ^ 1, bit ^ 1) ^ 1
        return any

    def cnf(self):
        def lit(a):
            return -(a >> 1) - 1 if a & 1 else (a >> 1) + 1
        lines = ["p cnf %d %d\n-1 0\n" % (1 + self.inputs + len(self.gates),
                                          1 + 3 * len(self.gates) + len(self.units))]
        for out, (a, b) in enumerate(self.gates, self.inputs + 2):
            a, b = lit(a), lit(b)
            last = "%d" % -a if a == b else "%d %d" % (-a, -b)
            lines.append("-%d %d 0\n-%d %d 0\n%d %s 0\n" % (out, a, out, b, out, last))
        return "".join(lines + ["%d 0\n" % lit(unit) for unit in self.units]).encode()

    def aiger(self):
        out = 1
        for unit in self.units:
            out = self.gate(out, unit)
        data = bytearray()
        for var, (a, b) in enumerate(self.gates, self.inputs + 1):
            for delta in (2 * var - max(a, b), abs(a - b)):
                while delta > 127:
                    data.append(delta & 127 | 128)
                    delta >>= 7
                data.append(delta)
        return b"aig %d %d 0 1 %d\n%d\n" % (
            self.inputs + len(self.gates), self.inputs, len(self.gates), out) + data


def properties(claims):
    """The properties of registers that a certificate has to show."""
    if "registers" not in claims:
        return []
    has, latency = claims["registers"]["controls"], claims["registers"]["latency"]
    holds = {"stall": "en" in has, "reset": "rst_n" in has and "out_valid" in has and latency > 0}
    return ["registers-" + name for name in ("stall", "reset", "results") if holds.get(name, True)]


def registers(module, name, claims):
    """The clauses that the registers of step.aig violate a property."""
    unit, step = (read_aiger(os.path.join(module, n + ".aig")) for n in ("unit", "step"))
    has, latency = claims["registers"]["controls"], claims["registers"]["latency"]
    kept = len(step[1]) - 1 - len(unit[1])
    width, clocks = step[0] - kept, 1 if name == "registers-stall" else latency + 1
    if kept < 0 or width < 3 + unit[0]:
        raise ValueError("step.aig is not one clock of unit.aig")
    free = [2 * bit + 2 for bit in range(kept + clocks * width)]
    taken = [free[kept + clock * width:][:width] for clock in range(clocks)]
    miter, state = Miter(len(free), []), free[:kept]

    def clock(number, rst_n=None, en=None):
        levels = [bit if level is None else level for level, bit in zip((rst_n, en), taken[number])]
        outs = miter.place(step, levels + taken[number][2:] + state)
        return outs[:-kept or None], outs[len(outs) - kept:]
    if name == "registers-stall":
        bad = [miter.differ(after, bit) for after, bit in zip(clock(0, 1, 0)[1], state)]
    elif name == "registers-reset":
        bad, state = [], clock(0, 0)[1]
        for number in range(1, clocks):
            bad.append(clock(number)[0][0])
            state = clock(number, 1, 1)[1]
    else:
        for number in range(latency):
            state = clock(number, 1, 1)[1]
        got = clock(latency, 1)[0]
        valid = taken[0][2] if "in_valid" in has else 1
        want = miter.place(unit, taken[0][3:3 + unit[0]])
        wrong = miter.any([miter.differ(u, w) for u, w in zip(got[1:], want)])
        bad = [miter.gate(valid, wrong)]
        if "out_valid" in has:
            bad.append(miter.differ(got[0], valid))
    miter.units = [1, miter.any(bad or [0])]
    return miter


def build(module, name, cases):
    unit, first = (read_aiger(os.path.join(module, n + ".aig")) for n in ("unit", name))
    miter = Miter(first[0], first[2])
    if name != "cover":
        if len(first[1]) != 1 + unit[0] + len(unit[1]) or not unit[1]:
            raise ValueError(name + ".aig: outputs must be valid, the operands, the expected bits")
        got = miter.place(unit, first[1][1:1 + unit[0]])
        wrong = miter.any([miter.differ(u, w) for u, w in zip(got, first[1][1 + unit[0]:])])
        miter.units = [first[1][0], wrong]
        return miter
    none, free, bits = 1, first[1], [2 * (i + 1) for i in range(unit[0])]
    for case in (read_aiger(os.path.join(module, c + ".aig")) for c in cases):
        valid, *outs = miter.place(case, free[:case[0]], 1 + len(bits))
        free, has = free[case[0]:], 1
        for d in [miter.differ(out, bit) for out, bit in zip(outs, bits)]:
            has = miter.gate(has, d ^ 1)
        none = miter.gate(none, miter.gate(has, valid) ^ 1)
    miter.units = [1, none]
    if free or first[0] != len(bits):
        raise ValueError("cover.aig: inputs must be unit.aig's, outputs the cases' free bits")
    return miter


def compose(module, claims):
    """Lays the units of the parts one after the other; unit.aig must have just these gates."""
    def bits(ports):
        return ["%s[%d]" % (port["name"], bit) for port in ports for bit in range(port["width"])]
    known = {name: 2 * (at + 1) for at, name in enumerate(bits(claims["inputs"]))}
    whole = Miter(len(known), [])
    for instance in claims["instances"]:
        if instance["part"] not in claims["parts"]:
            raise ValueError("there is no part " + instance["part"])
        part = os.path.join(module, instance["part"])
        with open(os.path.join(part, "manifest.json")) as file:
            names = [instance["name"] + "." + bit for bit in bits(json.load(file)["outputs"])]
        outs = whole.place(read_aiger(os.path.join(part, "unit.aig")),
                           [known[name] for name in instance["inputs"]])
        if len(outs) != len(names) or not known.keys().isdisjoint(names):
            raise ValueError(instance["name"] + ": its outputs are not those of its manifest")
        known.update(zip(names, outs))
    unit = read_aiger(os.path.join(module, "unit.aig"))
    gates = [(max(gate), min(gate)) for gate in whole.gates]
    if unit != (whole.inputs, [known[name] for name in claims["outputs_from"]], gates):
        raise ValueError("unit.aig is not made of the parts as the manifest says")


def main(args):
    if (args[:1], len(args)) not in ((["compare"], 2), (["names"], 2), (["cnf"], 3), (["miter"], 3)):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    try:
        with open(os.path.join(args[1], "manifest.json")) as file:
            claims = json.load(file)
        files = glob.glob(os.path.join(glob.escape(args[1]), "*case-*.aig"))
        cases = sorted(os.path.basename(file)[:-4] for file in files)
        names = [] if claims.get("instances") else cases + ["cover"]
        names += properties(claims)
        if args[0] == "names":
            print("\n".join(names))
            return 0
        if args[0] == "compare" and claims.get("instances"):
            compose(args[1], claims)
        for name in names if args[0] == "compare" else args[2:3]:
            of_registers = name.startswith("registers-")
            miter = (registers(args[1], name, claims) if of_registers
                     else build(args[1], name, cases))
            if args[0] == "compare":
                with gzip.open(os.path.join(args[1], name + ".cnf.gz")) as file:
                    if file.read() != miter.cnf():
                        raise ValueError(name + ".cnf.gz is not the CNF of the AIGER files")
            else:
                sys.stdout.buffer.write(miter.cnf() if args[0] == "cnf" else miter.aiger())
    except (OSError, EOFError, KeyError, TypeError, ValueError, zlib.error) as err:
        print("cnf.py: %s: %s" % (args[1], err), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
