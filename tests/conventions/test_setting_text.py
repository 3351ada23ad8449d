"""The text of a setting: what may be written, and the one spelling that comes of it."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.aggregation.means import AGGREGATE
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.spec import number_text, read_number, split
from rankconv.metrics.gains import DISCOUNT, GAIN
from rankconv.metrics.position import AP_DENOMINATOR as DIVISOR
from rankconv.preparation.steps.labels import RELEVANT
from tests.laws import examples

UNDEFINED = rc.convention("on-zero-division")


@pytest.mark.parametrize("text", ["log(base=2)", "log( base = 2 )", "log (base=2)", " log(base=2.0) ", "log(base=2e0)"])
def test_blanks_and_the_form_of_a_number_do_not_matter(text: str) -> None:
    assert DISCOUNT.validate(text) == "log(base=2)"


def test_a_named_parameter_keeps_its_name_and_another_its_place() -> None:
    assert DISCOUNT.validate("log(shift=2, base=3)") == "log(base=3, shift=2)"
    assert RELEVANT.validate("at-least(level=2)") == RELEVANT.validate("at-least(2)") == "at-least(2)"
    assert AGGREGATE.validate("median(middle=lower)") == "median(lower)"


def test_a_parameter_at_its_default_is_not_written() -> None:
    assert DISCOUNT.validate("log(base=2, shift=1)") == "log(base=2)"
    assert DIVISOR.validate("hits(epsilon=0)") == "hits"
    assert DIVISOR.validate("hits()") == "hits"


@pytest.mark.parametrize("base", ["e", "2.718281828459045"])
def test_the_natural_logarithm_has_base_e(base: str) -> None:
    assert DISCOUNT.validate(f"log(base={base})") == "log(base=e)"


@pytest.mark.parametrize("base", ["1", "0.5", "0", "-2", "ten", "pi"])
def test_a_base_is_a_number_above_1(base: str) -> None:
    with pytest.raises(rc.ConventionError, match=f"'{base}' is not a base: it must be e or a number above 1"):
        DISCOUNT.validate(f"log(base={base})")


@pytest.mark.parametrize("text", ["min(k, relevant)", "min(k,relevant)", "min( k , relevant )"])
def test_settings_inside_a_setting(text: str) -> None:
    assert DIVISOR.validate(text) == "min(k, relevant)"


def test_settings_inside_a_setting_get_their_one_spelling_too() -> None:
    nested = "min(k, min(hits( epsilon = 1e-5 ),labels-above(1.0)))"
    assert DIVISOR.validate(nested) == "min(k, min(hits(epsilon=0.00001), labels-above(1)))"


def test_an_unknown_setting_inside_a_setting_is_named() -> None:
    with pytest.raises(rc.ConventionError, match=r"'relevnat' is not a known setting of .* Did you mean 'relevant'"):
        DIVISOR.validate("min(k, relevnat)")


def test_a_list_of_settings_needs_at_least_one() -> None:
    with pytest.raises(rc.ConventionError, match="it needs at least one part"):
        DIVISOR.validate("min()")


def test_a_table_of_numbers() -> None:
    assert GAIN.validate("table(1=1, 2=5)") == "table(1=1, 2=5)"
    assert GAIN.validate("table( -1 = 2.0,0.5 = 1e-5 )") == "table(-1=2, 0.5=0.00001)"


@pytest.mark.parametrize("number", ["0.00001", "1e-5", "1E-5", ".00001", "0.000010", "+0.00001", 1e-5])
def test_a_small_number_has_one_spelling(number: Any) -> None:
    assert UNDEFINED.validate(number) == "0.00001"
    assert AGGREGATE.validate(f"geometric-mean(floor={number})") == "geometric-mean(floor=0.00001)"


@pytest.mark.parametrize("number", ["2", "2.0", "2.", "02", "2e0", 2, 2.0])
def test_a_whole_number_has_one_spelling(number: Any) -> None:
    assert UNDEFINED.validate(number) == "2"


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(derandomize=True, deadline=None)
def test_a_written_number_is_the_number(number: float) -> None:
    text = number_text(number)
    assert "E" not in text.upper() or text == "e"
    assert text == "e" or read_number(text) == number


@pytest.mark.parametrize("text", ["", "one", "1,5", "1e", "0x1", "1 2", "nan", "inf", "e"])
def test_what_is_no_number(text: str) -> None:
    assert read_number(text) is None


def test_parts_are_split_outside_parentheses_only() -> None:
    assert split("a, min(k, min(b, c)), d") == ["a", "min(k, min(b, c))", "d"]
    assert split(" ") == []


@pytest.mark.parametrize("setting", [True, False])
def test_a_truth_value_is_no_setting(setting: Any) -> None:
    with pytest.raises(rc.ConventionError, match=r"'(True|False)' is not a setting\. Choose one of: .* In YAML, "):
        DISCOUNT.validate(setting)


@pytest.mark.parametrize("setting", [None, [], ["k"], {}, {"log": {"base": 3}}, object])
def test_other_values_are_no_settings(setting: Any) -> None:
    with pytest.raises(rc.ConventionError, match="A setting is text or a number"):
        DISCOUNT.validate(setting)


@pytest.mark.parametrize(
    ("convention_name", "text", "problem"),
    [
        ("discount", "log", r"it needs base\. Write log\(base=…\)"),
        ("discount", "log(2)", "it needs base"),
        ("discount", "log(base=2, bsae=3)", "it takes no parameter 'bsae'"),
        ("discount", "reciprocal(2)", "it takes no parameter '2'"),
        ("relevant", "above", r"it needs level\. Write above\(…\)"),
        ("relevant", "above(1, 2)", "it takes no parameter '2'"),
        ("relevant", "above(high)", "level must be a number, not 'high'"),
        ("round-mean", "exact(2.5)", "decimals must be a whole number, not '2.5'"),
        ("aggregate", "median(upper)", "'upper' is not one of: lower, interpolated"),
        ("gain", "table(1=many)", "levels must be a number, not 'many'"),
        ("gain", "linear(1)", "it takes no parameter '1'"),
    ],
)
def test_parameters_are_checked_by_the_settings_signature(convention_name: str, text: str, problem: str) -> None:
    with pytest.raises(rc.ConventionError, match=problem):
        rc.convention(convention_name).validate(text)


@pytest.mark.parametrize(("convention_name", "text"), [("on-zero-division", "1e999"), ("relevant", "above(1e999)")])
def test_a_number_beyond_a_float_is_refused(convention_name: str, text: str) -> None:
    with pytest.raises(rc.ConventionError):
        rc.convention(convention_name).validate(text)


@pytest.mark.parametrize(("convention_name", "given"), [("on-zero-division", 10**400), ("round-mean", "exact(1e999)")])
def test_an_integer_beyond_a_float_is_refused(convention_name: str, given: Any) -> None:
    with pytest.raises(rc.ConventionError):
        rc.convention(convention_name).validate(given)


@pytest.mark.parametrize("given", ["-0", -0.0])
def test_minus_zero_is_zero(given: Any) -> None:
    assert UNDEFINED.validate(given) == "0"


def test_eulers_number_is_a_number_outside_bases() -> None:
    text = RELEVANT.validate(f"above({math.e})")
    assert RELEVANT.validate(text) == text != "above(e)"
    assert UNDEFINED(math.e).keywords == {"value": math.e}


@pytest.mark.parametrize(("one", "other"), [("table(1=1, 2=5)", "table(2=5, 1=1)"), ("table(1=1)", "table(1.0=1)")])
def test_equal_tables_have_one_spelling(one: str, other: str) -> None:
    assert GAIN.validate(one) == GAIN.validate(other)


@pytest.mark.parametrize("text", ["table", "table()", "table(x=1)"])
def test_a_table_of_anything_but_grades_is_refused(text: str) -> None:
    with pytest.raises(rc.ConventionError):
        GAIN.validate(text)


@pytest.mark.parametrize("text", ["log(base=2, base=3)"])
def test_a_parameter_given_twice_is_refused(text: str) -> None:
    with pytest.raises(rc.ConventionError):
        DISCOUNT.validate(text)


def test_the_order_inside_a_minimum_does_not_matter() -> None:
    assert DIVISOR.validate("min(relevant, k)") == DIVISOR.validate("min(k, relevant)")


@pytest.mark.parametrize(
    ("convention_name", "setting", "said"),
    [
        ("round-mean", "numpy(309)", "decimals must be from 0 to 17, not '309'"),
        ("round-user", "exact(-1)", "decimals must be from 0 to 17, not '-1'"),
        ("discount", "log(base=2, shift=0.0000001)", "shift must be from 0.000001 to 1000000, not '0.0000001'"),
        ("gain", "exponential-over(1025)", "highest must be from 0.000001 to 1000, not '1025'"),
        ("gain", "table(1=1e308)", "cannot be 1e308. The size of a number in a setting is 0, or from 1e-100 to 1e+100"),
        (
            "on-no-relevant",
            "1e200",
            "1e+200 is not a setting of 'on-no-relevant'. The size of a number in a setting is 0, or",
        ),
        ("beta", "1e7", "It must be at least 0 and at most 1e+06"),
        ("r-precision-at", "multiple(1e308)", "of must be from 0.000001 to 1000000, not '1e308'"),
        ("recall-denominator", "hits(epsilon=-1)", "epsilon must be from 0 to 1000000, not '-1'"),
        ("ap-denominator", "min(" * 21 + "k" + ")" * 21, "is nested too deep. Settings nest at most 20 deep"),
    ],
)
def test_what_no_float_can_carry_is_refused_with_what_is_allowed(convention_name: str, setting: str, said: str) -> None:
    with pytest.raises(rc.ConventionError) as error:
        rc.convention(convention_name)(setting)
    assert said in str(error.value)


def test_20_settings_may_nest_and_data_are_none() -> None:
    assert rc.convention("ap-denominator").validate("min(" * 20 + "k" + ")" * 20)
    deep: object = "k"
    for _ in range(100_000):
        deep = {"min": [deep]}
    with pytest.raises(rc.ConventionError, match="is not a setting"):
        rc.convention("ap-denominator")(deep)


@pytest.mark.parametrize("text", ["1" * 100_000 + "x", "." * 100_000, "1." + "1" * 100_000 + "e", "e" * 100_000])
def test_a_long_number_is_read_in_one_pass(text: str) -> None:
    assert read_number(text) is None


def test_a_later_parameter_is_named_where_one_before_it_is_left_out() -> None:
    """Else its value would be read as that of the one before it, once the text is read anew."""
    parts = CONVENTIONS["roc-range"]
    for text in ("false-positive-rate(0, 0.1)", "false-positive-rate(high=0.1)"):
        setting = parts._read(text)
        assert setting.text == "false-positive-rate(high=0.1)"
        assert parts._read(setting.text).keywords == setting.keywords
    assert parts("false-positive-rate(0.1)").text == "false-positive-rate(0.1)"
    assert parts._read("false-positive-rate(0.1, 0.2)").text == "false-positive-rate(0.1, 0.2)"


def test_the_text_of_every_setting_of_a_preset_reads_back() -> None:
    for name in rc.list_presets(eras=True)[:: examples.of(quick=4, ci=1)]:
        preset = rc.preset(name)
        for key in preset.metrics:
            for convention, text in preset.settings_of(key, None).items():
                read, kept = CONVENTIONS[convention]._read(text), CONVENTIONS[convention](text)
                assert (read.text, read.keywords) == (kept.text, kept.keywords), (name, key, convention)
