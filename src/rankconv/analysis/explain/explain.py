"""The explanation of one user's value."""

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankconv.analysis.explain.exact_block import ExactBlock, Objects
from rankconv.analysis.explain.explanation import Explanation, formula_of
from rankconv.analysis.explain.rows import JudgedList
from rankconv.analysis.explain.words import (
    Cell,
    Column,
    Derivation,
    Ideal,
    Part,
    Sheet,
    contribution,
    outcome,
    running,
    trace_preparation,
    worker_of,
)
from rankconv.data.ids import Ids, plain_id, typed
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Runs
from rankconv.engine import measure
from rankconv.engine.metric_result import SCORED, Measured
from rankconv.engine.scoring import OVERFLOW
from rankconv.errors import InputError, MetricError, nearest
from rankconv.evaluation.joining import join, takes_joined
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.metrics.divisors import words_of_divisor
from rankconv.numbers.exact import exact, expression, number
from rankconv.numbers.writing import Expression
from rankconv.preparation.block import Block
from rankconv.preparation.rows import working_block
from rankconv.presets.defining import define_one
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import SpecLike, preset_and_rest

SUMS = ("numerator", "denominator")


def derived(metric: Metric, block: ExactBlock) -> Derivation:
    """Numerator and denominator as the metric makes them, and next to them what it read and summed."""
    with np.errstate(all="ignore"):
        found = metric.measure(block)
        parts = list(_parts(found)) if isinstance(found, Parts) else []
        ratio = found.ratio if isinstance(found, Parts) else found
    names = found.names if isinstance(found, Parts) else ()
    sides = _names(metric, block)
    if sides[1] == "R":
        block.says(lambda: "R, the relevant labels", ratio.denominator)
    return Derivation(
        _only(ratio.numerator),
        _only(ratio.denominator),
        sides,
        _columns(metric, block),
        None if block.ideal is None else _ideal(block),
        [*block.facts, *((name, part.value) for name, part in zip(names, parts, strict=True))],
        parts,
        block.terms[: _read(metric, block)],
    )


def _only(values: Any) -> Expression:
    """The number of the one user."""
    return expression(np.ravel(values)[0])


def _parts(found: Parts) -> Iterator[Part]:
    for name, part, value in zip(found.names, found.parts, found.values, strict=True):
        yield Part(name.split(", ")[-1], _only(part.numerator), _only(part.denominator), _only(value))


def _names(metric: Metric, block: ExactBlock) -> tuple[str, str]:
    """What numerator and denominator are, as the formula has it: "DCG@3", "ideal DCG"."""
    top, _, bottom = formula_of(metric).rpartition(" / ")
    if not top:
        return SUMS
    convention_name = metric.formula.rpartition(" / ")[2]
    if convention_name in metric.stated:
        bottom = words_of_divisor(metric.settings[convention_name], block, metric.k, metric.scope)
    return top.rstrip(","), bottom


def _read(metric: Metric, block: ExactBlock) -> int:
    """How many rows stand above the cutoff."""
    rows = block.rows_within(metric.scope)
    return rows if isinstance(rows, int) else int(rows[0])


def _columns(metric: Metric, block: ExactBlock) -> dict[str, Column]:
    read = _read(metric, block)
    blank = "gain" not in block.columns
    return {name: _column(block, values[:read], blank and name != "sum") for name, values in block.columns.items()}


def _column(block: ExactBlock, values: Objects, blank: bool) -> list[Cell]:
    """The cells of a column, shape (rows,); a 0 is left empty where a row has nothing that could be counted."""
    hits, terms = block.floats.hits_by_rank[:, 0], block.terms
    counted = len(terms) >= len(values) and all(one.of is term for one, term in zip(values, terms, strict=False))
    return [
        "" if blank and counted and one == 0 and not hits[at] and any(hits) else one.of for at, one in enumerate(values)
    ]


def _ideal(block: ExactBlock) -> Ideal:
    given = block.ideal
    assert given is not None
    gains = exact(np.asarray(given.gains[:]))[:, 0]
    rows = len(gains) if given.rows is None else min(len(gains), int(np.ravel(given.rows)[0]))
    gains, discounts = gains[:rows], block.of_ranks(given.discount, rows)[:, 0]
    worth = [one.of for one in gains * discounts]
    columns: dict[str, Column] = {
        "gain": [one.of for one in gains],
        "discount": [one.of for one in discounts],
        "product": worth,
        "sum": running(worth),
    }
    return Ideal(list(_items(block, gains)), columns, worth)


def _items(block: ExactBlock, gains: Objects) -> Iterator[str]:
    """The item at each rank of the ideal list; `gains` has shape (ranks,).

    "unlabelled" represents an item without a label, "any" where the ideal is not made of items.
    """
    items, before = block.ideal_items, block.ideal_worth
    for at, gain in enumerate(gains):
        of_label = at < len(items) and before[at] == gain
        yield items[at] if of_label else "unlabelled" if items else "any"


ONE = "Explain one of them: give one cutoff."


