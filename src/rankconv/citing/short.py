"""One line to print next to a number: which definition it is of, by the settings on which presets differ most."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from rankconv.citing.statements import Statements
from rankconv.errors import RankconvError
from rankconv.metrics import METRICS
from rankconv.presets.definition import Definition
from rankconv.presets.registry import list_presets, readable
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import at_cutoff

SHOWN = (2, 2, 1)
"""How many settings are shown of preparation, of the metric, and of aggregation; besides those that were changed."""
ORDER = (1, 2, 0)
"""The metric's answers come first, as they change the most."""
DIGITS = 8
"""Hexadecimal digits of the fingerprint that are shown; enough to find the definition again."""


def label(definition: Definition) -> str:
    """The metric as a paper writes it: "nDCG@10"."""
    written = {name.lower().replace(" ", "_"): name for metric in METRICS.values() for name in metric.written}
    name, k = written.get(definition.key, definition.key), definition.k
    return at_cutoff(name, k)


def short(definition: Definition, owner: Preset | None, fingerprint: str) -> str:
    """`nDCG@10 [mllib 4.3.0; gain=binary; ideal=all-labels; …; 9f3a12bc…]`"""
    version = f" {owner.file.version}" if owner and owner.file.version else ""
    changed = " (modified)" if definition.changed else ""
    settings = [f"{convention_name}={definition.settings[convention_name]}" for convention_name in telling(definition)]
    told = "; ".join(
        [
            f"{definition.preset}{version}{changed}",
            *settings,
            f"{fingerprint[:DIGITS]}…" if fingerprint else "no fingerprint",
        ]
    )
    return f"{label(definition)} [{told}]"


def telling(definition: Definition) -> list[str]:
    """The questions whose answers are shown: those that were changed, and those on which presets differ most.

    Counted are the pairs of presets offering the metric that answer a convention differently. Of the metric itself and
    of preparation the first two are taken, of aggregation the first; a setting that changes nothing here is passed
    over.
    """
    others, told = offered(definition), Statements(definition)
    changed = [convention_name for convention_name, _ in definition.changed]
    chosen = []
    for place in ORDER:
        asked = [convention_name for convention_name in definition.parts[place].stated if told.matters(convention_name)]
        parted = {convention_name: pairs_apart(convention_name, others) for convention_name in asked}
        most = sorted(
            (convention_name for convention_name in asked if parted[convention_name]), key=lambda one: -parted[one]
        )
        chosen += [one for one in definition.parts[place].stated if one in changed or one in most[: SHOWN[place]]]
    return chosen


def pairs_apart(convention_name: str, definitions: Sequence[Definition]) -> int:
    """How many ordered pairs of definitions answer a convention differently; who does not ask it is not counted."""
    counts = Counter(one.settings[convention_name] for one in definitions if convention_name in one.settings)
    return counts.total() ** 2 - sum(count**2 for count in counts.values())


def offered(definition: Definition) -> list[Definition]:
    """This metric, in this form, as each preset that offers it has it."""
    found = []
    for owner in readable(list_presets()):
        if definition.key in owner.metrics:
            with suppress(RankconvError):  # not in this form
                found.append(owner.definition(definition.key, (), definition.asked_k))
    return found
