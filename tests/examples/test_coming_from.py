"""Each pair of lines: ours gives the system's number, and so does theirs where the system is installed."""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.readme import DOCS

SCRIPT = "coming_from/pairs.py"
PAGE = DOCS / "how-to/coming-from.md"
REFRESH = "python examples/coming_from/pairs.py > docs/how-to/coming-from.md"
FOLDER = Path(__file__).parents[2] / "examples" / "coming_from"

sys.path.insert(0, str(FOLDER))
from pairs import PAIRS, Pair  # noqa: E402

sys.path.remove(str(FOLDER))
names = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.system)


@names
def test_here(pair: Pair) -> None:
    assert pair.run_here() == pytest.approx(pair.number, abs=pair.tolerance)


@names
@pytest.mark.filterwarnings("ignore")
def test_there(pair: Pair) -> None:
    if not pair.needs or find_spec(pair.needs) is None:
        pytest.skip(f"{pair.system} is not here")
    assert pair.run_there() == pytest.approx(pair.number, abs=pair.tolerance)


def test_no_number_is_the_same_by_chance() -> None:
    assert len({round(pair.number, 6) for pair in PAIRS}) >= 8


def test_the_page_is_what_is_printed(run_here: Callable[[str], str]) -> None:
    page = PAGE.read_text("utf-8")
    assert page == run_here(SCRIPT), f"the page is old; refresh it with: {REFRESH}"
    assert REFRESH in page
