// A million random vectors for a multiply-accumulate unit, checked against the golden model by DPI-C.
module example_tb;
  import binade_pkg::*;

  localparam int VECTORS = 1000000;

  reg  [7:0]  a, b;
  reg  [15:0] c;
  wire [15:0] y;

  fmac_e5m2b1_acc_binary16_rne dut (.a(a), .b(b), .c(c), .y(y));

  initial begin
    chandle unit;
    int     wrong;
    unit = binade_open("unit=fmac format=e5m2b1 acc=binary16");
    if (unit == null) $fatal(1, "%s", binade_error());
    wrong = 0;
    for (int vector = 0; vector < VECTORS; vector++) begin
      a = 8'($urandom);
      b = 8'($urandom);
      c = 16'($urandom);
      #1;
      if (64'(y) != binade_eval(unit, 64'(a), 64'(b), 64'(c), 0)
          || binade_eval_output(unit, 0, 64'(a), 64'(b), 64'(c), 0) != 64'(y)) begin
        wrong++;
        if (wrong <= 10) $display("a %h b %h c %h: got %h", a, b, c, y);
      end
    end
    binade_close(unit);
    $display("%0d of %0d vectors are wrong", wrong, VECTORS);
    if (wrong > 0) $fatal(1, "the unit is not what the golden model says");
    $finish;
  end
endmodule
