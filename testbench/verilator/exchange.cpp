// Drives a verilated module of a user with valid and ready from Rust: one call streams many vectors through it, with several patterns
// on both sides and with resets. Operands that are offered stay until they are taken, results arrive in the order of their operands,
// after any number of clocks, and stay until they are taken. The vectors of a unit with state are a sequence from a reset on; another
// reset starts it again.

{% include "verilator/instance.cpp" %}

namespace {

constexpr bool HAS_STATE = {{ has_state }};
// Without it, results are there for one clock.
constexpr bool HAS_OUT_READY = {{ ports.has_out_ready }};
// Clocks after a reset in which no operands are offered.
constexpr unsigned STARTUP = {{ ports.startup }};

// Other operations of the module, which run in between; input `beside` chooses one.
constexpr unsigned BESIDES = {{ ports.besides }};

// After so many clocks in which results were awaited and would have been taken, or operands offered, nothing will come.
constexpr unsigned PATIENCE = 1000;

// Clocks after the last result, in which no other may appear.
constexpr unsigned TAIL = 40;

// Clocks in reset at the start.
constexpr unsigned RESETTING = 4;

{% include "verilator/patterns.cpp" %}

{% include "verilator/outputs.cpp" %}

// Fills the module with junk, and resets: how a block starts depends only on its seed.
void start(Vunit& model, Driver& driver) {
    model.clk = 0;
    constexpr unsigned FULL = 8;
    for (unsigned clock = 0; clock < FULL + RESETTING; ++clock) {
        model.rst_n = clock < FULL;
        model.in_valid = clock < FULL;
        model.out_ready = !HAS_OUT_READY || (HAS_STATE && clock == 0);
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
    bool was_refused = false; // whether operands were offered but not taken at the last clock
    bool was_held = false;    // whether results were offered but not taken at the last clock
    Outputs before{model};    // at the last clock
    unsigned resets = RESETS; // clocks of reset that remain for a sequence
    unsigned starting = STARTUP; // clocks that remain until operands are offered
    unsigned quiet = 0;       // clocks without anything that should have come
    unsigned tail = TAIL;
    unsigned other = 0;       // the other operation whose operands are offered, if there is one
    std::deque<bool> flight;  // for all operands that were taken, whether they are a vector
    for (uint32_t clock = 0;; ++clock) {
        const bool is_over = arrived == count && flight.empty();
        if (is_over && tail-- == 0) return;
        const Control control = driver.next(!is_over && (!HAS_STATE || (resets > 0 && sent < EARLY)));
        resets -= HAS_STATE && control.reset;
        if (BESIDES > 0 && !was_refused) {
            const uint64_t random = driver.word();
            other = !is_over && (random >> 20 & 1) != 0 ? 1 + (random >> 32) % BESIDES : 0;
        }
        const bool is_other = other > 0;
        const bool offers = !control.reset && starting == 0 && (is_other || sent < count) && (control.offer || was_refused);
        const bool is_ready = control.ready || !HAS_OUT_READY;
        model.rst_n = !control.reset;
        model.out_ready = is_ready;
        model.in_valid = offers;
        if (offers && !is_other) {
{%- for input in inputs %}
            set(model.in{{ loop.index0 }}, inputs[{{ loop.index0 }}] + sent * {{ input.limbs() }}, {{ input.mask() }});
{%- endfor %}
        } else {
            // Operands that are not offered have no meaning; those of another operation stay.
            if (!(offers && was_refused)) drive_junk(model, driver);
        }
{%- if ports.besides > 0 %}
        model.beside = offers ? other : 0;
{%- endif %}
        note(progress, std::min(sent, count - 1));
        evaluate(model);

        const bool takes = offers && static_cast<bool>(model.in_ready);
        const bool is_valid = !control.reset && static_cast<bool>(model.out_valid);
        if (takes) flight.push_back(!is_other);
        // Results may be offered before their operands are taken, if they are not taken before.
        const bool is_early = flight.empty() && offers && !(is_valid && is_ready);
        const bool is_due = !flight.empty() || is_early;
        const bool is_ours = flight.empty() ? !is_other : flight.front();
        report->clock = clock;
        report->vector = std::min(arrived, count - 1);
        const Outputs now{model};
        if (is_valid && !is_due) {
            report->kind = 1;
            *report->want = 0;
            *report->got = 1;
            return;
        }
        if (was_held && !control.reset && (!is_valid || now != before)) {
            report->kind = is_valid ? 6 : 7;
            before.copy_to(report->want);
            now.copy_to(report->got);
            return;
        }
        if (is_valid && is_ours) {
            if (arrived < stored && now.differ_from(outputs, arrived)) {
                report->kind = 3;
                now.copy_to(report->got);
                Outputs::copy(outputs, arrived, report->want);
                return;
            }
{%- for output in outputs %}
            std::copy_n(now.out{{ loop.index0 }}, {{ output.limbs() }}, outputs[{{ loop.index0 }}] + arrived * {{ output.limbs() }});
{%- endfor %}
            if (arrived == stored) clocks[stored++] = clock;
        }
        const bool is_gone = is_valid && is_ready;
        // Operands may wait until results can be taken.
        const bool is_awaited = is_ready && (offers || !flight.empty());
        quiet = control.reset || takes || is_gone ? 0 : quiet + is_awaited;
        if (quiet > PATIENCE) {
            report->kind = flight.empty() ? 9 : 8;
            *report->want = 1;
            *report->got = 0;
            return;
        }

        rise(model);
        before = now;
        starting -= starting > 0;
        if (control.reset) {
            flight.clear();
            if (HAS_STATE) arrived = 0;
            sent = arrived;
            starting = STARTUP;
            was_refused = was_held = false;
            continue;
        }
        sent += takes && !is_other;
        if (is_gone) {
            arrived += flight.front();
            flight.pop_front();
        }
        was_refused = offers && !takes;
        was_held = is_valid && !is_gone;
    }
}

}  // namespace

// The limbs of input i of vector v start at inputs[i][v * limbs], those of outputs likewise; bits above a port's width are ignored.
// Results arrive in order; clocks[v] is the rising edge after which that of v arrived. `progress` is the vector that goes in next.
{% let goes_on = "out_ready" %}
{% include "verilator/sequence.cpp" %}
