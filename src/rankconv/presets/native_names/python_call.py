"""Names that are Python expressions: `Name(parameter=value)@cutoff`."""

import ast
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class PythonCall:
    """A name with named parameters, and what follows an @."""

    name: str
    parameters: dict[str, Any] = field(default_factory=dict)
    at: Any = None


def read_python(text: str) -> PythonCall | None:
    """The parts of a name; None for another expression, and for values that are not written out.

    >>> read_python("nDCG(judged_only=True)@10")
    PythonCall(name='nDCG', parameters={'judged_only': True}, at=10)
    >>> read_python("nDCG(judged_only=flag)") is None, read_python("5 AP") is None
    (True, True)
    """
    try:
        node: ast.expr = ast.parse(text, mode="eval").body
        at = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            at = ast.literal_eval(node.right)
            node = node.left
        parameters: dict[str, Any] = {}
        if isinstance(node, ast.Call):
            if node.args or any(one.arg is None for one in node.keywords):
                return None
            parameters = {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
            node = node.func
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    return PythonCall(node.id, parameters, at) if isinstance(node, ast.Name) else None
