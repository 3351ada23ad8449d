"""Values outside the bounds of a metric carry a note, wherever the number is printed."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app
from tests.engine.test_refusals import messy
from tests.laws import examples

SEVEN = [f"i{n}" for n in range(7)]
REPORTS = {
    "haystack #11959": ({"q": ["a"]}, ["a", "a"], "ndcg@2", 1.63093),
    "search-relevance #191": ({"q": ["a", "b"]}, ["a", "a", "b"], "ndcg@3", 1.31),
    "gbrain #4176": ({"q": SEVEN}, [*SEVEN, *SEVEN[:3]], "recall@10", 1.43),
}
"""Labels, a ranking with repeated items, a metric, and the number that was reported."""


@pytest.mark.parametrize("name", REPORTS)
def test_numbers_that_were_reported(name: str) -> None:
    labels, ranking, metric, number = REPORTS[name]
    result = rc.evaluate(labels, {"q": ranking}, metric, "mllib")
    decimals = len(str(number).partition(".")[2])
    assert round(result[metric], decimals) == number
    note = result.out_of_bounds[metric]
    assert "outside its bounds, 0 to 1" in note
    assert not rc.evaluate(labels, {"q": list(dict.fromkeys(ranking))}, metric, "mllib").out_of_bounds


def test_an_infinite_value_beside_a_value_outside() -> None:
    train, spec = {"t": ["a"], "s": ["a"]}, "novelty(popularity=count, unseen-item=0)"
    result = rc.evaluate({"u": ["a"], "v": ["b"]}, {"u": ["a"], "v": ["b"]}, spec, train=train)
    assert [*result.per_user[spec]] == [-1, np.inf]
    assert "0 to inf (user 'u': -1;" in result.out_of_bounds[spec]


def test_wherever_the_number_is_printed(tmp_path: Path) -> None:
    labels, run = {"u": ["a"], "v": ["c"]}, {"u": ["a", "a"], "v": ["c"]}
    result = rc.evaluate(labels, run, "recall@3, mrr", "blog")
    note = "1 of 2 users are outside"
    assert "user 'u': 2" in result.out_of_bounds["recall@3"]
    assert [*result.out_of_bounds] == ["recall@3"]
    for told in (
        repr(result),
        result.to_markdown(),
        str(result._page()),
        json.dumps(result.to_dict()),
    ):
        assert "outside its bounds" in told
    assert pickle.loads(pickle.dumps(result)).out_of_bounds == result.out_of_bounds
    result.save(tmp_path / "result.json")
    assert rc.Result.load(tmp_path / "result.json").out_of_bounds == result.out_of_bounds
    assert "outside its bounds" in result["recall@3"]._repr_markdown_()
    table = rc.compare(labels, run, ["recall@3", "mrr"], ["blog", "rankconv"])
    assert any("Presets: blog" in one for one in table.to_dict()["notes"])
    assert dict(table.to_frame().select("preset", "note").rows())["rankconv"] is None
    assert "outside its bounds" in table.to_markdown()
    assert note.split()[0] in table.to_frame().row(0)[-1]


def test_the_test_of_runs_and_the_commands(tmp_path: Path) -> None:
    users = "uvwxyz"
    labels = {user: ["a"] for user in users}
    runs = {"one": {user: ["a", "a"] for user in users}, "two": {user: ["b", "a"] for user in users}}
    assert "outside its bounds" in rc.test(labels, runs, "recall@3", "blog").to_markdown()
    assert "outside its bounds" in rc.report(labels, runs, "recall@3", "blog").to_html()
    (tmp_path / "labels.csv").write_text("user,item,grade\nu,a,1\nv,c,1\n")
    (tmp_path / "run.csv").write_text("user,item,rank\nu,a,1\nu,a,2\nv,c,1\n")
    files = [str(tmp_path / "labels.csv"), str(tmp_path / "run.csv"), "-m", "recall@3", "-p", "blog"]
    for command in (["evaluate", *files], ["compare", *files], ["evaluate", *files, "--format", "json"]):
        done = CliRunner().invoke(app, command, catch_exceptions=False)
        assert "outside its bounds" in re.sub(r"\s+", " ", done.stdout), command


def repeated(random: np.random.Generator) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """Lists of few items that come again and again, all of them labelled."""
    labels = {user: {item: int(random.integers(1, 3)) for item in "abc"} for user in "uvw"}
    return labels, {user: random.choice([*"abc"], 5).tolist() for user in labels}


def test_a_note_where_a_value_is_outside_and_none_where_all_are_inside() -> None:
    random = np.random.default_rng(7)
    seen = {True: 0, False: 0}
    for name in rc.list_presets(eras=True)[:: examples.of(quick=4, ci=2, long=1)]:
        preset, joined = rc.preset(name), rc.join(*(repeated if random.random() < 0.5 else messy)(random))
        specs = [f"{key}@2" for key in preset.metrics if preset.offers(f"{key}@2")]
        for one in rc.evaluate(joined, specs, preset, on_error="collect").by_spec.values() if specs else []:
            low, high = one.definition.metric.range
            if one.definition.aggregation.given("report") == "one-minus":
                low, high = 1 - high, 1 - low
            values = np.append(one.values, one.mean)
            outside = bool(np.any((values < low - 1e-9) | (values > high + 1e-9)))
            assert bool(one.note) == outside, (name, one.definition.text)
            seen[outside] += 1
    assert min(seen.values()) > 0
