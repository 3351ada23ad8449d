"""The one way to ask for a metric, taken apart and put together again."""

import re
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.conventions.spec import Spec, each_spec, read_spec
from tests.conventions.long_texts import LISTS, STARTS, long_texts
from tests.laws import examples

WITH_PARAMETERS = {
    "above": "above(1.5)",
    "at-least": "at-least(2)",
    "with-unretrieved": "with-unretrieved(lowest=1)",
    "shared": "rank(average-floor)",
    "integer": "integer(4)",
    "a number": "0.25",
    "geometric": "geometric(floor=0.00001)",
    "median": "median(lower)",
    "numpy": "numpy(3)",
    "exact": "exact(3)",
    "table": "table(1=1, 2=5)",
    "log": "log(base=3, shift=2)",
    "log-from-rank": "log-from-rank(base=e)",
    "hits": "hits(epsilon=0.1)",
    "labels-above": "labels-above(1)",
    "min": "min(k, min(labels-above(0.5), length))",
}
"""An example of each answer that takes parameters."""


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("ndcg", Spec(None, "ndcg", (), (None,))),
        ("ndcg@10", Spec(None, "ndcg", (), (10,))),
        ("map@5,10, 20", Spec(None, "map", (), (5, 10, 20))),
        ("blog:mrr", Spec("blog", "mrr", (), (None,))),
        ("mllib@2.1.3:ndcgAt(10)", Spec("mllib@2.1.3", "ndcgAt(10)", (), (None,))),
        ("lenskit@0.14.4:P_10", Spec("lenskit@0.14.4", "P_10", (), (None,))),
        ("ndcg(gain=exponential)@3", Spec(None, "ndcg", (("gain", "exponential"),), (3,))),
        (
            " a.b+c:ndcg ( gain = table(1=1, 2=5) , ties=expected ) @3 ",
            Spec("a.b+c", "ndcg", (("gain", "table(1=1, 2=5)"), ("ties", "expected")), (3,)),
        ),
        ("map(ap_denominator=min(k, relevant))", Spec(None, "map", (("ap-denominator", "min(k, relevant)"),), (None,))),
        ("blog (modified):map@3", Spec("blog (modified)", "map", (), (3,))),
        ("ndcg()@2", Spec(None, "ndcg", (), (2,))),
    ],
)
def test_the_parts_of_a_spec(text: str, spec: Spec) -> None:
    assert read_spec(text) == spec


def test_what_is_no_spec_is_shown_the_grammar() -> None:
    texts = "", " ", "@10", "(gain=linear)", ":ndcg", "ndcg(gain=linear", "ndcg)", "ndcg@@3", "ndcg@3@4", "a:b:ndcg"
    for text in texts:
        with pytest.raises(rc.MetricError, match=r"is not a metric\. Write metric@k, such as ndcg@10, or"):
            read_spec(text)


def test_a_setting_without_its_convention_is_shown_the_grammar() -> None:
    with pytest.raises(rc.MetricError, match=r"'expected' in 'ndcg\(expected\)' is not of the form convention=setting"):
        read_spec("ndcg(expected)")


def test_a_cutoff_is_a_whole_number_from_1_up() -> None:
    for cutoff in ["0", "-1", "1.5", "abc", "", " ", "1e3", "5,", "5,,10", "5,0", "9999999999", "²"]:
        with pytest.raises(rc.MetricError, match=r"is not a cutoff in .* A cutoff is a whole number from 1 up"):
            read_spec(f"ndcg@{cutoff}")


def test_several_cutoffs_are_several_definitions() -> None:
    assert [one.text for one in rc.preset("blog").define("map@5,10")] == ["blog:map@5", "blog:map@10"]
    result = rc.evaluate({"u": ["a"]}, {"u": ["x", "a"]}, "mrr@1,2")
    assert result.specs == ["mrr@1", "mrr@2"]
    assert (result["mrr@1"], result["mrr@2"]) == (0, 1 / 2)


def test_the_preset_of_the_spec_wins_over_the_preset_of_the_call() -> None:
    result = rc.evaluate({"u": ["a", "b"]}, {"u": ["a"]}, ["map@2", "blog:map@2"], preset="trec_eval")
    assert (result["map@2"], result["blog:map@2"]) == (1 / 2, 1)


