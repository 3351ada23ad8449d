"""LlamaIndex: metrics of one query; the caller cut the list."""

from tests.oracles.identities.base import COMMON, Identity, Result, with_settings


def identity(r: Result) -> Identity | None:
    name = COMMON.get(r["metric"], r["metric"]) + ("_granular" if "granular" in r["call"] else "")
    return Identity("llama_index", with_settings(name, f"max-depth={r['k']}" if r["k"] else ""), everyone=True)
