"""Four users and six items, each setting worked out on paper.

user   in the order given (time)          ratings
ada    a(1) b(2) c(3) d(4)                5 1 4 2
bob    c(2) a(5)                          3 5
cem    e(3) f(1) a(6)                     4 4 1
dia    b(7)                               2
"""

from typing import Any

import pytest

import rankconv as rc
from rankconv import protocols
from rankconv.addons.protocols.draws import Draws
from rankconv.addons.protocols.split import split

DAY = 86_400
RATINGS = [
    *(("ada", "a", 5, 1 * DAY), ("ada", "b", 1, 2 * DAY), ("ada", "c", 4, 3 * DAY), ("ada", "d", 2, 4 * DAY)),
    *(("bob", "c", 3, 2 * DAY), ("bob", "a", 5, 5 * DAY)),
    *(("cem", "e", 4, 3 * DAY), ("cem", "f", 4, 1 * DAY), ("cem", "a", 1, 6 * DAY)),
    ("dia", "b", 2, 7 * DAY),
]
ALL = {(user, item) for user, item, *_ in RATINGS}


class Fixed(Draws):
    """Draws of a quarter more for each user, and of items by their letter, the last one lowest."""

    def of_users(self, ratings: protocols.Ratings, purpose: str) -> Any:
        return ratings.users.text_rank / 4

    def of_ratings(self, ratings: protocols.Ratings, purpose: str) -> Any:
        return 1 - (ratings.items.text_rank[ratings.item] + 1) / 10

    def of_items(self, items: Any, *told: Any) -> Any:
        return items.text_rank / 10


def made(**settings: Any) -> protocols.Split:
    return split(rc.protocol("base", **settings), RATINGS, draws=Fixed(0))


def hidden(found: protocols.Split) -> dict[Any, dict[Any, float]]:
    return {key: found.labels.rows_of(key) for key in found.keys.values.tolist()}


def trains(found: protocols.Split) -> set[tuple[str, str]]:
    return set(found.train.to_frame().select("user", "item").iter_rows())


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, {"ada": "d", "bob": "a", "cem": "a", "dia": "b"}),
        ({"held_out": "last(2)"}, {"ada": "cd", "bob": "ca", "cem": "ea", "dia": "b"}),  # times were read: they decide
        ({"order": "by-time"}, {"ada": "d", "bob": "a", "cem": "a", "dia": "b"}),
        ({"order": "by-time", "held_out": "last(2)"}, {"ada": "cd", "bob": "ca", "cem": "ea", "dia": "b"}),
        ({"order": "shuffled"}, {"ada": "a", "bob": "a", "cem": "a", "dia": "b"}),
        ({"held_out": "share(0.5)"}, {"ada": "cd", "bob": "a", "cem": "ea"}),  # 1.5 to the even 2, 0.5 to 0
        ({"held_out": "share(0.5, up)"}, {"ada": "cd", "bob": "a", "cem": "ea", "dia": "b"}),
        ({"held_out": "share(0.5, down)"}, {"ada": "cd", "bob": "a", "cem": "a"}),
        ({"held_out": "share(0.25, down-but-one)"}, {"ada": "d", "bob": "a", "cem": "a"}),
        (
            {"held_out": "share(0.5, train-nearest)"},
            {"ada": "cd", "bob": "a", "cem": "a", "dia": "b"},
        ),  # 2, 1, 2, 0 train
        ({"held_out": "by-chance(0.65)"}, {"ada": "d", "cem": "ef"}),  # draws: a 0.9, b 0.8, … f 0.4
        ({"held_out": "from(1970-01-06)"}, {"bob": "a", "cem": "a", "dia": "b"}),
        ({"held_out": f"from({5 * DAY})"}, {"bob": "a", "cem": "a", "dia": "b"}),
        ({"held_out": "last-days(3)"}, {"bob": "a", "cem": "a", "dia": "b"}),  # days 5, 6 and 7
        ({"held_out": "latest(0.2)"}, {"cem": "a", "dia": "b"}),
        ({"tested": "share(0.5)"}, {"ada": "d", "bob": "a"}),
        ({"tested": "number(1)"}, {"ada": "d"}),
        ({"tested": "fold(4, 4)"}, {"dia": "b"}),
        ({"least_ratings": 3}, {"ada": "d", "cem": "a"}),
        ({"cold_users": "dropped"}, {"ada": "d", "bob": "a", "cem": "a"}),
        ({"cold_items": "dropped"}, {"bob": "a", "cem": "a"}),  # of d and b nobody else has a training rating … b: ada
        ({"looked_for": "at-least(2)"}, {"ada": "d", "bob": "a", "dia": "b"}),
    ],
)
def test_what_is_hidden(settings: dict[str, Any], expected: dict[str, str]) -> None:
    found = hidden(made(**settings))
    if settings.get("cold_items"):
        expected = expected | {"dia": "b"}  # ada's b trains
    assert {user: set(items) for user, items in found.items()} == {user: set(told) for user, told in expected.items()}


@pytest.mark.parametrize(
    ("settings", "grades"),
    [
        ({}, [2, 5, 1, 2]),
        ({"relevance": "minus(3)"}, [-1, 2, -2, -1]),
        ({"relevance": "at-least(4)"}, [0, 1, 0, 0]),
        ({"relevance": "binary"}, [1, 1, 1, 1]),
        ({"relevance": "counts"}, [2, 5, 1, 2]),
        ({"relevance": "minus(3)", "no_positives": "left-out"}, [2]),
    ],
)
def test_what_it_is_worth(settings: dict[str, Any], grades: list[float]) -> None:
    assert made(**settings).labels.grade.tolist() == grades


