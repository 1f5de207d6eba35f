  initial begin
    list_vectors;
    wrong = 0;
    for (index = 0; index < VECTORS; index = index + 1) begin
      { {%- for port in inputs %}{{ port.net() }}, {% endfor %}{% for port in outputs %}want_{{ port.name }}{% if !loop.last %}, {% endif %}{% endfor -%} } = vectors[index];
      #10;
      if ({% for port in outputs %}{{ port.net() }} !== want_{{ port.name }}{% if !loop.last %} || {% endif %}{% endfor %}) begin
        wrong = wrong + 1;
        $display("vector %0d: {% for port in inputs %}{{ port.name }} 0x%h{% if !loop.last %}, {% endif %}{% endfor %}{% for port in outputs %}; {{ port.name }} is 0x%h, want 0x%h{% endfor %}", index
{%- for port in inputs %}, {{ port.net() }}{% endfor %}{% for port in outputs %}, {{ port.net() }}, want_{{ port.name }}{% endfor %});
      end
    end
    judge;
  end
