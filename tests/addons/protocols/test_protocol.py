"""Protocols by name and from files, what is said of them, and every error with what to do."""

import json
import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from typer.testing import CliRunner

import rankconv as rc
from rankconv import protocols
from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.cli.app import app

RATINGS = [("ada", "x", 4, 10), ("ada", "y", 5, 11), ("ada", "z", 1, 12), ("bob", "x", 3, 10), ("bob", "z", 2, 15)]
FOLDER = Path(__file__).parents[3] / "conventions" / "protocols"


@pytest.mark.parametrize("name", rc.list_protocols())
def test_each_is_cited_stated_and_named(name: str) -> None:
    protocol = rc.protocol(name)
    told = yaml.safe_load((FOLDER / f"{name}.yaml").read_text())
    keys = {source.key for known in rc.list_protocols() for source in rc.protocol(known).cite}
    cited = {PROTOCOL[q](setting).setting_type.cite for q, setting in protocol.settings.stated.items()} - {""}
    assert cited <= keys
    assert {
        q: PROTOCOL[q].validate(setting) for q, setting in told["settings"].items()
    }.items() <= protocol.settings.stated.items()
    assert all("{" not in part for part in protocol.sentence.split("; "))
    assert not protocol.metric or rc.metric(protocol.metric)
    assert pickle.loads(pickle.dumps(protocol)) == protocol


def test_base_settings_every_convention_and_fingerprints_differ() -> None:
    assert list(yaml.safe_load((FOLDER / "base.yaml").read_text())["settings"]) == list(PROTOCOL)
    prints = [rc.protocol(name).fingerprint for name in rc.list_protocols()]
    assert len({*prints}) == len(prints)
    assert rc.protocol("fastml", tested="share(0.20)").fingerprint == rc.protocol("fastml").fingerprint


