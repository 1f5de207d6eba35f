// Drives a verilated combinational unit from Rust: one call evaluates many vectors. Several units may be compiled as one:
// what belongs to this one has its key in its name.

// The model's own sources, all in this one translation unit, so that the compiler can inline across them.
#undef VL_PCH_INCLUDED
#include "model.cpp"

#include <cstddef>
#include <cstdint>

#undef EXPORT
#define EXPORT extern "C" __attribute__((visibility("default")))

namespace harness_{{ id }} {

namespace {

struct Instance {
    VerilatedContext context;
    {{ class }} model{&context};

    // The first evaluation also runs what Verilator does once.
    Instance() { model.eval(); }
};

{{ class }}& model_of(void* instance) { return static_cast<Instance*>(instance)->model; }

uint64_t next_random(uint64_t& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

}  // namespace

EXPORT void* binade_create_{{ id }}() { return new Instance; }

EXPORT void binade_destroy_{{ id }}(void* instance) { delete static_cast<Instance*>(instance); }

// Input i of vector v is inputs[i][v]; bits above the port's width are ignored.
EXPORT void binade_evaluate_{{ id }}(void* instance, const uint64_t* const* inputs, uint64_t* output, size_t count) {
    {{ class }}& model = model_of(instance);
{%- for input in inputs %}
    const uint64_t* const in{{ loop.index0 }} = inputs[{{ loop.index0 }}];
{%- endfor %}
    for (size_t v = 0; v < count; ++v) {
{%- for input in inputs %}
        model.in{{ loop.index0 }} = in{{ loop.index0 }}[v] & {{ input.mask() }};
{%- endfor %}
        // What eval() calls in the end. Around it eval() takes a lock and looks for messages of other threads, which
        // costs a small unit five times its own time.
        {{ class }}___024root___eval(model.rootp);
        output[v] = model.out;
    }
}

// The loop that one would write by hand: the yardstick of binade_evaluate. Returns a checksum.
EXPORT uint64_t binade_bare_loop_{{ id }}(void* instance, uint64_t count, uint64_t seed) {
    {{ class }}& model = model_of(instance);
    uint64_t random = seed;
    uint64_t checksum = 0;
    for (uint64_t v = 0; v < count; ++v) {
{%- for input in inputs %}
        model.in{{ loop.index0 }} = next_random(random) & {{ input.mask() }};
{%- endfor %}
        model.eval();
        checksum = checksum * 31 + model.out;
    }
    return checksum;
}

}  // namespace harness_{{ id }}
