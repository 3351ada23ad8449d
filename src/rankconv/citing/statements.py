"""What each setting of a definition says in a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rankconv.aggregation import DATA_POLICIES, JUDGED_POLICIES, POLICIES
from rankconv.citing.formula import WORDS, cutoff_words, filled, holes, in_words, no_such_hole, parameters
from rankconv.presets.definition import Definition, settings_of
from rankconv.specs.convention import CONVENTIONS, Setting


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
        """What fills a hole of a sentence: the setting to this convention, or words of the cutoff."""
        if convention_name in self._settings:
            return self._phrase(self._settings[convention_name])
        if convention_name not in self._cutoff:
            known = [*self.definition.metric.settings, *self._cutoff]
            raise no_such_hole(convention_name, known, self.definition.metric.name)
        return self._cutoff[convention_name]

    def clause(self, convention_name: str, setting: Setting) -> str:
        """A setting as a clause; nothing for one that changes nothing. One that a plugin adds says its rule."""
        setting_type = setting.setting_type
        if setting.parts:
            return ", and then ".join(self.clause(convention_name, part) for part in setting.parts)
        if setting_type.says and not CONVENTIONS[convention_name].phrase:
            return self._filled(setting_type.says, setting)
        if setting_type.no is not None:
            return ""
        return f"{convention_name} is {setting.text} ({setting.setting_type.rule})"

    def clauses(self, conventions: Mapping[str, Setting]) -> dict[str, str]:
        """The clauses for those of the conventions whose answers matter and change something."""
        told = {name: self.clause(name, setting) for name, setting in conventions.items() if name not in self.silent}
        return {name: words for name, words in told.items() if words}

    @cached_property
    def of_metric(self) -> dict[str, str]:
        """What the metric's answers say that do not stand in its sentence."""
        metric = self.definition.metric
        in_sentence = holes(metric.says)
        return self.clauses({name: setting for name, setting in metric.settings.items() if name not in in_sentence})

    @cached_property
    def not_done(self) -> dict[str, str]:
        """What is not done to grades, lists and numbers."""
        told = {
            name: setting
            for name, setting in self._settings.items()
            if setting.setting_type.no and name not in self.silent
        }
        return {name: self._filled(setting.setting_type.no or "", setting) for name, setting in told.items()}

    def matters(self, convention_name: str) -> bool:
        """Whether its setting changes a number, and is not what the formula gives anyway."""
        setting_type = self._settings[convention_name].setting_type
        nothing = setting_type.no is not None or setting_type.traits.get("by_formula")
        return not nothing and convention_name not in self.silent and convention_name not in self._idle

    @cached_property
    def _settings(self) -> dict[str, Setting]:
        return settings_of(self.definition.said, *self.definition.parts[1:])

    def words(self, convention_name: str) -> str:
        """What the setting to a convention says."""
        special = {**self.special_users, **self.special_data}
        if convention_name in special:
            return f"{special[convention_name][0]}: {special[convention_name][1]}"
        setting = self._settings[convention_name]
        if CONVENTIONS[convention_name].phrase:
            return self._phrase(setting)
        return self.clause(convention_name, setting) or self.not_done.get(convention_name) or setting.setting_type.rule

    @cached_property
    def special_users(self) -> dict[str, tuple[str, str]]:
        """By cause who is special, and what becomes of them."""
        settings = self.definition.aggregation.settings
        return {
            policy: (self._with_settings(POLICIES[policy].says or POLICIES[policy].who), self._counts(settings[policy]))
            for policy in self.definition.aggregation.policies
        }

    @cached_property
    def special_data(self) -> dict[str, tuple[str, str]]:
        """By cause what is special of the data as a whole, and what becomes of them."""
        aggregation = self.definition.aggregation
        policies = {name: policy.what for name, policy in DATA_POLICIES.items()}
        policies |= {name: policy.what for name, policy in JUDGED_POLICIES.items()}
        return {
            policy: (policies[policy], self._counts(aggregation.settings[policy]))
            for policy in aggregation.asked(policies)
        }

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
        """Conventions whose answers say nothing of the number."""
        return {name for name in self._idle if not CONVENTIONS[name].shown_idle}

    @cached_property
    def _cutoff(self) -> dict[str, str]:
        return cutoff_words(self.definition)

    def _with_settings(self, words: str) -> str:
        return WORDS.sub(lambda hole: self.in_place(hole[1]), words)

    def _phrase(self, setting: Setting) -> str:
        """A setting as a part of a sentence: one without words as it stands."""
        return self._filled(setting.setting_type.says, setting) or setting.text

    def _filled(self, words: str, setting: Setting) -> str:
        return WORDS.sub(lambda hole: self._hole(hole[1], setting), words)

    def _hole(self, hole: str, own: Setting) -> str:
        name, _, how = hole.partition(":")
        given = parameters(own)
        if name in given:
            return filled(own, name, how, self.definition.k, self._phrase, in_words)
        known = self._cutoff | {
            "subject": CONVENTIONS[own.convention_name].subject if own.convention_name in CONVENTIONS else ""
        }
        if name not in known:
            raise no_such_hole(name, [*given, *known], f"{own.convention_name}={own.text}")
        return known[name]
