"""Laws of the order of rows: under the default preset it changes no bit where a run has scores or ranks.

And where no rows are tied, and where there are neither, the default preset gives what lists in their order give.
"""

import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.engine import plan
from tests.laws import examples
from tests.laws.test_in_files import write_trec
from tests.laws.test_laws import ITEMS, SIDE_DATA, lawful

Row = tuple[str, str, float, int]
"""User, item, score and rank."""
SCORED = ["user", "item", "score"]
NEED_MORE = {"alpha_dcg", "alpha_ndcg", "err_ia", "nrbp", "subtopic_recall"}
"""Metrics of labels in groups."""


@cache
def asked() -> dict[str, str]:
    """Every metric of the default preset, at a cutoff, and over the whole list."""
    preset = rc.preset("rankconv")
    specs = [spec for key in preset.metrics for spec in (f"{key}@2", key) if preset.offers(spec)]
    return {spec: spec for spec in specs if spec.partition("@")[0] not in NEED_MORE}


def bits(result: rc.Result) -> dict[str, Any]:
    """The means, and each user's value and state, whatever the order of users."""
    return {
        spec: (
            float(one.mean).hex(),
            [why.why for why in one.refusals],
            sorted(zip(result.users.tolist(), map(float.hex, one.values.tolist()), one.states.tolist(), strict=True)),
        )
        for spec, one in result.by_spec.items()
    }


def frame(rows: Sequence[Row]) -> pl.DataFrame:
    kinds = {"user": pl.String, "item": pl.String, "score": pl.Float64, "rank": pl.Int64}
    return pl.DataFrame(list(rows), kinds, orient="row")


def scores_of(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for user, item, score, _ in rows:
        found.setdefault(user, {})[item] = score
    return found


def pairs_of(rows: Sequence[Row]) -> dict[str, list[tuple[str, float]]]:
    found: dict[str, list[tuple[str, float]]] = {}
    for user, item, score, _ in rows:
        found.setdefault(user, []).append((item, score))
    return found


def trec_of(rows: Sequence[Row], folder: Path) -> Path:
    write_trec(frame(rows), folder / "run.trec")
    return folder / "run.trec"


FORMS: dict[str, Callable[[Sequence[Row], Path], Any]] = {
    "scores": lambda rows, folder: frame(rows).select(SCORED),
    "scores in single precision": lambda rows, folder: frame(rows).select(SCORED).cast({"score": pl.Float32}),
    "scores and ranks": lambda rows, folder: frame(rows),
    "ranks": lambda rows, folder: frame(rows).drop("score"),
    "pandas": lambda rows, folder: frame(rows).to_pandas(),
    "tuples": lambda rows, folder: [row[:3] for row in rows],
    "dict": lambda rows, folder: scores_of(rows),
    "pairs": lambda rows, folder: pairs_of(rows),
    "CSV": lambda rows, folder: _csv(frame(rows), folder),
    "TREC": trec_of,
}


def _csv(rows: pl.DataFrame, folder: Path) -> str:
    rows.write_csv(folder / "run.csv")
    return str(folder / "run.csv")


@st.composite
def runs(draw: st.DrawFn, repeats: bool) -> list[Row]:
    """Rows of some users that are often tied, with ranks that agree with the scores, and that rows share at times."""
    rows: list[Row] = []
    for place in range(draw(st.integers(1, 4))):
        items = draw(st.lists(st.sampled_from(ITEMS), unique=not repeats, min_size=1, max_size=7))
        scores = draw(st.lists(st.sampled_from([2.0, 1.0, 1.0, 0.5]), min_size=len(items), max_size=len(items)))
        shared = draw(st.booleans())
        scores.sort(reverse=True)
        ranks = [scores.index(score) + 1 if shared else at + 1 for at, score in enumerate(scores)]
        rows += [(f"u{place}", *row) for row in zip(items, scores, ranks, strict=True)]
    return rows


LABELS = st.dictionaries(
    st.sampled_from(["u0", "u1", "u2", "u9"]),
    st.dictionaries(st.sampled_from(ITEMS), st.integers(0, 2), max_size=5),
    min_size=1,
)


@pytest.mark.parametrize("form", FORMS)
@settings(lawful, max_examples=examples.of(quick=2, ci=6, long=300))
@given(drawn=st.booleans().flatmap(runs), labels=LABELS, random=st.randoms(use_true_random=False), deep=st.booleans())
def test_shuffled_rows_give_the_same_bits(form: str, drawn: list[Row], labels: Any, random: Random, deep: bool) -> None:
    """Prepared at once, and row by row."""
    labels = {"u0": {"1": 1}} | labels
    if form == "dict":
        drawn = list({row[:2]: row for row in drawn}.values())
    found = []
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "FEW_ROWS", 0 if deep else 10**6)
        for rows in (drawn, drawn[::-1], random.sample(drawn, len(drawn))):
            ranked = FORMS[form](rows, Path(folder))
            found.append(bits(rc.evaluate(labels, ranked, list(asked()), **SIDE_DATA, on_error="collect")))
    for other in found[1:]:
        assert {spec: (found[0][spec], one) for spec, one in other.items() if found[0][spec] != one} == {}


