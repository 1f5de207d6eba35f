// Drives a verilated clocked unit from Rust: one call streams many vectors through it, with the bubbles, stalls and resets
// that its ports allow, and checks the outputs just before each rising edge against docs/contract.md. The vectors of a unit
// with state are a sequence from a reset on; another reset starts it again.

{% include "verilator/instance.cpp" %}

namespace {

constexpr unsigned LATENCY = {{ latency }};
// Operands that come fewer than INTERVAL clocks after others replace them; 1 if a unit takes operands in each clock.
constexpr unsigned INTERVAL = {{ interval }};
constexpr bool HAS_STATE = {{ has_state }};
// Clocks after a reset, stalls not counted, in which the unit takes no operands.
constexpr unsigned STARTUP = {{ ports.startup }};
// Other operations of the module, which run in between; input `beside` chooses one.
constexpr unsigned BESIDES = {{ ports.besides }};
constexpr bool HAS_ENABLE = {{ ports.has_enable }};
constexpr bool HAS_RESET = {{ ports.has_reset }};
// Without bubbles, the unit accepts operands at each enabled clock.
constexpr bool HAS_BUBBLES = {{ ports.has_bubbles(*has_state) }};

// Which ranks hold operands, or a vector. A unit that takes several clocks for an operation has a rank for each of them.
class Ranks {
  public:
    bool last() const { return LATENCY > 0 && bits_[LATENCY - 1]; }
    bool any_but_last() const { return (bits_ << (SIZE - LATENCY + 1)).any(); }

    // One clock: operands that are taken replace what they may not follow, and enter if they are ours.
    void advance(bool is_taken, bool is_ours = true) {
        if (INTERVAL > 1 && is_taken) bits_.reset();
        bits_ <<= 1;
        bits_[0] = LATENCY > 0 && is_taken && is_ours;
    }

    void clear() { bits_.reset(); }
    void fill() { bits_.set(); }

  private:
    static constexpr unsigned SIZE = LATENCY == 0 ? 1 : LATENCY;
    std::bitset<SIZE> bits_;
};

// How many consecutive clocks are driven in the same way.
constexpr unsigned RUN = 32;

// A sequence is started again only within its first EARLY vectors, and resets take at most RESETS clocks in total.
constexpr size_t EARLY = 512;
constexpr unsigned RESETS = 6;

// A sequence of up to SHORT vectors runs PASSES times, all but the first time with bubbles and stalls.
constexpr size_t SHORT = 64;
constexpr unsigned PASSES = 32;

// The inputs at one clock.
struct Control {
    bool reset;
    bool enable;
    bool offer;
};

// Random control: runs back to back, with bubbles, with stalls, or with both; some contain a reset.
class Driver {
  public:
    explicit Driver(uint64_t seed) : state_(seed | 1) {
        for (int i = 0; i < 4; ++i) next_random(state_);
    }

    uint64_t word() { return next_random(state_); }

    // Enables bubbles and stalls from now on.
    void disturb() {
        disturbs_ = true;
        left_ = 0;
    }

    // Whether another operation runs in this clock: in half of the runs, in half of the clocks.
    bool interleaves() { return interleaves_ && (word() >> 40 & 1) != 0; }

    Control next(bool may_reset) {
        if (left_ == 0) start_run();
        --left_;
        if (may_reset && left_ - reset_from_ < reset_length_) {
            const bool enable = (word() >> 32 & 1) != 0;
            return {true, enable || !HAS_ENABLE, (word() >> 32 & 1) != 0};
        }
        if (is_idle_) return {false, true, false};
        if (!has_bubbles_ && !has_stalls_) return {false, true, true};
        const uint64_t random = word();
        return {false, !has_stalls_ || (random >> 40 & odds_) != 0, !has_bubbles_ || (random >> 48 & odds_) != 0};
    }

