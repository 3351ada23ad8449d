"""Files that are written, pictures, and libraries that are missing."""

from importlib import import_module
from typing import Any

from tests.advice.case import Case, Follow

_GIVEN = """
import os

def evaluated(file=None, **how):
    result = rc.evaluate({'u': ['b']}, {'u': ['a', 'b']}, 'mrr')
    return result['mrr'] if file is None or result.save(file, **how) is None else 0.0

def plotted(file, metric='mrr', labels={'u': ['b']}, presets=('rankconv',), **how):
    compared = rc.compare(labels, {'u': ['a', 'b']}, metric, [*presets], **how)
    compared.plot(file)
    return compared[metric, presets[-1]]

def reported(file):
    rc.report({'u': ['b']}, {'u': ['a', 'b']}, 'mrr', 'rankconv').save(file)
    return float(Path(file).is_file())
"""
_FILES: dict[str, str | bytes] = {
    "labels.csv": "user,item\nu,b\n",
    "run.csv": "user,item,score\nu,a,2\nu,b,1\n",
    "taken.json": "{}",
    "taken.csv": "mine",
}
_EVALUATE = "rankconv evaluate labels.csv run.csv -m mrr"


def _case(cause: str, *follows: Follow, given: str = "") -> Case:
    return Case(cause, follows, given=_GIVEN + given, files=_FILES)


def _without(library: str) -> Any:
    """The import where a library is not installed."""

    def imported(name: str) -> Any:
        if name.partition(".")[0] == library:
            raise ImportError(f"No module named '{library}'", name=library)
        return import_module(name)

    return imported


def _missing(library: str, cause: str, says: str, outcome: float) -> Case:
    """Installed is what it was before the import was replaced."""
    return Case(
        cause,
        (Follow(says, "", outcome),),
        given=_GIVEN,
        files=_FILES,
        patched={"rankconv.basics.optional.import_module": _without(library)},
    )


CASES = (
    # where it is written
    _case(
        "evaluated('circle.json')",
        Follow("Choose another name", "evaluated('other.json')", 0.5),
        Follow("repair the link", "(Path('circle.json').unlink(), evaluated('circle.json'))[1]", 0.5),
        given="os.path.lexists('circle.json') or os.symlink('circle.json', 'circle.json')\n",
    ),
    _case("evaluated('.')", Follow("Name a file in it", "evaluated('./r.json')", 0.5)),
    _case(
        "evaluated('pipe')",
        Follow("Choose another name", "evaluated('other.json')", 0.5),
        given="Path('pipe').exists() or os.mkfifo('pipe')\n",
    ),
    _case(
        "evaluated('taken.json')",
        Follow("Choose another name", "evaluated('other.json')", 0.5),
        Follow("force=True", "evaluated('taken.json', §)", 0.5),
    ),
    Case(
        f"{_EVALUATE} --per-user-file taken.csv",
        (
            Follow("Choose another name", f"{_EVALUATE} --per-user-file other.csv", 0.5),
            Follow("--force", f"{_EVALUATE} --per-user-file taken.csv §", 0.5),
        ),
        files=_FILES,
    ),
    Case(
        f"{_EVALUATE} --per-user-file users.txt",
        tuple(
            Follow(f"{sign}{ending}", f"{_EVALUATE} --per-user-file users{ending}", 0.5)
            for sign, ending in ((": ", ".csv"), (", ", ".parquet"), (", ", ".jsonl"))
        ),
        files=_FILES,
    ),
    _case("reported('report.txt')", Follow("It ends in .html", "reported('report.html')", 1.0)),
    # pictures
    _case(
        "plotted('values.gif')",
        *(Follow(f" {ending}", f"plotted('values{ending}')", 0.5) for ending in (".svg", ".png")),
    ),
    _case(
        "plotted('values.svg', 'coverage@1')",
        Follow(
            "Print the comparison: it says why",
            "float('needs catalogue' in str(rc.compare({'u': ['b']}, {'u': ['a', 'b']}, 'coverage@1', ['rankconv'])))",
            1.0,
        ),
    ),
    # libraries
    _missing("matplotlib", "plotted('values.png')", "pip install 'rankconv[plots]'", 0.5),
    _missing("polars", "ev('labels.csv', 'run.csv')", "pip install 'rankconv[files]'", 0.5),
)
