"""The circumstances of a number, the second part of its signature: users, digests of the data, preset, version."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.basics.plugins import checksum_of, file_of
from rankconv.conventions.data_parts import is_own
from rankconv.conventions.spec import BETWEEN
from rankconv.data.digest import FORMAT, DigestSum
from rankconv.data.ids import make_ids
from rankconv.data.joined import Joined
from rankconv.engine.metric_result import Measured
from rankconv.engine.saved_result import version_of_rankconv
from rankconv.engine.scoring import entering
from rankconv.evaluation.results.data_sums import (
    NOT_MADE,
    DataSums,
    SignedPart,
    parts_of,
    parts_of_run,
    sum_of_ids,
    sums_of,
)
from rankconv.presets.definition import Definition, fingerprint
from rankconv.presets.folders import VERSION
from rankconv.presets.resolver import versioned
from rankconv.presets.signature import PARTS, in_lines, stated_circumstances
from rankconv.rendering.pages.page import Code, Heading, Page, Paragraph, TextLine

DIGITS, SHOWN = 12, 8
"""Hexadecimal digits of a digest in a signature, and of a fingerprint or a plugin."""
FEW, MOST = 5, 30
"""Definitions whose settings, and whose fingerprints, are shown below a table, at most."""
SPACED = f" {BETWEEN} "
NOT_READ, NOT_KNOWN = "not-read", "not-made"
"""In place of the digest of data that were not read whole, and where no digests were wanted: no two of them agree."""
NONE = "none"
"""In place of the digest of data that are empty."""
STATED: tuple[SignedPart, ...] = ("labels", "grades", "run", "scores")
"""What each signature states of the data, whatever its definition reads."""
LISTED: tuple[tuple[SignedPart, SignedPart | None], ...] = (
    ("labels", None),
    ("grades", None),
    ("label-order", "label-repeats"),
    ("user-order", None),
    ("run", None),
    ("scores", None),
    ("order", "order-repeats"),
    ("ranks", None),
    ("calls", None),
    ("subtopics", None),
    ("weights", None),
    ("seen", None),
    ("train", None),
    ("features", None),
    ("items", None),
    ("parents", None),
    ("propensities", None),
    ("shown", None),
    ("catalogue", None),
    ("labelled", None),
    ("target", None),
)
"""The parts of data in the order of signatures, each with the part that is stated under its name where only that is
read."""


DIGESTED = {"filter", "digests", *(name for name, _ in LISTED)}
"""What a signature says of the data, by name."""


class SignedData:
    """The data of an evaluation as signatures state them; their sums are made when they are first read."""

    def __init__(
        self,
        definitions: Collection[Definition] = (),
        joined: Joined | None = None,
        sums: DataSums | None = None,
        listed: Sequence[Any] | None = None,
    ) -> None:
        """The `joined` data, or their `sums`; without either none are made.

        `listed` are the users that a caller listed.
        """
        self._wanted = frozenset[SignedPart]().union(*map(parts_of, definitions))
        self._joined, self._sums = joined, sums
        self._listed = None if listed is None else make_ids([*dict.fromkeys(listed)], "user")

    @property
    def sums(self) -> DataSums:
        """The sums of the data."""
        if self._sums is None:
            self._sums = NOT_MADE if self._joined is None else sums_of(self._joined, self._wanted)
            self._joined = None
        return self._sums

    def __getstate__(self) -> dict[str, Any]:
        _ = self.sums
        return vars(self)

    def digests(self, digits: int = 32) -> dict[str, str]:
        """The digest of each part of the data, of so many hexadecimal digits."""
        return {name: one.digest(name)[:digits] for name, one in self.sums.by_part.items()}

    def stated(self, definition: Definition) -> Iterator[tuple[str, str]]:
        """What the signature of a number of this definition states of the data, by name."""
        sums = self.sums
        if not sums.is_made:
            yield from dict.fromkeys(("labels", "run"), NOT_KNOWN).items()
            return
        if self._listed is not None:
            yield "filter", sum_of_ids(self._listed).digest("filter")[:DIGITS]
        read, by_part = parts_of(definition), sums.by_part
        for part, instead in LISTED:
            if part in read or part in STATED:
                if part in sums.unread:
                    yield part, NOT_READ
                elif part in by_part or part in ("labels", "run"):
                    yield part, _text(sums, part)
                    continue
            if instead is not None and instead in read and instead in by_part:
                yield part, _text(sums, instead)
        yield "digests", str(FORMAT)


def _text(sums: DataSums, part: SignedPart) -> str:
    """The digest of a part in a signature; of the catalogue the number of items."""
    one = sums.by_part.get(part, DigestSum())
    if part == "catalogue":
        return str(one.users)
    return one.digest(part)[:DIGITS] if one.users else NONE


UNSIGNED = SignedData()
"""Data of which no digests are made."""
HELD_ROWS = 250_000
"""A result holds data of so many rows, for its signatures and what is said when it is printed; longer are read once."""


def signed_data(
    definitions: Collection[Definition],
    joined: Joined,
    listed: Sequence[Any] | None = None,
    *,
    of_matrix: bool = False,
) -> SignedData:
    """The joined data for signatures of these definitions; those of a matrix of scores are not read whole."""
    if not of_matrix and max(joined.rankings.row_count, joined.labels.row_count) <= HELD_ROWS:
        return SignedData(definitions, joined, listed=listed)
    wanted = {part for one in definitions for part in parts_of(one)}
    unread = [part for part in parts_of_run(joined.rankings) if part in wanted | {"scores"}] if of_matrix else []
    return SignedData(definitions, sums=sums_of(joined, wanted).with_unread(*unread), listed=listed)


def signature_of(measured: Measured, data: SignedData = UNSIGNED) -> str:
    """Return the signature of a number: its definition, and the circumstances that are known."""
    definition = measured.definition
    users = measured.tally[entering(definition, np.arange(len(measured.tally), dtype=np.int8))].sum()
    stated = {"users": str(int(users)), **dict(data.stated(definition))}
    stated["preset"] = versioned(definition.preset, definition.version)
    plugins = sorted(filter(None, map(_plugin, _modules(definition))))
    if plugins:
        stated["plugins"] = "+".join(plugins)
    stated["rankconv"] = version_of_rankconv()
    return definition.signature + PARTS + BETWEEN.join(f"{name}:{text}" for name, text in stated.items())


def _modules(definition: Definition) -> set[str]:
    """The modules whose code a definition runs."""
    parts = (definition.preparation, definition.metric, definition.aggregation)
    whole = (one for part in parts for setting in part.settings.values() for one in setting.whole)
    return {type(definition.metric).__module__, *(one.setting_type.function.__module__ for one in whole)}


def _plugin(module: str) -> str:
    """Return a plugin with the hash of its file, or the version of its package; empty for rankconv's own modules.

    Code of neither, as of a notebook, is `not-read`: nothing names it for others.
    """
    if not module:  # as of a function that was made of a text
        return f"no-module@{NOT_READ}"
    package, file = module.partition(".")[0], file_of(module)
    if is_own(module):
        return ""
    if file:
        return f"{Path(file).stem}@{checksum_of(module)[:SHOWN]}"
    with suppress(PackageNotFoundError):
        return f"{package}@{version(package)}"
    return f"{package}@{NOT_READ}"


def signatures_page(signatures: Collection[str] | int, *, whole: bool) -> Page:
    """Show signatures below a table: what all of them have once, of more than five definitions fingerprints alone.

    Where presets differ, each definition has the names of its presets. Of too many definitions only their number is
    shown, which may be given in place of the signatures.

    >>> from rankconv.rendering.pages.text import text
    >>> two = ["mrr|ties:given||users:3|preset:a", "map|ties:given||users:2|preset:a"]
    >>> print(text(signatures_page(two, whole=False)))
    Signatures (whole: --full):
      mrr
      map
      each: ties:given || preset:a
    """
    if isinstance(signatures, int):
        return Page([[Paragraph(f"Signatures of {signatures} definitions: --full.")]])
    if whole:
        return Page([[TextLine(one) for one in signatures]])
    presets: dict[str, dict[str, None]] = {}
    for one in signatures:
        owner = stated_circumstances(one)["preset"].partition(VERSION)[0]
        presets.setdefault(one.partition(PARTS)[0], {})[owner] = None
    if len(presets) > MOST:
        return signatures_page(len(presets), whole=False)
    several = len({*chain.from_iterable(presets.values())}) > 1
    parts = [part.split(BETWEEN) for part in presets]
    heads = [
        part[0] + f" of {', '.join(owners)}" * several for part, owners in zip(parts, presets.values(), strict=True)
    ]
    if len(parts) > FEW:
        named = [f"{head} {fingerprint(part)[:SHOWN]}" for head, part in zip(heads, presets, strict=True)]
        return Page([[Paragraph(f"Fingerprints (signatures: --full): {'; '.join(named)}.")]])
    shared = _common([part[1:] for part in parts]) if len(parts) > 1 else []
    lines = [
        SPACED.join([head, *(pair for pair in part[1:] if pair not in shared)])
        for head, part in zip(heads, parts, strict=True)
    ]
    circumstances = _common([_without_digests(one) for one in signatures])
    if len(parts) > 1:
        lines.append(f"each: {SPACED.join(shared)}".rstrip())
    lines[-1] += f" {PARTS} {SPACED.join(circumstances)}"
    return Page([[Heading("Signatures (whole: --full):"), *(Paragraph(one, "  ", "    ") for one in lines)]])


def paper_page(signatures: Collection[str] | int) -> Page:
    """Show signatures below a table for a paper, in lines that are read back; of many definitions fingerprints."""
    if isinstance(signatures, int) or len(signatures) > FEW:
        return signatures_page(signatures, whole=False)
    return Page([[Code(in_lines(one), "text") for one in signatures]])


def _without_digests(signature: str) -> list[str]:
    """The circumstances but for what is said of the data."""
    pairs = signature.partition(PARTS)[2].split(BETWEEN)
    return [pair for pair in pairs if pair.partition(":")[0] not in DIGESTED]


def _common(lists: Sequence[Sequence[str]]) -> list[str]:
    """What is in all of them."""
    return [one for one in lists[0] if all(one in other for other in lists)]
