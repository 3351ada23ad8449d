"""What is told of tests besides p: effects, power, other tests, families, papers, pictures, warnings."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app
from rankconv.evaluation.statistics.paired_tests import users_needed
from rankconv.typing import SignificanceResult

USERS = [f"u{number}" for number in range(30)]
LABELS = {user: {"a": 1, "b": 1} for user in USERS}
GENERATOR = np.random.default_rng(3)


def run_of(ranks: list[int]) -> dict[str, list[str]]:
    return {user: [*"xyzvw"[: rank - 1], "a"] for user, rank in zip(USERS, ranks, strict=True)}


RANKS = GENERATOR.integers(1, 4, 30).tolist(), GENERATOR.integers(1, 6, 30).tolist()
RUNS = {"good": run_of(RANKS[0]), "bad": run_of(RANKS[1])}
DIFFERENCES = 1 / np.array(RANKS[0]) - 1 / np.array(RANKS[1])


def told(found: SignificanceResult) -> str:
    return " ".join(found.to_text(200).split())


def test_the_t_test_is_scipys() -> None:
    [one] = rc.test(LABELS, RUNS, "mrr").tests
    assert one.t == pytest.approx(stats.ttest_rel(1 / np.array(RANKS[0]), 1 / np.array(RANKS[1])).pvalue, rel=1e-9)
    alike = rc.test(LABELS, {"one": RUNS["good"], "copy": RUNS["good"]}, "mrr")
    assert "No user differs between one and copy" in told(alike)


def test_users_needed_for_the_difference_seen_and_a_stated_one() -> None:
    found = rc.test(LABELS, RUNS, "mrr")
    size = DIFFERENCES.std(ddof=1)
    for difference, effect in ((None, abs(DIFFERENCES.mean()) / size), (0.1, 0.1 / size)):
        assert [*found.power(difference).values()] == [users_needed(effect)]
    assert f"{found.tests[0].users_needed():,}" in found.to_text(120)


def test_metrics_are_corrected_together() -> None:
    found = rc.test(LABELS, RUNS, ["mrr", "ndcg@3"], correction="holm")
    assert sum(one.p for one in found.tests) > sum(one.permutation.p for one in found.tests)
    assert "over all 2 tests (2 metrics, 1 pair of runs)" in told(found)


def test_a_paper_is_told_test_users_correction_seed_and_definitions() -> None:
    runs = RUNS | {"third": run_of(GENERATOR.integers(1, 6, 30).tolist())}
    found = rc.test(LABELS, runs, "mrr", seed=5, n_resamples=999)
    paper = found.methods()
    for words in ("999 random signs, seed 5", "30 users who count in both", "Westfall and Young", "3 pairs of runs"):
        assert words in paper.paragraph
    assert {"smucker2007", "phipson2010", "westfall1993", "ferrante2021", "moffat2022"} <= {
        line.partition("{")[2].rstrip(",") for line in paper.to_bibtex().splitlines() if line.startswith("@")
    }
    fingerprint = found.tests[0].fingerprint
    assert fingerprint in paper.to_text(200)
    assert fingerprint in found.table().to_csv()
    assert rc.from_fingerprint(fingerprint)


def test_warnings_of_few_users() -> None:
    few = {"one": run_of([1] * 30), "other": run_of([2] * 4 + [1] * 26)}
    assert "Where 4 users differ, no difference of theirs can reach p = 0.05" in told(rc.test(LABELS, few, "mrr"))
    some = {"one": run_of([1] * 30), "other": run_of([2] * 9 + [1] * 21)}
    assert "As few as 9 of 30 users differ" in told(rc.test(LABELS, some, "mrr"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"correction": "family"}, "holm"),
        ({"alpha": 2}, "from 0.0001 to 0.5"),
    ],
)
def test_what_is_no_such_thing_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(rc.RankconvError, match=words):
        rc.test(LABELS, RUNS, "mrr", **given)  # type: ignore[arg-type]


def test_one_row_of_a_picture_for_each_class_of_definitions(tmp_path: Path) -> None:
    found = rc.test(LABELS, RUNS, "ndcg@3", ["mllib", "trec_eval", "blog", "sklearn"])
    found.plot(tmp_path / "plot.svg")
    drawn = (tmp_path / "plot.svg").read_text()
    assert len(found.tests) < 4
    for one in found.tests:
        assert one.presets[0] in drawn


def test_a_broken_run_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(json.dumps(LABELS))
    folder = tmp_path / "runs"
    folder.mkdir()
    for name, run in RUNS.items():
        (folder / f"{name}.json").write_text(json.dumps(run))
    (folder / "broken.csv").write_text("user,item,score\nu1,a\n")
    refused = CliRunner().invoke(
        app, ["test", "--leaderboard", str(tmp_path / "labels.json"), str(folder), "-m", "mrr"]
    )
    assert refused.exit_code
    assert "broken.csv, line 2: there is no score" in str(refused.exception)


def test_ties_are_told_beside_the_interval_where_they_matter() -> None:
    tied = {user: {"a": 1.0, "x": 1.0, "b": 0.5} for user in USERS}
    found = rc.leaderboard(LABELS, {"tied": tied, "good": {user: {"a": 2.0, "x": 1.0} for user in USERS}}, "mrr")
    standing = {one.run: one for one in found.standings}
    assert standing["tied"].ties == (0.5, 1.0)
    assert standing["good"].ties is None
    assert "0.5000 to 1.0000" in found.to_text(100)


def test_ids_that_may_be_of_one_person_are_told() -> None:
    """As those of learning curves: (user, ratings given)."""
    labels = {(user, given): {"a": 1} for user in "uv" for given in range(4)}
    runs = {name: dict.fromkeys(labels, items) for name, items in {"good": ["a"], "bad": ["x", "a"]}.items()}
    assert "Each of the 8 ids counts as a user of its own, and only 2 have another first part." in told(
        rc.test(labels, runs, "mrr")
    )
    apart = {(user, 1): {"a": 1} for user in "uvwxyz"}
    runs = {name: dict.fromkeys(apart, items) for name, items in {"good": ["a"], "bad": ["x", "a"]}.items()}
    assert "ids counts as a user" not in told(rc.test(apart, runs, "mrr"))
    assert "ids counts as a user" not in told(rc.test(LABELS, RUNS, "mrr"))
