"""Programs that implement a definition, another one, none, or that hang, crash and print rubbish."""

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.addons.conformance.conform import conform
from rankconv.addons.conformance.implemented import OF_MEANS
from rankconv.addons.conformance.vectors import VectorCase, read_vectors
from rankconv.basics.errors import InputError, MetricError
from rankconv.cli.app import app

CASES = [case for case in read_vectors() if case.vector.metric in ("mrr", "recall")]
EXAMPLE = Path(__file__).parents[3] / "examples" / "conform" / "harness.mjs"
PROGRAM = """
import json, sys
for number, line in enumerate(sys.stdin):
    vector = json.loads(line)
    known = {}
    for user, item, grade in vector["labels"]:
        known.setdefault(user, {})[item] = float(grade)
    lists = {}
    for user, item, score in vector["run"]:
        lists.setdefault(user, []).append(item)
    users = {}
    for user, items in lists.items():
        hits = [place for place, item in enumerate(items[:vector["k"]]) if known.get(user, {}).get(item, 0) > 0]
        users[user] = 1 / (hits[0] + SHIFT) if hits else 0.0
    mean = sum(users.values()) / len(users) if users else None
    reply = {"id": vector["id"], "users": users, "mean": mean}
    if vector["metric"] != "mrr":
        reply = {"id": vector["id"], "unsupported": "no " + vector["metric"]}
    EXTRA
    print(json.dumps(reply), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., list[str]]:
    def write(extra: str = "", shift: str = "1") -> list[str]:
        file = tmp_path / "program.py"
        file.write_text(PROGRAM.replace("SHIFT", shift).replace("EXTRA", extra))
        return [sys.executable, str(file)]

    return write


def test_a_program_is_named_by_the_presets_that_give_its_replies(program: Callable[..., list[str]]) -> None:
    found = conform(program(), cases=CASES)
    mrr, recall = sorted(found.metrics, key=lambda one: one.metric)
    assert found.exit_code == 0
    assert mrr.found is not None
    definition = mrr.found.definition.settings
    assert (definition["users"], definition["ties"]) == ("ranked", "given") or mrr.found.presets
    for case, reply in mrr.answered:  # what is named gives each value
        text = mrr.found.definition.replace(k=case.vector.k).text
        assert rc.evaluate(case.joined, text)[text] == pytest.approx(reply.mean, nan_ok=True)
    assert not recall.answered
    assert "Unsupported: recall" in found.to_text()


def test_without_means_nothing_is_said_of_aggregation(
    program: Callable[..., list[str]],
) -> None:
    """Under definitions that pool there are no users' values that could differ: they agree with none."""
    cases = [case for case in CASES if case.vector.metric == "mrr"]
    shifted, own = (conform(program("del reply['mean']", shift), cases=cases, search_limit=1) for shift in ("2", "1"))
    for found in (shifted, own):
        [mrr] = found.metrics
        assert mrr.found is not None
        assert mrr.means_tested is mrr.to_dict()["means_tested"] is False
        assert "Means were not tested, as no reply has one: mrr." in found.to_text()
        assert not {name for name, _ in mrr.found.definition.changed} & set(OF_MEANS)
        assert not mrr.found.definition.pools
    assert (shifted.ok, own.ok) == (False, True)
    assert "Means were not tested" not in conform(program(), cases=cases).to_text()


def test_a_search_that_the_time_limit_ended_says_so(program: Callable[..., list[str]]) -> None:
    """What a note advises searches on; a program that a preset names is not searched at all.

    The program gives ranks that are one too high, which is the definition of nobody.
    """
    some = [case for case in CASES if case.spec == "mrr@3"][:3]
    ended = conform(program(shift="2"), ["mrr@3"], cases=some, search_limit=0)
    [advice] = [note for note in ended._notes(4) if "The time limit ended the search" in note]
    assert ended.metrics[0].to_dict()["search_ended"] is True
    limit = float(re.search(r"search_limit=(\d+)", advice)[1])  # type: ignore[index]
    assert f"--search-limit {limit:.0f}" in advice
    whole = conform(program(shift="2"), ["mrr@3"], cases=some, search_limit=limit)
    for found in (whole, conform(program(), ["mrr@3"], cases=some, search_limit=0)):
        assert "The time limit" not in found.to_text()
        assert found.metrics[0].to_dict()["search_ended"] is False
    assert (whole.ok, whole.exit_code) == (False, 1)
    assert "expected" in whole.to_text()


def test_a_program_is_held_to_a_definition(program: Callable[..., list[str]]) -> None:
    other = rc.metric("sklearn@1.1:ndcg").signature
    with pytest.raises(MetricError, match="no vector is of"):
        conform(program(), [other], cases=CASES)
    held = conform(program(), ["trec_eval:mrr"], cases=CASES)
    assert held.exit_code == 1
    assert held.metrics[0].implements.startswith("trec_eval:mrr")
    signature = conform(program(), [rc.metric("rankconv:mrr@3").signature], cases=CASES)
    assert {case.spec for case, _ in signature.metrics[0].replied} == {"mrr@3"}


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("if number == 3: sys.exit(7)", "the program ended with exit code 7"),
        ("if number == 3: import time; time.sleep(60)", "no reply within 2 s"),
        ("if number == 3: print('Loading the model', flush=True)", "a line is not JSON; .*'Loading the model'"),
        ("if number == 3: reply['id'] = 'x'", "a line is not a reply to"),
        ("if number == 3: reply['mean'] = 'high'", "mean is not a number"),
        ("if number == 3: del reply['mean'], reply['users']", "neither mean, users nor unsupported"),
        ("if number == 3: reply['users'] = [1]", "users is not an object"),
    ],
)
def test_failures_are_shown_and_nothing_is_lost(program: Callable[..., list[str]], extra: str, message: str) -> None:
    cases = [case for case in CASES if case.vector.metric == "mrr"][:6]
    found = conform(program(extra), cases=cases, time_limit=2)
    [row] = found.metrics
    assert found.exit_code == 2
    assert len(row.answered) == 5
    [failed] = row.failures
    assert failed.case.vector.id == cases[3].vector.id
    assert re.search(message, failed.reply.failure)
    assert failed.case.vector.id in found.to_text()


