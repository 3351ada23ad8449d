"""The command line as a whole: its group of commands, each of them built when it is called, and those of plugins."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import rankconv.cli.commands  # noqa: F401 - registers them
from rankconv.basics.errors import InputError, MetricError, RankconvError, nearest
from rankconv.basics.guessed_names import OF_COMMANDS
from rankconv.basics.plugins import COMMANDS, load_installed
from rankconv.cli import options as o
from rankconv.cli.command_table import TABLE, Panel, check_names, load_plugins
from rankconv.cli.data_options import with_data_options
from rankconv.cli.printing import say

if TYPE_CHECKING:
    from rankconv.cli.help_as_data import CommandHelp, ProgramHelp

SEVERAL = {"--preset": "For several presets: rankconv compare.", "--metric": "Ask for one metric here."}
"""The way to give several, for options that take one value."""
_PLUGINS = "Plugins"
_HELP = ("-h", "--help")


class Command(TyperCommand):
    """A command that refuses a second value where it takes one; its help is in panels."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Raise a MetricError for an option that is given twice; a flag may be repeated."""
        if _wants_data(args):
            from rankconv.cli.help_as_data import print_data

            print_data(_help_of(ctx.info_name or "", self))
        *_, order = self.make_parser(ctx).parse_args(list(args))
        given: list[Any] = [one for one in order if one.param_type_name == "option"]
        for option, times in Counter(given).items():
            if times > 1 and not option.multiple and not (option.is_flag and not option.secondary_opts):
                name = max(option.opts, key=len)
                raise MetricError(f"{name} takes one value, and {times} were given", do=SEVERAL.get(name, ""))
        return super().parse_args(ctx, args)

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        """Print the help in panels."""
        _print_help(self, ctx)


