"""cwl_eval: a ranking for each topic, and one class for each measure."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult, Takes
from rankconv.verification.cases import User

EU, ETU, ED = "expected_utility", "expected_total_utility", "expected_items"


class CwlEval(Adapter):
    """What the program does for each topic of a results file; it prints no mean."""

    preset = "cwl_eval"
    packages = ("cwl-eval",)
    install = "pip install cwl-eval==1.0.12"
    takes = Takes(grades=("binary", "fractional", "negative"))
    many: ClassVar = {
        "P@k": "PrecisionCWLMetric {k}",
        "RBP": "RBPCWLMetric 0.9",
        "RR": "RRCWLMetric",
        "AP": "APCWLMetric",
        "INST": "INSTCWLMetric 1",
    }
    few: ClassVar = {
        "NDCG-k@k": "NDCGCWLMetric {k}",
        "TrAP": "TrAPCWLMetric",
        "INSQ": "INSQCWLMetric 1",
        "IFT-C1": "IFTGoalCWLMetric 2 0.9 10",
        "IFT-C2": "IFTRateCWLMetric 0.2 0.9 10",
        "IFT-C1-C2": "IFTGoalRateCWLMetric 2 0.9 10 0.2 0.9 10",
        "BPM": "BPMCWLMetric 1 10",
        "BPM-Dynamic": "BPMDCWLMetric 1 10 1 1 0.5",
        "NERR-EQ8@k": "NERReq8CWLMetric {k}",
        "NERR-EQ9@k": "NERReq9CWLMetric {k}",
        "NERR-EQ10": "NERReq10CWLMetric 0.9",
        "NERR-EQ11": "NERReq11CWLMetric 1",
        "TBG": "TBGCWLMetric 224",
        "U": "UMeasureCWLMetric 1000",
    }
    calls: ClassVar = {
        f"{name.removesuffix('@k')}.{short}{'@k' * name.endswith('@k')}": f"{call} {column}"
        for name, call, column, short in [
            *((name, call, EU, "EU") for name, call in (many | few).items()),
            *((name, call, ETU, "ETU") for name, call in many.items()),
            *((name, call, ED, "ED") for name, call in many.items()),
        ]
    }

    def given(self, users: Sequence[User]) -> tuple[Any, dict[str, Any]]:
        from cwl.ruler.ranking import RankingMaker
        from cwl.seeker.trec_qrel_handler import TrecQrelHandler

        qrels = TrecQrelHandler()
        for user in users:
            for item, grade in user.labels.items():
                qrels.put_value(user.name, item, grade)
        makers = {user.name: RankingMaker(user.name, qrels) for user in users if user.ranking}
        for user in users:
            for item in user.ranking:
                makers[user.name].add(item, "Q0")
        return qrels, makers

    def ask(self, given: tuple[Any, dict[str, Any]], call: str, k: int | None) -> LibraryResult:
        from cwl.ruler import cwl_ruler

        qrels, makers = given
        qrels.validate_gains()
        name, *arguments, column = call.split()
        measure = getattr(cwl_ruler, name)(*(int(one) if one.isdigit() else float(one) for one in arguments))
        measure.residuals = False  # TrAP's constructor leaves it out
        values = {}
        for user, maker in makers.items():
            measure.measure(maker.get_ranking())
            values[user] = float(getattr(measure, column))
        return LibraryResult(None, values)
