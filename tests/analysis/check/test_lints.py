"""Each lint: a planted case, whose count is known, and clean data, in which it is silent."""

from collections.abc import Callable
from typing import Any

import pytest

import rankconv as rc
from rankconv.evaluation.findings.moves import LINTS
from tests.analysis.check.data import ROWS, USERS, as_lists, clean_labels, clean_run

Planted = tuple[Any, Any, dict[str, Any], int, int]
"""Labels, run, what else is given, and how much of how many is to be found."""

CASES: dict[str, list[Callable[[], Planted]]] = {}


def plants(name: str) -> Callable[[Callable[[], Planted]], Callable[[], Planted]]:
    def keep(case: Callable[[], Planted]) -> Callable[[], Planted]:
        CASES.setdefault(name, []).append(case)
        return case

    return keep


@plants("ties")
def _() -> Planted:
    run = clean_run()
    run["u0"]["i1"] = run["u0"]["i2"]  # relevant and not
    run["u1"]["i4"] = run["u1"]["i5"]  # neither is relevant: no order of them changes anything
    run["u2"]["i12"] = run["u2"]["i13"]  # below the cutoff
    return clean_labels(), run, {}, 1, USERS


@plants("ties")
def across_the_cutoff() -> Planted:
    labels, run = clean_labels(), clean_run()
    labels["u3"]["i14"] = 1  # at rank 12; ranks 10 to 12 are tied
    run["u3"] |= dict.fromkeys(("i12", "i13", "i14"), 0.6)
    return labels, run, {}, 1, USERS


@plants("duplicates")
def _() -> Planted:
    run = as_lists(clean_run())
    run["u0"] += [("i0", 0.01), ("i0", 0.005), ("i3", 0.001)]
    return clean_labels(), run, {}, 3, USERS * ROWS + 3


@plants("chunks")
def _() -> Planted:
    run = clean_run()
    run["u0"] = {f"{item}#{place % 2}": score for place, (item, score) in enumerate(run["u0"].items())}
    return clean_labels(), run, {}, 3, USERS * ROWS  # the fourth label of u0 is in no list


@plants("chunks")
def of_labels() -> Planted:
    labels = clean_labels()
    labels["u0"] = {f"{item}_chunk_7": grade for item, grade in labels["u0"].items()}
    return labels, clean_run(), {}, 3, USERS * ROWS


@plants("duplicate-labels")
def _() -> Planted:
    rows = [(user, item, grade) for user, known in clean_labels().items() for item, grade in known.items()]
    return [*rows, ("u0", "i0", 1), ("u0", "i0", 2), ("u1", "i2", 1)], clean_run(), {}, 3, len(rows) + 3


@plants("users-without-list")
def _() -> Planted:
    run = clean_run()
    del run["u1"]
    run["u2"] = {}
    return clean_labels(), run, {}, 2, USERS


@plants("users-without-labels")
def _() -> Planted:
    return clean_labels(), {**clean_run(), "new": clean_run()["u0"]}, {}, 1, USERS + 1


@plants("no-relevant")
def _() -> Planted:
    labels = clean_labels()
    labels["u1"] = {"i1": 0, "i2": 0}
    return labels, clean_run(), {}, 1, USERS


@plants("short-lists")
def _() -> Planted:
    run = clean_run()
    run["u0"] = dict(list(run["u0"].items())[:9])
    run["u1"] = dict(list(run["u1"].items())[:10])
    return clean_labels(), run, {}, 1, USERS


@plants("short-lists")
def whatever_the_metrics_k_is_named() -> Planted:
    return clean_labels(), clean_run(), {"k": ROWS + 1, "metrics": "ndcg@3"}, USERS, USERS


@plants("scores-are-labels")
def _() -> Planted:
    labels = clean_labels()
    run = {user: {item: labels[user].get(item, 0) for item in items} for user, items in clean_run().items()}
    return labels, run, {}, USERS * ROWS, USERS * ROWS


@plants("upside-down")
def ranks_read_as_scores() -> Planted:
    """Sorted by falling score the lists stand upside down, and the hits at their end."""
    run = {user: {item: place for place, item in enumerate(items, 1)} for user, items in clean_run().items()}
    labels = {user: dict.fromkeys(list(items)[:2], 1) for user, items in run.items()}
    return labels, run, {}, USERS, USERS


@plants("ascending-scores")
def _() -> Planted:
    run = as_lists(clean_run())
    run["u0"] = [(item, -score) for item, score in run["u0"]]
    run["u1"] = [(item, 0.5) for item, _ in run["u1"]]  # constant, so neither
    return clean_labels(), run, {}, 1, USERS


@plants("order-against-scores")
def _() -> Planted:
    run = as_lists(clean_run())
    run["u0"][4:6] = run["u0"][5], run["u0"][4]
    run["u1"].reverse()
    return clean_labels(), run, {}, 1, USERS


@plants("upside-down")
def _() -> Planted:
    users = [f"u{user}" for user in range(20)]
    run = {user: {f"i{place}": 0.93 - place / 37 for place in range(ROWS)} for user in users}
    labels = {user: {"i11": 1, "i10": 2} for user in users}
    labels["u0"] = {"i0": 1}
    return labels, run, {}, 19, 20


@plants("negative-grades")
def _() -> Planted:
    labels = clean_labels()
    labels["u0"]["i7"], labels["u1"]["i7"] = -1, -2
    return labels, clean_run(), {}, 2, 4 * USERS + 2


