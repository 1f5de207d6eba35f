// Cells of Yosys whose results are x for some inputs; such results become undriven wires.

(* techmap_celltype = "$shiftx" *)
module binade_shiftx (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  localparam WIDTH = (B_WIDTH > 32 ? B_WIDTH : 32) + 2;

  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  wire [Y_WIDTH-1:0] shifted;
  wire [Y_WIDTH-1:0] undefined;
  wire [WIDTH-1:0] first = {{WIDTH - B_WIDTH{B_SIGNED != 0 && B[B_WIDTH-1]}}, B};
  \$shift #(
    .A_SIGNED(0),
    .B_SIGNED(B_SIGNED),
    .A_WIDTH(A_WIDTH),
    .B_WIDTH(B_WIDTH),
    .Y_WIDTH(Y_WIDTH)
  ) shift (
    .A(A),
    .B(B),
    .Y(shifted)
  );
  generate
    genvar i;
    for (i = 0; i < Y_WIDTH; i = i + 1) begin : bits
      wire [WIDTH-1:0] place = first + i;
      assign Y[i] = place < A_WIDTH ? shifted[i] : undefined[i];
    end
  endgenerate
endmodule

(* techmap_celltype = "$div $mod $divfloor $modfloor" *)
module binade_divide (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CELLTYPE_ = "";

  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  wire [Y_WIDTH-1:0] divided;
  wire [Y_WIDTH-1:0] undefined;
  generate
    if (_TECHMAP_CELLTYPE_ == "$div")
      \$div #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) divide (.A(A), .B(B), .Y(divided));
    else if (_TECHMAP_CELLTYPE_ == "$mod")
      \$mod #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) divide (.A(A), .B(B), .Y(divided));
    else if (_TECHMAP_CELLTYPE_ == "$divfloor")
      \$divfloor #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) divide (.A(A), .B(B), .Y(divided));
    else
      \$modfloor #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) divide (.A(A), .B(B), .Y(divided));
  endgenerate
  assign Y = B == 0 ? undefined : divided;
endmodule

(* techmap_celltype = "$pmux" *)
module binade_several (A, B, S, Y);
  parameter WIDTH = 1;
  parameter S_WIDTH = 1;

  input [WIDTH-1:0] A;
  input [WIDTH*S_WIDTH-1:0] B;
  input [S_WIDTH-1:0] S;
  output [WIDTH-1:0] Y;

  wire [WIDTH-1:0] chosen;
  wire [WIDTH-1:0] undefined;
  \$pmux #(.WIDTH(WIDTH), .S_WIDTH(S_WIDTH)) choose (.A(A), .B(B), .S(S), .Y(chosen));
  assign Y = |(S & (S - 1'b1)) ? undefined : chosen;
endmodule
