"""ranking-metrics-torch 0.2.3: as version 0.3, and a batch where recall at 1 fails."""

from dataclasses import replace

from tests.oracles.identities import ranking_metrics_torch
from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity | None:
    found = ranking_metrics_torch.identity(r)
    return found and replace(found, preset=found.preset.replace("torch", "torch@0.2.3"))
