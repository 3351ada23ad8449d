"""`rankconv --help --format json`: all commands with their arguments and options as data, for programs and agents."""

import inspect
from collections.abc import Callable, Iterable
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic import BaseModel, Field

ParameterType = Literal["text", "integer", "number", "flag", "path", "choice"]
_TYPES: dict[type, ParameterType] = {str: "text", int: "integer", float: "number", bool: "flag", Path: "path"}


class ParameterHelp(BaseModel):
    """An argument or an option of a command."""

    names: list[str] = Field(description="all spellings of an option; of an argument its name")
    help: str
    type: ParameterType
    choices: list[str] = Field(default=[], description="the values of a choice")
    required: bool = False
    several: bool = Field(default=False, description="whether it may be given several times")
    default: str | int | float | bool | list[str] | None = None


class CommandHelp(BaseModel):
    """A command."""

    name: str
    panel: str = Field(description="the heading under which the help lists it")
    summary: str
    description: str
    arguments: list[ParameterHelp]
    options: list[ParameterHelp]


class ProgramHelp(BaseModel):
    """All commands of rankconv, as `rankconv --help --format json` prints them."""

    program: Literal["rankconv"] = "rankconv"
    version: str
    commands: list[CommandHelp]


def of_command(name: str, command: Any, function: Callable[..., None], panel: str, summary: str) -> CommandHelp:
    """Return what a command takes, whose function has the types; hidden parameters aside."""
    annotations = {one.name: one.annotation for one in inspect.signature(function, eval_str=True).parameters.values()}
    shown = [one for one in command.params if one.name in annotations and not getattr(one, "hidden", False)]
    found = [(one.param_type_name, _parameter(one, annotations[one.name])) for one in shown]
    return CommandHelp(
        name=name,
        panel=panel,
        summary=summary,
        description=inspect.cleandoc(command.help or ""),
        arguments=[one for kind, one in found if kind == "argument"],
        options=[one for kind, one in found if kind == "option"],
    )


def _parameter(param: Any, annotation: Any) -> ParameterHelp:
    kind, several = _bare(annotation)
    choices = [str(one.value) for one in kind] if issubclass(kind, Enum) else []
    default = param.default
    if isinstance(default, list | tuple):
        default = [str(_plain(one)) for one in default] or None
    return ParameterHelp(
        names=[*param.opts, *param.secondary_opts] if param.param_type_name == "option" else [param.name],
        help=param.help or "",
        type="choice" if choices else _TYPES[kind],
        choices=choices,
        required=bool(param.required),
        several=several,
        default=_plain(default),
    )


def _bare(annotation: Any) -> tuple[type, bool]:
    """The type of one value, and whether there may be several."""
    several = False
    while get_origin(annotation) is not None:
        several = several or get_origin(annotation) is list
        kinds = get_args(annotation)[:1] if get_origin(annotation) is Annotated else get_args(annotation)
        [annotation] = [one for one in kinds if one is not NoneType]
    return annotation, several


def _plain(value: Any) -> Any:
    """A default as JSON has it."""
    value = value.value if isinstance(value, Enum) else value
    return str(value) if isinstance(value, Path) else value


def of_program(commands: Iterable[CommandHelp]) -> ProgramHelp:
    """Return all commands, with the version of the package."""
    return ProgramHelp(version=version("rankconv"), commands=[*commands])


def print_data(found: BaseModel) -> None:
    """Print it as JSON, and end."""
    typer.echo(found.model_dump_json(indent=1))
    raise typer.Exit
