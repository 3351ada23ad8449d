"""Words of a system under another preset: refused, with what they mean and what to type; and grammars of plugins."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.presets.native_names.grammar import GRAMMARS

LABELS, RUN = {"u": {"a": 1, "b": 2}}, {"u": {"a": 3.0, "c": 2.0, "b": 1.0}}
WORDS = {
    "AP(rel=2)": "ir_measures:map(relevant=at-least(2))",
    "P@5 AP nDCG@10": "ir_measures:precision@5",
    "nDCG(judged_only=True)@10": "ir_measures:ndcg(unjudged=condensed-before-depth)@10",
    "IPrec@0.1": "ir_measures:iprec(recall-level=0.1)",
    "SetP(rel=2)": "ir_measures:set_precision(relevant=at-least(2))",
    "ndcg@10-l2": "ranx:ndcg(relevant=at-least(2))@10",
    "mrr-l2": "ranx:mrr(relevant=at-least(2))",
    "-l 2 -m map": "trec_eval:map(relevant=at-least(2))",
    "ndcg.1=3,2=1": "trec_eval:ndcg(gain=table(1=3, 2=1))",
    "cosine_ndcg@10": "sentence_transformers:ndcg@10",
    "RetrievalNormalizedDCG(top_k=10)": "torchmetrics:ndcg@10",
    '{"dcg": {"k": 10}}': "elasticsearch:dcg@10",
}
"""Words of one system, and the definition that they mean there, or the first of several."""


@pytest.mark.parametrize("preset", ["rankconv", "sklearn"])
@pytest.mark.parametrize("words", WORDS)
def test_another_preset_says_what_words_mean_and_what_to_type(words: str, preset: str) -> None:
    for ask in (rc.evaluate, rc.compare):
        with pytest.raises(rc.MetricError) as refused:
            ask(LABELS, RUN, words, preset=preset)
        message = str(refused.value)
        assert f"'{words}' is not a metric here, but means {WORDS[words]}" in message
        advised = message.rpartition("Write ")[2].removesuffix(".")
        asked = rc.evaluate(LABELS, RUN, advised)
        assert next(iter(asked.values())) == rc.evaluate(LABELS, RUN, WORDS[words])[WORDS[words]]


def test_one_of_several_between_commas_is_named() -> None:
    with pytest.raises(rc.MetricError, match=re.escape("Write ir_measures:AP(rel=2).")):
        rc.evaluate(LABELS, RUN, "map, AP(rel=2), ndcg")


def test_what_no_system_reads_keeps_its_own_error() -> None:
    for words, said in {"ndcg@x": "not a cutoff", "map(rell=2)": "no convention 'rell'", "rbp.95": "two ways"}.items():
        with pytest.raises(rc.RankconvError, match=said):
            rc.evaluate(LABELS, RUN, words)


def test_words_that_two_systems_read_are_refused_with_both_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GRAMMARS._entries, "mteb", lambda text: [plugin.NativeName(text, "mrr", k=3)])
    with pytest.raises(rc.MetricError) as refused:
        rc.evaluate(LABELS, RUN, "ndcg@10-l2")
    said = str(refused.value)
    assert "means mteb:mrr@3 or ranx:ndcg(relevant=at-least(2))@10" in said
    assert "Write mteb:ndcg@10-l2 or ranx:ndcg@10-l2" in said


def test_compare_reads_words_of_one_of_its_presets() -> None:
    compared = rc.compare(LABELS, RUN, "AP(rel=2)", preset=["ir_measures", "sklearn"])
    assert (
        compared["AP(rel=2)", "ir_measures"] == rc.evaluate(LABELS, RUN, "AP(rel=2)", preset="ir_measures")["AP(rel=2)"]
    )
    assert "–" in compared.to_text()


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Path]:
    @plugin.native_names("shop")
    def read(text: str) -> Sequence[plugin.NativeName] | None:
        found = re.fullmatch(r"top(\d+)-hits", text)
        return [plugin.NativeName(text, "hits", k=int(found[1]))] if found else None

    file = tmp_path / "shop.yaml"
    metrics = "metrics:\n  hits: {is: hit_count}\n"
    file.write_text(f"name: shop\ntitle: A shop\nextends: base\nnative-names: shop\nuser-word: customer\n{metrics}")
    yield file
    del GRAMMARS["shop"]


def test_a_plugin_declares_a_grammar(shop: Path) -> None:
    assert rc.evaluate(LABELS, RUN, "top2-hits", preset=shop)["top2-hits"] == 1
    assert rc.preset(shop).user_word == "customer"
    with pytest.raises(rc.MetricError, match="top2-hats"):
        rc.evaluate(LABELS, RUN, "top2-hats", preset=shop)


def test_a_preset_with_an_unknown_grammar_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text("name: odd\ntitle: Odd\nextends: base\nnative-names: ir_measure\nmetrics:\n  mrr: {}\n")
    with pytest.raises(rc.RankconvError, match=r"ir_measure.*Did you mean 'ir_measures'"):
        rc.preset(file)
