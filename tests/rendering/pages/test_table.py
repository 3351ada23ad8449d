"""Tables: what users bring is escaped, wide comparisons are turned."""

import rankconv as rc
from rankconv.evaluation.results.comparison import comparison_table
from rankconv.rendering.pages.table import Table


def test_markdown_escapes_what_users_bring() -> None:
    table = Table(["metric|x", "mean"], [["a|b<script>\x07", "1"]])
    body = table.to_markdown().splitlines()
    assert body[-1].count("|") - body[-1].count("\\|") == 3
    assert "<script>" not in table.to_markdown()
    assert "\x07" not in table.to_markdown()


def test_latex_escapes_what_users_bring() -> None:
    assert "50\\% \\& a\\_b" in Table(["name"], [["50% & a_b"]]).to_latex()


def test_csv_quotes_what_needs_it() -> None:
    assert Table(["a", "b"], [["x,y", '"']]).to_csv() == 'a,b\n"x,y",""""\n'


def test_many_presets_stand_one_below_the_other() -> None:
    comparison = rc.compare({"u": ["a"]}, {"u": ["a"]}, ["ndcg@3", "map@3"], "all")
    assert list(comparison_table(comparison, width=80).headers) == ["preset", "ndcg@3", "map@3"]
    assert comparison_table(comparison, width=None).headers[0] == "metric"


def test_an_empty_table_prints_its_headers() -> None:
    assert "metric" in Table(["metric", "mean"], []).to_markdown()
