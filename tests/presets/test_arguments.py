"""What is no spec, no preset, no number: each verb refuses it by name, with an error of the package."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import rankconv as rc
from rankconv import plugin, protocols
from tests.together import together

LABELS, RUN = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}, {"ada": ["a", "x", "b"], "bob": ["y", "c"]}
[DEFINITION] = rc.preset("blog").define("ndcg@3")
WRONG: dict[str, Any] = {
    "number": 5,
    "zero": 0,
    "fraction": 1.5,
    "truth": True,
    "nothing in a list": [None],
    "number in a list": [5],
    "mapping": {"P": "precision@3"},
    "object": object(),
    "bytes": b"ndcg@3",
    "definition": DEFINITION,
    "definition in a list": [DEFINITION],
    "convention": rc.convention("gain"),
    "class": plugin.Metric,
    "not a number": float("nan"),
    "beyond every bound": 10**400,
    "square": "²",
    "two cutoffs": "ndcg@3@4",
    "unknown": "no-such",
    "list in a list": [["ndcg@3"]],
    "function": print,
}
DATA: dict[str, Any] = {"labels": LABELS, "run": RUN}
SIX = "uvwxyz"
RUNS = {name: {user: list(items) for user in SIX} for name, items in {"good": "ab", "bad": "ba"}.items()}
TESTED: dict[str, Any] = {"labels": {user: ["a"] for user in SIX}, "runs": RUNS}
RATED = {user: {item: number % 5 + 1 for number, item in enumerate("abcdefg")} for user in SIX}
HALF = "base(held-out=share(0.5))"
VERBS: dict[Callable[..., Any], dict[str, Any]] = {
    rc.evaluate: DATA | {"metrics": "ndcg@3", "preset": "mllib", "on_error": "raise"},
    rc.compare: DATA | {"metrics": "ndcg@3", "preset": ["mllib"]},
    rc.explain: DATA | {"metric": "ndcg@3", "user": "ada", "preset": ["mllib", "blog"]},
    rc.by_rank: DATA | {"metrics": "ndcg@3", "user": "ada", "preset": "mllib"},
    rc.why: DATA | {"metric": "ndcg@3", "a": "mllib", "b": "blog"},
    rc.identify: DATA | {"metric": "ndcg@3", "value": "0.5"},
    rc.identify_table: {"labels": TESTED["labels"], "run": RUNS, "table": {"good": {"mrr": "1.00"}}},
    rc.check: DATA | {"metrics": "ndcg@3", "preset": ["mllib"]},
    rc.sensitivity: DATA | {"metric": "ndcg@3", "preset": ["mllib"]},
    rc.test: TESTED
    | {"metrics": "ndcg@3", "preset": ["mllib"], "baseline": "bad", "correction": "holm", "include_users": "both"},
    rc.leaderboard: TESTED | {"metrics": "ndcg@3", "preset": "mllib", "correction": "holm"},
    rc.segments: {"labels": TESTED["labels"], "run": RUNS} | {"metrics": "ndcg@3", "preset": "mllib"},
    rc.gate: DATA | {"metrics": "ndcg@3", "preset": "mllib", "at_least": 0.1, "alpha": 0.05, "undecided": "pass"},
    rc.similarity: {"a": DATA["run"], "b": DATA["run"], "metrics": "rbo"},
    rc.agreement: {"a": LABELS, "b": LABELS, "measures": "kappa", "pairs": "first", "level": 1, "interval": "ppi"},
    rc.report: DATA | {"metrics": "ndcg@3", "preset": ["mllib"]},
    rc.curve: {"labels": TESTED["labels"], "run": RUNS}
    | {"metrics": "ndcg", "preset": ["mllib"], "over": "k", "max_k": 2},
    protocols.learning_curve: {"ratings": RATED, "recommenders": ["popularity"], "metrics": "ndcg@3", "protocol": HALF},
    rc.protocol: {"name": "fastml"},
    rc.cite: {"metrics": "ndcg@3", "preset": "mllib"},
    rc.Evaluator: {"metrics": "ndcg@3", "preset": "mllib"},
    rc.verify: {"preset": "implicit", "metrics": ["ndcg@3"]},
    rc.conform: {"program": ["true"], "metrics": ["ndcg@3"]},
    rc.metric: {"metric": "ndcg@3", "preset": "mllib"},
    rc.feval: {"metric": "ndcg@3", "library": "xgboost", "preset": "mllib"},
    rc.scoring: {"metric": "ndcg@3", "group": "query", "preset": "mllib"},
    rc.scorer: {"metric": "ndcg@3", "preset": "mllib", "output": "run", "expected": "gold", "columns": {"user": "q"}},
    rc.preset: {"name": "mllib"},
    rc.check_preset: {"preset": "mllib"},
    rc.compare_signatures: {"a": "mrr||users:3", "b": "mrr||users:3"},
    rc.convention: {"name": "gain"},
    rc.from_fingerprint: {"given": "803ba240"},
    rc.load_plugin: {"path": "gone.py"},
}
DEFINITIONS = ("definition", "definition in a list")
TAKEN = {
    ("identify", "value", "number"),
    ("identify", "value", "zero"),
    ("identify", "value", "fraction"),
    *(("gate", "at_least", wrong) for wrong in ("number", "zero", "fraction")),
    *((verb, "metrics", wrong) for verb in ("evaluate", "by_rank", "cite", "Evaluator") for wrong in DEFINITIONS),
    *(("gate", "metrics", wrong) for wrong in DEFINITIONS),
    *((verb, "metric", "definition") for verb in ("why", "identify", "sensitivity")),
    *(("conform", "program", wrong) for wrong in ("definition", "convention", "class", "function")),
    *(("conform", "metrics", wrong) for wrong in DEFINITIONS),
    ("curve", "max_k", "number"),
    *(("agreement", "level", wrong) for wrong in ("number", "zero", "fraction")),
    ("why", "a", "definition"),
    ("why", "b", "definition"),
    ("explain", "metric", "definition"),
    ("explain", "preset", "nothing in a list"),
    *((verb, "metric", "definition") for verb in ("metric", "feval", "scoring", "scorer")),
    *(("scoring", "group", wrong) for wrong in ("number", "zero", "beyond every bound")),
    *(("scoring", "group", wrong) for wrong in ("square", "two cutoffs", "unknown")),
    *(("scorer", side, wrong) for side in ("output", "expected") for wrong in ("square", "two cutoffs", "unknown")),
    *(
        ("scorer", side, wrong)
        for side in ("output", "expected")
        for wrong in ("class", "function", "definition", "convention")
    ),
    *(
        (verb, "metrics", wrong)
        for verb in ("check", "compare", "test", "leaderboard", "segments", "report", "learning_curve")
        for wrong in DEFINITIONS
    ),
}
"""What is no mistake there."""
CASES = [
    pytest.param(verb, argument, wrong, id=f"{verb.__name__}-{argument}-{wrong}")
    for verb, arguments in VERBS.items()
    for argument in arguments
    for wrong in WRONG
    if (verb.__name__, argument, wrong) not in TAKEN
]


@together("verb, argument, wrong", CASES, by=lambda verb, argument, wrong: f"{verb.__name__}-{argument}")
def test_what_is_meant_otherwise_is_refused(verb: Callable[..., Any], argument: str, wrong: str) -> None:
    with pytest.raises(rc.RankconvError) as error:
        verb(**(VERBS[verb] | {argument: WRONG[wrong]}))
    assert str(error.value)


def test_every_verb_has_its_battery() -> None:
    others = {"grouped", "join", "list_conventions", "list_metrics", "list_presets", "list_protocols"}
    top = {name for name in rc.__all__ if name.islower()} - others - {"reproduce"}
    assert top <= {verb.__name__ for verb in VERBS}


@pytest.mark.parametrize("wrong", WRONG)
def test_sources_results_and_presets_refuse_it_too(wrong: str) -> None:
    given, mllib = WRONG[wrong], rc.preset("mllib")
    asked: list[Callable[[], Any]] = [
        lambda: rc.reproduce(given),
        lambda: mllib.define(given),
        lambda: mllib.offers(given) and mllib.define(given),
        lambda: mllib.replace(gain=given),
        lambda: mllib.replace(metrics={"ndcg": given}),
        lambda: rc.evaluate(LABELS, RUN, "map")[given],
        lambda: rc.compare(LABELS, RUN, "map@3")[given],
    ]
    for ask in asked:
        with suppress(rc.RankconvError):  # any other error fails
            ask()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rc.evaluate(LABELS, RUN, {"P": "precision@3"}), r"given as a mapping.*\['precision@3'\]"),
        (
            lambda: rc.evaluate(LABELS, RUN, "ndcg@3", ["mllib"]),
            r"\['mllib'\] is not a preset.*rc\.compare takes several",
        ),
        (lambda: rc.evaluate(LABELS, RUN, 5), "5 is not a metric"),
        (lambda: rc.evaluate(LABELS, RUN, [None]), "no metric is given"),
        (
            lambda: rc.evaluate(LABELS, RUN, "ndcg@3", users="ada"),
            r"users='ada' is not a list of users.*users=\['ada'\]",
        ),
        (lambda: rc.evaluate(LABELS, RUN, "ndcg@3", users=[["ada"]]), r"users= holds \['ada'\], which is not an id"),
        (lambda: rc.evaluate(LABELS, RUN, "ndcg@3", on_error="colect"), "'colect' is not .* Did you mean 'collect'"),  # type: ignore[call-overload]
        (lambda: rc.Evaluator("ndcg@3").compute("colect"), "Did you mean 'collect'"),  # type: ignore[arg-type]
        (lambda: rc.compare(LABELS, RUN, "ndcg@3", {"a": "mllib"}), r"presets were given as a mapping.*\['a'\]"),  # type: ignore[arg-type]
        (lambda: rc.check(LABELS, RUN, k=10**12), "k: 1000000000000 is not a cutoff"),
        (lambda: rc.preset("mllib").definition("ndcg", (), 10**12), "1000000000000 is not a cutoff"),
        (lambda: rc.reproduce(["ndcg-video"]), r"is not a source.*reproduce\('a', 'b'\)"),  # type: ignore[arg-type]
        (lambda: rc.explain(LABELS, RUN, "ndcg@3", user="²"), "there is no user '²'"),
        (lambda: rc.explain(LABELS, RUN, "ndcg@3", user="9" * 5000), "there is no user"),
    ],
)
def test_the_message_says_what_to_do(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(rc.RankconvError, match=said):
        call()
