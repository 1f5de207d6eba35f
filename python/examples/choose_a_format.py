"""Which 8-bit format suits a tensor, and how its multiply-accumulate unit looks in hardware.

    pip install ./python
    python python/examples/choose_a_format.py
"""

import numpy as np

import binade

FORMATS = ["e5m2", "e4m3fn", "e5m2b1", "k8p3se", "posit8_2"]


def main():
    # Weights of a layer: about normal, a few of them large.
    random = np.random.default_rng(1)
    weights = (random.normal(size=(512, 512)) * 0.05 * np.exp(random.normal(size=(512, 512)))).astype(np.float32)

    print(f"{'format':<10} {'SQNR, dB':>9} {'to zero':>9} {'max':>10} {'smallest':>10}")
    quality = {}
    for name in FORMATS:
        format = binade.format(name)
        rounded = binade.quantize(weights, format)
        noise = np.mean((weights.astype(np.float64) - rounded) ** 2)
        quality[name] = 10 * np.log10(np.mean(weights.astype(np.float64) ** 2) / noise)
        flushed = np.mean((rounded == 0) & (weights != 0))
        print(f"{name:<10} {quality[name]:>9.2f} {flushed:>9.2%} {format.max:>10.4g} {format.smallest_subnormal:>10.3g}")

    best = max(quality, key=quality.get)
    unit = binade.generate("fmac", best)
    print(f"{best} is nearest to the weights; its multiply-accumulate unit is {unit.module}, {len(unit.verilog.splitlines())} lines of Verilog")


if __name__ == "__main__":
    main()
