{% for line in about -%}
{{ line }}
{% endfor -%}
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity {{ name }} is
  port (
{%- for port in ports %}
    {{ port }}
{%- endfor %}
  );
end entity;

architecture rtl of {{ name }} is
{%- for line in declarations %}
  {{ line }}
{%- endfor %}
begin
{% for line in body %}
{%- if line.is_empty() %}
{% else %}
  {{ line }}
{%- endif %}
{%- endfor %}

end architecture;
