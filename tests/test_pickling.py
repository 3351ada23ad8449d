"""Whatever a user holds can be pickled, copied, and sent to another process and back, with the same numbers there."""

import copy
import multiprocessing
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv import plugin, protocols
from rankconv.addons.verification.verification import MetricRow
from rankconv.conventions.convention import CONVENTIONS, TABLES
from rankconv.data.joined import Joined
from rankconv.metrics import METRICS
from rankconv.typing import Partial, Verification

LABELS = {"ada": {"a": 3, "b": 1, "c": 0}, "bob": {"c": 1}, "eve": {"d": 2}}
RUN = {"ada": {"a": 0.9, "x": 0.5, "b": 0.5}, "bob": {"y": 0.3, "c": 0.2}, "zoe": {"a": 1.0}}
SPECS = ["ndcg@3", "map@3", "precision@2"]
RATINGS = {user: {item: number % 5 + 1 for number, item in enumerate("abcdefg")} for user in ("ada", "bob", "eve")}
[NDCG] = rc.preset("sklearn").define("ndcg@3")


def accumulated() -> rc.Evaluator:
    accumulator = rc.Evaluator([*SPECS, "f1@2"], "evidently")
    accumulator.update(LABELS, RUN)
    return accumulator


def verified() -> Verification:
    return Verification("sklearn", "scikit-learn", "1.0", "1.0", True, 1, (MetricRow("ndcg@3", "ndcg_score", []),))


def six_users() -> tuple[Any, Any]:
    """Labels and two runs, of as many users as a test needs."""
    users = "uvwxyz"
    runs = {name: {user: list(items) for user in users} for name, items in {"good": "ab", "bad": "ba"}.items()}
    return {user: ["a"] for user in users}, runs


def partial() -> Partial:
    numbers = rc.Evaluator(SPECS, per_user=False, repeated_users="unchecked")
    numbers.update(LABELS, RUN)
    return numbers.partial()


def two_label_sets() -> Any:
    """The agreement of labels of six users with those of seven, and of two runs under both."""
    labels, runs = six_users()
    first = {user: {"a": 1, "b": 0} for user in labels}
    second = first | {"z": {"a": 0, "b": 2}, "more": {"a": 0, "b": 1}}
    runs = {name: dict.fromkeys(second, run["u"]) for name, run in runs.items()}
    return rc.agreement(first, second, runs, "mrr", n_resamples=100)


