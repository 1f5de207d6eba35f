// Evaluates a verilated combinational unit on one vector, with waves.

#include "model.cpp"
#include "verilated_vcd_c.h"

int main() {
    VerilatedContext context;
    context.traceEverOn(true);
    Vunit model{&context};
    VerilatedVcdC waves;
    model.trace(&waves, 99);
    waves.open("{{ waves }}");
    // All operands 0 first, so that the vector shows as a change.
    model.eval();
    waves.dump(static_cast<uint64_t>(0));
{%- for operand in operands %}
    model.in{{ loop.index0 }} = {{ operand }}ull;
{%- endfor %}
    model.eval();
    waves.dump(static_cast<uint64_t>(10));
    waves.dump(static_cast<uint64_t>(20));
    waves.close();
    return 0;
}
