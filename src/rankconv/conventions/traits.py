"""Traits: what the engine must know of a setting besides its function, each declared once, with its type.

A setting states its traits as keywords of its decorator, `@GAIN.setting("root", rule="sqrt(g)", rises=True)`; most
settings have few. A keyword that is not declared is refused, and code reads a trait as an attribute: a slip is an error
of mypy. A convention whose traits nobody else reads, or whose types belong to a floor above, declares a class of its
own: `Convention("aggregate", …, traits=MeanTraits)`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import get_annotations
from types import FunctionType, NoneType, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    Protocol,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from rankconv.basics.errors import ConventionError, nearest
from rankconv.conventions.data_parts import DataPart

AT_ONCE = "at once"
"""The moment of most steps of preparation."""


Fact = Literal[
    "always",
    "never",
    "long lists",
    "no empty lists",
    "distinct lists",
    "distinct first rows",
    "distinct labels",
    "no negative grades",
    "no item named as user",
    "no seen item",
    "falling scores",
    "scores not shifted to 0",
]
"""What may hold for a user, so that some settings leave the list as it is; settings name it in their trait `plain`."""


class Range(NamedTuple):
    """The numbers that a setting may be, both ends included."""

    least: float
    most: float


class Requirement(NamedTuple):
    """What a setting needs of the setting of another convention of its metric."""

    convention_name: str
    holds: "Callable[[HasTraits], bool]"
    """Whether that setting has it."""


class Lack(NamedTuple):
    """Why a setting gives nothing of some data."""

    what: str
    """What is wrong with them."""
    do: str
    """What to do about it."""


_TYPES: dict[type, dict[str, Any]] = {}
"""The types of the fields of each class of traits."""
_NONE: dict[type, Any] = {}
"""Of each class the object of which nothing is stated."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class _Declared:
    """Fields with types and defaults, and what is stated of them: keywords, which cannot be changed.

    To mypy a subclass is a frozen data class. An object holds what differs from the defaults of its class, so that the
    many settings that state one trait or two cost little when the package is loaded.
    """

    def __init__(self, **stated: Any) -> None:
        self.check(type(self).__name__, stated)
        kind = type(self)
        vars(self).update({name: value for name, value in stated.items() if value != getattr(kind, name)})

    def __init_subclass__(cls) -> None:
        """A ConventionError for a field without a default; one that is a function is no method."""
        for name in get_annotations(cls):
            if not hasattr(cls, name):
                wrong = f"the trait '{name}' of {cls.__qualname__} has no default"
                raise ConventionError(wrong, do=f"Give it the value of settings that do not state it: {name}: … = None")
            default = vars(cls).get(name)
            if isinstance(default, FunctionType):
                setattr(cls, name, staticmethod(default))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"traits cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    @classmethod
    def types(cls) -> dict[str, Any]:
        """The type of each field."""
        if cls not in _TYPES:
            _TYPES[cls] = get_type_hints(cls)
        return _TYPES[cls]

    @classmethod
    def none(cls) -> Self:
        """The traits of a setting that states none: one object."""
        if cls not in _NONE:
            _NONE[cls] = cls()
        found: Self = _NONE[cls]
        return found

    @classmethod
    def check(cls, owner: str, stated: Mapping[str, Any], keywords: Iterable[str] = ()) -> None:
        """A ConventionError for a keyword that is no field, or a value of the wrong type.

        `owner` is the setting, as errors name it; `keywords` are not traits, and may have been meant.
        """
        types = cls.types()
        path = "rankconv.plugin.Traits" if cls is Traits else f"{cls.__module__}.{cls.__qualname__}"
        for name, value in stated.items():
            if name not in types:
                raise ConventionError(
                    f"{owner} has an unknown trait '{name}'",
                    nearest=nearest(name, [*types, *keywords]),
                    do=f"Traits are the fields of {path}. A convention of your own may declare more: "
                    "plugin.Convention(…, traits=MyTraits), with class MyTraits(plugin.Traits)",
                )
            if not _is_of(value, types[name]):
                allowed = f"Its type is {_type_text(types[name])}"
                raise ConventionError(f"{owner} has the trait {name}={value!r:.60}", allowed=allowed)


