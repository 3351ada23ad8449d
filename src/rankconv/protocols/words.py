"""What an answer of a protocol says in a paper's sentence."""

from rankconv.citing.filling import IF_GIVEN, WORDS, no_such_hole, parameters, said, was_given
from rankconv.questions.option import Answer


def words(answer: Answer) -> str:
    """What an answer says, with its parameters; its rule where it says nothing."""
    given = parameters(answer)

    def fill(name: str, how: str) -> str:
        if name not in given:
            raise no_such_hole(name, given, f"{answer.question}={answer.text}")
        if how.startswith(IF_GIVEN):
            return how[1:] + said(given[name]) if was_given(answer, name) else ""
        return said(given[name])

    return WORDS.sub(lambda hole: fill(*hole[1].partition(":")[::2]), answer.option.says or answer.option.rule)
