"""cocotb tests of a generated unit: every row of `binade vectors` through the module, combinational or a pipeline."""

import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge, Timer

# Written by run.py: the rows, each a map from port to code in hexadecimal.
with open(os.environ["VECTORS"]) as file:
    ROWS = [{port: int(code, 16) for port, code in json.loads(line).items()} for line in file]


def inputs(dut):
    return [port for port in ROWS[0] if port in os.environ["INPUTS"].split()]


def drive(dut, row):
    for port in inputs(dut):
        getattr(dut, port).value = row[port]


def check(dut, row):
    for port in row.keys() - set(inputs(dut)):
        got = int(getattr(dut, port).value)
        given = ", ".join(f"{name} 0x{row[name]:x}" for name in inputs(dut))
        assert got == row[port], f"{given}: {port} is 0x{got:x}, not 0x{row[port]:x}"


@cocotb.test(skip=os.environ["STAGES"] != "0")
async def combinational(dut):
    """Operands in, result out."""
    for row in ROWS:
        drive(dut, row)
        await Timer(1, "ns")
        check(dut, row)
    dut._log.info("%d vectors agree", len(ROWS))


# A row takes about 3 ns; without a limit, the test would wait forever for a missing result.
@cocotb.test(skip=os.environ["STAGES"] == "0", timeout_time=10 * len(ROWS) + 1000, timeout_unit="ns")
async def pipelined(dut):
    """The same for a clocked module, with bubbles (in_valid low) and stalls (en low); results come in order, each with out_valid."""
    chance = random.Random(1)
    cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
    dut.rst_n.value, dut.en.value, dut.in_valid.value = 0, 1, 0
    for _ in range(2):
        await RisingEdge(dut.clk)
    dut.rst_n.value = 1
    sent = checked = 0
    while checked < len(ROWS):
        is_moving, has_operands = chance.random() < 0.9, chance.random() < 0.8 and sent < len(ROWS)
        dut.en.value, dut.in_valid.value = is_moving, has_operands
        if has_operands:
            drive(dut, ROWS[sent])
        await RisingEdge(dut.clk)
        if not is_moving:
            continue
        sent += has_operands
        await ReadOnly()
        if dut.out_valid.value == 1:
            check(dut, ROWS[checked])
            checked += 1
        await Timer(1, "ns")
    assert sent == len(ROWS), f"{sent} operands in, {checked} results out"
    dut._log.info("%d vectors agree", len(ROWS))
