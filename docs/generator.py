"""The generated pages of the reference: one for each convention, metric, preset, protocol and source, and of Python.

Everything on them is read from the package. `write_reference` is called by `conf.py` before Sphinx looks for pages.
"""

import inspect
import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from itertools import groupby
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import yaml
from contrasts import contrast
from linking import Links, code, document, entries, heading, page_name

import rankconv as rc
from rankconv import compat
from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.addons.protocols.pages import protocol_page
from rankconv.analysis.reproduce.checks import checks_table, claims_table, closing_line, run_checks
from rankconv.analysis.reproduce.listing import list_sources
from rankconv.analysis.reproduce.number_row import numbers_table
from rankconv.analysis.reproduce.reproduction import sources_table
from rankconv.analysis.show import convention_page, conventions_table, presets_table
from rankconv.basics.errors import RankconvError
from rankconv.basics.escaping import markdown as escaped
from rankconv.basics.lazy_names import MODULES
from rankconv.cli.app import program_help
from rankconv.conventions.convention import CONVENTIONS, Convention
from rankconv.evaluation.citing.citations import Cited
from rankconv.evaluation.results.differences import differing
from rankconv.metrics import METRICS
from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import OF_TIES, SIGNS
from rankconv.presets.definition import Definition
from rankconv.presets.factories import factories
from rankconv.presets.neutral import neutral_settings
from rankconv.presets.preset_page import any_definition, preset_page
from rankconv.presets.preset_registry import HOUSE
from rankconv.rendering.pages.page import Aside, Code, Fold, Heading, Note, Page, Paragraph, SettingsColumn, TextLine
from rankconv.rendering.pages.table import Table
from rankconv.rendering.pages.web.elements import element
from rankconv.rendering.pages.web.html import mathematics, piece_elements

DISPUTES = Path(__file__).parents[1] / "examples" / "disputes"
LABELS, RUN = {"ada": {"a": 3, "b": 1, "c": 2}}, {"ada": {"a": 3.0, "x": 2.0, "b": 1.0}}
SIDE_DATA: dict[str, Any] = {"catalogue": 6, "train": {"ada": ["x"], "bob": ["a", "x"]}, "seen": {"ada": ["y"]}}
COLUMNS = 6
"""Conventions in the columns of a table of presets, so that it fits a window of 1,280 pixels."""
_CUTOFF = re.compile(r"[@_]?(\{k\}|\d+)$")
"""The end of a name at a cutoff."""
_NAME = re.compile(r"[\w .+-]+")
"""What an entry of the index may be."""
NEAREST = 3
"""Presets to which a preset is compared."""
HIDDEN_CONTENTS = "```{toctree}\n:hidden:\n:glob:\n\n*\n```"


