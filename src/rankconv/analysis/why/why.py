"""The attribution of a difference to conventions."""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import factorial
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from rankconv.aggregation import POLICIES
from rankconv.analysis.why.attribution import Attribution, Contribution, NamedDefinition
from rankconv.analysis.why.mixtures import (
    Mixer,
    Mixtures,
    TurnedSetting,
    Turns,
    all_turns,
    conventions_of,
    equal_results,
    longest_way,
    measure_each,
    players_of,
)
from rankconv.basics.errors import InputError, MetricError
from rankconv.basics.progress import current_bar, stage, watching
from rankconv.conventions.spec import is_signature, preset_and_rest
from rankconv.data.arrays import Mask
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import OUTSIDE, Measured
from rankconv.evaluation.joining import SideDataLike, choose, join_one_run, takes_joined
from rankconv.evaluation.notes import warn_of_data
from rankconv.evaluation.results.differences import Differences
from rankconv.presets import arguments
from rankconv.presets.arguments import define_one
from rankconv.presets.definition import Definition, with_changes
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import preset as find_preset

MOST = 12
"""So many settings are changed in all orders; of more, those with the least effects alone are changed together."""
ONE = "Ask for one of them: give one cutoff."


@takes_joined
def why(
    labels: Any,
    run: Any = None,
    metric: str | Definition | None = None,
    a: str | Path | Preset | Definition | None = None,
    b: str | Path | Preset | Definition | None = None,
    *,
    users: Iterable[Any] | None = None,
    progress: bool | None = None,
    **side_data: Unpack[SideDataLike],
) -> Attribution:
    """Attribute the difference of two definitions to the settings in which they differ.

    The settings are changed one after the other, in every order; the share of a setting is the mean of its effects (the
    Shapley value), so that the shares add up to the difference. Of more than 12 settings, those with the least effects
    alone are changed together.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`.
    metric : MetricLike, optional
        One metric; not needed where `a` and `b` are definitions.
    a, b : str, path, Preset or Definition
        The two presets, or whole definitions such as `"mllib:ndcg(ties=expected)@10"`.
    users : iterable of ids, optional
        As in `rc.evaluate`.
    progress, seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    Attribution
        The exact share of each setting, and of each user in it.

    Raises
    ------
    MetricError
        If one of the two gives no number, with the setting with which it would.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels, run = {"ann": {"a": 3, "b": 1}, "bob": {"c": 0}}, {"ann": ["x", "a", "b"], "bob": ["c"]}
    >>> found = rc.why(labels, run, "ndcg@3", a="blog", b="mllib")
    >>> for one in found.contributions:
    ...     print(f"{one.share:+.4f}  {one.player.change}")
    -0.3426  on-no-relevant: skip → 0
    -0.0205  grades: binary → given
    +0.0164  gain: exponential → binary
    >>> round(found.first.mean, 4), round(found.difference, 4), round(found.second.mean, 4)
    (0.6934, -0.3467, 0.3467)
    """
    metric = None if metric is None else arguments.spec(metric)
    if a is None or b is None:
        raise InputError("two definitions are needed", where="a, b", do="Name two presets: a='mllib', b='trec_eval'.")
    sides = side(a, metric), side(b, metric)
    joined = join_one_run(labels, run, "why divides one difference", **side_data)
    warn_of_data(joined, [one.definition for one in sides])
    joined, chosen = choose(joined, users)
    with watching(progress):
        return _attribution(joined, chosen, *sides)


def side(given: str | Path | Preset | Definition, metric: str | Definition | None) -> NamedDefinition:
    """What a preset calls the metric, or the definition that a whole spec such as `mllib:ndcg@10` asks for."""
    if isinstance(given, Definition):
        return NamedDefinition(given.text, given)
    named = preset_and_rest(given)[0] if isinstance(given, str) else None
    if named is not None:
        return NamedDefinition(str(given), define_one(str(given), find_preset(named), ONE))
    preset = find_preset(given)
    if metric is None:
        raise MetricError(
            f"no metric is given for {preset.name}",
            do="Pass one, such as ndcg@10, or name two specs: mllib:ndcg@10.",
            shell="Name one: -m ndcg@10; or two specs: mllib:ndcg@10.",
        )
    name = str(given) if not isinstance(given, Preset) else preset.name
    stated = metric.requested if isinstance(metric, Definition) else metric
    if isinstance(stated, str) and (is_signature(stated) or preset_and_rest(stated)[0] is not None):
        wrong = f"'{stated}' states its preset, and {name} is to be read with it"
        raise MetricError(wrong, do="Name the metric alone, such as ndcg@10, or two whole metrics: mllib:ndcg@10.")
    return NamedDefinition(name, define_one(stated, preset, ONE))


