"""How lists share a catalogue: coverage, Gini, entropy and personalisation."""

from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import LogBase
from rankconv.data.arrays import Mask, Numbers, log
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import ITEM_NUMBER, ROW_WEIGHT, ShownRows, SystemLevelMetric, added
from rankconv.preparation.blocks.block import Block

COVERAGE_OF = Convention(
    "coverage-of", "Items that are counted as covered", reads=("shown",), phrase=True, tells="an item that is new"
)
"""A setting says it of each row, shape (rows,)."""


@COVERAGE_OF.setting("any", rule="all", counted_by=(), says="items", tex="")
def _(shown: ShownRows) -> Mask:
    """Also those that neither catalogue nor training knows."""
    return np.ones(len(shown.item), bool)


@COVERAGE_OF.setting(
    "in-train",
    rule="items of training",
    needs=("train",),
    counted_by=("in-train",),
    tex=r" \cap T_I",
    signs={"T_I": "the items of training"},
)
def _(shown: ShownRows) -> Mask:
    """So that the share is at most 1 where it is one of training."""
    return shown.of_items("in-train")


COVERAGE_DENOMINATOR = Convention(
    "coverage-denominator", "Divisor of the number of covered items", options_of=ITEM_NUMBER
)
SHOWN = r"\left| \bigcup_{u \in U} L_u"
SIGNS = {"L_u": "the items in the list of user u, down to the cutoff"}


class Coverage(SystemLevelMetric):
    """Compute the share of the catalogue in all lists together.

    The different items in the first k of all lists, divided by the items there are. Range 0 to 1 where all returned
    items are among these. One number; no user has one. No end is the better one. NaN where there are no items.
    Source: Ge, Delgado-Battenfeld and Jannach, RecSys 2010; the forms as presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "b"], "v": ["b"]}, "coverage@1", catalogue=8)["coverage@1"]
    0.25
    """

    name = "coverage"
    cite = "ge2010"
    spellings = ("item_coverage",)
    formula = "different items in all lists / coverage-denominator"
    called = "catalogue coverage"
    says = "the number of different {coverage-of} {here} of at least one user, divided by {coverage-denominator}"
    tex = rf"\frac{{{SHOWN}«coverage-of» \right|}}{{«coverage-denominator»}}"
    signs = SIGNS
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    counted_by: ClassVar[tuple[str, ...]] = ()
    coverage_of: Annotated[str, COVERAGE_OF]
    coverage_denominator: Annotated[str, COVERAGE_DENOMINATOR]

    def of_lists(self, shown: ShownRows) -> Ratio:
        covered = len(np.unique(shown.item[self.settings["coverage-of"](shown=shown)]))
        numbers = [[covered], [self.settings["coverage-denominator"](shown=shown)]]
        return Ratio(*(shown.numbers(np.array(one, np.float64)) for one in numbers))


