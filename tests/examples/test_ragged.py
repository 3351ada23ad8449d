"""The page of one run under every system: its counts, the numbers of the real systems, and that it is fresh."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.readme import DOCS

PAGE = DOCS / "explanation/one-run.md"
REFRESH = "python examples/ragged/values.py > docs/explanation/one-run.md"
# What the real systems gave on these data, to four decimals; of AP, Evidently's 0.4435 and 0.6652 are not there yet.
SYSTEMS = {
    "NDCG@10": (
        "0.0000 0.2149 0.3663 0.4098 0.4099 0.4116 0.4272 0.4853 0.4879 0.5132 0.5144 0.7280 0.7894 0.8187 1.0000"
    ),
    "AP@10": "0.1485 0.1782 0.1834 0.3284 0.3652 0.4082 0.4449 0.4606 0.4643 0.5296 0.6909 0.7782 0.7940",
    "Precision@10": "0.3542 0.3761 0.3990 0.4125 0.4875 0.5312 0.5984 0.6875 0.7323",
    "Recall@10": "0.1640 0.1834 0.2073 0.4083 0.4276 0.6414 0.7610",
    "Hit rate@10": "0.1640 0.5833 0.6667 0.7083 0.8750 0.9167 1.0000",
    "F1@10": "0.1662 0.1675 0.2909 0.4128 0.6192",
    "RR@10": "0.2152 0.4722 0.5122 0.7083 0.8056",
}
FEWEST = {"NDCG@10": 15, "AP@10": 15, "Precision@10": 9, "Recall@10": 7, "Hit rate@10": 7, "F1@10": 5, "RR@10": 5}


@pytest.fixture(scope="module")
def printed(run_here: Callable[[str], str]) -> str:
    return run_here("ragged/values.py")


def numbers(printed: str, title: str) -> list[str]:
    block = printed.split(f"\n## {title}\n")[1].split("\n```\n")[0]
    return re.findall(r"^    (\d\.\d{4}) ", block, re.MULTILINE)


def test_the_page_is_what_is_printed(printed: str) -> None:
    page = PAGE.read_text("utf-8")
    assert page == printed, f"the page is old; refresh it with: {REFRESH}"
    assert REFRESH in page


@pytest.mark.parametrize("title", SYSTEMS)
def test_every_number_of_a_real_system_is_there(printed: str, title: str) -> None:
    assert set(SYSTEMS[title].split()) <= set(numbers(printed, title))


@pytest.mark.parametrize("title", FEWEST)
def test_there_are_at_least_so_many(printed: str, title: str) -> None:
    found = numbers(printed, title)
    assert found == sorted(set(found))
    assert len(found) >= FEWEST[title]
    assert re.search(rf"^\| {re.escape(title)} +\| +{len(found)} \|", printed, re.MULTILINE)


def test_the_readme_tells_the_same_counts(printed: str, examples: Path) -> None:
    words = (examples.parent / "README.md").read_text("utf-8").replace("\n", " ")
    titles = ("NDCG@10", "AP@10", "Precision@10", "Recall@10")
    ndcg, ap, precision, recall = (len(numbers(printed, title)) for title in titles)
    said = f"give {ndcg} different NDCG@10, {ap} AP@10, {precision} precisions and {recall} recalls"
    assert said in words, f"the README's section on examples/ragged is old; write there: {said}"
