"""What libraries gave for hostile cases: each preset gives it, or the difference is known and has a reason."""

from collections import Counter
from functools import cache

import pytest

import rankconv as rc
from rankconv.addons.verification.hostile import KINDS
from rankconv.addons.verification.verification import DIFFERENT, NOT_READ
from tests.laws import examples
from tests.oracles.hostile import RECORDED, SHARED, cases_of, outcomes, recorded
from tests.oracles.hostile_exceptions import KNOWN, KnownDifference

WHOLE = bool(examples.of(quick=0, ci=1))
"""Whether all cases are compared."""


@cache
def differences(preset: str, whole: bool = WHOLE) -> tuple[Counter[str], list[tuple[str, str, str]]]:
    """How often each status occurs, and the differences: kind, metric, and what each side gives."""
    counts: Counter[str] = Counter()
    found = []
    for call, one in outcomes(preset, [*KINDS, SHARED], whole=whole):
        counts[one.status] += 1
        if one.status == DIFFERENT:
            found.append((one.kind, call.definition.key, f"{one.case}, {call.spec}: {one.ours}, not {one.theirs}"))
    return counts, found


def known(preset: str, kind: str, metric: str) -> list[KnownDifference]:
    return [one for one in KNOWN if one.covers(preset, kind, metric)]


@pytest.mark.parametrize("preset", RECORDED)
def test_a_preset_gives_what_its_library_gave(preset: str) -> None:
    counts, found = differences(preset)
    others = [said for kind, metric, said in found if not known(preset, kind, metric)]
    assert not others, "\n".join([f"{len(others)} differ", *others[:5]])
    assert counts["equal"] >= (30 if WHOLE else 12)


@pytest.mark.parametrize("preset", RECORDED)
def test_every_case_is_recorded_or_cannot_be_given(preset: str) -> None:
    have, cannot = recorded(preset)["results"], recorded(preset)["not given"]
    cases = list(cases_of(rc.preset(preset)))
    assert {case.name for case in cases} == {*have, *(case.name for case in cases if case.kind in cannot)}
    assert not {case.name for case in cases if case.kind in cannot} & have.keys()
    assert all(cannot.values())


def test_what_is_not_read_is_nothing_else_than_no_order_and_two_types() -> None:
    told = outcomes("ranx", list(KINDS), whole=True)
    kinds = {one.kind for _, one in told if one.status == NOT_READ}
    assert kinds == {"a score that is NaN", "ids that are numbers in the labels and text in the run"}


@pytest.mark.parametrize(
    "one", KNOWN[:: examples.of(quick=3, ci=1)], ids=lambda one: ", ".join([one.presets[0], *one.kinds[:1]])
)
def test_every_known_difference_is_one(one: KnownDifference) -> None:
    for preset in one.presets:
        found = (each for whole in (WHOLE, True) for each in differences(preset, whole)[1])
        assert any(one.covers(preset, kind, metric) for kind, metric, _ in found)
