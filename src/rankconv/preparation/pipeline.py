"""Preparation: which list is evaluated, and what in it is relevant. Its steps are taken in the order of `STEPS`.

Importing the files of its conventions registers them, in the order in which they are listed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.data_parts import is_own
from rankconv.conventions.setting_set import OpenSettings, until_registered
from rankconv.conventions.traits import Fact
from rankconv.data.joined import Joined
from rankconv.preparation.facts import Compared
from rankconv.preparation.step_registry import PREPARATION, STEPS, Take, check_moment, plain_where
from rankconv.preparation.steps import OF_GROUPS
from rankconv.preparation.steps.labels import LABELS_USED, NEGATIVE, RELEVANT
from rankconv.preparation.steps.lists import DUPLICATE_LABELS, DUPLICATES
from rankconv.preparation.steps.ranking import TIES
from rankconv.preparation.steps.spans import SPAN_MATCH
from rankconv.preparation.ties import TieEffect, TieTraits, reads_order
from rankconv.preparation.working_rows import WorkingBlock, working_blocks

EACH_LABEL_ALONE = {one.name for one in (SPAN_MATCH, DUPLICATE_LABELS, NEGATIVE, DUPLICATES, RELEVANT)}
"""Conventions whose steps before `labels-used` do to the labels of one item what they do whatever other items have."""


class Preparation(OpenSettings):
    """The settings of every convention about the list and its labels."""

    @classmethod
    def conventions(cls) -> Mapping[str, Convention]:
        """The conventions of preparation by name, in the order in which they are listed."""
        return PREPARATION

    @until_registered
    def reads_cutoff(self) -> bool:
        """Whether the prepared list itself depends on the metric's cutoff."""
        return any(setting.traits.reads_cutoff for setting in self.settings.values())

    @cached_property
    def compared(self) -> Compared:
        """Which scores are compared, and what was done to them before."""
        return Compared.of(self.settings)

    @property
    def filled_to(self) -> int:
        """The rank to which lists are filled up whatever the cutoff; 0 where they are not."""
        filling = (part for part in self.settings["candidates"].each if part.traits.fills)
        return max((int(part.keywords["rows"]) for part in filling if "rows" in part.keywords), default=0)

    @property
    def cut(self) -> bool:
        """Whether lists are cut at the metric's k before anything is counted in them."""
        return self.settings["max-depth"].traits.reads_cutoff

    @property
    def keeps_ties(self) -> bool:
        """Whether what is read down to rank k includes the rows tied with the k-th."""
        return self.settings["max-depth"].traits.keeps_ties

    @until_registered
    def needs(self) -> dict[str, str]:
        """What the caller must give besides labels and lists: its name, and the setting that asks for it."""
        parts = [(convention_name, part) for convention_name, setting in self.settings.items() for part in setting.each]
        found = [(part.traits.needs, f"{convention_name}={part.text}") for convention_name, part in parts]
        return {need: text for needs, text in found for need in needs}

    @until_registered
    def plain_facts(self) -> frozenset[Fact]:
        """The facts about a user under which every step leaves the list as it is."""
        return frozenset(fact for setting in self.settings.values() for fact in plain_where(setting))

    @cached_property
    def of_groups(self) -> tuple[str, ...]:
        """What it says of labels in groups."""
        return tuple(self.given(convention.name) for convention in OF_GROUPS)

    @until_registered
    def steps(self) -> "tuple[PreparationStep, ...]":
        """The steps by which it changes something, in their order; who can be a hit is decided after them."""
        steps: list[PreparationStep] = []
        for step in _steps(self.settings):
            across = step.setting.traits.spans_users
            steps.append(step._replace(take=_across_users(step, tuple(steps))) if across else step)
        return tuple(steps)

    @until_registered
    def uses_relevant_labels_alone(self) -> bool:
        """Whether labels that are not relevant are dropped before a step reads them together."""
        before = takewhile(lambda step: step.convention_name != LABELS_USED.name, self.steps)
        each_alone = all(step.convention_name in EACH_LABEL_ALONE and step.is_own for step in before)
        of_highest = "highest" in self.settings[RELEVANT.name].reads
        return self.settings[LABELS_USED.name].traits.relevant_only and each_alone and not of_highest

    @until_registered
    def is_carried_out(self) -> bool:
        """Whether each setting is carried out at some step: a ConventionError where one never would be.

        Or where one says that it is plain under a fact that there is none of.
        """
        for setting in self.settings.values():
            for part in setting.each:
                check_moment(part)
                plain_where(part)
        return True

    @property
    def separates_subtopics(self) -> bool:
        """Whether a metric is taken of each group of labels alone."""
        return self.settings["subtopics"].traits.separate

    @property
    def pools(self) -> bool:
        """Whether the lists of all users are put together."""
        return self.settings["scope"].traits.pools

    @property
    def by_score(self) -> bool:
        """Whether scores decide the order, and ties are looked for."""
        return self.settings["order"].traits.by_score

    @property
    def tie_rule(self) -> TieEffect:
        """What the tie rule decides: the order of tied rows, that they count by expected values, or a shared rank."""
        effect = TieTraits.of(self.settings["ties"]).effect
        return TieEffect.ORDER if effect is TieEffect.EXPECTED and not self.by_score else effect

    @property
    def exchangeable(self) -> bool:
        """Whether what it makes of a row is the same in every order of the tied rows, but where an item is repeated."""
        return not (self.pools or self.cuts_ties)

    @until_registered
    def cuts_ties(self) -> bool:
        """Whether what it makes of a list may depend on the order of its tied rows, before lists are put together."""
        settings = (setting for setting in self.settings.values() if not setting.traits.pools)
        return any(reads_order(part) for setting in settings for part in setting.each)


