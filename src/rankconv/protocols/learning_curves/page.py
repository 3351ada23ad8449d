"""Learning curves as a page."""

from collections.abc import Iterator

import numpy as np

from rankconv.pages.cells import ABSENT, number, plural
from rankconv.pages.page import Heading, Line, Page, Paragraph, Piece
from rankconv.pages.table import Table
from rankconv.protocols.learning_curves.result import CurveNumbers

SHOWN = (1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 150, 199, 200)
"""Of many numbers given those that a terminal shows, and the last."""


def curve_page(curve: CurveNumbers, digits: int) -> Page:
    """The numbers of the curves, some of their points, crossings, and faults."""
    sections: list[list[Piece]] = [
        [Heading(f"One number for each curve: {metric}"), numbers_table(curve, metric, digits)]
        for metric in curve.metrics
    ]
    if curve.split.nested:
        sections += [
            [Heading(f"{metric} after so many ratings"), points_table(curve, metric, digits)]
            for metric in curve.metrics
        ]
        sections.append([Heading("Where to switch"), *_crossings(curve, digits)])
    faults = [
        Line(f"{name}: {', '.join(f'{kind} {count:,}' for kind, count in found.items())}")
        for name, found in curve.faults.items()
        if found
    ]
    sections += [[Heading("Faults of recommenders"), *faults]] if faults else []
    return Page([*sections, [Paragraph(curve.split.sentence)]])


def numbers_table(curve: CurveNumbers, metric: str, digits: int) -> Table:
    """A row for each recommender: both readings of the one number, with intervals."""
    rows = []
    for name in curve.recommenders:
        row = [name]
        for users_first in (True, False):
            between = curve.number_interval(name, metric, users_first=users_first)
            told = number(curve.number(name, metric, users_first=users_first), digits)
            row += [told, f"{number(between.low, digits)} to {number(between.high, digits)}"]
        rows.append(row)
    return Table(["recommender", "users first", "95 %", "given first", "95 %"], rows)


def points_table(curve: CurveNumbers, metric: str, digits: int) -> Table:
    """A row for each number given, with users and the mean of each recommender."""
    first = curve.grids[curve.recommenders[0], metric]
    given = first.given[first.shown]
    chosen = [
        at for at, one in enumerate(given.tolist()) if len(given) <= len(SHOWN) or one in SHOWN or at == len(given) - 1
    ]
    rows = []
    for at in chosen:
        row = [str(given[at]), str(first.users[first.shown][at])]
        for name in curve.recommenders:
            grid = curve.grids[name, metric]
            place = np.flatnonzero(grid.given[grid.shown] == given[at])
            row.append(number(float(grid.means()[place[0]]), digits) if len(place) else ABSENT)
        rows.append(row)
    few = f"No number given has {first.least} users: the protocol's answer to least-users leaves out all points."
    return Table(["given", "users", *curve.recommenders], rows, 0, [] if rows else [few])


def _crossings(curve: CurveNumbers, digits: int) -> Iterator[Piece]:
    found = [(metric, one) for metric, each in curve.crossings.items() for one in each]
    for metric, one in found:
        yield Paragraph(
            f"{metric}: {one.first} first, {one.then} from {plural(one.at, 'rating')} on "
            f"(95 % from {one.interval.low:g} to {one.interval.high:g}; best in {one.share:.0%} of the draws). "
            f"Together {number(one.combined, digits)}, the switch being chosen on the same users; the curves change "
            f"places {'once' if one.changes == 1 else f'{one.changes} times'}.",
            rest="  ",
        )
    if not found:
        yield Line("No switch between two of them is better than one of them throughout.")
