"""Values of one measure under many definitions on one axis: a mark for each value and run, and who gives it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rankconv.rendering.pages.cells import number, plural, short
from rankconv.rendering.pages.wrapping import READABLE, cell_len, wrapped

BLOCKS, CHOSEN = "▁▂▃▄▅▆▇█", "◆"
"""The heights of a column by the number of names in it, and the column of the chosen name."""
SHORTEST, INDENT = 20, 2
"""Columns of a line of blocks at least, and before it."""
WORDY = 4
"""So many rows have their words above them in a terminal; of more only the names of their runs stand before them."""
LABEL = 30
"""Letters of the names next to a mark, about."""
FEW, FAR = 0.05, 2
"""The values of this share of the names may be beyond an end of the axis: those that are so many times the width of all
others away."""


@dataclass(frozen=True)
class StripMark:
    """A value, rounded, and the names that give it."""

    value: float
    names: Sequence[str]

    def label(self, first: str = "") -> str:
        """As many of the names as are short, the one that is `first` before the others, and how many more there are.

        >>> StripMark(0.5, ["beir", "mteb", "trec_eval", "a-preset-with-a-long-name"]).label("trec_eval")
        'trec_eval, beir, mteb +1'
        """
        names = sorted(self.names, key=lambda name: name != first)
        shown = names[:1]
        while len(shown) < len(names) and len(", ".join([*shown, names[len(shown)]])) <= LABEL:
            shown.append(names[len(shown)])
        rest = len(names) - len(shown)
        return ", ".join(shown) + (f" +{rest}" if rest else "")


@dataclass(frozen=True)
class StripRow:
    """The marks of one run, from the lowest to the highest."""

    run: str
    marks: Sequence[StripMark]

    def mark_of(self, name: str) -> StripMark | None:
        """The mark to which a name belongs."""
        return next((mark for mark in self.marks if name in mark.names), None)


@dataclass(frozen=True)
class StripPlot:
    """The values of one measure: a row for each run, all on the same axis."""

    measure: str
    rows: Sequence[StripRow]
    chosen: str = ""
    """The name whose place is shown; empty for none."""
    kind: str = "preset"
    """What the names are."""
    digits: int = 4

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """Both ends of the axis: of the lowest and the highest value, or of the last ones before a few that are far."""
        named = sorted(mark.value for row in self.rows for mark in row.marks for _ in mark.names)
        few = int(FEW * len(named))
        chosen = [mark.value for row in self.rows if (mark := row.mark_of(self.chosen)) is not None]
        usual = [*named[few : len(named) - few], *chosen]
        room = FAR * (max(usual) - min(usual)) or math.inf
        near = [value for value in named if min(usual) - room <= value <= max(usual) + room]
        return near[0], near[-1]

    @property
    def low(self) -> float:
        """The lower end of the axis."""
        return self._ends[0]

    @property
    def high(self) -> float:
        """The upper end of the axis."""
        return self._ends[1]

    def place(self, value: float) -> float:
        """Where a value is on the axis, from 0 to 1; in the middle where all values are equal."""
        place = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return min(max(place, 0.0), 1.0)

    @property
    def beyond(self) -> Sequence[str]:
        """The names whose values are beyond an end of the axis, where they are drawn."""
        far = (mark for row in self.rows for mark in row.marks if not self.low <= mark.value <= self.high)
        return list(dict.fromkeys(name for mark in far for name in mark.names))

    @property
    def title(self) -> str:
        """What is drawn."""
        count = max(sum(len(mark.names) for mark in row.marks) for row in self.rows)
        return f"{self.measure}: values under {plural(count, self.kind)}"

    @property
    def legend(self) -> str:
        """What the marks stand for."""
        parts = [f"{CHOSEN} {self.chosen}"] if any(row.mark_of(self.chosen) for row in self.rows) else []
        several = any(len(mark.names) > 1 for row in self.rows for mark in row.marks)
        parts += [f"larger marks: more {self.kind}s"] if several else []
        return "; ".join([*parts, *self.far_words])

    @property
    def far_words(self) -> list[str]:
        """What is drawn at an end of the axis, though it is beyond it."""
        return [f"at an end and beyond it: {StripMark(0.0, self.beyond).label()}"] if self.beyond else []

    def words(self, row: StripRow) -> str:
        """The spread of a row, and the place of the chosen name in it."""
        low, high = row.marks[0], row.marks[-1]
        if len(row.marks) == 1:
            return f"{number(low.value, self.digits)} under all"
        ends = " to ".join(f"{number(one.value, self.digits)} ({one.label(self.chosen)})" for one in (low, high))
        spread = f"range {number(high.value - low.value, self.digits)}"
        mark = row.mark_of(self.chosen)
        if mark is None:
            return f"{ends}; {spread}"
        below = sum(one.value < mark.value for one in row.marks)
        place = f"{self.chosen} {number(mark.value, self.digits)}, above {below} of {len(row.marks)} values"
        return f"{ends}; {spread}; {place}"

    def caption(self, row: StripRow) -> str:
        """The words of a row, with the name of its run."""
        return f"{row.run}: {self.words(row)}" if row.run else self.words(row)


def block_lines(plot: StripPlot, width: int | None) -> Iterator[str]:
    """The picture in a terminal: below the words of each row a line of blocks, below the last one the axis."""
    room = min(width or READABLE, READABLE)
    names = [short(row.run, max(8, room // 3)) if len(plot.rows) > WORDY else "" for row in plot.rows]
    indent = INDENT + max(map(cell_len, names))
    columns = max(SHORTEST, min(room - indent, 72))
    chosen = [f"{CHOSEN} {plot.chosen}"] if any(row.mark_of(plot.chosen) for row in plot.rows) else []
    yield from wrapped("; ".join([plot.title, *chosen, *plot.far_words]), room, rest="    ")
    for row, name in zip(plot.rows, names, strict=True):
        yield from () if name else wrapped(plot.caption(row), room, rest="    ")
        yield f"{name}{' ' * (indent - cell_len(name))}{_blocks(plot, row, columns)}".rstrip()
    low, high = number(plot.low, plot.digits), number(plot.high, plot.digits)
    if plot.low < plot.high:
        yield f"{' ' * indent}{low}{' ' * (columns - len(low) - len(high))}{high}"


def _blocks(plot: StripPlot, row: StripRow, columns: int) -> str:
    """A column for each piece of the axis, as high as there are names in it; the chosen name's is marked."""
    counts, line = [0] * columns, [" "] * columns
    for mark in row.marks:
        counts[_column(plot, mark, columns)] += len(mark.names)
    steps = (len(BLOCKS) - 1) / math.log(max(2, *counts))
    for place, count in enumerate(counts):
        if count:
            line[place] = BLOCKS[round(math.log(count) * steps)]
    chosen = row.mark_of(plot.chosen)
    if chosen is not None:
        line[_column(plot, chosen, columns)] = CHOSEN
    return "".join(line)


def _column(plot: StripPlot, mark: StripMark, columns: int) -> int:
    return round(plot.place(mark.value) * (columns - 1))