class Expectation(Enum):
    """What gives a metric's expected value over all orders of tied rows, by the setting of `ties` that is applied."""

    CLOSED_FORM = "expected"
    """`per_user`, of a block whose tied rows have their expected values."""
    ANY_ORDER = "given"
    """Any order, as all of them give one value."""
    RELEVANT_LAST = "relevant-last-then-item"
    """Nothing: the worst order replaces it, and ids decide between rows of one grade."""
    BY_ITEM = "item-ascending"
    """Nothing, and no row is better than another: ids decide."""

    @property
    def known(self) -> bool:
        """Whether the expected value is known, and nothing replaces it."""
        return self in (Expectation.CLOSED_FORM, Expectation.ANY_ORDER)

    @property
    def rule(self) -> str:
        """What is done, in words."""
        if self is Expectation.ANY_ORDER:
            return "any order, as all of them give one value"
        return "in closed form" if self.known else f"{TIES(self.value).setting_type.rule}, as there is no closed form"

    def applied_to(self, preparation: Preparation) -> Preparation:
        """The preparation with what gives expected values, where it asks for these."""
        return preparation.replace({"ties": self.value}) if preparation.tie_rule is TieEffect.EXPECTED else preparation


class PreparationStep(NamedTuple):
    """One step of preparation: the convention that it sets, and what it does to the rows of a block."""

    convention_name: str
    setting: Setting
    take: Callable[[WorkingBlock], None]
    reads: tuple[str, ...]
    """The settings that decide what it does, as text."""

    @property
    def is_own(self) -> bool:
        """Whether its setting is of rankconv, and not of a plugin."""
        return is_own(self.setting.setting_type.function.__module__)


def _steps(settings: Mapping[str, Setting]) -> Iterator[PreparationStep]:
    for place in STEPS.values():
        setting = settings[place.convention.name]
        if place.take is not None:
            read = {one.name: settings[one.name] for one in place.reads}
            texts = tuple(one.text for one in read.values())
            yield PreparationStep(place.convention.name, setting, _with_settings(place.take, read), texts)
            continue
        for part in setting.each:
            nothing = part.changes_nothing or part.text == place.convention.neutral
            if part.traits.moment == place.moment and not nothing:
                yield PreparationStep(place.convention.name, part, _carried_out(part), (place.moment, part.text))


@dataclass(frozen=True)
class MostRelevant:
    """The greatest number of relevant labels of any user, after these steps of preparation."""

    steps: tuple[PreparationStep, ...]

    def __call__(self, joined: Joined) -> int:
        """That number in these data."""
        most = 0
        for block in working_blocks(joined, np.arange(len(joined.users))):
            for step in self.steps:
                step.take(block)
            assert block.known is not None
            most = max(most, int(np.bincount(block.known.user[block.known.relevant]).max(initial=0)))
        return most


def _across_users(step: PreparationStep, before: tuple[PreparationStep, ...]) -> Callable[[WorkingBlock], None]:
    """The step, given what the steps before it make of all users."""
    of_all = MostRelevant(before)

    def take(block: WorkingBlock) -> None:
        block.most_relevant = block.joined.once(of_all)
        step.take(block)

    return take


def _with_settings(take: Take, settings: Mapping[str, Setting]) -> Callable[[WorkingBlock], None]:
    return lambda block: take(block, settings)


def _carried_out(setting: Setting) -> Callable[[WorkingBlock], None]:
    return lambda block: setting(block=block)
