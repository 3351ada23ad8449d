"""Evidently: the metrics of its recommender report, on the items returned or with the missed ones added."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    feedback = "-no-feedback" if "no_feedback_users=True" in r["call"] else ""
    preset = given(r, f"evidently{feedback}")
    name = r["call"].partition("(")[0]
    if not rc.preset(preset).offers(at(name, r["k"])):
        return None
    ties = ["order=given", "ties=given"] if "recommendations_type='rank'" in r["call"] else []
    return Identity(preset, at(with_settings(name, *ties), r["k"]), everyone=True)