class Traits(_Declared):
    """The traits of settings. A convention may declare more in a subclass, whose fields have types and defaults.

    >>> from rankconv import plugin
    >>> class NoteTraits(plugin.Traits):
    ...     loud: bool = False
    >>> NOTE = plugin.Convention("note", "Worth of a note", neutral="heard", traits=NoteTraits)
    >>> @NOTE.setting("shouted", rule="twice", loud=True)
    ... def _(): ...
    >>> NoteTraits.of(NOTE("shouted")).loud
    True
    >>> from rankconv.conventions.convention import CONVENTIONS
    >>> del CONVENTIONS["note"]
    """

    # a number

    range: Range | None = None
    """The numbers that are allowed, of a setting that is a number."""

    # preparation: labels and lists

    plain: str = "never"
    """The facts about a user under which it reads grades of labels alone and leaves the list as it is: "always",
    "distinct lists", "distinct lists, long lists". Each is a `Fact`."""
    moment: str = AT_ONCE
    """The step of its convention that carries it out: "before-order", "after-depth"."""
    needs: tuple[str, ...] = ()
    """The data that must be given, or what they must hold: `("scores",)`, `("catalogue",)`."""
    lacking: Callable[..., Lack | None] | None = None
    """Says what is wrong with joined data, given the settings of the metric too, by convention; None where nothing is.
    It is called where `needs` are there."""
    reads_cutoff: bool = False
    """It reads the metric's cutoff."""
    reads_order: bool | None = None
    """Its result depends on the order of tied rows; None where it is not stated: only the settings of plugins that read
    blocks are then taken to depend on it."""
    spans_users: bool | None = None
    """It reads the data of other users; None where it is not stated: what is given the joined data is then taken to."""
    sorts_labels: bool = False
    """It sorts the labels of each user, which takes time."""
    reads_data: tuple[DataPart, ...] | Callable[..., tuple[DataPart, ...]] | None = None
    """What it reads of labels and run besides items, the signs of grades and the ranking; or a function that gives this
    for its parameters. Signatures state it. None where it is not stated: settings of plugins are then taken to read
    all."""
    by_place: bool = False
    """It goes by the order of rows in the data, which a table without an order lacks."""
    may_refuse: bool | None = None
    """It refuses users, and `on-invalid` applies to them; None where it is not stated: settings of plugins that prepare
    lists are then taken to."""
    none_negative: bool = False
    """No grade is negative afterwards."""
    makes_binary: bool = False
    """All grades are 0 or 1 afterwards, by their signs."""
    other_fractions: Literal["", "integer", "given"] = ""
    """The setting of `grades` that reads fractions otherwise."""
    aligned_arrays: bool = False
    """Each row has the label at its place, as in two arrays of one shape."""
    relevant_only: bool = False
    """Relevant labels alone exist."""
    numbers_hits_of_rank: bool = False
    """Whether the hits of one rank are numbered in turn, so a row that is several hits counts otherwise."""
    hits_of_labels: bool = False
    """A row is as many hits as its item has relevant labels."""
    labels_of_rows: bool = False
    """A label counts once for each row of its item."""
    labelled_only: bool = False
    """Rows without a label are left out."""
    extends_below: bool = False
    """Items that were not retrieved follow below the list."""
    fills: bool = False
    """Short lists are filled up with rows."""
    makes_ties: bool = False
    """It may give several rows one score."""
    narrows_scores: bool = False
    """It rounds scores to fewer bits, so that different ones may become equal."""
    weighs: bool = False
    """A row counts as often as the list holds its item."""
    by_score: bool = False
    """Lists are ordered by score."""
    last_first: bool = False
    """Lists are read from their last row to their first."""
    reads_ranks: bool = False
    """Ranks of the data decide between equal scores."""
    keeps_ties: bool = False
    """Rows that are tied with the last one within the cutoff are kept."""
    hits_above: float | None = None
    """The score above which a relevant row is a hit; None where any score will do."""
    pools: bool = False
    """The lists of all users become one."""
    separate: bool = False
    """Each subtopic has a value of its own."""
    ungrouped: Literal["", "own", "one"] = ""
    """Subtopics of labels that came in none: one for each label, or one for all of them; "" for no subtopic."""
    sorts: bool = False
    """Lists are ordered by the scores that it computes."""

    # metrics, and pages about them

    rises: bool | Fact | None = None
    """It never lowers a value when a better item moves up; False where it may; a fact about users where it is so under
    this fact alone; None where it is not stated."""
    turns: bool = False
    """It turns a value round: what was greater becomes less."""
    falls: bool = False
    """A discount of lists gives no rank more than one above it."""
    reads_below_cutoff: bool = False
    """It reads rows below the cutoff."""
    counts_hits: bool = False
    """It depends on the number of hits of the list, and on where they are."""
    counted_by: tuple[str, ...] | None = None
    """The columns that it reads of the rows of all lists besides the item; None where it may read anything."""
    of_all_alone: bool = False
    """No single user has a value of it."""
    leaves_out: bool = False
    """Its rows or pairs are left out."""
    adds_nothing: bool = False
    """Its rows count, and add nothing."""
    by_popularity: bool = False
    """It compares items by their popularity."""
    requires: Requirement | None = None
    """What the setting of another convention of the metric must have."""
    of_ranks: bool = False
    """It depends on the rank alone, and on no gain of the list."""
    of_parts: bool = False
    """Its arguments are settings, whose values it multiplies."""
    total: bool = False
    """The value of a list is a sum over its rows, not a mean."""
    as_given: bool = False
    """The ideal list has the order of the labels given."""
    within_k: bool = False
    """The ideal list ends where the list is cut."""
    of_first: bool = False
    """The first hit alone matters."""
    of_counts: bool = False
    """Its values are counts, so that the metric is one of counts."""
    with_k: bool = False
    """The metric is offered with a cutoff."""
    without_k: bool = False
    """The metric is offered without a cutoff."""
    never_inside: str = ""
    """Why it cannot be inside another setting."""
    called: str = ""
    """Its name in an explanation; "" for its text."""
    called_without_k: str = ""
    """The same where there is no cutoff."""
    formula_tells: bool = False
    """The formula shows it, so that an explanation leaves out its rule."""

    # aggregation: policies

    by_formula: bool = False
    """The formula gives the value."""
    skips: bool = False
    """Such users are left out of the mean."""
    refuses: Literal["", "the user", "everybody"] = ""
    """Who has no number: such users, or everybody."""
    undivided: bool = False
    """Such users count as the numerator, which is divided by no denominator."""
    gives_value: bool = False
    """Such users count as a value of their own."""
    unshown: bool = False
    """Such users are shown without a value of their own, though they count."""
    became: str = "counted as {value}"
    """What a paper writes of such users: "refused", "left out of the mean"."""

    @property
    def reads_of_users(self) -> tuple[str, ...]:
        """What a mean reads of each user besides the data of its function."""
        return ()

    @classmethod
    def of(cls, setting: "HasTraits") -> Self:
        """The traits of this kind of a setting; the defaults where its convention has none of this kind."""
        return setting.traits if isinstance(setting.traits, cls) else cls.none()


