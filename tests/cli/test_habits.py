"""What people type by habit: options that are the same everywhere, lists of metrics, trec_eval's own words."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

import rankconv as rc
from rankconv.cli import app, commands, main
from rankconv.presets.folders import conventions
from rankconv.specs.convention import CONVENTIONS

LABELS = "user,item,grade\nada,a,2\nada,b,1\nbob,c,1\n"
RUN = "user,item,score\nada,a,3\nada,x,2\nada,b,2\nbob,y,2\nbob,c,1\n"
TREC = Path(str(conventions() / "published" / "trec_eval"))

OPTIONS = {
    "evaluate": "-m -p -k -u -q --digits --full --format --quiet --progress --column --plugin"
    " --seen --catalogue --train --item-features",
    "compare": "-m -p -k -u --digits --format --quiet --progress --column --plugin"
    " --seen --catalogue --train --item-features",
    "check": "-m -p -k --format --quiet --column --plugin --seen --catalogue --train --item-features",
    "explain": "-m -p -k -u --format --quiet --column --plugin --seen --catalogue --train --item-features",
    "identify": "-m -k -u --format --quiet --full --limit --column --plugin --seen --catalogue --train --item-features",
    "why": "-m -p -k -u --digits --format --quiet --column --plugin --seen --catalogue --train --item-features",
    "sensitivity": "-m -p -k -u --digits --format --quiet --column --plugin --seen --catalogue --train --item-features",
    "verify": "-m -k --format --quiet --column --plugin",
    "cite": "-m -p -k --format --plugin",
    "show": "-m -k --plugin",
    "list": "--all --format --plugin",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "run.csv").write_text(RUN)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """The message of a mistake."""
    monkeypatch.setattr("sys.argv", ["rankconv", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    return capsys.readouterr().err


def numbers(*arguments: str) -> dict[str, str]:
    """Metric → mean as the CSV has it."""
    lines = run("evaluate", "labels.csv", "run.csv", *arguments, "--format", "csv", "--quiet").stdout.splitlines()
    return dict(line.split(",")[1:3] for line in lines[1:])


# options


def built(command: str) -> Any:
    """The command that the shell's word stands for."""
    group: Any = typer.main.get_command(app)
    return group.resolve_command(typer.Context(group), [command])[1]


@pytest.mark.parametrize("command", OPTIONS)
def test_the_same_options_everywhere(command: str) -> None:
    known = {opt for param in built(command).params for opt in param.opts}
    assert set(OPTIONS[command].split()) <= known


@pytest.mark.parametrize("command", [*commands.TABLE])
def test_help_is_short_too(command: str) -> None:
    assert run(command, "-h").stdout == run(command, "--help").stdout


def test_the_version() -> None:
    assert run("--version").stdout.startswith("rankconv ")
    assert run("-h").stdout == run("--help").stdout


def test_the_shell_completes_commands() -> None:
    asked = {"_RANKCONV_COMPLETE": "complete_bash", "COMP_WORDS": "rankconv cu", "COMP_CWORD": "1"}
    done = CliRunner().invoke(app, [], prog_name="rankconv", env=asked)
    assert done.stdout.split() == ["curve"]


@pytest.mark.usefixtures("files")
def test_a_cutoff_for_all_metrics_that_name_none() -> None:
    assert [*numbers("-m", "ndcg,map@2", "-k", "1-2")] == ["ndcg@1", "ndcg@2", "map@2"]
    lines = run("compare", "labels.csv", "run.csv", "-p", "mllib", "-k", "3", "--format", "csv").stdout.splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == ["ndcg@3", "map@3", "precision@3", "recall@3"]
    why = ("why", "labels.csv", "run.csv", "-m", "ndcg", "-k", "2", "-p", "mllib", "-p", "trec_eval")
    assert run(*why).stdout.startswith("ndcg@2: mllib ")


