"""Units, and modules in their place, are verified and proven from Python."""


import pytest

import binade

RIGHT = """
module mine (input [3:0] a, input [3:0] b, input mode, output [3:0] result);
  wire [3:0] y;
  mul_e2m1f_rne unit (.a(a), .b(b), .y(y));
  assign result = mode ? 4'd0 : y;
endmodule
"""


@pytest.fixture
def mine(tmp_path):
    """A function that writes a module around the generated unit, changed."""
    generated = binade.generate("mul", "e2m1f")

    def write(before="", after=""):
        path = tmp_path / "mine.v"
        assert before in RIGHT
        path.write_text(generated.verilog + RIGHT.replace(before, after) if before else generated.verilog + RIGHT)
        return {"verilog": path, "top": "mine", "ports": {"y": "result"}, "ties": {"mode": 0}}

    return write


def test_generated_units_are_right_and_proven():
    checked = binade.verify("add", "e4m3fn", stages=1, vectors=1000, seed=7)
    assert (checked.verdict, checked.checked, checked.exhaustive) == ("right", 1000, False)
    assert checked.is_right and checked.report["seed"] == 7 and checked.report["schema"] >= 1
    assert "agrees with the golden model" in checked.text
    proof = binade.prove("add", "e4m3fn", stages=1)
    assert (proof.verdict, proof.input_bits, proof.is_proven) == ("proven", 16, True)
    assert proof.cases > 1 and proof.subject == "the circuit" and "rank" in proof.text


def test_a_proof_has_a_limit():
    proof = binade.prove("fmac", "binary32", within=0.01)
    assert proof.verdict == "open" and proof.open and not proof.is_proven


def test_a_right_module_is_right_and_proven(mine):
    checked = binade.verify("mul", "e2m1f", **mine())
    assert (checked.module, checked.verdict, checked.checked) == ("mine", "right", 256)
    proof = binade.prove("mul", "e2m1f", **mine())
    assert (proof.module, proof.verdict) == ("mine", "proven")


def test_a_wrong_module_is_wrong_in_both(mine, tmp_path):
    # Wrong for one of 256 pairs of operands.
    wrong = mine("mode ? 4'd0 : y", "(a == 4'd3 && b == 4'd5) ? y ^ 4'd1 : y")
    checked = binade.verify("mul", "e2m1f", out=tmp_path / "out", waves=False, **wrong)
    assert checked.verdict == "wrong" and not checked.is_right
    assert checked.mismatch is not None and "--replay" in checked.replay
    assert [path.name for path in (tmp_path / "out").iterdir() if path.name.endswith("_tb.v")]
    proof = binade.prove("mul", "e2m1f", **wrong)
    assert proof.verdict == "wrong"
    assert [value["value"] for value in proof.counterexample["inputs"]] == ["0x3", "0x5"]


def test_lanes_judge_the_file_and_nothing_in_its_place(tmp_path):
    text = binade.generate("mul", "e2m1f").verilog
    path = tmp_path / "mul.v"
    path.write_text(text)
    with pytest.raises(ValueError, match="add --netlist generic"):
        binade.verify("mul", "e2m1f", verilog=path, engine="lanes")
    lanes = {"engine": "lanes", "netlist": "printed", "verilog": path}
    assert binade.verify("mul", "e2m1f", **lanes).verdict == "right"
    last = text.rindex("assign ")
    path.write_text(text[:last] + text[last:].replace("= ", "= 4'd1 ^ ", 1))
    assert binade.verify("mul", "e2m1f", **lanes).verdict == "wrong"
    with pytest.raises(ValueError, match="give both"):
        binade.verify("mul", "e2m1f", engine="verilator", netlist="ice40")
    with pytest.raises(ValueError, match="must be simulated"):
        binade.verify("mul", "e2m1f", interface="axi-stream")


def test_a_module_that_ends_its_process_has_no_verdict(mine):
    files = mine("assign result", "initial $finish;\n  assign result")
    stopped = binade.verify("mul", "e2m1f", **files)
    assert stopped.verdict == "wrong"
    files = mine("assign result", "initial $c(\"_exit(0);\");\n  assign result")
    with pytest.raises(ValueError):
        binade.verify("mul", "e2m1f", **files)
    with pytest.raises(RuntimeError) as error:
        binade.verify("mul", "e2m1f", allow_system_tasks=True, **files)
    assert "before it had a verdict" in str(error.value)


def test_a_module_that_does_not_answer_is_wrong(mine):
    endless = """reg [3:0] once; integer i;
  always @(*) begin i = 0; once = 0; while (i < 4 || a == 4'h5) begin
    once = once | (y & (4'h1 << i)); if (a != 4'h5) i = i + 1; end end
  assign result = once;"""
    files = mine("assign result = mode ? 4'd0 : y;", endless)
    hangs = binade.verify("mul", "e2m1f", timeout=1, **files)
    assert hangs.verdict == "wrong" and "no answer for 1 s" in hangs.scope


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"verilog": "nowhere.v"}, "nowhere.v"),
        ({"nan": "any"}, "verilog"),
        ({"policies": ["ftz"]}, "verilog"),
        ({"policies": ["flush"]}, "policies"),
        ({"engine": "fast"}, "engine"),
        ({"netlist": "asic"}, "asic"),
        ({"stages": 99}, "99"),
        ({"no_such_setting": 1}, "no-such-setting"),
    ],
)
def test_what_cannot_be_judged_is_refused(options, why):
    with pytest.raises((ValueError, OSError)) as error:
        binade.verify("mul", "e2m1f", **options)
    assert why in str(error.value)


def test_a_suite_is_proven(tmp_path, monkeypatch):
    monkeypatch.setenv("BINADE_HOME", str(tmp_path / "home"))
    path = tmp_path / "suite.toml"
    path.write_text('[[unit]]\nformat = ["e5m2", "posit8_1"]\nunit = "add"\n')
    first, second = binade.prove_suite(path), binade.prove_suite(path)
    assert [unit.verdict for unit in first.units] == ["proven", "proven"] and first.is_right
    assert (first.totals["known"], second.totals["known"]) == (0, 2)
