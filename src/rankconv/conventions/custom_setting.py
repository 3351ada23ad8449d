"""A plain function given for a setting, `gain=lambda g: g**2`: a setting made on the spot, which no text can name."""

import inspect
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import ConventionError
from rankconv.basics.plugins import file_of, provide
from rankconv.basics.registries import same_code
from rankconv.conventions.data_parts import DataPart
from rankconv.conventions.parameters import Parameters, Rule, SettingType
from rankconv.conventions.traits import Traits

CUSTOM = "custom"
"""What comes before the name of such a function: `custom(square)`, `custom(…)`."""


@dataclass(frozen=True)
class FunctionOf:
    """What a plain function takes that is a setting, and what it must give.

    It is called with one number after another, so that what it gives for a grade, say, hangs on that grade alone,
    whoever else is in the block; or, `at_once`, with all of them, shape (users,), for one number. NaN is not handed
    over, and stays. ConventionError where it gives no number, a number below `least`, or an error of its own.

    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> NOTE = plugin.Convention(
    ...     "note", "What is a note worth?", reads=("notes",), neutral="itself",
    ...     function_of=plugin.FunctionOf("notes", "a note of", "a note is worth {value} of it"),
    ... )
    >>> NOTE(lambda note: note + 1)(notes=[2, 5]), NOTE(lambda note: note + 1).text
    (array([3., 6.]), 'custom(…)')
    >>> from rankconv.conventions.convention import CONVENTIONS
    >>> del CONVENTIONS["note"]
    """

    data: str
    """Which data of the convention it takes: "grades"."""
    one: str
    """What it is called with: "a grade of"."""
    says: str
    """What a paper says of it; {value} is the function's name."""
    gives: type = float
    """What it gives: a number, or `bool`."""
    least: float = -math.inf
    whole: bool = False
    """Whether whole numbers are handed over as such."""
    at_once: bool = False
    traits: Traits | None = None
    """What is stated of it, of the convention's class of traits."""
    tex: str | None = None
    """What it is in a formula; without it what is there for a setting that has no sign."""
    signs: Mapping[str, str] = field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """What is right, for errors."""
        taken = "It takes all values at once" if self.at_once else "It takes one number after another"
        number = "True or False" if self.gives is bool else "one number"
        return f"{taken}, and gives {number}{f' of at least {self.least:g}' if self.least > -math.inf else ''}"


class CustomText(str):
    """What represents a function where settings are texts, `custom(square)`; it equals no text but its own kind.

    Functions are equal that are one function, or one code in one module, as where a cell of a notebook is run again.
    """

    function: Rule
    called: str
    """The function as Python calls it: `square`, `<lambda>`."""

    def __new__(cls, function: Rule) -> "CustomText":
        name = str(getattr(function, "__name__", "…"))
        made = super().__new__(cls, f"{CUSTOM}({name if name.isidentifier() else '…'})")
        made.function, made.called = function, name
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CustomText) and _same(self.function, other.function)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((CUSTOM, str.__hash__(self)))

    def __deepcopy__(self, memo: Any) -> "CustomText":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """By the function's name; a ConventionError where it has none, as a lambda."""
        function, module = self.function, getattr(self.function, "__module__", None) or ""
        if isinstance(function, FunctionType) and "<" in function.__qualname__:
            raise ConventionError(
                f"{self} has no name by which another process could find it, so it cannot be pickled",
                do="Define the function with def, at the top of a module or of a plugin file.",
            )
        if file_of(module):
            return _of_plugin, (module, file_of(module), function.__qualname__)
        return CustomText, (function,)


def _of_plugin(module: str, file: str, name: str) -> CustomText:
    provide(module, file)
    return CustomText(getattr(sys.modules[module], name))


def _same(one: Rule, other: Rule) -> bool:
    if isinstance(one, FunctionType) and isinstance(other, FunctionType):
        return one is other or (one.__globals__ is other.__globals__ and same_code(one, other))
    return one is other or bool(one == other)


