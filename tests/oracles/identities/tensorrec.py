"""TensorRec: ranks of the whole catalogue, with the users without interactions left out or kept."""

from typing import Any

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if _reads_unretrieved(r["case"], r["k"]):
        return None
    preset = "tensorrec-preserve-rows" if "preserve_rows=True" in r["call"] else "tensorrec"
    return Identity(preset, at(r["metric"], r["k"]), everyone=True)


def _reads_unretrieved(case: str, k: int) -> bool:
    """Whether a relevant item that the case has no rank of may be within k: the caller of the system chose its rank."""
    from tests.oracles.harness import cases  # the harness imports this module

    return any(k > len({*user["ranking"]}) and _unretrieved(user) for user in cases()[case])


def _unretrieved(user: dict[str, Any]) -> bool:
    return any(grade > 0 for item, grade in user["labels"].items() if item not in user["ranking"])
