"""The data of a command: labels, runs and side data from files, and the options that all such commands share."""

import csv
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_type_hints

from rankconv.basics.errors import InputError, MetricError, RankconvError, nearest
from rankconv.basics.escaping import printable
from rankconv.cli import five_users
from rankconv.cli import options as o
from rankconv.cli.command_table import CommandFunction, load_plugins
from rankconv.cli.printing import say

if TYPE_CHECKING:
    from rankconv.data.inputs.columns import Side
    from rankconv.evaluation.joining import SideDataLike

ROLES = ("user", "item", "grade", "group", "score", "rank", "call", "rating", "time")


@dataclass(frozen=True)
class DataOptions:
    """The data options that were given; those that a command does not have are at their defaults."""

    user: o.UsersOption = field(default_factory=list)
    seen: o.SeenOption = None
    catalogue: o.CatalogueOption = None
    train: o.TrainOption = None
    item_features: o.ItemFeaturesOption = None
    parents: o.ParentsOption = None
    propensities: o.PropensitiesOption = None
    shown: o.ShownOption = None
    group_target: o.GroupTargetOption = None
    column: o.ColumnsOption = field(default_factory=list)
    memory: o.MemoryOption = None
    temp_dir: o.TempDirOption = None
    progress: o.ProgressOption = None
    quiet: o.QuietOption = False
    plugin: o.PluginsOption = field(default_factory=list)
    names: tuple[str, ...] = ()
    """The options that the command has."""
    metrics: Sequence[str] = ()
    presets: Sequence[str] = ()
    """The metrics and the presets that were given to the command."""

    def side_data(self, *without: str) -> "SideDataLike":
        """Return the side data as the functions of Python take them."""
        text = self.catalogue
        size = int(text) if text and text.lstrip("-").isdecimal() else text
        files = {"seen": self.seen, "train": self.train, "item_features": self.item_features}
        files |= {"propensities": self.propensities, "shown": self.shown, "group_target": self.group_target}
        sides = {"catalogue": size, "parents": self.parents, **{name: path(file) for name, file in files.items()}}
        known = {name: value for name, value in sides.items() if name in self.names and name not in without}
        return cast("SideDataLike", known)

    def labels(self, file: Path) -> Any:
        """Read labels, and say which columns were guessed."""
        from rankconv.data import inputs

        named = _of_side(self.column, "labels")
        return self._with_guesses_reported(file, inputs.labels(str(file), **named), named)

    def run(self, file: Path) -> Any:
        """Read one run, and say which columns were guessed."""
        from rankconv.data import inputs

        named = _of_side(self.column, "run")
        run = inputs.rankings(str(file), **named)
        rank = run.form.assumed_rank
        if rank and not self._guessed_rank(run):
            return run
        return self._with_guesses_reported(file, run, named, rank)

    def ratings(self, file: Path) -> Any:
        """Read ratings, and say which columns were guessed."""
        from rankconv import protocols

        roles = ("user", "item", "rating", "time")
        named = {role: name for role, name in columns(self.column).items() if role in roles}
        return self._with_guesses_reported(file, protocols.Ratings(str(file), **named), named)

    def interactions(self, file: Path) -> Any:
        """Read the items that users had, of a file whose columns may be called as those of the labels."""
        from rankconv.data import inputs

        named = _of_side(self.column, "labels")
        return inputs.interactions(str(file), **{role: named[role] for role in ("user", "item") if role in named})

    def runs(self, files: Sequence[Path]) -> Any:
        """Read several runs, named by their files."""
        import rankconv as rc

        return rc.Runs({name: self.run(file) for name, file in run_files(files).items()})

    def pair(self, labels: Path | None, run: Path | None) -> tuple[Any, Any]:
        """Read labels and one run; without files, the five users."""
        if labels is None or run is None:
            return self._five_users(labels)
        return self.labels(labels), self.run(run)

    def several(self, labels: Path | None, runs: Sequence[Path] | None) -> tuple[Any, Any]:
        """Read labels and several runs; without files, the five users."""
        if labels is None or not runs:
            return self._five_users(labels)
        return self.labels(labels), self.runs(runs)

    def users(self, *data: Any) -> list[Any] | None:
        """Return the users of `--user` with their ids in the data; None for all."""
        if not self.user:
            return None
        from rankconv.data.ids import typed
        from rankconv.data.labels_and_rankings import Runs

        each = [run for one in data for run in (one.by_name.values() if isinstance(one, Runs) else [one])]
        known = {typed(user): user for one in each for user in one.users.values.tolist()}
        for user in self.user:
            if user not in known:
                wrong = f"there is no user '{user}' in the labels or the run"
                raise InputError(wrong, where="-u", nearest=nearest(user, known))
        return [known[user] for user in self.user]

    def repeated(self) -> list[str]:
        """Return the options that a printed command repeats."""
        sides = [("seen", self.seen), ("catalogue", self.catalogue), ("train", self.train)]
        sides += [("item-features", self.item_features), ("parents", self.parents)]
        sides += [("propensities", self.propensities), ("shown", self.shown), ("group-target", self.group_target)]
        words = [f"--{name}={value}" for name, value in sides if value is not None]
        return [*(f"--column={name}" for name in self.column), *(f"--plugin={file}" for file in self.plugin), *words]

    def _with_guesses_reported(self, file: Path, data: Any, named: Mapping[str, str], *more: str) -> Any:
        """Say which columns were taken, where that was a guess, and what else is assumed."""
        guessed = {role: column for role, column in data.columns.items() if role not in named}
        if not self.quiet and any(column.casefold() != role for role, column in guessed.items()):
            pairs = ", ".join(f"{role} = {data.columns[role]}" for role in ROLES if role in data.columns)
            say(printable(f"{file.name}: {pairs}"))
        for said in filter(None, (data.assumed, *more)):
            if not self.quiet:
                say(printable(f"{file.name}: {said}"))
        return data

    def _guessed_rank(self, run: Any) -> bool:
        """Whether a definition orders rows by score; also where definitions are unknown, or not valid."""
        from rankconv.evaluation.notes import assumed_rank
        from rankconv.presets.arguments import define
        from rankconv.presets.preset_registry import HOUSE, preset

        try:
            definitions = [define(list(self.metrics) or None, preset(name)) for name in self.presets or [HOUSE]]
        except RankconvError:
            return True
        return bool(assumed_rank(run, [one for named in definitions for one in named.values()]))

    def _five_users(self, labels: Path | None) -> tuple[Any, Any]:
        import rankconv as rc

        require_run(labels)
        if not self.quiet:
            say(f"No files given: {five_users.SOURCE}.")
        return rc.Labels(five_users.LABELS), rc.Run(five_users.RUN)


