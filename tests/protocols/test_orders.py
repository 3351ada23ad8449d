"""Which choices move the order: against every order by a plain loop, single learning curves, and `rc.why`."""

from itertools import permutations
from typing import Any

import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv import protocols
from rankconv.cli.app import app

ROWS = [
    (user, item, 1 + (user * item + item) % 5, item + user % 7)
    for user in range(40)
    for item in range(user % 2, 24 + 4 * (user % 3), 2)
    if (user + item) % 5
]
"""Half of the users rated even items, half odd ones."""
TWO = ["popularity", "item-item"]
A = rc.protocol("base", order="shuffled", held_out="last(2)")
B = rc.protocol("base", order="by-time", held_out="last(4)", relevance="at-least(4)")
CHANGED = {"order": "by-time", "held_out": "last(4)", "relevance": "at-least(4)"}


def numbers(protocol: protocols.Protocol, metric: str) -> dict[str, float]:
    """Of one evaluation by itself."""
    curve = protocols.learning_curve(rc.protocol(protocol).split(ROWS), TWO, metric, n_resamples=1, progress=False)
    return {name: curve.number(name, curve.metrics[0]) for name in TWO}


def test_every_order_by_a_plain_loop() -> None:
    found = protocols.why_order(ROWS, TWO, "rankconv:ndcg@5", a=A, b=B, progress=False)
    shares = {(convention_name, name): 0.0 for convention_name in CHANGED for name in TWO}
    moves = dict.fromkeys(CHANGED, 0.0)
    for order in permutations(CHANGED):
        protocol, before = A, numbers(A, "rankconv:ndcg@5")
        for convention_name in order:
            protocol = protocol.replace(**{convention_name: CHANGED[convention_name]})
            after = numbers(protocol, "rankconv:ndcg@5")
            for name in TWO:
                shares[convention_name, name] += (after[name] - before[name]) / 6
            moves[convention_name] += (sorted(TWO, key=before.get) != sorted(TWO, key=after.get)) / 6  # type: ignore[arg-type]
            before = after
    told = {one.text.partition(":")[0].replace("-", "_"): one for one in found.conventions}
    assert {*told} == {*CHANGED}
    for convention_name, one in told.items():
        assert [float(one.shares[name]) for name in TWO] == pytest.approx(
            [shares[convention_name, name] for name in TWO]
        )
        assert one.moves == pytest.approx(moves[convention_name])
        assert one.alone == numbers(A.replace(**{convention_name: CHANGED[convention_name]}), "rankconv:ndcg@5")
    assert found.numbers == (numbers(A, "rankconv:ndcg@5"), numbers(B, "rankconv:ndcg@5"))


def test_conventions_of_the_metric_alone_have_the_shares_of_why() -> None:
    found = protocols.why_order(ROWS, TWO, ("blog:ndcg@5", "mllib:ndcg@5"), a=A, b=A, n_permutations=30, progress=False)
    curve = protocols.learning_curve(ROWS, TWO, "blog:ndcg@5", protocol=A, n_resamples=1, progress=False)
    for name in TWO:
        theirs = rc.why(curve.labels, curve.runs.by_name[name], "ndcg@5", a="blog", b="mllib")
        total = found.numbers[1][name] - found.numbers[0][name]
        assert total == pytest.approx(theirs.difference)
        assert sum(float(one.shares[name]) for one in found.conventions) == pytest.approx(total)
        if not found.sampled:
            expected = {one.player.change: one.share for one in theirs.contributions}
            ours = {one.text: float(one.shares[name]) for one in found.conventions}
            assert {key: ours[key] for key in expected} == pytest.approx(expected)
    assert not any(one.turning.of_protocol for one in found.conventions)
    assert found.moves(of_protocol=True) == 0.0


