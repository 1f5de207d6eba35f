// Evaluates a verilated unit on one vector, with waves.

#include "model.cpp"
#include "verilated_vcd_c.h"

int main() {
    VerilatedContext context;
    context.traceEverOn(true);
    Vunit model{&context};
    VerilatedVcdC waves;
    model.trace(&waves, 99);
    waves.open("{{ waves }}");
    uint64_t time = 0;
    auto show = [&] {
        model.eval();
        waves.dump(time);
        time += 5;
    };
{%- if latency > 0 %}
    auto clock = [&] {
        model.clk = 0;
        show();
        model.clk = 1;
        show();
    };
    model.en = 1;
    clock();  // in reset
    model.rst_n = 1;
    clock();
{%- for operand in operands %}
    model.in{{ loop.index0 }} = {{ operand }}ull;
{%- endfor %}
    model.in_valid = 1;
    clock();
    model.in_valid = 0;
    for (int rank = 0; rank < {{ latency }}; ++rank) clock();
{%- else %}
    // All operands 0 first, so that the vector shows as a change.
    show();
    time += 5;
{%- for operand in operands %}
    model.in{{ loop.index0 }} = {{ operand }}ull;
{%- endfor %}
    show();
    time += 5;
    show();
{%- endif %}
    waves.close();
    return 0;
}
