"""Exact arithmetic in any number format on NumPy arrays, and Verilog for it.

Numbers of a format are stored as *codes*: arrays of ``uint8``, ``uint16``, ``uint32`` or ``uint64``, whichever is the smallest
type that holds the format's bits. Every result is that of Binade's golden model: the exact result, rounded once.

>>> import binade
>>> codes = binade.encode([0.3, -1.0, 1e9], "e5m2")
>>> codes
array([ 53, 188, 124], dtype=uint8)
>>> binade.decode(codes, "e5m2")
array([ 0.3125, -1.    ,     inf], dtype=float32)

Arguments that functions share:

``format``
    A name such as ``"e5m2"``, ``"posit16_1"`` or ``"float8_e4m3fn"``, a :class:`Format`, or the type of an array or tensor, such as
    ``np.float16`` or ``ml_dtypes.float8_e4m3fn``.
codes
    Integers, or an array whose type has the format's codes: ``float8_e4m3fn`` of ``ml_dtypes`` for ``"e4m3fn"``.
``decode``
    Functions of arithmetic return codes; with ``decode=True``, the numbers of these codes.
``round``
    ``"rne"`` (to nearest, ties to even), ``"rna"``, ``"rtz"``, ``"rup"``, ``"rdn"``, ``"rto"``, ``"sr1"`` to ``"sr32"``
    (stochastic with that many random bits), ``"mptorch"`` (supernormals). The default depends on the format: ``"rne"``, or
    ``"rnu"`` for dlfloat16.
``overflow``
    The result beyond the largest value: infinity, or what the format has in its place (``"inf"``, the default); the largest
    value (``"saturate"``); or the largest value unless an operand is infinite (``"propagate"``). Posits always saturate,
    unless ``posit_range="float"``.
``random_bits``, ``seed``
    The input of stochastic rounding: either random words, an array of integers that broadcasts to the results' shape, of
    which each rounding uses the lowest unused bits; or a seed, which gives the same results on every machine.
``out``
    An array for the results, with their shape and type, contiguous or not; it is returned.

Arrays may have any shape and stride; operands broadcast. Large arrays are divided among all cores
(``RAYON_NUM_THREADS`` sets their number), and the interpreter's lock is released meanwhile. Invalid arguments raise
``ValueError`` or ``TypeError`` with a message that says what is expected.
"""

from __future__ import annotations

import functools
import html
import json
import math
import os
import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _binade
from ._binade import __version__
from ._judged import Proof, Verification, prove, verify
from ._suites import Suite, SuiteUnit, prove_suite, verify_suite

_binade.loaded_from(_binade.__file__, [sys.executable, "-m", "binade"])

__all__ = [
    "Blocks",
    "Format",
    "Generated",
    "Proof",
    "Suite",
    "SuiteUnit",
    "Verification",
    "accumulate",
    "add",
    "convert",
    "decode",
    "divide",
    "dot",
    "encode",
    "encode_blocks",
    "fma",
    "format",
    "formats",
    "function",
    "generate",
    "layer_norm",
    "matmul",
    "mul",
    "prove",
    "prove_suite",
    "quantize",
    "reciprocal",
    "reduce",
    "rms_norm",
    "rsqrt",
    "softmax",
    "sqrt",
    "sub",
    "units",
    "verify",
    "verify_suite",
]


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


