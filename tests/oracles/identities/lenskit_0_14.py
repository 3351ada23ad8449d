"""LensKit 0.14: RecListAnalysis, in its two forms."""

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    name = r["metric"].removesuffix("_missing_as_0").removesuffix("_graded")
    name, form = name.rsplit("_", 1)
    filled = r["metric"].endswith("_missing_as_0")
    preset = ("lenskit-single" if form == "single" else "lenskit") + ("-missing-as-0" if filled else "")
    preset = "lenskit@0.14.4" if preset == "lenskit" else preset
    settings = ""
    if "_graded" in r["metric"]:  # the truth has every label, with its rating
        settings = "labels-used=all, relevant=any-label"
    elif name in ("ndcg", "dcg"):
        settings = "gain=binary"
    return Identity(preset, at(with_settings(name, settings), r["k"]))
