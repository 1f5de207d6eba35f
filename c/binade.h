/* The golden model of Binade: the results of a unit, bit for bit. Link with libbinade_c.so, which
   `cargo build --release -p binade-c` builds in target/release. */
#ifndef BINADE_H
#define BINADE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open unit; any number of threads may evaluate it concurrently. */
typedef struct BinadeUnit BinadeUnit;

/* Opens a unit, given by words as on the command line: "unit=fmac format=e5m2b1 acc=binary16 round=rtz".
   Returns NULL if there is no such unit, or if a port has more than 64 bits; binade_error() tells why. */
BinadeUnit *binade_open(const char *words);

/* Why this thread's last failed binade_open() returned NULL, in one sentence; valid until the next failure. */
const char *binade_error(void);

/* The first output. Operands are codes in the order of the ports, with the random word of stochastic rounding last. Operands
   that the unit does not have, and bits above a port's width, are ignored. */
uint64_t binade_eval(const BinadeUnit *unit, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* The number of outputs: results, and last the flags of a unit with flags=true. */
uint32_t binade_outputs(const BinadeUnit *unit);

/* The output with this number, from 0 in the order of the ports; 0 if there is no such output. Operands as for binade_eval(). */
uint64_t binade_eval_output(const BinadeUnit *unit, uint32_t output, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* Closes a unit; NULL is ignored. */
void binade_close(BinadeUnit *unit);

#ifdef __cplusplus
}
#endif

#endif
