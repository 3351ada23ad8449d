"""Definitions: a metric with a setting for each convention, their parameters and fingerprint."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import EllipsisType
from typing import Any, NoReturn, Protocol

import rankconv.presets.systems  # noqa: F401  registers what single systems need
from rankconv.aggregation import POLICIES, Aggregation
from rankconv.aggregation.data_policies import POLICY_ORDER, settled
from rankconv.basics.called_definition import CalledDefinition
from rankconv.basics.errors import ConventionError, MetricError, RankconvError
from rankconv.basics.registries import ReadOnlyDict
from rankconv.conventions.convention import CONVENTIONS, Convention
from rankconv.conventions.custom_setting import CustomText
from rankconv.conventions.data_parts import ALL_PARTS, DataPart
from rankconv.conventions.parameters import Setting
from rankconv.conventions.setting_set import SettingSet, until_registered
from rankconv.conventions.setting_table import Context, Idle, Registry, idle
from rankconv.conventions.spec import BETWEEN, Spec, at_cutoff
from rankconv.conventions.traits import Requirement
from rankconv.data.pieces import ARE_SPANS
from rankconv.metrics.base import Metric
from rankconv.preparation.pipeline import Expectation, Preparation
from rankconv.preparation.searches import CALLS, CallTraits
from rankconv.preparation.steps.labels import GRADES
from rankconv.preparation.steps.ranking import TIES
from rankconv.preparation.steps.spans import SPAN_UNIT, SpanTraits, unfit_for_pieces
from rankconv.preparation.ties import TieEffect
from rankconv.presets.neutral import neutral_settings

NAMED = ("ties", "on-no-relevant")
"""Conventions that each signature names where they apply, after those of its metric."""
ESCAPED = {"%": "%25", "|": "%7C", "\n": "%0A"}
"""What is written otherwise in a signature."""


_ESCAPES = str.maketrans(ESCAPED)


def definition_part(name: str, k: int | None, settings: Mapping[str, str]) -> str:
    """The part of a signature that states a definition: a metric at a cutoff, and settings in this order.

    >>> definition_part("ndcg", 10, {"gain": "linear", "ties": "expected"})
    'ndcg@10|gain:linear|ties:expected'
    """
    return BETWEEN.join([at_cutoff(name, k), *(f"{one}:{text.translate(_ESCAPES)}" for one, text in settings.items())])


def fingerprint(part: str) -> str:
    """64 bits that name a definition: the first 16 hexadecimal digits of the SHA-256 of its definition part."""
    return hashlib.sha256(part.encode()).hexdigest()[:16]


def _not_neutral(settings: Mapping[str, str], neutral: Mapping[str, str]) -> dict[str, str]:
    """The settings that are not neutral, and an order only as far as it acts."""
    fields = {
        convention_name: setting
        for convention_name, setting in settings.items()
        if neutral.get(convention_name) != setting
    }
    return settled(fields) if POLICY_ORDER.name in fields else fields


class Owner(Protocol):
    """What a definition needs of its preset."""

    @property
    def version(self) -> str:
        """The version of the system that it describes; empty where none is stated."""

    @property
    def reports(self) -> list[str]:
        """The metrics that its test collection or contest reports; none for a system."""

    @property
    def user_word(self) -> str:
        """What the system calls a user."""

    @property
    def alternatives(self) -> Mapping[str, Sequence[str]]:
        """By policy under which it refuses data, presets that take such data."""

    def definition(
        self, key: str, setting_types: tuple[tuple[str, str], ...] = (), k: int | None = None
    ) -> "Definition":
        """One metric of the preset, with some settings changed, at a cutoff."""


@dataclass(frozen=True, repr=False)
class Definition:
    """A metric with a setting for each convention.

    `str(definition)` and `text` read back to an equal definition: the preset, the name of the metric in it, the
    settings that differ from the preset, the cutoff. Call it, `definition(labels, run)`, to evaluate it.
    """

    preset: str
    """The preset that it was taken from."""
    key: str
    """What the preset calls it."""
    preparation: Preparation
    metric: Metric
    aggregation: Aggregation
    changed: tuple[tuple[str, str], ...] = ()
    """Settings that differ from those of the preset."""
    requested_k: int | None = None
    """The cutoff as requested; the metric may hold a hidden one."""
    owner: "Owner | None" = field(default=None, compare=False)
    """The preset itself, of which `replace` takes the settings."""

    def __call__(self, labels: Any, rankings: Any = None, **given: Any) -> Any:
        """Evaluate a run. Takes what `rc.evaluate` takes but for metrics and a preset.

        Returns a `Number`; for `rc.Runs(…)` a dict of them by run. Raises what `rc.evaluate` raises.

        >>> import rankconv as rc
        >>> rc.metric("mrr@3")({"u": ["a"]}, {"u": ["x", "a"]})
        0.5
        """
        return CalledDefinition.evaluate(self, labels, rankings, **given)

    def replace(self, *, k: "int | EllipsisType | None" = ..., **settings: Any) -> "Definition":
        """Return it with other settings, or at another cutoff. `k=None` is the whole list.

        Raises ConventionError for what is no setting and for a setting that cannot act with the others, MetricError
        for what the preset cannot have.

        >>> import rankconv as rc
        >>> mine = rc.metric("ndcg@10", preset="mllib").replace(ideal="retrieved-at-k", k=5)
        >>> mine, mine == rc.metric("mllib:ndcg(ideal=retrieved-at-k)@5")
        (rc.metric('mllib:ndcg(ideal=retrieved-at-k)@5'), True)
        """
        if self.owner is None:
            raise MetricError("this definition was put together without a preset", where=self.text)
        fields = {convention_name.replace("_", "-"): setting for convention_name, setting in settings.items()}
        setting_types = {**dict(self.changed), **fields}
        made = self.owner.definition(self.key, tuple(setting_types.items()), self.requested_k if k is ... else k)
        return made.acting(setting_types)

    def diff(self, other: "Definition") -> dict[str, tuple[str, str]]:
        """Return the conventions in which both differ: the setting here and there; empty where it has none.

        >>> import rankconv as rc
        >>> rc.metric("mllib:ndcg@5").diff(rc.metric("mllib:ndcg(gain=linear)@10"))
        {'gain': ('binary', 'linear'), 'k': ('5', '10')}
        """
        ours, theirs = ({**one.settings, "k": "" if one.k is None else str(one.k)} for one in (self, other))
        every = dict.fromkeys([*ours, *theirs])
        return {q: (ours.get(q, ""), theirs.get(q, "")) for q in every if ours.get(q, "") != theirs.get(q, "")}

    @property
    def conventions(self) -> dict[str, Convention]:
        """Its conventions by name; one prints its settings, each with its rule.

        >>> import rankconv as rc
        >>> rc.metric("mllib:ndcg@5").conventions["ideal-cutoff"].names
        ['k', 'none', 'length', 'at(…)']
        """
        return {name: convention for part in self.setting_sets for name, convention in part.conventions().items()}

    def __repr__(self) -> str:
        """What makes it again, where functions that setting are in reach."""
        own = self.functions
        named = replace(self, changed=tuple(pair for pair in self.changed if pair[0] not in own))
        text = ", ".join(f"{convention_name.replace('-', '_')}={one.called}" for convention_name, one in own.items())
        return f"rc.metric({named.text!r}){f'.replace({text})' if own else ''}"

    def _repr_html_(self) -> str | None:
        from rankconv.presets.definition_page import notebook_page
        from rankconv.rendering.pages.display import notebook_html

        return notebook_html(notebook_page(self, self.fingerprint))

    @property
    def setting_sets(self) -> tuple[SettingSet, SettingSet, SettingSet]:
        """Preparation, metric and aggregation."""
        return self.preparation, self.metric, self.aggregation

    @until_registered
    def settings(self) -> dict[str, str]:
        """Every convention of this definition, and its setting."""
        return ReadOnlyDict({name: setting for part in self.setting_sets for name, setting in part.stated.items()})

    @until_registered
    def expectation(self) -> Expectation:
        """What gives the metric's expected value over all orders of tied rows, as `ties=expected` asks for it.

        A policy that depends on the order, and does not count 0, leaves no closed form.
        """
        found = self.metric.expectation(self.preparation)
        closed = found is Expectation.CLOSED_FORM and not self.aggregation.goes_by_order(self.metric)
        return found if closed or found is not Expectation.CLOSED_FORM else Expectation.RELEVANT_LAST

    @until_registered
    def applied(self) -> Preparation:
        """The preparation that is applied: under `ties=expected` with what gives this metric's expected value."""
        return self.expectation.applied_to(self.preparation)

    @until_registered
    def data_read(self) -> frozenset[DataPart]:
        """The parts of labels and run that it reads, besides items, the signs of grades, and the ranking.

        What settings, metrics and policies declare by `reads_data`; a plugin's code that declares nothing reads all.
        """
        found = {*self.metric.data_read(), *self.aggregation.data_read}
        idle, preparation = self.idle_rules, self.applied
        skipped = {name for name, one in preparation.conventions().items() if preparation.given(name) == one.neutral}
        if self.expectation is Expectation.ANY_ORDER:
            skipped.add(TIES.name)
        for name, setting in settings_of(preparation, self.metric, self.aggregation).items():
            if name not in idle and name not in skipped:
                found |= setting.data_read
        if preparation.tie_rule is TieEffect.SHARED and (preparation.cuts_ties or self.metric.reads_given_order):
            found.add("order")
        if preparation.settings[GRADES.name].traits.makes_binary and found != ALL_PARTS:
            found.discard("grades")  # which are 0 and 1 before anything looks at them
        return frozenset(found)

    @property
    def reads_all_data(self) -> bool:
        """Whether a plugin's code is in it that does not declare what it reads of the data."""
        return self.data_read == ALL_PARTS

    @property
    def stated_preparation(self) -> Preparation:
        """The preparation that a text tells: what is applied, but for expected values that are known."""
        return self.preparation if self.expectation.known else self.applied

    @property
    def as_done(self) -> "Definition":
        """The definition that names the tie rule which is applied, where that replaces expected values."""
        done = None if self.expectation.known else with_changes(self, {TIES.name: self.applied.given(TIES.name)})
        return self if done is None else done

    @property
    def k(self) -> int | None:
        """The cutoff."""
        return self.metric.k

    @property
    def requested(self) -> Spec:
        """The metric, the changed settings and the cutoff, as they can be read under other presets too."""
        return Spec(None, self.key, self.changed, (self.requested_k,))

    @property
    def spec(self) -> str:
        """The definition as text, without its preset."""
        return str(self.requested)

    @property
    def text(self) -> str:
        """The definition as text, which `rc.preset(…).define` and every command read back."""
        return f"{self.preset}:{self.spec}"

    @property
    def lower_is_better(self) -> bool:
        """Whether the best list has the least number: of some metrics the value, of the others the loss."""
        return self.metric.is_better_low() != self.aggregation.settings["report"].traits.turns

    @until_registered
    def needs(self) -> dict[str, str]:
        """What the caller must give besides labels and lists, and the setting or the metric that asks for it.

        A setting that cannot matter here asks for nothing.
        """
        users = self.aggregation.settings["users"]
        of_users = dict.fromkeys(users.traits.needs, f"users={users.text}")
        asks = self.preparation.needs | self.metric.asks_for | of_users
        idle = self.idle_rules if asks else {}
        return ReadOnlyDict({need: asker for need, asker in asks.items() if asker.partition("=")[0] not in idle})

    @property
    def pools(self) -> bool:
        """Whether all lists together make one number, be it that they are one list or that it is of all of them."""
        return self.preparation.pools or self.metric.of_all_lists

    @property
    def functions(self) -> dict[str, CustomText]:
        """The conventions whose setting is a function, which a caller gave in Python."""
        return {
            convention_name: setting
            for convention_name, setting in self.settings.items()
            if isinstance(setting, CustomText)
        }

    @property
    def why_no_fingerprint(self) -> str:
        """Why nothing can name this definition for others; empty where its fingerprint does."""
        parts = [f"{convention_name}={setting}" for convention_name, setting in self.functions.items()]
        if len(parts) == 1:
            return f"{parts[0]} is a function given in Python, and its name does not define it"
        return f"{', '.join(parts)} are functions given in Python, and their names do not define them" if parts else ""

    @property
    def fingerprint(self) -> str:
        """64 bits that name this definition: the hash of its signature. Empty where a setting is a function.

        >>> import rankconv as rc
        >>> rc.metric("mllib:ndcg@10").fingerprint
        '803ba240f99f660e'
        """
        return "" if self.functions else fingerprint(self.signature)

    @property
    def version(self) -> str:
        """The version of the system that its preset describes; empty where none is stated."""
        return self.owner.version if self.owner else ""

    @property
    def user_word(self) -> str:
        """What the system of its preset calls a user: topic, query."""
        return self.owner.user_word if self.owner else "user"

    def alternatives(self, policy: str) -> Sequence[str]:
        """The presets that take data which its own refuses under a policy."""
        return self.owner.alternatives.get(policy, ()) if self.owner else ()

    @until_registered
    def signature(self) -> str:
        """The definition as one line for a paper or a log, which `rc.metric` and every command read back.

        The metric and its cutoff, a short list of settings that the metric declares, and by name each applicable
        setting that is not neutral. Definitions that differ in inapplicable settings alone have one signature. Where
        nothing gives the expected value over all orders of tied rows, `ties` is the rule that is applied instead.

        >>> import rankconv as rc
        >>> rc.metric("mllib:ndcg@10").signature.split("|")[:4]
        ['ndcg@10', 'gain:binary', 'discount:log(base=2)', 'ideal:all-labels']
        >>> rc.metric(rc.metric("mllib:ndcg@10").signature).settings["gain"]
        'binary'
        """
        neutral = neutral_settings()
        settings, inapplicable = self.settings | {TIES.name: self.stated_preparation.given(TIES.name)}, self.idle_rules
        differing = _not_neutral(settings, neutral)
        first = [name for name in (*type(self.metric).named_first, *NAMED) if name in settings]
        shown = dict[str, str]()
        for name in [*first, *sorted(differing.keys() - {*first})]:
            if name not in inapplicable:
                shown[name] = differing.get(name, settings[name])
            elif name in first and inapplicable[name].because and not inapplicable[name].by:
                shown[name] = neutral[name]  # one number, whichever of these settings it has: the bases of a logarithm
        return definition_part(self.metric.name, self.k, shown)

    def idle(self) -> dict[str, str]:
        """Conventions whose setting cannot matter here, each with the reason, but where it goes without saying."""
        return {convention_name: rule.because for convention_name, rule in self.idle_rules.items() if rule.because}

    def notes(self) -> dict[str, str]:
        """What is to be said of some settings here: that they cannot matter, or what gives expected values."""
        found = {convention_name: f"cannot matter: {reason}" for convention_name, reason in self.idle().items()}
        expected = self.preparation.tie_rule is TieEffect.EXPECTED and TIES.name not in found
        return found | ({TIES.name: f"here {self.expectation.rule}{self._because()}"} if expected else {})

    def _because(self) -> str:
        """Why the metric's expected value is not computed, after a colon; empty where it is, or a setting is why."""
        why = "" if self.expectation.known else self.metric.why_no_expectation
        return f": {why}" if why else ""

    @property
    def idle_rules(self) -> dict[str, Idle]:
        """Conventions whose setting cannot matter here, each with what makes it so."""
        return idle_of(*self.setting_sets)

    def acting(self, written: Iterable[str]) -> "Definition":
        """The definition itself; a ConventionError where another setting makes one of the `written` ones inapplicable.

        `written` are the names of the conventions that a caller set.
        """
        for convention in written:
            rule = self.idle_rules.get(convention)
            if rule is not None and rule.by_setting and not self._impossible_without(convention):
                raise inapplicable(convention, self, rule)
        return self

    def _impossible_without(self, convention: str) -> bool:
        """Whether the preset's own setting of this convention is not possible with the others."""
        if self.owner is None:
            return False
        others = tuple(one for one in self.changed if one[0] != convention)
        try:
            self.owner.definition(self.key, others, self.requested_k)
        except MetricError:
            return True
        return False

    def check(self) -> "Definition":
        """The definition itself; a MetricError where its settings are not possible together."""
        _ = self.preparation.is_carried_out
        if self.preparation.tie_rule is TieEffect.SHARED:
            self._check_shared()
        if self.k is not None and not self.metric.cuts:
            raise MetricError(f"{self.metric.name} has no form with a cutoff", where=self.text, do="Leave out the @k.")
        if self.preparation.pools and self.metric.of_all_lists:
            wrong = f"{self.metric.name} is one number of all lists already, each evaluated by itself"
            raise MetricError(wrong, where=self.text, do="Leave out scope=global.")
        self._check_calls()
        self._check_spans()
        self._check_mean()
        for name, required in self.metric.unmet_requirements():
            self._refuse(name, required)
        return self

    def _refuse(self, name: str, required: Requirement) -> NoReturn:
        """A MetricError where a setting requires what the setting of another convention of the metric lacks."""
        convention = self.metric.conventions()[required.convention_name]
        setting, other = self.metric.settings[name], self.metric.settings[convention.name]
        names = [one for one, kind in convention.setting_types.items() if required.holds(kind)]
        wrong = f"{name}={setting.text} is not defined for {convention.name}={other.text}"
        raise MetricError(wrong, where=self.text, allowed=f"It is for {convention.name} {', '.join(names)}")

    def _check_shared(self) -> None:
        if not self.metric.shares_ranks:
            wrong = f"{self.metric.name} is not defined under ties={self.preparation.given('ties')}"
            raise MetricError(wrong, where=self.text, do="Choose another tie rule: rows need ranks of their own there.")
        if not self.preparation.by_score:
            raise MetricError("ties=rank(…) needs order=score, so that tied rows are adjacent", where=self.text)

    def _check_calls(self) -> None:
        """A MetricError where each call is evaluated alone, and what is computed of users needs one list of each."""
        how, mean = self.preparation.settings[CALLS.name], self.aggregation.settings["aggregate"]
        if CallTraits.of(how).of_each is None:
            return
        setting = f"{CALLS.name}={how.text}"
        if {"parts", "ratios"} & {*mean.reads_of_users}:
            wrong = (
                f"aggregate={mean.text} looks inside a user's number, which is made of several calls under {setting}"
            )
        elif self.pools:
            of = self.metric.name if self.metric.of_all_lists else f"scope={self.preparation.given('scope')}"
            wrong = f"{of} makes one number of the lists of all users, and under {setting} a user has several"
        elif self.preparation.settings["collapse"].traits.needs:
            collapse = f"collapse={self.preparation.given('collapse')}"
            wrong = f"{collapse} joins items of one list, and under {setting} a user has several"
        else:
            return
        do = f"Put the calls together first: {CALLS.name}=one-after-the-other."
        raise MetricError(wrong, where=self.text, do=do)

    def _check_spans(self) -> None:
        """A MetricError where characters of spans are compared, and something else counts rows or items."""
        how, weight = self.preparation.settings[SPAN_UNIT.name], self.metric.settings.get("item-weight")
        of_length = weight is not None and ARE_SPANS in weight.traits.needs
        if not SpanTraits.of(how).cuts:
            if of_length and SpanTraits.of(how).refuses_spans:
                wrong = (
                    f"item-weight={weight.text if weight else ''} is the length of spans, and span-unit=refuse has none"
                )
                do = "Write span-unit=character too, or span-unit=span."
                raise MetricError(wrong, where=self.text, do=do)
            return
        wrong, do = "", f"{SPAN_UNIT.name}=span compares whole chunks, for all metrics and settings."
        if weight is None:
            wrong = f"{self.metric.name} counts items, and {SPAN_UNIT.name}={how.text} compares characters"
        elif not of_length:
            wrong, do = f"{SPAN_UNIT.name}={how.text} needs item-weight=length, as a piece weighs its length", ""
        elif odd := unfit_for_pieces({**self.preparation.settings, **self.metric.settings}):
            wrong = f"{odd} counts rows, items or labels, and {SPAN_UNIT.name}={how.text} compares characters"
            if odd.startswith("recall-denominator="):
                do = "Write recall-denominator=relevant-weights."
        if wrong:
            raise MetricError(wrong, where=self.text, do=do or "Write item-weight=length.")

    def _check_mean(self) -> None:
        mean = self.aggregation.settings["aggregate"]
        reads = mean.reads_of_users
        if self.preparation.separates_subtopics and {"parts", "ratios"} & {*reads}:
            wrong = f"aggregate={mean.text} looks inside a user's number, which is a mean over groups here"
            raise MetricError(wrong, where=self.text, do="Leave out subtopics=separate, or take another mean.")
        if "parts" in reads and not self.metric.is_of_parts():
            raise MetricError(f"aggregate={mean.text} averages parts, and {self.metric.name} has none", where=self.text)
        if "ratios" in reads:
            if not self.metric.has_denominator():
                wrong = f"aggregate={mean.text} needs a denominator to sum, and {self.metric.name} has none"
                raise MetricError(wrong, where=self.text, do=self.metric.to_sum)
            for policy in POLICIES:
                setting = self.aggregation.settings[policy]
                if setting.traits.gives_value:
                    types = CONVENTIONS[policy].setting_types.values()
                    *others, last = (kind.name for kind in types if not kind.traits.gives_value)
                    raise MetricError(
                        f"under aggregate={mean.text} a user has no value of their own, "
                        f"so {policy}={setting.text} says nothing",
                        where=self.text,
                        allowed=f"A policy may say {', '.join(others)} or {last} there",
                    )