class Reference:
    """All generated pages by their place below `reference/`; a page is written when its function is called."""

    def __init__(self) -> None:
        self.conventions = dict(CONVENTIONS)  # before an example loads a plugin
        self.metrics = dict(METRICS)
        self.titles = {row[2]: row[4] for row in presets_table().rows}
        self.protocols = rc.list_protocols()
        self.links = Links(
            {
                "conventions": {*self.conventions},
                "presets": {*self.titles},
                "metrics": {*self.metrics},
                "sources": {*self.sources},
                "protocols": {*self.protocols},
            }
        )

    @cached_property
    def pages(self) -> dict[str, Callable[[], str]]:
        """Every page."""
        pages: dict[str, Callable[[], str]] = {
            "api/index": python_text,
            "commands/index": commands_text,
            "conventions/index": self.conventions_text,
            "metrics/index": self.metrics_text,
            "metrics/signs": signs_text,
            "presets/index": self.presets_text,
            "protocols/index": self.protocols_text,
            "protocols/conventions": self.protocol_conventions_text,
            "sources/index": self.sources_text,
        }
        groups: Mapping[str, tuple[Sequence[str], Callable[[str], str]]] = {
            "conventions": ([*self.conventions], self.convention_text),
            "metrics": ([*self.metrics], self.metric_text),
            "presets": ([*self.titles], self.preset_text),
            "protocols": (self.protocols, self.protocol_text),
            "sources": ([*self.sources], self.source_text),
        }
        for kind, (names, text) in groups.items():
            pages |= {f"{kind}/{page_name(name)}": lambda text=text, name=name: text(name) for name in names}  # type: ignore[misc]
        return pages

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """Name → title of each published source."""
        return {one.name: one.title for one in list_sources().sources}

    @cached_property
    def definitions(self) -> Mapping[str, Mapping[str, Definition]]:
        """Preset → metric → its definition."""
        owners = map(rc.preset, self.titles)
        return {one.name: {key: any_definition(one, key) for key in one.metrics} for one in owners}

    # Conventions

    def conventions_text(self) -> str:
        """List all conventions by section."""
        sections = groupby(conventions_table().rows, key=lambda row: row[1])
        blocks = [
            f"{heading(section.capitalize())}\n\n{entries((row[0], f'{row[0]}.md', row[2]) for row in rows)}"
            for section, rows in sections
        ]
        return document("Conventions", *blocks, HIDDEN_CONTENTS)

    def convention_text(self, name: str) -> str:
        """Describe a convention: each setting with rule, formula and presets, and data on which settings differ."""
        convention = self.conventions[name]
        example = contrast(convention)
        blocks = [self.settings_text(convention)]
        blocks += [heading("Data on which settings differ"), example.block(self.links)] if example else []
        threads = [title for title, deciding in self.disputes.items() if name in deciding]
        blocks += [heading("Disputes")] if threads else []
        for title in threads:
            anchor = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
            blocks.append(f"* [{title}](../../explanation/disputes.md#{anchor})")
        return document(name, *blocks)

    def settings_text(self, convention: Convention) -> str:
        """Describe a convention and each of its settings."""
        first, *settings = convention_page(convention, every=True).sections
        blocks = [
            f"**{convention.description}.**",
            self.links.section_text(piece for piece in first if not isinstance(piece, Heading)),
        ]
        for section, setting_type in zip(settings, convention.setting_types.values(), strict=True):
            head, *more = section
            assert isinstance(head, Aside)
            blocks += [heading(head.head), self.links.html([element("p", head.words, class_="rule")])]
            if setting_type.tex and "«" not in setting_type.tex:
                blocks.append(self.links.html([mathematics(setting_type.tex)]))
            blocks.append(self.links.html(piece_elements(more)))
        return "\n\n".join(filter(None, blocks))

    @cached_property
    def disputes(self) -> Mapping[str, set[str]]:
        """Title of a dispute → the conventions that explain the difference, as `why` finds them."""
        deciding: dict[str, set[str]] = {}
        for dispute in yaml.safe_load((DISPUTES / "disputes.yaml").read_text("utf-8"))["settled"]:
            names = deciding.setdefault(dispute["title"], set())
            for words in map(shlex.split, dispute["commands"]):
                if words.pop(0) == "why":
                    metric = words.pop(words.index("-m") + 1) if "-m" in words else None
                    labels, run, a, b = [word for word in words if not word.startswith("-")][:4]
                    folder = DISPUTES / dispute["folder"]
                    attribution = rc.why(folder / labels, folder / run, metric, a=a, b=b)
                    shares = [one for one in attribution.contributions if one.share]
                    names |= {name for one in shares for name in one.player.turned}
        return deciding

    # Metrics

    def metrics_text(self) -> str:
        """List all metrics."""
        rows = ((name, f"{name}.md", one.about()) for name, one in self.metrics.items())
        return document("Metrics", "Signs in formulas: [](signs.md).", entries(rows), HIDDEN_CONTENTS)

    def metric_text(self, name: str) -> str:
        """Describe a metric: formula, range, one user's value, conventions, presets."""
        metric = self.metrics[name]
        low, high = (f"{end:g}".replace("inf", "∞") for end in metric.range)
        notes = re.split(r"\n\s*\n", inspect.getdoc(metric) or "")[1:]
        facts = [*(" ".join(one.split()) for one in notes if not one.lstrip().startswith(">>>"))]
        facts += [f"Also called: {', '.join(metric.spellings)}."] if metric.spellings else []
        better = "Lower is better." if metric.lower_is_better else "Higher is better." if metric.directed else ""
        facts.append(f"Range: {low} to {high}. {better}".strip())
        cited = Cited(any_definition(rc.preset(HOUSE), name))
        definitions = self.definitions_of(metric)
        formulas = [mathematics(cited.formula), mathematics(cited.mean_formula)]
        signs = [element("p", mathematics(sign, alone=False), f": {said}") for sign, said in cited.symbols.items()]
        return document(
            name,
            index_entries([name, *self.names_of(metric)]),
            escaped(metric.about()),  # to which the entries lead
            self.links.html(piece_elements([*map(Paragraph, facts)])),
            factory_text(metric),
            heading("Formula"),
            self.links.html(piece_elements([Paragraph(metric.formula)])),
            f"Under the preset [{HOUSE}](../presets/{HOUSE}.md):",
            self.links.html([*formulas, *signs]),
            heading("Example"),
            self.example_text(metric),
            heading("Conventions"),
            self.links.html(piece_elements([conventions_of(metric)])),
            heading("Presets"),
            self.links.html([element("div", *piece_elements([self.presets_of(metric)]), class_="filtered")]),
            self.links.html(piece_elements([Fold("Every definition with all its settings", [definitions])])),
        )

    def names_of(self, metric: type[Metric]) -> list[str]:
        """Return what people and systems call a metric, without its cutoff, as far as no other metric has the name."""
        called = [*metric.spellings, *(name for name, one in factories().items() if one.strategy is metric)]
        for name, definitions in self.definitions.items():
            for key, definition in definitions.items():
                if definition.metric.name == metric.name:
                    called += [key, *rc.preset(name).entry(key).names]
        plain = (_CUTOFF.sub("", one) for one in called)
        return [
            one for one in plain if _NAME.fullmatch(one) and self.metric_called.get(one.casefold()) in (None, metric)
        ]

    @cached_property
    def metric_called(self) -> Mapping[str, type[Metric]]:
        """Each metric by its name and its spellings, which lead to its page even where a system calls others so."""
        return {word.casefold(): one for one in self.metrics.values() for word in (one.name, *one.spellings)}

    def example_text(self, metric: type[Metric]) -> str:
        """Explain one user's value, where the data have everything that the metric needs."""
        problem = ""
        for k in (3, None):
            try:
                definition = rc.preset(HOUSE).definition(metric.name, (), k)
                return self.links.page(rc.explain(LABELS, RUN, definition, user="ada", **SIDE_DATA)._page(), 3)
            except RankconvError as error:
                problem = str(error)
        return self.links.html(piece_elements([Paragraph(f"Not from labels and a ranking alone: {problem}")]))

    def presets_of(self, metric: type[Metric]) -> Table:
        """Presets with this metric and the conventions in which they differ most; equal ones share a row.

        A preset with a modifier is not named next to itself.
        """
        having = [
            (name, one.settings)
            for name, definitions in self.definitions.items()
            for one in definitions.values()
            if one.metric.name == metric.name and not one.functions
        ]
        columns = differing_most(metric, [settings for _, settings in having])
        owners: dict[tuple[str, ...], list[str]] = {}
        for name, settings in having:
            owners.setdefault(tuple(settings.get(column, "–") for column in columns), []).append(name)
        ordered = sorted(owners.items(), key=lambda pair: -len(pair[1]))
        rows = [[", ".join(without_modified(names)), *cells] for cells, names in ordered]
        size = len(columns) + 1
        return Table(["presets", *columns], rows, labels=size, prose=frozenset(range(size)))

    def definitions_of(self, metric: type[Metric]) -> Table:
        """Every definition of this metric with its settings; presets of one definition share a row."""
        owners: dict[str, list[str]] = {}
        settings: dict[str, str] = {}
        neutral, own = neutral_settings(), set(metric.conventions())
        for name, definitions in self.definitions.items():
            for definition in definitions.values():
                if definition.metric.name == metric.name and not definition.functions:
                    key = definition.fingerprint
                    owners.setdefault(key, []).append(name)
                    shown = {q: a for q, a in definition.settings.items() if q in own or neutral.get(q) != a}
                    settings[key] = "; ".join(f"{q}={a}" for q, a in shown.items() if not q.startswith("k-"))
        ordered = sorted(owners.items(), key=lambda pair: -len(pair[1]))
        rows = [[", ".join(dict.fromkeys(names)), settings[key], key] for key, names in ordered]
        return Table(["presets", "settings", "fingerprint"], rows, labels=3, prose=frozenset({0, 1}))

    # Presets: systems, texts, contests and collections

    def presets_text(self) -> str:
        """List the presets by group and system, with versions and what a collection reports."""
        blocks: list[str] = []
        for group, members in groupby(presets_table().rows, key=lambda row: row[0]):
            blocks.append(heading(group.capitalize()))
            for system, rows in groupby(members, key=lambda row: row[1]):
                blocks += [heading(system, 3), entries(map(preset_entry, rows))]
        return document("Presets", *blocks, HIDDEN_CONTENTS)

    def preset_text(self, name: str) -> str:
        """Describe a preset: sources, claims, settings, nearest presets, checks, citation."""
        owner = rc.preset(name)
        first, *sections = preset_page(owner).sections
        printed = f"The numbers that it prints: [{name}](../sources/{name}.md)." if name in self.sources else ""
        blocks = [self.links.html(piece_elements(first)), printed]
        if owner.file.says:
            held = sum(claim.check is not None for claim in owner.file.says)
            claims = Fold(f"{held} of {len(owner.file.says)} sentences on its behaviour checked", [claims_table(owner)])
            blocks.append(self.links.html(piece_elements([claims])))
        blocks.append(heading("Settings that differ from neutral ones"))
        for line, *rest in sections:
            if isinstance(line, TextLine):
                key, _, formula = line.words.partition(": ")
                blocks.append(self.links.section_text([Heading(key), *[TextLine(formula)] * bool(formula), *rest], 3))
            else:
                blocks.append(self.links.section_text([line, *rest], 3))
        every = Fold(f"All {len(owner.metrics)} metrics, all settings", [self.every_setting(name)])
        blocks += [heading("All settings"), self.links.html(piece_elements([every])), heading("Nearest presets")]
        for other in self.nearest(name):
            table = self.difference_table(name, other)
            count = {0: "No setting differs", 1: "One setting differs"}.get(
                len(table.rows), f"{len(table.rows)} settings differ"
            )
            blocks.append(f"{count} from [{other}]({page_name(other)}.md), {rc.preset(other).title}.")
            blocks.append(self.links.html(piece_elements([table] if table.rows else [])))
        checks = list(run_checks([owner]))
        listed = [Fold(closing_line(checks, 1), [checks_table(checks)])] if checks else [TextLine(closing_line([], 1))]
        blocks += [
            heading("Checks"),
            self.links.html(piece_elements(listed)),
            heading("For a paper"),
            self.citation_text(name),
        ]
        return document(name, *blocks)

    def citation_text(self, name: str) -> str:
        """State one metric that most readers know, and how to evaluate it."""
        owner = rc.preset(name)
        known = [one for one in ("ndcg", "map", "precision", "mrr", "recall") if one in owner.metrics]
        spec = any_definition(owner, [*known, *owner.metrics][0]).spec
        cited = rc.cite(spec, preset=owner)
        stated = self.links.page(Page([*([one.stated] for one in cited), [Code(cited.to_bibtex(), "bibtex")]]))
        command = f"rankconv evaluate labels.csv run.csv -m '{spec}' -p {name}"
        return f"{stated}\n\n{code(command, 'sh')}"

    def nearest(self, name: str) -> list[str]:
        """Return the presets with the most similar settings over the metrics that both have."""
        ours = self.definitions[name]

        def distance(other: str) -> float:
            others = self.definitions[other]
            common = ours.keys() & others.keys()
            pairs = ((others[key].settings.get(q), a) for key in common for q, a in ours[key].settings.items())
            count = sum(a != b for a, b in pairs)
            return count / len(common) + 3 * (1 - len(common) / len(ours)) if common else float("inf")

        others = [other for other in self.titles if other != name]
        return sorted(others, key=lambda other: (distance(other), other))[:NEAREST]

    def difference_table(self, name: str, other: str) -> Table:
        """Return the settings in which two presets differ, with the metrics concerned."""
        keys: dict[tuple[str, str, str], list[str]] = {}
        ours, others = self.definitions[name], self.definitions[other]
        common = [key for key in ours if key in others]
        for key in common:
            for convention, (a, b) in differing(ours[key], others[key]).items():
                keys.setdefault((convention, a, b), []).append(key)
        rows = [[*which, names_of(concerned, common)] for which, concerned in keys.items()]
        return Table(["convention", name, other, "metrics"], rows, labels=4, prose=frozenset({1, 2, 3}))

    def every_setting(self, name: str) -> Table:
        """Return every setting of a preset with its rule, once for all the metrics that share it."""
        keys: dict[tuple[str, str], list[str]] = {}
        for key, definition in self.definitions[name].items():
            for pair in definition.settings.items():
                keys.setdefault(pair, []).append(key)
        every = [*self.definitions[name]]
        rows = [[q, a, CONVENTIONS[q](a).setting_type.rule, names_of(some, every)] for (q, a), some in keys.items()]
        return Table(["convention", "setting", "rule", "metrics"], rows, labels=4, prose=frozenset({1, 2, 3}))

    # Protocols and sources

    def protocols_text(self) -> str:
        """List the protocols."""
        rows = ((name, f"{name}.md", rc.protocol(name).title) for name in self.protocols)
        about = "A protocol states how ratings are divided. Its conventions: [](conventions.md)."
        return document("Protocols", about, entries(rows), HIDDEN_CONTENTS)

    def protocol_text(self, name: str) -> str:
        """Describe a protocol, its differences from the others, and its commands."""
        protocol = rc.protocol(name)
        others = [rc.protocol(other) for other in self.protocols if other != name]
        conventions = dict.fromkeys(key for other in others for key in protocol.diff(other))
        compared = [protocol, *others]
        rows = [[key, *(one.settings.stated[key] for one in compared)] for key in conventions]
        table = Table(["convention", *(one.name for one in compared)], rows, labels=len(compared) + 1)
        commands = [
            f"rankconv split ratings.csv --protocol {name} --seed 7 -o folder/",
            f"rankconv learning-curve ratings.csv --protocol {name} -r popularity -m '{protocol.metric or 'ndcg@10'}'",
        ]
        return document(
            name,
            self.links.page(protocol_page(protocol)),
            heading("Differences from other protocols"),
            self.links.html(piece_elements([table])),
            heading("Commands"),
            code("\n".join(commands), "sh"),
        )

    def protocol_conventions_text(self) -> str:
        """Describe every convention of protocols, with the protocols of each setting."""
        blocks = []
        for name, convention in PROTOCOL.items():
            types = convention.setting_types.values()
            given: dict[str, list[str]] = {}
            for owner in self.protocols:
                given.setdefault(rc.protocol(owner).settings.stated[name], []).append(owner)
            rules = SettingsColumn([(one.parameters.shown(one.name), one.rule) for one in types])
            users = [TextLine(f"{setting}: {', '.join(names)}") for setting, names in sorted(given.items())]
            blocks += [
                heading(name),
                self.links.html(piece_elements([TextLine(convention.description), rules, *users])),
            ]
        return document("Conventions of protocols", *blocks)

    def sources_text(self) -> str:
        """List all sources with what is stated of their numbers, and the reproduction of those with their data."""
        listed = list_sources()
        stated = self.links.html(piece_elements([listed.table(), *map(Note, listed.totals())]))
        reproduced = self.links.html(piece_elements([sources_table(rc.reproduce())]))
        blocks = [stated, heading("Computed from the data of the package"), reproduced]
        return document("Published sources", *blocks, HIDDEN_CONTENTS)

    def source_text(self, name: str) -> str:
        """Describe a source: its title, and every printed number with the one computed."""
        result = rc.reproduce(name)
        every = Fold(f"All {len(result.rows):,} numbers", [numbers_table(result)])
        reproduced = self.links.page(result._page())
        return document(name, self.sources[name], reproduced, self.links.html(piece_elements([every])))


