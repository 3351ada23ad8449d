"""Which numbers may stand in a setting: the limits themselves, and nothing beyond them."""

from collections import Counter
from math import inf, nextafter
from typing import get_args

import pytest

import rankconv as rc
import rankconv.presets.systems
from rankconv.aggregation import POLICIES
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.parameters import Above, Within

LIMITS = """
    labels-used             0 1e9  first-k-and-ties(tolerance={})
    candidates              0 1e6  padded(rows={})
    max-depth               1 inf  {}
    max-depth               0 1    share({})
    max-depth               0 1    share-of-labels({})
    k-accepted              2 1e6  at-least({})
    precision-denominator   0 1e6  hits(epsilon={})
    recall-denominator      0 1e6  hits(epsilon={})
    r-precision-denominator 0 1e6  hits(epsilon={})
    ap-denominator          0 1e6  hits(epsilon={})
    gain-denominator        0 1e6  hits(epsilon={})
    rank-denominator        0 1e6  hits(epsilon={})
    auc-denominator         0 1e6  hits(epsilon={})
    judged-denominator      0 1e6  hits(epsilon={})
    r-precision-at          0 1e6  hits(epsilon={})
    r-precision-at       1e-6 1e6  multiple({})
    beta                    0 1e6  {}
    item-weight             0 10   jain(a={})
    item-weight             0 10   popularity(power={})
    item-weight             0 1    popularity(clip={})
    item-weight             0 100  position(eta={})
    item-weight             0 1    position(clip={})
    missing-weight          0 inf  {}
    weight-clip             0 inf  {}
    distance-tolerance      0 1e9  absolute({})
    distance-tolerance      0 1e9  relative({})
    rr-hits                 0 1e6  grades(epsilon={})
    rr-hits                 1 1e6  first-hit-by-place(step={})
    gain                 1e-6 1000 exponential-over({})
    discount             1e-6 1e6  log(base=2, shift={})
    discount             1e-6 1000 exponential-of-length({})
    discount                0   1  geometric({})
    ideal                   1 2147483648 retrieved-at({})
    ideal-cutoff            1 2147483648 at({})
    pfound-decay            0 1    {}
    rbp-persistence         0 1    {}
    cwl-continuation        0 1    {}
    cwl-continuation        0 1e6  gain-below-moving(1, moves={}, middle=1)
    cwl-continuation        0 1e6  gain-below-moving(1, moves=1, middle={})
    cwl-continuation        0 1e6  cost-below-moving(1, moves={}, middle=1)
    cwl-continuation        0 1e6  cost-below-moving(1, moves=1, middle={})
    cwl-continuation        0 1e6  ift-goal(target={}, b=1, r=1)
    cwl-continuation        0 1e6  ift-goal(target=1, b=1, r={})
    cwl-continuation        0 1e6  ift-rate(rate={}, b=1, r=1)
    cwl-continuation        0 1e6  ift-rate(rate=1, b=1, r={})
    cwl-max-rank            1 1e6  {}
    span-match              0 1    at-least(share={})
    calls                   0 1e9  rrf(constant={})
    cwl-unjudged-gain       0 1e6  highest({})
    cwl-unjudged-gain       0 1e6  residual({})
    roc-range               0 1    false-positive-rate(low={})
    roc-range               0 1    false-positive-rate(high={})
    roc-range               0 1    true-positive-rate(low={})
    roc-range               0 1    true-positive-rate(high={})
    recall-level            0 1    {}
    recall-levels           0 1    at({})
    unreached-recall       -1 1    {}
    utility-weights      -1e6 1e6  weights({}, 0)
    utility-weights      -1e6 1e6  weights(0, {})
    utility-weights      -1e6 1e6  weights(0, 0, {})
    compat-persistence      0 1    {}
    credit                  0 1    partial({})
    credit                  0 1    partial-with-full({})
    nugget-denominator      1 100  gains-of-each-grade({})
    grade-words             0 1000000000 numbers(a={})
    grade-words             0 1000000000 numbers(other={}, a=1)
    score-words             0 1000000000 numbers(a={})
    score-words             0 1000000000 numbers(other={}, a=1)
    labels-used             1 1e9  first({}, by-grade)
    unseen-item             0 inf  {}
    item-novelty            0 1    self-information(base=2, epsilon={})
    subtopic-ideal          1 1e6  every-subtopic(first={})
    subtopic-alpha          0 1    {}
    nrbp-patience           0 1    {}
    min-rows                0 inf  {}
    aggregate               0 100  percentile({})
    round-user              0 17   numpy({})
    round-user              0 17   exact({})
    round-mean              0 17   numpy({})
    round-mean              0 17   exact({})
    users                   1 1e9  first({})
    score-transform         2 1e6  even-thresholds({})
    item-group              0 1    popularity-head({}, reached)
    exposure                0 1    geometric({})
    exposure                0 1    gerr({}, 0.5)
    exposure                0 1    gerr(0.5, {})
    exposure-target         1 1e6  of-groups({})
    group-spread            1 1000 std-over-mean(least={})
"""
"""Of each setting with a bound the least and the greatest number; probabilities and shares lie between 0 and 1."""
ABOVE_0 = """
    item-weight       jain(b={})
    gain              linear-over({})
    gain              linear-times({})
    cwl-continuation  insq({})
    cwl-continuation  half-life({})
    cwl-continuation  line({})
    cwl-continuation  inst({})
    cwl-continuation  gain-below({})
    cwl-continuation  cost-below({})
    cwl-continuation  gain-below-moving({}, moves=1, middle=1)
    cwl-continuation  cost-below-moving({}, moves=1, middle=1)
    cwl-continuation  ift-goal(target=1, b={}, r=1)
    cwl-continuation  ift-rate(rate=1, b={}, r=1)
    row-weight        geometric(patience={})
    exposure          geometric(0.5, scale={})
    aggregate         geometric-mean(floor={})
    aggregate         smoothed(by={})
    on-no-relevant    numerator-over({})
"""
"""Settings that take any number above 0."""


