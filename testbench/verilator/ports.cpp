// Words of ports as limbs of 64 bits, the lowest first; `mask` has a one for each bit of the port in the top limb. Verilator
// keeps ports of up to 64 bits as integers, wider ones as arrays of 32-bit words.

template <typename Port>
inline void set(Port& port, const uint64_t* limbs, uint64_t mask) {
    port = static_cast<Port>(*limbs & mask);
}

template <std::size_t Words>
inline void set(VlWide<Words>& port, const uint64_t* limbs, uint64_t mask) {
    constexpr std::size_t TOP = (Words - 1) / 2;
    for (std::size_t word = 0; word < Words; ++word) {
        const uint64_t limb = word / 2 == TOP ? limbs[TOP] & mask : limbs[word / 2];
        port[word] = static_cast<EData>(limb >> (word % 2 * 32));
    }
}

template <typename Port>
inline void get(const Port& port, uint64_t* limbs) {
    *limbs = port;
}

template <std::size_t Words>
inline void get(const VlWide<Words>& port, uint64_t* limbs) {
    for (std::size_t word = 0; word < Words; word += 2) {
        const uint64_t high = word + 1 < Words ? port[word + 1] : 0;
        limbs[word / 2] = high << 32 | port[word];
    }
}
