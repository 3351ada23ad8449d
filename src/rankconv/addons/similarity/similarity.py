"""`rc.similarity`: how similar the rankings of two runs are, of each user and on average."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypedDict

from rankconv.addons.similarity.similarity_measures import MEASURES, ListPair, Measure, ranking
from rankconv.basics.errors import InputError, MetricError, unknown
from rankconv.basics.optional import frame_of
from rankconv.conventions.spec import at_cutoff, read_spec
from rankconv.data.arrays import Codes, Numbers
from rankconv.data.ids import columns_of, typed, unite
from rankconv.data.inputs.several_runs import one_run
from rankconv.data.labels_and_rankings import Run
from rankconv.presets import arguments
from rankconv.presets.checked_file import Strict
from rankconv.presets.folders import conventions
from rankconv.presets.preset_file import Citation
from rankconv.presets.yaml_file import read_document, read_text
from rankconv.rendering.pages.cells import finite, number
from rankconv.rendering.pages.display import Tabular
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.table import Table, csv_of_rows

USUAL = ("rbo", "kendall", "overlap@10")
DEFAULT = "corsi2024"
"""The preset of a measure that names none."""


class SimilarityPreset(Strict):
    """A named, cited set of settings for measures of two rankings; a file of `conventions/similarity`."""

    name: str
    title: str
    version: str = ""
    about: str = ""
    cite: list[Citation]
    measures: dict[str, dict[str, str | int | float]]
    """By measure its settings; `k` is its cutoff where none is requested."""


class SimilarityData(TypedDict):
    """The similarity of the rankings of two runs."""

    a: str
    """The first run."""
    b: str
    mean: dict[str, float | None]
    """By measure the mean over users; null where no user has a value."""
    per_user: dict[str, dict[str | int, float | None]]
    """By measure the value of each user, a compound id as one text; null where it is not defined."""
    left_out: list[int]
    """How many users are of the first run alone, and of the second alone."""


@dataclass(frozen=True, eq=False, repr=False)
class SimilarityResult(Tabular, Mapping[str, float]):
    """The similarity of two runs: a mapping from each measure, as it was written, to its mean over users."""

    a: str
    b: str
    users: NDArray[Any]
    """The order of `per_user`, shape (users,): those of both runs."""
    per_user: Mapping[str, Numbers]
    """By measure the value of each user, shape (users,); NaN where it is not defined."""
    only_a: int
    """Users of the first run alone, who are left out."""
    only_b: int
    definitions: Mapping[str, Measure] = field(default_factory=dict)
    library: str = field(default="", repr=False)
    """The library whose table the data came in, for `to_frame`."""

    def __getitem__(self, measure: str) -> float:
        try:
            values = self.per_user[measure]
        except KeyError:
            raise unknown("measure here", measure, self.per_user) from None
        there = values[~np.isnan(values)]
        return float(there.mean()) if len(there) else float("nan")

    def __iter__(self) -> Iterator[str]:
        return iter(self.per_user)

    def __len__(self) -> int:
        return len(self.per_user)

    def table(self, digits: int = 4) -> Table:
        """Return the mean of each measure and how many users have a value; notes state the settings."""
        rows = [
            [name, number(self[name], digits), str(int((~np.isnan(values)).sum()))]
            for name, values in self.per_user.items()
        ]
        notes = [f"{name}: {_settings(measure)}." for name, measure in self.definitions.items()]
        left = [f"{count:,} of run {run}" for run, count in ((self.a, self.only_a), (self.b, self.only_b)) if count]
        notes += [f"Users of one run alone are left out: {', '.join(left)}."] if left else []
        return Table(["measure", "mean", "users"], rows, labels=1, notes=notes)

    def to_csv(self, **shown: Any) -> str:
        """Return the mean of each measure with its settings as CSV, in full; `shown` has no effect."""
        users = {"a": self.a, "b": self.b, "only_a": self.only_a, "only_b": self.only_b}
        rows = [
            {"measure": name, "mean": finite(self[name]), "users": int((~np.isnan(values)).sum())}
            | {"settings": _settings(self.definitions[name]) if name in self.definitions else None, **users}
            for name, values in self.per_user.items()
        ]
        return csv_of_rows(rows)

    def user_csv(self) -> str:
        """Return the value of each user, with a column per measure, as CSV in full; nothing where it is not defined."""
        ids = [{"user": typed(user)} for user in self.users.tolist()]
        values = {name: list(map(finite, of.tolist())) for name, of in self.per_user.items()}
        return csv_of_rows([row | {name: of[at] for name, of in values.items()} for at, row in enumerate(ids)])

    def user_table(self, digits: int = 4, *, mean: bool = True) -> Table:
        """Return the value of each user, with a column per measure, and the mean below."""
        rows = [
            [str(user), *(number(of[place], digits) for of in self.per_user.values())]
            for place, user in enumerate(self.users.tolist())
        ]
        rows += [["mean", *(number(value, digits) for value in self.values())]] if mean else []
        return Table(["user", *self.per_user], rows, labels=1)

    def _page(self, digits: int = 4) -> Page:
        return Page([[self.table(digits)]])

    def to_dict(self) -> SimilarityData:
        """Return the means, the values of users and what was left out, as plain data; NaN is None, as JSON has it."""
        users = [typed(one) if isinstance(one, tuple) else one for one in self.users.tolist()]
        values = {name: dict(zip(users, map(finite, of.tolist()), strict=True)) for name, of in self.per_user.items()}
        means = {name: finite(self[name]) for name in self}
        return {"a": self.a, "b": self.b, "mean": means, "per_user": values, "left_out": [self.only_a, self.only_b]}

    def to_frame(self) -> Any:
        """Return one row per user, with a column per measure: a frame of the library of a run's, else of polars.

        Of compound ids each part is a column: `user_1`, `user_2`, ….
        """
        return frame_of({**columns_of("user", self.users.tolist()), **self.per_user}, library=self.library)


def similarity(a: Any, b: Any, metrics: str | Sequence[str] = USUAL) -> SimilarityResult:
    """Compute how similar the rankings of two runs are.

    Parameters
    ----------
    a, b : RunLike
        Two runs in any form that `rc.evaluate` takes, such as `{user: [items]}`, frames or paths. Rows are ordered by
        falling score, and rows of equal score are tied.
    metrics : str or sequence of str, default ("rbo", "kendall", "overlap@10")
        `[preset:]measure[(convention=setting, …)][@k]`, such as `rbo(p=0.9, ties=w, form=min)@20`,
        `kendall(variant=ap)`, `overlap(divisor=union)@10`, `lenskit:rbo@10`. With a
        cutoff only the first k rows of both lists are read.

    Returns
    -------
    SimilarityResult
        Maps each measure to its mean over the users of both runs; `per_user` has the value of each.

    Raises
    ------
    ConventionError, MetricError
        If a measure, convention or setting is unknown.
    InputError
        If no user is in both runs, or a list holds an item twice.

    Examples
    --------
    >>> import rankconv as rc
    >>> a, b = {"u": ["a", "b", "c", "d", "e"]}, {"u": ["e", "d", "c", "b", "a"]}
    >>> found = rc.similarity(a, b, ["rbo(p=1, form=truncated-normalized)", "kendall"])
    >>> [round(value, 5) for value in found.values()]
    [0.41667, -1.0]
    """
    definitions = define(metrics)
    first, second = one_run(a), one_run(b)
    for one, other, what in ((first.users, second.users, "user"), (first.items, second.items, "item")):
        if "none" not in (one.kind, other.kind) and one.kind != other.kind:
            do = f"Write both as text, or both as whole numbers; of a file, its column of {what}s."
            if "compound" in (one.kind, other.kind):
                do = f"Name as many columns of both: {what}=['…', '…']."
            raise InputError(f"{what} ids are {one.kind} in the first run and {other.kind} in the second", do=do)
    users, of_second = unite(first.users, second.users, "user")
    both = of_second[of_second < len(first.users)]
    if not len(both):
        raise InputError("the two runs have no user in common", do="Pass runs of the same users.")
    rows_of_second = np.full(len(users), -1)
    rows_of_second[of_second] = np.arange(len(of_second))
    both = np.sort(both)
    _, item_of_second = unite(first.items, second.items, "item")
    pairs = [(_list(first, user), _list(second, int(rows_of_second[user]), item_of_second)) for user in both.tolist()]
    values = {
        name: np.array([measure.value(_cut(*pair, measure.k)) for pair in pairs])
        for name, measure in definitions.items()
    }
    return SimilarityResult(
        first.tag or "a",
        second.tag or "b",
        first.users.values[both],
        values,
        len(first.users) - len(both),
        len(second.users) - len(both),
        definitions,
        first.library or second.library,
    )


ItemsAndScores = tuple[Codes, Numbers | None]
"""The items of a list and their scores, best first, both of shape (rows,); None without scores."""


def _list(run: Run, user: int, codes: Codes | None = None) -> ItemsAndScores:
    rows = slice(run.starts[user], run.starts[user + 1])
    items, score = run.item[rows], None if run.falling is None else run.falling[rows]
    items = items if codes is None else codes[items]
    if len(np.unique(items)) < len(items):
        do = "Keep one row of each item: similarity compares ranks, and a repeated item has two."
        raise InputError(f"user {run.users.id(user)!r} has an item twice", where=run.source, do=do)
    return items, score


def _cut(a: ItemsAndScores, b: ItemsAndScores, k: int | None) -> ListPair:
    """The first k rows of both lists."""
    first = [ranking(items[:k], None if score is None else score[:k]) for items, score in (a, b)]
    return ListPair(*first)


def define(measures: str | Sequence[str]) -> dict[str, Measure]:
    """Return the measures that these texts ask for, by text."""
    return {text: _defined(text) for text in arguments.measures(measures, "similarity", MEASURES)}


def _defined(text: str) -> Measure:
    spec = read_spec(text)
    if spec.metric not in MEASURES:
        raise unknown("measure of similarity", spec.metric, MEASURES)
    kind = MEASURES[spec.metric]
    own = preset(DEFAULT).measures[spec.metric]
    if spec.preset:
        stated = preset(spec.preset).measures
        if spec.metric not in stated:
            raise MetricError(f"{spec.preset} does not define {spec.metric}", allowed=f"It defines {', '.join(stated)}")
        own = stated[spec.metric]
    for name, _ in spec.settings:
        if name not in kind.conventions():
            raise unknown(f"convention of {spec.metric}", name, kind.conventions())
    settings = {name: str(setting) for name, setting in own.items() if name != "k"} | dict(spec.settings)
    return kind(**settings, k=spec.cutoffs[0] or own.get("k"))


def _settings(measure: Measure) -> str:
    given = ", ".join(f"{name}={text}" for name, text in measure.stated.items())
    return at_cutoff(f"{measure.name}({given})", measure.k)


def list_similarity_presets() -> list[str]:
    """List the presets of similarity measures."""
    return sorted(file.name.removesuffix(".yaml") for file in (conventions() / "similarity").iterdir())


@cache
def preset(name: str) -> SimilarityPreset:
    """Return a preset of similarity measures; ConventionError where there is none of this name."""
    if name not in list_similarity_presets():
        raise unknown("preset of similarity", name, list_similarity_presets())
    source = f"conventions/similarity/{name}.yaml"
    document = read_document(read_text(conventions() / "similarity" / f"{name}.yaml", source), source, moderate=True)
    return SimilarityPreset.model_validate(document.data)
