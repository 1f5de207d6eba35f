// The golden model of Binade for SystemVerilog testbenches, by DPI-C; binade.h describes the functions.
package binade_pkg;

  import "DPI-C" function chandle binade_open(input string words);
  import "DPI-C" function string binade_error();
  import "DPI-C" pure function longint unsigned binade_eval(
    input chandle unit,
    input longint unsigned a,
    input longint unsigned b,
    input longint unsigned c,
    input longint unsigned d
  );
  import "DPI-C" pure function int unsigned binade_outputs(input chandle unit);
  import "DPI-C" pure function longint unsigned binade_eval_output(
    input chandle unit,
    input int unsigned index,
    input longint unsigned a,
    input longint unsigned b,
    input longint unsigned c,
    input longint unsigned d
  );
  import "DPI-C" function void binade_close(input chandle unit);

endpackage
