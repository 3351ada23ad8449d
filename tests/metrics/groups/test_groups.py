"""Groups of items: what is refused and what is said then, and the values of groups next to every number."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc

LABELS, RUN = {"u": ["a"], "v": ["b"]}, {"u": ["a", "c"], "v": ["a", "c"]}
GENRES = {"a": "jazz", "b": "rock", "c": "rock"}
TRAIN = {"p": ["a", "b"], "q": ["c"]}
EVEN = {"jazz": 0.5, "rock": 0.5}


def found(metric: str = "reo@2", preset: str | None = None, **given: Any) -> rc.Result:
    return rc.evaluate(LABELS, RUN, metric, preset, **({"item_features": GENRES} | given))


def test_every_form_of_a_result_has_the_groups_of_a_spread(tmp_path: Path) -> None:
    """Of jazz its one relevant item is a hit, of rock none."""
    result = found()
    assert result.groups == {"reo@2": {"jazz": 1.0, "rock": 0.0}}
    assert result.to_dict()["groups"]["reo@2"]["rock"] == {"rate": 0.0, "has": 0.0, "of": 1.0}
    for text in (str(result), repr(result), result.to_markdown(), result.to_latex(), result.to_html(), result.to_csv()):
        assert "jazz" in text
        assert "rock" in text
    result.save(tmp_path / "saved.json")
    for again in (rc.Result.load(tmp_path / "saved.json"), pickle.loads(pickle.dumps(result))):
        assert again.groups == result.groups
    assert rc.explain(LABELS, RUN, "reo@2", user="u", item_features=GENRES).to_dict()["groups"]["jazz"]["rate"] == 1
    both = rc.compare(LABELS, RUN, "reo@2", ["elliot", "rankconv"], item_features=GENRES)
    assert "elliot:reo@2, by group: jazz 1.0000, rock 0.0000." in both.to_text()
    why = rc.why(LABELS, RUN, "EE-D", "fair_trec_2021", "fair_trec_2022", item_features=GENRES, group_target=EVEN)
    assert "fair_trec_2022, by group: jazz 0.5000, rock 0.0000." in why.to_text()


def test_a_metric_without_groups_says_nothing_of_them() -> None:
    result = found("recall@2")
    assert result.groups == {}
    assert "groups" not in result.to_dict()
    assert "group" not in result.to_csv()


def test_the_mean_of_groups_is_over_those_who_are_scored() -> None:
    """w has no list, and counts 0; of its groups nothing is known."""
    found = rc.evaluate(LABELS | {"w": ["a"]}, RUN, "awrf(group-target=even)", item_features=GENRES)
    assert sum(found.groups["awrf(group-target=even)"].values()) == pytest.approx(1)


REFUSED = [
    ("group_fairness@2", {}, "what a group has is not said (group-rate=refuse). Take a metric that says it: reo"),
    (
        "popreo@2",
        {"train": TRAIN},
        "Write item-group=column for those of the item features, or item-group=",
    ),
    ("group_share@2", {}, "the group that is counted is not said (group=refuse). Write group=name(jazz)"),
    (
        "group_share(group=name(folk))@2",
        {},
        "there is no group 'folk' (group=name(folk)). Name one of the groups: jazz",
    ),
    ("expected_exposure", {"group_target": EVEN}, "Write exposure-of=relevant-rows, as in the preset fair_trec_2022"),
    ("reo@2", {"item_features": {"a": "jazz"}}, "items without a group: 'b' and 1 other (no-group=refuse)"),
    ("reo@2", {"item_features": {"a": [3, 1], "b": [1, 0], "c": [0, 1]}}, "neither shares of groups nor a group"),
    ("reo(item-group=column(era))@2", {}, "the item features have no column 'era'"),
    ("awrf", {}, "group-target=given needs group_target, and none was given. Pass group_target="),
    (
        "awrf",
        {"group_target": {"jazz": 0.5, "folk": 0.5}},
        "the target has a group 'folk', and the groups of items are",
    ),
    ("awrf", {"group_target": {"jazz": 1}}, "the target has no share of group 'rock'"),
    ("awrf", {"group_target": {"u": EVEN}}, "user 'v' has no target"),
    (
        "popreo(item-group=popularity-head(0.5, reached))@2",
        {"train": TRAIN},
        "are equally popular (1 in training) and the head ends among them (item-group=popularity-head(0.5, reached)). "
        "Write popularity-ties=item-ascending",
    ),
]


@pytest.mark.parametrize(("metric", "given", "wanted"), REFUSED, ids=[one[2][:50] for one in REFUSED])
def test_what_is_not_said_is_refused_with_what_to_write(metric: str, given: dict[str, Any], wanted: str) -> None:
    with pytest.raises(rc.MetricError) as error:
        found(metric, **given)
    assert wanted in str(error.value)
    assert found(metric, on_error="collect", **given).groups == {}


FOLLOWED = [
    ("reo@2", {}),
    ("group_fairness(group-rate=hits, group-rate-over=relevant-of-group)@2", {}),
    ("group_share(group=name(jazz))@2", {}),
    ("popreo(item-group=column)@2", {}),
    ("popreo(item-group=popularity-head(0.8, reached), popularity-ties=item-ascending)@2", {"train": TRAIN}),
    ("popreo(item-group=popularity-head(0.8, exceeded), popularity-ties=item-ascending)@2", {"train": TRAIN}),
    ("expected_exposure(exposure-of=relevant-rows)", {"group_target": EVEN}),
    ("expected_exposure(exposure-of=all-rows)", {"group_target": EVEN}),
    *(
        (f"reo(no-group={rule})@2", {"item_features": {"a": "jazz"}})
        for rule in ("left-out", "own-group", "even-share")
    ),
]


@pytest.mark.parametrize(("metric", "given"), FOLLOWED, ids=[metric for metric, _ in FOLLOWED])
def test_what_a_refusal_says_to_write_is_taken(metric: str, given: dict[str, Any]) -> None:
    assert found(metric, **given).groups[metric]


TARGETS = [
    ({"jazz": 0.5, "rock": 0.4}, "the shares of the target of all users add up to 0.9"),
    ({"u": {"jazz": 1.0}, "v": {"jazz": 0.5}}, "the shares of the target of user 'v' add up to 0.5"),
    ({"jazz": -1}, "-1 is not a share"),
    ({"jazz": 1, "v": {"jazz": 1}}, "the target has neither shares by group, nor by user and group"),
    (5, "the target cannot be read from an int"),
]


@pytest.mark.parametrize(("target", "wanted"), TARGETS, ids=[one[1] for one in TARGETS])
def test_what_is_no_target_is_refused(target: Any, wanted: str) -> None:
    with pytest.raises(rc.InputError) as error:
        found("awrf", group_target=target)
    assert wanted in str(error.value)


def test_groups_and_targets_come_from_tables(tmp_path: Path) -> None:
    """The same as a dict, as files, and as shares; numbers in one column are the names of groups."""
    (tmp_path / "genres.csv").write_text("item,genre\na,jazz\nb,rock\nc,rock\n")
    (tmp_path / "shares.csv").write_text("item,group,share\na,jazz,1\nb,rock,1\nc,rock,0.5\nc,jazz,0.5\n")
    (tmp_path / "target.csv").write_text("user,group,share\nu,jazz,0.5\nu,rock,0.5\nv,rock,0.5\nv,jazz,0.5\n")
    (tmp_path / "target.json").write_text(json.dumps(EVEN))
    targets = [EVEN, str(tmp_path / "target.csv"), tmp_path / "target.json", {"u": EVEN, "v": EVEN}]
    values = {float(found("awrf", group_target=one)["awrf"]) for one in targets}
    assert values == {float(found("awrf", item_features=tmp_path / "genres.csv", group_target=EVEN)["awrf"])}
    shares = found("rsp@2", item_features=tmp_path / "shares.csv", train={"z": ["a"]}).to_dict()["groups"]["rsp@2"]
    assert {name: one["has"] for name, one in shares.items()} == {"jazz": 3.0, "rock": 1.0}
    assert found(item_features={"a": 1, "b": 2, "c": 2}).groups == {"reo@2": {"1": 1.0, "2": 0.0}}
    twice = "item,group,share\na,jazz,1\na,jazz,0.5\n"
    (tmp_path / "twice.csv").write_text(twice)
    with pytest.raises(rc.InputError, match="item 'a' has 2 rows of group 'jazz'"):
        found(item_features=tmp_path / "twice.csv")


def test_the_head_ends_where_its_share_is_reached_or_exceeded() -> None:
    """Of 5 interactions a and b have 4: they are the head where 0.8 is reached, and c is in it where it is exceeded."""
    train = {"p": ["a", "b"], "q": ["a", "b"], "r": ["c"]}
    for ends, tail in (("reached", 1 / 2), ("exceeded", 0)):
        spec = f"group_share(item-group=popularity-head(0.8, {ends}), group=name(tail))@2"
        assert rc.evaluate({"u": ["c"]}, {"u": ["b", "c"]}, spec, train=train)[spec] == tail


@pytest.mark.parametrize("metric", ["reo@2", "awrf(group-target=even)", "group_share(group=name(rock))@2"])
def test_users_who_come_in_parts_are_refused(metric: str) -> None:
    with pytest.raises(rc.MetricError, match="cannot be put together from parts"):
        rc.Evaluator(metric, item_features=GENRES)


def test_a_number_is_identified_by_the_presets_that_give_it() -> None:
    given: dict[str, Any] = {"item_features": GENRES, "group_target": EVEN}
    value = float(rc.evaluate(LABELS, RUN, "EE-L", "fair_trec_2022", **given)["EE-L"])
    names = rc.identify(LABELS, RUN, "ee_l", round(value, 6), **given).to_text()
    assert "fair_trec_2022:ee_l" in names


def test_the_signature_states_features_and_target() -> None:
    one, other = (found("awrf", group_target=target).signatures["awrf"] for target in (EVEN, {"jazz": 1, "rock": 0}))
    assert "|target:" in one
    assert one != other
    assert "features:" in one


def test_rows_that_stand_for_labels_have_exposure_in_the_ideal_list() -> None:
    """In the ideal list of u1 the four rows of grade 0 share ranks 2 to 5; no list changes the value of another."""
    labels = {"u0": {"a": 1, "b": 0, "c": 2}, "u1": {"a": 1}}
    run = {"u0": list("xayb"), "u1": list("zaqrx")}
    spec, shared = "item_exposure(labels-used=aligned-arrays)", (0.8 + 0.8**2 + 0.8**3 + 0.8**4) / 4
    by_hand = (1 - shared) ** 2 + (0.8 - 1) ** 2 + sum((0.8**place - shared) ** 2 for place in (2, 3, 4))
    both = rc.evaluate(labels, run, spec).per_user[spec]
    alone = [rc.evaluate({user: labels[user]}, {user: run[user]}, spec)[spec] for user in labels]
    assert both.tolist() == alone
    assert alone[1] == pytest.approx(by_hand)


def test_rows_that_stand_for_labels_are_those_of_their_user() -> None:
    """Both lists have all items, so that only the user tells the rows of one apart from those of the other."""
    labels, run = {"u0": {"a": 1, "b": 0}, "u1": {"b": 1}}, {user: list("abcdefgh") for user in ("u0", "u1")}
    spec = "item_exposure(labels-used=aligned-arrays)@2"
    alone = [rc.evaluate({user: labels[user]}, {user: run[user]}, spec)[spec] for user in labels]
    assert rc.evaluate(labels, run, spec).per_user[spec].tolist() == alone
