"""Signatures read back to the definition, equal ones are of equal numbers, and digests do not depend on form."""

from pathlib import Path
from random import Random

import pytest

import rankconv as rc
from rankconv.engine import measure
from rankconv.metrics import METRICS
from rankconv.presets.definition import with_changes
from rankconv.presets.neutral import neutral_settings
from tests.conventions.test_mattering import drawn, texts
from tests.laws import examples
from tests.laws.test_laws import different

LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}
DEFINITIONS = [
    definition
    for preset in map(rc.preset, rc.list_presets(eras=True))
    for key in preset.metrics
    for k, offered in ((10, preset.takes_cutoff(key)), (None, preset.takes_none(key)))
    if offered
    for definition in preset.define(key if k is None else f"{key}@{k}")[:1]
    if "@" not in key
]


def test_the_parts_of_a_signature() -> None:
    number = rc.evaluate(LABELS, RUN, "mllib:ndcg@10")["mllib:ndcg@10"]
    part, _, circumstances = number.signature.partition("||")
    assert part == number.definition.signature
    assert part == (
        "ndcg@10|gain:binary|discount:log(base=2)|ideal:all-labels|on-no-relevant:0|labels-used:relevant-only"
        "|on-zero-division:0|users:union"
    )
    names = [pair.partition(":")[0] for pair in circumstances.split("|")]
    assert names == ["users", "labels", "grades", "run", "digests", "preset", "rankconv"]
    assert "users:2" in circumstances
    assert "preset:mllib@" in circumstances


