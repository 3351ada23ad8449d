"""The questions of a definition: what can be answered, and what is, for a terminal and a notebook."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rankconv.errors import unknown
from rankconv.escaping import markdown
from rankconv.questions.choice import Choice
from rankconv.read_only import ReadOnlyDict


@dataclass(frozen=True, repr=False)
class Parameter:
    """One question of a definition: which answers are allowed, and which is taken."""

    choice: Choice
    answer: str

    @property
    def question(self) -> str:
        """What is asked."""
        return self.choice.question

    @property
    def rule(self) -> str:
        """What the answer does, in a few words."""
        return self.choice(self.answer).option.rule

    @property
    def allowed(self) -> dict[str, str]:
        """The names of the answers, each with its rule."""
        return {name: option.rule for name, option in self.choice.options.items()}

    @property
    def answers(self) -> dict[str, str]:
        """The allowed answers, the one taken as it was given, which may be a function, each with its rule."""
        taken = self.choice(self.answer).option.name
        told = {self.answer if name == taken else name: rule for name, rule in self.allowed.items()}
        return told | {self.answer: self.rule}

    def __repr__(self) -> str:
        width = max(13, *(len(answer) for answer in self.answers))
        lines = [
            f"{'*' if answer == self.answer else ' '} {answer:<{width}} {rule}" for answer, rule in self.answers.items()
        ]
        return "\n".join([f"{self.choice.name}: {self.question}", *lines])

    def _repr_markdown_(self) -> str:
        rows = [["→" if answer == self.answer else "", answer, rule] for answer, rule in self.answers.items()]
        return f"{markdown(f'{self.choice.name}: {self.question}')}\n\n{_table(['', 'answer', 'rule'], rows)}"


class Parameters(ReadOnlyDict[str, Parameter]):
    """The questions of a definition by name; `gain` and `ideal-cutoff`, or `ideal_cut`."""

    def __missing__(self, name: str) -> Parameter:
        known = str(name).replace("_", "-")
        if known != name and known in self:
            return self[known]
        raise unknown("question of this definition", str(name), list(self))

    def __repr__(self) -> str:
        return "\n".join(f"{name}={one.answer}" for name, one in self.items())

    def _repr_markdown_(self) -> str:
        return _table(["question", "answer", "rule"], [[name, one.answer, one.rule] for name, one in self.items()])

    def markdown(self, told: Sequence[str], own: Collection[str], elsewhere: Mapping[str, str], preset: str) -> str:
        """A definition for a notebook: what is told of it, the metric's own questions, and what its preset answers."""
        rows = [
            [name, one.answer, one.rule, elsewhere.get(name, "")]
            for name, one in self.items()
            if name in own or name in elsewhere
        ]
        table = _table(["question", "answer", "rule", f"{preset} says"], rows)
        return "\n\n".join([*(markdown(one) for one in told if one), table])


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    from rankconv.pages.table import Table

    return Table(headers, rows, labels=len(headers)).markdown()
