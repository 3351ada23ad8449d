"""Notes on input: data that were passed and that no definition reads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankconv as rc
from rankconv.basics.errors import RespelledIds, UnreadData


@pytest.mark.parametrize(
    ("given", "metric", "said"),
    [
        (
            {"seen": {"u": ["x"]}},
            "ndcg@3",
            r"seen= is not read by ndcg@3 \(exclude=none\)\. ndcg\(exclude=seen\)@3 takes",
        ),
        ({"parents": "#"}, "mrr", r"parents= is not read by mrr \(collapse=none\)\. mrr\(collapse=max\) joins items"),
    ],
)
def test_data_that_no_metric_reads_are_warned_of(given: dict[str, Any], metric: str, said: str) -> None:
    labels, run = {"u": {"a#1": 1}}, {"u": {"x": 2.0, "a#1": 1.0}}
    for verb in (rc.evaluate, rc.compare):
        with pytest.warns(UnreadData, match=said):
            verb(labels, run, [metric], **given)
    with pytest.warns(UnreadData, match=said):
        rc.explain(labels, run, metric, user="u", **given)


def test_warnings_name_the_line_of_the_caller() -> None:
    labels, run, unread = {"u": {"a": 1}}, {"u": ["x", "a"]}, {"u": ["x"]}
    spelled = {"u": {f"I{item}": 1 for item in range(9)}}, {"u": [f"i{item}" for item in range(9)] + ["I1"]}
    calls: list[Callable[[], Any]] = [
        lambda: rc.evaluate(labels, run, "mrr", seen=unread),
        lambda: rc.compare(labels, run, "mrr", seen=unread),
        lambda: rc.evaluate(rc.join(labels, run), "mrr", seen=unread),
        lambda: rc.explain(labels, run, "mrr", user="u", seen=unread),
        lambda: rc.sensitivity(labels, {"one": run, "other": run}, "mrr", seen=unread),
        lambda: rc.evaluate(*spelled, "mrr"),
    ]
    for call in calls:
        with pytest.warns((UnreadData, RespelledIds)) as warned:
            call()
        assert {one.filename for one in warned} == {__file__}


def test_data_that_one_of_the_metrics_reads_are_not_warned_of() -> None:
    found = rc.evaluate({"u": {"a": 1}}, {"u": ["x", "a"]}, ["mrr", "mrr(exclude=seen)"], seen={"u": ["x"]})
    assert [*found.values()] == [0.5, 1.0]


def test_items_of_training_are_expected_to_be_masked_and_the_warning_says_how() -> None:
    with pytest.warns(
        UnreadData, match=r"train= is not read by mrr, map, ndcg@3 and 1 more .* as seen= to mrr\(exclude=seen\)"
    ):
        rc.evaluate({"u": {"a": 1}}, {"u": ["x", "a"]}, ["mrr", "map", "ndcg@3", "recall@3"], train={"u": ["x"]})
    for name in ("exclude", "mask"):
        with pytest.raises(
            (rc.RankconvError, TypeError), match=r"[Pp]ass (the data|them) as seen=.*'mrr\(exclude=seen\)'"
        ) as raised:
            rc.evaluate({"u": {"a": 1}}, {"u": ["x", "a"]}, "mrr", **{name: {"u": ["x"]}})
        assert "{'u'" not in str(raised.value)


ITEMS = [f"i{item}" for item in range(20)]


@pytest.mark.parametrize("side", ["labels", "run"])
@pytest.mark.parametrize(
    ("spelled", "said"),
    [
        (lambda id: f"{id} " if id == "i7" else id, r"item ids .* by blanks alone, 1 of .*so they do not match"),
        (lambda id: id.upper() if id > "i5" else id, r"item ids .* by capital letters alone, 4 of"),
        (lambda id: f"0{id}" if id > "i5" else id, r"item ids .* by zeros before numbers alone, 4 of"),
    ],
)
def test_ids_of_which_some_are_spelled_otherwise_are_warned_of(spelled: Any, said: str, side: str) -> None:
    """Some match, so the data are not refused; those that do not would count as unjudged without a word."""
    plain = {"labels": {"u": ITEMS}, "run": {"u": ITEMS}}
    data = {**plain, side: {"u": [spelled(id) for id in ITEMS]}}
    frame = pl.DataFrame({"user": "u", "item": data["run"]["u"], "score": range(20, 0, -1)})
    for run in (data["run"], frame):
        for verb in (rc.evaluate, rc.compare):
            with pytest.warns(RespelledIds, match=said):
                verb(data["labels"], run, ["recall@20"])


def test_users_of_whom_some_are_spelled_otherwise_are_warned_of() -> None:
    with pytest.warns(RespelledIds, match=r"user ids .* by blanks alone, 1 of .* \('u2', ' u2'\)"):
        rc.evaluate({"u1": ["a"], " u2": ["a"]}, {"u1": ["a"], "u2": ["a"]}, "recall")


@pytest.mark.parametrize("written", [" ".join, ", ".join, "|".join, str, lambda items: str(list(map(int, items)))])
@pytest.mark.parametrize("side", ["labels", "run"])
def test_several_items_in_one_text_are_warned_of(written: Any, side: str) -> None:
    """What Kaggle takes, and what pandas writes for lists; each would be one item, and no row a hit."""
    data: dict[str, Any] = {"labels": {"u": ["10", "30"], "v": ["20"]}, "run": {"u": ["30", "10"], "v": ["20", "10"]}}
    data[side] = {user: [written(items)] for user, items in data[side].items()}
    with pytest.warns(RespelledIds, match=f"item ids of the {side} look like several ids in one text"):
        rc.evaluate(data["labels"], data["run"], "recall")


@pytest.mark.parametrize("items", [["The Matrix", "Blade Runner", "Alien"], ["[REC]", "Alien"], ["a b", "c d", "a"]])
def test_titles_of_several_words_are_items(items: list[str]) -> None:
    rc.evaluate({"u": items[:2], "v": ["Runner"]}, {"u": items, "v": ["Alien", "a"]}, "recall")


@pytest.mark.parametrize(("labelled", "returned"), [("abcde", "vwxyz"), (range(5), range(5, 10))])
def test_no_item_on_both_sides_is_warned_of(labelled: Any, returned: Any) -> None:
    labels, run = ({user: list(items) for user in range(5)} for items in (labelled, returned))
    with pytest.warns(RespelledIds, match="no item of the labels .* is one of the run .*, so no row can be a hit"):
        rc.evaluate(labels, run, "ndcg")
    rc.evaluate(labels, run | {4: [*returned, labelled[0]]}, "ndcg")
    rc.evaluate({0: labels[0]}, {0: run[0]}, "ndcg")
    rc.evaluate(dict.fromkeys(range(5), labels[0][:4]), run, "ndcg")


def of_files(labels: pl.DataFrame, run: pl.DataFrame, folder: Path) -> None:
    labels.write_csv(folder / "labels.csv")
    run.write_csv(folder / "run.csv")
    rc.evaluate(folder / "labels.csv", folder / "run.csv", "map", memory="4GB")


def of_batches(labels: pl.DataFrame, run: pl.DataFrame, folder: Path) -> None:
    numbers = rc.Evaluator("map")
    for (user,), known in labels.group_by("user", maintain_order=True):
        numbers.update(known, run.filter(pl.col("user").str.strip_chars() == user))


LABELLED = pl.DataFrame(
    [(f"u{user}", f"i{item}") for user in range(10) for item in range(6)], ["user", "item"], orient="row"
)


@pytest.mark.parametrize("verb", [of_files, of_batches])
@pytest.mark.parametrize(
    ("user", "item", "said"),
    [
        (" {}", "{}", "user ids .* by blanks alone"),
        ("{}", "{} ", "item ids .* by blanks alone"),
        ("{}", "{} i0", "look like several ids in one text"),
    ],
)
def test_ids_of_parts_are_warned_of(verb: Callable[..., None], user: str, item: str, said: str, tmp_path: Path) -> None:
    """Those of every other user, and of all items but one."""
    rows = [
        (user.format(u) if int(u[1:]) % 2 == 0 else u, i if i == "i0" else item.format(i), -float(i[1:]))
        for u, i in LABELLED.rows()
    ]
    with pytest.warns(RespelledIds, match=said):
        verb(LABELLED, pl.DataFrame(rows, ["user", "item", "score"], orient="row"), tmp_path)


def test_no_item_on_both_sides_is_seen_at_the_end_of_files(tmp_path: Path) -> None:
    """Batches tell nothing of it: other users may have these items."""
    run = LABELLED.with_columns(item="x" + pl.col("item"), score=1.0)
    with pytest.warns(RespelledIds, match="no item of the labels"):
        of_files(LABELLED, run, tmp_path)
    of_batches(LABELLED, run, tmp_path)


def test_ids_that_case_tells_apart_are_not_warned_of() -> None:
    """Of a hundred labelled ids two differ from an id of the run in case alone, as ids of letters in both cases do."""
    labels = [f"{first}{second}" for first in "abcdefghij" for second in "klmnopqrst"]
    rc.evaluate({"u": labels}, {"u": [*labels, "AK", "bL"]}, "recall")
    rc.evaluate({"u": [1, 2]}, {"u": [1, 2, 3]}, "recall")


@pytest.mark.parametrize(
    ("longest", "shortest", "grade", "noted"),
    [(12, 12, 1, True), (12, 11, 1, False), (9, 9, 1, False), (12, 12, 2, False)],
)
def test_labels_of_one_length_beside_short_lists_may_be_the_run(
    longest: int, shortest: int, grade: float, noted: bool
) -> None:
    labels = {"u": dict.fromkeys(range(longest), grade), "v": dict.fromkeys(range(shortest), grade)}
    notes = rc.evaluate(labels, {"u": [1, 2], "v": [3]}, "mrr").notes
    assert any("Are labels and run exchanged?" in one for one in notes) is noted


HALF_STARS = {"u": {"a": 0.5, "b": 4.5, "c": 3.0}, "v": {"a": 2.5}}
LISTS = {"u": ["a", "b", "d"], "v": ["b", "a"]}


@pytest.mark.parametrize(
    ("preset", "labels", "said"),
    [
        ("rankconv", HALF_STARS, ""),
        ("sklearn", HALF_STARS, ""),
        ("trec_eval", HALF_STARS, "taking them as given would change ndcg@2 by up to"),
        ("rankconv", {**HALF_STARS, "v": {"a": 0.37}}, "cutting them to whole numbers would change ndcg@2 by up to"),
    ],
)
def test_half_stars_are_usual_where_nothing_cuts_them(preset: str, labels: object, said: str) -> None:
    warned = rc.evaluate(labels, LISTS, "ndcg@2", preset=preset).warning
    assert said in warned if said else "grades" not in warned


def test_what_is_said_of_fractions_is_what_the_preset_does_not_do() -> None:
    """trec_eval cuts grades: 0.5 gains 0 and 4.5 gains 4; a preset that takes them as given has the value it names."""
    given, cut = (rc.preset("trec_eval").replace(grades=setting) for setting in ("given", "integer"))
    values = [rc.evaluate(HALF_STARS, LISTS, "ndcg@2", preset=one)["ndcg@2"] for one in (given, cut)]
    warned = rc.evaluate(HALF_STARS, LISTS, "ndcg@2", preset="trec_eval").warning
    assert f"by up to {abs(values[0] - values[1]):.4f}" in warned


# grade 0


@pytest.mark.parametrize(
    ("settings", "gained"),
    [
        ("gain=square-less-one", "-1"),
        ("gain=table(0=0.5, 1=1)", "0.5"),
        ("gain=exponential-above-level", "1"),
        ("gain=linear", ""),
        ("gain=of-relevant(exponential-above-level)", ""),
        ("gain=square-less-one, unjudged=grade-0", ""),
        ("gain=square-less-one, labels-used=aligned-arrays", ""),
    ],
)
def test_a_gain_of_grade_0_that_items_without_a_label_do_not_have(settings: str, gained: str) -> None:
    spec = f"cg({settings})@2"
    notes = rc.evaluate({"u": {"a": 2, "b": 0}}, {"u": ["x", "b"]}, spec).notes
    said = [note for note in notes if "an item of grade 0 gains" in note]
    assert len(said) == bool(gained)
    ending = f"gains {gained}, and one without a label 0; with unjudged=grade-0 it is of grade 0."
    assert all(one.endswith(ending) for one in said)
    if gained:
        whole = f"cg({settings}, on-no-relevant=as-computed)"
        assert [rc.evaluate({"u": {"b": 0}}, {"u": [item]}, whole)[whole] for item in "bx"] == [float(gained), 0]
