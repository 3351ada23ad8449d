"""The core works without the libraries of extras, and one line says which extra something needs."""

import subprocess
import sys

import pytest

HIDDEN = "polars pyarrow pandas scipy matplotlib latex2mathml typer rich starlette duckdb".split()
"""What extras bring, hidden from a process."""
BEGIN = f"""
import sys
sys.modules |= dict.fromkeys({HIDDEN!r})
import numpy as np
import rankconv as rc
L, R = {{"ada": {{"a": 3, "b": 1}}, "bob": {{"c": 1}}}}, {{"ada": ["a", "x", "b"], "bob": ["y", "c"]}}
MANY = [(f"u{{number}}", "a") for number in range(3000)]
"""
WORKS = {
    "round(rc.evaluate(L, R, 'ndcg@3', 'trec_eval')['ndcg@3'], 6)": "0.797435",  # (3.5 / (3 + l) + l) / 2, l = log3(2)
    "rc.evaluate(MANY, MANY, 'mrr')['mrr']": "1.0",
    "rc.evaluate(np.eye(2), np.array([[0.1, 0.2], [0.1, 0.2]]), 'mrr')['mrr']": "0.75",
    "rc.evaluate({1: [2**60, 7]}, {1: [7, 2**60]}, 'mrr')['mrr']": "1.0",
    "rc.compare(L, R, 'map', ['mllib', 'blog']).presets": "['mllib', 'blog']",
    "rc.explain(L, R, 'ndcg@3', user='ada').to_markdown()[:3]": "## ",
    "rc.why(L, R, 'ndcg@3', a='mllib', b='trec_eval').to_latex()[:6]": r"\begin",
    "rc.identify(L, R, 'ndcg@3', value=0.797435).to_text()[:6]": "ndcg@3",
    "len(rc.cite('ndcg@3').to_text()) > 100": "True",
    "rc.check(L, R, 'ndcg@3').clean": "False",
    "len(rc.sensitivity(L, {'one': R, 'two': {'ada': ['b']}}, 'ndcg@3', ['mllib', 'blog']).runs)": "2",
    "rc.cite('ndcg@3')._repr_html_()": "None",
}
NEEDS = {
    "rc.evaluate('labels.csv', 'run.csv', 'map')": ("labels.csv: a file needs polars", "files"),
    "rc.evaluate(L, R, 'map').to_frame()": ("A frame needs polars", "files"),
    "rc.protocol('fastml').split(MANY)": ("A protocol needs polars", "files"),
    "rc.evaluate('a.csv', 'b.csv', 'map', memory='2GB')": ("Reading within a budget of memory needs pyarrow", "memory"),
    "rc.curve(L, R, 'ndcg').plot('curve.svg')": ("A plot needs matplotlib", "plots"),
    "rc.cite('ndcg@3').to_html()": ("A formula on a page of HTML needs latex2mathml", "plots"),
}


def python(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", BEGIN + code], capture_output=True, text=True, check=False)


def test_the_core_works_alone() -> None:
    done = python("\n".join(f"print({code})" for code in WORKS) + "\nprint({*sys.modules} & {'narwhals'})")
    assert done.stdout.splitlines() == [*WORKS.values(), "set()"], done.stderr


def test_what_needs_an_extra_says_so_in_one_line() -> None:
    tried = "\n".join(f"try:\n    {code}\nexcept rc.LibraryError as error:\n    print(error)" for code in NEEDS)
    expected = [
        f"{wrong}, which is not installed. Install it: pip install 'rankconv[{extra}]'."
        for wrong, extra in NEEDS.values()
    ]
    done = python(tried)
    assert done.stdout.splitlines() == expected, done.stderr


@pytest.mark.parametrize("words", [[], ["compare"], ["--help"]])
def test_the_script_says_it_too(words: list[str]) -> None:
    done = python(f"sys.argv = ['rankconv', *{words!r}]\nfrom rankconv.cli import main\nmain()")
    line = "rankconv: The command line needs typer, which is not installed. Install it: pip install 'rankconv[cli]'.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)
