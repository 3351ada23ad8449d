"""Written by `python -m rankconv.exports`."""

from typing import Any

from rankconv.ask.learning_curve.learning_curve import learning_curve as learning_curve
from rankconv.ask.learning_curve.shown import LearningCurve as LearningCurve
from rankconv.ask.why_order.result import OrderAttribution as OrderAttribution
from rankconv.ask.why_order.why_order import why_order as why_order
from rankconv.protocols.presets import protocol_choices as protocol_choices
from rankconv.protocols.ratings import Ratings as _Ratings
from rankconv.protocols.split import Protocol as Protocol, Split as Split
from rankconv.recommenders.fold_in import fold_in as fold_in

class Ratings(_Ratings):
    def __init__(self, data: Any, *, user: Any = ..., item: Any = ..., rating: Any = ..., time: Any = ...) -> None: ...

__all__ = ['LearningCurve', 'OrderAttribution', 'Protocol', 'Ratings', 'Split', 'fold_in', 'learning_curve', 'protocol_choices', 'why_order']
