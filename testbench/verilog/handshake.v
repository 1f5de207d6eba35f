  localparam LATENCY = {{ latency }};
  // The first pass over the vectors is back to back; in the others both sides pause {% if is_foreign %}in patterns, and in some of them{% else %}occasionally, and{% endif %} there are resets.
  localparam PASSES = {% if is_foreign %}2048{% else %}8{% endif %};
  // After this many clocks without a result, one was lost.
  localparam PATIENCE = LATENCY + 4096;
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
{%- if ports.besides > 0 %}
  // Whether the operations in flight are of vectors, from the first to the last.
  reg        flight [0:4095];
  integer    first;
  integer    last;
  reg        is_other;
  reg        is_ours;
{%- endif %}
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
{%- if ports.besides > 0 %}
    first = 0;
    last = 0;
    is_other = 0;
    is_ours = 1;
    pass = 0;
{%- endif %}
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
{%- if is_foreign %}
        else drive(pass % 64 < 8 && random[9:4] == 0{% if has_state %} && arrived % SEQUENCE < 8{% endif %}, pattern(pass, random[1:0]), pattern(pass / 5, random[3:2]));
{%- else %}
        else drive(random[9:4] == 0{% if has_state %} && arrived % SEQUENCE < 8{% endif %}, random[1:0] != 0, random[3:2] != 0);
{%- endif %}
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

{%- if is_foreign %}

  // Whether a side offers or takes in this clock.
  function pattern(input integer kind, input [1:0] bits);
    case (kind % 5)
      0: pattern = 1;
      1: pattern = bits != 0;
      2: pattern = bits[0];
      3: pattern = cycle % 64 < 20;
      default: pattern = cycle % 8 < 3;
    endcase
  endfunction
{%- endif %}

  // Sets the inputs before a clock edge. Operands that were not taken are offered again; if none are offered, they are junk.
  task drive(input resets, input offers, input takes);
    begin
      rst_n = !resets;
{%- if ports.besides > 0 %}
      if (!was_refused) noise = {noise[{{ bits - want_bits - 1 }}:0], $urandom};
      if (!was_refused) is_other = pass != 0 && offers && random[18:17] == 0;
      beside = is_other ? (was_refused ? beside : 1 + random[31:24] % BESIDES) : 0;
{%- endif %}
      in_valid = (offers || was_refused) && !resets && {% if ports.besides > 0 %}(is_other || sent < may_send){% else %}sent < may_send{% endif %}{% if ports.startup > 0 %} && starting == 0{% endif %};
      out_ready = {% if ports.has_out_ready %}takes{% else %}1{% endif %};
      index = sent < VECTORS ? sent : 0;
      { {%- for port in inputs %}{{ port.net() }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[index][{{ bits - 1 }}:{{ want_bits }}];
      if (!in_valid) { {%- for port in inputs %}{{ port.net() }}{% if !loop.last %}, {% endif %}{% endfor -%} } = ~vectors[index][{{ bits - 1 }}:{{ want_bits }}];
{%- if ports.besides > 0 %}
      if (in_valid && is_other) { {%- for port in inputs %}{{ port.net() }}{% if !loop.last %}, {% endif %}{% endfor -%} } = noise[{{ bits - want_bits - 1 }}:0];
{%- endif %}
    end
  endtask

  // Checks the outputs, then makes a clock edge.
  task clock;
    begin
      #10;
      index = arrived < VECTORS ? arrived : 0;
{%- if ports.besides > 0 %}
      is_ours = first != last ? flight[first % 4096] : !is_other;
{%- endif %}
      { {%- for port in inputs %}sent_{{ port.name }}, {% endfor %}{% for output in outputs %}want_{{ output.port.name }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[index];
      if (^{in_ready, out_valid} === 1'bx) begin
        wrong = wrong + 1;
        $display("clock %0d: in_ready is %b, out_valid %b", cycle, in_ready, out_valid);
      end else if (rst_n && was_offered && !out_valid) begin
        wrong = wrong + 1;
        $display("clock %0d: results that were offered are gone, and were not taken", cycle);
      end else if (rst_n && out_valid && {% if ports.besides > 0 %}first == last{% else %}arrived >= sent{% endif %} && !(in_valid && (in_ready || !out_ready))) begin
        wrong = wrong + 1;
        $display("clock %0d: results are offered, and no operands were", cycle);
      end else if (rst_n && out_valid && {% if ports.besides > 0 %}is_ours && {% endif %}({% for output in outputs %}{{ output.differs("sent_") }}{% if !loop.last %} || {% endif %}{% endfor %})) begin
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
{%- if ports.besides > 0 %}
        flight[last % 4096] = !is_other;
        last = last + is_taken;
        first = first + is_gone;
        sent = sent + (is_taken && !is_other);
        arrived = arrived + (is_gone && is_ours);
      end else begin
        first = last;
{%- else %}
        sent = sent + is_taken;
        arrived = arrived + is_gone;
      end else begin
{%- endif %}
{%- if has_state %}
        arrived = arrived - arrived % SEQUENCE;
{%- endif %}
        sent = arrived;
      end
    end
  endtask
