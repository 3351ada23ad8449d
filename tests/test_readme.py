"""The README and the pages of `docs/`: their commands run and print what is pasted; links lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.readme import DOCS, EXAMPLES, PAGES, REFRESH, ROOT, WIDTH, Command, commands, of_pages

PASTED = of_pages(lambda one: one.pasted is not None and one.words[0] == "rankconv")
RUN = of_pages(lambda one: one.pasted is None)
README = ROOT / "README.md"


@pytest.mark.parametrize("command", PASTED, ids=str)
def test_what_is_pasted_is_printed(command: Command) -> None:
    assert command._printed() == command.pasted, f"{command.page} is old; refresh it with: {REFRESH}"


@pytest.mark.parametrize("command", RUN, ids=str)
def test_the_command_runs(command: Command) -> None:
    assert command._printed().strip()


def test_every_convention_has_a_command_with_what_it_prints() -> None:
    shown = {command.words[1] for command in PASTED}
    verbs = ("evaluate", "compare", "check", "explain", "why", "identify", "sensitivity", "cite", "reproduce", "show")
    assert set(verbs) <= shown


def test_the_readme_is_short_and_fits_a_terminal() -> None:
    text = README.read_text("utf-8")
    assert len(text.splitlines()) <= 120
    shown = [line for command in commands(README) if command.pasted for line in command.pasted.splitlines()]
    assert max(map(len, shown)) <= WIDTH


def test_the_values_of_the_first_table_are_those_of_the_example() -> None:
    page = (ROOT / "docs/explanation/movielens.md").read_text("utf-8")
    block = page[page.index("\nNDCG@10\n") : page.index("\nMAP@10\n")]
    entries = re.findall(r"^ +(0\.\d{4}) +(0\.\d{4}) +(.+(?:\n {22,}\S.*)*)$", block, re.MULTILINE)
    values = {name.strip(" ,"): (a, b) for a, b, names in entries for name in names.partition("<-")[0].split()}
    rows = re.findall(r"^\| ([\w-]+)[^|]* \| +([\d.]+) \| +([\d.]+) \| (\w+)", README.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 6
    assert {name: (a, b) for name, a, b, _ in rows} == {name: values[name] for name, *_ in rows}
    assert all(better == ("popularity" if a > b else "item_item") for _, a, b, better in rows)
    assert min(values.values()) == values[rows[0][0]]
    assert max(values.values()) == values[rows[-1][0]]


def anchor(heading: str) -> str:
    """What a heading is called in a link."""
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


LINKED = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "AGENTS.md", *sorted(ROOT.glob(".github/*.md"))]


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        file, _, heading = target.partition("#")
        found = page.parent / file if file else page
        assert found.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.+)$", found.read_text("utf-8"), re.MULTILINE)
            assert heading in map(anchor, headings), target


def test_every_page_is_reached_from_the_readme_and_the_front_page() -> None:
    reached, waiting = {README, DOCS / "index.md", EXAMPLES / "README.md"}, [README]
    while waiting:
        page = waiting.pop()
        targets = {(page.parent / link).resolve() for link in re.findall(r"\]\(([^)\s#]+)", page.read_text("utf-8"))}
        waiting += (new := targets & {*PAGES} - reached)
        reached |= new
    assert [page for page in PAGES if page not in reached] == []
