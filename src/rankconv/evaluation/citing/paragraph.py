"""The paragraph that states a definition, with its sources."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from typing import Any

from rankconv.aggregation import DATA_POLICIES, POLICIES, PREPARED_DATA_POLICIES, USERS
from rankconv.aggregation.means import DESCRIBED as MEAN
from rankconv.basics.errors import ConventionError
from rankconv.conventions.convention import CONVENTIONS, NUMBER, Setting, SettingType
from rankconv.engine.metric_result import POOLED, Measured
from rankconv.engine.saved_result import SavedNumber
from rankconv.evaluation.citing.formula import (
    WORDS,
    cutoff_words,
    filled,
    holes,
    in_words,
    listed,
    no_such_hole,
    parameters,
)
from rankconv.preparation.steps import DESCRIBED as LABELS
from rankconv.presets.definition import Definition, settings_of
from rankconv.presets.folders import bibliography
from rankconv.presets.preset import Preset
from rankconv.presets.preset_file import Citation, record
from rankconv.presets.preset_registry import list_presets, readable
from rankconv.presets.preset_registry import preset as find_preset


def sources(definition: Definition, owner: Preset | None) -> list[Citation]:
    """The sources of the preset, that of the metric, then the papers that its settings come from; each once."""
    metric = type(definition.metric)
    found = [*(owner.sources if owner else []), *sources_of(metric.cite, metric.paper)]
    for setting_type in _cited(definition):
        found += [citation for citation in sources_of(setting_type.cite, setting_type.paper) if citation.authors]
    return list({citation.key: citation for citation in reversed(found)}.values())[::-1]


def preset_of(definition: Definition) -> Preset | None:
    """The preset that a definition was taken from, unchanged; None where it is no longer to be had."""
    if isinstance(definition.owner, Preset):
        return definition.owner.original or definition.owner
    try:
        return find_preset(definition.preset)
    except ConventionError:
        return None


def _cited(definition: Definition) -> Iterator[SettingType]:
    """The settings that name a source, of those that change something."""
    statements = Statements(definition)
    for part in definition.setting_sets:
        for convention_name, setting in part.settings.items():
            if convention_name not in statements.silent:
                yield from (one.setting_type for one in setting.whole if one.setting_type.cite)


def sources_of(key: str, paper: Mapping[str, Any]) -> list[Citation]:
    """What a key means: a paper of the bibliography or a plugin's, a source of a preset, or the sources of a preset."""
    if not key:
        return []
    if key in bibliography():
        return [bibliography()[key]]
    if paper:
        return [record(Citation, {"key": key, **paper})]
    names = list_presets(eras=True, collections=True)
    if key in names:
        cited = find_preset(key).sources
        return [citation for citation in cited if citation.key == key] or cited
    found = (citation for preset in readable(names) for citation in preset.sources)
    return list(islice((citation for citation in found if citation.key == key), 1))