def test_after_three_failures_nothing_is_sent() -> None:
    found = conform([sys.executable, "-c", "print('hello')"], cases=CASES[:6])
    reasons = [one.reply.failure for row in found.metrics for one in row.failures]
    assert sum("not sent" in reason for reason in reasons) == 3
    assert found.exit_code == 2


def test_a_program_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match=r"\./nowhere: the harness cannot be started"):
        conform(["./nowhere"], cases=CASES[:1])


def test_the_command(program: Callable[..., list[str]]) -> None:
    words = ["conform", "-m", "mrr@3", "--format", "json", "--quiet", "--", *program()]
    result = CliRunner().invoke(app, words)
    found = json.loads(result.stdout)
    assert (result.exit_code, found["ok"]) == (0, True)
    assert set(found["metrics"][0]["vectors"].values()) == {"passes"}
    assert rc.metric(found["metrics"][0]["signature"]).signature == found["metrics"][0]["signature"]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_harness_in_javascript() -> None:
    cases: list[VectorCase] = [case for case in CASES if case.vector.metric == "recall"]
    found = conform(["node", str(EXAMPLE)], cases=cases)
    assert found.ok
    assert found.metrics[0].found is not None
    assert found.metrics[0].found.definition.text == "trulens@2.5.3:recall(order=score)@3"
    assert "dokimos-110" in [vector.id for vector in found.reported]


def test_a_value_for_users_without_labels_that_no_preset_has_is_found(program: Callable[..., list[str]]) -> None:
    extra = """
    if vector["metric"] == "mrr":
        users.update({user: 1.0 for user in lists if user not in known})
        reply["mean"] = sum(users.values()) / len(users) if users else None
    """
    found = conform(program(extra), ["mrr"])
    (mrr,) = found.metrics
    assert (found.ok, mrr.found is not None) == (True, True)
    for case, reply in mrr.answered:
        text = mrr.found.definition.replace(k=case.vector.k).text  # type: ignore[union-attr]
        assert rc.evaluate(case.joined, text)[text] == pytest.approx(reply.mean, nan_ok=True)


def test_a_vector_that_differs_is_shown_with_its_data(program: Callable[..., list[str]]) -> None:
    mrr = [case for case in CASES if case.spec == "mrr@3"][:5]
    found = conform(program(shift="2"), ["rankconv:mrr@3"], cases=mrr)
    first = found.metrics[0].differences[0]
    data = next(case.data for case in CASES if case.vector.id == first.vector)
    said = " ".join(found.to_text(10_000).split())
    for side, rows in (("labels", data.labels), ("run", data.run)):
        assert first.user
        assert f"{side} {', '.join(f'{item}={value}' for user, item, value in rows if user == first.user)}" in said
    assert "--format json" in said or len(found.metrics[0].differences) <= 3


def test_a_function_is_a_program() -> None:
    """What a function returns is what a program that does the same replies."""

    def first_hit(vector: dict[str, Any]) -> dict[str, Any]:
        scope: dict[str, Any] = {"vector": vector, "json": json}
        body = PROGRAM.replace("SHIFT", "1").replace("EXTRA", "").partition("vector = json.loads(line)\n")[2]
        exec(textwrap.dedent(body.partition("    print(")[0]), scope)
        return dict(scope["reply"])

    found = rc.conform(first_hit, ["mrr"])
    assert found.ok
    assert "first_hit" in found.to_text()
    wrong = rc.conform(lambda vector: {"mean": "high"}, ["mrr@3"])
    assert wrong.exit_code == 2
    assert "mean is not a number" in wrong.metrics[0].failures[0].reply.failure


def test_what_a_function_raises_or_returns_otherwise_is_a_failure() -> None:
    """The other metrics are reported nevertheless."""
    for function, said in (
        (lambda vector: None, "it returned None, which is not a dict"),
        (lambda vector: 1 / 0, "it raised ZeroDivisionError: division by zero"),
        (lambda vector: {"mean": object()}, "not 'object'"),
    ):
        found = rc.conform(function, ["mrr@3"])
        assert found.exit_code == 2
        assert said in found.metrics[0].failures[0].reply.failure
    assert rc.conform(lambda vector: {"mean": np.float32(0)}, ["rankconv:mrr@3"]).exit_code == 1


def test_the_command_takes_every_metric_without_one(program: Callable[..., list[str]]) -> None:
    result = CliRunner().invoke(app, ["conform", "--format", "json", "--quiet", "--", *program()])
    assert len(json.loads(result.stdout)["metrics"]) > 10


def test_what_a_program_wrote_before_it_ended_is_shown() -> None:
    found = conform([sys.executable, "-c", "print('rubbish')"], ["mrr@3"])
    assert "a line is not JSON; logs belong on stderr: 'rubbish'" in found.metrics[0].failures[0].reply.failure
