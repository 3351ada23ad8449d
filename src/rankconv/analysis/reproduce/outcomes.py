"""What the presets give for the numbers that are asked, all of one preset and one input at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from rankconv.analysis.reproduce.printed_numbers import Asked
from rankconv.analysis.reproduce.sources import Source
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.errors import InputError, unknown
from rankconv.evaluation.result import Result
from rankconv.presets.definition import Definition


@dataclass(frozen=True)
class Outcome:
    """A number, or why there is none."""

    value: float | None
    why: str = ""


def outcomes(source: Source, asked: Iterable[Asked]) -> dict[Asked, Outcome]:
    """What each of them gives."""
    by_inputs: dict[str, list[Asked]] = {}
    for one in dict.fromkeys(asked):
        by_inputs.setdefault(one.inputs, []).append(one)
    return {
        one: found for name, group in by_inputs.items() for one, found in _measured(source.joined[name], group).items()
    }


def _measured(joined: Joined, group: list[Asked]) -> dict[Asked, Outcome]:
    definitions: dict[str, Definition] = {}
    for one in group:
        if _name(one) not in definitions:
            definitions[_name(one)] = one.definition
    measured = dict(zip(definitions, measure(joined, list(definitions.values()), None), strict=True))
    result = Result("", joined.users.values, measured)
    return {one: _outcome(result, one) for one in group}


def _name(asked: Asked) -> str:
    return f"{asked.preset} {asked.settings}:{asked.spec}"


def _outcome(result: Result, asked: Asked) -> Outcome:
    name = _name(asked)
    refusals = result.errors.get(name, [])
    if any(refusal.policy == "needs" for refusal in refusals):
        raise InputError(refusals[0].why, where=asked.line)
    if asked.user is None:
        return Outcome(None, refusals[0].why) if refusals else Outcome(result[name])
    place = _place(result, asked)
    state = str(result.state[name][place])
    if ": refuse-" in state:
        return Outcome(None, state)
    return Outcome(float(result.per_user[name][place]))


def _place(result: Result, asked: Asked) -> int:
    users = [str(user) for user in result.users]
    if str(asked.user) not in users:
        raise unknown("known user", str(asked.user), users, where=asked.line)
    return users.index(str(asked.user))
