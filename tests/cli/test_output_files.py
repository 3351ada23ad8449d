"""What cannot be written is refused before data are read or anything is computed."""

import sys

import pytest

from tests.cli.support import refused

NOWHERE = "nowhere.csv nowhere.csv"
"""Files that are not there: whoever reads them says so."""
PLOTS = [
    f"compare {NOWHERE} -m map",
    f"curve {NOWHERE} -m map",
    f"evaluate {NOWHERE} -m map",
    f"sensitivity {NOWHERE} -m map",
    f"test {NOWHERE} nowhere.csv -m map",
    "learning-curve nowhere.csv",
]
"""Commands that draw."""
BY_HAND = ("compare", "sensitivity")
"""Those that need no library for SVG."""


@pytest.mark.parametrize("words", PLOTS)
def test_a_plot_of_no_known_form(words: str) -> None:
    assert "x.pdf is no picture" in refused(f"{words} --plot x.pdf")


@pytest.mark.parametrize("ending", ["svg", "png"])
@pytest.mark.parametrize("words", PLOTS)
def test_a_plot_without_matplotlib(words: str, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    needed = ending == "png" or not words.startswith(BY_HAND)
    said = "A plot needs matplotlib" if needed else "nowhere.csv"
    assert said in refused(f"{words} --plot x.{ending}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"report {NOWHERE} -o x.html", "A formula on a page of HTML needs latex2mathml"),
        (f"report {NOWHERE} -o x.pdf", "It ends in .html"),
        (f"evaluate {NOWHERE} -m map --per-user-file x.xlsx", "The ending says the form"),
    ],
)
def test_a_file_that_cannot_be_written(words: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "latex2mathml", None)
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    assert said in refused(words)