@takes_joined
def explain(
    labels: Any,
    run: Any = None,
    metric: str | Definition | None = None,
    preset: str | Preset | Sequence[str | Preset | None] | None = None,
    *,
    user: Any = None,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
    item_features: Any = None,
) -> Explanation:
    """Explain the value of one user, step by step.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`.
    metric : MetricLike
        One metric.
    preset : str, path, Preset, or two of these
        The preset, or two whose computations are shown side by side.
    user : id
        The user.
    seen, catalogue, train, item_features
        As in `rc.evaluate`.

    Returns
    -------
    Explanation
        The preparation of the list, the formula with its numbers, and the policy that applied. The value is computed by
        the metric itself, with exact numbers.

    Raises
    ------
    InputError
        If the user is unknown.
    MetricError
        If the metric is not defined on these data.

    Examples
    --------
    >>> import rankconv as rc
    >>> found = rc.explain({"ada": ["a", "b"]}, {"ada": ["a", "x", "b"]}, "map@3", user="ada", preset="mllib")
    >>> found.working.ratio.exact
    Fraction(5, 6)
    >>> print(found.to_text().split("The formula")[1].split("What decided")[0].strip())
    sum of precision@j at the hits j <= 3 / min(3, R)
      ap-denominator=min(k, relevant)   the least of its parts
    min(k, R) = min(3, 2) = 2
    map@3 = (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333
    """
    ours, theirs = sides(metric, preset)
    if isinstance(labels, Joined):
        joined = labels
    elif isinstance(run, Runs):
        raise InputError("several runs were given", do="Pass one of them: explain works out one number.")
    else:
        joined = join(labels, run, seen=seen, catalogue=catalogue, train=train, item_features=item_features)
    code = code_of(user, joined.users)
    measured = [measure(joined, [one], None)[0] for one in (ours, theirs) if one is not None]
    return explain_measured(joined, code, *measured)


def explain_measured(joined: Joined, code: int, ours: Measured, theirs: Measured | None = None) -> Explanation:
    """How the number of one user came about in what was measured; next to another number of theirs, where one is given.

    `code` is the user's among the users of the joined data.
    """
    found = _explained(joined, ours, code)
    return found if theirs is None else replace(found, against=_explained(joined, theirs, code))


def sides(
    spec: str | Definition | None, presets: str | Preset | Sequence[str | Preset | None] | None
) -> tuple[Definition, Definition | None]:
    """The definition that is explained, and the one that it is compared with, if any."""
    listed: list[Any] = list(presets) if isinstance(presets, list | tuple) else [presets]
    if len(listed) > 2:
        raise MetricError(f"{len(listed)} presets were given", where="preset", allowed="explain takes one or two")
    preset, against = [*listed, None, None][:2]
    ours = define_one(spec, find_preset(HOUSE if preset is None else preset), ONE)
    if against is None:
        return ours, None
    other = find_preset(against)
    return ours, define_one(_spec_of(other, spec, ours), other, ONE)


def _spec_of(other: Preset, spec: str | Definition | None, ours: Definition) -> SpecLike:
    """How to ask another preset for this metric, whose spelling it may not know."""
    rest = preset_and_rest(spec)[1] if isinstance(spec, str) else ours.requested
    return rest if other.offers(rest) else ours.requested


def code_of(user: Any, users: Ids) -> int:
    """The code of a user; a number written as text is taken for the number where ids are numbers."""
    user = plain_id(user)
    if user is None:
        raise InputError("no user is named", where="user", allowed=f"Users are {users.examples(5)}", do="Name one.")
    whole = re.fullmatch(r"-?[0-9]{1,19}", str(user))
    compound = users.values.tolist() if users.kind == "compound" else []
    parts = [known for known in compound if typed(known) == typed(user)]
    for one in (user, str(user), *([int(whole[0])] if whole else []), *parts):
        if isinstance(one, Hashable) and one in users.code_of and not isinstance(one, bool):
            return users.code_of[one]
    texts = [str(value) for value in users.values.tolist()]
    raise InputError(
        f"there is no user {user!r} in the labels or the rankings",
        allowed=f"Users are {users.examples(5)}" if texts else "There are no users at all",
        nearest=nearest(str(user), texts),
    )


def _explained(joined: Joined, measured: Measured, code: int) -> Explanation:
    definition = measured.definition
    for refusal in measured.refusals:
        if refusal.policy in ("needs", OVERFLOW):
            raise refusal.error
    k = definition.k if definition.preparation.reads_cutoff else None
    block, judged, changes = trace_preparation(working_block(joined, np.array([code])).copy(k), definition.applied)
    working, given = _worked_out(definition, block, judged)
    became = outcome(definition, judged, working, measured, code)
    return Explanation(
        definition,
        joined.users.id(code),
        changes,
        judged,
        working,
        became,
        contribution(definition, measured, became, working),
        _counted(definition, block, measured, code),
        given,
    )


def _counted(definition: Definition, block: Block, measured: Measured, code: int) -> float:
    """What the engine gives the user; of a number of all lists what it would give for theirs alone."""
    if not definition.metric.of_all_lists or measured.states[code] != SCORED:
        return float(measured.values[code])
    found = definition.metric.per_user(block)
    assert isinstance(found, Ratio)
    return float(found.value[0])


def _worked_out(definition: Definition, block: Block, judged: JudgedList) -> tuple[Derivation, bool]:
    """The working that a plugin wrote, or the metric over exact numbers; the engine's where it cannot read these."""
    worker = worker_of(definition.metric)
    if worker is not None:
        return worker(Sheet(judged, definition.metric)), True
    try:
        return derived(definition.metric, ExactBlock(block.judged, block.hit_rows, block.preparation)), True
    except Exception as problem:  # what a plugin does with its numbers is its own
        why = f"{definition.metric.name} is not worked out, as it cannot compute with exact numbers ({problem})"
    found = definition.metric.measure(block)
    ratio = found.ratio if isinstance(found, Parts) else found
    numerator, denominator = (number(float(np.ravel(one)[0])) for one in (ratio.numerator, ratio.denominator))
    said = f"{why}; numerator and denominator are the engine's"
    names = ("numerator", "denominator")
    return Derivation(numerator, denominator, names, says=[(said, None)]), False
