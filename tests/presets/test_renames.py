"""The table of renames converts what was written under the old names, and nothing of it is left."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import yaml

import rankconv as rc
from rankconv.conventions.convention import CONVENTIONS as REGISTERED

RENAMES: dict[str, dict[str, Any]] = yaml.safe_load((Path(__file__).parents[1] / "renames.yaml").read_text())
BEFORE: dict[str, Any] = json.loads(gzip.decompress(Path(__file__).with_name("before_renames.json.gz").read_bytes()))
"""What the preset files said under the old names."""
CONVENTIONS, SETTINGS = RENAMES["conventions"], RENAMES["settings"]
CHANGELOG = (Path(__file__).parents[2] / "CHANGELOG.md").read_text()
WORD = re.compile(r"(?<![\w.-])[A-Za-z][\w-]*(?![\w-]|=)")


def setting(convention: str, old: Any) -> Any:
    """The setting under its new name, its arguments too."""
    if isinstance(old, list):
        return [setting(convention, one) for one in old]
    if not isinstance(old, str):
        return old
    new = SETTINGS.get(convention, {})
    if convention == "case-order":
        new = {**new, **CONVENTIONS}
    return new[old] if old in new else WORD.sub(lambda word: new.get(word[0], word[0]), old)


def settings(old: dict[str, Any]) -> dict[str, Any]:
    """A section or an entry under the new names."""
    return {
        CONVENTIONS.get(name, name): settings(value) if name == "with-k" else setting(name, value)
        for name, value in old.items()
    }


def metrics(old: dict[str, Any]) -> dict[str, Any]:
    """The metrics that a file states, and as `default` what it states of all."""
    entries = {name: settings(entry or {}) for name, entry in old.get("metrics", {}).items()}
    for entry in entries.values():
        if "called" in entry:
            called = [entry["called"]] if isinstance(entry["called"], str) else entry["called"]
            entry["called"] = [
                re.sub(r"\{([a-z-]+)\}", lambda m: f"{{{CONVENTIONS.get(m[1], m[1])}}}", one) for one in called
            ]
    return ({"default": settings(old["parts"])} if "parts" in old else {}) | entries


def spelled(section: dict[str, Any]) -> dict[str, Any]:
    """The section with each setting in its one spelling, as the files have it today."""
    return {
        name: spelled(value)
        if isinstance(value, dict)
        else REGISTERED[name].validate(value)
        if name in REGISTERED
        else value
        for name, value in section.items()
    }


def now(name: str) -> dict[str, Any]:
    """What the file says today."""
    file = rc.preset(name).file
    stated = {name: dict(entry.stated) for name, entry in file.entries.items()}
    for added in ADDED_METRICS.get(name, ()):
        del stated[added]
    for entry in stated.values():
        if isinstance(entry.get("called"), str):
            entry["called"] = [entry["called"]]
    of_all = {key: setting for key, setting in file.metric_settings.items() if name != "base" or key not in ADDED}
    default = {"default": of_all} if of_all else {}
    preparation = {key: setting for key, setting in file.preparation.items() if name != "base" or key not in ADDED}
    return {"preparation": preparation, "aggregation": file.aggregation, "metrics": default | stated}


ADDED = {
    "collapse",
    "auc-direction",
    "roc-range",
    "roc-scale",
    "distance-tolerance",
    "competing-rows",
    "rank-value",
    "rank-statistic",
    "rank-adjustment",
    "pair-weight",
}
"""Conventions that came after the renames, which `base` states too."""
ADDED_METRICS = {"sklearn": ("auc_max_fpr", "pr_auc")}
"""Metrics that came after them."""
CORRECTED = ("caserec", "recbole-rounded")
"""Presets whose settings were corrected after them."""


def at_neutral(name: str) -> set[str]:
    """What `base` stated and no longer does: policies of which one is left, and conventions of single systems."""
    if name != "base":
        return set()
    of_systems = {each.name for each in REGISTERED.values() if each.module.startswith("rankconv.presets.systems.")}
    return {old for old, new in CONVENTIONS.items() if new == "on-invalid" or new in of_systems} - {"not-allowed"}


def test_a_preset_is_converted_by_the_table() -> None:
    for name in [name for name in BEFORE if name not in (*RENAMES["presets"], *CORRECTED)]:
        old = BEFORE[name]
        judging = old.get("judging", {})
        averaging = {one: value for one, value in old.get("averaging", {}).items() if one not in at_neutral(name)}
        converted = {
            "preparation": settings({one: value for one, value in judging.items() if one not in at_neutral(name)}),
            "aggregation": settings(averaging),
            "metrics": metrics(old),
        }
        today = now(name)
        there = {**today, "metrics": {key: one for key, one in today["metrics"].items() if key in converted["metrics"]}}
        assert spelled(converted) == spelled(there)


def test_every_new_name_exists_and_no_old_one() -> None:
    assert {*CONVENTIONS.values()} <= {*REGISTERED}
    assert not {*CONVENTIONS} & {*REGISTERED}
    for convention, renamed in SETTINGS.items():
        registered = REGISTERED[CONVENTIONS.get(convention, convention)]
        for old, new in renamed.items():
            assert registered.validate(needed(registered, new))
            head = old.partition("(")[0]
            assert head not in registered.setting_types, f"{registered.name}={old}"


def needed(registered: Any, name: str) -> str:
    """The setting, with numbers for the parameters that it needs."""
    if "(" in name:
        return name
    shown = registered.setting_types[name].parameters.shown(name)
    return str(shown.replace("base=…", "base=2").replace("floor=…", "floor=0.1").replace("…", "1"))


def test_the_changelog_holds_the_table() -> None:
    for kind in ("conventions", "presets"):
        for old, new in RENAMES[kind].items():
            assert f"`{old}` → `{new}`" in CHANGELOG
    for convention, renamed in SETTINGS.items():
        for old, new in renamed.items():
            assert f"`{convention}={old}` → `{CONVENTIONS.get(convention, convention)}={new}`" in CHANGELOG
