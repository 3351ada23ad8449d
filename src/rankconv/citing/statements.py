"""What each answer of a definition says in a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES
from rankconv.citing.filling import WORDS, cutoff_words, filled, holes, in_words, no_such_hole, parameters
from rankconv.presets.definition import Definition, answers_of
from rankconv.questions.choice import QUESTIONS, Answer


@dataclass(frozen=True, eq=False)
class Statements:
    """The words for the answers of one definition."""

    definition: Definition

    @cached_property
    def name(self) -> str:
        """The metric as a paper calls it."""
        metric = self.definition.metric
        return metric.called or metric.name.replace("_", " ")

    @cached_property
    def sentence(self) -> str:
        """What the metric is of one user."""
        metric = self.definition.metric
        return self._with_answers(metric.says) or metric.formula or metric.about()

    def in_place(self, question: str) -> str:
        """What fills a hole of a sentence: the answer to this question, or words of the cutoff."""
        if question in self._answers:
            return self._phrase(self._answers[question])
        if question not in self._cutoff:
            known = [*self.definition.metric.answers, *self._cutoff]
            raise no_such_hole(question, known, self.definition.metric.name)
        return self._cutoff[question]

    def clause(self, question: str, answer: Answer) -> str:
        """An answer as a clause; nothing for one that changes nothing. One that a plugin adds says its rule."""
        option = answer.option
        if answer.parts:
            return ", and then ".join(self.clause(question, part) for part in answer.parts)
        if option.says and not QUESTIONS[question].phrase:
            return self._filled(option.says, answer)
        if option.no is not None:
            return ""
        return f"{question} is {answer.text} ({answer.option.rule})"

    def clauses(self, questions: Mapping[str, Answer]) -> dict[str, str]:
        """The clauses for those of the questions whose answers matter and change something."""
        told = {name: self.clause(name, answer) for name, answer in questions.items() if name not in self.silent}
        return {name: words for name, words in told.items() if words}

    @cached_property
    def of_metric(self) -> dict[str, str]:
        """What the metric's answers say that do not stand in its sentence."""
        metric = self.definition.metric
        in_sentence = holes(metric.says)
        return self.clauses({name: answer for name, answer in metric.answers.items() if name not in in_sentence})

    @cached_property
    def not_done(self) -> dict[str, str]:
        """What is not done to grades, lists and numbers."""
        told = {name: answer for name, answer in self._answers.items() if answer.option.no and name not in self.silent}
        return {name: self._filled(answer.option.no or "", answer) for name, answer in told.items()}

    def matters(self, question: str) -> bool:
        """Whether its answer changes a number, and is not what the formula gives anyway."""
        option = self._answers[question].option
        nothing = option.no is not None or option.traits.get("by_formula")
        return not nothing and question not in self.silent and question not in self._idle

    @cached_property
    def _answers(self) -> dict[str, Answer]:
        return answers_of(self.definition.said, *self.definition.parts[1:])

    def words(self, question: str) -> str:
        """What the answer to a question says."""
        special = {**self.special_users, **self.special_data}
        if question in special:
            return f"{special[question][0]}: {special[question][1]}"
        answer = self._answers[question]
        if QUESTIONS[question].phrase:
            return self._phrase(answer)
        return self.clause(question, answer) or self.not_done.get(question) or answer.option.rule

    @cached_property
    def special_users(self) -> dict[str, tuple[str, str]]:
        """By cause who is special, and what becomes of them."""
        answers = self.definition.averaging.answers
        return {
            cause: (self._with_answers(CAUSES[cause].says or CAUSES[cause].who), self._counts(answers[cause]))
            for cause in self.definition.averaging.causes
        }

    @cached_property
    def special_data(self) -> dict[str, tuple[str, str]]:
        """By cause what is special of the data as a whole, and what becomes of them."""
        averaging = self.definition.averaging
        causes = {name: cause.what for name, cause in DATA_CAUSES.items()}
        causes |= {name: cause.what for name, cause in JUDGED_CAUSES.items()}
        return {cause: (causes[cause], self._counts(averaging.answers[cause])) for cause in averaging.asked(causes)}

    def _counts(self, answer: Answer) -> str:
        return self._filled(answer.option.says, answer) or f"counts as {answer.text} ({answer.option.rule})"

    @cached_property
    def _idle(self) -> frozenset[str]:
        return frozenset(self.definition.idle_rules)

    @cached_property
    def silent(self) -> set[str]:
        """Questions whose answers say nothing of the number."""
        return {name for name in self._idle if not QUESTIONS[name].shown_idle}

    @cached_property
    def _cutoff(self) -> dict[str, str]:
        return cutoff_words(self.definition)

    def _with_answers(self, words: str) -> str:
        return WORDS.sub(lambda hole: self.in_place(hole[1]), words)

    def _phrase(self, answer: Answer) -> str:
        """An answer as a part of a sentence: one without words as it stands."""
        return self._filled(answer.option.says, answer) or answer.text

    def _filled(self, words: str, answer: Answer) -> str:
        return WORDS.sub(lambda hole: self._hole(hole[1], answer), words)

    def _hole(self, hole: str, own: Answer) -> str:
        name, _, how = hole.partition(":")
        given = parameters(own)
        if name in given:
            return filled(own, name, how, self.definition.k, self._phrase, in_words)
        known = self._cutoff | {"subject": QUESTIONS[own.question].subject if own.question in QUESTIONS else ""}
        if name not in known:
            raise no_such_hole(name, [*given, *known], f"{own.question}={own.text}")
        return known[name]