def inapplicable(convention: str, definition: Definition, rule: Idle) -> ConventionError:
    """The error for a setting that cannot act with another one."""
    setting, by = (f"{name}={definition.settings[name]}" for name in (convention, rule.by))
    do = f"Leave {convention} out, or set {rule.by} otherwise"
    return ConventionError(f"{setting} has no effect: {rule.because} ({by})", where=definition.text, do=do)


def settings_of(*parts: SettingSet) -> dict[str, Setting]:
    """The settings of these parts of a definition by convention, ready to be carried out."""
    return {convention_name: setting for part in parts for convention_name, setting in part.settings.items()}


def idle_of(*parts: SettingSet, strategy: type[Metric] | None = None) -> dict[str, Idle]:
    """The conventions of these parts of a definition whose settings cannot matter, whatever the others say.

    `strategy` is that of the metric where no metric is among the parts; None where it may be any.
    """
    return _idle_of(parts, strategy, Registry.generation)


@lru_cache(maxsize=1024)
def _idle_of(parts: tuple[SettingSet, ...], strategy: type[Metric] | None, generation: int) -> dict[str, Idle]:
    settings = settings_of(*parts)
    metric = next((part for part in parts if isinstance(part, Metric)), None)
    return ReadOnlyDict(
        idle(Context(settings, metric.k, type(metric)) if metric else Context(settings, metric=strategy))
    )


def with_changes(ours: Definition, changes: Mapping[str, str], like: Definition | None = None) -> Definition | None:
    """The definition with these settings; None where they are not possible together.

    `like` is another definition whose strategy and cutoff it takes, with the settings that only that strategy has.

    >>> import rankconv as rc
    >>> with_changes(rc.metric("trec_eval:ndcg@10"), {"ties": "expected"}).text
    'trec_eval:ndcg(ties=expected)@10'
    """
    kind = ours if like is None else like
    settings = {**kind.metric.stated, **ours.settings, **changes}
    changed = dict(ours.changed) | {name: setting for name, setting in changes.items() if name in settings}
    try:
        return replace(
            ours,
            preparation=ours.preparation.replace(settings),
            metric=kind.metric.replace(settings),
            aggregation=ours.aggregation.replace(settings),
            changed=tuple(changed.items()),
            requested_k=kind.requested_k,
        ).check()
    except RankconvError:
        return None
