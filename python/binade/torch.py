"""Number formats in PyTorch: operators with the bits of the golden model, on CPU tensors, with a gradient that the user chooses.

>>> import torch, binade.torch
>>> x = torch.tensor([0.3, -1.0, 1e9], requires_grad=True)
>>> y = binade.torch.quantize(x, "e5m2", overflow="saturate", gradient="clipped")
>>> y.tolist()
[0.3125, -1.0, 57344.0]
>>> y.sum().backward()
>>> x.grad.tolist()
[1.0, 1.0, 0.0]

PyTorch is not installed with Binade: install ``torch`` beside it. The operators are ``torch.ops.binade.quantize`` and
``torch.ops.binade.matmul``; the functions of this module call them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import binade

__all__ = ["GRADIENTS", "Gradient", "matmul", "quantize"]

Gradient = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
"""From the numbers before they were rounded, the gradient of the rounded numbers, and the largest value of the format (a tensor: times
the scales, if there are some): the gradient of the numbers."""


def _clipped(x: torch.Tensor, gradient: torch.Tensor, largest: torch.Tensor) -> torch.Tensor:
    return torch.where(x.abs() <= largest, gradient, torch.zeros_like(gradient))


GRADIENTS: dict[str, Gradient] = {
    "straight-through": lambda x, gradient, largest: gradient,
    "clipped": _clipped,
    "zero": lambda x, gradient, largest: torch.zeros_like(gradient),
}
"""The gradients of :func:`quantize` by name: of a number that is not rounded (``"straight-through"``); the same, but 0 for numbers beyond
the largest value (``"clipped"``); 0 (``"zero"``). Add your own under another name."""


def quantize(
    x: torch.Tensor,
    format: str | binade.Format,
    *,
    gradient: str = "straight-through",
    seed: int | None = None,
    **options: Any,
) -> torch.Tensor:
    """Numbers rounded to the values of a format, as :func:`binade.quantize` rounds them: the same shape and type.

    ``x``: a CPU tensor of ``float32`` or ``float64``, or of ``float16`` or ``bfloat16`` if that type has every value of the format.

    ``gradient``: a name in :data:`GRADIENTS`. ``options``: ``round``, ``overflow``, ``posit_range``; ``scale`` (a number, or the name of
    a format), ``block``, ``axis``, ``scale_rule`` and ``tensor_scale`` of :func:`binade.quantize`. ``seed``: for stochastic rounding; by
    default PyTorch's generator gives one, so that ``torch.manual_seed`` makes a run repeatable.
    """
    if gradient not in GRADIENTS:
        raise ValueError(f"gradient={gradient!r} is not among {', '.join(GRADIENTS)}: add it to binade.torch.GRADIENTS")
    return torch.ops.binade.quantize(x, _name(format), _json(options, seed), gradient)


def matmul(
    a: torch.Tensor,
    b: torch.Tensor,
    format: str | binade.Format,
    *,
    seed: int | None = None,
    **options: Any,
) -> torch.Tensor:
    """The product of matrices, as :func:`binade.matmul` sums it: numbers in, numbers of the accumulator's format out.

    ``a``, ``b``: CPU tensors of ``float32`` or ``float64``, of one type, which the result has, too. They are rounded to ``format`` (``b`` to
    ``format_b``) first; numbers of the format stay. The gradient is that of ``torch.matmul`` with ``a`` and ``b`` as they are given.

    ``options``: ``acc``, ``sum``, ``like``, ``block``, ``product``, ``format_b``, ``round`` (of the sums), ``overflow``, ``posit_range`` of
    :func:`binade.matmul`. ``seed``: as for :func:`quantize`.
    """
    return torch.ops.binade.matmul(a, b, _name(format), _json(options, seed))


def _name(format: Any) -> str:
    """The name of a format, or of the type of an array or a tensor."""
    return format if isinstance(format, str) else binade.format(format).name


def _json(options: dict[str, Any], seed: int | None) -> str:
    """The options as text, which operators of PyTorch can take. Stochastic rounding gets a seed."""
    if seed is None and str(options.get("round", "")).startswith("sr"):
        seed = int(torch.randint(0, 1 << 62, ()))
    words = {key: _name(value) if isinstance(value, binade.Format) else value for key, value in options.items()}
    if isinstance(words.get("scale"), torch.Tensor):
        words["scale"] = words["scale"].detach().tolist()
    return json.dumps({key: value for key, value in (words | {"seed": seed}).items() if value is not None})


@torch.library.custom_op("binade::quantize", mutates_args=(), device_types="cpu")
def _quantize(x: torch.Tensor, format: str, options: str, gradient: str) -> torch.Tensor:
    rounded = binade.quantize(_numbers(x, format), format, **json.loads(options))
    return torch.from_numpy(np.array(rounded)).to(x.dtype)


@_quantize.register_fake
def _(x: torch.Tensor, format: str, options: str, gradient: str) -> torch.Tensor:
    return torch.empty(x.shape, dtype=x.dtype)


def _keep_numbers(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    x, format, options, gradient = inputs
    scale = json.loads(options).get("scale")
    if gradient == "clipped" and isinstance(scale, str):
        raise ValueError("gradient='clipped' is for numbers without a scale of their own: blocks with scales clip nothing")
    largest = torch.tensor(binade.format(format).max, dtype=torch.float64)
    ctx.largest = largest if scale is None or isinstance(scale, str) else largest * torch.tensor(scale, dtype=torch.float64)
    ctx.gradient = gradient
    ctx.save_for_backward(x)


def _of_numbers(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
    (x,) = ctx.saved_tensors
    return GRADIENTS[ctx.gradient](x, gradient, ctx.largest), None, None, None


_quantize.register_autograd(_of_numbers, setup_context=_keep_numbers)


@torch.library.custom_op("binade::matmul", mutates_args=(), device_types="cpu")
def _matmul(a: torch.Tensor, b: torch.Tensor, format: str, options: str) -> torch.Tensor:
    if a.dtype != b.dtype or a.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"matmul takes two tensors of float32 or float64, not of {a.dtype} and {b.dtype}")
    settings = json.loads(options)
    formats = (format, settings.get("format_b") or format)
    codes = (binade.encode(_numbers(x, of), of) for x, of in zip((a, b), formats))
    words = {key: value for key, value in settings.items() if key != "seed"}
    result = binade._matrix_evaluator(a.shape[-1], binade.format(format).name, tuple(sorted(binade._words(words).items()))).result
    product = binade.matmul(*codes, format, **settings)
    kind = np.float32 if a.dtype == torch.float32 else np.float64
    return torch.from_numpy(np.array(binade.decode(product, result, dtype=kind)))


@_matmul.register_fake
def _(a: torch.Tensor, b: torch.Tensor, format: str, options: str) -> torch.Tensor:
    return torch.matmul(a, b)


def _keep_factors(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    ctx.save_for_backward(*inputs[:2])


def _of_factors(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
    with torch.enable_grad():
        factors = [factor.detach().requires_grad_() for factor in ctx.saved_tensors]
        product = torch.matmul(*factors)
    return (*torch.autograd.grad(product, factors, gradient), None, None)


_matmul.register_autograd(_of_factors, setup_context=_keep_factors)


def _numbers(x: torch.Tensor, format: str) -> np.ndarray:
    """The numbers of a tensor; refuses a tensor that does not hold the format."""
    if x.dtype in (torch.float32, torch.float64):
        return x.detach().numpy()
    if x.dtype in (torch.float16, torch.bfloat16) and _holds(x.dtype, format):
        return x.detach().to(torch.float32).numpy()
    raise TypeError(f"a tensor of {x.dtype} does not hold the values of {format}: pass one of float32 or float64")


@functools.lru_cache(maxsize=64)
def _holds(kind: torch.dtype, format: str) -> bool:
    """Whether a type has every value of a format."""
    of = binade.format(format)
    if of.bits > 16:
        return False
    values = torch.from_numpy(of.values)
    return bool(((values.to(kind).to(torch.float64) == values) | values.isnan()).all())
