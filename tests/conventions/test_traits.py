"""Traits: each is declared, stated by a setting and read by code; a slip is refused, on either side."""

import ast
import copy
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from inspect import get_annotations
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, get_args

import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.conventions import traits as declared
from rankconv.conventions.convention import CONVENTIONS, TABLES, Convention
from rankconv.conventions.traits import Range, Traits
from tests.conventions.note_traits import NoteTraits

SOURCE = Path(rc.__file__).parent
OF_TRAITS = re.compile(r"\btraits$|\btraits\([^()]*\)$|Traits\.of\(.*\)$|^ties$")
"""What traits are read of."""
EXAMPLES = Path(__file__).parents[2] / "examples"


def kinds() -> list[type[Traits]]:
    """All classes of traits of the package."""
    for module in walk_packages(rc.__path__, "rankconv."):
        if ".compat" not in module.name and ".cli" not in module.name and "__main__" not in module.name:
            with suppress(rc.LibraryError):  # rankconv.ir, without ir_measures
                import_module(module.name)
    return [Traits, *(kind for kind in Traits.__subclasses__() if kind.__module__.startswith("rankconv."))]


def conventions() -> Iterator[Convention]:
    """Every convention and every table of the package, those of protocols too."""
    yield from {*CONVENTIONS.values(), *TABLES.values(), *rc.protocols.protocol_conventions.values()}


def names() -> set[str]:
    """All traits."""
    return set[str]().union(*(kind.types() for kind in kinds()))


def nodes(folder: Path) -> Iterator[ast.AST]:
    """The syntax of all files of the folder."""
    return (node for file in folder.rglob("*.py") for node in ast.walk(ast.parse(file.read_text())))


def attributes() -> set[str]:
    """What is read of traits: `setting.traits.rises`, `TieTraits.of(ties).effect`, `ties.keeps_order`."""
    read = (node for node in nodes(SOURCE) if isinstance(node, ast.Attribute))
    return {node.attr for node in read if OF_TRAITS.search(ast.unparse(node.value))}


@pytest.fixture
def note() -> Iterator[Convention]:
    """A convention of a plugin with traits of its own."""
    made = plugin.Convention("note", "Worth of a note", reads=("notes",), neutral="heard", traits=NoteTraits)
    made.setting("heard", rule="itself", no="change of notes")(lambda notes: notes)
    made.setting("shouted", rule="twice", loud=True, rises=True)(lambda notes: 2 * notes)
    yield made
    del CONVENTIONS["note"]


def test_each_trait_is_stated_by_some_setting() -> None:
    stated = {name for one in conventions() for kind in one.setting_types.values() for name in vars(kind.traits)}
    stated |= {
        name
        for one in conventions()
        if one.function_of and one.function_of.traits
        for name in vars(one.function_of.traits)
    }
    assert len(names()) > 50
    assert names() - stated == set()


def test_each_trait_is_read_by_some_code() -> None:
    assert names() - attributes() == set()


def test_each_trait_has_a_docstring() -> None:
    found = set[str]()
    for node in nodes(SOURCE):
        if isinstance(node, ast.ClassDef) and node.name.endswith("Traits"):
            for field, text in zip(node.body, node.body[1:], strict=False):
                if (
                    isinstance(field, ast.AnnAssign)
                    and isinstance(text, ast.Expr)
                    and isinstance(text.value, ast.Constant)
                ):
                    found.add(ast.unparse(field.target))
    assert names() - found == set()


def test_no_class_declares_a_trait_of_another() -> None:
    """So that a trait has one meaning, and one name."""
    own = [name for kind in kinds() for name in get_annotations(kind)]
    assert sorted(own) == sorted(set(own))


