"""What the presets give for the numbers that are asked, all of one preset and one input at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from rankconv.engine import measure
from rankconv.errors import InputError, RankingError, unknown
from rankconv.ranking.joined import Joined
from rankconv.reproducing.claims import Asked
from rankconv.reproducing.sources import Source
from rankconv.results import Result


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
    definitions = {one: one.definition for one in group}
    texts = {definition.text: definition for definition in definitions.values()}
    measured = dict(zip(texts, measure(joined, list(texts.values()), None), strict=True))
    result = Result("", joined.users.values, measured)
    return {one: _outcome(result, definition.text, one) for one, definition in definitions.items()}


def _outcome(result: Result, text: str, asked: Asked) -> Outcome:
    refusals = result.errors.get(text, [])
    if any(refusal.cause == "needs" for refusal in refusals):
        raise InputError(refusals[0].why, where=asked.line)
    if asked.user is None:
        return Outcome(None, refusals[0].why) if refusals else Outcome(result[text])
    place = _place(result, asked)
    state = str(result.state[text][place])
    if state.endswith((": error", ": error-all")):
        return Outcome(None, state)
    return Outcome(float(result.per_user[text][place]))


def _place(result: Result, asked: Asked) -> int:
    users = [str(user) for user in result.users]
    if str(asked.user) not in users:
        error: RankingError = unknown("user of these inputs", str(asked.user), users, where=asked.line)
        raise error
    return users.index(str(asked.user))