def test_of_many_conventions_orders_are_drawn_and_add_up() -> None:
    """Of fastml's answers some go together only in some orders."""
    other = rc.protocol("fastml(given=nested(3), least-users=2, tested=share(0.4))")
    found = protocols.why_order(
        ROWS, TWO, ("mllib:ndcg@5", "mllib:ndcg@5"), a=A, b=other, n_permutations=3, seed=2, progress=False
    )
    assert found.sampled
    assert found.taken == 3
    for name in TWO:
        total = found.numbers[1][name] - found.numbers[0][name]
        assert sum(float(one.shares[name]) for one in found.conventions) == pytest.approx(total, abs=1e-9)
    again = protocols.why_order(
        ROWS, TWO, ("mllib:ndcg@5", "mllib:ndcg@5"), a=A, b=other, n_permutations=3, seed=2, progress=False
    )
    assert again.to_dict() == found.to_dict()


def test_settings_that_only_go_together_are_turned_as_one() -> None:
    """Weak generalization allows no ratings given in part, and to hold out the rest none given whole."""
    ours = rc.protocol("base(held-out=last(2))")
    other = ours.replace(generalization="strong", given="nested(3)", tested="share(0.4)", held_out="rest")
    found = protocols.why_order(ROWS, TWO, "mllib:ndcg@5", a=ours, b=other, progress=False)
    assert found.taken < found.possible
    assert any("not possible together" in why for why in found.without)
    assert "not possible together" in found.to_text(None)


def test_what_changes_nothing_is_told_apart() -> None:
    found = protocols.why_order(
        ROWS, TWO, "mllib:ndcg@5", a=A, b=A.replace(repeated="last", no_positives="left-out"), progress=False
    )
    assert found.conventions == []
    assert found.no_effect == ["repeated: refused → last", "no-positives: kept → left-out"]
    assert "No effect on these ratings" in found.to_text(80)
    same = protocols.why_order(ROWS, TWO, "mllib:ndcg@5", a=A, b=A, progress=False)
    assert (same.conventions, same.no_effect, same.taken) == ([], [], 1)


def test_a_model_learns_once_from_the_same_ratings() -> None:
    learned: list[int] = []

    def mine(training: Any) -> Any:
        learned.append(len(training.rating))
        return lambda items, values, n: training.items[:n]

    protocols.why_order(ROWS, [mine], "mllib:ndcg@5", a=A, b=A.replace(relevance="binary", seen="kept"), progress=False)
    assert len(learned) == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"a": "no-such"}, "no-such"),
        ({"metric": None}, "names no metric"),
        ({"metric": ("ndcg@5", "map@5", "mrr@5")}, "3 metrics"),
        ({"metric": "gini@5"}, "all lists"),
        ({"recommenders": []}, "no recommender"),
        ({"n_permutations": 0}, "n_permutations=0"),
        ({"b": "rectools-time(order=by-time, held-out=last(900))"}, "learn from"),
        ({"ratings": [*ROWS, ROWS[0]]}, "2 ratings of item"),
    ],
)
def test_what_cannot_be_asked(asked: dict[str, Any], said: str) -> None:
    usual: dict[str, Any] = {"ratings": ROWS, "recommenders": TWO, "a": A, "b": B, "metric": "ndcg@5"}
    with pytest.raises(rc.RankconvError, match=said):
        protocols.why_order(**{**usual, **asked}, progress=False)


def test_the_command_prints_tables_and_data(tmp_path: Any) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("user,item,rating,time\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS))
    command = ["learning-curve", str(file), "--why", "--protocol", A.text, "--protocol", B.text]
    command += ["-r", "popularity", "-r", "item-item", "-m", "rankconv:ndcg@5"]
    table = CliRunner().invoke(app, [*command, "--quiet"])
    assert table.exit_code == 0, table.output
    assert "changes the order" in table.stdout
    data = CliRunner().invoke(app, [*command, "--quiet", "--format", "json"])
    assert '"kind": "protocol"' in data.stdout
    frame = protocols.why_order(ROWS, TWO, "rankconv:ndcg@5", a=A, b=B, progress=False).to_frame()
    assert frame.height == 6
