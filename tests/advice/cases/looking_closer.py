"""The number of one user, the differences of definitions, data checks and look-ups."""

from math import log2

from tests.advice.case import Case, Follow

_DATA = """
labels, run = {f'u{at}': ['a'] for at in range(3)}, {'u0': ['b', 'a'], 'u1': ['a', 'b'], 'u2': ['b', 'a']}
two, lists = {'ann': {'a': 3, 'b': 1}, 'bob': {'c': 0}}, {'ann': ['x', 'a', 'b'], 'bob': ['c']}

def explained(metric='mrr@2', **how):
    return rc.explain(labels, run, metric, **how).value

def why(metric=None, a=None, b=None, **how):
    return rc.why(two, lists, metric, a, b, **how).difference
"""
_FILES: dict[str, str | bytes] = {
    "two.csv": "user,item,grade\nann,a,3\nann,b,1\nbob,c,0\n",
    "lists.csv": "user,item,score\nann,x,3\nann,a,2\nann,b,1\nbob,c,1\n",
}
_NDCG = (1 / log2(3) + 1 / log2(4)) / (1 + 1 / log2(3)) / 2
"""Of both users under mllib: ann has hits at ranks 2 and 3, and bob none."""
_NAN, _THREE = "rankconv:precision(on-no-relevant=nan)@2", "mllib:precision@3"
_DIFFERENCE = (2 / 3 - 1 / 2) / 2
"""From ann's precision@2 to that at 3; that of bob is 0."""


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given="" if cause.startswith("rankconv ") else _DATA, files=_FILES)


CASES = (
    # one user, one definition
    _case(
        "explained()",
        Follow("Users are 'u0', 'u1', 'u2'", "explained(user='u0')", 0.5),
        Follow("Name one", "explained(user='u1')", 1.0),
    ),
    _case("rc.explain({}, {}, 'mrr')", Follow("There are no users at all", "explained(user='u1')", 1.0)),
    _case("explained(user='u10')", Follow("Users are 'u0', 'u1', 'u2' u1", "explained(user='u1')", 1.0)),
    _case(
        "explained('map@2', user='u0', preset=['mllib', 'trec_eval', 'ranx'])",
        Follow("explain takes one or two", "explained('map@2', user='u0', preset=['mllib', 'trec_eval'])", 0.5),
    ),
    _case(
        "rc.sensitivity(labels, run, 'mrr@1,2', 'rankconv')",
        Follow("Give one cutoff", "rc.sensitivity(labels, run, 'mrr@2', 'rankconv').ranges[0].lowest", 2 / 3),
    ),
    # two definitions
    _case(
        "why('map@3', 'blog')",
        Follow("a='mllib', b='trec_eval'", "why('map@2', §)", 0.0),
    ),
    _case(
        "why(None, 'mllib', 'trec_eval')",
        Follow("such as ndcg@10", "why('precision@2', 'mllib', 'trec_eval')", 0.0),
        Follow("mllib:ndcg@10", "why(None, '§', 'mllib:ndcg@3')", 0.0),
    ),
    _case(
        "rankconv why two.csv lists.csv mllib trec_eval",
        Follow("-m ndcg@10", "rankconv why two.csv lists.csv § mllib mllib", 0.0),
        Follow("mllib:ndcg@10", "rankconv why two.csv lists.csv § mllib:ndcg@3", 0.0),
    ),
    _case(
        "why('mllib:precision@2', 'mllib', 'trec_eval')",
        Follow("Name the metric alone", "why('precision@2', 'mllib', 'trec_eval')", 0.0),
        Follow("two whole metrics", "why(None, 'mllib:precision@2', 'mllib:precision@3')", _DIFFERENCE),
        Follow("mllib:ndcg@10", "why(None, '§', 'mllib:ndcg@3')", 0.0),
    ),
    _case(
        f"why(None, '{_NAN}', '{_THREE}')",
        Follow("rankconv:precision(on-no-relevant=0)@2", f"why(None, '§', '{_THREE}')", _DIFFERENCE),
        Follow("on-no-relevant=0", f"why(None, 'rankconv:precision(§)@2', '{_THREE}')", _DIFFERENCE),
    ),
    _case(
        f"rankconv why two.csv lists.csv '{_NAN}' '{_THREE}'",
        Follow("rankconv:precision(on-no-relevant=0)@2", f"rankconv why two.csv lists.csv '§' '{_THREE}'", _DIFFERENCE),
        Follow("on-no-relevant=0", f"rankconv why two.csv lists.csv 'rankconv:precision(§)@2' '{_THREE}'", _DIFFERENCE),
    ),
    _case(  # which is evaluated under the order of ties that stands for expected values
        "why('ndcg@3', 'blog', 'mllib', users=['bob'])",
        Follow("blog:ndcg(on-no-relevant=0)@3", "why('ndcg@3', '§', 'mllib', users=['bob'])", 0.0),
        Follow("on-no-relevant=0", "why('ndcg@3', 'blog:ndcg(§)@3', 'mllib', users=['bob'])", 0.0),
    ),
    _case(
        "why(None, 'rankconv:ndcg@3', 'blog:ndcg@3', users=['bob'])",
        Follow("rc.compare(…, 'ndcg@3', preset='all')", "§['ndcg@3', 'mllib']", _NDCG, {"…": "two, lists"}),
    ),
    _case(
        "rankconv why two.csv lists.csv rankconv:ndcg@3 blog:ndcg@3 -u bob",
        Follow(
            "rankconv compare LABELS RUN -m ndcg@3 -p all",
            "§ -u bob",
            0.0,
            {"LABELS": "two.csv", "RUN": "lists.csv"},
        ),
    ),
    # data checks and look-ups
    _case(
        "rc.check(labels, run)['ties']",
        Follow("Found: short-lists", "float(rc.check(labels, run)['short-lists'].name == 'short-lists')", 1.0),
    ),
    _case(
        "rc.check(labels, run, 'mrr@2')['ties']",
        Follow("Nothing was found", "float(rc.check(labels, run, 'mrr@2').clean)", 1.0),
    ),
    _case("rc.convention(5)", Follow("'gain'", "float('exponential' in rc.convention(§).setting_types)", 1.0)),
    _case(
        "rc.from_fingerprint(5)",
        Follow("It is a text of hexadecimal digits", "float(int(rc.metric('mllib:ndcg@10').fingerprint, 16) > 0)", 1.0),
    ),
    _case(
        "rc.from_fingerprint('80')",
        Follow("It has 16 hexadecimal digits", "float(len(rc.metric('mllib:ndcg@10').fingerprint))", 16.0),
        Follow(
            "the first 4 or more are needed",
            "float(rc.from_fingerprint('803ba240…', 'mllib')[0].text == 'mllib:ndcg@10')",
            1.0,
        ),
    ),
)
