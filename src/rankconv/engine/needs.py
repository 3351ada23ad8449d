"""What definitions need of the data, and what these lack: why a definition scores nobody."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rankconv.aggregation import DATA_POLICIES
from rankconv.aggregation.data_policies import WholeData
from rankconv.conventions.traits import Lack
from rankconv.data.joined import Joined
from rankconv.data.pieces import ARE_SPANS
from rankconv.engine.metric_result import SEVERAL_CALLS, SPANS, Refusal
from rankconv.metrics.base import Metric
from rankconv.preparation.collapse import WITHOUT_GROUPS, why_not_collapsed
from rankconv.preparation.facts import OnData, facts_of, outside_0_to_1
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.searches import as_evaluated, why_refused
from rankconv.preparation.steps.spans import refuses_spans
from rankconv.preparation.word_numbers import unknown_words
from rankconv.presets.definition import Definition, settings_of

NUMBERED_ITEMS = "item ids that are numbers"
"""What is needed where tied rows stand by their items as numbers: of the items of all data, where any rows are tied."""


class Stop(NamedTuple):
    """Why a definition scores nobody: the data lack what it needs, or have a value as a whole."""

    unmet: Refusal | None = None
    """What is lacking."""
    policy: str = ""
    """The situation of the data as a whole for which the preset has a policy, such as `on-one-user`."""

    @classmethod
    def of(cls, joined: Joined, definition: Definition) -> "Stop | None":
        """Why nobody is scored, or None where users are."""
        lacking = unmet(joined, definition)
        policy = "" if lacking else policy_of_all_data(WholeData.of(joined), definition)
        return cls(lacking, policy) if lacking or policy else None


class Unread(NamedTuple):
    """Why a preparation does not read data of their kind: several searches, spans, groups or words."""

    situation: str
    what: str
    do: str = ""

    @classmethod
    def of(cls, joined: Joined, preparation: Preparation) -> "Unread | None":
        """Why these data are not read, or None where they are."""
        settings = preparation.settings
        if what := why_refused(joined, settings):
            return cls(SEVERAL_CALLS, what)
        if refuses_spans(joined, settings):
            return cls(SPANS, "span-unit=refuse, and the items of labels and run are spans of documents")
        if what := why_not_collapsed(joined, settings):
            return cls("needs", what, WITHOUT_GROUPS)
        if what := unknown_words(joined, settings):
            return cls("needs", what)
        return None


def unmet(joined: Joined, definition: Definition) -> Refusal | None:
    """What the definition needs besides labels and lists, and these data do not have; or what of them it refuses."""
    if unread := Unread.of(joined, definition.preparation):
        return Refusal(definition, unread.situation, unread.what, do=unread.do)
    for need in definition.needs:
        missing = lacks(joined, need, definition.preparation)
        if missing:
            return Refusal(definition, "needs", in_words(definition, need, missing))
    found = lack_of(joined, definition.metric, definition)
    return None if found is None else Refusal(definition, "needs", found.what, do=found.do)


def lack_of(joined: Joined, metric: Metric, definition: Definition | None = None) -> Lack | None:
    """Why a setting of the metric gives nothing of these data; one that is idle in the definition needs nothing."""
    for name, setting in metric.settings.items():
        if setting.traits.lacking is None or (definition is not None and name in definition.idle_rules):
            continue
        found = setting.traits.lacking(joined, metric.settings)
        if found is not None:
            return Lack(f"{found.what} ({name}={setting.text})", found.do)
    return None


def in_words(definition: Definition, need: str, missing: str) -> str:
    """Who needs it, and what is wrong with it."""
    return f"{definition.needs[need]} needs {need}, and {missing}"


def spanning(definition: Definition) -> str:
    """The setting that is given the items that any user has a label for, in words; empty where none is.

    One that is given the joined data takes all users at once, and these items are not enough.
    """
    settings = definition.metric.settings.items()
    found = ((name, one) for name, one in settings if "joined" not in one.setting_type.parameters.data)
    return next((f"{name}={one.text}" for name, one in found if one.traits.spans_users), "")


class GradesNeeded:
    """Metrics of collections for which no label is relevant, over data that may come in parts."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        """All of these that a collection's preset defines, as long as there are no labels."""
        self.without = [
            one
            for one in definitions
            if one.owner is not None and one.owner.reports and "relevant" not in one.idle_rules
        ]
        self.highest = 0.0
        """The highest grade of all labels so far."""

    def look(self, joined: Joined) -> None:
        """Keep those for which the highest grade of these labels is not relevant either."""
        for one in [*self.without]:
            here = OnData(settings_of(*one.setting_sets), joined)
            highest = here.joined.labels.grade.max(initial=0.0)
            self.highest = max(self.highest, highest)
            if here.relevant(here.read_as(np.array([highest]))).any():
                self.without.remove(one)


def lacks(joined: Joined, need: str, preparation: Preparation) -> str:
    """What is wrong with something that is needed, in words; empty where nothing is."""
    match need:
        case "scores":
            run = as_evaluated(joined, preparation.settings).rankings
            return "the rankings have none" if run.row_count and not run.has_scores else ""
        case "scores from 0 to 1":
            return outside_0_to_1(as_evaluated(joined, preparation.settings).rankings)
        case _ if need == NUMBERED_ITEMS:
            odd = as_evaluated(joined, preparation.settings).items.not_a_number if tied(joined, preparation) else ""
            return f"'{odd}' is none" if odd else ""
        case _ if need == ARE_SPANS:
            return "" if joined.has_spans else "their items are ids"
        case "labels in groups":
            there = joined.labels.groups is not None or preparation.settings["no-subtopic"].traits.ungrouped
            return "" if there else "these came in none"
        case "weights of groups":
            groups = joined.labels.groups
            return "these came with none" if groups is None or groups.weight is None else ""
        case "the items of the catalogue":
            if joined.extra.catalogue_items is not None:
                return ""
            return "none were given" if joined.extra.catalogue is None else "only their number was given"
    return "" if getattr(joined.extra, need) is not None else "none was given"


def tied(joined: Joined, preparation: Preparation) -> bool:
    """Whether some list has rows that are tied in the scores that this preparation compares."""
    data = as_evaluated(joined, preparation.settings)
    return not facts_of(data).of("falling scores", None, preparation.compared).all()


def has_all_needs(joined: Joined, preparation: Preparation) -> bool:
    """Whether the data have all that the preparation needs, no word that it does not take, and no calls it refuses."""
    return Unread.of(joined, preparation) is None and not any(
        lacks(joined, need, preparation) for need in preparation.needs
    )


def policy_of_all_data(data: WholeData, definition: Definition) -> str:
    """The first situation of the data as a whole for which the preset has a policy; empty where there is none."""
    policies = definition.aggregation.data_policies
    return next((name for name in policies if DATA_POLICIES[name].holds(data)), "")
