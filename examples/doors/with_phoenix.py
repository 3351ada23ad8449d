"""Phoenix: an evaluator of a data frame, offline, of a function of two columns."""

import pandas as pd
from phoenix.evals import Score, create_evaluator, evaluate_dataframe

import rankconv as rc

kept = rc.scorer("ndcg@3", preset="trec_eval").collector()


@create_evaluator(name=kept.__name__, kind="code")  # type: ignore[untyped-decorator]
def ranked(output: list[str], expected: list[str]) -> Score:
    """The value of a row."""
    return Score(score=kept(output=output, expected=expected), metadata={"fingerprint": kept.scorer.fingerprint})


rows = [(["x", "a", "b"], ["a", "b"]), (["c"], ["c"]), (["y"], ["d"])]
frame = pd.DataFrame(rows, columns=["output", "expected"])
found = evaluate_dataframe(dataframe=frame, evaluators=[ranked], hide_tqdm_bar=True)

result = kept.compute()
print("phoenix", {"ndcg@3": round(sum(one["score"] for one in found["ndcg@3_score"]) / len(found), 4)})
print("rankconv", {"ndcg@3": round(float(result["ndcg@3"]), 4)})
print(kept.scorer.definition.text, kept.scorer.fingerprint)
