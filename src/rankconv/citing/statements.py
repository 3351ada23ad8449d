"""What each answer of a definition says in a sentence; the one place that knows where the words stand."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES
from rankconv.choice import Answer
from rankconv.citing import list_words, metric_words, user_words
from rankconv.citing.filling import cutoff_words, filled, holes, listed
from rankconv.citing.list_words import Words
from rankconv.definition import Definition
from rankconv.metrics.divisors import DIVISOR
from rankconv.separation import OF_OFFERING

CLAUSES: Words = {
    **list_words.LABELS,
    **list_words.LISTS,
    **metric_words.PARTS,
    **user_words.USERS,
    **user_words.MEANS,
}
"""Answers that are a clause of their own."""
IN_PLACE: Words = {**metric_words.IN_PLACE, **user_words.IN_PLACE}
"""Answers that stand inside a sentence."""
NOT_DONE: Words = {**list_words.NOT_DONE, **metric_words.NOT_DONE}
"""Answers that change nothing."""
ALSO_DIVISORS = ("r-precision-at",)
"""A question of ranks that takes the same answers as those of divisors."""


def is_divisor(question: str) -> bool:
    """Whether a question asks by what something is divided."""
    return question in ALSO_DIVISORS or (question.endswith("-denominator") and question != "bpref-denominator")


@dataclass(frozen=True, eq=False)
class Statements:
    """The words for the answers of one definition."""

    definition: Definition

    @cached_property
    def name(self) -> str:
        """The metric as a paper calls it."""
        metric = self.definition.metric
        return metric_words.METRICS.get(metric.name, (metric.name.replace("_", " "), ""))[0]

    @cached_property
    def sentence(self) -> str:
        """What the metric is of one user."""
        metric = self.definition.metric
        if metric.name not in metric_words.METRICS:
            return metric.formula or metric.about()
        words = metric_words.METRICS[metric.name][1]
        return words.format_map(self._cutoff | {question: self.in_place(question) for question in holes(words)})

    def in_place(self, question: str) -> str:
        """An answer that stands inside the sentence; nothing where the hole is none of a question."""
        answer = self._answers.get(question)
        if answer is None:
            return self._cutoff[question]
        if is_divisor(question):
            return self._divisor(answer)
        words = IN_PLACE.get(question, {}).get(answer.option.name)
        return answer.text if words is None else self._filled(words, answer)

    def clause(self, question: str, answer: Answer) -> str:
        """An answer as a clause; nothing for one that changes nothing. One that a plugin adds says its rule."""
        words = CLAUSES.get(question, {}).get(answer.option.name)
        if words is not None:
            return self._filled(words, answer)
        if answer.option.name in NOT_DONE.get(question, {}):
            return ""
        return f"{question} is {answer.text} ({answer.option.rule})"

    def clauses(self, questions: Mapping[str, Answer]) -> dict[str, str]:
        """The clauses for those of the questions whose answers matter and change something."""
        told = {name: self.clause(name, answer) for name, answer in questions.items() if name not in self.silent}
        return {name: words for name, words in told.items() if words}

    @cached_property
    def of_metric(self) -> dict[str, str]:
        """What the metric's answers say that do not stand in its sentence."""
        words = metric_words.METRICS.get(self.definition.metric.name, ("", ""))[1]
        asked = self.definition.metric.answers
        return self.clauses({name: answer for name, answer in asked.items() if name not in holes(words)})

    @cached_property
    def not_done(self) -> dict[str, str]:
        """What is not done to grades, lists and numbers."""
        told = {name: NOT_DONE.get(name, {}).get(answer.option.name) for name, answer in self._answers.items()}
        return {name: words for name, words in told.items() if words and name not in self.silent}

    def matters(self, question: str) -> bool:
        """Whether its answer changes a number, and is not what the formula gives anyway."""
        answer = self._answers[question]
        nothing = answer.text == "formula" or answer.option.name in NOT_DONE.get(question, {})
        return not nothing and question not in self.silent and question not in self.definition.idle()

    @cached_property
    def _answers(self) -> dict[str, Answer]:
        return {name: answer for part in self.definition.parts for name, answer in part.answers.items()}

    def words(self, question: str) -> str:
        """What the answer to a question says."""
        special = {**self.special_users, **self.special_data}
        if question in special:
            return f"{special[question][0]}: {special[question][1]}"
        answer = self._answers[question]
        if is_divisor(question) or question in IN_PLACE:
            return self.in_place(question)
        return self.clause(question, answer) or self.not_done.get(question) or answer.option.rule

    @cached_property
    def special_users(self) -> dict[str, tuple[str, str]]:
        """By cause who is special, and what becomes of him."""
        answers = self.definition.averaging.answers
        return {
            cause: (self._who(cause), self._counts(user_words.COUNTS_AS, answers[cause]))
            for cause in self.definition.averaging.asked(CAUSES)
        }

    @cached_property
    def special_data(self) -> dict[str, tuple[str, str]]:
        """By cause what is special of the data as a whole, and what becomes of them."""
        averaging = self.definition.averaging
        causes = {name: cause.what for name, cause in DATA_CAUSES.items()}
        causes |= {name: cause.what for name, cause in JUDGED_CAUSES.items()}
        return {
            cause: (what, self._counts(user_words.DATA_COUNTS_AS, averaging.answers[cause]))
            for cause, what in causes.items()
            if averaging.given(cause) != "formula"
        }

    def _who(self, cause: str) -> str:
        words = user_words.WHO.get(cause, CAUSES[cause].who)
        return words.format_map({question: self.in_place(question) for question in holes(words)})

    def _counts(self, table: Mapping[str, str], answer: Answer) -> str:
        otherwise = f"counts as {answer.text} ({answer.option.rule})"
        return table.get(answer.option.name, otherwise).format_map({"value": answer.text})

    @cached_property
    def silent(self) -> set[str]:
        """Questions whose answers say nothing of the number."""
        not_weighted = {"weight"} if self.definition.answers["mean"] != "weighted" else set()
        of_one_list = {"mean", "round-user"} if self.definition.judging.pools else set()
        no_cutoff = {"cutoff-scope"} if self.definition.k is None else set()
        return {OF_OFFERING, *self.definition.idle(), *not_weighted, *of_one_list, *no_cutoff} - {"discount"}

    @cached_property
    def _cutoff(self) -> dict[str, str]:
        return cutoff_words(self.definition)

    def _divisor(self, answer: Answer) -> str:
        if answer.option.name != "min":
            words = metric_words.DIVISORS.get(answer.option.name, answer.text)
            epsilon = answer.keywords.get("epsilon")
            return self._filled(words, answer) + (f" plus {epsilon:g}" if epsilon else "")
        finite = [part for part in answer.arguments if part != "k" or self.definition.k is not None]
        parts = [self._divisor(DIVISOR(part)) for part in finite or answer.arguments]
        if len(parts) == 1:
            return parts[0]
        return f"the {'lesser' if len(parts) == 2 else 'least'} of {listed(parts, 'and')}"

    def _filled(self, words: str, answer: Answer) -> str:
        return filled(words, answer, self._cutoff)
