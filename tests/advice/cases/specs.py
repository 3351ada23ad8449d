"""The words of definitions: metrics, cutoffs, conventions and their settings, functions in their place."""

from math import log

from tests.advice.case import Case, Follow

_GIVEN = """
import pickle, yaml
from tests.advice.cases.specs import square

labels, run = {'u': ['b']}, {'u': ['a', 'b']}
long, tied = {'u': ['a', 'b', 'c', 'd']}, {'u': {'a': 1., 'b': 1.}}
two, graded = {'u': ['a', 'b']}, {'u': {'b': 4}}

def value(metric, labels=labels, run=run, preset='rankconv'):
    return rc.evaluate(labels, run, metric, preset)[metric]

def replaced(metric='cg', run=run, **settings):
    return rc.metric(metric).replace(**settings)(graded, run)
"""
_SECOND = 1 / log(3, 2)
"""NDCG of one relevant item at rank 2."""
_FILES: dict[str, str | bytes] = {"labels.csv": "user,item\nu,b\n", "run.csv": "user,item,score\nu,a,2\nu,b,1\n"}
_COMMAND = "rankconv evaluate labels.csv run.csv -m"
_GRAMMAR = (
    Follow("ndcg@10", "value('§')", _SECOND),
    Follow(
        "preset:metric(convention=setting)@k",
        "value('§')",
        _SECOND,
        {"preset": "mllib", "metric": "ndcg", "convention=setting": "on-no-relevant=skip", "@k": "@10"},
    ),
)
_FUNCTION = Follow("It takes one number after another, and gives one number", "replaced(gain=square)", 16.0)


def square(grade: float) -> float:
    """A gain."""
    return grade**2


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_GIVEN)


def _shares(metric: str) -> tuple[Follow, ...]:
    """Half of four rows are two, and half of two labels are one."""
    return tuple(
        Follow(f"recall({metric}max-depth={name}(0.5))", "value('§', two, long)", share)
        for name, share in (("share", 1.0), ("share-of-labels", 0.5))
    )