@pytest.mark.parametrize(
    ("preset", "spelling", "key", "k"),
    [
        ("mllib", "ndcgAt(10)", "ndcg", 10),
        ("mllib", "meanAveragePrecision", "map", None),
        ("mllib", "meanAveragePrecisionAt(3)", "map", 3),
        ("trec_eval", "P_5", "precision", 5),
        ("trec_eval", "P@5", "precision", 5),
        ("trec_eval", "ndcg_cut_20", "ndcg", 20),
        ("trec_eval", "recip_rank", "mrr", None),
    ],
)
def test_a_systems_own_spelling(preset: str, spelling: str, key: str, k: int | None) -> None:
    [found] = rc.preset(preset).define(spelling)
    assert (found.key, found.k) == (key, k)


def test_every_spelling_of_a_preset_is_understood() -> None:
    for preset in map(rc.preset, rc.list_presets(eras=True)):
        for key, entry in preset.entries.items():
            for spelling in (re.sub(r"\{k\}", "4", re.sub(r"\{[a-z-]{2,}.*?\}", "0.4", name)) for name in entry.names):
                [found] = preset.define(spelling if preset.offers(spelling) else f"{spelling}@4")
                assert found.key == key, spelling


def test_a_second_cutoff_is_an_error() -> None:
    for spec in ["P_5@10", "P_5@5,10"]:
        with pytest.raises(rc.RankconvError):
            rc.preset("trec_eval").define(spec)


def test_a_convention_answered_twice_is_an_error() -> None:
    with pytest.raises(rc.RankconvError):
        rc.preset("blog").define("ndcg(gain=binary, gain=linear)")


# the text of a definition reads back


def test_a_definition_reads_back() -> None:
    for preset in map(rc.preset, rc.list_presets(eras=True)):
        for spec in (spec for key in preset.metrics for spec in (key, f"{key}@1", f"{key}@10") if preset.offers(spec)):
            [made] = preset.define(spec)
            assert preset.define(made.text) == [made], spec
            assert rc.preset(made.text.partition(":")[0]) is preset


def test_a_definition_with_a_changed_setting_reads_back() -> None:
    for preset in map(rc.preset, rc.list_presets(eras=True)):
        random = Random(preset.name)
        for key in preset.metrics:
            cutoff = "@7" if preset.offers(f"{key}@7") else ""
            [plain] = preset.define(f"{key}{cutoff}")
            for convention_name, setting in random.sample(every_setting(plain), examples.of(quick=1, ci=8)):
                try:
                    [made] = preset.define(f"{key}({convention_name}={setting}){cutoff}")
                except rc.RankconvError:
                    continue  # not possible beside the preset's other settings
                assert made.settings[convention_name] == setting
                assert preset.define(made.text) == [made], made.text
                assert (made == plain) == (setting == plain.settings[convention_name]), made.text


def every_setting(definition: rc.Definition) -> list[tuple[str, str]]:
    return [
        (convention_name, WITH_PARAMETERS.get(setting_type.name, setting_type.name))
        for convention_name in definition.settings
        for setting_type in rc.convention(convention_name).setting_types.values()
    ]


def test_a_definition_of_a_changed_preset_reads_back() -> None:
    for name in ["", "blog-graded", "my own"]:
        changed = rc.preset("blog").replace(name=name, gain="linear")
        [made] = changed.define("ndcg(duplicates=once)@3")
        assert made.text == "blog:ndcg(duplicates=once, gain=linear)@3"
        assert changed.define(made.text) == rc.preset("blog").define(made.text) == [made]


# long and nasty texts


def steps(text: str) -> int:
    """How many lines of the package are run to read a spec; a regular expression counts as one."""
    ran = 0

    def count(frame: object, event: str, argument: object) -> object:
        nonlocal ran
        ran += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        refusal(text)
    finally:
        sys.settrace(before)
    return ran


def test_a_spec_of_30_000_signs_is_read_or_refused_in_few_words() -> None:
    """However long the text: an answer comes, and it is short."""
    for start in STARTS[:: examples.of(quick=3, ci=1)]:
        assert all(len(refusal(text)) < 10_000 for text in long_texts(start, 30_000))


def refusal(text: str) -> str:
    """Why a text is no metric of trec_eval; empty where it is one."""
    try:
        rc.preset("trec_eval").define(text)
    except rc.RankconvError as error:
        return str(error)
    return ""


def test_twice_the_text_takes_twice_the_steps() -> None:
    for piece in ["1,", "()", "a=b,", " "]:
        short, long = (steps(f"ndcg(gain={piece * count})@3") for count in (2000, 4000))
        assert long < 2.5 * short + 1000


