"""Prints what was compared, once the oracle tests have run, side by side or one after the other."""

from collections import Counter
from typing import Any

import pytest

from tests.oracles.harness import TALLIES, Tally

COLUMNS = ("compared", "equal", "refused by both", "excepted", "not yet")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker sends its own."""
    if hasattr(session.config, "workeroutput"):
        told = {system: (dict(tally.counts), tally.failures) for system, tally in TALLIES.items()}
        session.config.workeroutput["tallies"] = told


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Those of a worker arrive."""
    for system, (counts, failures) in getattr(node, "workeroutput", {}).get("tallies", {}).items():
        TALLIES[system] = Tally(Counter(counts), failures)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if not TALLIES:
        return
    terminalreporter.section("results of real systems")
    terminalreporter.line(f"{'system':<14}" + "".join(f"{name:>15}" for name in COLUMNS) + f"{'failing':>10}")
    for system, tally in sorted(TALLIES.items()):
        numbers = "".join(f"{tally.counts[name]:>15}" for name in COLUMNS)
        terminalreporter.line(f"{system:<14}{numbers}{len(tally.failures):>10}")
