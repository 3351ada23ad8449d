"""Advice of the command line alone: options that do not go together, and names to look up."""

from pathlib import Path
from tempfile import TemporaryDirectory

import rankconv as rc
from tests.advice.case import Case, Follow

_USERS = [f"u{number}" for number in range(6)]
_LABELS, _RUN, _OTHER = (
    "user,item" + rest + "\n" + "".join(f"{user},{row}\n" for user in _USERS for row in rows(user))
    for rest, rows in (
        ("", lambda user: ["b"]),
        (",score", lambda user: ["a,2", "b,1"] if user < "u3" else ["b,2", "a,1"]),
        (",score", lambda user: ["b,2", "a,1"]),
    )
)
"""Half of the users have b at rank 2 of the run, all have it first in the other one."""


def _saved() -> bytes:
    """A saved result, whose number is 0.75."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        rc.evaluate({"u": ["b"], "v": ["c"]}, {"u": ["a", "b"], "v": ["c"]}, "mrr").save(path)
        return path.read_bytes()


_PLUGIN = "from rankconv import plugin\n@plugin.command\ndef {name}():\n    print(1)\n"
_GONE = "from rankconv.basics.plugins import COMMANDS\nCOMMANDS.pop('mine')\n"
"""The command is gone again, for other tests."""
_FILES: dict[str, str | bytes] = {
    "labels.csv": _LABELS,
    "run.csv": _RUN,
    "other.csv": _OTHER,
    "named.csv": _LABELS.replace("user", "NAME"),
    "features.csv": "user,age\n" + "".join(f"{user},{'old' if user < 'u2' else 'new'}\n" for user in _USERS),
    "parts.csv": "uid,given,item\na,1,b\na,2,b\nc,1,b\n",
    "parts_run.csv": "uid,given,item,score\na,1,b,2\na,2,b,2\nc,1,a,2\nc,1,b,1\n",
    "table.csv": "run,judged_share@1\nrun,0.50\nother,1.00\n",
    "mine.py": _PLUGIN.format(name="evaluate"),
    "result.json": _saved(),
}
_EVALUATE = "rankconv evaluate labels.csv run.csv -m mrr"
_COMPARE = "rankconv compare labels.csv run.csv -m mrr -p rankconv"
_TEST = "rankconv test labels.csv run.csv other.csv -m mrr"
_BOARD = "standings 0 mean"
_GATE = "rankconv gate labels.csv run.csv"
_TABLE = "rankconv identify --table table.csv labels.csv run.csv other.csv"
_BY_PART = "rankconv curve parts.csv parts_run.csv -m mrr --n-resamples 9"
_SIGNATURE = (
    "reciprocal_rank|rr-hits:first-hit|ties:expected|on-no-relevant:skip|duplicates:once|negative:zero|"
    "on-zero-division:0|order:score-then-rank"
)
NDCG = (1 + 1 / 1.584962500721156) / 2
"""1 for the first place and 1 / log2(3) for the second, each of half of the users."""


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, files=_FILES)


_FILES_OR_FIVE = (
    Follow("Add a run after labels.csv", f"{_COMPARE}", 0.75),
    Follow("leave out the labels for the five users", "rankconv compare -m map@3 -p mllib", 1 / 6),
)
CASES = (
    # names of commands and options
    _case(
        f"{_EVALUATE} -p trec_eval -p rankconv",
        Follow("rankconv compare", "§ labels.csv run.csv -m mrr -p trec_eval -p rankconv", 0.75),
    ),
    _case(
        "rankconv explain labels.csv run.csv -u u0 -m mrr -m map",
        Follow("Ask for one metric", "rankconv explain labels.csv run.csv -u u0 -m mrr", 0.5, at="value"),
    ),
    _case(
        "rankconv evalute labels.csv run.csv -m mrr",
        Follow("evaluate", "rankconv § labels.csv run.csv -m mrr", 0.75),
        Follow("rankconv --help", "§", len("evaluate"), at="commands 0 name #"),
    ),
    _case("rankconv ttest", Follow("rankconv test", "§ labels.csv run.csv other.csv -m mrr", 0.75)),
    _case(
        "rankconv rank",
        Follow("rankconv test --leaderboard", "§ labels.csv run.csv other.csv -m mrr", 1, at=_BOARD),
    ),
    _case(
        "rankconv diff",
        Follow("rankconv compare", "§ -m map@3 -p mllib", 1 / 6),
        Follow("rankconv why", "§ -m map@3 mllib blog", 1 / 3, at="difference"),
    ),
    _case("rankconv metrics", Follow("rankconv list metrics", "§", len("precision"), at="0 metric #")),
    _case(
        f"{_EVALUATE} --plugin mine.py",
        Follow(
            "Give this command another name",
            f"{_EVALUATE} --plugin mine.py",
            0.75,
            files={"mine.py": _PLUGIN.format(name="mine") + _GONE},
        ),
    ),
    # evaluate
    _case(
        "rankconv evaluate labels.csv run.csv --signature mrr --format markdown",
        Follow("-m mrr", "rankconv evaluate labels.csv run.csv § --format markdown", 0.75),
    ),
    _case(
        "rankconv evaluate labels.csv run.csv --signature 'reciprocal_rank|rr-hits:any'",
        Follow(
            "Leave out --format json",
            f"rankconv evaluate labels.csv run.csv --signature '{_SIGNATURE}' --format text",
            0.75,
        ),
    ),
    _case(
        f"{_EVALUATE} --per-user",
        Follow("--per-user-file FILE.jsonl", f"{_EVALUATE} §", 0.75),
        Follow("--quiet", f"{_EVALUATE} §", 0.75),
    ),
    _case(
        f"{_EVALUATE} --by activity --per-user --format text",
        Follow("Leave out --per-user", f"{_EVALUATE} --by activity", 0.75, at="segments 0 number"),
        Follow("or --by", f"{_EVALUATE} --per-user --format text", 0.5),
    ),
    _case(
        f"{_EVALUATE} --user-features features.csv -u u0",
        Follow("Leave out -u", f"{_EVALUATE} --user-features features.csv", 0.75, at="segments 0 number"),
        Follow("or --user-features", f"{_EVALUATE} -u u0", 0.5),
    ),
    _case(
        f"{_EVALUATE} --by activity --plot plot.svg -u u0",
        Follow("Leave out -u", f"{_EVALUATE} --by activity --plot plot.svg", 0.75, at="segments 0 number"),
        Follow("or --by and --plot", f"{_EVALUATE} -u u0", 0.5),
    ),
    *(
        _case(
            f"{command} --memory 1GB -u u0",
            Follow("Leave out one of the two", f"{command} --memory 1GB", 0.75),
            Follow("Leave out one of the two", f"{command} -u u0", 0.5),
        )
        for command in (_EVALUATE, _COMPARE)
    ),
    # the data
    _case("rankconv compare labels.csv -m mrr -p rankconv", *_FILES_OR_FIVE),
    _case(
        "rankconv compare --memory 1GB -m mrr -p rankconv",
        Follow("Pass labels and a run", f"{_COMPARE} --memory 1GB", 0.75),
    ),
    _case(
        f"{_EVALUATE} --column person=NAME",
        Follow(
            "--column user=NAME",
            "rankconv evaluate named.csv run.csv -m mrr --column labels.§",
            0.75,
            {"--column ": ""},
        ),
        Follow("user=NAME,NAME", f"{_BY_PART} --column §", 2 / 3, {"NAME,NAME": "uid,given"}, at="lines mrr mrr 0"),
        Follow("labels.user", "rankconv evaluate named.csv run.csv -m mrr --column §=NAME", 0.75),
        Follow("run.item", f"{_EVALUATE} --column §=item", 0.75),
        *(Follow(role, f"{_EVALUATE} --column §=x", 0.75) for role in ("rating", "time")),
    ),
    _case(
        "rankconv compare labels.csv run.csv -p ragas",
        Follow("-m", "rankconv compare labels.csv run.csv § precision -p ragas", 0.5),
        Follow("rankconv show ragas", "§", len("ragas"), at="preset #"),
    ),
    _case(
        f"{_BY_PART} --column user=uid,given --cluster user",
        Follow(
            "The parts are uid, given",
            f"{_BY_PART} --column user=uid,given --cluster given",
            2 / 3,
            at="lines mrr mrr 0",
        ),
        Follow(
            "Name a part of --column user=uid,given",
            f"{_BY_PART} --column user=uid,given --cluster uid",
            2 / 3,
            at="lines mrr mrr 0",
        ),
        Follow("or its number", f"{_BY_PART} --column user=uid,given --cluster 1", 2 / 3, at="lines mrr mrr 0"),
    ),
    _case(
        f"{_BY_PART} --column user=uid,given --cluster ,",
        Follow(
            "Name a part of --column user=uid,given",
            f"{_BY_PART} --column user=uid,given --cluster uid",
            2 / 3,
            at="lines mrr mrr 0",
        ),
    ),
    # runs that are tested
    *(
        _case(
            f"{_TEST} --leaderboard {words}",
            Follow(f"Leave out {option}", f"{_TEST} --leaderboard {one}", 1, at=_BOARD),
            Follow("or --leaderboard", f"{_TEST} {words}", mean, at=at),
        )
        for option, words, one, mean, at in (
            ("--baseline", "--baseline other", "", 0.75, ""),
            ("--include-users", "--include-users either", "", 0.75, ""),
            ("--cite", "--cite", "", 3, "#"),
            ("every --preset but the first", "-p rankconv -p trec_eval", "-p rankconv", 0.75, ""),
        )
    ),
    _case(
        _GATE,
        Follow("-m ndcg@10", f"{_GATE} § --at-least 0.3", NDCG, at="decisions 0 value"),
    ),
    _case(
        "rankconv gate",
        Follow(
            "rankconv gate LABELS RUN -m ndcg@10 --at-least 0.3",
            "§",
            NDCG,
            {"LABELS": "labels.csv", "RUN": "run.csv"},
            at="decisions 0 value",
        ),
    ),
    _case(
        f"{_GATE} -m ndcg@10 --at-least many",
        Follow("0.31", f"{_GATE} -m ndcg@10 --at-least §", NDCG, at="decisions 0 value"),
        Follow("ndcg@10=0.31", f"{_GATE} -m ndcg@10 --at-least §", NDCG, at="decisions 0 value"),
    ),
    _case(
        f"{_GATE} -m ndcg@10,mrr --at-least 0.3 --at-least mrr=0.4",
        Follow("ndcg@10=0.31", f"{_GATE} -m ndcg@10,mrr --at-least § --at-least mrr=0.4", NDCG, at="decisions 0 value"),
    ),
    _case(
        f"{_GATE} -m mrr --at-least 0.3 --at-least 0.9",
        Follow("Leave out all but one", f"{_GATE} -m mrr --at-least 0.3", 0.75, at="decisions 0 value"),
    ),
    # what makes a value what it is
    _case(
        "rankconv explain labels.csv run.csv -m map -u u0 --by-rank --against mllib",
        Follow(
            "-m trec_eval:map,mllib:map",
            "rankconv explain labels.csv run.csv § -u u0 --by-rank",
            0.5,
            at="metrics trec_eval:map 1",
        ),
    ),
    *(
        _case(
            f"rankconv why {words}",
            Follow(
                "rankconv why LABELS RUN -m ndcg@10 mllib trec_eval",
                "§",
                NDCG,
                {"LABELS": "labels.csv", "RUN": "run.csv"},
                at="means 0",
            ),
            Follow("why -m map@3 mllib blog", "rankconv §", 1 / 3, at="difference"),
        )
        for words in ("", "labels.csv", "labels.csv run.csv mllib", "-p mllib")
    ),
    _case(
        "rankconv identify --table table.csv labels.csv",
        Follow(
            "--table CSV LABELS RUN RUN",
            "rankconv identify §",
            1,
            {"CSV": "table.csv", "LABELS": "labels.csv", "RUN RUN": "run.csv other.csv"},
            at="ok",
        ),
    ),
    _case(
        "rankconv identify --table table.csv labels.csv run.csv -m judged_share@1 --value 0.50",
        Follow("or --table", "rankconv identify labels.csv run.csv -m judged_share@1 --value 0.50", 0.5, at="value"),
        Follow("Leave out -m", _TABLE, 1, at="ok"),
    ),
    _case(
        "rankconv identify labels.csv run.csv other.csv -m judged_share@1 --value 0.50",
        Follow("Give one run", "rankconv identify labels.csv run.csv -m judged_share@1 --value 0.50", 0.5, at="value"),
        Follow(
            "--table CSV",
            "rankconv identify labels.csv run.csv other.csv §",
            1,
            {"CSV": "table.csv"},
            at="ok",
        ),
    ),
    # what is looked up
    _case("rankconv list presets nowhere", Follow("Leave out the words", "rankconv list presets", 8, at="0 preset #")),
    _case("rankconv show mllib gain", Follow("Show one after the other", "rankconv show mllib", 5, at="preset #")),
    _case(
        "rankconv show",
        Follow("mllib", "rankconv show §", len("mllib"), at="preset #"),
        Follow("ndcg", "rankconv show §", len("ndcg"), at="metric #"),
        Follow("gain", "rankconv show §", len("gain"), at="0 convention #"),
        Follow("rankconv list presets", "§", len("rankconv"), at="0 preset #"),
        Follow("metrics", "rankconv list §", len("precision"), at="0 metric #"),
        Follow("conventions", "rankconv list §", len("negative"), at="0 convention #"),
    ),
    *(
        _case(
            f"rankconv show '{name}' --format csv",
            *(
                Follow(form, f"rankconv show '{name}' --format §", number)
                for form in ("text", "json", "markdown", "latex")
            ),
        )
        for name, number in (("mllib", 4.3), ("rankconv:ndcg(discount=log(base=2.5))@10", 2.5))
    ),
    _case(
        "rankconv show --schema metric",
        Follow("preset", "rankconv show --schema §", len("A rankconv preset"), at="title #"),
        Follow("published", "rankconv show --schema §", 0, at="additionalProperties"),
        Follow("evaluate", "rankconv show --schema §", len("rankconv evaluate --format json"), at="title #"),
    ),
    _case(
        "rankconv cite",
        Follow("mllib:ndcg@10", "rankconv cite §", len("nDCG@10"), at="0 metric #"),
        Follow("--result", "rankconv cite § result.json", len("rankconv:mrr"), at="0 definition #"),
    ),
    _case(
        "rankconv cite mllib:ndcg@10 protocol:fastml",
        Follow("Cite one after the other", "rankconv cite mllib:ndcg@10", len("nDCG@10"), at="0 metric #"),
        Follow("Cite one after the other", "rankconv cite protocol:fastml", len("fastml"), at="0 protocol #"),
    ),
)
