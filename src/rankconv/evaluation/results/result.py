"""The result of an evaluation: its numbers by metric, as data, tables and files."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired

from numpy.typing import NDArray
from typing_extensions import TypedDict

from rankconv.basics.errors import NotEvaluatedError, nearest
from rankconv.basics.optional import frame_of
from rankconv.data.arrays import FrozenArrays, Numbers
from rankconv.data.group_values import GroupValues
from rankconv.data.ids import columns_of
from rankconv.engine.metric_result import Measured, Refusal
from rankconv.evaluation.results.number import Number, stated_signature, states_in_words
from rankconv.evaluation.statistics import DRAWS, How
from rankconv.presets.definition import Definition
from rankconv.rendering.pages.cells import finite, plural
from rankconv.rendering.pages.display import Tabular, page_of

if TYPE_CHECKING:
    from rankconv.data.clusters import Cluster
    from rankconv.data.joined import Joined
    from rankconv.evaluation.citing.citations import Methods
    from rankconv.evaluation.results.circumstances import SignedData
    from rankconv.evaluation.statistics.intervals import Interval
    from rankconv.rendering.pages.page import Page
    from rankconv.rendering.pages.table import Table


Errors = Literal["raise", "collect"]
"""What becomes of a number that a preset refuses to give."""


class Stated(NamedTuple):
    """The signatures and the digests of a result as they were when it was saved or pickled."""

    signatures: Mapping[str, str]
    digests: Mapping[str, str]


class ResultData(TypedDict):
    """The values of one run under one preset."""

    preset: str
    users: int
    """How many users there are: with labels, with a ranking, or both."""
    metrics: dict[str, float | None]
    """The mean of each metric; null where there is none, or it is not finite."""
    counts: dict[str, dict[str, int]]
    """How many users of each metric are scored, are given a value by which policy, and are outside."""
    errors: dict[str, list[str]]
    """Why a metric has no mean: what the preset refuses."""
    notes: NotRequired[list[str]]
    """What was assumed to read the data."""
    groups: NotRequired[dict[str, dict[str, dict[str, float | None]]]]
    """Of a metric of groups of items, by group, the values that it is made of; null where there is none."""
    out_of_bounds: NotRequired[dict[str, str]]
    """What is said of values outside the bounds of a metric."""
    run: NotRequired[str]
    """The name of the run, where it has one."""


class ByMetric(Mapping[str, Any]):
    """One fact of each metric, by the text in which the metric was written."""

    def __init__(self, result: "Result", fact: Callable[[Measured], Any]) -> None:
        self._result, self._fact = result, fact

    def __getitem__(self, spec: str) -> Any:
        return self._fact(self._result.measured(spec))

    def __iter__(self) -> Iterator[str]:
        return iter(self._result.specs)

    def __len__(self) -> int:
        return len(self._result.specs)

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{spec!r}: {self[spec]!r}' for spec in self)}}}"


@dataclass(frozen=True, eq=False)
class Result(Tabular, FrozenArrays, Mapping[str, Number]):
    """The values of one run under one preset: a mapping from each metric, as it was written, to its mean.

    `result["ndcg@10"]` is the mean. `per_user`, `state` and `counts` are mappings from metrics too; their arrays of
    shape (users,) are aligned with `users`, the ids of labels and run. A mean is NaN where the preset gives no number;
    `errors` has the reason. Arrays are read-only, dicts and lists are copies: `result.users.copy()` can be sorted.
    """

    preset: str
    """The preset that was taken where a spec named none."""
    users: NDArray[Any]
    """Ids of all users of labels and rankings."""
    by_spec: dict[str, Measured] = field(repr=False)
    run: str = ""
    """The name of the run, where there are several."""
    library: str = field(default="", repr=False)
    """The library whose table the run came in, for `to_frame`."""
    unnamed: int = field(default=0, repr=False)
    """How many users there are besides, whose ids were not kept."""

    notes: tuple[str, ...] = field(default=(), repr=False)
    """What was assumed of tables without grades, or without scores and ranks, and what ordered lists that state both,
    in sentences."""
    joined: "Joined | None" = field(default=None, repr=False)
    """The data, where all users count and rows are few, for `warning`; not saved."""
    signed: "SignedData | Stated | None" = field(default=None, repr=False)
    """The data as signatures state them, or what they stated; None where no digests are made."""

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"joined": None, "signed": Stated(self.signatures, self.digests)}

    @cached_property
    def warning(self) -> str:
        """The data problem with the largest effect on these values; empty where none has one, or data are not held.

        It is looked for when it is first read or printed. `rc.check` finds all problems, in data of any size.
        """
        from rankconv.evaluation.findings.moves import places, warned, warning

        found = [] if self.joined is None else warned(self.joined, places(self.by_spec))
        return warning(found)

    @property
    def specs(self) -> list[str]:
        """The metrics as they were written, one text per number."""
        return list(self.by_spec)

    def measured(self, spec: str | Definition) -> Measured:
        """Return everything about one number; a MetricError that is a KeyError too where it was not evaluated."""
        if isinstance(spec, Definition):
            spec = next((name for name, one in self.by_spec.items() if one.definition == spec), spec.text)
        if not isinstance(spec, str):
            holds = f"This result holds: {', '.join(self.by_spec)}"
            raise NotEvaluatedError(f"{spec!r:.100} is not a metric", allowed=holds)
        if spec in self.by_spec:
            return self.by_spec[spec]
        for known in self.by_spec.values():
            if spec in (known.definition.text, known.definition.spec):
                return known
        texts = ", ".join(self.by_spec)
        raise NotEvaluatedError(
            f"'{spec}' was not evaluated", allowed=f"This result holds: {texts}", nearest=nearest(spec, self.by_spec)
        )

    def __getitem__(self, spec: str | Definition) -> Number:
        measured = self.measured(spec)
        if isinstance(self.signed, Stated):
            known = (self.signed.signatures[name] for name, one in self.by_spec.items() if one is measured)
            return Number(measured, self.users, next(known))
        return Number(measured, self.users, self.signed)

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_spec)

    def __len__(self) -> int:
        return len(self.by_spec)

    @property
    def per_user(self) -> Mapping[str, Numbers]:
        """Value of each user, shape (users,); NaN where outside or skipped, or `nan-as` says so."""
        return ByMetric(self, attrgetter("shown"))

    @property
    def state(self) -> Mapping[str, NDArray[Any]]:
        """What became of each user, shape (users,): `scored`, `outside`, or a policy and its setting.

        A policy with its setting is written `on-no-relevant: 0`.
        """
        return ByMetric(self, states_in_words)

    @property
    def counts(self) -> Mapping[str, dict[str, int]]:
        """How many users are in each state."""
        return ByMetric(self, attrgetter("counts"))

    @property
    def groups(self) -> dict[str, dict[str, float]]:
        """The value of each group of items, by the metrics that have some, such as a spread over groups."""
        return {spec: one.main for spec, one in self._groups.items()}

    @property
    def _groups(self) -> dict[str, GroupValues]:
        return {spec: one.groups for spec, one in self.by_spec.items() if one.groups is not None}

    def groups_table(self, digits: int = 4) -> "Table":
        """A row for each metric of groups of items and each group, with the values that the metric is made of."""
        from rankconv.evaluation.results.group_tables import groups_table

        return groups_table(self._groups, digits)

    @property
    def errors(self) -> dict[str, list[Refusal]]:
        """Why a number is missing, by the metrics that have none."""
        return {spec: list(one.refusals) for spec, one in self.by_spec.items() if one.refusals}

    @property
    def out_of_bounds(self) -> dict[str, str]:
        """What is said of values outside the bounds of a metric, by the metrics that have such values."""
        return {spec: one.note for spec, one in self.by_spec.items() if one.note}

    def definition(self, spec: str) -> Definition:
        """The definition of one number."""
        return self.measured(spec).definition

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of each number, as `Number.signature`."""
        if isinstance(self.signed, Stated):
            return dict(self.signed.signatures)
        return {spec: stated_signature(one, self.signed) for spec, one in self.by_spec.items()}

    @property
    def digests(self) -> dict[str, str]:
        """The digest of each part of the data that was read, 32 hexadecimal digits each; none where none were made."""
        if isinstance(self.signed, Stated):
            return dict(self.signed.digests)
        return {} if self.signed is None else self.signed.digests()

    def to_dict(self) -> ResultData:
        """Preset, users, metrics, counts and errors as plain data; NaN and infinity are None, as JSON has neither."""
        data: ResultData = {
            "preset": self.preset,
            "users": len(self.users) + self.unnamed,
            "metrics": {spec: finite(one.mean) for spec, one in self.by_spec.items()},
            "counts": {spec: one.counts for spec, one in self.by_spec.items()},
            "errors": {spec: [refusal.why for refusal in refusals] for spec, refusals in self.errors.items()},
        }
        if self._groups:
            from rankconv.evaluation.results.group_tables import group_data

            data["groups"] = {spec: group_data(one) for spec, one in self._groups.items()}
        if self.notes:
            data["notes"] = list(self.notes)
        if self.out_of_bounds:
            data["out_of_bounds"] = self.out_of_bounds
        if self.run:
            data["run"] = self.run
        return data

    def to_frame(self) -> Any:
        """One row per user, one column per metric: a frame of pandas, a table of pyarrow, where the run was one.

        All else becomes a frame of polars, or of pandas where that is not installed. Of compound ids each part is a
        column: `user_1`, `user_2`, ….
        """
        columns: dict[str, Any] = columns_of("user", self.users.tolist())
        columns |= {spec: one.shown for spec, one in self.by_spec.items()}
        return frame_of(columns, library=self.library)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write all numbers to one JSON, with definitions, signatures, digests, values of users and counts.

        Raises InputError where the file exists already, unless `force` says that it may be overwritten.
        """
        from rankconv.engine.saved_result import save

        about = {name: getattr(self, name) for name in ("preset", "run", "library", "unnamed", "notes", "digests")}
        save(about, self.users, self.by_spec, self.signatures, path, force=force)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Result":
        """The result that `save` wrote, with its signatures; the data are not saved, so that `warning` is empty.

        A definition of which the file has the text alone, as where a setting is a function or a plugin is not loaded,
        raises MetricError for what it would have to compute. InputError for what is not a saved result.
        """
        from rankconv.engine.saved_result import load

        found = load(path)
        return cls(**found | {"signed": Stated(*found.pop("stated"))})

    def methods(self, *specs: str) -> "Methods":
        """What a paper says of these numbers, or of some of them; with the users that were counted and left out.

        Raises MetricError for a number that this result does not hold.
        """
        from rankconv.evaluation.citing.citations import of_numbers

        return of_numbers(map(self.measured, specs or self.specs))

    def intervals(
        self,
        confidence_level: float = 0.95,
        how: How | None = None,
        *,
        n_resamples: int = DRAWS,
        seed: int = 0,
        cluster: "Cluster | None" = None,
    ) -> "dict[str, Interval]":
        """Compute a confidence interval for each value, as `Number.interval` does.

        `cluster` names what is drawn whole where several ids are of one person, as for `rc.test`. Where there is no
        interval its ends are NaN, and `why` says the reason. InputError for ids without the parts that it names.
        """
        from rankconv.data.clusters import clusters_of
        from rankconv.engine.aggregate import with_values
        from rankconv.evaluation.results.result_intervals import interval_of

        clusters = None if cluster is None else clusters_of(self.users, cluster)
        more: dict[str, Any] = {"draws": n_resamples, "seed": seed, "clusters": clusters}
        whole = {spec: with_values(one, self.users) for spec, one in self.by_spec.items()}
        return {spec: interval_of(one, confidence_level, how, **more) for spec, one in whole.items()}

    def table(self, digits: int = 4, *, confidence_level: float | None = 0.95) -> "Table":
        """Metrics, their means with confidence intervals, and the number of users of them.

        A mean of 5 users or more has its interval where SciPy is installed, as `intervals` has those of all numbers;
        with `confidence_level=None` there are none.
        """
        from rankconv.evaluation.results.result_tables import means_table

        return means_table(self.by_spec, self.users, self._notes, digits, confidence_level)

    def to_csv(self, *, confidence_level: float | None = 0.95, **shown: Any) -> str:
        """Return the means as CSV, numbers in full, the ends of an interval in a column each; `shown` has no effect."""
        from rankconv.rendering.pages.table import csv_of_rows

        return csv_of_rows(self.rows(confidence_level=confidence_level))

    def rows(self, *, confidence_level: float | None = 0.95) -> list[dict[str, Any]]:
        """A row per metric as plain data, and one per group where a metric is made of groups of items."""
        from rankconv.evaluation.results.result_tables import mean_rows

        rows = mean_rows(self.by_spec, self.users, confidence_level)
        if not self._groups:
            return rows
        from rankconv.evaluation.results.group_tables import group_rows

        heads = dict.fromkeys(["metric", "group", *rows[0]])
        return [dict.fromkeys(heads) | one for one in (*rows, *group_rows(self._groups))]

    def user_table(self, digits: int = 4, *, whole: bool = False) -> "Table":
        """A row per user with the value of each metric, and their mean below; of many users the first and the last.

        NaN where a user has no value or is left out, a dash where the preset does not count them at all.

        >>> import rankconv as rc
        >>> labels, run = {"u1": ["a"], "u2": ["b"], "u3": []}, {"u1": ["a"], "u2": ["x", "b"], "u3": ["c"]}
        >>> print(rc.evaluate(labels, run, "map@2, mrr@1", "blog").user_table().to_markdown().partition("Preset")[0])
        | user   |   map@2 |   mrr@1 |
        |--------|---------|---------|
        | u1     |  1.0000 |  1.0000 |
        | u2     |  0.5000 |  0.0000 |
        | u3     |     NaN |     NaN |
        | mean   |  0.7500 |  0.5000 |
        <BLANKLINE>
        <BLANKLINE>
        """
        from rankconv.evaluation.results.result_tables import users_table

        return users_table(self.by_spec, self.users, self._notes, digits, whole=whole)

    @property
    def _notes(self) -> list[str]:
        """What is below the tables: whose definitions these are, and why a number is missing."""
        notes = [f"Preset: {self.preset}" + (f", run: {self.run}" if self.run else "") + "."]
        notes += [*self.notes, *(f"{spec}: {refusals[0].why}." for spec, refusals in self.errors.items())]
        notes += [f"{spec}: {note}." for spec, note in self.out_of_bounds.items()]
        return [*notes, f"Warning: {self.warning}."] if self.warning else notes

    def _page(self) -> "Page":
        """The means, and the number of users of each; the values of groups where metrics have some."""
        return page_of([self.table()], *([[self.groups_table()]] if self._groups else []))

    def to_latex(self, **shown: Any) -> str:
        """Return the table for a document that uses booktabs, and that of groups; `shown` goes to `table`."""
        tables = [super().to_latex(**shown), *([self.groups_table().to_latex()] if self._groups else [])]
        return "\n\n".join(tables)

    def _signatures(self) -> "Page":
        from rankconv.evaluation.results.circumstances import paper_page

        return paper_page([*self.signatures.values()])

    def _pages(self) -> "list[Page]":
        """The means, then the values of users."""
        from rankconv.rendering.pages.page import Heading

        return [self._page(), page_of([Heading("Users"), self.user_table()])]

    def __repr__(self) -> str:
        numbers = ", ".join(f"{spec}: {one.mean:.6g}" for spec, one in self.by_spec.items())
        notes = "".join(f"; {spec}: {note}" for spec, note in self.out_of_bounds.items())
        if self._groups:
            from rankconv.evaluation.results.group_tables import groups_line

            notes += "".join(f"; {spec} by group: {groups_line(one)}" for spec, one in self._groups.items())
        return f"Result({self.preset}, {plural(len(self.users) + self.unnamed, 'user')}; {numbers}{notes})"


def raise_first(errors: Mapping[str, Sequence[Refusal]]) -> None:
    """Raise the first refusal there is."""
    for refusals in errors.values():
        raise refusals[0].error_with(refusals[1:])
