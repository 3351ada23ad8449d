"""The text of a setting, `log(base=2)`, and of a metric: `[preset:]metric[(convention=setting, …)][@k]`.

Both are read, and written in one spelling.
"""

import math
import re
import reprlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from rankconv.basics.errors import ConventionError, MetricError

MOST_NESTED = 20
"""Settings stand in one another at most so deep."""
LARGEST = 1e100
"""The size of a number in a setting is 0, or from 1 / LARGEST to LARGEST, so that it can be multiplied and summed."""

_CALL = re.compile(r"([A-Za-z][\w-]*)\s*(?:\((.*)\))?", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)

_STEP = {"(": 1, ")": -1, ",": 0, "+": 0}
_BETWEEN = {",": re.compile("[(),]"), "+": re.compile(r"[()]|(?<=\s)\+(?=\s)")}


def read_number(text: str) -> float | None:
    """The number that this text is, or None; what no double can hold is none."""
    value = float(text) if _NUMBER.fullmatch(text.strip()) else math.inf
    return value if math.isfinite(value) else None


def in_bounds(value: float) -> bool:
    """Whether a setting may hold this number."""
    return value == 0 or 1 / LARGEST <= abs(value) <= LARGEST


OUT_OF_BOUNDS = f"The size of a number in a setting is 0, or from {1 / LARGEST:g} to {LARGEST:g}"


def number_text(value: float) -> str:
    """A number in its one spelling: no exponent, no idle zeros, no sign of zero."""
    return np.format_float_positional(value + 0.0, trim="-")


def split(text: str) -> list[str]:
    """The parts between commas that stand outside parentheses, without the empty ones."""
    return [part for part in parts_between(",", text) if part]


def parts_between(sign: str, text: str) -> list[str]:
    """The parts of a text between signs that stand outside parentheses, also the empty ones.

    A `,` is between parameters, a `+` with blanks around it between settings that are carried out in turn.
    """
    parts, depth, start = [], 0, 0
    for found in _BETWEEN[sign].finditer(text):
        depth += _STEP[found[0]]
        if found[0] == sign and depth == 0:
            parts.append(text[start : found.start()])
            start = found.end()
    return [part.strip() for part in [*parts, text[start:]]]


def check_depth(text: str) -> None:
    """A ConventionError for settings that nest deeper than any reader, or any program, can follow."""
    steps = (_STEP[sign] for sign in _BETWEEN[","].findall(text))
    if max(accumulate(steps), default=0) > MOST_NESTED:
        raise ConventionError(f"'{text}' is nested too deep", allowed=f"Settings nest at most {MOST_NESTED} deep")


def read_call(text: str) -> tuple[str, list[str], dict[str, str]]:
    """Name, positional and named parameters of a setting, all still text."""
    found = _CALL.fullmatch(text.strip())
    if found is None:
        return text, [], {}
    positional, named = [], {}
    for part in split(found[2] or ""):
        name, sign, value = part.partition("=")
        if sign and "(" not in name:
            if name.strip() in named:
                raise ConventionError(f"'{text}' says {name.strip()} twice")
            named[name.strip()] = value.strip()
        else:
            positional.append(part)
    return found[1], positional, named


def text_of(given: Any) -> str:
    """A setting as text, from text or a number."""
    if isinstance(given, bool):
        raise ConventionError(f"'{given}' is not a setting", do="In YAML, a word such as no is text only in quotes.")
    if isinstance(given, (int, float, np.integer, np.floating)):
        return _number_given(float(given) if isinstance(given, np.generic) else given)
    if isinstance(given, str):
        return given.strip()
    do = "A setting is text or a number, with parameters in the text, as in 'log(base=3)'."
    raise ConventionError(f"{reprlib.repr(given)} is not a setting", do=do)


def _number_given(given: float) -> str:
    try:
        value = float(given)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise ConventionError("the number is not finite, or beyond what a double can hold")
    return number_text(value)


# metrics

HIGHEST = 1_000_000
"""Some definitions go through all ranks down to the cutoff, also beyond the list."""
MOST_CUTOFFS = 1000
"""Of one metric: as many as `@1-8`, `@1,2,5` and `P_5,10` name in all."""
ALLOWED = f"A cutoff is a whole number from 1 up to {HIGHEST:,}"
_CUTOFF = re.compile(r"[0-9]{1,7}")
_DEPTH, _SHARES = "max-depth", ("share", "share-of-labels")
"""The convention of what is called a cutoff in per cent, and its settings of the list and of the labels."""
BETWEEN = "|"
"""What is between the parts of a signature."""
_PRESET = re.compile(r"([\w.+-]+(?:@[\w.+-]+)?(?: \(modified\))?):(?![\d\s,-]*$)")


