  localparam LATENCY = {{ latency }};
  // The first pass over the vectors is back to back; in the others both sides pause occasionally, and there are resets.
  localparam PASSES = 8;
  // After this many clocks without a result, one was lost.
  localparam PATIENCE = LATENCY + 1000;
{%- if ports.startup > 0 %}
  // Clock cycles after a reset in which no operands are offered.
  localparam STARTUP = {{ ports.startup }};
{%- endif %}
{%- if has_state %}
  // Vectors per sequence. A sequence starts with a reset; another reset starts it again.
  localparam SEQUENCE = {{ sequence }};
{%- endif %}

  integer    sent;     // vectors that were taken
  integer    arrived;  // vectors whose results were taken
  integer    may_send; // vectors that may be sent
  integer    quiet;    // clocks since results were taken
{%- if ports.startup > 0 %}
  integer    starting; // clocks until operands are offered
{%- endif %}
  reg        was_refused;
  reg        was_offered;
  reg        is_taken;
  reg        is_gone;
  reg [31:0] random;
  integer    pass;
  integer    cycle;

{%- for port in inputs %}
  reg  [{{ port.width - 1 }}:0] sent_{{ port.name }};
{%- endfor %}

  initial begin
    list_vectors;
    wrong = 0;
    cycle = 0;
    random = 32'h2545f491;
    clk = 0;
    sent = 0;
    arrived = 0;
    may_send = 0;
    quiet = 0;
{%- if ports.startup > 0 %}
    starting = STARTUP;
{%- endif %}
    was_refused = 0;
    was_offered = 0;
    drive(1, 0, 0);
    rise;
    for (pass = 0; pass < PASSES; pass = pass + 1) begin
      sent = 0;
      arrived = 0;
      while (arrived < VECTORS) begin
{%- if has_state %}
        if (arrived % SEQUENCE == 0 && arrived == sent) begin
          drive(1, 0, 0);
          clock;
        end
        may_send = (arrived / SEQUENCE + 1) * SEQUENCE;
        if (may_send > VECTORS) may_send = VECTORS;
{%- else %}
        may_send = VECTORS;
{%- endif %}
        random = random ^ (random << 13);
        random = random ^ (random >> 17);
        random = random ^ (random << 5);
        if (pass == 0) drive(0, 1, 1);
        else drive(random[9:4] == 0{% if has_state %} && arrived % SEQUENCE < 8{% endif %}, random[1:0] != 0, random[3:2] != 0);
        clock;
      end
    end
    // No result may follow the last one.
    for (pass = 0; pass <= LATENCY + 40; pass = pass + 1) begin
      drive(0, 0, 1);
      clock;
    end
    judge;
  end

  // Sets the inputs before a clock edge. Operands that were not taken are offered again; if none are offered, they are junk.
  task drive(input resets, input offers, input takes);
    begin
      rst_n = !resets;
      in_valid = (offers || was_refused) && !resets && sent < may_send{% if ports.startup > 0 %} && starting == 0{% endif %};
      out_ready = {% if ports.has_out_ready %}takes{% else %}1{% endif %};
      index = sent < VECTORS ? sent : 0;
      { {%- for port in inputs %}{{ port.net() }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[index][{{ bits - 1 }}:{{ want_bits }}];
      if (!in_valid) { {%- for port in inputs %}{{ port.net() }}{% if !loop.last %}, {% endif %}{% endfor -%} } = ~vectors[index][{{ bits - 1 }}:{{ want_bits }}];
    end
  endtask

  // Checks the outputs, then makes a clock edge.
  task clock;
    begin
      #10;
      index = arrived < VECTORS ? arrived : 0;
      { {%- for port in inputs %}sent_{{ port.name }}, {% endfor %}{% for output in outputs %}want_{{ output.port.name }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[index];
      if (^{in_ready, out_valid} === 1'bx) begin
        wrong = wrong + 1;
        $display("clock %0d: in_ready is %b, out_valid %b", cycle, in_ready, out_valid);
      end else if (rst_n && was_offered && !out_valid) begin
        wrong = wrong + 1;
        $display("clock %0d: results that were offered are gone, and were not taken", cycle);
      end else if (rst_n && out_valid && arrived >= sent + (in_valid && in_ready)) begin
        wrong = wrong + 1;
        $display("clock %0d: results are offered, and no operands were", cycle);
      end else if (rst_n && out_valid && ({% for output in outputs %}{{ output.differs("sent_") }}{% if !loop.last %} || {% endif %}{% endfor %})) begin
        wrong = wrong + 1;
        $display("clock %0d, vector %0d: {% for port in inputs %}{{ port.name }} 0x%h{% if !loop.last %}, {% endif %}{% endfor %}{% for output in outputs %}; {{ output.port.name }} is 0x%h, want 0x%h{% endfor %}", cycle, arrived
{%- for port in inputs %}, sent_{{ port.name }}{% endfor %}{% for output in outputs %}, {{ output.port.net() }}, want_{{ output.port.name }}{% endfor %});
      end
      rise;
      if (quiet > PATIENCE) begin
        wrong = wrong + 1;
        $display("clock %0d: no results of vector %0d", cycle, arrived);
        judge;
      end
    end
  endtask

  task rise;
    begin
      is_taken = rst_n && in_valid && in_ready;
      is_gone = rst_n && out_valid && out_ready;
      was_refused = rst_n && in_valid && !in_ready;
      was_offered = rst_n && out_valid && !out_ready;
      clk = 1;
      #10 clk = 0;
      cycle = cycle + 1;
      quiet = is_gone || arrived >= VECTORS ? 0 : quiet + 1;
{%- if ports.startup > 0 %}
      starting = !rst_n ? STARTUP : starting > 0 ? starting - 1 : 0;
{%- endif %}
      if (rst_n) begin
        sent = sent + is_taken;
        arrived = arrived + is_gone;
      end else begin
{%- if has_state %}
        arrived = arrived - arrived % SEQUENCE;
{%- endif %}
        sent = arrived;
      end
    end
  endtask
