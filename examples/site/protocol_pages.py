"""A page for each protocol: what it is, what parts it from the others, its commands; and one of all its questions."""

from collections.abc import Iterator

from places import Places
from writer import anchor, heading, html, shown, site_page

from rankconv.ask.show.protocol_pages import protocol_page
from rankconv.pages.page import Code, Line, Rule
from rankconv.pages.table import Table
from rankconv.protocols.presets import protocol, list_protocols
from rankconv.protocols.registry import PROTOCOL
from rankconv.protocols.split import Protocol

QUESTIONS = "questions"
"""The page of all questions; no protocol is called so."""


def protocol_text(name: str, places: Places) -> str:
    """The page of one protocol."""
    found = protocol(name)
    blocks = [shown(protocol_page(found), places, 1)]
    blocks += [heading("Beside the others"), html([_apart(found)], places)]
    blocks += [heading("See for yourself"), html([Code("\n".join(_commands(found)), "sh")], places)]
    return site_page(name, *blocks, about=found.title)


def _apart(found: Protocol) -> Table:
    """Every question that another protocol answers otherwise, with all their answers."""
    others = [protocol(name) for name in list_protocols() if name != found.name]
    asked = dict.fromkeys(question for other in others for question in found.diff(other))
    rows = [[question, *(one.answers.stated[question] for one in (found, *others))] for question in asked]
    return Table(["question", *(one.name for one in (found, *others))], rows, labels=len(others) + 2)


def _commands(found: Protocol) -> Iterator[str]:
    yield f"rankconv show protocol:{found.name}"
    yield f"rankconv split ratings.csv --protocol {found.name} --seed 7 --to folder/"
    metric = found.metric or "ndcg@10"
    yield f"rankconv learning-curve ratings.csv --protocol {found.name} -r popularity -m '{metric}' --plot curve.svg"


def questions_text(places: Places) -> str:
    """Every question of protocols, each answer with its rule and the protocols that give it."""
    blocks = []
    for name, choice in PROTOCOL.items():
        rules = [Rule(option.parameters.shown(option.name), option.rule) for option in choice.options.values()]
        given: dict[str, list[str]] = {}
        for owner in list_protocols():
            given.setdefault(protocol(owner).answers.stated[name], []).append(owner)
        told = [Line(f"{answer}: {', '.join(names)}") for answer, names in sorted(given.items())]
        blocks += [heading(name, 2, anchor(name)), html([Line(choice.question), *rules, *told], places)]
    return site_page("Questions of protocols", *blocks, about="What is decided before any list is scored")
