"""The definitions that give a printed value."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from rankconv.analysis.identify.candidates import every_preset, one_metric
from rankconv.analysis.identify.printed_value import Chance, PrintedValue, sought
from rankconv.analysis.identify.result import IdentifyResult
from rankconv.analysis.identify.search import NEAREST, Found, Search, as_rows, classes, of_presets
from rankconv.analysis.identify.together import JointIdentifyResult, together
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.engine.metric_result import OUTSIDE, Measured
from rankconv.errors import MetricError
from rankconv.evaluation.joining import choose, join, takes_joined
from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE, preset
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import Spec, SpecLike, at_cutoff, read_spec

ANY = "any"
CUTOFFS = (None, 1, 3, 5, 10, 20, 50, 100)
"""Those that are tried where none is given: `any@20` asks for one."""


def identify_anything(joined: Joined, spec: SpecLike, number: PrintedValue, chosen: Mask | None) -> IdentifyResult:
    """The metrics of presets that give this number, also times k, times the users, or twice.

    `chosen` restricts the population, shape (users,).
    """
    cutoffs = read_spec(spec).cutoffs if "@" in str(spec) else CUTOFFS
    presets = every_preset()
    different = {one.parts: one for k in cutoffs for one in _all_at(k, presets)}
    measured = of_presets(joined, list(different.values()), chosen)
    multiples = [(one, times) for one in measured for times in _multiples(one)]
    found = [
        Found(one, how, count=1, times=times)
        for one, times in multiples
        if (how := number.how(one.mean * times)) is not None
    ]
    gaps = sorted(measured, key=lambda one: number.gap(one.mean))[:NEAREST]
    nearest = [] if found else as_rows(joined, classes([Found(one, "", count=1) for one in gaps], number))
    chance = Chance.of_presets(number, np.array([one.mean * times for one, times in multiples], np.float64))
    rows = as_rows(joined, classes(found, number), chance)
    return IdentifyResult(str(spec), number, rows, len(different), len(joined.users), chance, nearest=nearest)


def is_any(spec: SpecLike) -> bool:
    """Whether the metric is not known."""
    return str(spec).partition("@")[0].strip() == ANY


def _all_at(k: int | None, presets: Sequence[Preset]) -> Iterator[Definition]:
    """Every metric of every preset at this cutoff."""
    for one in presets:
        for key in one.metrics:
            if one.offers(at_cutoff(key, k)):
                yield one.definition(key, (), k)


def _multiples(one: Measured) -> list[int]:
    users = int(np.count_nonzero(one.states != OUTSIDE))
    times = [1, 2, users, *([one.definition.k] if one.definition.k else [])]
    return list(dict.fromkeys(times)) if one.mean else [1]


class Given(TypedDict, total=False):
    """What `identify` takes by keyword alone."""

    tolerance: int
    users: Iterable[Any] | None
    seen: Any
    catalogue: Any
    train: Any
    item_features: Any
    parents: Any


@overload
def identify(labels: Any, run: Any, metric: str | Definition, value: str, **given: Unpack[Given]) -> IdentifyResult: ...
@overload
def identify(
    labels: Any, run: Any, metric: Any = ..., value: str | None = ..., **given: Unpack[Given]
) -> IdentifyResult | JointIdentifyResult: ...
@takes_joined
def identify(
    labels: Any,
    run: Any = None,
    metric: Any = None,
    value: str | None = None,
    *,
    tolerance: int = 0,
    users: Iterable[Any] | None = None,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
    item_features: Any = None,
    parents: Any = None,
) -> IdentifyResult | JointIdentifyResult:
    """Identify the definitions that give a printed value.

    The search covers the metric under every preset, combinations of its settings near them, the preparation and
    aggregation of all presets, and common mistakes such as exchanged labels and run.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`.
    metric : MetricLike or mapping
        A metric without a preset: `"ndcg@10"`, `"map"`, or `"ndcg(gain=exponential)@10"` where some settings are known;
        `"any"` or `"any@10"` where the metric is not known. Several numbers come as a dict, `{"ndcg@10": "0.4127"}`.
    value : str
        The number as text, with the digits that are known: `"0.4127"`, `"41.27%"`. A value matches if it rounds or
        truncates to it.
    tolerance : int, default 0
        By how much the last digit may differ.
    users, seen, catalogue, train, item_features, parents
        As in `rc.evaluate`.

    Returns
    -------
    IdentifyResult or JointIdentifyResult
        Rows of definitions that these data do not distinguish, presets first, then by the number of settings that
        differ from the nearest preset. Without a match `found` is False and `nearest` has the nearest values. For
        several numbers, the settings that give all of them.

    Raises
    ------
    InputError
        If the data cannot be read.
    MetricError
        If the metric is unknown, or the value is not a number that it can have.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
    >>> run = {"ada": ["b", "x", "a"], "bob": ["y", "c"]}
    >>> found = rc.identify(labels, run, "ndcg@10", "0.6597")
    >>> first = found.rows[0]
    >>> "trec_eval:ndcg@10" in first.presets, round(first.value, 6), found.tried > 2000
    (True, 0.659729, True)
    """
    numbers = check_numbers(_numbers(metric, value), tolerance)
    given = {"seen": seen, "catalogue": catalogue, "train": train, "item_features": item_features, "parents": parents}
    joined, mask = choose(labels if isinstance(labels, Joined) else join(labels, run, **given), users)
    if len(numbers) > 1:
        return together([(Search(joined, metric, mask), number) for metric, number in numbers.items()])
    ((name, number),) = numbers.items()
    return identify_anything(joined, name, number, mask) if is_any(name) else Search(joined, name, mask).result(number)


def check_numbers(numbers: Mapping[Any, str], tolerance: int) -> dict[SpecLike, PrintedValue]:
    """Each metric that some preset knows with its number; a MetricError for what is neither."""
    for name in numbers:
        if not is_any(name):
            one_metric(name)
            if not any(one.offers(name) for one in every_preset()):
                preset(HOUSE).define(name)
    return {name: sought(text, tolerance) for name, text in numbers.items()}


def _numbers(metric: Any, value: Any) -> dict[SpecLike, str]:
    """Each metric with its number as text; of a definition the settings that were changed are sure."""
    if not isinstance(metric, (str, Mapping, type(None))):
        arguments.spec(metric)
    given = dict(metric) if isinstance(metric, Mapping) else {metric: value}
    fields = {_of_any(one) if isinstance(one, Definition) else one: number for one, number in given.items()}
    if not fields or any(not isinstance(name, SpecLike) or number is None for name, number in fields.items()):
        do = 'Pass both, as in identify(labels, run, "ndcg@10", "0.4127").'
        raise MetricError("a metric and the number that was printed for it are needed", do=do)
    unknown = [name for name in fields if is_any(name)]
    if unknown and len(fields) > 1:
        raise MetricError(f"'{unknown[0]}' is given together with others", do="Give it alone.")
    return {name: str(number) for name, number in fields.items()}


def _of_any(definition: Definition) -> Spec:
    """Its metric as any preset may have it."""
    return replace(definition.requested, metric=definition.metric.name).at(definition.k)
