"""`rankconv compare`: the numbers of runs under several presets."""

from dataclasses import asdict, replace
from typing import Annotated, Any

import typer

from rankconv import five_users
from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs, chosen_users
from rankconv.cli.options import (
    Catalogue,
    Columns,
    Cutoffs,
    Digits,
    Features,
    Form,
    Format,
    LabelsFile,
    Memory,
    Metrics,
    Plugins,
    Progress,
    Quiet,
    RunFiles,
    Seen,
    Temp,
    Train,
    Users,
    Whole,
)
from rankconv.cli.printing import print_json, print_page, print_table, say
from rankconv.errors import MetricError
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after

USUAL, USUAL_CUTOFF = ["ndcg", "map", "precision", "recall", "mrr"], "10"
"""The metrics of a user's own data, unless they name others."""
ALL = "--whole prints every row and note, --by-value those who agree together, --format csv and json all"


@command_after("evaluate")
def compare(
    labels: LabelsFile = None,
    run: RunFiles = None,
    metric: Metrics = [],  # noqa: B006
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="A preset, a group such as search, or all; may be repeated.")
    ] = [],  # noqa: B006
    k: Cutoffs = "",
    user: Users = [],  # noqa: B006
    by_value: Annotated[
        bool, typer.Option(help="Group the presets by their numbers, and say what parts them.")
    ] = False,
    form: Form = Format.table,
    digits: Digits = 4,
    quiet: Quiet = False,
    whole: Whole = False,
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    memory: Memory = None,
    temp: Temp = None,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How do the numbers change with the definition? Without files: the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.ask.compare.compare import asked, presets_asked

    files.load(plugin)
    chosen = presets_asked(preset or None)
    if metric:
        specs = at_cutoffs(metric, k)
        asked(specs, chosen)
    else:
        specs = _offered(_usual(k, of_five=labels is None), chosen, quiet)
    more: dict[str, Any] = {**files.beside(seen, catalogue, train, features), "progress": progress, "temp_dir": temp}
    if memory is not None:
        files.refuse_with_memory({"-u": user, "--seen": seen})
        more |= {"memory": memory, "columns": files.named(column)}
        known, ranked = files.in_batches(labels, run or [])
    else:
        known, ranked = files.several_runs(labels, run or [], column, quiet)
        more["users"] = chosen_users(user, known, ranked)
    found = rc.compare(known, ranked, specs, chosen, **more)
    if by_value:
        _print_by_value(found, digits, form)
    elif form is Format.json:
        print_json(found.to_dict())
    else:
        _print_grid(found, digits, form, whole or form is not Format.table)


def _usual(cutoffs: str, of_five: bool) -> list[str]:
    """What is asked where nobody says: of the five users the metrics of the post."""
    if not of_five:
        return at_cutoffs(USUAL, cutoffs or USUAL_CUTOFF)
    names = [spec.partition("@")[0] for spec in five_users.METRICS]
    return at_cutoffs(names, cutoffs) if cutoffs else five_users.METRICS


def _offered(metrics: list[str], presets: list[Any], quiet: bool) -> list[str]:
    """The usual metrics, those that one of the presets has; what is left out is said."""
    from rankconv.questions.spec import each_spec

    specs = [spec for text in metrics for spec in each_spec(text)]
    offers = {spec: sum(one.offers(spec) for one in presets) for spec in specs}
    left_out = [spec for spec, times in offers.items() if not times]
    if len(left_out) == len(offers):
        do = f"Name metrics with -m; they are listed by: rankconv show {presets[0].name}"
        raise MetricError(f"none of these presets offers {', '.join(left_out)}", do=do)
    if left_out and not quiet:
        say(f"Left out, for none of these presets has it: {', '.join(left_out)}.")
    if any(0 < times < len(presets) for times in offers.values()) and not quiet:
        say("–: the preset has no such metric.")
    return [spec for spec, times in offers.items() if times]


def _print_grid(found: Any, digits: int, form: Format, whole: bool) -> None:
    from rankconv.ask.compare.comparison_tables import shortened

    width = terminal_width() if form is Format.table else None
    table, left_out = (found.table(digits, width), "") if whole else shortened(found, digits, width)
    notes = [*table.notes, f"{left_out}: {ALL}."] if left_out else table.notes
    print_table(replace(table, notes=notes), form)


def _print_by_value(found: Any, digits: int, form: Format) -> None:
    from rankconv.ask.compare.by_value import values_table

    if form is Format.table:
        print_page(found.page(digits))
    elif form is Format.json:
        print_json({metric: [asdict(one) for one in found.by_value(metric, digits)] for metric in found.metrics})
    else:
        print_table(values_table(found, digits), form)
