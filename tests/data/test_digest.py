"""Digests of labels and runs, against a second implementation of their definition in plain Python."""

import math
import random
import struct
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankconv as rc
from rankconv.data.digest import FEW, ROWS, DigestSum, TextHashes, blocks, hashes_of_column, id_hashes, number_hashes
from rankconv.data.ids import make_ids
from rankconv.data.row_digests import sums_of_labels, sums_of_run

ALL = 2**64 - 1
C1, C2, C3 = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD
ORDERS = ("label-order", "order", "order-repeats", "ranks")


def mix(h: int) -> int:
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 & ALL
    h = (h ^ h >> 27) * 0x94D049BB133111EB & ALL
    return h ^ h >> 31


def id_hash(one: Any) -> int:
    text = str(one).encode("utf-8", "surrogatepass")
    h = len(text) * C1 & ALL
    for at in range(0, len(text), 8):
        h = (h ^ int.from_bytes(text[at : at + 8], "little")) * C2 & ALL
        h = (h ^ h >> 32) * C3 & ALL
        h ^= h >> 29
    return mix(h) | 1


def number_hash(value: float) -> int:
    b = struct.unpack("<Q", struct.pack("<d", value + 0.0))[0] if value == value else 0x7FF8 << 48
    v = (b ^ b >> 32) * C2 & ALL
    return (v ^ v >> 32) | 1


def sum_of(rows: Mapping[Any, list[tuple[Any, float]]]) -> DigestSum:
    """The sum of users: the item of each row, and its number."""
    users = first = second = 0
    for user, theirs in rows.items():
        product = sum(id_hash(item) * number_hash(value) for item, value in theirs) & ALL
        each = mix(product ^ mix(id_hash(user) + len(theirs) * C1 & ALL))
        users, first, second = users + 1, first + each & ALL, second + mix(each + C2 & ALL) & ALL
    return DigestSum(users, first, second)


def sums_of_lists(lists: Mapping[Any, list[tuple[Any, float]]]) -> dict[str, DigestSum]:
    """What a run has that states no ranks: `lists` are as given."""
    dense = {user: sorted({score for _, score in rows}, reverse=True) for user, rows in lists.items()}
    ranks = {u: [(i, dense[u].index(s) + 1) for i, s in rows] for u, rows in lists.items()}
    loose = {u: rows for u, rows in lists.items() if any(b >= a for (_, a), (_, b) in pairwise(rows))}
    scored = {user: rows for user, rows in lists.items() if rows}
    found = {
        "scores": sum_of(scored),
        "run": sum_of({u: [(i, float(r)) for i, r in rows] for u, rows in ranks.items()}),
    }
    if loose:
        found["order"] = sum_of({u: [(i, at + 1.0) for at, (i, _) in enumerate(rows)] for u, rows in loose.items()})
    return found


def drawn(seed: int) -> tuple[dict[str, dict[str, float]], dict[str, list[tuple[str, float]]]]:
    rnd = random.Random(seed)
    items = [f"item {n}" * rnd.randint(1, 3) for n in range(40)] + ["ü", "日本語", ""]
    users = [f"u{n}" for n in range(30)]
    labels = {u: {i: rnd.choice([-1.0, 0.0, 0.1, 2.0]) for i in rnd.sample(items, rnd.randint(0, 6))} for u in users}
    run = {u: [(i, rnd.choice([0.1, 0.2, 0.3])) for i in rnd.sample(items, rnd.randint(0, 9))] for u in users}
    return labels, run


@pytest.mark.parametrize("seed", range(4))
def test_sums_are_those_of_the_definition(seed: int) -> None:
    labels, run = drawn(seed)
    found = sums_of_labels(rc.Labels(labels), ORDERS)
    assert found["grades"] == sum_of({u: [*rows.items()] for u, rows in labels.items()})
    assert found["labels"] == sum_of(
        {u: [(i, math.copysign(1, g) if g else 0.0) for i, g in rows.items()] for u, rows in labels.items()}
    )
    several = {u: rows for u, rows in labels.items() if len(rows) > 1}
    assert found["label-order"] == sum_of({u: [(i, n + 1.0) for n, i in enumerate(r)] for u, r in several.items()})
    given = sums_of_run(rc.Run(run), ORDERS)  # a list of pairs is in its order
    assert {name: given[name] for name in ("run", "scores", "order")} == sums_of_lists(run)
    rows = [(user, *row) for user, theirs in run.items() for row in theirs]
    table = pd.DataFrame(rows, columns=["user", "item", "score"])
    falling = {u: sorted(theirs, key=lambda row: -row[1]) for u, theirs in run.items() if theirs}  # stable
    assert sums_of_run(rc.Run(table), ORDERS) == sums_of_lists(falling)


def test_the_printed_digest() -> None:
    from hashlib import blake2b

    one = DigestSum(3, 1, 2)
    text = f"rankconv 2 labels 3 {1:016x} {2:016x}"
    assert one.digest("labels") == blake2b(text.encode(), digest_size=16).hexdigest()


