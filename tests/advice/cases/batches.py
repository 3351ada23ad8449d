"""Batches, parts and budgets of memory; results, comparisons and models that are trained."""

from tests.advice.case import Case, Follow

_EVALUATOR = '''
import re

def batches(*updates, **how):
    one = rc.Evaluator(how.pop('metric', 'mrr'), **how)
    for labels, run, *more in updates:
        one.update(labels, run, **(more[0] if more else {}))
    return one

def value(*updates, **how):
    return next(iter(batches(*updates, **how).compute().by_spec.values())).mean

B, AB = {'u': ['b']}, {'u': ['a', 'b']}
labels, run = np.array([[0., 1.]]), np.array([[2., 1.]])
PARTS = dict(per_user=False, repeated_users='unchecked')
from rankconv.typing import Partial

def of_a_plugin(data):
    """The part, whose preset is one that is not known here."""
    import zlib
    head, body = data.split(b'\\n', 1)
    body = body.replace(b'"preset":"rankconv"', b'"preset":"of-a-plugin"')
    return b' '.join([*head.split(b' ')[:2], b'%08x' % zlib.crc32(body)]) + b'\\n' + body
'''
_SEEN = "metric='mrr(exclude=seen)'"
_FILES: dict[str, str | bytes] = {"labels.csv": "user,item\nu,b\n", "run.csv": "user,item,score\nu,a,2\nu,b,1\n"}
_COMPARED = "rc.compare({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', ['rankconv', 'mllib'])"


def _update(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_EVALUATOR)


