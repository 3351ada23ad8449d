"""Classes of settings: what they hold, take, refuse and are equal to."""

from copy import copy, deepcopy
from typing import Annotated, ClassVar

import pytest

import rankconv as rc
from rankconv.conventions.setting_set import SettingSet, until_registered
from rankconv.metrics import METRICS

GAIN, IDEAL = rc.convention("gain"), rc.convention("ideal")


class Two(SettingSet):
    """Two conventions, one of which has a default, and a number."""

    unread: ClassVar[int] = 1
    gain: Annotated[str, GAIN]
    ideal: Annotated[str, IDEAL] = "all-labels"
    k: int | None = None


class Later(Two):
    """Another default, and a convention as text."""

    ideal = "retrieved-at-k"
    ideal_cutoff: 'Annotated[str, rc.convention("ideal-cutoff")]'


def test_settings_are_held_in_their_one_spelling_by_convention_and_by_field() -> None:
    made = Two(gain="linear-over( 4 )", k=5.0)
    assert (made.gain, made.ideal, made.k) == ("linear-over(4)", "all-labels", 5)
    assert made.fields == {"gain": "linear-over(4)", "ideal": "all-labels", "k": 5}
    assert made.stated == {"gain": "linear-over(4)", "ideal": "all-labels"}
    assert Later.with_settings({"ideal-cutoff": "k", "gain": "linear"}) == Later(ideal_cutoff="k", gain="linear")


def test_a_class_adds_to_what_the_one_above_holds() -> None:
    assert [*Later.conventions()] == ["gain", "ideal", "ideal-cutoff"]
    assert (Two(gain="linear").ideal, Later(gain="linear", ideal_cutoff="k").ideal) == ("all-labels", "retrieved-at-k")
    assert Later(gain="linear", ideal="all-labels", ideal_cutoff="k") != Two(gain="linear")


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ({}, "these conventions have no setting: gain"),
        ({"gain": "linear", "idael": "labels"}, "'idael' is not a field of Two.*Did you mean 'ideal'"),
        ({"gain": "linaer"}, "'linaer' is not .*Did you mean 'linear'"),
        ({"gain": "linear", "k": 0}, "0 is not a cutoff.*from 1 up to"),
        ({"gain": "linear", "k": 2.5}, "2.5 is not a cutoff"),
        ({"gain": "linear", "k": True}, "True is not a cutoff"),
        ({"gain": "linear", "k": "5"}, "'5' is not a cutoff"),
        ({"gain": "linear", "k": float("nan")}, "nan is not a cutoff"),
    ],
)
def test_what_is_no_setting_is_refused(told: dict[str, object], wrong: str) -> None:
    with pytest.raises(rc.RankconvError, match=wrong):
        Two.with_settings(told)


def test_settings_stay_as_they_are() -> None:
    made = Two(gain="linear")
    for change in (lambda: setattr(made, "gain", "binary"), lambda: delattr(made, "gain")):
        with pytest.raises(AttributeError, match="Two is frozen"):
            change()
    assert made.replace({"gain": "linear"}) is made
    other = made.replace({"gain": "binary", "ties": "reversed"}, k=3)
    assert (other.gain, other.k, made.gain, made.k) == ("binary", 3, "linear", None)


def test_equal_settings_are_equal_and_are_hashed_alike() -> None:
    one, other = Two(gain="linear", k=3), Two(gain="linear", k=3)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Two(gain="linear")
    assert one != "gain"
    for made in (copy(one), deepcopy(one)):
        assert made == one
        assert made is not one
    assert repr(one) == "Two(gain='linear', ideal='all-labels', k=3)"


class Above(Two):
    """Something that is worked out once."""

    @until_registered
    def answers(self) -> list[str]:
        return ["above"]


class Below(Above):
    """What it makes of that."""

    @until_registered
    def answers(self) -> list[str]:
        return [*super().answers, "below"]

    @property
    def from_above(self) -> list[str]:
        return super().answers


def test_what_is_worked_out_once_is_so_for_each_class_and_until_something_is_registered() -> None:
    made = Below(gain="linear")
    first = made.answers
    assert (first, made.from_above) == (["above", "below"], ["above"])
    assert made.answers is first
    GAIN.setting("of-test", rule="is 1")(lambda grades: grades**0)
    assert made.answers == first
    assert made.answers is not first


def test_a_constant_that_nobody_reads_is_refused() -> None:
    with pytest.raises(rc.ConventionError, match=r"metrics have no 'lower_is_beter'.*Did you mean 'lower_is_better'"):
        type("Own", (METRICS["cg"],), {"__module__": "test", "name": "own_of_test", "lower_is_beter": True})
    assert "own_of_test" not in METRICS