@pytest.mark.parametrize("form", ["text of a table", "coded text", "rows in any order", "another table", "integers"])
def test_equal_rows_have_equal_sums_in_any_form(form: str) -> None:
    rnd = np.random.default_rng(0)
    users, items = np.repeat(np.arange(300), 50), np.concatenate([rnd.permutation(900)[:50] for _ in range(300)])
    frame = pd.DataFrame(
        {"user": users.astype(str), "item": items.astype(str), "score": rnd.integers(0, 30, len(users)) / 8}
    )
    expected = sums_of_run(rc.Run(pl.from_pandas(frame)), ORDERS)
    if form == "coded text":
        coded = rc.Run(pl.from_pandas(frame))
        _ = coded.item
        found = sums_of_run(coded, ORDERS)
    elif form == "rows in any order":  # but for the order of tied rows
        found = sums_of_run(rc.Run(pl.from_pandas(frame).sample(fraction=1, shuffle=True, seed=1)), ORDERS)
        found["order"] = expected["order"]
    else:
        other = {
            "text of a table": pl.from_pandas(frame),
            "another table": frame,
            "integers": frame.astype({"user": int, "item": int}),
        }
        found = sums_of_run(rc.Run(other[form]), ORDERS)
    assert found == expected


def test_sums_of_parts_add_up_in_any_order() -> None:
    labels, run = drawn(7)
    whole = sums_of_labels(rc.Labels(labels), ORDERS) | sums_of_run(rc.Run(run), ORDERS)
    users = [*labels]
    random.Random(1).shuffle(users)
    added: dict[str, DigestSum] = {}
    for at in range(0, len(users), 7):
        some = users[at : at + 7]
        parts = sums_of_labels(rc.Labels({u: labels[u] for u in some}), ORDERS)
        parts |= sums_of_run(rc.Run({u: run[u] for u in some}), ORDERS)
        added = {name: added.get(name, DigestSum()) + parts.get(name, DigestSum()) for name in {*added, *parts}}
    assert added == whole


def test_repeated_rows_count_by_their_order_among_themselves() -> None:
    def sums(rows: list[tuple[str, str, float]]) -> dict[str, DigestSum]:
        return sums_of_labels(rc.Labels(pd.DataFrame(rows, columns=["user", "item", "grade"])), ())

    rows = [("u", "a", 1.0), ("u", "b", 2.0), ("u", "a", 3.0)]
    assert sums(rows)["label-repeats"] == sums([rows[1], rows[0], rows[2]])["label-repeats"]
    assert sums(rows)["label-repeats"] != sums(rows[::-1])["label-repeats"]
    assert sums(rows)["grades"] == sums(rows[::-1])["grades"]
    assert "label-repeats" not in sums(rows[:2])


def test_ids_are_hashed_by_their_text() -> None:
    ids: list[Any] = [0, 7, -12, 10**18, *range(100, 200)]
    assert id_hashes(make_ids(ids, "item")).tolist() == [id_hash(one) for one in ids]
    assert id_hashes(make_ids(list(map(str, ids)), "item")).tolist() == [id_hash(one) for one in ids]
    assert id_hashes(make_ids([("a", 1)], "item")).tolist() == id_hashes(make_ids([("a", "1")], "item")).tolist()


def test_texts_are_looked_up_where_they_came_before() -> None:
    texts, column = TextHashes(), [f"text {n % 7}" * (n % 3) for n in range(1000)]
    for _ in range(2):
        assert texts.of(pl.Series(column)).tolist() == [id_hash(one) for one in column]


@pytest.mark.parametrize("count", [0, 1, FEW, FEW + 1, 2 * ROWS + 1])
def test_texts_of_a_column_have_the_hashes_of_single_ones(count: int) -> None:
    column = ["", "ü" * 9, *(f"{n}" * (n % 5) for n in range(count))][:count]
    assert hashes_of_column(pl.Series(column, dtype=pl.String)).tolist() == [id_hash(one) for one in column]


def test_numbers_have_one_zero_and_one_nan() -> None:
    odd = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1e-320])
    found = number_hashes(odd).tolist()
    assert found == [number_hash(one) for one in odd.tolist()]
    assert (found[0], found[2]) == (found[1], found[3])
    assert len({*found}) == 5


@pytest.mark.parametrize("counts", [[10], [10] * 64, [100] * 500, [0, 0, 3, 0], [ROWS, 1, 2 * ROWS, 0, ROWS - 1, 1, 1]])
def test_rows_are_hashed_as_many_at_a_time_as_fit(counts: list[int]) -> None:
    starts = np.append(0, np.cumsum(counts))
    found = [*blocks(starts)]
    assert [at for at, _ in found] == [0, *(to for _, to in found[:-1])]
    assert found[-1][1] == len(counts)
    for at, to in found:
        assert to == at + 1 or starts[to] - starts[at] <= ROWS
        assert to == len(counts) or starts[to + 1] - starts[at] > ROWS  # the next user does not fit


@pytest.mark.parametrize("beside", [0, -1, 10**8, 2**63 - 1, -(2**63)])
def test_integers_are_hashed_as_their_texts(beside: int) -> None:
    """Also where all have eight digits at most, which is a way of its own."""
    draw = random.Random(1)
    few = {10**digits + more for digits in range(8) for more in (-1, 0, 1)}
    values = sorted({beside, *few, *(draw.randrange(10**8) for _ in range(ROWS + 5))})
    assert id_hashes(make_ids(values, "item")).tolist() == [id_hash(value) for value in values]
