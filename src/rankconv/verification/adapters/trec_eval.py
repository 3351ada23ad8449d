"""trec_eval, the C program, where it is on the PATH; it prints four decimals."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from rankconv.verification.adapter import FOUR_DECIMALS, Adapter, LibraryResult, NotGiven
from rankconv.verification.cases import User


class TrecEval(Adapter):
    """A qrels file and a run file; what the program says as it stops is its refusal."""

    preset = "trec_eval"
    packages = ("trec_eval",)
    install = "git clone https://github.com/usnistgov/trec_eval && make -C trec_eval, and put the program on the PATH"
    tolerance = FOUR_DECIMALS
    cut: ClassVar = {"precision": "P", "recall": "recall", "map": "map_cut", "ndcg": "ndcg_cut", "hit_rate": "success"}
    whole: ClassVar = {"map": "map", "ndcg": "ndcg", "mrr": "recip_rank", "r_precision": "Rprec", "f1": "set_F"}
    calls: ClassVar = {f"{name}@k": f"{measure}.{{k}}" for name, measure in cut.items()} | whole

    def given(self, users: Sequence[User]) -> tuple[str, str]:
        if any(user.labels and max(user.labels.values()) < 0 for user in users):
            raise NotGiven("judgments that are all negative stop the program only in the first topic")
        qrels = [f"{u.name} 0 {item} {grade:g}\n" for u in users for item, grade in u.labels.items()]
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
