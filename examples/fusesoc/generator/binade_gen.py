"""FuseSoC's generator for Binade: parameters become options of `binade gen`, its files become a core."""

import json
import os
import shutil
import subprocess
import sys

import yaml

BINADE = os.environ.get("BINADE", "binade")

# File name extensions of constraints, and their types in FuseSoC.
CONSTRAINTS = {".pcf": "PCF", ".lpf": "LPF"}

# File name extensions of units, their types in FuseSoC, and the simulator of their benches with its options.
LANGUAGES = {
    ".v": ("verilogSource-2005", {"tool": "icarus"}),
    ".sv": ("systemVerilogSource", {"tool": "icarus", "iverilog_options": ["-g2012"]}),
    ".vhd": ("vhdlSource-2008", {"tool": "ghdl", "analyze_options": ["--std=08"]}),
}


def refuse(message):
    sys.exit(f"binade_gen.py: {message}")


def binade(*words):
    """The output of Binade, or its error message."""
    try:
        run = subprocess.run([BINADE, *words], capture_output=True, text=True)
    except OSError as error:
        refuse(f"cannot run `{BINADE}`: {error.strerror}; put binade on PATH, or its place into $BINADE")
    if run.returncode != 0:
        refuse(run.stderr.strip())
    return run.stdout


def check_version(expected):
    """Checks the version, which must be a parameter, since FuseSoC caches generated files under a hash of the parameters."""
    version = binade("--version").splitlines()[0]
    if expected != version:
        refuse(f"this is {version}; write `version: {version}` in the parameters, which are the key of FuseSoC's cache")


def options(parameters):
    """The options of `binade gen` for the parameters."""
    words = []
    for key, value in parameters.items():
        if value is True:
            words.append(f"--{key}")
        elif value is not False:
            words += [f"--{key}", str(value)]
    return words


def main(path):
    with open(path) as file:
        request = yaml.safe_load(file)
    parameters = dict(request.get("parameters") or {})
    check_version(parameters.pop("version", None))
    vectors, board = parameters.pop("testbench", None), parameters.pop("board", None)
    words = options(parameters)
    if vectors:
        words += ["--testbench", "--vectors", str(vectors)]
    unit = json.loads(binade("gen", *words, "--json", "--out", "."))

    module = unit["module"]
    files = [os.path.relpath(file) for file in unit["files"]]
    benches = [file for file in files if file.startswith(f"{module}_tb")]
    [ending] = {os.path.splitext(file)[1] for file in files} & set(LANGUAGES)
    file_type, simulator = LANGUAGES[ending]
    rtl = [file for file in files if file.endswith(ending) and file not in benches]
    data = [file for file in files if not file.endswith(ending)]
    core = {
        "name": request["vlnv"],
        "description": unit["command"],
        "filesets": {
            "rtl": {"files": rtl, "file_type": file_type},
            "data": {"files": data, "file_type": "user"},
        },
        "targets": {"default": {"filesets": ["rtl"], "toplevel": module}},
    }
    if benches:
        core["filesets"]["tb"] = {
            "files": [{file: {"file_type": file_type, "tags": ["simulation"]}} for file in benches]
        }
        # A target of another core has the testbench, too, if it sets the flag `testbench`.
        core["targets"]["default"]["filesets"] += ["testbench? (tb)", "testbench? (data)"]
        core["targets"]["sim"] = {
            "filesets": ["rtl", "tb", "data"],
            "toplevel": f"{module}_tb",
            "flow": "sim",
            "flow_options": simulator,
        }
    if board:
        core["filesets"]["constraints"] = constraints(board)
        core["targets"]["default"]["filesets"].append("constraints")
    with open(request["vlnv"].split(":")[2] + ".core", "w") as file:
        file.write("CAPI=2:\n")
        yaml.safe_dump(core, file, sort_keys=False)


def constraints(board):
    """A copy of the constraints of a board from Binade's source tree."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "constraints")
    for folder, _, names in os.walk(root):
        for name in names:
            stem, ending = os.path.splitext(name)
            if ending in CONSTRAINTS and board in (stem, os.path.basename(folder)):
                shutil.copy(os.path.join(folder, name), name)
                return {"files": [name], "file_type": CONSTRAINTS[ending]}
    refuse(f"there are no constraints for the board `{board}`; ice40-hx8k, icebreaker and ulx3s have some")


if __name__ == "__main__":
    main(sys.argv[1])
