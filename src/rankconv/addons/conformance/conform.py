"""The conformance of a program: which vectors it passes, and which definitions it implements."""

import math
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from typing_extensions import TypedDict

from rankconv.addons.conformance.implemented import (
    OF_MEANS,
    Difference,
    DifferenceData,
    Implemented,
    held_to,
    implemented,
    means_tested,
)
from rankconv.addons.conformance.vectors import (
    Replied,
    Reply,
    Vector,
    VectorCase,
    read_vectors,
    replies,
    reply_of_function,
)
from rankconv.basics.errors import InputError, MetricError, nearest
from rankconv.conventions.spec import Spec, is_signature, read_spec
from rankconv.metrics.base import strategy_of
from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.preset_registry import HOUSE, preset
from rankconv.presets.signature import definition_of
from rankconv.rendering.pages.cells import number, some
from rankconv.rendering.pages.display import Tabular
from rankconv.rendering.pages.page import Page, Paragraph
from rankconv.rendering.pages.table import Table

TIME_LIMIT = 10.0
"""Seconds for each reply."""
SEARCH_LIMIT = 45.0
"""Seconds after which no further step of the search for definitions begins, over all metrics."""
FEW = 3
"""So many presets are named in the table."""


class MetricConformanceData(TypedDict):
    """The replies to the vectors of one metric."""

    metric: str
    vectors: dict[str, str]
    """By vector `passes`, `differs` or `unsupported`, or why there is no reply."""
    ok: bool
    """Whether all replies are those of one definition."""
    definition: str | None
    """The definition that agrees with most replies; null where nothing was replied."""
    signature: str | None
    """The signature of the definition; null where there is none."""
    presets: list[str]
    """The presets that agree with all replies."""
    differences: list[DifferenceData]
    """The first difference of each vector that differs."""
    means_tested: bool
    """Whether some reply has a mean."""
    search_ended: bool
    """Whether the time limit ended the search, so that a definition which agrees may not have been tried."""


class ConformData(TypedDict):
    """The vectors that a program passes, and the definitions that it implements."""

    ok: bool
    exit_code: int
    metrics: list[MetricConformanceData]
    reported: list[str]
    """The vectors of reports whose wrong number the program gives."""


@dataclass(frozen=True)
class MetricConformance:
    """The replies to the vectors of one metric."""

    metric: str
    replied: Sequence[Replied]
    found: Implemented | None
    """None where nothing was replied."""
    required: str = ""
    """The definition that it is held to, as text; empty where the one that it implements is searched."""

    @property
    def answered(self) -> list[Replied]:
        """The vectors with values."""
        return [one for one in self.replied if one.reply.has_values]

    @property
    def failures(self) -> list[Replied]:
        """The vectors without a reply."""
        return [one for one in self.replied if one.reply.failure]

    @property
    def differences(self) -> list[Difference]:
        """The first difference of each vector that differs."""
        return list(self.found.differing.values()) if self.found else []

    @property
    def ok(self) -> bool:
        """Whether all replies are those of one definition."""
        return not self.failures and not self.differences and (self.found is not None or not self.answered)

    @property
    def means_tested(self) -> bool:
        """Whether some reply has a mean; without one nothing is known of how the program aggregates."""
        return means_tested(self.answered)

    @property
    def search_ended(self) -> bool:
        """Whether the time limit ended the search for the definition."""
        return self.found is not None and self.found.search_ended

    @property
    def implements(self) -> str:
        """The definition in a few words."""
        if self.found is None:
            return "–"
        if self.found.presets:
            return some(self.found.presets, FEW)
        return f"{'nearest: ' if self.differences and not self.required else ''}{self.found.definition.text}"

    def to_dict(self) -> MetricConformanceData:
        """The row as plain data."""
        found = self.found
        return {
            "metric": self.metric,
            "vectors": {one.case.vector.id: self.outcome(one) for one in self.replied},
            "ok": self.ok,
            "definition": None if found is None else found.definition.text,
            "signature": None if found is None else found.definition.signature,
            "presets": [] if found is None else found.presets,
            "differences": [one.to_dict() for one in self.differences],
            "means_tested": self.means_tested,
            "search_ended": self.search_ended,
        }

    def data_of(self, difference: Difference) -> str:
        """Labels and run of the user that differs, or of all."""
        data = next(one.case.data for one in self.replied if one.case.vector.id == difference.vector)
        texts = (
            [f"{'' if difference.user else f'{user} '}{item}={value}" for user, item, value in rows if user in who]
            for rows, who in ((rows, {difference.user or row[0] for row in rows}) for rows in (data.labels, data.run))
        )
        labels, run = (", ".join(text) or "none" for text in texts)
        return f"labels {labels}; run {run}"

    def outcome(self, one: Replied) -> str:
        """What became of a vector, in a word, or why there is no reply."""
        if one.reply.unsupported or one.reply.failure:
            return one.reply.failure or "unsupported"
        return "differs" if self.found is None or one.case.vector.id in self.found.differing else "passes"


