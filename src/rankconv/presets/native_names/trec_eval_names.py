"""Names of trec_eval: measures with parameters, `ndcg.1=3,2=1`, and options of a call, `-l 2 -M 100 -m P.5,10 -m map`.

The names of the preset hold cutoffs and levels, so what is read here are options and other parameters.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from rankconv.basics.errors import MetricError
from rankconv.conventions.spec import each_spec, number_text, read_number
from rankconv.presets.folders import presets_calling
from rankconv.presets.native_names.grammar import NativeName, native_names

DEPTHS = "5,10,15,20,30,100,200,500,1000"
USUAL = {
    **dict.fromkeys(("P", "recall", "map_cut", "ndcg_cut", "relative_P"), DEPTHS),
    "success": "1,5,10",
    "unj": "5,10,20",
    "iprec_at_recall": "0.00,0.10,0.20,0.30,0.40,0.50,0.60,0.70,0.80,0.90,1.00",
    "Rprec_mult": "0.20,0.40,0.60,0.80,1.00,1.20,1.40,1.60,1.80,2.00",
}
"""The parameters of measures that -m names without any."""
WITH_GAINS = ("ndcg", "dcg", "ideal_dcg", "ndcg_rel", "Rndcg")
"""Measures whose parameters are gains of grades, `1=3,2=1`, as far as the preset has them."""
ONE_NUMBER = {"set_F": "beta", "rbp": "rbp-persistence", "rbp_resid": "rbp-persistence"}
"""Measures with one parameter, and the convention of it; that of RBP is written `rbp.p=0.8`."""
OPTIONS: dict[str, Callable[[str], Mapping[str, str]]] = {
    "l": lambda number: {"relevant": f"at-least({number})"},
    "M": lambda number: {"max-depth": number},
    "J": lambda _: {"unjudged": "condensed-after-depth"},
    "q": lambda _: {},
    "n": lambda _: {},
}
"""Options that change values, or only what is printed."""
LONG = {
    "--level_for_rel": "-l",
    "--Max_retrieved_per_topic": "-M",
    "--Judged_docs_only": "-J",
    "--measure": "-m",
    "--query_eval_wanted": "-q",
    "--nosummary": "-n",
    "--complete_rel_info_wanted": "-c",
}
_EXAMPLE = {"l": "2", "M": "100", "m": "P.5,10"}
"""Options with a value, and one that they take."""


@native_names("trec_eval")
def read(text: str) -> Sequence[NativeName] | None:
    """Read a measure as -m takes it, or the options of a call; without -m these ask for the official measures."""
    words = text.split()
    if words and words[0] in ("trec_eval", "./trec_eval"):
        words = words[1:]
    if not words or not words[0].startswith("-"):
        return _measure(text) if len(words) == 1 and _has_parameters(text) else None
    options, settings, measures = list[str](), dict[str, str](), list[str]()
    for name, value in _options(words, text):
        if name == "m":
            measures.append(value)
        else:
            options.append(f"-{name} {value}".strip())
            settings |= OPTIONS[name](value)
    found = list[NativeName]()
    for measure in measures or ["official"]:
        for one in _measure(measure):
            found.append(NativeName(" ".join([*options, "-m", one.text]), one.metric, {**settings, **one.settings}))
    return found


def _options(words: Sequence[str], text: str) -> Sequence[tuple[str, str]]:
    """Each option and its value; a MetricError for one that is none, or that rankconv does not have."""
    found, left = list[tuple[str, str]](), list(words)
    while left:
        long, sign, given = left.pop(0).partition("=")  # as --measure=map
        word = LONG.get(long, f"{long}{sign}{given}")
        if long in LONG and sign:
            left.insert(0, given)
        name, value = word[1:2], word[2:]
        if not word.startswith("-") or name == "-":
            raise MetricError(f"'{word}' is not an option of trec_eval", where=text, do="Write options and -m alone.")
        if name == "c":
            raise MetricError("trec_eval with -c is the preset trec_eval-c", where=text, do="Leave -c out there.")
        if name != "m" and name not in OPTIONS:
            allowed = "It reads -l, -M, -J and -m; -q and -n change no value"
            raise MetricError(f"rankconv has no option {word} of trec_eval", where=text, allowed=allowed)
        if name in _EXAMPLE:
            value = value or (left.pop(0) if left else "")
            if not value or (name != "m" and not (value.isdecimal() and int(value))):
                raise MetricError(
                    f"-{name} is followed by '{value}'", where=text, do=f"Write -{name} {_EXAMPLE[name]}."
                )
        elif value:
            left.insert(0, f"-{value}")
            value = ""
        found.append((name, value))
    return found


OF_NUMBERS = {"utility": "utility.2,-1,0,0", "11pt_avg": "11pt_avg.0.2,0.5,0.8"}
"""Measures whose parameters are several numbers, each with an example; printed they have `_` in place of the dot."""
_PARAMETERS = re.compile(
    rf"({'|'.join((*WITH_GAINS, *ONE_NUMBER))})\.[^()@]+|(?P<of_numbers>{'|'.join(OF_NUMBERS)})[._][^()@]+|"
    r"\w+\.[^()@]*=[^()@]*",
    re.ASCII,
)
"""A measure with parameters that are no cutoffs or levels, which the names of the preset hold."""


def _has_parameters(measure: str) -> bool:
    return _PARAMETERS.fullmatch(measure) is not None


def _measure(measure: str) -> Sequence[NativeName]:
    """The numbers of one measure, under the names that the preset has for them."""
    name, _, parameters = measure.partition(".")
    found = _PARAMETERS.fullmatch(measure)
    if found is None:
        return [NativeName(one, one) for one in each_spec(f"{name}_{USUAL[name]}" if measure in USUAL else measure)]
    if found["of_numbers"]:
        return [_of_numbers(measure, found["of_numbers"])]
    if name in ONE_NUMBER:
        sign = "" if name == "set_F" else "p="
        number = read_number(parameters.removeprefix(sign))
        if not parameters.startswith(sign) or number is None:
            raise MetricError(
                f"'{measure}' is not a measure of trec_eval", do=f"Write, for instance, {name}.{sign}0.8."
            )
        return [NativeName(measure, name, {ONE_NUMBER[name]: number_text(number)})]
    pairs = [one.partition("=") for one in parameters.split(",")]
    if name not in WITH_GAINS and "trec_eval" in presets_calling(name):
        raise MetricError(f"rankconv has {name} of trec_eval without parameters", where=measure, do=f"Write {name}.")
    if name not in WITH_GAINS:
        raise MetricError(f"'{measure}' is not a measure of trec_eval", do="Write, for instance, ndcg.1=3,2=1.")
    if not all(grade.isdecimal() and read_number(gain) is not None for grade, _, gain in pairs):
        raise MetricError(f"'{measure}' is not a measure of trec_eval", do=f"Write, for instance, {name}.1=3,2=1.")
    if any(not float(gain).is_integer() for _, _, gain in pairs):
        wrong = "trec_eval sorts gains by whole differences, which no preset describes for fractions"
        raise MetricError(wrong, where=measure, do="Write gains that are whole numbers.")  # gain_init.c:71
    return [NativeName(measure, name, {"gain": f"table({', '.join(f'{grade}={gain}' for grade, _, gain in pairs)})"})]


def _of_numbers(measure: str, name: str) -> NativeName:
    """A measure with several numbers; a MetricError where they are none, or a weight that no preset has."""
    texts = measure[len(name) + 1 :].split(",")
    numbers = [number_text(number) for number in map(read_number, texts) if number is not None]
    if len(numbers) != len(texts) or (name == "utility" and len(numbers) != 4):
        raise MetricError(f"'{measure}' is not a measure of trec_eval", do=f"Write, for instance, {OF_NUMBERS[name]}.")
    if name != "utility":
        return NativeName(measure, name, {"recall-levels": f"at({', '.join(numbers)})"})
    *weights, rejected = numbers
    if float(rejected):
        wrong = "rankconv has no weight of documents that are neither relevant nor retrieved, which -N counts"
        raise MetricError(wrong, where=measure, do="Write 0 as the fourth number.")
    return NativeName(measure, name, {"utility-weights": f"weights({', '.join(weights)})"})