class RelevantCoverage(SystemLevelMetric):
    """Compute the share of all relevant items that are a hit of somebody.

    The different items that are relevant to a user and in the first k of that user's list, divided by the different
    items that are relevant to any user. Range 0 to 1. One number; no user has one. NaN without a relevant label.
    Source: napkinXC 0.7.2, coverage_at_k.

    >>> import rankconv as rc
    >>> labels, run = {"u": ["a", "b"], "v": ["b", "c"]}, {"u": ["x", "b"], "v": ["b"]}
    >>> rc.evaluate(labels, run, "relevant_coverage@2")["relevant_coverage@2"]
    0.3333333333333333
    """

    name = "relevant_coverage"
    cite = "napkinxc"
    why_no_expectation = "an item that two users share is counted once"
    formula = "different items that are hits / different relevant items"
    called = "coverage of relevant items"
    says = (
        "the number of different items that are relevant to a user and {here} of that user, divided by the number of "
        "different items that are relevant to any user"
    )
    tex = r"\frac{\left| \bigcup_{u \in U} L_u \cap R_u \right|}{\left| \bigcup_{u \in U} R_u \right|}"
    signs: ClassVar[dict[str, str]] = {**SIGNS, "R_u": "the items that are relevant to user u"}
    reads_labels: ClassVar[bool] = True
    directed: ClassVar[bool] = True
    counted_by: ClassVar[tuple[str, ...]] = ("rank",)

    def shown(self, block: Block, users: Mask) -> ShownRows:
        """The hits of these users, with their rank, and their relevant labels, with rank 0."""
        place, user = np.nonzero((block.hits_by_rank > 0) & block.read_to(self.scope) & users)
        known = block.known
        wanted = known.item[known.relevant & users[known.user]]
        item = np.concatenate([block.items_by_rank[place, user], wanted])
        rank = np.concatenate([place + 1, np.zeros(len(wanted), np.int64)])
        return ShownRows(block.joined, item, rank, np.ones(len(item), np.int64), int(users.sum()), self.k)

    def of_lists(self, shown: ShownRows) -> Ratio:
        wanted = shown.rank == 0
        numbers = (len(np.unique(shown.item[rows])) for rows in (~wanted, wanted))
        return Ratio(*(shown.numbers(np.array([float(number)])) for number in numbers))


class ItemsShown(SystemLevelMetric):
    """Compute the number of different items in all lists together.

    A number of items, in the first k of all lists. One number; no user has one. No end is the better one.
    Source: Adomavicius and Kwon, TKDE 24(5), 2012, who call it aggregate diversity.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "b"], "v": ["b"]}, "items_shown@1")["items_shown@1"]
    2.0
    """

    name = "items_shown"
    cite = "adomavicius2012"
    formula = "different items in all lists"
    called = "number of items shown"
    says = "the number of different items {here} of at least one user"
    tex = rf"{SHOWN} \right|"
    signs = SIGNS
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    counted_by: ClassVar[tuple[str, ...]] = ()

    def of_lists(self, shown: ShownRows) -> Ratio:
        return Ratio(shown.numbers(np.array([float(shown.items)])), shown.numbers(np.ones(1)))


GINI_ITEMS = Convention("gini-items", "Items of the Gini coefficient", options_of=ITEM_NUMBER)
GINI_DENOMINATOR = Convention(
    "gini-denominator",
    "Divisor of the Gini coefficient of n items",
    reads=("items",),
    phrase=True,
    tells="items that are not shown equally often",
)
"""A setting gives a number."""


@GINI_DENOMINATOR.setting("items", rule="n", tex="n")
def _(items: float) -> float:
    """At most 1 - 1/n."""
    return items


@GINI_DENOMINATOR.setting("items-less-one", rule="n - 1", cite="evidently", tex="(n - 1)")
def _(items: float) -> float:
    """1 where all rows show one item."""
    return items - 1


GINI_FORM = Convention(
    "gini-form", "Gini coefficient, or one minus it", reads=("top", "bottom"), tells="items that are shown unevenly"
)
"""A setting gives the numerator, shape (1,), from that of the coefficient and its denominator."""


@GINI_FORM.setting("plain", rule="as it is", no="", tex="G")
def _(top: Numbers) -> Numbers:
    """High where few items have most of the rows."""
    return top


