"""Laws of metrics beyond accuracy, on lists and training drawn at random."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from tests.laws import examples

ITEMS = [f"i{at}" for at in range(8)]
USERS = [f"u{at}" for at in range(4)]
items = st.lists(st.sampled_from(ITEMS), unique=True, min_size=1, max_size=6)
lists = st.dictionaries(st.sampled_from(USERS), items, min_size=1)
training = st.dictionaries(st.sampled_from([*USERS, "w"]), items, min_size=1)
vectors = st.lists(st.integers(0, 3).map(float), min_size=3, max_size=3)
lawful = settings(max_examples=examples.of(quick=12, ci=30))


def number(run: Any, spec: str, **given: Any) -> float:
    """The number of these lists; the first item is what everybody likes."""
    return float(rc.evaluate(dict.fromkeys(run, ITEMS[:1]), run, spec, **({"catalogue": ITEMS} | given))[spec])


@lawful
@given(run=lists, k=st.integers(1, 5))
def test_shares_of_the_catalogue_lie_between_0_and_1(run: Any, k: int) -> None:
    assert 0 < number(run, f"coverage@{k}") <= 1
    assert 0 <= number(run, f"gini@{k}") < 1
    shown = {item for ranked in run.values() for item in ranked[:k]}
    assert number(run, f"items_shown@{k}") == len(shown)
    assert len(shown) == 1 or 0 <= number(run, f"entropy(entropy-denominator=most)@{k}") <= 1 + 1e-12


@lawful
@given(shift=st.integers(0, 7), k=st.integers(1, 4))
def test_equal_exposure_has_gini_0_and_the_highest_entropy(shift: int, k: int) -> None:
    turned = {f"u{at}": [ITEMS[(at + shift + step) % 8] for step in range(k)] for at in range(8)}
    assert number(turned, f"gini@{k}") == 0
    assert number(turned, f"entropy@{k}") == pytest.approx(3)
    weighted = "gini(row-weight=geometric(patience=0.5))"
    assert number(turned, f"{weighted}@{k}") == pytest.approx(0, abs=1e-15)


@lawful
@given(ranked=items, count=st.integers(2, 5), k=st.integers(1, 6))
def test_equal_lists_are_not_personal_and_disjoint_ones_wholly(ranked: list[str], count: int, k: int) -> None:
    same = {f"u{at}": ranked for at in range(count)}
    assert number(same, f"personalisation@{k}") == pytest.approx(0, abs=1e-12)
    apart = {f"u{at}": [f"{item} {at}" for item in ranked] for at in range(count)}
    assert number(apart, f"personalisation@{k}", catalogue=1000) == pytest.approx(1)


@lawful
@given(ranked=items, vector=vectors.filter(any), k=st.integers(2, 6))
def test_equal_vectors_have_no_diversity(ranked: list[str], vector: list[float], k: int) -> None:
    known = dict.fromkeys(ITEMS, vector)
    for distance in ("cosine", "jaccard", "hamming"):
        spec = f"diversity(pair-distance={distance}, on-zero-division=0)@{k}"
        assert number({"u": ranked}, spec, item_features=known) == pytest.approx(0, abs=1e-12)


@lawful
@given(run=lists, known=st.lists(vectors, min_size=8, max_size=8), k=st.integers(2, 6), random=st.randoms())
def test_the_order_of_a_list_changes_no_diversity_of_the_whole(run: Any, known: Any, k: int, random: Any) -> None:
    features = dict(zip(ITEMS, known, strict=True))
    shuffled = {user: random.sample(ranked, len(ranked)) for user, ranked in run.items()}
    for spec in ("diversity", "category_share", "popularity", "novelty"):
        both = [number(one, spec, item_features=features, train=run) for one in (run, shuffled)]
        assert both[0] == pytest.approx(both[1], nan_ok=True)


@lawful
@given(train=training, ranked=items)
def test_the_rarer_item_is_the_more_novel_and_the_less_popular(train: Any, ranked: list[str]) -> None:
    owners = {item: sum(item in had for had in train.values()) for item in ITEMS}
    by_count = sorted(ranked, key=owners.__getitem__)
    run = {f"u{at}": [item] for at, item in enumerate(by_count)}
    for how in ("self-information(base=2)", "complement", "self-information(base=e)"):
        spec = f"novelty(item-novelty={how})"
        values = rc.evaluate(dict.fromkeys(run, ITEMS[:1]), run, spec, train=train).per_user[spec]
        assert (np.diff(values) <= 1e-12).all()
    for how in ("count", "share", "user-share", "of-most-popular", "quantile"):
        spec = f"popularity(popularity={how})"
        values = rc.evaluate(dict.fromkeys(run, ITEMS[:1]), run, spec, train=train).per_user[spec]
        assert (np.diff(values) >= 0).all()
