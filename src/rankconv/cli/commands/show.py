"""`rankconv show`: what a preset says, or what a question asks."""

from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs
from rankconv.cli.commands.choices import choices
from rankconv.cli.options import Cutoffs, Metrics, Plugins
from rankconv.cli.printing import print_page
from rankconv.errors import not_among
from rankconv.plugins import command_after

PROTOCOL = "protocol:"
"""What stands before the name of a protocol, as some have the name of a preset of metrics."""


@command_after("reproduce")
def show(
    name: Annotated[
        str,
        typer.Argument(help="A preset: its name or its YAML file; a question, such as known; or protocol:NAME."),
    ],
    against: Annotated[
        str | None, typer.Option(help="Show only the answers in which it differs from this preset.")
    ] = None,
    metric: Metrics = [],  # noqa: B006
    k: Cutoffs = "",
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What does a preset say? With -m: every answer behind one metric. With --against: only the differences."""
    from rankconv.ask.show import preset_pages
    from rankconv.presets import definition as _registering
    from rankconv.presets.defining import define
    from rankconv.presets.folders import is_path
    from rankconv.presets.heads import likely_presets
    from rankconv.presets.registry import ALL_PRESETS, neutral_answers, preset, list_presets
    from rankconv.questions.choice import QUESTIONS

    assert _registering
    files.load(plugin)
    if name.startswith(PROTOCOL):
        _protocol(name.removeprefix(PROTOCOL), against)
        return
    if not is_path(name) and name not in list_presets():
        if name not in QUESTIONS:
            raise not_among("preset or question", name, likely_presets(name, QUESTIONS), ALL_PRESETS)
        choices(name)
        return
    owner, metric = preset(name), at_cutoffs(metric, k)
    if against:
        keys = [definition.key for definition in define(metric, owner).values()] if metric else []
        print_page(preset_pages.difference_page(owner, preset(against), keys))
        return
    for definition in define(metric, owner).values() if metric else ():
        print_page(preset_pages.definition_page(definition, definition.fingerprint_over(neutral_answers())))
    if not metric:
        print_page(owner.page())


def _protocol(name: str, against: str | None) -> None:
    """What a protocol says, or only where it differs from another one."""
    from rankconv.ask.show.protocol_pages import protocol_difference, protocol_page
    from rankconv.protocols.presets import protocol

    other = None if against is None else protocol(against.removeprefix(PROTOCOL))
    print_page(protocol_page(protocol(name)) if other is None else protocol_difference(protocol(name), other))
