"""Every setting of the conventions of metrics beyond accuracy, against numbers worked out by hand."""

from math import e, log2, sqrt
from math import log as ln

import pytest

import rankconv as rc
from tests.metrics.worked import Row, cells, neutral, spec_of
from tests.together import together

LABELS = {"u": ["b", "d"], "v": ["x"]}
RUN = {"u": ["a", "b", "c", "d"], "v": ["a", "x"]}
TRAIN = {"u": ["a"], "p": ["a", "b", "b"], "q": ["a", "b", "c"], "r": ["e"]}  # users a 3, b 2, c 1, e 1; d and x nobody
FEATURES = {"a": [1, 0], "b": [0, 1], "c": [1, 1], "e": [1, 0], "x": [0, 0]}  # nothing is known of d
CATALOGUE = ["a", "b", "c", "d", "e", "f"]  # without x
NEUTRAL = neutral()

APART = 1 + 2 * (1 - 1 / sqrt(2))  # the cosine distances of a and b, a and c, b and c
TOGETHER = (1 - 2 / sqrt(6)) + (1 - 1 / sqrt(3)) + (1 - 1 / sqrt(2))
W = 1 / log2(3)  # of rank 2
COMPLEMENT, HISTORY = "item-novelty=complement", "serendipity-kind=unlike-history"