def rows(table: str, columns: int) -> list[list[str]]:
    """The lines of a table."""
    return [line.split(maxsplit=columns - 1) for line in table.strip().splitlines()]


BEYOND = r"must be (at least|at most|above \d|from -?[\d.]+ to -?\d|a whole number)"


@pytest.mark.parametrize(("convention_name", "least", "most", "form"), rows(LIMITS, 4))
def test_the_limits_are_taken_and_nothing_beyond(convention_name: str, least: str, most: str, form: str) -> None:
    for limit, side in ((least, -1.0), (most, 1.0)):
        if limit != "inf":
            assert rc.convention(convention_name).validate(form.format(limit))
            for beyond in (nextafter(float(limit), side * inf), float(limit) + side):
                with pytest.raises(rc.ConventionError, match=BEYOND):
                    rc.convention(convention_name).validate(form.format(repr(beyond).removesuffix(".0")))


@pytest.mark.parametrize(("convention_name", "form"), rows(ABOVE_0, 2))
def test_every_number_above_0_is_taken(convention_name: str, form: str) -> None:
    assert rc.convention(convention_name).validate(form.format("0.0001"))
    with pytest.raises(rc.ConventionError, match=BEYOND):
        rc.convention(convention_name).validate(form.format("0"))


@pytest.mark.parametrize("setting", ["log(base={})", "log-from-rank(base={})"])
def test_a_base_is_above_1(setting: str) -> None:
    assert rc.convention("discount").validate(setting.format("1.0001"))
    for base in ("1", "0.5", "0", "-2"):
        with pytest.raises(rc.ConventionError, match="must be e or a number above 1"):
            rc.convention("discount").validate(setting.format(base))


def test_every_limit_has_a_row() -> None:
    """Policies have one number, which may be any, also in `nan-as`, and `numerator-over`."""
    bounded, above = Counter[str](), Counter[str]()
    for one in CONVENTIONS.values():
        for kind in one.setting_types.values():
            marks = [mark for own in kind.parameters.types.values() for mark in get_args(own)]
            bounded[one.name] += sum(isinstance(mark, Within) for mark in marks if kind.name != "nan-as")
            bounded[one.name] += bool(kind.traits.range) and kind.traits.range != (-inf, inf)
            above[one.name] += sum(isinstance(mark, Above) for mark in marks if one.name not in POLICIES)
    assert +bounded == Counter(name for name, *_ in rows(LIMITS, 4))
    assert +above == Counter(name for name, _ in rows(ABOVE_0, 2) if name not in POLICIES)