class HasTraits(Protocol):
    """A setting, or the type of one."""

    @property
    def traits(self) -> "Traits":
        """What is stated of it."""


def in_turn(each: Sequence[Traits]) -> Traits:
    """What settings that are carried out in turn have in common, and what is true of one of them.

    The list is left as it is where all of them do so. Moment and needs are those of each.
    """
    together: dict[str, Any] = {"plain": ", ".join(one.plain for one in each)}
    for name in (name for name in each[0].types() if name not in ("plain", "moment", "needs")):
        values = [getattr(one, name) for one in each]
        if all(value == values[0] for value in values):
            together[name] = values[0]
        elif name != "rises" and any(value is True for value in values):
            together[name] = True
    return type(each[0])(**together)


def _is_of(value: object, kind: Any) -> bool:
    """Whether a value is of a type of a trait."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(_is_of(value, one) for one in args)
    if origin is Literal:
        return any(value == one and type(value) is type(one) for one in args)
    if origin is tuple and args[1:] == (...,):
        return isinstance(value, tuple) and all(_is_of(one, args[0]) for one in value)
    if kind in (int, float):
        return isinstance(value, (int, kind)) and not isinstance(value, bool)
    return kind is Any or isinstance(value, origin or kind)


def _type_text(kind: Any) -> str:
    """A type as Python writes it, without the modules."""
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(_type_text, get_args(kind)))
    if kind is NoneType:
        return "None"
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else re.sub(r"(\w+\.)+(?=\w)", "", str(kind))
