"""The registry of grammars: what reads the names of metrics that a system itself writes.

A preset declares one by its name, `native-names: ir_measures`; presets that extend it have it too. A grammar gets the
whole text that was requested, and says which numbers of that preset it asks for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rankconv.basics.errors import unknown
from rankconv.basics.registries import LazyRegistry
from rankconv.conventions.spec import Spec


@dataclass(frozen=True)
class NativeName:
    """One number in the words of a system: a metric of its preset, with settings, at a cutoff."""

    text: str
    """The words that ask for this number alone."""
    metric: str
    """The metric as the preset calls it: a key, a name under `called`, or a nickname of several metrics."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What its parameters are in the conventions."""
    k: int | None = None

    @property
    def spec(self) -> Spec:
        """The same in the words of rankconv."""
        return Spec(None, self.metric, tuple(self.settings.items()), (self.k,))


Grammar = Callable[[str], Sequence[NativeName] | None]
"""The numbers that a text asks for; None where it is not of the system's words, and a MetricError where it is and the
system, or its preset, does not give that number."""
GRAMMARS = LazyRegistry[Grammar]()
for _name in "cwl_eval elasticsearch ir_measures mteb ranx sentence_transformers torchmetrics trec_eval".split():
    GRAMMARS.defer(f"{__package__}.{_name}_names", [_name])


def native_names(system: str) -> Callable[[Grammar], Grammar]:
    """Register the grammar of a system, which presets declare as `native-names: system`.

    Parameters
    ----------
    system : str
        The name of the grammar, which is that of the preset that shows it.

    Returns
    -------
    callable
        The decorator of a function from a text to the numbers that it asks for, or to None.

    Examples
    --------
    >>> import re
    >>> from rankconv import plugin
    >>> @plugin.native_names("example")
    ... def read(text):
    ...     '''`top10-hits`: hits down to a cutoff.'''
    ...     found = re.fullmatch(r"top(\\d+)-hits", text)
    ...     return found and [plugin.NativeName(text, "hit_count", k=int(found[1]))]
    """

    def register(grammar: Grammar) -> Grammar:
        GRAMMARS[system] = lru_cache(maxsize=1024)(grammar)
        return grammar

    return register


def grammar_named(name: str) -> Grammar:
    """The grammar that a preset declares; a ConventionError for an unknown one."""
    grammar: Grammar | None = GRAMMARS.get(name)
    if grammar is None:
        raise unknown("grammar of native names", name, GRAMMARS)
    return grammar
