"""What a library is handed under the modifier: the rankings that the preset itself evaluates."""

import pytest

import rankconv as rc
from rankconv.addons.verification.adapter import User
from rankconv.addons.verification.comparing import handed

USER = User("u", ("x", "a"), (5.0, 3.0), {"a": 1.0, "y": 2.0, "z": 0.0})
RISING = User("u", ("x", "a"), (3.0, 5.0), {"a": 1.0, "y": 2.0})
EMPTY = User("u", (), (), {"a": 1.0, "y": 2.0})


@pytest.mark.parametrize(
    ("preset", "user", "ranking", "scores"),
    [
        ("sklearn", USER, ("x", "a"), (5, 3)),
        ("sklearn+unretrieved", USER, ("x", "a", "y", "z"), (5, 3, 2, 1)),
        ("lightgbm+unretrieved", RISING, ("x", "a", "y"), (2, 4, 1)),
        ("lightgbm+unretrieved", EMPTY, ("a", "y"), (2, 1)),
        ("fuxictr+unretrieved", RISING, ("x", "a", "y"), (2, 4, 1)),
        ("transformers4rec+unretrieved", EMPTY, ("a", "y"), (-1, -2)),
        ("lightgbm+unretrieved", User("v", (), (), {}), (), ()),
    ],
)
def test_unretrieved_items_stand_at_the_bottom(
    preset: str, user: User, ranking: tuple[str, ...], scores: tuple[float, ...]
) -> None:
    [found] = handed([user], rc.preset(preset))
    assert (found.ranking, found.scores) == (ranking, scores)
    assert found.grades == [user.labels.get(item, 0.0) for item in ranking]


def test_a_changed_preset_says_what_is_appended() -> None:
    changed = rc.preset("sklearn+unretrieved").replace(candidates="with-unretrieved(lowest=7)")
    assert handed([USER], changed)[0].scores == (11, 9, 8, 7)
    assert handed([USER], rc.preset("sklearn+unretrieved").replace(candidates="returned"))[0] == USER
