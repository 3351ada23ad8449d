"""The arguments and options of all commands: each idea has one name, one meaning, one panel and one place in help."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import completion

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


def _plot_option(*, drawn_by_hand: bool = False) -> Any:
    """Return the option of a plot, which is refused before anything is computed where it could not be drawn."""

    def checked(file: Path | None) -> Path | None:
        if file is not None:
            from rankconv.rendering.pages.picture import check_picture

            check_picture(file, drawn_by_hand=drawn_by_hand)
        return file

    return _output("--plot", "FILE", "SVG or PNG file of the plot", callback=checked)


Format = StrEnum("Format", "text json csv markdown latex")
HtmlFormat = StrEnum("HtmlFormat", "text json csv markdown latex html")
EvaluateFormat = StrEnum("EvaluateFormat", "text json csv markdown latex trec_eval")
CiteFormat = StrEnum("CiteFormat", "text json markdown latex bibtex")
ExplainFormat = StrEnum("ExplainFormat", "text json markdown latex")
CheckFormat = StrEnum("CheckFormat", "text json markdown")
PlainFormat = StrEnum("PlainFormat", "text json")
PointsFormat = StrEnum("PointsFormat", "text json csv")
GateFormat = StrEnum("GateFormat", "text json markdown junit github")
CurveAxis = StrEnum("CurveAxis", "k recall")


class OnError(StrEnum):
    """How errors in one of several inputs are treated."""

    stop = "raise"
    collect = "collect"


# Arguments

LabelsFileOption = Annotated[
    Path, typer.Argument(metavar="LABELS", help="Labels: a file of any supported format, - for stdin")
]
OtherLabelsFileOption = Annotated[
    Path, typer.Argument(metavar="LABELS", help="Other labels of the same users and items, as of a model")
]
RunFileOption = Annotated[Path, typer.Argument(metavar="RUN", help="Run: a file of any supported format, - for stdin")]
OtherRunFileOption = Annotated[Path, typer.Argument(metavar="RUN", help="Other run: a file of any supported format")]
RunFilesOption = Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs: files or folders, - for stdin")]
OptionalLabelsOption = Annotated[
    Path | None, typer.Argument(metavar="LABELS", help="Labels: a file; without files, the five users of Bellei 2017")
]
OptionalRunOption = Annotated[Path | None, typer.Argument(metavar="RUN", help="Run: a file of any supported format")]
OptionalRunsOption = Annotated[
    list[Path] | None, typer.Argument(metavar="RUN", help="Runs: files or folders, - for stdin")
]
HarnessOption = Annotated[list[str], typer.Argument(metavar="-- PROGRAM", help="Program and its arguments, after --")]
RatingsOption = Annotated[
    Path, typer.Argument(metavar="RATINGS", help="Ratings: a file with user, item, rating and time")
]

# Data

UserIdOption = Annotated[str, _data("-u --user", "ID", "User to evaluate, by id")]
UsersOption = Annotated[list[str], _data("-u --user", "ID", "User to evaluate, by id; repeatable")]
ByOption = Annotated[list[str], _data("--by", "COLUMN", "Segments by column or activity (in --train); repeatable")]
UserFeaturesOption = Annotated[Path | None, _data("--user-features", "FILE", "Table of user features, for segments")]
ItemFeaturesOption = Annotated[
    Path | None, _data("--item-features", "FILE", "Table of item features, for diversity and segments")
]
SeenOption = Annotated[Path | None, _data("--seen", "FILE", "Items that users had seen, for presets that drop them")]
CatalogueOption = Annotated[str | None, _data("--catalogue", "N|FILE", "Number of all items, or a file of their ids")]
TrainOption = Annotated[Path | None, _data("--train", "FILE", "Training data, for metrics beyond accuracy")]
ParentsOption = Annotated[
    str | None, _data("--parents", "SEP|FILE", "Separator in ids of chunks, or table of documents")
]
PropensitiesOption = Annotated[
    Path | None, _data("--propensities", "FILE", "Table of items and their propensities, for item-weight")
]
ShownOption = Annotated[Path | None, _data("--shown", "FILE", "Run that was shown to users, for weights of clicks")]
GroupTargetOption = Annotated[
    Path | None, _data("--group-target", "FILE", "Table of the shares that groups of items should have")
]
FetchedDataOption = Annotated[
    Path | None, _data("--data", "FOLDER", "Fetched files of a source, or a folder for each source")
]
ColumnsOption = Annotated[
    list[str], _data("--column", "NAME=COLUMN", "Column: user=uid, run.item=iid, grade=none; repeatable")
]

# Metrics

MetricOption = Annotated[str, _metrics("-m --metric", "METRIC", "Metric: ndcg@10", autocompletion=completion.metrics)]
OptionalMetricOption = Annotated[
    str | None, _metrics("-m --metric", "METRIC", "Metric: ndcg@10", autocompletion=completion.metrics)
]
MetricsOption = Annotated[
    list[str],
    _metrics(
        "-m --metric", "METRIC", "Metric: ndcg@10, map@5,10 or ndcg@1-8; repeatable", autocompletion=completion.metrics
    ),
]
SignaturesOption = Annotated[
    list[str], _metrics("--signature", "TEXT", "Signature of a number to compute again; repeatable")
]
NoDigestOption = Annotated[bool, _output("--no-digest", None, "No digests of the data in signatures")]
NoIntervalOption = Annotated[bool, _output("--no-interval", None, "No confidence intervals of means")]
CutoffsOption = Annotated[str, _metrics("-k", "LIST", "Cutoffs of metrics without one: 10 or 5,10 or 1-8")]
PresetOption = Annotated[
    str, _metrics("-p --preset", "PRESET", "Preset: name or YAML file", autocompletion=completion.presets)
]
PresetsOption = Annotated[
    list[str],
    _metrics(
        "-p --preset", "PRESET", "Preset: name, YAML file, group or all; repeatable", autocompletion=completion.presets
    ),
]
AgainstOption = Annotated[
    str | None,
    _metrics("--against", "PRESET", "Preset, protocol or signature to compare with", autocompletion=completion.presets),
]
ValuesOption = Annotated[
    list[str], _metrics("--value", "NUMBER", "Printed number: 0.4127, 41.27% or map=0.41; repeatable")
]
TableOption = Annotated[
    Path | None, _metrics("--table", "CSV", "Printed table: run, metric, value; or a column a metric")
]
AxisOverOption = Annotated[CurveAxis, _metrics("--over", "AXIS", "Horizontal axis: k, or recall with precision")]
MaxKOption = Annotated[int | None, _metrics("--max-k", "K", "Last cutoff of a curve, else the longest ranking", min=1)]
ProtocolOption = Annotated[
    str, _metrics("--protocol", "PROTOCOL", "Protocol: name or YAML file", autocompletion=completion.protocols)
]
RecommendersOption = Annotated[
    list[str], _metrics("-r --recommender", "NAME", "Recommender: popularity or my_models.py:als; repeatable")
]
LeaderboardOption = Annotated[bool, _metrics("--leaderboard", None, "Ranks of all runs, with groups of equals")]
BaselineOption = Annotated[str | None, _metrics("--baseline", "RUN", "Run that others are compared with")]
AtLeastOption = Annotated[list[str], _metrics("--at-least", "NUMBER", "Floor: 0.31 or ndcg@10=0.31; repeatable")]
NotWorseByOption = Annotated[
    list[str], _metrics("--not-worse-by", "MARGIN", "Margin: 0.01, 5% or ndcg@10=0.01; repeatable")
]
ConfidentOption = Annotated[bool, _metrics("--confident", None, "Floors for the lower confidence limit")]
IfUndecidedOption = Annotated[str, _metrics("--undecided", "VERDICT", "Undecided counts as: undecided, pass or fail")]
IfSameOption = Annotated[str, _metrics("--same", "VERDICT", "No list changed counts as: same or undecided")]
LockOption = Annotated[
    Path | None, _metrics("--lock", "FILE", "Lock of definitions, labels and users; made if missing")
]
SimilarityMetricsOption = Annotated[
    list[str],
    _metrics(
        "-m --metric",
        "METRIC",
        "Metric: rbo(p=0.9), kendall or overlap@10; repeatable",
        autocompletion=completion.similarity_metrics,
    ),
]
AgreementMeasuresOption = Annotated[
    list[str], _metrics("--measure", "MEASURE", "Measure: share, kappa or alpha(scale=nominal); repeatable")
]
CorrelationsOption = Annotated[
    list[str], _metrics("--correlation", "NAME", "Correlation of runs: tau-b, tau-ap, spearman, …; repeatable")
]
PairsOption = Annotated[str, _metrics("--pairs", "PAIRS", "Pairs of one set: intersection, first, refuse")]
LevelOption = Annotated[str, _metrics("--level", "GRADE", "Grade from which on items are relevant, or none")]
BothIntervalOption = Annotated[
    str, _advanced("--interval", "INTERVAL", "Interval from both sets: ppi or ppi(weight=plain)")
]
CorrectionOption = Annotated[str, _metrics("--correction", "METHOD", "Multiple tests: max-t, tukey, holm, bh or none")]
IncludeUsersOption = Annotated[
    str, _metrics("--include-users", "USERS", "Users of a pair of runs: both, either or baseline")
]

# Output

_FORMAT = "Format: text, json, csv, markdown or latex"
FormOption = Annotated[Format, _output("--format", "FORMAT", _FORMAT)]
HtmlFormOption = Annotated[
    HtmlFormat, _output("--format", "FORMAT", "Format: text, json, csv, markdown, latex or html")
]
ListOption = Annotated[bool, _output("--list", None, "List of the sources, with counts of their numbers")]
EvaluateFormOption = Annotated[
    EvaluateFormat, _output("--format", "FORMAT", "Format: text, json, csv, markdown, latex, trec_eval")
]
CiteFormOption = Annotated[CiteFormat, _output("--format", "FORMAT", "Format: text, json, markdown, latex or bibtex")]
ExplainFormOption = Annotated[ExplainFormat, _output("--format", "FORMAT", "Format: text, json, markdown or latex")]
GateFormOption = Annotated[GateFormat, _output("--format", "FORMAT", "Format: text, json, markdown, junit or github")]
CheckFormOption = Annotated[CheckFormat, _output("--format", "FORMAT", "Format: text, json or markdown")]
PointsFormOption = Annotated[PointsFormat, _output("--format", "FORMAT", "Format: text, json or csv")]
PlainFormOption = Annotated[PlainFormat, _output("--format", "FORMAT", "Format: text or json")]
DigitsOption = Annotated[int, _output("--digits", "N", "Decimals", min=0, max=17)]
OptionalDigitsOption = Annotated[
    int | None, _output("--digits", "N", "Decimals; enough for the difference", min=0, max=17)
]
OutputFileOption = Annotated[Path, _output("-o --output", "FILE", "File or folder to write")]
FileFormatOption = Annotated[str, _output("--file-format", "FORMAT", "Format of written files: csv, parquet or jsonl")]
ForceOption = Annotated[bool, _output("--force", None, "Overwriting of existing files")]
PerUserOption = Annotated[bool, _output("-q --per-user", None, "Values of each user, with the mean below")]
PerUserFileOption = Annotated[
    Path | None, _output("--per-user-file", "FILE", "File of each user's values: .csv, .parquet, .jsonl")
]
RankTableOption = Annotated[bool, _output("--by-rank", None, "Table of metrics at each rank")]
ByValueOption = Annotated[bool, _output("--by-value", None, "Presets grouped by value, with what differs")]
FullOption = Annotated[bool, _output("--full", None, "Long tables and signatures in full, not summarised")]
LimitOption = Annotated[int, _output("--limit", "N", "Rows at most", min=1)]
AllOption = Annotated[bool, _output("--all", None, "Everything, rare names and their users too")]
HistoryOption = Annotated[bool, _output("--history", None, "Eras of a preset: versions, differences, sources")]
PlotOption = Annotated[Path | None, _plot_option()]
StripPlotOption = Annotated[Path | None, _plot_option(drawn_by_hand=True)]
CiteOption = Annotated[bool, _output("--cite", None, "Paragraph for a paper, with sources")]
OpenOption = Annotated[bool, _output("--open", None, "Page opened in the browser")]
ProgressOption = Annotated[
    bool | None, _output("--progress/--no-progress", None, "Progress bar on stderr (at a terminal after 2 s)")
]
QuietOption = Annotated[bool, _output("--quiet", None, "Errors only on stderr")]

# Advanced

AlphaOption = Annotated[float, _advanced("--alpha", "A", "Significance level", min=0.0001, max=0.5)]
ConfidenceLevelOption = Annotated[
    float, _advanced("--confidence-level", "C", "Confidence level of intervals", min=0.01, max=0.9999)
]
ResamplesOption = Annotated[int, _advanced("--n-resamples", "N", "Random resamples of the users", min=0)]
SeedOption = Annotated[int, _advanced("--seed", "N", "Random seed", min=0)]
SettingsOption = Annotated[
    Path | None, _advanced("--settings", "FILE", "YAML file of what is required, and of which files")
]
ClusterOption = Annotated[str | None, _advanced("--cluster", "COLUMN", "Column or part of ids to resample by")]
ToleranceOption = Annotated[
    int, _advanced("--tolerance", "N", "Tolerance in units of the last digit: 0 or 1", min=0, max=1)
]
RandomOption = Annotated[int | None, _advanced("--random", "N", "Random cases, 20 without files", min=0)]
HostileOption = Annotated[bool, _advanced("--hostile", None, "Add hostile cases: repeated labels, scores of 0, …")]
ErrorsOption = Annotated[OnError, _advanced("--on-error", "HOW", "Errors of one input: raise or collect")]
TimeLimitOption = Annotated[float, _advanced("--time-limit", "SECONDS", "Seconds for each reply", min=0.01, max=3600)]
SearchLimitOption = Annotated[
    float, _advanced("--search-limit", "SECONDS", "Seconds of the search for definitions", min=0, max=86400)
]
VectorsOption = Annotated[Path | None, _advanced("--vectors", "FOLDER", "Folder of conformance vectors")]
ResultsOption = Annotated[list[Path], _advanced("--result", "FILE", "Saved result; repeatable")]
SavedResultOption = Annotated[Path | None, _advanced("--result", "FILE", "Saved result")]
CheckOption = Annotated[bool, _advanced("--check", None, "Checks of presets or files, all without a name")]
SchemaOption = Annotated[bool, _advanced("--schema", None, "JSON Schema of preset files, or of a command's JSON")]
PortOption = Annotated[int, _advanced("--port", "N", "Port on this machine, 0 for a free one")]
MemoryOption = Annotated[str | None, _advanced("--memory", "SIZE", "Memory to stream files within: 2GB")]
TempDirOption = Annotated[Path | None, _advanced("--temp-dir", "FOLDER", "Folder of temporary files, with --memory")]
PluginsOption = Annotated[
    list[Path], _advanced("--plugin", "FILE", "Python file that adds metrics and more; repeatable")
]
