"""Conventions and their settings: what is accepted, what is refused, and how both are added."""

import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv import plugin
from rankconv.aggregation import DATA_POLICIES, POLICIES, PREPARED_DATA_POLICIES, Aggregation
from rankconv.aggregation.special_case import AND
from rankconv.conventions.convention import CONVENTIONS, NUMBER, Registry, SettingType
from rankconv.conventions.parameters import Base, InOrder, OfWords, Within
from rankconv.metrics import METRICS
from rankconv.preparation.pipeline import Preparation
from tests.laws import examples
from tests.together import together

SCHEMAS = {name: jsonschema.Draft202012Validator(one.json_schema) for name, one in CONVENTIONS.items()}
all_conventions = together(
    "convention", [pytest.param(*one, id=name) for name, *one in CONVENTIONS.items()], by=lambda _: "all"
)

numbers = st.builds(lambda whole, places: whole / 10**places, st.integers(-9999, 9999), st.integers(0, 6))


INSIDE = {
    "discount": ["log(base=2, shift=1)", "reciprocal"],
    "cwl-continuation": ["0.50", "unsatisfied", "insq(1.0)", "discount(reciprocal)", "all(1, half-life(2))"],
    "divisor": ["k", "length", "labels-above(1.0)", "min(k, relevant)", "hits(epsilon=1e-5)"],
    "gain": ["linear", "exponential-over(2.0)", "table(3 = 1e-2)"],
}
"""Answers that stand inside others, by their table."""


def parameter(kind: Any) -> st.SearchStrategy[str]:
    """Texts that a parameter of this kind accepts."""
    if get_origin(kind) is Annotated:
        mark = get_args(kind)[1]
        if isinstance(mark, Within):
            bounded = numbers.filter(lambda number: mark.least <= number <= mark.most).map(str)
            return st.integers(int(mark.least), int(mark.most)).map(str) if get_args(kind)[0] is int else bounded
        if not isinstance(mark, plugin.Convention):
            above = 1 if isinstance(mark, Base) else 0
            return numbers.filter(lambda number: number > above).map(str) | st.just("e" if above else "0.5")
        return st.sampled_from(INSIDE[mark.name])
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    return (st.integers(-99, 99) if kind is int else numbers).map(str)


def mark_of(setting_type: SettingType, name: str) -> Any:
    """What marks the type of a parameter; None where nothing does."""
    kind = setting_type.parameters.types.get(name)
    return get_args(kind)[1] if get_origin(kind) is Annotated else None


@st.composite
def written(draw: st.DrawFn, setting_type: SettingType) -> str:
    """A setting as a user might write it, with or without the parameters that have defaults."""
    if setting_type.name == NUMBER:
        least, most = setting_type.traits.range or (-math.inf, math.inf)
        return str(min(max(draw(numbers), least), most))
    inside: list[str] = []
    for p in setting_type.parameters.own:
        one = parameter(setting_type.parameters.types[p.name])
        if isinstance(mark_of(setting_type, p.name), InOrder):
            names = st.sampled_from([*mark_of(setting_type, p.name).of])
            inside += draw(st.lists(names, min_size=mark_of(setting_type, p.name).least, max_size=4, unique=True))
        elif p.kind is p.VAR_POSITIONAL:
            inside += draw(st.lists(one, min_size=1, max_size=3))
        elif p.kind is p.VAR_KEYWORD:
            of_words = isinstance(mark_of(setting_type, p.name), OfWords)
            keys = st.sampled_from(["vital", "okay", "not_vital"]) if of_words else st.integers(-2, 5)
            inside += [f"{key}={draw(one)}" for key in draw(st.sets(keys, min_size=1))]
        elif p.default is p.empty or draw(st.booleans()):
            by_name = p.kind is p.KEYWORD_ONLY or draw(st.booleans())
            inside.append(f"{p.name} = {draw(one)}" if by_name else draw(one))
    return (
        f"{setting_type.name}({draw(st.sampled_from([', ', ',', ' , '])).join(inside)})"
        if inside
        else setting_type.name
    )


EACH = [(convention, one) for convention in CONVENTIONS.values() for one in convention.setting_types.values()]
"""Each setting with its convention."""


@settings(derandomize=True, deadline=None, max_examples=examples.of(quick=400, ci=1500))
@given(st.sampled_from(EACH), st.data())
def test_a_setting_has_one_spelling_that_reads_back(
    pair: tuple[plugin.Convention, SettingType], data: st.DataObject
) -> None:
    convention, setting_type = pair
    text = data.draw(written(setting_type))
    once = convention.validate(text)
    assert convention.validate(once) == once
    setting, again = convention(text), convention(once)
    assert setting.setting_type is again.setting_type is setting_type
    assert (setting.arguments, dict(setting.keywords)) == (again.arguments, dict(again.keywords))
    assert SCHEMAS[convention.name].is_valid(float(once) if setting_type.name == NUMBER else once)