def test_a_long_mistake_is_not_repeated_to_its_end() -> None:
    with pytest.raises(rc.MetricError) as error:
        read_spec("m" + " " * 100_000 + "x(")
    assert len(str(error.value)) < 3000


def test_a_cutoff_has_its_bound_in_every_spelling() -> None:
    for spec in ["P_1000001", "ndcg_cut_999999999", "P@1000001", "ndcg@1000001"]:
        with pytest.raises(rc.MetricError, match=r"A cutoff is a whole number from 1 up to 1,000,000"):
            rc.preset("trec_eval").define(spec)


# lists of specs


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("ndcg@10,map@10", ["ndcg@10", "map@10"]),
        ("ndcg@5,10, map", ["ndcg@5", "ndcg@10", "map"]),
        ("ndcg@1-3", ["ndcg@1", "ndcg@2", "ndcg@3"]),
        ("ndcg@1-2,5,mllib:map@3", ["ndcg@1", "ndcg@2", "ndcg@5", "mllib:map@3"]),
        ("ndcg(a=min(k, relevant))@5,10", ["ndcg(a=min(k, relevant))@5", "ndcg(a=min(k, relevant))@10"]),
        ("ndcg_cut.10,20", ["ndcg_cut.10", "ndcg_cut.20"]),
        ("trec_eval@9.1:P_5,10,recall_5", ["trec_eval@9.1:P_5", "trec_eval@9.1:P_10", "recall_5"]),
        ("iprec_at_recall.0.10,0.20", ["iprec_at_recall.0.10", "iprec_at_recall.0.20"]),
        ("map@5,11pt_avg", ["map@5", "11pt_avg"]),
        ("nDCG(dcg='exp-log2')@10", ["nDCG(dcg='exp-log2')@10"]),
    ],
)
def test_several_in_one_text(text: str, specs: list[str]) -> None:
    assert each_spec(text) == specs


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("map@5,", "'' is not a cutoff"),
        ("map@-3", "'-3' is not a cutoff"),
        ("map@8-1", "'8-1' is not a range of cutoffs"),
        ("map@1-5000", "holds 1,000 at most"),
        ("map@1-", "'1-' is not a cutoff"),
    ],
)
def test_cutoffs_that_are_none(text: str, said: str) -> None:
    with pytest.raises(rc.MetricError, match=re.escape(said)):
        each_spec(text)


MANY = ",".join(map(str, range(1, 1002)))


@pytest.mark.parametrize(
    "text",
    [
        f"ndcg@{MANY}",
        f"mllib:ndcg(gain=linear)@{MANY}",
        f"P_{MANY}",
        "map@1-900,1-900",
        "map@" + "1-1000," * 10**5 + "1",
    ],
)
def test_a_list_of_cutoffs_has_the_limit_of_ranges(text: str) -> None:
    with pytest.raises(rc.MetricError, match=r"names too many cutoffs\. A metric has 1,000 cutoffs at most") as error:
        each_spec(text)
    assert len(str(error.value)) < 200


def test_as_many_cutoffs_as_a_range_may_hold() -> None:
    listed = MANY.rpartition(",")[0]
    assert each_spec(f"ndcg@{listed}") == each_spec("ndcg@1-1000")
    assert len(each_spec(f"P_{listed}")) == 1000
    with pytest.raises(rc.MetricError, match="too many cutoffs"):
        read_spec(f"ndcg@{MANY}")


names = st.sampled_from(["map", "ndcg", "mllib:ndcg", "11pt_avg", "map(ap-denominator=min(k, relevant))"])
wanted = st.lists(st.tuples(names, st.lists(st.integers(1, 10**6), max_size=4)), min_size=1, max_size=5)


@settings(max_examples=examples.of(quick=30, ci=100))
@given(wanted)
def test_a_list_is_its_parts(parts: list[tuple[str, list[int]]]) -> None:
    """Whatever stands beside it, each metric is asked at its own cutoffs; and what came out is left as it is."""
    text = ", ".join(name + (f"@{','.join(map(str, cutoffs))}" if cutoffs else "") for name, cutoffs in parts)
    specs = [f"{name}@{k}" if k else name for name, cutoffs in parts for k in cutoffs or [0]]
    assert each_spec(text) == specs
    assert [one for spec in specs for one in each_spec(spec)] == specs


def test_a_long_list_is_refused_in_few_words() -> None:
    for piece in LISTS:
        with pytest.raises(rc.RankconvError) as error:
            rc.evaluate({"u": ["a"]}, {"u": ["a"]}, piece * 50_000)
        assert len(str(error.value)) < 10_000
