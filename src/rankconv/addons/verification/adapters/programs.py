"""How programs are called that are no packages: modules of a repository, whose folder is on the path of Python."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar
from unittest.mock import patch

from rankconv.addons.verification.adapter import (
    FOUR_DECIMALS,
    Adapter,
    LibraryResult,
    Takes,
    User,
    library_calls,
    one_by_one,
)
from rankconv.addons.verification.adapters.search import grade_text


class Program(Adapter):
    """A file below a folder of the path, which is known by what it defines: its name may be that of others."""

    file: ClassVar[str]
    defines: ClassVar[str]

    @classmethod
    def installed(cls) -> tuple[str, str] | None:
        files = (Path(folder, cls.file) for folder in sys.path)
        found = next((file for file in files if file.is_file()), None)
        return (cls.packages[0], "git") if found and cls.defines in found.read_text("utf-8") else None


class Ngcf(Program):
    """Functions of a list of hits, 1 or 0, that the caller makes of 100 items; the mean is over users of the test."""

    preset = "ngcf"
    packages = ("NGCF",)
    install = (
        "git clone https://github.com/xiangwang1223/neural_graph_collaborative_filtering, and put its folder NGCF "
    )
    install += "on the PYTHONPATH"
    own_environment = "it needs numpy below 2"
    file, defines = "utility/metrics.py", "def hit_at_k"
    takes = Takes(repeated_labels=True, duplicates=False, scores=False, absent_users=False)
    calls: ClassVar = library_calls(
        {"precision": "precision", "recall": "recall", "ndcg": "ndcg", "hit_ratio": "hit"},
        at_k="metrics.{}_at_k, k={{k}}",
    )

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from utility import metrics

        name = call.partition(".")[2].partition(",")[0]

        def value(user: User) -> float:
            relevant = [item for item, _ in user.relevant_rows]
            hits = [int(item in relevant) for item in user.ranking[:100]]
            return float(getattr(metrics, name)(hits, k, *([len(relevant)] if name == "recall_at_k" else [])))

        return one_by_one([user for user in given if user.relevant_rows], value)


class Kgat(Ngcf):
    """As `Ngcf`, by the copy of its functions."""

    preset = "kgat"
    packages = ("KGAT",)
    install = "git clone https://github.com/xiangwang1223/knowledge_graph_attention_network, and put its folder Model "
    install += "on the PYTHONPATH"


class LightGCN(Program):
    """Functions of a row of hits for each user, whose sum the caller divides by the users of the test."""

    preset = "lightgcn"
    packages = ("LightGCN-PyTorch",)
    install = "git clone https://github.com/gusye1234/LightGCN-PyTorch, and put its folder code on the PYTHONPATH"
    own_environment = "torch is large; take its CPU build where you have no GPU"
    file, defines = "utils.py", "def NDCGatK_r"
    takes = Takes(repeated_labels=True, duplicates=False, scores=False, absent_users=False)
    calls: ClassVar = {
        **library_calls({"precision": "precision", "recall": "recall"}, at_k="RecallPrecision_ATk['{}'], k={{k}}"),
        "ndcg@k": "NDCGatK_r, k={k}",
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        with patch.object(sys, "argv", ["main.py"]):  # which is read as it is imported
            import utils

        def value(user: User) -> float:
            relevant = [[item for item, _ in user.relevant_rows]]
            hits = utils.getLabel(relevant, [list(user.ranking)])
            if call.startswith("NDCG"):
                return float(utils.NDCGatK_r(relevant, hits, k))
            return float(utils.RecallPrecision_ATk(relevant, hits, k)[call.split("'")[1]])

        return one_by_one([user for user in given if user.relevant_rows], value)


class RankLLM(Program):
    """Candidates of queries and a qrels file, which go to the trec_eval of Anserini; its lines are read."""

    preset = "rank_llm"
    packages = ("rank_llm",)
    install = "git clone https://github.com/castorini/rank_llm, put its folder src on the PYTHONPATH, "
    install += "and Anserini's trec_eval.jar, which Java 21 runs, on the PATH"
    own_environment = "it runs Java"
    file, defines = "rank_llm/evaluation/trec_eval.py", "class EvalFunction"
    tolerance = FOUR_DECIMALS
    takes = Takes(repeated_labels=True, empty_lists=False)
    calls: ClassVar = {
        **library_calls({"ndcg": "ndcg_cut", "recall": "recall"}, at_k="{}.{{k}}"),
        **{"map": "map", "mrr": "recip_rank"},
    }

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from rank_llm.data import Candidate, Query, Result
        from rank_llm.evaluation import trec_eval

        # which would download it
        trec_eval.download_evaluation_script = lambda name: shutil.which(f"{name}.jar")
        results = [
            Result(
                Query("", user.name),
                [Candidate(item, score, {}) for item, score in zip(user.ranking, user.scores, strict=True)],
            )
            for user in given
        ]
        with TemporaryDirectory() as folder:
            qrels = Path(folder, "qrels")
            rows = ((user.name, *row) for user in given for row in user.label_rows)
            qrels.write_text("".join(f"{name} 0 {item} {grade_text(grade)}\n" for name, item, grade in rows))
            said = trec_eval.EvalFunction.from_results(results, str(qrels), ["-c", "-q", "-m", call])
        values = {user: float(value) for _, user, value in map(str.split, said.splitlines())}
        return LibraryResult(values.pop("all"), values)
