r"""What metrics share: cutoffs, the one table of divisors, and the sums and signs of formulas.

In the TeX of a metric or a setting, what depends on the definition is between « and »: a convention («gain»), a
parameter of the setting («base»), or the cutoff: «K» down to which the list is read, «k» in divisors, «rows» and
«shorter», which are these or the length of the list, whichever is less. A missing cutoff is n, or what is after
a bar («k|I»). «gain:i» is the gain at rank i in place of j, «gain:*» that of the ideal list.
"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Numbers
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import said_as

HITS_WORTH = r"\sum_{j=1}^{«K»} «hit-weight»"
WEIGHED_HITS = r"\sum_{j=1}^{«K»} «hit-weight»«item-weight»"
HITS = r"\sum_{j=1}^{«K»} r_j"
MISSES = r"\sum_{j=1}^{«rows»} (1 - r_j)"
DCG_OF_LIST = r"\sum_{j=1}^{«K»} \frac{«gain»«item-weight»}{«discount»}"
DCG_OF_IDEAL = r"\sum_{j=1}^{«ideal-cutoff»} \frac{«ideal»«item-weight:*»}{«discount»}"
PRECISIONS = r"\sum_{j=1}^{«K»} r_j P_j"
READ_ON = r"\prod_{i=1}^{j-1}"

HIT_CHANCE = r"\min\left(1, \frac{h_j}{t_j - i_j + 1}\right)"

SIGNS: Mapping[str, str] = {
    "r_j": "1 if the item at rank j is relevant, else 0",
    "g_j": "the grade of the item at rank j",
    r"r^{*}_j": "the same of the ideal list",
    r"g^{*}_j": "the grade at rank j of the ideal list",
    "v_j": "the weight of the item at rank j",
    r"v^{*}_j": "the same of the ideal list",
    "q_j": "1 if the item at rank j is judged, else 0",
    "P_j": "the precision of the first j ranks",
    "H_j": "the number of relevant items in the first j ranks",
    "m_j": "the number of judged items above rank j that are not relevant",
    "d_j": "the number of items above rank j that were pooled",
    r"\ell_j": "1 if the row of the first j ranks that was given last is relevant, else 0",
    "n": "the length of the list",
    "R": "the number of relevant labels",
    r"\bar{R}": "the number of labels that are not relevant",
    "N": "the number of items in the catalogue",
    "I": "the length of the ideal list",
    "s_a": "the score of row a",
    "j_a": "the rank of row a",
    "G_j": "the gain down to rank j and with it",
    r"\nu^{*}_j": "what the item at rank j adds to the ideal list",
    "I_L": "the number of different items in the lists",
}
"""What the signs of lists and labels mean; a metric or a setting says next to its TeX what its own ones do."""

OF_TIES: Mapping[str, str] = {
    "t_j": "the number of items that are tied with the one at rank j, itself included",
    "h_j": "the number of relevant ones among them",
    "i_j": "the place of rank j among their ranks, from 1",
    "A_j": "the number of relevant items above all of them",
    "c_j": "the probability of a relevant item at rank j if there is none above",
}
"""What the signs of expected values over all orders of tied items mean."""


K_ACCEPTED = Convention("k-accepted", "Whether the metric has a cutoff k", closed=True)


@K_ACCEPTED.idle("")
def _(context: Context) -> bool:
    """It says in which form a metric is offered."""
    return True


@K_ACCEPTED.setting("optional", rule="with k or over the whole list", formula_tells=True, with_k=True, without_k=True)
def _() -> None:
    """Both exist."""


@K_ACCEPTED.setting("required", rule="only with k", formula_tells=True, with_k=True)
def _() -> None:
    """The system has no form without a cutoff."""


@K_ACCEPTED.setting("at-least", rule="only with a k of at least n", formula_tells=True, with_k=True)
def _(least: Annotated[int, Within(2, 1e6)]) -> None:
    """The system fails at the first cutoffs."""


@K_ACCEPTED.setting("never", rule="only over the whole list", formula_tells=True, without_k=True)
def _() -> None:
    """The system has no form with a cutoff."""


K_APPLIES_TO = Convention("k-applies-to", "What the cutoff applies to", closed=True, tells="a list longer than k")


@K_APPLIES_TO.idle("", by="k")
def _(context: Context) -> bool:
    """Without a cutoff it cuts nothing."""
    return context.k is None


@K_APPLIES_TO.idle("lists are cut at their depth", by="max-depth")
def _(context: Context) -> bool:
    return context.traits("max-depth").reads_cutoff


@K_APPLIES_TO.setting("ranking-and-divisors", rule="the list, and k in divisors", formula_tells=True, no="")
def _() -> None:
    """Rows below rank k are not read."""


@K_APPLIES_TO.setting(
    "divisors-only",
    rule="only k in divisors and ideal lists",
    cite="recommenders",
    says="the cutoff {k} concerns divisors and ideal lists alone; lists are read whole",
)
def _() -> None:
    """The whole list is read, so a value above 1 is possible."""


DIVISOR = Convention(
    "divisor",
    "Divisor of a sum",
    reads=("block", "k", "scope", "inside"),
    is_table=True,
    phrase=True,
    tells="a list shorter than k, or fewer relevant labels than k",
)
"""The table of divisors that several conventions share; a setting gives each user's divisor, shape (users,).
Inside `min(…)` a missing k is infinite."""


@DIVISOR.setting(
    "k",
    rule="k; without k, the length of the list",
    says="{k}",
    tex="«k»",
    called="k",
    called_without_k="length of the list",
)
def _(block: Block, k: int | None, inside: bool) -> Numbers:
    """Also where the list is shorter."""
    if k is None:
        return np.full(block.size, np.inf) if inside else block.lengths
    return np.full(block.size, float(k))


@DIVISOR.setting(
    "length", rule="the length of the list", says="the length of the list", tex="n", called="length of the list"
)
def _(block: Block) -> Numbers:
    """All its rows, whatever the cutoff."""
    return block.lengths


@DIVISOR.setting(
    "relevant",
    rule="R, the relevant labels that exist",
    says="the number of relevant labels",
    tex="R",
    called="R, the relevant labels",
)
def _(block: Block) -> Numbers:
    """Returned or not."""
    return block.relevant_count


@DIVISOR.setting(
    "hits",
    rule="the hits that the metric reads, plus epsilon",
    counts_hits=True,
    says="the number of relevant items found{epsilon:? plus }",
    tex=r"\sum_{j=1}^{«K»} r_j«epsilon:? + »",
    called="hits",
)
def _(block: Block, scope: int | None, *, epsilon: Annotated[float, Within(0, 1e6)] = 0) -> Numbers:
    """Those within the cutoff."""
    return block.hits_so_far.at(scope) + epsilon


@DIVISOR.setting(
    "hits-in-ranking",
    rule="the hits of the whole list",
    counts_hits=True,
    reads_below_cutoff=True,
    says="the number of relevant items in the whole list",
    tex=r"\sum_{j=1}^{n} r_j",
    called="hits in the whole list",
)
def _(block: Block) -> Numbers:
    """Also those below the cutoff."""
    return block.hits_so_far.whole


@DIVISOR.setting(
    "relevant-grades",
    reads_data=("grades",),
    rule="the sum of the grades of the relevant labels",
    cite="torchmetrics",
    tex=r"\sum_{i} r^{*}_i g^{*}_i",
    called="grades of the relevant labels",
)
def _(block: Block) -> Numbers:
    """What recall is divided by where a hit counts its grade."""
    return block.relevant_grade_sum


@DIVISOR.setting("one", rule="1", tex="1", called="1")
def _(block: Block) -> Numbers:
    """Not divided at all."""
    return np.ones(block.size)


@DIVISOR.setting("min", rule="the least of its parts", says="{of:the lesser of|the least of}", tex=r"«of:\min»")
def _(*of: Annotated[Callable[..., Numbers], DIVISOR]) -> Numbers:
    """Such as `min(k, relevant)`."""
    return np.asarray(np.min([part(inside=True) for part in of], axis=0))


DIVISOR.also(gamma="relevant", rho="length")  # Bellei 2017


def counts_hits(setting: Setting) -> bool:
    """Whether a divisor or a rank depends on how many hits a list has, and where."""
    return any(one.traits.counts_hits for one in setting.whole)


@said_as("divided by")
def divided_by(block: Block, setting: Setting, given: Mapping[str, Any]) -> Numbers:
    """What a setting that is no row of the table divides by, shape (users,); `given` is what it reads."""
    return block.numbers(setting(**given))


def words_of_divisor(setting: Setting, block: Block, k: int | None, scope: int | None) -> str:
    """What a divisor is called where it has a value: "R, the relevant labels", "min(k, R) = min(3, 4)"."""
    if setting.setting_type.name != "min":
        return _called(setting, k)
    parts = [part for part in setting.inner if part.text != "k" or k is not None] or [DIVISOR("k")]
    if len(parts) == 1:
        return words_of_divisor(parts[0], block, k, scope)
    values = [block.numbers(part(block=block, k=k, scope=scope, inside=True))[0] for part in parts]
    names = ", ".join(words_of_divisor(part, block, k, scope).split(",")[0] for part in parts)
    return f"min({names}) = min({', '.join(f'{float(value):g}' for value in values)})"


def sign_of_divisor(setting: Setting, k: int | None) -> str:
    """A divisor as it is written in a formula: "min(3, R)"; "1" where nothing is divided."""
    if setting.text == "min":
        return setting.setting_type.rule.partition("), ")[0] + ")"
    text = re.sub(r"\brelevant\b", "R", setting.text).replace("one", "1")
    return text if k is None else re.sub(r"\bk\b", str(k), text)


def _called(setting: Setting, k: int | None) -> str:
    words = (setting.traits.called_without_k if k is None else "") or setting.traits.called or setting.text
    given = setting.keywords.items()
    words = words.format(**{name: one.text if isinstance(one, Setting) else f"{one:g}" for name, one in given})
    epsilon = setting.keywords.get("epsilon", 0)
    return words + (f" + {epsilon:g}" if epsilon else "")
