"""Tests of runs, curves and segments."""

from math import log2

from tests.advice.case import Case, Follow

_DATA = """
import pandas as pd

labels = {f'u{at}': ['a'] for at in range(6)}
run = {user: ['b', 'a'] if user < 'u3' else ['a', 'b'] for user in labels}
runs = rc.Runs(one=run, two=dict.fromkeys(labels, ['a']))
early, late = ({user: ['a'] for user in labels if (user < 'u4') == first} for first in (True, False))
ages = {user: {'age': 'old' if user < 'u3' else 'young'} for user in labels}
kinds = {'a': {'age': 'new', 'kind': 'x'}, 'b': {'age': 'worn', 'kind': 'y'}}
series = pd.Series({user: one['age'] for user, one in ages.items()})

def tested(runs, metric='mrr', **how):
    '''The mean of the first run of the first test.'''
    return rc.test(labels, runs, metric, **how).tests[0].means[0]

def last(metric='mrr', **how):
    '''The last value of the first curve.'''
    return next(iter(rc.curve(labels, run, metric, **how).lines.values())).up[-1]

def part(**how):
    '''The number of the first segment.'''
    return rc.segments(labels, run, 'mrr', **how).segments[0].number
"""
_USERS = [f"u{at}" for at in range(6)]


def _lines(users: list[str], *items: str) -> str:
    """A run as CSV with these items for each user, best first."""
    rows = [f"{user},{item},{2 - at}\n" for user in users for at, item in enumerate(items)]
    return "".join(["user,item,score\n", *rows])


_PAIRS = "".join(f"{at // 5},{at},a\n" for at in range(10))
_FILES: dict[str, str | bytes] = {
    "labels.csv": "".join(["user,item\n", *(f"{user},a\n" for user in _USERS)]),
    "run.csv": _lines(_USERS, "b", "a"),
    "early.csv": _lines(_USERS[:4], "a"),
    "late.csv": _lines(_USERS[4:], "a"),
    "none.json": '{"u0": [], "u1": []}',
    "ages.csv": "".join(["user,age\n", *(f"{user},{'old' if user < 'u3' else 'young'}\n" for user in _USERS)]),
    "pairs.csv": f"uid,turn,item\n{_PAIRS}",
    "right.csv": f"uid,turn,item\n{_PAIRS}",
    "wrong.csv": f"uid,turn,item\n{_PAIRS}".replace(",a", ",b"),
}
_SKIP = "mrr(on-no-ranking=skip)"
_EITHER = f"labels, rc.Runs(early=early, late=late), {_SKIP!r}"
_OLD = "part(by='age', user_features=ages)"
_CLUSTERED = "rankconv test pairs.csv right.csv wrong.csv -m mrr --column user=uid,turn"
_MINE = "user_features={user: {**one, 'mine': 'x'} for user, one in ages.items()}"
_GROUPED = "{'u0': {'x': ['a'], 'y': ['b']}}, {'u0': ['c', 'a']}, 'mrr'"


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given="" if cause.startswith("rankconv ") else _DATA, files=_FILES)