@pytest.mark.usefixtures("files")
def test_one_user_alone(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert numbers("-m", "mrr@2", "-u", "bob") == {"mrr@2": "0.5000"}
    message = refused(capsys, monkeypatch, "evaluate", "labels.csv", "run.csv", "-m", "mrr@2", "-u", "bop")
    assert "there is no user 'bop'" in message
    assert "Did you mean 'bob'?" in message


def test_quiet_says_nothing() -> None:
    assert run("compare", "--quiet").stderr == ""
    assert "five users" in run("compare").stderr


@pytest.mark.usefixtures("files")
def test_why_takes_presets_as_options(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("why", "labels.csv", "run.csv", "-m", "map@2")
    assert run(*asked, "-p", "blog", "-p", "mllib").stdout == run(*asked, "blog", "mllib").stdout
    assert run("why", "-m", "map@3", "-p", "blog", "-p", "mllib").stdout.startswith("map@3: blog 0.5000, mllib ")
    message = refused(capsys, monkeypatch, *asked, "-p", "blog")
    assert "labels and a run were given, and a second preset is missing" in message


# metrics


@pytest.mark.usefixtures("files")
def test_a_list_and_a_range_of_metrics() -> None:
    assert numbers("-m", "ndcg@1-3,map@2") == numbers("-m", "ndcg@1,2,3", "-m", "map@2")
    spec = "ndcg(gain=table(1=1, 2=5))"
    asked = run("evaluate", "labels.csv", "run.csv", "-m", f"{spec}@1,2,mrr", "--format", "json").stdout
    assert [*json.loads(asked)["metrics"]] == [f"{spec}@1", f"{spec}@2", "mrr"]


def test_all_that_trec_eval_prints() -> None:
    """Byte for byte, but for the strings of relevance, which are no number."""
    import gzip

    arguments = (str(TREC / "qrels.test.gz"), str(TREC / "results.test.gz"), "-p", "trec_eval")
    for options, printed in ((("-m", "all_trec", "-q"), "out.test.aq"), (("-m", "official"), "out.test")):
        theirs = gzip.decompress((TREC / f"{printed}.gz").read_bytes()).decode().splitlines()
        ours = run("evaluate", *arguments, *options, "--format", "trec_eval", "--quiet").stdout.splitlines()
        assert ours == [line for line in theirs if not line.startswith("relstring")]


def test_trec_evals_own_words() -> None:
    arguments = (str(TREC / "qrels.test.gz"), str(TREC / "results.test.gz"), "-p", "trec_eval", "--quiet")
    asked = ("-m", "runid", "-m", "set", "-m", "ndcg_cut.10,20", "--format", "trec_eval")
    lines = [line.split() for line in run("evaluate", *arguments, *asked).stdout.splitlines()]
    assert lines[0] == ["runid", "all", "STANDARD"]
    assert [name for name, _, _ in lines[-3:]] == ["set_F", "ndcg_cut_10", "ndcg_cut_20"]
    named = [name for name in rc.list_presets() if rc.preset(name).nicknames]
    assert {"trec_eval", "trec_eval-c", "trec_eval-9", "trec_eval-9-c", "pytrec_eval"} <= set(named)
    for preset in map(rc.preset, named):
        for nickname in preset.nicknames:
            assert all(preset.define(spec) for spec in preset.members(nickname)), (preset.name, nickname)


def test_a_nickname_under_several_presets(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "run.csv").write_text(RUN)
    found = rc.compare(str(tmp_path / "labels.csv"), str(tmp_path / "run.csv"), "set", ["trec_eval", "mllib"])
    assert found.metrics[:2] == ["num_q", "num_ret"]
    assert found.cell("set_P", "mllib") is None


# what is asked is looked at first


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "none.csv", "none.csv", "-m", "ndgc@10"),
        ("evaluate", "none.csv", "none.csv", "-m", "map", "-p", "spark"),
        ("compare", "none.csv", "none.csv", "-m", "ndgc@10"),
        ("compare", "none.csv", "none.csv", "-p", "torch"),
        ("check", "none.csv", "none.csv", "-m", "ndgc@10"),
        ("explain", "none.csv", "none.csv", "-m", "ndgc@10", "-u", "ada"),
        ("explain", "none.csv", "none.csv", "-m", "map", "-u", "ada", "--against", "mlib"),
        ("why", "none.csv", "none.csv", "-m", "map", "blog", "mlib"),
        ("sensitivity", "none.csv", "none.csv", "-m", "ndgc@10"),
        ("identify", "none.csv", "none.csv", "-m", "ndgc@10", "--value", "0.5"),
        ("verify", "sklearn", "none.csv", "none.csv", "-m", "ndgc"),
    ],
)
def test_words_are_looked_at_before_files(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    message = refused(capsys, monkeypatch, *arguments)
    assert "none.csv" not in message
    assert "Did you mean" in message or "is not available in" in message
    assert "rankconv: rankconv" not in message
    assert "rc." not in message


@pytest.mark.usefixtures("files")
def test_the_usual_metrics_that_a_preset_lacks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("compare", "labels.csv", "run.csv", "-p", "trec_eval", "-p", "kaggle", "--format", "csv")
    assert "run,ndcg@10,kaggle,–,not offered" in done.stdout
    assert done.stderr.splitlines() == [
        "Left out, offered by none of these presets: mrr@10.",
        "–: the preset does not define the metric.",
    ]
    message = refused(capsys, monkeypatch, "compare", "labels.csv", "run.csv", "-m", "mrr@10", "-p", "trec_eval")
    assert "none of these presets offers mrr@10: trec_eval. Add -p rankconv" in message


# the line about ties


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "asked",
    [
        ("-m", "ndcg(ties=item-descending)@3,mrr(ties=item-descending)@2"),
        ("-m", "ndcg", "-k", "3", "-p", "trec_eval"),
        ("-m", "mllib:ndcg@3", "-m", "trec_eval:ndcg@3"),
        ("-m", "ndcg(ties=item-descending)@3", "--column", "user=user", "--catalogue", "9"),
        ("-m", "set,map", "-p", "trec_eval"),
    ],
)
def test_the_command_that_is_told_shows_the_finding(asked: tuple[str, ...]) -> None:
    said = run("evaluate", "labels.csv", "run.csv", *asked).stderr
    finding, _, command = said.partition("; see: rankconv ")
    title, counted = finding.removeprefix("rankconv: ").partition("): ")[0].split(" (", 1)
    done = run(*shlex.split(command))
    assert done.exit_code == 1
    shown = " ".join(done.stdout.split())
    assert title in shown
    assert counted in shown
    by = finding.split("by up to ")[1].split(" ")[0]
    assert by in shown


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("digits", range(7))
def test_the_line_is_said_where_a_printed_digit_changes(digits: int, tmp_path: Path) -> None:
    """One of 101 users has a tied pair, at the last two ranks."""
    metric = "ndcg(ties=item-ascending)"
    labels = {f"u{i}": {f"d{j}": 1 for j in range(0, 40, 2)} for i in range(101)}
    lists = {user: {f"d{j}": 100.0 - j for j in range(40)} for user in labels}
    lists["u0"]["d39"] = lists["u0"]["d38"]
    turned = {**lists, "u0": {**lists["u0"], "d39": lists["u0"]["d38"] + 0.5}}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    (tmp_path / "run.json").write_text(json.dumps(lists))
    told = run("evaluate", "labels.json", "run.json", "-m", metric, "--digits", str(digits)).stderr
    values = {f"{rc.evaluate(labels, one, metric)[metric]:.{digits}f}" for one in (lists, turned)}
    assert bool(told) == (len(values) > 1)


