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
