"""Advice of the agreement of two label sets and the similarity of two runs."""

from tests.advice.case import Case, Follow

_SETS = """
import pandas
human = {'u': {'a': 2, 'b': 0}, 'v': {'a': 1, 'b': 0}}
model = {'u': {'a': 2, 'b': 0}, 'v': {'a': 0, 'b': 0}}
runs = {'bm25': {'u': ['a', 'b'], 'v': ['a', 'b']}, 'dense': {'u': ['b', 'a'], 'v': ['b', 'a']}}

def share(a=human, b=model, *more, **how):
    return rc.agreement(a, b, *more, **{'measures': 'share', **how})['share']

def tau(*more, **how):
    return rc.agreement(human, model, *more, n_resamples=10, **how).leaderboards.correlations['tau-b']

def measured(measures):
    return rc.agreement(human, model, measures=measures)[measures]
"""
"""3 of 4 pairs have equal grades, and both label sets have bm25 before dense."""
_SHARE = 0.75
_KAPPA = 5 / 9
"""By chance 7 of 16 are equal. The squares of differences sum up to 1, and by chance to 6."""
_RUNS = """
import pandas
ab, ba = {'u': ['a', 'b']}, {'u': ['b', 'a']}

def similar(a=ab, b=ba, metric='kendall'):
    return rc.similarity(a, b, metric)[metric]
"""
"""Kendall's correlation of a list of two and its reverse is -1."""
_FILES: dict[str, str | bytes] = {
    "human.csv": "user,item,grade\nu,a,2\nu,b,0\nv,a,1\nv,b,0\n",
    "model.csv": "user,item,grade\nu,a,2\nu,b,0\nv,a,0\nv,b,0\n",
    "few.csv": "user,item,grade\nu,a,2\n",
    "bm25.csv": "user,item,score\nu,a,2\nu,b,1\nv,a,2\nv,b,1\n",
    "dense.csv": "user,item,score\nu,b,2\nu,a,1\nv,b,2\nv,a,1\n",
}
_AGREEMENT = "rankconv agreement human.csv model.csv --measure share"
_ADD = "{'u': {'a': 2, 'b': 0}, 'v': {'a': 0, 'b': 0}}"


def _sets(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_SETS)


def _runs(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_RUNS)


def _lacking(pairs: str) -> Case:
    return _sets(
        f"share(human, {{'u': {{'a': 2}}}}, pairs='{pairs}')",
        Follow("Add them", f"share(human, {_ADD}, pairs='{pairs}')", _SHARE),
        Follow("pairs='intersection'", "share(human, {'u': {'a': 2}}, §)", 1.0),
    )


