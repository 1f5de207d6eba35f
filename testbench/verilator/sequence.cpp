EXPORT void binade_evaluate_{{ id }}(void* instance, const uint64_t* const* inputs, uint64_t* const* outputs, size_t count,
                            uint64_t seed, uint32_t* clocks, uint64_t* progress, Report* report) {
    if (report->stopped_early(static_cast<Instance*>(instance)->early)) return;
    note(progress, 0);
    try {
        stream(model_of(instance), inputs, outputs, count, seed, clocks, progress, report);
    } catch (const Stop& stop) {
        report->vector = *progress;
        report->tell(stop);
    }
}

// A loop as one would write it by hand, with a new vector at every clock, to compare binade_evaluate with. Returns a checksum.
EXPORT uint64_t binade_bare_loop_{{ id }}(void* instance, uint64_t count, uint64_t seed) {
    Vunit& model = model_of(instance);
    uint64_t random = seed;
    uint64_t checksum = 0;
    model.rst_n = 1;
    model.{{ goes_on }} = 1;
    model.in_valid = 1;
    for (uint64_t v = 0; v < count; ++v) {
{%- for input in inputs %}
        set_random<{{ input.limbs() }}>(model.in{{ loop.index0 }}, {{ input.mask() }}, [&] { return next_random(random); });
{%- endfor %}
        model.clk = 0;
        model.eval();
        model.clk = 1;
        model.eval();
{%- for output in outputs %}
        uint64_t out{{ loop.index0 }}[{{ output.limbs() }}];
        get(model.out{{ loop.index0 }}, out{{ loop.index0 }});
        for (const uint64_t limb : out{{ loop.index0 }}) checksum = checksum * 31 + limb;
{%- endfor %}
    }
    return checksum;
}

}  // namespace harness_{{ id }}
