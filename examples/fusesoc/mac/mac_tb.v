// 1.5 * 2 four times is 12, and 4 * 0.25 more makes 13; without in_valid the sum does not change.
module mac_tb;

  reg        clk = 1'b0;
  reg        clear = 1'b1;
  reg        in_valid = 1'b0;
  reg  [7:0] a = 8'h42;
  reg  [7:0] b = 8'h44;
  wire [15:0] acc;

  mac dut (
    .clk(clk),
    .clear(clear),
    .in_valid(in_valid),
    .a(a),
    .b(b),
    .acc(acc)
  );

  always #5 clk = ~clk;

  initial begin
    repeat (2) @(negedge clk);
    clear = 1'b0;
    in_valid = 1'b1;
    repeat (4) @(negedge clk);
    a = 8'h48;
    b = 8'h38;
    @(negedge clk);
    in_valid = 1'b0;
    repeat (3) @(negedge clk);
    if (acc !== 16'h4a80) begin
      $display("FAIL: acc is 0x%h, not 0x4a80", acc);
      $fatal;
    end
    $display("PASS: acc is 13.0");
    $finish;
  end

endmodule
