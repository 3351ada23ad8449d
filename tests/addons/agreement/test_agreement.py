"""What `rc.agreement` says of two label sets: by hand, against other libraries, and its messages."""

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.addons.agreement.leaderboards import CORRELATION
from tests.addons.agreement.recorded import cases
from tests.cli.support import run as run_command

USERS = [f"u{user}" for user in range(8)]
FIRST = {user: {"a": 2, "b": 1, "c": 0, "d": 0} for user in USERS}
SECOND = {user: {"a": 1, "b": 2, "c": 0, "d": 0} for user in USERS}
RUNS = {name: {user: [*items] for user in USERS} for name, items in {"ab": "abcd", "ba": "bacd", "dc": "dcba"}.items()}


def test_kappa_by_hand() -> None:
    """Of eight pairs six agree; the first set has 4, 4, the second 4, 4: by chance half would agree."""
    first = {"u": dict(zip("abcdefgh", [1, 1, 1, 1, 0, 0, 0, 0], strict=True))}
    second = {"u": dict(zip("abcdefgh", [1, 1, 1, 0, 1, 0, 0, 0], strict=True))}
    found = rc.agreement(first, second, measures=["share", "kappa", "alpha(scale=nominal)"])
    assert (found["share"], found["kappa"]) == (0.75, pytest.approx(0.5))
    assert found["alpha(scale=nominal)"] == pytest.approx(1 - (2 / 8) / (8 * 8 * 2 / (16 * 15)))
    assert found.grades.pairs.counts.tolist() == [[3, 1], [1, 3]]
    assert [(one.grade, one.pairs, one.same, one.mean) for one in found.grades.by_grade] == [
        (0, 4, 0.75, 0.25),
        (1, 4, 0.75, 0.75),
    ]


def test_tau_ap_reads_the_second_leaderboard_from_its_top() -> None:
    """Yilmaz: of the evaluated list, the share above each run that is above it in the truth too."""
    truth, model = np.array([4.0, 3.0, 2.0, 1.0]), np.array([3.0, 4.0, 1.0, 2.0])
    evaluated = [1, 0, 3, 2]  # runs in the order of the model
    correct = [
        sum(truth[other] > truth[run] for other in evaluated[:at]) / at for at, run in enumerate(evaluated) if at
    ]
    assert CORRELATION("tau-ap")(first=truth, second=model) == pytest.approx(2 * sum(correct) / 3 - 1)
    assert CORRELATION("tau-b")(first=truth, second=model) == pytest.approx(1 / 3)


@pytest.mark.parametrize("correlation", [*CORRELATION.names])
def test_equal_runs_correlate_equally_in_whatever_order_they_come(correlation: str) -> None:
    """Four runs, of which each label set makes some equal."""
    truth, model = np.array([3.0, 1.0, 1.0, 2.0, 0.0]), np.array([1.0, 1.0, 2.0, 0.0, 0.0])
    found = {
        round(CORRELATION(correlation)(first=truth[list(order)], second=model[list(order)]), 12)
        for order in itertools.permutations(range(5))
    }
    assert len(found) == 1


def test_swapped_runs_are_significant_under_both() -> None:
    found = rc.agreement(FIRST, SECOND, RUNS, "ndcg@2")
    boards = found.leaderboards
    assert boards is not None
    assert [(one.run, one.ranks) for one in boards.runs] == [("ab", (1, 2)), ("ba", (2, 1)), ("dc", (3, 3))]
    [swapped] = boards.swapped
    assert (swapped.runs, swapped.significant) == (("ab", "ba"), (True, True))
    assert swapped.differences[0] == pytest.approx(-swapped.differences[1])
    assert "1 pair is swapped: significant under first 1, under second 1, under both 1" in found.conclusion
    assert found.conclusion.startswith("By rankconv:ndcg@2 the best run is ab under first, and ba under second.")
    assert boards.correlations["tau-b"] == pytest.approx(1 / 3)


def test_where_less_is_better_the_order_is_turned() -> None:
    boards = rc.agreement(FIRST, SECOND, RUNS, "rankereval:first_relevant_rank").leaderboards
    assert boards is not None
    assert [one.ranks for one in boards.runs if one.run == "dc"] == [(3, 3)]


