"""Why two numbers differ, as a table and as plain data."""

import math
from typing import Any

from rankconv.analysis.why.shapley import DRAWN
from rankconv.analysis.why.shares import Contribution, Shares
from rankconv.pages.cells import finite, number
from rankconv.pages.table import Table


def digits_for(found: Shares, digits: int | None) -> int:
    """Decimals that show the difference: four, or more where it is small."""
    if digits is not None:
        return digits
    small = 2 - math.floor(math.log10(abs(found.difference))) if found.difference else 4
    return min(max(4, small), 17)


def shares(found: Shares, digits: int) -> list[str]:
    """The shares, rounded so that they add up to the difference of the numbers as printed.

    Each is rounded down, and what is then missing is given to those that lost most, one unit each.
    """
    units = [one.exact * 10**digits for one in found.contributions]
    down = [math.floor(unit) for unit in units]
    missing = round(found.second.mean * 10**digits) - round(found.first.mean * 10**digits) - sum(down)
    lost_most = sorted(range(len(units)), key=lambda place: down[place] - units[place])
    for rank, place in enumerate(lost_most):
        down[place] += missing // len(units) + (rank < missing % len(units))
    return [f"{unit / 10**digits:+.{digits}f}" for unit in down]


def attribution_table(found: Shares, digits: int | None = None) -> Table:
    """The first number, what each setting adds, the second number."""
    decimals = digits_for(found, digits)
    rows = [[found.ours.name, "", "", number(found.first.mean, decimals)]]
    for one, share in zip(found.contributions, shares(found, decimals), strict=True):
        before, after = ([f"{q}={pair[side]}" for q, pair in one.player.turned.items()] for side in (0, 1))
        rows.append(["", ", ".join(before), ", ".join(after), share])
    rows.append([found.other.name, "", "", number(found.second.mean, decimals)])
    heads = ["definition", "setting", "turned to", found.metric]
    return Table(heads, rows, labels=3, notes=notes(found, decimals))


def notes(found: Shares, digits: int) -> list[str]:
    """How the shares were found, who counts, and what has no effect."""
    ours, other = found.counted
    said = [f"Users counted: {ours} in both." if ours == other else f"Users counted: {ours}, then {other}."]
    said += [f"Only together they have a number, and were turned as one: {one.text}." for one in found.together]
    if len(found.contributions) > 1:
        said.append(_orders(found, digits))
    if found.no_effect:
        said.append(f"No effect on these data: {', '.join(one.text for one in found.no_effect)}.")
    return said


def _orders(found: Shares, digits: int) -> str:
    """Over which orders of turning the answers the shares are means."""
    if found.sampled:
        largest = max(one.standard_error for one in found.contributions)
        which = f"{found.orders} orders drawn at random; standard errors up to {largest:.{digits}f}"
        dropped = DRAWN - found.orders
    elif found.orders < found.possible:
        which = f"{found.orders:,} of {found.possible:,} orders"
        dropped = found.possible - found.orders
    else:
        dropped = 0
        which = "both orders" if found.orders == 2 else f"all {found.orders:,} orders of turning the settings"
    why = "because a step on the way has no number. This changes the shares."
    return f"Shares are means over {which}.{f' {dropped:,} orders were dropped, {why}' if dropped else ''}"


def data_of(found: Shares) -> dict[str, Any]:
    """All of it, with the users who have the largest parts."""
    return {
        "metric": found.metric,
        "definitions": [found.ours.definition.text, found.other.definition.text],
        "means": [found.first.mean, found.second.mean],
        "difference": found.difference,
        "users": list(found.counted),
        "contributions": [_contribution(found, one) for one in found.contributions],
        "no_effect": [_settings(one.turned) for one in found.no_effect],
        "orders": {"taken": found.orders, "possible": found.possible, "sampled": found.sampled},
    }


def _contribution(found: Shares, one: Contribution) -> dict[str, Any]:
    movers = [
        {"user": mover.user, "part": mover.part, "values": [finite(mover.before), finite(mover.after)]}
        for mover in found.movers(one)
    ]
    told = {"settings": _settings(one.player.turned), "share": one.share, "exact": str(one.exact)}
    return told | ({"standard_error": one.standard_error} if found.sampled else {}) | {"users": movers}


def _settings(turned: Any) -> dict[str, list[str]]:
    return {convention_name: list(settings) for convention_name, settings in turned.items()}
