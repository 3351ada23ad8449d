"""Words in place of grades and scores, against the same data with numbers."""

from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.basics.errors import InputError, MetricError

LABELS = {"q": {"n1": "vital", "n2": "okay", "n3": "okay"}, "r": {"n1": "okay"}}
RUN = {"q": {"n1": "partial_support", "n2": "support", "n3": "not_support"}, "r": {"n1": "support"}}
GRADES, SCORES = {"vital": 2, "okay": 1}, {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
IN_NUMBERS: tuple[Any, Any] = tuple(
    {user: {item: numbers[word] for item, word in items.items()} for user, items in side.items()}
    for side, numbers in ((LABELS, GRADES), (RUN, SCORES))
)
WORDS = "grade-words=numbers(vital=2, okay=1), score-words=numbers(support=1, partial_support=0.5, not_support=0)"


def spec(settings: str = "credit=score", metric: str = "nugget_recall") -> str:
    return f"{metric}({settings}, {WORDS})"


@pytest.mark.parametrize("settings", ["credit=score", "credit=strict, relevant=at-least(2), on-no-relevant=0"])
def test_words_have_the_value_of_their_numbers(settings: str) -> None:
    asked = f"nugget_recall({settings})"
    ours, numbers = rc.evaluate(LABELS, RUN, spec(settings)), rc.evaluate(*IN_NUMBERS, asked)
    assert [*ours.per_user[spec(settings)]] == [*numbers.per_user[asked]]


def test_other_metrics_take_words_in_the_order_of_the_rows() -> None:
    asked = spec("order=given", "ndcg")
    assert rc.evaluate(LABELS, RUN, asked)[asked] == pytest.approx(
        rc.evaluate(IN_NUMBERS[0], {user: [*items] for user, items in RUN.items()}, "ndcg")["ndcg"]
    )


def test_by_score_words_are_ordered_by_their_numbers() -> None:
    asked = spec("order=score, ties=given", "mrr")
    labels = {"q": {"n2": "vital"}}
    assert rc.evaluate(labels, {"q": RUN["q"]}, asked)[asked] == 1


def test_words_of_the_run_alone_have_numbers() -> None:
    """Beside labels whose grades are numbers."""
    numbers = "nugget_recall(credit=score)"
    words = f"nugget_recall(credit=score, score-words={WORDS.partition('score-words=')[2]})"
    found, expected = rc.evaluate(IN_NUMBERS[0], RUN, words), rc.evaluate(*IN_NUMBERS, numbers)
    assert [*found.per_user[words]] == [*expected.per_user[numbers]]


def test_the_value_does_not_depend_on_the_order_of_rows() -> None:
    turned = [{user: dict([*items.items()][::-1]) for user, items in side.items()} for side in (LABELS, RUN)]
    assert rc.evaluate(*turned, spec())[spec()] == rc.evaluate(LABELS, RUN, spec())[spec()]


@pytest.mark.parametrize(
    ("metric", "wrong"),
    [
        ("ndcg", "the grades 'okay', 'vital' have no number under grade-words=none"),
        ("nugget_recall(grade-words=numbers(vital=2))", "the grade 'okay' has no number under grade-words=numbers"),
        (f"nugget_recall({WORDS.partition(', score')[0]})", "the scores .* have no number under score-words=none"),
    ],
)
def test_words_without_a_number_are_refused(metric: str, wrong: str) -> None:
    with pytest.raises(MetricError, match=wrong):
        rc.evaluate(LABELS, RUN, metric)


def test_a_word_is_refused_with_its_line_and_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "nuggets.csv"
    file.write_text("query,nugget,importance,support\nq,n1,vital,support\nq,n2,vitel,support\n")
    with pytest.raises(MetricError) as caught:
        rc.evaluate(file, file, spec())
    assert f"{file}, line 3: the grade 'vitel' has no number under" in str(caught.value)
    _, _, advice = caught.value.do.partition("such as '")
    assert rc.evaluate(file, file, advice.rpartition("'")[0]), "the definition of the advice takes it"


def test_other_words_may_have_a_number() -> None:
    asked = "nugget_recall(grade-words=numbers(other=0, vital=2), gain=binary)"
    assert rc.evaluate({"q": {"a": "vital", "b": "odd"}}, {"q": ["a"]}, asked)[asked] == 1


def test_several_definitions_read_the_words_each_in_its_way() -> None:
    other = "nugget_recall(grade-words=numbers(vital=1, okay=1), gain=linear)"
    first = "nugget_recall(grade-words=numbers(vital=2, okay=1), gain=linear)"
    run = {"q": ["n1"], "r": []}
    result = rc.evaluate(LABELS, run, [first, other])
    assert (result.per_user[first][0], result.per_user[other][0]) == pytest.approx((2 / 4, 1 / 3))


def test_signatures_tell_words_and_not_the_order_of_rows() -> None:
    def signature(labels: Any) -> str:
        return str(rc.evaluate(labels, RUN, spec()).signatures[spec()])

    turned = {user: dict([*items.items()][::-1]) for user, items in LABELS.items()}
    changed = {**LABELS, "r": {"n1": "vital"}}
    assert signature(LABELS) == signature(turned)
    assert signature(LABELS) != signature(changed)


def test_labels_in_groups_have_no_words() -> None:
    with pytest.raises(InputError, match="grades of labels in groups are words"):
        rc.Labels([("q", "g", "n1", "vital")])


def test_an_explanation_says_which_numbers_words_are() -> None:
    page = str(rc.explain(LABELS, RUN, spec(), user="q"))
    assert "okay is 1, vital is 2" in page
    assert "not_support is 0, partial_support is 0.5, support is 1" in page


def test_a_check_finds_no_order_in_words() -> None:
    found = rc.check(LABELS, RUN, spec())
    assert not {"ties", "ascending-scores", "order-against-scores"} & {one.name for one in found.findings}
