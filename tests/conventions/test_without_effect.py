"""A setting that has no effect beside another one is refused in specs and `but`, and reported of presets.

What is refused has no effect: `test_mattering` turns it. Here is the converse, over pairs of settings: what has an
effect beside the default of a convention, and none beside another setting of it, is known to have none there.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankconv as rc
from rankconv.aggregation import DATA_POLICIES, POLICIES, PREPARED_DATA_POLICIES, Aggregation
from rankconv.analysis.reproduce.checks import without_effect
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import with_changes
from tests.conventions.test_mattering import texts
from tests.laws import examples
from tests.laws.test_laws import SIDE_DATA

METRICS = ["ndcg@3", "precision@3", "map@3", "f1", "auc", "recall@2"]
POLICIES = {*POLICIES, *DATA_POLICIES, *PREPARED_DATA_POLICIES}
"""Conventions whose settings take the place of what would have been computed."""
GENERAL = [name for name in (*Preparation.conventions(), *Aggregation.conventions()) if name not in POLICIES]
TOO_FEW = {
    "candidates=labelled-only",
    "relevant=at-least(3.5)",
    "max-depth=score-at-least(3.5)",
    "users=in-training",
    "aggregate=minimum",
}
"""Settings that leave too little of the drawn data for others to act."""


@cache
def data() -> list[Joined]:
    """Users with ties, near ties, repeated and unlabelled items, negative grades; some with groups, some with ranks."""
    return [drawn(1, in_groups=False), drawn(2, in_groups=True), drawn(3, in_groups=False, ranked=True)]


def drawn(seed: int, *, in_groups: bool, ranked: bool = False) -> Joined:
    """The labels and lists of 80 users; `ranked` ones state ranks that agree with their scores, and order ties."""
    draw = Random(seed)
    items, scores = [str(item) for item in range(1, 9)], [2.0, 1.0, 0.5, 0.5 + 1e-12, -1.0, 3e38, 0.25]
    labels: dict[str, Any] = {}
    run: dict[str, list[tuple[str, float]]] = {}
    for user in (f"u{at}" for at in range(80)):
        grades = draw.choice([[0, 1], [1], [0, 1, 2, 3, 4], [-1, 0, 1], [-1, -1, 2], [0, 0.5, 1], [0, 0, 1]])
        known = [(item, draw.choice(grades)) for item in draw.sample(items, draw.choice([1, 2, 3, 5]))]
        if draw.random() < 0.9:
            groups = {name: dict(known[at::2]) for at, name in enumerate("ab") if known[at::2]}
            labels[user] = groups if in_groups else known
        if draw.random() < 0.9 or user not in labels:
            picked = draw.choices if draw.random() < 0.5 else draw.sample
            run[user] = [(item, draw.choice(scores)) for item in picked(items, k=draw.randint(0, 6))]
    by_score = [
        (user, item, score, rank)
        for user, rows in run.items()
        for rank, (item, score) in enumerate(sorted(rows, key=lambda row: -row[1]), 1)
    ]
    table = pl.DataFrame(by_score, ["user", "item", "score", "rank"], orient="row")
    return rc.join(labels, table if ranked else run, seen={user: [draw.choice(items)] for user in run}, **SIDE_DATA)


def base(spec: str) -> rc.Definition:
    """Of users whose data are not allowed nothing is said, so the others have a mean."""
    found = with_changes(rc.metric(spec), {"order": "score", "ties": "item-ascending", "on-invalid": "skip"})
    assert found is not None
    return found


def acting(definition: rc.Definition, conventions: list[str]) -> tuple[set[str], set[str]]:
    """The conventions of which some setting changes what a definition gives, and all that were tried."""
    others = []
    for convention in conventions:
        for text in texts(convention):
            other = with_changes(definition, {convention: text})
            if other is not None and other.setting_sets != definition.setting_sets and possible(other):
                others.append((convention, other))
    found = set()
    for joined in data():
        own, *measured = (
            (float(one.mean).hex(), one.values.tobytes(), one.states.tobytes(), one.state_names)
            for one in measure(joined, [definition, *(other for _, other in others)], None)
        )
        found |= {convention for (convention, _), one in zip(others, measured, strict=True) if one != own}
    return found, {convention for convention, _ in others}


def possible(definition: rc.Definition) -> bool:
    try:
        definition.check()
        measure(data()[0], [definition], None)
    except rc.RankconvError:
        return False
    return True


def gives_numbers(definition: rc.Definition) -> bool:
    """Whether it refuses not all of the data, as where it needs what they do not have."""
    return any(np.isfinite(one.mean) for joined in data() for one in measure(joined, [definition], None))


def settings() -> Iterator[tuple[str, str]]:
    """Some settings that a definition does not have by default, all of them in the long run."""
    every = [
        (convention, text)
        for convention in GENERAL
        for text in texts(convention)
        if text != base("f1").settings[convention] and f"{convention}={text}" not in TOO_FEW
    ]
    known = [("order", "given"), ("labels-used", "aligned-arrays")]
    yield from known + Random(7).sample(every, examples.of(quick=1, ci=8, long=len(every)))


@pytest.mark.parametrize(("convention", "setting"), list(settings()))
def test_what_has_no_effect_beside_a_setting_is_known_to_have_none(convention: str, setting: str) -> None:
    left, known = [name for name in GENERAL if name != convention], set[str]()
    each = [with_changes(base(spec), {convention: setting}) for spec in METRICS]
    those = [changed for changed in each if changed is not None and possible(changed) and gives_numbers(changed)]
    if not those:
        pytest.skip("no metric of these can have it")
    for changed in those:
        known |= changed.idle_rules.keys()
        asked = [name for name in left if name in changed.settings and name not in changed.idle_rules]
        act, tried = acting(changed, asked)
        left = [name for name in left if name not in act and (name not in asked or name in tried)]
        if not left:
            return
    usual = set().union(*(acting(base(spec), left)[0] for spec in METRICS[:2]))
    assert [name for name in left if name in usual and name not in known] == []


# what is refused and reported

REFUSED = [
    "mrr(order=given, ties=relevant-first)",
    "mrr(order=given, ties=expected)",
    "mllib:map(ties=reversed)@3",
    "map(order=given, score-dtype=float32)",
    "map(grades=binary, negative=last)",
    "map(labels-used=aligned-arrays, unjudged=condensed-after-depth)",
    "precision(max-depth=cutoff, k-applies-to=divisors-only)@3",
    "map(ap-precision=items)",
    "map(scope=global, aggregate=sum)",
]


@pytest.mark.parametrize("spec", REFUSED)
def test_a_setting_without_effect_is_refused_in_a_spec(spec: str) -> None:
    with pytest.raises(rc.ConventionError, match=r"has no effect: .* \(.*=.*\)\. Leave .* out, or set .* otherwise"):
        rc.metric(spec)


def test_it_is_refused_wherever_a_caller_sets_it() -> None:
    given = rc.preset("rankconv").replace(order="given")
    for change in (
        lambda: rc.metric("mllib:map@3").replace(ties="reversed"),
        lambda: rc.metric("map(order=score, ties=reversed)").replace(order="given"),
        lambda: rc.AveragePrecision(preset="mllib", ties="reversed"),
        lambda: given.replace(ties="reversed"),
        lambda: rc.preset("rankconv(order=given, ties=reversed)"),
        lambda: rc.preset("rankconv").replace(metrics={"mrr": {"order": "given", "ties": "reversed"}}),
    ):
        with pytest.raises(rc.ConventionError, match="ties=reversed has no effect: the list is not ordered by score"):
            change()


def test_a_change_of_all_metrics_is_none_of_those_on_which_it_has_no_effect() -> None:
    """Definitions of a changed preset read back."""
    mixed = rc.preset("rankconv").replace(metrics={"mrr": {"order": "given"}}).replace(ties="reversed")
    texts_of = [one.text for key in ("mrr", "map") for one in mixed.define(key)]
    assert texts_of == ["rankconv:mrr(order=given)", "rankconv:map(ties=reversed)"]
    for text in texts_of:
        assert rc.metric(text).text == text


def test_presets_are_told_of_settings_without_effect_in_their_own_files(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    head = "name: mine\ntitle: Mine\nextends: base\n"
    file.write_text(f"{head}preparation: {{order: given, ties: reversed}}\nmetrics: {{mrr: {{rr-hits: first-hit}}}}\n")
    [told] = without_effect(rc.preset(file))
    assert told == "ties=reversed has no effect: the list is not ordered by score (order=given)"
    file.write_text(f"{head}preparation: {{ties: undefined}}\nmetrics: {{mrr: {{rr-hits: first-hit, order: given}}}}\n")
    assert list(without_effect(rc.preset(file))) == []
    file.write_text(f"{head}metrics: {{mrr: {{rr-hits: first-hit, order: given, ties: reversed}}}}\n")
    assert len(list(without_effect(rc.preset(file)))) == 1


def test_no_shipped_preset_states_a_setting_without_effect() -> None:
    assert [told for name in rc.list_presets(eras=True) for told in without_effect(rc.preset(name))] == []
