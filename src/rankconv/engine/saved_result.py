"""A result in a file: one JSON with all numbers, and with what they mean."""

import json
import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rankconv.aggregation import Aggregation
from rankconv.aggregation.special_case import POLICY
from rankconv.basics.errors import ConventionError, InputError, MetricError, RankconvError
from rankconv.basics.output_files import draft_of
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.custom_setting import CUSTOM
from rankconv.conventions.setting_set import SettingSet
from rankconv.conventions.spec import preset_and_rest, read_spec
from rankconv.data.arrays import FrozenArrays
from rankconv.data.group_values import GroupValues
from rankconv.data.inputs.json_files import RepeatedKeyError, distinct_keys
from rankconv.engine.metric_result import Measured, Refusal
from rankconv.metrics.base import METRICS
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition
from rankconv.presets.neutral import neutral_settings
from rankconv.presets.preset_registry import names_preset
from rankconv.presets.preset_registry import preset as find_preset
from rankconv.presets.signature import PARTS

FORM: Final = 4
"""Raised when the file changes, or its words do: form 1 has the names of conventions before 1.0, form 2 other
fingerprints, form 3 no signatures. Form 3 is read."""
CHANGED = "The file was changed after it was saved: evaluate anew, and save that"
BEFORE = "It can be computed before the result is saved, where it was evaluated."
PLUGIN = "Load the plugin that defines it, and then the result."


