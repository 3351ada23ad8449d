"""A preset: a named, cited set of definitions, with what it inherits already filled in."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankconv.aggregation import Aggregation
from rankconv.basics import plugins
from rankconv.basics.errors import ConventionError, MetricError, RankconvError, likely, not_among
from rankconv.basics.guessed_names import NOT_OF_RANKINGS
from rankconv.basics.registries import ReadOnlyDict
from rankconv.conventions.convention import CONVENTIONS, NUMBER, Registry
from rankconv.conventions.setting_set import SettingSet, filled
from rankconv.conventions.setting_table import IDLE
from rankconv.conventions.spec import Spec, SpecLike, checked_cutoff, each_spec, number_text, preset_and_rest, read_spec
from rankconv.metrics.base import METRICS, Metric, strategy_of
from rankconv.metrics.divisors import K_ACCEPTED
from rankconv.metrics.metric_names import words_of
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition, inapplicable
from rankconv.presets.entries import (
    Options,
    called,
    changed,
    check_conventions,
    checked,
    convention_of,
    merged,
    squeezed,
)
from rankconv.presets.folders import BASE, VERSION, completed, newest, presets_calling, shipped, split
from rankconv.presets.native_names.grammar import NativeName, grammar_named
from rankconv.presets.preset_file import ENTRY_KEYS, Check, Citation, MetricEntry, PresetFile, system_named
from rankconv.rendering.pages.display import PagedResult

if TYPE_CHECKING:
    from rankconv.rendering.pages.page import Page

MOST_KEPT = 1000
"""So many definitions are kept of a preset, for who asks for them again."""
SECTIONS: dict[str, type[SettingSet]] = {"preparation": Preparation, "aggregation": Aggregation}


class TwoReadingsError(MetricError):
    """A name can be read in two ways; the message has both."""


@dataclass(frozen=True, eq=False, repr=False)
class Preset(PagedResult):
    """A named, cited set of settings, and the metrics that it offers.

    `define(metrics)` gives its definitions, `replace(…)` another preset with other settings.

    Examples
    --------
    >>> import rankconv as rc
    >>> strict = rc.preset("trec_eval").replace(ties="expected")
    >>> strict.name
    'trec_eval (modified)'
    """

    name: str
    file: PresetFile
    source: str
    """Where the file is."""
    text: str = field(repr=False)
    """The file itself."""
    settings: dict[str, str]
    """What it says for all its metrics, in the one spelling of each setting."""
    entries: dict[str, MetricEntry]
    """What it says for single metrics; these settings win."""
    parent: "Preset | None" = None
    """The preset that it extends."""
    original: "Preset | None" = None
    """The preset that it was made from by `replace`."""
    added_settings: dict[str, str] = field(default_factory=dict, repr=False)
    """What `replace` was given for all metrics, which wins also over the settings that belong to a metric itself."""
    _defined: dict[tuple[str, Options, int | None, int], Definition] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in ("settings", "entries", "added_settings"):
            object.__setattr__(self, name, ReadOnlyDict(getattr(self, name)))

    @property
    def title(self) -> str:
        """What it is, in one line."""
        return self.file.title

    @property
    def version(self) -> str:
        """The version of the system that it describes; empty where its file states none."""
        return self.file.version

    @property
    def system(self) -> str:
        """The library, contest or paper that it describes; variants share it."""
        above = self.parent.system if self.parent is not None and self.parent.parent is not None else ""
        return system_named(self.file.system, above, self.title)

    @property
    def user_word(self) -> str:
        """What the system calls a user: topic, query."""
        return self.file.user_word or (self.parent.user_word if self.parent else "user")

    @property
    def alternatives(self) -> dict[str, list[str]]:
        """By policy under which it refuses data, presets that take such data."""
        return {**(self.parent.alternatives if self.parent else {}), **self.file.alternatives}

    @property
    def sources(self) -> list[Citation]:
        """Its sources, or those of the preset that it extends where it states none."""
        above = self.parent.sources if self.parent is not None else []
        return [completed(citation) for citation in self.file.cite] or above

    @property
    def checks(self) -> list[Check]:
        """The checks of its file that are its own: with a modifier those marked by it, else the unmarked ones."""
        modifier = split(self.file.name)[1] or None
        return [check for check in self.file.checks if check.with_ == modifier]

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics that it offers."""
        names = list(self.entries)
        if self.has_every_metric:
            covered = {self._strategy_name(name) for name in [*names, *self.excluded]}
            names += [name for name in METRICS if name not in covered]
        return names

    @property
    def has_every_metric(self) -> bool:
        """Whether metrics without an entry are offered too."""
        stated = self.file.every_metric
        return bool(self.parent and self.parent.has_every_metric) if stated is None else stated

    @property
    def excluded(self) -> set[str]:
        """The metrics that it, or a preset that it extends, names under `without`."""
        above = self.parent.excluded if self.parent else set()
        return above.union(self.file.without)

    def _page(self) -> "Page":
        """What it is, its sources, and its settings where they differ from the neutral ones."""
        from rankconv.presets.preset_page import preset_page

        return preset_page(self)

    def replace(self, name: str = "", metrics: dict[str, dict[str, Any]] | None = None, **settings: Any) -> "Preset":
        """A changed copy: settings for everything, or for single metrics; without a real change, itself.

        A setting given here replaces the preset's own everywhere, also inside the entries of single metrics.
        The copy is called "… (modified)" unless `name` says otherwise.
        """
        is_mapping = isinstance(metrics, Mapping) and all(isinstance(key, str) for key in metrics)
        if not isinstance(name, str) or not (metrics is None or is_mapping):
            do = "Write replace(name='mine', metrics={'ndcg': {'gain': 'binary'}}, ties='reversed')."
            raise ConventionError(f"{metrics if isinstance(name, str) else name!r:.100} changes no preset", do=do)
        added_settings = {
            convention_of(key).name: convention_of(key).validate(value) for key, value in settings.items()
        }
        entries = {key: changed(entry, added_settings) for key, entry in self.entries.items()}
        for key, more in (metrics or {}).items():
            entries[key] = checked(key, merged(entries.get(key), more))
        if (
            self.settings | added_settings == self.settings
            and entries == self.entries
            and not self._unlike(added_settings)
        ):
            return self
        original = self.original or self
        title = name or f"{original.name} (modified)"
        settings, added_settings = self.settings | added_settings, self.added_settings | added_settings
        made = replace(
            self,
            name=title,
            settings=settings,
            entries=entries,
            original=original,
            added_settings=added_settings,
            _defined={},
        )
        made._check_acting(metrics or {})
        return made

    def _check_acting(self, metrics: Mapping[str, Mapping[str, Any]]) -> None:
        """A ConventionError for a change that has no effect: in none of all metrics, or in its own.

        `metrics` are the changes of single metrics.
        """
        for key, more in metrics.items():
            for one in self._forms(key):
                one.acting(convention_of(name).name for name in more if name.replace("_", "-") not in ENTRY_KEYS)
        for convention_name in self.added_settings:
            if not any(rule.by_setting for rule in IDLE.get(convention_name, {}).values()):
                continue
            asking = [one for key in self.metrics for one in self._forms(key) if convention_name in one.settings]
            rules = [one.idle_rules.get(convention_name) for one in asking]
            if asking and rules[0] is not None and all(rule is not None and rule.by_setting for rule in rules):
                raise inapplicable(convention_name, asking[0], rules[0])

    def _forms(self, key: str) -> list[Definition]:
        """One metric at a cutoff and over the whole list, as far as it has these forms and allows its settings."""
        found = []
        for k, offered in ((10, self.takes_cutoff(key)), (None, self.takes_none(key))):
            with suppress(RankconvError):
                found += [self._defined_with(key, self.settings_of(key, k), k)] if offered else []
        return found

    def _unlike(self, added_settings: dict[str, str]) -> bool:
        """Whether some metric brings another setting of its own."""
        given = [(self.strategy(key).own_settings(), self.settings_of(key)) for key in self.metrics]
        return any(q in own and settings[q] != a for own, settings in given for q, a in added_settings.items())

    @property
    def reports(self) -> list[str]:
        """The metrics that its test collection or contest reports; none for a system.

        >>> import rankconv as rc
        >>> rc.preset("trec-dl-2019-passage").reports
        ['ndcg@10', 'mrr', 'map']
        """
        return self.file.reports or (self.parent.reports if self.parent else [])

    @property
    def nicknames(self) -> dict[str, list[str]]:
        """What the system calls several of its metrics together, and these metrics."""
        return {**(self.parent.nicknames if self.parent else {}), **self.file.nicknames}

    def native(self, text: SpecLike) -> Sequence[NativeName]:
        """The numbers that a text asks for in the words of the system itself; none where it is not of these words.

        >>> import rankconv as rc
        >>> [(one.text, str(one.spec)) for one in rc.preset("ir_measures").native("P@5 AP(rel=2)")]
        [('P@5', 'precision@5'), ('AP(rel=2)', 'map(relevant=at-least(2))')]
        """
        stating: Preset | None = self
        while stating is not None and not stating.file.native_names:
            stating = stating.parent
        named, rest = preset_and_rest(text) if isinstance(text, str) else (None, "")
        if stating is None or named not in (None, self.name, self.original and self.original.name):
            return ()
        read = grammar_named(stating.file.native_names)(rest) or ()
        return [one for name in read for one in self._single(name)]

    def _single(self, name: NativeName) -> list[NativeName]:
        """The names of single numbers that a native name means, if it names several metrics together."""
        if name.metric not in self.nicknames:
            return [name]
        members = self.members(name.metric)
        return [replace(name, text=name.text.replace(name.metric, one), metric=one) for one in members]

    def members(self, text: str) -> list[str]:
        """The metrics of a nickname, as `official` of trec_eval, or of several native names; else the text itself.

        >>> import rankconv as rc
        >>> rc.preset("trec_eval").members("official")[:6]
        ['num_q', 'num_ret', 'num_rel', 'num_rel_ret', 'map', 'gm_map']
        """
        listed = self.nicknames.get(text.strip())
        if listed is None:
            return [one.text for one in self.native(text)] or [text]
        return [spec for one in listed for spec in each_spec(one)]

    def define(self, spec: SpecLike) -> list[Definition]:
        """The definitions that a spec asks for: one per cutoff, and of a nickname those of all its metrics.

        A metric that the preset does not offer, a setting that it cannot take or that cannot act with the others, or
        a cutoff where there is none is a MetricError or ConventionError.
        """
        if isinstance(spec, str) and spec.strip() in self.nicknames:
            return [one for member in self.members(spec) for one in self.define(member)]
        if named := self.native(spec):
            return [self._native_definition(one) for one in named]
        parsed = self.read(spec)
        key, k, added_settings = self._find(parsed.metric)
        if k is not None and parsed.cutoffs != (None,):
            raise MetricError(f"'{spec}' has two cutoffs", where=self.name, do=f"Ask for {parsed.metric} alone.")
        setting_types = added_settings + parsed.settings
        written = [name for name, _ in parsed.settings]
        cutoffs = parsed.cutoffs if k is None else (k,)
        return [self.definition(key, setting_types, cutoff).acting(written) for cutoff in cutoffs]

    def _native_definition(self, name: NativeName) -> Definition:
        """What a native name asks for; parameters that have no effect there are left out."""
        key, k, held = self._find(name.metric)
        k, settings = name.k if k is None else k, (*held, *name.settings.items())
        idle = self.definition(key, settings, k).idle_rules
        return self.definition(key, tuple(pair for pair in settings if pair[0] not in idle), k)

    def read(self, spec: SpecLike) -> Spec:
        """A spec split into its parts; what the system itself writes with parentheses is one name."""
        if isinstance(spec, Spec):
            return spec
        if not isinstance(spec, str):
            raise MetricError(f"{spec!r:.100} is not a metric", allowed="A metric is a text, such as 'ndcg@10'")
        name, sign, cutoffs = spec.strip().partition("@")
        if name in self._own_names:
            placeholder = f"own{sign}{cutoffs}"
            try:
                return replace(read_spec(placeholder), metric=name)
            except MetricError as error:
                wrong = error.wrong.replace(placeholder, spec.strip())
                raise MetricError(wrong, allowed=error.allowed, do=error.do) from None
        parsed = read_spec(spec)
        if parsed.preset not in (None, self.name, self.original and self.original.name):
            do = f"Ask rc.preset('{parsed.preset}')."
            shell = f"Name {parsed.preset} in place of {self.name}, or leave the prefix out."
            raise MetricError(f"'{spec}' names another preset", where=self.name, do=do, shell=shell)
        return parsed

    @cached_property
    def _own_names(self) -> frozenset[str]:
        """What the system itself calls its metrics, patterns included."""
        return frozenset(name for entry in self.entries.values() for name in entry.names)

    def offers(self, spec: SpecLike) -> bool:
        """Whether it has this metric, in this form (without a cutoff, or with this one)."""
        try:
            if named := self.native(spec):
                return all(self.offers(Spec(None, one.metric, (), (one.k,))) for one in named)
        except MetricError:
            return False
        parsed = self.read(spec)
        found = self._looked_up(parsed.metric)
        if found is None:
            return False
        key, k, _ = found
        given = [cutoff for cutoff in (*parsed.cutoffs, k) if cutoff is not None]
        has_form = self.takes_cutoff(key) if given else self.takes_none(key)
        small = bool(given) and min(given) < _least_cutoff(self.settings_of(key))
        return (has_form and not small) or (not given and self.entry(key).k is not None)

    def entry(self, key: str) -> MetricEntry:
        """What it says for one metric."""
        return self.entries.get(key, _SAYS_NOTHING)

    def definition(self, key: str, setting_types: tuple[tuple[str, str], ...] = (), k: int | None = None) -> Definition:
        """One metric of this preset, with some settings changed, at a cutoff."""
        is_text = all(type(setting) is str for _, setting in setting_types)
        place = (key, setting_types, k, Registry.generation)
        if is_text and place in self._defined:
            return self._defined[place]
        strategy = self.strategy(key)
        check_conventions([name for name, _ in setting_types], strategy, f"{self.name}:{key}")
        fields = {name: CONVENTIONS[name].validate(setting) for name, setting in setting_types}
        settings = self.settings_of(key, k) | fields
        definition = self._defined_with(key, settings, k)
        rules = definition.idle_rules if self.added_settings else {}
        inert = [
            name for name in self.added_settings if name in rules and rules[name].by_setting and name not in fields
        ]
        if inert:  # a change of all metrics that has no effect on this one is none of this one
            own = self._before(key, k)
            settings |= {name: own.get(name, str(CONVENTIONS[name].neutral)) for name in inert}
            definition = self._defined_with(key, settings, k)
        if is_text:
            if len(self._defined) >= MOST_KEPT:  # a search asks for thousands, each once
                self._defined.clear()
            self._defined[place] = definition
        return definition

    def _defined_with(self, key: str, settings: dict[str, str], k: int | None) -> Definition:
        """One metric with these settings, at a cutoff."""
        entry, strategy, original = self.entry(key), self.strategy(key), self.original or self
        cutoff = self._cutoff(key, settings, entry.k if k is None else k)
        parts = _fill(Preparation, settings), _fill(strategy, settings, k=cutoff), _fill(Aggregation, settings)
        own = self._before(key, k)
        stated = [pair for part in parts for pair in part.stated.items()]
        differing = tuple(
            (name, setting) for name, setting in stated if own.get(name, CONVENTIONS[name].neutral) != setting
        )
        return Definition(original.name, key, *parts, differing, k, self).check()

    def settings_of(self, key: str, k: int | None = None) -> dict[str, str]:
        """Every setting that holds for one metric, requested or not."""
        entry, strategy = self.entry(key), self.strategy(key)
        form = {} if strategy.cuts else {K_ACCEPTED.name: "never"}
        general = self.settings | form | strategy.own_settings() | self.added_settings
        return general | entry.settings | (entry.with_k if k is not None else {})

    def _before(self, key: str, k: int | None) -> dict[str, str]:
        """What held for one metric before `replace`; of one that is new, what held for all metrics."""
        original = self.original or self
        if strategy_of(original.entry(key).is_ or key) is not None:
            return original.settings_of(key, k)
        return original.settings | self.strategy(key).own_settings()

    def takes_cutoff(self, key: str) -> bool:
        """Whether it has this metric at a cutoff."""
        return _has_form(self.settings_of(key), with_k=True)

    def takes_none(self, key: str) -> bool:
        """Whether it has this metric over the whole list."""
        return _has_form(self.settings_of(key), with_k=False)

    def _cutoff(self, key: str, settings: Mapping[str, str], k: int | None) -> int | None:
        where = f"{self.name}:{key}"
        k = None if k is None else checked_cutoff(k, where)
        if k is not None and not _has_form(settings, with_k=True):
            convention_name = self.strategy(key).written_as_cutoff
            instead = f"{key}({convention_name}={number_text(k / 100)})" if convention_name and k <= 100 else key
            raise MetricError(f"{self.name} has no {key} at a cutoff", where=f"{where}@{k}", do=f"Ask for {instead}.")
        if k is not None and k < (least := _least_cutoff(settings)):
            do = f"Ask for {key}@{least}."
            raise MetricError(
                f"{self.name} has {key} only at a cutoff of at least {least}", where=f"{where}@{k}", do=do
            )
        if k is None and not _has_form(settings, with_k=False):
            raise MetricError(
                f"{self.name} has {key} only at a cutoff", where=where, do=f"Ask, for instance, for {key}@10."
            )
        return k

    def strategy(self, key: str) -> type[Metric]:
        """The strategy of one of its metrics."""
        return METRICS[self._strategy_name(key)]

    def _strategy_name(self, key: str) -> str:
        return strategy_of(self.entry(key).is_ or key) or key

    def _find(self, word: str) -> tuple[str, int | None, Options]:
        """The entry that a word means, and the cutoff and the settings that the word holds."""
        found = self._looked_up(word)
        if found is None and word in self.nicknames:
            allowed = f"It means several metrics: {', '.join(self.nicknames[word][:3])} …"
            raise MetricError(f"'{word}' takes no cutoff and no settings", where=self.name, allowed=allowed)
        if found is None:
            raise self._not_offered(word)
        return found

    def _looked_up(self, word: str) -> tuple[str, int | None, Options] | None:
        """What `_find` finds; None for a word that neither the preset nor an installed plugin knows."""
        found = self._known(word)
        if found is None:
            plugins.load_installed()
            found = self._known(word)
        return found

    def _known(self, word: str) -> tuple[str, int | None, Options] | None:
        if word in self.entries or word in self.metrics:
            return word, None, ()
        for key, entry in self.entries.items():
            for pattern in entry.names:
                found = called(pattern, word)
                if found is not None:
                    return key, *found
        if (spelt := self._spelled(word)) is not None:
            return spelt, None, ()
        with_cutoff = _WITH_CUTOFF.fullmatch(word)
        spelt = self._spelled(with_cutoff[1]) if with_cutoff else None
        if with_cutoff is None or spelt is None:
            return None
        says_so = with_cutoff[2] is not None or with_cutoff[1][-1].isdigit()  # f1_10
        if not says_so and _setting_at_end(self.strategy(spelt), with_cutoff[3]):
            return None
        return spelt, int(with_cutoff[3]), ()

    def _spelled(self, word: str) -> str | None:
        """The metric that a word spells, whatever its case, hyphens and underscores; None where it may be several."""
        spelt = {}
        for key in self.metrics:
            usual = words_of(self._strategy_name(key))
            spelt[key] = {key, *usual} if key in usual else {key}
        for form in (str.casefold, squeezed):
            found = [key for key, words in spelt.items() if form(word) in map(form, words)]
            if found:
                return found[0] if form is str.casefold or len(found) == 1 else None
        return None

    def _not_offered(self, word: str) -> RankconvError:
        if (version := self._of_another_version(word)) is not None:
            return version
        if strategy_of(word.casefold()) is None:
            if read := NOT_OF_RANKINGS.get(word.partition("@")[0].casefold()):
                wrong = f"'{word}' is not a metric of rankings: it compares {read}"
                return MetricError(wrong, where=self.name, do="Name a metric of rankings, such as ndcg@10.")
            if word in shipped() and word != BASE:
                written = f"Write {word}:METRIC, with one of"
                do, shell = (
                    f"{written} rc.preset({word!r}).metrics.",
                    f"{written} those that rankconv show {word} lists.",
                )
                return MetricError(f"'{word}' is a preset, and not a metric", where=self.name, do=do, shell=shell)
            if (system := self._of_other_systems(word)) is not None:
                return system
            like_it = likely(word, [*self.metrics, *self.nicknames])
            original = self.original or self
            own = original.name if newest(original.name) in shipped() else original.source
            see = f"rc.preset({own!r}).metrics", f"rankconv show {own}"
            return not_among("metric", word, like_it, see, error=MetricError, where=self.name)
        return MetricError(
            f"{self.name} does not offer {word}",
            allowed=f"It has: {', '.join(self.metrics)}" if self.metrics else "It offers no metric",
            do="Take another preset, or lend it the metric with rc.preset(…).replace(metrics={…}).",
            shell=f"Take another preset, or lend it the metric in a YAML file of your own that extends {self.name}.",
        )

    def _of_another_version(self, word: str) -> MetricError | None:
        """The error of an earlier version for a metric that a later one has: why it lacks it, and which has it."""
        lacking: list[Preset] = []
        later: Preset | None = self
        while later is not None and later.system == self.system:
            if lacking and VERSION in self.name and (found := later._known(word)) is not None:
                left_out = (one.file.without for one in lacking)
                version = "" if VERSION in later.name else later.file.version
                why = next((given[found[0]] for given in left_out if isinstance(given, dict) and found[0] in given), "")
                return MetricError(
                    f"{self.name} does not offer {word}{why and f': {why}'}",
                    allowed=f"It has: {', '.join(self.metrics)}",
                    do=f"{later.name} has it{f', which is version {version}' if version else ''}.",
                )
            lacking.append(later)
            later = later.parent
        return None

    def _of_other_systems(self, word: str) -> MetricError | None:
        """The error for a name that other systems have, or that ends in a number or in k."""
        wrong = f"'{word}' is not a metric"
        form = _NO_CUTOFF.fullmatch(word)
        if form and (spelt := self._spelled(form[1])):
            return self._with_number(word, spelt, form[3] or "10", _setting_at_end(self.strategy(spelt), form[3]))
        if not (found := presets_calling(word)):
            return None
        name, spelt = next(iter(found.items()))
        like_it = "" if spelt == word else next(iter(likely(word, [*self.metrics, *self.nicknames])), "")
        wrong, do = f"{wrong}, but one of {', '.join([*found][:3])}", f"Write {name}:{spelt}."
        return MetricError(wrong, where=self.name, nearest=like_it, do=do)

    def _with_number(self, word: str, spelt: str, number: str, setting: str) -> MetricError:
        """The error for a metric whose name ends in a number: its cutoff, or a setting, or one of both."""
        cutoff = f"{spelt}@{number}" if self.takes_cutoff(spelt) else spelt
        changed = f"{spelt}({setting})"
        if setting and self.takes_cutoff(spelt):
            do = f"Write {cutoff} for a cutoff, or {changed}."
            return TwoReadingsError(f"'{word}' can be read in two ways", where=self.name, do=do)
        return MetricError(f"'{word}' is not a metric", where=self.name, do=f"Write {changed if setting else cutoff}.")

    def same(self, other: "Preset") -> bool:
        """Whether both say the same, also where one of them came from another process."""
        ours, theirs = ((one.name, one.text, one.settings, one.entries, one.added_settings) for one in (self, other))
        return ours == theirs

    def __getstate__(self) -> dict[str, Any]:
        """Without the definitions that were made of it, which are made anew."""
        return {**self.__dict__, "_defined": {}}

    def __repr__(self) -> str:
        return f"Preset({self.name!r}: {self.title}; {len(self.metrics)} metrics)"