CASES = (
    # arguments of an agreement
    _sets(
        "share(metric='mrr')",
        Follow("Pass runs", "tau(runs, metric='mrr')", 1.0),
        Follow("leave out the metric", "share()", _SHARE),
    ),
    Case(
        f"{_AGREEMENT} -m mrr",
        (
            Follow("Pass runs", f"{_AGREEMENT} bm25.csv dense.csv -m mrr --n-resamples 10", _SHARE),
            Follow("leave out the metric", _AGREEMENT, _SHARE),
        ),
        files=_FILES,
    ),
    *(
        _sets(f"share(names={names})", Follow("Pass two texts", "share(names=('human', 'model'))", _SHARE))
        for names in ("'xy'", "('human',)", "5", "(1, 2)")
    ),
    *(
        _sets(
            f"tau(runs, correlations={correlations})",
            Follow("a text", "tau(runs, correlations='tau-b')", 1.0),
            Follow("several", "tau(runs, correlations=['tau-b', 'pearson'])", 1.0),
        )
        for correlations in ("5", "{'tau-b': 1}")
    ),
    *(
        _sets(
            f"rc.agreement(human, model, measures={measures})",
            Follow("share", "measured('§')", _SHARE),
            Follow("kappa", "measured('§')", _KAPPA),
        )
        for measures in ("5", "[5]", "[]", "None", "''", "[rc.metric('mrr')]", "{'share': 1}")
    ),
    *(
        _sets(
            f"measured('{measure}')",
            Follow(written, "measured('§')", value),
        )
        for measure, written, value in (
            ("kappa@5", "kappa(weights=none, distance=value)", _KAPPA),
            ("blog:kappa", "kappa(weights=none, distance=value)", _KAPPA),
            ("kappa(weights=quadratic)@5", "kappa(weights=quadratic, distance=value)", 1 - 1 / 6),
        )
    ),
    Case(
        f"{_AGREEMENT.replace('share', 'kappa@5')}",
        (
            Follow(
                "kappa(weights=none, distance=value)",
                f"{_AGREEMENT.replace(' --measure share', '')} --measure '§'",
                _KAPPA,
            ),
        ),
        files=_FILES,
    ),
    # pairs of two label sets
    _sets(
        "share(human, {'w': {'a': 1}})",
        Follow("Pass two label sets of the same users and items", "share(human, model)", _SHARE),
    ),
    *(
        _sets(
            f"share(human, {other})",
            Follow("Write both as text", "share(human, model)", _SHARE),
            Follow(
                "or both as whole numbers",
                "share(*({user: {0: one['a'], 1: one['b']} for user, one in enumerate(grades.values())} "
                "for grades in (human, model)))",
                _SHARE,
            ),
        )
        for other in ("{1: {'a': 1}}", "{'u': {1: 1}}")
    ),
    _sets(
        "share(human, rc.Labels(pandas.DataFrame({'user': ['u'], 'part': ['x'], 'item': ['a']}), "
        "user=['user', 'part']))",
        Follow(
            "user=['…', '…']",
            "share(*[rc.Labels(pandas.DataFrame({'user': ['u'], 'part': ['x'], 'item': ['a']}), §)] * 2)",
            1.0,
            {"'…', '…'": "'user', 'part'"},
        ),
    ),
    _sets(
        "share(human, rc.Labels(pandas.DataFrame({'user': ['u', 'u'], 'item': ['a', 'a'], 'grade': [2, 0]})))",
        Follow(
            "Keep one grade of each pair of user and item",
            "share(human, rc.Labels(pandas.DataFrame({'user': ['u'], 'item': ['a'], 'grade': [2]})))",
            1.0,
        ),
    ),
    _lacking("first"),
    _lacking("refuse"),
    Case(
        "rankconv agreement human.csv few.csv --measure share --pairs refuse",
        (
            Follow("Add them", f"{_AGREEMENT} --pairs refuse", _SHARE),
            Follow("--pairs intersection", "rankconv agreement human.csv few.csv --measure share §", 1.0),
        ),
        files=_FILES,
    ),
    # the order of runs
    _sets(
        "tau({'bm25': runs['bm25']}, 'mrr')",
        Follow(
            "{'bm25': …, 'dense': …}",
            "tau(§, 'mrr')",
            1.0,
            {"'bm25': …": "'bm25': runs['bm25']", "'dense': …": "'dense': runs['dense']"},
        ),
    ),
    Case(
        f"{_AGREEMENT} bm25.csv -m mrr",
        (Follow("Pass two runs or more", f"{_AGREEMENT} bm25.csv dense.csv -m mrr --n-resamples 10", _SHARE),),
        files=_FILES,
    ),
    # similarity
    *(
        _runs(f"similar({other})", Follow("Pass runs of the same users", "similar(ab, ba)", -1.0))
        for other in ("{'v': ['a']}", "{}")
    ),
    *(
        _runs(
            f"similar(ab, {other})",
            Follow("Write both as text", "similar(ab, ba)", -1.0),
            Follow("or both as whole numbers", "similar({0: [0, 1]}, {0: [1, 0]})", -1.0),
        )
        for other in ("{0: ['b', 'a']}", "{'u': [1, 0]}")
    ),
    _runs(
        "similar(ab, rc.Run(pandas.DataFrame({'user': ['u'], 'part': ['x'], 'item': ['a'], 'score': [1]}), "
        "user=['user', 'part']))",
        Follow(
            "user=['…', '…']",
            "similar(*[rc.Run(pandas.DataFrame({'user': ['u', 'u'], 'part': ['x', 'x'], "
            "'item': ['a', 'b'], 'score': [2, 1]}), §)] * 2)",
            1.0,
            {"'…', '…'": "'user', 'part'"},
        ),
    ),
    *(
        _runs(cause, Follow("Keep one row of each item", "similar(ab, ba)", -1.0))
        for cause in ("similar({'u': ['a', 'b', 'a']})", "similar(ab, {'u': ['b', 'a', 'b']})")
    ),
    *(
        _runs(
            f"rc.similarity(ab, ba, {measures})",
            Follow("kendall", "similar(metric='§')", -1.0),
            Follow("overlap", "similar(metric='§')", 1.0),
        )
        for measures in ("5", "[]", "None", "[rc.metric('mrr')]", "{'rbo': 1}")
    ),
    _runs(
        "similar(metric='lenskit:kendall')",
        Follow("rbo", "similar(ab, ab, metric='lenskit:§')", 1.0),
    ),
)