# words


@pytest.mark.parametrize(
    ("spec", "plain"),
    [
        ("dcg(discount=ln)@3", "dcg(discount=log(base=e))@3"),
        ("dcg(discount=log2)@3", "dcg(discount=log(base=2))@3"),
        ("map(ap-denominator=gamma)@3", "map(ap-denominator=relevant)@3"),
        ("map(ap-denominator=min(k, rho))@3", "map(ap-denominator=min(k, length))@3"),
        ("map(on-no-relevant=zero)@3", "map(on-no-relevant=0)@3"),
        ("f1(f-zero-division=zero)@3", "f1(f-zero-division=0)@3"),
    ],
)
def test_words_of_texts(spec: str, plain: str) -> None:
    house = rc.preset("rankconv")
    assert house.define(spec) == house.define(plain)


def test_a_word_that_may_mean_several_settings() -> None:
    with pytest.raises(rc.ConventionError, match="the first k returned, sorted, are ideal=retrieved-at-k"):
        rc.preset("rankconv").define("ndcg(ideal=sorted)@3")


def test_a_preset_finds_the_sources_of_its_numbers() -> None:
    assert run("reproduce", "ndcg-video").stdout
    assert "bellei2017" in run("reproduce", "blog", "--format", "csv").stdout


# conventions


def test_every_convention_is_listed() -> None:
    rows = json.loads(run("list", "conventions", "--all", "--format", "json").stdout)
    assert {row["convention"] for row in rows} == set(CONVENTIONS)
    assert list(dict.fromkeys(row["section"] for row in rows)) == ["preparation", "aggregation", "metrics"]


def test_a_convention_and_its_settings() -> None:
    printed = " ".join(run("show", "discount").stdout.split())
    for told in (
        "discount: Discount of a rank",
        "1 / log_base(rank + shift)",
        "base: the base of a logarithm, a number above 1 or e; shift: a number from ",
        "Texts also write: ln, log2, log10",
        "Source: jarvelin2002",
        "log(base=2): trec_eval",
        "rankconv show discount --all",
    ):
        assert told in printed
    assert " ".join(str(rc.convention("discount")).split()) == printed
    assert "more" not in run("show", "discount", "--all").stdout


@pytest.mark.parametrize(
    "convention_name", ["gain", "labels-used", "on-zero-division", "beta", "ap-denominator", "aggregate", "round-mean"]
)
def test_who_uses_an_setting_is_who_has_it(convention_name: str) -> None:
    from rankconv.analysis.show import users_of

    for setting, names in users_of(rc.convention(convention_name)).items():
        for name in names:
            preset = rc.preset(name)
            specs = [key + k for key in preset.metrics for k in ("", "@10") if preset.offers(key + k)]
            assert setting in {one.settings.get(convention_name) for spec in specs for one in preset.define(spec)}


def test_an_setting_is_no_convention() -> None:
    with pytest.raises(
        rc.ConventionError, match=r"'exponential' is not a convention, but a setting\. It is a setting of.* gain"
    ):
        rc.convention("exponential")
    with pytest.raises(rc.ConventionError, match=r"'gian' is not a convention\. Did you mean 'gain'"):
        rc.convention("gian")


# identify


def test_identify_hides_nothing_without_the_flag_that_shows_it() -> None:
    asked = ("identify", "-m", "map", "-k", "3", "--value", "0.500")
    short = run(*asked, "--limit", "1").stdout
    whole = run(*asked, "--full").stdout
    assert " more" in short
    assert "All rows: --full, in Python to_text(most=None)." in short
    assert "--full" not in whole
    assert "\nAnd " in short
    assert "\nAnd " not in whole
    assert len(whole.splitlines()) > len(short.splitlines())
