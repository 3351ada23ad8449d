"""Records what pyndeval 0.0.8 gives on random topics: `python record_ndeval.py`, where pyndeval is installed."""

import json
import random
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("ndeval.json")
CASES = 40
MEASURES = [
    *(
        f"{name}@{k}"
        for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec")
        for k in (1, 2, 3, 5, 20)
    ),
    *("NRBP", "nNRBP", "MAP-IA"),
]


def case(seed: int) -> dict[str, Any]:
    """A topic: judgments of subtopics, a run with ties and unjudged documents, alpha and beta."""
    rng = random.Random(seed)
    documents = [f"d{number:02}" for number in range(rng.choice([3, 8, 15]))]
    subtopics = [f"s{number}" for number in range(rng.choice([1, 2, 4, 7]))]
    share = rng.choice([0.0, 0.1, 0.3, 0.6])
    judged = [(topic, document) for topic in subtopics for document in documents if rng.random() < 0.7]
    rng.shuffle(judged)
    labels = [[topic, document, rng.choice([1, 1, 2]) if rng.random() < share else 0] for topic, document in judged]
    ranked = rng.sample([*documents, "x1", "x2"], rng.randint(1, len(documents) + 2))
    run = [[document, float(rng.choice([rng.randint(0, 5), rng.random()]))] for document in ranked]
    alpha, beta = rng.choice([(0.5, 0.5), (0.5, 0.8), (0.25, 0.5), (0.9, 0.6), (0.0, 0.5), (1.0, 0.5)])
    return {"labels": labels or [["s0", "d00", 0]], "run": run, "alpha": alpha, "beta": beta}


def pyndeval_values(one: dict[str, Any]) -> dict[str, float]:
    """What pyndeval gives."""
    import pyndeval

    qrels = [("q", topic, document, grade) for topic, document, grade in one["labels"]]
    run = [("q", document, score) for document, score in one["run"]]
    found = pyndeval.ndeval(qrels, run, MEASURES, alpha=one["alpha"], beta=one["beta"])["q"]
    return {name: found[name] for name in MEASURES}


if __name__ == "__main__":
    recorded = [{**one, "values": pyndeval_values(one)} for one in map(case, range(CASES))]
    lines = ",\n".join(json.dumps(one) for one in recorded)
    FILE.write_text(f'{{"system": "pyndeval", "version": "0.0.8", "cases": [\n{lines}\n]}}\n')
