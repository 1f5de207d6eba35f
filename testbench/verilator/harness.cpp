// Drives a verilated combinational unit from Rust: one call evaluates many vectors.

{% include "verilator/instance.cpp" %}

// The limbs of input i of vector v start at inputs[i][v * limbs], those of outputs likewise; bits above a port's width are ignored.
// There are no clocks to report; `progress` is the current vector.
EXPORT void binade_evaluate_{{ id }}(void* instance, const uint64_t* const* inputs, uint64_t* const* outputs, size_t count,
                            uint64_t, uint32_t*, uint64_t* progress, Report* report) {
    Vunit& model = model_of(instance);
    if (report->stopped_early(static_cast<Instance*>(instance)->early)) return;
{%- for input in inputs %}
    const uint64_t* const in{{ loop.index0 }} = inputs[{{ loop.index0 }}];
{%- endfor %}
{%- for output in outputs %}
    uint64_t* const out{{ loop.index0 }} = outputs[{{ loop.index0 }}];
{%- endfor %}
{%- if besides > 0 %}
    uint64_t random = count | 1;
{%- endif %}
    try {
        for (size_t v = 0; v < count; ++v) {
            note(progress, v);
{%- if besides > 0 %}
            // Another operation, whose results are not judged.
            model.beside = 1 + (next_random(random) >> 32) % {{ besides }};
{%- for input in inputs %}
            set_random<{{ input.limbs() }}>(model.in{{ loop.index0 }}, {{ input.mask() }}, [&] { return next_random(random); });
{%- endfor %}
            evaluate(model);
            model.beside = 0;
{%- endif %}
{%- for input in inputs %}
            set(model.in{{ loop.index0 }}, in{{ loop.index0 }} + v * {{ input.limbs() }}, {{ input.mask() }});
{%- endfor %}
            evaluate(model);
{%- for output in outputs %}
            get(model.out{{ loop.index0 }}, out{{ loop.index0 }} + v * {{ output.limbs() }});
{%- endfor %}
        }
    } catch (const Stop& stop) {
        report->vector = *progress;
        report->tell(stop);
    }
}

// A loop as one would write it by hand, to compare binade_evaluate with. Returns a checksum.
EXPORT uint64_t binade_bare_loop_{{ id }}(void* instance, uint64_t count, uint64_t seed) {
    Vunit& model = model_of(instance);
    uint64_t random = seed;
    uint64_t checksum = 0;
    for (uint64_t v = 0; v < count; ++v) {
{%- for input in inputs %}
        set_random<{{ input.limbs() }}>(model.in{{ loop.index0 }}, {{ input.mask() }}, [&] { return next_random(random); });
{%- endfor %}
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
