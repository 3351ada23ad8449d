"""What kind of user would tell two definitions apart that this data cannot?"""

from collections.abc import Iterable

from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES

KINDS = {
    "grades": "a label with a grade other than 0 and 1",
    "grades-allowed": "a label with a grade other than 0 and 1",
    "negative": "a label with a negative grade",
    "relevant": "a label with a grade at the border of relevance",
    "known": "a label that was not returned, or is not relevant",
    "duplicate-labels": "an item labelled twice",
    "candidates": "a label that was not returned",
    "drop": "an item whose id is the user's",
    "duplicates": "an item that stands in a list twice",
    "order": "a list that does not stand by falling score",
    "score-width": "scores that differ from the eighth digit on",
    "ties": "tied scores",
    "unjudged": "a row without a label",
    "depth": "a list longer than k",
    "regroup": "scores outside 0 to 1",
    "score-gate": "a hit with a score of 0 or below",
    "cutoff-scope": "a list longer than k",
    "gain": "a label with a grade other than 0 and 1",
    "discount": "a hit below the first ranks",
    "ideal": "a relevant label that was not returned, or one with a negative grade",
    "ideal-cut": "more relevant labels than k, or a list shorter than k",
    "lower-bound": "a label with a negative grade",
    "hit-worth": "a hit with a grade other than 1",
    "hit-by": "a label with a negative grade",
    "rr-over": "a list with several hits",
    "users": "a user who has labels and no list, or a list and no labels",
    "rows-needed": "a list of few rows",
    "nobody": "data in which no user counts",
    "mean": "more than one user",
    "round-user": "values with more digits",
    "round-mean": "a mean with more digits",
}
"""By question; what a question about special users needs is said where the situation is defined."""
OF_DIVISORS = "a list shorter than k, or fewer relevant labels than k"


def who_would_tell(questions: Iterable[str]) -> list[str]:
    """What the data would have to hold for these questions to matter.

    >>> who_would_tell(["ties", "no-relevant"])
    ['tied scores', 'a user who has no relevant label']
    """
    return list(dict.fromkeys(_kind(question) for question in questions))


def _kind(question: str) -> str:
    if question in CAUSES:
        return f"a user who {CAUSES[question].who}"
    if question in DATA_CAUSES or question in JUDGED_CAUSES:
        return f"data in which {(DATA_CAUSES.get(question) or JUDGED_CAUSES[question]).what}"
    return (
        OF_DIVISORS if question.endswith("denominator") else KINDS.get(question, f"a user for whom {question} matters")
    )
