"""The question after every odd number: how does it come about, for this one user?"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankconv.analysis.explain.derivation import derived
from rankconv.analysis.explain.exact_block import ExactBlock
from rankconv.analysis.explain.explanation import Explanation
from rankconv.analysis.explain.rows import JudgedList
from rankconv.analysis.explain.sheet import Sheet
from rankconv.analysis.explain.words import contribution, outcome, trace_preparation
from rankconv.analysis.explain.working import Derivation, worker_of
from rankconv.data.ids import Ids, plain_id, typed
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Runs
from rankconv.engine import measure
from rankconv.engine.measured import SCORED, Measured
from rankconv.engine.scoring import OVERFLOW
from rankconv.errors import InputError, MetricError, nearest
from rankconv.evaluation.joining import join, takes_joined
from rankconv.metrics.base import Parts, Ratio
from rankconv.numbers.arithmetic import number
from rankconv.preparation.block import Block
from rankconv.preparation.rows import working_block
from rankconv.presets.defining import define_one
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import Asked, preset_and_rest

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
    """How does the number of one user come about, step by step?

    Takes what `rc.evaluate` takes, with one metric and one user. The value is worked out by the metric itself over
    exact numbers, which keep the way to them. `preset` is one, or two whose workings are shown side by side.

    Raises InputError for an unknown user, MetricError where the metric cannot be asked of these data at all.

    >>> import rankconv as rc
    >>> found = rc.explain({"ada": ["a", "b"]}, {"ada": ["a", "x", "b"]}, "map@3", user="ada", preset="mllib")
    >>> found.working.ratio.exact
    Fraction(5, 6)
    >>> print(found.text().split("The formula")[1].split("What decided")[0].strip())
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
    """How the number of one user came about in what was measured; beside another number of theirs, where one is given.

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
    return ours, define_one(_asked_of(other, spec, ours), other, ONE)


def _asked_of(other: Preset, spec: str | Definition | None, ours: Definition) -> Asked:
    """How to ask another preset for this metric, whose spelling it may not know."""
    rest = preset_and_rest(spec)[1] if isinstance(spec, str) else ours.asked
    return rest if other.offers(rest) else ours.asked


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
