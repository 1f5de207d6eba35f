// A wrapper with fixed port names around the unit under test, so that the harness need not know the unit's names. The lanes of
// a port have names of their own in the waves.
module binade_top (
{%- if controls.is_some() %}
  input  wire clk,
  input  wire rst_n,
  input  wire in_valid,
  output wire in_ready,
  output wire out_valid,
  input  wire out_ready,
{%- else if is_clocked %}
  input  wire clk,
  input  wire rst_n,
  input  wire en,
  input  wire in_valid,
  output wire out_valid,
{%- endif %}
{%- if has_besides %}
  input  wire [7:0] beside,
{%- endif %}
{%- if tag_bits > 0 %}
  input  wire [{{ tag_bits - 1 }}:0] tag_in,
  output wire [{{ tag_bits - 1 }}:0] tag_out,
{%- endif %}
{%- for input in inputs %}
  input  wire [{{ input.width - 1 }}:0] in{{ loop.index0 }},
{%- endfor %}
{%- for output in outputs %}
  output wire [{{ output.width - 1 }}:0] out{{ loop.index0 }}{% if !loop.last %},{% endif %}
{%- endfor %}
);

{%- if let Some(packed) = packed %}
  wire [{{ packed.width - 1 }}:0] results;
{%- for bits in packed.received %}
  assign out{{ loop.index0 }} = {{ bits }};
{%- endfor %}

{%- endif %}
  {{ module }} unit (
{%- if let Some(controls) = controls %}
    .{{ controls.clock }}(clk),
    .{{ controls.reset }}(rst_n),
    .{{ controls.in_valid }}(in_valid),
    .{{ controls.in_ready }}(in_ready),
    .{{ controls.out_valid }}(out_valid),
    .{{ controls.out_ready }}(out_ready),
{%- else if is_clocked %}
    .clk(clk),
    .rst_n(rst_n),
    .en(en),
    .in_valid(in_valid),
    .out_valid(out_valid),
{%- endif %}
{%- if has_besides %}
    .beside(beside),
{%- endif %}
{%- if tag_bits > 0 %}
    .tag_in(tag_in),
    .tag_out(tag_out),
{%- endif %}
{%- if let Some(packed) = packed %}
    .{{ packed.operands }}({ {{- packed.sent -}} }),
    .{{ packed.results }}(results)
{%- else %}
{%- for input in inputs %}
    .{{ input.connected() }}(in{{ loop.index0 }}),
{%- endfor %}
{%- for output in outputs %}
    .{{ output.connected() }}(out{{ loop.index0 }}){% if !loop.last %},{% endif %}
{%- endfor %}
{%- endif %}
  );
{%- for port in inputs %}
{%- let index = loop.index0 %}
{%- for (name, high, low) in port.lane_ranges() %}
  wire [{{ high - low }}:0] {{ name }} = in{{ index }}[{{ high }}:{{ low }}];
{%- endfor %}
{%- endfor %}
{%- for port in outputs %}
{%- let index = loop.index0 %}
{%- for (name, high, low) in port.lane_ranges() %}
  wire [{{ high - low }}:0] {{ name }} = out{{ index }}[{{ high }}:{{ low }}];
{%- endfor %}
{%- endfor %}

endmodule
