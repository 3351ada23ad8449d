"""Names of ranx: a metric, its cutoff and the least grade that is relevant, `ndcg@10-l2`; of RBP `rbp.95`."""

import re
from collections.abc import Sequence

from rankconv.basics.errors import MetricError
from rankconv.presets.native_names.grammar import NativeName, native_names

METRICS = {
    name: name for name in "hits hit_rate precision recall f1 mrr map dcg dcg_burges ndcg ndcg_burges bpref".split()
}
METRICS |= {"r-precision": "r_precision"}
"""Names of ranx, and of its preset."""
WITHOUT_CUTOFF = ("bpref", "r-precision")
_NAME = re.compile(r"([a-z][a-z1_]*(?:-precision)?)(-l\d+)?(?:@(\d{1,7}))?(?:-l(\d+))?", re.ASCII)
_RBP = re.compile(r"rbp([.@])(\d+)(?:-l(\d+))?", re.ASCII)


@native_names("ranx")
def read(text: str) -> Sequence[NativeName] | None:
    """Read one name, as `ranx.meta.evaluate.extract_metric_and_params` does."""
    if found := _RBP.fullmatch(text):
        sign, persistence, level = found.groups()
        if sign == "@":
            wrong = f"ranx reads the @ of RBP as the persistence 0.{persistence}, not as a cutoff"
            raise MetricError(wrong, where=text, do=f"Write {text.replace('@', '.')} for the persistence.")
        return [NativeName(text, "rbp", {"rbp-persistence": f"0.{persistence}"} | _relevant(level))]
    found = _NAME.fullmatch(text)
    if found is None or found[1] not in METRICS:
        return None
    name, early, k, level = found.groups()
    if k and (name in WITHOUT_CUTOFF or int(k) == 0):
        wrong = f"ranx reads no cutoff of {name}" if int(k) else "ranx takes @0 for the whole list"
        raise MetricError(wrong, where=text, do=f"Write {name}{early or (f'-l{level}' if level else '')}.")
    if early and k:
        raise MetricError(f"'{text}' is not a name of ranx", do=f"Write the level last: {name}@{k}{early}.")
    level = level or (early or "").removeprefix("-l")
    return [NativeName(text, METRICS[name], _relevant(level), int(k) if k else None)]


def _relevant(level: str | None) -> dict[str, str]:
    return {"relevant": f"at-least({level})"} if level else {}
