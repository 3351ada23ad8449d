"""What do people write elsewhere, and what gives the same number here? Printed as a page; each pair is run by a test.

python examples/coming_from/pairs.py > docs/how-to/coming-from.md
"""

import ast
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import yaml

import rankconv as rc

WIDTH = 120
CLAIMS = 3
"""Sentences of a preset that are printed."""
FILE = Path(__file__).parent / "pairs.yaml"
PAGE = """# Coming from …

Find your library, its call, the call of rankconv with the same value, and what to know about the definition: the first
sentences of its preset, each of which has a check or a source. Values were recorded from the libraries in the versions
named. A test runs each call of rankconv, and each call of a library that is installed, except trec_eval and RecBole.
`labels` and `run` are one of these cases, or any other form that rankconv reads:

```python
{cases}
```

{pairs}
Printed by `python examples/coming_from/pairs.py > docs/how-to/coming-from.md` from `pairs.yaml`.
"""
PAIR = """## {system} {version}

{system}{case}:

```{language}
{there}
```

rankconv:

```python
{here}
```

{said}
"""


@dataclass(frozen=True)
class Pair:
    """A line of another system, and the one of rankconv that gives the same number."""

    system: str
    version: str
    case: str
    there: str
    """Code that ends in an expression."""
    here: str
    number: float
    """What the system gave."""
    preset: str
    """The one whose sentences are printed."""
    needs: str = ""
    """The module without which `there` cannot be run; empty if it is no Python, or takes more than these data."""
    given: str = ""
    """Code that makes what a user of the system has at hand."""
    language: str = "python"
    float32: bool = False
    """Whether the system computes in single precision."""

    @property
    def tolerance(self) -> float:
        """How far two numbers may differ and count as equal."""
        return 2e-6 if self.float32 else 1e-9

    @property
    def claims(self) -> list[str]:
        """What to know about the definition: the first sentences of the preset that something holds."""
        return [claim.text.strip() for claim in rc.preset(self.preset).file.says if claim.is_held][:CLAIMS]

    def run_here(self) -> float:
        """What our line gives."""
        return value(self.here, CASES[self.case] | {"rc": rc})

    def run_there(self) -> float:
        """What theirs gives, if the system is installed."""
        return value(f"{self.given}{self.there}", dict(CASES[self.case]))


def value(code: str, names: dict[str, Any]) -> float:
    """Run code, and evaluate the expression in which it ends."""
    *statements, last = ast.parse(code).body
    assert isinstance(last, ast.Expr), "the code must end in an expression"
    exec(compile(ast.Module(statements, []), "pair", "exec"), names)
    return float(eval(compile(ast.Expression(last.value), "pair", "eval"), names))


_READ = yaml.safe_load(FILE.read_text("utf-8"))
CASES: dict[str, dict[str, Any]] = _READ["cases"]
PAIRS = [Pair(**pair) for pair in _READ["pairs"]]


def page() -> str:
    """All pairs."""
    return PAGE.format(cases="\n\n".join(map(_case, CASES)), pairs="\n".join(map(_section, PAIRS)))


def _case(name: str) -> str:
    lines = [f"# {name}"]
    for side in ("labels", "run"):
        rows = [f"    {user!r}: {items!r},".replace("'", '"') for user, items in CASES[name][side].items()]
        lines += [f"{side} = {{", *rows, "}"]
    return "\n".join(lines)


def _section(pair: Pair) -> str:
    return PAIR.format(
        system=pair.system,
        version=pair.version,
        case=f" (case {pair.case})",
        language=pair.language,
        there=pair.there.strip(),
        here=pair.here.strip(),
        said=fill(" ".join([f"Both give {pair.number:.6f}.", *pair.claims]), WIDTH, break_on_hyphens=False),
    )


if __name__ == "__main__":
    print(page(), end="")
