"""In which order the special cases of a user are asked: of those that hold, the first that is answered decides."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Annotated

from rankconv.aggregation.special_case import POLICIES
from rankconv.preparation.on_data import OnData
from rankconv.specs.convention import Convention, Setting, Told
from rankconv.specs.parameters import InOrder

CASE_ORDER = Convention(
    "policy-order",
    "In which order are the special cases of a user asked?",
    reads=("cases",),
    tells="a user for whom two special cases hold",
)
"""A setting gives the names of all special cases in the order in which they are asked; it reads the usual one."""


@CASE_ORDER.setting("default", rule="as they are listed", no="")
def _(cases: Sequence[str]) -> Sequence[str]:
    """What the system does not take comes first, then lists, then labels, hits, and what the formula gave."""
    return cases


@CASE_ORDER.setting(
    "in-order",
    rule="those named in this order, in the places that they have together; the others keep theirs",
    says="special cases of a user are asked {value}",
)
def _(cases: Sequence[str], *named: Annotated[str, InOrder(POLICIES, least=2)]) -> Sequence[str]:
    """As where a system looks at the labels before it looks at the list."""
    left = iter(named)
    return [next(left) if case in named else case for case in cases]


@CASE_ORDER.idle("")
def _(told: Told) -> bool:
    return len(asked_in_order(told.settings)) < 2


def asked_in_order(settings: Mapping[str, Setting]) -> list[str]:
    """The special cases of a user that these answer with anything but the formula, in the order in which it asks."""
    cases = list(POLICIES)
    ordered = settings[CASE_ORDER.name](cases=cases) if CASE_ORDER.name in settings else cases
    return [case for case in ordered if case in settings and not settings[case].trait("by_formula")]


@CASE_ORDER.alike
def _(ours: OnData, other: OnData) -> bool:
    """Nobody went to one case here, and there to another that is asked behind it here and before it there."""
    before, after = asked_in_order(ours.settings), asked_in_order(other.settings)
    turned = (pair for pair in combinations(before, 2) if _stands_behind(*pair, after))
    return not any(ours.decides(first) and other.decides(second) for first, second in turned)


def _stands_behind(one: str, another: str, cases: Sequence[str]) -> bool:
    return one in cases and another in cases and cases.index(one) > cases.index(another)


def settled(settings: Mapping[str, str]) -> dict[str, str]:
    """These settings, with the order of special cases in one spelling for all that ask the answered cases alike.

    Without it where they are asked in the usual order.
    """
    told = {case: POLICIES[case].convention(settings[case]) for case in POLICIES if case in settings}
    usual = asked_in_order(told)
    ordered = asked_in_order(told | {CASE_ORDER.name: CASE_ORDER(settings[CASE_ORDER.name])})
    moved = [case for case, other in zip(ordered, usual, strict=True) if case != other]
    others = {
        convention_name: setting for convention_name, setting in settings.items() if convention_name != CASE_ORDER.name
    }
    return others | ({CASE_ORDER.name: f"in-order({', '.join(moved)})"} if moved else {})
