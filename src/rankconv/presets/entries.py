"""The entries of a preset: what it says for single metrics, changed and merged."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from rankconv.aggregation import Aggregation
from rankconv.basics.errors import ConventionError, ForeignConvention, nearest
from rankconv.basics.guessed_names import OF_CUTOFFS
from rankconv.conventions.convention import CONVENTIONS, NUMBER, Convention, unknown_convention
from rankconv.conventions.spec import text_of
from rankconv.metrics.base import METRICS, Metric, strategy_of
from rankconv.metrics.metric_names import unknown_metric
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.preset_file import ENTRY_KEYS, EntryKeys, MetricEntry

Options = tuple[tuple[str, str], ...]


def convention_of(name: str) -> Convention:
    convention_name = name.replace("_", "-")
    CONVENTIONS.make(convention_name)
    if convention_name not in CONVENTIONS:
        raise unknown_convention(convention_name)
    return CONVENTIONS[convention_name]


def check_conventions(conventions: list[str], strategy: type[Metric], where: str) -> None:
    CONVENTIONS.make(*conventions)
    known = [*strategy.conventions(), *Preparation.conventions(), *Aggregation.conventions()]
    for convention_name in conventions:
        if convention_name.replace("-", "_") in OF_CUTOFFS and convention_name not in known:
            metric = where.rpartition(":")[2]
            wrong, do = f"{convention_name}= is not a convention", f"Write the cutoff after @: '{metric}@10'"
            raise ConventionError(wrong, where=where, do=do)
        if convention_name not in known:
            kind = ForeignConvention if convention_name in CONVENTIONS else ConventionError
            raise kind(
                f"{strategy.name} has no convention '{convention_name}'",
                where=where,
                allowed=f"It has {', '.join(strategy.conventions())}, and those of preparation and aggregation",
                nearest=nearest(convention_name, known)  # or one of whose name it is a part, as `p` of rbp-persistence
                or next((name for name in strategy.conventions() if f"-{convention_name}" in name), ""),
            )


def changed(entry: MetricEntry, changes: Mapping[str, str]) -> MetricEntry:
    """The entry with these settings in place of its own; others are left aside."""
    return entry.with_settings(lambda name, setting: changes.get(name, setting))


def validated(name: str, setting: Any) -> str:
    """The setting in its one spelling; ConventionError for what is none."""
    return convention_of(name).validate(setting)


def as_written(name: str, setting: Any) -> str:
    """The setting of a file that is known to be valid; the convention is made where it is one that a name makes."""
    if name not in CONVENTIONS:
        CONVENTIONS.make(name)
    return text_of(setting)


def canonical(entry: MetricEntry, spelled: Callable[[str, Any], str] = validated) -> MetricEntry:
    """The entry with each setting in its one spelling."""
    return entry.with_settings(spelled)


def merged(entry: MetricEntry | None, more: dict[str, Any]) -> MetricEntry:
    if not isinstance(more, Mapping) or not all(isinstance(key, str) for key in more):
        raise ConventionError(f"{more!r:.100} says nothing of a metric", do="Write {'gain': 'binary'}.")
    from rankconv.presets.checked_file import problem_text, problems

    keys = {key: key.replace("_", "-") for key in more}
    given = {name if name in ENTRY_KEYS else convention_of(key).name: more[key] for key, name in keys.items()}
    for problem in problems(EntryKeys, given):
        raise ConventionError(f"'{'.'.join(map(str, problem['loc']))}': {problem_text(problem)}")
    return MetricEntry({**(entry.stated if entry else {}), **given})


_HOLE = re.compile(r"\{(k|[a-z-]+(?:=[a-z-]+)?)\}")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_CUTOFF = re.compile(r"[1-9][0-9]{0,8}")


def called(pattern: str, word: str) -> tuple[int | None, Options] | None:
    """The cutoff and the settings that a system's own name holds, if the word is that name.

    In a pattern `{k}` is the cutoff, `{convention}` a number that is its setting, and `{convention=setting}`
    the parameter of that setting. A number is taken as long as it goes, so each sign of the word is read once.
    """
    first, *rest = _split_at_holes(pattern)
    place, given = len(first), []
    if not word.startswith(first):
        return None
    for hole, literal in zip(rest[::2], rest[1::2], strict=True):
        number = (_CUTOFF if hole == "k" else _NUMBER).match(word, place)
        if number is None or not word.startswith(literal, number.end()):
            return None
        given.append((hole, number[0]))
        place = number.end() + len(literal)
    if place < len(word):
        return None
    k = next((int(number) for hole, number in given if hole == "k"), None)
    return k, tuple(_setting_in(hole, number) for hole, number in given if hole != "k")


@lru_cache(maxsize=4096)
def squeezed(word: str) -> str:
    """A word without case, blanks, hyphens and underscores."""
    return re.sub("[ _-]", "", word.casefold())


@lru_cache(maxsize=4096)
def _split_at_holes(pattern: str) -> list[str]:
    """What is between the holes, and the holes, by turns."""
    return _HOLE.split(pattern)


def check_names(entry: MetricEntry) -> None:
    """A ConventionError for a system's own name that could not be read: holes that touch, or that ask nothing."""
    for pattern in entry.names:
        _, *rest = _split_at_holes(pattern)
        holes, after = rest[::2], rest[1::2]
        if len(set(holes)) < len(holes) or any(re.match(r"[0-9.]", text) for text in after) or "" in after[:-1]:
            do = "Between two holes there must be text, which does not begin as a number goes on."
            raise ConventionError(f"the name '{pattern}' cannot be read in one way", do=do)
        for hole in (one for one in holes if one != "k"):
            convention_name, _, setting_type = hole.partition("=")
            if (setting_type or NUMBER) not in convention_of(convention_name).setting_types:
                raise ConventionError(f"in the name '{pattern}' '{{{hole}}}' is not a setting with a number")


def _setting_in(hole: str, number: str) -> tuple[str, str]:
    convention_name, _, setting_type = hole.partition("=")
    return convention_name, f"{setting_type}({number})" if setting_type else number


def checked(key: str, entry: MetricEntry) -> MetricEntry:
    """An entry whose strategy exists, and has the conventions that it sets; with each setting in its one spelling."""
    name = strategy_of(entry.is_ or key)
    if name is None:
        raise unknown_metric(entry.is_ or key)
    check_conventions([*entry.settings, *entry.with_k], METRICS[name], key)
    check_names(entry)
    return canonical(entry)
