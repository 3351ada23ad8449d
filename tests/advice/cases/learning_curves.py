"""Advice on learning curves, and on the recommenders that they are of.

Of the two users, each given x, ada is to find y and bob z: popularity and the alphabet list y, then z.
"""

from tests.advice.case import Case, Follow

_CURVE = '''
from rankconv import protocols

DATA = {"ada": {"x": 4, "y": 5}, "bob": {"x": 3, "z": 2}}

def curve(recommenders="popularity", metrics="mrr", protocol="base", **how):
    return protocols.learning_curve(DATA, recommenders, metrics, protocol=protocol, n_resamples=9, **how)

def value(recommenders="popularity", metrics="mrr", **how):
    """The number of the first curve."""
    found = curve(recommenders, metrics, **how)
    return found.number(found.recommenders[0], found.metrics[0])

def alphabet(training):
    return lambda items, values, n: training.items[:n]

def unknown(training):
    return lambda items, values, n: ["q", *training.items][:n + 1]
'''
_MODELS = "def als(training):\n    return lambda items, values, n: training.items[:n]\n"
_FILES: dict[str, str | bytes] = {
    "ratings.csv": "user,item,rating\nada,x,4\nada,y,5\nbob,x,3\nbob,z,2\n",
    "my_models.py": _MODELS,
    "odd.py": "def odd(training):\n    return lambda items, values, n: ['q', *training.items][:n + 1]\n",
    "more.py": _MODELS,
}
_COMMAND = "rankconv learning-curve ratings.csv --protocol base"
_AT = "curves 0 mean"
NDCG = (1 + 1 / 1.584962500721156) / 2
"""1 for the first place and 1 / log2(3) for the second."""


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_CURVE, files=_FILES)


def _shell(rest: str, *follows: Follow) -> Case:
    return Case(f"{_COMMAND} {rest}", follows, files=_FILES)


CASES = (
    # which metric
    _case("value(metrics=None)", Follow("metrics='ndcg@10'", "value(§)", NDCG)),
    _shell("-r popularity", Follow("-m ndcg@10", f"{_COMMAND} -r popularity §", NDCG, at=_AT)),
    _case("value(metrics='coverage@3')", Follow("Ask for a metric of each list", "value(metrics='mrr')", 0.75)),
    # which recommenders
    _case(
        "value(None)",
        Follow("recommenders=['popularity', 'my_models.py:als']", "value(§)", 0.75),
    ),
    _shell("-m mrr", Follow("-r popularity", f"{_COMMAND} -m mrr §", 0.75, at=_AT)),
    _case(
        "value(['popularity', 'popularity'])",
        Follow(
            "{'mine': …, 'yours': …}",
            "value(§)",
            0.75,
            {"'mine': …": "'mine': 'popularity'", "'yours': …": "'yours': alphabet"},
        ),
    ),
    _shell(
        "-m mrr -r my_models.py:als -r more.py:als",
        Follow("Give each once", f"{_COMMAND} -m mrr -r my_models.py:als", 0.75, at=_AT),
        Follow(
            "functions different names",
            f"{_COMMAND} -m mrr -r my_models.py:als -r odd.py:odd --on-error collect",
            0.75,
            at=_AT,
        ),
    ),
    _case(
        "value('popularty')",
        Follow("There are popularity", "value('popularity')", 0.75),
        Follow("my_models.py:als", "value('§')", 0.75),
    ),
    _case("value('missing.py:als')", Follow("my_models.py:als", "value('§')", 0.75)),
    _case("value('my_models.py:knn')", Follow("There are: als", "value('my_models.py:als')", 0.75)),
    _case(
        "value(lambda training: training.items)",
        Follow(
            "an object with recommend(items, values, n)",
            "value(lambda training: type('M', (), {'recommend': lambda self, items, values, n: training.items[:n]})())",
            0.75,
        ),
        Follow("such a function", "value(lambda training: lambda items, values, n: training.items[:n])", 0.75),
        Follow(
            "with recommend_many",
            "value(lambda training: type('M', (), "
            "{'recommend_many': lambda self, histories, n: [training.items[:n] for _ in histories]})())",
            0.75,
        ),
    ),
    # what they give
    _case("value(unknown)", Follow('on_error="collect"', "value(unknown, §)", 0.75)),
    _shell("-m mrr -r odd.py:odd", Follow("--on-error collect", f"{_COMMAND} -m mrr -r odd.py:odd §", 0.75, at=_AT)),
    _case(
        "curve(protocol='base(least-users=9)').plot('curve.svg')",
        Follow(
            "take a smaller least-users",
            "(curve(protocol='base(least-users=2)').plot('curve.svg'), Path('curve.svg').read_text().count('<svg'))[1]",
            1,
        ),
    ),
)
