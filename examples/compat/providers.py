"""A second plugin of pytest: the providers of ir_measures by name, each of which is the drop-in module itself.

    python -m pytest -p examples.compat.in_place -p examples.compat.providers --in-place ir_measures path/to/tests

Its tests name the library that is to compute each measure. The drop-in module has none and settings as `calc` of
ir_measures would, by the provider that this prefers; so a test passes where the provider named is that one or agrees.
"""

import sys
from typing import Any

import pytest

from rankconv import RankconvError
from rankconv.compat import ir_measures

NAMES = "accuracy compat cwl_eval gdeval judged msmarco pyndeval pytrec_eval ranx runtime trectools".split()


class Provider:
    """What ir_measures asks for numbers, under one of its names."""

    iter_calc = staticmethod(ir_measures.iter_calc)
    calc = staticmethod(ir_measures.calc)
    calc_aggregate = staticmethod(ir_measures.calc_aggregate)
    evaluator = staticmethod(ir_measures.evaluator)

    @staticmethod
    def supports(measure: ir_measures.Measure) -> bool:
        """Whether the drop-in module has a definition of the measure."""
        try:
            return bool(measure.definition)
        except RankconvError:
            return False


class Providers:
    """What the tests take from `ir_measures.providers`."""

    registry = {name: Provider() for name in NAMES}  # noqa: RUF012
    PytrecEvalProvider = Provider


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give the names to the module that replaces ir_measures."""
    stand_in: Any = sys.modules["ir_measures"]
    stand_in.providers, stand_in.CwlMetric = Providers, ir_measures.Metric
    for name, provider in Providers.registry.items():
        setattr(stand_in, name, provider)
