"""open-rag-eval: the scores of all nuggets, and those of compute(), which keeps the first 20."""

from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity:
    name, of_compute, _ = r["metric"].partition(" (compute)")
    return Identity("open_rag_eval-first-20" if of_compute else "open_rag_eval", name, everyone=True)
