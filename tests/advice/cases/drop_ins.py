"""Functions that stand in for those of a library."""

from tests.advice.case import Case, Follow

_GIVEN = """
import sys, pandas, polars
from rankconv.compat import ml_metrics, pyspark, pytrec_eval, ranx, recommenders, sklearn, torchmetrics
from rankconv.compat.recommenders import precision_at_k

qrels, run = {'q': {'a': 1}}, {'q': {'b': 2., 'a': 1.}}

def graded(*rows):
    return pyspark.RankingMetrics(list(rows)).ndcgAt(2)

def value(measure='recip_rank', qrels=qrels):
    return pytrec_eval.RelevanceEvaluator(qrels, {measure}).evaluate(run)['q'][measure.replace('.', '_')]

def frame(**columns):
    return pandas.DataFrame(columns)

true, pred = frame(userID=[1], itemID=[3]), frame(userID=[1, 1], itemID=[4, 3], prediction=[.9, .5])
"""
_AP = "sklearn.average_precision_score"
_ROW = Follow(
    "A row holds the list and its relevant items, and may hold their grades",
    "pyspark.RankingMetrics([([1, 2], [2]), ([2, 1], [2])]).meanAveragePrecision",
    (1 / 2 + 1) / 2,
)


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_GIVEN)


CASES = (
    # Spark
    _case("pyspark.RankingMetrics([([1, 2],)])", _ROW),
    _case("pyspark.RankingMetrics([5])", _ROW),
    _case(
        "graded(([1, 2], [1, 2], [1.]))",
        Follow("Give each relevant item one grade", "graded(([1, 2], [1, 2], [1., 1.]))", 1.0),
    ),
    _case(
        "graded(([1], [1], [1.]), ([2], [2]))",
        Follow("Give each relevant item one grade", "graded(([1], [1], [1.]), ([2], [2], [1.]))", 1.0),
    ),
    # pytrec_eval
    _case("value(qrels=['a'])", Follow("{query: {document: number}}", "value(qrels={'q': {'a': 1}})", 0.5)),
    _case(
        "value('recip_rankk')",
        Follow(
            "rankconv.compat.pytrec_eval.supported_measures",
            "float('recip_rank' in eval('§', {'rankconv': sys.modules['rankconv']}))",
            1.0,
        ),
    ),
    _case(
        "pytrec_eval.parse_run(['q1 Q0 d7 1'])",
        Follow(
            "A line holds query, Q0, document, rank, score, tag",
            "pytrec_eval.parse_run(['q1 Q0 d7 1 0.5 mine'])['q1']['d7']",
            0.5,
        ),
    ),
    # lists
    _case(
        "ml_metrics.mapk([[1]], [1])",
        Follow("Pass lists of numbers or text", "ml_metrics.mapk([['a']], [['b', 'a']])", 0.5),
    ),
    # ranx
    _case(
        "ranx.Qrels({1: {'a': 1}})",
        Follow("str(id)", "ranx.evaluate(ranx.Qrels({(lambda id: §)(1): {'a': 1}}), {'1': {'a': 1.}}, 'mrr')", 1.0),
    ),
    _case(
        "ranx.Run({'q': ['b', 'a']})",
        Follow("{query: {document: number}}", "ranx.evaluate(qrels, ranx.Run(run), 'mrr')", 0.5),
    ),
    _case(
        "ranx.evaluate(qrels, run, [10])",
        Follow("Metrics are text, such as ndcg@10", "ranx.evaluate(qrels, run, ['mrr@10'])", 0.5),
    ),
    _case(
        "ranx.evaluate({'q': {'a': 1}, 'p': {'a': 1}}, run, 'mrr', make_comparable=True)",
        Follow(
            "Pass Qrels(qrels), Run(run) and make_comparable=True",
            "(lambda Qrels, Run, qrels: ranx.evaluate(Qrels(qrels), Run(run), 'mrr', make_comparable=True))"
            "(ranx.Qrels, ranx.Run, {'q': {'a': 1}, 'p': {'a': 1}})",
            0.25,
        ),
    ),
    _case(
        "ranx.evaluate(qrels, run, 'mrrr')",
        Follow("Choose one of: hits, hit_rate", "ranx.evaluate(qrels, run, 'hit_rate')", 1.0),
    ),
    _case("ranx.evaluate(qrels, run, 'mrr@x')", Follow("ndcg@10", "ranx.evaluate({'q': {'b': 1}}, run, '§')", 1.0)),
    _case("ranx.evaluate(qrels, run, 'rbp')", Follow("rbp.95", "ranx.evaluate(qrels, run, '§')", 0.05 * 0.95)),
    # Recommenders
    _case(
        "precision_at_k(true, polars.DataFrame({'userID': [1], 'itemID': [3], 'prediction': [.5]}), k=2)",
        Follow(
            "frame.to_pandas()",
            "(lambda frame: precision_at_k(true, §, k=2))"
            "(polars.DataFrame({'userID': [1], 'itemID': [3], 'prediction': [.5]}))",
            0.5,
        ),
    ),
    _case(
        "precision_at_k(true, frame(userID=[1, 1], itemID=[4, 3], score=[.9, .5]), k=2)",
        Follow("Rename columns", "precision_at_k(true, pred, k=2)", 0.5),
        Follow(
            "say what they are called: col_user, col_item, col_prediction or col_rating",
            "precision_at_k(true, frame(userID=[1, 1], itemID=[4, 3], score=[.9, .5]), k=2, col_prediction='score')",
            0.5,
        ),
    ),
    # scikit-learn
    _case(
        f"{_AP}([0, 1, 0], [.9, .5, .1], sample_weight=[1, 2, 1])",
        Follow("Leave it out", f"{_AP}([0, 1, 0], [.9, .5, .1])", 0.5),
    ),
    _case(
        f"{_AP}([[0, 1], [1, 0]], [[.9, .5], [.9, .5]], sample_weight=[3, 1])",
        Follow("Leave it out", f"{_AP}([[0, 1], [1, 0]], [[.9, .5], [.9, .5]])", 0.5),
        Follow(
            'average="samples"',
            f"{_AP}([[0, 1], [1, 0]], [[.9, .5], [.9, .5]], sample_weight=[3, 1], §)",
            (3 / 2 + 1) / 4,
        ),
    ),
    # TorchMetrics
    _case(
        "torchmetrics.retrieval_auroc([.9, .5, .1], [0, 1, 0], max_fpr=0.5)",
        Follow("Leave it out", "torchmetrics.retrieval_auroc([.9, .5, .1], [0, 1, 0])", 0.5),
    ),
)