@plants("fractional-grades")
def _() -> Planted:
    labels = clean_labels()
    labels["u0"]["i7"], labels["u1"]["i7"] = 0.5, 1.25
    return labels, clean_run(), {}, 2, 4 * USERS + 2


@plants("unjudged")
def _() -> Planted:
    labels = clean_labels()
    labels["u0"] = {f"i{place}": place % 2 for place in range(8)}
    return labels, clean_run(), {}, 10 * USERS - 8 - 3 * (USERS - 1), 10 * USERS


@plants("labels-in-training")
def _() -> Planted:
    return clean_labels(), clean_run(), {"train": [("u0", "i0"), ("u1", "i99"), ("u9", "i0")]}, 1, 4 * USERS


@plants("lists-from-training")
def _() -> Planted:
    return clean_labels(), clean_run(), {"train": [("u0", "i6"), ("u1", "i6"), ("u0", "i99")]}, 2, USERS * ROWS


@plants("respelled-ids")
def _() -> Planted:
    run = clean_run()
    run["U0"], run["U1"], run["U2"] = run.pop("u0"), run.pop("u1"), run.pop("u2")
    users = 2 * USERS
    items = len({item for known in clean_labels().values() for item in known})
    items += len({item for listed in run.values() for item in listed})
    return clean_labels(), run, {}, 3, users + items


@plants("respelled-ids")
def by_blanks() -> Planted:
    labels, run, given, _, of = CASES["respelled-ids"][0]()
    run = {user.lower(): items for user, items in run.items()}
    return labels, {" u1 ": run.pop("u1"), **run}, given, 1, of


@plants("respelled-ids")
def by_type() -> Planted:
    labels = {int(user[1:]): known for user, known in clean_labels().items()}
    run = {user[1:]: items for user, items in clean_run().items()}
    items = len({item for known in clean_labels().values() for item in known})
    items += len({item for listed in run.values() for item in listed})
    return labels, run, {}, 2 * USERS, 2 * USERS + items


PLANTED = [
    pytest.param(name, case, id=f"{name}-{place}") for name, cases in CASES.items() for place, case in enumerate(cases)
]


def test_every_lint_has_a_planted_case() -> None:
    assert CASES.keys() == LINTS.keys()


@pytest.mark.filterwarnings("ignore::rankconv.basics.errors.RespelledIds")
@pytest.mark.parametrize(("name", "case"), PLANTED)
def test_what_is_planted_is_found(name: str, case: Callable[[], Planted]) -> None:
    labels, run, given, count, of = case()
    found = rc.check(labels, run, **given)[name]
    assert (found.count, found.of) == (count, of)
    assert 1 <= len(found.examples) <= 3


def test_every_lint_says_what_it_means_and_what_to_do() -> None:
    for lint in LINTS.values():
        assert lint.title
        assert lint.unit
        assert lint.means.endswith(".")
        assert lint.do.endswith(".")
        assert ". " not in lint.means, "one sentence"


def test_scores_that_count_down_are_scores() -> None:
    run = {user: {item: ROWS - place for place, item in enumerate(items)} for user, items in clean_run().items()}
    assert rc.check(clean_labels(), run).clean


def test_ties_of_rows_that_stand_apart() -> None:
    """By rank b stands between the two, and by score below them."""
    labels, run = {"u": {"c": 1}}, {"u": [("a", 0.5), ("b", 0.4), ("c", 0.5)]}
    checked = rc.check(labels, run, "mrr", "trec_eval")
    assert str(checked["ties"].examples[0]) == "user 'u': score 0.5 at ranks 1 to 2"


def test_judgments_without_a_not_relevant_one_leave_nothing_unjudged() -> None:
    assert "unjudged" not in rc.check(
        clean_labels(), {**clean_run(), "u0": {f"x{place}": -place for place in range(12)}}
    )


def test_ids_that_match_are_not_alike() -> None:
    """Both spellings stand on both sides, so they are two items."""
    labels = {"u": {"1": 1, "01": 1, "b": 1, "B": 2}}
    run = {"u": {"1": 0.4, "01": 0.3, "b": 0.2, "B": 0.1}}
    assert "respelled-ids" not in rc.check(labels, run)


@pytest.mark.parametrize(
    ("labels", "item", "do", "moves"),
    [
        (["doc1"], "doc1#3", "--parents '#'", True),
        (["doc_1"], "doc_1::3", "--parents '::'", True),
        (["doc1_chunk_3"], "doc1", "--parents '_chunk_'", True),
        (["doc_1"], "doc_1_3", "--parents FILE", False),  # is doc_1 a chunk of doc?
        (["doc1", "doc1#2"], "doc1#3", "Keep labels of documents or of chunks, not both.", False),
    ],
)
def test_the_fix_of_chunks_is_exact(labels: list[str], item: str, do: str, moves: bool) -> None:
    run = {"u": ["x", item]}
    finding = rc.check({"u": labels}, run, "mrr", "rankconv")["chunks"]
    assert do in finding.do
    assert bool(finding.moves) is moves
    if moves:
        separator = do.partition("'")[2].rstrip("'")
        fixed = rc.evaluate({"u": labels}, run, "mrr(collapse=max)", parents=separator)["mrr(collapse=max)"]
        assert fixed == 1 / 2 == finding.moves[0].high


@pytest.mark.parametrize(("labels", "item"), [(["doc1"], "doc12"), (["doc1"], "doc1#a"), (["doc1#3"], "doc1#3")])
def test_other_ids_are_no_chunks(labels: list[str], item: str) -> None:
    assert "chunks" not in rc.check({"u": labels}, {"u": ["doc7", item]}, "mrr", "rankconv")