def test_every_convention_is_asked_by_preparation_aggregation_or_a_metric() -> None:
    asked = {
        convention_name
        for part in (Preparation, Aggregation, *METRICS.values())
        for convention_name in part.conventions()
    }
    assert set(CONVENTIONS) == asked


def test_the_conventions_are_complete_from_the_start() -> None:
    code = "import rankconv.presets.preset_registry\n"
    code += "from rankconv.conventions.convention import CONVENTIONS; print(*CONVENTIONS)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == {one for one in CONVENTIONS if AND not in one}


@all_conventions
def test_every_setting_has_a_rule_and_a_line_about_it(convention: plugin.Convention) -> None:
    assert convention.setting_types
    assert all(
        setting_type.rule and setting_type.about.endswith(".") for setting_type in convention.setting_types.values()
    )


@all_conventions
def test_an_unknown_setting_is_told_all_known_ones(convention: plugin.Convention) -> None:
    with pytest.raises(rc.ConventionError) as error:
        convention.validate("quux-frob")
    assert str(error.value).endswith(f" {convention.noun}. Choose one of: {', '.join(convention.names)}.")


@pytest.mark.parametrize(
    ("convention_name", "text", "near"),
    [
        ("gain", "exponentail", "exponential"),
        ("gain", "Exponential", "exponential"),
        ("discount", "lgo(base=2)", "log"),
        ("ties", "item-decending", "item-descending"),
        ("on-zero-division", "skipped", "skip"),
    ],
)
def test_an_unknown_setting_is_told_the_nearest(convention_name: str, text: str, near: str) -> None:
    with pytest.raises(rc.ConventionError, match=rf"^'{text[:3]}.*Did you mean '{near}'\?$"):
        rc.convention(convention_name).validate(text)


def test_an_unknown_convention_is_told_the_nearest() -> None:
    with pytest.raises(rc.ConventionError, match=r"'gian' is not a convention.*Did you mean 'gain'"):
        rc.convention("gian")


def test_a_number_settings_only_where_numbers_do() -> None:
    assert rc.convention("on-zero-division").validate(0) == "0"
    with pytest.raises(rc.ConventionError, match="'0' is not a gain"):
        rc.convention("gain").validate(0)


# adding conventions and settings


@pytest.fixture
def greeting() -> Iterator[plugin.Convention]:
    convention = plugin.Convention("greeting", "How do we greet?", reads=("person",), neutral="plain")

    @convention.setting("plain", rule="the name")
    def _(person: str) -> str:
        """Just so."""
        return person

    @convention.setting("loud", rule="the name, n marks", cite="shouting2001")
    def _(person: str, *, marks: int = 1) -> str:
        """With marks."""
        return person + "!" * marks

    yield convention
    del CONVENTIONS["greeting"]


def test_a_setting_is_carried_out_with_its_parameters(greeting: plugin.Convention) -> None:
    assert greeting("plain")(person="Ada") == "Ada"
    assert greeting("loud")(person="Ada") == "Ada!"
    assert greeting("loud(marks=3)")(person="Ada", weather="fine") == "Ada!!!"


def test_equal_settings_are_one_object(greeting: plugin.Convention) -> None:
    assert greeting("loud(marks=1)") is greeting("loud")


def test_a_setting_defined_again_in_the_same_module_replaces(greeting: plugin.Convention) -> None:
    assert greeting("plain")(person="Ada") == "Ada"

    @greeting.setting("plain", rule="hello and the name")
    def _(person: str) -> str:
        """Politer."""
        return f"hello {person}"

    assert greeting("plain")(person="Ada") == "hello Ada"
    assert greeting.names == ["plain", "loud"]


def test_a_setting_of_that_name_from_another_module_is_an_error(greeting: plugin.Convention) -> None:
    def other(person: str) -> str:
        """From elsewhere."""
        return person

    other.__module__ = "elsewhere"
    with pytest.raises(rc.ConventionError, match=r"'plain' is already a setting of greeting, in .*test_convention"):
        greeting.setting("plain", rule="x")(other)
    assert greeting.setting_types["plain"].rule == "the name"


def test_a_convention_of_that_name_from_another_module_is_an_error() -> None:
    gain = rc.convention("gain")
    with pytest.raises(rc.ConventionError, match=r"the convention 'gain' is already the convention of rankconv\."):
        plugin.Convention("gain", "Gain of a grade")
    assert rc.convention("gain") is gain


def test_a_convention_asked_again_in_the_same_module_replaces(greeting: plugin.Convention) -> None:
    again = plugin.Convention("greeting", "How do we greet today?", neutral="wave")
    assert rc.convention("greeting") is again


def test_conventions_that_share_settings_share_later_ones_too(greeting: plugin.Convention) -> None:
    farewell = plugin.Convention("farewell", "How do we part?", options_of=greeting)
    try:

        @greeting.setting("silent", rule="nothing")
        def _() -> str:
            """Not a word."""
            return ""

        @farewell.setting("waving", rule="a hand")
        def _() -> str:
            """No word either."""
            return "o/"

        assert farewell("silent")(person="Ada") == ""
        assert farewell.names == ["plain", "loud", "silent", "waving"]
        assert greeting.names == ["plain", "loud", "silent"]
    finally:
        del CONVENTIONS["farewell"]


