"""The package has the command `binade`, which does what the program does."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest

import binade

MODULE = [sys.executable, "-m", "binade"]


def run(*words, cwd, program=MODULE):
    return subprocess.run([*program, *map(str, words)], capture_output=True, text=True, cwd=cwd)


@pytest.fixture
def tools(pytestconfig, monkeypatch):
    """The tools of the checkout, wherever a command runs."""
    monkeypatch.setenv("BINADE_HOME", os.environ.get("BINADE_HOME", str(pytestconfig.rootpath.parent / ".tools")))


def test_the_script_is_the_module(tmp_path):
    script = shutil.which("binade")
    assert script is not None
    said = run("--version", cwd=tmp_path, program=[script])
    assert said.returncode == 0 and said.stdout.startswith(f"binade {binade.__version__}\n")
    assert said.stdout == run("--version", cwd=tmp_path).stdout


def test_it_writes_what_generate_gives(tmp_path):
    assert run("gen", "--format", "e4m3fn", "--unit", "mul", "--out", tmp_path / "rtl", cwd=tmp_path).returncode == 0
    generated = binade.generate("mul", "e4m3fn")
    assert (tmp_path / "rtl" / f"{generated.module}.v").read_text() == generated.verilog


@pytest.mark.parametrize(
    "words, code, message",
    [
        ("gen --format e9m99x --unit mul", 2, "e9m99x"),
        ("gen --unit", 2, "--unit"),
        ("verify --format e2m1f --unit mul --engine lanes", 0, "agrees with the golden model on all 256"),
    ],
)
def test_exit_codes_are_those_of_the_program(words, code, message, tmp_path):
    said = run(*words.split(), cwd=tmp_path)
    assert said.returncode == code
    assert message in said.stdout + said.stderr


@pytest.mark.parametrize("change, code", [("", 0), (" ^ (a == 4'd3 && b == 4'd5)", 1)])
def test_a_module_is_judged_in_a_process_of_its_own(change, code, tmp_path, tools):
    generated = binade.generate("mul", "e2m1f")
    mine = tmp_path / "it's mine.v"
    mine.write_text(
        f"{generated.verilog}module mine (input [3:0] a, input [3:0] b, output [3:0] y);\n  wire [3:0] right;\n"
        f"  {generated.module} unit (.a(a), .b(b), .y(right));\n  assign y = right{change};\nendmodule\n"
    )
    words = ["--format", "e2m1f", "--unit", "mul", "--verilog", mine, "--top", "mine"]
    for command in ("verify", "prove"):
        said = run(command, *words, cwd=tmp_path)
        assert said.returncode == code, said.stderr
    suite = tmp_path / "suite.toml"
    suite.write_text(f'[[unit]]\nformat = "e2m1f"\nunit = "mul"\nverilog = "{mine.name}"\ntop = "mine"\n')
    said = run("verify", "--suite", suite, "--json", cwd=tmp_path)
    assert said.returncode == code, said.stderr


def test_a_page_shows_its_command(tmp_path):
    assert run("report", "formats", "e5m2", "--html", "page.html", cwd=tmp_path).returncode == 0
    assert "binade report formats e5m2 --html page.html" in (tmp_path / "page.html").read_text()


def test_control_c_ends_it(tmp_path):
    words = [*MODULE, "prove", "--format", "binary32", "--unit", "fmac"]
    child = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    tasks = pathlib.Path(f"/proc/{child.pid}/task")
    while child.poll() is None and "ctrl-c" not in [(task / "comm").read_text().strip() for task in tasks.iterdir()]:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130, said
