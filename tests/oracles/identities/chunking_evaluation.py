"""chunking_evaluation: the first k chunks, as many as touch a passage (-1), or all chunks that touch one."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

ALONE = ("on-no-relevant=refuse-user", "on-empty-ranking=refuse-user")
"""A question that stops the run has no value; those of the others were recorded one by one."""


def identity(r: Result) -> Identity:
    omega, k = r["metric"] == "precision_omega", r["k"] if isinstance(r["k"], int) else None
    kept = "touching" if omega else "minimum" if r["k"] == "minimum" else ""
    of_each = at(with_settings(r["metric"], *ALONE), k)
    return Identity("chunking_evaluation", at(r["metric"], k), everyone=True, kept=kept, per_user_spec=of_each)
