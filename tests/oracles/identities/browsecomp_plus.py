"""BrowseComp-Plus: ids of all searches. Citations are a run of their own; their recorded means are not the script's."""

from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity:
    if r["metric"] == "recall":
        return Identity("browsecomp_plus", "recall", everyone=True)
    alone = f"{r['metric']}(on-empty-ranking=0)"
    return Identity("browsecomp_plus", r["metric"], everyone=True, kept="cited", mean=False, per_user_spec=alone)
