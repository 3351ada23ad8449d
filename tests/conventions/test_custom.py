"""Plain functions as answers: the number is that of the named answer they copy, and nothing claims to name them."""

import copy
import json
import math
import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.custom_setting import CustomText
from rankconv.engine import plan

LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}
SCORED = {"ada": {"a": 0.9, "x": 0.5, "b": 0.5}, "bob": {"y": 0.7, "c": 0.2}}


def square(grade: float) -> float:
    return grade**2


def exponential(grade: float) -> float:
    return 2.0**grade - 1


SQUARE = rc.NDCG(k=10, gain=square)


def many(seed: int = 3) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Labels and scored lists, some scores tied, of enough users for the fast way."""
    draw, items = np.random.default_rng(seed), np.array([f"i{item}" for item in range(60)])

    def rows(count: int, numbers: Any) -> dict[str, Any]:
        return dict(zip(draw.choice(items, count, False).tolist(), numbers.tolist(), strict=True))

    labels = {f"u{user}": rows(9, draw.integers(0, 4, 9)) for user in range(70)}
    return labels, {user: rows(20, draw.integers(0, 9, 20) / 8.0) for user in labels}


SAME: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "gain": (rc.NDCG, {"gain": exponential}, {"gain": "exponential"}),
    "gain with if": (rc.CG, {"gain": lambda g: g if g < 2 else 5}, {"gain": "table(2=5, 3=5)"}),
    "gain from a mapping": (rc.CG, {"gain": {0: 0, 1: 1, 2: 4, 3: 9}.get}, {"gain": "table(2=4, 3=9)"}),
    "discount": (rc.NDCG, {"discount": lambda rank: 1 / math.log2(rank + 1)}, {"discount": "log(base=2)"}),
    "discount from a list": (
        rc.DCG,
        {"discount": lambda rank: [1, 0.5, 0.25, *[0] * 60][rank - 1], "gain": "binary"},
        {"discount": lambda rank: 0.5 ** (rank - 1) if rank < 4 else 0, "gain": "binary"},
    ),
    "relevant": (rc.Precision, {"relevant": lambda g: g >= 2}, {"relevant": "at-least(2)"}),
    "relevant under averaged ties": (
        rc.NDCG,
        {"relevant": lambda g: g >= 2, "gain": "binary", "order": "score", "ties": "expected"},
        {"relevant": "at-least(2)", "gain": "binary", "order": "score", "ties": "expected"},
    ),
    "mean": (rc.Recall, {"aggregate": max}, {"aggregate": "maximum"}),
    "mean of an array": (rc.Recall, {"aggregate": np.median}, {"aggregate": "median(interpolated)"}),
    "round-user": (rc.Recall, {"round_user": lambda value: round(value, 1)}, {"round_user": "exact(1)"}),
    "round-mean": (rc.Recall, {"round_mean": partial(round, ndigits=2)}, {"round_mean": "exact(2)"}),
    "beta-form": (rc.F, {"beta": 2, "beta_form": square}, {"beta": 2, "beta_form": "squared"}),
    "recall-rounding": (
        rc.InterpolatedPrecision,
        {"recall_level": 0.4, "recall_rounding": lambda wanted: math.floor(wanted + 0.9)},
        {"recall_level": 0.4, "recall_rounding": "up-0.9"},
    ),
}
"""What is made, with a function, and with the answer that does the same."""


@pytest.mark.parametrize("case", SAME)
def test_a_function_gives_what_the_setting_gives_that_it_copies(case: str) -> None:
    made, given, named = SAME[case]
    k = 10 if made.strategy is not rc.InterpolatedPrecision.strategy else None
    ours, theirs = made(k=k, **given), made(k=k, **named)
    for labels, run in (LABELS, SCORED), many():
        assert ours(labels, run).per_user.tobytes() == theirs(labels, run).per_user.tobytes()
        assert ours(labels, run) == theirs(labels, run)


def test_both_ways_ask_the_function_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    definition, (labels, run) = rc.NDCG(k=5, gain=square, discount=lambda rank: 1 / rank), many()
    fast = definition(labels, run).per_user.tolist()
    monkeypatch.setattr(plan, "FEW_ROWS", 10**9)
    assert definition(labels, run).per_user.tolist() == fast


def test_one_number_after_another_is_given() -> None:
    """So nothing can hang on who else is in the block; a rank is whole, and no further rank is asked for."""
    grades: list[Any] = []
    ranks: list[Any] = []
    asked = rc.DCG(gain=lambda g: grades.append(g) or g, discount=lambda r: ranks.append(r) or 1)
    asked({"u": {"a": 2, "b": 0.5, "c": 2}}, {"u": ["a", "x", "b"]})
    assert (set(grades), set(ranks)) == ({2.0, 0.5}, {1, 2, 3})
    assert {type(one) for one in grades} == {float}
    assert {type(one) for one in ranks} == {int}


def test_what_a_function_reads_may_change() -> None:
    by = {"power": 1}
    definition = rc.DCG(k=3, discount=lambda rank: rank ** -by["power"])
    before = definition(LABELS, RUN)
    by["power"] = 2
    assert definition(LABELS, RUN).per_user.tolist() == [3 + 1 / 9, 1 / 4]
    assert before.per_user.tolist() == [3 + 1 / 3, 1 / 2]


# what it is called, and what it equals


def test_it_is_called_custom_and_made_again_by_its_repr() -> None:
    assert SQUARE.settings["gain"] == CustomText(square)
    assert (str(SQUARE.settings["gain"]), SQUARE.text) == ("custom(square)", "rankconv:ndcg(gain=custom(square))@10")
    assert repr(SQUARE) == "rc.metric('rankconv:ndcg@10').replace(gain=square)"
    assert eval(repr(SQUARE), {"rc": rc, "square": square}) == SQUARE
    unnamed = SQUARE.replace(gain=lambda g: g, ties="reversed", k=3)
    assert unnamed.text == "rankconv:ndcg(ties=reversed, gain=custom(…))@3"
    assert repr(unnamed) == "rc.metric('rankconv:ndcg(ties=reversed)@3').replace(gain=<lambda>)"
    assert str(rc.NDCG(gain=partial(math.pow, 2)).settings["gain"]) == "custom(…)"


def test_one_function_is_equal_and_so_is_one_code_of_one_module() -> None:
    def made() -> Any:
        return lambda grade: grade + 1

    bound = [lambda grade, by=by: grade * by for by in (1, 2)]
    assert rc.NDCG(k=10, gain=square) == SQUARE == rc.metric("ndcg@10").replace(gain=square)
    assert rc.NDCG(gain=made()) == rc.NDCG(gain=made())
    assert rc.NDCG(gain=bound[0]) != rc.NDCG(gain=bound[1])
    assert rc.NDCG(k=10, gain=exponential) != SQUARE
    assert rc.NDCG(k=10) != SQUARE
    assert CustomText(square) != "custom(square)"
    assert CustomText(square) != "custom(square)"
    assert len({SQUARE, rc.NDCG(k=10, gain=square), rc.NDCG(k=10, gain=exponential)}) == 2
    assert SQUARE.diff(rc.NDCG(k=10)) == {"gain": (CustomText(square), "linear")}
    assert SQUARE.replace(gain="linear") == rc.NDCG(k=10)


def test_another_module_with_the_same_code_is_another_function() -> None:
    """Its globals may change on their own."""
    spaces: list[dict[str, Any]] = [{"by": 1}, {"by": 1}]
    for space in spaces:
        exec("def times(grade): return grade * by", space)
    assert rc.NDCG(gain=spaces[0]["times"]) != rc.NDCG(gain=spaces[1]["times"])


def test_two_that_are_called_alike_do_not_stand_for_each_other() -> None:
    one, other = rc.CG(k=1, gain=lambda g: g), rc.CG(k=1, gain=lambda g: g * 10)
    assert (one.text, one(LABELS, RUN), other(LABELS, RUN)) == (other.text, 1.5, 15)
    for asked in (rc.evaluate, rc.compare):
        with pytest.raises(rc.MetricError, match=r"two different definitions are called 'rankconv:cg\(gain=custom\(…"):
            asked(LABELS, RUN, [one, other])
    table = rc.compare(LABELS, RUN, {"one": one, "other": other})
    assert [table["cg@1", name] for name in table.presets] == [1.5, 15]
    assert table.separating == {"other": {"gain=custom(…)": ["cg@1"]}}


def test_it_is_copied_and_pickled_where_it_has_a_name() -> None:
    for again in (copy.copy(SQUARE), copy.deepcopy(SQUARE), pickle.loads(pickle.dumps(SQUARE))):
        assert again == SQUARE
        assert again(LABELS, RUN) == SQUARE(LABELS, RUN)
    number = pickle.loads(pickle.dumps(SQUARE(LABELS, RUN)))
    assert number.definition == SQUARE
    setting = SQUARE.metric.settings["gain"]
    assert pickle.loads(pickle.dumps(setting)).text == setting.text
    assert pickle.loads(pickle.dumps(setting.setting_type)).name == setting.setting_type.name
    unnamed = rc.NDCG(gain=lambda g: g)
    assert copy.deepcopy(unnamed) == unnamed
    with pytest.raises(rc.ConventionError, match=r"custom\(…\) has no name by which .* so it cannot be pickled.*def"):
        pickle.dumps(unnamed)


def test_a_function_of_a_plugin_file_is_found_in_another_process(tmp_path: Path) -> None:
    plugin, kept = tmp_path / "steep.py", tmp_path / "kept.pickle"
    plugin.write_text("import rankconv as rc\ndef cube(g): return g**3\nNDCG = rc.CG(k=1, gain=cube)\n")
    rc.load_plugin(plugin)
    module = next(name for name in sys.modules if name.startswith("rankconv_plugin_steep"))
    kept.write_bytes(pickle.dumps(sys.modules[module].NDCG))
    code = f"import pickle; print(float(pickle.load(open({str(kept)!r}, 'rb'))({{'u': {{'a': 2}}}}, {{'u': ['a']}})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "8.0\n"


# what nothing names


def test_it_has_no_fingerprint_and_says_why() -> None:
    assert SQUARE.fingerprint == ""
    assert SQUARE.why_no_fingerprint.startswith("gain=custom(square) is a function given in Python")
    evaluator = rc.Evaluator(SQUARE, per_user=False, repeated_users="unchecked")
    evaluator.update(LABELS, RUN)
    with pytest.raises(rc.MetricError, match=r"cannot hold it: gain=custom\(square\) is a function given in Python"):
        evaluator.partial().to_bytes()


def test_cite_says_openly_that_no_name_tells_it() -> None:
    cited = rc.cite(rc.NDCG(k=10, gain=square, discount=lambda rank: 1 / rank)).cited[0]
    assert cited.fingerprint == ""
    assert "the gain of an item is custom(square) of its grade, a function given in Python;" in cited.paragraph
    assert "the gain at rank j is multiplied by custom(…) of j, a function given in Python;" in cited.paragraph
    assert cited.paragraph.endswith(
        "the definition has no fingerprint, and its value has no name: gain=custom(square), "
        "discount=custom(…) are functions given in Python, and their names do not define them."
    )
    assert r"\frac{\mathrm{gain}(g_j)}{w_j^{-1}}" in cited.formula
    assert cited.symbols["w_j"] == "what the function gives for rank j"
    json.dumps(cited.to_dict())


@pytest.mark.parametrize("name", sorted(name for name, one in CONVENTIONS.items() if one.function_of))
def test_every_convention_has_words_for_a_function(name: str) -> None:
    owner = next(made for made in (rc.NDCG, rc.F, rc.CWL, rc.InterpolatedPrecision) if name in made.conventions)
    k = 10 if owner is not rc.InterpolatedPrecision else None
    told: dict[str, Any] = {"beta": 2} if name == "beta-form" else {}
    told |= {"recall_level": 0.4} if k is None else {}
    paragraph = rc.cite(owner(k=k, **told, **{name.replace("-", "_"): square})).cited[0].paragraph
    assert paragraph.count("custom(square)") == 3  # changed, in a sentence, and where a fingerprint would stand
    assert "{" not in paragraph


def test_saved_numbers_keep_the_name_alone(tmp_path: Path) -> None:
    rc.evaluate(LABELS, RUN, [SQUARE, "map"]).save(tmp_path / "kept.json")
    saved = json.loads((tmp_path / "kept.json").read_text())["numbers"][SQUARE.text]
    assert (saved["fingerprint"], saved["settings"]["gain"]) == ("", "custom(square)")
    loaded = rc.Result.load(tmp_path / "kept.json")
    assert loaded[SQUARE.text] == SQUARE(LABELS, RUN)
    assert loaded.methods("map").cited[0].paragraph.startswith("MAP is computed")
    with pytest.raises(rc.MetricError, match=r"a file does not hold the functions that setting: gain=custom\(square\)"):
        loaded.methods()
    changed = tmp_path / "changed.json"
    changed.write_text((tmp_path / "kept.json").read_text().replace("custom(square)", "exponential"))
    with pytest.raises(rc.InputError, match="The file was changed after it was saved"):
        rc.Result.load(changed)


# explained


def test_explain_prints_its_values_and_works_them_out_where_it_can() -> None:
    told = rc.explain(LABELS, RUN, rc.CG(k=3, gain=square), user="ada")
    assert told.working.ratio.exact == 10
    assert told.value == 10
    assert "gain=custom(square)   a function given in Python" in told.to_text()
    by_float = rc.explain(LABELS, RUN, rc.DCG(k=3, discount=lambda rank: math.exp(-rank)), user="ada")
    assert by_float.value == pytest.approx(3 * math.exp(-1) + math.exp(-3), rel=1e-15)
    assert by_float.engine


def test_a_function_that_knows_what_it_is_given_does_not_mislead_explain() -> None:
    """The number is what it gives for plain numbers, also where it would give exact ones another."""
    told = rc.explain(LABELS, RUN, rc.CG(k=3, gain=lambda g: 7 if isinstance(g, float) else 1), user="ada")
    assert told.value == told.working.ratio.value == 14


# what is refused


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"gain": lambda g: [g, g]}, r"custom\(…\), which settings 'gain', gave \[1.0, 1.0\] for a grade of 1\."),
        (
            {"gain": lambda g: np.array([g])},
            r"gave array\(\[1\.\]\) for a grade of 1\. It takes one number after another",
        ),
        ({"gain": lambda g: None}, "gave None for a grade of 1"),
        ({"gain": lambda g: math.nan}, "gave nan for a grade of 1"),
        ({"gain": lambda g: math.inf}, "gave inf for a grade of 1"),
        ({"gain": lambda g: (g - 4) ** 0.5}, "which settings 'gain', gave .*j.* for a grade of 1"),
        ({"gain": lambda g: 1 / (g - 3)}, "raised ZeroDivisionError for a grade of 3: float division by zero"),
        ({"gain": lambda g: g.max()}, "raised AttributeError for a grade of 1: 'float' object has no attribute 'max'"),
        ({"discount": lambda rank: 2 - rank}, r"'discount', gave -1 for rank 3\. .* gives one number of at least 0"),
        ({"relevant": lambda g: g}, r"'relevant', gave 1\.0 for a grade of 1\. .* gives True or False"),
        (
            {"aggregate": lambda values: values},
            r"'aggregate', gave array\(.* for these values\. It takes all values at once",
        ),
        ({"gain": lambda g, h: g}, r"custom\(…\) takes \(g, h\), so it cannot be a setting of 'gain'"),
        ({"gain": lambda: 1}, r"takes \(\), so it cannot be a setting of 'gain'"),
        (
            {"ties": lambda rows: rows},
            "a function cannot be a setting of 'ties'.*Choose one of: given,.*Functions are allowed for .*gain",
        ),
        ({"gain": "custom(square)"}, r"'custom\(square\)' is not a gain.*Text cannot name a function.*plugin file"),
        ({"gain": int}, "A setting is text or a number"),
    ],
)
def test_what_is_no_function_of_numbers_is_refused_by_its_convention(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(rc.ConventionError, match=said):
        rc.NDCG(k=3, **settings)({"u": {"a": 3, "b": 1}}, {"u": ["a", "x", "b"]})


def test_the_error_of_the_function_stands_behind(tmp_path: Path) -> None:
    with pytest.raises(rc.ConventionError) as raised:
        rc.NDCG(gain={1: 1}.__getitem__)(LABELS, RUN)
    assert isinstance(raised.value.__cause__, KeyError)


def test_neither_yaml_nor_a_command_can_say_it(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "name: mine\ntitle: Mine\nextends: base\nmetrics: {default: {gain: custom(square)}}\n"
    )
    for asked in (lambda: rc.preset(tmp_path / "mine.yaml"), lambda: rc.metric(SQUARE.text)):
        with pytest.raises(rc.ConventionError, match="Text cannot name a function: pass it in Python"):
            asked()


def test_a_preset_takes_one_for_all_its_metrics() -> None:
    steep = rc.preset("trec_eval").replace(gain=square)
    assert rc.metric("ndcg@10", steep)(LABELS, RUN) == rc.metric("trec_eval:ndcg@10").replace(gain=square)(LABELS, RUN)
    assert pickle.loads(pickle.dumps(steep)).same(steep)