def test_too_few_users_are_not_tested_and_said() -> None:
    some = {user: FIRST[user] for user in USERS[:3]}
    found = rc.agreement(some, SECOND, RUNS, "ndcg@2")
    assert "significance was not tested" in found.conclusion
    assert "Leaderboards are on the 3 users of both label sets." in found.notes
    assert any("all users have one value under the human labels" in note for note in found.notes)
    assert "Users of one label set alone are left out: 5 of second (pairs=intersection)." in found.notes


def test_users_without_a_value_are_said() -> None:
    nothing = FIRST | {"u0": dict.fromkeys("abcd", 0)}
    more = SECOND | {"other": {"a": 1}}
    notes = rc.agreement(nothing, more, RUNS, "ndcg@2").notes
    assert any("Count them: ndcg(on-no-relevant=0)" in note for note in notes)


def test_means_from_both_label_sets() -> None:
    """Of more users than people label each run has the estimate of `Number.interval`."""
    generator = np.random.default_rng(3)
    model = {
        f"u{user:02}": {f"i{at}": int(grade) for at, grade in enumerate(generator.integers(0, 4, 9))}
        for user in range(50)
    }
    human = {user: {**items, "i0": 0} for user, items in [*model.items()][:20]}
    runs = {name: {user: [f"i{at}" for at in generator.permutation(9)] for user in model} for name in ("x", "y")}
    boards = rc.agreement(human, model, runs, "ndcg@5").leaderboards
    assert boards is not None
    for one in boards.runs:
        first, second = (rc.evaluate(labels, runs[one.run], "ndcg@5")["ndcg@5"] for labels in (human, model))
        assert one.interval == first.interval(second=second)
        assert one.means[0] == pytest.approx(float(first))


def test_a_note_says_where_the_distance_of_grades_matters() -> None:
    first, second = {"u": {"a": 4, "b": 0, "c": 1, "d": 4, "e": 0}}, {"u": {"a": 1, "b": 0, "c": 0, "d": 4, "e": 0}}
    found = rc.agreement(first, second, measures="kappa(weights=linear)")
    place = rc.agreement(first, second, measures=(spec := "kappa(weights=linear, distance=place)"))[spec]
    assert f"kappa(weights=linear) would be {place:.4f} with distance=place" in " ".join(found.notes)


def test_one_grade_is_said() -> None:
    ones = {"u": {"a": 1, "b": 1}}
    found = rc.agreement(ones, ones)
    assert math.isnan(found["kappa"])
    assert math.isnan(found["alpha(scale=ordinal)"])
    assert "Both label sets give one grade to all pairs: kappa and alpha are 0/0." in found.notes
    assert found.to_dict()["measures"][1]["value"] is None
    constant = rc.agreement({"u": {"a": 1, "b": 0}}, ones, names=("human", "model"))
    assert "model gives one grade to all pairs: kappa is 0 whatever the other set says." in constant.notes
    assert constant["kappa"] == 0


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"measures": "kapa"}, "kappa"),
        ({"measures": "kappa(scale=nominal)"}, "weights, distance"),
        ({"measures": "kappa@10"}, r"Write kappa\(weights=none, distance=value\)"),
        ({"pairs": "all"}, "intersection, first, refuse"),
        ({"level": "two"}, "none, a number"),
        ({"interval": "bca"}, r"ppi\(weight=plain\)"),
        ({"correlations": ["tau"], "runs": RUNS}, "tau-b"),
        ({"metric": "ndcg@10"}, "Pass runs"),
        ({"runs": {"ab": RUNS["ab"]}}, "two runs at least"),
        ({"b": {"v": {"a": 1}}}, "no pair of user and item in common"),
        ({"b": {7: {"a": 1}}}, "user ids are text in first and integer in second"),
        ({"b": [("u0", "a", 1), ("u0", "a", 2)]}, "second gives item 'a' of user 'u0' two grades"),
    ],
)
def test_what_is_wrong_is_said(how: dict[str, Any], message: str) -> None:
    with pytest.raises(rc.RankconvError, match=message):
        rc.agreement(**{"a": FIRST, "b": SECOND} | how)


