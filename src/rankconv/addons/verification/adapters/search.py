"""How search libraries are called: trec_eval and its bindings, RAG tools."""

import shutil
import subprocess
from collections.abc import Sequence
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from rankconv.addons.verification.adapter import (
    FIVE_DECIMALS,
    FOUR_DECIMALS,
    Adapter,
    LibraryResult,
    NotGiven,
    Takes,
    User,
    library_calls,
    one_by_one,
)

LISTS_OF_QUERIES = Takes(repeated_labels=True, scores=False, item_ids=True, absent_users=False)
"""Lists of ids, query by query."""


class Haystack(Adapter):
    """Lists of documents, compared by id; the caller cuts the retrieved ones."""

    preset = "haystack"
    packages = ("haystack-ai",)
    install = "pip install haystack-ai==3.4.0"
    own_environment = "it brings the clients of language models along"
    takes = LISTS_OF_QUERIES
    kinds: ClassVar = {
        **{"mrr": "DocumentMRREvaluator", "map": "DocumentMAPEvaluator", "ndcg": "DocumentNDCGEvaluator"},
        **{"hit_rate": "DocumentRecallEvaluator", "recall": "DocumentRecallEvaluator(mode=multi_hit)"},
        "ndcg_scores": "DocumentNDCGEvaluator, ground truth with scores",
        "map_last": "DocumentMAPEvaluator",  # before version 2.4
    }
    calls: ClassVar = library_calls(kinds, at_k="{}", whole="{}")

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from haystack import Document
        from haystack.components import evaluators

        name, scored, mode = call.split(",")[0].partition("(")[0], "scores" in call, "multi_hit" in call
        make = getattr(evaluators, name)
        options = {"mode": "multi_hit"} if mode else {}
        if "document_comparison_field" in signature(make).parameters:
            options["document_comparison_field"] = "id"  # before version 2.14 contents are compared
        found = make(**options).run(
            ground_truth_documents=[
                [Document(id=item, content=f"({item})", score=grade if scored else None) for item, grade in truth]
                for truth in (user.label_rows if scored else user.relevant_rows for user in given)
            ],
            retrieved_documents=[
                [Document(id=item, content=f"({item})") for item in user.ranking[:k]] for user in given
            ],
        )
        values = map(float, found["individual_scores"])
        return LibraryResult(float(found["score"]), dict(zip((user.name for user in given), values, strict=True)))


CUT = {"precision": "P", "recall": "recall", "map": "map_cut", "ndcg": "ndcg_cut", "hit_rate": "success"}
WHOLE = {"map": "map", "ndcg": "ndcg", "mrr": "recip_rank", "r_precision": "Rprec", "f1": "set_F"}
"""What trec_eval calls metrics with a cutoff and without."""


