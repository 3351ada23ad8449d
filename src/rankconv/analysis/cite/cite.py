"""The description of definitions for a paper."""

from rankconv.citing.citations import Cited, Methods
from rankconv.presets.defining import Metrics, define
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset


def cite(metrics: Metrics, preset: str | Preset | None = None) -> Methods:
    r"""Describe definitions for a paper, in words, formulas and citations.

    Parameters
    ----------
    metrics : MetricLike
        As in `rc.evaluate`.
    preset : str, path or Preset, optional
        The preset of metrics that name none.

    Returns
    -------
    Methods
        For each definition a paragraph with every setting, the formula, the sources, the fingerprint (none where a
        setting is a Python function), and one line to print next to the number. `result.methods()` adds who was
        counted.

    Raises
    ------
    ConventionError, MetricError
        As in `rc.evaluate`.

    Examples
    --------
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