class Format:
    """A number format. Attributes with the names of ``ml_dtypes.finfo`` have the same meaning; values are Python floats, exact if
    possible.

    >>> e5m2b1 = binade.format("e5m2b1")
    >>> e5m2b1.bits, e5m2b1.max, e5m2b1.smallest_normal, e5m2b1.eps
    (8, 131072.0, 3.0517578125e-05, 0.25)
    >>> e5m2b1.classes["upper supernormal"]
    (124, 126)
    """

    name: str
    """The canonical name."""
    aliases: tuple[str, ...]
    """Names of the same format in other software."""
    summary: str
    """The fields and special codes in one line."""
    bits: int
    """The width of a code in bits."""
    dtype: np.dtype[Any]
    """The type of arrays of codes."""
    precision: int
    """The largest number of significand bits, including the leading one."""
    nexp: int
    """The width of the exponent field; for a posit ``es``."""
    nmant: int
    """The largest number of trailing significand bits."""
    maxexp: int
    """The exponent of the first power of two beyond the largest value."""
    classes: dict[str, tuple[int, int]]
    """For each class of codes (zero, subnormal, normal, ..), the first and the last code without sign."""
    infinity_code: int | None
    """The code of infinity, if the format has one."""
    nan_code: int | None
    """The canonical code of NaN or NaR, if the format has one."""

    def __init__(self, name: str) -> None:
        described = _binade.describe(name)
        self.name = described.name
        self.aliases = tuple(described.aliases)
        self.summary = described.summary
        self.bits = described.bits
        self.dtype = np.dtype(next(f"u{size}" for size in (1, 2, 4, 8) if 8 * size >= self.bits))
        self.precision = described.precision
        self.nexp = described.exponent_bits
        self.nmant = described.trailing_bits
        self.maxexp = described.max_exponent + 1
        self.classes = {name: (first, last) for name, first, last in described.classes}
        self.infinity_code = described.infinity
        self.nan_code = described.nan
        self._described = described

    def __repr__(self) -> str:
        return f"binade.format({self.name!r})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the properties, and the value of each code of formats of up to 8 bits."""
        facts = {
            "bits": self.bits,
            "precision": self.precision,
            "largest": f"{self.max:g}",
            "smallest normal": f"{self.smallest_normal:g}",
            "smallest": f"{self.smallest_subnormal:g}",
            "eps": f"{self.eps:g}",
        }
        facts |= {name: f"{first:#x} to {last:#x}" for name, (first, last) in self.classes.items()}
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{fact}</td></tr>" for name, fact in facts.items())
        page = f"<b>{html.escape(self.name)}</b>: {html.escape(self.summary)}<table>{rows}</table>"
        if self.bits > 8:
            return page
        across = min(16, 1 << self.bits)
        head = "".join(f"<th>+{low:x}</th>" for low in range(across))
        lines = [
            f"<tr><th>{first:#04x}</th>" + "".join(f"<td>{value:g}</td>" for value in self.values[first : first + across]) + "</tr>"
            for first in range(0, 1 << self.bits, across)
        ]
        return f"{page}<table><tr><th>code</th>{head}</tr>{''.join(lines)}</table>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Format) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def _value(self, code: int) -> float:
        return float(decode(np.array(code, self.dtype), self, dtype=np.float64))

    @property
    def max(self) -> float:
        """The largest finite value."""
        return self._value(self._described.largest)

    @property
    def min(self) -> float:
        """The least finite value: the negative of the largest one, or the smallest value if the format is unsigned."""
        return -self.max if self._described.is_signed else self._value(0)

    @property
    def smallest_normal(self) -> float:
        """The smallest positive value with full precision; for a posit, minpos."""
        return self._value(self._described.smallest_normal)

    @property
    def minexp(self) -> int:
        """floor(log2) of :attr:`smallest_normal`."""
        return math.frexp(self.smallest_normal)[1] - 1

    @property
    def tiny(self) -> float:
        """The same as :attr:`smallest_normal`."""
        return self.smallest_normal

    @property
    def smallest_subnormal(self) -> float:
        """The smallest positive value."""
        return self._value(self._described.smallest)

    @property
    def eps(self) -> float:
        """The distance from 1 to the next larger value."""
        return float(self.ulp(1.0))

    @property
    def values(self) -> NDArray[np.float64]:
        """The values of all codes, in the order of the codes, as ``float64`` with shape ``(2**bits,)``; only for formats of up
        to 16 bits."""
        if self.bits > 16:
            raise ValueError(f"{self.name} has 2^{self.bits} codes; values are listed for formats of up to 16 bits")
        return decode(np.arange(1 << self.bits, dtype=self.dtype), self, dtype=np.float64)

    @property
    def ml_dtype(self) -> np.dtype[Any] | None:
        """The type of ``ml_dtypes`` or NumPy with the same codes, if there is one: ``codes.view(format.ml_dtype)`` is a view.

        >>> codes = binade.encode([1.5, -2.0], "e4m3fn")
        >>> codes.view(binade.format("e4m3fn").ml_dtype)
        array([1.5, -2], dtype='float8_e4m3fn')
        """
        native = {"binary16": np.float16, "binary32": np.float32, "binary64": np.float64}
        if self.name in native:
            return np.dtype(native[self.name])
        try:
            import ml_dtypes
        except ImportError:
            return None
        names = (name for name in (self.name, *self.aliases) if hasattr(ml_dtypes, name))
        return next((np.dtype(getattr(ml_dtypes, name)) for name in names), None)

    def ulp(self, x: ArrayLike) -> NDArray[np.float64] | np.float64:
        """The distance between the neighbouring values around ``|x|``, as ``float64`` with the shape of ``x``: from the largest
        value not above ``|x|`` to the next one. At and above the largest value of the format, it is the distance below that
        value; for NaN and infinities it is NaN.

        >>> binade.format("bfloat16").ulp([1.0, 255.0, 1e-40])
        array([7.81250000e-03, 1.00000000e+00, 9.18354962e-41])
        """
        magnitude = np.abs(_real(x).astype(np.float64))
        is_finite = np.isfinite(magnitude)
        magnitude = np.where(is_finite, magnitude, 0.0)
        overflow = "saturate" if self._described.takes_overflow else "inf"
        codes = np.asarray(encode(magnitude, self, overflow=overflow)).astype(np.uint64)
        is_above = np.asarray(decode(codes, self, dtype=np.float64)) > magnitude
        least = 0 if self._described.has_zero else self._described.smallest
        codes = np.where(is_above & (codes > least), codes - np.uint64(1), codes)
        codes = np.minimum(codes, np.uint64(self._described.largest - 1))
        low, high = (np.asarray(decode(code, self, dtype=np.float64)) for code in (codes, codes + np.uint64(1)))
        return np.where(is_finite, high - low, np.nan)[()]


class Generated(NamedTuple):
    """A unit as hardware."""

    module: str
    """The name of the module."""
    text: str
    """The text of the file in the requested language."""
    manifest: dict[str, Any]
    """A description of the unit for programs: ports, latency, settings."""

    def __repr__(self) -> str:
        language = self.manifest.get("language", "verilog")
        ports = ", ".join(f"{port['name']} {port['width']}" for port in self.manifest["ports"])
        return f"<{self.module}: {len(self.text.splitlines())} lines of {language}; ports {ports}>"

    @property
    def verilog(self) -> str:
        """The text of the Verilog file; raises ``ValueError`` if another language was requested."""
        language = self.manifest.get("language", "verilog")
        if language != "verilog":
            raise ValueError(f"{self.module} was generated in {language}: its text is in .text")
        return self.text


@functools.lru_cache(maxsize=256)
def _format(name: str) -> Format:
    return Format(name)


def format(name: str | Format | DTypeLike) -> Format:
    """The format with this name, or that a file ``..toml`` defines; or that of a type of NumPy, ``ml_dtypes`` or PyTorch, such as
    ``np.float16``, ``ml_dtypes.float8_e4m3fn`` or ``torch.float8_e5m2``. Raises ``ValueError`` if there is none; the message says what is
    allowed.
    """
    if isinstance(name, Format):
        return name
    if not isinstance(name, str):
        name = _name_of_type(name)
    # A file may have changed.
    return Format(name) if name.endswith(".toml") else _format(name)


def _name_of_type(kind: Any) -> str:
    """The name of a type of NumPy, ``ml_dtypes`` or PyTorch."""
    if str(kind).startswith("torch."):
        return str(kind).removeprefix("torch.")
    if isinstance(kind, (type, np.dtype)):
        try:
            return np.dtype(kind).name
        except TypeError:
            pass
    raise TypeError(f"a format is a name such as 'e5m2', a binade.Format or the type of an array, not {type(kind).__name__}")


# An alias, since functions have an argument named format.
_named = format


def formats() -> list[str]:
    """The names that ``binade formats`` lists. Names follow rules, so there are many more: see :func:`format`.

    >>> binade.formats()[:3]
    ['e5m2', 'e4m3', 'e4m3fn']
    """
    return _binade.format_names()


def units() -> dict[str, str]:
    """The units that :func:`generate` knows, and what each computes.

    >>> binade.units()["fmac"]
    '`a * b + c`, `c` and the result in the accumulator format, rounded once.'
    """
    return dict(_binade.unit_names())


