"""A printed table is explained by the definitions that made it, and what contradicts them is marked."""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

import rankconv as rc
from rankconv.analysis.identify.identify_table import TableIdentifyResult
from tests.cli.support import refused, run
from tests.laws import examples

QUERIES = [f"q{number:02}" for number in range(40)]
RANDOM = Random(5)
LABELS = {
    query: {f"d{item}": RANDOM.choice((1, 1, 2)) for item in RANDOM.sample(range(40), RANDOM.randint(1, 9))}
    for query in QUERIES
}
RUNS = {
    name: {query: {f"d{item}": RANDOM.random() for item in RANDOM.sample(range(40), 25)} for query in QUERIES}
    for name in ("bm25", "dense", "mixed")
}
MICRO = (
    "recall(aggregate=micro, on-no-relevant=skip, on-no-ranking=skip, on-zero-division=skip, "
    "on-nonzero-over-zero=skip)@10"
)


def printed(specs: Mapping[str, str], preset: str = "trec_eval", **how: object) -> dict[str, dict[str, str]]:
    """A table whose columns were computed under these specs, to four decimals."""
    found = {
        name: rc.evaluate(LABELS, one, list(specs.values()), preset, **how)  # type: ignore[call-overload]
        for name, one in RUNS.items()
    }
    return {name: {metric: f"{one[spec]:.4f}" for metric, spec in specs.items()} for name, one in found.items()}


def explained(table: Mapping[str, Mapping[str, str]]) -> TableIdentifyResult:
    return rc.identify_table(table, LABELS, rc.Runs(RUNS))


def ways(found: TableIdentifyResult) -> list[tuple[list[str], list[str]]]:
    """The metrics of each explanation, and its slips."""
    return [
        (list(dict.fromkeys(cell.metric for cell in one.cells)), [str(slip) for slip in one.slips])
        for one in found.explanations
    ]


def test_one_preset_explains_a_table_that_it_made() -> None:
    found = explained(printed({"map": "map", "P@5": "P_5", "ndcg@10": "ndcg_cut_10"}))
    assert found.ok
    assert ways(found) == [(["map", "P@5", "ndcg@10"], [])]
    assert found.explanations[0].presets[0] == "trec_eval"


@pytest.mark.parametrize(
    ("column", "made", "slip"),
    [
        ("P@10", "precision@15", "cutoff 15"),
        ("ndcg@5", "ndcg(max-depth=20)@30", None),
        ("map", "map(relevant=at-least(2))", None),
        ("recall@10", MICRO, None),
        ("map@10", "map(users=first(31))@10", "users=first(31)"),
    ],
)
def test_a_column_that_was_made_otherwise_has_a_way_of_its_own(column: str, made: str, slip: str | None) -> None:
    found = explained(printed({"P@5": "precision@5", "mrr": "mrr", column: made}, "ir_measures"))
    if slip is None:  # a preset has it, or two slips stand for each other
        assert [cells for cells, _ in ways(found)] == [["P@5", "mrr"], [column]]
    else:
        assert ways(found) == [(["P@5", "mrr"], []), ([column], [slip])]
    theirs = rc.evaluate(LABELS, RUNS["bm25"], f"ir_measures:{made}")
    ours = rc.evaluate(LABELS, RUNS["bm25"], found.explanations[1].definitions[column])
    assert [*ours.values()] == pytest.approx([*theirs.values()], rel=1e-12)


def test_a_metric_of_two_places_has_a_column_for_each_and_a_way_names_its_settings() -> None:
    table = printed({"map": "map", "P@5": "precision@5", "map at level 2": "map(relevant=at-least(2))"}, "trec_eval")
    rows = [
        (name, metric.partition(" ")[0], value, metric.partition(" ")[2])
        for name, one in table.items()
        for metric, value in one.items()
    ]
    found = rc.identify_table(rows, LABELS, rc.Runs(RUNS))
    assert found.ok
    first, second = found.explanations
    assert ([*first.definitions], [*second.definitions]) == (["map", "P@5"], ["map (at level 2)"])
    assert found.differing(first) == {}
    assert found.differing(second)["relevant"] == "at-least(2)"
    assert f"Against {first.presets[0]}: relevant=at-least(2)" in " ".join(found.to_text(None).split())
    data = found.to_dict()
    assert [way["against"] for way in data["ways"]] == ["", first.presets[0]]
    assert {row["place"] for row in data["rows"]} == {"", "at level 2"}