def differing_most(metric: type[Metric], settings: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the conventions that have a column: those in which the most definitions have not the commonest setting."""
    counts = {
        name: Counter(one[name] for one in settings if name in one)
        for name in dict.fromkeys(name for one in settings for name in one)
        if not name.startswith("k-")
    }
    departing = {name: count.total() - max(count.values()) for name, count in counts.items()}
    shared = Metric.conventions()
    own = {name for name in metric.conventions() if name not in shared}
    most = sorted(
        (name for name in departing if departing[name]), key=lambda name: (name not in own, -departing[name])
    )[:COLUMNS]
    return sorted(most, key=lambda name: (name not in own, [*counts].index(name)))


def without_modified(names: Sequence[str]) -> list[str]:
    """Return each name once, without presets with a modifier next to the preset itself."""
    return [name for name in dict.fromkeys(names) if name.partition("+")[0] not in {*names} - {name}]


def index_entries(names: Iterable[str]) -> str:
    """Make the search find this place first by each of these names, whatever their case."""
    words = {name.casefold(): f"! {name}" for name in names}
    return "```{index} " + ", ".join(words.values()) + "\n```"


def conventions_of(metric: type[Metric]) -> Table:
    """Return the conventions of a metric with their settings."""
    shared = Metric.conventions()
    own = [name for name in metric.conventions() if name not in shared] or [*metric.conventions()]
    rows = [[name, CONVENTIONS[name].description, ", ".join(CONVENTIONS[name].names)] for name in own]
    return Table(["convention", "description", "settings"], rows, labels=3, prose=frozenset({1, 2}))


def names_of(keys: Sequence[str], every: Sequence[str]) -> str:
    """Name metrics, or all of them together."""
    return "all" if len(keys) == len(every) > 1 else ", ".join(keys)


def preset_entry(row: Sequence[str]) -> tuple[str, str, str]:
    """Return name, address and description of a preset."""
    _, _, name, version, title = row
    reports = rc.preset(name).reports
    more = f"; reports {', '.join(reports)}" if reports else f" ({version})" if version else ""
    return name, f"{page_name(name)}.md", f"{title}{more}"


def factory_text(metric: type[Metric]) -> str:
    """Document what Python offers for a metric: `rankconv.NDCG`."""
    names = [name for name, factory in factories().items() if factory.strategy is metric]
    own = [name.replace("-", "_") for name in metric.conventions() if name not in Metric.conventions()]
    keywords = "".join(f"{name}=None, " for name in own)
    signatures = [f"rankconv.{name}(k=None, *, preset=None, {keywords}**conventions)" for name in names]
    about = "Return the definition of this metric; see {py:class}`rankconv.Definition`."
    return "```{py:function} " + "\n              ".join(signatures) + f"\n\n{about}\n```" if names else ""


def signs_text() -> str:
    """List the signs that formulas share."""
    signs = "\n".join(f"| ${sign}$ | {meaning} |" for sign, meaning in {**SIGNS, **OF_TIES}.items())
    return document("Signs in formulas", f"| sign | meaning |\n|---|---|\n{signs}")


def public_names() -> Iterator[tuple[str, list[str]]]:
    """Yield each public module with its public names."""
    for name in MODULES:
        yield name, sorted(import_module(name).__all__, key=str.casefold)
    for drop_in in iter_modules(compat.__path__, "rankconv.compat."):
        module = import_module(drop_in.name)
        if hasattr(module, "__all__"):
            yield drop_in.name, sorted(module.__all__)


def python_text() -> str:
    """List every public name with its first line; autosummary writes a page of each object from its docstring."""
    blocks = []
    homes: dict[int, str] = {}
    for module, names in public_names():
        first = [name for name in names if homes.setdefault(id(getattr(import_module(module), name)), module) == module]
        listed = "\n   ".join(first)
        summary = f".. currentmodule:: {module}\n\n.. autosummary::\n   :toctree: .\n   :nosignatures:\n\n   {listed}"
        about = (inspect.getdoc(import_module(module)) or "").partition("\n")[0]
        again = "".join(f" Also here: `{name}`." for name in names if name not in first)
        blocks += [heading(f"`{module}`"), about + again, code(summary, "{eval-rst}")]
    return document("Python", *blocks)


def commands_text() -> str:
    """List every command with its arguments and options, and the JSON Schema of the same as data."""
    found = program_help()
    blocks = [
        "`rankconv --help --format json` is this page as data, `rankconv COMMAND --help --format json` one command. "
        "The schema is at the end."
    ]
    for command in found.commands:
        rows = [[", ".join(one.names), one.type, one.help] for one in (*command.arguments, *command.options)]
        about = [escaped(" ".join(part.split())) for part in command.description.split("\n\n")]
        blocks += [heading(f"rankconv {command.name}"), *about]
        blocks.append(Table(["name", "type", "help, and the default"], rows, labels=3).to_markdown())
    schema = json.dumps(type(found).model_json_schema(), indent=1, ensure_ascii=False)
    return document("Commands", *blocks, heading("Schema"), code(schema, "json"))


def write_reference(folder: Path) -> None:
    """Write every generated page below this folder."""
    for place, text in Reference().pages.items():
        file = folder / f"{place}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        content = text()
        if not file.exists() or file.read_text("utf-8") != content:
            file.write_text(content, "utf-8")
