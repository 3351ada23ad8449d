"""Numbers that are refused: what definitions need, several lists, spans, groups, parts, and presets that refuse."""

from math import log

from tests.advice.case import Case, Follow

_GIVEN = """
import pandas as pd

labels, run = {'u': ['b'], 'v': ['a']}, {'u': ['a', 'b'], 'v': ['a', 'b']}
groups = {'u': {'x': ['a'], 'y': ['b']}}
calls = rc.Run({'u': [['a', 'b'], ['b']], 'v': [['a'], ['b']]})
spans = pd.DataFrame({'query': ['q'], 'document': ['d'], 'start': [0], 'end': [10]})
features, table = {'a': {'x'}, 'b': {'y'}}, pd.DataFrame({'item': ['a', 'b'], 'genre': ['x', 'y'], 'era': ['o', 'n']})
bought = {'w': ['a', 'b'], 'z': ['a']}
huge = {f'u{user}': {'a': 1e-5 if user else 1.7e308} for user in range(12)}

def value(metric, labels=labels, run=run, **more):
    return rc.evaluate(labels, run, metric, **more)[metric]

def part(user, catalogue, metric='coverage@1'):
    one = rc.Evaluator(metric, catalogue=catalogue, per_user=False, repeated_users='unchecked')
    one.update({user: ['b']}, {user: ['a', 'b']})
    return one

def batches(metric, **how):
    one = rc.Evaluator(metric, **how)
    one.update(labels, run)
    return one.compute()[metric]

def share(settings, features=features, **more):
    return value(f'group_share({settings})@1', item_features=features, **more)

def awrf(target):
    return round(value('awrf(group-target=given)@2', item_features=features, group_target=target), 4)

def drawn(labels):
    return rc.evaluate(labels, {user: ['a'] for user in labels}, 'cg')['cg'].interval(how='percentile').high
"""
_FILES: dict[str, str | bytes] = {
    "labels.csv": "user,item,grade,theme\nu,b,1,x\nv,a,1,y\n",
    "run.csv": "user,item,score\nu,a,2\nu,b,1\nv,a,2\nv,b,1\n",
    "graded.csv": "user,item,grade\nu,b,2\nv,a,1\n",
    "calls.csv": "user,search,item,score\nu,1,a,2\nu,1,b,1\nu,2,b,1\nv,1,a,1\nv,2,b,1\n",
    "spans.csv": "query,document,start,end\nq,d,0,10\n",
}
_NDCG = (1 + 1 / log(3, 2)) / 2
"""Of both users, of whom one has the relevant item first and the other second."""


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_GIVEN)


def _command(words: str, *follows: Follow) -> Case:
    return Case(f"rankconv {words}", follows, files=_FILES)


def _refused(settings: str, says: str, right: str, outcome: float, features: str = "features") -> Case:
    """What the share of a group needs, which is told with the setting that needs it."""
    return _case(f"share('{settings}', {features})", Follow(says, f"share('{right}', {features})", outcome))


_FOUND = "'mrr(grades-allowed=binary)', {'u': {'b': 2}, 'v': {'a': 1}}"
_WAYS = {"grades=binary": (1 / 2 + 1) / 2, "on-invalid=skip": 1.0, "on-invalid=0": 1 / 2}
"""What each way gives, where one user of two has a grade of 2."""
_SPANS = (
    "recall(span-unit=span)",
    "recall(span-unit=character, item-weight=length, recall-denominator=relevant-weights)",
)