class Gini(SystemLevelMetric):
    """Compute the Gini coefficient of the items' frequencies in all lists.

    The Gini coefficient of how often each item occurs in the first k of a list: 0 where all are shown equally often,
    towards 1 where few have most. `row-weight` counts a row by its rank. One number; no user has one. No end is the
    better one. NaN where nothing is shown, or where n - 1 divides and there is one item.
    Source: Gini, 1912; Fleder and Hosanagar, Management Science 55(5), 2009; the forms as presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a"], "v": ["a"]}, "gini@1", catalogue=4)["gini@1"]
    0.75
    """

    name = "gini"
    cite = "fleder2009"
    spellings = ("gini_index",)
    formula = "sum of (2i - n - 1) · x_i / (gini-denominator · sum of x_i), x_i rising"
    called = "Gini coefficient of exposure"
    says = (
        "the sum of (2i - n - 1) x_i over {gini-denominator} times the sum of x_i, where x_i are the weights of "
        "the rows "
        "{here} of all users that show an item, by rising weight, and n is {gini-items}"
    )
    tex = (
        r"«gini-form», \quad G = \frac{\sum_{i=1}^{n} (2i - n - 1) x_i}{«gini-denominator» \sum_{i=1}^{n} x_i}, \quad "
        r"n = «gini-items»"
    )
    signs: ClassVar[dict[str, str]] = {"x_i": "the rows of all lists that show item i, by rising number"}
    counted_by: ClassVar[tuple[str, ...]] = ()
    gini_items: Annotated[str, GINI_ITEMS]
    gini_denominator: Annotated[str, GINI_DENOMINATOR]
    gini_form: Annotated[str, GINI_FORM]
    row_weight: Annotated[str, ROW_WEIGHT]

    def of_lists(self, shown: ShownRows) -> Ratio:
        settings = self.settings
        ranks = np.arange(1.0, int(shown.rank.max(initial=0)) + 1)
        weights = np.append(0.0, settings["row-weight"](ranks=ranks))
        rising = shown.numbers(np.sort(shown.weighed(shown.rank, weights)))
        count = float(settings["gini-items"](shown=shown))
        place = np.arange(count - len(rising), count) + 1
        top: Any = added(np.asarray((2 * place - count - 1) * rising))
        bottom = settings["gini-denominator"](items=count) * added(rising)
        sides = (shown.numbers(np.array([one])) for one in (top, bottom))
        numerator, denominator = sides
        return Ratio(settings["gini-form"](top=numerator, bottom=denominator), denominator)


ENTROPY_OF = Convention(
    "entropy-of",
    "Distribution of the entropy",
    reads=("shown",),
    phrase=True,
    tells="lists of different lengths",
)
"""A setting gives what each item weighs, shape (items,), summing to 1."""


@ENTROPY_OF.setting("rows", rule="rows of all lists", counted_by=(), tex="p_i")
def _(shown: ShownRows) -> Numbers:
    """Shannon's entropy."""
    return np.asarray(shown.counts / shown.rows)


ENTROPY_LOG = Convention("entropy-log", "Logarithm of the entropy", reads=("shares",), phrase=True, tells="two items")
"""A setting gives the logarithm of shares, both of shape (items,)."""


@ENTROPY_LOG.setting("log", rule="to this base", says="{base:log}", tex="«base:log»")
def _(shares: Numbers, *, base: LogBase) -> Numbers:
    """Bits for base 2."""
    return np.asarray(log(shares, base))


ENTROPY_LOG.also(log2="log(base=2)", ln="log(base=e)")

ENTROPY_DENOMINATOR = Convention(
    "entropy-denominator",
    "Divisor of the entropy",
    reads=("shown", "logarithm"),
    phrase=True,
    tells="two items or more",
)
"""A setting gives a number."""


@ENTROPY_DENOMINATOR.setting("one", rule="1", tex="1")
def _() -> float:
    """The plain entropy."""
    return 1.0


@ENTROPY_DENOMINATOR.setting(
    "most",
    rule="the entropy that as many items have if they are shown equally often",
    counted_by=(),
    tex=r"«entropy-log» I_L",
)
def _(shown: ShownRows, logarithm: Any) -> float:
    """At most 1."""
    return float(logarithm(shares=np.array([float(shown.items)]))[0])