@dataclass(frozen=True, eq=False)
class Statements:
    """The words for the settings of one definition."""

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
        return self._with_settings(metric.says) or metric.formula or metric.about()

    def in_place(self, convention_name: str) -> str:
        """What fills a hole of a sentence: the setting of this convention, or words of the cutoff."""
        if convention_name in self._settings:
            return self._phrase(self._settings[convention_name])
        if convention_name not in self._cutoff:
            known = [*self.definition.metric.settings, *self._cutoff]
            raise no_such_hole(convention_name, known, self.definition.metric.name)
        return self._cutoff[convention_name]

    def clause(self, convention_name: str, setting: Setting) -> str:
        """A setting as a clause; nothing for one that changes nothing. One that a plugin adds says its rule."""
        setting_type = setting.setting_type
        if setting.steps:
            return ", and then ".join(self.clause(convention_name, part) for part in setting.steps)
        if setting_type.says and not CONVENTIONS[convention_name].phrase:
            return self._filled(setting_type.says, setting)
        if setting_type.no is not None:
            return ""
        return f"{convention_name} is {setting.text} ({setting.setting_type.rule})"

    def clauses(self, conventions: Mapping[str, Setting]) -> dict[str, str]:
        """The clauses for those of the conventions whose settings matter and change something."""
        words = {name: self.clause(name, setting) for name, setting in conventions.items() if name not in self.silent}
        return {name: clause for name, clause in words.items() if clause}

    @cached_property
    def of_metric(self) -> dict[str, str]:
        """What the metric's settings say that do not stand in its sentence."""
        metric = self.definition.metric
        in_sentence = set(holes(metric.says))
        phrases = [setting for name, setting in metric.settings.items() if name in in_sentence]
        in_sentence |= {hole for setting in phrases for hole in holes(setting.setting_type.says)}
        return self.clauses({name: setting for name, setting in metric.settings.items() if name not in in_sentence})

    @cached_property
    def not_done(self) -> dict[str, str]:
        """What is not done to grades, lists and numbers."""
        return {
            name: self._filled(setting.setting_type.no, setting)
            for name, setting in self._settings.items()
            if setting.setting_type.no and name not in self.silent
        }

    @cached_property
    def _settings(self) -> dict[str, Setting]:
        return settings_of(self.definition.stated_preparation, *self.definition.setting_sets[1:])

    def words(self, convention_name: str) -> str:
        """What the setting of a convention says."""
        special = {**self.special_users, **self.special_data}
        if convention_name in special:
            return f"{special[convention_name][0]}: {special[convention_name][1]}"
        setting = self._settings[convention_name]
        if CONVENTIONS[convention_name].phrase:
            return self._phrase(setting)
        return self.clause(convention_name, setting) or self.not_done.get(convention_name) or setting.setting_type.rule

    @cached_property
    def special_users(self) -> dict[str, tuple[str, str]]:
        """By policy who is special, and what becomes of them."""
        settings = self.definition.aggregation.settings
        return {
            policy: (self._with_settings(POLICIES[policy].says or POLICIES[policy].who), self._counts(settings[policy]))
            for policy in self.definition.aggregation.policies
            if policy not in self.silent
        }

    @cached_property
    def special_data(self) -> dict[str, tuple[str, str]]:
        """By policy what is special of the data as a whole, and what becomes of them."""
        aggregation = self.definition.aggregation
        what = {
            name: policy.what
            for policies in (DATA_POLICIES, PREPARED_DATA_POLICIES)
            for name, policy in policies.items()
        }
        active = aggregation.active_policies(what)
        return {policy: (what[policy], self._counts(aggregation.settings[policy])) for policy in active}

    def _counts(self, setting: Setting) -> str:
        return (
            self._filled(setting.setting_type.says, setting)
            or f"counts as {setting.text} ({setting.setting_type.rule})"
        )

    @cached_property
    def _idle(self) -> frozenset[str]:
        return frozenset(self.definition.idle_rules)

    @cached_property
    def silent(self) -> set[str]:
        """Conventions whose settings say nothing of the number."""
        return {name for name in self._idle if not CONVENTIONS[name].shown_idle}

    @cached_property
    def _cutoff(self) -> dict[str, str]:
        return cutoff_words(self.definition)

    def _with_settings(self, words: str) -> str:
        return WORDS.sub(lambda hole: self.in_place(hole[1]), words)

    def _phrase(self, setting: Setting) -> str:
        """A setting as a part of a sentence: without words of its own its rule, where that is one, or as it is."""
        setting_type = setting.setting_type
        if setting_type.says or setting_type.no is not None:
            return self._filled(setting_type.says, setting)
        phrase = setting.convention_name in CONVENTIONS and CONVENTIONS[setting.convention_name].phrase
        return setting_type.rule if phrase and setting_type.name != NUMBER else setting.text

    def _filled(self, words: str, setting: Setting) -> str:
        return WORDS.sub(lambda hole: self._hole(hole[1], setting), words)

    def _hole(self, hole: str, own: Setting) -> str:
        name, _, how = hole.partition(":")
        given = parameters(own)
        if name in given:
            return filled(own, name, how, self.definition.k, self._phrase, in_words)
        if name in self._settings:
            return self._phrase(self._settings[name])
        known = self._cutoff | {
            "subject": CONVENTIONS[own.convention_name].subject if own.convention_name in CONVENTIONS else ""
        }
        if name not in known:
            raise no_such_hole(name, [*given, *known], f"{own.convention_name}={own.text}")
        return known[name]


