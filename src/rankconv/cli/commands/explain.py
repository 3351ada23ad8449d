"""`rankconv explain` and `rankconv why`: one user's value step by step, and the difference of two values."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import options as o
from rankconv.cli.data import Data, at_cutoff, data_options, require_run
from rankconv.cli.printing import clock, print_json, print_result
from rankconv.errors import InputError, MetricError
from rankconv.pages.display import terminal_width

Sides = Annotated[
    list[str] | None,
    typer.Argument(metavar="[LABELS RUN] [A B]", help="Labels and run, then two presets or metrics: mllib:ndcg@10"),
]


@data_options("seen catalogue train item_features")
def explain(
    metric: o.Metric,
    user: o.UserId,
    data: Data,
    labels: o.OptionalLabels = None,
    run: o.OptionalRun = None,
    k: o.Cutoffs = "",
    preset: o.Preset = "rankconv",
    against: o.Against = None,
    by_rank: o.RankTable = False,
    form: o.ExplainForm = o.ExplainFormat.text,
    plot: o.Plot = None,
) -> None:
    """Explain the value of one user, step by step; without files, of one of the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.analysis.explain.explain import sides

    metric = at_cutoff(metric, k)
    if by_rank:
        _check_by_rank(against, plot)
    else:
        sides(metric, [preset, against])
    known, ranked = data.pair(labels, run)
    found: Any
    if by_rank:
        found = rc.by_rank(known, ranked, metric, user=user, preset=preset, **data.sides())
    else:
        found = rc.explain(known, ranked, metric, user=user, preset=[preset, against], **data.sides())
    if plot is not None:
        found.plot(plot)
    if form == "json":
        print_json(found.to_dict())
    else:
        print(found.to_text(terminal_width()) if form == "text" else getattr(found, f"to_{form.value}")())


def _check_by_rank(against: str | None, plot: Path | None) -> None:
    if against is not None:
        do = "Name presets in the metrics: -m trec_eval:map,mllib:map."
        raise MetricError("--against is not for --by-rank", do=do)
    if plot is not None:
        raise MetricError("--plot is not for --by-rank", do="Leave out one of the two.")


@data_options("user seen catalogue train item_features")
def why(
    data: Data,
    sides: Sides = None,
    metric: o.OptionalMetric = None,
    k: o.Cutoffs = "",
    preset: o.Presets = [],
    form: o.Form = o.Format.text,
    digits: o.OptionalDigits = None,
    plot: o.Plot = None,
    seed: o.Seed = 0,
) -> None:
    """Attribute the difference of two values to conventions; without files, on the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.analysis.why.sides import side

    files, (a, b) = _files_and_sides(sides or [], preset)
    metric = at_cutoff(metric, k) if metric else None
    side(a, metric), side(b, metric)
    known, ranked = data.pair(*map(Path, files)) if files else data.pair(None, None)
    users = data.users(known, ranked)
    with clock("Attributing the difference", data.progress):
        found = rc.why(known, ranked, metric, a=a, b=b, users=users, **data.sides(), seed=seed)
    if plot is not None:
        found.plot(plot, digits)
    print_result(found, form, digits, files=shlex.join([*files, *data.repeated()]))


def _files_and_sides(given: list[str], presets: list[str]) -> tuple[list[str], list[str]]:
    """Return the files, if any, and the two definitions, which -p may name too."""
    files, sides = (given, presets) if presets else (given[:-2], given[-2:])
    if len(files) in (0, 2) and len(sides) == 2 and not all(map(_is_data, sides)):
        return files, sides
    if len(given) == 1 and _is_data(given[0]):
        require_run(Path(given[0]))
    do = "Type: rankconv why LABELS RUN -m ndcg@10 mllib trec_eval, or without files for the five users."
    if len(given) == 2 and all(map(_is_data, given)):
        missing = "a second preset is" if len(presets) == 1 else "two presets or definitions are"
        raise InputError(f"labels and a run were given, and {missing} missing", do=do)
    if len(given) == 3 and all(map(_is_data, given[:2])):
        raise InputError(f"labels, a run and '{given[2]}' were given, and a second preset is missing", do=do)
    counted = f"{len(given)} arguments and {len(presets)} presets" if presets else f"{len(given)} arguments"
    raise InputError(f"{counted} were given, and why takes labels, a run and two presets", do=do)


def _is_data(text: str) -> bool:
    """Return whether an argument is a file that is not a preset."""
    return Path(text).is_file() and Path(text).suffix not in (".yaml", ".yml")
