"""The machinery of `.ci/nightly`: runs parts one after the other, reads their figures, and records finished parts."""

import argparse
import difflib
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Callable, NamedTuple

# The number of days that cover a suite of which one share is checked per day.
SHARES = 8
# Seconds between two progress lines about a running command.
HEARTBEAT = 60
# Seconds between two polls of a running command.
LOOK = 0.1
# Seconds that an interrupted command has for cleaning up; Slurm gives all processes together 30.
GRACE = 20
# Lines of the log that are shown for a failed command.
SHOWN_LINES = 40
# Bytes at the end of a log that are sure to hold these lines.
SHOWN_BYTES = 1 << 16


# ---- Parts


@dataclass(frozen=True)
class Part:
    """A row of the table in `.ci/nightly`."""

    name: str
    # The kind of its figures: a key of KINDS.
    kind: str
    # `binade` is the built program, `{share}` the share of the day, `{day}` the number of days since 1970-01-01.
    command: str
    # The mistakes that only this part would catch.
    catches: str


def share(day: date) -> str:
    """The share of a suite that is checked on a day, such as `3/8`."""
    return f"{1 + number(day) % SHARES}/{SHARES}"


def number(day: date) -> int:
    """The number of days since 1970-01-01."""
    return (day - date(1970, 1, 1)).days


# ---- How figures are read


class Unreadable(Exception):
    """The output of a command has no figures."""


@dataclass(frozen=True)
class Figures:
    """The figures of a part: what it checked, and the results."""

    units: int
    right: int
    wrong: int
    open: int


def of_verification(output: str, _log: str) -> Figures:
    """From `verify --suite --json`."""
    totals = json.loads(output)["totals"]
    return Figures(totals["units"], totals["right"], totals["wrong"], totals["errors"] + totals["not_run"])


def of_proofs(output: str, _log: str) -> Figures:
    """From `prove --suite --json`."""
    totals = json.loads(output)["totals"]
    left = totals["open"] + totals["errors"] + totals["not_run"]
    return Figures(totals["units"], totals["proven"], totals["wrong"], left)


def of_mutants(output: str, _log: str) -> Figures:
    """From `verify --mutate --json`, whose units are mutants: a mutant counts as right if it is killed or equivalent."""

    def of_unit(report: dict) -> Figures:
        right = report["killed"] + report["equivalent"]
        return Figures(report["mutants"], right, len(report["survived"]), len(report["undecided"]))

    return added([of_unit(report) for report in json.loads(output)])


def of_measurements(output: str, log: str) -> Figures:
    """From `synth --baseline --json`, whose units are measurements; the log lists those that got worse."""
    measured = len([report["module"] for report in json.loads(output)])
    if " figures worse by more than " not in log:
        raise Unreadable("its log does not say what got worse than the baseline")
    worse = len(set(re.findall(r"^worse: (.+): \S+ \S+ -> ", log, re.MULTILINE)))
    return Figures(measured, measured - worse, worse, 0)


def of_tests(_output: str, log: str) -> Figures:
    """From `cargo test`, which prints a summary for each file of tests."""
    counts = re.findall(r"^test result: \w+\. (\d+) passed; (\d+) failed; ", log, re.MULTILINE)
    passed, failed = (sum(int(count[column]) for count in counts) for column in (0, 1))
    if passed == 0:
        raise Unreadable("its log names no test that passed")
    return Figures(passed + failed, passed, failed, 0)


def of_fuzz(output: str, _log: str) -> Figures:
    """From `fuzz --json`, whose units are those it tried."""
    totals = json.loads(output)["totals"]
    return Figures(totals["units"], totals["right"], totals["wrong"], 0)


def of_cluster(_output: str, log: str) -> Figures:
    """From `.ci/cluster`, which reports what agrees with one machine."""
    if " as on one machine" not in log:
        raise Unreadable("its log does not say that a cluster finds what one machine finds")
    return Figures(1, 1, 0, 0)


