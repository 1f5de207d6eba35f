// All outputs at one clock.
struct Outputs {
{%- for output in outputs %}
    uint64_t out{{ loop.index0 }}[{{ output.limbs() }}];
{%- endfor %}

    explicit Outputs(const Vunit& model) {
{%- for output in outputs %}
        get(model.out{{ loop.index0 }}, out{{ loop.index0 }});
{%- endfor %}
    }

    bool operator!=(const Outputs& other) const {
        return {% for output in outputs %}!std::equal(out{{ loop.index0 }}, out{{ loop.index0 }} + {{ output.limbs() }}, other.out{{ loop.index0 }}){% if !loop.last %} || {% endif %}{% endfor %};
    }

    // Whether they differ from those stored for a vector.
    bool differ_from(const uint64_t* const* outputs, size_t vector) const {
        return {% for output in outputs %}!std::equal(out{{ loop.index0 }}, out{{ loop.index0 }} + {{ output.limbs() }}, outputs[{{ loop.index0 }}] + vector * {{ output.limbs() }}){% if !loop.last %} || {% endif %}{% endfor %};
    }

    // Copies the outputs stored for a vector into consecutive limbs.
    static void copy(const uint64_t* const* outputs, size_t vector, uint64_t* limbs) {
{%- for output in outputs %}
        limbs = std::copy_n(outputs[{{ loop.index0 }}] + vector * {{ output.limbs() }}, {{ output.limbs() }}, limbs);
{%- endfor %}
    }

    // Copies the outputs into consecutive limbs.
    void copy_to(uint64_t* limbs) const {
{%- for output in outputs %}
        limbs = std::copy_n(out{{ loop.index0 }}, {{ output.limbs() }}, limbs);
{%- endfor %}
    }
};

void rise(Vunit& model) {
    model.clk = 1;
    evaluate(model);
    model.clk = 0;
}
