"""Policies joined by "and": users with both, in whatever order and form they are first named."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankconv as rc
from rankconv.aggregation import POLICIES
from rankconv.aggregation.special_case import AND
from rankconv.conventions.convention import CONVENTIONS, Registry

LABELS = {"hit": {"a": 1}, "none": {"b": 0}, "miss": {"c": 1}, "both": {"d": 0}}
RUN = {"hit": ["a"], "none": ["x"], "miss": ["z"], "both": []}
JOINED = "on-empty-ranking-and-on-no-relevant"
SINGLE = ["on-empty-ranking", "on-short-ranking", "on-no-labels", "on-no-relevant", "on-no-hits", "on-zero-division"]


@pytest.fixture(autouse=True)
def unregistered() -> Iterator[None]:
    """Each test leaves the joined policies that were there before."""
    before = joined()
    yield
    forget(before)


def joined() -> set[str]:
    """The joined policies that are registered."""
    return {one for one in POLICIES if AND in one}


def forget(but: set[str]) -> None:
    """Take the other joined policies out of the registry; presets that were read keep theirs."""
    for name in joined() - but:
        del POLICIES[name], CONVENTIONS[name]
    Registry.changed()


def values(spec: str) -> list[float]:
    return [float(value) for value in rc.evaluate(LABELS, RUN, spec, per_user=True)[spec].per_user]


def test_only_users_of_both_are_concerned() -> None:
    assert values("recall(on-no-relevant=0)") == [1, 0, 0, 0]
    assert values(f"recall(on-no-relevant=0, {JOINED}=0.5)") == [1, 0, 0, 0.5]
    assert values(f"recall({JOINED}=0.5, on-no-relevant=0.25)") == [1, 0.25, 0, 0.5]


def test_it_decides_before_either_of_them() -> None:
    assert values(f"recall(on-no-relevant=0.1, on-empty-ranking=0.2, {JOINED}=0.5)") == [1, 0.1, 0, 0.5]


def test_it_is_a_convention_in_a_preset(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "name: mine\nextends: mllib\ntitle: Mine\nmetrics: {recall: {}}\n"
        f"aggregation: {{on-no-relevant: 0, {JOINED}: 1}}\n"
    )
    assert rc.evaluate(LABELS, RUN, "recall@1", str(file))["recall@1"] == 0.5


def test_it_is_a_convention_of_one_metric_in_a_preset(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "name: mine\nextends: mllib\ntitle: Mine\naggregation: {on-no-relevant: 0}\n"
        f"metrics: {{recall: {{{JOINED}: 1}}, precision: {{}}}}\n"
    )
    assert dict(rc.evaluate(LABELS, RUN, "recall@1, precision@1", str(file))) == {"recall@1": 0.5, "precision@1": 0.25}


def test_another_order_in_a_preset_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "name: mine\nextends: mllib\ntitle: Mine\nmetrics:\n  recall: {on-no-relevant-and-on-empty-ranking: 1}\n"
    )
    with pytest.raises(rc.ConventionError, match=rf"line 5: .* not in their order\. Write {JOINED}"):
        rc.preset(str(file))


def test_it_is_a_keyword() -> None:
    keyword = {JOINED.replace("-", "_"): 0.5}
    assert rc.metric("recall").replace(**keyword).text == f"rankconv:recall({JOINED}=0.5)"


def test_another_order_is_refused() -> None:
    with pytest.raises(rc.ConventionError, match=rf"not in their order\. Write {JOINED}\."):
        rc.metric("recall(on-no-relevant-and-on-empty-ranking=1)")


@pytest.mark.parametrize(
    "name", ["on-invalid-and-on-no-relevant", "on-no-relevant-and-on-nothing", "on-no-relevant-and-"]
)
def test_others_are_not_conventions(name: str) -> None:
    with pytest.raises(rc.ConventionError, match="has no convention"):
        rc.metric(f"recall({name}=1)")


def test_it_goes_to_another_process() -> None:
    definition = rc.metric(f"recall({JOINED}=0.5)")
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).text)"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(definition), capture_output=True, check=True)
    assert done.stdout.decode().strip() == definition.text


def test_it_is_saved_with_a_result_that_another_process_reads(tmp_path: Path) -> None:
    rc.evaluate(LABELS, RUN, f"recall({JOINED}=0.5)").save(tmp_path / "saved.json")
    code = "import sys, rankconv as rc; print(rc.Result.load(sys.argv[1]).methods().to_text())"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "saved.json")], capture_output=True, check=True)
    assert "has no relevant label counts as 0.5" in " ".join(done.stdout.decode().split())


def test_it_is_shown() -> None:
    pytest.importorskip("typer")
    done = subprocess.run([sys.executable, "-m", "rankconv", "show", JOINED], capture_output=True, check=True)
    assert done.stdout.decode().startswith(f"{JOINED}: Value of a user who has an empty list")


def test_a_paper_says_both() -> None:
    text = rc.cite(f"recall({JOINED}=1)").to_text()
    assert "has no relevant label counts as 1" in " ".join(text.split())


def test_identify_knows_it() -> None:
    found = rc.identify(LABELS, RUN, f"recall(on-no-relevant=0, {JOINED}=0.7)@1", "0.425")
    assert found.rows
    assert all(JOINED in row.spec for row in found.rows)


@given(st.permutations(list(combinations(SINGLE, 2))))
def test_the_order_is_the_same_whichever_is_met_first(pairs: list[tuple[str, str]]) -> None:
    names = [AND.join(sorted(pair, key=list(POLICIES).index)) for pair in pairs]
    forget(joined() - {*names})
    CONVENTIONS.make(*names)
    order = [one for one in POLICIES if AND in one]
    single = [one for one in POLICIES if AND not in one]
    assert {*names} <= {*order}
    pairs_of = [one for one in order if one in names]
    assert pairs_of == sorted(names, key=lambda one: [*map(single.index, one.split(AND))])
    for one in order:
        assert list(POLICIES).index(one) < min(list(POLICIES).index(part) for part in one.split(AND))


@given(
    st.dictionaries(st.sampled_from("uvwx"), st.dictionaries(st.sampled_from("abc"), st.integers(0, 1)), min_size=1),
    st.dictionaries(st.sampled_from("uvwx"), st.lists(st.sampled_from("abc"), unique=True)),
    st.sampled_from(list(combinations(SINGLE, 2))),
)
def test_it_concerns_who_both_concern(
    labels: dict[str, dict[str, int]], run: dict[str, list[str]], pair: tuple[str, str]
) -> None:
    """Where a policy counts 7, and the other one too, a user has 7 under each; under both only who had it twice."""
    first, second = pair
    formula = ", ".join(f"{name}=as-computed" for name in SINGLE)
    each = [f"recall({formula.replace(f'{name}=as-computed', f'{name}=7')})@2" for name in pair]
    joined = f"recall({formula}, {first}{AND}{second}=7)@2"
    users = dict.fromkeys([*labels, *run])
    run = {user: run.get(user, []) for user in users}
    found = rc.evaluate({user: labels.get(user, {}) for user in users}, run, [*each, joined], per_user=True)
    concerned = [found[spec].per_user == 7 for spec in (*each, joined)]
    assert (concerned[2] == (concerned[0] & concerned[1])).all()
