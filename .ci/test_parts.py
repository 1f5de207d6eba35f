"""Tests of `.ci/nightly` and of its machinery, with mock commands: `python3 -m unittest discover -s .ci`."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from datetime import date, timedelta
from pathlib import Path

import parts
from parts import KINDS, SHARES, Figures, Unreadable, share

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

NO_BUILD = "#!/bin/sh\n"

# Prints a report of two units; unless resumed, `binade slow` first waits to be killed.
PROGRAM = """#!/bin/sh
case "$*" in
  --version) echo "binade 0.0.0"; exit ;;
  *slow*--resume*) ;;
  *slow*) echo $$ >slow-began; sleep 60 ;;
  *broken*) seq 50 >&2; exit 3 ;;
  *silent*) exit 0 ;;
esac
echo "said of $*" >&2
echo '{"totals": {"units": 2, "right": 2, "wrong": 0, "errors": 0, "not_run": 0}}'
"""

NIGHTLY = """
import sys
from pathlib import Path
import parts
from parts import Part, main

parts.HEARTBEAT, parts.LOOK = 0.2, 0.01
PARTS = [
    Part("quick", "verification", "binade quick --shard {share}", "Nothing."),
    Part("slow", "verification", "binade slow", "Nothing."),
    Part("broken", "verification", "binade broken", "Nothing."),
    Part("silent", "verification", "binade silent", "Nothing."),
    Part("absent", "tests", "./absent", "Nothing."),
    Part("count", "tests", "echo 'test result: ok. 3 passed; 0 failed; 0 ignored;'", "Nothing."),
    Part("random", "fuzz", "binade random --seed {day}", "Nothing."),
    Part("patient", "tests",
         "sh -c 'echo waits; sleep 0.5; echo \\"test result: ok. 1 passed; 0 failed;\\"'", "Nothing."),
]
sys.exit(main(PARTS, Path(__file__).resolve().parent.parent))
"""


class Checkout:
    """A repository with a list of parts, and mocks of the program and of cargo."""

    def __init__(self, root: Path):
        self.root = root
        self.records = root / "target" / "nightly"
        path = f"{root}/bin:{os.environ['PATH']}"
        self.environment = {"PATH": path, "HOME": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
        for folder in (".ci", "bin", "target/release"):
            (root / folder).mkdir(parents=True)
        shutil.copy(HERE / "parts.py", root / ".ci")
        (root / ".ci/nightly").write_text(NIGHTLY)
        (root / ".gitignore").write_text("/target\n/slow-began\n")
        for path, text in [(".ci/tools", NO_BUILD), ("bin/cargo", NO_BUILD), ("target/release/binade", PROGRAM)]:
            (root / path).write_text(text)
            (root / path).chmod(0o755)
        for words in ["init --quiet", "add .", "-c user.name=n -c user.email=e commit --quiet --message all"]:
            subprocess.run(["git", *words.split()], cwd=root, env=self.environment, check=True)

    def start(self, *words: str) -> subprocess.Popen:
        command = [sys.executable, ".ci/nightly", *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.root, env=self.environment, stdout=pipe, stderr=pipe, text=True)

    def run(self, *words: str) -> tuple[int, str, str]:
        process = self.start(*words)
        output, errors = process.communicate()
        return process.returncode, output, errors


class InACheckout(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkout = Checkout(Path(folder.name))

    def report(self, *words: str) -> dict:
        """The JSON of a run."""
        file = self.checkout.root / "target" / "report.json"
        self.checkout.run("--json", str(file), *words)
        return json.loads(file.read_text())

    def start_slow(self, *words: str) -> subprocess.Popen:
        """A run of `quick` and `slow` that has reached `slow`."""
        process = self.checkout.start(*words, "quick", "slow")
        deadline = time.monotonic() + 20
        began = self.checkout.root / "slow-began"
        while not (began.exists() and began.read_text().endswith("\n")):
            self.assertLess(time.monotonic(), deadline, "`slow` does not begin")
            time.sleep(0.02)
        return process


class Reports(InACheckout):
    def test_a_table_is_aligned_and_ends_with_totals(self):
        code, output, _ = self.checkout.run("quick", "count")
        self.assertEqual(code, 0, output)
        lines = output.strip().splitlines()[-5:]
        self.assertEqual(len({len(line) for line in lines}), 1, output)
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        self.assertEqual(cells[0], ["part", "units", "right", "wrong", "open", "seconds", "CPU seconds"])
        self.assertEqual([row[:5] for row in cells[2:]], [
            ["quick", "2", "2", "0", "0"],
            ["count", "3", "3", "0", "0"],
            ["2 parts", "5", "5", "0", "0"],
        ])

    def test_json_says_what_was_run_and_on_what(self):
        report = self.report("--date", "1970-01-03", "quick", "count")
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.checkout.root, capture_output=True, text=True)
        self.assertEqual(report["date"], "1970-01-03")
        self.assertEqual(report["share"], "3/8")
        self.assertEqual(report["commit"], commit.stdout.strip())
        self.assertEqual((report["dirty"], report["fresh"], report["tool"]), (False, False, "binade 0.0.0"))
        self.assertGreaterEqual(report["cores"], 1)
        quick, count = report["parts"]
        self.assertTrue(quick["command"].endswith("target/release/binade quick --shard 3/8 --json"), quick)
        self.assertEqual(quick["figures"], {"units": 2, "right": 2, "wrong": 0, "open": 0})
        self.assertEqual((quick["failure"], quick["earlier"], count["part"]), (None, False, "count"))
        self.assertEqual(report["totals"]["units"], 5)
        self.assertGreaterEqual(report["totals"]["cpu_seconds"], quick["cpu_seconds"])

    def test_records_and_logs_are_where_cargo_builds(self):
        os.renames(self.checkout.root / "target", self.checkout.root / "elsewhere")
        self.checkout.environment["CARGO_TARGET_DIR"] = "elsewhere"
        code, output, _ = self.checkout.run("quick")
        self.assertEqual(code, 0, output)
        files = {file.name for file in (self.checkout.root / "elsewhere/nightly").iterdir()}
        self.assertLessEqual({"quick.json", "quick.log", "quick.out"}, files)

    def test_a_change_makes_it_dirty(self):
        (self.checkout.root / "new").touch()
        self.assertTrue(self.report("quick")["dirty"])

    def test_fresh_is_for_suites(self):
        quick, count = self.report("--fresh", "quick", "count")["parts"]
        self.assertTrue(quick["command"].endswith(" --json --fresh"), quick)
        self.assertNotIn("--fresh", count["command"])

    def test_the_day_is_the_seed_of_what_is_random(self):
        [random] = self.report("--fresh", "--resume", "--date", "2026-01-31", "random")["parts"]
        self.assertTrue(random["command"].endswith("target/release/binade random --seed 20484 --json"), random)
        self.assertEqual(random["figures"], {"units": 2, "right": 2, "wrong": 0, "open": 0})

    def test_what_begins_and_what_takes_long_is_said(self):
        _, output, _ = self.checkout.run("patient")
        self.assertRegex(output, r"(?m)^== patient: sh -c ")
        self.assertRegex(output, r"(?m)^ +after \d s: waits$")


class Failures(InACheckout):
    def test_a_part_that_fails_shows_its_log_and_the_others_run(self):
        code, output, _ = self.checkout.run("broken", "count")
        self.assertEqual(code, 1)
        shown = "\n".join(str(number) for number in range(11, 51))
        self.assertRegex(output, rf"--json\n{shown}\nbroken failed: exit code 3;")
        self.assertRegex(output, r"\| broken \(failed\) +\| +- \|")
        self.assertRegex(output, r"\| count +\| +3 \|")
        self.assertTrue(output.endswith("failed: broken: exit code 3\n"), output)

    def test_a_part_without_figures_fails(self):
        code, output, _ = self.checkout.run("silent")
        self.assertEqual(code, 1)
        self.assertIn("silent failed: its output does not say how it went", output)

    def test_a_command_that_is_not_there_fails(self):
        code, output, _ = self.checkout.run("absent", "count")
        self.assertEqual(code, 1)
        self.assertIn("No such file", output)
        self.assertIn("failed: absent: exit code 127", output)

    def test_wrong_units_fail_whatever_the_exit_code(self):
        output = json.dumps({"totals": {"units": 2, "right": 1, "wrong": 1, "errors": 0, "not_run": 0}})
        figures, failure = parts.judge(KINDS["verification"], 0, output, "")
        self.assertEqual((figures.wrong, failure), (1, "1 wrong, though its exit code is 0"))

    def test_open_proofs_fail_with_their_figures(self):
        totals = {"units": 3, "proven": 2, "wrong": 0, "open": 1, "errors": 0, "not_run": 0}
        figures, failure = parts.judge(KINDS["proofs"], 4, json.dumps({"totals": totals}), "")
        self.assertEqual((figures, failure), (Figures(3, 2, 0, 1), "exit code 4"))

    def test_nothing_runs_without_a_build(self):
        (self.checkout.root / "bin/cargo").write_text("#!/bin/sh\necho no compiler\nexit 101\n")
        code, output, errors = self.checkout.run("quick")
        self.assertEqual((code, errors), (1, "error: the program cannot be built\n"))
        self.assertIn("no compiler\nbuild failed: exit code 101", output)


class Resuming(InACheckout):
    def test_an_interrupt_ends_the_command_and_shows_what_was_done(self):
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            process = self.start_slow()
            process.send_signal(number)
            output, errors = process.communicate()
            self.assertEqual((process.returncode, errors), (code, ""))
            self.assertRegex(output, r"\| quick +\| +2 \|")
            self.assertRegex(output, r"\| 1 part +\| +2 \|")
            began = self.checkout.root / "slow-began"
            with self.assertRaises(ProcessLookupError):
                os.kill(int(began.read_text()), 0)
            began.unlink()

    def test_a_signal_to_the_command_as_well_is_an_interrupt(self):
        process = self.start_slow()
        group = int((self.checkout.root / "slow-began").read_text())
        process.send_signal(signal.SIGTERM)
        os.killpg(group, signal.SIGTERM)
        process.communicate()
        self.assertEqual(process.returncode, 143)

    def test_what_is_finished_is_taken_over_and_what_was_killed_goes_on(self):
        process = self.start_slow("--date", "2026-01-01")
        process.send_signal(signal.SIGINT)
        process.communicate()
        seconds = json.loads((self.checkout.records / "quick.json").read_text())["outcome"]["seconds"]
        report = self.report("--date", "2026-01-01", "--resume", "quick", "slow", "count")
        quick, slow, count = report["parts"]
        self.assertEqual((quick["earlier"], quick["seconds"]), (True, seconds))
        self.assertNotIn("--resume", quick["command"])
        self.assertEqual((slow["earlier"], slow["failure"]), (False, None))
        self.assertTrue(slow["command"].endswith(" slow --json --resume"), slow)
        self.assertNotIn("--resume", count["command"])

    def test_what_is_taken_over_is_marked(self):
        self.checkout.run("quick")
        self.assertRegex(self.checkout.run("--resume", "quick")[1], r"\| quick \(earlier\) +\| +2 \|")

    def test_without_resume_all_is_run_anew(self):
        self.checkout.run("quick")
        self.assertFalse(self.report("quick")["parts"][0]["earlier"])

    def test_what_failed_is_run_again(self):
        self.checkout.run("broken")
        self.assertFalse(self.report("--resume", "broken")["parts"][0]["earlier"])

    def test_another_state_takes_nothing_over(self):
        def is_taken_over(*words: str) -> bool:
            return self.report("--resume", *words, "quick")["parts"][0]["earlier"]

        first = ["--date", "2026-01-01"]
        self.checkout.run(*first, "quick")
        self.assertTrue(is_taken_over(*first))
        self.assertFalse(is_taken_over(*first, "--fresh"))
        self.assertFalse(is_taken_over("--date", "2026-01-02"))
        self.checkout.run(*first, "quick")
        with open(self.checkout.root / ".ci/tools", "a") as file:
            file.write("# changed\n")
        self.assertFalse(is_taken_over(*first))
        self.assertTrue(is_taken_over(*first))
        (self.checkout.root / "new").touch()
        self.assertFalse(is_taken_over(*first))

    def test_a_damaged_record_is_not_used(self):
        self.checkout.run("quick")
        (self.checkout.records / "quick.json").write_text("{")
        self.assertFalse(self.report("--resume", "quick")["parts"][0]["earlier"])

    def test_a_run_that_is_killed_leaves_no_record_of_one_before(self):
        self.checkout.run("--resume", "slow")
        self.assertTrue((self.checkout.records / "slow.json").exists())
        process = self.start_slow()
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertFalse((self.checkout.records / "slow.json").exists())


class KindsOfFigures(unittest.TestCase):
    def refuse(self, kind: str, output: str, log: str = ""):
        with self.assertRaises(Unreadable):
            KINDS[kind].figures(output, log)

    def test_verification(self):
        totals = {"units": 9, "right": 5, "wrong": 1, "errors": 1, "not_run": 2, "earlier": 0, "vectors": 100}
        read = KINDS["verification"].figures
        self.assertEqual(read(json.dumps({"version": "0", "totals": totals}), ""), Figures(9, 5, 1, 3))
        self.refuse("verification", json.dumps({"totals": {**totals, "units": 8}}))
        self.refuse("verification", json.dumps({"totals": dict.fromkeys(totals, 0)}))
        for output in ["", "null", "[]", "{}", '{"totals": null}', '{"totals": {"units": 1}}', "9 units, 9 right"]:
            self.refuse("verification", output)

    def test_proofs(self):
        totals = {"units": 9, "proven": 3, "wrong": 1, "open": 2, "errors": 1, "not_run": 2, "cases": 5}
        self.assertEqual(KINDS["proofs"].figures(json.dumps({"totals": totals}), ""), Figures(9, 3, 1, 5))
        for name in ["units", "proven", "wrong", "open", "errors", "not_run"]:
            self.refuse("proofs", json.dumps({"totals": {key: totals[key] for key in totals if key != name}}))

    def test_mutants(self):
        survivor = {"mutant": "gate 3 stuck at 0", "vector": [1, 2]}
        first = {"module": "a", "possible": 9, "mutants": 9, "killed": 5, "equivalent": 2}
        first |= {"survived": [survivor], "undecided": ["gate 4"]}
        second = {"module": "b", "possible": 2, "mutants": 2, "killed": 2, "equivalent": 0}
        second |= {"survived": [], "undecided": []}
        read = KINDS["mutants"].figures
        self.assertEqual(read(json.dumps([first, second]), ""), Figures(11, 9, 1, 1))
        for name in ["mutants", "killed", "equivalent", "survived", "undecided"]:
            self.refuse("mutants", json.dumps([first, {key: second[key] for key in second if key != name}]))
        self.refuse("mutants", "[]")

    def test_measurements(self):
        output = json.dumps([{"module": name, "target": "ice40"} for name in "abc"])
        against = "against `quality.json`: {} figures worse by more than 2 %, 0 better\n"
        worse = "worse: b, ice40: cells 10 -> 12 (+20.0 %)\nworse: b, ice40: depth 3 -> 4 (+33.3 %)\n"
        read = KINDS["measurements"].figures
        self.assertEqual(read(output, against.format(0)), Figures(3, 3, 0, 0))
        self.assertEqual(read(output, worse + against.format(2)), Figures(3, 2, 1, 0))
        self.refuse("measurements", output, "3 units measured")
        self.refuse("measurements", json.dumps({"families": [], "reports": []}), against.format(0))

    def test_fuzz(self):
        totals = {"units": 9, "right": 8, "wrong": 1, "refused": 30, "too_large": 2}
        read = KINDS["fuzz"].figures
        self.assertEqual(read(json.dumps({"seed": 1, "totals": totals, "findings": [{}]}), ""), Figures(9, 8, 1, 0))
        self.refuse("fuzz", json.dumps({"totals": {**totals, "units": 0, "right": 0, "wrong": 0}}))
        self.refuse("fuzz", json.dumps({"totals": {**totals, "right": 9}}))
        self.refuse("fuzz", "no fault found in 9 units, seed 1, in 300 s")

    def test_tests(self):
        log = (
            "running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 7 ignored; 0 measured; 1 filtered out\n\n"
            "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n"
        )
        self.assertEqual(KINDS["tests"].figures("", log), Figures(6, 5, 1, 0))
        self.refuse("tests", "", "test result: ok. 0 passed; 0 failed; 9 ignored; 0 measured\n")
        self.refuse("tests", "", "")

    def test_cluster(self):
        log = "Slurm 22 runs\narray: 4 tasks, one requeued, one killed, as on one machine: 97 lines\n"
        self.assertEqual(KINDS["cluster"].figures("", log), Figures(1, 1, 0, 0))
        self.refuse("cluster", "", "Slurm 22 runs\n")


class TheList(unittest.TestCase):
    """Of `.ci/nightly` itself."""

    def nightly(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([HERE / "nightly", *words], capture_output=True, text=True)

    def setUp(self):
        self.names = self.nightly("--list").stdout.splitlines()

    def test_names_are_single_words_and_each_is_there_once(self):
        self.assertGreater(len(self.names), 20)
        self.assertEqual(len(set(self.names)), len(self.names))
        for name in self.names:
            self.assertRegex(name, r"^[a-z0-9]+(-[a-z0-9]+)*$")

    def test_each_part_says_in_a_sentence_what_it_would_catch(self):
        lines = self.nightly("--list", "--long").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], self.names)
        sentences = [line.split(maxsplit=1)[1] for line in lines]
        self.assertEqual(len(set(sentences)), len(sentences))
        for sentence in sentences:
            self.assertRegex(sentence, r"^[A-Z].*\.$")

    def test_an_unknown_part_is_refused_with_the_nearest_name(self):
        run = self.nightly("prooofs-printed")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(run.stderr, r"^error: .*`prooofs-printed`.*`proofs-printed`.*\n$")

    def test_a_date_that_is_none_is_refused(self):
        run = self.nightly("--date", "tomorrow", "proofs")
        self.assertEqual(run.returncode, 2)
        self.assertIn("`tomorrow` is no date such as 2026-01-31", run.stderr)

    def test_commands_name_files_and_kinds_that_are_there(self):
        text = (HERE / "nightly").read_text()
        for kind in re.findall(r'Part\("[a-z0-9-]+", "([a-z]+)",', text):
            self.assertIn(kind, KINDS)
        self.assertEqual(len(re.findall(r"Part\(", text)), len(self.names))
        for name in re.findall(r"testbench/suites/[a-z]+\.(?:toml|json)", text):
            self.assertTrue((ROOT / name).exists(), name)


class TheShareOfADay(unittest.TestCase):
    def test_as_many_days_in_a_row_as_there_are_shares_cover_all(self):
        for first in [date(1970, 1, 1), date(2026, 12, 28)]:
            days = [first + timedelta(days=number) for number in range(SHARES)]
            self.assertEqual({share(day) for day in days}, {f"{number}/{SHARES}" for number in range(1, SHARES + 1)})

    def test_a_date_has_one_share(self):
        self.assertEqual(share(date(1970, 1, 1)), "1/8")
        self.assertEqual(share(date(1970, 1, 9)), "1/8")
        self.assertEqual(share(date(1970, 1, 8)), "8/8")


class WhoRunsThem(unittest.TestCase):
    """The build server and Slurm take the parts from the list."""

    def test_the_workflow(self):
        workflow = (ROOT / ".github/workflows/nightly.yml").read_text()
        self.assertIn(".ci/nightly --list", workflow)
        self.assertIn("fail-fast: false", workflow)
        self.assertRegex(workflow, r"\.ci/nightly --fresh --date \S+ .*--json \S+ ")

    def test_the_array_of_slurm(self):
        array = (ROOT / "examples/cluster/nightly.sbatch").read_text()
        self.assertIn(".ci/nightly --list", array)
        self.assertIn(".ci/nightly --resume --json ", array)


if __name__ == "__main__":
    unittest.main()
