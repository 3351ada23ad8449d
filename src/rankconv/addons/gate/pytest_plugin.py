"""The plugin of pytest: a fixture that gates in a test, and the baseline as an option of the command.

def test_search(rankconv):
    rankconv.gate("labels.csv", "branch.csv", "ndcg@10", at_least=0.3, not_worse_by=0.01)

pytest --rankconv-baseline main.csv
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

OPTION = "--rankconv-baseline"
_PROPERTY = "rankconv gate"
"""Under which the report of a test has its verdicts; JUnit files too."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of the baseline."""
    parser.getgroup("rankconv").addoption(
        OPTION,
        metavar="PATH",
        help="run or saved result that gates compare with; of a folder, the file with the name of the test",
    )


class Gates:
    """What the fixture `rankconv` is: gates with the baseline that the command names."""

    def __init__(self, node: pytest.Item, baseline: Path | None) -> None:
        self.baseline = baseline
        """The run or the saved result of the option, for this test; None without the option."""
        self.lines: list[str] = []
        """The verdict of each gate, with the definitions and the digests of its data."""
        self._node = node

    def gate(self, labels: Any, run: Any, metrics: Any = None, preset: Any = None, **given: Any) -> Any:
        """Fail the test, with the table, unless the run passes or no list changed.

        Takes what `rc.gate` takes, and returns its result. The baseline is that of the option, unless `baseline` is
        given. Where there is none, a margin is not decided: floors are, and without one the test is skipped.
        """
        from rankconv.addons.gate.gate import gate

        if given.get("baseline") is None:
            given["baseline"] = self.baseline
        margin = given.get("not_worse_by")
        if given["baseline"] is None and margin is not None:
            if given.get("at_least") is None:
                pytest.skip(f"a margin needs a baseline: {OPTION} PATH")
            metrics = metrics or [*({**given["at_least"]} if isinstance(given["at_least"], dict) else ())]
            given["not_worse_by"] = None
            self._keep(f"not decided without {OPTION}: not worse by {margin}")
        found = gate(labels, run, metrics, preset, **given)
        self._keep(found.summary)
        found.require()
        return found

    def _keep(self, line: str) -> None:
        self.lines.append(line)
        self._node.user_properties.append((_PROPERTY, line))


@pytest.fixture
def rankconv(request: pytest.FixtureRequest) -> Iterator[Gates]:
    """Gates of ranking metrics: `rankconv.gate(labels, run, "ndcg@10", at_least=0.3, not_worse_by=0.01)`."""
    given = request.config.getoption(OPTION)
    gates = Gates(request.node, None if given is None else _baseline(Path(given), request.node.name))
    yield gates
    if gates.lines:
        request.node.add_report_section("call", "rankconv", "\n".join(gates.lines))


def _baseline(path: Path, test: str) -> Path:
    """The file of the option; of a folder, the file whose name is that of the test, whatever its ending."""
    if not path.exists():
        raise pytest.UsageError(f"{OPTION} {path}: there is no such file or folder")
    if path.is_file():
        return path
    name = test.partition("[")[0]
    found = sorted(one for one in path.iterdir() if one.stem in (test, name))
    found = [one for one in found if one.stem == test] or found
    if len(found) != 1:
        raise pytest.UsageError(
            f"{OPTION} {path}: {'no file' if not found else 'more than one file'} there is named {name}, as the test"
        )
    return found[0]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the verdict of each gate, which names definitions and data, below the tests."""
    reports = [one for state in terminalreporter.stats.values() for one in state if hasattr(one, "user_properties")]
    lines = [line for one in reports for name, line in one.user_properties if name == _PROPERTY]
    if lines:
        terminalreporter.section("rankconv")
        for line in dict.fromkeys(lines):
            terminalreporter.write_line(line)
