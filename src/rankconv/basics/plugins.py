"""Code that adds to rankconv: a user's file, named on purpose, or an installed package; the commands they add."""

import importlib.util
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from rankconv.basics.errors import ConventionError, InputError, RankconvError
from rankconv.basics.escaping import printable

ENTRY_POINTS = "rankconv.plugins"
Function = TypeVar("Function", bound=Callable[..., None])
COMMANDS: dict[str, Callable[..., None]] = {}
"""The commands that plugins add to the command line, by name."""
_FILES: dict[str, Path] = {}
"""The file of each module that was loaded from a plugin file."""
_CHECKSUMS: dict[str, str] = {}
"""The SHA-256 of the text of each of these, as it was loaded."""


def load_plugin(path: str | Path) -> None:
    """Run a Python file that registers metrics, settings, steps, policies, formats or commands.

    No preset and no data file can make it run. What is pickled with such a metric or setting loads the same file where
    it is unpickled, as in a worker process.

    Parameters
    ----------
    path : path
        The file.

    Raises
    ------
    InputError
        If the file does not exist or raises an error, with its line.
    ConventionError
        If it registers a name that exists.
    """
    if not isinstance(path, (str, Path)):
        raise InputError(f"{path!r:.100} is not a plugin", do="Pass the path of a Python file.")
    file = Path(path)
    if not file.is_file():
        raise InputError(f"there is no plugin file {file}")
    load_copy(file, file)


def load_copy(file: Path, known_as: Path) -> ModuleType:
    """Run a copy of a plugin file that another machine has, so that what was pickled there finds it."""
    from hashlib import sha256

    name = _module_name(known_as)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file", do="A plugin ends in .py.")
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name], _FILES[name] = module, known_as.resolve()
    _CHECKSUMS[name] = sha256(file.read_bytes()).hexdigest()
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as problem:
        sys.modules.pop(name)
        sys.modules |= {} if before is None else {name: before}
        raise _failed(problem, file) from None
    return module


def _module_name(file: Path) -> str:
    """Two files of one name in two folders are two plugins; one file is the same plugin in every process."""
    from hashlib import sha256

    stem = re.sub(r"\W", "_", file.stem)
    return f"rankconv_plugin_{stem}_{sha256(str(file.resolve()).encode()).hexdigest()[:8]}"


def _failed(problem: BaseException, file: Path) -> RankconvError:
    """What a plugin raised, as one message with the last line of the file that was reached."""
    from traceback import extract_tb

    whole, frames = file.resolve(), extract_tb(problem.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == whole]
    if isinstance(problem, SyntaxError) and Path(problem.filename or "").resolve() == whole:
        lines.append(problem.lineno)
    place = f"{file}, line {lines[-1]}" if lines else str(file)
    if isinstance(problem, RankconvError):
        return problem.at(place)
    said = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    return InputError(f"the plugin cannot be loaded: {type(problem).__name__}: {said}".rstrip(": "), where=place)


def raised_in_plugin(problem: Exception) -> str:
    """Three lines on what a plugin raised while it was used: its file and line, the code, what to do; "" for others."""
    from traceback import extract_tb

    files = {str(path): path for path in _FILES.values()}
    frames = [one for one in extract_tb(problem.__traceback__) if str(Path(one.filename).resolve()) in files]
    if not frames:
        return ""
    last, said = frames[-1], printable(f"{type(problem).__name__}: {problem}".rstrip(": "))
    place = f"the plugin {last.filename}, line {last.lineno}"
    do = "Repair the plugin. From Python, after rc.load_plugin, the whole way to that line is shown."
    return f"{place}, raised {said}\n  {last.name}: {printable(last.line or '')}\n{do}"


@cache
def load_installed() -> None:
    """Import what installed packages offer under the entry point `rankconv.plugins`; an InputError where one fails."""
    from importlib.metadata import entry_points
    from traceback import extract_tb

    for point in entry_points(group=ENTRY_POINTS):
        try:
            point.load()
        except (Exception, SystemExit) as problem:
            package = point.dist.name if point.dist else point.value
            frames = extract_tb(problem.__traceback__)
            place = f"the plugin '{point.name}' of the installed package {package}, {frames[-1].filename}"
            said = f"it cannot be loaded: {type(problem).__name__}: {problem}"
            where = f"{place}, line {frames[-1].lineno}"
            raise InputError(said, where=where, do=f"Repair {package}, or uninstall it.") from None


def command(function: Function) -> Function:
    """Register a command of the command line: decorator of a function.

    The parameters of the function are arguments and options as typer reads them from annotations; its docstring is the
    help. `rankconv --plugin FILE NAME …` runs it; commands of installed packages need no `--plugin`. A RankconvError
    that it raises is printed as one message, with exit code 2.

    Parameters
    ----------
    function : callable
        The command; its name, with hyphens, is the name of the command.

    Returns
    -------
    callable
        The same function.

    Raises
    ------
    ConventionError
        If there is a command of that name.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> @plugin.command
    ... def count_users(labels: str) -> None:
    ...     "Count the users with labels"
    ...     print(len(rc.Labels(labels).users))
    >>> "count-users" in COMMANDS
    True
    """
    name = function.__name__.replace("_", "-")
    known = COMMANDS.get(name)
    if known is not None and known.__module__ != function.__module__:
        do = "Give this command another name."
        raise ConventionError(f"the command '{name}' is already in {place_of(known.__module__)}", do=do)
    COMMANDS[name] = function
    return function


def is_loaded(path: str | Path) -> bool:
    """Whether this plugin file was loaded in this process."""
    return _module_name(Path(path)) in sys.modules


def file_of(module: str) -> str:
    """The plugin file that a module was loaded from; nothing for any other module."""
    return str(_FILES.get(module, ""))


def checksum_of(module: str) -> str:
    """The SHA-256 of the plugin file that a module was loaded from, as it was then; nothing for any other module."""
    return _CHECKSUMS.get(module, "")


def place_of(module: str) -> str:
    """Where users find the code of a module: the plugin file, or the module's name."""
    return file_of(module) or module


def provide(module: str, file: str) -> None:
    """Load what another process had loaded when it pickled an object that needs it."""
    if module in sys.modules:
        return
    if file and not Path(file).is_file():
        do = "Copy it there, or send the numbers alone."
        raise InputError(f"this object needs the plugin {file}, which is not there in this process", do=do)
    try:
        load_plugin(file) if file else import_module(module)
    except RankconvError:
        raise
    except ImportError as problem:
        do = "Import it there first, or keep the code in a plugin file."
        raise InputError(f"this object needs the module {module}: {problem}", do=do) from None
