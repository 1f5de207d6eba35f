// Drives a verilated module of a user with valid and ready from Rust: one call streams many vectors through it, with several patterns
// on both sides and with resets. Operands that are offered stay until they are taken, results arrive in the order of their operands
// or with their tags, after any number of clocks, and stay until they are taken. The vectors of a unit with state are a sequence from a reset on; another
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

// The tags that are used; results of a module without them come in order.
constexpr uint32_t TAGS = 1u << std::min(6, {{ ports.tag_bits }});

// After so many clocks in which results were awaited and would have been taken, or operands offered, nothing will come.
constexpr unsigned PATIENCE = 4096;

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

// Operands that are offered or were taken.
struct Entry {
    size_t vector;
    // 0: of a vector; else another operation, whose results are not judged.
    unsigned other;
    uint32_t tag;
};

// The operations in flight. Results come in their order, or in any order with tags.
class Flight {
  public:
    bool empty() const { return entries_.empty(); }
    void push(const Entry& entry) { entries_.push_back(entry); }
    void clear() { entries_.clear(); }

    // The operation whose results have this tag, or the first one.
    const Entry* find(uint32_t tag) const {
        if (TAGS == 1) return entries_.empty() ? nullptr : &entries_.front();
        const auto found = std::find_if(entries_.begin(), entries_.end(), [=](const Entry& entry) { return entry.tag == tag; });
        return found == entries_.end() ? nullptr : &*found;
    }

    void remove(const Entry* entry) { entries_.erase(entries_.begin() + (entry - entries_.data())); }

    // A tag that no operation in flight has, from this one on; TAGS if there is none.
    uint32_t free_tag(uint32_t from) const {
        for (uint32_t tag = 0; tag < TAGS; ++tag) {
            const uint32_t candidate = (from + tag) % TAGS;
            if (TAGS == 1 || find(candidate) == nullptr) return candidate;
        }
        return TAGS;
    }

    // The vectors in flight, in their order.
    std::vector<size_t> vectors() const {
        std::vector<size_t> found;
        for (const Entry& entry : entries_)
            if (entry.other == 0) found.push_back(entry.vector);
        return found;
    }

  private:
    std::vector<Entry> entries_;
};

// Streams the vectors; ends at the first clock with an error other than a wrong result, or with another result than before.
void stream(Vunit& model, const uint64_t* const* inputs, uint64_t* const* outputs, size_t count, uint64_t seed, uint32_t* clocks,
            uint64_t* progress, Report* report) {
    if (count == 0) return;
    Driver driver{seed};
    start(model, driver);
    size_t next = 0;          // the first vector that was never taken
    std::deque<size_t> again; // vectors that a reset has dropped
    size_t arrived = 0;       // vectors whose results were taken
    std::vector<bool> is_stored(count);  // whether results were stored
    Flight flight;
    Entry offered{0, 0, TAGS};
    bool was_refused = false; // whether operands were offered but not taken at the last clock
    bool was_held = false;    // whether results were offered but not taken at the last clock
    Outputs before{model};    // at the last clock
    uint32_t tag_before = 0;
    unsigned resets = RESETS; // clocks of reset that remain for a sequence
    unsigned starting = STARTUP; // clocks that remain until operands are offered
    unsigned quiet = 0;       // clocks without anything that should have come
    unsigned tail = TAIL;
    for (uint32_t clock = 0;; ++clock) {
        const bool is_over = arrived == count && flight.empty();
        if (is_over && tail-- == 0) return;
        const Control control = driver.next(!is_over && (!HAS_STATE || (resets > 0 && next < EARLY)));
        resets -= HAS_STATE && control.reset;
        if (!was_refused) {
            const uint64_t random = BESIDES > 0 || TAGS > 1 ? driver.word() : 0;
            offered.other = BESIDES > 0 && !is_over && (random >> 20 & 1) != 0 ? 1 + (random >> 32) % BESIDES : 0;
            offered.vector = again.empty() ? next : again.front();
            offered.tag = flight.free_tag(random >> 8 & (TAGS - 1));
        }
        const bool is_there = (offered.other > 0 || offered.vector < count) && offered.tag < TAGS;
        const bool offers = !control.reset && starting == 0 && is_there && (control.offer || was_refused);
        const bool is_ready = control.ready || !HAS_OUT_READY;
        model.rst_n = !control.reset;
        model.out_ready = is_ready;
        model.in_valid = offers;
        if (offers && offered.other == 0) {
{%- for input in inputs %}
            set(model.in{{ loop.index0 }}, inputs[{{ loop.index0 }}] + offered.vector * {{ input.limbs() }}, {{ input.mask() }});
{%- endfor %}
        } else {
            // Operands that are not offered have no meaning; those of another operation stay.
            if (!(offers && was_refused)) drive_junk(model, driver);
        }
{%- if ports.besides > 0 %}
        model.beside = offers ? offered.other : 0;
{%- endif %}
{%- if ports.tag_bits > 0 %}
        model.tag_in = offers ? offered.tag : driver.word() & (TAGS - 1);
{%- endif %}
        note(progress, std::min(offered.vector, count - 1));
        evaluate(model);

        const bool takes = offers && static_cast<bool>(model.in_ready);
        const bool is_valid = !control.reset && static_cast<bool>(model.out_valid);
        const uint32_t tag = {% if ports.tag_bits > 0 %}model.tag_out{% else %}0{% endif %};
        if (takes) {
            flight.push(offered);
            if (offered.other == 0 && again.empty()) ++next;
            else if (offered.other == 0) again.pop_front();
        }
        const Entry* entry = flight.find(tag);
        // Results may be offered before their operands are taken, if they are not taken before.
        const bool is_early = entry == nullptr && offers && !takes && (TAGS == 1 || tag == offered.tag) && !(is_valid && is_ready);
        if (is_early) entry = &offered;
        report->clock = clock;
        report->vector = std::min(entry != nullptr ? entry->vector : next, count - 1);
        const Outputs now{model};
        if (is_valid && entry == nullptr) {
            report->kind = flight.empty() ? 1 : 10;
            *report->want = 0;
            *report->got = flight.empty() ? 1 : tag;
            return;
        }
        if (was_held && !control.reset && (!is_valid || now != before || tag != tag_before)) {
            report->kind = is_valid ? 6 : 7;
            before.copy_to(report->want);
            now.copy_to(report->got);
            return;
        }
        if (is_valid && entry->other == 0) {
            const size_t vector = entry->vector;
            if (is_stored[vector] && now.differ_from(outputs, vector)) {
                report->kind = 3;
                now.copy_to(report->got);
                Outputs::copy(outputs, vector, report->want);
                return;
            }
{%- for output in outputs %}
            std::copy_n(now.out{{ loop.index0 }}, {{ output.limbs() }}, outputs[{{ loop.index0 }}] + vector * {{ output.limbs() }});
{%- endfor %}
            if (!is_stored[vector]) clocks[vector] = clock;
            is_stored[vector] = true;
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
        tag_before = tag;
        starting -= starting > 0;
        if (control.reset) {
            if (HAS_STATE) {
                next = arrived = 0;
            } else {
                const std::vector<size_t> dropped = flight.vectors();
                again.insert(again.begin(), dropped.begin(), dropped.end());
            }
            flight.clear();
            starting = STARTUP;
            was_refused = was_held = false;
            continue;
        }
        if (is_gone) {
            arrived += entry->other == 0;
            flight.remove(entry);
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
