// The unit under test below ports with known names, so that the harness need not know the unit's.
module binade_top (
{%- for input in inputs %}
  input  wire [{{ input.width - 1 }}:0] in{{ loop.index0 }},
{%- endfor %}
  output wire [{{ output.width - 1 }}:0] out
);

  {{ module }} unit (
{%- for input in inputs %}
    .{{ input.name }}(in{{ loop.index0 }}),
{%- endfor %}
    .{{ output.name }}(out)
  );

endmodule