@dataclass(frozen=True, eq=False, repr=False)
class ConformResult(Tabular):
    """The vectors that a program passes, and the definitions that it implements, by metric."""

    command: Sequence[str]
    metrics: Sequence[MetricConformance]

    @property
    def ok(self) -> bool:
        """Whether each metric that is supported is that of one definition."""
        return all(one.ok for one in self.metrics) and any(one.answered for one in self.metrics)

    @property
    def exit_code(self) -> int:
        """0 all pass, 1 some differ, 2 the harness failed or supports nothing."""
        failed = any(one.failures for one in self.metrics) or not any(one.answered for one in self.metrics)
        return 2 if failed else 0 if self.ok else 1

    def table(self, digits: int = 4) -> Table:
        """Return a row per metric that is supported."""
        heads = ["metric", "vectors", "pass", "differ", "no reply", "definition"]
        supported = [one for one in self.metrics if one.answered or one.failures]
        counts = [[len(one.answered), len(one.differences), len(one.failures)] for one in supported]
        rows = [
            [one.metric, *map(str, (replied, replied - differ, differ, failed)), one.implements]
            for one, (replied, differ, failed) in zip(supported, counts, strict=True)
        ]
        return Table(heads, rows, labels=1, notes=self._notes(digits), prose=frozenset({5}))

    def _notes(self, digits: int) -> list[str]:
        notes = list[str]()
        for one in self.metrics:
            for each in one.differences[:FEW]:
                where = f"user {each.user}" if each.user else "mean"
                replied, expected = (
                    "no value" if math.isnan(x) else number(x, digits) for x in (each.replied, each.expected)
                )
                data = f" Its data: {one.data_of(each)}." if each is one.differences[0] else ""
                notes.append(f"{each.vector}, {where}: {replied}, expected {expected}.{data}")
            if len(one.differences) > FEW:
                more = f"{one.metric}: {len(one.differences) - FEW} more vectors differ"
                notes.append(f"{more}; all: --format json, in Python to_dict().")
            notes += [
                f"{case.vector.id}: {reply.failure}." for case, reply in one.failures if "not sent" not in reply.failure
            ]
        ended = ", ".join(one.metric for one in self.metrics if one.search_ended)
        if ended:
            tried = "The time limit ended the search, and a definition that agrees may not have been tried"
            notes.append(f"{tried}: {ended}. Searched on: --search-limit 600, in Python search_limit=600.")
        untested = ", ".join(one.metric for one in self.metrics if one.answered and not one.means_tested)
        if untested:
            said = f"Means were not tested, as no reply has one: {untested}"
            notes.append(f"{said}. Nothing is said of {', '.join(OF_MEANS)}.")
        reported = ", ".join(vector.id for vector in self.reported)
        notes += [f"Numbers of reports that were called wrong: {reported}."] if reported else []
        unsupported = [one.metric for one in self.metrics if not one.answered and not one.failures]
        return [*notes, *([f"Unsupported: {', '.join(unsupported)}."] if unsupported else [])]

    @property
    def reported(self) -> list[Vector]:
        """The reports whose wrong number the program gives."""
        found = list[Vector]()
        for case, reply in (pair for one in self.metrics for pair in one.answered):
            value = reply.mean if reply.mean is not None else next(iter(reply.users.values()), math.nan)
            wrong = [one.mean for one in case.vector.expected if one.role == "reported" and isinstance(one.mean, str)]
            if any(math.isclose(value, float(mean), rel_tol=float(case.vector.tolerance)) for mean in wrong):
                found.append(case.vector)
        return found

    def _page(self, digits: int = 4) -> Page:
        passing, supported = (sum(test(one) for one in self.metrics if one.answered) for test in (lambda o: o.ok, bool))
        head = f"{passing} of {supported} metrics are those of one definition: {' '.join(self.command)}"
        return Page([[Paragraph(head)], [self.table(digits)]])

    def to_dict(self) -> ConformData:
        """Return the outcome of each vector and the definition of each metric as plain data."""
        return {
            "ok": self.ok,
            "exit_code": self.exit_code,
            "metrics": [one.to_dict() for one in self.metrics],
            "reported": [vector.id for vector in self.reported],
        }


