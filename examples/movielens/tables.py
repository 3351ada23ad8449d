"""How the numbers of many presets are printed: those that agree share a line."""

from collections.abc import Mapping
from textwrap import fill

import rankconv as rc

WIDTH = 100
CELL = 12


def metric_table(comparison: rc.Comparison, metric: str) -> str:
    """The numbers of one metric from lowest to highest, each with the presets that give it."""
    lines = ["".join(f"{run:>{CELL}}" for run in comparison.runs) + "   presets"]
    for numbers, presets in comparison.groups(metric).items():
        first = leader(comparison, metric, presets[0])
        mark = "" if first == comparison.runs[0] else f"   <- {first} is first"
        cells = "".join(f"{number:>{CELL}.4f}" for number in numbers)
        lines.append(_beside(cells, ", ".join(sorted(presets)) + mark))
    lines += [_beside(f"{'none':>{CELL * len(comparison.runs)}}", text) for text in _absent(comparison, metric)]
    return "\n".join(lines)


def leader(comparison: rc.Comparison, metric: str, preset: str) -> str:
    """The better of the runs."""
    return comparison.orders(metric)[preset][0]


def _absent(comparison: rc.Comparison, metric: str) -> list[str]:
    """Who refuses these data and why, and how many do not have the metric."""
    presets_by_reason: dict[str, list[str]] = {}
    for preset in sorted(comparison.presets):
        cells = [comparison.cell(metric, preset, run) for run in comparison.runs]
        for refusal in [refusal for cell in cells if cell for refusal in cell.refusals][:1]:
            presets_by_reason.setdefault(refusal.why, []).append(preset)
    missing = sum(comparison.cell(metric, preset) is None for preset in comparison.presets)
    texts = [f"{', '.join(presets)}: {why}" for why, presets in presets_by_reason.items()]
    return [*texts, f"{missing} others, which do not define it"] if missing else texts


def summary_table(comparison: rc.Comparison, titles: Mapping[str, str]) -> str:
    """How many different numbers there are, how far they spread, and how often each run is first."""
    lines = [f"{'':<10}{'presets':>8}{'different':>11}" + "".join(f"{run:>20}{'first':>8}" for run in comparison.runs)]
    for metric, title in titles.items():
        cells = "".join(_spread(comparison, metric, run) for run in comparison.runs)
        asked, values = len(comparison.orders(metric)), len(comparison.groups(metric))
        lines.append(f"{title:<10}{asked:>8}{values:>11}{cells}")
    return "\n".join(lines)


def _spread(comparison: rc.Comparison, metric: str, run: str) -> str:
    orders = comparison.orders(metric)
    means = [comparison[metric, preset, run] for preset in orders]
    return f"{f'{min(means):.4f} to {max(means):.4f}':>20}{sum(order[0] == run for order in orders.values()):>8}"


def order_notes(comparison: rc.Comparison, titles: Mapping[str, str], labels: rc.Labels, runs: rc.Runs) -> str:
    """For each preset with the other winner: the preset most like it that has the usual one, and what parts them."""
    notes = []
    for metric, title in titles.items():
        orders = comparison.orders(metric)
        usual = [preset for preset in orders if orders[preset][0] == comparison.runs[0]]
        for preset in sorted(orders.keys() - usual):
            near, answers = nearest(preset, usual, metric, labels, runs)
            notes.append(_beside(f"{title:<7}", f"{preset} differs from {near} only in {', '.join(answers)}"))
    return "\n".join(notes) or "It does not."


def nearest(preset: str, others: list[str], metric: str, labels: rc.Labels, runs: rc.Runs) -> tuple[str, list[str]]:
    """The one of the other presets with the fewest answers between it and this one that matter on these data."""
    apart = rc.compare(labels, runs, metric, [preset, *others]).separating
    near = min(others, key=lambda other: len(apart[other]))
    return near, list(rc.compare(labels, runs, metric, [near, preset]).separating[preset])


def _beside(numbers: str, text: str) -> str:
    """A line of a table; its text goes on below itself."""
    first, rest = f"{numbers}   ", " " * (len(numbers) + 3)
    return fill(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
