"""The description of definitions for a paper."""

from rankconv.citing.citations import Cited, Methods
from rankconv.presets.defining import Metrics, define
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset


def cite(metrics: Metrics, preset: str | Preset | None = None) -> Methods:
    r"""Describe definitions for a paper, in words, formulas and citations.

    `metrics` are specs as `rc.evaluate` takes them; where one names no preset, `preset` answers, and without one the
    house preset. Returns `Methods`: for each number a paragraph that states every setting in words, the formula, the
    sources, the fingerprint, and one line to print next to the number. Where a function answers, there is no
    fingerprint, and the paragraph says so. `result.methods()` says besides who was counted. Raises MetricError and
    ConventionError as `rc.evaluate` does.

    >>> import rankconv as rc
    >>> (cited,) = rc.cite("mllib:precision@10")
    >>> print(cited.short[:75])
    precision@10 [mllib 4.3.0; precision-denominator=k; hit-weight=one; on-zero
    >>> print(cited.paragraph.split(". ")[3])
    The precision of a user is the number of relevant items in the first 10 ranks divided by 10
    >>> print(cited.formula)
    m = \frac{\sum_{j=1}^{10} r_j}{10}
    """
    chosen = find_preset(HOUSE if preset is None else preset)
    return Methods(tuple(map(Cited, define(metrics, chosen).values())))
