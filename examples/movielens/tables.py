"""How the numbers of many presets are printed: those that agree share a line."""

from collections.abc import Mapping
from dataclasses import replace

from rankconv.evaluation.results.comparison import absent_words, values_of
from rankconv.rendering.pages.page import Aside, Page
from rankconv.rendering.pages.text import text
from rankconv.typing import Comparison

WIDTH = 80


def metric_table(comparison: Comparison, metric: str) -> str:
    """The numbers of one metric from lowest to highest, each with the presets that give it."""
    groups = comparison.by_value(metric)
    first = {one.means: leader(comparison, metric, one.names[0]) for one in groups}
    marks = {means: f"   <- {run} is first" for means, run in first.items() if run != comparison.runs[0]}
    absent = absent_words(comparison, metric)
    values = values_of(groups, comparison.runs, steps=False, notes=marks, absent=absent)
    return text(Page([[values]]), WIDTH)


def leader(comparison: Comparison, metric: str, preset: str) -> str:
    """The better of the runs."""
    return comparison.orders(metric)[preset][0]


def summary_table(comparison: Comparison, titles: Mapping[str, str]) -> str:
    """How many different numbers there are, how far they spread, and how often each run is first."""
    lines = [f"{'':<8}{'presets':>8}{'different':>11}" + "".join(f"{run:>18}{'first':>7}" for run in comparison.runs)]
    for metric, title in titles.items():
        cells = "".join(_spread(comparison, metric, run) for run in comparison.runs)
        orders, values = len(comparison.orders(metric)), len(comparison.groups(metric))
        lines.append(f"{title:<8}{orders:>8}{values:>11}{cells}")
    return "\n".join(lines)


def _spread(comparison: Comparison, metric: str, run: str) -> str:
    orders = comparison.orders(metric)
    means = [comparison[metric, preset, run] for preset in orders]
    return f"{f'{min(means):.4f} to {max(means):.4f}':>18}{sum(order[0] == run for order in orders.values()):>7}"


def order_notes(comparison: Comparison, titles: Mapping[str, str]) -> str:
    """For each preset with the other winner: the preset most like it that has the usual one, and what parts them."""
    notes = []
    for metric, title in titles.items():
        orders = comparison.orders(metric)
        usual = [preset for preset in orders if orders[preset][0] == comparison.runs[0]]
        for preset in sorted(orders.keys() - usual):
            near, settings = nearest(comparison, preset, usual, metric)
            line = f"{preset} differs from {near} only in {', '.join(settings)}"
            notes.append(Aside(f"{title:<7}", line))
    return text(Page([notes]), WIDTH) or "It does not."


def nearest(comparison: Comparison, preset: str, others: list[str], metric: str) -> tuple[str, list[str]]:
    """The one of the other presets with the fewest settings between it and this one that matter on these data."""
    separating = replace(comparison, metrics=[metric], presets=[preset, *others]).separating
    near = min(others, key=lambda other: len(separating[other]))
    return near, list(replace(comparison, metrics=[metric], presets=[near, preset]).separating[preset])