def conform(
    program: Sequence[str] | Callable[[dict[str, Any]], Mapping[str, Any]],
    metrics: Sequence[str] = (),
    *,
    time_limit: float = TIME_LIMIT,
    search_limit: float = SEARCH_LIMIT,
    cases: Sequence[VectorCase] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ConformResult:
    """Feed the conformance vectors to a program, and identify the definitions that it implements.

    Parameters
    ----------
    program : sequence of str or callable
        The program and its arguments, which reads a vector a line and writes a reply a line; or a function of a vector,
        a dict of `metric`, `k`, `labels` and `run` (rows of user, item, value), that returns `{"mean": …}`,
        `{"users": {user: value}}`, both, or `{"unsupported": why}`.
    metrics : sequence of str, optional
        Metrics to be looked at, such as `"ndcg"`; or definitions that the program is held to, such as
        `"trec_eval:ndcg"`, with settings, or a signature.
    time_limit : float, default 10
        Seconds for each reply.
    search_limit : float, default 45
        Seconds after which no further step of the search for definitions begins, over all metrics. Where it ended the
        search of a metric, a note says so.
    cases : sequence of Case, optional
        By default the vectors that are shipped.
    progress : callable, optional
        Called with the vectors that were sent and with their number.

    Returns
    -------
    ConformResult
        By metric the vectors that pass, and the definition that gives all replies.

    Raises
    ------
    InputError
        If the program cannot be started.
    MetricError
        If no vector has a metric.

    Examples
    --------
    >>> import rankconv as rc
    >>> found = rc.conform(lambda vector: {"mean": 0}, ["rankconv:mrr@3"])
    >>> found.ok, found.exit_code
    (False, 1)
    """
    arguments.decimal(time_limit, "time_limit", 0.01, 3600)
    arguments.decimal(search_limit, "search_limit", 0, 86400)
    words = isinstance(program, list | tuple) and all(isinstance(one, str | os.PathLike) for one in program)
    if not callable(program) and not (words and program):
        do = "Pass a list of words, such as ['node', 'harness.mjs'], or a function of a vector."
        raise InputError("neither a program nor a function was given", where="program", do=do)
    every = read_vectors() if cases is None else list(cases)
    wanted = _wanted(metrics, every)
    chosen = [case for case in every if not wanted or any(_is_of(case, spec) for spec in wanted)]
    found = list[Replied]()
    given: Iterable[Reply]
    if callable(program):
        name, given = [getattr(program, "__name__", "function")], map(partial(reply_of_function, program), chosen)
    else:
        name, given = list(program), replies(program, chosen, time_limit)
    for case, reply in zip(chosen, given, strict=True):
        found.append(Replied(case, reply))
        progress(len(found), len(chosen))
    deadline = time.monotonic() + search_limit
    names = dict.fromkeys(case.vector.metric for case in chosen)
    by_metric = {name: [one for one in found if one.case.vector.metric == name] for name in names}
    return ConformResult(name, [_of_metric(*pair, wanted, deadline) for pair in by_metric.items()])


def _wanted(metrics: Sequence[str], cases: Sequence[VectorCase]) -> list[Spec]:
    """The metrics as specs; of a signature the preset and settings that it states."""
    found = list[Spec]()
    for one in () if metrics in ((), []) else arguments.specs(metrics):
        text = one.signature if isinstance(one, Definition) else one
        if is_signature(text):
            definition = definition_of(text)
            spec = replace(definition.requested, preset=definition.preset)
        else:
            spec = read_spec(text)
        if not any(_is_of(case, spec) for case in cases):
            known = list(dict.fromkeys(case.vector.metric for case in cases))
            of_metric = [case for case in cases if _is_of(case, replace(spec, cutoffs=(None,)))]
            owner = preset(spec.preset) if spec.preset else None
            cutoffs = {case.vector.k for case in of_metric if owner is None or owner.offers(case.spec)}
            allowed = f"They are of {', '.join(known)}" if known else ""
            if cutoffs:
                at = [f"@{k}" for k in sorted(filter(None, cutoffs))] + ["without a cutoff"] * (None in cutoffs)
                allowed = f"Those of {spec.metric} are {', '.join(at)}"
            like = "" if of_metric else nearest(spec.metric, known)
            raise MetricError(f"no vector is of '{text}'", allowed=allowed, nearest=like)
        found.append(spec)
    return found


def _is_of(case: VectorCase, spec: Spec) -> bool:
    """Whether a vector is of this metric, at its cutoff where it states one."""
    own = case.vector.metric
    same = spec.metric == own or (strategy_of(spec.metric) == strategy_of(own) and strategy_of(own) is not None)
    return same and (spec.cutoffs in ((), (None,)) or case.vector.k in spec.cutoffs)


def _of_metric(name: str, replied: list[Replied], wanted: Sequence[Spec], deadline: float) -> MetricConformance:
    answered = [one for one in replied if one.reply.has_values]
    stated = [one for one in wanted if one.preset or one.settings]
    held = next((one for one in stated if _is_of(replied[0].case, replace(one, cutoffs=(None,)))), None)
    if not answered:
        return MetricConformance(name, replied, None)
    if held is None:
        return MetricConformance(name, replied, implemented(answered, deadline))
    owner = preset(held.preset or HOUSE)
    offered = [one for one in answered if owner.offers(one.case.spec)]
    definitions = [
        one for each in offered for one in owner.define(Spec(None, name, held.settings, (each.case.vector.k,)))
    ]
    if not definitions:
        raise MetricError(f"the preset {owner.name} does not offer {name} at a cutoff of the vectors", where=str(held))
    return MetricConformance(name, replied, held_to([definitions], offered)[0], definitions[0].text)