def require_run(labels: Path | None) -> None:
    """Raise an InputError where labels were given without a run."""
    if labels is not None:
        do = f"Add a run after {labels}, or leave out the labels for the five users."
        raise InputError("labels were given, and no run", do=do)


def with_data_options(function: CommandFunction, names: str) -> CommandFunction:
    """Return a command whose parameter `data` became these options.

    The plugins are loaded before the command runs.
    """
    every = tuple(names.split())
    types, defaults = get_type_hints(DataOptions, include_extras=True), vars(DataOptions())
    kind = inspect.Parameter.KEYWORD_ONLY
    options = [inspect.Parameter(name, kind, annotation=types[name], default=defaults[name]) for name in every]
    signature = inspect.signature(function, eval_str=True)

    @wraps(function)
    def command(**given: Any) -> None:
        data = DataOptions(
            **{name: given.pop(name) for name in every},
            names=every,
            metrics=_given(given, "metric"),
            presets=_given(given, "preset", "against"),
        )
        load_plugins(data.plugin)
        function(**given, **({"data": data} if "data" in signature.parameters else {}))

    own = [one.replace(kind=kind) for one in signature.parameters.values() if one.name != "data"]
    vars(command)["__signature__"] = signature.replace(parameters=[*own, *options])
    return command


def _given(options: Mapping[str, Any], *names: str) -> list[str]:
    """Return what was given to these options, of which some take one text and others several."""
    each = [options.get(name) or [] for name in names]
    return [text for one in each for text in ([one] if isinstance(one, str) else one)]


def path(file: Path | None) -> str | None:
    """Return a path as text, which the readers take."""
    return None if file is None else str(file)


def run_files(files: Sequence[Path]) -> dict[str, Path]:
    """Return the file of each run by the run's name; a folder represents all files in it."""
    from rankconv.data.inputs.run_files import named_by_file, runs_in

    return named_by_file([run for file in files for run in (runs_in(file).values() if file.is_dir() else [file])])


def refuse(options: Mapping[str, Any], wrong: str, *, do: str) -> None:
    """Raise a MetricError for the first of these options that was given; {} in both texts is its name."""
    for name, value in options.items():
        if value:
            raise MetricError(wrong.format(name), do=do.format(name))


def refuse_with_memory(data: DataOptions, options: Mapping[str, Any] | None = None) -> None:
    """Raise a MetricError for what needs all users at once: these options, and data of users."""
    of_users = {"-u": data.user, "--seen": data.seen, "--group-target": data.group_target}
    refused = {**(options or {}), **of_users}
    refuse(refused, "{} needs all users, and --memory keeps none", do="Leave out one of the two.")


def in_batches(labels: Path | None, run: Sequence[Path]) -> tuple[str, dict[str, str]]:
    """Return the paths of labels and runs that are streamed: a folder is one run, in parts."""
    from rankconv.data.inputs.run_files import named_by_file

    if labels is None or not run:
        raise MetricError("--memory is for files, and none are given", do="Pass labels and a run.")
    return str(labels), {name: str(file) for name, file in named_by_file(list(run)).items()}


