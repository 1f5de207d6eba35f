"""The units that a suite file lists, verified or proven by the command of this package."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, Literal

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class SuiteUnit:
    """What was found of one unit of a suite."""

    module: str
    verdict: Literal["right", "proven", "wrong", "open", "error"]
    known: bool
    """Whether an earlier run found it."""
    error: str | None
    """Why there is no verdict."""
    report: dict[str, Any] = field(repr=False)
    """The unit in the report of the command."""


@dataclass(frozen=True)
class Suite:
    """What was found of the units of a suite, in the order of the file."""

    units: list[SuiteUnit]
    totals: dict[str, Any]
    """The units counted by verdict, with their times summed."""
    report: dict[str, Any] = field(repr=False)
    """The report of ``binade verify --suite FILE --json``, or of ``binade prove``."""

    @property
    def is_right(self) -> bool:
        """Whether each unit is right, or proven."""
        return all(unit.verdict in ("right", "proven") for unit in self.units)


def verify_suite(path: Path, *, vectors: int | None = None, seed: int = 1, engine: str = "lanes") -> Suite:
    """Check the units that a suite file lists against the golden model, as ``binade verify --suite FILE`` does.

    Verdicts are kept: a unit that an earlier run found right is not checked again (``known``).

    ``vectors``: how many to check for each unit, directed and random; by default all inputs of small units. ``seed``: of the random
    vectors. ``engine``: ``"lanes"``, the gates of the circuits, without an external tool; or ``"verilator"``, which also takes modules of
    yours in the place of units.

    Raises ``OSError`` if the file cannot be read or a tool fails, ``ValueError`` if it is no suite of units that can be checked so.
    """
    count = [] if vectors is None else ["--vectors", str(vectors)]
    return _judged("verify", path, "--engine", engine, "--seed", str(seed), *count)


def prove_suite(path: Path) -> Suite:
    """Prove the units that a suite file lists, for all inputs, as ``binade prove --suite FILE`` does.

    Proofs are kept: a unit that an earlier run proved is not proven again (``known``).

    Raises ``OSError`` if the file cannot be read or a tool fails, ``ValueError`` if it is no suite.
    """
    return _judged("prove", path)


def _judged(command: str, path: Path, *words: str) -> Suite:
    # Says why it cannot be read.
    with open(path, "rb"):
        pass
    all_words = [sys.executable, "-m", "binade", command, "--suite", os.fspath(path), *words, "--json"]
    code, printed, said = _run(all_words)
    if not printed:
        why = said.removeprefix("error: ").strip()
        raise (ValueError if code == 2 else OSError)(why)
    report = json.loads(printed)
    units = [
        SuiteUnit(unit["module"], unit["verdict"], unit.get("known", False), unit.get("error"), unit)
        for unit in report["units"]
    ]
    return Suite(units, report["totals"], report)


def _run(words: list[str]) -> tuple[int, str, str]:
    """The exit code of a program, and what it prints. It hears Ctrl-C from here, once."""
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL, text=True, start_new_session=True) as child:
        try:
            printed, said = child.communicate()
        except KeyboardInterrupt:
            child.send_signal(signal.SIGINT)
            raise
    return child.returncode, printed, said
