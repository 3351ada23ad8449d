"""YAML files as plain data: how they are read, with line numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from rankconv.basics.errors import ConventionError, RankconvError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_BYTES = 1_000_000
MAX_NODES = 20_000
MAX_DEPTH = 20
MAX_NESTING = 100
TOO_MUCH = "the file is too deep or too long, or its aliases expand to too much"
MERGE, TEXT = "tag:yaml.org,2002:merge", "tag:yaml.org,2002:str"
PLAIN = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
Path = tuple[str | int, ...]

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass
class Document:
    """A YAML file as plain data, and where its parts stand."""

    data: Any
    source: str
    lines: dict[Path, int] = field(default_factory=dict)

    def at(self, path: Path) -> Any:
        """The part at this path; None where there is none, as under a merged key."""
        part = self.data
        for key in path:
            try:
                part = part[key]
            except (KeyError, IndexError, TypeError):
                return None
        return part

    def place(self, path: Path) -> str:
        """File and line of an entry, or of the nearest one around it."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return f"{self.source}, line {self.lines[path[:end]]}"
        return self.source


def read_text(file: "Traversable", source: str) -> str:
    """What a file says; one that is too large or not UTF-8 is a ConventionError."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as problem:
        raise ConventionError(f"the file cannot be opened: {problem.strerror}", where=source) from None
    if len(data) > MAX_BYTES:
        raise ConventionError(f"the file is too large (over {MAX_BYTES:,} bytes)", where=source)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        do = "Save the file as UTF-8 text"
        raise ConventionError("the line is not UTF-8", where=f"{source}, line {line}", do=do) from None


def read_document(text: str, source: str, *, moderate: bool = False) -> Document:
    """Parse one file; anything that is not plain, moderate YAML is a ConventionError with its line.

    Of a file that is `moderate`, as those of the package are, it is known that the tree can be built at all.
    """
    try:
        if not moderate:
            _check_size(text, source)
        loader = _Loader(text)
        root = loader.get_single_node()
    except RankconvError:
        raise
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        raise ConventionError(f"this is not YAML: {_short(problem)}", where=_mark(problem, source)) from None
    if root is None:
        raise ConventionError("the file is empty", where=source)
    document = Document(None, source)
    document.data = _Builder(document, loader).build(root, ())
    return document


def divided_texts(document: Document) -> Iterator[ConventionError]:
    """The texts that a comma divides because nobody quoted them: `{ap-denominator: min(k, relevant)}`.

    In the document they are put together, so that its other mistakes are found too.
    """
    for path in document.lines:
        key = path[-1] if path else ""
        mapping = document.at(path[:-1]) if path else None
        if isinstance(mapping, dict) and mapping.get(key, "") is None and str(key).count("(") < str(key).count(")"):
            names = list(mapping)[: list(mapping).index(key) + 1]
            before = next((name for name in reversed(names) if mapping[name] is not None), names[0])
            divided = names[names.index(before) + 1 :]
            text = ", ".join([str(mapping[before]), *map(str, divided)])
            mapping[before] = text
            for name in divided:
                del mapping[name]
            wrong = f"the comma divides '{text}', which is not quoted"
            yield ConventionError(wrong, where=document.place(path), do=f'Quote it: {before}: "{text}"')


def _check_size(text: str, source: str) -> None:
    """Before the tree is built: that takes time, and recurses in C, where too deep a file would end the process."""
    nodes = depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        nodes += isinstance(event, yaml.NodeEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_NESTING or nodes > MAX_NODES:
            raise ConventionError(TOO_MUCH, where=source)


class _Builder:
    def __init__(self, document: Document, loader: Any) -> None:
        self.document, self.loader, self.nodes, self.depth = document, loader, 0, 0

    def build(self, node: Any, path: Path) -> Any:
        self.nodes += 1
        self.depth += 1
        if self.nodes > MAX_NODES or self.depth > MAX_DEPTH:
            raise ConventionError(TOO_MUCH, where=self.document.source)
        built = self._built(node, path)
        self.depth -= 1
        return built

    def _built(self, node: Any, path: Path) -> Any:
        self.document.lines.setdefault(path, node.start_mark.line + 1)
        if not isinstance(node, yaml.ScalarNode) and node.tag not in PLAIN:
            line = f"{self.document.source}, line {node.start_mark.line + 1}"
            raise ConventionError(f"this is not plain data: the tag {node.tag}", where=line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child, (*path, place)) for place, child in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: Any, path: Path) -> dict[Any, Any]:
        mapping: dict[Any, Any] = {}
        merged: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if key_node.tag == MERGE and isinstance(value_node, yaml.MappingNode):
                merged |= self.build(value_node, path)
                continue
            key = self._scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            line = f"{self.document.source}, line {key_node.start_mark.line + 1}"
            if key is None or isinstance(key, (list, dict)):
                raise ConventionError("a key must be plain text or a number", where=line)
            if key in mapping:
                raise ConventionError(f"the key '{key}' is given twice", where=line)
            self.document.lines[(*path, key)] = key_node.start_mark.line + 1
            mapping[key] = self.build(value_node, (*path, key))
        return merged | mapping

    def _scalar(self, node: Any) -> Any:
        if node.tag == TEXT:
            return node.value
        try:
            return self.loader.construct_object(node, deep=True)
        except RankconvError:
            raise
        except (yaml.YAMLError, ValueError) as problem:
            raise ConventionError(
                f"this is not plain data: {_short(problem)}", where=_mark(problem, self.document.source)
            ) from None


def _short(problem: Exception) -> str:
    return str(getattr(problem, "problem", None) or problem).split("\n")[0]


def _mark(problem: Exception, source: str) -> str:
    mark = getattr(problem, "problem_mark", None)
    return source if mark is None else f"{source}, line {mark.line + 1}"
