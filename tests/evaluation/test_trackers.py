"""What trackers keep of a result, read back by the trackers themselves where they are installed."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rankconv as rc
from rankconv.evaluation.trackers import safe

LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}
SPECS = "ndcg@10, blog:mrr, ndcg(gain=linear)@2"
NAMES = ["ndcg_at_10", "blog_mrr", "ndcg_gain_linear_at_2"]


def result(preset: str = "mllib") -> rc.Result:
    return rc.evaluate(LABELS, RUN, SPECS, preset)


def fingerprints(found: rc.Result) -> list[str]:
    return [rc.cite(found.definition(spec)).cited[0].fingerprint for spec in found]


def about(found: rc.Result) -> dict[str, str]:
    """What stands beside the numbers, put together without the code that is tested."""
    numbers = zip(NAMES, found, fingerprints(found), strict=True)
    told = {name: (found.definition(spec).text, mark) for name, spec, mark in numbers}
    whats = ("definition", "fingerprint")
    return {f"{name}_{what}": text for name, both in told.items() for what, text in zip(whats, both, strict=True)}


class Written:
    """What a SummaryWriter of torch or of tensorboardX is told."""

    def __init__(self) -> None:
        self.scalars: list[Any] = []
        self.texts: dict[str, str] = {}

    def add_scalar(self, name: str, value: float, step: int | None) -> None:
        self.scalars.append((name, value, step))

    def add_text(self, name: str, text: str, step: int | None) -> None:
        self.texts[name] = text


def test_a_summary_writer_is_told_all() -> None:
    found, writer = result(), Written()
    found.log("tensorboard", step=7, to=writer)
    assert writer.scalars == [(name, found[spec], 7) for name, spec in zip(NAMES, found, strict=True)]
    assert writer.texts == about(found)


def test_runs_go_under_their_names() -> None:
    both = rc.evaluate(LABELS, rc.Runs({"bm25 (k1=1)": RUN, "dense": RUN}), "map")
    writer = Written()
    for one in both.values():
        one.log("tensorboard", to=writer)
    both["dense"].log("tensorboard", to=writer, prefix="")
    both["dense"].log("tensorboard", to=writer, prefix="valid/")
    assert [name for name, *_ in writer.scalars] == ["bm25_k1_1/map", "dense/map", "map", "valid/map"]


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("ndcg@10", "ndcg_at_10"),
        ("f(beta=0.5)@5", "f_beta_0_5_at_5"),
        ("11pt_avg", "11pt_avg"),
        ("größe:map", "größe_map"),
        ("rbp(p=1/2)", "rbp_p_1_2"),
    ],
)
def test_names_are_safe(spec: str, name: str) -> None:
    assert safe("", spec) == name
    assert safe("a b/", spec) == f"a_b/{name}"


def test_a_saved_result_is_logged_alike(tmp_path: Path) -> None:
    found, ours, theirs = result(), Written(), Written()
    found.save(tmp_path / "result.json")
    found.log("tensorboard", to=ours)
    rc.Result.load(tmp_path / "result.json").log("tensorboard", to=theirs)
    assert vars(ours) == vars(theirs)


def test_a_function_has_no_fingerprint_to_log() -> None:
    definition, writer = rc.metric("dcg@2").replace(gain=lambda grades: grades + 1), Written()
    rc.evaluate(LABELS, RUN, definition).log("tensorboard", to=writer)
    assert [name.rpartition("_")[2] for name in writer.texts] == ["definition"]


def test_what_cannot_be_logged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = result()
    with pytest.raises(rc.MetricError, match=r"'mlfow' is not a value of tracker=.*Did you mean 'mlflow'"):
        found.log("mlfow")  # type: ignore[arg-type]
    with pytest.raises(rc.MetricError, match="neither a folder nor a SummaryWriter"):
        found.log("tensorboard", to=3)
    with pytest.raises(rc.MetricError, match=r"step=1\.5 is not a count"):
        found.log("tensorboard", step=1.5, to=Written())  # type: ignore[arg-type]
    alike = rc.evaluate(LABELS, RUN, "map(relevant=at-least(1)), map(relevant=at-least(-1))")
    with pytest.raises(rc.MetricError, match="would both be called map_relevant_at_least_1"):
        alike.log("tensorboard", to=Written())
    for name in ("mlflow", "wandb", "tensorboard"):
        for loaded in [module for module in sys.modules if module.partition(".")[0] == name]:
            monkeypatch.delitem(sys.modules, loaded)
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(rc.LibraryError, match=f"{name} is not installed. Install it: pip install {name}"):
            found.log(name, to=tmp_path if name == "tensorboard" else None)  # type: ignore[arg-type]


def test_wandb_is_told_a_step_and_its_configuration() -> None:
    """By a run that keeps what it is told; the real one is below."""
    told: list[Any] = []
    run = SimpleNamespace(config={}, log=lambda values, step: told.append((values, step)))
    found = result()
    for step in (1, 2):
        found.log("wandb", step=step, to=run)
    assert told == [({name: found[spec] for name, spec in zip(NAMES, found, strict=True)}, step) for step in (1, 2)]
    assert run.config == about(found)
    with pytest.raises(rc.MetricError, match="ndcg_at_10 is another number in this run: its ndcg_at_10_fingerprint is"):
        result("sklearn").log("wandb", to=run)
    assert (len(told), run.config) == (2, about(found)), "and nothing of it was written"


def test_one_definition_under_two_names_is_one_definition() -> None:
    run: Any = SimpleNamespace(config={}, log=lambda values, step: None)
    for preset in ("ir-book", "mcfee2010"):
        rc.evaluate(LABELS, RUN, "precision@5", preset).log("wandb", to=run)
    assert run.config["precision_at_5_definition"] == "ir-book:precision@5"


def test_mlflow_keeps_it_in_its_file_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    found = result()
    with mlflow.start_run() as run:
        for step in (1, 2):
            found.log("mlflow", step=step)
        with pytest.raises(rc.MetricError, match="prefix"):
            result("sklearn").log("mlflow")
        result("sklearn").log("mlflow", prefix="sklearn/")
    many = rc.evaluate(LABELS, RUN, "ndcg@1-120")
    many.log("mlflow", to=run.info.run_id, prefix="by/cutoff_")
    client, kept = mlflow.MlflowClient(), mlflow.get_run(run.info.run_id).data
    assert about(found).items() <= kept.params.items()
    assert kept.params["sklearn/ndcg_at_10_definition"] == "sklearn:ndcg@10"
    for name, spec in zip(NAMES, found, strict=True):
        history = client.get_metric_history(run.info.run_id, name)
        assert [(one.step, one.value) for one in history] == [(1, found[spec]), (2, found[spec])]
    assert {f"by/cutoff_ndcg_at_{k}" for k in range(1, 121)} <= kept.metrics.keys()


def test_tensorboard_reads_it_from_the_file_of_events(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found = result()
    for step in (1, 2):
        found.log("tensorboard", step=step, to=tmp_path)
    read = EventAccumulator(str(tmp_path)).Reload()
    assert sorted(read.Tags()["tensors"]) == sorted([*NAMES, *about(found)])
    for name, spec in zip(NAMES, found, strict=True):
        points = [(one.step, float(one.tensor_proto.float_val[0])) for one in read.Tensors(name)]
        assert points == [(step, pytest.approx(found[spec], rel=1e-6)) for step in (1, 2)]
        assert found.definition(spec).text in read.SummaryMetadata(name).summary_description
    texts = {name: read.Tensors(name)[0].tensor_proto.string_val[0].decode() for name in about(found)}
    assert texts == about(found)


def test_wandb_keeps_it_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    found = result()
    with pytest.raises(rc.MetricError, match=r"Call wandb\.init"):
        found.log("wandb")
    with wandb.init(mode="offline", dir=str(tmp_path), project="tests") as run:
        found.log("wandb", step=1)
        found.log("wandb", step=2)
        with pytest.raises(rc.MetricError, match="prefix"):
            result("sklearn").log("wandb")
        assert about(found).items() <= dict(run.config).items()
        assert {name: run.summary[name] for name in NAMES} == {
            name: found[spec] for name, spec in zip(NAMES, found, strict=True)
        }
    assert [*tmp_path.rglob("*.wandb")]
