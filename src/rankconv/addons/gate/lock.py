"""What decisions are of: definitions, digests of the data and users; and a file that holds them still."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError
from typing_extensions import TypedDict

from rankconv.basics.errors import InputError
from rankconv.basics.output_files import write_text
from rankconv.conventions.spec import BETWEEN
from rankconv.engine.scoring import entering, left_out
from rankconv.evaluation.results.number import Number
from rankconv.evaluation.results.signature_comparison import SEPARATELY_READ, read_parts
from rankconv.presets.signature import PARTS, stated_circumstances

UNKNOWN = ("not-read", "not-made")
"""In place of a digest, where there is none."""
_OF_RUN = ("run", "scores", "order", "ranks", "calls")
"""Digests of the run, which is what changes from gate to gate."""
_VERSIONS = ("preset", "rankconv")
_SHOWN = 12
"""Digits of the digest of users."""


class IdentityData(TypedDict):
    """The definition of a value, and the data that it was computed from."""

    definition: str
    """The definition part of the signature; empty where a setting is a function."""
    preset: str
    fingerprint: str
    digests: dict[str, str]
    """Those of the data, by what they are of."""
    users: int
    """How many enter the mean."""
    user_digest: str
    """The digest of the ids of these."""
    left_out: dict[str, int]
    """How many users do not enter the mean, by the policy and its setting."""


@dataclass(frozen=True)
class Identity:
    """The definition of a number, and the data that it was computed from, as far as signatures state them."""

    definition: str
    """The definition part of the signature; empty where a setting is a function."""
    preset: str
    fingerprint: str
    digests: Mapping[str, str]
    """Those of the data, by what they are of."""
    users: int
    """How many enter the mean."""
    user_digest: str
    """Of the ids of these."""
    left_out: Mapping[str, int]
    """How many users do not enter it, by the policy and its setting."""

    @classmethod
    def of(cls, number: Number, signature: str) -> "Identity":
        """Return that of a fresh number and its signature."""
        measured = number.measured
        enter = entering(measured.definition, measured.states)
        ids = sorted(map(str, number.users[enter].tolist()))
        outside = left_out(measured.definition)
        names = {name for state, name in enumerate(measured.state_names) if state in outside}
        return cls(
            definition=measured.definition.signature if measured.definition.fingerprint else "",
            preset=stated_circumstances(signature).get("preset", measured.definition.preset),
            fingerprint=measured.definition.fingerprint,
            digests=digests_of(signature),
            users=int(np.count_nonzero(enter)),
            user_digest=sha256("\n".join(ids).encode("utf-8", "surrogatepass")).hexdigest()[:_SHOWN],
            left_out={name: count for name, count in measured.counts.items() if name in names},
        )

    @property
    def locked(self) -> dict[str, str]:
        """What a lock keeps: all but the run, and the versions, which the fingerprint makes superfluous."""
        data = {name: digest for name, digest in self.digests.items() if name not in _OF_RUN}
        stated = {"definition": self.definition, "fingerprint": self.fingerprint}
        return stated | data | {"users": str(self.users), "user ids": self.user_digest}

    def to_dict(self) -> IdentityData:
        """Return plain data."""
        return {
            "definition": self.definition,
            "preset": self.preset,
            "fingerprint": self.fingerprint,
            "digests": dict(self.digests),
            "users": self.users,
            "user_digest": self.user_digest,
            "left_out": dict(self.left_out),
        }


def digests_of(signature: str) -> dict[str, str]:
    """Return the digests that a signature states of the data that its definition reads."""
    others = {"users", *_VERSIONS, *SEPARATELY_READ} - read_parts(signature)
    return {name: text for name, text in stated_circumstances(signature).items() if name not in others}


def same_run(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Return whether both state the same of a run."""
    return all(same_digest(one, other, name) for name in _OF_RUN if name == "run" or name in {*one, *other})


