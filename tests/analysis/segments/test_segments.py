"""Segments: their numbers are those of their users alone, orders that turn are seen, and bad tables say so."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app
from rankconv.evaluation.statistics.intervals import of_mean
from tests.laws import examples

USERS = [f"u{number}" for number in range(40)]
GENERATOR = np.random.default_rng(6)
LABELS = {user: dict.fromkeys("abcdefgh"[: 1 + number % 8], 1) for number, user in enumerate(USERS)}
RUN = {user: list(GENERATOR.permutation(list("abcdefghxyz"))[:6]) for user in USERS}
OTHER = {user: list(GENERATOR.permutation(list("abcdefghxyz"))[:6]) for user in USERS}
TABLE = {user: {"age": "old" if number % 3 else "young", "height": number} for number, user in enumerate(USERS)}
SPECS = ["ndcg@5", "map(aggregate=median(lower))@5", "implicit:precision@5"]


def of(users: list[str], spec: str, run: dict[str, list[str]] = RUN) -> float:
    return float(rc.evaluate({user: LABELS[user] for user in users}, {user: run[user] for user in users}, spec)[spec])


@settings(max_examples=5, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=40, max_size=40))
def test_a_segment_has_the_number_of_its_users_alone(names: list[str]) -> None:
    table = {user: {"team": name} for user, name in zip(USERS, names, strict=True)}
    found = rc.segments(LABELS, RUN, SPECS[:2], by="team", user_features=table, n_resamples=20)
    for one in found.segments:
        users = [user for user in USERS if table[user]["team"] == one.name]
        others = [user for user in USERS if user not in users]
        assert one.users == len(users)
        assert one.number == pytest.approx(of(users, one.metric), rel=1e-12)
        assert one.rest == pytest.approx(of(others, one.metric) if others else np.nan, rel=1e-12, nan_ok=True)
        assert one.few == (len(users) < 20)


def test_intervals_are_those_of_scipy_where_users_are_many() -> None:
    labels, run, table = (
        {f"{copy}{user}": one[user] for copy in range(5) for user in USERS} for one in (LABELS, RUN, TABLE)
    )
    found = rc.segments(labels, run, "ndcg@5", by="age", user_features=table)
    old, young = found.segments
    values = np.tile(rc.evaluate(LABELS, RUN, "ndcg@5").per_user["ndcg@5"], 5).reshape(5, 40)
    ours = values[:, [number for number in range(40) if number % 3]].ravel()
    others = values[:, ::3].ravel()
    mean = stats.ttest_1samp(ours, 0).confidence_interval(0.95)
    apart = stats.ttest_ind(ours, others, equal_var=False).confidence_interval(0.95)
    assert (old.interval.low, old.interval.high) == pytest.approx(tuple(mean), rel=1e-12)
    assert (old.difference.low, old.difference.high) == pytest.approx(tuple(apart), rel=1e-12)
    assert young.difference.low == pytest.approx(-old.difference.high)


def test_runs_are_put_against_each_other_by_user_in_each_segment() -> None:
    turned = dict(reversed(OTHER.items()))
    found = rc.segments(LABELS, {"one": RUN, "other": turned}, "ndcg@5", by="age", user_features=TABLE)
    for one in found.against:
        users = [user for user in USERS if TABLE[user]["age"] == one.name]
        values = [
            rc.evaluate({user: LABELS[user]}, {user: RUN[user]}, "ndcg@5")["ndcg@5"]
            - rc.evaluate({user: LABELS[user]}, {user: OTHER[user]}, "ndcg@5")["ndcg@5"]
            for user in users
        ]
        assert (one.users, one.difference) == (len(users), pytest.approx(np.mean(values)))
        theirs = of_mean(np.array(values), 0.95, (-1, 1))
        assert (one.interval.low, one.interval.high) == pytest.approx((theirs.low, theirs.high))


def test_segments_of_words_quarters_of_numbers_and_users_without_a_row() -> None:
    some = {user: TABLE[user] for user in USERS[:30]}
    found = rc.segments(LABELS, RUN, "ndcg@5", by="age", user_features=some)
    assert {one.name: one.users for one in found.segments} == {"old": 20, "young": 10, "(not known)": 10}
    found = rc.segments(LABELS, RUN, "ndcg@5", by=["activity", "height"], user_features=TABLE)
    names = {by: [one.name for one in found.segments if one.by == by] for by in ("activity", "height")}
    assert names["activity"] == ["1 to 2 labels", "3 to 4 labels", "5 to 6 labels", "7 to 8 labels"]
    assert names["height"] == ["0 to 9", "10 to 19", "20 to 29", "30 to 39"]
    assert [one.users for one in found.segments] == [10] * 8


AGES = st.dictionaries(st.sampled_from(USERS), st.integers(0, 30), min_size=15)
SOME = st.sets(st.sampled_from(USERS)).map(lambda users: users | {"u0"})


@pytest.mark.filterwarnings("ignore::rankconv.basics.errors.RespelledIds")  # few users may have a list
@settings(max_examples=examples.of(quick=8, ci=30, long=1000))
@given(AGES, SOME, SOME, SOME)
def test_quarters_are_cut_once_over_the_users_of_the_labels(
    ages: dict[str, int], labelled: set[str], first: set[str], second: set[str]
) -> None:
    """A segment is the same users in every run, and other runs change nothing of a run's rows."""
    labels = {user: LABELS[user] for user in USERS if user in labelled}
    runs = {"one": {user: RUN[user] for user in USERS if user in first}, "two": {user: OTHER[user] for user in second}}
    table = {user: {"age": age} for user, age in ages.items()}
    asked = {
        "by": "activity" if len({*ages.values()}) <= 8 or not labelled & ages.keys() else "age",
        "user_features": table,
    }
    together = rc.segments(labels, runs, "mrr(users=labelled)@5", **asked, n_resamples=20)
    of_runs = [[row for row in together.segments if row.run == run] for run in runs]
    assert [row.name for row in of_runs[0]] == [row.name for row in of_runs[1]]
    assert [row.users for row in of_runs[0]] == [row.users for row in of_runs[1]], "every user with labels counts"
    only = [replace(row, run="") for row in of_runs[0] if row.users]
    alone = rc.segments(labels, runs["one"], "mrr(users=labelled)@5", **asked, n_resamples=20)
    assert list(map(repr, only)) == [repr(row) for row in alone.segments if row.users]
    if asked["by"] == "age":
        for row in (row for row in of_runs[0] if row.name != "(not known)"):
            low, high = (float(end) for end in (row.name.split(" to ") * 2)[:2])
            assert row.users == sum(low <= age <= high for user, age in ages.items() if user in labelled)
        assert f"over the users of the labels ({len(labelled & ages.keys())} value" in together.to_text(None)


