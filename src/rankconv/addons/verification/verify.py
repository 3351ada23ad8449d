"""The verification of an installed library against its preset."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rankconv.addons.verification import adapters
from rankconv.addons.verification.adapter import ADAPTERS, Adapter, LibraryCase, Takes, User, case_of
from rankconv.addons.verification.comparing import Comparing, LibraryCall, calls_for, everything
from rankconv.addons.verification.hostile import KINDS, hostile_cases
from rankconv.addons.verification.verification import MetricRow, Verification
from rankconv.basics import plugins
from rankconv.basics.errors import ConventionError, InputError, LibraryError, MetricError
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics
from rankconv.presets.folders import SIGN, VERSION, newest
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import preset as find_preset
from rankconv.presets.resolver import versioned

SCORES = ("distinct", "tied", "signed", "close", "constant", "unsorted", "wide")
"""How the scores of a case are made."""
GRADES = {
    "binary": (1.0, 1.0, 0.0),
    "graded": (0.0, 1.0, 2.0, 3.0, 4.0),
    "negative": (-1.0, 0.0, 1.0, 2.0),
    "fractional": (0.25, 0.5, 1.0, 1.75, 2.5),
    "losses": (-2.0, -1.0, -1.0, 0.0, 1.0),
    "fractional losses": (-1.5, -0.5, 0.0, 0.5, 1.0),
    "high": (0.0, 1.0, 5.0, 12.0),
}
"""What the grades of a case are drawn from."""
SIDES = {
    "": ("both",),
    "empty users": ("both", "labels", "list", "neither"),
    "no user on both sides": ("labels", "list"),
}
"""What the users of a case may have, by what is said of the case."""
LENGTHS = (1, 2, 3, 4, 6, 9, 12, 20)


def random_cases(number: int, seed: int, takes: Takes) -> Iterator[LibraryCase]:
    """Return random cases for a library, the same ones for the same seed.

    Kinds of scores and grades take turns, and every third case has users without a list or labels; so a few cases
    hold every difficulty that the library can be handed.

    >>> [case] = random_cases(1, 0, Takes())
    >>> case.name, len(case.users) > 1
    ('random 0: binary, distinct', True)
    """
    for place in range(number):
        draw = np.random.default_rng([seed, place])
        grades = takes.grades[place % len(takes.grades)]
        scores = SCORES[(place // len(takes.grades) + place) % len(SCORES)]
        sides = "" if place % 3 < 2 else "no user on both sides" if place % 12 == 11 else "empty users"
        repeats = takes.duplicates and place % 5 == 3
        said = ", ".join(filter(None, (grades, scores, sides, "repeated items" if repeats else "")))
        users = []
        for turn in range(draw.integers(2, 8)):
            length = min(int(draw.choice(LENGTHS)), takes.longest)
            ranking, labels = _lists(draw, length, GRADES[grades], repeats=repeats)
            has = draw.choice(SIDES[sides])
            ranking = [] if has in ("labels", "neither") else ranking
            labels = {} if has in ("list", "neither") else labels
            falling = tuple(_scores(draw, scores, len(ranking)).tolist())
            user = User(f"u{turn}", tuple(ranking), falling, labels, in_labels=bool(labels), in_run=bool(ranking))
            users.append(user)
        if not any(user.in_labels and user.in_run for user in users):  # such data are refused, unless all are named
            users = [replace(user, in_labels=True, in_run=True) for user in users]
        yield takes.fitted(LibraryCase(f"random {place}: {said}", tuple(users)))


def _lists(
    draw: Generator, length: int, grades: Sequence[float], *, repeats: bool
) -> tuple[list[str], dict[str, float]]:
    """A ranking, and labels of some of its items and of others."""
    pool = [str(item) for item in draw.permutation(3 * length)]  # text like 9 and 10, which orders otherwise than 9, 10
    ranking = [pool[place] for place in draw.integers(0, length, length)] if repeats else pool[:length]
    labelled = [str(item) for item in draw.permutation(pool)[: draw.integers(1, len(pool) + 1)]]
    return ranking, dict(zip(labelled, draw.choice(grades, len(labelled)).tolist(), strict=True))


def _scores(draw: Generator, kind: str, length: int) -> NDArray[Any]:
    """Scores of a list, shape (length,), falling unless they are unsorted."""
    made: NDArray[Any]
    if kind == "tied":
        made = draw.integers(1, 4, length) / 4
    elif kind == "constant":
        made = np.full(length, 0.5)
    elif kind == "close":
        made = 0.5 + draw.permutation(length) * 1e-10  # equal in single precision
    elif kind == "signed":
        made = draw.integers(-9, 10, length) / 4
    elif kind == "wide":
        made = draw.choice([-1.0, 1.0], length) * 10.0 ** draw.integers(-60, 60, length)  # 0 and infinite in single
    else:
        made = draw.permutation(length) / 8 + 0.125
    return made if kind == "unsorted" else np.sort(made)[::-1]


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
    hostile: bool = False,
) -> Verification:
    """Verify an installed library against its preset.

    Parameters
    ----------
    preset : str, path or Preset
        The preset of the library. Its era is that of the installed version, unless the name states a version.
    labels, run : optional
        As in `rc.evaluate`; by default random cases with ties, duplicates, users without labels or ranking, and grades
        of all kinds, as far as the library takes them.
    metrics : MetricLike, optional
        By default all that the library's adapter computes.
    random : int, optional
        Number of random cases.
    seed : int, default 0
        Random seed.
    hostile : bool, default False
        Add the hostile cases: repeated labels and items, scores that are 0, equal, negative or NaN, ratings of 0,
        users of one side, and further kinds; `by_kind` has what became of each. Random cases are then made on request.

    Returns
    -------
    Verification
        `ok`, and for each metric counts, the largest difference and the first one.

    Raises
    ------
    LibraryError
        If the library is not installed, with the command that installs it.
    ConventionError
        If no adapter verifies this preset.
    MetricError
        If the adapter does not compute a metric.
    InputError
        If the data cannot be read.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> rc.verify("blog")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    rankconv.ConventionError: no library is available to verify the preset 'blog'. These have one: ...
    """
    chosen, adapter, wanted = definitions_to_verify(preset, metrics)
    package, version = _installed(adapter)
    arguments.number(seed, "seed")
    arguments.number(random or 0, "random")
    own = _own(labels, run, adapter)
    made = random_cases((0 if own or hostile else CASES) if random is None else random, seed, adapter.takes)
    kinds = _expressible(adapter.takes) if hostile else {}
    harsh = [adapter.takes.fitted(case) for case in hostile_cases() if not kinds[case.kind]] if hostile else []
    comparing = Comparing(chosen, adapter())
    by_case = [list(comparing.outcomes(case, wanted)) for case in (*own, *made, *harsh)]
    rows = (
        MetricRow(one.spec, one.call, [*filter(None, (outcomes[place] for outcomes in by_case))])
        for place, one in enumerate(wanted)
    )
    described = chosen.file.version or ""
    covered = described == version or _of_version(chosen, version) is chosen
    not_given = {kind: why for kind, why in kinds.items() if why}
    return Verification(chosen.name, package, version, described, covered, len(by_case), tuple(rows), not_given)


def _expressible(takes: Takes) -> dict[str, str]:
    """Each kind of hostile case, and why the library cannot be handed it; empty where it can."""
    return {kind: "" if one.need.met(takes) else one.need.otherwise for kind, one in KINDS.items()}


def definitions_to_verify(
    preset: str | Preset, metrics: Metrics | None
) -> tuple[Preset, type[Adapter], list[LibraryCall]]:
    """The preset, what calls its library, and what is requested: these metrics, or all that can be."""
    chosen = find_preset(preset)
    adapter = adapter_of(chosen)
    installed = adapter.installed()
    if installed is not None and VERSION not in chosen.name:
        chosen = _of_version(chosen, installed[1]) or chosen
    wanted = arguments.specs(metrics) if metrics is not None else []
    return chosen, adapter, list(calls_for(adapter, chosen, wanted)) if wanted else everything(adapter, chosen)


def _of_version(preset: Preset, installed: str) -> Preset | None:
    """The era of a preset that covers an installed version; None where it has no eras, or none covers it."""
    with suppress(ConventionError):
        return find_preset(versioned(preset.name.partition(VERSION)[0], installed.partition(SIGN)[0]))
    return None


def adapter_of(preset: Preset) -> type[Adapter]:
    """The adapter of its library; of a changed copy that of the original, and with a modifier that of the preset."""
    adapters.load()
    name = newest((preset.original or preset).name)
    if name not in ADAPTERS:
        plugins.load_installed()
    if name not in ADAPTERS:
        raise ConventionError(
            f"no library is available to verify the preset '{name}'",
            allowed=f"These have one: {', '.join(sorted(ADAPTERS))}",
            do="For the checks of its file: rc.check_preset(…). plugin.Adapter adds a library.",
            shell="For the checks of its file: rankconv show PRESET --check. plugin.Adapter adds a library: --plugin.",
        )
    return ADAPTERS[name]


def _installed(adapter: type[Adapter]) -> tuple[str, str]:
    found = adapter.installed()
    if found is None:
        command, *rest = adapter.install.partition(", ")
        own = f" It needs an environment of its own: {adapter.own_environment}." if adapter.own_environment else ""
        raise LibraryError(
            f"{' or '.join(adapter.packages)} is not installed",
            where=f"verify {adapter.preset}",
            do=f"Install it with `{command}`{''.join(rest)}.{own}",
        )
    return found


def _own(labels: Any, rankings: Any, adapter: type[Adapter]) -> list[LibraryCase]:
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
