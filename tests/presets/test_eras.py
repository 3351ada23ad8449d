"""Eras: versions are compared by their numbers, named by preset@version, and held against recorded old packages."""

import json
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.presets.preset_file import Era
from rankconv.presets.resolver import covers, numbers

RECORDED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("eras.json").read_text())
"""What old packages gave: a number, nan, or the name of the error."""
WITH_ERAS = [name for name in rc.list_presets() if rc.preset(name).file.eras]


def era(range: str) -> Era:
    return Era(range=range, version="0", proof="none")


@pytest.mark.parametrize("preset", sorted({one["preset"] for one in RECORDED}))
def test_an_era_gives_what_the_old_package_gave(preset: str) -> None:
    for one in (one for one in RECORDED if one["preset"] == preset):
        given = f"{one['metric']} of {one['labels']} and {one['run']}"
        if isinstance(one["value"], str) and one["value"] != "nan":
            with pytest.raises(rc.RankconvError):
                rc.evaluate(one["labels"], one["run"], one["metric"], preset)
        else:
            catalogue = one.get("catalogue")
            result = rc.evaluate(one["labels"], one["run"], one["metric"], preset, catalogue=catalogue)
            found = float(result[one["metric"]])
            expected = float(one["value"])
            assert found == pytest.approx(expected, rel=1e-6) or (math.isnan(found) and math.isnan(expected)), given


@pytest.mark.parametrize(
    ("range", "version", "covered"),
    [
        (">=2.2,<2.4", "2.2", True),
        (">=2.2,<2.4", "2.2.0", True),
        (">=2.2,<2.4", "2.3.1", True),
        (">=2.2,<2.4", "2.3rc1", True),
        (">=2.2,<2.4", "2.3.0.post1", True),
        (">=2.2,<2.4", "2.3-union", False),
        (">=2.2,<2.4", "2.4.0", False),
        (">=2.2,<2.4", "2.10", False),
        (">=2.2,<2.10", "2.9.9", True),
        ("<0.19", "0.18", True),
        ("==1.3", "1.3.0", True),
        (">=9,<10", "9", True),
        (">=9,<10", "10.0-rc3", False),
        ("git", "git", True),
        ("git", "1.0", False),
        (">=1", "git", False),
    ],
)
def test_versions_are_compared_by_their_numbers(range: str, version: str, covered: bool) -> None:
    assert covers(era(range), version) is covered


def test_eras_of_a_preset_are_older_than_it_and_do_not_overlap() -> None:
    for name in WITH_ERAS:
        file = rc.preset(name).file
        assert all(rc.preset(f"{name}@{one.version}").name == f"{name}@{one.version}" for one in file.eras)
        numbered = [one for one in file.eras if numbers(one.version) and not one.range.isalpha()]
        ages = [numbers(one.version) for one in numbered]
        assert all(newer > older for newer, older in pairwise(ages)), name
        for one in numbered:
            assert covers(one, one.version)
            assert not any(covers(other, one.version) for other in numbered if other is not one), name
            assert not numbers(file.version) or numbers(one.version) < numbers(file.since or file.version), name


def test_a_version_names_its_era() -> None:
    assert rc.preset("trec_eval@9").name == rc.preset("trec_eval@9.0.7").name == "trec_eval@9.0.8"
    assert rc.preset("trec_eval@9") is rc.preset("trec_eval@9.0.8")
    assert rc.preset("mllib@4.3.0") is rc.preset("mllib")
    assert rc.preset("haystack@3.2") is rc.preset("haystack")
    assert rc.preset("sklearn@1.1+unretrieved").settings["candidates"] == "with-unretrieved"
    assert rc.preset("sklearn@1.1(ties=given)").settings["ties"] == "given"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("haystack@99", "haystack 99 is newer than 3.4.0, which was checked"),
        ("lenskit@0.9", "no era of 'lenskit' covers version 0.9. Eras of lenskit: lenskit (2026.4.0); lenskit@0.14.4"),
        ("lenskit@0.9", "Did you mean 'lenskit@0.13'?"),
        ("blog@1", "no era of 'blog' covers version 1"),
        ("lenskti@0.14", "'lenskti' is not a preset. Did you mean 'lenskit'?"),
        ("lenskit@0.14.4-missing-as-0", "no era of 'lenskit' covers version 0.14.4-missing-as-0"),
        ("lenskit@", "no era of 'lenskit' covers version "),
    ],
)
def test_a_version_that_no_era_covers_is_refused(name: str, said: str) -> None:
    with pytest.raises(rc.ConventionError) as error:
        rc.preset(name)
    assert said in str(error.value)


def test_specs_name_eras() -> None:
    specs = ["lenskit@0.14:ndcg", "lenskit@0.14:ndcg@5", "lenskit@0.14:ndcg@10"]
    found = rc.evaluate({"u": {"a": 2}}, {"u": ["b", "a"]}, ["lenskit@0.14:ndcg", "lenskit@0.14:ndcg@5,10"])
    assert found.specs == specs
    assert rc.metric(specs[1]).text == "lenskit@0.14.4:ndcg@5"
    assert rc.metric(rc.metric(specs[1]).text) == rc.metric(specs[1])