class ShannonEntropy(SystemLevelMetric):
    """Compute the entropy of the items' frequencies in all lists.

    The entropy of the share of rows, in the first k of all lists, that show an item; log2 of their number where all
    are shown equally often, 0 where all rows show one. One number; no user has one. No end is the better one.
    Source: Shani and Gunawardana, Evaluating Recommendation Systems, 2011; the forms as presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "b"], "v": ["c", "d"]}, "entropy@2")["entropy@2"]
    2.0
    """

    name = "entropy"
    cite = "shani2011"
    spellings = ("shannon_entropy",)
    formula = "-sum of p_i · log(p_i) / entropy-denominator"
    called = "Shannon entropy of exposure"
    says = (
        "the mean over the {entropy-of} of -{entropy-log}(p_i), divided by {entropy-denominator}, p_i being the "
        "share of "
        "the rows {here} of all users that show the item of the row"
    )
    tex = r"-\frac{1}{«entropy-denominator»} \sum_i «entropy-of» «entropy-log» p_i"
    signs: ClassVar[dict[str, str]] = {"p_i": "the share of the rows of all lists that show item i"}
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    counted_by: ClassVar[tuple[str, ...]] = ()
    entropy_of: Annotated[str, ENTROPY_OF]
    entropy_log: Annotated[str, ENTROPY_LOG]
    entropy_denominator: Annotated[str, ENTROPY_DENOMINATOR]

    def of_lists(self, shown: ShownRows) -> Ratio:
        settings, rows = self.settings, shown.rows
        shares = shown.numbers(shown.counts) / shown.numbers(np.array([float(rows)]))
        weights = shown.numbers(settings["entropy-of"](shown=shown))
        total: Any = added(np.asarray(-(weights * settings["entropy-log"](shares=shares))))
        divisor = settings["entropy-denominator"](shown=shown, logarithm=settings["entropy-log"])
        return Ratio(shown.numbers(np.array([total])), shown.numbers(np.array([float(divisor)])))


LIST_OVERLAP = Convention(
    "list-overlap",
    "Similarity of two lists",
    reads=("shown",),
    phrase=True,
    tells="lists shorter than k",
)
"""A setting gives the sum of the likeness over all ordered pairs of two different lists."""


@LIST_OVERLAP.setting(
    "cosine",
    rule="the number of items that they share over the square root of their lengths, multiplied",
    counted_by=("of",),
    tex=r"\frac{|L_u \cap L_v|}{\sqrt{|L_u| |L_v|}}",
)
def _(shown: ShownRows) -> float:
    """The cosine of two lists as vectors of ones and zeros."""
    lengths = np.arange(int(shown.of.max(initial=0)) + 1)
    total = added(shown.weighed(shown.of, 1 / np.sqrt(np.maximum(lengths, 1))) ** 2)
    return float(total) - shown.lists


class Personalisation(SystemLevelMetric):
    """Compute the mean dissimilarity of the lists of two users.

    1 minus the mean likeness of two lists, over all pairs of users, each list down to rank k: 0 where all are equal, 1
    where no two share an item. One number; no user has one. No end is the better one. NaN for a single list.
    Source: recmetrics 0.1.5, recmetrics/metrics.py; the forms as presets cite them.

    >>> import rankconv as rc
    >>> found = rc.evaluate({"u": ["a"]}, {"u": ["a", "b"], "v": ["b", "c"]}, "personalisation@2")
    >>> round(found["personalisation@2"], 4)
    0.5
    """

    name = "personalisation"
    spellings = ("personalization",)
    formula = "1 - mean likeness of two lists"
    says = (
        "1 minus the mean over all pairs of two users of the likeness of their lists, read {here}, which is "
        "{list-overlap}"
    )
    tex = r"1 - \frac{1}{\left|U\right| (\left|U\right| - 1)} \sum_{u \neq v} «list-overlap»"
    signs: ClassVar[dict[str, str]] = {"L_u": "the items in the list of user u, down to the cutoff"}
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    counted_by: ClassVar[tuple[str, ...]] = ()
    list_overlap: Annotated[str, LIST_OVERLAP]

    def of_lists(self, shown: ShownRows) -> Ratio:
        pairs = float(shown.lists * (shown.lists - 1))
        sides: Any = (pairs - self.settings["list-overlap"](shown=shown) if pairs else 0.0, pairs)
        top, bottom = (shown.numbers(np.array([float(one)])) for one in sides)
        return Ratio(top, bottom)
