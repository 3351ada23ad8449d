"""Each side of a dispute has the number that it printed, and the page is what the commands print."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from tests.laws import examples
from tests.readme import DOCS

FOLDER = Path(__file__).parents[2] / "examples" / "disputes"
REFRESH = "python examples/disputes/settle.py > docs/explanation/disputes.md"

sys.path.insert(0, str(FOLDER))
from settle import disputes  # noqa: E402

sys.path.remove(str(FOLDER))


@pytest.mark.parametrize("dispute", disputes(), ids=lambda one: str(one["folder"]))
def test_each_side_has_its_number(dispute: dict[str, Any]) -> None:
    labels, run = (rc.Labels(FOLDER / dispute["folder"] / "labels.csv"), FOLDER / dispute["folder"] / "run.csv")
    for side, printed in dispute["numbers"].items():
        spec = side if ":" in side else f"{side}:{dispute['metric']}"
        number = rc.evaluate(labels, run, spec, users=[dispute["user"]] if "user" in dispute else None)[spec]
        assert f"{number:.{len(printed.partition('.')[2])}f}".rstrip(".") == printed.rstrip("."), side


def test_every_thread_is_named_once() -> None:
    threads = [one["thread"] for kind in ("settled", "without-data") for one in disputes(kind)]
    assert all(thread.startswith("https://") for thread in threads)
    assert len(set(threads)) == len(threads) >= 16


@pytest.mark.skipif(examples.REQUESTED == "quick", reason="the page is printed anew each night")
def test_the_page_is_what_is_printed(run_here: Callable[[str], str]) -> None:
    page = (DOCS / "explanation/disputes.md").read_text("utf-8")
    assert page == run_here("disputes/settle.py"), f"the page is old; refresh it with: {REFRESH}"
