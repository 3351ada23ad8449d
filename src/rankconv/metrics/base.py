"""The contract of a metric: a strategy object that holds one setting of each of its conventions, and a cutoff."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.basics.errors import ConventionError
from rankconv.basics.registries import LazyRegistry
from rankconv.conventions.convention import Registry, Setting
from rankconv.conventions.data_parts import ALL_PARTS, DataPart, is_own
from rankconv.conventions.setting_set import MISSING, SettingSet, until_registered
from rankconv.conventions.setting_table import rename
from rankconv.conventions.traits import Requirement
from rankconv.data.arrays import Numbers
from rankconv.data.group_values import GroupValues
from rankconv.metrics.class_checks import check_constants, check_fields, place_of_class
from rankconv.metrics.divisors import K_ACCEPTED, K_APPLIES_TO, words_of_divisor
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import mean_over_hits
from rankconv.preparation.blocks.row_block import separate_calls, separate_subtopics
from rankconv.preparation.captions import said_as
from rankconv.preparation.pipeline import Expectation, Preparation
from rankconv.preparation.steps.subtopics import NEED as SUBTOPICS_NEEDED
from rankconv.preparation.ties import reads_order
from rankconv.preparation.working_rows import Reason

METRICS: "LazyRegistry[type[Metric]]" = LazyRegistry()
"""Every strategy by its name."""
SPELLINGS: dict[str, str] = {}
"""The strategy that each other word spells."""


def strategy_of(word: str) -> str | None:
    """The name of the strategy that this word names or spells, if there is one."""
    name = word if word in METRICS else SPELLINGS.get(word)
    return name if name in METRICS else None


@dataclass(frozen=True)
class Ratio:
    """A value per user before it is divided: the parts may be pooled, and x/0 is not the metric's business."""

    numerator: Numbers
    denominator: Numbers
    weight: Numbers | None = None
    """What the user weighs in a weighted mean."""
    groups: GroupValues | None = field(default=None, kw_only=True)
    """Of a metric of groups of items: the values of each group, shape (groups, users)."""

    @property
    def value(self) -> Numbers:
        """Numerator by denominator, shape (users,); 0/0 is NaN, x/0 infinite."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.numerator / self.denominator


@dataclass(frozen=True)
class Parts:
    """Several ratios per user and the rule that makes one of them."""

    ratios: tuple[Ratio, ...]
    combine: Callable[..., Ratio]
    undefined_part: str = "as-computed"
    """What a part that is 0/0 counts as: `as-computed`, or a number."""

    @property
    def ratio(self) -> Ratio:
        """The combined ratio of each user."""
        return self.combine(*self.values)

    @property
    def values(self) -> list[Numbers]:
        """The value of each part, shape (users,)."""
        if self.undefined_part == "as-computed":
            return [part.value for part in self.ratios]
        values = [part.value for part in self.ratios]
        return [np.where(value != value, float(self.undefined_part), value) for value in values]  # NaN is not itself


class Metric(SettingSet):
    r"""One metric under one set of settings. Subclass it to add a metric; defining the class registers it.

    A subclass names itself, declares its conventions as annotated fields, and implements `per_user`. A field with a
    default, `ideal: Annotated[str, rc.convention("ideal")] = "retrieved-at-k"`, is the setting that belongs to the
    metric: it wins over what a preset says for all its metrics, and yields to what is said of this one. ConventionError
    where a name is taken, a field names no convention, or a default is none of its settings.

    `says` is the sentence that a paper gets, and `tex` the formula; without them `cite` prints `formula`. In both the
    settings of conventions replace their names, {precision-denominator} or «precision-denominator», and so does
    the cutoff: {here} is "in the first 10 ranks", «K» is 10, or n where the list is read to its end. Settings that the
    sentence does not name follow it.

    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> class HitsPerLabel(plugin.Metric):
    ...     '''How many hits are there for each relevant label?'''
    ...     name = "hits_per_label"
    ...     says = "the number of relevant items {here} divided by the number of relevant labels"
    ...     tex = r"\frac{1}{R} \sum_{j=1}^{«K»} r_j"
    ...     def per_user(self, block: plugin.Block) -> plugin.Ratio:
    ...         return plugin.Ratio(block.hits_so_far.at(self.scope), block.relevant_count)
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["b", "c"]}, "hits_per_label@2")["hits_per_label@2"]
    0.5
    >>> rc.cite("hits_per_label@2").cited[0].formula
    'm = \\frac{1}{R} \\sum_{j=1}^{2} r_j'
    """

    name: ClassVar[str] = ""
    spellings: ClassVar[tuple[str, ...]] = ()
    """Other names by which it may be requested; the first is the one that presets use."""
    formula: ClassVar[str] = ""
    cite: ClassVar[str] = ""
    """The key of the paper or book that defines it, in the bibliography or in `paper`."""
    paper: ClassVar[Mapping[str, Any]] = {}
    """What `cite` is the key of, where the bibliography lacks it: title, authors, year, doi, url."""
    called: ClassVar[str] = ""
    """What a paper's sentence calls it: "average precision"; its name with spaces, unless given."""
    paper_names: ClassVar[tuple[str, ...]] = ()
    """How a paper writes names that it has in presets: "nDCG" for ndcg."""
    says: ClassVar[str] = ""
    """What it is of one user: "{hit-weight} {here} divided by {precision-denominator}"."""
    share: ClassVar[str] = ""
    """Of a count of hits: the metric whose mean is the share of users with a hit, which is often meant."""
    tex: ClassVar[str] = ""
    """Its value of one user as LaTeX; what may stand in it is described in `metrics/divisors.py`."""
    number_names: ClassVar[Mapping[str, str]] = {}
    """What an explanation calls the numbers that settings are, by convention: "p"; "read to rank {}" of a divisor."""
    signs: ClassVar[Mapping[str, str]] = {}
    """What the signs mean that its formula alone has."""
    linear: ClassVar[bool] = False
    """Whether it is linear in hits or gains, so that expected hits and gains give its expected value."""
    closed_form: ClassVar[bool] = False
    """Whether it is not linear, and `per_user` gives its expected value where `block.tie_rule` asks for it."""
    of_hit_count: ClassVar[bool] = False
    """Whether all that orders of tied rows change of it hangs on the number of hits down to the cutoff."""
    why_no_expectation: ClassVar[str] = ""
    """Why its expected value over all orders of tied rows is not computed, where neither of the three holds."""
    reads_labels: ClassVar[bool] = True
    """Whether labels enter it at all."""
    splits: ClassVar[bool] = True
    """Whether its denominator may be summed over users."""
    has_parts: ClassVar[bool] = False
    """Whether `per_user` gives several ratios, and a rule that combines them."""
    combine: ClassVar[Callable[..., Ratio] | None] = None
    """What makes one ratio of its parts, where it has parts: a method that `Parts` gets too."""
    part_names: ClassVar[tuple[str, ...]] = ()
    """What an explanation calls the parts: "P, precision"."""
    to_sum: ClassVar[str] = ""
    """What to write for a denominator that may be summed over users, where some settings have none."""
    named_first: ClassVar[tuple[str, ...]] = ()
    """The conventions that its signatures always name, where they apply."""
    lower_is_better: ClassVar[bool] = False
    """Whether the best list has the least value."""
    reads_below_cutoff: ClassVar[bool] = True
    """Whether rows below rank k are looked at; where not, they need not be matched at all."""
    cuts: ClassVar[bool] = True
    """Whether it can be read down to a rank, and not over the whole list alone."""
    written_as_cutoff: ClassVar[str] = ""
    """Of a metric without a cutoff: the convention whose setting is written after an @ elsewhere, in per cent."""
    divides_gains: ClassVar[bool] = False
    """Whether it divides sums of discounted gains, so that what all discounts have in common cancels."""
    rises: ClassVar[bool] = False
    """Whether it cannot fall when a better item moves up past a worse one, unless a setting says otherwise."""
    shares_ranks: ClassVar[bool] = True
    """Whether tied rows may share a rank."""
    compares_scores: ClassVar[bool] = False
    """Whether it looks at scores itself, and not at ranks alone."""
    reads_data: ClassVar[tuple[DataPart, ...]] = ()
    """What it reads itself of labels and run, besides relevance and ranks; a plugin's without it, all."""
    gains_are_probabilities: ClassVar[bool] = False
    """Whether a gain above 1 makes no sense."""
    undefined_by_order: ClassVar[bool] = False
    """Whether a user's value may be 0/0 in one order of their list and not in another."""
    needs: ClassVar[tuple[str, ...]] = ()
    """What the caller must give besides labels and lists, whatever the settings: `catalogue`, `train`, `features`."""
    of_groups: ClassVar[bool] = False
    """Whether it is of groups of items, so that `Ratio.groups` has the values of each."""
    of_all_lists: ClassVar[bool] = False
    """Whether it is one number of all lists together, and no user has one of their own."""
    directed: ClassVar[bool] = True
    """Whether one end of its range is the better one."""
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    """Between which values it is when nothing is repeated, labelled negatively or left out of its ideal."""

    k_accepted: Annotated[str, K_ACCEPTED]
    k_applies_to: Annotated[str, K_APPLIES_TO]
    k: int | None = None

    @classmethod
    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.name:
            return
        check_constants(cls)
        check_fields(cls)
        for word in (cls.name, *cls.__dict__.get("spellings", ())):
            taken = METRICS.get(strategy_of(word) or word)
            ours, theirs = ((one.__module__, one.__qualname__) for one in (cls, taken or cls))
            if taken is not None and ours != theirs:  # equal where a cell of a notebook is run again
                raise ConventionError(
                    f"the metric '{word}' is already defined by {place_of_class(taken)}",
                    do=rename("metric", taken.__module__),
                )
        METRICS[cls.name] = cls
        SPELLINGS.update(dict.fromkeys(cls.__dict__.get("spellings", ()), cls.name))
        Registry.changed()

    def unmet_requirements(self) -> Iterator[tuple[str, Requirement]]:
        """The settings that mean nothing, by convention: they require what that of another convention lacks."""
        for name, setting in self.settings.items():
            required = setting.traits.requires
            if required and not required.holds(self.settings[required.convention_name]):
                yield name, required

    def has_denominator(self) -> bool:
        """Whether its denominator may be summed over users, under these settings."""
        return self.splits

    def is_of_parts(self) -> bool:
        """Whether it is made of several ratios, under these settings."""
        return self.has_parts

    def is_better_low(self) -> bool:
        """Whether the best list has the least value, under these settings."""
        return self.lower_is_better

    @classmethod
    def own_settings(cls) -> dict[str, str]:
        """The settings that belong to the metric itself: the defaults of its fields."""
        fields = [(one, cls.default(name)) for name, one in cls.convention_fields.items() if one is not None]
        return {convention.name: convention.validate(text) for convention, text in fields if text is not MISSING}

    @classmethod
    def data_read(cls) -> frozenset[DataPart]:
        """What it reads itself of labels and run; all parts for a plugin's class that does not declare `reads_data`."""
        for one in cls.__mro__:
            if "reads_data" in vars(one):
                break
            if not is_own(one.__module__):
                return ALL_PARTS
        return frozenset[DataPart]((*cls.reads_data, *(("scores",) if cls.compares_scores else ())))

    @classmethod
    def keeps(cls, promise: str) -> bool:
        """Whether it promises this of its `per_user`: one that overrides the method must promise it anew."""
        promising = next(one for one in cls.__mro__ if promise in vars(one))
        return bool(getattr(cls, promise)) and promising.__dict__.get("per_user", cls.per_user) is cls.per_user

    @abstractmethod
    def per_user(self, block: Block) -> Ratio | Parts:
        """The value of each user of a prepared block, still undivided."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Its range under these settings."""
        return self.range

    @property
    def weighing(self) -> tuple[Setting, ...]:
        """The settings by which rows and labels count by their items; none where they do not."""
        return ()

    def refusal(self, block: Block) -> Reason | None:
        """Which users it refuses besides those that preparation does, and why; None where it refuses none."""
        return None

    def measure(self, block: Block) -> Ratio | Parts:
        """The value of each user, still undivided; of calls that are evaluated alone, what these come to."""
        if not block.evaluates_each_call:
            return self._of_lists(block)
        calls = block.once(separate_calls)
        return Ratio(*calls.value(block.part(values_of_calls, self), self.is_better_low()))

    def _of_lists(self, block: Block) -> Ratio | Parts:
        """The value of each list, still undivided; where each group is evaluated alone, the mean over their groups.

        A group for which the metric is 0/0 adds nothing to that mean, nor does one that weighs nothing.
        """
        if not block.preparation.separates_subtopics:
            return self._of_one_list(block)
        groups, value = block.once(separate_subtopics), block.part(values_of_groups, self)
        counts = (np.asarray(groups.weight, np.float64) > 0) & ~np.isnan(np.asarray(value, np.float64))
        weighted = np.where(counts, value, 0.0) * groups.weight
        return Ratio(groups.added(weighted), groups.total)

    def _of_one_list(self, block: Block) -> Ratio | Parts:
        """The value of each list, still undivided; the mean over the orders of its tied rows where that is needed."""
        return self.mean_over_counts(block) if self.is_of_counts(block) else self.per_user(block)

    def is_of_counts(self, block: Block) -> bool:
        """Whether tied rows count by expected values, which are those of the numbers of hits that orders allow."""
        return self.counts_hits_alone and not self.in_closed_form and block.averages_ties

    def mean_over_counts(self, block: Block) -> Ratio:
        """The mean over the numbers of hits down to the cutoff that orders of tied rows allow."""
        return Ratio(*mean_over_hits(block, self.scope, lambda one: self._undivided(self.per_user(one))))

    @staticmethod
    def _undivided(found: "Ratio | Parts") -> tuple[Numbers, Numbers]:
        ratio = found.ratio if isinstance(found, Parts) else found
        return ratio.numerator, ratio.denominator

    @property
    def scope(self) -> int | None:
        """The rank down to which the list is read; None for all of it."""
        return None if self.k_applies_to == "divisors-only" else self.k

    @until_registered
    def asks_for(self) -> dict[str, str]:
        """What the caller must give besides labels and lists, and the metric or the setting that asks for it."""
        askers = dict.fromkeys(self.needs, f"the metric {self.name}")
        for convention_name, setting in self.settings.items():
            for one in setting.whole:
                askers |= dict.fromkeys(one.traits.needs, f"{convention_name}={setting.text}")
        return askers

    def looks_at_subtopics(self, preparation: Preparation) -> bool:
        """Whether a list and its labels are copied for each group of labels, each of which is looked at alone."""
        return preparation.separates_subtopics or SUBTOPICS_NEEDED in self.asks_for

    @until_registered
    def rows_read(self) -> int | None:
        """The rank below which it looks at no row; None where it, or one of its settings, looks at whole lists."""
        given = (one for setting in self.settings.values() for one in setting.whole)
        deep = self.reads_below_cutoff or any(one.traits.reads_below_cutoff for one in given)
        return None if deep else self.scope

    @until_registered
    def in_closed_form(self) -> bool:
        """Whether `per_user` gives the expected value over all orders of tied rows, where these have expected values.

        It does where it is linear or has a closed form, and no setting of its own divides by hits or sorts rows.
        """
        counts = any(one.traits.counts_hits for setting in self.settings.values() for one in setting.whole)
        promised = self.keeps("linear") or self.keeps("closed_form")
        return promised and not (counts or self.reads_order)

    @until_registered
    def counts_hits_alone(self) -> bool:
        """Whether the number of hits down to the cutoff is all that orders of tied rows change, under its settings."""
        return self.keeps("of_hit_count") and not self.reads_order

    @until_registered
    def reads_order(self) -> bool:
        """Whether what one of its settings makes of a list may hang on the order of its tied rows."""
        return any(map(reads_order, self._whole_settings))

    @until_registered
    def reads_given_order(self) -> bool:
        """Whether that is so where tied rows have one rank too; a setting of which it is not so says reads_data=()."""
        return any(reads_order(one) and one.traits.reads_data is None for one in self._whole_settings)

    @property
    def _whole_settings(self) -> Iterator[Setting]:
        return (one for setting in self.settings.values() for one in setting.whole)

    @property
    def expected_tex(self) -> str:
        """Its expected value over all orders of tied rows as LaTeX, where it is not linear; see `tex`."""
        return ""

    def expectation(self, preparation: Preparation) -> Expectation:
        """What gives its expected value over all orders of the tied rows of lists that are prepared so."""
        if not self.reads_labels:
            return Expectation.BY_ITEM
        known = (self.in_closed_form or self.counts_hits_alone) and preparation.exchangeable
        return Expectation.CLOSED_FORM if known else Expectation.RELEVANT_LAST

    def divided_by(self, convention_name: str, block: Block, **more: Any) -> Numbers:
        """The divisor that a setting names, shape (users,); `more` is what the convention reads besides."""
        return block.part(divisor, self, convention_name, {"weighed": block} | more)

    def parameter(self, convention_name: str, block: Block) -> Any:
        """The number that is a setting."""
        return block.part(parameter, self, convention_name)

    @classmethod
    def about(cls) -> str:
        """Return what it computes, from the first line of its docstring."""
        first = (cls.__doc__ or "").strip().split("\n")[0].rstrip(".").removeprefix("Compute ")
        return first[:1].upper() + first[1:]