def _attribution(joined: Joined, chosen: Mask | None, ours: NamedDefinition, other: NamedDefinition) -> Attribution:
    definitions = [ours.definition.as_done, other.definition.as_done]
    first, second = measure(joined, definitions, chosen, report=current_bar())
    stage("Changing settings")
    for one, own, partner in ((first, ours, other), (second, other, ours)):
        if not np.isfinite(one.mean):
            raise _no_number(joined, chosen, one, own.definition, partner)
    mixer, aside = _mixer(joined, chosen, first, second)
    mixtures, turns = _turned(Mixtures(joined, mixer, chosen, (first.mean, second.mean)))
    players = mixtures.mixer.players
    moving = turns.moving(mixtures.means)
    contributions = _contributions(mixtures, turns, (first.mean + second.mean) / 2) if players else []
    return Attribution(
        ours,
        other,
        first,
        second,
        sorted((contributions[place] for place in sorted(moving)), key=lambda one: -abs(one.exact)),
        [*(player for place, player in enumerate(players) if place not in moving), *aside],
        [player for player in players if player not in mixer.players],
        turns.orders,
        factorial(len(players)),
        joined.users.values,
        joined.library,
    )


def _mixer(joined: Joined, chosen: Mask | None, first: Measured, second: Measured) -> tuple[Mixer, list[TurnedSetting]]:
    """Mixes the settings that can matter on these data; the others, which are turned before all orders.

    What nothing in the data asks for under either definition could still matter in between, policies above all. So it
    is put aside only if it changes nothing at either end; then without the policies; then not at all.
    `chosen` restricts the population, shape (users,).
    """
    players, facts = players_of(first.definition, second.definition), Differences(joined)
    idle = [
        one
        for one in players
        if all(facts.equivalent(convention_name, first, second) for convention_name in one.turned)
    ]
    mixer = Mixer(first.definition, second.definition, players)
    for aside in (idle, [one for one in idle if not one.turned.keys() & POLICIES.keys()]):
        conventions, everything = conventions_of(aside), conventions_of(players)
        start, end = mixer.possible(conventions), mixer.possible(everything - conventions)
        if _gives(joined, chosen, start, first) and _gives(joined, chosen, end, second):
            return replace(mixer, players=[one for one in players if one not in aside], aside=conventions), aside
    return mixer, []


def _gives(joined: Joined, chosen: Mask | None, definition: Definition | None, known: Measured) -> bool:
    """Whether a definition gives every user and the mean what another one has given; `chosen` has shape (users,)."""
    for _, one in measure_each(joined, {0: definition} if definition else {}, chosen):
        return equal_results(one, known)
    return False


def _turned(mixtures: Mixtures) -> tuple[Mixtures, Turns]:
    """The turns that count; of too many players some are united first, as are those that only go together."""
    players = len(mixtures.mixer.players)
    if players > MOST:
        return _turned(mixtures.united(mixtures.way_of_largest(MOST)))
    mixtures.ask(range(1 << players))
    turns = all_turns(mixtures.means.keys(), players)
    if turns.orders:
        return mixtures, turns
    return _turned(mixtures.united(longest_way(mixtures.means.keys(), players)))


def _contributions(mixtures: Mixtures, turns: Turns, middle: float) -> list[Contribution]:
    known = sorted({one for mixture, player in turns.counts for one in (mixture, mixture | 1 << player)})
    parts = mixtures.user_shares(turns.weights(known), known, middle)
    rows = zip(mixtures.mixer.players, turns.shares(mixtures.means), parts, strict=True)
    return [Contribution(*one) for one in rows]


def _no_number(
    joined: Joined, chosen: Mask | None, one: Measured, own: Definition, other: NamedDefinition
) -> MetricError:
    """The error that says why a definition gives no number, and which setting would let it go on.

    `own` is the definition as it was requested, whose text can be read back; `chosen` has shape (users,).
    """
    spec, see = own.spec, "No single setting gives it a number; see which presets have one"
    do = f"{see}: rc.compare(…, {spec!r}, preset='all')."
    shell = f"{see}: rankconv compare LABELS RUN -m {shlex.quote(spec)} -p all."
    for rows, definition in _other_settings(one, own, other):
        if dict(measure_each(joined, {0: definition}, chosen)):
            do = shell = f"With {rows} there is a number: ask for '{definition.text}' in its place."
            break
    return MetricError(_why(joined, one), where=own.text, do=do, shell=shell)


def _other_settings(one: Measured, own: Definition, other: NamedDefinition) -> Iterator[tuple[str, Definition]]:
    """One setting of the other side at a time; then, what the users concerned may count as instead."""
    players = players_of(one.definition, other.definition)
    mixer = Mixer(own, other.definition, players)
    for player in players:
        definition = mixer.possible(frozenset(player.turned))
        if definition is not None:
            yield f"{player.text}, as {other.name} says,", definition
    skipped = {refusal.policy: "skip" for refusal in one.refusals if refusal.policy in POLICIES}
    definition = with_changes(own, skipped)
    if skipped and definition is not None:
        yield ", ".join(f"{policy}=skip" for policy in skipped), definition


def _why(joined: Joined, one: Measured) -> str:
    if one.refusals:
        return one.refusals[0].why
    if one.of_all:
        return f"{one.of_all}, so the mean is {one.mean}"
    for place in np.flatnonzero((one.states != OUTSIDE) & ~np.isfinite(one.values)).tolist():
        state = one.state_names[one.states[place]]
        if not state.endswith(": skip"):
            return (
                f"the mean is {one.mean}: user {quoted(joined.users.id(place))} counts as {one.values[place]} ({state})"
            )
    return f"the mean is {one.mean}: no user counts"
