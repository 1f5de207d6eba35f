// Drives a verilated combinational unit from Rust: one call evaluates many vectors.

// The model's own sources, all in this one translation unit, so that the compiler can inline across them.
#include "model.cpp"

#include <cstddef>
#include <cstdint>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Instance {
    VerilatedContext context;
    Vunit model{&context};

    // The first evaluation also runs what Verilator does once.
    Instance() { model.eval(); }
};

Vunit& model_of(void* instance) { return static_cast<Instance*>(instance)->model; }

uint64_t next_random(uint64_t& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

}  // namespace

EXPORT void* binade_create() { return new Instance; }

EXPORT void binade_destroy(void* instance) { delete static_cast<Instance*>(instance); }

// Input i of vector v is inputs[i][v]; bits above the port's width are ignored.
EXPORT void binade_evaluate(void* instance, const uint64_t* const* inputs, uint64_t* output, size_t count) {
    Vunit& model = model_of(instance);
{%- for input in inputs %}
    const uint64_t* const in{{ loop.index0 }} = inputs[{{ loop.index0 }}];
{%- endfor %}
    for (size_t v = 0; v < count; ++v) {
{%- for input in inputs %}
        model.in{{ loop.index0 }} = in{{ loop.index0 }}[v] & {{ input.mask() }};
{%- endfor %}
        // What eval() calls in the end. Around it eval() takes a lock and looks for messages of other threads, which
        // costs a small unit five times its own time.
        Vunit___024root___eval(model.rootp);
        output[v] = model.out;
    }
}

// The loop that one would write by hand: the yardstick of binade_evaluate. Returns a checksum.
EXPORT uint64_t binade_bare_loop(void* instance, uint64_t count, uint64_t seed) {
    Vunit& model = model_of(instance);
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