  private:
    void start_run() {
        const uint64_t random = word();
        left_ = RUN;
        // Half of the runs are back to back.
        has_bubbles_ = HAS_BUBBLES && (disturbs_ || (random >> 10 & 3) == 0);
        has_stalls_ = HAS_ENABLE && (disturbs_ || (random >> 12 & 3) == 0);
        odds_ = (random >> 14 & 1) ? 1 : 7;
        interleaves_ = (random >> 54 & 1) != 0;
        // One run in sixteen has no operands, until a counter of the clocks of an operation has come around.
        is_idle_ = INTERVAL > 1 && (random >> 50 & 15) == 0;
        if (is_idle_) left_ = 2 * INTERVAL;
        // One run in sixteen has a reset of up to three clocks; at the start of a sequence, one in four.
        reset_length_ = (random >> 20 & (HAS_STATE ? 3 : 15)) == 0 ? 1 + random % 3 : 0;
        reset_from_ = random >> 30 & 15;
    }

    uint64_t state_;
    unsigned left_ = 0;
    bool disturbs_ = false;
    bool has_bubbles_ = false;
    bool has_stalls_ = false;
    bool is_idle_ = false;
    bool interleaves_ = false;
    uint64_t odds_ = 1;
    unsigned reset_from_ = 0;
    unsigned reset_length_ = 0;
};

// Operands that belong to no vector: all bits are 0 in a quarter of the cases, and 1 in another quarter.
void drive_junk(Vunit& model, Driver& driver) {
    const uint64_t kind = driver.word() >> 40 & 3;
    const auto word = [&] { return kind == 0 ? 0 : kind == 1 ? ~uint64_t{0} : driver.word(); };
{%- for input in inputs %}
    set_random<{{ input.limbs() }}>(model.in{{ loop.index0 }}, {{ input.mask() }}, word);
{%- endfor %}
}

{% include "verilator/outputs.cpp" %}

// Fills every rank and the state with valid junk, and resets: how a block starts depends only on its seed. A unit without a
// reset is emptied by bubbles; without bubbles, the junk stays. Returns whether the ranks hold valid junk.
bool start(Vunit& model, Driver& driver) {
    model.clk = 0;
    model.en = 1;
    constexpr unsigned FULL = LATENCY + HAS_STATE;
    constexpr unsigned EMPTYING = HAS_RESET ? 1 : HAS_BUBBLES ? LATENCY : 0;
    for (unsigned clock = 0; clock < FULL + EMPTYING; ++clock) {
        model.in_valid = HAS_RESET || clock < FULL;
        model.rst_n = !HAS_RESET || clock < FULL;
        drive_junk(model, driver);
        evaluate(model);
        rise(model);
    }
    return !HAS_RESET && !HAS_BUBBLES;
}

// Streams the vectors; ends at the first clock with an error other than a wrong result, or if a repeated sequence gives another
// result than before.
void stream(Vunit& model, const uint64_t* const* inputs, uint64_t* const* outputs, size_t count, uint64_t seed, uint32_t* clocks,
            uint64_t* progress, Report* report) {
    Driver driver{seed};
    Ranks valid;              // which ranks hold operands
    Ranks ours;               // which of them hold a vector
    if (start(model, driver)) valid.fill();
    size_t sent = 0;          // vectors that went in, without those dropped by a reset
    size_t arrived = 0;       // vectors that reached the last rank
    size_t seen = 0;          // vectors whose results were checked
    bool was_reset = false;   // at the last clock
    bool was_stalled = false; // at the last clock, with results that were due
    Outputs before{model};    // at the last clock
    size_t stored = 0;        // results of a sequence from before it was started again
    unsigned starting = STARTUP; // clocks that remain until the unit takes operands
    unsigned resets = HAS_STATE ? RESETS : 0;  // clocks of reset that remain for a sequence
    unsigned passes = HAS_STATE && count <= SHORT ? PASSES : 1;
    for (uint32_t clock = 0;; ++clock) {
        const Control control = driver.next(HAS_RESET && (!HAS_STATE || (resets > 0 && sent < EARLY)));
        resets -= HAS_STATE && control.reset;
        // While an operation is in progress, operands come seldom: they replace its own.
        const bool is_running = INTERVAL > 1 && valid.any_but_last();
        const bool replaces = is_running && (driver.word() >> 40 & 127) == 0;
        const bool may_take = control.enable && !control.reset && starting == 0 && (!is_running || replaces);
        const bool is_other = BESIDES > 0 && may_take && driver.interleaves();
        const bool takes = may_take && (control.offer || is_other);
        const bool sends = takes && sent < count && !replaces && !is_other;
        const bool is_taken = sends || (takes && (replaces || is_other || !HAS_BUBBLES));
        model.rst_n = !control.reset;
        model.en = control.enable;
        if (sends) {
            model.in_valid = 1;
{%- for input in inputs %}
            set(model.in{{ loop.index0 }}, inputs[{{ loop.index0 }}] + sent * {{ input.limbs() }}, {{ input.mask() }});
{%- endfor %}
        } else {
            // If a clock accepts nothing, in_valid has no meaning. Without bubbles, junk is accepted after the vectors.
            model.in_valid = !HAS_BUBBLES || is_taken || ((!control.enable || control.reset) && control.offer);
            drive_junk(model, driver);
        }
{%- if ports.besides > 0 %}
        model.beside = is_other ? 1 + (driver.word() >> 32) % BESIDES : 0;
{%- endif %}
        note(progress, std::min(sent, count - 1));
        evaluate(model);

        if (LATENCY == 0) arrived += sends;
        const bool is_valid = LATENCY == 0 ? model.in_valid : valid.last();
        const bool has_result = LATENCY == 0 ? sends : ours.last() && !control.reset;
        const Outputs now{model};
        // In the first clock of a reset the outputs are undefined: an asynchronous reset has acted already, a synchronous one has not.
        const bool is_free = control.reset && !(was_reset && LATENCY > 0);
        const bool is_valid_wrong = !is_free && static_cast<bool>(model.out_valid) != is_valid;
        if (is_valid_wrong || (LATENCY > 0 && was_stalled && !control.reset && now != before)) {
            report->kind = is_valid_wrong ? 1 : 2;
            report->clock = clock;
            report->vector = has_result ? arrived - 1 : arrived;
            if (is_valid_wrong) {
                *report->want = is_valid;
                *report->got = model.out_valid;
            } else {
                before.copy_to(report->want);
                now.copy_to(report->got);
            }
            return;
        }
        if (has_result) {
            seen = arrived;
            if (arrived <= stored && now.differ_from(outputs, arrived - 1)) {
                report->kind = 3;
                report->clock = clock;
                report->vector = arrived - 1;
                now.copy_to(report->got);
                Outputs::copy(outputs, arrived - 1, report->want);
                return;
            }
{%- for output in outputs %}
            std::copy_n(now.out{{ loop.index0 }}, {{ output.limbs() }}, outputs[{{ loop.index0 }}] + (arrived - 1) * {{ output.limbs() }});
{%- endfor %}
            clocks[arrived - 1] = clock;
            if (HAS_STATE) stored = std::max(stored, arrived);
            if (arrived == count) {
                if (--passes == 0) return;
                driver.disturb();
                valid.clear();
                ours.clear();
                if (start(model, driver)) valid.fill();
                sent = arrived = seen = 0;
                starting = STARTUP;
                was_reset = was_stalled = false;
                continue;
            }
        } else if (count == 0) {
            return;
        }

        rise(model);
        if (control.reset) {
            starting = STARTUP;
            valid.clear();
            ours.clear();
            if (HAS_STATE) seen = 0;
            sent = arrived = seen;
        } else if (control.enable) {
            starting -= starting > 0;
            // A vector whose operands are replaced is sent again.
            if (is_taken && replaces) sent = seen;
            valid.advance(is_taken);
            ours.advance(is_taken, sends);
            sent += sends;
            arrived += ours.last();
        }
        was_reset = control.reset;
        was_stalled = !control.enable && !control.reset && has_result;
        before = now;
    }
}

}  // namespace

// The limbs of input i of vector v start at inputs[i][v * limbs], those of outputs likewise; bits above a port's width are ignored.
// Results arrive in order, each `LATENCY` enabled clocks after its operands; clocks[v] is the rising edge after which that of v
// arrived. `progress` is the vector that goes in next.
{% let goes_on = "en" %}
{% include "verilator/sequence.cpp" %}
