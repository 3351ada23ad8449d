"""Which places of a file can be broken, and how: one operator, constant, condition or function at a time."""

import ast
from collections.abc import Iterator
from copy import copy

Place = ast.expr | ast.stmt

OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
FUNCTIONS = {
    **{"minimum": "maximum", "maximum": "minimum", "min": "max", "max": "min", "any": "all", "all": "any"},
    **{"log2": "log", "log": "log2", "log10": "log", "floor": "ceil", "ceil": "floor", "isnan": "isinf"},
    **{"zeros": "ones", "ones": "zeros"},
}
ATTRIBUTES = {"above": "down_to", "down_to": "above", "first": "last", "last": "first"}
"""Sums above a row or down to it; the start of a tie or its end."""
DROPPED = {"cumsum", "sort", "nan_to_num", "round", "abs", "sqrt"}
"""Functions whose argument is left as it is."""
WITHOUT_NUMBERS = {"dataclass", "field", "lru_cache", "deprecated", "TypeVar", "locked"}
"""Calls in which no place is broken: they give no number."""
WORDS = {"paper", "cite", "says", "tex", "rule", "signs", "when", "strict"}
"""Keywords likewise."""


def changes(tree: ast.Module) -> Iterator[tuple[Place, str]]:
    """Each place with what stands there instead, in the order of the file."""
    for place in _places(tree):
        for changed in _changed(place):
            yield (
                place,
                ast.unparse(ast.fix_missing_locations(changed))
                if isinstance(changed, ast.stmt)
                else (f"({ast.unparse(changed)})" if _needs_parentheses(place) else ast.unparse(changed)),
            )


def _needs_parentheses(place: Place) -> bool:
    return isinstance(place, ast.BinOp | ast.BoolOp | ast.Compare | ast.UnaryOp)


def _places(node: ast.AST) -> Iterator[Place]:
    """Depth first; texts, annotations, imports and what is raised are passed over."""
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.Call) and _name(node.func) in WITHOUT_NUMBERS:
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.keyword) and child.arg in WORDS:
                continue
            if isinstance(child, ast.AST):
                yield from _places(child)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _changed(place: Place) -> Iterator[Place]:
    if isinstance(place, ast.BinOp | ast.AugAssign | ast.BoolOp) and not _of_texts_or_types(place):
        yield from _with_operator(place)
    elif isinstance(place, ast.Compare):
        yield from _compared(place)
    elif isinstance(place, ast.UnaryOp):
        yield place.operand
    elif isinstance(place, ast.Constant):
        yield from _constant(place)
    elif isinstance(place, ast.Attribute) and place.attr in ATTRIBUTES and isinstance(place.ctx, ast.Load):
        yield ast.Attribute(place.value, ATTRIBUTES[place.attr], place.ctx)
    elif isinstance(place, ast.Call):
        yield from _called(place)
    elif isinstance(place, ast.IfExp) and not isinstance(place.test, ast.Compare):
        yield ast.IfExp(place.test, place.orelse, place.body)


def _of_texts_or_types(place: ast.BinOp | ast.AugAssign | ast.BoolOp) -> bool:
    """`"a" + b`, `Numbers | None`."""
    if not isinstance(place, ast.BinOp):
        return False
    sides = (place.left, place.right)
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str | None))
        for side in sides
    )


def _with_operator(place: ast.BinOp | ast.AugAssign | ast.BoolOp) -> Iterator[Place]:
    other = OPERATORS.get(type(place.op))
    if other:
        changed = copy(place)
        changed.op = other()  # type: ignore[assignment]
        yield changed


def _compared(place: ast.Compare) -> Iterator[Place]:
    for at, operator in enumerate(place.ops):
        changed = copy(place)
        changed.ops = list(place.ops)
        changed.ops[at] = OPERATORS[type(operator)]()  # type: ignore[call-overload]
        yield changed


def _constant(place: ast.Constant) -> Iterator[Place]:
    if isinstance(place.value, bool):
        yield ast.Constant(not place.value)
    elif isinstance(place.value, int | float):
        yield ast.Constant(place.value + 1 if abs(place.value) < 1e15 and place.value + 1 != place.value else 0)
    elif place.value == "stable":
        yield ast.Constant(None)


def _called(place: ast.Call) -> Iterator[Place]:
    """Another function, its argument as it is, or the two outcomes of `where` exchanged."""
    name = _name(place.func)
    if name in FUNCTIONS and not _is_empty(place):
        changed = copy(place)
        changed.func = copy(place.func)
        if isinstance(changed.func, ast.Attribute):
            changed.func.attr = FUNCTIONS[name]
        elif isinstance(changed.func, ast.Name):
            changed.func.id = FUNCTIONS[name]
        yield changed
    if name in DROPPED and isinstance(place.func, ast.Attribute):
        of_numpy = isinstance(place.func.value, ast.Name) and place.func.value.id in ("np", "math")
        yield place.args[0] if of_numpy else place.func.value
    if name == "where" and len(place.args) == 3:
        test, one, other = place.args
        yield ast.Call(place.func, [test, other, one], [])


def _is_empty(place: ast.Call) -> bool:
    """Whether it makes an array without elements, as `np.zeros((0, 2))` does."""
    shape = getattr(place.args[0], "elts", place.args[:1]) if _name(place.func) in ("zeros", "ones") else []
    return any(isinstance(one, ast.Constant) and one.value == 0 for one in shape)
