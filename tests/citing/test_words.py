"""Every answer that there is has its words, and no words are left of answers that are gone."""

import pytest

import rankconv as rc
from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES
from rankconv.citing import latex_words, metric_words, user_words
from rankconv.citing.paragraph import paragraph
from rankconv.citing.statements import CLAUSES, IN_PLACE, NOT_DONE, is_divisor
from rankconv.metrics import METRICS
from rankconv.separation import OF_OFFERING

OURS = "rankconv."


def said(question: str) -> set[str]:
    if question in CAUSES:
        return {"formula", *user_words.COUNTS_AS}
    if question in DATA_CAUSES or question in JUDGED_CAUSES:
        return {"formula", *user_words.DATA_COUNTS_AS}
    if is_divisor(question):
        return {"min", *metric_words.DIVISORS}
    return {name for table in (CLAUSES, NOT_DONE, IN_PLACE) for name in table.get(question, {})}


@pytest.mark.parametrize("question", [name for name in rc.choices if name != OF_OFFERING])
def test_every_answer_has_words(question: str) -> None:
    choice = rc.choices[question]
    ours = {name for name, option in choice.options.items() if option.function.__module__.startswith(OURS)}
    assert ours <= said(question), ours - said(question)
    if not (question in {**CAUSES, **DATA_CAUSES, **JUDGED_CAUSES} or is_divisor(question)):
        assert said(question) <= set(choice.options)


def test_no_question_is_gone() -> None:
    assert {*CLAUSES, *NOT_DONE, *IN_PLACE} <= set(rc.choices)


def test_every_metric_has_a_sentence_and_a_formula() -> None:
    ours = {name for name, metric in METRICS.items() if metric.__module__.startswith(OURS)}
    assert ours == set(metric_words.METRICS)
    assert ours == {name for name in latex_words.METRICS if "(" not in name}
    for variant in set(latex_words.METRICS) - ours:
        name, _, answer = variant.removesuffix(")").partition("(")
        question, _, option = answer.partition("=")
        assert question in METRICS[name].questions()
        assert option in rc.choices[question].options


def test_every_source_that_an_answer_names_is_known() -> None:
    from rankconv.citing.sources import citations

    for choice in rc.choices.values():
        for option in choice.options.values():
            if option.cite and option.function.__module__.startswith(OURS):
                assert citations(option.cite)


@pytest.mark.parametrize(
    ("question", "answer", "words"),
    [
        (
            "candidates",
            "with-missed(lowest=-1)",
            "of the labels, and scores are shifted so that the last one is -1",
        ),
        ("grades-allowed", "integer", "grades that are not whole numbers are not allowed"),
        ("grades-allowed", "integer(4)", "grades that are not whole numbers or are above 4 are not allowed"),
        ("discount", "log(base=3, shift=2)", "is divided by log3(j + 2)"),
        ("discount", "log(base=e)", "is divided by ln(j + 1)."),
        ("discount", "log-from-base(base=2)", "the gain at a rank j above 2 is divided by log2(j)"),
        ("gain", "table(1=1, 2=5.5)", "grades gain 1 for grade 1 and 5.5 for grade 2, and any other grade itself"),
        ("relevant", "at-least(2.5)", "if its grade is at least 2.5"),
        ("depth", "50", "only the first 50 rows of a list are read"),
        ("mean", "median(lower)", "the median over the users counted (of two middle values, lower)"),
        ("round-mean", "numpy(4)", "the mean is rounded to 4 decimals, half to even"),
        ("one-user", "0.5", "If there is only one user, every user and the mean count as 0.5."),
    ],
)
def test_parameters_are_said(question: str, answer: str, words: str) -> None:
    (definition,) = rc.preset("rankconv").define(f"dcg({question}={answer})@10")
    assert words in paragraph(definition)


@pytest.mark.parametrize(
    ("divisor", "words"),
    [
        ("min(k, length, relevant)", "the least of 10, the length of the list and the number of relevant labels"),
        ("hits(epsilon=0.001)", "the number of relevant items found plus 0.001"),
        ("labels-above(2)", "the number of labels with a grade above 2"),
    ],
)
def test_divisors_are_said(divisor: str, words: str) -> None:
    (definition,) = rc.preset("rankconv").define(f"map(ap-denominator={divisor})@10")
    assert f"in the first 10 ranks, divided by {words}." in paragraph(definition)