def test_a_shared_setting_defined_again_replaces_everywhere(greeting: plugin.Convention) -> None:
    farewell = plugin.Convention("farewell", "How do we part?", options_of=greeting)
    try:
        assert farewell("plain")(person="Ada") == "Ada"

        @greeting.setting("plain", rule="bye and the name")
        def _(person: str) -> str:
            """Politer."""
            return f"bye {person}"

        assert farewell("plain")(person="Ada") == "bye Ada"
    finally:
        del CONVENTIONS["farewell"]


# JSON Schema


def test_the_schema_lists_each_setting_with_its_rule(greeting: plugin.Convention) -> None:
    assert greeting.json_schema == {
        "description": "How do we greet?",
        "oneOf": [
            {"const": "plain", "description": "the name. Just so."},
            {"const": "loud", "description": "the name, n marks. With marks."},
            {"type": "string", "pattern": r"^loud\(.*\)$", "description": "the name, n marks. With marks."},
        ],
    }


def test_the_schema_refuses_what_is_none() -> None:
    for schema in SCHEMAS.values():
        assert not any(schema.is_valid(other) for other in ("quux-frob", True, None, [], {"quux": 1}))


def test_the_schema_accepts_what_yaml_may_say_instead() -> None:
    for convention_name, setting in [
        ("discount", "log(base=3)"),
        ("ap-denominator", "min(k, relevant)"),
        ("on-zero-division", 0.5),
    ]:
        jsonschema.validate(setting, rc.convention(convention_name).json_schema)


def test_conventions_that_the_engine_knows_by_name_take_no_other_settings() -> None:
    closed = {name for name, convention in CONVENTIONS.items() if convention.closed}
    cases = {name for cases in (POLICIES, DATA_POLICIES, PREPARED_DATA_POLICIES) for name in cases}
    of_groups = {"subtopics", "subtopic-weight", "no-subtopic"}
    of_metrics = {"k-accepted", "k-applies-to", "f-zero-division", "f-form", "ap-precision"}
    assert closed == {*of_metrics, "report", "span-unit", *of_groups, *cases}
    for name in closed:
        with pytest.raises(rc.ConventionError, match="which the engine knows by name"):
            rc.convention(name).setting("mine", rule="mine")(lambda: None)


def test_equal_settings_hold_the_same_whichever_was_written_first() -> None:
    for first in ["log(base=2, shift=1)", "log(base=2)"]:
        Registry.changed()  # nothing is remembered
        rc.convention("discount")(first)
        assert rc.convention("discount")("log(base=2)").keywords == {"base": 2}
        assert "discount" in rc.metric(f"ndcg(discount={first})@3").idle()


def test_other_spellings_are_those_of_its_settings() -> None:
    for name in CONVENTIONS:
        convention = CONVENTIONS[name]
        assert all(str(convention(setting).text) for setting in convention.words.values())


def test_words_of_texts() -> None:
    house = rc.preset("rankconv")
    for spec, plain in (
        ("dcg(discount=ln)@3", "dcg(discount=log(base=e))@3"),
        ("dcg(discount=log2)@3", "dcg(discount=log(base=2))@3"),
        ("map(ap-denominator=gamma)@3", "map(ap-denominator=relevant)@3"),
        ("map(ap-denominator=min(k, rho))@3", "map(ap-denominator=min(k, length))@3"),
        ("map(on-no-relevant=zero)@3", "map(on-no-relevant=0)@3"),
        ("f1(f-zero-division=zero)@3", "f1(f-zero-division=0)@3"),
    ):
        assert house.define(spec) == house.define(plain)
    with pytest.raises(rc.ConventionError, match="the first k returned, sorted, are ideal=retrieved-at-k"):
        house.define("ndcg(ideal=sorted)@3")


def test_a_word_that_is_not_a_convention() -> None:
    is_setting = r"'exponential' is not a convention, but a setting\. It is a setting of.* gain"
    with pytest.raises(rc.ConventionError, match=is_setting):
        rc.convention("exponential")
    with pytest.raises(rc.ConventionError, match=r"'gian' is not a convention\. Did you mean 'gain'"):
        rc.convention("gian")


def test_a_parameter_that_is_not_read_and_has_no_type_is_refused(greeting: plugin.Convention) -> None:
    """A misspelled name of what a convention reads would be a parameter of users that nobody can give."""
    with pytest.raises(
        rc.ConventionError, match=r"parameter 'grade' without a type.*reads? grades.*Did you mean 'grades'"
    ):

        @rc.convention("gain").setting("square", rule="g^2")
        def _(grade):  # type: ignore[no-untyped-def]
            return grade

    assert "square" not in rc.convention("gain").setting_types
