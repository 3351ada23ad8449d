"""What is asked for: metrics as text and as objects, cutoffs, settings, and settings that do not go together."""

from tests.advice.case import Case, Follow

_DATA = """
labels, run = {'u': ['b']}, {'u': ['a', 'b', 'c']}
scored = {'u': {'a': 3., 'b': 2., 'c': 1.}}
many = {u: ['b'] for u in range(12)}, {u: ['a', 'b'][:: 1 - u % 2 * 2] for u in range(12)}
"""
_FILES: dict[str, str | bytes] = {"labels.csv": "user,item\nu,b\n", "run.csv": "user,item,score\nu,a,3\nu,b,2\nu,c,1\n"}
_LOG = 0.6309297535714575
"""1 / log2(3): the discount of the second place."""
_HEAD = "query,document,start,end\n"
_SPANS: dict[str, str | bytes] = {"labels.csv": f"{_HEAD}q,d,0,10\n", "run.csv": f"{_HEAD}q,d,5,15\n"}
"""Half of the characters that are wanted, and half of those that are given: 5 of 10."""
_EVALUATE = "rankconv evaluate labels.csv run.csv"


def _ev(asked: str) -> str:
    return f"ev(labels, run, '{asked}')"


def _asked(asked: str, *follows: Follow) -> Case:
    return Case(_ev(asked), follows, given=_DATA)


def _python(cause: str, *follows: Follow, given: str = "") -> Case:
    return Case(cause, follows, given=f"{_DATA}\n{given}")


def _shell(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, files=_FILES)


def _spans(settings: str, *follows: Follow) -> Case:
    return Case(f"ev('labels.csv', 'run.csv', '{settings}')", follows, files=_SPANS)


def _of_spans(settings: str) -> str:
    return f"ev('labels.csv', 'run.csv', '{settings}')"


_NAMED = Follow("'ndcg@10'", "ev(labels, run, §)", _LOG)
_OBJECT = Follow("an rc.metric(…)", "rc.evaluate(labels, run, rc.metric('ndcg@10'))['ndcg@10']", _LOG)
_ONE_AFTER = "calls=one-after-the-other"
_HITS = "aggregate=micro, on-zero-division=skip"
"""1 hit of 3 places, summed over all users."""

