"""Tests by whole users: the lists of a user after 1, 2, … ratings keep one sign, and are drawn together."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import rankconv as rc
from rankconv import protocols
from rankconv.cli.app import app
from rankconv.evaluation.statistics.intervals import band, of_mean

SIZES = [3, 1, 4, 2, 2, 1, 5, 3, 2, 4]
"""Lists of each user."""
IDS = [(f"u{user}", given) for user, size in enumerate(SIZES) for given in range(1, size + 1)]
LABELS = {one: ["a"] for one in IDS}


def lists(ranks: Any) -> dict[Any, list[str]]:
    """Runs whose reciprocal rank for each id is 1 / rank."""
    return {one: [*"xyzvw"[: rank - 1], "a"] for one, rank in zip(IDS, ranks, strict=True)}


RANDOM = np.random.default_rng(2)
RANKS = RANDOM.integers(1, 4, len(IDS)), RANDOM.integers(1, 6, len(IDS)), RANDOM.integers(1, 6, len(IDS))
RUNS = {name: lists(ranks) for name, ranks in zip("abc", RANKS, strict=True)}
TWO = {name: RUNS[name] for name in "ab"}
DIFFERENCES = 1 / RANKS[0] - 1 / RANKS[1]
OWNER = np.array([int(user[1:]) for user, _ in IDS])
USERS = range(len(SIZES))
SUMS = np.array([DIFFERENCES[user == OWNER].sum() for user in USERS])


def test_signs_change_for_whole_users() -> None:
    [one] = rc.test(LABELS, TWO, "mrr", cluster=1).tests
    every = [
        abs(sum(sign * DIFFERENCES[user == OWNER].sum() for user, sign in enumerate(signs)))
        for signs in product([1, -1], repeat=len(SIZES))
    ]
    assert one.permutation.exact
    assert one.p == np.mean(np.array(every) >= abs(DIFFERENCES.sum()) - 1e-12)
    theirs = stats.permutation_test(
        (SUMS,), lambda x, axis: x.sum(axis), permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    assert one.p == pytest.approx(theirs.pvalue, rel=1e-12)
    assert (one.users, one.units) == (len(IDS), len(SIZES))
    assert one.effect.mean == pytest.approx(DIFFERENCES.mean(), rel=1e-14)
    assert (one.effect.wins, one.effect.losses) == ((SUMS > 0).sum(), (SUMS < 0).sum())


def test_intervals_are_of_cluster_robust_errors_by_a_plain_loop() -> None:
    """Liang and Zeger's sum over clusters of squared sums of residuals, with the factor G / (G - 1)."""
    [one] = rc.test(LABELS, TWO, "mrr", cluster=1).tests
    mean, users, ids = DIFFERENCES.mean(), len(SIZES), len(IDS)
    squares = sum(sum(DIFFERENCES[user == OWNER] - mean) ** 2 for user in USERS)
    error = np.sqrt(users / (users - 1) * squares) / ids
    assert one.t == pytest.approx(2 * stats.t.sf(abs(mean) / error, users - 1), rel=1e-12)
    ours = of_mean(mean + (SUMS - np.array(SIZES) * mean) * users / ids, within=(-1, 1))
    assert (one.interval.low, one.interval.high) == pytest.approx((ours.low, ours.high), rel=1e-12)
    assert one.effect.standardised == pytest.approx(mean / error / np.sqrt(users), rel=1e-12)


@pytest.mark.parametrize("correction", ["max-t", "tukey"])
def test_with_one_list_each_everything_is_as_without_clusters_to_the_last_bit(
    correction: Any,
) -> None:
    """Also with more users than every choice of signs is tried of."""
    ids = [(user, 1) for user in range(45)]
    labels, random = {one: ["a"] for one in ids}, np.random.default_rng(3)
    runs = {name: {one: [*"xyz"[: random.integers(0, 4)], "a"] for one in ids} for name in "abc"}
    asked: dict[str, Any] = {
        "metrics": ["mrr", "ndcg@2"],
        "correction": correction,
        "n_resamples": 500,
    }
    whole, single = (rc.test(labels, runs, **asked, cluster=cluster) for cluster in (1, None))
    assert whole.tests == single.tests
    boards = [rc.leaderboard(labels, runs, "mrr", n_resamples=500, cluster=cluster).standings for cluster in (1, None)]
    assert boards[0] == boards[1]
    numbers = [rc.evaluate(labels, runs["a"], "mrr")["mrr"] for _ in range(2)]
    for how in ("t", "bca", "percentile"):
        assert numbers[0].interval(how=how, n_resamples=50, cluster=1) == numbers[1].interval(how=how, n_resamples=50)


