"""Every answer that there is has its words, and no words are left of answers that are gone."""

import pytest

import rankconv as rc
from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES
from rankconv.citing import latex_words, metric_words, user_words
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
