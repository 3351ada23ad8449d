"""A split is the same in whatever order the rows come, and sizes of shares are those of exact decimals."""

from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv import protocols
from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.cli.app import app
from tests.laws import examples

PARAMETERS = {
    "tested": ["share(0.5)", "number(3)", "fold(1, 2)"],
    "held-out": [
        *("last(1)", "last(2)", "share(0.3)", "share(0.3, up)", "share(0.3, down)", "share(0.3, train-nearest)"),
        *(
            "share(0.3, down-but-one)",
            "by-chance(0.4)",
            "from(4)",
            "last-days(1)",
            "latest(0.3)",
        ),
    ],
    "validation": ["last(1)", "share(0.3)", "share(0.3, down-but-one)"],
    "given": ["first(2)", "nested(3)"],
    "looked-for": ["at-least(3)"],
    "relevance": ["minus(2)", "at-least(3)"],
    "candidates": [f"held-out-and-sampled(2, of={of})" for of in ("unrated", "not-given", "any")]
    + ["held-out-and-sampled(2, drawn=by-popularity)"],
    "least-ratings": ["1", "2", "4"],
    "least-users": ["1"],
}
"""Settings with parameters; those without are found."""
ORDERS = ("as-given", "shuffled", "by-time")
Row = tuple[Any, ...]


def settings_of(convention_name: str) -> list[str]:
    """Every setting of a convention, with parameters where it takes some."""
    plain = [
        name
        for name, setting_type in PROTOCOL[convention_name].setting_types.items()
        if not setting_type.parameters.required
    ]
    return [name for name in plain if name != "a number"] + PARAMETERS.get(convention_name, [])


def one_away(preset: protocols.Protocol) -> Iterator[protocols.Protocol]:
    """The preset with each setting of each convention, under each order of a user's ratings."""
    for convention_name in PROTOCOL:
        for setting in settings_of(convention_name):
            for order in ORDERS if convention_name != "order" else [setting]:
                changed: dict[str, str] = {convention_name: setting, "order": order}
                if convention_name == "given":
                    changed |= {"held-out": "rest", "generalization": "strong", "tested": "share(0.5)"}
                try:
                    yield rc.protocol(preset, **{name.replace("-", "_"): one for name, one in changed.items()})
                except rc.ConventionError:
                    continue


def rows(draw: np.random.Generator, *, twins: bool) -> list[Row]:
    """User, item, rating and time: few times, so that many are tied, and items rated twice if asked for."""
    pairs = [(user, item) for user in range(9) for item in range(12) if draw.random() < 0.5]
    pairs += [pair for pair in pairs if twins and draw.random() < 0.3]
    return [(f"u{u}", f"i{i}", float(draw.integers(1, 6)), float(draw.integers(0, 6))) for u, i in pairs]


def outcome(protocol: protocols.Protocol, given: list[Row], seed: int) -> Any:
    """All that a split says, or why there is none."""
    try:
        split = protocol.split(given, seed)
    except rc.InputError as error:
        return str(error)
    candidates: list[Any] = []
    for point in range(0, len(split.points), 7):
        try:
            candidates.append(split.ratings.items.values[split.candidates_of(point)].tolist())
        except rc.InputError as error:
            candidates.append(str(error))
    parts = {name: frame.rows() for name, frame in split.to_frames().items()}
    return parts, split.fingerprint, split.sentence, candidates, split.by_rows


def test_every_setting_is_looked_at() -> None:
    for convention_name, convention in PROTOCOL.items():
        named = {setting.partition("(")[0] for setting in settings_of(convention_name)}
        assert {*convention.setting_types} - {"a number"} <= named, convention_name


@pytest.mark.parametrize("twins", [False, True])
@pytest.mark.parametrize("preset", rc.list_protocols())
def test_rows_in_another_order_give_the_same_split(preset: str, twins: bool) -> None:
    """To the bit and the row: every setting with every order, one away from each preset; ties in time, and twins."""
    start = rc.protocol(preset)
    if twins and start.settings.given("repeated") == "refused":
        start = start.replace(repeated="each")
    divided, protocols = 0, {one.text: one for one in one_away(start)}
    every = examples.of(quick=10, ci=3, long=1)
    for at, protocol in enumerate([*protocols.values()][::every]):
        draw = np.random.default_rng(at)
        for given in (timed := rows(draw, twins=twins), [row[:3] for row in timed]):
            found = outcome(protocol, given, at)
            divided += not isinstance(found, str)
            settings = protocol.settings.given("order"), protocol.settings.given("repeated")
            by_rows = given is not timed and (settings[0] == "as-given" or settings[1] in ("first", "last"))
            if not isinstance(found, str):
                assert found[-1] == ("the order of rows decides" in found[2])
                assert by_rows or not found[-1]
                by_rows = found[-1]
            if not by_rows:
                mixed = [given[row] for row in draw.permutation(len(given))]
                assert outcome(protocol, mixed, at) == found, protocol
                assert outcome(protocol, sorted(given, key=lambda row: (row[1], -row[2])), at) == found, protocol
    assert divided > 3


