"""Case Recommender: evaluation of item recommendation; the values of single users are rounded too."""

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity:
    alone = with_settings(r["metric"], "round-user=exact(6)")
    return Identity("caserec", at(r["metric"], r["k"]), per_user_spec=at(alone, r["k"]))
