"""Written by `python -m tests.generate`."""

from typing import Any

from rankconv.addons.protocols.curve_result import LearningCurve as LearningCurve
from rankconv.addons.protocols.curves import learning_curve as learning_curve
from rankconv.addons.protocols.division import Split as Split
from rankconv.addons.protocols.presets import protocol_conventions as protocol_conventions
from rankconv.addons.protocols.ratings import Ratings as _Ratings
from rankconv.addons.protocols.split import Protocol as Protocol

class Ratings(_Ratings):
    def __init__(self, data: Any, *, user: Any = ..., item: Any = ..., rating: Any = ..., time: Any = ...) -> None: ...

__all__ = ['LearningCurve', 'Protocol', 'Ratings', 'Split', 'learning_curve', 'protocol_conventions']