@pytest.mark.parametrize("hidden", [("u", "d"), ("v", "c")])
def test_tied_times_are_told_and_ids_decide(hidden: tuple[str, str]) -> None:
    ratings = [("u", "a", 5, 1), ("u", "d", 4, 3), ("u", "c", 5, 3), ("v", "c", 1, 2), ("v", "b", 2, 2)]
    split = rc.protocol("base", held_out="last(1)").split(ratings)
    assert hidden in split.to_frames()["labels"].select("user", "item").rows()
    assert (
        "4 ratings with the time of another one of their user: the item id, then the rating, decides." in split.sentence
    )
    assert "decides" not in rc.protocol("base", order="shuffled").split(ratings).sentence


def test_times_that_were_read_decide_and_without_them_the_order_of_rows_does(tmp_path: Path) -> None:
    ratings = [("u", "a", 5, 3), ("u", "b", 4, 1), ("u", "c", 3, 2)]
    of = lambda split: split.to_frames()["labels"]["item"].to_list()
    assert of(rc.protocol("base").split(ratings)) == ["a"]
    untimed = rc.protocol("base").split([row[:3] for row in ratings])
    assert of(untimed) == ["c"]
    assert untimed.sentence.endswith("No times were read: the order of rows decides.")
    turned = rc.protocol("base").split([row[:3] for row in ratings[::-1]])
    assert of(turned) == ["a"]
    assert turned.fingerprint != untimed.fingerprint, "another order of rows is another split"
    pl.DataFrame([row[:3] for row in ratings], ["user", "item", "rating"], orient="row").write_csv(tmp_path / "r.csv")
    done = CliRunner().invoke(app, ["split", str(tmp_path / "r.csv"), "-o", str(tmp_path / "out")])
    assert "the order of rows decides" in " ".join(done.stdout.split())


def test_row_numbers_as_times_are_the_order_of_rows() -> None:
    """How libraries divide that leave tied times as the rows came."""
    ratings = [("u", item, 5, 7) for item in "cab"]
    numbered = [(*row[:3], place) for place, row in enumerate(ratings)]
    split = rc.protocol("leave-one-out", candidates="catalogue").split(numbered)
    assert split.labels.rows_of("u") == {"b": 1.0}


HUNDREDTHS = range(1, 100)
COUNTS = np.arange(1, 300)
SIZES = {
    "up": lambda part, count: -(-part * count // 100),
    "down": lambda part, count: part * count // 100,
    "nearest": lambda part, count: nearest(part * count),
    "train-nearest": lambda part, count: count - nearest((100 - part) * count),
    "down-but-one": lambda part, count: max(part * count // 100, int(count > 1)),
}


def nearest(hundredths: int) -> int:
    """Whole ones, halves to the even number."""
    whole, rest = divmod(hundredths, 100)
    return whole + (rest > 50 or (rest == 50 and whole % 2 == 1))


@pytest.mark.parametrize("rounding", SIZES)
def test_a_share_is_an_exact_decimal(rounding: str) -> None:
    for part in HUNDREDTHS:
        setting = PROTOCOL["held-out"](f"share(0.{part:02}, {rounding})")
        expected = [SIZES[rounding](part, count) for count in COUNTS.tolist()]
        place = COUNTS - np.array(expected)
        assert setting(place=place, count=COUNTS)[np.array(expected) > 0].all(), part
        assert not setting(place=place - 1, count=COUNTS).any(), part


@pytest.mark.parametrize("rounding", ["nearest", "down-but-one"])
def test_a_share_for_tuning_is_an_exact_decimal(rounding: str) -> None:
    for part in HUNDREDTHS:
        setting = PROTOCOL["validation"](f"share(0.{part:02}, {rounding})")
        expected = np.array([SIZES[rounding](part, count) for count in COUNTS.tolist()])
        assert setting(place=COUNTS - expected, count=COUNTS, left=COUNTS)[expected > 0].all(), part
        assert not setting(place=COUNTS - expected - 1, count=COUNTS, left=COUNTS).any(), part


def test_the_latest_share_begins_at_an_exact_place() -> None:
    for part in HUNDREDTHS:
        setting = PROTOCOL["held-out"](f"latest(0.{part:02})")
        for count in (2, 11, 21, 41, 101):
            hidden = int(setting(time=np.arange(count) / 1e3).sum())
            assert hidden == count - ceil(((100 - part) * (count - 1) - 1e-6) / 100), (part, count)