def test_a_refusal_names_the_pair_and_what_to_do() -> None:
    fewer = FIRST | {"u3": {"a": 2}}
    with pytest.raises(rc.InputError) as error:
        rc.agreement(FIRST, fewer, pairs="first", names=("human", "model"))
    assert "model lacks 3 pairs of human, such as user 'u3', item 'b' (pairs=first)" in str(error.value)
    assert "--pairs intersection" in error.value.on_command_line
    assert rc.agreement(FIRST, fewer, pairs="intersection").grades.pairs.alone == (3, 0)
    assert rc.agreement(fewer, FIRST, pairs="first")["share"] == 1


def test_signatures_have_both_digests() -> None:
    one, other = rc.agreement(FIRST, SECOND), rc.agreement(FIRST, FIRST)
    assert one.signatures["kappa"].startswith(
        "kappa|weights:none|distance:value|pairs:intersection|level:none||compared:32|"
    )
    ours, theirs = (found.signatures["kappa"].split("||")[1].split("|") for found in (one, other))
    assert [part for part in ours if part not in theirs] == [part for part in ours if part.startswith("grades-b")]
    shuffled = {user: dict(reversed(items.items())) for user, items in reversed(SECOND.items())}
    assert rc.agreement(FIRST, shuffled).signatures == one.signatures


def test_the_command_has_the_conclusion_first_in_each_form(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, labels in (("human", FIRST), ("model", SECOND), *RUNS.items()):
        (tmp_path / f"{name}.json").write_text(json.dumps(labels))
    words = "agreement human.json model.json ab.json ba.json dc.json -m ndcg@2 --measure kappa"
    said = "By rankconv:ndcg@2 the best run is ab under human, and ba under model."
    assert run_command(words).stdout.replace("\n", " ").startswith(said)
    assert run_command(f"{words} --format markdown").stdout.startswith(said)
    assert json.loads(run_command(f"{words} --format json").stdout)["conclusion"].startswith(said)
    page = run_command(f"{words} --format html").stdout
    assert page.index(said) < page.index("<table")
    [head, row] = run_command(f"{words} --format csv").stdout.splitlines()
    assert head == "measure,definition,value,pairs,signature"
    assert row.startswith('kappa,"kappa(weights=none, distance=value)",0.19999999999999996,32,')


def test_the_page_has_the_recorded_numbers() -> None:
    """Those of its first table, which are recorded of other programs."""
    from tests.readme import DOCS

    page = (DOCS / "explanation/model-labels.md").read_text("utf-8")
    holes, constant, plain = (cases()[name].labels for name in ("holes", "constant", "plain"))
    alpha = [f"alpha(scale={scale})" for scale in ("nominal", "ordinal", "interval")]
    found = rc.agreement(*holes, measures=["kappa", *alpha])
    assert f"kappa {found['kappa']:.3f}, of the {len(found.grades.pairs)} common pairs" in page
    assert f"alpha {found[alpha[0]]:.3f} (nominal) or {found[alpha[2]]:.3f} (interval)" in page
    assert f"lacks {found.grades.pairs.alone[0]} of {sum(map(len, holes[0].values()))} pairs" in page
    found = rc.agreement(*constant, measures=["kappa", *alpha])
    assert found["kappa"] == 0
    assert f"alpha {found[alpha[0]]:.3f} (nominal) or {found[alpha[1]]:.3f} (ordinal)" in page
    for level in (1, 2):
        assert f"from {level} on | kappa {rc.agreement(*plain, level=level)['kappa']:.3f} |" in page
    some = {query: plain[0][query] for query in cases()["plain"].human}
    numbers = [rc.evaluate(labels, cases()["plain"].runs["r0"], "pytrec_eval:ndcg@10") for labels in (some, plain[1])]
    for weight in ("tuned", "plain"):
        how = f"ppi(weight={weight}, spread=population, quantile=normal, limits=as-computed, constant=as-computed)"
        interval = numbers[0]["pytrec_eval:ndcg@10"].interval(how=how, second=numbers[1]["pytrec_eval:ndcg@10"])
        assert f"{weight} | NDCG@10 from {interval.low:.3f} to {interval.high:.3f}" in page
