"""Definitions as measures of ir_measures; public as `rankconv.ir`, and as `pt.rankconv` in PyTerrier."""

from typing import Any

from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset


def measure(metric: str | Definition, preset: str | Preset | None = None) -> Any:
    """Return a definition as a measure of ir_measures, for its functions and for `pt.Experiment`.

    Parameters
    ----------
    metric : str or Definition
        As in `rc.evaluate`, at one cutoff.
    preset : str, path or Preset, optional
        As in `rc.metric`.

    Returns
    -------
    ir_measures.Measure
        Its text is read by `ir_measures.parse_measure` again. Users who are left out of the mean are no 0: their value
        is NaN, which the mean leaves out.

    Raises
    ------
    ConventionError
        As in `rc.metric`.
    MetricError
        As in `rc.metric`.
    LibraryError
        If ir_measures is not installed.

    Examples
    --------
    >>> from rankconv import ir
    >>> ir_measures.calc_aggregate([ir.measure("ndcg@10", "mllib")], qrels, run)  # doctest: +SKIP
    {ndcg(preset='mllib')@10: 0.613147...}
    >>> pt.Experiment(systems, topics, qrels, [ir.measure("ndcg@10", "mllib"), "map"])  # doctest: +SKIP
    """
    definition = arguments.metric(metric, preset)
    from rankconv.addons.harnesses import ir_measures_provider

    return ir_measures_provider.of_definition(definition)


def register() -> None:
    """Register the metrics of the default preset, so that texts name them: `ndcg(preset='mllib')@10`.

    Names that ir_measures has itself stay its own. `measure` calls it.

    Raises
    ------
    LibraryError
        If ir_measures is not installed.

    Examples
    --------
    >>> from rankconv import ir
    >>> ir.register()  # doctest: +SKIP
    >>> ir_measures.parse_measure("ndcg(preset='mllib', conventions='gain=linear')@10")  # doctest: +SKIP
    ndcg(conventions='gain=linear',preset='mllib')@10
    """
    from rankconv.addons.harnesses import ir_measures_provider  # noqa: F401  registers itself
