"""Written by `python -m tests.generate`."""

from typing import Any

from rankconv.addons.harnesses.ir_measure import measure as measure, register as register

__all__ = ['measure', 'register']
