"""The steps of preparation, in one order, whatever file registers them; and the conventions, as they are told."""

import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.conventions.convention import Registry
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.step_registry import PREPARATION, STEPS, may_refuse
from tests.laws.test_laws import different


def test_the_order_in_which_conventions_are_told() -> None:
    labels = [
        "calls",
        "grade-words",
        "score-words",
        "collapse",
        "span-unit",
        "span-match",
        "grades",
        "negative",
        "grades-allowed",
        "relevant",
        "labels-used",
        "duplicate-labels",
    ]
    lists = ["candidates", "exclude", "duplicates", "order", "score-dtype", "ties", "unjudged", "max-depth"]
    groups = ["subtopics", "no-subtopic", "subtopic-weight"]
    assert list(Preparation.conventions()) == [*labels, *lists, "score-transform", "min-score", "scope", *groups]


def test_each_setting_is_carried_out_at_one_moment() -> None:
    """A setting whose moment has no step would do nothing, and nobody would see it."""
    moments: dict[str, set[str]] = {}
    for place in STEPS.values():
        if place.take is None:
            moments.setdefault(place.convention.name, set()).add(place.moment)
    for name, known in moments.items():
        setting_types = Preparation.conventions()[name].setting_types.values()
        doing = {setting_type.traits.moment for setting_type in setting_types if setting_type.no is None}
        assert doing - {"at once"} <= known, name
        assert known <= doing, name


def test_a_plugins_setting_that_no_step_carries_out_is_refused() -> None:
    duplicates = rc.convention("duplicates")

    @duplicates.setting("lowest", rule="the lowest place counts", says="a repeated item counts where it stands last")
    def _(block: plugin.WorkingBlock) -> None: ...

    try:
        with pytest.raises(rc.ConventionError, match=r"at no step.*before-order.*moment=\"before-order\""):
            rc.metric("ndcg(duplicates=lowest)@3")
    finally:
        del duplicates.setting_types["lowest"]
        Registry.changed()


def test_no_step_changes_nothing() -> None:
    conventions = {place.convention.name for place in STEPS.values() if place.take is None}
    for one in different():
        for step in one.preparation.steps:
            if step.convention_name in conventions:
                assert not step.setting.changes_nothing, (one.text, step)
                assert step.setting.text != PREPARATION[step.convention_name].neutral, (one.text, step)


def test_a_plugins_setting_may_refuse_users_unless_it_says_otherwise() -> None:
    exclude = rc.convention("exclude")
    exclude.setting("mine", rule="mine")(lambda block: None)
    exclude.setting("mild", rule="mild", may_refuse=False)(lambda block: None)
    try:
        assert [may_refuse(exclude(one)) for one in ("none", "identical-ids", "mine", "mild")] == [
            False,
            False,
            True,
            False,
        ]
    finally:
        del exclude.setting_types["mine"], exclude.setting_types["mild"]
        Registry.changed()