def test_weak_and_strong() -> None:
    weak = made(tested="share(0.5)")
    assert trains(weak) == ALL - {("ada", "d"), ("bob", "a")}
    strong = made(tested="share(0.5)", generalization="strong")
    assert trains(strong) == {pair for pair in ALL if pair[0] in ("cem", "dia")}
    assert strong.seen.rows_of("ada") == {"a": 5, "b": 1, "c": 4}


def test_who_has_too_few() -> None:
    few = {"least_ratings": 3, "generalization": "strong"}
    assert trains(made(**few)) == {pair for pair in ALL if pair[0] in ("bob", "dia")}
    with pytest.raises(rc.InputError, match="no rating is left to learn from"):
        made(**few, too_few="left-out")
    with pytest.raises(rc.InputError, match=r"user 'bob' has 2 ratings, and 3 are the least"):
        made(**few, too_few="refused")


def test_what_tunes() -> None:
    found = made(validation="last(1)")
    assert {*found.validation.to_frame().select("user", "item").iter_rows()} == {
        ("ada", "c"),
        ("bob", "c"),
        ("cem", "e"),
    }
    assert trains(found) == {("ada", "a"), ("ada", "b"), ("cem", "f")}
    assert made(validation="share(0.5)").validation.to_frame()["item"].to_list() == ["b", "c", "c", "f", "e"]


def test_one_to_three_given() -> None:
    nested = {"held_out": "rest", "generalization": "strong", "tested": "share(0.5)"}
    found = made(**nested, given="nested(3)")
    expected = {("ada", 1): "bcd", ("ada", 2): "cd", ("ada", 3): "d", ("bob", 1): "a"}
    assert {key: "".join(items) for key, items in hidden(found).items()} == expected
    assert {key: "".join(found.seen.rows_of(key)) for key in expected} == {
        ("ada", 1): "a",
        ("ada", 2): "ab",
        ("ada", 3): "abc",
        ("bob", 1): "c",
    }
    assert [*hidden(made(**nested, given="nested(3, least=2)"))] == [("ada", 2), ("ada", 3)]
    assert [*hidden(made(**nested, given="nested(3, step=2)"))] == [("ada", 1), ("ada", 3), ("bob", 1)]
    assert hidden(made(**nested, given="first(2)")) == {"ada": {"c": 4, "d": 2}}
    liked = made(**nested, given="nested(3)", relevance="minus(2)", no_positives="left-out")
    assert [*hidden(liked)] == [("ada", 1), ("ada", 2), ("bob", 1)], "d is worth 0, and nothing else is left at 3"


def test_cases_of_each_rating() -> None:
    found = made(held_out="last(2)", cases="rating", looked_for="at-least(2)")
    assert hidden(found) == {
        ("ada", "c"): {"c": 4},
        ("ada", "d"): {"d": 2},
        ("bob", "c"): {"c": 3},
        ("bob", "a"): {"a": 5},
        ("cem", "e"): {"e": 4},
        ("dia", "b"): {"b": 2},
    }


def candidates(found: protocols.Split, point: int = 0) -> str:
    return "".join(found.ratings.items.values[found.candidates_of(point)].tolist())


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "def"),
        ({"seen": "kept"}, "abcdef"),
        ({"candidates": "held-out"}, "d"),
        ({"candidates": "held-out-and-sampled(1)"}, "de"),  # e and f are unrated, and e is drawn first
        ({"candidates": "held-out-and-sampled(9)"}, "def"),
        ({"candidates": "held-out-and-sampled(2, of=any)", "seen": "kept"}, "abd"),
        ({"held_out": "last(2)", "candidates": "held-out-and-sampled(1, of=not-given)"}, "cde"),
        ({"held_out": "last(2)", "cases": "rating", "candidates": "held-out-and-sampled(1, of=not-given)"}, "cd"),
        ({"items": "trained"}, "ef"),  # d and a are not learned from
    ],
)
def test_among_which_ada_looks(settings: dict[str, Any], expected: str) -> None:
    assert candidates(made(**settings)) == expected


def test_popular_items_are_drawn_before_others() -> None:
    """Weights: b 1, c 1, e 1, f 1, a 1 training rating each, d none; -log(1 - draw) / weight rises with the draw."""
    found = made(candidates="held-out-and-sampled(2, of=any, drawn=by-popularity)", seen="kept")
    assert candidates(found) == "abd"
    assert "d" not in candidates(found, 1), "bob's other candidates have been learned from"


@pytest.mark.parametrize(("setting", "kept"), [("last", [2.0]), ("first", [5.0]), ("each", [5.0, 2.0])])
def test_of_what_is_rated_twice(setting: str, kept: list[float]) -> None:
    twice = [("ada", "x", 2, 9), ("ada", "y", 1, 1), ("ada", "x", 5, 3)]  # in time 5 comes first
    found = rc.protocol("base", repeated=setting, order="by-time").split(twice)
    assert sorted(found.ratings.rating[found.ratings.item == 0].tolist()) == sorted(kept)


def test_items_bought_again() -> None:
    twice = [("ada", "x", 1, 1), ("ada", "x", 1, 2), ("bob", "x", 1, 1), ("bob", "y", 1, 2)]
    each = rc.protocol("base", repeated="each", order="by-time")
    assert hidden(each.split(twice)) == {"ada": {"x": 1}, "bob": {"y": 1}}
    assert [*hidden(each.replace(again="dropped").split(twice))] == ["bob"]