def custom_option(text: CustomText, convention_name: str, takes: FunctionOf, kind: type[Traits]) -> SettingType:
    """The setting that a function is; a ConventionError where it does not take one argument."""
    try:
        inspect.signature(text.function).bind(None)
    except TypeError:
        shape = inspect.signature(text.function)
        raise ConventionError(
            f"{text} takes {shape!s:.60}, so it cannot be a setting of '{convention_name}'", allowed=takes.allowed
        ) from None
    except ValueError:
        pass  # what is not written in Python may not tell
    function = OneByOne(text, convention_name, takes)
    parameters = Parameters((takes.data,), (), {})
    rule = "a function given in Python"
    fields: dict[str, Any] = {"says": f"{takes.says}, {rule}", "tex": takes.tex, "signs": takes.signs}
    traits = takes.traits or kind.none()
    if not takes.at_once and traits.reads_data is None:
        reads: tuple[DataPart, ...] = ("grades",) if takes.data == "grades" else ()
        traits = type(traits)(**vars(traits), reads_data=reads)
    return SettingType(text, rule, function, parameters, traits=traits, table=convention_name, has_name=False, **fields)


class OneByOne:
    """A caller's function, carried out over arrays of any shape, with its faults reported with the convention."""

    def __init__(self, text: CustomText, convention_name: str, takes: FunctionOf) -> None:
        self.text, self.convention_name, self.takes = text, convention_name, takes
        self.__module__ = getattr(text.function, "__module__", None) or ""

    def __call__(self, given: Any) -> Any:
        values = np.asarray(given)
        if self.takes.at_once:
            if np.isnan(values).any():
                return math.nan
            return self._checked(self._called(values.copy(), "these values"), "these values")
        if values.dtype == object:
            return self._of_exact(values)
        different, where = np.unique(values, return_inverse=True)
        return np.array([self._of(one) for one in different.tolist()], self.takes.gives)[where].reshape(values.shape)

    def _of(self, one: float) -> Any:
        if one != one:
            return self.takes.gives(False if self.takes.gives is bool else one)
        called = f"{self.takes.one} {one:.10g}"
        return self._checked(self._called(int(one) if self.takes.whole and one == int(one) else one, called), called)

    def _of_exact(self, values: NDArray[Any]) -> NDArray[Any]:
        """What the function gives for exact numbers, shape as `values`; a plain number where it cannot take these."""
        made = np.empty(values.shape, object)
        made.reshape(-1)[:] = [self._exactly(one) for one in values.reshape(-1)]
        return made

    def _exactly(self, one: Any) -> Any:
        value = self._of(float(one))
        try:
            found = self.text.function(one)
            return found if math.isclose(float(found), value, rel_tol=1e-9) else value
        except Exception:  # it is made for plain numbers
            return value

    def _called(self, given: Any, called: str) -> Any:
        try:
            return self.text.function(given)
        except Exception as problem:
            said = f"raised {type(problem).__name__} for {called}: {problem}"
            raise self._wrong(said.rstrip(": ")) from problem

    def _checked(self, found: Any, called: str) -> Any:
        plain = found.item() if isinstance(found, (np.ndarray, np.generic)) and found.ndim == 0 else found
        right = isinstance(plain, bool) if self.takes.gives is bool else isinstance(plain, Real)
        if not right or not math.isfinite(plain) or plain < self.takes.least:
            raise self._wrong(f"gave {found!r:.60} for {called}")
        return self.takes.gives(plain)

    def _wrong(self, said: str) -> ConventionError:
        return ConventionError(
            f"{self.text}, which settings '{self.convention_name}', {said}", allowed=self.takes.allowed
        )


def no_function(convention_name: str, names: list[str], taking: list[str]) -> ConventionError:
    """The error for a function given to a convention that takes none."""
    return ConventionError(
        f"a function cannot be a setting of '{convention_name}', as its settings are no functions of single numbers",
        allowed=f"Choose one of: {', '.join(names)}",
        do=f"Functions are allowed for {', '.join(taking)}.",
    )


def not_in_text(convention_name: str) -> str:
    """What to do where a text says `custom(…)`."""
    field = convention_name.replace("-", "_")
    return (
        f"Text cannot name a function: pass it in Python, as in replace({field}=square), or register it in a plugin "
        f'file under a name of its own, with @rc.convention("{convention_name}").setting("square", rule="g^2").'
    )
