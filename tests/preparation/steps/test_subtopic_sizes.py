"""Lists and labels are copied for each subtopic: how many copies there are, and that no number depends on it."""

import tracemalloc
from random import Random
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.conventions.convention import Registry
from rankconv.data import joined
from rankconv.engine import plan
from rankconv.evaluation.joining import join
from rankconv.metrics import subtopic_ideals
from rankconv.preparation.blocks import row_block
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.steps.subtopics import split_own
from tests.metrics.worked import neutral

ITEMS = [f"d{number}" for number in range(12)]
SPECS = [
    *("map(ap-denominator=hits)@3", "precision@4", "recall", "mrr", "ndcg@3", "bpref", "alpha_ndcg@4", "err_ia@3"),
    "f1(f-recall=subtopics)@3",
]
SETTINGS = [
    "relevant=above(0)",
    "relevant=at-least(0)",
    "relevant=any-label",
    "relevant=highest",
    "negative=unjudged",
    "negative=zero",
    "negative=in-pool",
    "negative=last",
    "duplicate-labels=first",
    "duplicate-labels=counted",
    "duplicates=once",
    "unjudged=condensed-before-depth",
    "unjudged=condensed-after-depth",
    "candidates=with-unretrieved",
    "candidates=labelled-only",
    "labels-used=first-k(by-grade)",
    "labels-used=first(2, as-given)",
    "labels-used=relevant-hit-per-label",
    "grades=binary",
    "order=score, ties=item-descending",
    "order=score, ties=expected",
]


def data(users: int = 9) -> tuple[dict[int, Any], dict[int, Any]]:
    """Labels in groups that share items, with grades from -1 to 3; lists with ties."""
    draw = Random(3)
    labels = {
        user: {
            group: {item: draw.randint(-1, 3) for item in draw.sample(ITEMS, draw.randint(1, 5))}
            for group in range(user % 4 + 1)
        }
        for user in range(users)
    }
    run = {user: {item: draw.randint(0, 4) for item in draw.sample(ITEMS, draw.randint(1, 12))} for user in labels}
    return labels, run


def asked(inside: str) -> list[str]:
    """Each metric with these settings, where groups are looked at alone and lower grades do not exist."""
    specs = []
    for spec in SPECS:
        name, _, k = spec.partition("@")
        separate = "" if name.startswith(("alpha", "err", "f1")) else "subtopics=separate"
        used = "" if "labels-used" in inside else "labels-used=relevant-only"
        given = ", ".join(part for part in (name.partition("(")[2].rstrip(")"), separate, used, inside) if part)
        specs.append(f"{name.partition('(')[0]}({given}){'@' + k if k else ''}")
    return specs


def values(inside: str) -> dict[str, list[str]]:
    """The value of each user to the last bit, and why there is none."""
    found = rc.evaluate(*data(), asked(inside), preset=neutral(), on_error="collect")
    return {spec: [str(float(value)) for value in found.per_user[spec]] for spec in found.per_user}


@pytest.mark.parametrize("few", [0, 10**6])
@pytest.mark.parametrize("inside", SETTINGS)
def test_labels_that_would_be_dropped_are_left_out_without_a_difference(
    inside: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "FEW_ROWS", few)
    found = values(inside)
    assert len(found) >= 7
    monkeypatch.setattr(Preparation, "uses_relevant_labels_alone", False)
    assert values(inside) == found


def test_what_is_prepared_grows_with_the_labels_and_not_with_their_square(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[int] = []

    def counted(*given: Any) -> Any:
        made = split_own(*given)
        prepared.append(len(made.labels.user))
        return made

    monkeypatch.setattr(row_block, "split_own", counted)
    labels = {"u": [f"d{number}" for number in range(500)]}
    value = rc.metric("mrr(subtopics=separate, no-subtopic=own, labels-used=relevant-only)")(labels, {"u": ["x", "d7"]})
    assert value == pytest.approx(1 / 2 / 500)
    assert sum(prepared) == 500


@pytest.mark.parametrize("few", [0, 10**6])
def test_no_number_depends_on_how_many_users_are_copied_together(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "FEW_ROWS", few)
    together = values("labels-used=all")
    monkeypatch.setattr(joined, "COPIES", 30)
    monkeypatch.setattr(subtopic_ideals, "CELLS", 30)
    assert values("labels-used=all") == together


def test_users_are_copied_together_as_long_as_these_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    both = join(*data(40))
    for most in (1, 60, 200):
        monkeypatch.setattr(joined, "COPIES", most)
        blocks = list(both.groups(np.arange(40), 3, copied=True))
        assert np.array_equal(np.concatenate(blocks), np.arange(40))
        rows = np.minimum(np.maximum(both.list_counts, both.label_counts), 3) + both.label_counts
        copies = rows * [sum(map(len, data(40)[0][user].values())) for user in range(40)]
        assert all(len(block) == 1 or copies[block].sum() <= most for block in blocks)
        following = [copies[[*block, block[-1] + 1]].sum() for block in blocks[:-1]]
        assert all(count > most for count in following)


@pytest.mark.parametrize(
    "spec",
    [
        "map(subtopics=separate, no-subtopic=own)@10",
        "alpha_ndcg(no-subtopic=own)@10",
        "f1(f-recall=subtopics, no-subtopic=own)@10",
    ],
)
def test_copies_of_many_users_are_not_held_at_once(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """100 users with 60 labels each, each a group of its own: 360,000 copies of labels in all."""
    draw, items = Random(5), [f"d{number}" for number in range(400)]
    labels = {user: draw.sample(items, 60) for user in range(100)}
    run = {user: draw.sample(items, 50) for user in labels}
    peaks = []
    for most in (1 << 30, 1 << 15):
        monkeypatch.setattr(joined, "COPIES", most)
        rc.evaluate(labels, run, spec)
        tracemalloc.start()
        rc.evaluate(labels, run, spec)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] / 4


def test_a_step_of_a_plugin_sees_the_labels_of_other_groups() -> None:
    """It may look at labels together: here a label counts where its user has another one."""
    convention = rc.convention("duplicate-labels")

    def several(block: Any) -> None:
        block.labels.exists &= np.bincount(block.labels.user)[block.labels.user] > 1

    several.__module__ = "plugin_of_a_test"
    convention.setting("of-several", rule="those of users with several")(several)
    try:
        inside = "subtopics=separate, no-subtopic=own, labels-used=relevant-only, duplicate-labels=of-several"
        assert rc.metric(f"mrr({inside})")({"u": ["a", "b"]}, {"u": ["a", "b"]}) == (1 + 1 / 2) / 2
    finally:
        del convention.setting_types["of-several"]
        Registry.changed()