CASES = (
    # tests of runs
    _case(
        "rc.test(rc.join(labels, run), None, 'mrr')",
        Follow(
            "{'bm25': …, 'dense': …}",
            "tested(§)",
            0.75,
            {"'bm25': …": "'bm25': run", "'dense': …": "'dense': dict.fromkeys(labels, ['b'])"},
        ),
    ),
    _case(
        "tested(runs, baseline='tow')",
        Follow("two", "rc.test(labels, runs, 'mrr', baseline='§').tests[0].effect.mean", -0.25),
        Follow("The runs are: one, two", "rc.test(labels, runs, 'mrr', baseline='one').tests[0].effect.mean", 0.25),
    ),
    _case(
        f"tested(rc.Runs(early=early, late=late), {_SKIP!r})",
        Follow("rc.test(…, include_users='either')", "§.tests[0].means[0]", 4 / 6, {"…": _EITHER}),
        Follow("Test runs of the same users", f"tested(runs, {_SKIP!r})", 0.75),
    ),
    _case(
        f"rc.leaderboard({_EITHER})",
        Follow("rc.test(…, include_users='either')", "§.tests[0].means[0]", 4 / 6, {"…": _EITHER}),
        Follow("Test runs of the same users", f"rc.leaderboard(labels, runs, {_SKIP!r}).standings[0].mean", 1.0),
    ),
    _case(
        f"rankconv test labels.csv early.csv late.csv -m '{_SKIP}'",
        Follow(
            "rankconv test LABELS RUN RUN --include-users either",
            f"§ -m '{_SKIP}'",
            4 / 6,
            {"LABELS": "labels.csv", "RUN RUN": "early.csv late.csv"},
        ),
        Follow(
            "Test runs of the same users",
            f"rankconv test labels.csv run.csv other.csv -m '{_SKIP}'",
            0.5,
            files={"other.csv": _lines(_USERS, "a", "b")},
        ),
    ),
    _case(
        f"tested(rc.Runs(early=early, late=early), {_SKIP!r})",
        Follow("Test runs with more users in common", f"tested(runs, {_SKIP!r})", 0.75),
    ),
    _case(
        f"tested(rc.Runs(early=early, late=early), {_SKIP!r}, include_users='either')",
        Follow("Test runs with more users", f"tested(runs, {_SKIP!r}, include_users='either')", 0.75),
    ),
    _case(
        "tested(runs, cluster=dict.fromkeys(labels, 1))",
        Follow("Leave cluster= out", "tested(runs)", 0.75),
        Follow("name clusters of which there are more", "tested(runs, cluster={user: user for user in labels})", 0.75),
    ),
    _case(
        f"{_CLUSTERED} --cluster uid",
        Follow("Leave --cluster out", _CLUSTERED, 1.0),
        Follow("name clusters of which there are more", f"{_CLUSTERED} --cluster turn", 1.0),
    ),
    # curves
    _case("last('mrr@2')", Follow("Leave it out: 'mrr', and max_k=50", "last('mrr', max_k=50)", 0.75)),
    _case(
        "rankconv curve labels.csv run.csv -m 'mrr(ties=expected)@5'",
        Follow(
            "Leave it out: 'mrr(ties=expected)', and --max-k 50",
            "rankconv curve labels.csv run.csv -m 'mrr(ties=expected)' --max-k 50",
            0.5,
        ),
    ),
    *(
        _case(f"last({nothing})", Follow("['ndcg', 'map']", "last(§)", 0.5 * (1 + 1 / log2(3))))
        for nothing in ("[]", "''")
    ),
    _case("last(rc.metric('mllib:recall@2'))", Follow("'mllib:recall'", "last(§)", 1.0)),
    _case(
        "last('mrr', over='recall')",
        Follow("Leave it out", "last(None, over='recall')", 0.5),
        Follow("over='k'", "last('mrr', §)", 0.75),
    ),
    _case(
        "rankconv curve labels.csv run.csv -m mrr --over recall",
        Follow("Leave it out", "rankconv curve labels.csv run.csv --over recall", 0.5),
        Follow("--over k", "rankconv curve labels.csv run.csv -m mrr §", 0.5),
    ),
    _case(
        "last(max_k=0)",
        Follow("A whole number from 1", "last(max_k=1)", 0.5),
        Follow("to 1,000", "last(max_k=1_000)", 0.75),
    ),
    _case("last(max_k=1001)", Follow("A whole number from 1 to 1,000", "last(max_k=np.int64(1))", 0.5)),
    _case(
        "rc.curve(labels, dict.fromkeys(labels, []), 'mrr')",
        Follow("max_k=10", "rc.curve(labels, dict.fromkeys(labels, []), 'mrr', §).lines['mrr'].up[-1]", 0.0),
    ),
    _case(
        "rankconv curve labels.csv none.json -m mrr",
        Follow("--max-k 10", "rankconv curve labels.csv none.json -m mrr §", 0.0),
    ),
    # segments
    _case(
        "part(by=series)",
        Follow("series.to_dict()", "part(by=§)", 0.5),
        Follow("series.to_numpy()", "part(by=§)", 0.5),
    ),
    _case(
        "part(by=pd.DataFrame(ages).T)",
        Follow(
            "Pass it as user_features=, and in by= the names of its columns",
            "part(by='age', user_features=pd.DataFrame(ages).T.reset_index(names='user'))",
            0.5,
        ),
    ),
    _case(
        "part(by=series.to_numpy()[1:])",
        Follow("Give the group of each user of the labels, in their order", "part(by=series.to_numpy())", 0.5),
        Follow("{user: group}", "part(by=§)", 0.5, {"user: group": "user: ages[user]['age'] for user in labels"}),
    ),
    *(
        _case(
            f"part(by={nothing})",
            Follow("{user: group}", "part(by=§)", 0.75, {"user: group": "user: 'all' for user in labels"}),
        )
        for nothing in ("{}", "5", "None", "b'age'")
    ),
    _case("part(by=5)", Follow("Pass the name of a column", _OLD, 0.5)),
    _case(
        "part(by='')",
        Follow("Name one of the table of users", _OLD, 0.5),
        Follow("activity", "part(by='§')", 0.75),
    ),
    _case("part(by='aeg', user_features=ages)", Follow("Columns: age, activity age", _OLD, 0.5)),
    _case(
        "part(by='age')",
        Follow("user_features=…", "part(by='age', §)", 0.5, {"…": "ages"}),
        Follow("Without a table of users or items: activity", "part(by='activity')", 0.75),
    ),
    _case(
        "rankconv evaluate labels.csv run.csv -m mrr --by age",
        Follow(
            "--user-features FILE", "rankconv evaluate labels.csv run.csv -m mrr --by age §", 0.5, {"FILE": "ages.csv"}
        ),
        Follow("activity", "rankconv evaluate labels.csv run.csv -m mrr --by §", 0.5),
    ),
    _case(
        "part(by='age', user_features=ages, item_features=kinds)",
        Follow(
            "Give the column another name in one of them",
            "part(by='age', user_features=ages, item_features={'a': {'era': 'new'}, 'b': {'era': 'worn'}})",
            0.5,
        ),
    ),
    _case(
        "part(by='age', user_features={at: {'age': 'old'} for at in range(6)})",
        Follow(
            "Data: 'u0', 'u1', 'u2', …. Convert the ids",
            "part(by='age', user_features={f'u{at}': {'age': 'old'} for at in range(6)})",
            0.75,
        ),
    ),
    _case(
        "part(by=series.to_dict(), user_features=ages)",
        Follow("Put the groups into a column of user_features", f"part(by=['age', 'mine'], {_MINE})", 0.5),
        Follow("name all columns in by=", f"part(by=['mine', 'age'], {_MINE})", 0.75),
    ),
    _case(
        f"rc.segments({_GROUPED}, by='kind', item_features=kinds)",
        Follow("Divide the users", f"rc.segments({_GROUPED}, by='age', user_features=ages).segments[0].number", 0.5),
        Follow(
            "drop the groups",
            "rc.segments({'u0': ['a', 'b']}, {'u0': ['c', 'a']}, 'mrr', by='kind', item_features=kinds)"
            ".segments[0].number",
            0.5,
        ),
    ),
)
