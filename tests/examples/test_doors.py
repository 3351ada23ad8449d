"""Scripts for other frameworks: the value of a framework is that of its preset, and the page shows what is printed."""

import re
from collections.abc import Callable

import pytest

from tests.readme import DOCS, Command, commands

SCRIPTS = [command for command in commands(DOCS / "how-to/doors.md") if command.words[0] == "python"]


def numbers(line: str) -> list[float]:
    return [float(number) for number in re.findall(r"[:\[ ](\d\.\d+)", line)]


@pytest.mark.parametrize("command", SCRIPTS, ids=str)
def test_the_value_of_the_framework_is_that_of_its_preset(command: Command, run_python: Callable[..., str]) -> None:
    if not command.possible:
        pytest.skip("its libraries are not here")
    *values, signature = run_python(command.folder / command.words[1]).splitlines()
    assert all(numbers(value) == numbers(values[-1]) for value in values)
    assert [*values, signature] == (command.pasted or "").splitlines()


def test_mlflow_has_the_value_of_a_hand_worked_example() -> None:
    [command] = [one for one in SCRIPTS if "mlflow" in one.line]
    ideal, found = 1 + 1 / 1.584962500721156, 1 / 1.584962500721156 + 1 / 2
    expected = [found / ideal, 1.0, (found / ideal + 1) / 2]
    assert numbers(command.pasted.splitlines()[0]) == pytest.approx(expected, abs=5e-5)  # type: ignore[union-attr]
