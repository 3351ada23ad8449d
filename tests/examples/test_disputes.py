"""Each side of a dispute has the number that it printed, and the page is what the commands print."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc

FOLDER = Path(__file__).parents[2] / "examples" / "disputes"
REFRESH = "python examples/disputes/settle.py > examples/disputes/README.md"

sys.path.insert(0, str(FOLDER))
from settle import disputes  # noqa: E402

sys.path.remove(str(FOLDER))


@pytest.mark.parametrize("dispute", disputes(), ids=lambda one: str(one["folder"]))
def test_each_side_has_its_number(dispute: dict[str, Any]) -> None:
    labels, run = (rc.labels(FOLDER / dispute["folder"] / "labels.csv"), FOLDER / dispute["folder"] / "run.csv")
    for preset, printed in dispute["numbers"].items():
        digits = len(printed.partition(".")[2])
        number = rc.evaluate(labels, run, dispute["metric"], preset)[dispute["metric"]]
        assert f"{number:.{digits}f}".rstrip(".") == printed.rstrip("."), preset


def test_the_page_is_what_is_printed(run_here: Callable[[str], str]) -> None:
    page = (FOLDER / "README.md").read_text("utf-8")
    assert page == run_here("disputes/settle.py"), f"the page is old; refresh it with: {REFRESH}"
