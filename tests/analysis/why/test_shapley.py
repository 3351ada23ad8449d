"""The Shapley value: worked by hand, its laws, and against a count over all orders."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise, permutations
from math import factorial
from operator import or_

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankconv.analysis.why.mixtures import Mixture, TurnedSetting, all_turns, longest_way, united

Game = Mapping[Mixture, float]
TWO = {0b00: 0.0, 0b01: 1.0, 0b10: 2.0, 0b11: 4.0}
"""Together they add 1 more than alone."""
THREE = {0b000: 0.0, 0b001: 0.0, 0b010: 0.0, 0b011: 0.0, 0b100: 0.0, 0b101: 1.0, 0b110: 1.0, 0b111: 1.0}
"""A glove game: the third has a left glove, the others a right one each, and a pair is worth 1."""
WITHOUT_ONE = {mixture: value for mixture, value in TWO.items() if mixture != 0b01}


@pytest.mark.parametrize(
    ("game", "players", "orders", "expected"),
    [
        # player 1 adds 1 first and 2 last, player 2 adds 2 first and 3 last
        (TWO, 2, 2, [Fraction(3, 2), Fraction(5, 2)]),
        # Shapley's own example: who has the scarce glove gets 2/3, each of the others 1/6
        (THREE, 3, 6, [Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)]),
        # without the mixture of player 1 alone only the order 2, 1 is left: 2 adds 2, then 1 adds 2
        (WITHOUT_ONE, 2, 1, [2, 2]),
        ({mixture: float(mixture) for mixture in range(1 << 12)}, 12, factorial(12), [1 << at for at in range(12)]),
    ],
)
def test_by_hand(game: Game, players: int, orders: int, expected: list[Fraction]) -> None:
    turns = all_turns(game.keys(), players)
    assert (turns.orders, turns.shares(game)) == (orders, expected)


def test_what_only_goes_together_is_united() -> None:
    """Players 1 and 2 have a number only both or neither; player 3 goes before or after them."""
    game = {0b000: 0.0, 0b011: 1.0, 0b100: 5.0, 0b111: 7.0}
    assert all_turns(game.keys(), 3).orders == 0
    players = [TurnedSetting({name: ("a", "b")}) for name in ("ties", "ideal", "gain")]
    sizes = sorted(len(player.turned) for player in united(players, longest_way(game.keys(), 3)))
    assert sizes == [1, 2]


@st.composite
def games(draw: st.DrawFn) -> tuple[Game, int]:
    """Some mixtures of up to five players have no number."""
    players = draw(st.integers(1, 5))
    numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
    missing = draw(st.sets(st.integers(1, (1 << players) - 2))) if players > 1 else set()
    return {mixture: draw(numbers) for mixture in range(1 << players) if mixture not in missing}, players


def by_counting(game: Game, players: int) -> tuple[int, list[Fraction]]:
    """Every order written out."""
    ways = [list(accumulate((1 << p for p in order), or_, initial=0)) for order in permutations(range(players))]
    possible = [way for way in ways if all(mixture in game for mixture in way)]
    sums = [Fraction(0)] * players
    for way in possible:
        for before, after in pairwise(way):
            sums[(before ^ after).bit_length() - 1] += Fraction(game[after]) - Fraction(game[before])
    return len(possible), [total / max(1, len(possible)) for total in sums]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(games())
def test_it_is_the_mean_over_the_orders_written_out(drawn: tuple[Game, int]) -> None:
    """So it adds up to the difference, and the weights of the mixtures give it too."""
    game, players = drawn
    turns = all_turns(game.keys(), players)
    orders, expected = by_counting(game, players)
    assert turns.orders == orders
    assume(orders)
    assert turns.shares(game) == expected
    assert sum(expected) == Fraction(game[(1 << players) - 1]) - Fraction(game[0])
    found = turns.weights(list(game)) @ [*game.values()]
    assert found == pytest.approx([float(share) for share in expected], rel=1e-9, abs=1e-6)


def test_a_player_whom_no_mixture_heeds_has_nothing() -> None:
    game = {mixture: float((mixture >> 1).bit_count()) for mixture in range(1 << 3)}
    turns = all_turns(game.keys(), 3)
    assert (turns.shares(game), turns.moving(game)) == ([0, 1, 1], {1, 2})