@dataclass(frozen=True)
class Kind:
    """How a command is made to print its figures, and how they are read from its output and its log."""

    read: Callable[[str, str], Figures]
    # Commands of Binade print JSON on request.
    prints_json: bool = True
    # A suite computes known verdicts again on request.
    is_suite: bool = True
    # `--mutate` keeps no record from which it could resume.
    goes_on: bool = True

    def figures(self, output: str, log: str) -> Figures:
        """The figures of a command; missing or contradictory figures are an error."""
        try:
            figures = self.read(output, log)
            told = figures.right + figures.wrong + figures.open
        except (KeyError, TypeError, ValueError) as error:
            message = f"its output does not say how it went ({type(error).__name__}: {error})"
            raise Unreadable(message) from error
        if figures.units < 1:
            raise Unreadable("it looked at nothing")
        if told != figures.units:
            raise Unreadable(f"its counts do not add up: {figures}")
        return figures


KINDS = {
    "verification": Kind(of_verification),
    "proofs": Kind(of_proofs),
    "mutants": Kind(of_mutants, goes_on=False),
    "measurements": Kind(of_measurements),
    "fuzz": Kind(of_fuzz, is_suite=False, goes_on=False),
    "tests": Kind(of_tests, prints_json=False, is_suite=False, goes_on=False),
    "cluster": Kind(of_cluster, prints_json=False, is_suite=False, goes_on=False),
}


def added(figures: list[Figures]) -> Figures:
    """The sum of figures, column by column."""
    rows = [(each.units, each.right, each.wrong, each.open) for each in figures]
    return Figures(*(sum(column) for column in zip(*rows))) if rows else Figures(0, 0, 0, 0)


# ---- Commands


class Interrupted(Exception):
    """Ctrl-C or SIGTERM was received."""


# The signals received. They are flags, not exceptions at arbitrary points, so that no command is ever left behind.
caught: list[int] = []


