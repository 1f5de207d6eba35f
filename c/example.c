/* 0.3125 * 3 + 0.5 in e5m2b1, into binary16: prints 0x3dc0, which is 1.4375. */
#include "binade.h"

#include <inttypes.h>
#include <stdio.h>

int main(void) {
  BinadeUnit *fmac = binade_open("unit=fmac format=e5m2b1 acc=binary16");
  if (!fmac) {
    fprintf(stderr, "%s\n", binade_error());
    return 1;
  }
  printf("0x%04" PRIx64 "\n", binade_eval(fmac, 0x39, 0x46, 0x3800, 0));
  binade_close(fmac);
  return 0;
}
