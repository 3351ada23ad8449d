"""How far numbers move with their definitions, as a picture: a heat map, and lines beside it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.errors import InputError
from rankconv.escaping import plotted
from rankconv.ranking.rows import Numbers
from rankconv.report.picture import (
    DOWN,
    INK,
    LINE,
    MARGIN,
    NAME,
    QUIET,
    SMALL,
    UP,
    inches,
    picture,
    title,
    title_height,
)
from rankconv.report.sensitivity_table import short
from rankconv.report.tables import number
from rankconv.varying.variations import AS_IS, THRESHOLDS, TIES, Variation

if TYPE_CHECKING:
    from rankconv.varying.result import Sensitivity

ROW, COLUMN, LINES, REST = 0.26, 0.8, 4.6, 1.3
"""Inches: height of a row, width of a column, width of the lines, and what is above and below besides heads."""
ENTRY = 0.22
"""Inches that a run takes in the legend."""
HEAT = "GnBu"
"""The colour map."""
COLOURS, STYLES = 10, ("-", "--", ":", "-.")
"""Different colours of lines, and the styles that more runs have."""
DARK = 0.6
"""From this share of the colours on, text on them is white."""


def draw(found: "Sensitivity", file: Path, digits: int) -> None:
    """Write the picture; the end of the file's name says whether SVG or PNG."""
    variations = [AS_IS, *(one for kind in found.kinds[1:] for one in found.of_kind(kind))]
    if len(found.runs) > 1:
        groups = found.comparison.groups(found.metric, digits)
        columns = [plotted(run) for run in found.runs]
    else:
        groups = found.grouped(found.runs[0], variations, digits)
        columns = [_headed(one) for one in variations]
    if not groups:
        raise InputError("there is nothing to draw", do="No preset gives a number on these data.")
    values = np.array(list(groups))
    rows = [_named(names) for names in groups.values()]
    several = len(found.runs) > 1
    of_run = f" of {found.runs[0]}" if found.runs[0] and not several else ""
    presets = sum(map(len, groups.values()))
    told = f"{found.metric}{of_run} under {presets} preset{'s' * (presets != 1)}"
    wide = inches(rows, SMALL) + _column(values, digits) * len(columns) + MARGIN
    lines = LINES + inches(columns, NAME) + 2 * MARGIN if several else max(LINES, COLUMN * len(columns))
    height = max(ROW * len(groups), ENTRY * len(columns) if several else 0, MARGIN * 5)
    heads = REST + _head_height(columns, _column(values, digits)) + title_height(told, wide + lines)
    with picture(file, wide + lines, heads + height, (wide, lines)) as (left, right):
        _heat(left, values, columns, rows, digits)
        left.set_xlabel("run" if several else "what is varied", fontsize=NAME)
        if several:
            _runs(right, values, columns, left, _lower(found))
        else:
            _variations(right, values, columns)
            right.set_ylabel(plotted(found.metric), fontsize=NAME)
            right.set_xlabel("what is varied", fontsize=NAME)
        title(left, told)


def _column(values: Numbers, digits: int) -> float:
    """Inches that a column of numbers takes."""
    return max(COLUMN, inches([number(value, digits) for value in values.ravel()], SMALL) + MARGIN / 2)


def _upright(columns: list[str], room: float) -> bool:
    """Whether the heads are turned, since they would run into each other."""
    return inches(columns, NAME) + MARGIN / 2 > room


def _head_height(columns: list[str], room: float) -> float:
    lines = max(head.count("\n") for head in columns) + 1
    return inches(columns, NAME) if _upright(columns, room) else lines * LINE


def _heads(axes: Any, columns: list[str], room: float) -> None:
    """The names of the columns above them."""
    turned = {"rotation": 90, "va": "bottom"} if _upright(columns, room) else {}
    axes.set_xticks(range(len(columns)), columns, fontsize=NAME, **turned)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")


def _lower(found: "Sensitivity") -> bool:
    """Whether the best run has the least value."""
    return any(found.comparison.lower_is_better(found.metric, preset) for preset in found.comparison.presets)


def _headed(variation: Variation) -> str:
    heads = {TIES: "ties\n", THRESHOLDS: "relevant\nfrom "}
    return heads.get(variation.kind, "") + plotted(short(variation))


def _named(names: list[str]) -> str:
    first = min(names)
    return f"{first} +{len(names) - 1}" if len(names) > 1 else first


def _heat(axes: Any, values: Numbers, columns: list[str], rows: list[str], digits: int) -> None:
    """A row for each different number, with how many presets share it."""
    low, high = np.nanmin(values), np.nanmax(values)
    axes.imshow(values, cmap=HEAT, aspect="auto", vmin=low, vmax=high)
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            colour = "white" if value - low > DARK * (high - low) else INK
            axes.text(column, row, number(value, digits), ha="center", va="center", color=colour, fontsize=SMALL)
    _heads(axes, columns, _column(values, digits))
    axes.set_yticks(range(len(rows)), [plotted(name) for name in rows], fontsize=SMALL)
    axes.set_ylabel("presets", fontsize=NAME)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _runs(axes: Any, values: Numbers, runs: list[str], rows: Any, lower_is_better: bool) -> None:
    """A line for each run down the same rows: where two lines cross, the order of the runs changes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = 100 * (values / values.mean(axis=1, keepdims=True) - 1)
    for place, run in enumerate(runs):
        style = {"color": f"C{place % COLOURS}", "linestyle": STYLES[place // COLOURS % len(STYLES)]}
        axes.plot(apart[:, place], range(len(apart)), marker="o", markersize=4, linewidth=1.5, label=run, **style)
    axes.axvline(0, color=QUIET, linewidth=1, zorder=0)
    axes.set_ylim(len(apart) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xlabel("% above the mean of the runs", fontsize=NAME)
    axes.tick_params(axis="x", labelsize=NAME)
    axes.locator_params(axis="x", nbins=6)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), fontsize=NAME, borderaxespad=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    first = (values.argmin if lower_is_better else values.argmax)(axis=1)
    usual = np.bincount(first).argmax()
    for row in np.flatnonzero(first != usual):
        axes.axhspan(row - 0.5, row + 0.5, color=DOWN, alpha=0.12, linewidth=0)
        rows.get_yticklabels()[row].set_color(DOWN)


def _variations(axes: Any, values: Numbers, columns: list[str]) -> None:
    """A line for each row of the heat map, over its columns."""
    places = np.arange(len(columns))
    for row in values:
        axes.plot(places, row, "o-", markersize=3, linewidth=1.1, color=UP, alpha=0.55)
    _heads(axes, columns, COLUMN)
    axes.set_xlim(-0.3, len(columns) - 0.7)
    axes.grid(axis="x", color=QUIET, linewidth=0.8)
    axes.yaxis.tick_right()
    axes.yaxis.set_label_position("right")
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
