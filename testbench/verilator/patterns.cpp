// What both sides of a handshake do, clock by clock. Included by `handshake.cpp` and `exchange.cpp`.

// How many consecutive clocks are driven in the same way.
constexpr unsigned RUN = 40;

// A sequence is started again only within its first EARLY vectors, and resets take at most RESETS clocks in total.
constexpr size_t EARLY = 512;
constexpr unsigned RESETS = 6;

// The inputs at one clock.
struct Control {
    bool reset;
    bool offer;
    bool ready;
};

// The pattern of a signal over some clocks.
enum Pattern { ALWAYS, NEVER, ALTERNATELY, IN_BURSTS, OFTEN, AT_RANDOM, PATTERNS };

// Runs of clocks: half of them are back to back; in the others each side has a pattern, some are long, and some contain resets. In every
// third block both sides are random in each clock; in every fourth there is no reset.
class Driver {
  public:
    explicit Driver(uint64_t seed) : state_(seed | 1) {
        for (int i = 0; i < 4; ++i) next_random(state_);
        is_random_ = (word() >> 32) % 3 == 0;
        has_resets_ = (word() >> 32) % 4 != 0;
    }

    uint64_t word() { return next_random(state_); }

    Control next(bool may_reset) {
        if (left_ == 0) start_run();
        --left_;
        // A second reset may follow the first one closely.
        const bool is_first = left_ - reset_from_ < reset_length_;
        const bool is_second = left_ - reset_from_ - reset_length_ - gap_ < second_length_;
        const bool resets = may_reset && has_resets_ && (is_first || is_second);
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
        if (is_random_) offers_ = takes_ = AT_RANDOM;
        // One run in 32 is long.
        else if ((random >> 52 & 31) == 0) left_ = 300 + (word() >> 32) % 700;
        // One run in sixteen has a reset of up to three clocks, and a quarter of these another one.
        const bool has_reset = (random >> 32 & 15) == 0;
        reset_length_ = has_reset ? 1 + random % 3 : 0;
        reset_from_ = random >> 40 & 15;
        second_length_ = has_reset && (random >> 46 & 3) == 0 ? 1 + (random >> 48 & 1) : 0;
        gap_ = 1 + (random >> 49 & 3);
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
    bool is_random_ = false;
    bool has_resets_ = true;
    unsigned left_ = 0;
    Pattern offers_ = ALWAYS;
    Pattern takes_ = ALWAYS;
    unsigned reset_from_ = 0;
    unsigned reset_length_ = 0;
    unsigned second_length_ = 0;
    unsigned gap_ = 1;
};

// Operands that belong to no vector: all bits are 0 in a quarter of the cases, and 1 in another quarter.
void drive_junk(Vunit& model, Driver& driver) {
    const uint64_t kind = driver.word() >> 40 & 3;
    const auto word = [&] { return kind == 0 ? 0 : kind == 1 ? ~uint64_t{0} : driver.word(); };
{%- for input in inputs %}
    set_random<{{ input.limbs() }}>(model.in{{ loop.index0 }}, {{ input.mask() }}, word);
{%- endfor %}
}
