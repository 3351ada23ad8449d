"""The training loops print what their page shows, and their numbers are those of one evaluation."""

import re
from collections.abc import Callable

import pytest

from tests.readme import DOCS, EXAMPLES, Command, commands

PAGE = DOCS / "how-to/training-loops.md"
*SCRIPTS, METRIC = [command for command in commands(PAGE) if command.words[0] == "python"]


def numbers(printed: str) -> list[float]:
    """Each NDCG in the order printed."""
    return [float(number) for number in re.findall(r"ndcg@10 (\d\.\d+)", printed)]


@pytest.mark.parametrize("command", SCRIPTS, ids=str)
def test_training_stops_on_the_number_of_one_call(command: Command, run_python: Callable[..., str]) -> None:
    if not command.possible:
        pytest.skip("its libraries are not here")
    *epochs, whole = numbers(run_python(command.folder / command.words[1]))
    assert epochs[-1] == whole
    assert max(epochs) == epochs[-3]  # it has not risen for two epochs


@pytest.mark.parametrize("command", SCRIPTS, ids=str)
def test_so_does_what_the_page_shows(command: Command) -> None:
    *epochs, whole = numbers(command.pasted or "")
    assert (epochs[-1], max(epochs)) == (whole, epochs[-3])


def test_processes_give_the_bits_of_one_call(run_python: Callable[..., str]) -> None:
    printed = METRIC.pasted or ""
    if METRIC.possible:
        printed += run_python(METRIC.folder / METRIC.words[1])
    values = {line.partition(": ")[2] for line in printed.splitlines()}
    assert len(values) == 1


def test_what_the_page_quotes_stands_in_the_scripts() -> None:
    text = PAGE.read_text("utf-8")
    code = "".join(file.read_text("utf-8") for file in sorted((EXAMPLES / "training").glob("with_*.py")))
    called = set(re.findall(r"def (on_\w+|validation_step)\(", text))
    assert called == {"on_validation_epoch_start", "validation_step", "on_validation_epoch_end", "on_epoch_end"}
    assert all(f"def {name}(" in code for name in called)
