"""Sentence Transformers: InformationRetrievalEvaluator."""

from tests.oracles.identities.base import COMMON, Identity, Result, at


def identity(r: Result) -> Identity | None:
    return Identity("sentence_transformers", at(COMMON.get(r["metric"], r["metric"]), r["k"]))
