  check : process
    constant latency : natural := {{ latency }};
{%- if interval > 1 %}
    -- Operands that are taken before the results of others are due replace these.
    variable is_running : boolean := false;
{%- endif %}
    -- The first pass over the vectors is back to back; the others have bubbles, stalls and resets.
    constant passes : natural := 8;
{%- if has_state %}
    -- Vectors per sequence. A sequence starts with a reset; another reset starts it again.
    constant sequence_length : natural := {{ sequence }};
    variable is_reset : boolean := false;
{%- endif %}

    -- The expected content of the ranks: whether they hold a vector, and which. Rank 0 stands for the inputs.
    type places is array (0 to latency) of natural;
    variable valid : std_logic_vector(0 to latency) := (others => '0');
    variable which : places := (others => 0);

    variable last        : std_logic_vector(results'range);
    variable was_stalled : boolean := false;
    variable is_junk     : boolean := false;
    variable random      : unsigned(31 downto 0) := x"2545f491";
    variable index       : natural := 0;
    variable cycle       : natural := 0;
    variable wrong       : natural := 0;

{% include "vhdl/judge.vhd" %}

    -- Sets the inputs before a clock edge. If no vector goes in, the operands are junk.
    procedure drive(resets, enables, offers : boolean) is
    begin
      is_junk := resets or not enables or not offers;
      valid(0) := '0' when enables and not resets and not offers else '1';
      which(0) := index;
      rst_n <= '0' when resets else '1';
      en <= '1' when enables else '0';
      in_valid <= valid(0);
      operands <= vectors(index)({{ bits - 1 }} downto {{ want_bits }});
      if is_junk then
        operands <= not vectors(index)({{ bits - 1 }} downto {{ want_bits }});
      end if;
    end procedure;

    procedure rise is
    begin
      clk <= '1';
      wait for 10 ns;
      clk <= '0';
      cycle := cycle + 1;
      was_stalled := en = '0'{% if has_state %} and rst_n = '1'{% endif %};
      if en = '1' then
{%- if interval > 1 %}
        if in_valid = '1' then
          for rank in 1 to latency - 1 loop
            valid(rank) := '0';
          end loop;
        end if;
{%- endif %}
        for rank in latency downto 1 loop
          valid(rank) := valid(rank - 1);
          which(rank) := which(rank - 1);
        end loop;
      end if;
      if rst_n = '0' then
        for rank in 1 to latency loop
          valid(rank) := '0';
        end loop;
{%- if has_state %}
        index := index - index mod sequence_length;
        is_reset := true;
      elsif en = '1' and in_valid = '1' then
        index := index + 1;
        is_reset := false;
      end if;
{%- else %}
      elsif en = '1' and in_valid = '1' then
        index := index + 1;
      end if;
{%- endif %}
    end procedure;

    -- Checks the outputs, then makes a clock edge.
    procedure clock is
    begin
      wait for 10 ns;
      if out_valid /= valid(latency) then
        wrong := wrong + 1;
        report "clock " & to_string(cycle) & ": out_valid is " & to_string(out_valid) & ", want " & to_string(valid(latency));
      elsif valid(latency) = '1'{% if latency == 0 %} and not is_junk{% endif %} and results /= vectors(which(latency))({{ want_bits - 1 }} downto 0) then
        wrong := wrong + 1;
        report "clock " & to_string(cycle) & ", vector " & to_string(which(latency)) & ": " & values(which(latency));
{%- if latency > 0 %}
      elsif was_stalled and results /= last then
        wrong := wrong + 1;
        report "clock " & to_string(cycle) & ": the outputs have changed while en was low";
{%- endif %}
      end if;
      last := results;
      rise;
    end procedure;

  begin
    drive(true, true, true);
    wait for 10 ns;
    rise;
    for pass in 1 to passes loop
      index := 0;
      while index < vectors'length loop
{%- if has_state %}
        -- Empties the unit and resets it.
        if index mod sequence_length = 0 and not is_reset then
          for rank in 1 to latency loop
            drive(false, true, false);
            clock;
          end loop;
          drive(true, true, true);
          clock;
        end if;
{%- endif %}
{%- if interval > 1 %}
        is_running := false;
        for rank in 1 to latency - 1 loop
          is_running := is_running or valid(rank) = '1';
        end loop;
{%- endif %}
        if pass = 1 then
          drive(false, true, {% if interval > 1 %}not is_running{% else %}true{% endif %});
        else
          random := random xor shift_left(random, 13);
          random := random xor shift_right(random, 17);
          random := random xor shift_left(random, 5);
          drive(random(9 downto 4) = 0{% if has_state %} and index mod sequence_length < 8{% endif %}, random(1 downto 0) /= 0, random(3 downto 2) /= 0{% if interval > 1 %} and (not is_running or random(15 downto 10) = 0){% endif %});
        end if;
        clock;
      end loop;
    end loop;
    index := 0;
    for rank in 0 to latency loop
      drive(false, true, false);
      clock;
    end loop;
    judge;
    wait;
  end process;
