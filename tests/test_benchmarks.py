"""The benchmarks run, and tell what they found; no test says how fast anything is."""

from pathlib import Path

import numpy as np
import pytest

import rankconv as rc
from tests.benchmarks import command, data, publishing, races
from tests.benchmarks.environments import Answer, Places, peer
from tests.benchmarks.own import family, variants
from tests.benchmarks.rows import Row, table
from tests.benchmarks.setting import Setting
from tests.laws import examples


def quick(folder: Path, only: str) -> list[Row]:
    arguments = ["--quick", "--size", "XS", "--repetitions", "1", "--data", str(folder), "--only", only]
    return command.measure(command.parser().parse_args(arguments)).rows


@pytest.mark.skipif(examples.REQUESTED == "quick", reason="each night")
def test_a_quick_run_has_a_row_for_each_workload(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.benchmarks.timing.LEAST", 1e-6)
    rows = quick(tmp_path, "ranx,polars,fixed,memory")
    assert [row.workload for row in rows] == ["polars", "ranx", "memory", "fixed"]
    assert rows[0].ours > 0
    assert rows[0].ratio == rows[0].other / rows[0].ours
    assert rows[1].note.startswith("left out: ranx==")
    assert len(table(rows).splitlines()) == 2 + len(rows)


def test_numbers_that_differ_stop_the_run(tmp_path):
    setting = Setting("XS", Places(tmp_path), 1)
    with pytest.raises(races.Disagreement, match=r"by hand in polars .* preset 'rankconv':\nmap@5: 2\.0 there"):
        races.check_agreement(peer("polars"), Answer({"map@5": 2.0}, 1.0, 1.0), setting)


def test_data_have_no_item_twice_and_are_the_same_each_time(tmp_path):
    made = data.load(data.make("XS", tmp_path / "one"))
    again = data.load(data.make("XS", tmp_path / "two"))
    assert np.array_equal(made.pred, again.pred)
    assert np.array_equal(made.items, again.items)
    assert all(len(set(row)) == len(row) for row in made.pred.tolist())
    key = made.label_users * made.catalogue + made.items
    assert len(np.unique(key)) == len(key)
    assert (np.diff(made.score, axis=1) < 0).all()


def test_the_definitions_that_are_timed_together_are_definitions() -> None:
    assert len({rc.metric(f"{spec}@10") for spec in variants()}) == len(variants())
    assert len({rc.metric(f"{spec}@10") for spec in family()}) == len(family())


def test_a_device_is_raced_where_there_is_one() -> None:
    """The CPU in its place, with few users: the numbers agree, and each peer has a time."""
    pytest.importorskip("torch")
    from tests.benchmarks.devices import Loader, raced

    rows = raced(Loader("cpu", users=200, items=300, batch=100), "a CPU")
    assert [row.against for row in rows][:2] == ["torch.topk alone", "RecBole's way"]
    assert all(row.other for row in rows)


def printed(size: str) -> dict[tuple[str, str, str], float]:
    """How many times faster we are, by workload, task and peer, in the table that was written last."""
    rows = [line.strip("| ").split(" | ") for line in (publishing.HERE / "results.md").read_text("utf-8").splitlines()]
    races = [row for row in rows if len(row) >= 7 and row[1] == size and row[6].endswith(("faster", "slower"))]
    times = [(row, float(row[6].partition("x ")[0])) for row in races]
    return {(row[0], row[2], row[4]): time if row[6].endswith("faster") else 1 / time for row, time in times}


def test_what_the_page_of_speed_says_is_in_its_table() -> None:
    """Each sentence of the page on the ratios, held to the rows."""
    few, long, many = (printed(size) for size in ("S", "D", "M"))
    both = few.keys() & many.keys()
    assert len(both) > 20
    assert np.median([many[race] / few[race] for race in both]) > 1.5
    assert min(few.values()) < 1
    by_topics = [next(ratio for (name, *_), ratio in of.items() if name == "trec_eval") for of in (few, long, many)]
    assert by_topics == sorted(by_topics)
    by_hand = {race: ratio for race, ratio in long.items() if race[0] == "frames" and "text ids" not in race[1]}
    assert {peer.partition(" ")[0] for *_, peer in by_hand} == {"polars", "DuckDB"}
    assert max(by_hand.values()) < 1
