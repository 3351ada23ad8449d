"""The arguments and options of all commands: each idea has one name, one meaning, one panel and one place in help."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

DATA, METRICS, OUTPUT, ADVANCED = "Data", "Metrics", "Output", "Advanced"
"""The panels of options."""
ORDER: list[str] = []
"""The long name of each option, in the order in which every help lists them."""


def _option(panel: str, *names: str, help: str, **more: Any) -> Any:
    ORDER.append(names[-1].partition("/")[0])
    return typer.Option(*names, help=help, rich_help_panel=panel, show_default=False, **more)


Format = StrEnum("Format", "text json csv markdown latex")
EvaluateFormat = StrEnum("EvaluateFormat", "text json csv markdown latex trec_eval")
CiteFormat = StrEnum("CiteFormat", "text json markdown latex bibtex")
ExplainFormat = StrEnum("ExplainFormat", "text json markdown latex")
CheckFormat = StrEnum("CheckFormat", "text json markdown")
PlainFormat = StrEnum("PlainFormat", "text json")
Over = StrEnum("Over", "k recall")


class OnError(StrEnum):
    """How errors in one of several inputs are treated."""

    stop = "raise"
    collect = "collect"


# Arguments

LabelsFile = Annotated[
    Path, typer.Argument(metavar="LABELS", help="Labels: a file of any supported format, - for stdin")
]
RunFile = Annotated[Path, typer.Argument(metavar="RUN", help="Run: a file of any supported format, - for stdin")]
RunFiles = Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs: files or folders, - for stdin")]
OptionalLabels = Annotated[
    Path | None,
    typer.Argument(metavar="LABELS", help="Labels: a file; without files, the five users of Bellei 2017"),
]
OptionalRun = Annotated[Path | None, typer.Argument(metavar="RUN", help="Run: a file of any supported format")]
OptionalRuns = Annotated[list[Path] | None, typer.Argument(metavar="RUN", help="Runs: files or folders, - for stdin")]
Ratings = Annotated[Path, typer.Argument(metavar="RATINGS", help="Ratings: a file with user, item, rating and time")]

# Data

UserId = Annotated[str, _option(DATA, "-u", "--user", metavar="ID", help="User to evaluate, by id")]
OptionalUser = Annotated[str | None, _option(DATA, "-u", "--user", metavar="ID", help="User to evaluate, by id")]
Users = Annotated[list[str], _option(DATA, "-u", "--user", metavar="ID", help="User to evaluate, by id; repeatable")]
By = Annotated[list[str], _option(DATA, "--by", metavar="COLUMN", help="Segments by column or activity; repeatable")]
UserFeatures = Annotated[
    Path | None, _option(DATA, "--user-features", metavar="FILE", help="Table of user features, for segments")
]
ItemFeatures = Annotated[
    Path | None,
    _option(DATA, "--item-features", metavar="FILE", help="Table of item features, for diversity and segments"),
]
Seen = Annotated[
    Path | None, _option(DATA, "--seen", metavar="FILE", help="Items that users had seen, for presets that drop them")
]
Catalogue = Annotated[
    str | None, _option(DATA, "--catalogue", metavar="N|FILE", help="Number of all items, or a file of their ids")
]
Train = Annotated[
    Path | None, _option(DATA, "--train", metavar="FILE", help="Training data, for metrics beyond accuracy")
]
Columns = Annotated[
    list[str],
    _option(DATA, "--column", metavar="NAME=COLUMN", help="Column: user=uid, run.item=iid, grade=none; repeatable"),
]

# Metrics

Metric = Annotated[str, _option(METRICS, "-m", "--metric", metavar="METRIC", help="Metric: ndcg@10")]
OptionalMetric = Annotated[str | None, _option(METRICS, "-m", "--metric", metavar="METRIC", help="Metric: ndcg@10")]
Metrics = Annotated[
    list[str],
    _option(METRICS, "-m", "--metric", metavar="METRIC", help="Metric: ndcg@10, map@5,10 or ndcg@1-8; repeatable"),
]
Cutoffs = Annotated[
    str, _option(METRICS, "-k", metavar="LIST", help="Cutoffs of metrics without one: 10 or 5,10 or 1-8")
]
Preset = Annotated[str, _option(METRICS, "-p", "--preset", metavar="PRESET", help="Preset: name or YAML file")]
Presets = Annotated[
    list[str],
    _option(METRICS, "-p", "--preset", metavar="PRESET", help="Preset: name, YAML file, group or all; repeatable"),
]
Against = Annotated[
    str | None, _option(METRICS, "--against", metavar="PRESET", help="Second preset or protocol, to compare with")
]
Thresholds = Annotated[
    str, _option(METRICS, "--thresholds", metavar="LIST", help="Least relevant grades to vary over: 1,2,4")
]
Values = Annotated[
    list[str],
    _option(METRICS, "--value", metavar="NUMBER", help="Printed number: 0.4127, 41.27% or map=0.41; repeatable"),
]
ValueTable = Annotated[
    Path | None, _option(METRICS, "--table", metavar="FILE", help="Table of printed numbers: metric, value")
]
AxisOver = Annotated[
    Over, _option(METRICS, "--over", metavar="AXIS", help="Horizontal axis: k, or recall with precision")
]
MaxK = Annotated[
    int | None, _option(METRICS, "--max-k", min=1, metavar="K", help="Last cutoff of a curve, else the longest ranking")
]
Interpolate = Annotated[bool, _option(METRICS, "--interpolate", help="Interpolated precision at each recall")]
Protocol = Annotated[
    str,
    _option(METRICS, "--protocol", metavar="PROTOCOL", help="Protocol: name or YAML file"),
]
Protocols = Annotated[
    list[str], _option(METRICS, "--protocol", metavar="PROTOCOL", help="Protocol: name or YAML file; two with --why")
]
Recommenders = Annotated[
    list[str],
    _option(
        METRICS, "-r", "--recommender", metavar="NAME", help="Recommender: popularity or my_models.py:als; repeatable"
    ),
]
Why = Annotated[bool, _option(METRICS, "--why", help="Conventions that change the order of recommenders")]
Leaderboard = Annotated[bool, _option(METRICS, "--leaderboard", help="Ranks of all runs, with groups of equals")]
Baseline = Annotated[str | None, _option(METRICS, "--baseline", metavar="RUN", help="Run to test all others against")]
Correction = Annotated[
    str, _option(METRICS, "--correction", metavar="METHOD", help="Multiple tests: max-t, tukey, holm, bh or none")
]
Family = Annotated[str, _option(METRICS, "--family", metavar="SCOPE", help="Tests corrected together: all or metric")]
IncludeUsers = Annotated[
    str, _option(METRICS, "--include-users", metavar="USERS", help="Users of a pair of runs: both, either or baseline")
]
ExtraTests = Annotated[
    list[str], _option(METRICS, "--extra-test", metavar="TEST", help="Further test: wilcoxon or sign; repeatable")
]
Detect = Annotated[
    float | None,
    _option(METRICS, "--detect", metavar="DIFFERENCE", help="Difference whose required users are reported"),
]

# Output

_FORMAT = "Format: text, json, csv, markdown or latex"
Form = Annotated[Format, _option(OUTPUT, "--format", metavar="FORMAT", help=_FORMAT)]
EvaluateForm = Annotated[
    EvaluateFormat,
    _option(OUTPUT, "--format", metavar="FORMAT", help="Format: text, json, csv, markdown, latex, trec_eval"),
]
CiteForm = Annotated[
    CiteFormat, _option(OUTPUT, "--format", metavar="FORMAT", help="Format: text, json, markdown, latex or bibtex")
]
ExplainForm = Annotated[
    ExplainFormat, _option(OUTPUT, "--format", metavar="FORMAT", help="Format: text, json, markdown or latex")
]
CheckForm = Annotated[CheckFormat, _option(OUTPUT, "--format", metavar="FORMAT", help="Format: text, json or markdown")]
PlainForm = Annotated[PlainFormat, _option(OUTPUT, "--format", metavar="FORMAT", help="Format: text or json")]
Digits = Annotated[int, _option(OUTPUT, "--digits", min=0, max=17, metavar="N", help="Decimals")]
OptionalDigits = Annotated[
    int | None, _option(OUTPUT, "--digits", min=0, max=17, metavar="N", help="Decimals; enough for the difference")
]
OutputFile = Annotated[Path, _option(OUTPUT, "-o", "--output", metavar="FILE", help="File or folder to write")]
FileFormat = Annotated[
    str, _option(OUTPUT, "--file-format", metavar="FORMAT", help="Format of written files: csv, parquet or jsonl")
]
Force = Annotated[bool, _option(OUTPUT, "--force", help="Overwriting of existing files")]
PerUser = Annotated[bool, _option(OUTPUT, "-q", "--per-user", help="Values of each user, with the mean below")]
PerUserFile = Annotated[
    Path | None,
    _option(OUTPUT, "--per-user-file", metavar="FILE", help="File of each user's values: .csv, .parquet, .jsonl"),
]
RankTable = Annotated[bool, _option(OUTPUT, "--by-rank", help="Table of metrics at each rank")]
ByValue = Annotated[bool, _option(OUTPUT, "--by-value", help="Presets grouped by value, with what differs")]
Long = Annotated[bool, _option(OUTPUT, "--long", help="One row for each run, metric and preset")]
Full = Annotated[bool, _option(OUTPUT, "--full", help="Long tables in full, not summarised")]
Limit = Annotated[int, _option(OUTPUT, "--limit", min=1, metavar="N", help="Rows at most")]
All = Annotated[bool, _option(OUTPUT, "--all", help="Everything, rare names and their users too")]
Explained = Annotated[int, _option(OUTPUT, "--explained", min=0, metavar="N", help="Users whose value is explained")]
Plot = Annotated[Path | None, _option(OUTPUT, "--plot", metavar="FILE", help="SVG or PNG file of the plot")]
Short = Annotated[bool, _option(OUTPUT, "--short", help="One line, to print next to the number")]
Cite = Annotated[bool, _option(OUTPUT, "--cite", help="Paragraph for a paper, with sources")]
Open = Annotated[bool, _option(OUTPUT, "--open", help="Page opened in the browser")]
Progress = Annotated[
    bool | None, _option(OUTPUT, "--progress/--no-progress", help="Progress bar on stderr (at a terminal after 2 s)")
]
Quiet = Annotated[bool, _option(OUTPUT, "--quiet", help="Errors only on stderr")]

# Advanced

Alpha = Annotated[float, _option(ADVANCED, "--alpha", min=0.0001, max=0.5, metavar="A", help="Significance level")]
ConfidenceLevel = Annotated[
    float,
    _option(ADVANCED, "--confidence-level", min=0.01, max=0.9999, metavar="C", help="Confidence level of intervals"),
]
Resamples = Annotated[int, _option(ADVANCED, "--n-resamples", min=0, metavar="N", help="Random resamples of the users")]
Permutations = Annotated[
    int, _option(ADVANCED, "--n-permutations", min=1, metavar="N", help="Random orders of many conventions")
]
Seed = Annotated[int, _option(ADVANCED, "--seed", min=0, metavar="N", help="Random seed")]
Cluster = Annotated[
    str | None, _option(ADVANCED, "--cluster", metavar="COLUMN", help="Column or part of ids to resample by")
]
Tolerance = Annotated[
    int,
    _option(ADVANCED, "--tolerance", min=0, max=1, metavar="N", help="Tolerance in units of the last digit: 0 or 1"),
]
Random = Annotated[int | None, _option(ADVANCED, "--random", min=0, metavar="N", help="Random cases, 20 without files")]
Errors = Annotated[
    OnError, _option(ADVANCED, "--on-error", metavar="HOW", help="Errors of one input: raise or collect")
]
Rows = Annotated[
    Path | None, _option(ADVANCED, "--rows", metavar="FOLDER", help="Folder of rankings to keep or evaluate")
]
Jobs = Annotated[int, _option(ADVANCED, "--jobs", min=1, metavar="N", help="Parallel processes")]
Results = Annotated[list[Path], _option(ADVANCED, "--result", metavar="FILE", help="Saved result; repeatable")]
SavedResult = Annotated[Path | None, _option(ADVANCED, "--result", metavar="FILE", help="Saved result")]
Check = Annotated[bool, _option(ADVANCED, "--check", help="Checks of presets or files, all without a name")]
Schema = Annotated[bool, _option(ADVANCED, "--schema", help="JSON Schema of preset, protocol or published files")]
Port = Annotated[int, _option(ADVANCED, "--port", metavar="N", help="Port on this machine, 0 for a free one")]
Memory = Annotated[str | None, _option(ADVANCED, "--memory", metavar="SIZE", help="Memory to stream files within: 2GB")]
TempDir = Annotated[
    Path | None, _option(ADVANCED, "--temp-dir", metavar="FOLDER", help="Folder of temporary files, with --memory")
]
Plugins = Annotated[
    list[Path], _option(ADVANCED, "--plugin", metavar="FILE", help="Python file that adds metrics and more; repeatable")
]