def columns(given: Sequence[str]) -> dict[str, Any]:
    """Return the columns that --column names: role → name, or names of a compound id."""
    from rankconv.data.inputs.columns import ROLES_OF

    sided = [f"{side}.{role}" for side, roles in ROLES_OF.items() for role in roles]
    pairs = [one.partition("=") for one in given]
    for role, sign, name in pairs:
        if role not in (*ROLES, *sided) or not (sign and name):
            allowed = f"Write --column user=NAME, or user=NAME,NAME; other roles: {', '.join(ROLES[1:])}; "
            allowed += "of one side alone: run.item, labels.user, …"
            raise InputError(f"'{role}{sign}{name}' does not name a column", allowed=allowed)
    return {role: _column(name) for role, _, name in pairs}


def _of_side(given: Sequence[str], side: "Side") -> dict[str, Any]:
    """Return the names that the caller gave to columns of labels, or of a run."""
    from rankconv.data.inputs.columns import of_side

    named = {role: name for role, name in columns(given).items() if role not in ("rating", "time")}
    return {role: name for role, name in of_side(named, side).items() if name is not None}


def _column(name: str) -> str | tuple[str, ...]:
    """Return one column, or several of a compound id, `uid,given`; a name that holds a comma is in quotes."""
    parts = next(csv.reader([name])) if "," in name else [name]
    return parts[0] if len(parts) == 1 else tuple(parts)


def at_cutoffs(metrics: Sequence[str], cutoffs: str) -> list[str]:
    """Return the metrics, those without a cutoff at these; signatures have theirs.

    >>> at_cutoffs(["ndcg,map@5"], "10"), at_cutoffs(["ndcg(ties=given)"], "5,10"), at_cutoffs(["ndcg,map"], "")
    (['ndcg@10', 'map@5'], ['ndcg(ties=given)@5,10'], ['ndcg,map'])
    """
    from rankconv.conventions.spec import each_spec, is_signature

    if not cutoffs:
        return [*metrics]
    specs = [spec for text in metrics for spec in each_spec(text)]
    return [spec if is_signature(spec) or "@" in spec.rpartition(")")[2] else f"{spec}@{cutoffs}" for spec in specs]


def at_cutoff(metric: str, cutoffs: str) -> str:
    """Return the metric at these cutoffs, as `at_cutoffs` puts them."""
    return ",".join(at_cutoffs([metric], cutoffs))


USUAL, USUAL_CUTOFF = ["ndcg", "map", "precision", "recall", "mrr"], "10"
"""The metrics of a user's own data by default."""


def usual(cutoffs: str) -> list[str]:
    """Return the default metrics at these cutoffs."""
    return at_cutoffs(USUAL, cutoffs or USUAL_CUTOFF)


def offered(metrics: list[str], presets: list[Any], quiet: bool) -> list[str]:
    """Return the default metrics that one of the presets offers, and say which are left out."""
    from rankconv.conventions.spec import each_spec

    specs = [spec for text in metrics for spec in each_spec(text)]
    offers = {spec: sum(one.offers(spec) for one in presets) for spec in specs}
    left_out = [spec for spec, times in offers.items() if not times]
    if len(left_out) == len(offers):
        do = f"Name metrics with -m; they are listed by: rankconv show {presets[0].name}"
        raise MetricError(f"none of these presets offers {', '.join(left_out)}", do=do)
    if left_out and not quiet:
        say(f"Left out, offered by none of these presets: {', '.join(left_out)}.")
    if any(0 < times < len(presets) for times in offers.values()) and not quiet:
        say("–: the preset does not define the metric.")
    return [spec for spec, times in offers.items() if times]


def cluster_of(text: str | None, columns: Sequence[str]) -> tuple[int, ...] | None:
    """Return the numbers of the parts of ids to resample by, given so, or as columns of `--column user=uid,given`.

    >>> cluster_of("uid", ["user=uid,given", "item=movie"]), cluster_of("1,2", []), cluster_of(None, [])
    ((1,), (1, 2), None)
    """
    if text is None:
        return None
    named = [one.partition("=")[2].split(",") for one in columns if one.partition("=")[0].strip() == "user"]
    parts = [name.strip() for name in named[-1]] if named else []
    found = []
    for one in (part.strip() for part in text.split(",")):
        if not one.isdecimal() and one not in parts:
            allowed = f"The parts are {', '.join(parts)}" if len(parts) > 1 else "A number from 1 on, 1 being the first"
            do = "Name a part of --column user=uid,given, or its number."
            raise InputError(f"'{one:.100}' is not a part of users' ids", where="--cluster", allowed=allowed, do=do)
        found.append(parts.index(one) + 1 if one in parts else int(one))
    return tuple(found)