_LISTED = re.compile(r"[\d\s-]*", re.ASCII)
"""What after an @ is a cutoff, or a range of them."""
_BARE = re.compile(r"[\d\s.+%-]*", re.ASCII)
"""What between two commas is no metric, but one more cutoff of the metric before it."""


def is_signature(text: str) -> bool:
    """Whether a text is written as a signature rather than as `metric(convention=setting)@k`."""
    return BETWEEN in text


def each_spec(text: str) -> list[str]:
    """One text for each number that this one asks for; a signature is one, whatever its settings hold.

    >>> each_spec("ndcg@5,10, mllib:map(ap-denominator=min(k, relevant))@1-3, P_5,10, mrr")[:3]
    ['ndcg@5', 'ndcg@10', 'mllib:map(ap-denominator=min(k, relevant))@1']
    """
    if is_signature(text):
        return [text]
    pieces: list[list[str]] = []
    for part in parts_between(",", text):
        if pieces and _BARE.fullmatch(part):
            pieces[-1].append(part)
        else:
            pieces.append([part])
    return [spec for piece in pieces for spec in _each(piece)]


def _each(piece: list[str]) -> list[str]:
    """One metric at each of its cutoffs."""
    text = ",".join(piece)
    preset = _PRESET.match(piece[0])
    if preset and "@" in preset[1]:  # the sign of a version
        return [preset[0] + spec.lstrip() for spec in _each([piece[0][preset.end() :], *piece[1:]])]
    head, sign, first = piece[0].rpartition("@")
    if sign and _LISTED.fullmatch(first):
        cutoffs = _cutoffs(",".join([first, *piece[1:]]), text)
        return [text] if len(cutoffs) == 1 else [f"{head.strip()}@{k}" for k in cutoffs]
    name = piece[0].rstrip("0123456789.")  # as trec_eval writes it: ndcg_cut.10, P_5
    name += "." if piece[0][len(name) :].startswith(".") else ""
    if not name.endswith((".", "_")):
        return [text]
    _check_number(len(piece), text)
    return [piece[0], *(name + number for number in piece[1:])]


def at_cutoff(name: str, k: int | None) -> str:
    """A metric at a cutoff, or over the whole list.

    >>> at_cutoff("ndcg", 10), at_cutoff("ndcg", None)
    ('ndcg@10', 'ndcg')
    """
    return name if k is None else f"{name}@{k}"


def preset_and_rest(text: str) -> tuple[str | None, str]:
    """The preset that a spec names before its colon, and the rest of it."""
    found = _PRESET.match(text.strip())
    return (found[1], text.strip()[found.end() :]) if found else (None, text.strip())


@dataclass(frozen=True)
class Spec:
    """A spec split into its parts; nothing in it is looked up yet.

    >>> spec = read_spec("mllib:ndcg(gain=linear, ties=reversed)@5,10")
    >>> str(spec), str(spec.at(None))
    ('mllib:ndcg(gain=linear, ties=reversed)@5,10', 'mllib:ndcg(gain=linear, ties=reversed)')
    """

    preset: str | None
    metric: str
    settings: tuple[tuple[str, str], ...]
    """Also functions, which text only names."""
    cutoffs: tuple[int | None, ...]

    def at(self, k: int | None) -> "Spec":
        """The metric at one cutoff."""
        return replace(self, cutoffs=(k,))

    def having(self, convention: str, setting: str) -> "Spec":
        """The same metric with another setting of a convention."""
        others = tuple(one for one in self.settings if one[0] != convention)
        return replace(self, settings=(*others, (convention, setting)))

    def __str__(self) -> str:
        """The spec as text."""
        text = ", ".join(f"{convention_name}={setting}" for convention_name, setting in self.settings)
        head = f"{self.preset}:{self.metric}" if self.preset else self.metric
        cutoffs = "" if self.cutoffs == (None,) else f"@{','.join(map(str, self.cutoffs))}"
        return f"{head}({text}){cutoffs}" if text else f"{head}{cutoffs}"


SpecLike = str | Spec
"""What is requested: as text, or split into its parts."""


def read_spec(text: SpecLike) -> Spec:
    """The parts of a spec; what cannot be one is a MetricError that shows the grammar.

    >>> read_spec("trec_eval:ndcg(ties=expected, gain=table(1=1, 2=5))@5,10").cutoffs
    (5, 10)
    """
    return text if isinstance(text, Spec) else _read(text)


