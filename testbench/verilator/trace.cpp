// Evaluates a verilated unit on a few vectors and records waves: 10 time units or one clock per vector.

#include "model.cpp"
#include "verilated_vcd_c.h"

#include <cstddef>
#include <cstdint>

{% include "verilator/stop.cpp" %}

{% include "verilator/ports.cpp" %}

int main() {
    VerilatedContext context;
    context.traceEverOn(true);
    Vunit model{&context};
    VerilatedVcdC waves;
    model.trace(&waves, 99);
    waves.open("{{ waves }}");
    uint64_t time = 0;
    try {
    auto show = [&] {
        model.eval();
        waves.dump(time);
        time += 5;
    };
{%- if is_clocked %}
    auto clock = [&] {
        model.clk = 0;
        show();
        model.clk = 1;
        show();
    };
    model.{{ enable }} = 1;
    clock();  // in reset
    model.rst_n = 1;
{%- if is_shell %}
    // A module that takes no operands is not waited for any longer.
    constexpr int PATIENCE = 4096;
    for (int starting = 0; starting < {{ startup }}; ++starting) clock();
    auto take = [&] {
        for (int left = PATIENCE; left > 0; --left) {
            model.in_valid = 1;
            model.eval();
            const bool is_taken = model.in_ready;
            clock();
            if (is_taken) return;
        }
    };
{%- endif %}
    clock();
    model.in_valid = 1;
{%- else %}
    auto clock = [&] {
        show();
        time += 5;
    };
    // All operands 0 first, so that the first vector shows as a change.
    clock();
{%- endif %}
{%- for vector in vectors %}
{% for operand in vector %}
    {
        const uint64_t limbs[] = { {{- operand -}} };
        set(model.in{{ loop.index0 }}, limbs, ~0ull);
    }
{%- endfor %}
{%- if is_shell %}
    take();
{%- else %}
    clock();
{%- endif %}
{%- if interval > 1 && !is_shell %}
    model.in_valid = 0;
    for (int left = 1; left < {{ interval }}; ++left) clock();
    model.in_valid = 1;
{%- endif %}
{%- endfor %}
{% if is_clocked %}
    model.in_valid = 0;
    for (int rank = 0; rank < {{ latency }}{% if is_shell %} + 40{% endif %}; ++rank) clock();

{%- if has_state %}
    // Again, from a reset on, with bubbles and stalls as in the testbench.
    model.rst_n = 0;
    clock();
{%- else %}
    // Again, with bubbles, stalls and resets as in the testbench.
{%- endif %}
    uint32_t random = 0x2545f491;
{%- if is_shell %}
    bool was_refused = false;
    int starting = 0;
{%- endif %}
    auto drive = [&] {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        model.rst_n = {% if has_state %}1{% else %}(random >> 4 & 63) != 0{% endif %};
        model.{{ enable }} = (random & 3) != 0;
        model.in_valid = (random >> 2 & 3) != 0;
{%- if is_shell %}
        // Operands that are offered stay, but for a reset, after which the module may need some clocks.
        model.in_valid = model.rst_n && (model.in_valid || was_refused) && starting == 0;
        model.eval();
        const bool is_taken = model.in_valid && model.in_ready;
        was_refused = model.in_valid && !is_taken;
        starting = !model.rst_n ? {{ startup }} : starting > 0 ? starting - 1 : 0;
        clock();
        return is_taken;
{%- else %}
        clock();
        return model.rst_n && model.en && model.in_valid;
{%- endif %}
    };
{%- for vector in vectors %}
{% for operand in vector %}
    {
        const uint64_t limbs[] = { {{- operand -}} };
        set(model.in{{ loop.index0 }}, limbs, ~0ull);
    }
{%- endfor %}
{%- if is_shell %}
    for (int left = PATIENCE; left > 0 && !drive(); --left) {}
{%- else %}
    while (!drive()) {}
{%- endif %}
{%- if interval > 1 && !is_shell %}
    model.rst_n = 1;
    model.{{ enable }} = 1;
    model.in_valid = 0;
    for (int left = 1; left < {{ interval }}; ++left) clock();
{%- endif %}
{%- endfor %}
    model.rst_n = 1;
    model.{{ enable }} = 1;
    model.in_valid = 0;
    for (int rank = 0; rank < {{ latency }}{% if is_shell %} + 40{% endif %}; ++rank) clock();
{%- endif %}
    // Shows the last results for their full time.
    show();
    } catch (const Stop&) {
        // The waves end where the unit stopped the simulation.
        waves.dump(time);
    }
    waves.close();
    return 0;
}
