"""The names that messages and pages state, and all names that there are.

A text names a parameter or a setting as `name=`, a function as `name(`, an option as `--name`, an attribute as
`Class.name`, a convention with hyphens, and anything at all between backticks.
"""

import ast
import builtins
import inspect
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import rankconv as rc
import rankconv.addons.protocols.presets
import rankconv.presets.systems
from rankconv.addons.agreement.agreement_measures import MEASURES as AGREEMENT_MEASURES
from rankconv.addons.agreement.label_pairs import AGREEMENT
from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.addons.similarity.similarity_measures import MEASURES, SIMILARITY
from rankconv.cli.command_table import TABLE
from rankconv.conventions.convention import CONVENTIONS, TABLES, Convention
from rankconv.evaluation.statistics.prediction_powered import NAME, POWERED
from rankconv.metrics import METRICS
from rankconv.presets.factories import factories
from tests.readme import PAGES, ROOT, SCRIPTS

SOURCE = ROOT / "src/rankconv"
PRINTED = {*SCRIPTS, ROOT / "docs/reference/systems.md", ROOT / "docs/explanation/disputes.md"}
"""Pages that a script writes from what it runs."""
TEXTS = [page for page in [*PAGES, ROOT / "CHANGELOG.md", *sorted(ROOT.glob(".github/*.md"))] if page not in PRINTED]
NOTEBOOKS = sorted(ROOT.glob("docs/tutorial/*.ipynb"))
PRESETS = [file for file in sorted(ROOT.glob("conventions/**/*.yaml")) if file.name != "bibliography.yaml"]
BLOCK = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
"""A block of code on a page: other tests run it."""
HOLE = "\x00"
"""What stands for a part of a message that is put in."""


@dataclass(frozen=True)
class Mention:
    """A name in a text, and what the text says that it is."""

    kind: str
    name: str

    def __str__(self) -> str:
        return {"argument": f"{self.name}=", "call": f"{self.name}(…)"}.get(self.kind, self.name)


def mentions(text: str) -> Iterator[Mention]:
    """The names in a text of ours."""
    for quoted in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text):
        yield from (Mention("word", word) for word in re.findall(r"(?<![\w/…-])[A-Za-z_][\w-]*\b", quoted))
    for name in re.findall(r"(?<![\w.`\\/-])([A-Za-z_][\w-]*)\((?=[^)\s])", text):
        yield Mention("call", name)
    for name, setting in re.findall(r"(?<![\w\x00<{.-])([a-z_][\w-]*)=(?![=>\s\"'])([a-z][\w-]*|)", text):
        yield Mention("argument", name)
        if setting:
            yield Mention("setting", f"{name}={setting}")
    yield from (Mention("option", name) for name in re.findall(r"(?<![\w-])--[a-z][a-z-]*(?![\w-])", text))
    for owner, name in re.findall(r"(?<![\w./])([A-Z]\w+|rc)\.([a-z_]\w*)", text):
        yield Mention("attribute", f"{owner}.{name}")
    for listed in re.findall(r"may say ((?:[\w-]+, )*[\w-]+ or [\w-]+)", text):
        yield from (Mention("value", name) for name in re.split(r", | or ", listed))


def hyphenated(text: str) -> Iterator[Mention]:
    """Words with hyphens: names of conventions, or English."""
    words = re.findall(r"(?<![\w/.\x00@-])([a-z]+(?:-[a-z]+)+)(?![\w/-]|\.\w|\x00)", text)
    return (Mention("hyphenated", word) for word in words)


# what there is


@cache
def public() -> list[tuple[str, Any]]:
    """The public objects with their names, of every public module."""
    files = [
        "ir",
        "plugin",
        "protocols",
        "spark",
        "typing",
        *(f"compat.{path.stem}" for path in SOURCE.glob("compat/[a-z]*.py")),
    ]
    modules: list[ModuleType] = [rc, *(import_module(f"rankconv.{file}") for file in files)]
    return [(name, getattr(one, name)) for one in modules for name in getattr(one, "__all__", ())] + [
        *factories().items()
    ]


@cache
def public_names() -> frozenset[str]:
    return frozenset(name for name, _ in public())


@cache
def parameters() -> frozenset[str]:
    """Names of parameters of public functions, of public classes, and of their methods."""
    found: set[str] = set()
    for _, one in public():
        methods = [getattr(one, name) for name in dir(one) if not name.startswith("_")] if inspect.isclass(one) else []
        for member in [one, *methods]:
            if callable(member):
                found |= {*_signature(member)}
    return frozenset(found)


