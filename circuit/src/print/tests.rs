//! Tests the text of clocked modules with state; `sim/tests/it/state.rs` tests it with tools.

use super::{Heading, print, print_pipelined};
use crate::pipeline::Pipeline;
use crate::tests::machines::MACHINES;
use crate::{Circuit, Language, Reset};

/// The lines of the module's body.
fn body(verilog: &str) -> Vec<&str> {
    let lines = verilog.lines().skip_while(|line| *line != ");").skip(1);
    lines.take_while(|line| *line != "endmodule").filter(|line| !line.is_empty()).map(|line| &line[2..]).collect()
}

fn heading() -> Heading<'static> {
    Heading { name: "sum", commands: &[], about: &[], language: Language::Verilog, reset: Reset::Sync }
}

#[test]
fn state_without_stages() {
    let verilog = print(&MACHINES[1].netlist(), &heading());
    let header = [
        "// State, with its value after a reset; operands that are taken (in_valid and en high) change it:",
        "//   total [15:0] = 16'd0: sum of the operands since the last clear",
    ];
    assert_eq!(verilog.lines().skip_while(|line| !line.starts_with("// State")).take(2).collect::<Vec<_>>(), header);
    assert!(verilog.contains("// active-low synchronous reset: drops operations, clears state"), "{verilog}");
    let wanted = [
        "// State",
        "// total: sum of the operands since the last clear",
        "reg  [15:0] total;",
        "wire [15:0] sum = {8'd0, x} + (total & {16{~clear}});",
        "// State for the next operands",
        "always @(posedge clk) begin",
        "  if (!rst_n) begin",
        "    total <= 16'd0;",
        "  end else if (en && in_valid) begin",
        "    total <= sum;",
        "  end",
        "end",
        "assign y0 = sum;",
        "assign out_valid = in_valid;",
    ];
    assert_eq!(body(&verilog), wanted);
}

#[test]
fn systemverilog_has_its_own_words() {
    let text = print(&MACHINES[1].netlist(), &Heading { language: Language::SystemVerilog, ..heading() });
    let wanted = [
        "  logic [15:0] total;\n\n  wire [15:0] sum = {8'd0, x} + (total & {16{~clear}});",
        "  always_ff @(posedge clk) begin\n    if (!rst_n) begin\n      total <= 16'd0;",
    ];
    for wanted in wanted {
        assert!(text.contains(wanted), "no `{wanted}` in\n{text}");
    }
}

#[test]
fn vhdl_declares_above_and_computes_with_numbers() {
    let text = print(&MACHINES[1].netlist(), &Heading { language: Language::Vhdl, ..heading() });
    let wanted = [
        "--   total(15 downto 0) = 16d\"0\": sum of the operands since the last clear",
        "architecture rtl of sum is\n  -- State\n  -- total: sum of the operands since the last clear\n  \
         signal total : unsigned(15 downto 0);\n  signal sum   : unsigned(15 downto 0);\nbegin\n",
        "  sum <= unsigned'(8d\"0\" & unsigned(x)) + (total and unsigned'(15 downto 0 => not clear));",
        "  process (clk)\n  begin\n    if rising_edge(clk) then\n      if rst_n = '0' then\n        total <= 16d\"0\";\n      \
         elsif en = '1' and in_valid = '1' then\n        total <= sum;\n      end if;\n    end if;\n  end process;",
        "  y0 <= std_logic_vector(sum);\n  out_valid <= in_valid;",
    ];
    for wanted in wanted {
        assert!(text.contains(wanted), "no `{wanted}` in\n{text}");
    }
}

/// A register that is reset asynchronously has the falling edge of the reset among its events, in a statement of its own; others do not.
#[test]
fn resets_can_be_asynchronous() {
    let of_state = |language| print(&MACHINES[1].netlist(), &Heading { language, reset: Reset::Async, ..heading() });
    let wanted = [
        (
            Language::Verilog,
            "  always @(posedge clk or negedge rst_n) begin\n    if (!rst_n) begin\n      total <= 16'd0;\n    end else if (en && in_valid) begin\n",
        ),
        (Language::SystemVerilog, "  always_ff @(posedge clk or negedge rst_n) begin\n    if (!rst_n) begin\n"),
        (
            Language::Vhdl,
            "  process (clk, rst_n)\n  begin\n    if rst_n = '0' then\n      total <= 16d\"0\";\n    elsif rising_edge(clk) then\n      \
             if en = '1' and in_valid = '1' then\n        total <= sum;\n      end if;\n    end if;\n  end process;",
        ),
    ];
    for (language, wanted) in wanted {
        let text = of_state(language);
        assert!(text.contains(wanted), "no `{wanted}` in\n{text}");
        assert!(text.contains("asynchronous reset") && !text.contains("active-low synchronous"), "{text}");
    }
    let circuit = Circuit::new();
    let y = {
        let x = circuit.input("x", 8, "");
        x.add(x).named("double").add(x).node()
    };
    let netlist = circuit.finish(&[("y", y, String::new())]);
    let text = print_pipelined(&netlist, &Pipeline::new(&netlist, 1), &Heading { reset: Reset::Async, ..heading() });
    let of_valid = "always @(posedge clk or negedge rst_n) begin\n    if (!rst_n) valid_s1 <= 1'b0;\n    else if (en) valid_s1 <= in_valid;\n  end\n";
    assert!(text.contains(of_valid), "{text}");
    assert_eq!(
        (text.matches("negedge rst_n").count(), text.matches("always @(posedge clk) begin").count()),
        (1, 1),
        "{text}"
    );
}

