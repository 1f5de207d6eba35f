  initial begin
    list_vectors;
    wrong = 0;
    for (index = 0; index < VECTORS; index = index + 1) begin
      { {%- for port in inputs %}{{ port.net() }}, {% endfor %}{% for output in outputs %}want_{{ output.port.name }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[index];
      #10;
      if ({% for output in outputs %}{{ output.differs("") }}{% if !loop.last %} || {% endif %}{% endfor %}) begin
        wrong = wrong + 1;
        $display("vector %0d: {% for port in inputs %}{{ port.name }} 0x%h{% if !loop.last %}, {% endif %}{% endfor %}{% for output in outputs %}; {{ output.port.name }} is 0x%h, want 0x%h{% endfor %}", index
{%- for port in inputs %}, {{ port.net() }}{% endfor %}{% for output in outputs %}, {{ output.port.net() }}, want_{{ output.port.name }}{% endfor %});
      end
    end
    judge;
  end