CASES: dict[str, Callable[[], Any]] = {
    "AgreementResult": two_label_sets,
    "Evaluator": accumulated,
    "Attribution": lambda: rc.why(LABELS, RUN, "ndcg@3", a="blog", b="mllib"),
    "ByRank": lambda: rc.by_rank(LABELS, RUN, "precision, recall", user="ada"),
    "CheckResult": lambda: rc.check(LABELS, RUN),
    "Convention": lambda: rc.convention("gain"),
    "Comparison": lambda: rc.compare(LABELS, rc.Runs(one=RUN, two=LABELS), ["ndcg@3"], ["blog", "trec_eval"]),
    "Definition": lambda: rc.preset("blog").define("ndcg(order=score, ties=reversed, discount=log(base=3))@3")[0],
    "Explanation": lambda: rc.explain(LABELS, RUN, "ndcg@3", user="ada", preset=["mllib", "blog"]),
    "FunctionOf": lambda: plugin.FunctionOf("notes", "a note of", "a note is worth {value} of it", least=0),
    "Traits": lambda: plugin.Traits(rises=True, needs=("scores",)),
    "a function that settings": lambda: rc.NDCG(k=3, aggregate=np.median),
    "IdentifyResult": lambda: rc.identify(LABELS, RUN, "mrr@2", "0.5"),
    "TableIdentifyResult": lambda: rc.identify_table({"one": {"mrr@2": "0.5", "P@1": "0.4"}}, LABELS, rc.Runs(one=RUN)),
    "Labels": lambda: rc.Labels(LABELS),
    "Leaderboard": lambda: rc.leaderboard(*six_users(), "mrr"),
    "LearningCurve": lambda: protocols.learning_curve(
        RATINGS, ["popularity"], "ndcg@2", protocol="base(held-out=share(0.5))", n_resamples=100
    ),
    "Methods": lambda: rc.evaluate(LABELS, RUN, SPECS).methods(),
    "Metric": lambda: NDCG.metric,
    "Number": lambda: rc.evaluate(LABELS, RUN, SPECS)["map@3"],
    "Partial": partial,
    "Parts": lambda: plugin.Parts((plugin.Ratio(np.ones(2), np.ones(2)),), np.add),
    "Preset": lambda: rc.preset("trec_eval").replace(ties="reversed"),
    "Protocol": lambda: rc.protocol("fastml"),
    "RankCurve": lambda: rc.curve(LABELS, RUN, "ndcg", max_k=3),
    "Run": lambda: rc.Run(RUN),
    "Ratio": lambda: plugin.Ratio(np.ones(2), np.full(2, 3.0)),
    "Ratings": lambda: protocols.Ratings(LABELS),
    "Report": lambda: rc.report(LABELS, RUN, "mrr@2", ["blog", "mllib"]),
    "Reproduction": lambda: rc.reproduce("ndcg-video"),
    "Result": lambda: rc.evaluate(LABELS, RUN, SPECS, "trec_eval", on_error="collect"),
    "SignificanceResult": lambda: rc.test(*six_users(), ["mrr", "ndcg@3"]),
    "Runs": lambda: rc.Runs(one=RUN, two=LABELS),
    "SegmentResult": lambda: rc.segments(*six_users(), "mrr", n_resamples=100),
    "SensitivityResult": lambda: rc.sensitivity(LABELS, RUN, "ndcg@3", ["blog", "mllib"]),
    "Split": lambda: rc.protocol("base").split(protocols.Ratings(LABELS)),
    "LibraryResult": lambda: plugin.LibraryResult(0.5, {"ada": 0.5}),
    "Verification": verified,
    "Working": lambda: rc.explain(LABELS, RUN, "map@3", user="ada").working,
    # what is no public name, and is held all the same
    "joined": lambda: rc.join(LABELS, RUN, seen={"ada": ["a"]}, catalogue=20),
    "several numbers": lambda: rc.identify(LABELS, RUN, {"mrr@2": "0.5", "hit_rate@2": "0.67"}),
    "values per user": lambda: rc.evaluate(LABELS, RUN, SPECS).per_user,
    "found by fingerprint": lambda: rc.from_fingerprint("803ba240"),
    "choices": lambda: CONVENTIONS,
    "preset of a file": lambda: rc.preset("mllib").file,
    "preparation": lambda: NDCG.preparation,
    "aggregation": lambda: NDCG.aggregation,
    "setting": lambda: rc.convention("ap-denominator")("min(k, relevant)"),
}
NOT_HELD = {
    "Adapter": "a class to subclass; what it gives is Theirs and a Verification",
    "Block": "shown to a metric while it is evaluated, with what was summed so far",
    "WorkingBlock": "shown to a step of preparation, which changes it",
    "Situation": "shown to a special case while users are scored",
}
PUBLIC = {name: getattr(rc, name) for name in rc.__all__}
ERRORS = [kind for kind in PUBLIC.values() if isinstance(kind, type) and issubclass(kind, rc.RankconvError)]


@cache
def made(name: str) -> Any:
    return CASES[name]()


