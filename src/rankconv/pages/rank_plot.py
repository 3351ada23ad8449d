"""Lists rank by rank, as a picture: what each rank adds as a bar, the ideal list as outline; several side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.escaping import plotted
from rankconv.pages.cells import short
from rankconv.pages.picture import DOWN, INK, MARGIN, NAME, QUIET, SMALL, UP, Target, broken, inches, picture, title

ROW, BARS, REST = 0.3, 4.6, 1.9
"""Inches: height of a rank, width of the bars, and what is above and below them."""
HIGH = 0.7
"""Of the room of a rank, what its bar takes."""
NAMED, TALLEST = 50, 12.0
"""Ranks up to which items and numbers stand next to their bars; inches that more ranks share."""
LETTERS = 40
"""Of an item's id that are drawn."""
HIT, OTHER, IDEAL, NOTHING = "relevant", "not relevant", "ideal list", "adds nothing"


@dataclass(frozen=True)
class RankBars:
    """What each rank of a list adds to a number."""

    name: str
    items: Sequence[str]
    """Of the list, from the first rank on."""
    heights: Sequence[float]
    hits: Sequence[bool]
    """Which items are relevant and count."""
    ideal: Sequence[float]
    """What each rank of the ideal list adds."""
    unit: str
    """What the heights are."""

    @property
    def ranks(self) -> int:
        """How many there are to draw."""
        return max(len(self.heights), len(self.ideal), 1)

    @property
    def named(self) -> list[str]:
        """Each rank with its item; none where there are too many."""
        if self.ranks > NAMED:
            return []
        items = [short(item, LETTERS) for item in self.items[: self.ranks]]
        items += [""] * (self.ranks - len(items))
        return [f"{item}  {rank}".strip() for rank, item in enumerate(items, start=1)]

    @property
    def labels(self) -> list[str]:
        """What is at the end of each bar: its number, and the ideal one where that is another."""
        if self.ranks > NAMED:
            return []
        labels = []
        for at in range(self.ranks):
            ours, ideal = (values[at] if at < len(values) else None for values in (self.heights, self.ideal))
            parts = [] if ours is None or not (ours or ideal) else [_short(ours)]
            labels.append(" ".join([*parts, *([f"(ideal {_short(ideal)})"] if ideal and ideal != ours else [])]))
        return labels


def draw(given: Sequence[RankBars], name: str, file: Target) -> None:
    """Draw the picture."""
    ranks = max(one.ranks for one in given)
    widths = [inches(one.named, NAME) + inches(one.labels, SMALL) + BARS + MARGIN for one in given]
    height = REST + min(ROW * ranks, TALLEST if ranks > NAMED else ROW * NAMED)
    with picture(file, sum(widths), height, tuple(widths)) as drawn:
        panels = [drawn] if len(given) == 1 else list(drawn)
        for axes, one in zip(panels, given, strict=True):
            _bars(axes, one)
            _frame(axes, one, ranks)
            axes.set_title(broken(one.name, BARS, NAME), fontsize=NAME, loc="left", color=INK)
        title(panels[0], name)
        marks = {label: mark for axes in panels for mark, label in zip(*axes.get_legend_handles_labels(), strict=True)}
        if marks:
            panels[0].figure.legend(
                marks.values(), marks.keys(), loc="outside lower left", ncols=2, frameon=False, fontsize=NAME
            )


def _short(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if 1e-4 <= abs(value) < 1e6 or not value else f"{value:.3g}"


def _bars(axes: Any, given: RankBars) -> None:
    heights, best = given.heights, given.ideal
    hits = [at < len(given.hits) and given.hits[at] for at in range(len(heights))]
    for hit, colour, label in ((True, UP, HIT), (False, QUIET, OTHER)):
        places = [at + 1 for at, one in enumerate(hits) if one is hit and heights[at]]
        if places:
            axes.barh(places, [heights[place - 1] for place in places], height=HIGH, color=colour, label=label)
    nothing = [at + 1 for at, value in enumerate(heights) if not value]
    if nothing:
        axes.plot([0] * len(nothing), nothing, "x", color="#8a979e", markersize=4, clip_on=False, label=NOTHING)
    _outline(axes, best)
    for rank, label in enumerate(given.labels, start=1):
        end = max([0.0, *(values[rank - 1] for values in (heights, best) if rank <= len(values))])
        place = {"xytext": (5, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(label, (end, rank), fontsize=SMALL, color=INK, **place)


def _outline(axes: Any, best: Sequence[float]) -> None:
    """The ideal list: bars without a filling, or one line where there are many."""
    line = {"linewidth": 1.4, "label": IDEAL}
    if len(best) > NAMED:
        edges = [at + 0.5 for at in range(len(best) + 1)]
        axes.stairs(best, edges, orientation="horizontal", color=DOWN, **line)
    elif best:
        axes.barh(range(1, len(best) + 1), best, height=HIGH + 0.1, facecolor="none", edgecolor=DOWN, **line)


def _frame(axes: Any, given: RankBars, ranks: int) -> None:
    axes.set_xlabel(given.unit, fontsize=NAME)
    axes.set_ylabel("item and rank" if given.named else "rank", fontsize=NAME)
    axes.set_ylim(ranks + 0.6, 0.4)
    low, high = min([0.0, *given.heights]), max([0.0, *given.heights, *given.ideal])
    room = inches(given.labels, SMALL) + MARGIN / 2
    axes.set_xlim(low * 1.05, low + ((high - low) or 1.0) * (1 + room / BARS))
    axes.locator_params(axis="x", nbins=5)
    axes.tick_params(axis="x", labelsize=NAME)
    axes.ticklabel_format(axis="x", useOffset=False)
    axes.spines[["top", "right"]].set_visible(False)
    if given.named:
        names = [plotted(name) for name in given.named]
        axes.set_yticks(range(1, len(names) + 1), names, fontsize=NAME)
        axes.tick_params(axis="y", length=0, pad=6)
    else:
        axes.yaxis.get_major_locator().set_params(integer=True)