@dataclass(frozen=True)
class SavedDefinition:
    """The text of the definition of a saved number that cannot be made here.

    A setting of it is a function, or its plugin is not loaded.
    """

    text: str
    fingerprint: str
    """Empty where a setting is a function."""
    settings: dict[str, str] = field(repr=False)
    metric_name: str
    """The strategy."""
    k: int | None
    """The cutoff."""
    why_not_made: str = field(default="", repr=False)
    """Why there is no definition, but its text alone."""

    @property
    def functions(self) -> dict[str, str]:
        """The conventions whose setting is a function, of which the file has no more than its name."""
        return {name: setting for name, setting in self.settings.items() if setting.startswith(f"{CUSTOM}(")}

    @property
    def spec(self) -> str:
        """The definition as text, without its preset."""
        return self.text.partition(":")[2]

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse what only a definition has, with a MetricError that says why there is none."""
        if name.startswith("_"):
            raise AttributeError(name)
        wrong = f"a file has the text of the definition alone: {self.why_not_made}"
        raise MetricError(wrong, where=self.text, do=BEFORE if self.functions else PLUGIN)

    def restored(self) -> Definition:
        """The definition; a convention that did not exist then has its neutral setting.

        Raises MetricError where a setting is a function, or the metric is not known here, ConventionError for a
        convention or a setting that is not, and InputError where the metric does not have a convention.
        """
        if self.functions:
            text = ", ".join(f"{name}={setting}" for name, setting in self.functions.items())
            do = "Cite the definition itself, where it was evaluated: result.methods() or rc.cite(…)."
            wrong = f"a file does not hold the functions that setting: {text}"
            raise MetricError(wrong, where=self.text, do=do, shell="Cite it in Python, where it was evaluated.")
        CONVENTIONS.make(*self.settings)
        if self.metric_name not in METRICS:
            raise ConventionError(f"'{self.metric_name}' is not a metric here", where=self.text, do=PLUGIN)
        settings, strategy = neutral_settings() | self.settings, METRICS[self.metric_name]

        def own(kind: type[SettingSet]) -> dict[str, str]:
            return {name: settings[name] for name in kind.conventions()}

        known = {*Preparation.conventions(), *strategy.conventions(), *Aggregation.conventions()}
        if unknown_here := sorted(self.settings.keys() - CONVENTIONS.keys()):
            raise ConventionError(f"'{unknown_here[0]}' is not a convention here", where=self.text, do=PLUGIN)
        if odd := sorted(self.settings.keys() - known):
            raise InputError(f"{self.metric_name} has no setting {odd[0]}", where=self.text, do=CHANGED)
        try:
            preparation = Preparation.with_settings(own(Preparation))
            aggregation = Aggregation.with_settings(own(Aggregation))
            metric = strategy.with_settings({**own(strategy), "k": self.k})
        except ConventionError as error:
            raise ConventionError(error.wrong, where=self.text, do=PLUGIN) from None
        preset, rest = preset_and_rest(self.text)
        spec = read_spec(rest)
        parts = (preset or "", spec.metric, preparation, metric, aggregation)
        owner = None
        with suppress(RankconvError):
            owner = find_preset(preset) if preset and names_preset(preset) else None
        return Definition(*parts, spec.settings, spec.cutoffs[0], owner)


def restored(saved: SavedDefinition, where: str, *, signed: bool) -> Definition | SavedDefinition:
    """The definition of a saved number; its text where it cannot be made here.

    InputError where the settings are not those of the metric, or the fingerprint is not theirs. Before numbers were
    `signed`, fingerprints named the tie rule of the setting, and not the one that was applied.
    """
    try:
        made = saved.restored()
    except InputError as error:
        raise InputError(error.wrong, where=f"{where}, {saved.text}", do=CHANGED) from None
    except RankconvError as error:
        return replace(saved, why_not_made=str(error.wrong))
    if made.fingerprint != saved.fingerprint and (signed or made.expectation.known):
        raise InputError(
            f"{saved.text} has the fingerprint {saved.fingerprint}, and that of its settings is {made.fingerprint}",
            where=where,
            do=CHANGED,
        )
    return made


@dataclass(frozen=True)
class SavedRefusal:
    """Why a number is missing whose definition cannot be made here."""

    definition: SavedDefinition
    policy: str
    what: str
    setting: str
    user: Any
    why: str

    @property
    def error(self) -> MetricError:
        """The refusal as an exception."""
        return self.error_with([])

    def error_with(self, others: Sequence[Any]) -> MetricError:
        """The refusal as an exception."""
        return MetricError(self.why, where=self.definition.text)


@dataclass(frozen=True, eq=False)
class SavedNumber(FrozenArrays):
    """What came out of a definition that cannot be made here, as the file has it."""

    definition: SavedDefinition
    mean: float
    kept: tuple[NDArray[np.float64], NDArray[np.int8]] | None
    state_names: list[str]
    counts: dict[str, int]
    refusals: list[SavedRefusal]
    of_all: str = ""
    note: str = ""
    """What was said of values outside the bounds of the metric."""
    groups: GroupValues | None = None
    again: None = None

    @property
    def values(self) -> NDArray[np.float64]:
        """The value of each user, shape (users,)."""
        return self._of_each[0]

    @property
    def shown(self) -> NDArray[np.float64]:
        """What is shown of each user, shape (users,): the value, and NaN where a policy shows none of who counts."""
        settings = [name.partition(": ")[2] for name in self.state_names]
        hidden = [state for state, setting in enumerate(settings) if setting and POLICY(setting).traits.unshown]
        return np.where(np.isin(self.states, hidden), np.nan, self.values)

    @property
    def states(self) -> NDArray[np.int8]:
        """The state of each user, shape (users,)."""
        return self._of_each[1]

    @property
    def _of_each(self) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        if self.kept is None:
            do = "Evaluate with per_user=True, and save that."
            raise MetricError("values per user were not kept", where=self.definition.text, do=do)
        return self.kept


def save(
    about: Mapping[str, Any],
    users: NDArray[Any],
    by_spec: Mapping[str, Measured],
    signatures: Mapping[str, str],
    path: str | os.PathLike[str],
    *,
    force: bool,
) -> None:
    """Write what a `Result` is made of as JSON; NaN is null there, `users` are ids of shape (users,).

    `about` is what is known of all numbers.
    """
    numbers = {spec: {"signature": signatures[spec]} | _number_fields(one) for spec, one in by_spec.items()}
    whole = {"rankconv": version_of_rankconv(), "form": FORM, **about, "users": users.tolist(), "numbers": numbers}
    with draft_of(Path(path), force=force) as draft:
        draft.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@cache
def version_of_rankconv() -> str:
    """The version that is installed."""
    try:
        return version("rankconv")
    except PackageNotFoundError:  # run from a folder that is not installed
        return "unknown"


def _number_fields(one: Measured) -> dict[str, Any]:
    definition: Any = one.definition
    saved = isinstance(definition, SavedDefinition)
    return {
        "definition": definition.text,
        "fingerprint": definition.fingerprint,
        "metric": definition.metric_name if saved else definition.metric.name,
        "k": definition.k,
        "settings": dict(definition.settings),
        "mean": _or_null(one.mean),
        "counts": one.counts,
        "refused": [{name: getattr(refusal, name) for name in _REFUSAL} for refusal in one.refusals],
        "of_all": one.of_all,
        "values": None if one.kept is None else [_or_null(value) for value in one.values.tolist()],
        "states": None if one.kept is None else one.states.tolist(),
        "state_names": one.state_names,
        "note": one.note,
    } | ({} if one.groups is None else {"groups": _group_fields(one.groups)})


def _group_fields(groups: GroupValues) -> dict[str, Any]:
    columns = {name: [_or_null(value) for value in values.tolist()] for name, values in groups.columns.items()}
    return {"names": list(groups.names), "columns": columns}


_REFUSAL = ("policy", "what", "setting", "user", "why")
_Integer = Annotated[int, Field(ge=-(2**63), lt=2**63)]


_SavedId = _Integer | str | list[_Integer | str]


class _RefusalModel(BaseModel):
    """Why a number is missing, as `save` writes it."""

    model_config = ConfigDict(strict=True, defer_build=True)

    policy: str
    what: str
    setting: str
    user: _SavedId | None
    why: str


class _GroupsModel(BaseModel):
    """The values of groups of items, as `save` writes them."""

    model_config = ConfigDict(strict=True, defer_build=True)

    names: list[str]
    columns: dict[str, list[float | None]]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if any(len(values) != len(self.names) for values in self.columns.values()):
            raise ValueError("there is not one value for each group")
        return self

    @property
    def values(self) -> GroupValues:
        """The values of the groups."""
        columns = {name: np.array(values, np.float64) for name, values in self.columns.items()}
        return GroupValues(tuple(self.names), columns)


class _NumberModel(BaseModel):
    """One number, as `save` writes it."""

    model_config = ConfigDict(strict=True, defer_build=True)

    signature: str
    definition: str
    fingerprint: str
    settings: dict[str, str]
    metric: str
    k: int | None
    mean: float | None
    counts: dict[str, int]
    refused: list[_RefusalModel]
    of_all: str
    values: list[float | None] | None
    states: list[Annotated[int, Field(ge=0, lt=128)]] | None
    state_names: list[str]
    note: str
    groups: _GroupsModel | None = None


class _Saved(BaseModel):
    """The whole file."""

    model_config = ConfigDict(strict=True, defer_build=True)

    rankconv: str
    form: Literal[4]
    preset: str
    run: str
    library: str
    unnamed: int
    notes: list[str]
    digests: dict[str, str]
    users: list[_Integer] | list[str] | list[list[_Integer | str]]
    numbers: dict[str, _NumberModel]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for one in self.numbers.values():
            if one.values is None and one.states is None:
                continue
            values, states = one.values or [], one.states or []
            if not len(values) == len(states) == len(self.users):
                raise ValueError("there is not one value and one state for each user")
            if max(states, default=-1) >= len(one.state_names):
                raise ValueError("a state has no name")
        return self


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what a `Result` is made of from a file that `save` wrote."""
    try:
        text = Path(path).read_bytes()
        found = _Saved.model_validate_json(_of_form_3(text) or text)
        json.loads(text, object_pairs_hook=distinct_keys)
    except RepeatedKeyError as problem:
        raise problem.at(str(path)) from None
    except OSError as problem:
        raise InputError(f"the file cannot be opened: {problem.strerror}", where=str(path)) from None
    except ValidationError as problem:
        raise _unreadable(problem, path) from None
    numbers = {spec: _read(one, str(path)) for spec, one in found.numbers.items()}
    signatures = {spec: _signed(one, numbers[spec]) for spec, one in found.numbers.items()}
    return {
        "preset": found.preset,
        "run": found.run,
        "library": found.library,
        "unnamed": found.unnamed,
        "notes": tuple(found.notes),
        "users": _ids(found.users),
        "by_spec": numbers,
        "stated": (signatures, found.digests),
    }