def catch_signals() -> None:
    """Makes the first Ctrl-C or SIGTERM end the running command, and then this program."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: caught.append(number))


class Ended(NamedTuple):
    """How a command ended; the CPU seconds include those of its descendants."""

    code: int
    seconds: float
    cpu_seconds: float


def run(command: list[str], root: Path, log: Path, output: Path | None = None) -> Ended:
    """Runs a command to its end. Standard output goes to a separate file, or also to the log."""
    began = time.monotonic()
    with open(log, "wb") as said, open(output or os.devnull, "wb") as printed:
        try:
            # In its own process group, so that it can be interrupted as a whole, and only by us.
            process = subprocess.Popen(
                command,
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=printed if output else said,
                stderr=said,
                start_new_session=True,
            )
        except OSError as error:
            said.write(f"{error}\n".encode())
            # The message of a shell for such a command.
            return Ended(127, 0.0, 0.0)
        code, cpu_seconds = wait(process, log)
    return Ended(code, time.monotonic() - began, cpu_seconds)


def wait(process: subprocess.Popen, log: Path) -> tuple[int, float]:
    """Waits for a command, and prints its progress occasionally. Returns its exit code and its CPU seconds."""
    began = said = time.monotonic()
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            # The command received the signal, too, so this is not a failure of the part.
            if caught and process.returncode != 0:
                raise Interrupted
            return process.returncode, usage.ru_utime + usage.ru_stime
        if caught:
            end(process)
            raise Interrupted
        now = time.monotonic()
        if now - said >= HEARTBEAT:
            said = now
            print(f"   after {now - began:.0f} s: {last_line(log) or 'nothing said yet'}")
        time.sleep(LOOK)


def end(process: subprocess.Popen) -> None:
    """Interrupts a command with all of its children, and waits for them. Those that do not end in time are killed."""
    deadline = time.monotonic() + GRACE
    is_there = signal_group(process, signal.SIGINT)
    while is_there and time.monotonic() < deadline:
        time.sleep(LOOK)
        process.poll()
        is_there = signal_group(process, 0)
    signal_group(process, signal.SIGKILL)
    process.wait()


def signal_group(process: subprocess.Popen, number: int) -> bool:
    """Sends a signal to all processes of a command; returns whether there are any."""
    try:
        os.killpg(process.pid, number)
        return True
    except ProcessLookupError:
        return False


def last_lines(log: Path) -> list[str]:
    """The end of a log."""
    with open(log, "rb") as file:
        file.seek(max(0, log.stat().st_size - SHOWN_BYTES))
        return file.read().decode(errors="replace").splitlines()[-SHOWN_LINES:]


def last_line(log: Path) -> str:
    """The last line of a log that is not blank."""
    return next((line.strip() for line in reversed(last_lines(log)) if line.strip()), "")


def how_it_ended(code: int) -> str:
    """The meaning of an exit code other than 0."""
    return f"it was killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


# ---- A night


@dataclass(frozen=True)
class Night:
    """The context that all parts of one run share."""

    root: Path
    day: date
    fresh: bool
    resume: bool

    @property
    def target(self) -> Path:
        return self.root / os.environ.get("CARGO_TARGET_DIR", "target")

    @property
    def records(self) -> Path:
        """The folder with a record and a log of each part."""
        return self.target / "nightly"

    @property
    def program(self) -> str:
        return str(self.target / "release" / "binade")

    def git(self, *words: str) -> str:
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self) -> str:
        return self.git("rev-parse", "HEAD")

    def changes(self) -> str:
        """Uncommitted changes; empty if there are none."""
        return self.git("status", "--porcelain") + self.git("diff", "HEAD")

    def state(self) -> str:
        """A hash of everything that determines the results: records of another state are not reused."""
        parts = [self.commit(), self.changes(), self.day.isoformat(), str(self.fresh)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def command(self, part: Part) -> list[str]:
        """The arguments of a part's command, with those of this run."""
        kind = KINDS[part.kind]
        words = shlex.split(part.command.format(share=share(self.day), day=number(self.day)))
        program = [self.program if words[0] == "binade" else words[0]]
        json_words = ["--json"] if kind.prints_json else []
        fresh_words = ["--fresh"] if kind.is_suite and self.fresh else []
        resume_words = ["--resume"] if kind.goes_on and self.resume else []
        return program + words[1:] + json_words + fresh_words + resume_words


@dataclass(frozen=True)
class Outcome:
    """The outcome of a part."""

    part: str
    command: str
    # None if its output has no figures.
    figures: Figures | None
    seconds: float
    cpu_seconds: float
    # Why it failed; None if it did not.
    failure: str | None
    # Whether it was finished by an earlier run that this one resumed.
    earlier: bool = False


def earlier_outcome(part: Part, night: Night, state: str) -> Outcome | None:
    """The outcome of an earlier run on the same state, if it succeeded."""
    try:
        record = json.loads(record_of(part, night).read_text())
    except (FileNotFoundError, ValueError):
        return None
    if record["state"] != state or record["outcome"]["failure"]:
        return None
    outcome = Outcome(**record["outcome"])
    return replace(outcome, figures=Figures(**record["outcome"]["figures"]), earlier=True)


def record_of(part: Part, night: Night) -> Path:
    return night.records / f"{part.name}.json"


def write(path: Path, value: object) -> None:
    """Writes JSON to a temporary file and renames it, so that a file is complete or missing."""
    aside = path.with_name(path.name + ".new")
    aside.write_text(json.dumps(value, indent=2) + "\n")
    os.replace(aside, path)