def paragraph(definition: Definition) -> str:
    """What is relevant, how the list is prepared, the formula, what special users count as, the mean."""
    statements = Statements(definition)
    preparation, aggregation = definition.stated_preparation.settings, definition.aggregation.settings
    of_labels = {one.name: preparation[one.name] for one in LABELS}
    of_lists = {name: setting for name, setting in preparation.items() if name not in of_labels}
    of_means = statements.clauses({one.name: aggregation[one.name] for one in MEAN})
    sentences = [
        _sentence(statements.clauses(of_labels).values()),
        _sentence(statements.clauses(of_lists).values()),
        _of_metric(statements),
        _sentence([*statements.clauses({USERS.name: aggregation[USERS.name]}).values(), *_special_users(statements)]),
        _sentence(f"if {what}, {then}" for what, then in statements.special_data.values()),
        _sentence([*_of_one_list(definition), *of_means.values()]),
        _not_done(statements),
    ]
    return " ".join(filter(None, sentences))


def _sentence(clauses: Iterable[str]) -> str:
    joined = "; ".join(clauses)
    return f"{joined[0].upper()}{joined[1:]}." if joined else ""


def _of_metric(statements: Statements) -> str:
    definition = statements.definition
    whose = "of that list" if definition.preparation.pools else "of a user"
    if definition.metric.of_all_lists:
        whose = "of the lists of all users counted"
    where = f", where {'; '.join(statements.of_metric.values())}" if statements.of_metric else ""
    return f"The {statements.name} {whose} is {statements.sentence}{where}."


def _of_one_list(definition: Definition) -> list[str]:
    if definition.metric.of_all_lists:
        return ["the reported number is this value, and no user has a value"]
    return ["the reported number is the value of that one list"] if definition.preparation.pools else []


def _special_users(statements: Statements) -> list[str]:
    """Policies that follow each other and count the same are described together."""
    special = statements.special_users
    same = groupby(special.values(), key=lambda pair: pair[1])
    groups = [f"a user who {listed([who for who, _ in pairs], 'or')} {then}" for then, pairs in same]
    if len(groups) > 1:
        groups[0] = f"of the following cases the first that applies decides: {groups[0]}"
    untreated = (policy.otherwise for name, policy in POLICIES.items() if name not in special)
    return [*groups, *filter(None, untreated)]


def _not_done(statements: Statements) -> str:
    things = list(dict.fromkeys(statements.not_done.values()))
    more = "no other policy applies to a user or to the data as a whole"
    return f"There is no {listed(things, 'or')}, and {more}." if things else f"{more.capitalize()}."


SCORED, OUTSIDE = "scored", "outside"


def counted(definition: Definition, number: Measured | SavedNumber) -> str:
    """The number, over how many users it is, and what became of the others."""
    if number.refusals:
        return f"There is no number for these data: {number.refusals[0].why}."
    mean = "NaN" if math.isnan(number.mean) else f"{number.mean:.6g}"
    states = sorted(number.counts, key=lambda state: (state == OUTSIDE, state not in (SCORED, POOLED)))
    became = [_became(Statements(definition), state, number.counts[state]) for state in states]
    users = sum(number.counts.values())
    return f"The number is {mean}; of {users} {'user' if users == 1 else 'users'}, {listed(became, 'and')}."


def _became(statements: Statements, state: str, count: int) -> str:
    many = f"{count} {'was' if count == 1 else 'were'}"
    if state in (SCORED, POOLED):
        return f"{many} scored" if state == SCORED else f"{many} counted"
    if state == OUTSIDE:
        return f"{many} not evaluated"
    policy, _, setting = state.partition(": ")
    became = statements.definition.aggregation.settings[policy].traits.became.format(value=setting)
    why = statements.special_users[policy][0].removeprefix("has ")
    return f"{many} {became} ({why})"
