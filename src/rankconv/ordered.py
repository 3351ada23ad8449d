"""Things by name, each of which says behind which other one it stands: steps and special cases."""

from collections.abc import Iterator
from typing import TypeVar

from rankconv.errors import ConventionError, unknown

Thing = TypeVar("Thing")


class Ordered(dict[str, Thing]):
    """A registry in the order that its entries ask for, whichever of them came first.

    >>> steps = Ordered[int]("step")
    >>> steps.put("cut", 3, after="sort"), steps.put("read", 1), steps.put("sort", 2, after="read")
    (None, None, None)
    >>> steps.put("mine", 0, after="read")
    >>> list(steps)
    ['read', 'mine', 'sort', 'cut']
    """

    def __init__(self, noun: str) -> None:
        """`noun` says in messages what its entries are: "step of preparation"."""
        super().__init__()
        self.noun = noun
        self._after: dict[str, str] = {}

    def put(self, name: str, thing: Thing, after: str = "") -> None:
        """Register it directly behind that one, or at the end; under a name that is known it takes the place of that.

        One that it stands behind may come later. ConventionError for entries that stand behind each other in a ring.
        """
        before = dict(self._after)
        self._after[name] = after
        order = [*self._behind("")]
        if len(order) < len(self._after):
            self._after = before
            raise ConventionError(f"the {self.noun} '{name}' stands behind itself")
        self[name] = thing
        whole = {one: self[one] for one in order}
        self.clear()
        self.update(whole)

    def _behind(self, place: str) -> Iterator[str]:
        """Those that stand behind this one, the last that came first; for '' those that stand behind none."""
        known = [name for name, after in self._after.items() if (after if after in self._after else "") == place]
        for name in reversed(known) if place else known:
            yield name
            yield from self._behind(name)

    def check_known(self, name: str) -> None:
        """A ConventionError for a name to stand behind that nobody has."""
        if name not in self:
            raise unknown(self.noun, name, self)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._after.pop(name)
