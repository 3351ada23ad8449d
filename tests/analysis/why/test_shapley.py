"""The Shapley value: worked by hand, its laws, and against a count over all orders."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise, permutations
from math import factorial
from operator import or_

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankconv.analysis.why.shapley import Mixture, Turns, all_turns, longest_way, sample_orders, sampled_turns
from rankconv.analysis.why.turned_settings import TurnedSetting, united

Game = Mapping[Mixture, float]
TWO = {0b00: 0.0, 0b01: 1.0, 0b10: 2.0, 0b11: 4.0}
"""Together they add 1 more than alone."""
THREE = {0b000: 0.0, 0b001: 0.0, 0b010: 0.0, 0b011: 0.0, 0b100: 0.0, 0b101: 1.0, 0b110: 1.0, 0b111: 1.0}
"""A glove game: the third has a left glove, the others a right one each, and a pair is worth 1."""


def shares(game: Game, players: int) -> list[Fraction]:
    return all_turns(game.keys(), players).shares(game)


def test_two_by_hand() -> None:
    """Player 1 adds 1 first and 2 last, player 2 adds 2 first and 3 last."""
    assert shares(TWO, 2) == [Fraction(3, 2), Fraction(5, 2)]


def test_three_by_hand() -> None:
    """Shapley's own example: who has the scarce glove gets 2/3, each of the others 1/6."""
    assert shares(THREE, 3) == [Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)]


def test_an_order_that_passes_nothing_does_not_count() -> None:
    """Without the mixture of player 1 alone only the order 2, 1 is left: 2 adds 2, then 1 adds 2."""
    game = {mixture: value for mixture, value in TWO.items() if mixture != 0b01}
    turns = all_turns(game.keys(), 2)
    assert (turns.orders, turns.shares(game)) == (1, [2, 2])


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


@settings(derandomize=True, deadline=None)
@given(games())
def test_it_is_the_mean_over_the_orders_written_out(drawn: tuple[Game, int]) -> None:
    game, players = drawn
    turns = all_turns(game.keys(), players)
    orders, expected = by_counting(game, players)
    assert turns.orders == orders
    assume(orders)
    assert turns.shares(game) == expected


@settings(derandomize=True, deadline=None)
@given(games())
def test_efficiency(drawn: tuple[Game, int]) -> None:
    game, players = drawn
    turns = all_turns(game.keys(), players)
    assume(turns.orders)
    assert sum(turns.shares(game)) == Fraction(game[(1 << players) - 1]) - Fraction(game[0])


@settings(derandomize=True, deadline=None)
@given(st.integers(1, 5), st.data())
def test_symmetry_and_null_players(players: int, data: st.DataObject) -> None:
    """Where only the number of turned players counts, all have the same; one whom no mixture heeds has nothing."""
    by_size = data.draw(st.lists(st.floats(-9, 9), min_size=players + 1, max_size=players + 1))
    game = {mixture: by_size[mixture.bit_count()] for mixture in range(1 << players)}
    assert len(set(shares(game, players))) == 1
    ignored = {mixture: by_size[(mixture >> 1).bit_count()] for mixture in range(1 << players)}
    turns = all_turns(ignored.keys(), players)
    assert (turns.shares(ignored)[0], 0 in turns.moving(ignored)) == (0, False)


@settings(derandomize=True, deadline=None)
@given(games())
def test_weights_of_mixtures_give_the_shares(drawn: tuple[Game, int]) -> None:
    game, players = drawn
    turns = all_turns(game.keys(), players)
    assume(turns.orders)
    mixtures = list(game)
    found = turns.weights(mixtures) @ [game[mixture] for mixture in mixtures]
    assert found == pytest.approx([float(share) for share in turns.shares(game)], rel=1e-9, abs=1e-6)


def sampled(count: int, seed: int, game: Game = THREE, players: int = 3) -> Turns:
    return sampled_turns(sample_orders(players, count, seed), game.keys(), players)


def test_a_sample_adds_up_too() -> None:
    assert sum(sampled(7, 0).shares(THREE)) == 1


def test_a_sample_is_off_by_its_standard_error() -> None:
    """Of 200 samples about 95 % hold the true share within two standard errors."""
    inside = 0
    for seed in range(200):
        turns = sampled(60, seed)
        inside += abs(float(turns.shares(THREE)[2]) - 2 / 3) <= 2 * turns.standard_errors(THREE)[2]
    assert 180 <= inside <= 200


def test_a_sample_leaves_out_impossible_orders() -> None:
    game = {mixture: value for mixture, value in TWO.items() if mixture != 0b01}
    turns = sampled(50, 0, game, 2)
    assert 0 < turns.orders < 50
    assert turns.shares(game) == [2, 2]


def test_twelve_players_have_all_orders() -> None:
    game = {mixture: float(mixture) for mixture in range(1 << 12)}
    turns = all_turns(game.keys(), 12)
    assert turns.orders == factorial(12)
    assert turns.shares(game) == [1 << player for player in range(12)]
