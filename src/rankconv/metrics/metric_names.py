"""Names of metrics: the words of other systems that spell them, and the error for a word that is none."""

import re

from rankconv.basics.errors import RankconvError, likely, not_among
from rankconv.metrics.base import METRICS, SPELLINGS, strategy_of

_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|-")
_ENDS = re.compile(r"_(at_k|score|metric)$")


def strategy_spelt(word: str) -> str | None:
    """The strategy that a name of another system spells, if there is one: of `HitRate`, `NDCGAtK` or `recall_at_k`.

    >>> strategy_spelt("NDCGAtK"), strategy_spelt("average_precision_at_k"), strategy_spelt("precision_at_10")
    ('ndcg', 'average_precision', None)
    """
    words = _WORDS.sub("_", word).lower()
    return strategy_of(word.lower()) or strategy_of(words) or strategy_of(_ENDS.sub("", words))


def words_of(name: str) -> list[str]:
    """The name of a strategy, and what else spells it."""
    return [name, *(word for word, spelt in SPELLINGS.items() if spelt == name)]


ALL_METRICS = ("rc.list_metrics()", "rankconv list metrics")
"""What lists them, in Python and a shell."""


def unknown_metric(word: str, where: str = "") -> RankconvError:
    """The error for a word that is no strategy."""
    return not_among("metric", word, likely(word, [*METRICS, *SPELLINGS]), ALL_METRICS, where=where)