def test_a_segment_of_items_has_their_labels_alone() -> None:
    items = {item: {"heat": "hot" if item in "abc" else "cold"} for item in "abcdefgh"}
    found = rc.segments(LABELS, RUN, "recall@5", by="heat", item_features=items)
    hot = next(one for one in found.segments if one.name == "hot")
    labels = {user: {item: 1 for item in LABELS[user] if item in "abc"} for user in USERS}
    assert hot.number == rc.evaluate(labels, RUN, "recall@5")["recall@5"]
    assert hot.users == 40


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"by": "agge", "user_features": TABLE}, "there is no column 'agge'.*Did you mean 'age'"),
        ({"by": "age"}, "there is no column 'age'.*activity"),
        ({"by": "", "user_features": TABLE}, "no column is named"),
        ({"by": "age", "user_features": {"stranger": {"age": 3}}}, "no user of the labels and runs is in"),
        ({"by": "age", "user_features": [1, 2]}, "the users cannot be read from a list"),
        ({"by": "age", "user_features": {"u1": 3}}, "no columns"),
        ({"by": "age", "user_features": TABLE, "item_features": {"a": {"age": 1}}}, "both users and items"),
    ],
)
def test_what_is_no_table_says_why(given: dict[str, object], words: str) -> None:
    with pytest.raises(rc.InputError, match=words):
        rc.segments(LABELS, RUN, "ndcg@5", **given)  # type: ignore[arg-type]


