"""Cutoffs, and the one table of divisors that precision, recall, AP and R-precision share."""

import re
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.preparation.block import Block
from rankconv.specs.convention import Context, Convention, Setting
from rankconv.specs.parameters import Within

CUTOFF = Convention("k-accepted", "Whether the metric has a cutoff k", closed=True)


@CUTOFF.idle("")
def _(context: Context) -> bool:
    """It says in which form a metric is offered."""
    return True


@CUTOFF.setting("optional", rule="with k or over the whole list", formula_tells=True, with_k=True, without_k=True)
def _() -> None:
    """Both exist."""


@CUTOFF.setting("required", rule="only with k", formula_tells=True, with_k=True)
def _() -> None:
    """The system has no form without a cutoff."""


@CUTOFF.setting("never", rule="only over the whole list", formula_tells=True, without_k=True)
def _() -> None:
    """The system has no form with a cutoff."""


CUTOFF_SCOPE = Convention("k-applies-to", "What the cutoff applies to", closed=True, tells="a list longer than k")


@CUTOFF_SCOPE.idle("", by="k")
def _(context: Context) -> bool:
    """Without a cutoff it cuts nothing."""
    return context.k is None


@CUTOFF_SCOPE.idle("lists are cut at their depth", by="max-depth")
def _(context: Context) -> bool:
    return bool(context.trait("max-depth", "reads_cutoff"))


@CUTOFF_SCOPE.setting("ranking-and-divisors", rule="the list, and k in divisors", formula_tells=True, no="")
def _() -> None:
    """Rows below rank k are not read."""


@CUTOFF_SCOPE.setting(
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
    rule="k; the length of the list where there is no k",
    says="{k}",
    tex="«k»",
    called="k",
    without_k="length of the list",
)
def _(block: Block, k: int | None, inside: bool) -> Numbers:
    """Also where the list is shorter."""
    if k is None:
        return np.full(block.size, np.inf) if inside else block.lengths
    return np.full(block.size, float(k))


@DIVISOR.setting(
    "length", rule="the length of the judged list", says="the length of the list", tex="n", called="length of the list"
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
    return any(one.trait("counts_hits") for one in setting.whole)


def divisor(
    setting: Setting, block: Block, k: int | None, scope: int | None, said: str = "{}", **more: Numbers
) -> Numbers:
    """What to divide by, shape (users,); an explanation says it as `said` has it."""
    by = block.numbers(setting(block=block, k=k, scope=scope, inside=False, **more))
    block.says(lambda: said.format(words_of_divisor(setting, block, k, scope)), by)
    return by


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
    traits = setting.setting_type.traits
    words = str(traits.get("without_k" if k is None and "without_k" in traits else "called", setting.text))
    words = words.format(**{name: _as_named(value) for name, value in setting.keywords.items()})
    epsilon = setting.keywords.get("epsilon", 0)
    return words + (f" + {epsilon:g}" if epsilon else "")


def _as_named(value: Any) -> str:
    """A parameter inside the words for a divisor."""
    return value.text if isinstance(value, Setting) else f"{value:g}"