@pytest.mark.parametrize("folder", [SOURCE, EXAMPLES], ids=["src", "examples"])
def test_traits_are_not_read_as_text(folder: Path) -> None:
    """So that mypy checks each reading."""
    for node in nodes(folder):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr != "trait", ast.unparse(node)
            assert node.func.attr != "get" or not ast.unparse(node.func.value).endswith("traits"), ast.unparse(node)
        if isinstance(node, ast.Subscript):
            assert not ast.unparse(node.value).endswith("traits"), ast.unparse(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            in_declared = "traits" in ast.unparse(node.args[0])
            assert not in_declared, ast.unparse(node)


@pytest.mark.parametrize(
    ("slip", "meant"), [("risez", "rises"), ("read_order", "reads_order"), ("sayz", "says"), ("needs_", "needs")]
)
def test_a_slip_is_refused_with_the_nearest(slip: str, meant: str) -> None:
    with pytest.raises(rc.ConventionError) as error:
        rc.convention("gain").setting("double", rule="2g", **{slip: True})  # before there is a function
    text = str(error.value)
    assert f"the setting 'double' of 'gain' has an unknown trait '{slip}'. Did you mean '{meant}'?" in text
    assert "rankconv.plugin.Traits" in text
    assert "double" not in rc.convention("gain").setting_types


def test_a_slip_in_a_number_is_refused() -> None:
    with pytest.raises(rc.ConventionError, match="unknown trait 'rizes'"):
        rc.convention("beta").number(rule="this number", rizes=True)


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("rises", "sometimes", "bool | Literal['always', "),
        ("rises", 1, "bool | "),
        ("by_score", None, "bool"),
        ("needs", "scores", r"tuple[str, ...]"),
        ("needs", ("scores", 1), r"tuple[str, ...]"),
        ("hits_above", True, "float | None"),
        ("hits_above", "0", "float | None"),
        ("moment", None, "str"),
        ("refuses", "nobody", "Literal['', 'the user', 'everybody']"),
        ("range", (0, 1), "Range | None"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(name: str, value: object, kind: str) -> None:
    with pytest.raises(rc.ConventionError) as error:
        rc.convention("gain").setting("double", rule="2g", **{name: value})
    assert f"the setting 'double' of 'gain' has the trait {name}={value!r}. Its type is {kind}" in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rises", "distinct lists"),
        ("rises", False),
        ("rises", None),
        ("needs", ()),
        ("needs", ("scores", "seen")),
        ("hits_above", 0),
        ("hits_above", 0.5),
        ("range", Range(0, 1)),
    ],
)
def test_a_value_of_the_type_is_taken(name: str, value: object) -> None:
    assert getattr(Traits(**{name: value}), name) == value


def test_functions_and_enums_are_checked_too() -> None:
    with pytest.raises(rc.ConventionError, match="orders_items='up'"):
        rc.convention("ties").setting("up", rule="up", orders_items="up")
    with pytest.raises(rc.ConventionError, match=r"effect='order'.*Its type is TieEffect"):
        rc.convention("ties").setting("up", rule="up", effect="order")


def test_what_is_not_stated_differs_from_false() -> None:
    for name in ("rises", "reads_order", "spans_users"):
        assert getattr(Traits(), name) is None
        assert Traits(**{name: False}) != Traits()


def test_a_plugin_declares_traits_of_its_own(note: Convention) -> None:
    shouted, heard = note("shouted"), note("heard")
    assert NoteTraits.of(shouted).loud
    assert not NoteTraits.of(heard).loud
    assert shouted.traits.rises is True
    assert heard.traits.rises is None
    assert not NoteTraits.of(rc.convention("gain")("binary")).loud  # of another convention: the default
    with pytest.raises(rc.ConventionError, match=r"unknown trait 'lowd'\. Did you mean 'loud'\?.*NoteTraits"):
        note.setting("whispered", rule="half", lowd=True)
    with pytest.raises(rc.ConventionError, match=r"loud='very'.*Its type is bool"):
        note.setting("whispered", rule="half", loud="very")
    with pytest.raises(rc.ConventionError, match="unknown trait 'loud'"):
        rc.convention("gain").setting("double", rule="2g", loud=True)


