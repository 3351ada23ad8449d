"""The size of the source: lines of code, told by tokens, without docstrings, comments, blank lines and imports.

`python -m tests.test_size` prints the lines of each room.
"""

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "rankconv"
LIMIT = 35_200
"""Lines of code of the whole; the goal is 28,000, and 30,600 with the features that came after it was set."""
FILES = 286
"""Files of the whole; the goal is 260."""


def code_lines(text: str) -> int:
    """Count the lines that hold code other than imports and docstrings."""
    lines: set[int] = set()
    ignored = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in ignored:
            lines |= {*range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        docstring = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if docstring or isinstance(node, ast.Import | ast.ImportFrom):
            lines -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(lines)


def rooms() -> Counter[str]:
    """Lines of code by room."""
    counted: Counter[str] = Counter()
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).parts
        counted[parts[0] if len(parts) > 1 else "top"] += code_lines(path.read_text())
    return counted


def test_lines_are_counted_by_tokens() -> None:
    assert code_lines('"""Doc."""\nimport os\nfrom a import (\n    b,\n)\n\n# why\nx = 1  # one\ny = """a\nb"""\n') == 3


def test_the_source_does_not_grow() -> None:
    assert rooms().total() <= LIMIT
    assert len([*SOURCE.rglob("*.py")]) <= FILES


if __name__ == "__main__":
    for room, lines in rooms().most_common():
        print(f"{lines:6,} {room}")
    print(f"{rooms().total():6,} in {len([*SOURCE.rglob('*.py')])} files")
