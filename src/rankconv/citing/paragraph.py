"""One paragraph for a paper: a definition in sentences, every setting in words, and who was counted."""

import math
from collections.abc import Iterable, Mapping
from itertools import groupby

from rankconv.aggregation import POLICIES, USERS
from rankconv.aggregation.means import AS_TOLD as MEAN
from rankconv.citing.formula import listed
from rankconv.citing.statements import Statements
from rankconv.engine.measured import POOLED, Measured
from rankconv.engine.saved import SavedNumber
from rankconv.preparation.steps import AS_TOLD as LABELS
from rankconv.presets.definition import Definition


def paragraph(definition: Definition) -> str:
    """What is relevant, how the list is judged, the formula, what special users count as, the mean."""
    told = Statements(definition)
    preparation, aggregation = definition.said.settings, definition.aggregation.settings
    labels = [one.name for one in LABELS]
    sentences = [
        _sentence(told.clauses({name: preparation[name] for name in labels}).values()),
        _sentence(told.clauses({name: preparation[name] for name in preparation if name not in labels}).values()),
        _of_metric(told),
        _sentence([*told.clauses({USERS.name: aggregation[USERS.name]}).values(), *_special_users(told)]),
        _sentence(f"if {what}, {then}" for what, then in told.special_data.values()),
        _sentence(
            [*_of_one_list(definition), *told.clauses({one.name: aggregation[one.name] for one in MEAN}).values()]
        ),
        _not_done(told),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _sentence(clauses: Iterable[str]) -> str:
    joined = "; ".join(clauses)
    return f"{joined[0].upper()}{joined[1:]}." if joined else ""


def _of_metric(told: Statements) -> str:
    where = "; ".join(told.of_metric.values())
    return f"The {told.name} {_whose(told.definition)} is {told.sentence}{f', where {where}' if where else ''}."


def _whose(definition: Definition) -> str:
    if definition.metric.of_all_lists:
        return "of the lists of all users counted"
    return "of that list" if definition.preparation.pools else "of a user"


def _of_one_list(definition: Definition) -> list[str]:
    if definition.metric.of_all_lists:
        return ["the reported number is this one, and no user has one of their own"]
    return ["the reported number is the value of that one list"] if definition.preparation.pools else []


def _special_users(told: Statements) -> list[str]:
    """Policies that follow each other and count the same are told together."""
    groups = [f"a user who {listed(whos, 'or')} {then}" for then, whos in _grouped(told.special_users)]
    if len(groups) > 1:
        groups[0] = f"of the following cases the first that applies decides: {groups[0]}"
    untreated = [
        policy.otherwise for name, policy in POLICIES.items() if name not in told.special_users and policy.otherwise
    ]
    return [*groups, *untreated]


def _grouped(special: Mapping[str, tuple[str, str]]) -> Iterable[tuple[str, list[str]]]:
    return ((then, [who for who, _ in same]) for then, same in groupby(special.values(), key=lambda pair: pair[1]))


def _not_done(told: Statements) -> str:
    things = list(dict.fromkeys(told.not_done.values()))
    more = "no other case of a user or of the data as a whole is treated apart"
    return f"There is no {listed(things, 'or')}, and {more}." if things else f"{more.capitalize()}."


SCORED, OUTSIDE = "scored", "outside"


def counted(definition: Definition, number: Measured | SavedNumber) -> str:
    """The number, over how many users it is, and what became of the others."""
    if number.refusals:
        return f"There is no number for these data: {number.refusals[0].why}."
    mean = "NaN" if math.isnan(number.mean) else f"{number.mean:.6g}"
    states = sorted(number.counts, key=lambda state: (state == OUTSIDE, state not in (SCORED, POOLED)))
    became = [_became(Statements(definition), state, number.counts[state]) for state in states]
    users = sum(number.counts.values())
    return f"The number is {mean}; of {users} {'user' if users == 1 else 'users'}, {listed(became, 'and')}."


def _became(told: Statements, state: str, count: int) -> str:
    many = f"{count} {'was' if count == 1 else 'were'}"
    if state in (SCORED, POOLED):
        return f"{many} scored" if state == SCORED else f"{many} counted"
    if state == OUTSIDE:
        return f"{many} not evaluated"
    policy, _, setting = state.partition(": ")
    traits = told.definition.aggregation.settings[policy].setting_type.traits
    became = str(traits.get("became", "counted as {value}")).format(value=setting)
    why = told.special_users[policy][0].removeprefix("has ")
    return f"{many} {became} ({why})"
