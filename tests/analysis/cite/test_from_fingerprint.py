"""A definition found again by its fingerprint."""

import json
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.analysis import cite as finding

NDCG = "803ba240f99f660e"
"""mllib:ndcg@10; a fingerprint is printed in papers, so it must never change."""


def test_one_fingerprint_in_all_its_spellings() -> None:
    assert rc.cite("mllib:ndcg@10").cited[0].fingerprint == NDCG
    for given in (NDCG, f" {NDCG[:8].upper()}… "):
        (found,) = rc.from_fingerprint(given)
        assert (found.fingerprint, found.text, found.also) == (NDCG, "mllib:ndcg@10", ("mllib@2.1.3:ndcg@10",))
        assert isinstance(found.definition, rc.Definition)
        assert found.definition.fingerprint == NDCG


def test_a_found_definition_computes_the_same() -> None:
    spec = "trec_eval:ndcg@7"
    (found,) = rc.from_fingerprint(rc.cite(spec).cited[0].fingerprint)
    assert found.definition == rc.preset("trec_eval").define("ndcg@7")[0]


def test_an_ambiguous_beginning_lists_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "list_presets", lambda eras: ["blog"])
    monkeypatch.setattr(finding, "SHORTEST", 1)
    found = rc.from_fingerprint("ab")
    assert len(found) > 1
    assert all(one.fingerprint.startswith("ab") for one in found)
    assert [one.fingerprint for one in found] == sorted({one.fingerprint for one in found})


def test_files_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "list_presets", lambda eras: [])
    preset = tmp_path / "shop.yaml"
    preset.write_text(
        "name: shop\ntitle: Shop\nextends: base\nmetrics: {dcg: {gain: exponential, ties: expected, order: score}}\n"
    )
    (one,) = rc.cite("dcg@3", preset)
    assert rc.from_fingerprint(one.fingerprint) == []
    assert [found.text for found in rc.from_fingerprint(one.fingerprint, [str(preset)])] == ["shop:dcg@3"]
    rc.evaluate({"u": ["a"]}, {"u": {"a": 1.0}}, "dcg@3", preset).save(tmp_path / "a.json")
    (found,) = rc.from_fingerprint(one.fingerprint, results=[tmp_path / "a.json"])
    assert (found.text, found.definition.settings["gain"]) == ("shop:dcg@3", "exponential")


@pytest.mark.parametrize("given", ["", "xyz", "803", "803ba240f99f660e0", "ndcg@10"])
def test_what_is_no_fingerprint(given: str) -> None:
    with pytest.raises(rc.MetricError, match=r"is not a fingerprint\. It has 16 hexadecimal digits"):
        rc.from_fingerprint(given)


def test_a_fingerprint_that_is_not_that_of_its_settings_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "mllib:ndcg@10").save(file)
    whole = json.loads(file.read_text())
    number = whole["numbers"]["mllib:ndcg@10"]
    for change in (
        {"fingerprint": "0" * 16},
        {"settings": number["settings"] | {"gain": "linear"}},
        {"k": 5},
    ):
        file.write_text(json.dumps(whole | {"numbers": {"mllib:ndcg@10": number | change}}))
        with pytest.raises(
            rc.InputError, match=r"a\.json: mllib:ndcg@10 has the fingerprint \w{16}, and that of its settings is"
        ):
            rc.Result.load(file)
    file.write_text(json.dumps(whole | {"numbers": {"mllib:ndcg@10": number | {"metric": "dcg"}}}))
    with pytest.raises(rc.InputError, match=r"a\.json, mllib:ndcg@10: dcg has no setting ideal"):
        rc.Result.load(file)
    unknown = number | {"settings": number["settings"] | {"a-convention-of-a-plugin": "x"}}
    file.write_text(json.dumps(whole | {"numbers": {"mllib:ndcg@10": unknown}}))
    assert rc.Result.load(file).definition("mllib:ndcg@10").fingerprint == NDCG
