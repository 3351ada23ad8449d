"""The conformance vectors, from small data and definitions: `python -m tests.generate vectors` writes them."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

import rankconv as rc
from rankconv.addons.conformance.vectors import (
    DataFile,
    Expected,
    NoValue,
    Vector,
    VectorCase,
    VectorData,
    VectorDefinition,
    VectorFile,
    VectorValue,
    schema,
)
from rankconv.analysis.identify.candidates import entries, every_preset, settings_to
from rankconv.engine import measure
from rankconv.preparation.searches import CALLS
from rankconv.presets.definition import with_changes
from rankconv.presets.neutral import neutral_settings

HERE = Path(__file__).parent
FOLDER = HERE.parents[2] / "conventions" / "vectors"
MAIN = "ndcg@3 ndcg map@3 map mrr@3 mrr precision@3 recall@3 f1@3 hit_rate@3 r_precision dcg@3".split()
"""The metrics of most programs, of which the definitions of these presets have expected values too."""
PRESETS = (
    "rankconv trec_eval sklearn torchmetrics mllib ranx recommenders lightgbm haystack llama_index mteb "
    "elasticsearch opensearch recbole vae_cf"
).split()
OURS = "rankconv, worked by its definitions"


@cache
def source() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((HERE / "data.yaml").read_text("utf-8"))
    return found


def rows(users: dict[str, str]) -> list[tuple[str, str, str]]:
    """Items with values as rows, decimals as they are written."""
    pairs = [(user, *pair.rpartition("=")[::2]) for user, text in users.items() for pair in text.split()]
    return [(str(user), item, repr(float(value)).removesuffix(".0")) for user, item, value in pairs]


def data() -> dict[str, VectorData]:
    """All data, those of reports under the name of the report."""
    named = {**source()["data"], **{one["id"]: one for one in source()["reports"]}}
    return {
        name: VectorData(about=one["about"], labels=rows(one["labels"]), run=rows(one["run"]))
        for name, one in named.items()
    }


def specs() -> list[str]:
    """The metrics of vectors: all of the default preset that need labels and a run alone."""
    others = list[str]()
    for key in rc.preset("rankconv").metrics:
        spec = f"{key}@3" if rc.preset("rankconv").offers(f"{key}@3") else key
        definition = rc.metric(spec)
        if not definition.needs and not definition.pools and key not in {one.partition("@")[0] for one in MAIN}:
            others.append(spec)
    return [*MAIN, *others]


def expected(case: VectorCase, texts: Sequence[str]) -> Iterator[Expected]:
    """What these definitions give, those that give the same together."""
    same = defaultdict[str, list[str]](list)
    result = rc.evaluate(case.joined, list(texts), on_error="collect")
    for text in texts:
        refused = text in result.errors
        values: dict[str, VectorValue] = {}
        for user, value, state in zip(
            result.users.tolist(), result.per_user[text].tolist(), result.state[text].tolist(), strict=True
        ):
            if state != "outside":
                values[user] = written(value, refused, "skip" in state)
        whole = Expected(definitions=[], mean=written(result[text], refused, False), users=values)
        same[whole.model_dump_json()].append(text)
    for body, names in same.items():
        yield Expected.model_validate_json(body).model_copy(update={"definitions": names})


def written(value: float, refused: bool, skipped: bool) -> VectorValue:
    if refused:
        return NoValue(state="refused")
    return NoValue(state="skipped" if skipped else "nan") if np.isnan(value) else repr(float(value))


def definitions(spec: str) -> dict[str, VectorDefinition]:
    """The default definition of a metric; of the main ones those of well-known presets, each once."""
    found: dict[str, VectorDefinition] = {}
    for definition in entries(spec, [rc.preset(name) for name in (PRESETS if spec in MAIN else PRESETS[:1])]):
        if definition.needs:
            continue
        known = next((one for one in found.values() if one.signature == definition.signature), None)
        if known is None:
            found[definition.text] = VectorDefinition(signature=definition.signature, presets=[definition.preset])
        else:
            known.presets.append(definition.preset)
    return found


@cache
def occurring() -> dict[str, dict[str, set[str]]]:
    """Convention → setting → the systems that give it, of which a preset is a variant."""
    found = defaultdict[str, dict[str, set[str]]](lambda: defaultdict(set))
    for preset in every_preset():
        for key in preset.metrics:
            for convention, setting in preset.definition(key, (), None if preset.offers(key) else 3).settings.items():
                found[convention][setting].add(preset.name.partition("-")[0].partition("+")[0])
    return found


def core() -> list[str]:
    """The conventions in which two systems or more depart from the neutral setting; vectors have one list of a user."""
    neutral, found = neutral_settings(), list[str]()
    for convention, settings in occurring().items():
        usual = neutral.get(convention, "as-computed")  # of two policies that hold at once
        departing = {name for setting, names in settings.items() if setting != usual for name in names}
        if len(departing) > 1 and convention != CALLS.name:
            found.append(convention)
    return found


def variants(base: rc.Definition, convention: str) -> list[rc.Definition]:
    """A definition under each setting of a convention that acts on it, each signature once."""
    found: dict[str, rc.Definition] = {}
    for setting in settings_to(convention, sorted(occurring()[convention])):
        one = with_changes(base, {convention: setting})
        if one is not None and not one.needs and convention not in one.idle_rules:
            found.setdefault(one.signature, one)
    return list(found.values())


def numbers(case: VectorCase, some: Sequence[rc.Definition]) -> list[tuple[Any, ...]]:
    """What each definition gives on the data of a vector, as something to compare."""
    found = []
    for one in measure(case.joined, list(some), None):
        values = [None] if one.refusals else [*one.values.tolist(), one.mean]
        found.append(tuple("none" if value is None or np.isnan(value) else f"{value:.9g}" for value in values))
    return found


UNION = {"users": "union"}
ODD = {**UNION, "on-no-relevant": "as-computed", "negative": "grade"}
ENABLING = {
    **{name: {"on-invalid": "refuse-user"} for name in ("grades-allowed", "duplicate-labels", "negative")},
    "on-invalid": {"grades-allowed": "binary"},
    "min-rows": {"on-too-few-rows": "skip"},
    "on-too-few-rows": {"min-rows": "2"},
    "policy-order": {
        **UNION,
        "on-no-relevant": "1",
        "on-short-ranking": "nan",
        "on-no-hits": "0.25",
        "on-no-ranking": "0",
    },
    **dict.fromkeys(("on-zero-division", "on-nonzero-over-zero", "on-negative-denominator", "on-zero-grade-sum"), ODD),
    **dict.fromkeys(("on-no-labels", "on-nothing-judged", "on-no-labels-at-all", "on-no-rows-at-all"), UNION),
    **dict.fromkeys(("on-nothing-judged-and-on-empty-ranking", "on-empty-ranking-and-on-no-labels"), UNION),
}
"""By convention what is changed in the default definition, as it acts only with these settings of others."""


@cache
def compared(spec: str) -> dict[str, list[rc.Definition]]:
    """By core convention definitions that differ in it alone, where it acts."""
    found = {
        name: variants(with_changes(rc.metric(spec), ENABLING.get(name, {})) or rc.metric(spec), name)
        for name in core()
        if name in rc.metric(spec).settings
    }
    return {name: some for name, some in found.items() if len(some) > 1}


def catches(case: VectorCase, spec: str) -> list[str]:
    """The core conventions of which two settings give two numbers."""
    whole = [one for some in compared(spec).values() for one in some]
    values = dict(zip(map(id, whole), numbers(case, whole), strict=True))
    return [name for name, some in compared(spec).items() if len({values[id(one)] for one in some}) > 1]


def files() -> dict[str, str]:
    """The text of each file, by name."""
    every, found = data(), dict[str, str]()
    by_metric = defaultdict[str, list[str]](list)
    for spec in specs():
        by_metric[spec.partition("@")[0]].append(spec)
    for metric, some in by_metric.items():
        stated, vectors = dict[str, VectorDefinition](), list[Vector]()
        for spec in some:
            own = definitions(spec)
            stated |= own
            for name in source()["data"]:
                vector = Vector(
                    id=f"{spec}/{name}", data=name, metric=metric, k=3 if "@" in spec else None, expected=[],
                    catches=[], source=OURS,
                )  # fmt: skip
                case = VectorCase(vector, every[name])
                update = {"expected": [*expected(case, list(own))], "catches": catches(case, spec)}
                vectors.append(vector.model_copy(update=update))
        kept = vectors if some[0] in MAIN else needed(vectors)
        found[f"{metric}.json"] = text(VectorFile(definitions=stated, vectors=kept))
    found["reports.json"] = text(reports(every))
    found["data.json"] = text(DataFile(data=every))
    found["schema.json"] = json.dumps(schema(), indent=2) + "\n"
    return found


def needed(vectors: Sequence[Vector]) -> list[Vector]:
    """Of a metric of few programs as few vectors as catch all that any of them does, those that catch most first."""
    kept, left = list[Vector](), {name for one in vectors for name in one.catches}
    while left:
        kept.append(max(vectors, key=lambda one: len(left & {*one.catches})))
        left -= {*kept[-1].catches}
    return [one for one in vectors if one in kept]


def reports(every: dict[str, VectorData]) -> VectorFile:
    """The reports, each with the number that was reported and the one that it was to be."""
    stated, vectors = dict[str, VectorDefinition](), list[Vector]()
    for one in source()["reports"]:
        k, both = one.get("k"), list[Expected]()
        vector = Vector(
            id=one["id"], data=one["id"], metric=one["metric"], k=k, expected=[], catches=[], source=one["source"],
            about=one["about"],
        )  # fmt: skip
        case = VectorCase(vector, every[one["id"]])
        for role in ("corrected", "reported"):
            if role in one:
                definition = rc.metric(cut(one, role))
                stated[definition.text] = VectorDefinition(signature=definition.signature, presets=[])
                [value] = expected(case, [definition.text])
                both.append(value.model_copy(update={"role": role}))
        vectors.append(vector.model_copy(update={"expected": both, "catches": caught(one)}))
    return VectorFile(definitions=stated, vectors=vectors)


def cut(report: dict[str, Any], role: str) -> str:
    """A definition of a report at its cutoff."""
    return f"{report[role][0]}@{report['k']}" if "k" in report else str(report[role][0])


def caught(report: dict[str, Any]) -> list[str]:
    """The conventions in which the two definitions of a report differ."""
    if "reported" not in report or "corrected" not in report:
        return []
    both = [rc.metric(cut(report, role)) for role in ("reported", "corrected")]
    return [name for name in both[0].diff(both[1]) if name != "k"]


def text(file: VectorFile | DataFile) -> str:
    """A file with one vector, definition or data set a line."""
    whole = file.model_dump(mode="json")
    lines = [f'"{name}": {json.dumps(whole[name])}' for name in ("format", "license")]
    for name in ("data", "definitions"):
        if name in whole:
            inner = ",\n".join(f"{json.dumps(key)}: {compact(value)}" for key, value in whole[name].items())
            lines.append(f'"{name}": {{\n{inner}\n}}')
    if "vectors" in whole:
        inner = ",\n".join(compact({k: v for k, v in one.items() if v != ""}) for one in whole["vectors"])
        lines.append(f'"vectors": [\n{inner}\n]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def compact(value: Any) -> str:
    if isinstance(value, dict) and "expected" in value:
        value = {**value, "expected": [{k: v for k, v in one.items() if v != ""} for one in value["expected"]]}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
