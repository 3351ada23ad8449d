"""The description of definitions for a paper."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from rankconv.analysis.identify.candidates import at_cutoff
from rankconv.basics.errors import MetricError, RankconvError
from rankconv.conventions.spec import BETWEEN
from rankconv.conventions.spec import at_cutoff as metric_at
from rankconv.engine.saved_result import SavedDefinition
from rankconv.evaluation.citing.citations import Cited, Methods
from rankconv.evaluation.results.result import Result
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition, fingerprint
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE, list_presets, readable
from rankconv.presets.preset_registry import preset as find_preset


def cite(metrics: Metrics, preset: str | Preset | None = None) -> Methods:
    r"""Describe definitions for a paper, in words, formulas and citations.

    Parameters
    ----------
    metrics : MetricLike
        As in `rc.evaluate`.
    preset : str, path or Preset, optional
        The preset of metrics that name none.

    Returns
    -------
    Methods
        For each definition a paragraph with every setting, the formula, the sources, the signature, and the fingerprint
        (none where a setting is a Python function). `result.methods()` adds who was counted.

    Raises
    ------
    ConventionError, MetricError
        As in `rc.evaluate`.

    Examples
    --------
    >>> import rankconv as rc
    >>> (cited,) = rc.cite("mllib:precision@10")
    >>> print(cited.paragraph.split(". ")[3])
    The precision of a user is the number of relevant items in the first 10 ranks divided by 10
    >>> print(cited.formula)
    m = \frac{\sum_{j=1}^{10} r_j}{10}
    """
    chosen = find_preset(HOUSE if preset is None else preset)
    return Methods(tuple(map(Cited, define(metrics, chosen).values())))


CUTOFFS = (*range(1, 101), 200, 500, 1000)
"""At which cutoffs definitions are looked for, and without one."""
SHORTEST = 4
"""Digits of a fingerprint that are needed at least."""
CitedDefinition = tuple[str, Definition | SavedDefinition]
"""A fingerprint, and what has it."""


class FoundDefinition(TypedDict):
    """A definition found by its fingerprint."""

    fingerprint: str
    definition: str
    also: list[str]
    """Other names of the same definition."""


@dataclass(frozen=True)
class Found:
    """A definition found by its fingerprint."""

    fingerprint: str
    definition: Definition | SavedDefinition
    also: tuple[str, ...] = ()
    """Other names of the same definition."""

    @property
    def text(self) -> str:
        """The definition as a spec, which every command reads."""
        return self.definition.text

    def to_dict(self) -> FoundDefinition:
        """Return plain data."""
        return {"fingerprint": self.fingerprint, "definition": self.text, "also": list(self.also)}


def from_fingerprint(
    given: str, preset: Iterable[str | Preset] = (), results: Iterable[str | os.PathLike[str]] = ()
) -> list[Found]:
    """Return the definitions with this fingerprint.

    All metrics of all presets are searched, at the cutoffs 1 to 100, 200, 500, 1000 and without one. A definition with
    settings of its own is found in your files alone: a preset, or a saved result.

    Parameters
    ----------
    given : str
        A fingerprint or its first digits.
    preset : iterable of str, path or Preset, optional
        More presets, such as your own files.
    results : iterable of paths, optional
        Saved results.

    Returns
    -------
    list of Found
        The definitions; several where too few digits were given.

    Raises
    ------
    MetricError
        If the text is not a fingerprint.

    Examples
    --------
    >>> import rankconv as rc
    >>> [found.text for found in rc.from_fingerprint("803ba240…")]
    ['mllib:ndcg@10']
    """
    if not isinstance(given, str):
        raise MetricError(f"{given!r:.100} is not a fingerprint", allowed="It is a text of hexadecimal digits")
    digits = given.strip().rstrip("….").lower()
    if not re.fullmatch(f"[0-9a-f]{{{SHORTEST},16}}", digits):
        allowed = f"It has 16 hexadecimal digits, of which the first {SHORTEST} or more are needed"
        raise MetricError(f"'{given}' is not a fingerprint", allowed=allowed)
    owners = [*map(find_preset, _listed(preset)), *readable(list_presets(eras=True))]
    definitions = (definition for owner in owners for definition in forms(owner))
    return _by_fingerprint([*_in_results(_listed(results), digits), *matching(definitions, digits)])


def _listed(given: Any) -> list[Any]:
    """Several of what was given, one or several: the letters of a name are no names."""
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes | os.PathLike | Preset)
    return list(given) if several else [given]


def forms(owner: Preset) -> Iterator[Definition]:
    """All metrics of a preset, without a cutoff and with one, as far as it has them so."""
    for key in owner.metrics:
        for k in (None, CUTOFFS[-1]):
            with suppress(RankconvError):  # not offered so
                yield owner.definition(key, (), k)


def matching(definitions: Iterable[Definition], digits: str) -> Iterator[tuple[str, Definition]]:
    """Those whose fingerprint begins so, each with its fingerprint; at every cutoff."""
    for one in definitions:
        cutoffs = (one.k,) if one.requested_k is None else CUTOFFS
        _, sign, settings = one.signature.partition(BETWEEN)
        for k in cutoffs:
            name = fingerprint(metric_at(one.metric.name, k) + sign + settings)
            if name.startswith(digits):
                yield name, at_cutoff(one, k)


def _in_results(paths: Iterable[str | os.PathLike[str]], digits: str) -> Iterator[CitedDefinition]:
    for path in paths:
        for number in Result.load(path).by_spec.values():
            saved: Definition | SavedDefinition = number.definition
            if saved.fingerprint.startswith(digits):
                yield saved.fingerprint, saved


def _by_fingerprint(found: Iterable[CitedDefinition]) -> list[Found]:
    """One entry per fingerprint, by all the names that the definition has."""
    by_name: dict[str, dict[str, Definition | SavedDefinition]] = {}
    for name, definition in found:
        by_name.setdefault(name, {}).setdefault(definition.text, definition)
    return [Found(name, next(iter(same.values())), tuple(list(same)[1:])) for name, same in sorted(by_name.items())]