CASES = (
    # cutoffs
    _case("value('recall@50%', two, long)", *_shares("")),
    _case("value('recall(ties=given)@50%', two, long)", *_shares("ties=given, ")),
    _case("value('recall@1,50%', two, long)", *_shares("")),
    _case(
        "value('hit_rate@0')",
        Follow("A cutoff is a whole number from 1 up to 1,000,000", "value('hit_rate@1000000')", 1.0),
        Follow("@10,", "value('hit_rate§'.rstrip(','))", 1.0),
        Follow("@5,10,20", "rc.evaluate(labels, run, 'hit_rate§')['hit_rate@20']", 1.0),
        Follow("@1-8", "rc.evaluate(labels, run, 'hit_rate§')['hit_rate@1']", 0.0),
        Follow("leave it out", "value('hit_rate')", 1.0),
    ),
    _case("value('hit_rate@8-1')", Follow("@1-8", "rc.evaluate(labels, run, 'hit_rate§')['hit_rate@8']", 1.0)),
    _case(
        "value('hit_rate@1-2000')",
        Follow(
            "A range of cutoffs rises, and holds 1,000 at most",
            "len(rc.evaluate(labels, run, 'hit_rate@1-1000'))",
            1000.0,
        ),
        Follow("@1-8", "rc.evaluate(labels, run, 'hit_rate§')['hit_rate@1']", 0.0),
    ),
    _case(
        "value('hit_rate@1-900,901-1900')",
        Follow("Name fewer at a time", "rc.evaluate(labels, run, 'hit_rate@1-900')['hit_rate@900']", 1.0),
    ),
    _case(
        "rc.metric('hit_rate@1').replace(k=0)",
        Follow("A cutoff is a whole number from 1", "rc.metric('hit_rate@1').replace(k=2)(labels, run)", 1.0),
    ),
    # metrics
    _case("value('ndcg(')", *_GRAMMAR),
    _case("value('ndcg(linear)@10')", *_GRAMMAR),
    _case("value('cg(gain=linear, gain=binary)')", Follow("Give one setting", "value('cg(gain=linear)')", 1.0)),
    _case(
        "rc.compare(labels, run, rc.metric('ndcg@10').signature, ['mllib'])",
        Follow("ndcg@10", "rc.compare(labels, run, '§', ['mllib'])['ndcg@10', 'mllib']", _SECOND),
    ),
    _case(
        "value('ndcgg')",
        Follow("ndcg", "value('ndcg')", _SECOND),
        Follow("Others like it: rndcg, dcg", "value('dcg')", _SECOND),
        Follow("rc.preset('rankconv').metrics", "float('mrr' in §)", 1.0),
    ),
    Case(
        f"{_COMMAND} ndcgg",
        (
            Follow("ndcg", f"{_COMMAND} §", _SECOND),
            Follow("rankconv show rankconv", "§", 1.0),
        ),
        files=_FILES,
    ),
    # conventions
    _case(
        "rc.convention('expected')",
        Follow("It is a setting of ties", "value('mrr(ties=expected)', run=tied)", (1 + 1 / 2) / 2),
    ),
    _case(
        "rc.convention('tie')",
        Follow("ties", "value('mrr(§=expected)', run=tied)", (1 + 1 / 2) / 2),
        Follow("rc.list_conventions()", "float('ties' in §)", 1.0),
    ),
    _case(
        "value('mrr(on-no-hits-and-on-no-labels=skip)', {'u': ['c']})",
        Follow("on-no-labels-and-on-no-hits", "value('mrr(§=skip)', {'u': ['c']})", 0.0),
    ),
    # settings
    _case(
        "value('cg(gain=liner)')",
        Follow("Choose one of: linear, exponential", "value('cg(gain=exponential)')", 1.0),
        Follow("linear", "value('cg(gain=§)', graded)", 4.0),
    ),
    Case(
        f"{_COMMAND} 'cg(gain=liner)'",
        (
            Follow("Choose one of: linear, exponential", f"{_COMMAND} 'cg(gain=exponential)'", 1.0),
            Follow("linear", f"{_COMMAND} 'cg(gain=§)'", 1.0),
        ),
        files=_FILES,
    ),
    _case(
        "value('dcg(discount=log(base=0.5))')",
        Follow("Write log(base=…)", "value('dcg(discount=log(base=3))')", 1.0),
    ),
    _case(
        "value('cg(gain=custom(square))', graded)",
        Follow("replace(gain=square)", "rc.metric('cg').§(graded, run)", 16.0),
        Follow(
            '@rc.convention("gain").setting("square", rule="g^2")',
            "(rc.load_plugin('own.py'), value('cg(gain=square)', graded))[1]",
            16.0,
            files={
                "own.py": "import rankconv as rc\n"
                '@rc.convention("gain").setting("square", rule="g^2")\n'
                "def _(grades): return grades**2\n"
            },
        ),
    ),
    _case(
        "value('rbp(rbp-persistence=2)')",
        Follow("It must be at least 0 and at most 1", "value('rbp(rbp-persistence=0.5)')", 0.25),
    ),
    _case(
        "value('rbp(rbp-persistence=1e-200)')",
        Follow("from 1e-100", "value('rbp(rbp-persistence=1e-100)')", 0.0),
    ),
    _case(
        f"value('map(ap-denominator={'min(' * 30}k{')' * 30})@2')",
        Follow("Settings nest at most 20 deep", "value('map(ap-denominator=min(k, relevant))@2')", 0.5),
    ),
    _case(
        "replaced(gain=True)",
        Follow("Choose one of: linear, exponential", "replaced(gain='exponential')", 15.0),
        Follow(
            "a word such as no is text only in quotes",
            "float(yaml.safe_load('on-zero-division: \"no\"') == {'on-zero-division': 'no'})",
            1.0,
        ),
    ),
    _case(
        "replaced('dcg', discount={'log': 3})",
        Follow("Choose one of: log(base=…)", "replaced('dcg', discount='log(base=3)')", 4.0),
        Follow("'log(base=3)'", "replaced('dcg', discount=§)", 4.0),
    ),
    _case(
        "value('roc_range_auc(roc-range=false-positive-rate(0.5, 0.2))')",
        Follow(
            "State the lower rate first",
            "value('roc_range_auc(roc-range=false-positive-rate(0.2, 0.5))', run={'u': {'a': 1., 'b': 2.}})",
            0.3,
        ),
    ),
    _case(
        "value('roc_range_auc(roc-range=false-positive-rate(0.2, 0.2))')",
        Follow(
            "and a higher one after it",
            "value('roc_range_auc(roc-range=false-positive-rate(0.2, 0.5))', run={'u': {'a': 1., 'b': 2.}})",
            0.3,
        ),
    ),
    # functions
    _case("replaced(gain=lambda grade, base: grade)", _FUNCTION),
    _case("replaced(gain=lambda grade: 'many')", _FUNCTION),
    _case(
        "rc.metric('mrr').replace(ties=square)",
        Follow("Choose one of: given, reversed", "rc.metric('mrr').replace(ties='reversed')(labels, tied)", 1.0),
        Follow("Functions are allowed for relevant, gain", "replaced(gain=square)", 16.0),
    ),
    _case(
        "pickle.dumps(rc.metric('cg').replace(gain=lambda grade: grade**2))",
        Follow(
            "Define the function with def, at the top of a module",
            "pickle.loads(pickle.dumps(rc.metric('cg').replace(gain=square)))(graded, run)",
            16.0,
        ),
    ),
)
