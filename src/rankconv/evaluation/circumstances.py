"""The circumstances of a number, the second part of its signature: users, digests of the data, preset, version."""

from rankconv.data.digest import dense_ranks, digest_of, places, rounded
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.metric_result import SCORED, Measured
from rankconv.engine.saved import version_of_rankconv
from rankconv.presets.definition import BETWEEN
from rankconv.presets.registry import preset
from rankconv.presets.signature import PARTS

SHOWN = 8
"""Digits of a digest that a signature has."""


def signature_of(measured: Measured, joined: Joined | None) -> str:
    """Return the signature of a number: its definition, and the circumstances that are known.

    Without the data, which large evaluations do not hold, there are no digests.
    """
    definition = measured.definition
    owner = preset(definition.preset)
    stated = {"users": str(int((measured.states == SCORED).sum()))}
    if joined is not None:
        stated |= {"labels": digest_of_labels(joined.labels)[:SHOWN], "run": digest_of_run(joined.rankings)[:SHOWN]}
    stated["preset"] = f"{owner.name}@{owner.file.version}" if owner.file.version else owner.name
    stated["rankconv"] = version_of_rankconv()
    return definition.signature + PARTS + BETWEEN.join(f"{name}:{text}" for name, text in stated.items())


def digest_of_labels(labels: Labels) -> str:
    """Return the digest of labels, 32 hexadecimal digits: of their users, items and grades."""
    return digest_of(labels.users, labels.items, labels.starts, labels.item, rounded(labels.grade))


def digest_of_run(run: Run) -> str:
    """Return the digest of a run, 32 hexadecimal digits: of users, items, and the dense ranks of scores.

    Without scores the places of items are their ranks.
    """
    ranks = places(run.starts) if run.falling is None else dense_ranks(run.starts, run.falling)
    return digest_of(run.users, run.items, run.starts, run.item, ranks)