def run_part(part: Part, night: Night, state: str) -> Outcome:
    """Runs a part, prints its outcome, and records it."""
    kind, command = KINDS[part.kind], night.command(part)
    log = night.records / f"{part.name}.log"
    output = night.records / f"{part.name}.out" if kind.prints_json else None
    # If this run is killed from here on, the part is unfinished, whatever an earlier run recorded.
    record_of(part, night).unlink(missing_ok=True)
    print(f"\n== {part.name}: {shlex.join(command)}")
    ended = run(command, night.root, log, output)
    figures, failure = judge(kind, ended.code, text(output) if output else "", text(log))
    outcome = Outcome(part.name, shlex.join(command), figures, ended.seconds, ended.cpu_seconds, failure)
    write(record_of(part, night), {"state": state, "outcome": asdict(outcome)})
    print(last_line(log) if failure is None else failed(part.name, failure, log))
    return outcome


def text(path: Path) -> str:
    return path.read_text(errors="replace")


def failed(name: str, failure: str, log: Path) -> str:
    """The end of the log, and why it is shown."""
    return "\n".join([*last_lines(log), f"{name} failed: {failure}; all of its log is in {log}"])


def judge(kind: Kind, code: int, output: str, log: str) -> tuple[Figures | None, str | None]:
    """The figures of a command, and why it failed."""
    try:
        figures, failure = kind.figures(output, log), None
    except Unreadable as error:
        figures, failure = None, str(error)
    if code != 0:
        failure = how_it_ended(code)
    elif figures and figures.wrong:
        failure = f"{figures.wrong} wrong, though its exit code is 0"
    return figures, failure


# ---- Reports

COLUMNS = ["part", "units", "right", "wrong", "open", "seconds", "CPU seconds"]


def row(outcome: Outcome) -> list[str]:
    """A line of the table."""
    mark = " (failed)" if outcome.failure else " (earlier)" if outcome.earlier else ""
    counts = [str(count) for count in asdict(outcome.figures).values()] if outcome.figures else ["-"] * 4
    return [outcome.part + mark, *counts, f"{outcome.seconds:.1f}", f"{outcome.cpu_seconds:.1f}"]


def totals(outcomes: list[Outcome]) -> dict:
    """The sums of the columns."""
    return {
        **asdict(added([outcome.figures for outcome in outcomes if outcome.figures])),
        "seconds": sum(outcome.seconds for outcome in outcomes),
        "cpu_seconds": sum(outcome.cpu_seconds for outcome in outcomes),
    }


def table(outcomes: list[Outcome]) -> str:
    """One line per part, and one with totals."""
    *counts, seconds, cpu_seconds = totals(outcomes).values()
    parts = f"{len(outcomes)} part{'' if len(outcomes) == 1 else 's'}"
    last = [parts, *map(str, counts), f"{seconds:.1f}", f"{cpu_seconds:.1f}"]
    rows = [COLUMNS, *map(row, outcomes), last]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [aligned(cells, widths) for cells in rows]
    rule = "|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def aligned(cells: list[str], widths: list[int]) -> str:
    """Names to the left, numbers to the right."""
    numbers = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])]
    return "| " + " | ".join([cells[0].ljust(widths[0]), *numbers]) + " |"


def about(night: Night) -> dict:
    """The summary of a run."""
    version = subprocess.run([night.program, "--version"], check=True, capture_output=True, text=True).stdout
    return {
        "date": night.day.isoformat(),
        "share": share(night.day),
        "commit": night.commit(),
        "dirty": bool(night.changes()),
        "fresh": night.fresh,
        # The lines below the first name the commit and the pinned tools.
        "tool": version.partition("\n")[0],
        "cores": len(os.sched_getaffinity(0)),
    }


# ---- The command line


def a_day(word: str) -> date:
    try:
        return date.fromisoformat(word)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"`{word}` is no date such as 2026-01-31") from error


