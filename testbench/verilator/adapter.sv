// Gives {{ top }} the ports of the unit that it should compute.
`default_nettype none
module {{ name }} (
{%- if is_probe %}
  input  wire clk,
  input  wire rst_n,
{%- else if taking.is_some() %}
  input  wire clk,
  input  wire rst_n,
  input  wire in_valid,
  output wire in_ready,
  output wire out_valid,
  input  wire out_ready,
{%- if tag_bits > 0 %}
  input  wire [{{ tag_bits - 1 }}:0] tag_in,
  output wire [{{ tag_bits - 1 }}:0] tag_out,
{%- endif %}
{%- else if is_clocked %}
  input  wire clk,
  input  wire rst_n,
  input  wire en,
  input  wire in_valid,
  output wire out_valid,
{%- endif %}
{%- if has_besides %}
  // 0: the operation that is checked; else another one.
  input  wire [7:0] beside,
{%- endif %}
{%- for port in inputs %}
  input  wire [{{ port.width - 1 }}:0] {{ port.net() }},
{%- endfor %}
{%- for port in outputs %}
  output wire [{{ port.width - 1 }}:0] {{ port.net() }}{% if !loop.last %},{% endif %}
{%- endfor %}
);
{%- if is_probe %}
  wire en = 1'b1;
  wire in_valid = 1'b1;
  wire out_valid;
  wire {{ clock }} = clk;
{%- else if is_clocked %}
  wire {{ clock }} = clk;
{%- endif %}
{%- match taking %}
{%- when Some(Taking::Busy) %}
  wire busy;
  assign in_ready = !busy;
{%- when Some(Taking::OneByOne) %}
  // It does not say when it takes operands: one operation after the other.
  reg  pending;
  wire starts = in_valid && !pending;
  assign in_ready = !pending;
  always @(posedge clk) pending <= rst_n && (pending || in_valid) && !(out_valid && out_ready);
{%- when _ %}
{%- endmatch %}
{%- if is_clocked && !wiring.ports.has_out_valid %}
  // It has no valid output; results arrive after its latency.
{%- if latency == 0 %}
  assign out_valid = in_valid;
{%- else %}
  reg  [{{ latency - 1 }}:0] valid;
  wire [{{ latency }}:0] shifted = {valid, in_valid};
  always @(posedge clk)
    if (!rst_n) valid <= {{ latency }}'d0;
    else if (en) valid <= shifted[{{ latency - 1 }}:0];
  assign out_valid = valid[{{ latency - 1 }}];
{%- endif %}
{%- endif %}
{%- for (_, bit) in wiring.missing_flags %}
  // A flag that it does not have.
  assign flags[{{ bit }}] = 1'b0;
{%- endfor %}
{% for port in ports %}
{%- if !port.is_ignored && port.whole.is_none() %}
  wire [{{ port.width - 1 }}:0] dut_{{ port.name }};
{%- for (range, ours) in port.pieces %}
{%- if let Some(never) = port.never %}
  assign {{ ours }} = dut_{{ port.name }}[{{ never }}] ? ~dut_{{ port.name }}{{ range }} : dut_{{ port.name }}{{ range }};
{%- else if port.is_output %}
  assign {{ ours }} = dut_{{ port.name }}{{ range }};
{%- else %}
  assign dut_{{ port.name }}{{ range }} = {{ ours }};
{%- endif %}
{%- endfor %}
{%- endif %}
{%- endfor %}
{%- if let Some(never) = wiring.never %}
  // A unit without division must never raise the flag for a division by zero.
{%- if is_netlist || has_besides %}
  // If it does, its flags are inverted, and so wrong.
{%- else if is_clocked && !is_probe %}
  // Its registers may hold anything until {% if wiring.ports.has_reset %}a reset{% else %}operands have come through{% endif %}.
`ifndef SYNTHESIS
  reg  [5:0] known = 6'd0;
  always @(posedge clk) begin
    if (!rst_n) known <= 6'd{{ latency + 1 }};
{%- if !wiring.ports.has_reset %}
    else if (en && known != 6'd{{ latency + 1 }}) known <= known + 6'd1;
{%- endif %}
    if (rst_n && known == 6'd{{ latency + 1 }} && out_valid && dut_{{ never.theirs }}[{{ never.low }}])
      $error("the flag for a division by zero is 1");
  end
`endif
{%- else if !is_clocked %}
  always @*
    if (dut_{{ never.theirs }}[{{ never.low }}]) $error("the flag for a division by zero is 1");
{%- endif %}
{%- endif %}

  {{ top }}
{%- if !parameters.is_empty() %} #(
{%- for (parameter, value) in parameters %}
    .{{ parameter }}({{ value }}){% if !loop.last %},{% endif %}
{%- endfor %}
  )
{%- endif %} dut (
{%- for port in ports %}
{%- if port.is_ignored %}
    .{{ port.name }}(){% if !loop.last %},{% endif %}
{%- else if let Some(whole) = port.whole %}
    .{{ port.name }}({{ whole }}){% if !loop.last %},{% endif %}
{%- else %}
    .{{ port.name }}(dut_{{ port.name }}){% if !loop.last %},{% endif %}
{%- endif %}
{%- endfor %}
  );

endmodule
`default_nettype wire
