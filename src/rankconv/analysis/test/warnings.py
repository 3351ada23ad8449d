"""Where a test says less than it seems to."""

from collections.abc import Iterator, Sequence

from rankconv.analysis.test.tested import Tested
from rankconv.evaluation.compare.comparison import Comparison
from rankconv.statistics.also import LARGE
from rankconv.statistics.signs import EXACT


def of_one_person(comparison: Comparison) -> Iterator[str]:
    """A sentence on ids such as (user, ratings given), several of which are the same person."""
    users = {user for data in comparison.facts.values() for user in data.joined.users.values.tolist()}
    people = {user[0] for user in users if isinstance(user, tuple)}
    if people and len(people) < len(users):
        yield (
            f"Each of the {len(users):,} ids counts as a user of its own, and only {len(people):,} have another first "
            "part. If that is the person, their values hang together, and p is too small: test whole persons, "
            "cluster=1 (--cluster 1)."
        )


def warnings(tests: Sequence[Tested], unit: str = "users") -> Iterator[str]:
    """Sentences on runs that are alike, few users or other units that differ, and tests that find too much."""
    alike = list(dict.fromkeys(one.runs for one in tests if not one.differing))
    if alike:
        told = "; ".join(" and ".join(runs) for runs in alike[:3]) + (" and more" if len(alike) > 3 else "")
        yield f"No {unit.removesuffix('s')} differs between {told}: the difference is 0, and p is 1."
    hopeless = [one for one in tests if one.differing and one.least_p > one.level]
    if hopeless:
        one = min(hopeless, key=lambda one: one.differing)
        yield f"Where {one.differing} {unit} differ, no difference of theirs can reach p = {one.level:g}."
    few = [one for one in tests if 0 < one.differing < EXACT and one not in hopeless]
    if few:
        least = min(few, key=lambda one: one.differing)
        yield (
            f"As few as {least.differing} of {least.units} {unit} differ: the test then finds less than it may "
            "(tests/benchmarks/coverage.md)."
        )
    if any(one.also and one.units > LARGE for one in tests):
        yield (
            "Wilcoxon's test and the sign test find too much among thousands of users (Ihemelandu and Ekstrand 2023): "
            "rely on the others."
        )
