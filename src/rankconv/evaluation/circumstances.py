"""The circumstances of a number, the second part of its signature: users, digests of the data, preset, version."""

import numpy as np

from rankconv.data.arrays import within
from rankconv.data.digest import dense_ranks, digest_of, rounded
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.metric_result import Measured
from rankconv.engine.saved import version_of_rankconv
from rankconv.engine.scoring import entering
from rankconv.presets.definition import BETWEEN
from rankconv.presets.eras import versioned
from rankconv.presets.signature import PARTS

SHOWN = 8
"""Digits of a digest that a signature has."""


def signature_of(measured: Measured, joined: Joined | None) -> str:
    """Return the signature of a number: its definition, and the circumstances that are known.

    Without the data, which large evaluations do not hold, there are no digests.
    """
    definition = measured.definition
    stated = {"users": str(int(entering(definition, measured.states).sum()))}
    if joined is not None:
        stated |= {"labels": digest_of_labels(joined.labels)[:SHOWN], "run": digest_of_run(joined.rankings)[:SHOWN]}
    stated["preset"] = versioned(definition.preset, definition.version)
    stated["rankconv"] = version_of_rankconv()
    return definition.signature + PARTS + BETWEEN.join(f"{name}:{text}" for name, text in stated.items())


def digest_of_labels(labels: Labels) -> str:
    """Return the digest of labels, 32 hexadecimal digits: of their users, items and grades."""
    return digest_of(labels.users, labels.items, labels.starts, labels.item, rounded(labels.grade))


def digest_of_run(run: Run) -> str:
    """Return the digest of a run, 32 hexadecimal digits: of users, items, and the dense ranks of scores.

    Without scores the places of items are their ranks.
    """
    if run.falling is None:
        ranks = within(np.repeat(np.arange(len(run.users)), run.lengths)).astype(np.uint32) + np.uint32(1)
    else:
        ranks = dense_ranks(run.starts, run.falling)
    return digest_of(run.users, run.items, run.starts, run.item, ranks)