@lru_cache(maxsize=1024)
def _read(text: str) -> Spec:
    if is_signature(text):
        wrong = f"'{text.partition(BETWEEN)[0]}|…' is a signature, which states one definition"
        raise MetricError(wrong, do="Name the metric alone here, such as ndcg@10.")
    preset, rest = preset_and_rest(text)
    name, inside, cutoffs = _spec_parts(rest, text)
    if inside.isdigit():  # a system's own spelling, such as ndcgAt(10)
        name, inside = f"{name}({inside})", ""
    settings = tuple(setting_of(part, text) for part in split(inside))
    for convention_name, count in Counter(convention_name for convention_name, _ in settings).items():
        if count > 1:
            raise MetricError(f"'{text}' sets '{convention_name}' twice", do="Give one setting.")
    return Spec(preset, name, settings, _cutoffs(cutoffs, text))


GRAMMAR = "Write metric@k, such as ndcg@10, or preset:metric(convention=setting)@k"


def _spec_parts(rest: str, text: str) -> tuple[str, str, str | None]:
    """Name, what is in the parentheses, and what follows the @; in one pass, however long the text is."""
    end = min(place for sign in "(@" for place in [rest.find(sign) % (len(rest) + 1)])
    name, tail, inside = rest[:end], rest[end:], ""
    if tail.startswith("("):
        close = tail.rfind(")")
        inside, tail = tail[1 : max(close, 1)].strip(), tail[close + 1 :].lstrip() if close > 0 else "("
    sign, cutoffs = tail[:1], tail[1:]
    named = name and not name[0].isspace() and name[0] not in ",:" and ":" not in name
    if not named or sign not in ("", "@") or set("()@") & set(cutoffs) or text.count("(") != text.count(")"):
        raise MetricError(f"'{text}' is not a metric", allowed=GRAMMAR)
    return name.strip(), inside, cutoffs if sign else None


def setting_of(part: str, text: str) -> tuple[str, str]:
    """A convention and its setting, from `convention=setting`."""
    convention_name, sign, setting = part.partition("=")
    if not sign:
        raise MetricError(f"'{part}' in '{text}' is not of the form convention=setting", allowed=GRAMMAR)
    return convention_name.strip().replace("_", "-"), setting.strip()


def _cutoffs(given: str | None, text: str) -> tuple[int | None, ...]:
    if given is None:
        return (None,)
    cutoffs = list[int]()
    for part in given.split(","):
        cutoffs += _range(part.strip(), text)
        _check_number(len(cutoffs), text)
    return tuple(cutoffs)


def _check_number(cutoffs: int, text: str) -> None:
    """Raise a MetricError where one metric has too many cutoffs."""
    if cutoffs > MOST_CUTOFFS:
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        allowed = f"A metric has {MOST_CUTOFFS:,} cutoffs at most"
        raise MetricError(f"'{shown}' names too many cutoffs", allowed=allowed, do="Name fewer at a time.")


def _range(part: str, text: str) -> Iterable[int]:
    """The cutoffs from 1 up to 8 of `1-8`, or the one."""
    low, sign, high = part.partition("-")
    if not (sign and low and high):
        return [_cutoff(part, text)]
    first, last = _cutoff(low.strip(), text), _cutoff(high.strip(), text)
    if not 0 <= last - first < MOST_CUTOFFS:
        allowed = f"A range of cutoffs rises, and holds {MOST_CUTOFFS:,} at most"
        raise MetricError(f"'{part}' is not a range of cutoffs in '{text}'", allowed=allowed, do="Write @1-8")
    return range(first, last + 1)


def _cutoff(part: str, text: str) -> int:
    per_cent = read_number(part.removesuffix("%")) if part.endswith("%") else None
    if per_cent is not None and 0 < per_cent <= 100:
        share, whole = number_text(per_cent / 100), _read(text.rpartition("@")[0])
        of_lists, of_labels = (whole.having(_DEPTH, f"{name}({share})") for name in _SHARES)
        raise MetricError(
            f"'{part}' is not a cutoff in '{text}'",
            allowed="A share of a list is a depth",
            do=f"Write {of_lists} for a share of the rows of each list, or {of_labels} for one of its user's labels.",
        )
    if not _CUTOFF.fullmatch(part) or not 0 < int(part) <= HIGHEST:
        raise MetricError(
            f"'{part}' is not a cutoff in '{text}'",
            allowed=ALLOWED,
            do="Write, for instance, @10, @5,10,20 or @1-8, or leave it out for the whole list.",
        )
    return int(part)


def checked_cutoff(given: object, where: str = "") -> int:
    """A cutoff that was given as a number; a MetricError for what is none."""
    number = given if isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, bool) else 0
    if not 1 <= number <= HIGHEST or number != int(number):
        raise MetricError(f"{given!r:.100} is not a cutoff", where=where, allowed=ALLOWED)
    return int(number)
