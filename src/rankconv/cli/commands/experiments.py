"""`rankconv split`, `learning-curve` and `curve`: ratings divided by a protocol, and values over ratings or cutoffs."""

from typing import Any

from rankconv.cli import options as o
from rankconv.cli.data import Data, at_cutoffs, cluster_of, data_options
from rankconv.cli.printing import clock, print_json, print_page, print_result, print_table
from rankconv.errors import InputError


@data_options("")
def split(
    ratings: o.Ratings,
    output: o.OutputFile,
    data: Data,
    protocol: o.Protocol = "base",
    form: o.PlainForm = o.PlainFormat.text,
    file_format: o.FileFormat = "csv",
    force: o.Force = False,
    seed: o.Seed = 0,
) -> None:
    """Split ratings into training data and labels by a protocol, and write them with split.json into a folder."""
    from rankconv.protocols.files import write
    from rankconv.protocols.pages import split_page
    from rankconv.protocols.presets import protocol as named

    chosen = named(protocol)
    made = chosen.split(data.ratings(ratings), seed)
    written = write(made, output, file_format, force=force)
    if form == "json":
        print_json(written)
    elif not data.quiet:
        print_page(split_page(made, written["files"], str(output)))


@data_options("")
def learning_curve(
    ratings: o.Ratings,
    data: Data,
    recommender: o.Recommenders = [],
    protocol: o.Protocols = ["fastml"],
    why: o.Why = False,
    metric: o.Metrics = [],
    k: o.Cutoffs = "",
    preset: o.Presets = [],
    form: o.Form = o.Format.text,
    digits: o.Digits = 4,
    plot: o.Plot = None,
    rows: o.Rows = None,
    jobs: o.Jobs = 1,
    n_resamples: o.Resamples = 1000,
    n_permutations: o.Permutations = 8,
    seed: o.Seed = 0,
    on_error: o.Errors = o.OnError.stop,
) -> None:
    """Evaluate recommenders after 1, 2, … ratings of each user, by a protocol.

    With --why and two protocols or two metrics: the conventions that change the order of the recommenders.
    """
    from rankconv import protocols
    from rankconv.protocols.presets import protocol as named

    specs = at_cutoffs(metric, k)
    if why:
        _refuse_with_why({"--preset": preset, "--plot": plot, "--rows": rows, "--on-error": on_error == "collect"})
        found: Any = _why(ratings, data, recommender, protocol, specs, n_permutations, seed)
        if form == "text":
            print_page(found._page(digits))
        else:
            print_result(found, form, digits)
        return
    if len(protocol) > 1:
        raise InputError(f"{len(protocol)} protocols were given", do="Give one, or two with --why.")
    if form not in ("text", "json", "csv"):
        raise InputError(f"--format {form.value} is not for curves", allowed="Write --format text, json or csv")
    divided = named(protocol[0]).split(data.ratings(ratings), seed)
    how: dict[str, Any] = {"rows": rows, "jobs": jobs, "on_error": on_error.value, "n_resamples": n_resamples}
    found = protocols.learning_curve(
        divided, recommender or None, specs or None, preset or None, progress=data.progress, **how
    )
    if plot is not None:
        found.plot(plot)
    if form == "json":
        print_json(found.to_dict())
    elif form == "csv":
        print(found.to_frame().write_csv(), end="")
    else:
        print_page(found._page(digits))


def _refuse_with_why(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if value:
            raise InputError(f"{name} is not for --why", do="Leave out one of the two.")


def _why(
    ratings: Any, data: Data, recommender: list[str], names: list[str], specs: list[str], orders: int, seed: int
) -> Any:
    """Return the conventions that change the order of recommenders between two evaluations."""
    from rankconv import protocols

    if len(specs) > 2:
        raise InputError(f"{len(specs)} metrics were given", allowed="One for both evaluations, or one for each")
    if len(names) > 2 or len(names) < 2 > len(specs):
        do = "Give --protocol twice, or --metric twice."
        raise InputError("--why takes two protocols, or one with two metrics", do=do)
    a, b = names[0], names[-1]
    metrics: Any = tuple(specs) if len(specs) == 2 else specs[0] if specs else None
    rated = data.ratings(ratings)
    return protocols.why_order(
        rated, recommender or None, metrics, a=a, b=b, n_permutations=orders, seed=seed, progress=data.progress
    )


@data_options("seen catalogue")
def curve(
    labels: o.LabelsFile,
    run: o.RunFiles,
    data: Data,
    user: o.OptionalUser = None,
    metric: o.Metrics = [],
    preset: o.Presets = [],
    over: o.AxisOver = o.Over.k,
    max_k: o.MaxK = None,
    interpolate: o.Interpolate = False,
    form: o.Form = o.Format.text,
    digits: o.Digits = 4,
    plot: o.Plot = None,
    n_resamples: o.Resamples = 1000,
    cluster: o.Cluster = None,
) -> None:
    """Compute a metric by cutoff, or precision by recall; --n-resamples 0 leaves out the confidence bands."""
    import rankconv as rc

    known, ranked = data.several(labels, run)
    how: dict[str, Any] = {"max_k": max_k, "interpolate": interpolate, "n_resamples": n_resamples, "user": user}
    how["over"] = over.value
    how |= {"cluster": cluster_of(cluster, data.column), **data.sides()}
    with clock("Computing curves", data.progress):
        found = rc.curve(known, ranked, metric or None, preset or None, **how)
    if plot is not None:
        found.plot(plot)
    if form == "json":
        print_json(found.to_dict())
    elif form == "csv":
        print(found.to_frame().write_csv(), end="")
    else:
        print_table(found.table(digits), form)
