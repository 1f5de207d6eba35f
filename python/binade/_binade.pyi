"""The Rust part of the package, which works on contiguous one-dimensional arrays."""

from typing import Any

from numpy import uint64
from numpy.typing import NDArray

__version__: str

class Evaluator:
    def __init__(self, unit: str, format: str, settings: dict[str, str], output: int) -> None: ...
    @property
    def result(self) -> str: ...
    @property
    def random_bits(self) -> int: ...
    @property
    def operands(self) -> list[tuple[str, int]]: ...
    def run(
        self, operands: list[NDArray[Any]], results: NDArray[Any], words: NDArray[uint64] | None, seed: int | None
    ) -> None: ...

class MatrixEvaluator:
    def __init__(self, products: int, format: str, settings: dict[str, str]) -> None: ...
    @property
    def result(self) -> str: ...
    @property
    def factors(self) -> tuple[str, str]: ...
    @property
    def random_bits(self) -> int: ...
    def run(
        self,
        matrices: tuple[NDArray[Any], NDArray[Any], NDArray[Any]],
        columns: int,
        results: NDArray[Any],
        words: NDArray[uint64] | None,
        seed: int | None,
    ) -> None: ...

class Accumulator:
    def __init__(self, format: str, settings: dict[str, str]) -> None: ...
    @property
    def result(self) -> str: ...
    def run(self, codes: NDArray[Any], length: int, results: NDArray[Any]) -> None: ...

class Description:
    name: str
    summary: str
    aliases: list[str]
    bits: int
    precision: int
    takes_overflow: bool
    exponent_bits: int
    trailing_bits: int
    is_signed: bool
    smallest: int
    smallest_normal: int
    largest: int
    min_exponent: int
    max_exponent: int
    infinity: int | None
    nan: int | None
    has_zero: bool
    has_minus_zero: bool
    fits_float32: bool
    classes: list[tuple[str, int, int]]

def format_names() -> list[str]: ...
def unit_names() -> list[tuple[str, str]]: ...
def describe(name: str) -> Description: ...
def generate(
    unit: str,
    format: str | None,
    words: dict[str, str],
    language: str,
) -> tuple[str, str, str]: ...
def judge(request: str) -> str: ...
def command(words: list[str]) -> int: ...
def loaded_from(file: str, start: list[str]) -> None: ...
