"""The conventions of preparation and their steps; each step is registered with its convention.

Nothing about labels, order, ties, duplicates or depth is decided anywhere else.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, get_args

from rankconv.basics.errors import ConventionError
from rankconv.basics.registries import Ordered
from rankconv.conventions.convention import Convention, Registry, Setting
from rankconv.conventions.data_parts import is_own
from rankconv.conventions.traits import AT_ONCE, Fact
from rankconv.preparation.working_rows import WorkingBlock

PREPARATION = Ordered[Convention]("convention of preparation")
"""Every convention about lists and labels, in the order in which they are listed."""
BLOCK = ("block",)
"""What the settings of most steps read."""

Take = Callable[[WorkingBlock, Mapping[str, Setting]], None]
"""What a step does to the rows of a block, given the settings that it reads."""


class StepPlace(NamedTuple):
    """Where in the order of preparation a convention is applied."""

    convention: Convention
    moment: str = AT_ONCE
    """A step of its own for the settings whose trait `moment` says so; the others are carried out `at once`."""
    take: Take | None = None
    """What is done there whatever the setting says; None where the setting does it, with the block."""
    reads: tuple[Convention, ...] = ()
    """The conventions whose settings it is then given."""

    @property
    def name(self) -> str:
        """The name of the convention, followed by the moment where that is not at once."""
        return self.convention.name if self.moment == AT_ONCE else f"{self.convention.name} {self.moment}"


STEPS = Ordered[StepPlace]("step of preparation")
"""All steps by name, in their order."""


def prepared_by(*conventions: Convention, after: str = "") -> None:
    """Make these conventions of preparation, in this order, at the end or after the one called `after`."""
    for convention in conventions:
        PREPARATION.put(convention.name, convention, after)
        after = convention.name
    Registry.changed()


def steps_in_order(*places: StepPlace, after: str = "") -> None:
    """Apply conventions one after the other, directly after the step called `after`; after '' they are the first."""
    for place in places:
        STEPS.put(place.name, place, after)
        after = place.name


def check_moment(setting: Setting) -> None:
    """A ConventionError where a plugin's setting names no step of its convention, and would never be carried out."""
    convention = PREPARATION[setting.convention_name]
    if setting.setting_type.function.__module__ == convention.module:
        return
    moments = [place.moment for place in STEPS.values() if place.convention is convention and place.take is None]
    if moments and setting.traits.moment not in moments:
        raise ConventionError(
            f"{convention.name}={setting.text} is carried out at no step of preparation",
            allowed=f"The steps of {convention.name} are: {', '.join(moments)}",
            do=f'State which one in its decorator: moment="{moments[0]}".',
        )


def may_refuse(setting: Setting) -> bool:
    """Whether a setting may refuse users: it says so, or it is one of a plugin that changes blocks and does not say."""
    stated, convention = setting.traits.may_refuse, PREPARATION.get(setting.convention_name)
    if stated is not None or convention is None:
        return bool(stated)
    own = is_own(setting.setting_type.function.__module__)
    return not (own or setting.changes_nothing or setting.text == convention.neutral)


def plain_where(setting: Setting) -> list[Fact]:
    """The facts about a user under which a setting looks at grades of labels alone and leaves the list as it is."""
    if setting.text == PREPARATION[setting.convention_name].neutral:
        return ["always"]
    named = {*setting.traits.plain.split(", ")}
    facts: list[Fact] = [fact for fact in get_args(Fact) if fact in named]
    if len(facts) < len(named):
        allowed = f"A setting may say plain= of: {', '.join(get_args(Fact))}"
        raise ConventionError(
            f"{setting.convention_name}={setting.text} says plain={setting.traits.plain!r}", allowed=allowed
        )
    return facts


def preparation_step(convention: Convention, *, after: str, moment: str = AT_ONCE) -> None:
    """Register a convention of preparation: what is done to labels and rankings before any metric reads them.

    The functions of its settings read the `block`, a `plugin.WorkingBlock`, and change `block.labels` and `block.rows`.
    Its settings are registered first. From the step `labels-used` on, each row says whether it is relevant, and has its
    grade. A convention has a step for each `moment` that its settings name in their trait `moment`. A setting that
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
    prepared_by(convention)
    steps_in_order(StepPlace(convention, moment), after=after)