def told(thing: Any) -> Any:
    """All that an object says, in plain data that can be compared; numbers to the last bit."""
    if isinstance(thing, np.ndarray):
        return thing.tolist() if thing.dtype == object else (str(thing.dtype), thing.shape, thing.tobytes())
    if isinstance(thing, float):
        return thing.hex()
    if isinstance(thing, plugin.Convention):
        return thing.name, thing.description, thing.names
    if isinstance(thing, rc.Evaluator):
        return told(thing.compute(on_error="collect"))
    if isinstance(thing, Partial):
        return thing.to_bytes()
    if isinstance(thing, rc.Result):
        return thing.to_dict(), [told(one) for spec in thing for one in (thing.per_user[spec], thing.state[spec])]
    if isinstance(thing, Joined):
        return told(rc.evaluate(thing, SPECS)), repr(thing.extra.catalogue)
    if isinstance(thing, (rc.Labels, rc.Run)):
        return [(name, told(value)) for name, value in vars(thing).items() if isinstance(value, np.ndarray)]
    if isinstance(thing, protocols.Split):
        return repr(thing), {name: frame.to_dict(as_series=False) for name, frame in thing.to_frames().items()}
    if isinstance(thing, (list, tuple)):
        return [told(one) for one in thing]
    if thing is CONVENTIONS:  # a page of each would look through all presets; one of them is a case of its own
        named = {name: one for name, one in thing.items() if "-and-on-" not in name}  # those are joined on demand
        return {name: (convention.description, list(convention.setting_types)) for name, convention in named.items()}
    if isinstance(thing, dict):
        return {name: told(value) for name, value in thing.items()}
    return thing.to_dict() if hasattr(thing, "to_dict") else repr(thing)


def test_every_public_class_has_a_case() -> None:
    classes = {name for name, kind in PUBLIC.items() if isinstance(kind, type) and kind not in ERRORS}
    assert classes <= CASES.keys() | NOT_HELD.keys()
    for name in classes - NOT_HELD.keys():
        assert isinstance(made(name), PUBLIC[name])


