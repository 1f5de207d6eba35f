"""A suite of units is checked from Python."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import binade


@pytest.fixture
def home(tmp_path, monkeypatch):
    """No verdicts of other runs."""
    monkeypatch.setenv("BINADE_HOME", str(tmp_path / "home"))
    return tmp_path


def suite(folder, text):
    path = folder / "suite.toml"
    path.write_text(text)
    return path


def test_a_suite_is_checked_and_then_known(home):
    path = suite(home, '[[unit]]\nformat = ["e5m2", "posit8_1"]\nunit = ["mul", "add"]\n')
    first, second = binade.verify_suite(path), binade.verify_suite(path)
    assert [unit.module for unit in first.units] == [
        "mul_e5m2_rne",
        "add_e5m2_rne",
        "mul_posit8_1_rne",
        "add_posit8_1_rne",
    ]
    assert {unit.verdict for unit in first.units} == {"right"} and first.is_right
    assert (first.totals["vectors"], first.totals["known"]) == (4 << 16, 0)
    assert second.totals["known"] == 4 and all(unit.known for unit in second.units)


def test_so_many_vectors(home):
    path = suite(home, '[[unit]]\nformat = "binary16"\nunit = "fmac"\n')
    report = binade.verify_suite(path, vectors=5000, seed=3)
    assert report.report["seed"] == 3
    assert report.units[0].report["checked"] == 5000


def test_a_module_in_place_of_a_unit(tmp_path):
    generated = binade.generate("mul", "e2m1f")
    wrong = generated.verilog.replace(f"module {generated.module}", "module right_one")
    wrong += "module mine (input [3:0] a, input [3:0] b, output [3:0] y);\n  wire [3:0] z;\n"
    wrong += "  right_one u (.a(a), .b(b), .y(z));\n  assign y = z ^ (a == 4'd3 && b == 4'd5);\nendmodule\n"
    (tmp_path / "mine.v").write_text(wrong)
    path = suite(tmp_path, '[[unit]]\nformat = "e2m1f"\nunit = "mul"\nverilog = "mine.v"\ntop = "mine"\n')
    report = binade.verify_suite(path, engine="verilator")
    assert [unit.verdict for unit in report.units] == ["wrong"] and not report.is_right
    with pytest.raises(ValueError):
        binade.verify_suite(path)
    path.write_text(path.read_text() + '[[unit]]\nformat = "e2m1f"\nunit = "add"\n')
    proofs = binade.prove_suite(path)
    assert [unit.verdict for unit in proofs.units] == ["wrong", "proven"] and not proofs.is_right


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no [[unit]] is listed"),
        ('[[unit]]\nformat = "e5m2x"\nunit = "mul"\n', "unknown format e5m2x"),
        ('[[unit]]\nformat = "e5m2"\nunit = "mul"\ninterface = "axi-stream"\n', "must be simulated; leave --engine lanes out"),
    ],
)
def test_what_is_no_suite_is_refused(home, text, why):
    with pytest.raises(ValueError) as error:
        binade.verify_suite(suite(home, text))
    assert why in str(error.value)


def test_a_file_that_is_not_there(home):
    with pytest.raises(FileNotFoundError) as error:
        binade.verify_suite(home / "nowhere.toml")
    assert "nowhere.toml" in str(error.value)


def test_ctrl_c_ends_it(home):
    path = suite(home, '[[unit]]\nformat = "binary32"\nunit = ["fmac", "mul", "add"]\n')
    program = f"import binade; print('begun', flush=True); binade.verify_suite({str(path)!r}, vectors=10**9)"
    # A job in the background inherits that SIGINT is ignored, and Python then leaves it so.
    listening = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=listening, env=os.environ
    ) as process:
        assert process.stdout.readline() == b"begun\n"
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not (child := children.read_text().split()):
            time.sleep(0.01)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        # What it has started ends, too.
        started = time.monotonic()
        while pathlib.Path(f"/proc/{child[0]}").exists():
            assert time.monotonic() - started < 60
            time.sleep(0.01)
    assert process.returncode != 0
    assert b"KeyboardInterrupt" in errors