def test_a_table_gives_its_traits_to_the_conventions_that_share_it() -> None:
    table = plugin.Convention("notes", "Worth of notes", is_table=True, traits=NoteTraits)
    try:
        sharing = plugin.Convention("first-note", "Worth of the first note", options_of=table)
        sharing.setting("shouted", rule="twice", loud=True)(lambda: 2)
        assert NoteTraits.of(sharing("shouted")).loud
    finally:
        del TABLES["notes"], CONVENTIONS["first-note"]


def test_a_function_that_is_a_setting_has_the_traits_that_are_stated_of_it() -> None:
    takes = plugin.FunctionOf("notes", "a note of", "{value} of it", traits=NoteTraits(loud=True))
    without = plugin.FunctionOf("notes", "a note of", "{value} of it")
    try:
        for function_of, loud in ((takes, True), (without, False)):
            made = plugin.Convention("note", "Worth", reads=("notes",), function_of=function_of, traits=NoteTraits)
            assert NoteTraits.of(made(lambda note: note)).loud is loud
            assert isinstance(made(lambda note: note).traits, NoteTraits)
    finally:
        del CONVENTIONS["note"]


def test_a_trait_needs_a_default() -> None:
    with pytest.raises(rc.ConventionError, match=r"the trait 'loud' of .*Loud has no default"):

        class Loud(plugin.Traits):
            loud: bool


def test_a_default_that_is_a_function_is_no_method() -> None:
    class Worth(plugin.Traits):
        worth: Callable[[int], int] = lambda grade: 2 * grade

    assert Worth().worth(3) == 6
    assert Worth(worth=abs).worth(-3) == 3


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_traits_are_copied_and_pickled(again: Callable[[Any], Any]) -> None:
    for one in (Traits(), Traits(rises="distinct lists", needs=("scores",)), NoteTraits(loud=True, rises=False)):
        made = again(one)
        assert made == one
        assert type(made) is type(one)
        assert made.rises == one.rises
        assert made.needs == one.needs


def test_traits_cannot_be_changed_and_show_what_is_stated() -> None:
    one = Traits(rises=True, plain="never")
    with pytest.raises(AttributeError, match="rises"):
        one.rises = False  # type: ignore[misc]
    assert repr(one) == "Traits(rises=True)"
    assert one == Traits(rises=True)
    assert one != NoteTraits(rises=True)


@pytest.mark.parametrize(
    ("each", "together"),
    [
        (({"plain": "always"}, {}), {"plain": "always, never"}),
        (({"needs": ("seen",)}, {"needs": ("seen",)}), {"plain": "never, never"}),
        (({"moment": "graded"}, {"moment": "graded"}), {"plain": "never, never"}),
        (({"reads_cutoff": True}, {}), {"plain": "never, never", "reads_cutoff": True}),
        (({"rises": True}, {}), {"plain": "never, never"}),
        (({"rises": True}, {"rises": True}), {"plain": "never, never", "rises": True}),
        (({"spans_users": False}, {"spans_users": True}), {"plain": "never, never", "spans_users": True}),
        (({"spans_users": False}, {}), {"plain": "never, never"}),
        (({"spans_users": False}, {"spans_users": False}), {"plain": "never, never", "spans_users": False}),
        (({"hits_above": 1.0}, {"hits_above": 2.0}), {"plain": "never, never"}),
        (({"loud": True}, {}), {"plain": "never, never", "loud": True}),
    ],
)
def test_what_is_known_of_settings_in_turn(each: tuple[dict[str, Any], ...], together: dict[str, Any]) -> None:
    assert vars(declared.in_turn([NoteTraits(**one) for one in each])) == {
        name: value for name, value in together.items() if value != getattr(NoteTraits(), name)
    }
    assert type(declared.in_turn([NoteTraits(), NoteTraits()])) is NoteTraits


def test_settings_name_facts_that_there_are() -> None:
    stated = {one.traits.plain for made in conventions() for one in made.setting_types.values()}
    assert {fact for text in stated for fact in text.split(", ")} <= {*get_args(declared.Fact)}
