"""Surprise: the recipe of its FAQ, of rows with a prediction and a rating, 0 without one; the threshold is 2."""

from tests.oracles.identities.base import Identity, Result


def identity(r: Result, preset: str = "surprise") -> Identity:
    rows = "relevant=at-least(2), max-depth=score-at-least(2), labels-used=aligned-arrays"
    rows += ", users=union, on-no-ranking=skip"
    return Identity(preset, f"{r['metric']}({rows})@{r['k']}", everyone=True)
