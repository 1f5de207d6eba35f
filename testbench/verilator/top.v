// The unit under test below ports with known names, so that the harness need not know the unit's.
module binade_top (
{%- if latency > 0 %}
  input  wire clk,
  input  wire rst_n,
  input  wire en,
  input  wire in_valid,
  output wire out_valid,
{%- endif %}
{%- for input in inputs %}
  input  wire [{{ input.width - 1 }}:0] in{{ loop.index0 }},
{%- endfor %}
{%- for output in outputs %}
  output wire [{{ output.width - 1 }}:0] out{{ loop.index0 }}{% if !loop.last %},{% endif %}
{%- endfor %}
);

  {{ module }} unit (
{%- if latency > 0 %}
    .clk(clk),
    .rst_n(rst_n),
    .en(en),
    .in_valid(in_valid),
    .out_valid(out_valid),
{%- endif %}
{%- for input in inputs %}
    .{{ input.connected() }}(in{{ loop.index0 }}),
{%- endfor %}
{%- for output in outputs %}
    .{{ output.connected() }}(out{{ loop.index0 }}){% if !loop.last %},{% endif %}
{%- endfor %}
  );

endmodule
