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

// How many consecutive clocks are driven in the same way.
constexpr unsigned RUN = 40;

// A sequence is started again only within its first EARLY vectors, and resets take at most RESETS clocks in total.
constexpr size_t EARLY = 512;
constexpr unsigned RESETS = 6;

// Clocks after the last result, in which no other may appear.
constexpr unsigned TAIL = LATENCY + 4;

// The inputs at one clock.
struct Control {
    bool reset;
    bool offer;
    bool ready;
};

// The pattern of a signal over some clocks.
enum Pattern { ALWAYS, NEVER, ALTERNATELY, IN_BURSTS, OFTEN, AT_RANDOM, PATTERNS };

// Half of the runs are back to back; in the others each side has a pattern, and some contain a reset.
class Driver {
  public:
    explicit Driver(uint64_t seed) : state_(seed | 1) {
        for (int i = 0; i < 4; ++i) next_random(state_);
    }

    uint64_t word() { return next_random(state_); }

    Control next(bool may_reset) {
        if (left_ == 0) start_run();
        --left_;
        const bool resets = may_reset && left_ - reset_from_ < reset_length_;
        const bool offers = level(offers_);
        return {resets, offers, level(takes_)};
    }

  private:
    void start_run() {
        const uint64_t random = word();
        left_ = RUN;
        const bool is_disturbed = (random >> 10 & 1) != 0;
        offers_ = is_disturbed ? static_cast<Pattern>((random >> 12 & 255) % PATTERNS) : ALWAYS;
        takes_ = is_disturbed ? static_cast<Pattern>((random >> 22 & 255) % PATTERNS) : ALWAYS;
        // One run in sixteen has a reset of up to three clocks.
        reset_length_ = (random >> 32 & 15) == 0 ? 1 + random % 3 : 0;
        reset_from_ = random >> 40 & 15;
    }

    bool level(Pattern pattern) {
        switch (pattern) {
            case ALWAYS: return true;
            case NEVER: return false;
            case ALTERNATELY: return left_ % 2 == 0;
            case IN_BURSTS: return left_ % 8 < 3;
            case OFTEN: return (word() >> 40 & 7) != 0;
            default: return (word() >> 40 & 1) != 0;
        }
    }

    uint64_t state_;
    unsigned left_ = 0;
    Pattern offers_ = ALWAYS;
    Pattern takes_ = ALWAYS;
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
