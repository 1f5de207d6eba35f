  check : process
    variable wrong : natural := 0;

{% include "vhdl/judge.vhd" %}
  begin
    for index in vectors'range loop
      operands <= vectors(index)({{ bits - 1 }} downto {{ want_bits }});
      wait for 10 ns;
      if results /= vectors(index)({{ want_bits - 1 }} downto 0) then
        wrong := wrong + 1;
        report "vector " & to_string(index) & ": " & values(index);
      end if;
    end loop;
    judge;
    wait;
  end process;