@settings(lawful, max_examples=examples.of(quick=2, ci=6, long=300))
@given(drawn=runs(repeats=True), labels=LABELS, scored=st.booleans())
def test_lists_without_ties_are_prepared_in_their_order(drawn: list[Row], labels: Any, scored: bool) -> None:
    """With scores that all differ, and without scores."""
    labels = {"u0": {"1": 1}} | labels
    run = frame([(user, item, -float(at), at) for at, (user, item, *_) in enumerate(drawn)]).select(
        SCORED if scored else SCORED[:2]
    )
    given_order = rc.preset("rankconv").replace(name="rankconv", order="given")
    found = [
        bits(rc.evaluate(labels, run, list(asked()), preset, **SIDE_DATA, on_error="collect"))
        for preset in (given_order, "rankconv")
    ]
    assert found[0] == found[1]


def definitions_by_score() -> dict[str, list[rc.Definition]]:
    """The different definitions that order lists by score, by preset: of all, their eras, and with appended items.

    Without those whose metric says that it reads the order of rows.
    """
    names = list(map(str, rc.list_presets(eras=True, collections=True)))
    found: dict[str, list[rc.Definition]] = {}
    seen = set()
    for name in [*names, *(f"{name}+unretrieved" for name in names)]:
        try:
            preset = rc.preset(name)
        except rc.ConventionError:  # its lists already hold other items than those returned
            continue
        for spec in (f"{key}{k}" for key in preset.metrics for k in ("", "@3")):
            if preset.offers(spec):
                (definition,) = preset.define(spec)
                new = (definition.metric.name, definition.setting_sets, definition.k) not in seen
                seen.add((definition.metric.name, definition.setting_sets, definition.k))
                by_score = rc.convention("order")(definition.settings["order"]).traits.by_score
                if new and by_score and "order" not in definition.metric.reads_data:
                    found.setdefault(name, []).append(definition)
    return found


@pytest.mark.filterwarnings("ignore")
def test_distinct_scores_alone_order_the_lists_of_every_preset() -> None:
    """Also where unretrieved items are appended: they stand below all others, wherever the lowest score is."""
    random = Random(4)
    items = list(range(1, 31))
    labels = {user: {item: random.choice([0, 1, 1]) for item in random.sample(items, 8)} for user in range(8)}
    run = {user: list(zip(random.sample(items, 10), random.sample(range(1, 400), 10), strict=True)) for user in labels}
    side = {"catalogue": 60, "train": {user: random.sample(items, 4) for user in labels}}
    sorted_run = {user: sorted(rows, key=lambda row: -row[1]) for user, rows in run.items()}
    data = [rc.join(labels, one, **side) for one in (sorted_run, {user: rows[::-1] for user, rows in run.items()})]
    by_preset = definitions_by_score()
    for preset, asked in by_preset.items():
        one, other = (rc.evaluate(joined, asked, on_error="collect") for joined in data)
        for definition in asked:
            assert one.per_user[definition.text] == pytest.approx(other.per_user[definition.text], nan_ok=True), preset
    assert sum(map(len, by_preset.values())) > 500
    assert sum("+unretrieved" in name for name in by_preset) > 20
