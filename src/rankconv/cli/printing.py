"""The output of commands: a result in one of the forms, messages, and a clock while a command works."""

import json
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

import typer

from rankconv.basics.escaping import printable
from rankconv.basics.progress import AFTER
from rankconv.rendering.pages.display import PAGES, Tabular, terminal_width, text
from rankconv.rendering.pages.page import Page

if TYPE_CHECKING:
    from rankconv.rendering.pages.table import Table

STOPPED = 128 + signal.SIGINT
"""The exit code after Ctrl-C."""
WRITERS: dict[str, Callable[..., str]] = {
    "csv": lambda result, **shown: result.to_csv(**shown),
    "markdown": lambda result, **shown: result.to_markdown(**shown),
    "latex": lambda result, **shown: result.to_latex(**shown),
    "html": lambda result, **shown: result.to_html(),
    "bibtex": lambda result: result.to_bibtex(),
    "junit": lambda result: result.to_junit(),
    "github": lambda result: result.to_github(),
}
"""The text of a result, or of a table, by its form."""


def print_result(result: Any, form: str, digits: int | None = None, *, plot: Path | None = None, **shown: Any) -> None:
    """Print a result, and draw it into `plot`: as text folded to the terminal, JSON, CSV, or another form of its own.

    `digits` is None for a result that chooses its decimals; `shown` is what else the text of the result takes.
    """
    decimals = {} if digits is None else {"digits": digits}
    if form == "json":
        print_json(result.to_dict())
    elif form == "text":
        print_lines([result.to_text(terminal_width(), **decimals, **shown)])
    elif isinstance(result, Tabular) and form == "markdown":
        print_table(result.table(**decimals), form)
    else:
        _print_whole(WRITERS[form](result, **(decimals if isinstance(result, Tabular) else shown)))
    if plot is not None:
        result.plot(plot, **decimals)


def print_table(table: "Table", form: str) -> None:
    """Print a table, folded to the width of the terminal, or as a row per line; as JSON a list of its rows."""
    if form == "text":
        print_page(Page([[table]]))
    elif form == "json":
        print_json([dict(zip(table.headers, row, strict=True)) for row in table.rows])
    else:
        _print_whole(WRITERS[form](table))


def _print_whole(text: str) -> None:
    print(text, end="" if text.endswith("\n") or not text else "\n")


def say(message: str) -> None:
    """Print a message on stderr, folded at a terminal; unfolded where no memory is left."""
    lines = message.split("\n")
    with suppress(MemoryError):
        lines = _folded(lines) if sys.stderr.isatty() else lines
    print("\n".join(lines), file=sys.stderr)


def end_if_interrupted(interrupted: bool) -> None:
    """End as after Ctrl-C, where the result that was printed is what was found until then."""
    if interrupted:
        say("rankconv: stopped")
        raise typer.Exit(STOPPED)


def _folded(lines: list[str]) -> list[str]:
    from rankconv.rendering.pages.wrapping import prose

    return [prose(line, terminal_width()) for line in lines]


def print_json(data: Any) -> None:
    """Print plain data as JSON."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    print("".join(sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text))


def print_page(page: Page) -> None:
    """Print a page, folded to the width of the terminal, or as lines that are not folded."""
    print_lines([text(page, terminal_width())])


def print_signatures(signatures: Collection[str] | int, form: str, *, whole: bool) -> None:
    """Print signatures below a table: in short unless `whole`, and in Markdown and LaTeX as for a paper."""
    from rankconv.evaluation.results.circumstances import paper_page, signatures_page

    print()
    if form == "text":
        print_page(signatures_page(signatures, whole=whole))
    else:
        print(PAGES[form](paper_page(signatures)))


def print_lines(lines: Iterable[str]) -> None:
    """Print each line; line breaks and tabs in it stay."""
    for line in lines:
        print("\n".join("\t".join(map(printable, part.split("\t"))) for part in line.split("\n")))


@contextmanager
def clock(work: str, shown: bool | None) -> Iterator[None]:
    """Show on stderr for how long a command has worked: after two seconds at a terminal, at once with --progress."""
    stream = sys.stderr
    if shown is False or stream is None or not (shown or stream.isatty()):
        yield
        return
    began, drawn = time.monotonic(), []

    def draw() -> None:
        from rich.console import Console
        from rich.progress import Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn(work), TimeElapsedColumn())
        console = Console(stderr=True)
        drawn.append(progress := Progress(*columns, console=console, transient=stream.isatty()))
        progress.add_task(work, total=None)
        progress.tasks[0].start_time = began
        progress.start()

    timer = Timer(0.0 if shown else AFTER, draw)
    timer.start()
    try:
        if shown:
            timer.join()
        yield
    finally:
        timer.cancel()
        timer.join()
        for progress in drawn:
            progress.stop()
