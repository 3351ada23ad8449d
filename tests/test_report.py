"""The report of sizes: lines are counted by tokens, a walk begins where evaluation does, and no number is a limit."""

import pytest
import yaml

from tests.report import LABELS, LAST, METRICS, RUN, SOURCE, code_lines, floors, printed, walk


def test_lines_are_counted_by_tokens() -> None:
    assert code_lines('"""Doc."""\nimport os\nfrom a import (\n    b,\n)\n\n# why\nx = 1  # one\ny = """a\nb"""\n') == 3


def test_every_file_is_of_a_floor() -> None:
    assert sum(map(len, floors().values())) == len([*SOURCE.rglob("*.py")])
    assert {*floors()} == {"top", *(path.parent.name for path in SOURCE.glob("*/__init__.py"))}


@pytest.mark.parametrize("metric", METRICS)
def test_a_walk_begins_where_data_are_joined_and_passes_the_plan(metric: str) -> None:
    passed = walk(LABELS, RUN, metric)
    assert passed[:2] == ["evaluation/joining.py", "evaluation/evaluate.py"]
    assert "engine/plan.py" in passed


def test_numbers_are_printed_beside_those_of_before() -> None:
    text = printed({"files": {"data": 1200, "new": 3, "cli": 8}}, "1.0.0", {"files": {"data": 1300, "cli": 8}})
    assert [line.split() for line in text.splitlines()] == [
        ["now", "1.0.0", "change"],
        ["files"],
        ["data", "1,200", "1,300", "-100"],
        ["new", "3", "–"],
        ["cli", "8", "8"],
    ]


def test_the_last_release_has_every_number() -> None:
    last = yaml.safe_load(LAST.read_text("utf-8"))
    assert {*last["sizes"]} == {
        "files",
        "lines of code",
        "files that one number passes",
        "an evaluation loads",
    }
