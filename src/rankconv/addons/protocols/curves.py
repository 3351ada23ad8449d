"""The learning curve of recommenders."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.addons.protocols.curve_grid import PointValues
from rankconv.addons.protocols.curve_result import Faults, LearningCurve, PointLists, run_of
from rankconv.addons.protocols.division import Split
from rankconv.addons.protocols.named_recommenders import Answered, ListRequest, Recommender, Training, name_of
from rankconv.addons.protocols.presets import protocol as find_protocol
from rankconv.addons.protocols.protocol_traits import ProtocolTraits
from rankconv.addons.protocols.split import Protocol
from rankconv.basics.errors import InputError, MetricError
from rankconv.basics.progress import watching
from rankconv.conventions.spec import preset_and_rest
from rankconv.data.arrays import Codes
from rankconv.data.ids import quoted
from rankconv.engine import measure
from rankconv.engine.metric_result import OUTSIDE
from rankconv.evaluation.compare import requested_presets
from rankconv.evaluation.joining import join
from rankconv.evaluation.results.result import Errors, raise_first
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.neutral import neutral_settings
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.rendering.pages.cells import plural

AT_ONCE = 100
"""So many lists are requested at a time."""
POINTS = 2000
"""So many are evaluated at a time."""
_MEAN = "aggregate"


def learning_curve(
    ratings: Any,
    recommenders: Any = None,
    metrics: Metrics | None = None,
    preset: str | Preset | Sequence[str | Preset] | None = None,
    *,
    protocol: str | Protocol = "fastml",
    seed: int = 0,
    on_error: Errors = "raise",
    n_resamples: int = 1000,
    progress: bool | None = None,
    columns: Mapping[str, str] | None = None,
) -> LearningCurve:
    """Evaluate recommenders after 1, 2, … ratings of each user, and compare their curves.

    A recommender is a function of the training data (`items`, `users`, `matrix`, `to_frame()`). It returns
    `recommend(items, values, n)`, or an object with that method: the ids of n items, best first, with or without
    scores, for a user who gave these items these values. An object with `recommend_many(histories, n)` gets several
    (items, values) at once, and returns a list for each.

    Parameters
    ----------
    ratings : RatingsLike or Split
        Whatever `protocols.Ratings` reads.
    recommenders : dict or list
        Names (`popularity`, `item-item`), functions in files (`my_models.py:als`) or functions.
    metrics : MetricLike, optional
        By default those of the protocol.
    preset : str, path, Preset or a list of these, optional
        Each metric has a curve for each of them.
    protocol : str or Protocol, default "fastml"
        How ratings are split.
    seed : int, default 0
        Random seed.
    on_error : {"raise", "collect"}, default "raise"
        Whether a faulty list is an error, or is counted and used as far as it is valid.
    n_resamples : int, default 1000
        Number of bootstrap samples of users for bands and intervals.
    progress : bool, optional
        As in `rc.evaluate`.
    columns : mapping, optional
        Names of the columns of `ratings`.

    Returns
    -------
    LearningCurve
        The curves, their tests and the faults.

    Raises
    ------
    InputError
        For ratings, recommenders and their lists, with the user and the number of ratings given.
    MetricError
        As in `rc.evaluate`.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import protocols
    >>> ratings = [(user, item, 5 - (user + item) % 3) for user in range(40) for item in range(user % 5, 12)]
    >>> nested = "fastml(given=nested(3), least-users=3)"
    >>> curve = protocols.learning_curve(ratings, ["popularity"], "ndcg@5", protocol=nested)
    >>> curve.to_frame()["given"].to_list()
    [1, 2, 3]
    """
    arguments.word(on_error, Errors, "on_error")
    arguments.number(n_resamples, "n_resamples")
    split = ratings if isinstance(ratings, Split) else find_protocol(protocol).split(ratings, seed, **(columns or {}))
    definitions = _definitions(split, metrics, preset)
    sources = _by_name(recommenders)
    cutoffs = [one.k or len(split.catalogue) for one in definitions.values()]
    n = min(len(split.catalogue), max(cutoffs, default=len(split.catalogue)))  # all where a metric has no cutoff
    lists: dict[str, PointLists] = {name: [()] * len(split.points) for name in sources}
    faults: dict[str, Faults] = {name: Counter() for name in sources}
    work = [_CurveWork(len(split.points)) for _ in sources]
    with watching(progress, "lists") as bar:
        for one, (name, source) in zip(work, sources.items(), strict=True):
            for answered in _lists(split, name, source, n):
                _check(split, name, answered, faults[name], collect=on_error == "collect")
                for each in answered:
                    lists[name][each.point] = each.items
                one.done += len(answered)
                if bar is not None:
                    bar(work)
    values = {
        (name, metric): found
        for name, one in lists.items()
        for metric, found in _values(split, one, definitions).items()
    }
    return LearningCurve(split, definitions, lists, values, faults, n_resamples, split.seed)


@dataclass
class _CurveWork:
    """One recommender on its way through the points."""

    to_do: int
    done: int = 0


def _definitions(split: Split, metrics: Metrics | None, presets: Any) -> dict[str, Definition]:
    """What is requested, under each preset; of nothing the metric that the protocol's source reports.

    MetricError for a definition that has no plain mean over users.
    """
    own = split.protocol.metric
    if metrics is None and not own:
        do, shell = (f"Say which: {how}." for how in ("metrics='ndcg@10'", "-m ndcg@10"))
        raise InputError(f"the protocol {split.protocol.name} names no metric", do=do, shell=shell)
    chosen = requested_presets(presets, [HOUSE])
    if metrics is None:
        metrics = preset_and_rest(own)[1] if len(chosen) > 1 else own
    each = [define(metrics, preset) for preset in chosen]
    found = each[0] if len(each) == 1 else {one.text: one for some in each for one in some.values()}
    for name, one in found.items():
        if one.pools:
            do = "Ask for a metric of each list."
            raise MetricError("it is of all lists together, and a curve needs a value of each", where=name, do=do)
        setting = one.aggregation.given(_MEAN)
        if setting != neutral_settings()[_MEAN]:
            raise MetricError(f"a curve is of plain means, and this one is {_MEAN}={setting}", where=name)
    return found


def _by_name(recommenders: Any) -> dict[str, Any]:
    """The recommenders by name; an InputError for none, and for two of one name."""
    if not recommenders:
        do, shell = (f"Pass {how}." for how in ("recommenders=['popularity', 'my_models.py:als']", "-r popularity"))
        raise InputError("there is no recommender", do=do, shell=shell)
    if isinstance(recommenders, Mapping):
        return {str(name): one for name, one in recommenders.items()}
    listed: Sequence[Any] = recommenders if isinstance(recommenders, (list, tuple)) else [recommenders]
    names = [name_of(one) for one in listed]
    for name in names:
        if names.count(name) > 1:
            do, shell = "Name them: {'mine': …, 'yours': …}.", "Give each once, and functions different names."
            raise InputError(f"two recommenders are called '{name}'", do=do, shell=shell)
    return dict(zip(names, listed, strict=True))


def _lists(split: Split, name: str, source: Any, n: int) -> Iterator[list[Answered]]:
    """The lists of a recommender for all points, some at a time."""
    recommender = Recommender(source, Training.of(split), name)
    for first in range(0, len(split.points), AT_ONCE):
        points = range(first, min(first + AT_ONCE, len(split.points)))
        yield recommender.lists([_request(split, point, n) for point in points])


def _request(split: Split, point: int, n: int) -> ListRequest:
    """What a recommender gets at this point."""
    ratings, rows, size = split.ratings, split.points.inputs_of(point), len(split.catalogue)
    items, values = ratings.items.values[ratings.item[rows]].tolist(), ratings.rating[rows].tolist()
    whole = ProtocolTraits.of(split.protocol.settings.settings["candidates"]).whole_catalogue
    if whole and len(rows) < size:
        return ListRequest(point, items, values, n, min(n + len(rows), size), None, split.drops_given)
    candidates = frozenset(ratings.items.values[split.candidates_of(point)].tolist())
    return ListRequest(point, items, values, n, size, candidates, split.drops_given)


def _check(split: Split, name: str, answered: Sequence[Answered], faults: Faults, *, collect: bool) -> None:
    """Count what was wrong, or raise the first of it, with user and number given."""
    for one in answered:
        for kind, said in one.faults:
            faults[kind] += 1
            if not collect:
                user = split.ratings.users.id(int(split.points.user[one.point]))
                given = plural(int(split.points.given[one.point]), "rating")
                ways = ('on_error="collect".', "--on-error collect.")
                do, shell = (f"Count such lists and go on: {how}" for how in ways)
                where = f"recommender {name}, user {quoted(user)}, {given} given"
                raise InputError(said, where=where, do=do, shell=shell)


def _values(split: Split, lists: PointLists, definitions: Mapping[str, Definition]) -> dict[str, PointValues]:
    """The points by what was requested; a point with an empty list counts as the definition says of these."""
    size = len(split.points)
    found = {name: PointValues(np.full(size, np.nan), np.zeros(size, bool)) for name in definitions}
    for first in range(0, size, POINTS):
        points: Codes = np.arange(first, min(first + POINTS, size))
        labels = split.labels_of(points)
        run = run_of(split, labels.users, lists[first : first + POINTS])
        joined = join(labels, run, catalogue=len(split.ratings.items))
        place = np.searchsorted(points, points[joined.users.codes_of(labels.users)])
        for (name, values), one in zip(found.items(), measure(joined, list(definitions.values()), None), strict=True):
            raise_first({name: one.refusals} if one.refusals else {})
            values.values[points] = one.values[place]
            values.counted[points] = ((one.states != OUTSIDE) & ~np.isnan(one.values))[place]
    return found
