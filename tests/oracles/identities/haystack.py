"""Haystack: document evaluators, whose lists the caller cuts."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("haystack", at(r["metric"], r["k"]), everyone=True)
