"""Questions and their answers: what is accepted, what is refused, and how both are added."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

import rankconv as rc
from rankconv import plugin
from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES, Averaging
from rankconv.judging.pipeline import Judging
from rankconv.metrics import METRICS
from rankconv.questions.choice import NUMBER, QUESTIONS, Option, Registry
from rankconv.questions.parameters import Base, InOrder, Within
from tests.together import together

each_question = pytest.mark.parametrize("choice", QUESTIONS.values(), ids=list(QUESTIONS))
all_questions = together(
    "choice", [pytest.param(*one, id=name) for name, *one in QUESTIONS.items()], by=lambda _: "all"
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
        if not isinstance(mark, plugin.Choice):
            above = 1 if isinstance(mark, Base) else 0
            return numbers.filter(lambda number: number > above).map(str) | st.just("e" if above else "0.5")
        return st.sampled_from(INSIDE[mark.name])
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    return (st.integers(-99, 99) if kind is int else numbers).map(str)


def mark_of(option: Option, name: str) -> Any:
    """What marks the type of a parameter; None where nothing does."""
    kind = option.parameters.types.get(name)
    return get_args(kind)[1] if get_origin(kind) is Annotated else None


@st.composite
def written(draw: st.DrawFn, option: Option) -> str:
    """An answer as a user might write it, with or without the parameters that have defaults."""
    if option.name == NUMBER:
        return str(min(max(draw(numbers), option.traits["least"]), option.traits["most"]))
    inside: list[str] = []
    for p in option.parameters.own:
        one = parameter(option.parameters.types[p.name])
        if isinstance(mark_of(option, p.name), InOrder):
            names = st.sampled_from([*mark_of(option, p.name).of])
            inside += draw(st.lists(names, min_size=mark_of(option, p.name).least, max_size=4, unique=True))
        elif p.kind is p.VAR_POSITIONAL:
            inside += draw(st.lists(one, min_size=1, max_size=3))
        elif p.kind is p.VAR_KEYWORD:
            inside += [f"{grade}={draw(one)}" for grade in draw(st.sets(st.integers(-2, 5), min_size=1))]
        elif p.default is p.empty or draw(st.booleans()):
            by_name = p.kind is p.KEYWORD_ONLY or draw(st.booleans())
            inside.append(f"{p.name} = {draw(one)}" if by_name else draw(one))
    return f"{option.name}({draw(st.sampled_from([', ', ',', ' , '])).join(inside)})" if inside else option.name


@each_question
@settings(derandomize=True, deadline=None, max_examples=6)
@given(data=st.data())
def test_an_answer_has_one_spelling_that_reads_back(choice: plugin.Choice, data: st.DataObject) -> None:
    for option in choice.options.values():
        text = data.draw(written(option))
        once = choice.validate(text)
        assert choice.validate(once) == once
        answer, again = choice(text), choice(once)
        assert answer.option is again.option is option
        assert (answer.arguments, dict(answer.keywords)) == (again.arguments, dict(again.keywords))


def test_every_question_is_asked_by_judging_averaging_or_a_metric() -> None:
    asked = {question for part in (Judging, Averaging, *METRICS.values()) for question in part.questions()}
    assert set(QUESTIONS) == asked


def test_the_questions_are_complete_from_the_start() -> None:
    code = "from rankconv.presets import definition; from rankconv.questions.choice import QUESTIONS; print(*QUESTIONS)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == set(QUESTIONS)


@all_questions
def test_every_answer_has_a_rule_and_a_line_about_it(choice: plugin.Choice) -> None:
    assert choice.options
    assert all(option.rule and option.about.endswith(".") for option in choice.options.values())


@all_questions
def test_an_unknown_answer_is_told_all_known_ones(choice: plugin.Choice) -> None:
    with pytest.raises(rc.ConventionError) as error:
        choice.validate("quux-frob")
    assert str(error.value).endswith(f" {choice.noun}. Choose one of: {', '.join(choice.names)}.")


@pytest.mark.parametrize(
    ("question", "text", "near"),
    [
        ("gain", "exponentail", "exponential"),
        ("gain", "Exponential", "exponential"),
        ("discount", "lgo(base=2)", "log"),
        ("ties", "item-decending", "item-descending"),
        ("on-zero-division", "skipped", "skip"),
    ],
)
def test_an_unknown_answer_is_told_the_nearest(question: str, text: str, near: str) -> None:
    with pytest.raises(rc.ConventionError, match=rf"^'{text[:3]}.*Did you mean '{near}'\?$"):
        rc.convention(question).validate(text)


def test_an_unknown_question_is_told_the_nearest() -> None:
    with pytest.raises(rc.ConventionError, match=r"'gian' is not a question.*Did you mean 'gain'"):
        rc.convention("gian")


def test_a_number_answers_only_where_numbers_do() -> None:
    assert rc.convention("on-zero-division").validate(0) == "0"
    with pytest.raises(rc.ConventionError, match="'0' is not a gain"):
        rc.convention("gain").validate(0)


# adding questions and answers


@pytest.fixture
def greeting() -> Iterator[plugin.Choice]:
    choice = plugin.Choice("greeting", "How do we greet?", reads=("person",), neutral="plain")

    @choice.option("plain", rule="the name")
    def _(person: str) -> str:
        """Just so."""
        return person

    @choice.option("loud", rule="the name, n marks", cite="shouting2001")
    def _(person: str, *, marks: int = 1) -> str:
        """With marks."""
        return person + "!" * marks

    yield choice
    del QUESTIONS["greeting"]


def test_an_answer_is_carried_out_with_its_parameters(greeting: plugin.Choice) -> None:
    assert greeting("plain")(person="Ada") == "Ada"
    assert greeting("loud")(person="Ada") == "Ada!"
    assert greeting("loud(marks=3)")(person="Ada", weather="fine") == "Ada!!!"


def test_equal_answers_are_one_object(greeting: plugin.Choice) -> None:
    assert greeting("loud(marks=1)") is greeting("loud")


def test_an_answer_defined_again_in_the_same_module_replaces(greeting: plugin.Choice) -> None:
    assert greeting("plain")(person="Ada") == "Ada"

    @greeting.option("plain", rule="hello and the name")
    def _(person: str) -> str:
        """Politer."""
        return f"hello {person}"

    assert greeting("plain")(person="Ada") == "hello Ada"
    assert greeting.names == ["plain", "loud"]


def test_an_answer_of_that_name_from_another_module_is_an_error(greeting: plugin.Choice) -> None:
    def other(person: str) -> str:
        """From elsewhere."""
        return person

    other.__module__ = "elsewhere"
    with pytest.raises(rc.ConventionError, match=r"'plain' already answers greeting, in .*test_choice"):
        greeting.option("plain", rule="x")(other)
    assert greeting.options["plain"].rule == "the name"


def test_a_question_of_that_name_from_another_module_is_an_error() -> None:
    gain = rc.convention("gain")
    with pytest.raises(rc.ConventionError, match=r"the question 'gain' is already asked by rankconv\."):
        plugin.Choice("gain", "What is a grade worth?")
    assert rc.convention("gain") is gain


def test_a_question_asked_again_in_the_same_module_replaces(greeting: plugin.Choice) -> None:
    again = plugin.Choice("greeting", "How do we greet today?", neutral="wave")
    assert rc.convention("greeting") is again


def test_questions_that_share_answers_share_later_ones_too(greeting: plugin.Choice) -> None:
    farewell = plugin.Choice("farewell", "How do we part?", options_of=greeting)
    try:

        @greeting.option("silent", rule="nothing")
        def _() -> str:
            """Not a word."""
            return ""

        @farewell.option("waving", rule="a hand")
        def _() -> str:
            """No word either."""
            return "o/"

        assert farewell("silent")(person="Ada") == ""
        assert farewell.names == ["plain", "loud", "silent", "waving"]
        assert greeting.names == ["plain", "loud", "silent"]
    finally:
        del QUESTIONS["farewell"]


def test_a_shared_answer_defined_again_replaces_everywhere(greeting: plugin.Choice) -> None:
    farewell = plugin.Choice("farewell", "How do we part?", options_of=greeting)
    try:
        assert farewell("plain")(person="Ada") == "Ada"

        @greeting.option("plain", rule="bye and the name")
        def _(person: str) -> str:
            """Politer."""
            return f"bye {person}"

        assert farewell("plain")(person="Ada") == "bye Ada"
    finally:
        del QUESTIONS["farewell"]


# pydantic and JSON Schema


def test_a_choice_is_an_annotation(greeting: plugin.Choice) -> None:
    class Letter(BaseModel):
        opening: Annotated[str, greeting]

    assert Letter(opening="loud( marks = 2 )").opening == "loud(marks=2)"
    with pytest.raises(ValidationError, match=r"'lout' is not a known answer to 'greeting'.*Did you mean 'loud'\?"):
        Letter(opening="lout")


def test_the_schema_lists_each_answer_with_its_rule(greeting: plugin.Choice) -> None:
    assert greeting.json_schema == {
        "description": "How do we greet?",
        "oneOf": [
            {"const": "plain", "description": "the name. Just so."},
            {"const": "loud", "description": "the name, n marks. With marks."},
            {"type": "string", "pattern": r"^loud\(.*\)$", "description": "the name, n marks. With marks."},
            {
                "type": "object",
                "properties": {"loud": {}},
                "required": ["loud"],
                "additionalProperties": False,
                "description": "the name, n marks. With marks.",
            },
        ],
    }


def test_a_model_has_the_schema_of_its_choices(greeting: plugin.Choice) -> None:
    class Letter(BaseModel):
        opening: Annotated[str, greeting]

    assert Letter.model_json_schema()["properties"]["opening"]["oneOf"] == greeting.json_schema["oneOf"]


@each_question
@settings(derandomize=True, deadline=None, max_examples=2)
@given(data=st.data())
def test_the_schema_accepts_what_is_an_answer(choice: plugin.Choice, data: st.DataObject) -> None:
    schema = jsonschema.Draft202012Validator(choice.json_schema)
    for option in choice.options.values():
        text = choice.validate(data.draw(written(option)))
        schema.validate(float(text) if option.name == NUMBER else text)


@all_questions
def test_the_schema_refuses_what_is_none(choice: plugin.Choice) -> None:
    schema = jsonschema.Draft202012Validator(choice.json_schema)
    assert not any(schema.is_valid(other) for other in ("quux-frob", True, None, [], {"quux": 1}))


@pytest.mark.parametrize(
    ("question", "answer"),
    [("discount", {"log": {"base": 3}}), ("ap-denominator", {"min": ["k", "relevant"]}), ("on-zero-division", 0.5)],
)
def test_the_schema_accepts_what_yaml_may_say_instead(question: str, answer: Any) -> None:
    jsonschema.validate(answer, rc.convention(question).json_schema)


def test_questions_that_the_engine_knows_by_name_take_no_other_answers() -> None:
    closed = {name for name, choice in QUESTIONS.items() if choice.closed}
    cases = {name for cases in (CAUSES, DATA_CAUSES, JUDGED_CAUSES) for name in cases}
    of_groups = {"subtopics", "subtopic-weight", "no-subtopic"}
    assert closed == {"k-accepted", "k-applies-to", "f-zero-division", "report", "ap-precision", *of_groups, *cases}
    for name in closed:
        with pytest.raises(rc.ConventionError, match="which the engine knows by name"):
            rc.convention(name).option("mine", rule="mine")(lambda: None)


@pytest.mark.parametrize("first", ["log(base=2, shift=1)", "log(base=2)"])
def test_equal_answers_hold_the_same_whichever_was_written_first(first: str) -> None:
    Registry.changed()  # nothing is remembered
    rc.convention("discount")(first)
    assert rc.convention("discount")("log(base=2)").keywords == {"base": 2}
    assert "discount" in rc.metric(f"ndcg(discount={first})@3").idle()
