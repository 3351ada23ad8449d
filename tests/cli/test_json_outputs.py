"""What commands print with `--format json`: every command and result has a type, and what it gives is valid by it."""

import json
import math
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import getmembers, isclass, isfunction
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest
from typing_extensions import is_typeddict

import rankconv as rc
from rankconv.addons.verification.adapter import ADAPTERS
from rankconv.cli.app import program_help
from rankconv.cli.json_outputs import DRAFT, OUTPUTS, output_schema, schema_of
from rankconv.rendering.pages.display import RowResult
from tests import html_outputs
from tests.cli.support import refused, run

EIGHT = [f"u{number}" for number in range(8)]
FILES = {
    "many.csv": "user,item\n" + "".join(f"{user},a\n" for user in EIGHT),
    "good.csv": "user,item,score\n" + "".join(f"{user},a,2\n{user},b,1\n" for user in EIGHT),
    "bad.csv": "user,item,score\n" + "".join(f"{user},b,2\n{user},a,1\n" for user in EIGHT),
    "other.csv": "user,item,grade\n"
    + "".join(f"{user},a,1\n{user},b,{int(user == 'u3')}\n" for user in (*EIGHT, "x", "y")),
    "table.csv": "run,P@1,mrr\ngood,1.0000,1.0000\nbad,0.0000,0.5000\n",
    "ratings.csv": "user,item,rating\n" + "".join(f"{user},{item},3\n" for user in EIGHT for item in "abcdef"),
    "own.py": """
from rankconv import plugin

class Own(plugin.Adapter):
    preset = "docarray"
    packages = ("numpy",)
    install = "pip install numpy"
    calls = {"mrr": "mean_of_firsts"}

    def given(self, users):
        return users

    def ask(self, given, call, k):
        return 0.25
""",
    "program.py": """
import json, sys
for line in sys.stdin:
    vector = json.loads(line)
    reply = {"mean": 0.25} if vector["metric"] == "mrr" else {"unsupported": "no"}
    print(json.dumps({"id": vector["id"], **reply}), flush=True)
""",
}
COMMANDS = {
    "evaluate": {
        "": "many.csv good.csv -m mrr,ndcg@3",
        "several runs": "many.csv good.csv bad.csv -m map -p trec_eval --no-interval --no-digest",
        "--by, --user-features or --plot": "many.csv good.csv bad.csv -m mrr --by activity",
    },
    "compare": {
        "": "labels.csv run.csv tied.csv -m mrr@3 -p rankconv,kaggle",
        "--by-value": "labels.csv run.csv -m ndcg@3 -p blog,mllib,kaggle --by-value",
    },
    "test": {
        "": "many.csv good.csv bad.csv -m mrr --n-resamples 100",
        "--leaderboard": "many.csv good.csv bad.csv -m mrr --leaderboard --n-resamples 100",
        "--cite": "many.csv good.csv bad.csv -m mrr --cite --n-resamples 100",
    },
    "gate": {"": "many.csv good.csv -m mrr --at-least 0.9 --baseline bad.csv --not-worse-by 0.1"},
    "check": {"": "labels.csv tied.csv -m ndcg@2 -p rankconv,trec_eval"},
    "explain": {
        "": "labels.csv tied.csv -m ndcg@3 -u ada --against mllib",
        "--by-rank": "labels.csv run.csv -m precision -u ada --by-rank",
    },
    "why": {"": "labels.csv run.csv -m ndcg@3 mllib blog"},
    "identify": {
        "": "labels.csv run.csv -m mrr@2 --value 0.75",
        "several numbers": "labels.csv run.csv --value mrr@2=0.75 --value hit_rate@2=1.0",
        "--table": "--table table.csv many.csv good.csv bad.csv",
    },
    "sensitivity": {"": "labels.csv run.csv tied.csv -m ndcg@3 -p blog,mllib,kaggle"},
    "similarity": {"": "good.csv bad.csv --per-user"},
    "agreement": {"": "many.csv other.csv good.csv bad.csv -m mrr --n-resamples 100"},
    "list": {
        "presets": "presets spark",
        "metrics": "metrics",
        "conventions": "conventions",
        "protocols": "protocols",
        "protocols --all": "protocols --all",
    },
    "show": {
        "a preset": "mllib",
        "a preset, --against another": "mllib --against blog",
        "a preset, --history": "mllib --history",
        "a definition": "mllib:ndcg@10",
        "a metric": "ndcg",
        "a convention or setting": "gain",
        "a protocol": "protocol:fastml",
        "a protocol, --against another": "protocol:fastml --against base",
        "a group": "search",
        "a fingerprint": "803ba240",
        "a signature, --against another": "ndcg@3|gain:linear --against ndcg@3|gain:exponential",
        "--check": "--check mllib",
    },
    "cite": {"": "mllib:ndcg@10 map", "protocols": "protocol:fastml"},
    "split": {"": "ratings.csv -o parts"},
    "learning-curve": {"": "ratings.csv -r popularity -m ndcg@2 --protocol base(held-out=share(0.5)) --n-resamples 20"},
    "curve": {"": "many.csv good.csv -m ndcg --max-k 2 --n-resamples 20"},
    "verify": {"": "docarray labels.csv run.csv -m mrr --plugin own.py"},
    "conform": {"": f"-m rankconv:mrr@3 --quiet -- {sys.executable} program.py"},
    "reproduce": {"": "ndcg-video", "--list": "--list"},
}
"""A call of each command, for each kind of what it prints."""


