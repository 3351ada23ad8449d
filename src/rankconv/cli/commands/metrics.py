"""`rankconv metrics`: which metrics there are."""

from rankconv.cli import files
from rankconv.cli.options import Form, Format, Plugins
from rankconv.cli.printing import print_table
from rankconv.plugins import command_after


@command_after("presets")
def metrics(form: Form = Format.table, plugin: Plugins = []) -> None:  # noqa: B006
    """Which metrics are there?"""
    from rankconv.ask.show.preset_pages import metrics_table

    files.load(plugin)
    print_table(metrics_table(), form)
