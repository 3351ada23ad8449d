"""Labels and a run put together, with what else the caller knows of users and items."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, ParamSpec, TypedDict, TypeVar, Unpack, cast

import numpy as np

from rankconv.basics.errors import InputError, MetricError, UnreadData, nearest, warn
from rankconv.basics.guessed_names import OF_ARGUMENTS, OF_CUTOFFS
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.spec import Spec, each_spec, read_spec
from rankconv.data import inputs
from rankconv.data.alignment import Counting, IdTable, check_meeting, check_types, notes_of_meeting
from rankconv.data.arrays import Codes, Mask
from rankconv.data.attributes import Features, GroupTargets, Parents, Propensities
from rankconv.data.fitting import as_grades
from rankconv.data.ids import Ids, unite
from rankconv.data.inputs.columns import of_side
from rankconv.data.inputs.reading import are_runs
from rankconv.data.joined import Joined, SideData, keys_of, rows_of
from rankconv.data.joined import join as join_data
from rankconv.data.labels_and_rankings import Labels, Run, Runs, without_zeros
from rankconv.evaluation.notes import DATA_OF, ENOUGH
from rankconv.presets import arguments

P = ParamSpec("P")
R = TypeVar("R")


class SharedData(TypedDict, total=False):
    """Side data as a caller gives them that are the same for all batches of users."""

    catalogue: Any
    train: Any
    item_features: Any
    parents: Any
    propensities: Any
    shown: Any


class SideDataLike(SharedData, total=False):
    """Side data as a caller gives them, as `join` takes them; `data.joined.SideData` are those that are read."""

    seen: Any
    group_target: Any


def takes_side_data(verb: Callable[P, R]) -> Callable[P, R]:
    """Show the parameters of `SideDataLike` in the place of `**side`, and refuse others."""

    @wraps(verb)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        _refuse_others(args, kwargs, verb.__name__, shown.parameters)
        return verb(*args, **kwargs)

    vars(call)["__signature__"] = shown = _with_parameters(verb)
    return call


def takes_joined(verb: Callable[P, R]) -> Callable[P, R]:
    """Let one joined object be passed for labels and rankings; the next positional argument is the one after these.

    Side data given by keyword are added to it. An InputError for rankings, which it already holds. Parameters are
    shown, and others refused, as by `takes_side_data`.
    """

    @wraps(verb)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        _refuse_others(args, kwargs, verb.__name__, shown.parameters)
        given: dict[str, Any] = dict(kwargs)
        labels, *others = args or (given.get("labels"),)
        if not isinstance(labels, Joined):
            by_keyword = not args and isinstance(labels, Mapping)
            named = by_keyword and given.get("columns") is None and given.get("memory") is None
            return verb(*args, **(given | {"labels": cast(Any, Labels)(labels)} if named else given))
        if given.pop("run", None) is not None:
            do = "Pass rc.join(labels, run) alone, or labels and a run."
            raise InputError("labels and run are joined already, and run= was passed too", do=do)
        side = {name: given.pop(name) for name in SideDataLike.__annotations__ if given.get(name) is not None}
        labels = _with_side_data(labels, cast(SideDataLike, side)) if side else labels
        if others[:1] != [None]:
            others.insert(0, None)
        return verb(labels, *others, **{name: one for name, one in given.items() if name != "labels"})  # type: ignore[arg-type]

    vars(call)["__signature__"] = shown = _with_parameters(verb)
    return call


def _with_parameters(verb: Callable[P, R]) -> Signature:
    own, names = signature(verb), dict.fromkeys(["seen", *SideDataLike.__annotations__])
    plain = [one for one in own.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    side = [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Any) for name in names]
    return own.replace(parameters=[*plain, *side] if len(plain) < len(own.parameters) else plain)


def _requested(args: Sequence[Any], given: Mapping[str, Any]) -> Spec:
    """The first metric that was passed, to say what it is with another setting; NDCG at 10 where there is none."""
    metrics = given.get("metrics", given.get("metric", next(iter(args[2:]), None)))
    first = next(iter(metrics), None) if isinstance(metrics, list | tuple) else metrics
    try:
        return read_spec(each_spec(first)[0] if isinstance(first, str) else "ndcg@10")
    except MetricError:
        return read_spec("ndcg@10")


def _refuse_others(args: Sequence[Any], given: Mapping[str, Any], verb: str, known: Mapping[str, Any]) -> None:
    """Refuse a cutoff and conventions, which are parts of the metric, and what else a verb does not take."""
    for name, value in given.items():
        convention = name.replace("_", "-")
        if name in OF_CUTOFFS and name not in known:
            cutoffs = ",".join(map(str, value)) if isinstance(value, list | tuple | range) else value
            do = f"Write '{_requested(args, given).at(None)}@{cutoffs}', without {name}=."
            raise MetricError("the cutoff is a part of the metric here", do=do)
        if name not in known and convention in CONVENTIONS:
            do = f"Write '{_requested(args, given).having(convention, str(value))}', without {name}=."
            if not isinstance(value, str | int | float):
                data, setting = DATA_OF.get(convention, ("", "…"))
                do = f"Pass the data as {data}=, and write" if data else "Write"
                do += f" '{_requested(args, given).having(convention, setting)}'."
            raise MetricError(f"{name} is a convention, and conventions are a part of the metric here", do=do)
        if name not in known:
            likely = OF_ARGUMENTS.get(name, "")
            likely = f"{likely}=" if likely in known else nearest(name, known)
            hint = f". Did you mean '{likely}'?" if likely else ""
            if "mask" in name:
                excluding = _requested(args, given).having("exclude", "seen")
                hint = f". To take items out of the rankings, pass them as seen= to '{excluding}'"
            raise TypeError(f"{verb}() got an unexpected keyword argument '{name}'{hint}")


@takes_side_data
def join(labels: Any, run: Any, **side: Unpack[SideDataLike]) -> Joined:
    """Join labels and a run once, to evaluate them often.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`.
    seen : LabelsLike, optional
        Items that each user already had; only `exclude=seen` reads them.
    catalogue : iterable of ids or int, optional
        All items that exist, or their number.
    train : LabelsLike, optional
        The interactions that the model was trained on. Metrics beyond accuracy take popularity and history from them;
        they take nothing out of a list. Pass the same data as `seen` for that.
    item_features : mapping, frame or path, optional
        `{item: [numbers]}`, `{item: {categories}}`, or a table with a column of items.
    parents : mapping, frame, path or str, optional
        The document of each chunk, or the product of each variant: `{chunk: document}`, a table with a column of each,
        or the separator before which an id such as `doc1#0` names its document. Only `collapse` reads them. The other
        side data may name chunks or documents; item features and propensities name documents.
    propensities : mapping, frame or path, optional
        `{item: p}`, or a table with a column of items: how likely each item was to be observed, above 0 and at most 1.
        Only `item-weight=inverse-propensity` reads them.
    shown : RunLike, optional
        The run that was shown when clicks were logged; only `item-weight=position` reads it.
    group_target : mapping, frame or path, optional
        The share that each group of items should have, `{group: share}`, or of each user `{user: {group: share}}`, or
        a table with the columns `group` and `share`, and `user`. Only `group-target=given` reads them.

    Returns
    -------
    Joined
        The first argument of `rc.evaluate`, `rc.compare` and the like, followed by the metrics.

    Raises
    ------
    InputError
        If the data cannot be read, or ids of labels and run do not match.

    Examples
    --------
    >>> import rankconv as rc
    >>> joined = rc.join({"u": ["a"]}, {"u": ["b", "a"]})
    >>> rc.evaluate(joined, "mrr@2")["mrr@2"]
    0.5
    """
    return _with_side_data(join_data(inputs.labels(labels), inputs.rankings(run)), side)


def _with_side_data(joined: Joined, given: SideDataLike) -> Joined:
    """All data with what else the caller knows of them; an InputError where no item at all is a chunk."""
    joined = with_extra(joined, **given)
    if given.get("parents") is not None and joined.extra.parents is not None:
        joined.extra.parents.check(joined.items)
    return joined


def with_extra(
    joined: Joined,
    *,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
    item_features: Any = None,
    labelled: Ids | None = None,
    parents: Any = None,
    propensities: Any = None,
    shown: Any = None,
    group_target: Any = None,
) -> Joined:
    """The joined data with what else the caller knows of users and items; what is not given stays."""
    extra = joined.extra
    sides = _LabelsAndRun(joined)
    above = extra.parents if parents is None else _parents(parents, sides)
    given = (extra.catalogue, extra.catalogue_items)
    size, items = given if catalogue is None else _catalogue(catalogue, sides, above)
    keys = extra.seen if seen is None else _seen(_interactions(seen, sides, "seen="), sides, above)
    learned = extra.train if train is None else _train(train, sides, above)
    known = extra.features if item_features is None else _features(item_features, sides, above)
    likely = extra.propensities if propensities is None else _propensities(propensities, sides, above)
    lists = extra.shown if shown is None else _shown(shown, sides, above)
    targets = extra.group_target if group_target is None else _group_target(group_target, sides)
    aligned = tuple(dict.fromkeys((*extra.aligned, *sides.notes)))
    data = SideData(size, keys, learned, known, items, labelled, above, likely, lists, aligned, targets)
    return replace(joined, extra=data)


class _LabelsAndRun:
    """Labels and a run that side data must meet, and what is said of these."""

    def __init__(self, joined: Joined) -> None:
        self.joined, self.notes = joined, list[str]()
        self._both = IdTable.of(joined.rankings, "the run"), IdTable.of(joined.labels, "the labels")

    def meet(self, table: IdTable) -> None:
        """Check that the table can meet both; an InputError where it cannot."""
        for side in self._both:
            check_meeting(side, table, placed_sides=self._both)
            if not self.joined.part:
                Counting.of(side, table).refuse()
            check_types(side, table)
        self.notes += next(filter(None, (notes_of_meeting(side, table) for side in self._both)), ())

    def check_matches(self, given: Ids, known: Ids, said: str) -> None:
        """Say it where none of these users or items is a known one; of a few that may be by chance."""
        if self.joined.part or min(len(given), len(known)) < ENOUGH:
            return
        if not (known.codes_of(given) >= 0).any():
            self.say_nothing(f"{said} ({given.examples()}) of the labels or the run ({known.examples()})")

    def say_nothing(self, said: str) -> None:
        """Say that side data match nothing, which changes every value that is made of them."""
        self.notes.append(f"{said}, so that it says nothing of any.")
        warn(self.notes[-1], UnreadData)


def _parents(given: Any, sides: _LabelsAndRun) -> Parents:
    from rankconv.data.inputs.side_data import parents

    found = parents(given)
    if found.table:
        sides.meet(IdTable.of_items(found.pairs[0], "parents="))
    return found


def _train(data: Any, sides: _LabelsAndRun, parents: Parents | None) -> Labels:
    """Interactions of training, with items of which some are known."""
    learned = _interactions(data, sides, "train=")
    if parents is None:
        sides.check_matches(learned.items, sides.joined.items, "train= has no item")
    return learned


def _seen(pairs: Labels, sides: _LabelsAndRun, parents: Parents | None) -> Codes:
    """Sorted keys, user * items + item, shape (keys,): where a document was seen, those of all its chunks."""
    joined = sides.joined
    keys = keys_of(pairs, joined.users, joined.items)
    if parents is None:
        if not len(keys):
            for read, known, what in ((pairs.users, joined.users, "user"), (pairs.items, joined.items, "item")):
                sides.check_matches(read, known, f"seen= has no {what}")
        return keys
    code, documents = parents.documents(joined.items)
    order, of_row = np.argsort(code), documents.codes_of(pairs.items)[pairs.item]
    row, chunk = rows_of(np.searchsorted(code[order], np.arange(len(documents) + 1)), of_row)
    user = np.repeat(joined.users.codes_of(pairs.users), pairs.lengths)[row]
    return np.union1d(keys, (user * len(joined.items) + order[chunk])[user >= 0])


def _features(data: Any, sides: _LabelsAndRun, parents: Parents | None) -> Features:
    """What is known of the items; ids of another type could not match, and are an InputError."""
    from rankconv.data.inputs.side_data import features

    found = features(data)
    sides.meet(IdTable.of_items(found.items, "item_features="))
    if parents is None:
        sides.check_matches(found.items, sides.joined.items, "item_features= has no item")
    return found


def _propensities(data: Any, sides: _LabelsAndRun, parents: Parents | None) -> Propensities:
    """The propensities of the items; ids of another type could not match, and are an InputError."""
    from rankconv.data.inputs.side_data import propensities

    found = propensities(data)
    sides.meet(IdTable.of_items(found.items, "propensities="))
    if parents is None:
        sides.check_matches(found.items, sides.joined.items, "propensities= has no item")
    return found


def _shown(data: Any, sides: _LabelsAndRun, parents: Parents | None) -> Run:
    """The lists that were shown to the users; an InputError where users or items cannot meet those of both sides."""
    lists = inputs.rankings(data)
    sides.meet(IdTable.of(lists, "shown="))
    sides.check_matches(lists.users, sides.joined.users, "shown= has no user")
    if parents is None:
        sides.check_matches(lists.items, sides.joined.items, "shown= has no item")
    return lists


def _group_target(data: Any, sides: _LabelsAndRun) -> GroupTargets:
    """The shares that groups should have; ids of users of another type could not match, and are an InputError."""
    from rankconv.data.inputs.side_data import group_targets

    found = group_targets(data)
    if found.users is not None:
        sides.meet(IdTable.of_users(found.users, "group_target="))
        sides.check_matches(found.users, sides.joined.users, "group_target= has no user")
    return found


def _interactions(data: Any, sides: _LabelsAndRun, called: str) -> Labels:
    """Items that users have seen, or that were learned from, read as labels are.

    In an array with a number for each item those that are not 0. An InputError where users or items cannot meet those
    of the labels and the run.
    """
    more = inputs.interactions(data)
    for side, name in ((sides.joined.labels, "the labels"), (sides.joined.rankings, "the run")):
        more = as_grades(more, side.form, name)
    sides.meet(IdTable.of(more, called))
    return without_zeros(more) if more.form.kind == "dense" else more


def _catalogue(catalogue: Any, sides: _LabelsAndRun, parents: Parents | None) -> tuple[int, Ids | None]:
    """How many items there are, of which labels and lists cannot have more; and which, where these are given."""
    from rankconv.data.inputs.side_data import catalogue_of

    size, items = catalogue_of(catalogue)
    if items is not None:
        sides.meet(IdTable.of_items(items, "catalogue=", is_set=True))
    joined = sides.joined
    known = joined.items if parents is None else parents.documents(joined.items)[1]
    if size < len(known):
        raise InputError(
            f"the catalogue has {size} items, and the labels and lists have {len(known)}",
            allowed="The catalogue is all items that there are, also those that no user has",
            do="Pass all items, or how many there are.",
        )
    return size, items


def join_one_run(labels: Any, run: Any, purpose: str, **side_data: Unpack[SideDataLike]) -> Joined:
    """The joined data as they are, or labels and run joined; InputError for several runs, which says the purpose."""
    if isinstance(labels, Joined):
        return labels
    if isinstance(run, Runs):
        raise InputError("several runs were given", do=f"Pass one of them: {purpose}.")
    return join(labels, run, **side_data)


def choose(joined: Joined, users: Iterable[Any] | None) -> tuple[Joined, Mask | None]:
    """The population that the caller lists, shape (users,), and joined data that knows users without any row."""
    if users is None:
        return joined, None
    names = inputs.rankings({user: [] for user in arguments.users(users)})
    sides = _LabelsAndRun(joined)
    sides.meet(IdTable.of_users(names.users, "users="))
    aligned = tuple(dict.fromkeys((*joined.extra.aligned, *sides.notes)))
    joined = replace(joined, extra=replace(joined.extra, aligned=aligned)) if sides.notes else joined
    known = joined.users.code_of
    if any(user not in known for user in names.users.values.tolist()):
        joined = _with_users(joined, names)
    mask = np.zeros(len(joined.users), bool)
    mask[[joined.users.code_of[user] for user in names.users.values.tolist()]] = True
    return joined, mask


def _with_users(joined: Joined, more: Run) -> Joined:
    ids, _ = unite(joined.users, more.users, "user")
    absent = np.full(len(ids) - len(joined.users), -1)
    return replace(
        joined,
        users=ids,
        label_rows_of=np.append(joined.label_rows_of, absent),
        list_rows_of=np.append(joined.list_rows_of, absent),
    )


def read_by(columns: Mapping[str, Any] | None, labels: Any, rankings: Any) -> tuple[Any, Any]:
    """Labels and a run, or several by name, read by the names of their columns; as they came without such names."""
    if not columns:
        return labels, rankings
    for given in (labels, rankings):
        if isinstance(given, Joined | Labels | Run | Runs):
            do = "Pass the tables themselves, or name the columns where they are read: rc.Labels(table, user='uid')."
            raise InputError("columns= names the columns of tables, and these data are read already", do=do)
    known, named = inputs.labels(labels, **of_side(columns, "labels")), of_side(columns, "run")
    if are_runs(rankings):
        return known, {name: inputs.rankings(run, **named) for name, run in rankings.items()}
    return known, inputs.rankings(rankings, **named)


def refuse_without_memory(temp: str | os.PathLike[str] | None) -> None:
    """An InputError for what is only read of files within a budget of memory, where there is none."""
    if temp is not None:
        do, shell = "Leave it out, or give a budget: memory='2GB'.", "Leave it out, or give a budget: --memory 2GB."
        raise InputError("no temporary files are made without a budget of memory", where="temp_dir", do=do, shell=shell)