def _signed(one: _NumberModel, number: Measured | SavedNumber) -> str:
    """The signature of a number; of form 3 it begins with that of the definition."""
    if not one.signature.startswith(PARTS):
        return one.signature
    definition = number.definition
    return (definition.text if isinstance(definition, SavedDefinition) else definition.signature) + one.signature


def _of_form_3(text: bytes) -> str:
    """A file of form 3 as one of form 4, whose signatures say that no digests were made; empty for all else."""
    try:
        whole = json.loads(text)
    except ValueError:  # said below
        return ""
    if not isinstance(whole, dict) or whole.get("form") != 3 or not isinstance(whole.get("numbers"), dict):
        return ""
    stated = f"labels:not-made|run:not-made|preset:{whole.get('preset')}|rankconv:{whole.get('rankconv')}"
    for one in whole["numbers"].values():
        one |= {"signature": PARTS + stated, "of_all": ""}
        none = dict.fromkeys(("policy", "what", "setting"), "") | {"user": None}
        one["refused"] = [none | {"what": why, "why": why} for why in one.get("refused", [])]
    return json.dumps(whole | {"form": FORM, "library": "", "unnamed": 0, "notes": [], "digests": {}})


def _ids(users: Sequence[Any]) -> NDArray[Any]:
    """The ids as they were saved, shape (users,); lists of parts become tuples again."""
    whole = [tuple(one) if isinstance(one, list) else one for one in users]
    if isinstance(next(iter(whole), None), int):
        return np.array(whole, np.int64)
    return np.fromiter(whole, object, len(whole))