def test_a_signature_names_the_era_and_reads_back() -> None:
    labels, run = {"u": ["a", "b"]}, {"u": ["a", "c"]}
    for preset, stated in (("haystack@2.5", "haystack@2.5.1"), ("haystack", "haystack@3.4.0")):
        signature = rc.evaluate(labels, run, "map", preset)["map"].signature
        assert f"|preset:{stated}|" in signature
        assert rc.metric(signature) == rc.metric("map", preset=preset)


def test_all_presets_are_the_newest_and_eras_are_listed_on_request() -> None:
    assert not any("@" in name for name in rc.list_presets())
    assert "trec_eval@9.0.8" in rc.list_presets(eras=True)
    assert len(WITH_ERAS) >= 12


def test_a_file_of_ones_own_has_eras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = "name: mine\ntitle: Mine\nversion: '2.1'\nsince: '2.0'\nextends: mllib\neras:\n"
    own += "  - {range: '<2', version: '1.4', changes: {metrics: {ndcg: {gain: linear}}}, proof: by hand}\n"
    (tmp_path / "mine.yaml").write_text(own)
    monkeypatch.setenv("RANKCONV_PRESETS", str(tmp_path))
    assert rc.metric("mine@1:ndcg@5").diff(rc.metric("mine@2:ndcg@5")) == {"gain": ("linear", "binary")}
    (tmp_path / "mine.yaml").write_text(own.replace("linear", "linaer"))
    with pytest.raises(rc.ConventionError, match=r"line 7: 'linaer' is not a gain"):
        rc.preset("mine")


def test_identify_finds_an_old_era() -> None:
    labels, run = {"u": ["a", "b"], "v": ["c", "d", "e"]}, {"u": ["x", "a"], "v": ["c"]}
    found = rc.identify(labels, run, {"map": rc.evaluate(labels, run, "map", "haystack@2.30")["map"]})
    assert "haystack@2.30.0" in found.to_text(most=None)


def test_a_proof_that_names_a_file_has_it() -> None:
    root = Path(__file__).parents[2]
    named = [(name, era.proof) for name in WITH_ERAS for era in rc.preset(name).file.eras if "tests/" in era.proof]
    assert len(named) >= 20
    for name, proof in named:
        for file in re.findall(r"tests/[\w/@.-]+\.json", proof):
            assert (root / file).is_file(), f"{name}: {file}"


@pytest.mark.parametrize("name", [name for name in WITH_ERAS if any(e.as_newest for e in rc.preset(name).file.eras)])
def test_a_variant_of_an_earlier_version_differs_from_it_as_the_newest_does(name: str) -> None:
    newest = rc.preset(name)
    for era in (era for era in newest.file.eras if era.as_newest):
        old, parents = rc.preset(f"{name}@{era.version}"), (newest.file.extends, era.extends)
        assert set(old.metrics) == set(newest.metrics) & set(rc.preset(era.extends or "").metrics)
        assert old.file.about == newest.file.about
        for key in old.metrics:
            stated = era.changes.get("metrics", {}).get(key, {})
            spec = f"{key}@5" if all(one.offers(f"{key}@5") for one in (newest, old)) else key
            now, then = (
                rc.metric(f"{variant}:{spec}").diff(rc.metric(f"{parent}:{spec}"))
                for variant, parent in zip((name, old.name), parents, strict=True)
            )
            assert then.items() ^ now.items() <= {one for one in then.items() if one[0] in stated}, spec


def test_an_error_says_why_an_era_lacks_a_metric_and_which_version_has_it() -> None:
    lacking = [(f"{name}@{era.version}", era) for name in WITH_ERAS for era in rc.preset(name).file.eras]
    given = [(name, era.changes["without"]) for name, era in lacking if "without" in era.changes]
    assert len(given) >= 10
    for name, reasons in given:
        for metric, reason in reasons.items():
            if rc.preset(name).offers(metric):  # another metric has its name there
                assert rc.metric(f"{name}:{metric}").spec in reason.split()
                continue
            with pytest.raises(rc.MetricError) as error:
                rc.metric(f"{name}:{metric}")
            assert f"{name} does not offer {metric}: {reason}. It has: " in str(error.value)
            having = re.search(r"([\w.@-]+) has it", str(error.value))
            assert having
            assert rc.preset(having[1]).offers(metric) or rc.preset(having[1]).offers(f"{metric}@5")


def test_the_reason_holds_for_other_names_and_for_variants() -> None:
    for spec in ("recommenders@1.0:r_precision_at_k@3", "recommenders-relevant-rows@1.0:r_precision"):
        with pytest.raises(rc.MetricError, match=r"it came with version 1\.2.* recommenders has it"):
            rc.metric(spec)


@pytest.mark.parametrize("preset", [name for name in rc.list_presets(eras=True) if name.startswith("haystack")])
def test_haystack_refuses_data_without_a_query(preset: str) -> None:
    """A ValueError in 3.4.0, a ZeroDivisionError in 2.1.0: findings of runs."""
    for metric in ("mrr", "recall_single_hit"):
        with pytest.raises(rc.RankconvError):
            rc.evaluate({}, {}, metric, preset)