def dictionaries(users: Sequence[User]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Qrels and run of the users that have them; whole grades are integers there, and others are for it to refuse."""
    if any(user.labels and max(user.labels.values()) < 0 for user in users):
        raise NotGiven("where all judgments of a user are negative, ndcg may never return")
    whole = {user.name: {i: int(g) if g == int(g) else g for i, g in user.labels.items()} for user in users}
    run = {user.name: dict(zip(user.ranking, user.scores, strict=True)) for user in users if user.in_run}
    return {user.name: whole[user.name] for user in users if user.in_labels}, run


class PytrecEval(Adapter):
    """Only users of both dictionaries are returned."""

    preset = "pytrec_eval"
    packages = ("pytrec-eval-terrier",)
    install = "pip install pytrec-eval-terrier==0.5.11"
    takes = Takes(duplicates=False, item_ids=True)
    calls: ClassVar = library_calls(CUT, at_k="{}_{{k}}") | WHOLE

    def given(self, users: Sequence[User]) -> tuple[dict[str, Any], dict[str, Any]]:
        return dictionaries(users)

    def ask(self, given: tuple[dict[str, Any], dict[str, Any]], call: str, k: int | None) -> LibraryResult:
        import pytrec_eval

        found = pytrec_eval.RelevanceEvaluator(given[0], {call}).evaluate(given[1])
        per_user = {user: values[call] for user, values in found.items()}
        return LibraryResult(float(pytrec_eval.compute_aggregated_measure(call, list(per_user.values()))), per_user)


class IrMeasures(Adapter):
    """Each measure goes to the first provider that can compute it."""

    preset = "ir_measures"
    packages = ("ir-measures",)
    install = "pip install ir-measures==0.4.3"
    takes = Takes(duplicates=False, item_ids=True)
    calls: ClassVar = {
        **{"precision@k": "P@{k}", "recall@k": "R@{k}", "recall": "SetR", "f1": "SetF", "map@k": "AP@{k}", "map": "AP"},
        **{"mrr@k": "RR@{k}", "mrr": "RR", "ndcg@k": "nDCG@{k}", "ndcg": "nDCG", "hit_rate@k": "Success@{k}"},
        **{"r_precision": "Rprec", "set_precision": "SetP", "relative_precision": "SetP(relative=True)"},
    }

    def given(self, users: Sequence[User]) -> tuple[dict[str, Any], dict[str, Any]]:
        return dictionaries(users)

    def ask(self, given: tuple[dict[str, Any], dict[str, Any]], call: str, k: int | None) -> LibraryResult:
        import ir_measures

        means, values = ir_measures.calc([ir_measures.parse_measure(call)], *given)
        [mean] = means.values()
        return LibraryResult(float(mean), {value.query_id: float(value.value) for value in values})


class Beir(Adapter):
    """Dictionaries; `evaluate` has some of the metrics, and `evaluate_custom` the others. The means alone are given."""

    preset = "beir"
    packages = ("beir",)
    install = "pip install beir==2.2.0"
    own_environment = "it brings models of Sentence Transformers along"
    takes = Takes(duplicates=False, item_ids=True)
    tolerance = FIVE_DECIMALS
    names: ClassVar = {"precision": "P", "recall": "Recall", "map": "MAP", "ndcg": "NDCG"}
    custom: ClassVar = {"mrr": "mrr", "recall_cap": "r_cap", "hit_rate": "accuracy", "hole": "hole"}
    calls: ClassVar = library_calls(names, at_k="{}") | library_calls(custom, at_k="evaluate_custom: {}")

    def given(self, users: Sequence[User]) -> tuple[dict[str, Any], dict[str, Any]]:
        return dictionaries(users)

    def ask(self, given: tuple[dict[str, Any], dict[str, Any]], call: str, k: int | None) -> float:
        from beir.retrieval.evaluation import EvaluateRetrieval

        custom = call.partition("evaluate_custom: ")[2]
        if custom:
            [value] = EvaluateRetrieval.evaluate_custom(*given, [k], custom).values()
            return float(value)
        found = EvaluateRetrieval.evaluate(*given, [k])
        return float(next(one[f"{call}@{k}"] for one in found if f"{call}@{k}" in one))


class Mteb(Adapter):
    """Dictionaries; what all scores lack, functions give as a list over the queries, whose mean is the caller's."""

    preset = "mteb"
    packages = ("mteb",)
    install = "pip install mteb==2.26.24"
    own_environment = "it brings torch and models of Sentence Transformers along"
    takes = Takes(duplicates=False, item_ids=True)
    names: ClassVar = {"precision": "P", "recall": "Recall", "map": "MAP", "ndcg": "NDCG", "hit_rate": "HitRate"}
    alone: ClassVar = {name: name for name in ("recall_cap", "top_k_accuracy", "hole")}
    calls: ClassVar = library_calls(names | {"mrr": "MRR"} | alone, at_k="{}")

    def given(self, users: Sequence[User]) -> tuple[dict[str, Any], dict[str, Any]]:
        return dictionaries(users)

    def ask(self, given: tuple[dict[str, Any], dict[str, Any]], call: str, k: int | None) -> float:
        labels, run = given
        try:
            from mteb._evaluators import retrieval_metrics
        except ImportError:  # before version 2
            from mteb.evaluation.evaluators import RetrievalEvaluator

            if call in ("MRR", *self.alone):
                [mean] = RetrievalEvaluator.evaluate_custom(labels, run, [k], call)[0].values()
                return float(mean)
            found = RetrievalEvaluator.evaluate(labels, run, [k])
        else:
            if call in self.alone:
                lists = getattr(retrieval_metrics, call)(labels, run, [k]).values()
                known = [value for values in lists for value in values if value is not None]
                return float(sum(known) / len(known))
            found = retrieval_metrics.calculate_retrieval_scores(run, labels, [k])
        return float(next(one[f"{call}@{k}"] for one in found if f"{call}@{k}" in one))


class Ranx(Adapter):
    """Dictionaries; a Run keeps the order of ties up to 15 rows only, so lists are no longer."""

    preset = "ranx"
    packages = ("ranx",)
    install = "pip install ranx==0.3.21"
    own_environment = "numba allows only some versions of numpy, and the first run compiles for a minute or two"
    takes = Takes(duplicates=False, longest=15, item_ids=True)
    names: ClassVar = "precision recall f1 map mrr ndcg ndcg_burges dcg dcg_burges hits hit_rate".split()
    calls: ClassVar = {
        **library_calls({name: name for name in names}, at_k="{}@{{k}}", whole="{}"),
        "r_precision": "r-precision",
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        from ranx import Qrels, Run

        run = {user.name: dict(zip(user.ranking, user.scores, strict=True)) for user in users if user.in_run}
        return Qrels({user.name: dict(user.labels) for user in users if user.in_labels}), Run(run)

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> LibraryResult:
        from ranx import evaluate

        mean = evaluate(*given, call, make_comparable=True)
        return LibraryResult(float(mean), {user: float(value) for user, value in given[1].scores[call].items()})


class TrecEval(Adapter):
    """A qrels file and a run file; what the program says as it stops is its refusal."""

    preset = "trec_eval"
    packages = ("trec_eval",)
    install = "git clone https://github.com/usnistgov/trec_eval && make -C trec_eval, and put the program on the PATH"
    tolerance = FOUR_DECIMALS
    takes = Takes(repeated_labels=True, empty_lists=False)
    calls: ClassVar = library_calls(CUT, at_k="{}.{{k}}") | WHOLE

    def given(self, users: Sequence[User]) -> tuple[str, str]:
        if any(user.labels and max(user.labels.values()) < 0 for user in users):
            raise NotGiven("judgments that are all negative stop the program only in the first topic")
        qrels = [f"{u.name} 0 {item} {grade_text(grade)}\n" for u in users for item, grade in u.label_rows]
        rows = [(u.name, *row) for u in users for row in zip(u.ranking, u.scores, strict=True)]
        return "".join(qrels), "".join(f"{name} Q0 {item} 0 {score!r} run\n" for name, item, score in rows)

    def ask(self, given: tuple[str, str], call: str, k: int | None) -> LibraryResult:
        with TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("qrels", "run")]
            for file, text in zip(files, given, strict=True):
                file.write_text(text)
            command = ["trec_eval", "-q", "-m", call, *map(str, files)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        values = {user: float(value) for _, user, value in map(str.split, done.stdout.splitlines())}
        return LibraryResult(values.pop("all"), values)

    @classmethod
    def installed(cls) -> tuple[str, str] | None:
        if not shutil.which("trec_eval"):
            return None
        done = subprocess.run(["trec_eval", "--version"], capture_output=True, text=True, check=False)
        return "trec_eval", (done.stdout + done.stderr).split()[-1]


def grade_text(grade: float) -> str:
    """A grade as qrels hold it: a whole one without a fraction."""
    return str(int(grade)) if grade == int(grade) else repr(grade)


class Gdeval(Adapter):
    """The program of the TREC Web tracks; a topic is its number, since no other ids are read."""

    preset = "gdeval"
    packages = ("gdeval.pl",)
    install = "git clone https://github.com/trec-web/trec-web-2014, and put src/eval/gdeval.pl on the PATH"
    tolerance = FIVE_DECIMALS
    takes = Takes(repeated_labels=True, item_ids=True, empty_lists=False)
    calls: ClassVar = library_calls({"ndcg": "ndcg", "err": "err"}, at_k="{} -k {{k}}", whole="{}")
    options: ClassVar[tuple[str, ...]] = ()

    def given(self, users: Sequence[User]) -> tuple[Sequence[User], str, str]:
        numbered = list(enumerate(users, 1))
        qrels = [
            f"{topic} 0 {item} {grade_text(grade)}\n" for topic, user in numbered for item, grade in user.label_rows
        ]
        rows = [(topic, *row) for topic, user in numbered for row in zip(user.ranking, user.scores, strict=True)]
        return users, "".join(qrels), "".join(f"{topic} Q0 {item} 0 {score!r} run\n" for topic, item, score in rows)

    def ask(self, given: tuple[Sequence[User], str, str], call: str, k: int | None) -> LibraryResult:
        users, *texts = given
        with TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("qrels", "run")]
            for file, text in zip(files, texts, strict=True):
                file.write_text(text)
            depth = [] if k is None else ["-k", str(k)]
            command = ["gdeval.pl", *self.options, *depth, *map(str, files)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        column = 2 if call.startswith("ndcg") else 3
        values = {line.split(",")[1]: float(line.split(",")[column]) for line in done.stdout.splitlines()[1:]}
        mean = values.pop("amean")
        if self.options:
            return LibraryResult(mean)  # a topic that counts 0 has no line
        return LibraryResult(mean, {users[int(topic) - 1].name: value for topic, value in values.items()})

    @classmethod
    def installed(cls) -> tuple[str, str] | None:
        if not shutil.which("gdeval.pl"):
            return None
        done = subprocess.run(["gdeval.pl", "-version"], capture_output=True, text=True, check=False)
        return "gdeval.pl", done.stdout.partition("version ")[2].split()[0]


class GdevalC(Gdeval):
    """As `Gdeval`, over all topics with a relevant document."""

    preset = "gdeval-c"
    options = ("-c",)


class TruLens(Adapter):
    """A golden set of chunks with scores, and the chunks retrieved; the mean over the records leaves NaN out."""

    preset = "trulens"
    packages = ("trulens-feedback",)
    install = "pip install trulens-feedback==2.16.0"
    own_environment = "it installs a database and a dashboard; no language model is called"
    takes = LISTS_OF_QUERIES
    names: ClassVar = {"precision": "precision_at_k", "recall": "recall_at_k", "hit_rate": "ir_hit_rate"}
    calls: ClassVar = {**library_calls(names | {"ndcg": "ndcg_at_k"}, at_k="{}", whole="{}"), "mrr": "mrr"}
    scores: ClassVar = False
    judged: ClassVar = False

    def given(self, users: Sequence[User]) -> tuple[Any, Sequence[User]]:
        from trulens.feedback.groundtruth import GroundTruthAgreement

        golden = [
            {
                "query": user.name,
                "expected_chunks": [{"text": item, "expect_score": grade} for item, grade in of],
            }
            for user, of in ((user, user.label_rows if self.judged else user.relevant_rows) for user in users)
        ]
        return GroundTruthAgreement.model_construct(ground_truth=golden, ground_truth_imp=None), users

    def ask(self, given: tuple[Any, Sequence[User]], call: str, k: int | None) -> LibraryResult:
        import pandas as pd

        truth, users = given
        options: dict[str, Any] = {} if call == "mrr" else {"k": k}
        scored = self.scores and call != "ir_hit_rate"

        def of_one(user: User) -> float:
            scores = {"relevance_scores": list(user.scores)} if scored else {}
            return float(getattr(truth, call)(user.name, list(user.ranking), **scores, **options))

        found = one_by_one(users, of_one)
        return LibraryResult(float(pd.Series(found.per_user, dtype=float).mean()), found.per_user, found.refused)


class TruLensScores(TruLens):
    """As `TruLens`, with the scores of the retrieved chunks."""

    preset = "trulens-scores"
    scores = True


class TruLensJudged(TruLens):
    """As `TruLens`, with a golden set of all labelled items."""

    preset = "trulens-judged"
    judged = True


class TruLensJudgedScores(TruLensJudged):
    """As `TruLensJudged`, with the scores of the retrieved chunks."""

    preset = "trulens-judged-scores"
    scores = True