ROWS = [
    # the rows of one user
    Row("item-count", "u", "popularity@3", {"users": (3 + 2 + 1) / 3, "interactions": (3 + 3 + 1) / 3}),
    Row(
        "popularity",
        "u",
        "popularity@3",
        {
            "count": 6 / 3,
            "share": 6 / 7 / 3,
            "user-share": 6 / 4 / 3,
            "of-most-popular": (1 + 2 / 3 + 1 / 3) / 3,
            "quantile": (4 / 4 + 3 / 4 + 1.5 / 4) / 3,
        },
    ),
    Row("popularity", "u", "popularity@3", {"count": 7 / 3, "share": 7 / 8 / 3}, "item-count=interactions"),
    Row(
        "unseen-item",
        "u",
        "novelty@4",
        {
            "0": (1 / 4 + 1 / 2 + 3 / 4 + 1) / 4,
            "1": (1 / 4 + 1 / 2 + 3 / 4 + 3 / 4) / 4,
            "rarest": (1 / 4 + 1 / 2 + 3 / 4 + 3 / 4) / 4,
            "left-out": (1 / 4 + 1 / 2 + 3 / 4) / 3,
            "worth-nothing": (1 / 4 + 1 / 2 + 3 / 4) / 4,
        },
        COMPLEMENT,
    ),
    Row("row-denominator", "v", "popularity@5", {"rows": 3 / 2, "k": 3 / 5}),
    Row("row-denominator", "v", "new_to_user", {"rows": 1, "k": 1}),
    Row(
        "row-weight",
        "u",
        "novelty@2",
        {
            "equal": (1 / 4 + 1 / 2) / 2,
            "log(base=2)": (1 / 4 + W / 2) / (1 + W),
            "geometric(patience=0.5)": (1 / 4 + 1 / 4) / 1.5,
        },
        COMPLEMENT,
    ),
    Row(
        "item-novelty",
        "u",
        "novelty@2",
        {
            "self-information(base=2)": (-log2(3 / 4) + 1) / 2,
            "self-information(base=e)": (-ln(3 / 4) - ln(1 / 2)) / 2,
            "self-information(base=2, epsilon=0.25)": (-log2(1) - log2(3 / 4)) / 2,
            "share-of-most": (-log2(3 / 4) + 1) / log2(4) / 2,
            "complement": (1 / 4 + 1 / 2) / 2,
        },
    ),
    Row("novelty-rows", "u", "novelty@2", {"all": (1 / 4 + 1 / 2) / 2, "relevant": 1 / 2 / 2}, COMPLEMENT),
    # pairs of items
    Row(
        "pair-distance",
        "u",
        "diversity@3",
        {
            "cosine": APART / 3,
            "jaccard": (1 + 1 / 2 + 1 / 2) / 3,
            "hamming": (2 + 1 + 1) / 3,
            "co-occurrence": TOGETHER / 3,
        },
    ),
    Row("unknown-pair", "u", "diversity@4", {"left-out": APART / 3, "1": (APART + 3) / 6, "0.5": (APART + 1.5) / 6}),
    Row("pair-value", "u", "diversity@3", {"distance": APART / 3, "similarity": (3 - APART) / 3}),
    Row("pair-denominator", "u", "diversity@2", {"pairs": 1, "rows": 1 / 2}),
    Row("category-denominator", "v", "category_share@5", {"k": 1 / 5, "all": 1 / 2}),
    # b is as popular as any, d unknown: above popularity by (7 - 4)/6; b is unlike a, which u had, and so is d
    Row("serendipity-kind", "u", "serendipity@4", {"above-popular": 3 / 6 / 4}),
    Row("serendipity-kind", "u", "serendipity@4", {"unlike-history": 2 / 4}, "unknown-pair=1"),
    Row("serendipity-sum", "u", "serendipity@2", {"mean-of-rows": 1 / 2, "rest-of-hits": 1}, HISTORY),
    # of both lists; @2 they show a twice, b and x
    Row("coverage-of", "", "coverage@2", {"any": 3 / 6, "in-train": 2 / 6, "in-catalogue": 2 / 6}),
    Row(
        "coverage-denominator",
        "",
        "coverage@2",
        {"catalogue": 3 / 6, "catalogue-and-one": 3 / 7, "train": 3 / 4, "returned": 1},
    ),
    Row(
        "gini-items",
        "",
        "gini@2",
        {
            "catalogue": (1 + 3 + 2 * 5) / (6 * 4),
            "catalogue-and-one": (2 + 4 + 2 * 6) / (7 * 4),
            "train": (-1 + 1 + 2 * 3) / (4 * 4),
            "returned": (-2 + 0 + 2 * 2) / (3 * 4),
        },
    ),
    Row("gini-denominator", "", "gini@2", {"items": 14 / (6 * 4), "items-less-one": 14 / (5 * 4)}),
    Row("gini-form", "", "gini@2", {"plain": 14 / 24, "one-minus": 1 - 14 / 24}),
    Row(  # b and x weigh 1/2 each, a 2
        "row-weight", "", "gini@2", {"equal": 14 / 24, "geometric(patience=0.5)": (0.5 + 1.5 + 10) / (6 * 3)}
    ),
    Row(
        "entropy-of",
        "",
        "entropy@3",
        {
            "rows": -(2 / 5) * log2(2 / 5) - (3 / 5) * log2(1 / 5),
            "lists": -(5 / 12) * log2(2 / 5) - (1 / 6 + 1 / 6 + 1 / 4) * log2(1 / 5),
        },
    ),
    Row("entropy-log", "", "entropy@2", {"log(base=2)": 1.5, "log(base=e)": 1.5 / log2(e)}),
    Row("entropy-denominator", "", "entropy@2", {"one": 1.5, "items": 1.5 / 3, "most": 1.5 / log2(3)}),
    Row("list-overlap", "", "personalisation@3", {"cosine": 1 - 1 / sqrt(6), "shared-of-k": 1 - (7 - 2 * 3) / 3 / 2}),
]


@together("row, setting, expected", cells(ROWS), by=lambda row, *_: row.convention_name)
def test_the_value_under_a_setting(row: Row, setting: str, expected: float) -> None:
    settings = ", ".join(filter(None, [f"{row.convention_name}={setting}", row.beside]))
    spec = spec_of(row.metric, settings)
    result = rc.evaluate(LABELS, RUN, spec, NEUTRAL, train=TRAIN, item_features=FEATURES, catalogue=CATALOGUE)
    found = result.per_user[spec][result.users.tolist().index(row.user)] if row.user else result[spec]
    assert found == pytest.approx(expected, rel=1e-12)


