// Clocks a verilated self-test until one of its LEDs shows the outcome.

#include "model.cpp"

#include <cstdint>
#include <cstdio>

{% include "verilator/stop.cpp" %}

int main() {
    VerilatedContext context;
    context.randReset(2);
    context.randSeed(1);
    Vunit model{&context};
    uint64_t clocks = 0;
    const auto clock = [&](bool is_pressed) {
        model.in1 = !is_pressed;
        model.in0 = 1;
        model.eval();
        model.in0 = 0;
        model.eval();
        ++clocks;
    };
    model.in0 = 0;
    model.in1 = 1;
    model.eval();
    const auto is_running = [&] { return model.out0 == {{ running }}; };
    try {
{%- if let Some(pressed) = pressed %}
        while (clocks < {{ pressed }}ull) clock(false);
        clock(true);
        // The press reaches the reset after three clocks; then the state is as after the configuration.
        clock(false);
        clock(false);
        clock(false);
        clocks = 3;
{%- endif %}
        // The registers are undefined until the reset.
        while (clocks < 4) clock(false);
        while (is_running() && clocks < {{ limit }}ull) clock(false);
    } catch (const Stop& stop) {
        std::printf("%s\n", stop.what);
        return 1;
    }
    std::printf("%d %d %d %llu\n", is_running(), model.out1 == {{ passed }}, model.out2 == {{ failed }},
                static_cast<unsigned long long>(clocks));
    return 0;
}