@pytest.mark.parametrize("name", CASES)
def test_pickled_and_copied(name: str) -> None:
    one = made(name)
    again = [pickle.loads(pickle.dumps(one, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
    for other in (*again, copy.copy(one), copy.deepcopy(one)):
        assert type(other) is type(one)
        assert told(other) == told(one)


def test_errors_are_pickled_with_all_their_parts() -> None:
    for kind in ERRORS:
        error = kind("it is wrong", where="here", allowed="this", nearest="that", do="Do so.")
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))


@pytest.mark.parametrize("name", ["rankconv", "trec_eval@9.0.8", "torchmetrics", "sklearn+unretrieved", "recbole"])
def test_every_definition_of_a_preset_is_pickled_and_equal(name: str) -> None:
    owner = rc.preset(name)
    assert pickle.loads(pickle.dumps(owner)).same(owner)
    for key in owner.metrics:
        definition = owner.definition(key, (), 3 if owner.takes_cutoff(key) else None)
        back = pickle.loads(pickle.dumps(definition))
        assert (back, hash(back.preparation)) == (definition, hash(definition.preparation))


def test_every_convention_is_itself_again() -> None:
    for convention in (*CONVENTIONS.values(), *TABLES.values()):
        assert pickle.loads(pickle.dumps(convention)) is convention


def test_a_preset_from_elsewhere_stands_for_its_like() -> None:
    blog = pickle.loads(pickle.dumps(rc.preset("blog")))
    assert rc.compare(LABELS, RUN, "map@3", [blog, "blog", rc.preset("blog")]).presets == ["blog"]


# other processes


def elsewhere(objects: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """In a worker: what the objects say there, and the objects, to be sent back."""
    return {name: told(one) for name, one in objects.items()}, objects


def computed(presets: list[Any]) -> list[rc.Result]:
    """In a worker: results under presets that were sent there, and a definition that has to be read anew."""
    return [rc.evaluate(LABELS, RUN, "ndcg@3", one, on_error="collect") for one in presets]


def refused(spec: str) -> rc.Result:
    return rc.evaluate(LABELS, RUN, spec, "trec_eval")


def test_sent_to_another_process_and_back() -> None:
    objects = {name: made(name) for name in CASES}
    presets = [rc.preset("sklearn"), made("Preset"), "evidently"]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        said, back = pool.submit(elsewhere, objects).result(60)
        results = pool.submit(computed, presets).result(60)
        error = pool.submit(refused, "ndcg@3").exception(60)
    assert said == {name: told(one) for name, one in objects.items()}
    assert {name: told(one) for name, one in back.items()} == said
    assert [told(one) for one in results] == [told(one) for one in computed(presets)]
    with pytest.raises(rc.MetricError) as here:
        refused("ndcg@3")
    assert (type(error), str(error)) == (rc.MetricError, str(here.value))


OF_SYSTEMS = {
    "preparation": rc.metric("mrr", preset="allrank").preparation,
    "metric": rc.metric("recall@3", preset="cute_ranking").metric,
    "aggregation": rc.metric("recall@3", preset="cute_ranking").aggregation,
    "definition": rc.metric("recall@3", preset="cute_ranking"),
    "preset": rc.preset("cute_ranking"),
    "setting": rc.convention("relevant")("highest"),
}
"""What has settings that one system alone has."""


@pytest.mark.parametrize("name", OF_SYSTEMS)
def test_what_only_a_system_needs_is_there_in_a_process_that_loaded_nothing(name: str) -> None:
    one = OF_SYSTEMS[name]
    code = "import pickle, sys; print(repr(pickle.load(sys.stdin.buffer)))"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(one), capture_output=True, check=False)
    assert done.stdout.decode() == f"{one!r}\n", done.stderr


# plugins

PLUGIN = '''
"""A plugin."""
import numpy as np
import rankconv as rc
from rankconv import plugin
from rankconv.metrics import METRICS
from typing import Annotated

TONE = plugin.Convention("tone-of-plugin", "How loud?", neutral="soft")

@TONE.setting("soft", rule="1")
def _():
    """Softly."""
    return 1.0

@rc.convention("gain").setting("halved-by-plugin", rule="g / 2")
def _(grades):
    """Half the grade."""
    return grades / 2

class Loud(METRICS["cg"]):
    """How loud?"""
    name = "loud_of_plugin"
    tone_of_plugin: Annotated[str, TONE]
'''


@pytest.fixture
def plugin_file(tmp_path: Path) -> Path:
    file = tmp_path / "loud plugin.py"
    file.write_text(PLUGIN)
    rc.load_plugin(file)
    return file


def test_a_worker_loads_the_plugins_that_an_object_needs(plugin_file: Path) -> None:
    [loud] = rc.preset("rankconv").define("loud_of_plugin@2")
    objects = {"definition": loud, "result": rc.evaluate(LABELS, RUN, loud.text)}
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        said, back = pool.submit(elsewhere, objects).result(60)
    assert said == {name: told(one) for name, one in back.items()} == {name: told(one) for name, one in objects.items()}


def forget_the_plugin() -> None:
    """As in a process that has not loaded it."""
    for module in [name for name in sys.modules if name.startswith("rankconv_plugin_loud")]:
        del sys.modules[module]
    del (
        METRICS["loud_of_plugin"],
        CONVENTIONS["tone-of-plugin"],
        rc.convention("gain").setting_types["halved-by-plugin"],
    )


@pytest.mark.parametrize("what", ["metric", "changed setting", "convention", "setting"])
def test_each_object_brings_its_plugin(plugin_file: Path, what: str) -> None:
    owner = rc.preset("rankconv")
    made = {
        "metric": owner.define("loud_of_plugin@2")[0],
        "changed setting": owner.define("cg(gain=halved-by-plugin)@2")[0],
        "convention": rc.convention("tone-of-plugin"),
        "setting": rc.convention("gain")("halved-by-plugin"),
    }[what]
    data = pickle.dumps(made)
    forget_the_plugin()
    assert told(pickle.loads(data)) == told(made)


def test_a_plugin_that_is_not_there_is_named(plugin_file: Path) -> None:
    [loud] = rc.preset("rankconv").define("loud_of_plugin@2")
    data = [pickle.dumps(one) for one in (loud, rc.convention("gain")("halved-by-plugin"))]
    plugin_file.unlink()
    forget_the_plugin()
    for one in data:
        with pytest.raises(rc.InputError, match=r"this object needs the plugin .*loud plugin\.py, which is not there"):
            pickle.loads(one)


def test_a_class_that_cannot_be_found_again_is_refused_before_it_is_sent() -> None:
    class Local(METRICS["cg"]):  # type: ignore[name-defined, misc]
        """Is it local?"""

        name = "local_of_test"

    [local] = rc.preset("rankconv").define("local_of_test@2")
    with pytest.raises(rc.ConventionError, match=r"Local cannot be found by its name.* at the top of a module"):
        pickle.dumps(local)
    assert copy.deepcopy(local) == local
