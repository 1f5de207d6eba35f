{% for line in about -%}
{{ line }}
{% endfor -%}
module {{ name }} (
{%- for port in ports %}
  {{ port }}
{%- endfor %}
);
{% for line in body %}
{%- if line.is_empty() %}
{% else %}
  {{ line }}
{%- endif %}
{%- endfor %}

endmodule