@pytest.mark.parametrize("name", RUNS)
def test_lists_that_go_from_the_worst_to_the_best_are_found(name: str) -> None:
    reversed_runs = {
        run: {query: sorted(one, key=one.__getitem__) for query, one in lists.items()} for run, lists in RUNS.items()
    }
    in_order = {run: {query: items[::-1] for query, items in lists.items()} for run, lists in reversed_runs.items()}
    given = reversed_runs | {name: in_order[name]}
    table = printed({"P@5": "precision@5", "mrr": "mrr", "ndcg@10": "ndcg@10"}, "ir_measures")
    found = rc.identify_table(table, LABELS, rc.Runs(given))
    assert found.ok
    slips = {cell.run: [str(slip) for slip in one.slips] for one in found.explanations for cell in one.cells}
    assert slips == {run: [] if run == name else ["order=reversed"] for run in RUNS}


def test_slips_in_lists_and_labels_are_crossed_and_a_metric_takes_one_more_setting() -> None:
    """As in a table over the first users, of judged items alone, whose ideal lists hold what was retrieved."""
    data = "relevant=at-least(2), unjudged=condensed-before-depth, users=first(31)"
    specs = {"P@5": f"precision({data})@5", "mrr": f"mrr({data})", "ndcg@10": f"ndcg({data}, ideal=retrieved)@10"}
    found = explained(printed(specs, "ir_measures"))
    assert found.ok
    slips = {str(slip) for one in found.explanations for slip in one.slips}
    assert slips >= {"unjudged=condensed-before-depth", "users=first(31)"}
    for column, spec in specs.items():
        definition = next(one.definitions[column] for one in found.explanations if column in one.definitions)
        theirs = rc.evaluate(LABELS, RUNS["dense"], f"ir_measures:{spec}")
        ours = rc.evaluate(LABELS, RUNS["dense"], definition)
        assert [*ours.values()] == pytest.approx([*theirs.values()], rel=1e-12), column


def test_a_preset_that_gives_numbers_of_one_run_alone_is_found() -> None:
    """Presets are measured on a few runs first: of seven on three."""
    random = Random(9)
    runs = {
        f"run{number}": {
            query: {f"d{item}": random.random() for item in random.sample(range(40), 25)} for query in QUERIES
        }
        for number in range(7)
    }
    metrics = ["ndcg@5", "ndcg@10", "ndcg@20"]
    values = {
        name: rc.evaluate(LABELS, one, metrics, "lightgbm" if name == "run1" else "ir_measures")
        for name, one in runs.items()
    }
    table = {name: {metric: f"{of[metric]:.4f}" for metric in metrics} for name, of in values.items()}
    found = rc.identify_table(table, LABELS, rc.Runs(runs))
    assert found.ok
    first, second = found.explanations
    assert {cell.run for cell in second.cells} == {"run1"}
    assert (len(first.cells), len(second.cells), second.slips) == (18, 3, ())


def test_a_number_that_contradicts_the_others_is_marked() -> None:
    table = printed({"map": "map", "P@5": "P_5"})
    true, table["dense"]["map"] = table["dense"]["map"], "0.7777"
    found = explained(table)
    assert not found.ok
    (other,) = found.contradictions
    assert (other.cell.run, other.cell.metric, f"{other.value:.4f}") == ("dense", "map", true)
    assert f"dense, map: 0.7777 is printed, trec_eval:map gives {true[:-1]}" in found.to_text(None)
    assert "0.7777 ✗" in found.to_text(None)


def test_the_preset_of_a_way_explains_one_number_more_without_its_slip() -> None:
    """P_15 printed as P@10, and the MAP of one run: the preset as it is gives it, so nothing contradicts."""
    table = printed({"P@10": "P_15", "map": "map"})
    for name in ("dense", "mixed"):
        del table[name]["map"]
    found = explained(table)
    assert found.ok
    assert ways(found) == [(["P@10"], ["cutoff 15"]), (["map"], [])]
    assert [one.presets[0] for one in found.explanations] == ["trec_eval", "trec_eval"]