OF_ALL = ["coverage@2", "items_shown@2", "gini@2", "entropy@2", "personalisation@2"]


def test_no_user_has_a_number_of_their_own_where_it_is_one_of_all_lists() -> None:
    result = rc.evaluate(LABELS, RUN, OF_ALL, catalogue=CATALOGUE)
    for spec in OF_ALL:
        assert result.state[spec].tolist() == ["in all lists"] * 2
        assert result.per_user[spec].tolist() == pytest.approx([float("nan")] * 2, nan_ok=True)
        assert result.counts[spec] == {"in all lists": 2}
        assert rc.explain(LABELS, RUN, spec, user="u", catalogue=CATALOGUE).agrees


@together(
    "spec, wanted",
    [
        ("popularity@2", "the metric popularity needs train, and none was given. Pass train="),
        ("novelty@2", "the metric novelty needs train, and none was given. Pass train="),
        ("diversity@2", "pair-distance=cosine needs features, and none was given. Pass item_features="),
        ("diversity(pair-distance=co-occurrence)@2", "pair-distance=co-occurrence needs train, and none was given"),
        ("coverage@2", "coverage-denominator=catalogue needs catalogue, and none was given. Pass catalogue="),
        ("serendipity@2", "serendipity-kind=above-popular needs train, and none was given"),
        ("replay_rec:Novelty@2", "needs train, and none was given"),
    ],
    by=lambda *_: "missing",
)
def test_what_is_missing_is_asked_for(spec: str, wanted: str) -> None:
    with pytest.raises(rc.MetricError) as error:
        rc.evaluate(LABELS, RUN, spec)
    assert wanted in str(error.value)


def test_items_of_the_catalogue_are_asked_for_where_their_number_does_not_do() -> None:
    with pytest.raises(rc.MetricError, match=r"needs the items of the catalogue, and only their number was given"):
        rc.evaluate(LABELS, RUN, "coverage(coverage-of=in-catalogue)@2", catalogue=6)
    for of in ("any", "in-catalogue"):
        with pytest.raises(
            rc.InputError, match=r"item ids are integer in catalogue= \(1, 2, 3, …\) and text elsewhere"
        ):
            rc.evaluate(LABELS, RUN, f"coverage(coverage-of={of})@2", catalogue=[1, 2, 3, 4, 5])


def test_items_that_the_catalogue_lacks_are_noted() -> None:
    found = rc.evaluate({"u": ["a"]}, {"u": ["a", "b"]}, ["coverage@2", "mrr"], catalogue=["a", "c", "d"])
    assert found["coverage@2"] == pytest.approx(2 / 3)
    assert found.notes == ("Not in the catalogue: 1 of 2 items of labels and lists, such as 'b'.",)
    assert not rc.evaluate({"u": ["a"]}, {"u": ["a", "b"]}, "mrr", catalogue=["a", "c", "d"]).notes


def test_what_was_seen_and_what_was_learned_from_are_two_things() -> None:
    """`seen` takes items out of lists, and `train` takes none."""
    spec = "popularity(exclude=seen)@1"
    found = rc.evaluate(LABELS, RUN, spec, train=TRAIN, seen={"u": ["a"], "v": ["a"]})
    assert found.per_user[spec].tolist() == [2, 0]
    assert rc.evaluate(LABELS, RUN, "popularity@1", train=TRAIN).per_user["popularity@1"].tolist() == [3, 3]


def test_a_number_of_all_lists_is_identified_by_what_presets_define() -> None:
    """Lists of single users are no such number, so their mean is none of the candidates."""
    joined = rc.join(LABELS, RUN, train=TRAIN, catalogue=CATALOGUE)
    for spec in ("evidently:Gini@2", "recbole:giniindex@2"):
        found = rc.identify(joined, {"gini@2": round(rc.evaluate(joined, spec)[spec], 4)})
        assert len(found.rows) == 1
    alone = [rc.explain(joined, "gini@2", user=user).value for user in ("u", "v")]
    assert not rc.identify(joined, {"gini@2": round(sum(alone) / 2, 4)}).rows