def encode(
    x: ArrayLike,
    format: str | Format,
    *,
    round: str | None = None,
    overflow: str = "inf",
    posit_range: str = "saturate",
    random_bits: ArrayLike | None = None,
    seed: int | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The codes of numbers, each rounded once.

    ``x``: numbers of any shape: ``float64``, ``float32``, or a type whose numbers these hold exactly. Returns codes of the same
    shape.

    >>> binade.encode([1.1, 1.1], "e5m2", round="sr8", seed=1).shape
    (2,)
    >>> binade.encode(1e9, "e4m3fn", overflow="saturate")
    np.uint8(126)
    """
    numbers = _real(x)
    settings = _settings(round, overflow, posit_range)
    bits = numbers.view(f"u{numbers.dtype.itemsize}")
    return _convert(bits, _source(numbers), _named(format), settings, random_bits, seed, out)


def decode(
    codes: ArrayLike, format: str | Format, *, dtype: DTypeLike | None = None, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """The values of codes.

    ``codes``: integers of any shape. Returns numbers of the same shape: of type ``dtype``, by default ``float32`` if
    that has every value of the format, else ``float64``. Values that the type does not have are rounded to nearest.

    >>> binade.decode([0x3c, 0x7c, 0x7e], "e5m2")
    array([ 1., inf, nan], dtype=float32)
    """
    source = _named(format)
    kind = _float(dtype if dtype is not None or out is None else out.dtype, source)
    if out is not None and out.dtype != kind:
        raise TypeError(f"out has elements of {out.dtype}, not {kind}")
    bits = None if out is None else out.view(f"u{kind.itemsize}")
    target = _named("binary32" if kind == np.float32 else "binary64")
    result = _convert(_codes(codes, source), source, target, {}, None, None, bits)
    return out if out is not None else result.view(kind)


def quantize(
    x: ArrayLike,
    format: str | Format,
    *,
    scale: ArrayLike | str | Format | None = None,
    block: int | None = None,
    axis: int | None = None,
    scale_rule: str | None = None,
    tensor_scale: float | str | None = None,
    round: str | None = None,
    overflow: str = "inf",
    posit_range: str = "saturate",
    random_bits: ArrayLike | None = None,
    seed: int | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Numbers rounded to the values of a format: :func:`encode`, then :func:`decode`.

    ``x``: numbers of any shape. Returns numbers of the same shape: ``float32`` if ``x`` has that type and it holds every value of
    the format, else ``float64``.

    ``scale``: numbers by which ``x`` is divided before it is rounded, in ``float64``, and multiplied afterwards; they broadcast.
    Or the name of a format, in which each block gets a scale from its own numbers: then ``block``, ``axis``, ``scale_rule`` and
    ``tensor_scale`` are those of :func:`encode_blocks`, and the result has the type of ``x``.

    >>> binade.quantize([0.1, 3.3, -70000.0], "posit8_2")
    array([ 1.015625e-01,  3.250000e+00, -6.553600e+04])
    >>> binade.quantize([0.1, 3.3, -70000.0], "e2m1f", scale=[1.0, 1.0, 16384.0])
    array([ 0.0000e+00,  3.0000e+00, -6.5536e+04])
    >>> binade.quantize([0.1, 3.3, 1e-3, 2e-3], "e2m1f", scale="e8m0", block=2)
    array([0.000000e+00, 3.000000e+00, 9.765625e-04, 1.953125e-03])
    """
    if isinstance(scale, (str, Format)):
        if overflow != "inf" or posit_range != "saturate":
            raise ValueError("scale=<name of a format> fixes what too large results become: leave overflow and posit_range out")
        blocks = encode_blocks(
            x,
            format,
            scale=scale,
            block=block,
            axis=axis,
            scale_rule=scale_rule,
            tensor_scale=tensor_scale,
            round=round,
            random_bits=random_bits,
            seed=seed,
        )
        return _stored(blocks.values, out)
    if not (block is axis is scale_rule is tensor_scale is None):
        raise ValueError("block, axis, scale_rule and tensor_scale are for scale=<name of a format>, such as scale='e8m0'")
    numbers = _real(x)
    factors = None if scale is None else np.asarray(scale, np.float64)
    divided = numbers if factors is None else numbers.astype(np.float64) / factors
    codes = encode(
        divided,
        format,
        round=round,
        overflow=overflow,
        posit_range=posit_range,
        random_bits=random_bits,
        seed=seed,
    )
    source = _named(format)
    kind = np.float32 if numbers.dtype == np.float32 and source._described.fits_float32 else np.float64
    if factors is None:
        return decode(codes, source, dtype=None if out is not None else kind, out=out)
    return _stored((decode(codes, source, dtype=np.float64) * factors).astype(kind)[()], out)


class Blocks(NamedTuple):
    """Numbers in blocks, each with a scale."""

    codes: NDArray[Any]
    """The codes of the elements, in the shape of the numbers."""
    scales: NDArray[Any]
    """The codes of the scales: the shape of the numbers, with as many scales along the axis as there are blocks."""
    values: NDArray[Any]
    """The numbers that the codes stand for, in the type of the numbers."""
    tensor_scale: float
    """The factor by which the numbers were multiplied first."""


def encode_blocks(
    x: ArrayLike,
    format: str | Format,
    *,
    scale: str | Format = "e8m0",
    block: int | None = None,
    axis: int | None = None,
    scale_rule: str | None = None,
    tensor_scale: float | str | None = None,
    round: str | None = None,
    random_bits: ArrayLike | None = None,
    seed: int | None = None,
) -> Blocks:
    """Numbers as elements of ``format``, in blocks that share a scale, as the unit ``mx-quantize`` has them.

    ``x``: numbers of any shape, not empty. ``block``: how many numbers along ``axis`` share a scale; by default all along ``axis``,
    which is the last if ``block`` is given, and all numbers if neither is. The last block may be shorter.

    ``scale``: the format of the scales. Powers of two such as ``"e8m0"`` follow ``scale_rule``: ``"floor"`` (the default, as OCP MX
    has it), ``"ceil"``, ``"even"`` or ``"rceil"``. A scale with a significand such as ``"e4m3fn"`` is the largest magnitude divided
    by the largest element, rounded. Too large results become the largest element, in every format. A block with an infinity or a NaN
    becomes NaN.

    ``tensor_scale``: a factor by which the numbers are multiplied first, in their own type; ``"amax"`` computes it, so that the
    largest number gets the largest element with the largest scale. ``Blocks.values`` are divided by it.

    >>> x = np.linspace(-3, 3, 64, dtype=np.float32).reshape(2, 32)
    >>> mx = binade.encode_blocks(x, "e4m3fn", block=32)
    >>> mx.codes.shape, mx.scales
    ((2, 32), array([[120],
           [120]], dtype=uint8))
    >>> nvfp4 = binade.encode_blocks(x, "e2m1f", scale="e4m3fn", block=16, tensor_scale="amax")
    >>> nvfp4.scales.shape, nvfp4.values[0, 0]
    ((2, 2), np.float32(-3.0))
    """
    numbers, of_elements, of_scales = _real(x), _named(format), _named(scale)
    if numbers.size == 0:
        raise ValueError("encode_blocks takes at least one number")
    if block is not None and block < 1:
        raise ValueError(f"a block has at least one number, not {block}")
    factor = _tensor_scale(numbers, tensor_scale, of_elements, of_scales)
    kind = numbers.dtype.type
    scaled = numbers if factor == 1 else numbers * kind(factor)
    if axis is None and block is None:
        rows, at = scaled.reshape(1, -1), None
    else:
        at = -1 if axis is None else axis
        rows = np.moveaxis(np.atleast_1d(scaled), at, -1)
    length = rows.shape[-1]
    block = length if block is None else min(block, length)
    count = -(-length // block)
    padded = np.zeros((*rows.shape[:-1], count * block), kind)
    padded[..., :length] = rows
    in_blocks = padded.reshape(*rows.shape[:-1], count, block)
    largest = np.max(np.abs(in_blocks), axis=-1, keepdims=True)

    settings = {"scale": of_scales.name, "scale_rule": scale_rule, "quantize_from": _source(numbers).name}
    words = tuple(sorted(_words(settings | {"lanes": 1}).items()))
    scales = _run(_evaluator("mx-quantize", of_elements.name, words, 1), [_bits(largest)], largest.shape, None, None, None)
    in_order = (*rows.shape[:-1], count * block)
    randoms = _per_number(random_bits, numbers.shape, at, in_order) if random_bits is not None else None
    elements = _elements(in_blocks, largest, scales, of_elements, of_scales, settings | {"round": round}, randoms, seed)
    values = decode(elements, of_elements, dtype=np.float64) * decode(scales, of_scales, dtype=np.float64) / factor

    def restored(array: NDArray[Any], columns: int) -> NDArray[Any]:
        if at is None:
            return array.reshape(-1)[:columns].reshape(numbers.shape)[()]
        rows = array.reshape(*in_order[:-1], -1)[..., :columns]
        return np.moveaxis(rows, -1, at) if numbers.ndim else rows.reshape(())[()]

    own_scales = scales.reshape(())[()] if at is None else restored(scales, count)
    return Blocks(restored(elements, length), own_scales, restored(values.astype(kind), length), float(factor))


def _elements(
    in_blocks: NDArray[Any],
    largest: NDArray[Any],
    scales: NDArray[Any],
    format: Format,
    of_scales: Format,
    settings: dict[str, Any],
    random_bits: NDArray[Any] | None,
    seed: int | None,
) -> NDArray[Any]:
    """The codes of numbers in blocks with these scales."""
    values = decode(scales, of_scales, dtype=np.float64)
    overflow = "saturate" if format._described.takes_overflow else "inf"
    if in_blocks.dtype == np.float32 and _divides_well(format, of_scales, settings):
        quotients = in_blocks.astype(np.float64) / values
        words = None if random_bits is None else random_bits.reshape(quotients.shape)
        return encode(quotients, format, round=settings["round"], overflow=overflow, random_bits=words, seed=seed)
    # Blocks of two numbers, the first of which has the largest magnitude: the second becomes what it is in the whole block.
    pairs = np.stack([np.broadcast_to(largest, in_blocks.shape), in_blocks], axis=-1)
    evaluator = _evaluator("mx-quantize", format.name, tuple(sorted(_words(settings | {"lanes": 2}).items())), 0)
    words = None
    if random_bits is not None:
        # The lowest bits are those of the first number.
        words = random_bits.astype(np.uint64).reshape(in_blocks.shape) << np.uint64(evaluator.random_bits // 2)
    checked = _random(evaluator.random_bits, in_blocks.shape, words, seed)
    results = np.empty(pairs.size, format.dtype)
    evaluator.run([_bits(pairs).reshape(-1)], results, checked, seed)
    return results.reshape(pairs.shape)[..., 1]


def _divides_well(format: Format, scale: Format, settings: dict[str, Any]) -> bool:
    """Whether numbers of binary32, divided by a scale in binary64, become the right elements.

    A quotient by a power of two is exact. Any other could only go wrong where binary64 rounds it to a bound between two elements. A bound times
    a scale has as many digits as both together, and differs from a number of 24 digits, if at all, by one in the last place of the longer
    of them: far more than binary64 rounds off."""
    if scale.max > 2.0**512:
        return False
    random_bits = _evaluator("mx-quantize", format.name, tuple(sorted(_words(settings | {"lanes": 1}).items())), 0).random_bits
    return scale.precision == 1 or format.precision + random_bits + scale.precision <= 48


def _per_number(
    random_bits: ArrayLike, shape: tuple[int, ...], at: int | None, in_order: tuple[int, ...]
) -> NDArray[np.uint64]:
    """Random words in the order of blocks; those of the numbers that fill the last block are 0."""
    words = np.broadcast_to(np.asarray(random_bits).astype(np.uint64), shape)
    rows = words.reshape(1, -1) if at is None else np.moveaxis(np.atleast_1d(words), at, -1)
    padded = np.zeros(in_order, np.uint64)
    padded[..., : rows.shape[-1]] = rows
    return padded


def _tensor_scale(numbers: NDArray[Any], wanted: float | str | None, format: Format, scale: Format) -> float:
    """The factor by which numbers are multiplied before they are divided into blocks, in their type."""
    if wanted is None:
        return 1.0
    if isinstance(wanted, str) and wanted != "amax":
        raise ValueError(f"tensor_scale is a number above 0, or 'amax', not {wanted!r}")
    if wanted != "amax":
        factor = float(numbers.dtype.type(wanted))
        if not (math.isfinite(factor) and factor > 0):
            raise ValueError(f"tensor_scale is a number above 0, or 'amax', not {wanted}")
        return factor
    finite = np.abs(numbers[np.isfinite(numbers)])
    largest = float(finite.max()) if finite.size else 0.0
    factor = float(numbers.dtype.type(format.max * scale.max / largest)) if largest > 0 else 1.0
    return factor if math.isfinite(factor) else 1.0


def _stored(result: NDArray[Any], out: NDArray[Any] | None) -> NDArray[Any]:
    """The result, copied into ``out`` if there is one."""
    if out is None:
        return result
    if out.shape != np.shape(result):
        raise ValueError(f"out has shape {out.shape}; {np.shape(result)} is expected")
    out[...] = result
    return out


def convert(
    codes: ArrayLike,
    source: str | Format,
    target: str | Format,
    *,
    round: str | None = None,
    overflow: str = "inf",
    posit_range: str = "saturate",
    random_bits: ArrayLike | None = None,
    seed: int | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Codes of the format ``source`` converted to codes of the format ``target``, each rounded once. The shape is unchanged.

    >>> binade.convert([0x3c, 0x3d], "e5m2", "posit8_2")
    array([64, 66], dtype=uint8)
    """
    one, other = _named(source), _named(target)
    settings = _settings(round, overflow, posit_range)
    return _convert(_codes(codes, one), one, other, settings, random_bits, seed, out)


def add(a: ArrayLike, b: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``a + b``, rounded once: codes of ``format`` in and out.

    Options: ``round``, ``overflow``, ``posit_range``, ``random_bits``, ``seed``, ``out`` as described above; ``decode=True`` returns
    numbers in place of codes.

    >>> binade.add(0x3c, 0x40, "e5m2")
    np.uint8(66)
    """
    return _evaluate("add", [a, b], format, options)


def sub(a: ArrayLike, b: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``a - b``, rounded once: codes of ``format`` in and out. Options as for :func:`add`.

    >>> binade.sub(0x42, 0x3c, "e5m2")
    np.uint8(64)
    """
    return _evaluate("sub", [a, b], format, options)


def divide(a: ArrayLike, b: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``a / b``, rounded once: codes of ``format`` in and out. Options as for :func:`add`.

    >>> binade.divide(0x3c, [0x42, 0x00], "e5m2")
    array([ 53, 124], dtype=uint8)
    """
    return _evaluate("divide", [a, b], format, options)


def reciprocal(x: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``1 / x``, rounded once: codes of ``format`` in and out. Options as for :func:`add`.

    >>> binade.reciprocal(0x40, "e5m2")
    np.uint8(56)
    """
    return _evaluate("reciprocal", [x], format, options)


def sqrt(x: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """The square root of ``x``, rounded once: codes of ``format`` in and out. Options as for :func:`add`.

    >>> binade.sqrt([0x44, 0x40], "e5m2")
    array([64, 62], dtype=uint8)
    """
    return _evaluate("sqrt", [x], format, options)


def rsqrt(x: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``1 / sqrt(x)``, rounded once: codes of ``format`` in and out. Options as for :func:`add`.

    >>> binade.rsqrt(0x44, "e5m2")
    np.uint8(56)
    """
    return _evaluate("rsqrt", [x], format, options)


def function(name: str, x: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """The function ``name`` of ``x``, such as ``exp`` or ``tanh``, rounded once: codes of ``format`` in, of the same or of ``to`` out.
    Other options as for :func:`add`. ``binade units function`` lists the functions.

    >>> binade.function("exp", [0x00, 0x3c, 0xfc], "e5m2")
    array([60, 65,  0], dtype=uint8)
    """
    return _evaluate("function", [x], format, {**options, "function": name})


def mul(a: ArrayLike, b: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``a * b``, rounded once: codes of ``format`` in and out. Options as for :func:`add`.

    >>> binade.mul([0x3e, 0x42], 0x42, "e5m2")
    array([68, 72], dtype=uint8)
    """
    return _evaluate("mul", [a, b], format, options)


def fma(a: ArrayLike, b: ArrayLike, c: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``a * b + c``, rounded once.

    ``a``, ``b``: codes of ``format``. ``c`` and the result: codes of ``acc``, by default binary16 for formats of up to 8 bits,
    binary32 for up to 16 bits, else ``format`` itself. Other options as for :func:`add`.

    >>> binade.fma(0x3c, 0x40, 0x3c00, "e5m2")
    np.uint16(16896)
    """
    return _evaluate("fmac", [a, b, c], format, options)


def dot(
    a: ArrayLike, b: ArrayLike, c: ArrayLike = 0, *, format: str | Format, **options: Any
) -> NDArray[Any]:
    """``a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + .. + c``: dot products along the last axis.

    ``a``: codes of ``format``, shape ``(.., n)`` with ``n`` from 1 to 64. ``b``: codes of ``format_b``, by default ``format``,
    of a shape that broadcasts. ``c`` and the result: codes of ``acc``, shape ``(..)``.

    Options: ``sum="exact"`` rounds the exact sum once (the default); ``"chain"``, ``"tree"``, ``"fmac8"``, ``"align:F"``, ``"bulk"``, ``"flushed"``,
    ``"grouped"``, ``"interleaved"`` sum as hardware does, and ``like="a100"`` etc. as a GPU's matrix unit, or RISC-V's (``"rvbna"``); ``acc``, ``format_b``, ``block``, ``product``; those of
    :func:`add`.

    >>> ones = binade.encode([1, 1, 1, 1], "e4m3fn")
    >>> binade.decode(binade.dot(ones, ones, format="e4m3fn"), "binary16")
    np.float32(4.0)
    """
    return _evaluate("dot", [a, b, c], format, options, 2)


def softmax(x: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``exp(x - max(x)) / sum(exp(x - max(x)))`` along the last axis, of 1 to 64 codes, rounded as the unit ``softmax`` rounds: see
    ``binade units softmax``. Codes of ``format`` in, of the same or of ``to`` out. Other options: ``acc``, and those of :func:`add`.

    >>> binade.softmax(binade.encode([1.0, 2.0, 3.0], "e4m3fn"), "e4m3fn", decode=True)
    array([0.09375, 0.25   , 0.6875 ], dtype=float32)
    """
    return _evaluate("softmax", [x], format, options, 1, is_vector=True)


def rms_norm(x: ArrayLike, gain: ArrayLike, epsilon: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """``x / sqrt(mean(x^2) + epsilon) * gain`` along the last axis, of 1, 2, 4 .. 64 codes, rounded as the unit ``rms-norm`` rounds.
    ``epsilon``: a code of ``acc``. Other options as for :func:`softmax`.

    >>> x = binade.encode([3.0, 4.0], "e4m3fn")
    >>> ones = binade.encode([1.0, 1.0], "e4m3fn")
    >>> binade.rms_norm(x, ones, 0, "e4m3fn", decode=True)
    array([0.875, 1.125], dtype=float32)
    """
    return _evaluate("rms-norm", [x, gain, epsilon], format, options, 2, is_vector=True)


def layer_norm(
    x: ArrayLike, gain: ArrayLike, bias: ArrayLike, epsilon: ArrayLike, format: str | Format, **options: Any
) -> NDArray[Any]:
    """``(x - mean(x)) / sqrt(var(x) + epsilon) * gain + bias`` along the last axis, of 1, 2, 4 .. 64 codes, rounded as the
    unit ``layer-norm`` rounds. ``epsilon``: a code of ``acc``. Other options as for :func:`softmax`.

    >>> x, ones, zeros = (binade.encode(row, "e4m3fn") for row in ([1.0, 3.0], [1.0, 1.0], [0.0, 0.0]))
    >>> binade.layer_norm(x, ones, zeros, 0, "e4m3fn", decode=True)
    array([-1.,  1.], dtype=float32)
    """
    return _evaluate("layer-norm", [x, gain, bias, epsilon], format, options, 3, is_vector=True)


def reduce(x: ArrayLike, format: str | Format, **options: Any) -> NDArray[Any]:
    """The exact sum along the last axis, of 1 to 64 codes, rounded once into ``acc``; with ``reduction="squares"`` that of the squares, with
    ``reduction="max"`` the largest. Other options as for :func:`add`.

    >>> binade.reduce(binade.encode([1.0, 2.0, 3.5], "e4m3fn"), "e4m3fn", decode=True)
    np.float32(6.5)
    """
    return _evaluate("reduce", [x], format, options, 1)


def matmul(
    a: ArrayLike,
    b: ArrayLike,
    format: str | Format,
    *,
    c: ArrayLike = 0,
    random_bits: ArrayLike | None = None,
    seed: int | None = None,
    out: NDArray[Any] | None = None,
    decode: bool = False,
    **options: Any,
) -> NDArray[Any]:
    """The product of matrices, ``a @ b + c``, in which each element is a dot product as :func:`dot` gives it, of any length.

    ``a``: codes of ``format``, shape ``(.., m, k)``. ``b``: codes of ``format_b``, by default ``format``, shape ``(.., k, n)``.
    ``c`` and the result: codes of ``acc``, shape ``(.., m, n)``. Axes before the last two are batches and broadcast; vectors are
    rows or columns as in ``numpy.matmul``. Options are those of :func:`dot`, such as ``acc``, ``sum``, ``block``, ``like``,
    ``round``, ``overflow``. A chain (``sum="chain"``) with stochastic rounding takes ``seed``, whatever its length.

    >>> a = binade.encode([[1.0, 2.0], [3.0, 4.0]], "e4m3fn")
    >>> binade.decode(binade.matmul(a, a, "e4m3fn"), "binary16")
    array([[ 7., 10.],
           [15., 22.]], dtype=float32)
    """
    one, other = _array(a), _array(b)
    if one.ndim == 0 or other.ndim == 0:
        raise ValueError("matmul takes vectors and matrices, not single codes")
    is_row, is_column = one.ndim == 1, other.ndim == 1
    one = one[np.newaxis] if is_row else one
    other = other[:, np.newaxis] if is_column else other
    (rows, products), columns = one.shape[-2:], other.shape[-1]
    if other.shape[-2] != products:
        raise ValueError(f"matmul: a has {products} columns and b has {other.shape[-2]} rows; they must be as many")
    words = tuple(sorted(_words(options).items()))
    at_once = _products_at_once(_named(format).name, words)
    if products > at_once:
        if seed is None:
            raise ValueError(f"matmul: the roundings of {products} products take more random bits than a word has; give seed")
        return _chained(one, other, format, c, seed, at_once, (is_row, is_column), out, decode, options)
    evaluator = _matrix_evaluator(products, _named(format).name, words)
    one, other = (_codes(codes, _named(of)) for codes, of in zip((one, other), evaluator.factors))
    batch = np.broadcast_shapes(one.shape[:-2], other.shape[:-2])
    shape = (*batch, *(() if is_row else (rows,)), *(() if is_column else (columns,)))
    count = math.prod(batch)
    one = np.broadcast_to(one, (*batch, rows, products)).reshape(count, rows, products)
    other = np.broadcast_to(other, (*batch, products, columns)).reshape(count, products, columns)
    result = _named(evaluator.result)
    addend = _codes(c, result)
    if np.broadcast_shapes(addend.shape, shape) != shape:
        raise ValueError(f"matmul: c has shape {addend.shape}, which does not broadcast to that of the result, {shape}")
    addend = np.broadcast_to(addend, shape).reshape(count, rows, columns)
    drawn = _random(evaluator.random_bits, shape, random_bits, seed)
    drawn = None if drawn is None else drawn.reshape(count, rows * columns)
    if out is not None and (out.shape != shape or out.dtype != result.dtype):
        raise ValueError(f"out has shape {out.shape} and elements of {out.dtype}; {shape} and {result.dtype} are expected")
    results = np.empty((count, rows * columns), result.dtype)
    for at, matrices in enumerate(zip(one, other, addend)):
        flat = tuple(np.ascontiguousarray(matrix).reshape(-1) for matrix in matrices)
        # Each matrix of a batch has random words of its own.
        own = None if seed is None else (seed + at) % (1 << 64)
        evaluator.run(flat, columns, results[at], None if drawn is None else drawn[at], own)
    results = _numbers(results.reshape(shape)[()], result, decode, out)
    if out is None:
        return results
    out[...] = results
    return out


def _products_at_once(format: str, words: tuple[tuple[str, str], ...]) -> int:
    """How many products of a chain one random word suffices for; of other sums, any number."""
    if dict(words).get("sum") != "chain":
        return sys.maxsize
    bits = _matrix_evaluator(1, format, words).random_bits
    return sys.maxsize if bits == 0 else max(1, 64 // bits)


def _chained(
    one: NDArray[Any],
    other: NDArray[Any],
    format: str | Format,
    c: ArrayLike,
    seed: int,
    at_once: int,
    is_vector: tuple[bool, bool],
    out: NDArray[Any] | None,
    decode: bool,
    options: dict[str, Any],
) -> NDArray[Any]:
    """A long chain in shorter ones, each of which goes on from the one before, with random words of its own."""
    total: NDArray[Any] = np.asarray(c)
    for number, first in enumerate(range(0, one.shape[-1], at_once)):
        a, b = one[..., first : first + at_once], other[..., first : first + at_once, :]
        a, b = (a[..., 0, :] if is_vector[0] else a), (b[..., 0] if is_vector[1] else b)
        # Batches take the seeds that follow.
        own = (seed + number * 0x9E3779B97F4A7C15) % (1 << 64)
        is_last = first + at_once >= one.shape[-1]
        total = matmul(
            a, b, format, c=total, seed=own, out=out if is_last else None, decode=decode and is_last, **options
        )
    return total


def accumulate(
    x: ArrayLike,
    format: str | Format,
    *,
    acc: str | Format | None = None,
    axis: int = -1,
    round: str | None = None,
    overflow: str = "inf",
    posit_range: str = "saturate",
) -> NDArray[Any]:
    """Running sums along an axis, as the unit ``accumulate`` has them from clock to clock: each is the one before plus a number of
    ``x``, rounded once. The first number is rounded alone.

    ``x``: codes of ``format``. The result has the same shape: codes of ``acc``, by default the accumulator of :func:`fma`.

    >>> sums = binade.accumulate(binade.encode([1.0, 0.5, 100.0], "e4m3fn"), "e4m3fn", acc="e5m2")
    >>> binade.decode(sums, "e5m2")
    array([ 1. ,  1.5, 96. ], dtype=float32)
    """
    codes = _array(x)
    if codes.ndim == 0:
        raise ValueError("accumulate takes an array of codes, not a single one")
    options = _words({"acc": acc, "round": round, "overflow": overflow, "posit_range": posit_range})
    accumulator = _binade.Accumulator(_named(format).name, options)
    rows = np.moveaxis(_codes(codes, _named(format)), axis, -1)
    results = np.empty(rows.size, _named(accumulator.result).dtype)
    accumulator.run(np.ascontiguousarray(rows).reshape(-1), rows.shape[-1], results)
    return np.moveaxis(results.reshape(rows.shape), -1, axis)


def generate(
    unit: str,
    format: str | Format | None = None,
    *,
    language: str = "verilog",
    **options: Any,
) -> Generated:
    """The text and the manifest of a unit, as written by ``binade gen``.

    ``unit``: ``"fmac"``, ``"mul"``, ``"encode"``, .. ``language``: ``"verilog"``, ``"systemverilog"`` or ``"vhdl"``.
    All others are the options of the command, with ``_`` in place of ``-``. Settings of the unit: ``round="rtz"``, ``acc="binary32"``,
    ``flags=True``, .. How it is built: ``optimize="depth"``; ``multiplier="operator"`` for DSP blocks; ``stages``, ranks of registers;
    ``digits_per_clock`` of a quotient or root, for a small unit that takes several clocks; ``interface="ready-valid"`` or
    ``"axi-stream"``, a shell around the unit; ``module``, a name for the module.

    >>> unit = binade.generate("fmac", "e5m2b1", stages=2)
    >>> unit.module, unit.manifest["latency"]
    ('fmac_e5m2b1_acc_binary16_rne_p2', 2)
    """
    name = None if format is None else _named(format).name
    module, text, manifest = _binade.generate(unit, name, _words(options), language)
    return Generated(module, text, json.loads(manifest))


def _words(settings: dict[str, Any]) -> dict[str, str]:
    """Settings as words of the command line; ``None`` is left out."""

    def word(value: Any) -> str:
        if isinstance(value, Format):
            return value.name
        return str(value).lower() if isinstance(value, bool) else str(value)

    return {key.replace("_", "-"): word(value) for key, value in settings.items() if value is not None}


def _settings(round: str | None, overflow: str, posit_range: str) -> dict[str, str]:
    return _words({"round": round, "overflow": overflow, "posit_range": posit_range})


@functools.lru_cache(maxsize=64)
def _evaluator(
    unit: str, format: str, settings: tuple[tuple[str, str], ...], output: int = 0
) -> _binade.Evaluator:
    return _binade.Evaluator(unit, format, dict(settings), output)


def _bits(numbers: NDArray[Any]) -> NDArray[Any]:
    """The codes of numbers of binary32 or binary64."""
    return numbers.view(f"u{numbers.dtype.itemsize}")


@functools.lru_cache(maxsize=16)
def _matrix_evaluator(
    products: int, format: str, settings: tuple[tuple[str, str], ...]
) -> _binade.MatrixEvaluator:
    return _binade.MatrixEvaluator(products, format, dict(settings))


def _array(x: ArrayLike) -> NDArray[Any]:
    """The array, without a copy if it is one of another library that shares its memory."""
    return np.from_dlpack(x) if hasattr(x, "__dlpack__") and not hasattr(x, "__array__") else np.asarray(x)


def _real(x: ArrayLike) -> NDArray[Any]:
    """Numbers as ``float32`` or ``float64``, exactly."""
    numbers = _array(x)
    native = numbers.dtype.newbyteorder("=") if numbers.dtype.kind == "f" else numbers.dtype
    if native in (np.float32, np.float64):
        return numbers.astype(native, copy=False)
    if numbers.dtype.kind in "iub":
        exact = numbers.astype(np.float64)
        if numbers.dtype.itemsize == 8 and not np.array_equal(exact.astype(numbers.dtype), numbers):
            raise ValueError("an integer cannot be represented in float64; pass floats")
        return exact
    if numbers.dtype == np.float16 or numbers.dtype.name.startswith(("bfloat", "float8", "float6", "float4")):
        return numbers.astype(np.float32)
    raise TypeError(f"float32 or float64, or what those hold exactly, is expected, not {numbers.dtype}")


def _source(numbers: NDArray[Any]) -> Format:
    return _named("binary32" if numbers.dtype == np.float32 else "binary64")


def _float(dtype: DTypeLike | None, source: Format) -> np.dtype[Any]:
    if dtype is None:
        return np.dtype(np.float32 if source._described.fits_float32 else np.float64)
    kind = np.dtype(dtype)
    if kind not in (np.float32, np.float64):
        raise TypeError(f"values are float32 or float64, not {kind}")
    return kind


def _codes(codes: ArrayLike, of: Format) -> NDArray[Any]:
    """Codes in the format's type; numbers in the type of ``ml_dtypes`` or NumPy that has the format's codes are taken as these."""
    array = _array(codes)
    if array.dtype.kind not in "iu" and array.size:
        if array.dtype != of.ml_dtype:
            raise TypeError(f"codes of {of.name} are integers, not {array.dtype}; encode gives codes of numbers")
        array = np.ascontiguousarray(array).view(of.dtype).reshape(array.shape)
    if array.dtype == of.dtype:
        return array
    if array.size and (array.min() < 0 or int(array.max()) >> of.bits):
        wrong = int(array.min() if array.min() < 0 else array.max())
        raise ValueError(f"{wrong:#x} is no code of {of.name}, which has {of.bits} bits")
    return array.astype(of.dtype)


def _convert(
    codes: NDArray[Any],
    source: Format,
    target: Format,
    settings: dict[str, str],
    random_bits: ArrayLike | None,
    seed: int | None,
    out: NDArray[Any] | None,
) -> NDArray[Any]:
    evaluator = _evaluator("convert", source.name, tuple(sorted((settings | {"to": target.name}).items())))
    return _run(evaluator, [codes], codes.shape, random_bits, seed, out)


def _evaluate(
    unit: str, operands: list[ArrayLike], name: str | Format, options: dict[str, Any], vectors: int = 0, *, is_vector: bool = False
) -> NDArray[Any]:
    """The results of a unit. The first ``vectors`` operands are vectors along the last axis; so are the results, if ``is_vector``."""
    random_bits, seed, out, decodes = (options.pop(key, None) for key in ("random_bits", "seed", "out", "decode"))
    if vectors:
        rows = np.broadcast_arrays(*map(_array, operands[:vectors]))
        options = options | {"lanes": _lanes(unit, rows[0].shape)}
        operands = [*rows, *operands[vectors:]]
    evaluator = _evaluator(unit, _named(name).name, tuple(sorted(_words(options).items())))
    arrays = [_codes(codes, _named(of)) for codes, (of, _) in zip(operands, evaluator.operands)]
    shape = np.broadcast_shapes(*(array.shape[:-1] if at < vectors else array.shape for at, array in enumerate(arrays)))
    lanes = [(count,) if at < vectors else () for at, (_, count) in enumerate(evaluator.operands)]
    arrays = [np.broadcast_to(array, (*shape, *own)) for array, own in zip(arrays, lanes)]
    results = _run(evaluator, arrays, (*shape, *lanes[0]) if is_vector else shape, random_bits, seed, out)
    return _numbers(results, _named(evaluator.result), decodes, out)


def _lanes(unit: str, shape: tuple[int, ...]) -> int:
    """The length of vectors that a unit takes."""
    if not shape or not 1 <= shape[-1] <= 64:
        longer = "; matmul takes longer ones" if unit == "dot" else ""
        raise ValueError(f"{unit} takes 1 to 64 codes along the last axis, and the shape is {shape}{longer}")
    return shape[-1]


def _numbers(codes: NDArray[Any], format: Format, decodes: bool | None, out: NDArray[Any] | None) -> NDArray[Any]:
    """The codes, or their numbers if those are asked for."""
    if not decodes:
        return codes
    if out is not None:
        raise ValueError("out is for codes; leave it or decode=True out")
    return decode(codes, format)


def _run(
    evaluator: _binade.Evaluator,
    operands: list[NDArray[Any]],
    shape: tuple[int, ...],
    random_bits: ArrayLike | None,
    seed: int | None,
    out: NDArray[Any] | None,
) -> NDArray[Any]:
    """The results with this shape, in ``out`` or in a new array."""
    words = _random(evaluator.random_bits, shape, random_bits, seed)
    kind = _named(evaluator.result).dtype
    if out is not None and (out.shape != shape or out.dtype != kind):
        raise ValueError(f"out has shape {out.shape} and elements of {out.dtype}; {shape} and {kind} are expected")
    flat = [np.ascontiguousarray(array).reshape(-1) for array in operands]
    is_plain = out is not None and out.flags.c_contiguous and out.flags.aligned and out.flags.writeable
    overlaps = out is not None and any(np.may_share_memory(out, array) for array in flat)
    results = out.reshape(-1) if is_plain and not overlaps else np.empty(int(np.prod(shape)), kind)
    evaluator.run(flat, results, words, seed)
    if out is None:
        return results.reshape(shape)[()]
    if not is_plain or overlaps:
        out[...] = results.reshape(shape)
    return out


def _random(
    bits: int, shape: tuple[int, ...], random_bits: ArrayLike | None, seed: int | None
) -> NDArray[np.uint64] | None:
    """The random words, if given; refuses arguments that do not fit a rounding with this many random bits."""
    if bits == 0 and (random_bits is not None or seed is not None):
        raise ValueError("random_bits and seed are for stochastic rounding, such as round='sr8'")
    if bits > 0 and (random_bits is None) == (seed is None):
        raise ValueError(
            f"stochastic rounding takes {bits} random bits for each result: give either random_bits or seed"
        )
    if seed is not None and not 0 <= seed < 1 << 64:
        raise ValueError(f"a seed is from 0 to 2^64-1, not {seed}")
    if random_bits is None:
        return None
    words = np.asarray(random_bits)
    if words.dtype.kind not in "iu":
        raise TypeError(f"random words are integers, not {words.dtype}")
    return np.ascontiguousarray(np.broadcast_to(words.astype(np.uint64), shape)).reshape(-1)
