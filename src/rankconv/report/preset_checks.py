"""What `presets --check` prints: each number that a preset's file asks for, next to what came out."""

import math
from collections.abc import Sequence

from rankconv.preset_checks import Checked
from rankconv.report.table import Table


def checks_table(found: Sequence[Checked]) -> Table:
    """One row per check; what fails says so."""
    rows = [[one.preset, one.metric, one.user, one.asked, _number(one), "ok" if one.ok else "fails"] for one in found]
    notes = [f"{', '.join(filter(None, (one.preset, one.metric)))}: {one.why}" for one in found if one.why]
    return Table(["preset", "metric", "user", "asked", "found", "check"], rows, labels=6, notes=notes)


def closing_line(found: Sequence[Checked], presets: int) -> str:
    """How many there are, and how many fail."""
    if not found:
        return "There are no checks: a preset holds them under 'checks:'."
    failed = sum(not one.ok for one in found)
    told = f"{len(found)} check{'s' if len(found) > 1 else ''} of {presets} preset{'s' if presets > 1 else ''}"
    return f"{told}: {f'{failed} fail' + ('' if failed > 1 else 's') if failed else 'all agree'}."


def _number(one: Checked) -> str:
    return "–" if one.why else "NaN" if math.isnan(one.found) else f"{one.found:.15g}"
