"""The comparison on MovieLens: its counts, its numbers against a count by hand, and the order that changes."""

import math
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import rankconv as rc
from tests.readme import DOCS, REFRESH, commands

SCRIPT = "movielens/compare_presets.py"
TITLES = ("NDCG@10", "MAP@10", "P@10")


@pytest.fixture(scope="module")
def printed(examples: Path, run_python: Callable[..., str]) -> str:
    """What it prints with other hashes and one thread; the page was printed without these."""
    return run_python(examples / SCRIPT, PYTHONHASHSEED="7", POLARS_MAX_THREADS="1")


@pytest.fixture(scope="module")
def script(examples: Path) -> Iterator[ModuleType]:
    """The script as a module, and the three beside it."""
    folder = str(examples / "movielens")
    sys.path.insert(0, folder)
    yield import_module("compare_presets")
    sys.path.remove(folder)
    for name in ("compare_presets", "recommenders", "split", "tables"):
        del sys.modules[name]


@pytest.fixture(scope="module")
def split(script: ModuleType) -> object:
    return script.split_by_time(script.load_ratings())


def section(printed: str, title: str) -> list[str]:
    """The lines below a title."""
    return printed.split(f"\n{title}\n")[1].split("\n\n")[0].splitlines()


def values(printed: str, title: str) -> dict[str, tuple[float, float]]:
    """The numbers of both runs by preset, in the order printed."""
    text = re.sub(r"\n {27}", " ", "\n".join(section(printed, title)))
    rows = re.findall(r"^ +(\d\.\d{4}) +(\d\.\d{4})   (.+?)(?:   <-.*)?$", text, re.MULTILINE)
    return {preset: (float(first), float(second)) for first, second, names in rows for preset in names.split(", ")}


def test_the_order_changes_with_what_is_relevant(printed: str) -> None:
    assert any("item_item is first" in line for title in TITLES for line in section(printed, title))
    assert re.search(r"^MAP@10 +mllib-graded differs from \S+ only in relevant=any-label$", printed, re.MULTILINE)


def test_one_setting_turns_the_order(script: ModuleType, split: object) -> None:
    labels, runs = script.labels_of(split), script.runs_of(split)
    for spec, best in (("map@10", "popularity"), ("map(relevant=any-label)@10", "item_item")):
        means = {run: result[spec] for run, result in rc.evaluate(labels, runs, spec).items()}
        assert max(means, key=lambda run: means[run]) == best


def test_by_hand(script: ModuleType, split: object, printed: str) -> None:
    """P@10 and NDCG@10 of the default preset, counted without the package; tied rows share their worth."""
    runs = script.runs_of(split)
    grades: dict[int, dict[int, int]] = {}
    for user, film, rating, _ in split.test.iter_rows():
        grades.setdefault(user, {})[film] = max(0, int(rating) - 3)
    judged = {user: films for user, films in grades.items() if any(films.values())}
    for place, run in enumerate(runs.by_name.values()):
        precision, ndcg = [], []
        for user, films in judged.items():
            listed = list(zip(*run.rows_of(user), strict=True))
            ties = [[films.get(film, 0) for film, score in listed if score == own] for _, own in listed[:10]]
            precision.append(sum(sum(gain > 0 for gain in tie) / len(tie) for tie in ties) / 10)
            gains = [sum(tie) / len(tie) for tie in ties]
            ndcg.append(dcg(gains) / dcg(sorted(films.values(), reverse=True)[:10]))
        for title, found in (("P@10", precision), ("NDCG@10", ndcg)):
            assert values(printed, title)["rankconv"][place] == round(sum(found) / len(found), 4)


def dcg(gains: list[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def test_lists_are_honest(script: ModuleType, split: object) -> None:
    """Twenty films each, by falling score, equal scores by rising id, and none that the user had rated."""
    rated = set(split.train.select("user", "film").iter_rows())
    assert split.train["time"].max() < split.test["time"].min()
    for run in script.runs_of(split).by_name.values():
        for user in split.test_users:
            films, scores = run.rows_of(user)
            assert len(films) == 20
            assert list(zip(scores, films, strict=True)) == sorted(
                zip(scores, films, strict=True), key=lambda row: (-row[0], row[1])
            )
            assert not any((user, film) in rated for film in films)


def test_the_page_shows_what_every_process_prints(printed: str) -> None:
    pasted = [one for one in commands(DOCS / "explanation/movielens.md") if one.pasted is not None]
    [shown] = [one for one in pasted if one.words == ["python", "compare_presets.py"]]
    assert shown.pasted == printed, f"the page is old; refresh it with: {REFRESH}"
