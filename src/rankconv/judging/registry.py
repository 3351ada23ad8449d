"""The questions of judging, and the steps that carry their answers out; each is registered where its question stands.

Nothing about labels, order, ties, duplicates or depth is decided anywhere else.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rankconv.errors import ConventionError
from rankconv.judging.rows import WorkingBlock
from rankconv.ordered import Ordered
from rankconv.questions.choice import Answer, Choice, Registry

JUDGING = Ordered[Choice]("question of judging")
"""Every question about lists and labels, in the order in which they are told."""
AT_ONCE = "at once"
BLOCK = ("block",)
"""What the answers of most steps read."""

Take = Callable[[WorkingBlock, Mapping[str, Answer]], None]
"""What a step does to the rows of a block, told all answers of the judging."""


class Place(NamedTuple):
    """Where in the order of judging a question is answered."""

    choice: Choice
    moment: str
    """A step of its own for the answers whose trait `when` says so; the others are carried out `at once`."""
    take: Take | None
    """What is done there whatever the answer says; None where the answer does it, with the block."""


STEPS = Ordered[Place]("step of judging")
"""All steps, by the name of their question, followed by the moment where that is not at once; in their order."""


def judged_by(*choices: Choice, after: str = "") -> None:
    """Make these questions of judging, told in this order, at the end or behind the one called `after`."""
    for choice in choices:
        JUDGING.put(choice.name, choice, after)
        after = after and choice.name
    Registry.changed()


def step_after(after: str, choice: Choice, moment: str = AT_ONCE, take: Take | None = None) -> None:
    """Have a question answered directly behind the step called `after`; '' makes it the first step."""
    STEPS.put(choice.name if moment == AT_ONCE else f"{choice.name} {moment}", Place(choice, moment, take), after)


def check_moment(answer: Answer) -> None:
    """A ConventionError where a plugin's answer names no step of its question, and would never be carried out."""
    choice = JUDGING[answer.question]
    if answer.option.function.__module__ == choice.module:
        return
    moments = [place.moment for place in STEPS.values() if place.choice is choice and place.take is None]
    if moments and answer.trait("when", AT_ONCE) not in moments:
        raise ConventionError(
            f"{choice.name}={answer.text} is carried out at no step of judging",
            allowed=f"The steps of {choice.name} are: {', '.join(moments)}",
            do=f'Say in its @option which one: when="{moments[0]}".',
        )


def plain_where(answer: Answer) -> list[str]:
    """The facts about a user under which an answer looks at grades of labels alone and leaves the list as it is."""
    neutral = answer.text == JUDGING[answer.question].neutral
    return ["always"] if neutral else str(answer.trait("plain", "never")).split(", ")


def preparation_step(choice: Choice, *, after: str, moment: str = AT_ONCE) -> None:
    """Add a question to judging: what is done to labels and lists before any metric reads them.

    The functions of its answers read the `block`, a `plugin.WorkingBlock`, and change `block.labels` and `block.rows`.
    The question needs a neutral answer: all presets give it that do not ask the question, and it is not carried out, so
    that no number changes. Its answers are registered first. The step comes directly behind the one named `after`; by
    name and in order they are duplicate-labels, grades, negative, candidates, drop, duplicates before-order, relevant,
    known, grades-allowed, score-dtype, order, depth, duplicates after-depth, regroup. From `labels-used` on each row
    says
    whether it is relevant, and has its grade; before it none does.

    A question has a step for each `moment` that its answers name in their trait `when`. An answer that goes by the
    grades of labels alone may say `plain="always"`: lists are then judged many at a time.

    Raises ConventionError without a neutral answer, and for a step to stand behind that nobody knows.

    >>> import numpy as np
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> ADVERTS = plugin.Choice("adverts", "What becomes of adverts?", reads=("block",), neutral="kept")
    >>> @ADVERTS.option("kept", rule="they stay", no="removal of adverts")
    ... def _(block): ...
    >>> @ADVERTS.option("removed", rule="taken out of the list", says="adverts are taken out of the list")
    ... def _(block):
    ...     block.rows.take(np.array([not str(item).startswith("ad-") for item in block.item_ids], bool))
    >>> plugin.preparation_step(ADVERTS, after="exclude")
    >>> dict(rc.evaluate({"u": ["a"]}, {"u": ["ad-1", "a"]}, ["mrr", "mrr(adverts=removed)"]))
    {'mrr': 0.5, 'mrr(adverts=removed)': 1.0}
    """
    if choice.neutral is None:
        do = 'Write plugin.Choice(…, neutral="kept"), the answer that changes nothing.'
        raise ConventionError(f"the question '{choice.name}' has no neutral answer", do=do)
    choice.validate(choice.neutral)
    STEPS.check_known(after)
    judged_by(choice)
    step_after(after, choice, moment)
