"""The laws of signatures: one signature, one number; equal data, one signature; what is not read changes no number.

Some of the presets with the other tests, all of them each night.
"""

import pickle
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankconv as rc
from rankconv.conventions.data_parts import DataPart
from tests.laws import examples

USERS, ITEMS = list("abcd"), ["1", "2", "3", "10", "20", "30"]
EVERY = [str(one) for one in rc.list_presets(collections=True)]
PRESETS = EVERY[:: examples.of(29, 1)]

pytestmark = pytest.mark.filterwarnings("ignore")
Rows = list[tuple[str, str, float]]
Numbers = dict[str, tuple[str, float]]
"""By metric, its signature and its value."""


def table(rows: Rows, number: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["user", "item", number])


def by_user(rows: Rows) -> dict[str, list[tuple[str, float]]]:
    return {
        user: [(item, value) for one, item, value in rows if one == user] for user in dict.fromkeys(r[0] for r in rows)
    }


def metrics_of(name: str, rnd: random.Random) -> list[str]:
    preset = rc.preset(name)
    bare = {
        one: not preset.takes_cutoff(one) or (preset.takes_none(one) and rnd.random() < 0.4) for one in preset.metrics
    }
    return [one if whole else f"{one}@{rnd.choice([1, 2, 3, 5])}" for one, whole in bare.items()]


def numbers(labels: Any, run: Any, specs: list[str], preset: str, **more: Any) -> Numbers:
    """The numbers that the preset gives; none where it refuses the data."""
    try:
        result = rc.evaluate(labels, run, specs, preset, on_error="collect", **more)
    except rc.RankconvError:
        return {}
    return {spec: (one.signature, float(one)) for spec, one in result.items() if not np.isnan(one)}


def drawn(rnd: random.Random) -> tuple[Rows, Rows]:
    """Labels and a run with many ties, rows sorted by user and score."""
    labels = [(u, i, float(rnd.choice([0, 1, 1, 2]))) for u in USERS for i in rnd.sample(ITEMS, rnd.randint(2, 5))]
    run = [(u, i, rnd.choice([0.1, 0.2, 0.3, 0.4, 0.5])) for u in USERS for i in rnd.sample(ITEMS, rnd.randint(2, 6))]
    return labels, sorted(run, key=lambda row: (row[0], -row[2]))


def shuffled(rows: Rows, rnd: random.Random) -> Rows:
    return rnd.sample(rows, len(rows))


def of_users(rows: Rows, users: list[str]) -> Rows:
    return sorted(rows, key=lambda row: users.index(row[0]))


