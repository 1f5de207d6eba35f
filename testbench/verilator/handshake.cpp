// Drives a verilated unit with valid and ready from Rust: one call streams many vectors through it, with several patterns on both
// sides and with resets, and compares the outputs at every clock with a model of the handshake. The vectors of a unit with state
// are a sequence from a reset on; another reset starts it again.

{% include "verilator/instance.cpp" %}

namespace {

constexpr unsigned LATENCY = {{ latency }};
// The unit takes no operands within INTERVAL clocks of others; 1 if it takes them in each clock.
constexpr unsigned INTERVAL = {{ interval }};
constexpr bool HAS_STATE = {{ has_state }};
using Ranks = std::bitset<LATENCY == 0 ? 1 : LATENCY>;

// Clocks after the last result, in which no other may appear.
constexpr unsigned TAIL = LATENCY + 4;

{% include "verilator/patterns.cpp" %}

{% include "verilator/outputs.cpp" %}

// Fills every rank, the skid buffer and the state with junk, and resets: how a block starts depends only on its seed.
void start(Vunit& model, Driver& driver) {
    model.clk = 0;
    model.in_valid = 1;
    model.out_ready = 0;
    constexpr unsigned FULL = LATENCY + 2;
    for (unsigned clock = 0; clock <= FULL; ++clock) {
        model.rst_n = clock < FULL;
        model.out_ready = HAS_STATE && clock == 0;
        drive_junk(model, driver);
        evaluate(model);
        rise(model);
    }
}

// Streams the vectors; ends at the first clock with an error other than a wrong result, or with another result than before.
void stream(Vunit& model, const uint64_t* const* inputs, uint64_t* const* outputs, size_t count, uint64_t seed, uint32_t* clocks,
            uint64_t* progress, Report* report) {
    if (count == 0) return;
    Driver driver{seed};
    start(model, driver);
    size_t sent = 0;          // vectors that were taken, without those dropped by a reset
    size_t arrived = 0;       // vectors whose results were taken
    size_t stored = 0;        // vectors whose results were stored
    Ranks valid;              // which ranks hold a vector
    bool is_waiting = false;  // whether the skid buffer holds one
    bool was_held = false;    // whether results were offered but not taken at the last clock
    bool was_reset = false;   // at the last clock
    unsigned resets = RESETS; // clocks of reset that remain for a sequence
    unsigned tail = TAIL;
    for (uint32_t clock = 0;; ++clock) {
        const bool is_over = arrived == count;
        if (is_over && tail-- == 0) return;
        const Control control = driver.next(!is_over && (!HAS_STATE || (resets > 0 && sent < EARLY)));
        resets -= HAS_STATE && control.reset;
        const bool offers = control.offer && sent < count;
        const bool takes = offers && !is_waiting && !control.reset;
        model.rst_n = !control.reset;
        model.out_ready = control.ready;
        model.in_valid = offers;
        if (takes) {
{%- for input in inputs %}
            set(model.in{{ loop.index0 }}, inputs[{{ loop.index0 }}] + sent * {{ input.limbs() }}, {{ input.mask() }});
{%- endfor %}
        } else {
            // Operands that are not taken have no meaning.
            drive_junk(model, driver);
        }
        note(progress, std::min(sent, count - 1));
        evaluate(model);

        const bool is_last = LATENCY > 0 && valid[LATENCY == 0 ? 0 : LATENCY - 1];
        const bool is_free = INTERVAL == 1 || valid.none() || is_last;
        const bool is_there = offers || is_waiting;
        const bool enters = is_there && is_free;
        const bool is_valid = LATENCY == 0 ? enters : is_last;
        const bool is_in_wrong = static_cast<bool>(model.in_ready) != !is_waiting;
        const bool is_out_wrong = static_cast<bool>(model.out_valid) != is_valid;
        report->clock = clock;
        report->vector = std::min(arrived, count - 1);
        // In the first clock of a reset the outputs are undefined: an asynchronous reset has acted already, a synchronous one has not.
        const bool is_free_clock = control.reset && !was_reset;
        was_reset = control.reset;
        if ((is_in_wrong || is_out_wrong) && !is_free_clock) {
            report->kind = is_in_wrong ? 5 : 1;
            *report->want = is_in_wrong ? !is_waiting : is_valid;
            *report->got = is_in_wrong ? model.in_ready : model.out_valid;
            return;
        }
        if (is_valid && !control.reset) {
            const Outputs now{model};
            if (arrived < stored && now.differ_from(outputs, arrived)) {
                report->kind = was_held ? 6 : 3;
                now.copy_to(report->got);
                Outputs::copy(outputs, arrived, report->want);
                return;
            }
{%- for output in outputs %}
            std::copy_n(now.out{{ loop.index0 }}, {{ output.limbs() }}, outputs[{{ loop.index0 }}] + arrived * {{ output.limbs() }});
{%- endfor %}
            if (arrived == stored) clocks[stored++] = clock;
        }

        rise(model);
        const bool moves = control.ready || !is_valid;
        was_held = is_valid && !control.ready;
        sent += takes;
        if (control.reset) {
            valid.reset();
            is_waiting = false;
            was_held = false;
            if (HAS_STATE) arrived = 0;
            sent = arrived;
            continue;
        }
        arrived += is_valid && control.ready;
        is_waiting = is_there && !(moves && is_free);
        if (moves) {
            valid <<= 1;
            valid[0] = LATENCY > 0 && enters;
        }
    }
}

}  // namespace

// The limbs of input i of vector v start at inputs[i][v * limbs], those of outputs likewise; bits above a port's width are ignored.
// Results arrive in order; clocks[v] is the rising edge after which that of v arrived. `progress` is the vector that goes in next.
{% let goes_on = "out_ready" %}
{% include "verilator/sequence.cpp" %}