def parse(parts: list[Part], words: list[str]) -> argparse.Namespace:
    description = "Runs the checks that take too long for every change, or the named parts of them."
    parser = argparse.ArgumentParser(prog=".ci/nightly", description=description)
    whose = "the day whose share is checked [default: today, UTC]"
    parser.add_argument("parts", nargs="*", metavar="PART", help="a part to run [default: all]")
    parser.add_argument("--list", action="store_true", help="print the names of all parts, and run none")
    parser.add_argument("--long", action="store_true", help="with --list, say what each part would catch")
    parser.add_argument("--fresh", action="store_true", help="make every verdict anew, those that are known, too")
    parser.add_argument("--resume", action="store_true", help="go on where a run on the same state was killed")
    parser.add_argument("--date", type=a_day, metavar="YYYY-MM-DD", help=whose)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON, too")
    arguments = parser.parse_args(words)
    if arguments.long and not arguments.list:
        parser.error("--long goes with --list")
    for name in arguments.parts:
        refuse_unknown(parts, name)
    return arguments


def refuse_unknown(parts: list[Part], name: str) -> None:
    names = [part.name for part in parts]
    if name not in names:
        [nearest] = difflib.get_close_matches(name, names, n=1, cutoff=0.0)
        message = f"error: no part is named `{name}`; the nearest name is `{nearest}`, and --list prints all"
        print(message, file=sys.stderr)
        raise SystemExit(2)


def listed(parts: list[Part], long: bool) -> str:
    width = max(len(part.name) for part in parts)
    return "\n".join(f"{part.name:{width}}  {part.catches}" if long else part.name for part in parts)


def prepare(night: Night) -> None:
    """Installs tools that are missing, and builds the program."""
    # Parts that need a tool that cannot be installed here fail with a message; the others still run.
    if step("tools", [".ci/tools"], night).code != 0:
        print("not all tools could be installed")
    if step("build", ["cargo", "build", "--quiet", "--release", "--locked"], night).code != 0:
        raise SystemExit("error: the program cannot be built")


def step(name: str, command: list[str], night: Night) -> Ended:
    """Runs a command that is not a part; its log is shown if it fails."""
    log = night.records / f"{name}.log"
    ended = run(command, night.root, log)
    if ended.code != 0:
        print(failed(name, how_it_ended(ended.code), log))
    return ended


def run_all(parts: list[Part], night: Night, outcomes: list[Outcome]) -> None:
    """Runs parts one after the other; `outcomes` has their outcomes even after an interrupt."""
    state = night.state()
    for part in parts:
        known = earlier_outcome(part, night, state) if night.resume else None
        if known:
            print(f"\n== {part.name}: finished by an earlier run")
        outcomes.append(known or run_part(part, night, state))


def conclude(outcomes: list[Outcome], facts: dict, report: Path | None) -> int:
    """Prints and writes the reports; returns the exit code."""
    print(f"\n{table(outcomes)}")
    if report:
        write(report, {**facts, "parts": [asdict(outcome) for outcome in outcomes], "totals": totals(outcomes)})
    for outcome in outcomes:
        if outcome.failure:
            print(f"failed: {outcome.part}: {outcome.failure}")
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def main(parts: list[Part], root: Path) -> int:
    """Runs the command line; returns the exit code."""
    arguments = parse(parts, sys.argv[1:])
    if arguments.list:
        print(listed(parts, arguments.long))
        return 0
    sys.stdout.reconfigure(line_buffering=True)
    catch_signals()
    day = arguments.date or datetime.now(timezone.utc).date()
    night = Night(root, day, arguments.fresh, arguments.resume)
    night.records.mkdir(parents=True, exist_ok=True)
    chosen = [part for part in parts if part.name in arguments.parts or not arguments.parts]
    outcomes: list[Outcome] = []
    try:
        prepare(night)
        facts = about(night)
        print(", ".join(f"{name} {value}" for name, value in facts.items()))
        run_all(chosen, night, outcomes)
    except Interrupted:
        print("\ninterrupted; --resume goes on from here")
        print(table(outcomes))
        return 128 + caught[0]
    return conclude(outcomes, facts, arguments.json)
