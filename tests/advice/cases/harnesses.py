"""Advice of definitions as functions of one row of a harness."""

from tests.advice.case import Case, Follow

_ROW = """
import pandas
row = {'query': 'q', 'gold_ids': ['b'], 'retrieved_ids': ['a', 'b']}
other = {'query': 'q', 'right': ['b'], 'pages': {'first': ['a', 'b']}}
score = rc.scorer('mrr')
labels, run = {'u': ['b']}, {'u': ['a', 'b']}
class Model:
    def predict(self, X):
        return X['score'].to_numpy()
model, frame = Model(), pandas.DataFrame({'query': [1, 1], 'score': [2., 1.]})

def again(how, between):
    kept = rc.scorer('mrr', **how).collector()
    kept({'qid': 1, 'topic': 'x', 'gold_ids': ['b'], 'retrieved_ids': ['a', 'b']})
    between(kept)
    kept({'qid': 1, 'topic': 'y', 'gold_ids': ['b'], 'retrieved_ids': ['b']})
    return kept.compute()['mrr']

def of_two(**how):
    kept = rc.scorer('mrr', **how).collector()
    kept({'qid': 1, 'topic': 'x', 'gold_ids': ['b'], 'retrieved_ids': ['a', 'b']})
    kept({'query': 'q', 'topic': 'y', 'gold_ids': ['b'], 'retrieved_ids': ['b']})
    return kept.compute()['mrr']
"""
_ALL = "Evaluate all users at once: rc.evaluate(labels, run, …)"
_SIDES = "score(output=…, expected=…)"
_BOTH = {"output=…": "output=['a', 'b']", "expected=…": "expected=['b']"}
_ONE_OF = (
    Follow("a list of ids", "score(output=['a', 'b'], expected=['b'])", 0.5),
    Follow("of documents", "score(output=[{'id': 'a'}, {'id': 'b'}], expected=[{'id': 'b'}])", 0.5),
    Follow("a dict {id: number}", "score(output={'b': 1., 'a': 2.}, expected={'b': 1})", 0.5),
    Follow("a record with one of these", "score(output={'hits': ['a', 'b']}, expected={'relevant': ['b']})", 0.5),
)
"""The sides as the message allows them."""


def _row(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_ROW)


def _of_all(metric: str, value: float, more: str = "") -> Case:
    """A metric that no row has a value of."""
    return _row(
        f"rc.scorer('{metric}')",
        Follow(_ALL, f"§['{metric}']", value, {"Evaluate all users at once: ": "", "…": f"'{metric}'{more}"}),
    )


def _named(side: str, row: str, key: str, place: str = "", **more: str) -> Case:
    """A row in which a side is not found, its key, and the place in it; `more` are arguments of the other side."""
    function = f"lambda row: row[{key!r}]" + (f"[{place!r}]" if place else "")
    how = "".join(f", {name}={value!r}" for name, value in more.items())
    return _row(
        f"rc.scorer('mrr'{how})({row})",
        Follow(key, f"'§' in {row}", True),
        Follow(f"{side}='KEY'", f"rc.scorer('mrr', §{how})({row})", 0.5, {"KEY": f"{key}.{place}" if place else key}),
        Follow("a function of the row", f"rc.scorer('mrr', {side}={function}{how})({row})", 0.5),
    )


