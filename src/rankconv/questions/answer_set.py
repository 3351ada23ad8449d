"""What judging, averaging and metrics have in common: frozen answers to their own questions."""

from abc import ABC
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any, ClassVar, Generic, NoReturn, Self, TypeVar, cast, overload

from rankconv.errors import ConventionError, unknown
from rankconv.plugins import file_of
from rankconv.questions.choice import Answer, Choice, Registry
from rankconv.questions.fields import MISSING, Field, fields_of
from rankconv.questions.pickling import answered, class_named
from rankconv.read_only import ReadOnlyDict

Value = TypeVar("Value")


def question_name(field: str) -> str:
    """The question that a field answers: `ap_denominator` is `ap-denominator`."""
    return field.replace("_", "-")


class until_registered(Generic[Value]):  # noqa: N801 - it is used as `cached_property` is
    """A property that is worked out once, and anew after a question or an answer was registered."""

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"{name} until registered"

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object, owner: type) -> Self | Value:
        if instance is None:
            return self
        known: tuple[int, Value] | None = instance.__dict__.get(self._name)
        if known is None or known[0] != Registry.generation:
            known = instance.__dict__[self._name] = Registry.generation, self._function(instance)
        return known[1]


class AnswerSet(ABC):  # noqa: B024 - so that a type checker knows its subclasses for hashable
    """One answer to each of its questions; no question has a default, so nothing is half stated.

    A subclass declares its questions as annotated fields, `ideal: Annotated[str, rc.convention("ideal")]`.
    """

    asked_fields: ClassVar[Mapping[str, Field]] = {}
    """What its objects hold, by field."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        above, own = cls.asked_fields, fields_of(cls)
        again = {name: above[name]._replace(default=vars(cls)[name]) for name in above if name in vars(cls)}
        cls.asked_fields = {**above, **again, **own}

    def __init__(self, **told: Any) -> None:
        """The answers by question or by field; ConventionError for one too many, one too few, or what is none."""
        vars(self).update(self._read(told))

    @classmethod
    def with_answers(cls, told: Mapping[str, Any]) -> Self:
        """The object with these answers, by question or by field; ConventionError as where it is called."""
        return cls(**told)

    @classmethod
    def _read(cls, told: Mapping[str, Any]) -> dict[str, Any]:
        """What is held, by field: each answer in its one spelling."""
        given = {name.replace("-", "_"): answer for name, answer in told.items()}
        for name in given.keys() - cls.asked_fields.keys():
            raise unknown(f"field of {cls.__qualname__}", name, cls.asked_fields)
        held = {name: given.get(name, field.default) for name, field in cls.asked_fields.items()}
        unanswered = [question_name(name) for name, answer in held.items() if answer is MISSING]
        if unanswered:
            raise ConventionError(f"these questions have no answer: {', '.join(unanswered)}")
        return {name: field.read(held[name]) for name, field in cls.asked_fields.items()}

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__qualname__} is frozen: make another with but(…)", name=name, obj=self)

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return self.fields == other.fields

    def __hash__(self) -> int:
        return self.known_hash

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in self.fields.items())})"

    @cached_property
    def known_hash(self) -> int:
        """The hash of all answers, made once: definitions are grouped by their judging again and again."""
        return hash((type(self), frozenset(self.fields.items())))

    @classmethod
    def questions(cls) -> Mapping[str, Choice]:
        """The questions it asks, by name, in the order in which they are applied."""
        return _questions_of(cls)

    @until_registered
    def answers(self) -> dict[str, Answer]:
        """The answers, ready to be carried out."""
        return ReadOnlyDict({name: choice(self.stated[name]) for name, choice in self.questions().items()})

    @until_registered
    def stated(self) -> dict[str, str]:
        """The answers as text; a question that was registered later has its neutral answer."""
        asked = self.questions().items()
        return ReadOnlyDict({name: self.kept.get(name, str(choice.neutral)) for name, choice in asked})

    @property
    def fields(self) -> dict[str, Any]:
        """All that it holds by field: its answers, and of a metric its cutoff."""
        return {name: vars(self)[name] for name in self.asked_fields}

    @cached_property
    def kept(self) -> dict[str, str]:
        """The answers that it holds, as text."""
        held = {question_name(field): answer for field, answer in self.fields.items()}
        return ReadOnlyDict({name: answer for name, answer in held.items() if name in self.questions()})

    def given(self, question: str) -> str:
        """The answer to one question, as text."""
        return self.stated[question]

    def replace(self, told: Mapping[str, str], **more: Any) -> Self:
        """With these answers in place of its own; answers to questions of others are left aside."""
        if not more and all(told.get(question, answer) == answer for question, answer in self.stated.items()):
            return self
        given = tuple((question, told.get(question, answer)) for question, answer in self.stated.items())
        made = _filled(type(self), given, tuple({**self._beside, **more}.items()))
        return cast(Self, made)

    @property
    def _beside(self) -> dict[str, Any]:
        """What it holds beside its answers, such as a metric's cutoff."""
        return {name: value for name, value in self.fields.items() if question_name(name) not in self.stated}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Made anew of its answers as text: what carries them out is one for all."""
        return self.with_answers(self.fields)

    def __copy__(self) -> Self:
        return self.with_answers(self.fields)

    def __reduce__(self) -> tuple[Any, ...]:
        """By the name of its class, and the answers as text; what carries them out is there in every process."""
        kind = type(self)
        if class_named(kind.__module__, kind.__qualname__) is not kind:
            do = "Define it once, at the top of a module or of a plugin file."
            raise ConventionError(f"{kind.__qualname__} cannot be found by its name, so it cannot be pickled", do=do)
        given = (one for question in self.kept for one in self.answers[question].whole)
        modules = {one.option.function.__module__ for one in given}
        modules |= {self.questions()[question].module for question in self.kept}
        others = sorted(module for module in modules if not module.startswith("rankconv."))
        needed = {module: file_of(module) for module in (kind.__module__, *others)}
        return answered, (kind.__module__, kind.__qualname__, self.fields, needed)


@lru_cache(maxsize=4096)
def _filled(
    kind: type[AnswerSet], given: tuple[tuple[str, str], ...], beside: tuple[tuple[str, Any], ...]
) -> AnswerSet:
    return kind.with_answers({**dict(given), **dict(beside)})


@cache
def _questions_of(kind: type[AnswerSet]) -> Mapping[str, Choice]:
    fields = kind.asked_fields.items()
    return {question_name(name): field.accepts for name, field in fields if isinstance(field.accepts, Choice)}
