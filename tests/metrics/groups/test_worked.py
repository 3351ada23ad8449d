"""Every setting of the conventions of groups of items, against numbers worked out by hand."""

from math import inf, log, log2, nan, sqrt

import pytest

import rankconv as rc
from tests.metrics.worked import Row, cells, neutral, spec_of
from tests.together import together

LABELS = {"u": {"a": 1, "d": 1}, "v": {"b": 2, "x": 0}, "w": {"x": 1}, "z": {"b": 2}}
RUN = {"u": ["a", "b", "c", "d"], "v": ["c", "x"], "w": ["x"], "z": ["b", "b"]}
GROUPS = {"a": "jazz", "b": "rock", "c": "rock", "d": "jazz", "e": "rock"}  # x has none, and e is in no list
TRAIN = {"u": ["e"], "p": ["a", "b"], "q": ["a", "b", "c"], "r": ["a", "e", "e"]}  # users a 3, b 2, e 2, c 1
TARGET = {"jazz": 0.3, "rock": 0.7}
NEUTRAL = neutral()

W2, W4 = 1 / log2(3), 1 / log2(5)  # exposure of ranks 2 and 4; that of rank 3 is 1/2
JAZZ, ROCK = 1 + W4, W2 + 1 / 2  # of user u
MIX = JAZZ / (JAZZ + ROCK), ROCK / (JAZZ + ROCK)


