/* The golden model of Binade: what a unit returns, bit for bit. Link with libbinade_c.so, which
   `cargo build --release -p binade-c` leaves in target/release. */
#ifndef BINADE_H
#define BINADE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A unit that is open; any number of threads may evaluate it at once. */
typedef struct BinadeUnit BinadeUnit;

/* Opens a unit. Its words are those of the command line: "unit=fmac format=e5m2b1 acc=binary16 round=rtz".
   Gives NULL if there is no such unit, or if a port has more than 64 bits; binade_error() says why. */
BinadeUnit *binade_open(const char *words);

/* Why this thread's last binade_open() gave NULL, in one sentence; valid until the next one that fails. */
const char *binade_error(void);

/* The first output. Operands are codes in the order of the ports, the random word of stochastic rounding last; those that the
   unit does not have, and bits above a port's, do not count. */
uint64_t binade_eval(const BinadeUnit *unit, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* Closes a unit; nothing happens for NULL. */
void binade_close(BinadeUnit *unit);

#ifdef __cplusplus
}
#endif

#endif