@pytest.fixture(autouse=True)
def no_adapter_of_a_plugin() -> Iterator[None]:
    """Take the adapter of `own.py` out again, so that other tests can verify that preset."""
    yield
    ADAPTERS.pop("docarray", None)


def strict(text: str) -> Any:
    """Read JSON, which has no NaN and no infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"JSON has no {constant}")

    return json.loads(text, parse_constant=refuse)


def validate(data: Any, kind: Any) -> None:
    """Check data against the schema of one type, in which no field may be without a type."""
    found = schema_of(kind, closed=True)
    jsonschema.validate(data, {"$schema": DRAFT, **found["prefixItems"][0], "$defs": found["$defs"]})


def test_every_command_with_json_has_types_and_calls() -> None:
    with_json = {one.name for one in program_help().commands for each in one.options if "json" in each.choices}
    assert with_json == OUTPUTS.keys() == COMMANDS.keys()
    assert {name: [*kinds] for name, kinds in OUTPUTS.items()} == {name: [*calls] for name, calls in COMMANDS.items()}


@pytest.mark.parametrize(("command", "label"), [(name, label) for name in COMMANDS for label in COMMANDS[name]])
def test_what_a_command_prints_is_valid(command: str, label: str) -> None:
    for name, text in FILES.items():
        Path(name).write_text(text)
    before, _, program = COMMANDS[command][label].partition("-- ")
    done = run(command, *before.split(), "--format", "json", *(["--", *program.split()] if program else []))
    assert done.exit_code in (0, 1, 3), done.output
    data = strict(done.stdout)
    validate(data, OUTPUTS[command][label])
    jsonschema.validate(data, output_schema(command))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(None, output_schema(command))


@pytest.mark.parametrize("command", OUTPUTS)
def test_schemas_are_printed_and_say_what_null_means(command: str) -> None:
    schema = json.loads(run(f"show --schema {command}").stdout)
    assert schema == output_schema(command)
    jsonschema.Draft202012Validator.check_schema(schema)
    for name, kind in schema["$defs"].items():
        assert kind["description"], name
        for field, one in kind["properties"].items():
            null = {"type": "null"} in one.get("anyOf", []) or one.get("type") == "null"
            assert "description" in one or not null, f"{name}.{field} may be null, and does not say when"


def test_a_schema_of_what_prints_none_is_refused() -> None:
    assert "and of commands: evaluate, compare" in refused("show --schema serve")


def methods() -> dict[str, Callable[..., Any]]:
    """The method `to_dict` of each class of the package by the name of the class."""
    found = {}
    for module in walk_packages(rc.__path__, "rankconv."):
        if not module.name.startswith(html_outputs.OTHERS):
            for name, kind in getmembers(import_module(module.name), isclass):
                if kind.__module__ == module.name and isfunction(vars(kind).get("to_dict")):
                    found[name] = kind.to_dict
    return found


def test_every_result_says_its_type() -> None:
    for name, method in methods().items():
        if name != RowResult.__name__:
            kind = get_type_hints(method)["return"]
            assert is_typeddict(kind) or any(map(is_typeddict, get_args(kind))), f"{name}.to_dict gives {kind}"


def of_commands() -> list[Any]:
    """All types of what commands print."""
    return [kind for kinds in OUTPUTS.values() for kind in kinds.values()]


def test_what_a_result_gives_is_valid() -> None:
    """Those are tried that no command prints; what it prints is `to_dict` of the others."""
    given = {name: get_type_hints(method)["return"] for name, method in methods().items()}
    printed = [one for kind in of_commands() for one in (kind, *get_args(kind))]
    tried = [name for name in html_outputs.OUTPUTS if name in given and given[name] not in printed]
    assert {"Comparison", "PresetChecks", "Result"} == {*tried}
    for name in tried:
        validate(strict(json.dumps(html_outputs.OUTPUTS[name]().to_dict())), given[name])


def test_each_type_is_that_of_a_command_or_of_a_result() -> None:
    given = [get_type_hints(method)["return"] for name, method in methods().items() if name in html_outputs.OUTPUTS]
    reached = schema_of(*given, *of_commands())["$defs"]
    for name, method in methods().items():
        kind = get_type_hints(method)["return"]
        assert name == RowResult.__name__ or kind in given or kind.__name__ in reached, f"{name}.to_dict"


def test_an_infinite_mean_is_null() -> None:
    found = rc.evaluate({"u": ["a"]}, {"u": ["x"]}, "first_relevant_rank", "rankereval")
    assert found["first_relevant_rank"] == math.inf
    assert found.to_dict()["metrics"] == {"first_relevant_rank": None}


def test_a_compound_id_is_one_text_where_it_is_a_key() -> None:
    Path("turns.csv").write_text("user,given,item,score\nada,1,a,2\nada,1,b,1\n")
    done = run("similarity turns.csv turns.csv -m overlap@2 --column user=user,given --format json")
    data = strict(done.stdout)
    validate(data, OUTPUTS["similarity"][""])
    assert data["per_user"] == {"overlap@2": {"ada,1": 1.0}}


def test_an_infinite_value_of_equal_presets_is_null() -> None:
    words = "compare labels.csv gone.csv -m first_relevant_rank -p rankereval --by-value --format json"
    Path("gone.csv").write_text("user,item,score\nada,x,1\nbob,y,1\n")
    [row] = strict(run(words).stdout)["first_relevant_rank"]
    assert row == {"means": [None], "names": ["rankereval"], "step": None}