def other_data(labels: Rows, run: Rows, rnd: random.Random, folder: Path) -> Iterator[tuple[Any, Any]]:
    """Labels and runs some of which are the same."""
    known, ranked = table(labels, "grade"), table(run, "score")
    place = {(u, i): at for u, rows in by_user(run).items() for at, (i, _) in enumerate(sorted(rows))}
    yield known, ranked
    for rows in (shuffled(run, rnd), run[::-1], [(u, i, x - 100) for u, i, x in run]):
        yield known, table(rows, "score")
    for change in (
        lambda at, x: 1 + 1e-12 * at,
        lambda at, x: 0.5 + 1e-9 * at,
        lambda at, x: 1e300 * (at + 1),
        lambda at, x: 1e-320 * (at + 1),
        lambda at, x: x - 0.3,
    ):
        yield known, table([(u, i, change(place[u, i], x)) for u, i, x in run], "score")
    for changed in (
        shuffled(labels, rnd),
        labels[::-1],
        [(u, i, x + 1e-9 * (x > 0)) for u, i, x in labels],
        [(u, i, x - 1e-9 * (x > 0)) for u, i, x in labels],
        [(u, i, x or 1e-50) for u, i, x in labels],
        [(u, i, x - 1) for u, i, x in labels],
    ):
        yield table(changed, "grade"), ranked
    fractions = [(u, i, x * rnd.choice([0.1, 0.3, 0.7])) for u, i, x in labels]
    yield table(fractions, "grade"), ranked
    yield table(shuffled(fractions, rnd), "grade"), ranked
    yield table([(u, int(i), x) for u, i, x in labels], "grade"), table([(u, int(i), x) for u, i, x in run], "score")  # type: ignore[misc]
    users = rnd.sample(USERS, len(USERS))
    yield table(of_users(labels, users), "grade"), table(of_users(run, users), "score")
    grades = {user: dict(rows) for user, rows in by_user(labels).items()}
    yield grades, by_user(run)
    yield grades, by_user(run[::-1])
    yield grades, by_user([(u, i, -x) for u, i, x in run])
    names = {user: [item for item, _ in rows] for user, rows in by_user(run).items()}
    yield grades, names
    yield grades, {user: rows[::-1] for user, rows in names.items()}
    yield {**grades, "e": {}}, by_user(run)
    yield grades, {**by_user(run), "e": [("1", 0.5)]}
    yield grades, {**by_user(run), "e": []}
    again = [*labels, *((u, i, 2.0 - x) for u, i, x in labels[::3])]
    twice = [*run, *((u, i, x - 0.05) for u, i, x in run[::2])]
    for turn in (1, -1):
        yield table(again[::turn], "grade"), ranked
        yield known, table(twice[::turn], "score")
        yield grades, by_user(twice[::turn])
    listed = [(u, i, at, x) for u, rows in by_user(run).items() for at, (i, x) in enumerate(rows, 1)]
    for at, rows in enumerate(
        ([*listed], [(u, i, 1, x) for u, i, _, x in listed], [(u, i, n, -x) for u, i, n, x in listed])
    ):
        file = folder / f"{at}.run"
        file.write_text("".join(f"{u} Q0 {i} {n} {x!r} t\n" for u, i, n, x in rows))
        yield grades, file


def assert_one_number(known: dict[tuple[str, str], float], found: Numbers) -> None:
    for spec, (signature, value) in found.items():
        assert known.setdefault((spec, signature), value).hex() == value.hex(), f"{spec}: {signature}"


@pytest.mark.parametrize("preset", PRESETS)
def test_one_signature_has_one_number(preset: str, tmp_path: Path) -> None:
    rnd = random.Random(preset)
    specs, known = metrics_of(preset, rnd), dict[tuple[str, str], float]()
    for labels, run in other_data(*drawn(rnd), rnd, tmp_path):
        assert_one_number(known, numbers(labels, run, specs, preset))


@pytest.mark.parametrize("preset", PRESETS)
def test_one_signature_has_one_number_with_other_side_data(preset: str) -> None:
    rnd = random.Random(preset)
    labels, run = drawn(rnd)
    grades, lists = {user: dict(rows) for user, rows in by_user(labels).items()}, by_user(run)
    vectors = {item: [rnd.random(), rnd.random()] for item in ITEMS}
    train = {user: dict.fromkeys(rnd.sample(ITEMS, 3), 1.0) for user in USERS}
    given = {"seen": dict.fromkeys(USERS, ITEMS[:1]), "catalogue": [*ITEMS, "77", "78"]}
    given |= {"train": train, "item_features": vectors, "propensities": {item: rnd.uniform(0.1, 1) for item in ITEMS}}
    tripled = {
        item: [x / (3 * sum(one)) for x in (*one, *one, *one)] for item, one in vectors.items()
    }  # shares of groups
    turned_labels = {user: dict(reversed(rows.items())) for user, rows in reversed(grades.items())}
    groups = {user: {name: {i: rnd.random() for i in rnd.sample(ITEMS, 4)} for name in "xyz"} for user in USERS}
    turned = {user: dict(reversed(of.items())) for user, of in groups.items()}
    others: list[tuple[Any, dict[str, Any]]] = [(grades, {}), (groups, {}), (turned, {})]
    others += [(grades, {"seen": dict.fromkeys(USERS, ITEMS[:2])}), (grades, {"seen": {"a": ["77"]}})]
    others += [(grades, {"catalogue": [*ITEMS, "77", last]}) for last in ("79", "80")]
    others += [(grades, {"train": {user: dict(list(rows.items())[::-1]) for user, rows in reversed(train.items())}})]
    others += [(grades, {"train": {user: dict.fromkeys(ITEMS[:4], 2.0) for user in USERS}})]
    others += [(grades, {"item_features": {item: [x + 1e-9 for x in one] for item, one in vectors.items()}})]
    others += [(grades, {"item_features": dict(reversed(vectors.items()))}), (turned_labels, {})]
    others += [(grades, {"item_features": tripled}), (turned_labels, {"item_features": tripled})]
    others += [(grades, {"item_features": dict(reversed(tripled.items()))})]
    others += [(grades, {"propensities": dict(reversed(given["propensities"].items()))})]
    others += [(grades, {"users": users}) for users in (USERS[:3], USERS[1:], [*USERS, "z"])]
    specs, known = metrics_of(preset, rnd), dict[tuple[str, str], float]()
    for known_labels, more in others:
        assert_one_number(known, numbers(known_labels, lists, specs, preset, **{**given, **more}))


