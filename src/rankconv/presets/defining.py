"""The definitions that callers ask for: specs, read with the presets that they name."""

from collections.abc import Sequence

from rankconv.errors import MetricError
from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import Spec, SpecLike, each_spec, preset_and_rest

Metrics = str | Definition | Sequence[str | Definition]


def define(metrics: Metrics | None, preset: Preset) -> dict[str, Definition]:
    """The definitions that these specs ask for, by the text of each: `map@5,10` is `map@5` and `map@10`."""
    found: dict[str, Definition] = {}
    for requested in arguments.specs(metrics):
        for text, one in (
            {requested.text: requested} if isinstance(requested, Definition) else _defined(requested, preset)
        ).items():
            if found.setdefault(text, one) != one:
                do = "Give functions names of their own, with def; or evaluate one after the other."
                raise MetricError(f"two different definitions are called '{text}'", do=do)
    if not found:
        raise arguments.no_metric()
    return found


def _defined(requested: str, preset: Preset) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for text in each_spec(requested):
        named, rest = preset_and_rest(text)
        owner = preset if named is None else find_preset(named)
        head = "" if named is None else f"{named}:"
        found |= {head + spec: definition for spec in owner.members(rest) for definition in owner.define(spec)}
    return found


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


def define_one(spec: SpecLike | Definition | None, preset: Preset, do: str) -> Definition:
    """The one definition that a spec asks for; a MetricError that says what to do where it asks for several."""
    definitions = preset.define(spec) if isinstance(spec, Spec) else [*define(arguments.spec(spec), preset).values()]
    if len(definitions) > 1:
        raise MetricError(f"'{spec}' asks for {len(definitions)} numbers", do=do)
    return definitions[0]
