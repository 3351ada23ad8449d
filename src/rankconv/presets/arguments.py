"""What callers pass where metrics, users or a word is meant, checked; and the definitions that specs ask for."""

import os
import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, get_args

import numpy as np

from rankconv.basics.errors import ConventionError, InputError, MetricError, RankconvError, unknown
from rankconv.conventions.spec import Spec, SpecLike, each_spec, is_signature, preset_and_rest
from rankconv.data.labels_and_rankings import Labels, Run, Runs
from rankconv.presets.definition import Definition
from rankconv.presets.native_names.grammar import GRAMMARS
from rankconv.presets.preset import Preset, TwoReadingsError
from rankconv.presets.preset_registry import HOUSE, names_preset
from rankconv.presets.preset_registry import preset as find_preset

_LIKE = "Pass one or more, such as ['ndcg@10', 'map@10']."


def specs(metrics: Any) -> list[str | Definition]:
    """The specs and definitions that were requested, one or several; a MetricError for anything else, and for none."""
    if isinstance(metrics, str):
        return [metrics]
    if isinstance(metrics, Mapping) and metrics:
        texts = [*metrics.values()]
        listed = texts if all(isinstance(one, (str, Definition)) for one in texts) else [*metrics]
        do = f"Pass a list; a number is named by its spec: {listed!r:.200}"
        raise MetricError("metrics were given as a mapping", allowed="Metrics are one spec or a list of specs", do=do)
    several = isinstance(metrics, Iterable) and not isinstance(metrics, (bytes, Definition))
    listed = [] if metrics is None else list(metrics) if several else [metrics]
    if not listed:
        raise no_metric()
    return [spec(one) for one in listed]


def measures(given: Any, of: str, known: Iterable[str]) -> list[str]:
    """The texts of measures of something, from one text or several; a MetricError for anything else, and for none."""
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)
    listed: list[Any] = list(given) if several else []
    for one in listed or [given]:
        if not (isinstance(one, str) and one.strip()):
            raise MetricError(f"{one!r:.100} is not a measure of {of}", allowed=f"Choose of {', '.join(known)}")
    return [text for one in listed or [given] for text in each_spec(one)]


def no_metric() -> MetricError:
    """Nothing to compute."""
    return MetricError("no metric is given", do=_LIKE, shell="Name one or more: -m ndcg@10,map@10.")


def spec(given: Any) -> str | Definition:
    """One spec, or one definition; a MetricError for anything else."""
    if given is None:
        raise MetricError("no metric is given: None was given", do="Name one, such as 'ndcg@10'.")
    if not isinstance(given, (str, Definition)):
        raise MetricError(
            f"{given!r:.100} is not a metric", allowed="A metric is a text, such as 'ndcg@10', or an rc.metric(…)"
        )
    return given


def users(listed: Any) -> list[Any]:
    """The ids of users that a caller lists; an InputError for one id alone, whose letters would be taken for ids."""
    if isinstance(listed, (str, bytes)) or not isinstance(listed, Iterable):
        raise InputError(f"users={listed!r:.100} is not a list of users", do=f"Pass a list: users=[{listed!r:.100}].")
    found = list(listed)
    for one in found:
        if not isinstance(one, Hashable):
            raise InputError(f"users= holds {one!r:.100}, which is not an id", do="Pass a list of ids.")
    return found


def word(given: Any, allowed: Any, name: str) -> None:
    """A MetricError for a word that is not one of those that a Literal allows."""
    if given not in get_args(allowed):
        raise unknown(f"value of {name}=", str(given), get_args(allowed), error=MetricError)


def number(given: Any, name: str, least: float = 0) -> None:
    """A MetricError for what is not a whole number from `least` up."""
    if isinstance(given, bool) or not hasattr(given, "__index__") or given < least:
        raise MetricError(f"{name}={given!r:.100} is not a count", allowed=f"It is a whole number from {least} up")


def decimal(given: Any, name: str, least: float = -sys.float_info.max, most: float = sys.float_info.max) -> float:
    """The number; a MetricError for what is not a finite number between these bounds."""
    is_number = isinstance(given, int | float | np.integer | np.floating) and not isinstance(given, bool)
    if is_number and least <= given <= most:
        return float(given)
    bounds = f" from {least:g} to {most:g}" if most < sys.float_info.max else ""
    raise MetricError(f"{name}={given!r:.100} is not a valid number", allowed=f"It is a number{bounds}")


Metrics = str | Definition | Sequence[str | Definition]


def define(metrics: Metrics | None, preset: Preset) -> dict[str, Definition]:
    """The definitions that these specs ask for, by the text of each: `map@5,10` is `map@5` and `map@10`.

    Without specs, those that the preset of a collection reports.
    """
    found: dict[str, Definition] = {}
    for requested in specs((preset.reports or None) if metrics is None else metrics):
        given = {requested.text: requested} if isinstance(requested, Definition) else _defined(requested, preset)
        for text, one in given.items():
            if found.setdefault(text, one) != one:
                do = "Give functions names of their own, with def; or evaluate one after the other."
                raise MetricError(f"two different definitions are called '{text}'", do=do)
    if not found:
        raise no_metric()
    return found


