"""Prints what was compared, once the oracle tests have run."""

from typing import Any

from tests.oracles import test_oracles

COLUMNS = ("compared", "equal", "refused alike", "excepted", "not yet")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    tallies = test_oracles.TALLIES
    if not tallies:
        return
    terminalreporter.section("results of real systems")
    terminalreporter.line(f"{'system':<14}" + "".join(f"{name:>15}" for name in COLUMNS) + f"{'failing':>10}")
    for system, tally in tallies.items():
        numbers = "".join(f"{tally.counts[name]:>15}" for name in COLUMNS)
        terminalreporter.line(f"{system:<14}{numbers}{len(tally.failures):>10}")
