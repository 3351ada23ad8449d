"""`rankconv why`: the difference between two definitions' numbers, divided over their answers."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.options import Catalogue, Columns, Form, Format, Plugins, Seen
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.errors import InputError
from rankconv.report.terminal import terminal_width


def why(
    asked: Annotated[
        list[str],
        typer.Argument(
            metavar="[LABELS RUN] A B",
            help="Labels and a run, then two presets, or specs such as 'mllib:ndcg(ties=averaged)@10'.",
        ),
    ],
    metric: Annotated[str | None, typer.Option("-m", "--metric", help="One metric, such as ndcg@10.")] = None,
    form: Form = Format.table,
    digits: Annotated[int | None, typer.Option(min=0, max=17, help="Decimals; enough for the difference.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the waterfall into this SVG or PNG file.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Where orders are drawn: another one draws others.")] = 0,
    seen: Seen = None,
    catalogue: Catalogue = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Why do two definitions give different numbers? Without files: on the five users of Bellei 2017."""
    import rankconv as rc

    files.load(plugin)
    *given, ours, other = _checked(asked)
    labels, run = (Path(given[0]), Path(given[1])) if given else (None, None)
    known, ranked = files.one_run(labels, run, column)
    needed: dict[str, Any] = {"seen": files.path(seen), "catalogue": catalogue}
    found = rc.why(known, ranked, metric, ours, other, **needed, seed=seed)
    if plot is not None:
        found.plot(plot, digits)
    repeated = [*given, *(f"--column={name}" for name in column), *(f"--plugin={file}" for file in plugin)]
    repeated += [f"--{option}={value}" for option, value in needed.items() if value is not None]
    _print(found, form, digits, shlex.join(repeated))


def _checked(asked: list[str]) -> list[str]:
    if len(asked) not in (2, 4):
        do = "Write: rankconv why LABELS RUN -m ndcg@10 mllib trec_eval, or two presets alone for the five users."
        raise InputError(f"{len(asked)} arguments were given, and why takes labels, a run and two presets", do=do)
    return asked


def _print(found: Any, form: Format, digits: int | None, repeated: str) -> None:
    from rankconv.report.attribution_table import attribution_table

    if form is Format.json:
        print_json(found.to_dict())
    elif form is Format.table:
        print_lines([found.text(terminal_width(), digits, repeated)])
    else:
        print_table(attribution_table(found, digits), form)
