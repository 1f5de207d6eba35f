  initial begin
    list_vectors;
    wrong = 0;
{%- if ports.besides > 0 %}
    beside = 0;
{%- endif %}
    for (index = 0; index < VECTORS; index = index + 1) begin
      { {%- for port in inputs %}{{ port.net() }}, {% endfor %}{% for output in outputs %}want_{{ output.port.name }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[index];
{%- if ports.besides > 0 %}
      beside = 1 + index % BESIDES;
      #10 beside = 0;
{%- endif %}
      #10;
      if ({% for output in outputs %}{{ output.differs("") }}{% if !loop.last %} || {% endif %}{% endfor %}) begin
        wrong = wrong + 1;
        $display("vector %0d: {% for port in inputs %}{{ port.name }} 0x%h{% if !loop.last %}, {% endif %}{% endfor %}{% for output in outputs %}; {{ output.port.name }} is 0x%h, want 0x%h{% endfor %}", index
{%- for port in inputs %}, {{ port.net() }}{% endfor %}{% for output in outputs %}, {{ output.port.net() }}, want_{{ output.port.name }}{% endfor %});
      end
    end
    judge;
  end
