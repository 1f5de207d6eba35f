"""Million numbers a second of one core that are encoded and decoded, beside ml_dtypes and gfloat; and the times of products of matrices.

    RAYON_NUM_THREADS=1 python python/tests/rate.py
"""

import time

import gfloat
import ml_dtypes
import numpy as np
from gfloat import formats

import binade

COUNT = 4_000_000
ML_DTYPES = {"bfloat16": "bfloat16", "e4m3fn": "float8_e4m3fn", "e5m2": "float8_e5m2", "e2m1f": "float4_e2m1fn"}
GFLOAT = {
    "bfloat16": formats.format_info_bfloat16,
    "e4m3fn": formats.format_info_ocp_e4m3,
    "e5m2": formats.format_info_ocp_e5m2,
    "e2m1f": formats.format_info_ocp_e2m1,
}


def best(turns, clock, work):
    """The least time of several turns, in seconds."""
    times = []
    for _ in range(turns):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def rate(count, work):
    """In CPU time: other work on the machine does not count."""
    return f"{count / best(5, time.process_time, work) / 1e6:.0f}"


def milliseconds(work):
    return f"{best(3, time.perf_counter, work) * 1e3:.0f}"


LIKE = {"e4m3fn": ["ada", "h100", "b200", "rvbna"], "bfloat16": ["a100", "h100", "mi250x", "mi300x"]}


def products(size):
    """Times of products of square matrices. That of numpy is the last, since its threads go on waiting for work."""
    a, b = np.random.default_rng(1).normal(size=(2, size, size))
    print(f"{size} x {size} matrices, ms")
    for name in ("e4m3fn", "e5m2", "posit8_2", "bfloat16"):
        left, right = binade.encode(a, name), binade.encode(b, name)
        cells = [f"{name:<12} exact {milliseconds(lambda: binade.matmul(left, right, name))}"]
        for like in LIKE.get(name, []):
            cells += [f"{like} {milliseconds(lambda: binade.matmul(left, right, name, like=like))}"]
        print(", ".join(cells))
    print(f"{'float64':<12} {best(9, time.perf_counter, lambda: a @ b) * 1e3:.1f}")


def main():
    x = np.random.default_rng(1).normal(size=COUNT).astype(np.float32)
    few = x[:100_000].astype(np.float64)
    print(f"{'M/s, a core':<12} {'encode':>8} {'sr8':>6} {'decode':>8} {'ml_dtypes':>10} {'its decode':>10} {'gfloat':>8}")
    for name in ("e5m2", "e4m3fn", "e5m2b1", "e2m1f", "posit8_2", "binary16", "bfloat16", "posit16_1"):
        codes = binade.encode(x, name)
        values = np.empty_like(x)
        cells = [rate(COUNT, lambda: binade.encode(x, name, out=codes))]
        cells += [rate(COUNT, lambda: binade.encode(x, name, round="sr8", seed=1, out=codes))]
        cells += [rate(COUNT, lambda: binade.decode(codes, name, out=values))]
        kind = np.float16 if name == "binary16" else getattr(ml_dtypes, ML_DTYPES.get(name, ""), None)
        cells += [rate(COUNT, lambda: x.astype(kind)), rate(COUNT, lambda: codes.view(kind).astype(np.float32))] if kind else ["-", "-"]
        info = GFLOAT.get(name)
        cells += [rate(few.size, lambda: gfloat.round_ndarray(info, few, sat=True))] if info else ["-"]
        print(f"{name:<12} {cells[0]:>8} {cells[1]:>6} {cells[2]:>8} {cells[3]:>10} {cells[4]:>10} {cells[5]:>8}")
    products(512)


if __name__ == "__main__":
    main()
