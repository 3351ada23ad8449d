"""64 bits that name a definition: a hash of its metric, its cutoff, and the settings that are not neutral."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from rankconv.aggregation.judged_cases import CASE_ORDER, settled


def not_neutral(settings: Mapping[str, str], neutral: Mapping[str, str]) -> dict[str, str]:
    """The settings that a fingerprint hashes: those that are not neutral, and an order only as far as it acts."""
    fields = {
        convention_name: setting
        for convention_name, setting in settings.items()
        if neutral.get(convention_name) != setting
    }
    return settled(fields) if CASE_ORDER.name in fields else fields


def fingerprint(metric: str, k: int | None, texts: Mapping[str, str]) -> str:
    """64 bits that name a strategy at a cutoff under settings, of which `texts` are those that are not neutral."""
    return fingerprints(metric, [k], texts)[0]


def fingerprints(metric: str, cutoffs: Sequence[int | None], texts: Mapping[str, str]) -> list[str]:
    """The fingerprint at each of these cutoffs: a hash of [metric, cutoff, settings] as JSON."""
    name, settings = json.dumps(metric), json.dumps(sorted(texts.items()))
    wholes = [f"[{name}, {json.dumps(k)}, {settings}]" for k in cutoffs]
    return [hashlib.sha256(whole.encode()).hexdigest()[:16] for whole in wholes]