def test_an_invented_table_is_explained_by_nothing() -> None:
    random, count = Random(1), 0
    for _ in range(examples.of(quick=1, ci=5)):
        table = {name: {"map": f"{random.uniform(0.05, 0.5):.4f}"} for name in RUNS}
        count += explained(table).found
    assert count == 0


def test_one_number_alone_proves_nothing() -> None:
    """One of a hundred presets gives some of a thousand numbers; two numbers by one of them are no chance."""
    table = printed({"map": "map"})
    alone = explained({"bm25": {"map": table["bm25"]["map"][:5]}})
    assert not alone.found
    assert "but some of so many definitions gives such a number by chance." in alone.to_text().replace("\n", " ")
    assert explained({name: table[name] for name in ("bm25", "dense")}).ok


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run,metric,value\nbm25,map\n", "2 cells under 3 headers"),
        ("run,metric,value\nbm25,map,high\n", "'high' is not a number"),
        ("run,metric,value\nbm25,map,0.5\nbm25,map,0.6\n", "two numbers are given for map of bm25"),
        ("run,metric,value\nbm25,map,0.5\nbm25,map,0.6\n", "Write run, metric, value and place in each row"),
        ("run,metric,value,place\nbm25,map,0.5,a\nbm25,map,0.6,a\n", "two numbers are given for map of bm25"),
        ("run,metric,value\n", "the table has no number"),
        ("run,metrik\nbm25,0.5\n", "'metrik'"),
        ("run,map\nbm52,0.5\n", "Did you mean 'bm25'?"),
    ],
)
def test_a_table_that_cannot_be_read_says_why(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_files()
    Path("table.csv").write_text(text)
    assert said in refused("identify --quiet --table table.csv labels.csv bm25.csv")


def test_the_command_reads_both_shapes_of_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _write_files()
    table = printed({"map": "map", "P@10": "P_15"})
    rows = [f"{name},{metric},{value}" for name, one in table.items() for metric, value in one.items()]
    Path("long.csv").write_text("\n".join(["run,metric,value", *rows]) + "\n")
    wide = [f"{name},{one['map']},{one['P@10']}" for name, one in table.items()]
    Path("wide.csv").write_text("\n".join(["system,map,P@10", *wide]) + "\n")
    files = "labels.csv bm25.csv dense.csv mixed.csv"
    twice = [f"{name},{one['map']},{one['P@10']},{one['map']}" for name, one in table.items()]
    Path("twice.csv").write_text("\n".join(["system,map,P@10,map", *twice]) + "\n")
    columns = run(f"identify --quiet --table twice.csv {files}").stdout
    assert "9 of 9 numbers of 3 runs are given by 2 ways to compute them." in columns
    assert "map (column 2)" in columns
    said = [run(f"identify --quiet --table {name}.csv {files}") for name in ("long", "wide")]
    assert said[0].stdout == said[1].stdout
    assert said[0].exit_code == 0
    assert "6 of 6 numbers of 3 runs are given by 2 ways to compute them." in said[0].stdout
    data = json.loads(run(f"identify --table wide.csv {files} --format json").stdout)
    assert data["ok"]
    assert {row["way"] for row in data["rows"]} == {0, 1}
    assert "is not for a table" in refused(f"identify --quiet --table wide.csv {files} -m map")
    assert "Add both" in refused("identify --quiet --table wide.csv")
    assert "3 runs are for --table" in refused(f"identify --quiet {files} -m map --value 0.3")


def _write_files() -> None:
    rows = [f"{query},{item},{grade}" for query, grades in LABELS.items() for item, grade in grades.items()]
    Path("labels.csv").write_text("\n".join(["query,item,grade", *rows]) + "\n")
    for name, lists in RUNS.items():
        scores = [f"{query},{item},{score!r}" for query, items in lists.items() for item, score in items.items()]
        Path(f"{name}.csv").write_text("\n".join(["query,item,score", *scores]) + "\n")
