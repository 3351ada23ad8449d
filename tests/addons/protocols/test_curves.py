"""Learning curves: by hand to the last digit, the same however they are computed, and what goes wrong is told."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv import protocols
from rankconv.addons.protocols.named_recommenders import best
from rankconv.cli.app import app

RATINGS = [
    *[("t1", item, 5) for item in "abcdef"],
    *[("t2", item, 4) for item in "abc"],
    *(("ada", "a", 5), ("ada", "b", 1), ("ada", "c", 4), ("ada", "d", 2)),
    *(("bob", "c", 3), ("bob", "a", 5)),
    *(("cem", "e", 4), ("cem", "f", 4), ("cem", "a", 1)),
]
BY_HAND = rc.protocol("fastml", order="as-given", given="nested(3)", least_users=1, tested="everyone", least_ratings=1)


def division() -> protocols.Split:
    from rankconv.addons.protocols.draws import Draws
    from rankconv.addons.protocols.split import split

    class Told(Draws):
        def of_users(self, ratings: protocols.Ratings, purpose: str) -> Any:
            return np.array([0.9 if user.startswith("t") else 0.1 for user in ratings.users.values.tolist()])

    return split(BY_HAND.replace(tested="share(0.5)"), RATINGS, draws=Told(0))


def alphabet(training: Any) -> Callable[..., list[str]]:
    """All items in the order of the alphabet."""
    return lambda items, values, n: list(training.items)[:n]


def backwards(training: Any) -> Callable[..., list[str]]:
    return lambda items, values, n: list(training.items)[::-1][:n]


def test_the_curve_and_both_readings_of_its_one_number_by_hand() -> None:
    """Relevance is the rating less 3; lists are the alphabet without what was given; NDCG@2, ideal filled with zeros.

    ada  1 given (a): list b c, gains -2 1: -2 + 1/log2(3); ideal 1 0 (c; then unrated): 1
         2 given (a b): list c d, gains 1 -1: 1 - 1/log2(3); ideal 1: 1
         3 given (a b c): list d e, gain -1 0; ideal 0: counts 0
    bob  1 given (c): list a b, gains 2 0: 2; ideal 2: 1
    cem  1 given (e): list a b, gains -2 0; ideal 1 (f): -2
         2 given (e f): list a b, gains -2 0; ideal 0: counts 0
    """
    curve = protocols.learning_curve(division(), [alphabet], "fastml:ndcg@2")
    log3 = 1 / math.log2(3)
    ada, bob, cem = [-2 + log3, 1 - log3, 0.0], [1.0], [-2.0, 0.0]
    points = [(ada[0] + bob[0] + cem[0]) / 3, (ada[1] + cem[1]) / 2, ada[2]]
    frame = curve.to_frame()
    assert frame["given"].to_list() == [1, 2, 3]
    assert frame["users"].to_list() == [3, 2, 1]
    assert frame["mean"].to_list() == pytest.approx(points, abs=1e-15)
    users_first = sum(points) / 3
    given_first = (sum(ada) / 3 + sum(bob) + sum(cem) / 2) / 3
    assert curve.number("alphabet", "fastml:ndcg@2", users_first=True) == pytest.approx(users_first, abs=1e-15)
    assert curve.number("alphabet", "fastml:ndcg@2", users_first=False) == pytest.approx(given_first, abs=1e-15)
    assert curve.number("alphabet", "fastml:ndcg@2") == curve.number("alphabet", "fastml:ndcg@2", users_first=True)


def test_points_are_an_ordinary_evaluation() -> None:
    curve = protocols.learning_curve(division(), [alphabet, backwards], ["fastml:ndcg@2", "mrr@2"])
    for name, run in curve.runs.by_name.items():
        result = rc.evaluate(curve.labels, run, ["fastml:ndcg@2", "mrr@2"])
        for metric in result:
            ours = curve.values[name, metric].values
            assert ours.tolist() == pytest.approx(result.per_user[metric].tolist(), nan_ok=True)
    assert curve.labels.users.values.tolist()[:3] == [("ada", 1), ("ada", 2), ("ada", 3)]
    assert rc.compare(curve.labels, curve.runs, "ndcg@2", ["fastml", "mllib"]).runs == ["alphabet", "backwards"]


RANDOM = np.random.default_rng(1)
MANY = [
    (user, int(item), int(RANDOM.integers(1, 6))) for user in range(60) for item in RANDOM.choice(25, 9, replace=False)
]
PROTOCOL = "fastml(given=nested(5), least-users=3, tested=share(0.4))"


@pytest.mark.parametrize(
    ("setting", "kind", "said"),
    [
        (
            lambda items, n: ["nowhere", *"abcdef"][:n],
            "unknown item",
            "it gave 'nowhere', which is no item of",
        ),
        (lambda items, n: ["a", "a", *"bcdef"][:n], "repeated item", "it gave 'a' more than once"),
        (lambda items, n: (list("abcdef")[:n], [math.nan] * n), "NaN score", "its score of 'a' is NaN"),
        (lambda items, n: ["a"], "too few", "it gave 1 item of the 3 that were requested"),
        (lambda items, n: 1 / 0, "raises", "it raised ZeroDivisionError: division by zero"),
        (lambda items, n: None, "no list", "it gave NoneType, which is no list of items"),
    ],
)
def test_what_a_recommender_does_wrong_is_told_or_counted(setting: Any, kind: str, said: str) -> None:
    def wrong(training: Any) -> Any:
        return lambda items, values, n: setting(items, n)

    with pytest.raises(rc.InputError) as error:
        protocols.learning_curve(division(), [wrong], "fastml:ndcg@2")
    assert f"recommender wrong, user 'ada', 1 rating given: {said}" in str(error.value)
    counted = protocols.learning_curve(division(), [wrong], "fastml:ndcg@2", on_error="collect")
    assert counted.faults["wrong"][kind] == len(counted.split.points)
    assert f"wrong: {kind} {len(counted.split.points)}" in counted.to_text()


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        (["popularty"], "'popularty' is no recommender"),
        (["nowhere.py:als"], "there is no file nowhere.py"),
        ([lambda training: 1 / 0], "it cannot learn: ZeroDivisionError"),
        ([lambda training: 3], "int does not recommend"),
        ([alphabet, alphabet], "two recommenders are called 'alphabet'"),
        (None, "there is no recommender"),
    ],
)
def test_what_is_no_recommender(sources: Any, said: str) -> None:
    with pytest.raises(rc.InputError, match=said):
        protocols.learning_curve(division(), sources, "fastml:ndcg@2")


def test_metrics_that_have_no_curve() -> None:
    with pytest.raises(rc.MetricError, match="is of all lists together"):
        protocols.learning_curve(division(), [alphabet], "coverage@2")
    with pytest.raises(rc.MetricError, match="a curve is of plain means"):
        protocols.learning_curve(division(), [alphabet], "map(aggregate=geometric-mean(floor=0.01))@2")


def test_the_switch_is_where_the_curves_were_made_to_cross() -> None:
    """One knows what is good at once, the other only from four ratings on."""
    users = [(f"u{at}", item, 5 if item < 6 else 1) for at in range(60) for item in range(12)]
    last = lambda training, upside: sorted(training.items, key=int, reverse=upside)
    early = lambda training: lambda items, values, n: last(training, len(items) >= 4)[:n]
    late = lambda training: lambda items, values, n: last(training, len(items) < 4)[:n]
    protocol = "fastml(given=nested(8), least-users=3, no-positives=left-out)"
    curve = protocols.learning_curve(users, {"early": early, "late": late}, "fastml:ndcg@3", protocol=protocol)
    found = {(one.first, one.then): one for one in curve.crossings["fastml:ndcg@3"]}
    one = found["early", "late"]
    assert (one.at, one.interval.low, one.interval.high, one.changes) == (4, 4, 4, 1)
    means = np.array([curve.grids[name, "fastml:ndcg@3"].means() for name in ("early", "late")])
    assert one.combined == pytest.approx(means.max(axis=0).mean())


def test_without_a_number_given_of_enough_users_there_is_a_page_and_no_picture(tmp_path: Path) -> None:
    few = BY_HAND.replace(least_users=10, tested="share(0.5)")
    curve = protocols.learning_curve(RATINGS, [alphabet], "fastml:ndcg@2", protocol=few)
    assert "No number given has 10 users" in curve.to_text()
    assert curve.to_frame().is_empty()
    with pytest.raises(rc.InputError, match="there is nothing to draw"):
        curve.plot(tmp_path / "c.svg")


def test_where_the_other_is_only_as_good_there_is_no_switch_to_it() -> None:
    def backwards_at_first(training: Any) -> Any:
        return lambda items, values, n: alphabet(training)(items, values, n)[:: -1 if len(items) == 1 else 1]

    curve = protocols.learning_curve(division(), [alphabet, backwards_at_first], "fastml:ndcg@3")
    one, other = (curve.grids[name, "fastml:ndcg@3"].means() for name in ("alphabet", "backwards_at_first"))
    assert other[0] > one[0]
    assert one[1:].tolist() == other[1:].tolist()
    assert curve.crossings["fastml:ndcg@3"] == []


def test_the_best_are_the_first_of_all_sorted() -> None:
    generator = np.random.default_rng(5)
    for n in (1, 3, 10, 30):
        scores = generator.integers(0, 5, 20).astype(float)
        assert best(scores, n).tolist() == np.argsort(-scores, kind="stable")[:n].tolist()


def test_the_command(tmp_path: Path) -> None:
    pl.DataFrame(MANY, schema=["user", "item", "rating"], orient="row").write_csv(tmp_path / "r.csv")
    (tmp_path / "mine.py").write_text("def mine(training):\n    return lambda items, values, n: training.items[:n]\n")
    words = [
        "learning-curve",
        tmp_path / "r.csv",
        "-r",
        "popularity",
        "-r",
        f"{tmp_path}/mine.py:mine",
        "-m",
        "fastml:ndcg@5",
    ]
    words += ["--protocol", PROTOCOL, "--seed", "1", "--quiet", "--plot", tmp_path / "c.svg"]
    run = lambda *more: CliRunner().invoke(app, [*map(str, words), *more], catch_exceptions=False).stdout
    assert "mine" in run()
    assert "<svg" in (tmp_path / "c.svg").read_text()
    told = json.loads(run("--format", "json"))
    assert {row["recommender"] for row in told["curves"]} == {"popularity", "mine"}
    assert run("--format", "csv").splitlines()[0] == "recommender,metric,given,users,mean,low,high"


class Batched:
    """The items in the order of the alphabet, for several users at once."""

    def __init__(self, training: Any) -> None:
        self.items, self.calls = sorted(training.items), list[int]()

    def recommend_many(self, histories: Any, n: int) -> Any:
        self.calls.append(len(histories))
        if any(len(items) == 3 for items, _ in histories) and self.broken:
            raise RuntimeError("three are too many")
        return [(self.items[:n], [1.0] * n) for _ in histories]

    broken = False


def test_many_users_at_once_are_asked_in_fewer_calls_and_answered_alike() -> None:
    split, made = rc.protocol(PROTOCOL).split(MANY, 1), list[Batched]()
    many = lambda training: made.append(Batched(training)) or made[-1]
    singly = lambda training: lambda items, values, n: sorted(training.items)[:n]
    found = protocols.learning_curve(split, {"many": many, "singly": singly}, "fastml:ndcg@5")
    assert found.lists["many"] == found.lists["singly"]
    assert sum(made[0].calls) == len(split.points) > 4 * len(made[0].calls)


def test_of_many_users_the_one_is_told_for_whom_it_raises() -> None:
    class Broken(Batched):
        broken = True

    split = rc.protocol(PROTOCOL).split(MANY, 1)
    with pytest.raises(rc.InputError, match=r"Broken, user \d+, 3 ratings given: it raised RuntimeError: three"):
        protocols.learning_curve(split, [Broken], "fastml:ndcg@5")
    found = protocols.learning_curve(split, [Broken], "fastml:ndcg@5", on_error="collect")
    assert found.faults["Broken"] == {"raises": int((split.points.given == 3).sum())}


def test_fewer_lists_than_users_are_told() -> None:
    class Short(Batched):
        def recommend_many(self, histories: Any, n: int) -> Any:
            return super().recommend_many(histories, n)[1:]

    with pytest.raises(rc.InputError, match=r"it gave \d+ lists for \d+ users"):
        protocols.learning_curve(MANY, [Short], "fastml:ndcg@5", protocol=PROTOCOL)


def test_under_several_presets_there_is_a_curve_for_each(tmp_path: Path) -> None:
    split = rc.protocol(PROTOCOL).split(MANY, 1)
    both = protocols.learning_curve(split, ["popularity"], "ndcg@5", ["mllib", "fastml"])
    assert both.metrics == ["mllib:ndcg@5", "fastml:ndcg@5"]
    for name in ("mllib", "fastml"):
        one = protocols.learning_curve(split, ["popularity"], "ndcg@5", name)
        assert one.number("popularity", "ndcg@5") == both.number("popularity", f"{name}:ndcg@5")
    both.plot(tmp_path / "both.svg")
    drawn = (tmp_path / "both.svg").read_text()
    assert "mllib:ndcg@5" in drawn
    assert "fastml:ndcg@5" in drawn
    assert protocols.learning_curve(split, ["popularity"], None, ["mllib", "fastml"]).metrics == [
        "mllib:ndcg@50",
        "fastml:ndcg@50",
    ]


def test_what_a_curve_does_not_have_is_one_message(tmp_path: Path) -> None:
    curve = protocols.learning_curve(RATINGS, {5: alphabet}, "fastml:ndcg@2", protocol="base")
    assert curve.recommenders == ["5"]
    with pytest.raises(rc.MetricError, match="'map' is not a metric of this curve"):
        curve.plot(tmp_path / "c.svg", "map")
    with pytest.raises(rc.MetricError, match="'als' is not a recommender of this curve"):
        curve.number("als", "fastml:ndcg@2")
    with pytest.raises(rc.MetricError, match="n_resamples=-1 is not a count"):
        protocols.learning_curve(RATINGS, [alphabet], "fastml:ndcg@2", protocol="base", n_resamples=-1)
    with pytest.raises(rc.InputError, match="recommender mine: it cannot learn"):
        protocols.learning_curve(RATINGS, {"mine": lambda training: 1 / 0}, "fastml:ndcg@2", protocol="base")
