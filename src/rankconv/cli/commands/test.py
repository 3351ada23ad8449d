"""`rankconv test`: differences between runs, their significance, and the ranks of many runs."""

from typing import Any

from rankconv.cli import options as o
from rankconv.cli.commands.evaluate import segments
from rankconv.cli.data import Data, at_cutoffs, cluster_of, data_options
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.errors import MetricError
from rankconv.pages.display import terminal_width


@data_options("user seen catalogue train item_features")
def test(
    labels: o.LabelsFile,
    run: o.RunFiles,
    data: Data,
    metric: o.Metrics = ["ndcg@10"],
    k: o.Cutoffs = "",
    preset: o.Presets = [],
    leaderboard: o.Leaderboard = False,
    by: o.By = [],
    user_features: o.UserFeatures = None,
    baseline: o.Baseline = None,
    correction: o.Correction = "max-t",
    family: o.Family = "all",
    include_users: o.IncludeUsers = "both",
    extra_test: o.ExtraTests = [],
    detect: o.Detect = None,
    form: o.Form = o.Format.text,
    digits: o.Digits = 4,
    full: o.Full = False,
    plot: o.Plot = None,
    cite: o.Cite = False,
    alpha: o.Alpha = 0.05,
    n_resamples: o.Resamples = 100_000,
    cluster: o.Cluster = None,
    seed: o.Seed = 0,
    on_error: o.Errors = o.OnError.stop,
) -> None:
    """Test the differences between runs for significance, under one or several presets.

    With --leaderboard, the runs are ranked, and groups without a significant difference are marked. With --by, the
    values of segments follow.
    """
    import rankconv as rc

    plain: dict[str, Any] = {"baseline": baseline, "include_users": include_users, "family": family}
    plain |= {"extra_tests": extra_test, "detect": detect}
    if leaderboard:
        _check_leaderboard(preset, {**plain, "cite": cite})
    specs = at_cutoffs(metric, k)
    known, ranked = data.several(labels, run, on_error)
    how: dict[str, Any] = {"correction": correction, "alpha": alpha, "n_resamples": n_resamples, "seed": seed}
    how |= {
        "progress": data.progress,
        "cluster": cluster_of(cluster, data.column),
        "users": data.users(known, ranked),
        **data.sides(),
    }
    if leaderboard:
        found: Any = rc.leaderboard(known, ranked, specs, *preset, **how)
    else:
        found = rc.test(known, ranked, specs, preset or None, **plain, **how)
    if plot is not None:
        found.plot(plot, digits)
    if cite:
        print_lines([found.methods().to_text(terminal_width())])
        return
    results = [found]
    if by or user_features:
        one = preset[0] if preset else None
        results.append(segments(labels, run, specs, one, by, user_features, data, 1 - alpha, seed, known, ranked))
    _print(results, form, digits, {} if leaderboard else {"whole": full})


def _check_leaderboard(preset: list[str], given: dict[str, Any]) -> None:
    """Raise a MetricError for what a leaderboard does not take."""
    if len(preset) > 1:
        raise MetricError("--leaderboard takes one preset", do="For several: rankconv test without --leaderboard.")
    usual: dict[str, Any] = {
        "baseline": None,
        "include_users": "both",
        "family": "all",
        "extra_tests": [],
        "detect": None,
        "cite": False,
    }
    names = {"include_users": "include-users", "extra_tests": "extra-test"}
    for name, value in usual.items():
        if given[name] != value:
            option = f"--{names.get(name, name)}"
            raise MetricError(f"{option} is not for a leaderboard", do=f"Leave out {option} or --leaderboard.")


def _print(results: list[Any], form: str, digits: int, how: dict[str, Any]) -> None:
    first, *segmented = results
    if form == "json":
        by = {"by": [one.to_dict() for one in segmented]} if segmented else {}
        print_json(first.to_dict() | by)
    elif form == "text":
        texts = [
            first.to_text(terminal_width(), digits=digits, **how),
            *(one.to_text(terminal_width(), digits=digits) for one in segmented),
        ]
        print_lines(["\n\n".join(texts)])
    else:
        for one in results:
            print_table(one.table(digits), form)
