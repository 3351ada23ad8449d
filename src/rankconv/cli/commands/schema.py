"""`rankconv schema`: the JSON Schema of preset files, of protocols, or of published numbers."""

from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.options import Plugins
from rankconv.cli.printing import print_json
from rankconv.plugins import command_after


@command_after("choices")
def schema(
    published: Annotated[bool, typer.Option("--published", help="Of files of published numbers.")] = False,
    protocols: Annotated[bool, typer.Option("--protocols", help="Of files of protocols.")] = False,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """The JSON Schema of preset files, for editors; or that of files of protocols, or of published numbers."""
    from rankconv.ask.reproduce.schema import published_schema
    from rankconv.presets.schema import preset_schema
    from rankconv.protocols.schema import protocol_schema

    files.load(plugin)
    print_json(published_schema() if published else protocol_schema() if protocols else preset_schema())
