"""A page for each protocol: what it is, what parts it from the others, its commands; and one of all its conventions."""

from collections.abc import Iterator

from places import Places
from writer import anchor, heading, html, shown, site_page

from rankconv.pages.page import Code, Line, Rule
from rankconv.pages.table import Table
from rankconv.protocols.draws import PROTOCOL
from rankconv.protocols.pages import protocol_page
from rankconv.protocols.presets import list_protocols, protocol
from rankconv.protocols.split import Protocol

CONVENTIONS_PAGE = "conventions"
"""The page of all conventions; no protocol is called so."""


def protocol_text(name: str, places: Places) -> str:
    """The page of one protocol."""
    found = protocol(name)
    blocks = [shown(protocol_page(found), places, 1)]
    blocks += [heading("Differences from the others"), html([_differences(found)], places)]
    blocks += [heading("See for yourself"), html([Code("\n".join(_commands(found)), "sh")], places)]
    return site_page(name, *blocks, about=found.title)


def _differences(found: Protocol) -> Table:
    """Every convention in which another protocol differs, with all their settings."""
    others = [protocol(name) for name in list_protocols() if name != found.name]
    differing = dict.fromkeys(convention_name for other in others for convention_name in found.diff(other))
    rows = [
        [convention_name, *(one.settings.stated[convention_name] for one in (found, *others))]
        for convention_name in differing
    ]
    return Table(["convention", *(one.name for one in (found, *others))], rows, labels=len(others) + 2)


def _commands(found: Protocol) -> Iterator[str]:
    yield f"rankconv show protocol:{found.name}"
    yield f"rankconv split ratings.csv --protocol {found.name} --seed 7 -o folder/"
    metric = found.metric or "ndcg@10"
    yield f"rankconv learning-curve ratings.csv --protocol {found.name} -r popularity -m '{metric}' --plot curve.svg"


def conventions_text(places: Places) -> str:
    """Every convention of protocols, each setting with its rule and the protocols that give it."""
    blocks = []
    for name, convention in PROTOCOL.items():
        rules = [
            Rule(setting_type.parameters.shown(setting_type.name), setting_type.rule)
            for setting_type in convention.setting_types.values()
        ]
        given: dict[str, list[str]] = {}
        for owner in list_protocols():
            given.setdefault(protocol(owner).settings.stated[name], []).append(owner)
        entries = [Line(f"{setting}: {', '.join(names)}") for setting, names in sorted(given.items())]
        blocks += [heading(name, 2, anchor(name)), html([Line(convention.description), *rules, *entries], places)]
    return site_page("Conventions of protocols", *blocks, about="What is decided before any list is scored")
