    procedure judge is
    begin
      if wrong > 0 then
        report "{{ module }} is wrong " & to_string(wrong) & " times on {{ vectors.len() }} vectors" severity failure;
      end if;
      report "{{ module }} is right on {{ vectors.len() }} vectors";
      std.env.finish;
    end procedure;

    -- The operands of a vector, its results, and the expected results.
    impure function values(vector : natural) return string is
    begin
      return "{% for field in inputs %}{% if !loop.first %} & ", {% endif %}{{ field.name }} 0x" & to_hstring(vectors(vector)({{ field.high + want_bits }} downto {{ field.low + want_bits }})){% endfor %}
{%- for field in outputs %}
        & "; {{ field.name }} is 0x" & to_hstring(results({{ field.high }} downto {{ field.low }}))
        & ", want 0x" & to_hstring(vectors(vector)({{ field.high }} downto {{ field.low }}))
{%- endfor %};
    end function;