def kl(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The divergence of one distribution from another."""
    return sum(p * log(p / q) if p and q else inf if p else 0 for p, q in zip(one, other, strict=True))


def near(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """1 minus the Jensen-Shannon divergence by the natural logarithm."""
    mean = tuple((p + q) / 2 for p, q in zip(one, other, strict=True))
    return 1 - (kl(one, mean) + kl(other, mean)) / 2


EVEN = (1 / 2, 1 / 2)
HEAD = "item-group=popularity-head(0.5, reached)"
RATES = "group-spread=max-min-difference"  # of 1 row of jazz and 5 of rock in the first 3 of all lists
ROWS = [
    Row(
        "item-group",
        "u",
        "group_share@2",  # one of jazz, one of rock; the share that is less
        {
            "column": 1 / 2,
            "popularity-head(0.5, reached)": 0,  # of 8, a and b have 5
            "popularity-head(0.375, reached)": 1 / 2,  # a has 3
            "popularity-head(0.375, exceeded)": 0,
            "refuse": nan,
        },
    ),
    Row("popularity-ties", "u", "group_share@2", {"item-ascending": 0, "refuse": nan}, HEAD),
    Row("item-count", "u", "group_share@2", {"users": 0, "interactions": 1 / 2}, HEAD),  # of 9, a and e have 6
    Row("unseen-item", "v", "group_share@2", {"0": 0, "left-out": 0}, HEAD),
    Row(
        "no-group",
        "v",
        "awrf",  # of c and x
        {
            "left-out": near((0, 1), EVEN),
            "own-group": near((0, 1 / (1 + W2), W2 / (1 + W2)), (1 / 3, 1 / 3, 1 / 3)),
            "even-share": near((W2 / 2 / (1 + W2), (1 + W2 / 2) / (1 + W2)), EVEN),
            "refuse": nan,
        },
    ),
    Row("group", "u", "group_share@3", {"least": 1 / 3, "name(rock)": 2 / 3, "name(jazz)": 1 / 3, "refuse": nan}),
    Row("row-denominator", "u", "group_share@3", {"rows": 1 / 3, "one": 1}),
    Row(
        "exposure",
        "u",
        "expected_exposure",
        {
            "log(base=2)": JAZZ**2 + ROCK**2,
            "log-from-rank(base=2)": (1 + 1 / 2) ** 2 + (1 + W2) ** 2,
            "geometric(0.5)": (1 + 1 / 8) ** 2 + (1 / 2 + 1 / 4) ** 2,
            "geometric(0.5, scale=2)": (2 + 1 / 4) ** 2 + (1 + 1 / 2) ** 2,
            "gerr(0.5, 0.5)": (1 + 1 / 16) ** 2 + (1 / 4 + 1 / 8) ** 2,
        },
        "exposure-measure=disparity",
    ),
    Row(
        "exposure-of",
        "u",
        "expected_exposure",
        {"all-rows": JAZZ**2 + ROCK**2, "relevant-rows": JAZZ**2, "refuse": nan},
        "exposure-measure=disparity",
    ),
    Row(  # c alone is in a group, and no row is relevant
        "exposure-of",
        "v",
        "expected_exposure",
        {"all-rows": 1, "relevant-rows": 0, "all-rows-if-relevant": 0},
        "exposure-measure=disparity",
    ),
    Row(
        "exposure-measure",
        "u",
        "expected_exposure",
        {
            "loss": (JAZZ - (1 + W2) / 2) ** 2 + (ROCK - (1 + W2) / 2) ** 2,
            "disparity": JAZZ**2 + ROCK**2,
            "relevance": (JAZZ + ROCK) * (1 + W2) / 2,
        },
        "exposure-target=of-groups(2)",
    ),
    Row(  # a at rank 1 has 1 of the (1 + W2)/2 that it should have, d at rank 4 has W4; b and c should have nothing
        "exposure-measure",
        "u",
        "item_exposure",
        {
            "loss": (1 - (1 + W2) / 2) ** 2 + (W4 - (1 + W2) / 2) ** 2 + W2**2 + 1 / 4,
            "disparity": 1 + W2**2 + 1 / 4 + W4**2,
            "relevance": (1 + W4) * (1 + W2) / 2,
        },
    ),
    Row("exposure-measure", "v", "item_exposure", {"loss": 1 + W2**2 + 1 - 2 * W2 * W2 + W2**2, "relevance": W2**2}),
    Row(
        "exposure-target",
        "u",
        "expected_exposure",
        {
            "of-groups(1)": (JAZZ + ROCK) / 2,
            "of-groups(2)": (JAZZ + ROCK) * (1 + W2) / 2,
            "of-groups(20)": (JAZZ + ROCK) * sum(1 / log2(rank + 1) for rank in range(1, 21)) / 2,
            "of-grades": JAZZ * (1 + W2),
        },
        "exposure-measure=relevance",
    ),
    Row(
        "group-target",
        "u",
        "awrf",
        {
            "even": near(MIX, EVEN),
            "given": near(MIX, (0.3, 0.7)),
            "catalogue": near(MIX, (2 / 5, 3 / 5)),
            "relevant": near(MIX, (1, 0)),
            "training": near(MIX, (3 / 9, 6 / 9)),
        },
    ),
    Row(
        "target-distance",
        "u",
        "awrf",
        {
            "js(base=e)": near(MIX, EVEN),
            "js(base=2)": 1 - (1 - near(MIX, EVEN)) / log(2),
            "kl(base=e)": 1 - kl(MIX, EVEN),
            "squared": 1 - 2 * (MIX[0] - 1 / 2) ** 2,
        },
    ),
    Row("no-exposure", "w", "awrf", {"undefined": nan, "even": 1}),
    Row(
        "group-rate",
        "",
        "group_fairness@3",
        {
            "rows": 5 - 1,
            "distinct-rows": 4 - 1,
            "hits": 2 - 1,
            "exposure": (W2 + 1 / 2) + 1 + (1 + W2) - 1,
            "pairs": 1 - 0,  # a is above b and c
            "gain-of-items": (0 + 2 + 2) / 3 - 1,
            "refuse": nan,
        },
        RATES,
    ),
    Row(
        "group-rate-over",
        "",
        "group_fairness@3",
        {
            "one": 5 - 1,
            "items-of-group": 5 / 3 - 1 / 2,
            "offered-items": 5 / (4 * 3 - 1) - 1 / (4 * 2),
            "relevant-of-group": 5 / 2 - 1 / 2,
            "listed-relevant": 5 / 2 - 1 / 2,
            "listed-items": 5 / 2 - 1 / 1,
        },
        RATES,
    ),
    Row(
        "group-spread",
        "",
        "group_fairness@3",
        {
            "std-over-mean": 2 / 3,
            "std-over-mean(least=3)": nan,
            "min-max-ratio": 1 / 5,
            "max-min-ratio": 5,
            "max-min-difference": 4,
            "mean-absolute-difference": 4,
            "variance": 4,
            "max-from-mean": 2,
            "mean-from-mean": 2,
            "length": sqrt(26),
        },
    ),
    Row(  # items without a group are a third: 2 rows, and the relevant label of w is the item of one of them
        "undefined-group",
        "",
        "group_fairness(users=ranked, on-no-ranking=skip)@3",
        {"as-computed": nan, "left-out": 1 / 3},
        "group-rate=hits, group-rate-over=relevant-of-group, item-group=column(era)",
    ),
]
ERAS = {"a": "old", "b": "new", "c": "lost", "d": "old"}  # nothing of c is relevant: 1 of 2 and 2 of 2 are left


def features_of(row: Row) -> object:
    """The groups of items, of another column where a row asks for it."""
    if "column(era)" not in row.beside:
        return GROUPS
    pl = pytest.importorskip("polars")

    items = sorted(ERAS)
    return pl.DataFrame({"item": items, "genre": [GROUPS[one] for one in items], "era": [ERAS[one] for one in items]})


@together("row, setting, expected", cells(ROWS), by=lambda row, *_: row.convention_name)
def test_the_value_under_a_setting(row: Row, setting: str, expected: float) -> None:
    name, paren, rest = row.metric.partition("(")
    inner, _, at = rest.partition(")")
    settings = ", ".join(filter(None, [inner, f"{row.convention_name}={setting}", row.beside]))
    spec = spec_of(name + at if paren else name, settings)
    given = {"train": TRAIN, "item_features": features_of(row), "group_target": TARGET}
    result = rc.evaluate(LABELS, RUN, spec, NEUTRAL, on_error="collect", **given)  # type: ignore[arg-type]
    found = result.per_user[spec][result.users.tolist().index(row.user)] if row.user else result[spec]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)