CASES = (
    # metrics that are none
    _python("ev(labels, run, [])", Follow("['ndcg@10', 'map@10']", "rc.evaluate(labels, run, §)['map@10']", 0.5)),
    _python("ev(labels, run, {})", Follow("['ndcg@10', 'map@10']", "rc.evaluate(labels, run, §)['map@10']", 0.5)),
    _python("ev(labels, run, {'mine': 'mrr'})", Follow("['mrr']", "rc.evaluate(labels, run, §)['mrr']", 0.5)),
    _python("ev(labels, run, {'mrr': 0.5})", Follow("['mrr']", "rc.evaluate(labels, run, §)['mrr']", 0.5)),
    _python("rc.metric(None)", _NAMED),
    _python("ev(labels, run, [None])", _NAMED),
    _python("rc.metric(5)", _NAMED, _OBJECT),
    _python(
        "rc.preset('rankconv').define(5)",
        _NAMED,
        Follow("A metric is a text", "rc.preset('rankconv').define('mrr')[0].k is None", 1.0),
    ),
    _asked("rmse", Follow("ndcg@10", _ev("§"), _LOG)),
    # several numbers where one is meant
    _python("rc.metric('ndcg@5,10')", Follow("give one cutoff", "ev(labels, run, rc.metric('ndcg@5').spec)", _LOG)),
    _python("rc.metric('mrr,map')", Follow("rankconv:mrr", "ev(labels, run, rc.metric('§').text)", 0.5)),
    _python("rc.metric('trec_eval:official')", Follow("trec_eval:num_q", "ev(labels, run, rc.metric('§').text)", 1.0)),
    _python(
        "rc.explain(labels, run, 'map(ties=given),map', user='u')",
        Follow("rankconv:map(ties=given)", "rc.explain(labels, run, '§', user='u').value", 0.5),
    ),
    _python(
        "rc.evaluate(labels, run, [rc.NDCG(10, gain=lambda g: g), rc.NDCG(10, gain=lambda g: 2 * g)])",
        Follow(
            "Give functions names of their own, with def",
            "[one.mean for one in rc.evaluate(labels, run, [rc.NDCG(10, gain=same), rc.NDCG(10, gain=twice)])"
            ".by_spec.values()][1]",
            _LOG,
        ),
        Follow(
            "evaluate one after the other",
            "[[one.mean for one in rc.evaluate(labels, run, each).by_spec.values()][0] "
            "for each in (rc.NDCG(10, gain=lambda g: g), rc.NDCG(10, gain=lambda g: 2 * g))][1]",
            _LOG,
        ),
        given="\ndef same(g): return g\ndef twice(g): return 2 * g\n",
    ),
    # users and counts
    _python("rc.evaluate(labels, run, 'mrr', users='u')", Follow("users=['u']", "ev(labels, run, 'mrr', §)", 0.5)),
    _python(
        "rc.evaluate(labels, run, 'mrr', users=[['u']])",
        Follow("Pass a list of ids", "ev(labels, run, 'mrr', users=['u'])", 0.5),
    ),
    _python(
        "rc.evaluate(*many, 'mrr').intervals(n_resamples=0)",
        Follow(
            "a whole number from 1 up",
            "len({*rc.evaluate(*many, 'mrr').intervals(n_resamples=1, how='percentile')['mrr'].to_dict().values()} "
            "- {0.95, 'percentile', ''})",
            1.0,  # both ends are that one
        ),
    ),
    _python(
        "rc.evaluate(*many, 'mrr').intervals(confidence_level=95)",
        Follow(
            "a number from 0.0001 to 0.9999",
            "rc.evaluate(*many, 'mrr').intervals(confidence_level=0.95, how='t')['mrr'].low",
            0.75 - 2.200985160082949 * 0.25 / 11**0.5,  # Student's t of 11 degrees of freedom
        ),
    ),
    # names of other systems, and names with a number at the end
    _asked("RetrievalFallOut(top_k=2)", Follow("torchmetrics:RetrievalFallOut(top_k=2)", _ev("§"), 0.5)),
    _asked("nDCG@10 P@5", Follow("ir_measures:nDCG@10 P@5", "rc.evaluate(labels, run, '§')['ir_measures:P@5']", 0.2)),
    _asked("RetrievalFallOut", Follow("torchmetrics:RetrievalFallOut", _ev("§"), 1.0)),
    _asked(
        "rbp.95",
        Follow("rbp@95", _ev("§"), 0.2 * 0.8),
        Follow("rbp(rbp-persistence=0.95)", _ev("§"), 0.05 * 0.95),
    ),
    _asked("ndcg10", Follow("ndcg@10", _ev("§"), _LOG)),
    _asked("recall_at_k", Follow("recall@10", _ev("§"), 1.0)),
    _asked("trec_eval:gm_map10", Follow("gm_map", _ev("trec_eval:§"), 0.5)),
    _asked("wss_95", Follow("work_saved(recall-level=0.95)", "ev(labels, {'u': ['b', 'a', 'c']}, '§')", 2 / 3 - 0.05)),
    # presets in place of metrics, and metrics of other presets
    _asked(
        "trec_eval",
        Follow("rc.preset('trec_eval').metrics", "float('map' in §)", 1.0),
        Follow("trec_eval:METRIC", _ev("§"), 0.5, {"METRIC": "map"}),
    ),
    _shell(
        f"{_EVALUATE} -m trec_eval",
        Follow("trec_eval:METRIC", f"{_EVALUATE} -m §", 0.5, {"METRIC": "map"}),
        Follow("rankconv show trec_eval", "§ -m map", 1.0),
    ),
    _asked(
        "mllib:mrr",
        Follow("It has: precision", _ev("mllib:precision@3"), 1 / 3),
        Follow("Take another preset", _ev("ranx:mrr"), 0.5),
        Follow(
            "rc.preset(…).replace(metrics={…})",
            "ev(labels, run, 'mrr', preset=§)",
            0.5,
            {"preset(…)": "preset('mllib')", "{…}": "{'mrr': {}}"},
        ),
    ),
    Case(
        f"{_EVALUATE} -m mllib:mrr",
        (
            Follow("Take another preset", f"{_EVALUATE} -m ranx:mrr", 0.5),
            Follow(
                "in a YAML file of your own that extends mllib",
                f"{_EVALUATE} -m mrr -p own.yaml",
                0.5,
                files={"own.yaml": "name: own\ntitle: Own\nextends: mllib\nmetrics: {mrr: {}}\n"},
            ),
        ),
        files=_FILES,
    ),
    _asked(
        "trec_eval@9:rbp",
        Follow("trec_eval has it", _ev("trec_eval:rbp.p=0.8"), 0.2 * 0.8),
        Follow("It has: precision", _ev("trec_eval@9:P_2"), 0.5),
    ),
    _python(
        "rc.preset('trec_eval').define('ranx:mrr')",
        Follow("rc.preset('ranx')", "§.define('mrr')[0](labels, run)", 0.5),
    ),
    _shell(
        "rankconv verify ranx -m trec_eval:mrr",
        Follow("leave the prefix out", "rankconv verify ranx -m mrr", "ranx"),
        Follow("Name trec_eval in place of ranx", "rankconv verify trec_eval -m mrr", "trec_eval"),
    ),
    _asked("trec_eval:official@10", Follow("num_rel", _ev("trec_eval:§"), 1.0)),
    # cutoffs
    _asked("trec_eval:P_2@10", Follow("P_2", _ev("trec_eval:§"), 0.5)),
    _asked("trec_eval:bpref@10", Follow("bpref", _ev("trec_eval:§"), 1.0)),
    _asked(
        "wss@95",
        Follow("work_saved(recall-level=0.95)", "ev(labels, {'u': ['b', 'a', 'c']}, '§')", 2 / 3 - 0.05),
    ),
    _python(
        "ev(labels, run, 'ndcg@2', preset=late)",
        Follow("ndcg@3", "ev(labels, run, '§', preset=late)", _LOG),
        given="late = rc.preset('mllib').replace(metrics={'ndcg': {'k-accepted': 'at-least(3)'}})",
    ),
    _asked("mteb:ndcg", Follow("ndcg@10", _ev("mteb:§"), round(_LOG, 5))),
    _asked("mrr(k=10)", Follow("'mrr@10'", "ev(labels, run, §)", 0.5)),
    _asked("mrr(top_k=10)", Follow("'mrr@10'", "ev(labels, run, §)", 0.5)),
    _asked(
        "work_saved(k-accepted=optional)@10",
        Follow(
            "Leave out the @k",
            "ev(labels, {'u': ['b', 'a', 'c']}, 'work_saved(k-accepted=optional, recall-level=0.95)')",
            2 / 3 - 0.05,
        ),
    ),
    _python("rc.NDCG(cutoff=10)", Follow("k=10", "ev(labels, run, rc.NDCG(§).text)", _LOG)),
    _python("rc.NDCG(top_k=True)", Follow("k=10", "ev(labels, run, rc.NDCG(§).text)", _LOG)),
    # classes of metrics
    _python(
        "rc.NDCG(10, preset='mllib', name='gain')",
        Follow("It calls these so: ndcg", "ev(labels, run, rc.NDCG(10, preset='mllib', name='ndcg').text)", _LOG),
    ),
    _python(
        "rc.ReciprocalRank(preset='mllib')",
        Follow("map", "ev(labels, run, rc.AveragePrecision(preset='mllib').text)", 0.5),
    ),
    # changed presets
    _python(
        "rc.preset('trec_eval').replace(metrics=['ndcg'])",
        Follow(
            "replace(name='mine', metrics={'ndcg': {'gain': 'binary'}}, ties='reversed')",
            "ev({'u': {'a': 1, 'b': 5}}, scored, 'ndcg', preset=rc.preset('trec_eval').§)",
            1.0,
        ),
    ),
    _python(
        "rc.preset('trec_eval').replace(metrics={'ndcg': {5: 1}})",
        Follow(
            "{'gain': 'binary'}",
            "ev({'u': {'a': 1, 'b': 5}}, scored, 'ndcg', preset=rc.preset('trec_eval').replace(metrics={'ndcg': §}))",
            1.0,
        ),
    ),
    _python(
        "rc.preset('mllib').replace(metrics={'ndcg': {'called': 'N{k}{gain=linear-over}'}})",
        Follow(
            "Between two holes there must be text",
            "ev(labels, run, 'N3_2', preset=rc.preset('mllib').replace("
            "metrics={'ndcg': {'called': 'N{k}_{gain=linear-over}'}}))",
            _LOG,
        ),
    ),
    # settings that a metric does not have, or that do not act
    _asked("mrr(gain=binary)", Follow("rr-hits", _ev("mrr(§=first-hit)"), 0.5)),
    _asked("mrr(tie=given)", Follow("ties", _ev("mrr(§=given)"), 0.5)),
    _asked(
        "mrr(order=given, ties=reversed)",
        Follow("Leave ties out", _ev("mrr(order=given)"), 0.5),
        Follow(
            "set order otherwise",
            "ev(labels, {'u': {'a': 2., 'b': 2., 'c': 2.}}, 'mrr(order=score, ties=reversed)')",
            0.5,
        ),
    ),
    _asked(
        "precision(hit-weight=grade, weight-norm=best)@3",
        Follow("It is for hit-weight one", _ev("precision(hit-weight=one, weight-norm=best)@1"), 0.0),
    ),
    _asked(
        "cwl(ties=rank(max), cwl-continuation=0.8)",
        Follow("Choose another tie rule", _ev("cwl(ties=given, cwl-continuation=0.8)"), 0.2 * 0.8),
    ),
    Case(
        "ev({'u': ['b']}, {'u': ['a', 'b']}, 'coverage(scope=global)@2', catalogue=4)",
        (Follow("Leave out scope=global", "ev({'u': ['b']}, {'u': ['a', 'b']}, 'coverage@2', catalogue=4)", 0.5),),
    ),
    # means of what is inside the number of a user
    _asked(
        "precision(aggregate=micro)@3",
        Follow("skip", _ev("precision(aggregate=micro, on-zero-division=§)@3"), 1 / 3),
        Follow("as-computed", _ev("precision(aggregate=micro, on-zero-division=§)@3"), 1 / 3),
        Follow("refuse-user or refuse-all", _ev("precision(aggregate=micro, on-zero-division=refuse-all)@3"), 1 / 3),
    ),
    _asked(
        "f1(aggregate=micro, on-zero-division=skip)@3",
        Follow("f-form=counts", _ev("f1(§, aggregate=micro, on-zero-division=skip)@3"), 0.5),
    ),
    _asked(
        f"precision(subtopics=separate, {_HITS})@3",
        Follow("Leave out subtopics=separate", _ev(f"precision({_HITS})@3"), 1 / 3),
        Follow(
            "take another mean",
            "ev({'u': {'x': ['b']}}, run, 'precision(subtopics=separate, aggregate=median(lower))@3')",
            1 / 3,
        ),
    ),
    _asked(
        f"precision(calls=mean, {_HITS})@3",
        Follow(_ONE_AFTER, _ev(f"precision(§, {_HITS})@3"), 1 / 3),
    ),
    _asked("mrr(calls=best, scope=global)", Follow(_ONE_AFTER, _ev("mrr(§, scope=global)"), 0.5)),
    _asked(
        "mrr(calls=mean, collapse=max)",
        Follow(_ONE_AFTER, "ev(labels, {'u': {'a#0': 3., 'b#1': 2.}}, 'mrr(§, collapse=max)', parents='#')", 0.5),
    ),
    # spans: 5 characters of 10; a whole chunk weighs all of its 10
    _spans(
        "precision(item-weight=length)@1",
        Follow("span-unit=character", _of_spans("precision(item-weight=length, §)@1"), 5.0),
        Follow("span-unit=span", _of_spans("precision(item-weight=length, §)@1"), 10.0),
    ),
    _spans(
        "precision(span-unit=character)@1",
        Follow("item-weight=length", _of_spans("precision(span-unit=character, §)@1"), 5.0),
    ),
    _spans("mrr(span-unit=character)", Follow("span-unit=span", _of_spans("mrr(§)"), 1.0)),
    _spans(
        "recall(span-unit=character, item-weight=length)@1",
        Follow(
            "recall-denominator=relevant-weights",
            _of_spans("recall(span-unit=character, item-weight=length, §)@1"),
            0.5,
        ),
    ),
    _spans(
        "precision(span-unit=character, item-weight=length, unjudged=condensed-before-depth)@1",
        Follow(
            "span-unit=span", _of_spans("precision(§, item-weight=length, unjudged=condensed-before-depth)@1"), 10.0
        ),
    ),
    # nothing at all, in a command
    _shell(f"{_EVALUATE} -m ''", Follow("ndcg@10", f"{_EVALUATE} -m §", _LOG)),
)