CASES = (
    # whose rows
    _update("value((B, AB, {'users': ['u']}))", Follow("Leave it out", "value((B, AB))", 0.5)),
    _update(
        f"value((labels, run), seen={{0: [0]}}, {_SEEN})",
        Follow(
            "update(labels, run, users=range(0, 1))",
            f"(lambda one: (one.§, one.compute()['mrr(exclude=seen)'])[1])(batches(seen={{0: [0]}}, {_SEEN}))",
            1.0,
        ),
    ),
    _update(
        "value((np.array([[0., 1.], [1., 0.]]), np.array([[2., 1.], [1., 2.]]), "
        f"{{'users': [1, 0], 'seen': np.array([[1., 0.], [0., 0.]])}}), {_SEEN})",
        Follow(
            "seen=rc.Labels(seen, user_ids=users)",
            f"(lambda users, seen: value((np.array([[0., 1.], [1., 0.]]), np.array([[2., 1.], [1., 2.]]), "
            f"dict(users=users, §)), {_SEEN}))([1, 0], np.array([[1., 0.], [0., 0.]]))",
            0.75,
        ),
        Follow(
            "seen=rc.Labels(seen, user_ids=range(2))",
            f"(lambda users, seen: value((np.array([[0., 1.], [1., 0.]]), np.array([[2., 1.], [1., 2.]]), "
            f"dict(users=users, §)), {_SEEN}))([1, 0], np.array([[1., 0.], [0., 0.]]))",
            0.25,
        ),
    ),
    _update(
        f"value((labels, run, {{'users': ['u'], 'seen': np.array([[1., 0.], [0., 0.]])}}), {_SEEN})",
        Follow(
            "Pass the rows of the batch alone",
            f"value((labels, run, {{'users': ['u'], 'seen': np.array([[1., 0.]])}}), {_SEEN})",
            1.0,
        ),
        Follow(
            "seen=rc.Labels(seen, user_ids=…)",
            f"(lambda seen: value((labels, run, dict(users=['u'], §)), {_SEEN}))(np.array([[1., 0.], [0., 0.]]))",
            1.0,
            {"…": "['u', 'v']"},
        ),
    ),
    # updates
    _update(
        "rc.Evaluator('mrr').update(preds=AB, target=B)",
        Follow(
            "update(labels=target, run=preds)",
            "(lambda one, target, preds: (one.§, one.compute()['mrr'])[1])(rc.Evaluator('mrr'), B, AB)",
            0.5,
        ),
    ),
    _update(
        "rc.Evaluator('mrr', repeated_users='unchecked')",
        Follow("per_user=False", "value((B, AB), §, repeated_users='unchecked')", 0.5),
        Follow("leave repeated_users out", "value((B, AB))", 0.5),
    ),
    _update(
        f"value((B, AB, {{'seen': {{'u': ['a']}}}}), seen={{'u': ['a']}}, {_SEEN})",
        Follow("to rc.Evaluator of all users", f"value((B, AB), seen={{'u': ['a']}}, {_SEEN})", 1.0),
        Follow("to update of each batch", f"value((B, AB, {{'seen': {{'u': ['a']}}}}), {_SEEN})", 1.0),
    ),
    _update(
        "batches((B, AB)).merge(batches(({'v': ['b']}, {'v': ['b']}), **PARTS))",
        Follow(
            'per_user=False, repeated_users="unchecked"',
            "(lambda one, other: (one.merge(other), "
            "one.compute()['mrr'])[1])(batches((B, AB), §), batches(({'v': ['b']}, {'v': ['b']}), §))",
            0.75,
        ),
        Follow(
            "or both without",
            "(lambda one, other: (one.merge(other), one.compute()['mrr'])[1])"
            "(batches((B, AB)), batches(({'v': ['b']}, {'v': ['b']})))",
            0.75,
        ),
    ),
    _update(
        "value((B, AB), ({'u': ['a']}, {}))",
        Follow("Pass all labels and rows of a user in one batch", "value(({'u': ['b', 'a']}, AB))", 1.0),
    ),
    _update(
        "batches((B, AB)).partial()",
        Follow('per_user=False, repeated_users="unchecked"', "batches((B, AB), §).partial().compute()['mrr']", 0.5),
    ),
    # parts
    _update(
        "batches((B, AB)).merge(batches(({'v': ['b']}, AB), metric='map'))",
        Follow(
            "Evaluate all parts with the same arguments",
            "(lambda one, other: (one.merge(other), "
            "one.compute()['mrr'])[1])(batches((B, AB)), batches(({'v': ['b']}, {'v': ['b']})))",
            0.75,
        ),
    ),
    _update(
        "batches((B, AB)).merge(batches(({'v': ['b']}, AB), preset='trec_eval'))",
        Follow(
            "Evaluate all parts with the same arguments",
            "(lambda one, other: (one.merge(other), "
            "one.compute()['mrr'])[1])(batches((B, AB)), batches(({'v': ['b']}, {'v': ['b']})))",
            0.75,
        ),
    ),
    _update(
        "Partial.from_bytes(b'what is this')",
        Follow(
            "Read what Partial.to_bytes wrote",
            "Partial.from_bytes(batches((B, AB), **PARTS).partial().to_bytes()).compute()['mrr']",
            0.5,
        ),
    ),
    _update(
        "Partial.from_bytes(re.sub(rb' \\d+ ', b' 999 ', batches((B, AB), **PARTS).partial().to_bytes(), count=1))",
        Follow(
            "Write and read parts with one version",
            "Partial.from_bytes(batches((B, AB), **PARTS).partial().to_bytes()).compute()['mrr']",
            0.5,
        ),
    ),
    _update(
        "Partial.from_bytes(batches((B, AB), **PARTS).partial().to_bytes()[:-1])",
        Follow(
            "Send it anew", "Partial.from_bytes(batches((B, AB), **PARTS).partial().to_bytes()).compute()['mrr']", 0.5
        ),
    ),
    _update(
        "Partial.from_bytes(of_a_plugin(batches((B, AB), **PARTS).partial().to_bytes()))",
        Follow(
            "Partial.from_bytes(data, metrics, preset)",
            "(lambda data, metrics, preset: §.compute()['mrr'])"
            "(of_a_plugin(batches((B, AB), **PARTS).partial().to_bytes()), 'mrr', 'rankconv')",
            0.5,
        ),
        Follow(
            "Load the plugin",
            "Partial.from_bytes(batches((B, AB), **PARTS).partial().to_bytes()).compute()['mrr']",
            0.5,
        ),
    ),
    _update(
        "Partial.from_bytes(batches((B, AB), preset='trec_eval', **PARTS).partial().to_bytes(), 'mrr', 'rankconv')",
        Follow(
            "Use one preset",
            "Partial.from_bytes(batches((B, AB), preset='trec_eval', **PARTS).partial()"
            ".to_bytes(), 'mrr', 'trec_eval').compute()['mrr']",
            0.5,
        ),
    ),
    _update(
        "Partial.merged([batches((B, AB), **PARTS).partial().to_bytes()])",
        Follow("Pass a list of Partial", "Partial.merged([batches((B, AB), **PARTS).partial()]).compute()['mrr']", 0.5),
        Follow(
            "Partial.from_bytes",
            "Partial.merged(map(§, [batches((B, AB), **PARTS).partial().to_bytes()])).compute()['mrr']",
            0.5,
        ),
    ),
    _update(
        "Partial.merged([])",
        Follow(
            "put an empty one first",
            "Partial.merged([batches(**PARTS).partial(), batches((B, AB), **PARTS).partial()]).compute()['mrr']",
            0.5,
        ),
    ),
    _update(
        "value((B, AB), ({'v': ['b']}, {'v': {'a': 2., 'b': 1.}}))",
        Follow(
            "Pass all users in the same form",
            "value((B, {'u': {'a': 2., 'b': 1.}}), ({'v': ['b']}, {'v': {'a': 2., 'b': 1.}}))",
            0.5,
        ),
    ),
    _update(
        "value((B, AB), ({1: ['b']}, {1: ['b']}))",
        Follow("Write both in one form", "value((B, AB), ({'1': ['b']}, {'1': ['b']}))", 0.75),
    ),
    # files
    Case(
        "rc.evaluate({'u': ['b']}, 'run.csv', 'mrr', memory='4GB')",
        (
            Follow(
                "Pass the path of a file or a folder",
                "rc.evaluate('labels.csv', 'run.csv', 'mrr', memory='4GB')['mrr']",
                0.5,
            ),
        ),
        files=_FILES,
    ),
    Case(
        "rc.evaluate('labels.csv', 'run.csv', 'mrr', memory='4GB', per_user='users.csv')",
        (
            Follow(
                "Choose another name",
                "rc.evaluate('labels.csv', 'run.csv', 'mrr', memory='4GB', per_user='others.csv')['mrr']",
                0.5,
            ),
            Follow(
                "remove it first",
                "(Path('users.csv').unlink(), rc.evaluate('labels.csv', 'run.csv', 'mrr', "
                "memory='4GB', per_user='users.csv'))[1]['mrr']",
                0.5,
            ),
        ),
        files=_FILES | {"users.csv": "mine"},
    ),
    Case(
        "rankconv evaluate labels.csv run.csv -m mrr --memory 4GB --per-user-file users.csv",
        (
            Follow(
                "--force", "rankconv evaluate labels.csv run.csv -m mrr --memory 4GB --per-user-file users.csv §", 0.5
            ),
            Follow(
                "Choose another name",
                "rankconv evaluate labels.csv run.csv -m mrr --memory 4GB --per-user-file others.csv",
                0.5,
            ),
        ),
        files=_FILES | {"users.csv": "mine"},
    ),
    Case(
        "rc.evaluate(polars.DataFrame({'user': [1], 'item': ['b'], 'grade': [1]}), 'run.csv', 'mrr', memory='4GB')",
        (
            Follow(
                "Write those of both sides in one type",
                "rc.evaluate(polars.DataFrame({'user': ['1'], 'item': ['b'], 'grade': [1]}), 'run.csv', 'mrr', "
                "memory='4GB')['mrr']",
                0.5,
            ),
        ),
        files={"run.csv": "user,item,score\n1,a,2\n1,b,1\n"},
        given="import polars",
    ),
    Case(
        "rc.evaluate('labels.csv', ['run.csv', 'more.jsonl'], 'mrr', memory='4GB')",
        (
            Follow(
                "Write the user ids of all files in one type",
                "rc.evaluate('labels.csv', ['run.csv', 'more.jsonl'], 'mrr', memory='4GB')['mrr']",
                0.5,
                files={"more.jsonl": '{"user": "5", "item": "b", "score": 1}\n'},
            ),
        ),
        files=_FILES | {"more.jsonl": '{"user": 5, "item": "b", "score": 1}\n'},
    ),
    Case(
        "rc.evaluate('labels.csv', ['run.csv', 'more.csv'], 'mrr', memory='4GB')",
        (
            Follow(
                "Give all files the same columns",
                "rc.evaluate('labels.csv', ['run.csv', 'more.csv'], 'mrr', memory='4GB')['mrr']",
                0.5,
                files={"more.csv": "user,item,score\nv,b,1\n"},
            ),
        ),
        files=_FILES | {"more.csv": "user,item\nv,b\n"},
    ),
    Case(
        "rc.evaluate('labels.csv', 'run.csv', 'mrr', per_user='users.csv')",
        (
            Follow("Leave it out", "rc.evaluate('labels.csv', 'run.csv', 'mrr')['mrr']", 0.5),
            Follow(
                "result.to_frame()", "(lambda result: §['mrr'][0])(rc.evaluate('labels.csv', 'run.csv', 'mrr'))", 0.5
            ),
        ),
        files=_FILES,
    ),
    # joined data, columns that are named
    Case(
        "rc.evaluate(rc.join({'u': ['b']}, {'u': ['a', 'b']}), metrics='mrr', run={'u': ['a']})",
        (
            Follow("rc.join(labels, run)", "(lambda labels, run: ev(§, None))({'u': ['b']}, {'u': ['a', 'b']})", 0.5),
            Follow("labels and a run", "ev({'u': ['b']}, {'u': ['a', 'b']})", 0.5),
        ),
    ),
    Case(
        "ev({'u': ['b']}, {'u': ['a', 'b']}, 'hit_rate', k=1)",
        (
            Follow("hit_rate@1", "ev({'u': ['b']}, {'u': ['a', 'b']}, '§')", 0.0),
            Follow("without k=", "ev({'u': ['b']}, {'u': ['a', 'b']}, 'hit_rate@1')", 0.0),
        ),
    ),
    Case(
        "ev({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', ties='given')",
        (
            Follow("mrr(ties=given)", "ev({'u': ['b']}, {'u': ['a', 'b']}, '§')", 0.5),
            Follow("without ties=", "ev({'u': ['b']}, {'u': ['a', 'b']}, 'mrr(ties=given)')", 0.5),
        ),
    ),
    Case(
        "ev(rc.Labels('labels.csv'), 'run.csv', columns={'run.score': 'fit'})",
        (
            Follow("Pass the tables themselves", "ev('labels.csv', 'run.csv', columns={'run.score': 'fit'})", 0.5),
            Follow(
                "rc.Labels(table, user='uid')",
                "ev((lambda table: §)('uids.csv'), 'run.csv')",
                0.5,
                files=_FILES | {"uids.csv": "uid,item\nu,b\n"},
            ),
        ),
        files=_FILES | {"run.csv": "user,item,fit\nu,a,2\nu,b,1\n"},
    ),
    Case(
        "rc.explain({'u': ['b']}, rc.Runs(bm25={'u': ['a', 'b']}), 'mrr', user='u')",
        (Follow("Pass one of them", "rc.explain({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', user='u').value", 0.5),),
    ),
    # comparisons and results
    Case(
        "rc.compare({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', {'rankconv': 1})",
        (Follow("['rankconv']", "rc.compare({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', §)['mrr', 'rankconv']", 0.5),),
    ),
    Case(
        "rc.compare({'u': ['b']}, {'u': ['a', 'b']}, 'mllib:mrr', ['rankconv'])",
        (
            Follow(
                "leave the prefix out",
                "rc.compare({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', ['rankconv'])['mrr', 'rankconv']",
                0.5,
            ),
        ),
    ),
    Case(
        "rc.compare({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', ['mllib'])",
        (
            Follow(
                "Add the preset rankconv",
                "rc.compare({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', ['mllib', 'rankconv'])['mrr', 'rankconv']",
                0.5,
            ),
        ),
    ),
    Case(
        f"{_COMPARED}['mrr']",
        (
            Follow(
                'comparison["ndcg@10", "mllib"]',
                f"(lambda comparison: §)({_COMPARED})",
                0.5,
                {'"ndcg@10", "mllib"': '"mrr", "rankconv"'},
            ),
        ),
    ),
    Case(f"{_COMPARED}['map', 'rankconv']", (Follow("It holds: mrr", f"{_COMPARED}['mrr', 'rankconv']", 0.5),)),
    Case(
        "rc.evaluate({'u': ['b']}, {'u': ['a', 'b']}, 'mrr')[5]",
        (Follow("This result holds: mrr", "ev({'u': ['b']}, {'u': ['a', 'b']}, 'mrr')", 0.5),),
    ),
    Case(
        "rc.evaluate({'u': ['b']}, {'u': ['a', 'b']}, 'mrr')['map']",
        (Follow("This result holds: mrr", "ev({'u': ['b']}, {'u': ['a', 'b']}, 'mrr')", 0.5),),
    ),
    Case(
        "rc.compare_signatures('what', 'is this')",
        (
            Follow(
                "result.signatures",
                "(lambda result: rc.compare_signatures(*[*§.values()] * 2).ok)"
                "(rc.evaluate({'u': ['b']}, {'u': ['a', 'b']}, 'mrr'))",
                1.0,
            ),
            Follow(
                "metric@k|…||users:…",
                "rc.compare_signatures('§', '§').ok",
                1.0,
                {"@k|…": "", "…": "1|run:9f3c1a20b8c7|digests:2"},
            ),
        ),
    ),
    # training
    Case(
        "rc.feval('ndcg@10', 'catboost')",
        (
            Follow(
                "metric(rc.grouped(y, scores, query_id=queries))",
                "(lambda metric, y, scores, queries: §)(rc.metric('mrr'), [0, 1], [2, 1], ['q', 'q'])",
                0.5,
            ),
            Follow(
                "model.staged_predict(X)",
                "[rc.metric('mrr')(rc.grouped([0, 1], one, query_id=['q', 'q'])) "
                "for model, X in [(type('Model', (), {'staged_predict': lambda self, X: [X]})(), [2, 1])] "
                "for one in §][0]",
                0.5,
            ),
        ),
    ),
)
