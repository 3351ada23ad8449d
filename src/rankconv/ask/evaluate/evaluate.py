"""The question most people ask: what are the numbers of this run?"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, overload

import numpy as np

from rankconv import inputs
from rankconv.ask.evaluate.result import Result, raise_first
from rankconv.data.arrays import Mask
from rankconv.data.features import Features
from rankconv.data.fitting import check_shapes
from rankconv.data.ids import Ids, unite
from rankconv.data.joined import Joined, SideData, keys_of
from rankconv.data.joined import join as join_data
from rankconv.data.labels_and_rankings import Labels, Rankings, Runs, without_zeros
from rankconv.engine import measure
from rankconv.errors import InputError
from rankconv.inputs.catalogue import catalogue_of
from rankconv.inputs.features import features as features_of
from rankconv.presets import arguments
from rankconv.presets.defining import Metrics, define
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.progress import watching

Errors = Literal["raise", "collect"]


def join(
    labels: Any, rankings: Any, *, seen: Any = None, catalogue: Any = None, train: Any = None, features: Any = None
) -> Joined:
    """Put labels and a run together once, to ask often: `evaluate(joined, specs)`, `compare(joined, specs)`.

    `catalogue` are the items there are, or their number. `train` are the interactions that the model learned from,
    anything that `rc.labels` reads: metrics beyond accuracy take from them how popular an item is and what a user
    had. It takes nothing out of a list: that is what `seen` is for, which `drop=seen` drops and no metric reads. Where
    both are the same data, pass them twice. `features` say what is known of items: `{item: [numbers]}`,
    `{item: {categories}}`, a table with a column of items, or the path of a file.

    >>> import rankconv as rc
    >>> judged = rc.join({"u": ["a"]}, {"u": ["b", "a"]})
    >>> rc.evaluate(judged, "mrr@2")["mrr@2"]
    0.5
    """
    joined = join_data(inputs.labels(labels), inputs.rankings(rankings))
    return with_extra(joined, seen, catalogue, train, features)


def with_extra(joined: Joined, seen: Any, catalogue: Any, train: Any = None, features: Any = None) -> Joined:
    """The joined data with what else the caller knows of users and items."""
    size, items = (None, None) if catalogue is None else _catalogue(catalogue, joined)
    keys = None if seen is None else keys_of(beside(seen, joined, "seen="), joined.users, joined.items)
    learned = None if train is None else beside(train, joined, "train=")
    known = None if features is None else of_items(features, joined)
    return replace(joined, extra=SideData(size, keys, learned, known, items))


def of_items(data: Any, joined: Joined) -> Features:
    """What is known of the items; ids of another type could not match, and are an InputError."""
    found = features_of(data)
    _check_kind("item", joined.items, found.items, "features=")
    return found


def beside(data: Any, joined: Joined, called: str) -> Labels:
    """Items that users have seen, or that were learned from, read as labels are.

    In an array with a number for each item those that are not 0. Ids of another type could not match, and nothing
    would be found: they are an InputError, as is an array of another shape than that of the labels or of the run.
    """
    more = inputs.labels(data)
    for side, name in ((joined.labels, "the labels"), (joined.rankings, "the rankings")):
        check_shapes(side.form, more.form, name, called)
    for what, ids, those in (("user", joined.users, more.users), ("item", joined.items, more.items)):
        _check_kind(what, ids, those, called)
    return without_zeros(more) if more.form.kind == "dense" else more


def _check_kind(what: str, ids: Ids, those: Ids, called: str) -> None:
    if "none" not in (ids.kind, those.kind) and ids.kind != those.kind:
        wrong = f"{what} ids are {those.kind} in {called} ({those.examples()}) and {ids.kind} elsewhere"
        raise InputError(wrong, do="Convert them, so that all have the same type.")


def _catalogue(catalogue: Any, joined: Joined) -> tuple[int, Ids | None]:
    """How many items there are, of which labels and lists cannot have more; and which, where these are told."""
    size, items = catalogue_of(catalogue)
    if size < len(joined.items):
        raise InputError(
            f"the catalogue has {size} items, and the labels and lists have {len(joined.items)}",
            allowed="The catalogue is all items that there are, also those that no user has",
            do="Pass all items, or how many there are.",
        )
    return size, items


@overload
def evaluate(
    labels: Any,
    rankings: Runs,
    metrics: Metrics,
    preset: str | Preset | None = ...,
    *,
    users: Iterable[Any] | None = ...,
    seen: Any = ...,
    catalogue: Any = ...,
    train: Any = ...,
    features: Any = ...,
    per_user: bool = ...,
    progress: bool | None = ...,
    errors: Errors = ...,
) -> dict[str, Result]: ...
@overload
def evaluate(
    labels: Any,
    rankings: Any,
    metrics: Metrics | None = ...,
    preset: str | Preset | None = ...,
    *,
    users: Iterable[Any] | None = ...,
    seen: Any = ...,
    catalogue: Any = ...,
    train: Any = ...,
    features: Any = ...,
    per_user: bool = ...,
    progress: bool | None = ...,
    errors: Errors = ...,
) -> Result: ...
def evaluate(
    labels: Any,
    rankings: Any = None,
    metrics: Metrics | None = None,
    preset: str | Preset | None = None,
    *,
    users: Iterable[Any] | None = None,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
    features: Any = None,
    per_user: bool = True,
    progress: bool | None = None,
    errors: Errors = "raise",
) -> Result | dict[str, Result]:
    """What are the numbers of this run, under the definitions of a preset?

    `labels` and `rankings` are anything that `rc.labels` and `rc.rankings` read; or one `rc.join`, followed by the
    metrics. `metrics` are specs: `ndcg@10`, `map@5,10`, `ndcg@1-8`, `blog:mrr`, `ndcg(gain=exponential)@10`; also
    several in one text, with commas between them, or what a system calls several together, as `official` of
    trec_eval. Where a spec names no preset, `preset` answers, and without one the house preset `rankconv`.

    `users` restricts the evaluation to these users, and adds those whom the data cannot name because they have
    neither labels nor a list. `seen` are items per user that `drop=seen` takes out; `catalogue` the items there are,
    or their number; `train` what the model learned from, and `features` what is known of items, as in `rc.join`.
    `per_user=False` keeps means and counts alone, for data of millions of users.
    `progress` shows a bar on stderr, or does not; unless said, it appears at a terminal after two seconds.
    `errors="raise"` raises the MetricError of the first number that a preset refuses to give;
    `"collect"` leaves it NaN and says why in `result.errors`.

    Returns a `Result`; for `rc.runs(…)` a dict of them by run.
    Raises InputError for the data, ConventionError for presets and answers, MetricError for metrics.

    >>> import rankconv as rc
    >>> labels = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
    >>> run = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}
    >>> result = rc.evaluate(labels, run, ["ndcg@3", "map"], preset="trec_eval")
    >>> round(result["ndcg@3"], 4), round(result["map"], 4)
    (0.7974, 0.6667)
    >>> result.per_user["map"].round(4).tolist()
    [0.8333, 0.5]
    """
    arguments.word(errors, Errors, "errors")
    if isinstance(labels, Joined):
        metrics, preset = asked_of_joined(rankings, metrics, preset)
    chosen = find_preset(HOUSE if preset is None else preset)
    definitions = define(metrics, chosen)
    if isinstance(labels, Joined):
        joined = labels
    else:
        if isinstance(rankings, Runs):
            known = inputs.labels(labels)
            more: dict[str, Any] = {"users": users, "seen": seen, "catalogue": catalogue}
            more |= {"train": train, "features": features}
            more |= {"per_user": per_user, "progress": progress, "errors": errors}
            each = {name: evaluate(known, run, metrics, preset, **more) for name, run in rankings.by_name.items()}
            return {name: replace(result, run=name) for name, result in each.items()}
        joined = join(labels, rankings, seen=seen, catalogue=catalogue, train=train, features=features)
    joined, mask = choose(joined, users)
    with watching(progress) as told:
        measured = measure(joined, list(definitions.values()), mask, per_user=per_user, told=told)
    result = Result(chosen.name, joined.users.values, dict(zip(definitions, measured, strict=True)))
    result = replace(result, library=joined.rankings.library or joined.labels.library)
    if errors == "raise":
        raise_first(result.errors)
    return result


def asked_of_joined(second: Any, third: Any, fourth: Any) -> tuple[Any, Any]:
    """Metrics and presets where one joined object stands for labels and rankings, so that places shift by one."""
    return (third, fourth) if second is None else (second, third if fourth is None else fourth)


def choose(joined: Joined, users: Iterable[Any] | None) -> tuple[Joined, Mask | None]:
    """The population that the caller lists, shape (users,), and joined data that knows users without any row."""
    if users is None:
        return joined, None
    names = inputs.rankings({user: [] for user in arguments.users(users)})
    known = joined.users.code_of
    if any(user not in known for user in names.users.values.tolist()):
        joined = _with_users(joined, names)
    mask = np.zeros(len(joined.users), bool)
    mask[[joined.users.code_of[user] for user in names.users.values.tolist()]] = True
    return joined, mask


def _with_users(joined: Joined, more: Rankings) -> Joined:
    ids, _ = unite(joined.users, more.users, "user")
    absent = np.full(len(ids) - len(joined.users), -1)
    return replace(
        joined,
        users=ids,
        label_rows_of=np.append(joined.label_rows_of, absent),
        list_rows_of=np.append(joined.list_rows_of, absent),
    )
