"""Quepid 8.0.1: its scorers, as those of the newest version."""

from tests.oracles.identities import quepid
from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity | None:
    return quepid.identity(r, "8.0.1")