class Commands(TyperGroup):
    """All commands by panel, then those of plugins; importing the folder `commands` puts them into the table."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Print the help of all commands as JSON where that is wanted."""
        if _wants_data(args) and {*args} <= {*_HELP, "--format", "json", "--format=json"}:
            from rankconv.cli.help_as_data import print_data

            print_data(program_help())
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Return the names of all commands; a package that cannot be loaded is said, and the others are listed."""
        try:
            load_installed()
            check_names()
        except RankconvError as error:
            say(f"rankconv: {error}")
        panels = [*Panel]
        own = sorted(TABLE, key=lambda name: panels.index(TABLE[name].panel))
        return [*own, *(name for name in COMMANDS if name not in TABLE)]

    def get_command(self, ctx: typer.Context, name: str) -> Any:  # type: ignore[override]
        """Return a command, which is built now; None for an unknown one."""
        return _built(name, _function(name)) if name in TABLE or name in COMMANDS else None

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        """Return the command that is called; plugins are looked at for one that rankconv does not have."""
        name = args[0]
        if name not in TABLE and name not in COMMANDS and not name.startswith("-"):
            load_plugins([*_plugins_in(args[1:])])
            load_installed()
            check_names()
            if name not in COMMANDS and not ctx.resilient_parsing:
                raise _unknown(name)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        """Print the list of commands in panels, without building them."""
        names = self.list_commands(ctx)
        lines: dict[str, Any] = {name: self._line(name) for name in names}
        _print_help(TyperGroup(name=self.name, commands=lines, params=self.params, help=self.help), ctx)

    def _line(self, name: str) -> TyperCommand:
        if name not in TABLE:
            about = (inspect.getdoc(COMMANDS[name]) or "").partition("\n")[0]
            return TyperCommand(name, help=about, rich_help_panel=_PLUGINS)
        entry = TABLE[name]
        return TyperCommand(name, help=entry.help, rich_help_panel=entry.panel)


def _function(name: str) -> Callable[..., None]:
    """Return the function of a command, with all options."""
    if name in TABLE:
        return with_data_options(TABLE[name].function, TABLE[name].data_options)
    return _taking_plugins(COMMANDS[name])


def _wants_data(words: Sequence[str]) -> bool:
    """Return whether these words call for help as JSON."""
    forms = [word.partition("=")[2] for word in words if word.startswith("--format=")]
    forms += [after for word, after in pairwise(words) if word == "--format"]
    return any(word in _HELP for word in words) and forms[-1:] == ["json"]


def program_help() -> "ProgramHelp":
    """Return all commands with what they take, as data."""
    from rankconv.cli.help_as_data import of_program

    group: Any = typer.main.get_command(app)
    context = typer.Context(group)
    return of_program(_help_of(name, group.get_command(context, name)) for name in group.list_commands(context))


def _help_of(name: str, command: Any) -> "CommandHelp":
    """Return what a command takes, as data."""
    from rankconv.cli.help_as_data import of_command

    entry = TABLE.get(name)
    panel, summary = (entry.panel, entry.help) if entry else (_PLUGINS, (command.help or "").partition("\n")[0])
    return of_command(name, command, _function(name), panel, summary)


def _print_help(command: Any, ctx: typer.Context) -> None:
    """Print help in panels; usage errors stay plain lines, as the mode of typer itself is off."""
    from typer import rich_utils

    option = command.get_help_option(ctx)
    if isinstance(command, Command) and option is not None:
        option.rich_help_panel = o.ADVANCED
    rich_utils.rich_format_help(obj=command, ctx=ctx, markup_mode="rich")


def _unknown(name: str) -> RankconvError:
    """Return the error of a name that is not a command."""
    meant = OF_COMMANDS.get(name.casefold(), "")
    like = "" if meant else nearest(name, [*TABLE, *COMMANDS])
    do = f"Write: rankconv {meant}" if meant else "See all of them: rankconv --help"
    return InputError(f"'{name}' is not a command", nearest=like, do=do)


def _plugins_in(words: Sequence[str]) -> Iterator[Path]:
    """Yield the files that `--plugin` names after a command."""
    for place, word in enumerate(words):
        option, sign, value = word.partition("=")
        if option == "--plugin" and (sign or place + 1 < len(words)):
            yield Path(value if sign else words[place + 1])


def _built(name: str, function: Callable[..., None]) -> Any:
    """Build a command: options in one order, each help with its default."""
    made = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    made.command(name, cls=Command, rich_help_panel=None)(function)
    command: Any = typer.main.get_command(made)
    command.help = _unfolded(command.help or "")
    command.params.sort(key=_position)
    for param in command.params:
        param.metavar = "" if getattr(param, "is_flag", False) else param.metavar
        if _position(param) in range(1, len(o.ORDER) + 1) and _default(param):
            param.help = f"{param.help} ({_default(param)})"
    return command


def _unfolded(text: str) -> str:
    """Return a docstring with each paragraph on one line, which a terminal breaks anew; lists stay as they are."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    lists = ("\n ", "\n- ", "\n* ", "\b")
    return "\n\n".join(one if any(sign in one for sign in lists) else one.replace("\n", " ") for one in paragraphs)


def _position(param: Any) -> int:
    """Return the place of an option in help; 0 of an argument."""
    name = max(param.opts, key=len)
    if param.param_type_name == "argument":
        return 0
    return 1 + o.ORDER.index(name) if name in o.ORDER else len(o.ORDER) + 1


def _default(option: Any) -> str:
    """Return the text of a default; nothing for flags and for options without one."""
    default = option.default
    if default is None or isinstance(default, bool):
        return ""
    return ", ".join(map(str, default)) if isinstance(default, (list, tuple)) else str(default)


def _taking_plugins(function: Callable[..., None]) -> Callable[..., None]:
    """Return the command of a plugin with the option --plugin, as those of rankconv have it."""
    signature = inspect.signature(function, eval_str=True)
    if "plugin" in signature.parameters:
        return function

    @wraps(function)
    def run(plugin: list[Path], **given: Any) -> None:
        function(**given)

    option = inspect.Parameter("plugin", inspect.Parameter.KEYWORD_ONLY, default=[], annotation=o.PluginsOption)
    vars(run)["__signature__"] = signature.replace(parameters=[*signature.parameters.values(), option])
    return run


app = typer.Typer(
    cls=Commands,
    help="Ranking metrics whose definitions are data.",
    no_args_is_help=True,
    context_settings={"help_option_names": [*_HELP]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"rankconv {version('rankconv')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Version of rankconv")
    ] = False,
    plugin: Annotated[
        list[Path],
        typer.Option(
            "--plugin", callback=load_plugins, is_eager=True, metavar="FILE", help="Python file with commands"
        ),
    ] = [],
) -> None:
    """Ranking metrics whose definitions are data."""