CASES = (
    # what is given besides labels and run
    _case("value('coverage@1')", Follow("catalogue=…", "value('coverage@1', §)", 0.5, {"…": "['a', 'b']"})),
    _command(
        "evaluate labels.csv run.csv -m coverage@1",
        Follow("--catalogue", "rankconv evaluate labels.csv run.csv -m coverage@1 § 2", 0.5),
    ),
    _case(
        "value('alpha_ndcg@2', {'u': ['a', 'b']})",
        Follow(
            "rc.Labels({user: {group: [items]}})",
            "value('alpha_ndcg@2', §)",
            1.0,
            {"user": "'u'", "group": "'x'", "[items]": "['a']"},
        ),
        Follow(
            "rc.Labels(…, group='column')",
            "value('alpha_ndcg@2', §)",
            1.0,
            {"…": "pd.DataFrame({'user': ['u'], 'item': ['a'], 'column': ['x']})"},
        ),
        Follow("alpha_ndcg(no-subtopic=own)@2", "value('§')", _NDCG),
        Follow("alpha_ndcg(no-subtopic=one)@2", "value('§')", _NDCG),
    ),
    _command(
        "evaluate labels.csv run.csv -m alpha_ndcg@2",
        Follow(
            "--column group=NAME", "rankconv evaluate labels.csv run.csv -m alpha_ndcg@2 §", _NDCG, {"NAME": "theme"}
        ),
        Follow("'alpha_ndcg(no-subtopic=own)@2'", "rankconv evaluate labels.csv run.csv -m §", _NDCG),
        Follow("'alpha_ndcg(no-subtopic=one)@2'", "rankconv evaluate labels.csv run.csv -m §", _NDCG),
    ),
    *(
        _case(
            f"value('hit_rate(subtopics=separate, {own}subtopic-weight=given)@1', {wrong})",
            Follow(
                "rc.Labels({user: {group: [items]}}).with_group_weights({user: {group: 0.7}})",
                f"value('hit_rate(subtopics=separate, {own}subtopic-weight=given)@1', §)",
                1.0,
                {"{user: {group: [items]}}": "{'u': {'x': ['a']}}", "{user: {group: 0.7}}": "{'u': {'x': 0.7}}"},
            ),
        )
        for own, wrong in (("", "groups"), ("no-subtopic=own, ", "labels"))
    ),
    _command(
        "evaluate labels.csv run.csv -m 'hit_rate(subtopics=separate, subtopic-weight=given)@1' --column group=theme",
        Follow(
            "with_group_weights of rc.Labels",
            "rankconv evaluate labels.csv run.csv -m 'hit_rate(subtopics=separate)@1' --column group=theme",
            0.5,
        ),
    ),
    *(
        _case(
            f"value('nugget_recall(credit=strict)', {{'u': ['a']}}, {{'u': {wrong}}})",
            Follow(
                "Give scores from 0 to 1, divided by that of full support if need be",
                "value('nugget_recall(credit=strict)', {'u': ['a']}, {'u': {'a': 2.0 / 2.0}})",
                1.0,
            ),
            Follow(
                "score-words=numbers(support=1, partial_support=0.5, not_support=0)",
                "value('nugget_recall(credit=strict, §)', {'u': ['a']}, {'u': {'a': 'support'}})",
                1.0,
            ),
        )
        for wrong in ("{'a': 2.0}", "['a']")
    ),
    _case(
        "value('cg(grade-words=numbers(okay=1))', {'u': {'a': 'vitl', 'b': 'okay'}}, {'u': ['a', 'b']})",
        Follow(
            "Correct what is wrong",
            "value('cg(grade-words=numbers(okay=1))', {'u': {'a': 'okay', 'b': 'okay'}}, {'u': ['a', 'b']})",
            2.0,
        ),
        Follow(
            "cg(grade-words=numbers(okay=1, vitl=0))",
            "value('§', {'u': {'a': 'vitl', 'b': 'okay'}}, {'u': ['a', 'b']})",
            1.0,
        ),
    ),
    # several lists, spans, chunks
    _case(
        "value('mrr', run=calls)",
        Follow("or mean", "value('mrr(calls=mean)', run=calls)", ((1 / 2 + 1) / 2 + (1 + 0) / 2) / 2),
        Follow("mrr(calls=one-after-the-other)", "value('§', run=calls)", (1 / 2 + 1) / 2),
        Follow("rc.convention('calls')", "float('best' in §.names)", 1.0),
    ),
    _command(
        "evaluate labels.csv calls.csv -m 'mrr(calls=refuse)' --column call=search",
        Follow(
            "-m 'mrr(calls=one-after-the-other)'",
            "rankconv evaluate labels.csv calls.csv § --column call=search",
            (1 / 2 + 1) / 2,
        ),
        Follow("rankconv show calls", "§", 1.0),
    ),
    _case(
        "value('recall', spans, spans)",
        *(Follow(one, "value('§', spans, spans)", 1.0) for one in _SPANS),
        Follow("rc.convention('span-unit')", "float('character' in §.names)", 1.0),
    ),
    _command(
        "evaluate spans.csv spans.csv -m recall",
        *(Follow(f"-m '{one}'", "rankconv evaluate spans.csv spans.csv §", 1.0) for one in _SPANS),
        Follow("rankconv show span-unit", "§", 1.0),
    ),
    _case(
        "value('mrr(collapse=max)', {'u': {'d#1': 1, 'd': 1}}, {'u': ['d#1']}, parents='#')",
        Follow("Keep one of both", "value('mrr(collapse=max)', {'u': {'d': 1}}, {'u': ['d#1']}, parents='#')", 1.0),
        Follow(
            "Labels of chunks, of which a document has the highest grade; or labels of documents",
            "value('mrr(collapse=max)', {'u': {'d#1': 1}}, {'u': ['d#1']}, parents='#')",
            1.0,
        ),
    ),
    _case(
        "value('mrr(collapse=max)', {'u': {'g': ['d']}}, {'u': ['d#1']}, parents='#')",
        Follow(
            "Give labels without subtopics",
            "value('mrr(collapse=max)', {'u': ['d']}, {'u': ['d#1']}, parents='#')",
            1.0,
        ),
        Follow("collapse=none", "value('mrr(§)', {'u': {'g': ['d#1']}}, {'u': ['d#1']}, parents='#')", 1.0),
    ),
    _case(
        "value('hit_rate(scope=global, subtopics=separate)@1', groups, {'u': {'a': 2., 'b': 1.}})",
        Follow("Drop scope=global", "value('hit_rate(subtopics=separate)@1', groups, {'u': {'a': 2., 'b': 1.}})", 0.5),
    ),
    # groups of items
    _refused("group=refuse", "group=name(x)", "§", 1.0),
    _refused("group=name(z)", "Name one of the groups: x, y", "group=name(y)", 0.0),
    _case(
        "share('item-group=refuse, group=name(x)')",
        Follow("item-group=column", "share('§, group=name(x)')", 1.0),
        *(
            Follow(f"item-group=popularity-head(0.8, {ends})", "share('§, group=name(head)', train=bought)", 1.0)
            for ends in ("reached", "exceeded")
        ),
    ),
    _refused(
        "item-group=column(eras), group=name(o)",
        "Name one of them",
        "item-group=column(era), group=name(o)",
        1.0,
        "table",
    ),
    _refused("item-group=column(eras), group=name(x)", "item-group=column", "§, group=name(x)", 1.0),
    _refused("group=name(x)", "item-group=column(genre)", "§, group=name(x)", 1.0, "table"),
    _case(
        "share('group=name(x)', {'a': {'x'}})",
        Follow("Give each a group", "share('group=name(x)')", 1.0),
        *(
            Follow(f"no-group={one}", "share('group=name(x), §', {'a': {'x'}})", 1.0)
            for one in ("left-out", "own-group", "even-share")
        ),
    ),
    _case("awrf({'x': 1.0})", Follow("0 if need be: y", "awrf({'x': 1.0, 'y': 0})", 0.8425)),
    _case(
        "awrf({'u': {'x': 0.5, 'y': 0.5}})",
        Follow("Give each user one", "awrf({user: {'x': 1.0, 'y': 0} for user in labels})", 0.8425),
        Follow("{group: share}", "awrf({'x': 1.0, 'y': 0})", 0.8425),
    ),
    # a preset refuses
    _case(
        f"value({_FOUND})",
        *(
            Follow(f"mrr(grades-allowed=binary, {way})", f"value('§', {_FOUND[30:]})", found)
            for way, found in _WAYS.items()
        ),
        Follow(
            "on_error='collect'",
            "rc.evaluate({'u': {'b': 2}, 'v': {'a': 1}}, run, ['mrr(grades-allowed=binary)', 'mrr'], §)['mrr']",
            (1 / 2 + 1) / 2,
        ),
    ),
    _command(
        "evaluate graded.csv run.csv -m 'mrr(grades-allowed=binary)'",
        *(
            Follow(f"'rankconv:mrr(grades-allowed=binary, {way})'", "rankconv evaluate graded.csv run.csv -m §", found)
            for way, found in _WAYS.items()
        ),
        Follow(
            "rankconv compare LABELS RUN -m 'mrr(grades-allowed=binary)' -p all",
            "§",
            (1 / 2 + 1) / 2,
            {"LABELS": "graded.csv", "RUN": "run.csv"},
        ),
    ),
    # parts and draws
    _case(
        "part('u', 4).merge(part('v', 5))",
        Follow(
            "Pass all parts with the same catalogue=",
            "(lambda one: (one.merge(part('v', 4)), one.compute()['coverage@1'])[1])(part('u', 4))",
            0.25,
        ),
    ),
    _case(
        "batches('judged(judged-scope=collection)@2')",
        Follow("labelled=[…]", "batches('judged(judged-scope=collection)@2', §)", 1.0, {"…": "'a', 'b'"}),
    ),
    _case(
        "batches('auc(scope=global)')",
        Follow("Leave it out", "batches('mrr')", (1 / 2 + 1) / 2),
        Follow(
            "evaluate all users at once, in memory",
            "value('auc(scope=global)', run={'u': {'a': 4., 'b': 3.}, 'v': {'a': 2., 'b': 1.}})",
            0.5,
        ),
    ),
    _case(
        "drawn(huge)",
        Follow(
            "Write the grades as smaller numbers",
            "float(1 < drawn({user: {'a': 1 + (user > 'u0')} for user in huge}) <= 2)",
            1.0,
        ),
    ),
)
