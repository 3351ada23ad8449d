"""Which definition is behind a printed number?"""

from collections.abc import Iterable
from typing import Any

from rankconv.errors import MetricError
from rankconv.evaluating import choose, join
from rankconv.identifying.candidates import Swept
from rankconv.identifying.elsewhere import elsewhere
from rankconv.identifying.exchanging import exchanged
from rankconv.identifying.identified import Identified, Row
from rankconv.identifying.rows import Found, as_rows, classes, measured_alike, of_presets
from rankconv.identifying.sought import Sought, sought
from rankconv.identifying.space import Family, families
from rankconv.ranking.joined import Joined
from rankconv.ranking.rows import Mask

NEAREST = 5


def identify_one(joined: Joined, metric: str, value: str, loose: bool, mask: Mask | None) -> Identified:
    """The search for one number of a metric whose name is known."""
    number = sought(value, loose)
    return _Search(joined, metric, number, mask).result()


class _Search:
    """One number under all definitions that its metric's name may mean."""

    def __init__(self, joined: Joined, metric: str, number: Sought, mask: Mask | None) -> None:
        self.joined, self.metric, self.number, self.mask = joined, metric, number, mask
        self.families = families(metric)
        self.tried = self.left_off = 0

    def result(self) -> Identified:
        """The rows; where there are none, what comes closest and where else the number is found."""
        found = [one for family in self.families for one in self._of_family(family)]
        rows = as_rows(self.joined, classes(found, self.number)) + self._of_exchanged()
        more: dict[str, Any] = {}
        if not rows:
            more = {"nearest": self._nearest(), "elsewhere": elsewhere(self.joined, self.metric, self.number, self.mask)}
            if not more["elsewhere"]:
                self._check_range(more["nearest"])
        return Identified(self.metric, self.number, rows, self.tried, len(self.joined.users), self.left_off, **more)

    def _of_family(self, family: Family) -> list[Found]:
        swept = Swept(self.joined, family, self.mask)
        self.tried += swept.tried + len(family.named)
        named = [
            Found(one, how, 0, 0, of_preset=True)
            for one in of_presets(self.joined, family.named, self.mask)
            if (how := self.number.how(one.mean)) is not None
        ]
        others, left_off = measured_alike(
            self.joined, swept.between(self.number.intervals), family.named, self.number, self.mask
        )
        self.left_off += left_off
        return [*named, *others]

    def _of_exchanged(self) -> list[Row]:
        """The presets that give the number where labels and run are exchanged."""
        turned = exchanged(self.joined)
        found = []
        for family in self.families if self.mask is None else ():
            self.tried += len(family.named)
            for one in of_presets(turned, family.named, None):
                how = self.number.how(one.mean)
                found += [Found(one, how, 0, 0, of_preset=True)] if how is not None else []
        return as_rows(turned, classes(found, self.number), exchanged=True)

    def _nearest(self) -> list[Row]:
        """The presets whose numbers come closest."""
        named = [one for family in self.families for one in of_presets(self.joined, family.named, self.mask)]
        found = classes([Found(one, "", 0, 0, of_preset=True) for one in named], self.number)
        found.sort(key=lambda one: self.number.gap(one.best.one.mean))
        return as_rows(self.joined, found[:NEAREST])

    def _check_range(self, nearest: list[Row]) -> None:
        """A number beyond what the metric can be is a mistake of the question, not of the data."""
        low = min(family.strategy.range[0] for family in self.families)
        high = max(family.strategy.range[1] for family in self.families)
        values = [float(printed.value) for printed, _ in self.number.readings if printed.value is not None]
        if any(low <= value <= high for value in values):
            return
        top = max(nearest, key=lambda row: row.value, default=None)
        where = f"The nearest preset gives {top.value:.6g} here ({top.spec})" if top else ""
        raise MetricError(
            f"{self.metric} cannot be {self.number.text}: it lies between {low:g} and {high:g}, unless items are repeated, "
            "grades are negative, the ideal list leaves labels out, or a sum is called a mean, and none of these gives it",
            allowed=where,
            do="Check the number, or ask -m any.",
        )


def identify(
    labels: Any,
    rankings: Any = None,
    metric: Any = None,
    value: Any = None,
    loose: bool = False,
    *,
    users: Iterable[Any] | None = None,
    seen: Any = None,
    catalogue: Any = None,
) -> Identified:
    """Which definitions give this number as it was printed?

    `labels` and `rankings` are anything that `rc.evaluate` takes, or one `rc.join`, followed by the metric and the
    value. `metric` is a spec without a preset: `ndcg@10`, `map`, `ndcg(gain=exponential)@10` where some answers are
    sure. `value` is the number as text, so that its digits are known: `"0.4127"`, `"41.27%"`, `"0.41"`; a definition
    that is rounded or cut off to it is found, with `loose=True` also one whose last digit is one away.

    Searched are the metric under every preset, and combinations of its answers near them, each under the judgings and
    averagings of presets; slips that papers make are among them (`help(rc.identify_space)`).

    Returns an `Identified`: rows of definitions that this data cannot tell apart, presets first, then by how many
    answers differ from the nearest preset. Nothing found is no error: `found` is False, and `nearest` says what comes
    close. Raises InputError for the data, MetricError for a metric or a value that cannot be.

    >>> import rankconv as rc
    >>> labels = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
    >>> run = {"ada": ["b", "x", "a"], "bob": ["y", "c"]}
    >>> found = rc.identify(labels, run, "ndcg@10", "0.6593")
    >>> found.rows[0].spec, round(found.rows[0].value, 6), found.tried > 2000
    ('blog:ndcg@10', 0.659286, True)
    """
    if isinstance(labels, Joined):
        joined, metric, value = labels, rankings, metric if value is None else value
    else:
        joined = join(labels, rankings, seen=seen, catalogue=catalogue)
    joined, mask = choose(joined, users)
    return identify_one(joined, str(metric), str(value), loose, mask)