def test_settings_beside_a_name_read_back() -> None:
    changed = rc.protocol("fastml(given=nested(20), tested=everyone)")
    assert changed == rc.protocol("fastml").replace(given="nested(20)", tested="everyone")
    assert rc.protocol(changed.text) == changed
    assert "given=nested(20)" in changed.sentence


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: mine\ntitle: Mine\nextends: fastml\nsettings:\n  given: nested(5)\n")
    (tmp_path / "its.yaml").write_text("name: its\ntitle: Its\nextends: mine\nsettings:\n  order: by-time\n")
    assert rc.protocol(tmp_path / "its.yaml").diff(rc.protocol("fastml")) == {
        "order": ("by-time", "shuffled"),
        "given": ("nested(5)", "nested(199)"),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: mine\ntitle: M\nsettings:\n  oder: shuffled\n", "line 4: 'oder' is not a convention of protocols"),
        ("name: mine\ntitle: M\nsettings:\n  order: shufled\n", "line 4: 'shufled' is not a known setting of 'order'"),
        ("name: mine\ntitle: M\nsetting: 3\n", "line 3: 'setting' is not a key of a protocol"),
        ("name: yours\ntitle: M\n", "line 1: the file is called 'mine'"),
        ("name: mine\ntitle: M\nextends: mine\n", "extend each other in a ring: mine → mine"),
        ("name: mine\ntitle: M\nsettings:\n  given: nested(5)\n", "line 3, mine: given=nested(5) leaves out ratings"),
        ("- a\n", "a protocol is a mapping of keys"),
    ],
)
def test_a_file_that_does_not_hold_together(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(rc.ConventionError) as error:
        rc.protocol(tmp_path / "mine.yaml")
    assert said in str(error.value)


NESTED = {"generalization": "strong", "held_out": "rest", "tested": "share(0.5)"}


@pytest.mark.parametrize(
    ("settings", "data", "said"),
    [
        ({"held_out": "rest"}, RATINGS, "held-out=rest and given=all leave nothing to be found"),
        ({"held_out": "from(noon)"}, RATINGS, "'noon' is no moment"),
        (
            {"order": "by-time"},
            [row[:3] for row in RATINGS],
            "order=by-time needs times, and there is not a column of times",
        ),
        ({}, [*RATINGS, ("bob", "x", 5, 20)], "user 'bob' has 2 ratings of item 'x'"),
        ({"tested": "number(3)"}, RATINGS, "tested=number(3), and only 2 users have 1 ratings or more"),
        ({"least_ratings": 9}, RATINGS, "of 2 users 0 have 9 ratings or more, the most are 3"),
        ({"generalization": "strong"}, RATINGS, "no rating is left to learn from"),
        (
            {"relevance": "minus(9)", "no_positives": "left-out"},
            RATINGS,
            "no tested user has a rating to be found that is",
        ),
        ({"held_out": "share(0)"}, RATINGS, "nothing is to be found of 2 tested users"),
        ({}, [], "there is no rating"),
        ({"held_out": "last(0)"}, RATINGS, "n must be from 1 to"),
        ({"held-out": "last"}, RATINGS, "it needs n"),
    ],
)
def test_what_cannot_be_divided(settings: dict[str, Any], data: list[Any], said: str) -> None:
    with pytest.raises(rc.RankconvError) as error:
        rc.protocol("base", **settings).split(data)
    assert said in str(error.value)


def test_more_given_than_anybody_has() -> None:
    ratings = [(user, item) for user in range(20) for item in range(5)]
    with pytest.raises(
        rc.InputError, match=r"beyond all users: the most that can be given is 4\. Give fewer: given=nested\(4\)"
    ):
        rc.protocol("base", **NESTED, given="nested(9, least=5)").split(ratings)


def test_no_item_is_left() -> None:
    ratings = {"ada": {"x": 4, "y": 5}, "bob": {"x": 3, "y": 2}}
    split = rc.protocol("base", items="trained").split(ratings)
    with pytest.raises(rc.InputError, match="no item is left for 'ada'"):
        split.candidates_of(0)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_what_is_no_seed(seed: Any) -> None:
    with pytest.raises(rc.InputError, match="is no seed"):
        rc.protocol("base").split(RATINGS, seed)


def test_words_that_are_nearly_right() -> None:
    with pytest.raises(rc.ConventionError, match="Did you mean 'fastml'"):
        rc.protocol("fastmi")
    with pytest.raises(
        rc.ConventionError, match=r"'helt-out' is not a convention of protocols.*Did you mean 'held-out'"
    ):
        rc.protocol("fastml", helt_out="rest")


@pytest.mark.parametrize("times", ["time", "timestamp"])
def test_times_of_tables_and_texts(tmp_path: Path, times: str) -> None:
    said = [
        "2020-01-01",
        "2020-01-03T12:00:00",
        "2020-01-02 06:30:00",
        "2020-01-01T00:00:00Z",
        "2020-01-05T02:00:00+02:00",
    ]
    columns = {"user": [1, 1, 1, 2, 2], "item": [1, 2, 3, 1, 3], "rating": [4, 5, 1, 3, 2], times: said}
    pl.DataFrame(columns).write_csv(tmp_path / "r.csv")
    seconds = [1577836800.0, 1578052800.0, 1577946600.0, 1577836800.0, 1578182400.0]
    of_file, of_table = protocols.Ratings(str(tmp_path / "r.csv")), protocols.Ratings(pl.DataFrame(columns))
    assert of_file.time is not None
    assert of_table.time is not None
    assert of_file.time.tolist() == of_table.time.tolist() == seconds
    moments = pl.DataFrame(columns | {times: seconds}).with_columns(pl.from_epoch(pl.col(times).cast(pl.Int64)))
    told = protocols.Ratings(moments).time
    assert told is not None
    assert told.tolist() == seconds


def test_a_time_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("user,item,rating,time\n1,2,3,400\n1,3,3,soon\n")
    with pytest.raises(rc.InputError, match=r"line 3: the time 'soon' cannot be read"):
        protocols.Ratings(str(tmp_path / "r.csv"))


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_the_command_writes_what_python_makes(tmp_path: Path) -> None:
    pl.DataFrame(RATINGS, schema=["user", "item", "rating", "time"], orient="row").write_csv(tmp_path / "r.csv")
    done = run(
        "split", tmp_path / "r.csv", "--protocol", "leave-one-out", "--seed", 3, "-o", tmp_path / "out", "--quiet"
    )
    assert done.exit_code == 0
    split = rc.protocol("leave-one-out").split(RATINGS, 3)
    for name, frame in split.to_frames().items():
        written = pl.read_csv(tmp_path / "out" / f"{name}.csv", schema=frame.schema)
        assert written.equals(frame), name
    told = json.loads((tmp_path / "out" / "split.json").read_text())
    assert told["split_fingerprint"] == split.fingerprint
    assert told["files"] == {f"{name}.csv": len(frame) for name, frame in split.to_frames().items()}
    with pytest.raises(rc.InputError, match=r"there is a train\.csv already"):
        run("split", tmp_path / "r.csv", "-o", tmp_path / "out")


def test_protocols_are_shown_beside_presets_of_their_names() -> None:
    assert "generalization=strong" in run("show", "protocol:fastml").stdout
    assert "ndcg_worst" in run("show", "fastml").stdout
    assert "share(0.2)" in run("show", "protocol:fastml", "--against", "koren2008").stdout
    assert all(name in run("list", "protocols").stdout for name in rc.list_protocols())
    assert all(name in run("list", "protocols", "--all").stdout for name in PROTOCOL)


def test_other_settings_than_the_neutral_ones_have_other_fingerprints() -> None:
    """Also where it is `base` that was changed, which holds the neutral ones."""
    base, changed = rc.protocol("base"), rc.protocol("base(held-out=last(2))")
    assert len({base.fingerprint, changed.fingerprint, changed.replace(order="by-time").fingerprint}) == 3
    assert changed.replace(held_out="last(1)").fingerprint == base.fingerprint
    ratings = {"ada": {"a": 3, "b": 4, "c": 5}, "bob": {"a": 1, "c": 2, "d": 3}}
    assert base.split(ratings).fingerprint != changed.split(ratings).fingerprint