def _signature(function: Any) -> list[str]:
    try:
        return [*inspect.signature(function).parameters]
    except ValueError:  # of the interpreter
        return []


@cache
def conventions() -> dict[str, list[Convention]]:
    """Every convention by name, those of protocols, similarities, agreement and intervals too."""
    named: dict[str, list[Convention]] = {}
    for table in (TABLES, SIMILARITY, AGREEMENT, POWERED, PROTOCOL, CONVENTIONS):
        for one in table.values():
            named.setdefault(one.name, []).append(one)
    return named


@cache
def settings() -> frozenset[str]:
    """The names of settings, of the parameters that they take, and of their traits."""
    types = [kind for named in conventions().values() for one in named for kind in one.setting_types.values()]
    own = [parameter.name for kind in types for parameter in kind.parameters.own]
    traits = [name for table in {type(kind.traits) for kind in types} for name in get_type_hints(table)]
    return frozenset([*(kind.name for kind in types), *own, *traits])


@cache
def options() -> frozenset[str]:
    """Options of the commands."""
    return frozenset(
        word for file in (SOURCE / "cli").rglob("*.py") for word in re.findall(r"--[a-z][a-z-]*", file.read_text())
    )


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """The nodes of the modules of the source."""
    files = sorted(SOURCE.rglob("*.py"))
    return {file: list(ast.walk(ast.parse(file.read_text("utf-8")))) for file in files}


@cache
def definitions() -> frozenset[str]:
    """Names of functions and classes."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(node.name for of_file in nodes().values() for node in of_file if isinstance(node, kinds))


@cache
def words() -> frozenset[str]:
    """Names in the code other than local variables: attributes, constants, and texts of one word, as a file's keys."""
    found = {*keyword.kwlist, *dir(builtins), "rc"}
    for file in tracked():
        found |= {*file.parts, file.stem, file.suffix.removeprefix(".")}
    for node in chain.from_iterable(nodes().values()):
        match node:
            case ast.arg(arg=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                found.add(name)
            case ast.Module(body=body) | ast.ClassDef(body=body):
                targets = [
                    name for one in body if isinstance(one, ast.Assign | ast.AnnAssign) for name in ast.walk(one)
                ]
                found |= {one.id for one in targets if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return frozenset(found)


def tracked() -> list[Path]:
    """Files of the checkout, by their paths in it."""
    folders = ("src", "conventions", "examples", "docs", "tests", ".ci", ".github")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*") if "__pycache__" not in file.parts]
    return [file.relative_to(ROOT) for file in [*files, *ROOT.glob("*.*")]]


def has(owner: str, name: str) -> bool:
    """Whether `rc`, or a public class, has this; another owner may be any object of any library."""
    if owner == "rc":
        return name in dir(rc) or (SOURCE / name).is_dir()
    classes = [one for known, one in public() if known == owner and inspect.isclass(one)]
    return not classes or any(name in [*dir(one), *getattr(one, "__annotations__", ())] for one in classes)


@cache
def exists(mention: Mention) -> bool:
    """Whether there is something of this name."""
    name = mention.name
    match mention.kind:
        case "argument":
            known = [parameters(), conventions(), settings(), metrics()]
            return any(one in names for one in (name, name.replace("_", "-")) for names in known)
        case "setting":
            convention, _, setting = name.partition("=")
            named = conventions().get(convention, ())
            return not named or keyword.iskeyword(setting) or any(setting in one.setting_types for one in named)
        case "call":
            known = [
                definitions(),
                public_names(),
                dir(builtins),
                conventions(),
                settings(),
                metrics(),
                MEASURES,
                AGREEMENT_MEASURES,
                {NAME},
                presets(),
            ]
            return any(name in names for names in known)
        case "option":
            return name in options()
        case "attribute":
            return has(*name.split("."))
        case "value":
            return name in settings()
        case _:
            known = [
                words(),
                definitions(),
                public_names(),
                conventions(),
                settings(),
                metrics(),
                MEASURES,
                AGREEMENT_MEASURES,
                {NAME},
                TABLE,
                presets(),
            ]
            return any(name in names for names in known)


@cache
def metrics() -> frozenset[str]:
    """Metrics, with their spellings."""
    return frozenset(name for metric in METRICS.values() for name in (metric.name, *metric.spellings))


@cache
def presets() -> frozenset[str]:
    """Presets, protocols, and the systems that both name."""
    return frozenset([*rc.list_presets(eras=True), *rc.list_protocols()])
