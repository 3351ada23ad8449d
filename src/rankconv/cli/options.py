"""The arguments and options of all commands: each idea has one name, one meaning, one panel and one place in help."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

DATA, METRICS, OUTPUT, ADVANCED = "Data", "Metrics", "Output", "Advanced"
"""The panels of options."""
ORDER: list[str] = []
"""The long name of each option, in the order in which every help lists them."""


def _option(panel: str, names: str, metavar: str | None, help: str, **more: Any) -> Any:
    """Return an option with these names; `metavar` is None for a flag."""
    every = names.split()
    ORDER.append(every[-1].partition("/")[0])
    return typer.Option(*every, metavar=metavar, help=help, rich_help_panel=panel, show_default=False, **more)


_data, _metrics, _output, _advanced = (partial(_option, panel) for panel in (DATA, METRICS, OUTPUT, ADVANCED))


Format = StrEnum("Format", "text json csv markdown latex")
EvaluateFormat = StrEnum("EvaluateFormat", "text json csv markdown latex trec_eval")
CiteFormat = StrEnum("CiteFormat", "text json markdown latex bibtex")
ExplainFormat = StrEnum("ExplainFormat", "text json markdown latex")
CheckFormat = StrEnum("CheckFormat", "text json markdown")
PlainFormat = StrEnum("PlainFormat", "text json")
PointsFormat = StrEnum("PointsFormat", "text json csv")
GateFormat = StrEnum("GateFormat", "text json markdown junit github")
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
OtherRunFile = Annotated[Path, typer.Argument(metavar="RUN", help="Other run: a file of any supported format")]
RunFiles = Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs: files or folders, - for stdin")]
OptionalLabels = Annotated[
    Path | None, typer.Argument(metavar="LABELS", help="Labels: a file; without files, the five users of Bellei 2017")
]
OptionalRun = Annotated[Path | None, typer.Argument(metavar="RUN", help="Run: a file of any supported format")]
OptionalRuns = Annotated[list[Path] | None, typer.Argument(metavar="RUN", help="Runs: files or folders, - for stdin")]
Harness = Annotated[list[str], typer.Argument(metavar="-- PROGRAM", help="Program and its arguments, after --")]
Ratings = Annotated[Path, typer.Argument(metavar="RATINGS", help="Ratings: a file with user, item, rating and time")]

# Data

UserId = Annotated[str, _data("-u --user", "ID", "User to evaluate, by id")]
Users = Annotated[list[str], _data("-u --user", "ID", "User to evaluate, by id; repeatable")]
By = Annotated[list[str], _data("--by", "COLUMN", "Segments by column or activity (in --train); repeatable")]
UserFeatures = Annotated[Path | None, _data("--user-features", "FILE", "Table of user features, for segments")]
ItemFeatures = Annotated[
    Path | None, _data("--item-features", "FILE", "Table of item features, for diversity and segments")
]
Seen = Annotated[Path | None, _data("--seen", "FILE", "Items that users had seen, for presets that drop them")]
Catalogue = Annotated[str | None, _data("--catalogue", "N|FILE", "Number of all items, or a file of their ids")]
Train = Annotated[Path | None, _data("--train", "FILE", "Training data, for metrics beyond accuracy")]
Parents = Annotated[str | None, _data("--parents", "SEP|FILE", "Separator in ids of chunks, or table of documents")]
Columns = Annotated[
    list[str], _data("--column", "NAME=COLUMN", "Column: user=uid, run.item=iid, grade=none; repeatable")
]

# Metrics

Metric = Annotated[str, _metrics("-m --metric", "METRIC", "Metric: ndcg@10")]
OptionalMetric = Annotated[str | None, _metrics("-m --metric", "METRIC", "Metric: ndcg@10")]
Metrics = Annotated[list[str], _metrics("-m --metric", "METRIC", "Metric: ndcg@10, map@5,10 or ndcg@1-8; repeatable")]
Signatures = Annotated[list[str], _metrics("--signature", "TEXT", "Signature of a number to compute again; repeatable")]
NoDigest = Annotated[bool, _output("--no-digest", None, "No digests of the data in signatures")]
Cutoffs = Annotated[str, _metrics("-k", "LIST", "Cutoffs of metrics without one: 10 or 5,10 or 1-8")]
Preset = Annotated[str, _metrics("-p --preset", "PRESET", "Preset: name or YAML file")]
Presets = Annotated[list[str], _metrics("-p --preset", "PRESET", "Preset: name, YAML file, group or all; repeatable")]
Against = Annotated[str | None, _metrics("--against", "PRESET", "Second preset or protocol, to compare with")]
Values = Annotated[list[str], _metrics("--value", "NUMBER", "Printed number: 0.4127, 41.27% or map=0.41; repeatable")]
AxisOver = Annotated[Over, _metrics("--over", "AXIS", "Horizontal axis: k, or recall with precision")]
MaxK = Annotated[int | None, _metrics("--max-k", "K", "Last cutoff of a curve, else the longest ranking", min=1)]
Protocol = Annotated[str, _metrics("--protocol", "PROTOCOL", "Protocol: name or YAML file")]
Recommenders = Annotated[
    list[str], _metrics("-r --recommender", "NAME", "Recommender: popularity or my_models.py:als; repeatable")
]
Leaderboard = Annotated[bool, _metrics("--leaderboard", None, "Ranks of all runs, with groups of equals")]
Baseline = Annotated[str | None, _metrics("--baseline", "RUN", "Run that others are compared with")]
AtLeast = Annotated[list[str], _metrics("--at-least", "NUMBER", "Floor: 0.31 or ndcg@10=0.31; repeatable")]
NotWorseBy = Annotated[list[str], _metrics("--not-worse-by", "MARGIN", "Margin: 0.01, 5% or ndcg@10=0.01; repeatable")]
Confident = Annotated[bool, _metrics("--confident", None, "Floors for the lower confidence limit")]
IfUndecided = Annotated[str, _metrics("--undecided", "VERDICT", "Undecided counts as: undecided, pass or fail")]
SimilarityMetrics = Annotated[
    list[str], _metrics("-m --metric", "METRIC", "Metric: rbo(p=0.9), kendall or overlap@10; repeatable")
]
Correction = Annotated[str, _metrics("--correction", "METHOD", "Multiple tests: max-t, tukey, holm, bh or none")]
IncludeUsers = Annotated[str, _metrics("--include-users", "USERS", "Users of a pair of runs: both, either or baseline")]

# Output

_FORMAT = "Format: text, json, csv, markdown or latex"
Form = Annotated[Format, _output("--format", "FORMAT", _FORMAT)]
EvaluateForm = Annotated[
    EvaluateFormat, _output("--format", "FORMAT", "Format: text, json, csv, markdown, latex, trec_eval")
]
CiteForm = Annotated[CiteFormat, _output("--format", "FORMAT", "Format: text, json, markdown, latex or bibtex")]
ExplainForm = Annotated[ExplainFormat, _output("--format", "FORMAT", "Format: text, json, markdown or latex")]
GateForm = Annotated[GateFormat, _output("--format", "FORMAT", "Format: text, json, markdown, junit or github")]
CheckForm = Annotated[CheckFormat, _output("--format", "FORMAT", "Format: text, json or markdown")]
PointsForm = Annotated[PointsFormat, _output("--format", "FORMAT", "Format: text, json or csv")]
PlainForm = Annotated[PlainFormat, _output("--format", "FORMAT", "Format: text or json")]
Digits = Annotated[int, _output("--digits", "N", "Decimals", min=0, max=17)]
OptionalDigits = Annotated[int | None, _output("--digits", "N", "Decimals; enough for the difference", min=0, max=17)]
OutputFile = Annotated[Path, _output("-o --output", "FILE", "File or folder to write")]
FileFormat = Annotated[str, _output("--file-format", "FORMAT", "Format of written files: csv, parquet or jsonl")]
Force = Annotated[bool, _output("--force", None, "Overwriting of existing files")]
PerUser = Annotated[bool, _output("-q --per-user", None, "Values of each user, with the mean below")]
PerUserFile = Annotated[
    Path | None, _output("--per-user-file", "FILE", "File of each user's values: .csv, .parquet, .jsonl")
]
RankTable = Annotated[bool, _output("--by-rank", None, "Table of metrics at each rank")]
ByValue = Annotated[bool, _output("--by-value", None, "Presets grouped by value, with what differs")]
Full = Annotated[bool, _output("--full", None, "Long tables and signatures in full, not summarised")]
Limit = Annotated[int, _output("--limit", "N", "Rows at most", min=1)]
All = Annotated[bool, _output("--all", None, "Everything, rare names and their users too")]
History = Annotated[bool, _output("--history", None, "Eras of a preset: versions, differences, sources")]
Plot = Annotated[Path | None, _output("--plot", "FILE", "SVG or PNG file of the plot")]
Cite = Annotated[bool, _output("--cite", None, "Paragraph for a paper, with sources")]
Open = Annotated[bool, _output("--open", None, "Page opened in the browser")]
Progress = Annotated[
    bool | None, _output("--progress/--no-progress", None, "Progress bar on stderr (at a terminal after 2 s)")
]
Quiet = Annotated[bool, _output("--quiet", None, "Errors only on stderr")]

# Advanced

Alpha = Annotated[float, _advanced("--alpha", "A", "Significance level", min=0.0001, max=0.5)]
ConfidenceLevel = Annotated[
    float, _advanced("--confidence-level", "C", "Confidence level of intervals", min=0.01, max=0.9999)
]
Resamples = Annotated[int, _advanced("--n-resamples", "N", "Random resamples of the users", min=0)]
Seed = Annotated[int, _advanced("--seed", "N", "Random seed", min=0)]
Settings = Annotated[Path | None, _advanced("--settings", "FILE", "YAML file of what is required, and of which files")]
Cluster = Annotated[str | None, _advanced("--cluster", "COLUMN", "Column or part of ids to resample by")]
Tolerance = Annotated[int, _advanced("--tolerance", "N", "Tolerance in units of the last digit: 0 or 1", min=0, max=1)]
Random = Annotated[int | None, _advanced("--random", "N", "Random cases, 20 without files", min=0)]
Errors = Annotated[OnError, _advanced("--on-error", "HOW", "Errors of one input: raise or collect")]
TimeLimit = Annotated[float, _advanced("--time-limit", "SECONDS", "Seconds for each reply", min=0.01, max=3600)]
Vectors = Annotated[Path | None, _advanced("--vectors", "FOLDER", "Folder of conformance vectors")]
Results = Annotated[list[Path], _advanced("--result", "FILE", "Saved result; repeatable")]
SavedResult = Annotated[Path | None, _advanced("--result", "FILE", "Saved result")]
Check = Annotated[bool, _advanced("--check", None, "Checks of presets or files, all without a name")]
Schema = Annotated[bool, _advanced("--schema", None, "JSON Schema of preset or published files")]
Port = Annotated[int, _advanced("--port", "N", "Port on this machine, 0 for a free one")]
Memory = Annotated[str | None, _advanced("--memory", "SIZE", "Memory to stream files within: 2GB")]
TempDir = Annotated[Path | None, _advanced("--temp-dir", "FOLDER", "Folder of temporary files, with --memory")]
Plugins = Annotated[list[Path], _advanced("--plugin", "FILE", "Python file that adds metrics and more; repeatable")]
