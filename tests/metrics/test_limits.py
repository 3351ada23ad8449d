"""Which numbers may stand in a setting: the limits themselves, and nothing beyond them."""

import pytest

import rankconv as rc

LIMITS: dict[str, tuple[str, float, float | None]] = {
    "beta": ("{}", 0, 1e6),
    "recall-level": ("{}", 0, 1),
    "compat-persistence": ("{}", 0, 1),
    "pfound-decay": ("{}", 0, 1),
    "cwl-continuation": ("{}", 0, 1),
    "cwl-max-rank": ("{}", 1, 1e6),
    "rbp-persistence": ("{}", 0, 1),
    "max-depth": ("{}", 1, None),
    "min-rows": ("{}", 0, None),
    "round-user": ("numpy({})", 0, 17),
    "round-mean": ("exact({})", 0, 17),
    "r-precision-at": ("multiple({})", 1e-6, 1e6),
    "gain": ("exponential-over({})", 1e-6, 1000),
    "discount": ("log(base=2, shift={})", 1e-6, 1e6),
    "precision-denominator": ("hits(epsilon={})", 0, 1e6),
}
"""The least and the greatest number; probabilities and shares lie between 0 and 1."""
ABOVE_0 = {"gain": "linear-over({})", "aggregate": "geometric-mean(floor={})"}


@pytest.mark.parametrize("convention_name", LIMITS)
def test_the_limits_are_allowed_and_nothing_beyond(convention_name: str) -> None:
    setting, least, most = LIMITS[convention_name]
    convention, whole = rc.convention(convention_name), convention_name.startswith("round")
    for number in (least, most):
        assert number is None or convention.validate(setting.format(f"{number:.7f}".rstrip("0").rstrip(".")))
    below = "-1" if whole else f"{least - 1e-7:.7f}"
    above = None if most is None else f"{most + 1:g}" if whole else f"{most + 0.5:.1f}"
    for beyond in (below, above):
        if beyond is not None:
            with pytest.raises(rc.ConventionError):
                convention.validate(setting.format(beyond))


@pytest.mark.parametrize("convention_name", ABOVE_0)
def test_0_is_not_allowed_and_what_lies_above_is(convention_name: str) -> None:
    convention = rc.convention(convention_name)
    assert convention.validate(ABOVE_0[convention_name].format("0.0001"))
    with pytest.raises(rc.ConventionError):
        convention.validate(ABOVE_0[convention_name].format("0"))
