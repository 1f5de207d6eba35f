"""The operators for PyTorch: bits, gradients, and a small training. `.ci/torch` runs them; PyTorch is too large for every change."""

import doctest

import numpy as np
import pytest
import torch

import binade
import binade.torch


def test_examples_in_docstrings():
    results = doctest.testmod(binade.torch)
    assert (results.failed, results.attempted) == (0, 6)


def numbers(*shape: int) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(7).normal(0, 30, shape).astype(np.float32))


@pytest.mark.parametrize(
    "format, options",
    [
        ("e5m2", {}),
        ("e4m3fn", {"overflow": "saturate", "round": "rtz"}),
        ("posit8_2", {}),
        ("e2m1f", {"scale": 16.0}),
        ("e2m1f", {"scale": "e8m0", "block": 32}),
        ("e4m3fn", {"round": "sr8", "seed": 5}),
    ],
)
def test_quantize_has_the_bits_of_the_model(format, options):
    x = numbers(8, 64)
    expected = binade.quantize(x.numpy(), format, **options)
    rounded = binade.torch.quantize(x, format, **options)
    assert rounded.dtype == x.dtype
    np.testing.assert_array_equal(rounded.numpy(), expected.astype(np.float32))


def test_products_are_summed_as_the_model_sums_them():
    a, b = numbers(3, 5, 40), numbers(40, 6)
    for options in ({}, {"like": "h100"}, {"acc": "binary16", "sum": "chain"}):
        codes = (binade.encode(x.numpy(), "e4m3fn") for x in (a, b))
        acc = options.get("acc", "binary32" if "like" in options else "binary16")
        expected = binade.decode(binade.matmul(*codes, "e4m3fn", **options), acc)
        np.testing.assert_array_equal(binade.torch.matmul(a, b, "e4m3fn", **options).numpy(), expected)


def test_the_gradient_is_the_one_that_was_chosen():
    def of(name):
        x = torch.tensor([1.3, 1e9, -1e9, 448.0], requires_grad=True)
        (3 * binade.torch.quantize(x, "e4m3fn", overflow="saturate", gradient=name)).sum().backward()
        return x.grad.tolist()

    assert of("straight-through") == [3, 3, 3, 3]
    assert of("clipped") == [3, 0, 0, 3]
    assert of("zero") == [0, 0, 0, 0]
    binade.torch.GRADIENTS["halved"] = lambda x, gradient, largest: gradient / 2
    assert of("halved") == [1.5, 1.5, 1.5, 1.5]
    with pytest.raises(ValueError, match="not among straight-through, clipped"):
        of("missing")


def test_a_scale_moves_the_range_in_which_a_gradient_is_clipped():
    x = torch.tensor([5.0, 90.0, 100.0], requires_grad=True)
    binade.torch.quantize(x, "e2m1f", scale=16.0, gradient="clipped").sum().backward()
    assert x.grad.tolist() == [1, 1, 0]
    with pytest.raises(ValueError, match="blocks with scales clip nothing"):
        binade.torch.quantize(x, "e2m1f", scale="e8m0", gradient="clipped")


def test_the_gradient_of_a_product_is_that_of_pytorch():
    a, b = numbers(2, 4, 5).requires_grad_(), numbers(5, 3).requires_grad_()
    weights = numbers(2, 4, 3)
    (binade.torch.matmul(a, b, "e5m2") * weights).sum().backward()
    own = a.grad, b.grad
    a.grad = b.grad = None
    (torch.matmul(a, b) * weights).sum().backward()
    torch.testing.assert_close(own, (a.grad, b.grad))


def test_tensors_of_other_types():
    half = binade.torch.quantize(torch.tensor([0.3, 5.1], dtype=torch.bfloat16), "e4m3fn")
    assert (half.dtype, half.tolist()) == (torch.bfloat16, [0.3125, 5.0])
    with pytest.raises(TypeError, match="does not hold the values of posit16_1: pass one of float32"):
        binade.torch.quantize(torch.ones(2, dtype=torch.float16), "posit16_1")
    with pytest.raises(TypeError, match="two tensors of float32 or float64"):
        binade.torch.matmul(torch.ones(2, 2), torch.ones(2, 2, dtype=torch.float64), "e5m2")


def test_a_seed_of_pytorch_repeats_stochastic_rounding():
    def drawn():
        return binade.torch.quantize(torch.full((64,), 1.03), "e4m3fn", round="sr8")

    torch.manual_seed(3)
    first, second = drawn(), drawn()
    torch.manual_seed(3)
    assert torch.equal(first, drawn())
    assert not torch.equal(first, second)


def test_pytorch_accepts_the_operators():
    x = numbers(4, 4).requires_grad_()
    torch.library.opcheck(torch.ops.binade.quantize.default, (x, "e5m2", "{}", "straight-through"))
    torch.library.opcheck(torch.ops.binade.matmul.default, (x, x, "e5m2", "{}"))
    compiled = torch.compile(lambda x: binade.torch.quantize(2 * x, "e5m2").sum(), backend="eager")
    torch.testing.assert_close(compiled(x), binade.torch.quantize(2 * x, "e5m2").sum())


def test_tensors_go_into_the_functions_on_arrays_without_a_copy():
    codes = torch.tensor([0x3C, 0x40], dtype=torch.uint8)
    assert binade.decode(codes, "e5m2").tolist() == [1.0, 2.0]
    out = torch.zeros(2, dtype=torch.uint8)
    binade.encode(torch.tensor([1.0, 2.0]), "e5m2", out=out.numpy())
    assert out.tolist() == [0x3C, 0x40]
    assert torch.from_dlpack(binade.encode([1.0], "e5m2").reshape(1)).tolist() == [0x3C]


class Layer(torch.nn.Module):
    """A linear layer with operands and sums of an 8-bit format, as the tensor cores of an H100 add them."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(inputs, outputs) / inputs**0.5)
        self.bias = torch.nn.Parameter(torch.zeros(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        operands = (binade.torch.quantize(each, "e4m3fn", overflow="saturate", gradient="clipped") for each in (x, self.weight))
        return binade.torch.matmul(*operands, "e4m3fn", like="h100") + self.bias


def test_a_network_learns():
    torch.manual_seed(1)
    points = torch.rand(256, 2) * 2 - 1
    wanted = (points[:, :1] * points[:, 1:] > 0).to(torch.float32)
    network = torch.nn.Sequential(Layer(2, 32), torch.nn.Tanh(), Layer(32, 1))
    optimizer = torch.optim.Adam(network.parameters(), lr=0.02)
    losses = []
    for _ in range(200):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(network(points), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    right = ((network(points) > 0) == (wanted > 0.5)).to(torch.float32).mean().item()
    assert losses[0] > 0.6 and losses[-1] < 0.25, losses[::20]
    assert right > 0.9, right
