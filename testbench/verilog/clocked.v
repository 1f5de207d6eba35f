  localparam LATENCY = {{ latency }};
{%- if interval > 1 %}
  // Operands that are taken before the results of others are due replace these.
  reg     is_running;
{%- endif %}
  // The first pass over the vectors is back to back{% if let Some(disturbances) = disturbances %}; the others have {{ disturbances }}{% endif %}.
  localparam PASSES = {% if ports.besides > 0 %}2048{% else %}8{% endif %};
{%- if has_state %}
  // Vectors per sequence. A sequence starts with a reset; another reset starts it again.
  localparam SEQUENCE = {{ sequence }};
{%- endif %}

  // The expected content of the ranks: whether they hold a vector, and which. Rank 0 stands for the inputs.
  reg     valid [0:LATENCY];
  integer which [0:LATENCY];
{%- if ports.besides > 0 %}
  reg     ours  [0:LATENCY];
  reg     is_other;
{%- endif %}

{%- for port in inputs %}
  reg  [{{ port.width - 1 }}:0] sent_{{ port.name }};
{%- endfor %}
{%- for output in outputs %}
  reg  [{{ output.port.width - 1 }}:0] last_{{ output.port.name }};
{%- endfor %}
  reg        was_stalled;
  reg        is_junk;
{%- if has_state %}
  reg        is_reset;
{%- endif %}
  reg [31:0] random;
{%- if ports.startup > 0 %}
  // The unit takes no operands in the first clocks after a reset.
  localparam STARTUP = {{ ports.startup }};
  integer    starting;
{%- endif %}
  integer    pass;
  integer    rank;
  integer    cycle;

  initial begin
    list_vectors;
    wrong = 0;
    cycle = 0;
    random = 32'h2545f491;
    was_stalled = 0;
{%- if has_state %}
    is_reset = 0;
{%- endif %}
{%- if ports.startup > 0 %}
    starting = STARTUP;
{%- endif %}
    clk = 0;
    index = 0;
    for (rank = 0; rank <= LATENCY; rank = rank + 1) begin
      valid[rank] = 0;
      which[rank] = 0;
{%- if ports.besides > 0 %}
      ours[rank] = 1;
{%- endif %}
    end
    drive(1, 1, 1);
    #10 rise;
    for (pass = 0; pass < PASSES; pass = pass + 1) begin
      index = 0;
      while (index < VECTORS) begin
{%- if has_state %}
        if (index % SEQUENCE == 0 && !is_reset) restart;
{%- endif %}
{%- if interval > 1 %}
        is_running = 0;
        for (rank = 1; rank < LATENCY; rank = rank + 1) is_running = is_running || valid[rank];
        if (pass == 0) drive(0, 1, !is_running);
{%- else %}
        if (pass == 0) drive(0, 1, 1);
{%- endif %}
        else begin
          random = random ^ (random << 13);
          random = random ^ (random >> 17);
          random = random ^ (random << 5);
          drive({% if ports.has_reset %}random[9:4] == 0{% if has_state %} && index % SEQUENCE < 8{% endif %}{% else %}0{% endif %}, {% if ports.has_enable %}random[1:0] != 0{% else %}1{% endif %}, {% if has_bubbles %}random[3:2] != 0{% else %}1{% endif %}{% if interval > 1 %} && (!is_running || random[15:10] == 0){% endif %});
        end
        clock;
      end
    end
    index = 0;
    for (pass = 0; pass <= LATENCY; pass = pass + 1) begin
      drive(0, 1, 0);
      clock;
    end
    judge;
  end

  // Sets the inputs before a clock edge. If no vector goes in, the operands are junk.
  task drive(input resets, input enables, input offers);
    begin
      rst_n = !resets;
      en = enables;
      in_valid = offers{% if ports.startup > 0 %} && starting == 0{% endif %} || !enables || resets;
      { {%- for port in inputs %}{{ port.net() }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[index][{{ bits - 1 }}:{{ want_bits }}];
      is_junk = resets || !enables || !offers{% if ports.startup > 0 %} || starting > 0{% endif %};
{%- if ports.besides > 0 %}
      noise = {noise[{{ bits - want_bits - 1 }}:0], $urandom};
      is_other = !resets && enables && pass != 0 && random[18:17] == 0{% if ports.startup > 0 %} && starting == 0{% endif %};
      if (is_other) begin
        in_valid = 1;
        is_junk = 1;
      end
      beside = is_other ? 1 + random[31:24] % BESIDES : 0;
      ours[0] = !is_other;
{%- endif %}
      valid[0] = in_valid;
      which[0] = index;
      if (is_junk) { {%- for port in inputs %}{{ port.net() }}{% if !loop.last %}, {% endif %}{% endfor -%} } = ~vectors[index][{{ bits - 1 }}:{{ want_bits }}];
{%- if ports.besides > 0 %}
      if (is_other) { {%- for port in inputs %}{{ port.net() }}{% if !loop.last %}, {% endif %}{% endfor -%} } = noise[{{ bits - want_bits - 1 }}:0];
{%- endif %}
    end
  endtask

{%- if has_state %}

  // Empties the unit and resets it.
  task restart;
    begin
      repeat (LATENCY) begin
        drive(0, 1, 0);
        clock;
      end
      drive(1, 1, 1);
      clock;
    end
  endtask
{%- endif %}

  // Checks the outputs, then makes a clock edge.
  task clock;
    begin
      #10;
      { {%- for port in inputs %}sent_{{ port.name }}, {% endfor %}{% for output in outputs %}want_{{ output.port.name }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[which[LATENCY]];
      if (out_valid !== valid[LATENCY]) begin
        wrong = wrong + 1;
        $display("clock %0d: out_valid is %b, want %b", cycle, out_valid, valid[LATENCY]);
      end else if (valid[LATENCY] && {% if ports.besides > 0 %}ours[LATENCY] && {% endif %}{% if latency == 0 %}!is_junk && {% endif %}({% for output in outputs %}{{ output.differs("sent_") }}{% if !loop.last %} || {% endif %}{% endfor %})) begin
        wrong = wrong + 1;
        $display("clock %0d, vector %0d: {% for port in inputs %}{{ port.name }} 0x%h{% if !loop.last %}, {% endif %}{% endfor %}{% for output in outputs %}; {{ output.port.name }} is 0x%h, want 0x%h{% endfor %}", cycle, which[LATENCY]
{%- for port in inputs %}, sent_{{ port.name }}{% endfor %}{% for output in outputs %}, {{ output.port.net() }}, want_{{ output.port.name }}{% endfor %});
{%- if latency > 0 %}
      end else if (was_stalled && ({% for output in outputs %}{{ output.port.net() }} !== last_{{ output.port.name }}{% if !loop.last %} || {% endif %}{% endfor %})) begin
        wrong = wrong + 1;
        $display("clock %0d: the outputs have changed while en was low", cycle);
{%- endif %}
      end
{%- for output in outputs %}
      last_{{ output.port.name }} = {{ output.port.net() }};
{%- endfor %}
      rise;
    end
  endtask

  task rise;
    begin
      clk = 1;
      #10 clk = 0;
      cycle = cycle + 1;
      was_stalled = !en{% if has_state %} && rst_n{% endif %};
{%- if ports.startup > 0 %}
      if (!rst_n) starting = STARTUP;
      else if (en && starting > 0) starting = starting - 1;
{%- endif %}
      if (en) begin
{%- if interval > 1 %}
        if (in_valid) for (rank = 1; rank < LATENCY; rank = rank + 1) valid[rank] = 0;
{%- endif %}
        for (rank = LATENCY; rank > 0; rank = rank - 1) begin
          valid[rank] = valid[rank-1];
          which[rank] = which[rank-1];
{%- if ports.besides > 0 %}
          ours[rank] = ours[rank-1];
{%- endif %}
        end
      end
      if (!rst_n) begin
        for (rank = 1; rank <= LATENCY; rank = rank + 1) valid[rank] = 0;
{%- if has_state %}
        index = index - index % SEQUENCE;
        is_reset = 1;
      end else if (en && in_valid) begin
        index = index + 1;
        is_reset = 0;
      end
{%- else %}
      end else if (en && in_valid{% if ports.besides > 0 %} && !is_other{% endif %}) index = index + 1;
{%- endif %}
    end
  endtask