def _defined(requested: str, preset: Preset) -> dict[str, Definition]:
    if is_signature(requested):
        from rankconv.presets.signature import definition_of

        definition = definition_of(requested)
        return {definition.text: definition}
    text = requested
    found: dict[str, Definition] = {}
    try:
        _, owner, rest = _owner(requested, preset)
        for text in [requested] if owner.native(rest) else each_spec(requested):
            head, owner, rest = _owner(text, preset)
            found |= {head + spec: definition for spec in owner.members(rest) for definition in owner.define(spec)}
    except (ConventionError, MetricError) as error:
        raise explained(error, requested, text) from None
    return found


def explained(error: RankconvError, *requested: object) -> RankconvError:
    """The error of words that were requested; where the systems of other presets read them, what they mean there."""
    if isinstance(error, TwoReadingsError):
        return error
    texts = [one for one in requested if isinstance(one, str)]
    return next((other for text in texts if (other := _of_other_systems(text))), error)


def _of_other_systems(text: str) -> MetricError | None:
    """None for words that the default preset reads too, or that no system does."""
    _, rest = preset_and_rest(text)
    systems = [name for name in GRAMMARS if _is_read(name, rest) and names_preset(name)]
    found = {name: texts for name in systems if (texts := _defined_by(find_preset(name), rest))}
    if not found or _defined_by(find_preset(HOUSE), rest):
        return None
    readings = [f"{' and '.join(texts[:2])}{' …' if texts[2:] else ''}" for texts in found.values()]
    wrong = f"'{rest}' is not a metric here, but means {' or '.join(readings)}"
    return MetricError(wrong, do=f"Write {' or '.join(f'{name}:{rest}' for name in found)}")


def _defined_by(preset: Preset, text: str) -> list[str]:
    """The definitions that a text asks a preset for, each as text; none where it cannot."""
    with suppress(ConventionError, MetricError):
        return [one.text for one in preset.define(text)]
    return []


def _is_read(grammar: str, text: str) -> bool:
    with suppress(Exception):  # a plugin's grammar may raise anything, and this is advice on another error
        return bool(GRAMMARS[grammar](text))
    return False


def _owner(text: str, preset: Preset) -> tuple[str, Preset, str]:
    """The prefix of a text, the preset that reads it, and what follows the prefix."""
    named, rest = preset_and_rest(text)
    return ("", preset, rest) if named is None else (f"{named}:", find_preset(named), rest)


def metric(metric: str | Definition, preset: str | Preset | None = None) -> Definition:
    """Return one definition, as an object that can be called, changed and compared.

    Parameters
    ----------
    metric : str or Definition
        As in `rc.evaluate`, at one cutoff.
    preset : str, path or Preset, optional
        The preset of a metric that names none. For a definition, the same metric in that preset, with the settings that
        were changed.

    Returns
    -------
    Definition
        `definition(labels, run)` evaluates it.

    Raises
    ------
    ConventionError, MetricError
        As in `rc.evaluate`.

    Examples
    --------
    >>> import rankconv as rc
    >>> ndcg = rc.metric("ndcg@10", preset="mllib")
    >>> ndcg
    rc.metric('mllib:ndcg@10')
    >>> ndcg({"u": ["a"]}, {"u": ["x", "a"]}).per_user.round(4).tolist()
    [0.6309]
    """
    requested = metric.requested if isinstance(metric, Definition) and preset is not None else metric
    return define_one(
        requested, find_preset(HOUSE if preset is None else preset), "Ask for one of them: give one cutoff."
    )


def define_one(requested: SpecLike | Definition | None, preset: Preset, do: str) -> Definition:
    """The one definition that a spec asks for; a MetricError that says what to do where it asks for several."""
    definitions = (
        preset.define(requested) if isinstance(requested, Spec) else [*define(spec(requested), preset).values()]
    )
    if len(definitions) > 1:
        if len({(one.key, one.changed) for one in definitions}) > 1:  # other metrics, not cutoffs of one
            do = f"Name one of them, such as {definitions[0].text}."
        raise MetricError(f"'{requested}' asks for {len(definitions)} numbers", do=do)
    return definitions[0]


# the types of what public functions take


class Shaped(Protocol):
    """A frame, table, array or sparse matrix of any library."""

    @property
    def shape(self) -> Any:
        """Rows and columns."""


Data = Mapping[Any, Any] | Sequence[Any] | Shaped | str | os.PathLike[str]
LabelsLike = Labels | Data
"""What `rc.Labels` reads: `{user: items}`, `{user: {item: grade}}`, a table, an array, or the path of a file."""
RunLike = Run | Runs | Data
"""What `rc.Run` and `rc.Runs` read: `{user: items}`, `{user: {item: score}}`, a table, an array, or a path."""
MetricLike = str | Definition | Sequence[str | Definition]
"""One metric or several: `"ndcg@10"`, `["ndcg@10", "map"]`, `rc.NDCG(10)`."""
PresetLike = str | Path | Preset | Sequence[str | Preset]
"""One preset or several: a name, the path of a YAML file, or `rc.preset(…)`."""
