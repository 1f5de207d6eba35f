  check : process
    constant latency : natural := {{ latency }};
    -- The first pass over the vectors is back to back; in the others both sides pause occasionally, and there are resets.
    constant passes : natural := 8;
    -- After this many clocks without a result, one was lost.
    constant patience : natural := latency + 1000;
{%- if has_state %}
    -- Vectors per sequence. A sequence starts with a reset; another reset starts it again.
    constant sequence_length : natural := {{ sequence }};
{%- endif %}

    variable taken       : natural := 0; -- vectors that were taken
    variable arrived     : natural := 0; -- vectors whose results were taken
    variable may_send    : natural := 0; -- vectors that may be sent
    variable quiet       : natural := 0; -- clocks since results were taken
    variable was_refused : boolean := false;
    variable was_offered : boolean := false;
    variable random      : unsigned(31 downto 0) := x"2545f491";
    variable cycle       : natural := 0;
    variable wrong       : natural := 0;

{% include "vhdl/judge.vhd" %}

    -- Sets the inputs before a clock edge. Operands that were not taken are offered again; if none are offered, they are junk.
    procedure drive(resets, offers, takes : boolean) is
      variable index  : natural;
      variable offered : boolean;
    begin
      offered := (offers or was_refused) and not resets and taken < may_send;
      index := taken when taken < vectors'length else 0;
      rst_n <= '0' when resets else '1';
      in_valid <= '1' when offered else '0';
      out_ready <= '1' when takes else '0';
      operands <= vectors(index)({{ bits - 1 }} downto {{ want_bits }});
      if not offered then
        operands <= not vectors(index)({{ bits - 1 }} downto {{ want_bits }});
      end if;
    end procedure;

    procedure rise is
      variable is_taken, is_gone : boolean;
    begin
      is_taken := (rst_n and in_valid and in_ready) = '1';
      is_gone := (rst_n and out_valid and out_ready) = '1';
      was_refused := (rst_n and in_valid and not in_ready) = '1';
      was_offered := (rst_n and out_valid and not out_ready) = '1';
      clk <= '1';
      wait for 10 ns;
      clk <= '0';
      cycle := cycle + 1;
      quiet := 0 when is_gone or arrived >= vectors'length else quiet + 1;
      if rst_n = '1' then
        if is_taken then
          taken := taken + 1;
        end if;
        if is_gone then
          arrived := arrived + 1;
        end if;
      else
{%- if has_state %}
        arrived := arrived - arrived mod sequence_length;
{%- endif %}
        taken := arrived;
      end if;
    end procedure;

    -- Checks the outputs, then makes a clock edge.
    procedure clock is
      variable index, offered : natural;
    begin
      wait for 10 ns;
      index := arrived when arrived < vectors'length else 0;
      offered := taken + 1 when (in_valid and in_ready) = '1' else taken;
      if is_x(in_ready) or is_x(out_valid) then
        wrong := wrong + 1;
        report "clock " & to_string(cycle) & ": in_ready is " & to_string(in_ready) & ", out_valid " & to_string(out_valid);
      elsif rst_n = '1' and was_offered and out_valid = '0' then
        wrong := wrong + 1;
        report "clock " & to_string(cycle) & ": results that were offered are gone, and were not taken";
      elsif (rst_n and out_valid) = '1' and arrived >= offered then
        wrong := wrong + 1;
        report "clock " & to_string(cycle) & ": results are offered, and no operands were";
      elsif (rst_n and out_valid) = '1' and results /= vectors(index)({{ want_bits - 1 }} downto 0) then
        wrong := wrong + 1;
        report "clock " & to_string(cycle) & ", vector " & to_string(arrived) & ": " & values(index);
      end if;
      rise;
      if quiet > patience then
        wrong := wrong + 1;
        report "clock " & to_string(cycle) & ": no results of vector " & to_string(arrived);
        judge;
      end if;
    end procedure;

  begin
    drive(true, false, false);
    wait for 10 ns;
    rise;
    for pass in 1 to passes loop
      taken := 0;
      arrived := 0;
      while arrived < vectors'length loop
{%- if has_state %}
        if arrived mod sequence_length = 0 and arrived = taken then
          drive(true, false, false);
          clock;
        end if;
        may_send := minimum((arrived / sequence_length + 1) * sequence_length, vectors'length);
{%- else %}
        may_send := vectors'length;
{%- endif %}
        random := random xor shift_left(random, 13);
        random := random xor shift_right(random, 17);
        random := random xor shift_left(random, 5);
        if pass = 1 then
          drive(false, true, true);
        else
          drive(random(9 downto 4) = 0{% if has_state %} and arrived mod sequence_length < 8{% endif %}, random(1 downto 0) /= 0, random(3 downto 2) /= 0);
        end if;
        clock;
      end loop;
    end loop;
    -- No result may follow the last one.
    for rank in 0 to latency + 2 loop
      drive(false, false, true);
      clock;
    end loop;
    judge;
    wait;
  end process;
