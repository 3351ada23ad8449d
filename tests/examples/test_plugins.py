"""Every way to add to the package, as the folder shows it: in processes of their own, since they add for good."""

import shlex
import string
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import rankconv as rc
from tests.readme import DOCS


@pytest.fixture(scope="module")
def folder(examples: Path) -> Path:
    return examples / "plugins"


@pytest.fixture(scope="module")
def bookshop(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """The packaged example as an installer leaves it: the package, and what its pyproject.toml says of it."""
    project = tomllib.loads((folder / "packaged/pyproject.toml").read_text("utf-8"))["project"]
    site = tmp_path_factory.mktemp("site")
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = [
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())])
        for group, entries in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n\n".join(points))
    return site, folder / "packaged"


def test_the_script(folder: Path, run_python: Callable[..., str]) -> None:
    lines = run_python(folder / "use_plugins.py").splitlines()
    numbers = {line.split(maxsplit=1)[1]: float(line.split()[0]) for line in lines if line.startswith("   ")}
    # Of ann, bob, cem and eli, who have relevant labels, one has a hit at rank 1.
    assert numbers["rankconv:first_click@1"] == 0.5 / 4
    assert numbers["rankconv:first_click(click-chance=0.9)@1"] == 0.9 / 4
    gains = [numbers[f"rankconv:{spec}@3"] for spec in ("ndcg", "ndcg(gain=square)", "ndcg(gain=exponential)")]
    assert len(set(gains)) == 3
    # Eli has a single label, and no list; ann and bob have both of two relevant items in three ranks, cem two of three.
    assert numbers["rankconv:recall(single-label=skip)@3"] == round((1 + 1 + 2 / 3) / 3, 4)
    # Cem's list has five rows, so the data are not in the situation of the plugin.
    assert numbers["rankconv:recall(short-lists-only=0.25)@3"] == round((1 + 1 + 2 / 3 + 0) / 4, 4)
    assert numbers["rankconv:mrr(adverts=removed)"] == numbers["rankconv:mrr"]
    # Hits 2, 2, 2 of three ranks; Spark divides by the six users, the shop by the four with relevant labels.
    assert numbers["mllib:precision@3"] == round(6 / 3 / 6, 4)
    assert numbers["my_shop:precision@3"] == round(6 / 3 / 4, 4)
    assert numbers["newsletter:precision"] == round((2 / 3 + 2 / 3 + 3 / 5 + 0) / 4, 4)
    assert "not installed" in lines[-1]


def test_the_package(folder: Path, bookshop: tuple[Path, ...], run_python: Callable[..., str]) -> None:
    *_, title, number = run_python(folder / "use_plugins.py", path=bookshop).splitlines()
    assert title.endswith("What the bookshop reports")
    # Grade 3 on top: ann. Nothing relevant below 3: bob and eli are left out. Cem's pie is second.
    assert number.split() == ["0.5000", "bookshop:hit_on_top"]


def test_the_package_is_found_without_being_imported(
    bookshop: tuple[Path, ...], run_python: Callable[..., str]
) -> None:
    code = "import rankconv as rc; print(rc.preset('bookshop').title, 'hit_on_top' in rc.list_metrics())"
    assert run_python("-c", code, path=bookshop) == "What the bookshop reports True\n"


def commands(file: Path) -> list[list[str]]:
    """The command lines of a docstring, their variables filled in."""
    lines = [line.strip() for line in file.read_text("utf-8").split('"""')[1].splitlines()]
    known = {name: value for line in lines if line.startswith("L=") for name, value in assignments(shlex.split(line))}
    return [shlex.split(string.Template(line).substitute(known)) for line in lines if "rankconv evaluate" in line]


def assignments(words: list[str]) -> list[tuple[str, str]]:
    """The words `NAME=value` at the start of a command line."""
    pairs = []
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name.isidentifier():
            break
        pairs.append((name, value))
    return pairs


def test_its_commands_run(folder: Path, bookshop: tuple[Path, ...], run_rankconv: Callable[..., str]) -> None:
    found = commands(folder / "use_plugins.py")
    assert len(found) == 8
    for words in found:
        variables = assignments(words)
        arguments = words[len(variables) + 1 :]
        metric = arguments[arguments.index("-m") + 1]
        assert metric in run_rankconv(*arguments, path=bookshop, **dict(variables))


PRESETS = {
    "my_shop": "my_shop.yaml",
    "newsletter": "presets/newsletter.yaml",
    "bookshop": "packaged/bookshop_metrics/presets/bookshop.yaml",
}
CHECKED = """
import sys, rankconv as rc
checks = rc.preset(sys.argv[1]).checks
for check in checks:
    result = rc.evaluate(check.labels, check.rankings, check.metric, sys.argv[1])
    print(result[check.metric], check.value, sep="|")
"""


@pytest.mark.parametrize("name", PRESETS)
def test_checks(
    name: str,
    folder: Path,
    bookshop: tuple[Path, ...],
    run_python: Callable[..., str],
    expression: Callable[[str], float],
) -> None:
    asked = folder / "my_shop.yaml" if name == "my_shop" else name
    lines = run_python("-c", CHECKED, asked, path=bookshop, RANKCONV_PRESETS=str(folder / "presets")).splitlines()
    assert len(lines) == 3
    for line in lines:
        value, expected = line.split("|")
        assert float(value) == pytest.approx(expression(expected), rel=1e-12)


def test_the_shop_changes_two_settings_of_spark(folder: Path) -> None:
    mllib, shop = rc.preset("mllib"), rc.preset(str(folder / "my_shop.yaml"))
    changed = {name for name, setting in shop.settings.items() if mllib.settings[name] != setting}
    assert changed == {"on-no-relevant"}
    assert [key for key in shop.metrics if shop.entry(key) != mllib.entry(key)] == ["precision"]


def test_the_numbers_of_the_page_about_preparation(run_python: Callable[..., str]) -> None:
    """The plugins add for good, so they are loaded in a process of their own."""
    assert run_python("-m", "doctest", DOCS / "how-to/preparation-steps.md") == ""