CASES = (
    # metrics of all users
    _of_all("coverage@2", 0.5, ", catalogue=4"),
    _of_all("diversity@2", 1.0, ", item_features={'a': [1, 0], 'b': [0, 1]}"),
    _of_all("items_shown@2", 2.0),
    _of_all("mrr(aggregate=sequential-mean)", 0.5),
    # arguments
    *(
        _row(
            f"rc.scorer('mrr', columns={columns})",
            Follow("{'user': 'qid'}", "rc.scorer('mrr', columns=§)({**row, 'qid': 3})", 0.5),
        )
        for columns in ("['qid']", "'qid'", "{5: 'qid'}")
    ),
    _row(
        "score(['a', 'b'], ['b'])",
        Follow("Pass a row", "score(row)", 0.5),
        Follow(_SIDES, "§", 0.5, _BOTH),
        Follow(
            "rc.scoring",
            "§('mrr', group='query')(model, frame, np.array([0., 1.]))",
            0.5,
        ),
    ),
    _row(
        "score(row, output=['b'])",
        Follow(_SIDES, "§", 0.5, _BOTH),
    ),
    _row(
        "score(output=['b'])",
        Follow("Pass a row", "score(row)", 0.5),
        Follow(_SIDES, "§", 0.5, _BOTH),
    ),
    *(
        _row(
            f"score({value})",
            Follow("Pass a row", "score(row)", 0.5),
            Follow(_SIDES, "§", 0.5, _BOTH),
        )
        for value in ("['a', 'b']", "'a'", "None", "{}", "{'a': 1.}")
    ),
    # the query of a row
    *(
        _row(
            cause,
            Follow("topic", "of_two(columns={'user': '§'})", 0.75),
            Follow("columns={'user': 'KEY'}", "of_two(§)", 0.75, {"KEY": "topic"}),
        )
        for cause in (
            "of_two(columns={'user': 'qid'})",
            "of_two(columns={'user': 'topik'})",
            "of_two(columns={'user': 'gold_ids'})",
        )
    ),
    _row(
        "again({}, lambda kept: None)",
        Follow("columns={'user': 'KEY'}", "again(dict(§), lambda kept: None)", 0.75, {"KEY": "topic"}),
        Follow("reset()", "again({}, lambda kept: kept.§)", 1.0),
    ),
    # the sides of a row
    _named("expected", "{'right': ['b'], 'retrieved_ids': ['a', 'b']}", "right"),
    _named("output", "other", "pages", "first", expected="right"),
    _row(
        "rc.scorer('mrr', output='retrieved')(row)",
        Follow("retrieved_ids", "rc.scorer('mrr', output='§')(row)", 0.5),
        Follow("output='KEY'", "rc.scorer('mrr', §)(row)", 0.5, {"KEY": "retrieved_ids"}),
        Follow("a function of the row", "rc.scorer('mrr', output=lambda row: row['retrieved_ids'])(row)", 0.5),
    ),
    *(
        _row(cause, Follow("Pass a list", done, 0.5))
        for cause, done in (
            ("score(output={'a', 'b'}, expected=['b'])", "score(output=['a', 'b'], expected=['b'])"),
            ("score({**row, 'retrieved_ids': {'a', 'b'}})", "score({**row, 'retrieved_ids': ['a', 'b']})"),
            (
                "rc.scorer('mrr', output='shown')({**row, 'shown': {'a', 'b'}})",
                "rc.scorer('mrr', output='shown')({**row, 'shown': ['a', 'b']})",
            ),
        )
    ),
    *(
        _row(
            f"score({sides})",
            *_ONE_OF,
            Follow(
                f"rc.scorer(…, {side}=function)",
                "(lambda function: §({**row, 'a': 'a b'}))(lambda row: row['query'] and ['a', 'b'] if "
                f"'{side}' == 'output' else ['b'])",
                0.5,
                {"…": "'mrr'"},
            ),
        )
        for side, sides in (
            ("output", "output=5, expected=['b']"),
            ("output", "output='a b', expected=['b']"),
            ("expected", "output=['a', 'b'], expected='a b'"),
            ("expected", "output=['a', 'b'], expected=1.5"),
        )
    ),
    _row(
        "rc.scorer('mrr', output=lambda row: ' '.join(row['retrieved_ids']))(row)",
        *_ONE_OF,
        Follow(
            "rc.scorer(…, output=function)",
            "(lambda function: §(row))(lambda row: row['retrieved_ids'])",
            0.5,
            {"…": "'mrr'"},
        ),
    ),
    *(
        _row(cause, Follow("Pass [] where there is no item", done, 0.0))
        for cause, done in (
            ("score(output=None, expected=['b'])", "score(output=[], expected=['b'])"),
            (
                "rc.scorer('mrr', output='retrieved_ids')({**row, 'retrieved_ids': None})",
                "rc.scorer('mrr', output='retrieved_ids')({**row, 'retrieved_ids': []})",
            ),
            (
                "score(output=['a'], expected=None)",
                "np.nan_to_num(score(output=['a'], expected=[]), nan=0.0)",
            ),
        )
    ),
)
