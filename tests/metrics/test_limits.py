"""Which numbers may stand in a setting: the limits themselves, and nothing beyond them."""

import pytest

import rankconv as rc

LIMITS: list[tuple[str, str, float, float | None]] = [
    ("beta", "{}", 0, 1e6),
    ("recall-level", "{}", 0, 1),
    ("compat-persistence", "{}", 0, 1),
    ("pfound-decay", "{}", 0, 1),
    ("cwl-continuation", "{}", 0, 1),
    ("cwl-max-rank", "{}", 1, 1e6),
    ("rbp-persistence", "{}", 0, 1),
    ("max-depth", "{}", 1, None),
    ("min-rows", "{}", 0, None),
    ("round-user", "numpy({})", 0, 17),
    ("round-mean", "exact({})", 0, 17),
    ("r-precision-at", "multiple({})", 1e-6, 1e6),
    ("gain", "exponential-over({})", 1e-6, 1000),
    ("discount", "log(base=2, shift={})", 1e-6, 1e6),
    ("precision-denominator", "hits(epsilon={})", 0, 1e6),
]
"""The least and the greatest number; probabilities and shares lie between 0 and 1."""
ABOVE_0 = [("gain", "linear-over({})"), ("aggregate", "geometric-mean(floor={})")]
NO_LOGARITHM = [("discount", f"log(base=2, shift={shift})") for shift in (0, -1, -3)]


def test_the_limits_are_allowed_and_nothing_beyond() -> None:
    allowed = [(name, setting.format("0.0001")) for name, setting in ABOVE_0]
    refused = [(name, setting.format("0")) for name, setting in ABOVE_0] + NO_LOGARITHM
    for name, setting, least, most in LIMITS:
        whole = name.startswith("round")
        allowed += [(name, setting.format(f"{one:.7f}".rstrip("0").rstrip("."))) for one in (least, most or least)]
        refused.append((name, setting.format("-1" if whole else f"{least - 1e-7:.7f}")))
        if most is not None:
            refused.append((name, setting.format(f"{most + 1:g}" if whole else f"{most + 0.5:.1f}")))
    for name, setting in allowed:
        assert rc.convention(name).validate(setting), (name, setting)
    for name, setting in refused:
        with pytest.raises(rc.ConventionError):
            rc.convention(name).validate(setting)