def test_one_signature_has_one_number_in_any_order_of_many_users() -> None:
    rnd = random.Random(3)
    items = [f"d{at}" for at in range(30)]
    labels = {f"u{at}": {i: rnd.choice([0.3, 1, 2]) for i in rnd.sample(items, 9)} for at in range(60)}
    run = {user: rnd.sample(items, 20) for user in labels}
    side = {"train": {user: rnd.sample(items, 4) for user in labels}, "catalogue": items}
    side |= {"item_features": {item: [rnd.random(), rnd.random()] for item in items}}
    users = rnd.sample([*labels], len(labels))
    other = {"train": {user: side["train"][user] for user in users}, "catalogue": items[::-1]}
    other |= {"item_features": dict(reversed(side["item_features"].items()))}
    for preset in PRESETS:
        specs, known = metrics_of(preset, rnd), dict[tuple[str, str], float]()
        assert_one_number(known, numbers(labels, run, specs, preset, **side))
        moved = {user: labels[user] for user in users}, {user: run[user] for user in users}
        assert_one_number(known, numbers(*moved, specs, preset, **other))


CHANGES: Mapping[DataPart, Any] = {
    "scores": lambda labels, run, rnd: (labels, [(u, i, 3 * x**3 - 7) for u, i, x in run]),
    "grades": lambda labels, run, rnd: ([(u, i, x * rnd.choice([0.3, 0.7, 2.7])) for u, i, x in labels], run),
    "label-order": lambda labels, run, rnd: (of_users(shuffled(labels, rnd), USERS), run),
    "order": lambda labels, run, rnd: (labels, of_users(shuffled(run, rnd), USERS)),
    "user-order": lambda labels, run, rnd: (of_users(labels, USERS[::-1]), of_users(run, USERS[::-1])),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_not_read_changes_no_number(preset: str) -> None:
    """So a difference in it is none between two numbers."""
    rnd = random.Random(preset)
    labels, run = drawn(rnd)
    labels = [(u, i, x - rnd.choice([0, 0, 1.5])) for u, i, x in labels]
    specs = metrics_of(preset, rnd)
    here = numbers(table(labels, "grade"), table(run, "score"), specs, preset)
    for part, change in CHANGES.items():
        known, ranked = change(labels, run, rnd)
        there = numbers(table(known, "grade"), table(ranked, "score"), specs, preset)
        for spec in here.keys() | there.keys():
            if part not in rc.metric(spec, preset).data_read:
                assert here.get(spec, ("", 0.0))[1].hex() == there.get(spec, ("", 0.0))[1].hex(), f"{spec} reads {part}"


def forms(labels: Rows, run: Rows, rnd: random.Random, folder: Path) -> Iterator[tuple[Any, Any]]:
    """The same data, whose rows have no ties, in other forms."""
    known, ranked = table(labels, "grade"), table(run, "score")
    yield known, ranked
    yield {u: dict(rows) for u, rows in by_user(labels).items()}, by_user(run)
    yield {u: dict(rows) for u, rows in by_user(labels).items()}, {u: dict(rows) for u, rows in by_user(run).items()}
    yield pl.from_pandas(known), pl.from_pandas(ranked)
    yield labels, run
    yield (
        known.rename(columns={"user": "query_id", "item": "doc_id"}),
        ranked.rename(columns={"user": "query_id", "item": "doc_id"}),
    )
    yield known.astype({"grade": np.int8}), ranked.astype({"score": np.float32})
    yield known, table(shuffled(run, rnd), "score")
    for name, frame in (("labels", known), ("run", ranked)):
        frame.to_csv(folder / f"{name}.csv", index=False)
        frame.to_parquet(folder / f"{name}.parquet")
    yield folder / "labels.csv", folder / "run.csv"
    yield folder / "labels.parquet", folder / "run.parquet"
    (folder / "q.qrels").write_text("".join(f"{u} 0 {i} {x:.0f}\n" for u, i, x in labels))
    listed = [(u, i, at, x) for u, rows in by_user(run).items() for at, (i, x) in enumerate(rows, 1)]
    lines = [f"{u} Q0 {i} {n} {x!r} t\n" for u, i, n, x in listed]
    (folder / "r.run").write_text("".join(lines))
    yield folder / "q.qrels", folder / "r.run"


@pytest.mark.parametrize("preset", PRESETS)
def test_equal_data_have_one_signature(preset: str, tmp_path: Path) -> None:
    rnd = random.Random(preset)
    labels = [(u, f"d{i}", float(rnd.choice([0, 1, 2]))) for u in USERS for i in rnd.sample(ITEMS, 4)]
    run = [
        (u, f"d{i}", score)
        for u in USERS
        for i, score in zip(rnd.sample(ITEMS, 5), (2.0**-n for n in range(5)), strict=True)
    ]
    specs, known = metrics_of(preset, rnd), dict[str, str]()
    for theirs, lists in forms(labels, run, rnd, tmp_path):
        for spec, (signature, _) in numbers(theirs, lists, specs, preset).items():
            assert known.setdefault(spec, signature) == signature
    for spec in [one for one in specs if one in known][:3]:
        assert_kept(spec, preset, known[spec], (labels, run), tmp_path)


def assert_kept(spec: str, preset: str, signature: str, data: tuple[Rows, Rows], folder: Path) -> None:
    """In batches, in partials in any order, within a budget of memory, saved and pickled it is the same signature."""
    labels, run = ({user: dict(rows) for user, rows in by_user(side).items()} for side in data)
    result = rc.evaluate(table(data[0], "grade"), table(data[1], "score"), spec, preset)
    result.save(folder / "saved.json", force=True)
    assert rc.Result.load(folder / "saved.json")[spec].signature == signature
    assert pickle.loads(pickle.dumps(result))[spec].signature == signature
    assert pickle.loads(pickle.dumps(result[spec])).signature == signature
    if "users:first(" in signature or "user-order:" in signature:
        return
    try:
        evaluator = rc.Evaluator(spec, preset)
    except rc.RankconvError:  # a number of all users at once
        return
    parts = []
    for user in USERS[::-1]:
        evaluator.update({user: labels[user]}, {user: run[user]})
        one = rc.Evaluator(spec, preset, per_user=False, repeated_users="unchecked")
        one.update({user: labels[user]}, {user: run[user]})
        parts.append(one.partial())
    assert evaluator.compute()[spec].signature == signature
    merged = parts[1].merge(parts[3]).merge(parts[0].merge(parts[2]))
    assert type(merged).from_bytes(merged.to_bytes()).compute()[spec].signature == signature
    files = folder / "labels.csv", folder / "run.csv"
    assert rc.evaluate(*files, spec, preset, memory="4GB")[spec].signature == signature
