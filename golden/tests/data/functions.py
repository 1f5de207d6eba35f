#!/usr/bin/env python3
"""Writes functions.csv: values of the functions of the unit `function` at numbers of bfloat16, by mpmath: truncated after 60
digits, with a last digit 1 if more follow."""

import random
from pathlib import Path

import mpmath
from mpmath import mp, mpf

# Results beside 1 or beside the operand have many equal digits.
mp.prec = 12000
DIGITS = 60
COUNT = 60

FUNCTIONS = {
    "exp": mpmath.exp,
    "exp2": lambda x: mpf(2) ** x,
    "expm1": mpmath.expm1,
    "log": mpmath.log,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "log1p": mpmath.log1p,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tanh": mpmath.tanh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "gelu": lambda x: x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2,
    "gelu-tanh": lambda x: x / (1 + mpmath.exp(-2 * mpmath.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3))),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "erf": mpmath.erf,
    "recip": lambda x: 1 / x,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
}
POSITIVE = {"log", "log2", "rsqrt"}


def numbers(function: str, rng: random.Random):
    """Numbers of 8 bits in the function's domain: most of them where it bends."""
    for at in range(COUNT):
        reach = (-6, 6) if at % 3 else (-100, 100)
        x = rng.choice([-1, 1]) * rng.randrange(128, 256) * 2.0 ** (rng.randrange(*reach) - 7)
        if function in POSITIVE or (function == "log1p" and x <= -1):
            x = abs(x)
        # Powers of e beyond every format would have no digits left.
        if function not in {"log", "log2", "log1p", "sin", "cos", "recip", "rsqrt", "cbrt"} and abs(x) > 40:
            x = x / 2.0**90
        yield x


def truncated(value: mpf) -> str:
    """The leading digits of a value."""
    exponent = int(mpmath.floor(mpmath.log10(abs(value))))
    scaled = abs(value) * mpf(10) ** (DIGITS - exponent)
    digits = int(mpmath.floor(scaled))
    # What is computed may err far below the last digit.
    near = int(mpmath.nint(scaled))
    is_exact = abs(scaled - near) < mpf(2) ** -9000
    sign = "-" if value < 0 else ""
    return f"{sign}{near if is_exact else digits}{'' if is_exact else '1'}e{exponent - DIGITS - (0 if is_exact else 1)}"


def main() -> None:
    rng = random.Random(1)
    with (Path(__file__).parent / "functions.csv").open("w") as file:
        for name, function in FUNCTIONS.items():
            for x in numbers(name, rng):
                print(name, x.hex(), truncated(function(mpf(x))), sep=",", file=file)


if __name__ == "__main__":
    main()
