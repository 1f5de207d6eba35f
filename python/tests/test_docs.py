"""Every example in a docstring prints what it says."""

import doctest

import binade


def test_examples_in_docstrings():
    results = doctest.testmod(binade, extraglobs={"binade": binade})
    assert results.failed == 0
    assert results.attempted > 20
