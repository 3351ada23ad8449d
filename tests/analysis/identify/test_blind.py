"""The blind test on a part of the systems' numbers; `python -m tests.analysis.identify.blind` asks for all."""

import statistics
from itertools import islice

from tests.analysis.identify.blind import asked, tallies
from tests.laws import examples

SYSTEMS = ("mllib", "sklearn")
EVERY = examples.of(quick=90, ci=15)


def test_the_presets_are_found_again() -> None:
    numbers = [one for system in SYSTEMS for one in islice(asked(system), 0, None, EVERY)]
    done = tallies(numbers)
    places = [place for one in done.values() for place in one.places]
    missed = [text for one in done.values() for text in one.missed]
    assert len(places) > examples.of(quick=1, ci=8)
    assert not missed
    assert statistics.median(n for one in done.values() for n in one.classes) <= 3