/// A choice is not an expression in VHDL: as an operand it needs a name, after `else` it does not.
#[test]
fn vhdl_names_choices_that_are_operands() {
    let circuit = Circuit::new();
    let (y, z) = {
        let [a, b] = ["a", "out"].map(|name| circuit.input(name, 4, ""));
        let [s, t] = ["s", "t"].map(|name| circuit.input(name, 1, ""));
        (t.select(a, b).add(a).node(), s.select(b, t.select(a.add(b), a)).node())
    };
    let netlist = circuit.finish(&[("y", y, String::new()), ("z", z, String::new())]);
    let text = print(&netlist, &Heading { language: Language::Vhdl, ..heading() });
    assert!(text.contains(" <= unsigned(a) when t else unsigned(\\out\\);"), "{text}");
    assert!(text.contains("  z <= \\out\\ when s else std_logic_vector("), "{text}");
    assert_eq!(text.matches(" when ").count(), 3, "{text}");
}

/// A port can have any name: keywords of the language are escaped.
#[test]
fn ports_that_are_called_like_keywords_are_escaped() {
    let identifiers = |name: &str| Language::ALL.map(|language| language.identifier(name));
    assert_eq!(identifiers("rand"), ["\\rand ", "\\rand ", "rand"]);
    assert_eq!(identifiers("out"), ["out", "out", "\\out\\"]);
    assert_eq!(identifiers("random_bits"), ["random_bits"; 3]);
}

/// The valid bit of a register's segment enables the register.
#[test]
fn state_behind_ranks() {
    let netlist = MACHINES.last().expect("a sum of products").netlist();
    let pipeline = Pipeline::new(&netlist, 3);
    let segment = pipeline.state_segments[0];
    assert!(segment > 0);
    let verilog = print_pipelined(&netlist, &pipeline, &heading());
    assert!(verilog.contains(&format!("  end else if (en && valid_s{segment}) begin")), "{verilog}");
    assert_eq!(verilog.matches("always @(posedge clk)").count(), 4, "{verilog}");
}

/// The next value of a register is named after the register if it has no name; reset values can have any width.
#[test]
fn next_values_have_names() {
    let circuit = Circuit::new();
    let y = {
        let x = circuit.input("x", 200, "");
        let wide = circuit.wide_register("wide", 200, (crate::ones(1) << 199) + 5_u32, "");
        let next = wide.add(x);
        circuit.drive(wide, next);
        (next.bit(3) & next.bit(150)).node()
    };
    let verilog = print(&circuit.finish(&[("y", y, String::new())]), &heading());
    let reset = format!("200'h8{}5", "0".repeat(48));
    assert!(verilog.contains(&format!("      wide <= {reset};")), "{verilog}");
    assert!(verilog.contains("      wide <= wide_next;"), "{verilog}");
}

/// A sum with a constant in the upper half is printed as a difference, except the constant that only changes the top
/// bit.
#[test]
fn sums_of_constants_in_the_upper_half_are_differences() {
    let circuit = Circuit::new();
    let outputs = {
        let x = circuit.input("x", 6, "");
        let sum = |constant: u128| x.add(circuit.constant(constant, 6)).node();
        [63, 33, 32, 31].map(sum)
    };
    let named = ["p", "q", "r", "s"].into_iter().zip(outputs).map(|(name, node)| (name, node, String::new()));
    let netlist = circuit.finish(&named.collect::<Vec<_>>());
    let text = |language| print(&netlist, &Heading { language, ..heading() });
    for wanted in ["p = x - 6'd1;", "q = x - 6'd31;", "r = x + 6'd32;", "s = x + 6'd31;"] {
        assert!(text(Language::Verilog).contains(wanted), "no `{wanted}` in {}", text(Language::Verilog));
    }
    let wanted = "p <= std_logic_vector(unsigned(x) - 6d\"1\");";
    assert!(text(Language::Vhdl).contains(wanted), "no `{wanted}` in {}", text(Language::Vhdl));
}