def same_digest(one: Mapping[str, str], other: Mapping[str, str], name: str) -> bool | None:
    """Return whether both state one digest of this; None where one of them has none."""
    texts = one.get(name, UNKNOWN[0]), other.get(name, UNKNOWN[0])
    return None if any(text in UNKNOWN for text in texts) else texts[0] == texts[1]


def other_data(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return which data besides the run differ, of those whose digests both state."""
    return [name for name in one if name not in _OF_RUN and same_digest(one, other, name) is False]


class _Lock(BaseModel):
    """The file."""

    model_config = ConfigDict(strict=True, extra="forbid")

    form: int
    metrics: dict[str, dict[str, str]]


_FORM = 1


def hold(file: Path, identities: Mapping[str, Identity]) -> bool:
    """Compare with the lock in a file, or write it where there is none; return whether it was written.

    Raises
    ------
    InputError
        If a definition or the data differ from the lock, with the settings and parts that do; if there is no digest of
        the labels; if the file is not a lock.
    """
    here = {metric: one.locked for metric, one in identities.items()}
    for metric, one in here.items():
        unread = [name for name in ("labels", *one) if one.get(name, UNKNOWN[0]) in UNKNOWN]
        if unread or not one["fingerprint"]:
            what = f"{unread[0]} have no digest" if unread else "a setting is a function, so that it has no fingerprint"
            do = "Gate without a lock." if unread else "Register it under a name in a plugin."
            raise InputError(f"{metric} cannot be locked: {what}", where=str(file), do=do)
    if not file.exists():
        text = json.dumps({"form": _FORM, "metrics": here}, ensure_ascii=False, indent=1)
        write_text(text + "\n", file, force=False)
        return True
    there = _read(file)
    if differing := list(_differences(there, here)):
        do = "If this is intended, remove the file: the next gate writes it anew."
        raise InputError(f"this gate is not the locked one: {'; '.join(differing)}", where=str(file), do=do)
    return False


def _read(file: Path) -> dict[str, dict[str, str]]:
    try:
        lock = _Lock.model_validate_json(file.read_bytes())
    except OSError as problem:
        raise InputError(f"the file cannot be opened: {problem.strerror}", where=str(file)) from None
    except ValidationError:
        raise InputError("the file is not a lock of rankconv gate", where=str(file), do="Name another file.") from None
    if lock.form != _FORM:
        do = "Remove the file: the next gate writes it anew."
        raise InputError(f"the lock has form {lock.form}, and {_FORM} is read", where=str(file), do=do)
    return lock.metrics


def _differences(there: Mapping[str, Mapping[str, str]], here: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for metric in dict.fromkeys([*there, *here]):
        if metric not in here or metric not in there:
            yield f"{metric} is {'locked, and not evaluated' if metric in there else 'evaluated, and not locked'}"
            continue
        locked, now = there[metric], here[metric]
        settings = list(settings_differing(locked.get("definition", ""), now["definition"]))
        yield from (f"{metric}: {one}" for one in settings)
        hidden = ("definition", "fingerprint") if settings else ("definition",)
        for name in dict.fromkeys([*locked, *now]):
            if name not in hidden and locked.get(name) != now.get(name):
                yield f"{metric}: {name} {now.get(name, 'missing')}, locked: {locked.get(name, 'missing')}"


def settings_differing(locked: str, now: str) -> Iterator[str]:
    """Yield each setting in which two definition parts of signatures differ, in words."""
    there, here = _settings(locked), _settings(now)
    for name in dict.fromkeys([*here, *there]):
        if there.get(name) != here.get(name):
            yield f"{name} {here.get(name, 'as neutral')}, locked: {there.get(name, 'as neutral')}"


def _settings(definition: str) -> dict[str, str]:
    head, *pairs = definition.partition(PARTS)[0].split(BETWEEN)
    return {"metric": head} | {name: text for name, _, text in (pair.partition(":") for pair in pairs)}
