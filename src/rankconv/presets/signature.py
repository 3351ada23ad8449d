"""Signatures read back: one line that states a definition, `Definition.signature`.

`ndcg@10|gain:linear|discount:log(base=2)|ideal:all-labels|ties:expected|on-no-relevant:skip`

The part before `||` is the definition: the metric, its cutoff, a short list of settings declared with the metric, and
each applicable setting that is not neutral, by name. The part after `||` is the circumstances of one number: users,
digests of the data, preset, version. Equality, laws and the fingerprint speak of the definition part alone. Neutral
settings never change, and a convention that is added later has its neutral setting in all older signatures.
"""

from collections.abc import Mapping
from contextlib import suppress
from textwrap import fill

from rankconv.aggregation import Aggregation
from rankconv.basics.errors import ConventionError, MetricError, RankconvError
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.spec import BETWEEN, read_spec
from rankconv.metrics.base import METRICS, Metric, strategy_of
from rankconv.metrics.metric_names import unknown_metric
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import ESCAPED, Definition, definition_part
from rankconv.presets.folders import VERSION
from rankconv.presets.neutral import neutral_settings
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE, names_preset, preset
from rankconv.presets.resolver import or_plugin

PARTS = "||"
"""What is between the definition and the circumstances of a number."""
_FORM = "A signature is metric@k|convention:setting|convention:setting|…"


def definition_of(signature: str) -> Definition:
    """Return the definition that a signature states.

    The preset that its circumstances name is taken, with what was changed, where that gives this definition; else the
    default preset with all that differs from it.

    Raises
    ------
    ConventionError, MetricError
        If it names a metric, convention or setting that is not known here, or a Python function.
    """
    part = signature.strip().partition(PARTS)[0]
    head, *pairs = part.strip().split(BETWEEN)
    spec = read_spec(head)
    name = strategy_of(spec.metric)
    if name is None:
        raise or_plugin(unknown_metric(spec.metric, where=signature))
    if spec.settings or spec.preset or len(spec.cutoffs) != 1:
        raise MetricError(f"'{head}' does not begin a signature", where=signature, allowed=_FORM)
    strategy, settings = METRICS[name], _settings(pairs, signature)
    own = _conventions_of(strategy)
    if foreign := settings.keys() - own:
        wrong, allowed = f"{name} has no convention '{min(foreign)}'", f"Its own: {', '.join(strategy.conventions())}"
        raise ConventionError(wrong, where=signature, allowed=allowed)
    wanted, k = neutral_settings() | settings, spec.cutoffs[0]
    stated = stated_circumstances(signature)
    owners = [_owner(stated["preset"])] if "preset" in stated else []
    candidates = [
        definition
        for owner in dict.fromkeys([*owners, preset(HOUSE)])
        if owner is not None
        for definition in _definitions(owner, strategy, wanted, k)
    ]
    if not candidates:
        raise MetricError(f"no preset can give {name} so", where=signature)
    pairs_stated = {*definition_part(name, k, settings).split(BETWEEN)}
    exact = [definition for definition in candidates if {*definition.signature.split(BETWEEN)} == pairs_stated]
    found = min(exact or candidates, key=lambda definition: len(definition.changed))
    if exact:
        return found
    named = [pair.partition(":")[0] for pair in found.signature.split(BETWEEN)[1:]]
    if lacking := [name for name in named if name not in settings]:
        do = "Take the whole signature, or write metric(convention=setting)@k for settings of a preset."
        raise MetricError(f"the signature does not state {', '.join(lacking)}", where=signature, do=do)
    return found.acting(settings)


def in_lines(signature: str) -> str:
    """The signature in lines of 76 columns, which are read back as the one line is.

    >>> print(in_lines("mrr|ties:given||users:3"))
    mrr | ties:given || users:3
    """
    parts = (part.replace(BETWEEN, f" {BETWEEN} ") for part in signature.split(PARTS))
    return fill(f" {PARTS} ".join(parts), 76, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def stated_circumstances(signature: str) -> dict[str, str]:
    """The circumstances that a signature states, each as it is written there."""
    pairs = signature.strip().partition(PARTS)[2].split(BETWEEN)
    return {name: text for name, _, text in (pair.strip().partition(":") for pair in pairs if pair)}


def _owner(stated: str) -> Preset | None:
    """The preset of the era that a signature names; the newest one where no era covers the version."""
    for name in (stated, stated.partition(VERSION)[0]):
        if names_preset(name):
            with suppress(RankconvError):
                return preset(name)
    return None


def _definitions(owner: Preset, strategy: type[Metric], wanted: Mapping[str, str], k: int | None) -> list[Definition]:
    """The metrics of a preset that are of this strategy, under the wanted settings: those that act, and all."""
    definitions, own = list[Definition](), _conventions_of(strategy)
    for key in owner.metrics:
        if owner.strategy(key) is strategy:
            stated = owner.settings_of(key, k)
            changed = tuple((name, text) for name, text in wanted.items() if name in own and stated.get(name) != text)
            with suppress(RankconvError):  # the preset does not offer this form of its metric
                definition = owner.definition(key, changed, k)
                acting = tuple(pair for pair in changed if pair[0] not in definition.idle_rules)
                definitions += [owner.definition(key, acting, k), definition]
    return definitions


def _conventions_of(strategy: type[Metric]) -> set[str]:
    return {*Preparation.conventions(), *strategy.conventions(), *Aggregation.conventions()}


def _settings(pairs: list[str], signature: str) -> dict[str, str]:
    """The settings of the definition part, in the one spelling of each."""
    settings = dict[str, str]()
    for pair in pairs:
        name, sign, text = pair.strip().partition(":")
        if not sign:
            raise MetricError(f"'{pair.strip()}' is not of the form convention:setting", where=signature, allowed=_FORM)
        if text.startswith("custom("):
            wrong = f"{name} is the Python function {text}, which its name does not define"
            raise MetricError(wrong, where=signature, do="Register it under a name in a plugin, or pass it in Python.")
        text = " ".join(text.split())  # lines are broken at spaces
        for sign, escape in reversed(ESCAPED.items()):
            text = text.replace(escape, sign)
        if name in settings:
            raise MetricError(f"{name} has two settings", where=signature, allowed=_FORM)
        try:
            settings[name] = CONVENTIONS[name].validate(text)
        except RankconvError as error:
            raise or_plugin(error).at(signature) from None
    return settings
