"""Labels in groups: all forms give the same, what is a pair stays one, and what is wrong is named with its place."""

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankconv as rc

ROWS = [("u", "s", "a", 1), ("u", "s", "b", 2), ("u", "t", "a", 3), ("v", "s", "c", 0)]
TABLE = {name: [row[at] for row in ROWS] for at, name in enumerate(("user", "subtopic", "item", "rel"))}
NESTED = {"u": {"s": {"a": 1, "b": 2}, "t": {"a": 3}}, "v": {"s": {"c": 0}}}


def files(folder: Path) -> dict[str, tuple[Path, dict[str, str]]]:
    """The same labels as files, each with what must be said of it."""
    pl.DataFrame(TABLE).write_csv(folder / "labels.csv")
    pl.DataFrame(TABLE).write_csv(folder / "labels.tsv", separator="\t")
    pl.DataFrame(TABLE).write_ndjson(folder / "labels.jsonl")
    pl.DataFrame(TABLE).write_parquet(folder / "labels.parquet")
    (folder / "labels.json").write_text(str(NESTED).replace("'", '"'))
    (folder / "web.qrels").write_text("".join(f"{u} {g} {i} {n}\n" for u, g, i, n in ROWS))
    (folder / "odd.qrels").write_text("".join(f"{u}\t{g}  {i} {n}\n" for u, g, i, n in ROWS))
    named = {"web.qrels": {"group": "subtopic"}, "odd.qrels": {"group": "2"}}
    return {file.name: (file, named.get(file.name, {})) for file in sorted(folder.iterdir())}


def same(known: rc.Labels) -> None:
    assert known.users.values.tolist() == ["u", "v"]
    assert {user: known.groups_of(user) for user in ("u", "v")} == NESTED
    assert known.rows_of("u") == {"b": 2.0, "a": 3.0}, "an item has its highest grade"
    assert known.rows_of("v") == {"c": 0.0}


@pytest.mark.parametrize("made", [ROWS, NESTED, pl.DataFrame(TABLE), pd.DataFrame(TABLE), pa.table(TABLE)], ids=type)
def test_objects_with_groups(made: Any) -> None:
    same(rc.Labels(made))


def test_files_with_groups(tmp_path: Path) -> None:
    for file, named in files(tmp_path).values():
        same(rc.Labels(file, **named))


def test_a_column_of_any_name() -> None:
    same(rc.Labels(pl.DataFrame(TABLE).rename({"subtopic": "facet"}), group="facet"))
    assert rc.Labels(pl.DataFrame(TABLE).rename({"subtopic": "facet"})).groups is None


def test_qrels_have_groups_only_where_the_caller_says_so(tmp_path: Path) -> None:
    file = files(tmp_path)["web.qrels"][0]
    assert rc.Labels(file).groups is None
    with pytest.raises(rc.InputError, match=r"'topic' is not a field .* second field: subtopic, iteration, 2. "):
        rc.Labels(file, group="topic")


def test_groups_of_a_user_are_lists_or_sets() -> None:
    given, groups = {"s": ("a", "b"), "t": {"c"}}, {"s": ["a", "b"], "t": ["c"]}
    assert {name: list(items) for name, items in rc.Labels({"u": given}).groups_of("u").items()} == groups
    assert {name: list(items) for name, items in rc.Labels([given]).groups_of(0).items()} == groups


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            [["a", "b"], ["c"]],
            "some entries are .item, number. pairs and some are not. .* Name",
        ),
        ([["a", "b"], ["c", "d"]], "lists of two texts are no pairs"),
        ([{1, 2}, {3, 4}], "the item id .* is of type set. .* name them: "),
        ([["a"], ["b"]], "the item id .* is of type list"),
    ],
)
def test_groups_without_names_are_refused(given: Any, said: str) -> None:
    with pytest.raises(rc.InputError, match=said):
        rc.Labels({"u": given})
    assert rc.Labels({"u": [["a", 2], ["b", 1]]}).rows_of("u") == {"a": 2.0, "b": 1.0}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"u": {0: ["a"], 1: []}}, "a dict, user 'u', group 1: this group is empty. Leave it out."),
        ({"u": {0: ["a"], 1: "b"}}, "a dict, user 'u', group 1: 'b' is not a group, as other entries are. "),
        ({"u": {"s": ["a"]}, "v": ["b"]}, "a dict, user 'v': ['b'] is not a dict of groups, as other users have it. "),
        ({"u": {"s": ["a"], "t": {"b": 1}}}, "a dict: some groups have grades and some have none. "),
        ({"u": {"s": {"a": "x"}}}, "a dict, user 'u', group 's', item 'a': the grade 'x' is not a number. "),
        ({"u": {"s": [None]}}, "a dict, user 'u', group 's': the item id None is of type NoneType. "),
        ([("u", 1.5, "a", 1)], "a list, user 'u', item 'a': the group id 1.5 is of type float. "),
        ([("u", "s", "a", 1, 2)], "a list, row 0: the tuple has 5 fields. A row is (user, item) or "),
    ],
)
def test_what_is_wrong_is_named_with_its_place(given: Any, said: str) -> None:
    with pytest.raises(rc.InputError) as error:
        rc.Labels(given)
    assert str(error.value).startswith(said)


def test_a_row_without_a_group_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("user,item,group\nu,a,s\nu,b,\n")
    with pytest.raises(rc.InputError, match=rf"{file}, line 3: there is no group id"):
        rc.Labels(file)


def test_an_item_labelled_twice_in_one_group_is_labelled_twice() -> None:
    twice = rc.Labels([("u", "s", "a", 2), ("u", "s", "a", 1), ("u", "t", "a", 2), ("u", "t", "b", 1)])
    assert (twice.item.tolist(), twice.grade.tolist()) == ([0, 0, 1], [2.0, 1.0, 1.0])
    assert not twice.distinct
