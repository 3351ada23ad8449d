"""What a shell completes: presets, metrics with their conventions and settings, protocols, sources and libraries.

Each function takes the word so far and yields words that begin with it, with what a shell shows next to them. All else
is imported when a shell asks, so a command starts as fast without them.
"""

from collections.abc import Callable, Iterator

import typer

from rankconv.rendering.pages.cells import short

Completions = Iterator[str | tuple[str, str]]
Completing = Callable[[typer.Context, str], Completions]
PROTOCOL = "protocol:"
LONGEST = 48
"""Letters of what is shown next to a word; a shell breaks what is longer over lines."""


def completing(find: Completing) -> Completing:
    """Complete the last of several words with commas between; data that cannot be read complete nothing."""

    def complete(ctx: typer.Context, incomplete: str) -> Completions:
        from rankconv.basics.errors import RankconvError
        from rankconv.conventions.spec import parts_between

        *_, last = parts_between(",", incomplete)
        head = incomplete.removesuffix(last)
        try:
            pairs = ((word, "") if isinstance(word, str) else word for word in find(ctx, last))
            for text, about in dict(pairs).items():
                yield (head + text, short(about, LONGEST)) if about else head + text
        except RankconvError:
            return

    return complete


def _presets(word: str) -> Completions:
    from rankconv.presets.folders import VERSION, heads
    from rankconv.presets.preset_registry import ALL, list_presets

    if VERSION in word:
        yield from list_presets(eras=True, collections=True)
        return
    every = heads()
    yield from ((head["name"], head["title"]) for head in every)
    yield ALL, "every preset"
    yield from ((group, "a group of presets") for group in dict.fromkeys(head["group"] for head in every))


@completing
def presets(_ctx: typer.Context, incomplete: str) -> Completions:
    """Presets, with their eras after an @, and groups of presets."""
    return _presets(incomplete)


@completing
def metrics(ctx: typer.Context, incomplete: str) -> Completions:
    """Metrics, also those of a preset: `mllib:nd`; in parentheses conventions, and after a = their settings."""
    if incomplete.count("(") > incomplete.count(")"):
        return _settings(incomplete)
    return _metrics(ctx, incomplete)


def _metrics(ctx: typer.Context, word: str) -> Completions:
    from rankconv.metrics.base import METRICS
    from rankconv.presets.preset_registry import HOUSE, names_preset, preset

    owner, colon, _ = word.partition(":")
    if colon:
        yield from (f"{owner}:{name}" for name in preset(owner).metrics)
        return
    named = ctx.params.get("preset") or HOUSE
    for name in [named] if isinstance(named, str) else named:
        if names_preset(name):
            yield from preset(name).metrics
    yield from METRICS


def _settings(word: str) -> Completions:
    """The conventions of the metric before the parenthesis, and after a = the settings of a convention."""
    from rankconv.conventions.parameters import NUMBER
    from rankconv.presets.preset_registry import HOUSE, preset

    spec, _, inside = word.partition("(")
    owner, _, name = spec.rpartition(":")
    *stated, last = inside.split(",")
    head = f"{spec}({''.join(f'{one},' for one in stated)}{' ' * (len(last) - len(last.lstrip()))}"
    named = preset(owner or HOUSE)
    [definition, *_] = named.define(name if named.offers(name) else f"{name}@10")  # some are at a cutoff alone
    conventions = definition.conventions
    chosen, sign, _ = last.strip().partition("=")
    if not sign:
        yield from ((f"{head}{one.name}=", one.description) for one in conventions.values())
    elif chosen in conventions:
        one = conventions[chosen]
        yield from (f"{head}{chosen}={text.removesuffix('…)')}" for text in one.names if text != NUMBER)


def _protocols() -> Completions:
    from rankconv.addons.protocols.presets import list_protocols

    yield from list_protocols()


@completing
def protocols(_ctx: typer.Context, _incomplete: str) -> Completions:
    """Protocols."""
    return _protocols()


@completing
def names(_ctx: typer.Context, incomplete: str) -> Completions:
    """All that `show` takes: presets, groups, metrics, conventions and protocols."""
    from rankconv.conventions.convention import CONVENTIONS
    from rankconv.metrics.base import METRICS

    yield from _presets(incomplete)
    yield from METRICS
    yield from CONVENTIONS
    yield from (f"{PROTOCOL}{one}" for one in _protocols())


@completing
def cited(ctx: typer.Context, incomplete: str) -> Completions:
    """All that `cite` takes: metrics, also of presets, and protocols."""
    yield from metrics(ctx, incomplete)
    yield from (f"{PROTOCOL}{one}" for one in _protocols())


@completing
def sources(_ctx: typer.Context, _incomplete: str) -> Completions:
    """Printed sources whose data are shipped."""
    from rankconv.analysis.reproduce.sources import ALL, published

    yield ALL
    yield from published()


@completing
def libraries(_ctx: typer.Context, _incomplete: str) -> Completions:
    """Presets of libraries that `verify` can call."""
    from rankconv.addons.verification import adapters
    from rankconv.addons.verification.adapter import ADAPTERS

    adapters.load()
    yield from sorted(ADAPTERS)


@completing
def similarity_metrics(_ctx: typer.Context, _incomplete: str) -> Completions:
    """Measures of similarity."""
    from rankconv.addons.similarity.similarity_measures import MEASURES

    yield from MEASURES