def test_copies_of_a_user_are_nothing_new() -> None:
    """Of users whose lists are each there three times p is that of the users, and not of three times as many."""
    users = [(user, 1) for user in range(24)]
    random = np.random.default_rng(8)
    once = {name: {one: [*"xyz"[: random.integers(0, 4)], "a"] for one in users} for name in "abc"}
    thrice = {
        name: {(user, given): found for (user, _), found in run.items() for given in (1, 2, 3)}
        for name, run in once.items()
    }
    found, copies = (
        rc.test({one: ["a"] for one in runs["a"]}, runs, "mrr", n_resamples=400, cluster=1) for runs in (once, thrice)
    )
    for one, copied in zip(found.tests, copies.tests, strict=True):
        assert (one.p, one.permutation.p, one.units) == (copied.p, copied.permutation.p, copied.units)
        assert one.t == pytest.approx(copied.t, rel=1e-9)
    alone = rc.test({one: ["a"] for one in thrice["a"]}, thrice, "mrr", n_resamples=400).tests
    assert min(one.t for one in alone) < min(one.t for one in copies.tests)


def test_whole_users_are_drawn_for_intervals_and_bands() -> None:
    number = rc.evaluate(LABELS, RUNS["a"], "mrr")["mrr"]
    values = 1 / RANKS[0]
    draws = np.random.default_rng(5).integers(0, len(SIZES), (4000, len(SIZES))).tolist()
    drawn = [np.concatenate([values[user == OWNER] for user in users]).mean() for users in draws]
    ends = np.quantile(drawn, [0.025, 0.975])
    found = number.interval(how="percentile", n_resamples=4000, cluster=1)
    assert (found.low, found.high) == pytest.approx(tuple(ends), abs=0.01)
    curve = rc.curve(LABELS, RUNS["a"], "mrr", max_k=4, n_resamples=4000, cluster=1)
    line = curve.lines["mrr"]
    assert line.low is not None
    assert line.high is not None
    assert (line.low[3], line.high[3]) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.02)


def test_a_learning_curve_draws_its_users_as_every_band_does() -> None:
    rows = [(user, item, 5 - (user + item) % 3) for user in range(90) for item in range(user % 5, 12)]
    curve = protocols.learning_curve(
        rows, ["popularity"], "ndcg@5", protocol="fastml(given=nested(6), least-users=1)", n_resamples=200
    )
    [grid] = curve.grids.values()
    ids = curve.split.ratings.users.values[np.unique(curve.split.points.user)]
    order = np.argsort([str(user) for user in ids.tolist()])
    values = np.divide(grid.values, grid.counts, out=np.zeros_like(grid.values), where=grid.counts > 0)
    with np.errstate(invalid="ignore"):
        assert np.allclose(
            curve.band("popularity", "ndcg@5"), band(values[order], (grid.counts > 0)[order], draws=200, seed=0)
        )
    nothing = {one: [999] for one in curve.labels.users.values.tolist()}
    found = rc.test(curve.labels, {"a": curve.runs.by_name["popularity"], "b": nothing}, "ndcg@5", cluster=1)
    assert found.tests[0].units == len(grid.values) < found.tests[0].users


def test_it_is_said_in_tables_papers_and_data() -> None:
    found = rc.test(LABELS, TWO, "mrr", cluster=1)
    assert f"{len(SIZES)} clusters of them with one sign each" in found.to_text(None)
    assert "Each of the" not in found.to_text(None)
    assert "cluster=1 (--cluster 1)" in rc.test(LABELS, TWO, "mrr").to_text(None)
    methods = found.methods()
    assert "part 1 of their ids; 10 clusters" in methods.paragraph
    assert "canay2017" in methods.to_bibtex()
    assert "cameron2015" in methods.to_bibtex()
    assert found.to_dict()["cluster"] == "part 1 of their ids"
    assert found.to_frame()["units"].to_list() == [10]
    with pytest.raises(rc.InputError, match="3 clusters of users count in both"):
        rc.test({one: ["a"] for one in IDS if one[0] in ("u0", "u2", "u3")}, TWO, "mrr", cluster=1)


def test_the_command_takes_the_name_of_a_column(tmp_path: Any) -> None:
    (tmp_path / "labels.csv").write_text("uid,given,item\n" + "".join(f"{user},{given},a\n" for user, given in IDS))
    for name, run in TWO.items():
        rows = (f"{u},{g},{item},{rank}\n" for (u, g), items in run.items() for rank, item in enumerate(items, 1))
        (tmp_path / f"{name}.csv").write_text("uid,given,item,rank\n" + "".join(rows))
    files = [str(tmp_path / f"{name}.csv") for name in ("labels", "a", "b")]
    command = ["test", *files, "-m", "mrr", "--column", "user=uid,given", "--quiet", "--format", "json"]
    expected = rc.test(LABELS, TWO, "mrr", cluster=1).tests[0].p
    for cluster in ("uid", "1"):
        told = CliRunner().invoke(app, [*command, "--cluster", cluster])
        assert told.exit_code == 0, told.output
        assert f'"p": {expected}' in told.stdout
    wrong = CliRunner().invoke(app, [*command, "--cluster", "name"])
    assert wrong.exit_code != 0
    assert "uid, given" in str(wrong.exception) + wrong.output
