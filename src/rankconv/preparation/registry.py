"""The conventions of preparation and their steps; each step is registered with its convention.

Nothing about labels, order, ties, duplicates or depth is decided anywhere else.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rankconv.errors import ConventionError
from rankconv.ordered import Ordered
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Convention, Registry, Setting

PREPARATION = Ordered[Convention]("convention of preparation")
"""Every convention about lists and labels, in the order in which they are listed."""
AT_ONCE = "at once"
BLOCK = ("block",)
"""What the settings of most steps read."""

Take = Callable[[WorkingBlock, Mapping[str, Setting]], None]
"""What a step does to the rows of a block, given all settings of the preparation."""


class Place(NamedTuple):
    """Where in the order of preparation a convention is answered."""

    convention: Convention
    moment: str
    """A step of its own for the settings whose trait `when` says so; the others are carried out `at once`."""
    take: Take | None
    """What is done there whatever the setting says; None where the setting does it, with the block."""


STEPS = Ordered[Place]("step of preparation")
"""All steps, by the name of their convention, followed by the moment where that is not at once; in their order."""


def judged_by(*conventions: Convention, after: str = "") -> None:
    """Make these conventions of preparation, in this order, at the end or after the one called `after`."""
    for convention in conventions:
        PREPARATION.put(convention.name, convention, after)
        after = after and convention.name
    Registry.changed()


def step_after(after: str, convention: Convention, moment: str = AT_ONCE, take: Take | None = None) -> None:
    """Apply a convention directly after the step called `after`; '' makes it the first step."""
    STEPS.put(
        convention.name if moment == AT_ONCE else f"{convention.name} {moment}", Place(convention, moment, take), after
    )


def check_moment(setting: Setting) -> None:
    """A ConventionError where a plugin's setting names no step of its convention, and would never be carried out."""
    convention = PREPARATION[setting.convention_name]
    if setting.setting_type.function.__module__ == convention.module:
        return
    moments = [place.moment for place in STEPS.values() if place.convention is convention and place.take is None]
    if moments and setting.trait("when", AT_ONCE) not in moments:
        raise ConventionError(
            f"{convention.name}={setting.text} is carried out at no step of preparation",
            allowed=f"The steps of {convention.name} are: {', '.join(moments)}",
            do=f'Say in its @option which one: when="{moments[0]}".',
        )


def plain_where(setting: Setting) -> list[str]:
    """The facts about a user under which a setting looks at grades of labels alone and leaves the list as it is."""
    neutral = setting.text == PREPARATION[setting.convention_name].neutral
    return ["always"] if neutral else str(setting.trait("plain", "never")).split(", ")


def preparation_step(convention: Convention, *, after: str, moment: str = AT_ONCE) -> None:
    """Register a convention of preparation: what is done to labels and rankings before any metric reads them.

    The functions of its settings read the `block`, a `plugin.WorkingBlock`, and change `block.labels` and `block.rows`.
    Its settings are registered first. From the step `labels-used` on, each row says whether it is relevant, and has its
    grade. A convention has a step for each `moment` that its settings name in their trait `when`. A setting that
    depends on the grades of labels alone may have `plain="always"`: many lists are then prepared at a time.

    Parameters
    ----------
    convention : Convention
        With a neutral setting, which is not carried out and which all presets have that do not name the convention.
    after : str
        The step that this one follows; an unknown name is an error that lists them.
    moment : str, default "at once"
        The moment of this step, where a convention has several.

    Raises
    ------
    ConventionError
        If there is no neutral setting, or `after` is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> ADVERTS = plugin.Convention("adverts", "Adverts in lists", reads=("block",), neutral="kept")
    >>> @ADVERTS.setting("kept", rule="they stay", no="removal of adverts")
    ... def _(block): ...
    >>> @ADVERTS.setting("removed", rule="taken out of the list", says="adverts are taken out of the list")
    ... def _(block):
    ...     block.rows.take(np.array([not str(item).startswith("ad-") for item in block.item_ids], bool))
    >>> plugin.preparation_step(ADVERTS, after="exclude")
    >>> dict(rc.evaluate({"u": ["a"]}, {"u": ["ad-1", "a"]}, ["mrr", "mrr(adverts=removed)"]))
    {'mrr': 0.5, 'mrr(adverts=removed)': 1.0}
    """
    if convention.neutral is None:
        do = 'Write plugin.Convention(…, neutral="kept"), the setting that changes nothing.'
        raise ConventionError(f"the convention '{convention.name}' has no neutral setting", do=do)
    convention.validate(convention.neutral)
    STEPS.check_known(after)
    judged_by(convention)
    step_after(after, convention, moment)
