"""Advice works: each message is caused, what it says to do is done, and the right number comes of it."""

from functools import cache

from tests.advice.cases import CASES
from tests.advice.not_executed import NOT_YET, PROSE
from tests.advice.sites import Site, sites


@cache
def followed() -> tuple[list[str], dict[Site, set[str]]]:
    """What is not as cases state it, and the sites that they reach, in Python and in commands."""
    reached: dict[Site, set[str]] = {}
    return [one for case in CASES for one in case.failures(reached)], reached


def test_advice_works() -> None:
    failures, _ = followed()
    assert not failures, "\n".join(failures)


def test_every_message_is_reached() -> None:
    """One that says it otherwise for commands is reached in Python and in a command."""
    _, reached = followed()
    every = {f"{site.name} ({way})" for site in sites() for way in ("do", "shell")[: 1 + site.in_shell]}
    done = {f"{site.name} ({way if site.in_shell else 'do'})" for site, ways in reached.items() for way in ways}
    left = every - done
    print(f"{len(every)} pieces of advice: {len(done)} executed, {len(PROSE)} prose, {len(NOT_YET)} not yet")
    assert not PROSE & NOT_YET
    assert not (PROSE | NOT_YET) - every, "no such message"
    assert not done & (PROSE | NOT_YET), "these are executed: take them out of the list"
    assert left == PROSE | NOT_YET, "\n".join(sorted(left - PROSE - NOT_YET))
    assert len(PROSE) <= len(every) / 5
    assert not NOT_YET, "the list may only become shorter"
