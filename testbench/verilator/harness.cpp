// Drives a verilated combinational unit from Rust: one call evaluates many vectors.

{% include "verilator/instance.cpp" %}

// Input i of vector v is inputs[i][v]; bits above the port's width are ignored. There are no clocks to report of.
EXPORT void binade_evaluate_{{ id }}(void* instance, const uint64_t* const* inputs, uint64_t* output, size_t count, uint64_t,
                            uint32_t*, Report*) {
    Vunit& model = model_of(instance);
{%- for input in inputs %}
    const uint64_t* const in{{ loop.index0 }} = inputs[{{ loop.index0 }}];
{%- endfor %}
    for (size_t v = 0; v < count; ++v) {
{%- for input in inputs %}
        model.in{{ loop.index0 }} = in{{ loop.index0 }}[v] & {{ input.mask() }};
{%- endfor %}
        evaluate(model);
        output[v] = model.out;
    }
}

// The loop that one would write by hand: the yardstick of binade_evaluate. Returns a checksum.
EXPORT uint64_t binade_bare_loop_{{ id }}(void* instance, uint64_t count, uint64_t seed) {
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

}  // namespace harness_{{ id }}
