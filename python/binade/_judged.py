"""Units, and modules of yours in their place, judged by vectors and by proof."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _binade

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Verification:
    """What vectors found of a unit, as ``binade verify`` reports it."""

    module: str
    verdict: Literal["right", "wrong"]
    checked: int
    """The vectors that were evaluated: all of the scope, unless one was wrong."""
    scope: str
    """The vectors, in words."""
    exhaustive: bool
    """Whether they are all inputs."""
    mismatch: dict[str, Any] | None
    """The wrong result, explained."""
    violation: dict[str, Any] | None
    """The clock at which a clocked module breaks its contract."""
    replay: str | None
    """The command that reproduces what is wrong."""
    text: str = field(repr=False)
    """What the command prints."""
    report: dict[str, Any] = field(repr=False)
    """The report of ``binade verify --json``."""

    @property
    def is_right(self) -> bool:
        return self.verdict == "right"


@dataclass(frozen=True)
class Proof:
    """What is proven of a unit, as ``binade prove`` reports it."""

    module: str
    verdict: Literal["proven", "wrong", "open"]
    subject: str
    """What was proven, such as ``the circuit``."""
    method: Literal["cases", "enumeration"]
    input_bits: int
    """Bits of all inputs together."""
    state_bits: int
    """Bits of state that the unit keeps from step to step."""
    cases: int
    """The cases in which the unit was compared with its specification."""
    open: list[str]
    """The cases left open."""
    reason: str | None
    """Why the unit is open, or what is wrong with its registers."""
    counterexample: dict[str, Any] | None
    """Inputs for which the unit is wrong."""
    replay: str | None
    """The command that reproduces what is wrong."""
    text: str = field(repr=False)
    """What the command prints."""
    report: dict[str, Any] = field(repr=False)
    """The report of ``binade prove --json``."""

    @property
    def is_proven(self) -> bool:
        return self.verdict == "proven"


def verify(unit: str, format: Any = None, *, vectors: int | None = None, seed: int = 1, **options: Any) -> Verification:
    """Check a unit with vectors against the golden model, as ``binade verify`` does.

    A generated unit is checked on the gates of its circuit; no external tool is needed. With ``verilog``, a module of yours is checked in its
    place, in Verilator, which is installed when it is first needed (or with ``engine="verilator"``, the Verilog of the generated unit).

    ``vectors``: how many, directed and random; by default all inputs of small units. ``seed``: of the random vectors.
    ``engine``: ``"lanes"`` (gates) or ``"verilator"``. ``netlist``: with lanes, the gates that Yosys makes of the Verilog, such as
    ``"generic"`` or ``"ice40"``. ``timeout``: seconds for one vector in your module.

    Your module: ``verilog``, a file or several; ``top``, ``ports={"y": "result"}``, ``ties={"mode": 0}``, ``parameters={"WIDTH": 16}``,
    ``includes``, ``defines``, ``reset="rst:high"``, ``latency`` (clocks, or ``"auto"``), ``startup=0``, ``flag_order="riscv"``, ``allow_system_tasks``, and
    other answers that are right, too: ``nan="any"`` or ``"payload"``, ``zero_sign="any"``, ``policies=["daz"]``. ``interface="ready-valid"`` is for modules with valid and ready,
    ``besides=["op=1"]`` runs another operation in between. They are those of the command.
    ``out``: a folder for a testbench and waves (``waves=False``: without) of what is wrong; by default, no files are written.
    All others are those of :func:`binade.generate`.

    >>> binade.verify("mul", "e4m3fn").verdict
    'right'

    Raises ``ValueError`` for what cannot be checked, ``OSError`` if a tool or a file fails, ``RuntimeError`` if your module ends its
    process before there is a verdict.
    """
    answer = _judge("verify", unit, format, {"vectors": vectors, "seed": seed}, options)
    report = answer["report"]
    return Verification(
        module=report["module"],
        verdict=report["verdict"],
        # A module that does not answer has no more than its vector.
        checked=report.get("checked", 0),
        scope=report["scope"],
        exhaustive=report.get("exhaustive", False),
        mismatch=report.get("mismatch"),
        violation=report.get("violation"),
        replay=report.get("replay"),
        text=answer["text"],
        report=report,
    )


def prove(unit: str, format: Any = None, *, within: float | None = None, **options: Any) -> Proof:
    """Prove a unit right for all inputs, in all states and for all sequences, as ``binade prove`` does.

    ``within``: seconds of processor time; what is not proven until then is open. The other options are those of :func:`verify`, but for
    ``vectors``, ``seed``, ``engine`` and ``timeout``. Yosys, which is installed when it is first needed, reads modules of yours, and makes the
    ``netlist`` of a generated unit; its circuit is proven without any tool.

    >>> binade.prove("add", "e5m2").verdict
    'proven'
    """
    answer = _judge("prove", unit, format, {"within": within}, options)
    report = answer["report"]
    names = ("module", "verdict", "subject", "method", "input_bits", "state_bits", "cases", "open")
    more = {name: report.get(name) for name in ("reason", "counterexample", "replay")}
    return Proof(**{name: report[name] for name in names}, **more, text=answer["text"], report=report)


def _judge(question: str, unit: str, format: Any, how: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    from . import _named, _words

    module = _module(options)
    engine = options.pop("engine", "verilator" if module["files"] else "lanes")
    if engine not in ("lanes", "verilator"):
        raise ValueError(f'engine={engine!r}: "lanes" or "verilator" is expected')
    request = {
        "question": question,
        "unit": unit,
        "format": None if format is None else _named(format).name,
        "module": module,
        "nan": options.pop("nan", "canonical"),
        "zero_sign": options.pop("zero_sign", "exact"),
        "policies": list(options.pop("policies", ())),
        "netlist": options.pop("netlist", None),
        "lanes": engine == "lanes",
        "vectors": None,
        "seed": 1,
        "within": None,
        "timeout": options.pop("timeout", 10),
        "out": _path(options.pop("out", None)),
        "waves": options.pop("waves", True),
    } | how
    request["words"] = _words(options)
    if module["files"]:
        return _judged_apart(request)
    return json.loads(_binade.judge(json.dumps(request)))


def _path(path: Path | None) -> str | None:
    return None if path is None else os.fspath(path)


def _several(given: Path | Iterable[Path] | None) -> list[str]:
    if given is None:
        return []
    return [os.fspath(given)] if isinstance(given, (str, os.PathLike)) else [os.fspath(path) for path in given]


def _module(options: dict[str, Any]) -> dict[str, Any]:
    """Takes what describes a module of the user's out of the options."""

    def pairs(name: str) -> Mapping[str, Any]:
        return options.pop(name, None) or {}

    latency = options.pop("latency", None)
    return {
        "files": _several(options.pop("verilog", None)),
        "top": options.pop("top", None),
        "ports": [f"{ours}={theirs}" for ours, theirs in pairs("ports").items()],
        "ties": [f"{theirs}={value}" for theirs, value in pairs("ties").items()],
        "besides": list(options.pop("besides", ())),
        "parameters": [[name, str(value)] for name, value in pairs("parameters").items()],
        "includes": _several(options.pop("includes", None)),
        "defines": _several(options.pop("defines", None)),
        "reset": options.pop("reset", None),
        "latency": None if latency is None else str(latency),
        "startup": options.pop("startup", 0),
        "flag_order": options.pop("flag_order", "binade"),
        "allow_system_tasks": options.pop("allow_system_tasks", False),
    }


def _judged_apart(request: dict[str, Any]) -> dict[str, Any]:
    """The answer of a process of its own: a module of the user's may end it, or never answer."""
    with subprocess.Popen(
        [sys.executable, "-m", "binade._judged"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        printed, _ = child.communicate(json.dumps(request))
    lines = printed.splitlines()
    answer = json.loads(lines[-1]) if lines and lines[-1].startswith('{"') else {}
    if "report" in answer:
        return answer
    kinds: dict[str, type[Exception]] = {"ValueError": ValueError, "OSError": OSError}
    if "error" in answer:
        raise kinds.get(answer["error"], RuntimeError)(answer["why"])
    raise RuntimeError(f"the process that judged the module ended before it had a verdict (exit code {child.returncode})")


def _main() -> None:
    """Answers the request on standard input."""
    try:
        print(_binade.judge(sys.stdin.read()))
    except Exception as error:
        print(json.dumps({"error": type(error).__name__, "why": str(error)}))


if __name__ == "__main__":
    _main()
