// A sequential dot product: at each clock with in_valid, acc becomes a * b + acc, rounded once.
`default_nettype none

module mac (
  input  wire        clk,
  input  wire        clear,
  input  wire        in_valid,
  input  wire [7:0]  a,
  input  wire [7:0]  b,
  output reg  [15:0] acc
);

  wire [15:0] next;

  Fp8Mac unit (
    .a(a),
    .b(b),
    .c(acc),
    .y(next)
  );

  always @(posedge clk) begin
    if (clear) acc <= 16'h0000;
    else if (in_valid) acc <= next;
  end

endmodule

`default_nettype wire
