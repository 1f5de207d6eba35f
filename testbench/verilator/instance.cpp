// The verilated model, and what every harness exports. Included by `harness.cpp`, `clocked.cpp`, `handshake.cpp` and `exchange.cpp`. Several units may be compiled
// as one: what belongs to this unit has its key in its name, or is in its own namespace, which the harness closes.

// The model's own sources, all in this one translation unit, so that the compiler can inline across them.
#undef VL_PCH_INCLUDED
#include "model.cpp"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

{% include "verilator/stop.cpp" %}

#undef EXPORT
#define EXPORT extern "C" __attribute__((visibility("default")))

namespace harness_{{ id }} {

using Vunit = {{ class }};

namespace {

// Registers start with random values, which the model takes when it is made.
struct Context : VerilatedContext {
    explicit Context(uint64_t seed) {
        randReset(2);
        // With 0, Verilator would choose another seed in each run.
        randSeed(static_cast<int>(seed % 0x7fffffff) + 1);
    }
};

struct Instance {
    Context context;
    Vunit model{&context};

    // The first evaluation also runs Verilator's initial code.
    explicit Instance(uint64_t seed) : context{seed} {
        try {
            model.eval();
        } catch (const Stop& stop) {
            early = stop;
        }
    }

    // What ended the simulation before the first vector.
    Stop early{nullptr, nullptr, 0};
};

Vunit& model_of(void* instance) { return static_cast<Instance*>(instance)->model; }

// The function that `eval()` calls in the end. `eval()` also takes a lock and looks for messages of other threads, which
// takes five times as long as a small unit.
inline void evaluate(Vunit& model) { {{ class }}___024root___eval(model.rootp); }

inline uint64_t next_random(uint64_t& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

{% include "verilator/ports.cpp" %}

// Sets a port to a random word.
template <std::size_t Limbs, typename Port, typename Source>
inline void set_random(Port& port, uint64_t mask, Source&& next) {
    uint64_t limbs[Limbs];
    for (uint64_t& limb : limbs) limb = next();
    set(port, limbs, mask);
}

// The first violation of a clocked unit: `Report` in `compiled.rs`.
struct Report {
    uint64_t kind;   // 0: none, 1: out_valid is wrong, 2: an output moved while en was low, 3: a result differs from an earlier one,
                     // 4: the simulation was stopped, 5: in_ready is wrong, 6: results changed while they were offered, 7: they
                     // were withdrawn, 8: no results came, 9: no operands were taken, 10: results have an unknown tag
    uint64_t clock;  // rising edges since the start of the block
    uint64_t vector; // in the block: the one at the outputs, or the next to arrive there
    uint64_t* want;  // limbs of all outputs, or the level of out_valid or in_ready
    uint64_t* got;
    // If the simulation was stopped:
    char what[128];
    char file[512];
    uint64_t line;

    bool stopped_early(const Stop& early) {
        if (early.what != nullptr) tell(early);
        return early.what != nullptr;
    }

    void tell(const Stop& stop) {
        kind = 4;
        std::strncpy(what, stop.what, sizeof what - 1);
        std::strncpy(file, stop.file, sizeof file - 1);
        line = stop.line;
    }
};

// Tells another thread the current vector.
inline void note(uint64_t* progress, uint64_t vector) { __atomic_store_n(progress, vector, __ATOMIC_RELAXED); }

}  // namespace

EXPORT void* binade_create_{{ id }}(uint64_t seed) { return new Instance(seed); }

EXPORT void binade_destroy_{{ id }}(void* instance) { delete static_cast<Instance*>(instance); }
