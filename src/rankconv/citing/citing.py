"""The question of whoever writes a paper: how do I say what I computed?"""

from collections.abc import Sequence

from rankconv.citing.methods import Cited, Methods
from rankconv.evaluating import define
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset


def cite(metrics: str | Sequence[str], preset: str | Preset | None = None) -> Methods:
    """What does a paper say of these numbers?

    `metrics` are specs as `rc.evaluate` takes them; where one names no preset, `preset` answers, and without one the
    house preset. Returns `Methods`: for each number a paragraph that states every answer in words, the formula, the
    sources, the fingerprint, and one line to print next to the number. `result.methods()` says besides who was
    counted. Raises MetricError and ConventionError as `rc.evaluate` does.

    >>> import rankconv as rc
    >>> cited = rc.cite("mllib:ndcg@10")
    >>> print(cited.short)
    nDCG@10
    >>> print(cited.text().split(". ")[0])
    """
    chosen = find_preset(HOUSE if preset is None else preset)
    return Methods(tuple(Cited(definition) for definition in define(metrics, chosen).values()))
