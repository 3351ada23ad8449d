"""Names that people type first work, or the error says what to type."""

from pathlib import Path

import pytest
import yaml

import rankconv as rc

GUESSES = yaml.safe_load((Path(__file__).parent.parent / "guesses.yaml").read_text())


def test_a_usual_name_works() -> None:
    for guess, meant in GUESSES["works"].items():
        assert rc.metric(guess) == rc.metric(meant)


def test_an_error_says_what_to_type() -> None:
    for guess, fix in GUESSES["corrected"].items():
        with pytest.raises(rc.RankconvError) as raised:
            rc.metric(guess)
        assert fix in str(raised.value)
        if ":" in fix:
            preset = rc.preset(fix.partition(":")[0])
            assert preset.offers(preset.read(fix)) or preset.offers(preset.read(f"{fix}@10"))


def test_a_number_that_may_be_a_cutoff_or_a_parameter_is_refused() -> None:
    for spec in ("rbp.95", "compat_95", "iprec.10"):
        with pytest.raises(rc.MetricError, match="two ways"):
            rc.metric(spec)
    assert rc.metric("rbp_at_95") == rc.metric("rbp@95")


def test_a_preset_by_a_usual_name_of_its_system() -> None:
    for name in ["Ranx", "TorchMetrics", "scikit-learn", "spark", "pytorch"]:
        with pytest.raises(rc.ConventionError, match="Did you mean"):
            rc.preset(name)