def _said_divisor(
    by: Numbers, block: Block, metric: Metric, convention_name: str, *_: Any
) -> Iterator[tuple[str, Numbers]]:
    words = words_of_divisor(metric.settings[convention_name], block, metric.k, metric.scope)
    yield metric.number_names.get(convention_name, "{}").format(words), by


@said_as(by=_said_divisor)
def divisor(block: Block, metric: Metric, convention_name: str, more: Mapping[str, Any]) -> Numbers:
    """The divisor that a setting of the metric names, shape (users,)."""
    setting = metric.settings[convention_name]
    return block.numbers(setting(block=block, k=metric.k, scope=metric.scope, inside=False, **more))


def _said_parameter(value: Any, block: Block, metric: Metric, convention_name: str) -> Iterator[tuple[str, Any]]:
    if convention_name in metric.number_names:
        yield metric.number_names[convention_name], value


@said_as(by=_said_parameter)
def parameter(block: Block, metric: Metric, convention_name: str) -> Any:
    """The number that a setting of the metric is."""
    return block.number(metric.settings[convention_name]())


def _said_calls(values: Numbers, block: Block, metric: Metric) -> Iterator[tuple[str, Any]]:
    return ((f"call {name}", value) for name, value in zip(block.once(separate_calls).called, values, strict=True))


@said_as(by=_said_calls)
def values_of_calls(block: Block, metric: Metric) -> Numbers:
    """The value of each call, shape (calls,)."""
    found = metric._of_lists(block.once(separate_calls).block)
    return (found.ratio if isinstance(found, Parts) else found).value


def _said_groups(values: Numbers, block: Block, metric: Metric) -> Iterator[tuple[str, Any]]:
    return (
        (f"group {name}", value) for name, value in zip(block.once(separate_subtopics).names(), values, strict=True)
    )


@said_as(by=_said_groups)
def values_of_groups(block: Block, metric: Metric) -> Numbers:
    """The value of each group, shape (groups,)."""
    found = metric._of_one_list(block.once(separate_subtopics).block)
    return (found.ratio if isinstance(found, Parts) else found).value


class TopKMetric(Metric):
    """What metrics share that look at no row below rank k."""

    reads_below_cutoff: ClassVar[bool] = False