def _unreadable(problem: ValidationError, path: str | os.PathLike[str]) -> InputError:
    errors = problem.errors(include_url=False)
    form = next((error["input"] for error in errors if error["loc"] == ("form",)), None)
    if type(form) is int:
        wrong = f"the saved result has form {form}, and this version of rankconv reads form {FORM}"
        return InputError(wrong, where=str(path), do="Evaluate again, and save that")
    where = ".".join(map(str, errors[0]["loc"][:3]))
    do = "Load what result.save(path) wrote"
    return InputError("this is not a saved result", where=f"{path}, {where}" if where else str(path), do=do)


def _read(one: _NumberModel, where: str) -> Measured | SavedNumber:
    saved = SavedDefinition(one.definition, one.fingerprint, one.settings, one.metric, one.k)
    part = one.signature.partition(PARTS)[0]
    definition = restored(saved, where, signed=bool(part))
    mean = math.nan if one.mean is None else one.mean
    kept = None
    if one.values is not None and one.states is not None:
        kept = np.array(one.values, np.float64), np.array(one.states, np.int8)
    groups = None if one.groups is None else one.groups.values
    refused = [(each.policy, each.what, each.setting, _id(each.user), each.why) for each in one.refused]
    if isinstance(definition, SavedDefinition):
        refusals = [SavedRefusal(definition, *each) for each in refused]
        more = one.counts, refusals, one.of_all, one.note, groups
        return SavedNumber(definition, mean, kept, one.state_names, *more)
    made = Measured(
        definition,
        mean,
        np.zeros(len(one.state_names), np.int64),
        kept,
        [Refusal(definition, *each[:4]) for each in refused],
        one.of_all,
        note=one.note,
        groups=groups,
    )
    if made.state_names != one.state_names or part not in ("", definition.signature):
        wrong = f"the signature or the states of users are not those of {one.definition}"
        raise InputError(wrong, where=where, do=CHANGED)
    made.tally = np.array([one.counts.get(name, 0) for name in one.state_names], np.int64)
    return made


def _id(one: Any) -> Any:
    return tuple(one) if isinstance(one, list) else one


def _or_null(value: float) -> float | None:
    return None if math.isnan(value) else value


def is_saved(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as `save` writes it; False for what cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return b"".join(file.read(64).split()).startswith(b'{"rankconv":')
    except OSError:
        return False