_SAYS_NOTHING = MetricEntry()
_WITH_CUTOFF = re.compile(r"(.+?)([ _-](?:at|cut))?[ _.-]([1-9][0-9]{0,6})", re.IGNORECASE)
"""A metric and its cutoff in other notations: `ndcg_at_10`, `P_10`, `map_cut_10`."""


_NO_CUTOFF = re.compile(r"(.*?[a-z])(?:(?:[ _-]?at)?[ _-]?(k)|[ _.-]?([1-9][0-9]{0,6}))", re.IGNORECASE)
"""A name that ends in a number, or in k: `ndcg10`, `recall_at_k`, `rbp.95`."""


def _setting_at_end(strategy: type[Metric], digits: str | None) -> str:
    """What digits at the end of its name may be but a cutoff: rbp.95, F2; empty for most metrics, or without digits.

    It is the first convention of the metric that is a number from 0 to 1, or any number where one is in a usual name;
    a percentage where the metric takes no cutoff but is written as if it did: WSS@95.
    """
    if not digits:
        return ""
    if strategy.written_as_cutoff and int(digits) <= 100:
        return f"{strategy.written_as_cutoff}={number_text(int(digits) / 100)}"
    numbered = any(spelling[-1].isdigit() for spelling in strategy.spellings)
    for name, convention in strategy.conventions().items():
        number = convention.setting_types.get(NUMBER)
        if number and number.traits.range and (numbered or number.traits.range.most <= 1):
            return f"{name}={'' if numbered else '0.'}{digits}"
    return ""


def _fill(kind: type[SettingSet], settings: dict[str, str], **more: Any) -> Any:
    conventions = kind.conventions()
    given = {name: settings.get(name, convention.neutral) for name, convention in conventions.items()}
    unset = [name for name, setting in given.items() if setting is None]
    if unset:
        raise ConventionError(
            f"these conventions have no setting: {', '.join(unset)}", do="Give them a setting, or extend base."
        )
    return filled(kind, tuple({**given, **more}.items()), Registry.generation)


def _least_cutoff(settings: Mapping[str, str]) -> int:
    """The first cutoff at which a metric is offered."""
    return int(K_ACCEPTED(settings.get(K_ACCEPTED.name, "optional")).keywords.get("least", 1))


def _has_form(settings: Mapping[str, str], *, with_k: bool) -> bool:
    """Whether a metric is offered with, or without, a cutoff; a preset that is not finished may not say."""
    said = settings.get(K_ACCEPTED.name)
    if said is None:
        return True
    traits = K_ACCEPTED(said).traits
    return traits.with_k if with_k else traits.without_k
