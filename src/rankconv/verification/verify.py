"""The question: does the real library give what its preset gives?"""

from typing import Any

from rankconv import plugins
from rankconv.errors import ConventionError, InputError, LibraryError, MetricError, nearest
from rankconv.presets import arguments
from rankconv.presets.defining import Metrics
from rankconv.presets.modifiers import split
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.verification import adapters
from rankconv.verification.adapter import ADAPTERS, Adapter
from rankconv.verification.asked import Asked, asked, everything
from rankconv.verification.cases import Case, case_of
from rankconv.verification.comparing import Comparing
from rankconv.verification.generating import random_cases
from rankconv.verification.verification import Row, Verification

CASES = 20
"""How many random cases are made where the caller neither brings data nor names a number."""


def verify(
    preset: str | Preset,
    labels: Any = None,
    run: Any = None,
    metrics: Metrics | None = None,
    *,
    random: int | None = None,
    seed: int = 0,
) -> Verification:
    """Does the real library, as it is installed here, give what its preset gives?

    `labels` and `run` are anything that `rc.Labels` and `rc.Run` read. Without them, or where `random` says
    how many, cases are made up: with ties, repeated items, users without a list or labels, and grades of all kinds, as
    far as the library can be handed them. Without `metrics`, all that the adapter of the library can ask are compared.

    Returns a `Verification`: `ok`, and a row per metric with counts, the largest difference and the first one.
    Raises LibraryError where the library is not installed, and says how to install it; ConventionError for a preset
    that no adapter verifies, MetricError for a metric that it cannot ask, InputError for data.

    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> rc.verify("blog")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    rankconv.errors.ConventionError: no library is known that would verify the preset 'blog'. These have one: ...
    """
    chosen, adapter, wanted = definitions_to_verify(preset, metrics)
    package, version = _installed(adapter)
    arguments.number(seed, "seed")
    arguments.number(random or 0, "random")
    own = _own(labels, run, adapter)
    made = random_cases((0 if own else CASES) if random is None else random, seed, adapter.takes)
    comparing = Comparing(chosen, adapter())
    found = {case.name: list(comparing.outcomes(case, wanted)) for case in (*own, *made)}
    rows = (
        Row(one.spec, one.call, {case: outcomes[place] for case, outcomes in found.items()})
        for place, one in enumerate(wanted)
    )
    return Verification(chosen.name, package, version, chosen.file.version or "", len(found), tuple(rows))


def definitions_to_verify(preset: str | Preset, metrics: Metrics | None) -> tuple[Preset, type[Adapter], list[Asked]]:
    """The preset, what asks its library, and what is asked: these metrics, or all that can be."""
    chosen = find_preset(preset)
    adapter = adapter_of(chosen)
    wanted = arguments.specs(metrics) if metrics is not None else []
    return chosen, adapter, list(asked(adapter, chosen, wanted)) if wanted else everything(adapter, chosen)


def adapter_of(preset: Preset) -> type[Adapter]:
    """The adapter of its library; of a changed copy that of the original, and with a modifier that of the preset."""
    adapters.load()
    name, _ = split((preset.original or preset).name)
    if name not in ADAPTERS:
        plugins.load_installed()
    if name not in ADAPTERS:
        raise ConventionError(
            f"no library is known that would verify the preset '{name}'",
            allowed=f"These have one: {', '.join(sorted(ADAPTERS))}",
            nearest=nearest(name, ADAPTERS),
            do="Write a subclass of plugin.Adapter to add one.",
            shell="Write a subclass of plugin.Adapter and load it with --plugin to add one.",
        )
    return ADAPTERS[name]


def _installed(adapter: type[Adapter]) -> tuple[str, str]:
    found = adapter.installed()
    if found is None:
        own = f" It needs an environment of its own: {adapter.own_environment}." if adapter.own_environment else ""
        raise LibraryError(
            f"{' or '.join(adapter.packages)} is not installed",
            where=f"verify {adapter.preset}",
            do=f"Install it with `{adapter.install}`.{own}",
        )
    return found


def _own(labels: Any, rankings: Any, adapter: type[Adapter]) -> list[Case]:
    if labels is None and rankings is None:
        return []
    if labels is None or rankings is None:
        raise MetricError("labels and a run belong together", do="Pass both, or none for random cases.")
    case = case_of(labels, rankings)
    for user in case.users:
        if not adapter.takes.duplicates and len(set(user.ranking)) < len(user.ranking):
            raise InputError(
                f"user '{user.name}' has an item in the list more than once",
                do=f"{adapter.packages[0]} cannot be handed that: take it out.",
            )
    return [case]