def test_the_command_prints_what_python_gives_and_draws(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(json.dumps(LABELS))
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    (tmp_path / "users.csv").write_text("user,age\n" + "".join(f"{user},{TABLE[user]['age']}\n" for user in USERS))
    (tmp_path / "twice.csv").write_text("user,age\nu1,3\nu2,4\nu1,5\n")
    files = [str(tmp_path / name) for name in ("labels.json", "run.json")]
    asked = ["evaluate", *files, "-m", "ndcg@5", "--by", "age", "--user-features", str(tmp_path / "users.csv")]
    said = CliRunner().invoke(app, [*asked, "--format", "json", "--plot", str(tmp_path / "plot.svg")])
    found = rc.segments(LABELS, {"run": RUN}, "ndcg@5", by="age", user_features=TABLE)
    assert json.loads(said.stdout)["segments"] == found.to_dict()["segments"]
    assert "old" in (tmp_path / "plot.svg").read_text()
    assert max(map(len, found.to_text(80).splitlines())) <= 80
    assert found.to_frame().height == len(found.table().rows) == 2
    with pytest.raises(rc.InputError, match="has two rows"):
        rc.segments(LABELS, RUN, "ndcg@5", by="age", user_features=str(tmp_path / "twice.csv"))


def test_groups_may_be_given_as_a_dict_or_as_an_array_in_the_order_of_the_labels() -> None:
    groups = {user: str(row["age"]) for user, row in TABLE.items()}
    expected = rc.segments(LABELS, RUN, "ndcg@5", by="age", user_features=TABLE).segments
    backwards = dict(reversed(groups.items()))
    for by in (groups, backwards, np.array([*groups.values()])):
        found = rc.segments(LABELS, RUN, "ndcg@5", by=by).segments
        assert [replace(one, by="age") for one in found] == expected
    some = rc.segments(LABELS, RUN, "ndcg@5", by={user: groups[user] for user in USERS[:30]})
    assert {one.name: one.users for one in some.segments} == {"old": 20, "young": 10, "(not known)": 10}


def test_groups_that_do_not_fit_are_refused() -> None:
    with pytest.raises(rc.InputError, match=r"shape \(39,\), and the labels have 40 users.*a dict \{user: group\}"):
        rc.segments(LABELS, RUN, "ndcg@5", by=np.zeros(39))
    with pytest.raises(rc.InputError, match=r"by= is a Series.*series\.to_dict\(\)"):
        rc.segments(LABELS, RUN, "ndcg@5", by=pd.Series("a", USERS))
    with pytest.raises(rc.InputError, match="groups of users, and user_features= was passed too"):
        rc.segments(LABELS, RUN, "ndcg@5", by=dict.fromkeys(USERS, "a"), user_features=TABLE)
    with pytest.raises(rc.InputError, match="no user of the labels and runs is in a dict"):
        rc.segments(LABELS, RUN, "ndcg@5", by={"nobody": "a"})


def test_activity_is_that_of_the_training_data_where_they_are_given() -> None:
    had = {user: [f"t{item}" for item in range(number % 4)] for number, user in enumerate(USERS)}
    found = rc.segments(LABELS, {**RUN, "only in the run": ["a"]}, "ndcg@5", train={**had, "only in the run": ["t0"]})
    assert {one.name: one.users for one in found.segments} == {
        "1 interactions": 10,
        "2 interactions": 10,
        "3 interactions": 10,
        "no interactions": 10,
    }
    for count, one in zip((1, 2, 3, 0), found.segments, strict=True):
        assert one.number == pytest.approx(of([user for user in USERS if len(had[user]) == count], "ndcg@5"))
    assert "cut once for all runs, over the users of the labels (30 values)" in found.to_text()
