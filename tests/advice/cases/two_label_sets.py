"""Advice on intervals from two label sets."""

from tests.advice.case import Case, Follow

_TWO = """
import numpy as np

grades = np.random.default_rng(4).integers(0, 2, (40, 6))
model = {f"u{user:02}": {f"i{at}": int(grade) for at, grade in enumerate(row)} for user, row in enumerate(grades)}
human = {user: {**items, "i0": 1, "i5": 0} for user, items in [*model.items()][:20]}
run = {user: [f"i{at}" for at in range(6)] for user in model}
other = {user: items[::-1] for user, items in run.items()}
some = dict([*human.items()][:4])
nothing = {**model, "u00": dict.fromkeys(model["u00"], 0)}

def number(labels, run, metric="precision(on-no-relevant=0)@3", **how):
    return rc.evaluate(labels, run, metric, **how)[metric]

def low(first, second, **how):
    return round(first.interval(second=second, **how).low, 4)
"""
LOW = 0.567
CASES = (
    Case(
        "low(number(human, run), number(model, run), how='rbo')",
        (Follow("ppi(weight=plain)", "low(number(human, run), number(model, run), how='§')", 0.5755),),
        given=_TWO,
    ),
    Case(
        "low(number(human, run), number(model, run), how=5)",
        (Follow("ppi(weight=plain)", "low(number(human, run), number(model, run), how='§')", 0.5755),),
        given=_TWO,
    ),
    Case(
        "low(number(human, run), number(model, run), cluster=1)",
        (Follow("Leave out cluster", "low(number(human, run), number(model, run))", LOW),),
        given=_TWO,
    ),
    Case(
        "low(number(human, run), number(model, run, 'recall@3'))",
        (Follow("under one definition", "low(number(human, run), number(model, run))", LOW),),
        given=_TWO,
    ),
    Case(
        "low(number(human, run), number(model, other))",
        (Follow("Evaluate one run under both label sets", "low(number(human, run), number(model, run))", LOW),),
        given=_TWO,
    ),
    Case(
        "low(number(human, run), number(some, run))",
        (Follow("Pass second labels of all users of the first", "low(number(human, run), number(model, run))", LOW),),
        given=_TWO,
    ),
    Case(
        "low(number(human, run), number(model, run, 'precision(on-no-relevant=0)@3', per_user=False))",
        (Follow("Evaluate with per_user=True", "low(number(human, run), number(model, run, per_user=True))", LOW),),
        given=_TWO,
    ),
    Case(
        "low(*(number(labels, run, 'recall@3') for labels in (human, nothing)))",
        (
            Follow(
                "recall(on-no-relevant=0)",
                "low(*(number(labels, run, '§@3') for labels in (human, nothing)))",
                0.5788,
            ),
        ),
        given=_TWO,
    ),
)
