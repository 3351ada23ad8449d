"""`rc.agreement`: how far two label sets agree, in their grades and in the order of runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankconv.addons.agreement.agreement_measures import USUAL, GradeAgreement, define_measures
from rankconv.addons.agreement.agreement_result import AgreementResult
from rankconv.addons.agreement.label_pairs import Pairing, label_pairs
from rankconv.addons.agreement.leaderboards import USUAL_CORRELATIONS, LeaderboardAgreement, leaderboards, powered_means
from rankconv.analysis.significance.runs import SignificanceOptions
from rankconv.basics.errors import MetricError
from rankconv.data import inputs
from rankconv.data.digest import FORMAT
from rankconv.data.labels_and_rankings import Labels, Runs
from rankconv.data.row_digests import sums_of_labels
from rankconv.evaluation.results.circumstances import DIGITS
from rankconv.evaluation.statistics.paired_tests import DRAWS
from rankconv.evaluation.statistics.prediction_powered import powered_definition
from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset

METRIC = "ndcg@10"
NAMES = ("first", "second")


def agreement(
    a: Any,
    b: Any,
    runs: Any = None,
    metric: str | Definition | None = None,
    *,
    preset: str | Preset | None = None,
    measures: str | Sequence[str] = USUAL,
    correlations: str | Sequence[str] = USUAL_CORRELATIONS,
    pairs: str = "intersection",
    level: float | str = "none",
    interval: str = "ppi",
    alpha: float = 0.05,
    n_resamples: int = DRAWS,
    seed: int = 0,
    names: tuple[str, str] = NAMES,
) -> AgreementResult:
    """Compute how far two label sets agree, in their grades and in the order of runs.

    Parameters
    ----------
    a, b : LabelsLike
        Two label sets of the same users and items, such as those of people and of a model: whatever `rc.Labels` reads.
        The first one is the truth, where a measure has one.
    runs : mapping of str to RunLike, optional
        Two runs or more by name, whose order under both label sets is compared.
    metric : MetricLike, optional
        The metric of the runs, one number; by default `ndcg@10`.
    preset : str, path or Preset, optional
        The preset of a metric that names none.
    measures : str or sequence of str, default ("share", "kappa", "kappa(weights=quadratic)", "alpha(scale=ordinal)")
        `share` of equal grades, `kappa` (Cohen; weights=none, linear or quadratic; distance=value, or place as
        scikit-learn has it), `alpha` (Krippendorff; scale=nominal, ordinal or interval).
    correlations : str or sequence of str, default ("tau-b", "tau-ap")
        Correlations of the means of runs: also tau-c, weighted-tau, spearman and pearson, of SciPy.
    pairs : {"intersection", "first", "refuse"}, default "intersection"
        Pairs of one set alone are left out; or the second must have all of the first; or both must have the same.
    level : float or "none", default "none"
        Grades of this and more are 1, others 0.
    interval : str, default "ppi"
        The interval of each mean from both label sets, where the second has more users: as in `Number.interval`.
    alpha, n_resamples, seed
        As in `rc.test`, of the differences between runs. Intervals have the level 1 - alpha.
    names : tuple of two str, default ("first", "second")
        What the label sets are called.

    Returns
    -------
    AgreementResult
        Maps each measure to its value; `grades` has the pairs, `leaderboards` the order of runs.

    Raises
    ------
    InputError
        If the sets have no pair in common, one lacks pairs that it must have, or there are fewer than two runs.
    ConventionError, MetricError
        If a measure, convention or setting is unknown, or the preset refuses the data.

    Examples
    --------
    >>> import rankconv as rc
    >>> human = {"u": {"a": 2, "b": 1, "c": 0, "d": 0}}
    >>> model = {"u": {"a": 2, "b": 0, "c": 0, "d": 1}}
    >>> found = rc.agreement(human, model, measures=["share", "kappa"])
    >>> found["share"], round(found["kappa"], 4)
    (0.5, 0.2)
    """
    wanted, pairing = define_measures(measures), Pairing(pairs=pairs, level=level)
    arguments.number(n_resamples, "n_resamples", 1)
    arguments.number(seed, "seed")
    arguments.decimal(alpha, "alpha", 0.0001, 0.5)
    if not (isinstance(names, tuple | list) and len(names) == 2 and all(isinstance(one, str) for one in names)):
        raise MetricError(f"names={names!r:.100} are not those of two label sets", allowed="Pass two texts")
    if isinstance(correlations, Mapping) or not isinstance(correlations, Iterable):
        raise MetricError(f"correlations={correlations!r:.100} is not a list", allowed="It is a text or several")
    if runs is None and metric is not None:
        raise MetricError("a metric is for runs, and none are given", do="Pass runs, or leave out the metric.")
    definition = arguments.metric(
        METRIC if metric is None else metric, find_preset(HOUSE if preset is None else preset)
    )
    powered = powered_definition(interval)
    first, second = inputs.labels(a), inputs.labels(b)
    compared = GradeAgreement(names, label_pairs(first, second, pairing, names), pairing, wanted)
    found = AgreementResult(compared, _digests(first, second))
    if runs is None:
        return found
    several = runs if isinstance(runs, Runs) else inputs.runs(runs)
    options = SignificanceOptions(alpha=alpha, n_resamples=n_resamples, seed=seed)
    chosen = [correlations] if isinstance(correlations, str) else list(correlations)
    boards = leaderboards((first, second), several, definition, compared.pairs.users, chosen, options)
    if compared.pairs.users_alone[1]:
        boards = _with_intervals(boards, (first, second), several, compared.pairs.users, powered.text)
    return replace(found, leaderboards=boards)


def _digests(first: Labels, second: Labels) -> dict[str, str]:
    """The digests of items and grades of both label sets, by name."""
    each = {side: sums_of_labels(labels, ()) for side, labels in (("a", first), ("b", second))}
    found = {
        f"{name}-{side}": sums[name].digest(name)[:DIGITS]
        for side, sums in each.items()
        for name in ("labels", "grades")
    }
    return found | {"digests": str(FORMAT)}


def _with_intervals(
    boards: LeaderboardAgreement, labels: tuple[Labels, Labels], runs: Runs, users: Sequence[object], how: str
) -> LeaderboardAgreement:
    """The leaderboards with the mean of each run from both label sets."""
    each, why = powered_means(labels, runs, boards.definition, users, 1 - boards.alpha, how)
    rows = [replace(one, interval=each.get(one.run)) for one in boards.runs]
    return replace(boards, runs=rows, interval=how, no_interval=why)
