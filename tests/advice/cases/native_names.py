"""Names of metrics as systems write them: with cutoffs, levels and parameters that these do not have."""

from tests.advice.case import Case, Follow

_DATA = (
    "labels, run = {'u': ['b']}, {'u': ['a', 'b', 'c']}; groups, judged = {'u': {'x': ['b']}}, {'u': {'b': 1, 'c': 0}}"
)
_LOG = 0.6309297535714575
"""1 / log2(3): the discount of the second place."""


def _ev(asked: str, labels: str = "labels", run: str = "run") -> str:
    return f"ev({labels}, {run}, '{asked}')"


def _native(asked: str, *follows: Follow) -> Case:
    return Case(_ev(asked), follows, given=_DATA)


def _write(system: str, piece: str, value: float, fill: dict[str, str] | None = None) -> Follow:
    """A name to write, asked for of the preset."""
    return Follow(piece, _ev(f"{system}:§"), value, fill or {})


_CWL = "one of EU, ETU, EC, ETC, ED"

CASES = (
    # cwl_eval: one relevant item at rank 2 of 3
    _native("cwl_eval:RBPCWLMetric(0.8,0.7)", _write("cwl_eval", "RBP@theta", 0.2 * 0.8, {"theta": "0.8"})),
    _native("cwl_eval:RRCWLMetric(1)", _write("cwl_eval", "RR", 0.5)),
    _native("cwl_eval:NERReq8CWLMetric()", _write("cwl_eval", "NERR-EQ8@k=k", 0.5, {"=k": "=3"})),
    _native(
        "cwl_eval:P@10 XX",
        Follow("P@k", _ev("cwl_eval:§"), 0.1, {"k": "10"}),
        Follow(_CWL, _ev("cwl_eval:P@10 ETU"), 1.0),
    ),
    _native("cwl_eval:P@1.5", Follow("P@k", _ev("cwl_eval:§"), 0.5, {"k": "2"})),
    # Elasticsearch
    _native('elasticsearch:{"map": {}}', Follow("recall", _ev('elasticsearch:{"§": {}}'), 1.0)),
    _native(
        'elasticsearch:{"dcg": {"norm": true}}', Follow("normalize", _ev('elasticsearch:{"dcg": {"§": true}}'), _LOG)
    ),
    _native('elasticsearch:{"dcg": []}', Follow("{}", _ev('elasticsearch:{"dcg": §}'), _LOG)),
    _native("elasticsearch:{dcg}", _write("elasticsearch", '{"dcg": {"k": 10, "normalize": true}}', _LOG)),
    _native(
        'elasticsearch:{"precision": {"k": 0}}',
        Follow("a whole number from 1 up", _ev('elasticsearch:{"precision": {"k": 1}}'), 0.0),
    ),
    _native(
        'elasticsearch:{"dcg": {"normalize": 1}}',
        Follow("true", _ev('elasticsearch:{"dcg": {"normalize": §}}'), _LOG),
        Follow("false", _ev('elasticsearch:{"dcg": {"normalize": §}}'), _LOG),
    ),
    _native(
        'elasticsearch:{"expected_reciprocal_rank": {}}',
        Follow(
            "needs the highest rating",
            _ev('elasticsearch:{"expected_reciprocal_rank": {"maximum_relevance": 3}}'),
            (2 - 1) / 2**3 / 2,
        ),
    ),
    _native(
        'elasticsearch:{"expected_reciprocal_rank": {"maximum_relevance": 3, "unknown_doc_rating": 1}}',
        Follow(
            "it is 0",
            _ev('elasticsearch:{"expected_reciprocal_rank": {"maximum_relevance": 3, "unknown_doc_rating": 0}}'),
            0.0625,
        ),
        Follow("left out", _ev('elasticsearch:{"expected_reciprocal_rank": {"maximum_relevance": 3}}'), 0.0625),
    ),
    # ir_measures
    _native("ir_measures:NERR8@3", Follow("cwl_eval:NERR-EQ8.EU@3", _ev("§"), 0.5)),
    _native("ir_measures:NERR10", Follow("cwl_eval:NERR-EQ10.EU", _ev("§"), 0.9 / 1.9)),
    _native("ir_measures:alpha_nDCG@5", Follow("ndeval:alpha_ndcg@5", _ev("§", "groups"), _LOG)),
    _native("ir_measures:P_IA@5", Follow("ndeval:precision_ia@5", _ev("§", "groups"), 0.2)),
    _native("ir_measures:StRecall", Follow("ndeval:strec@10", _ev("§", "groups"), 1.0)),
    _native("ir_measures:AP_IA", Follow("ndeval:map_ia", _ev("§", "groups"), 0.5)),
    _native("ir_measures:NumRelRet@5", _write("ir_measures", "NumRelRet", 1.0)),
    _native("ir_measures:SetRelP@1", _write("ir_measures", "SetRelP", 1.0)),
    Case(
        "ev({'u': {'a': 1, 'b': 2}}, run, 'ir_measures:NumRet(rel=2)@1')",
        (Follow("NumRet(rel=2)", "ev({'u': {'a': 1, 'b': 2}}, run, 'ir_measures:§')", 1.0),),
        given=_DATA,
    ),
    _native("ir_measures:SetP(cutoff=5)", _write("ir_measures", "SetP", 1 / 3)),
    _native("ir_measures:nDCG(cutof=2)", Follow("cutoff", _ev("ir_measures:nDCG(§=2)"), _LOG)),
    _native("ir_measures:RBP(rel=1, x=1)", Follow("It takes p", _ev("ir_measures:RBP(rel=1, p=0.8)"), 0.2 * 0.8)),
    _native("ir_measures:NumQ(a=1)", Follow("It takes no parameter", _ev("ir_measures:NumQ"), 1.0)),
    _native(
        "ir_measures:nDCG@5 foo",
        Follow("@10", _ev("ir_measures:nDCG§"), _LOG),
        Follow("@5,10,20", "rc.evaluate(labels, run, 'ir_measures:ndcg§')['ir_measures:ndcg@20']", _LOG),
        Follow("@1-8", "rc.evaluate(labels, run, 'ir_measures:ndcg§')['ir_measures:ndcg@1']", 0.0),
        Follow("leave it out for the whole list", _ev("ir_measures:nDCG"), _LOG),
    ),
    # MTEB and ranx
    Case(
        _ev("mteb:main_score"),
        (
            Follow("ndcg_at_10", _ev("mteb:§"), round(_LOG, 5)),
            Follow("task.metadata.main_score", "ev(labels, run, 'mteb:' + §)", round(_LOG, 5)),
        ),
        given=f"{_DATA}; from types import SimpleNamespace; "
        "task = SimpleNamespace(metadata=SimpleNamespace(main_score='ndcg_at_5'))",
    ),
    _native("ranx:rbp@95", _write("ranx", "rbp.95", 0.05 * 0.95)),
    _native("ranx:ndcg-l1@2", _write("ranx", "ndcg@2-l1", _LOG)),
    _native("ranx:bpref@10", Follow("bpref", _ev("ranx:§", "judged"), 1.0)),
    _native("ranx:bpref-l1@10", Follow("bpref-l1", _ev("ranx:§", "judged"), 1.0)),
    _native("ranx:map@0-l1", _write("ranx", "map-l1", 0.5)),
    _native("ranx:map-l1@0", _write("ranx", "map-l1", 0.5)),
    # TorchMetrics
    _native(
        "torchmetrics:RetrievalFallOut(empty_target_action=[])",
        Follow("'skip'", "ev(labels, run, 'torchmetrics:RetrievalFallOut(empty_target_action=\"skip\")')", 1.0),
    ),
    _native("torchmetrics:RetrievalFallOut(topk=2)", Follow("top_k", _ev("torchmetrics:RetrievalFallOut(§=2)"), 0.5)),
    _native(
        "torchmetrics:RetrievalFallOut(top_k=0)",
        Follow("a whole number from 1 up", _ev("torchmetrics:RetrievalFallOut(top_k=1)"), 0.5),
    ),
    _native(
        "torchmetrics:RetrievalPrecision(adaptive_k=1, top_k=5)",
        Follow(
            "adaptive_k=True",
            _ev("torchmetrics:RetrievalPrecision(§, top_k=5)", run="{'u': {'a': 3., 'b': 2., 'c': 1.}}"),
            1 / 3,
        ),
    ),
    # trec_eval: options of a call
    _native(
        "trec_eval:-m recip_rank qrels run", Follow("Write options and -m alone", _ev("trec_eval:-m recip_rank"), 0.5)
    ),
    _native("trec_eval:-c -m map", Follow("Leave -c out there", _ev("trec_eval-c:-m map"), 0.5)),
    _native("trec_eval:-N 100 -m map", Follow("-l", _ev("trec_eval:§ 1 -m map"), 0.5)),
    _native("trec_eval:-l x -m map", Follow("-l 2", _ev("trec_eval:§ -m map"), 0.0)),
    _native("trec_eval:-M 0 -m map", Follow("-M 100", _ev("trec_eval:§ -m map"), 0.5)),
    Case(
        "rc.evaluate(labels, run, 'trec_eval:-m')",
        (Follow("-m P.5,10", "rc.evaluate(labels, run, 'trec_eval:§')['trec_eval:-m P.5']", 0.2),),
        given=_DATA,
    ),
    # and measures with parameters: F of P = 1/3 and R = 1, where the parameter is beta
    _native("trec_eval:set_F.x", _write("trec_eval", "set_F.0.8", (1 + 0.8) / (0.8 + 3))),
    _native("trec_eval:rbp.0.8", _write("trec_eval", "rbp.p=0.8", 0.2 * 0.8)),
    _native("trec_eval:map.1=2", _write("trec_eval", "map", 0.5)),
    _native("trec_eval:foo.1=2", _write("trec_eval", "ndcg.1=3,2=1", _LOG)),
    _native("trec_eval:ndcg.a=2", _write("trec_eval", "ndcg.1=3,2=1", _LOG)),
    _native("trec_eval:ndcg.1=2.5", Follow("gains that are whole numbers", _ev("trec_eval:ndcg.1=2"), _LOG)),
    # utility: 2 for the hit, -1 for each of the two others
    _native("trec_eval:utility.1", _write("trec_eval", "utility.2,-1,0,0", 0.0)),
    _native("trec_eval:11pt_avg.x", _write("trec_eval", "11pt_avg.0.2,0.5,0.8", 0.5)),
    _native(
        "trec_eval:utility.2,-1,0,1", Follow("Write 0 as the fourth number", _ev("trec_eval:utility.2,-1,0,0"), 0.0)
    ),
)
