"""Optuna: a study on the value that is reported, here of the weights of two rankings that are fused."""

import optuna

import rankconv as rc

NDCG = rc.metric("ndcg@3", preset="trec_eval")
labels = {"1": ["a", "b"], "2": ["c"]}
words = {"1": {"x": 1.0, "a": 0.6, "b": 0.1}, "2": {"y": 1.0, "c": 0.8}}
vectors = {"1": {"b": 1.0, "a": 0.9, "x": 0.2}, "2": {"c": 0.3, "y": 0.1}}


def fused(weight: float) -> dict[str, dict[str, float]]:
    """Return the weighted sum of both."""
    return {q: {d: weight * words[q][d] + (1 - weight) * vectors[q][d] for d in words[q]} for q in words}


def objective(trial: optuna.Trial) -> float:
    """Return the value of a weight; the signature is kept with the trial."""
    number = NDCG(labels, fused(trial.suggest_float("weight", 0, 1, step=0.25)))
    trial.set_user_attr("signature", number.signature)
    return float(number)


optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(direction="maximize", sampler=optuna.samplers.GridSampler({"weight": [0, 0.25, 0.5, 1]}))
study.optimize(objective)

print("optuna", {"ndcg@3": round(study.best_value, 4)})
print("rankconv", {"ndcg@3": round(float(NDCG(labels, fused(study.best_params["weight"]))), 4)})
print(NDCG.text, NDCG.fingerprint)