def test_a_preset_of_ones_own_and_users_who_count_by_a_policy(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine\ntitle: Mine\nextends: mllib\nversion: '2'\n")
    number = rc.evaluate({"ada": {"a": 1}, "bob": {"b": 0}}, {"ada": ["a"], "bob": ["b"]}, "ndcg@3", file)["ndcg@3"]
    assert float(number) == 0.5
    circumstances = number.signature.partition("||")[2].split("|")
    assert (circumstances[0], circumstances[5]) == ("users:2", "preset:mine@2")


def test_every_definition_of_a_preset_reads_back() -> None:
    assert len(DEFINITIONS) > 1500
    some = DEFINITIONS[:: examples.of(quick=4, ci=1)]
    wrong = [one.text for one in some if rc.metric(one.signature).signature != one.signature]
    assert not wrong
    house = rc.preset("rankconv")
    texts = {one.signature: rc.metric(one.signature).text for one in some}
    assert not [text for sign, text in texts.items() if house.define(text)[0].signature != sign]
    assert max(len(one.signature) for one in DEFINITIONS) < 500


def test_settings_with_the_signs_of_signatures_read_back() -> None:
    for text in ("ndcg(gain=table(1=1, 2=5))@5", "map(ap-denominator=min(k, relevant))@3", "mrr(relevant=at-least(2))"):
        one = rc.metric(text)
        assert rc.metric(one.signature).signature == one.signature, text


def test_each_setting_that_matters_is_told_apart() -> None:
    """Definitions of one metric that differ in one applicable setting have different signatures.

    Unless it asks for the tie rule that is applied in place of an expected value.
    """
    for name in METRICS:  # of policy-order tests/aggregation/test_case_order.py
        base = rc.preset("rankconv").definition(name if name in rc.preset("rankconv").metrics else "ndcg", (), None)
        for convention in base.conventions.keys() - {"policy-order"}:
            for setting in texts(convention)[:: examples.of(quick=3, ci=1)]:
                other = with_changes(base, {convention: setting})
                if other is None:
                    continue
                same = convention in base.idle_rules and convention in other.idle_rules
                same |= other.stated_preparation == base.stated_preparation and convention == "ties"
                if other.settings != base.settings and not same:
                    assert other.signature != base.signature, (base.text, convention, setting)


def test_blanks_and_order_of_the_settings_do_not_matter() -> None:
    one = rc.metric("trec_eval:ndcg@10")
    head, *pairs = one.signature.split("|")
    assert rc.metric(" |\n  ".join([head, *reversed(pairs)]) + " || users:3").signature == one.signature


@pytest.mark.parametrize("seed", range(examples.of(quick=2, ci=10, long=200)))
def test_definitions_that_give_different_numbers_have_different_signatures(seed: int) -> None:
    """One or two conventions of a definition have other settings, whether they are applicable or not."""
    draw, joined = Random(seed), drawn(seed, [-1, 0, 1, 2, 3])
    pairs = list[tuple[rc.Definition, rc.Definition]]()
    for one in draw.choices(different(), k=400):
        names = draw.sample(sorted(one.settings), draw.randint(1, 2))
        names = [draw.choice(sorted(one.idle_rules))] if one.idle_rules and draw.random() < 0.3 else names
        other = with_changes(one, {name: draw.choice(texts(name)) for name in names})
        if other is not None and other.setting_sets != one.setting_sets and not {*one.needs, *other.needs}:
            pairs.append((one, other))
    found = [measure(joined, [pair[side] for pair in pairs], None) for side in (0, 1)]
    same, differing = 0, 0
    for (one, other), ours, theirs in zip(pairs, *found, strict=True):
        if ours.mean == pytest.approx(theirs.mean, rel=1e-12, nan_ok=True):  # ln for log2 rounds otherwise
            same += one.signature == other.signature
        else:
            differing += 1
            assert one.signature != other.signature, (one.text, other.text)
    assert min(same, differing) > 10


def test_bases_of_a_logarithm_are_one_definition_in_a_ratio() -> None:
    two, e = rc.metric("ndcg@5"), rc.metric("ndcg(discount=log(base=e))@5")
    assert two.signature == e.signature
    assert rc.metric("dcg@5").signature != rc.metric("dcg(discount=log(base=e))@5").signature
    assert neutral_settings()["discount"] == "log(base=2)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ndcg@10|gan:linear", "Did you mean 'gain'"),
        ("ndcg@10|gain:linar", "Did you mean 'linear'"),
        ("ndgc@10|gain:linear", "Did you mean 'ndcg'"),
        ("ndcg@10|gain", "convention:setting"),
        ("ndcg@10|gain:custom(square)", "Python function"),
        ("mllib:ndcg@10|gain:linear", "does not begin a signature"),
        ("ndcg@10|gain:linear", "does not state discount, ideal, on-no-relevant"),
        ("ndcg@10|gain:linear|gain:binary", "gain has two settings"),
        ("mrr@10|gain:linear", "reciprocal_rank has no convention 'gain'. Its own: .*rr-hits"),
        (f"{rc.metric('mllib:ndcg@10').signature}|ties:expected", "has no effect: the list is not ordered by score"),
    ],
)
def test_a_wrong_signature_is_refused(text: str, message: str) -> None:
    with pytest.raises(rc.RankconvError, match=message):
        rc.metric(text)


def test_a_function_is_named_and_not_read_back() -> None:
    def square(grade: float) -> float:
        return grade**2

    assert "gain:custom(square)" in rc.metric("ndcg@5").replace(gain=square).signature


def test_digests_are_the_same_in_every_version() -> None:
    """Printed digests are kept in papers: these must never change."""
    digests = rc.evaluate(LABELS, RUN, "mrr").digests
    expected = {"grades": "95a3f5b03175", "labels": "2111281fca53", "run": "0ebf3dbae0eb"}
    assert {name: digest[:12] for name, digest in digests.items()} == expected


@pytest.mark.parametrize("text", ["ndcg@10|gain:square", "ndcg@10|gian:linear", "dccg@10|gain:linear"])
def test_a_word_that_a_plugin_may_add_is_refused_with_the_way_to_load_it(text: str) -> None:
    with pytest.raises(rc.RankconvError, match=r"--plugin FILE, from Python rc\.load_plugin"):
        rc.metric(text)
    with pytest.raises(rc.RankconvError) as known:
        rc.metric("ndcg@10|discount:log(base=-2)")
    assert "load_plugin" not in str(known.value)
