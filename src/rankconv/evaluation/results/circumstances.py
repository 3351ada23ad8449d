"""The circumstances of a number, the second part of its signature: users, digests of the data, preset, version."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.basics.plugins import file_of
from rankconv.conventions.spec import BETWEEN
from rankconv.data.arrays import Numbers, within
from rankconv.data.attributes import Groups
from rankconv.data.digest import dense_ranks, digest_of, mixed, rounded, text_hashes
from rankconv.data.ids import Ids, make_ids
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.metric_result import Measured
from rankconv.engine.saved_result import version_of_rankconv
from rankconv.engine.scoring import entering
from rankconv.preparation.steps.subtopics import NEED, NEED_WEIGHTS
from rankconv.presets.definition import Definition, fingerprint
from rankconv.presets.folders import VERSION
from rankconv.presets.resolver import versioned
from rankconv.presets.signature import PARTS, in_lines, stated_circumstances
from rankconv.rendering.pages.cells import ABSENT
from rankconv.rendering.pages.page import Code, Heading, Page, Paragraph, TextLine
from rankconv.rendering.pages.table import Table

SHOWN = 8
"""Digits of a digest that a signature has."""
FEW, MOST = 5, 30
"""Definitions whose settings, and whose fingerprints, are shown below a table, at most."""
SPACED = f" {BETWEEN} "


def signature_of(measured: Measured, joined: Joined | None, listed: Sequence[Any] | None = None) -> str:
    """Return the signature of a number: its definition, and the circumstances that are known.

    Without the data, which large evaluations do not hold, there are no digests. `listed` are the users that the
    caller listed, if any.
    """
    definition = measured.definition
    users = measured.tally[entering(definition, np.arange(len(measured.tally), dtype=np.int8))].sum()
    stated = {"users": str(int(users))}
    if listed is not None:
        ids = make_ids([*dict.fromkeys(listed)], "user")
        starts, ones = np.array([0, len(ids)]), np.ones(len(ids), np.uint32)
        stated["filter"] = digest_of(Ids(np.zeros(1, np.int64), "integer"), ids, starts, np.arange(len(ids)), ones)[
            :SHOWN
        ]
    if joined is not None:
        read = {"labels", "run", *definition.needs}
        digests = {name: joined.once(digest)[:SHOWN] for need, (name, digest) in DIGESTS.items() if need in read}
        stated |= {name: digest for name, digest in digests.items() if digest}
        if "catalogue" in read and joined.extra.catalogue is not None:
            stated["catalogue"] = str(joined.extra.catalogue)
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
    """Return a plugin with the hash of its file, or the version of its package; empty for rankconv's own modules."""
    package, file = module.partition(".")[0], file_of(module)
    if package == __name__.partition(".")[0]:
        return ""
    if file:
        return f"{Path(file).stem}@{sha256(Path(file).read_bytes()).hexdigest()[:SHOWN]}"
    with suppress(PackageNotFoundError):
        return f"{package}@{version(package)}"
    return package


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
    circumstances = _common([one.partition(PARTS)[2].split(BETWEEN) for one in signatures])
    if len(parts) > 1:
        lines.append(f"each: {SPACED.join(shared)}")
    lines[-1] += f" {PARTS} {SPACED.join(circumstances)}"
    return Page([[Heading("Signatures (whole: --full):"), *(Paragraph(one, "  ", "    ") for one in lines)]])


def paper_page(signatures: Collection[str] | int) -> Page:
    """Show signatures below a table for a paper, in lines that are read back; of many definitions fingerprints."""
    if isinstance(signatures, int) or len(signatures) > FEW:
        return signatures_page(signatures, whole=False)
    return Page([[Code(in_lines(one), "text") for one in signatures]])


def _common(lists: Sequence[Sequence[str]]) -> list[str]:
    """What is in all of them."""
    return [one for one in lists[0] if all(one in other for other in lists)]


def agreement(signature: str, here: str) -> Table:
    """Compare the circumstances that a signature states with those of a number computed `here`, a row each.

    >>> print(agreement("mrr||users:3|run:9f3c1a20", "mrr||users:3|run:77ab01c4").to_markdown())
    | circumstance   | signature   | here     | agrees   |
    |----------------|-------------|----------|----------|
    | users          | 3           | 3        | yes      |
    | run            | 9f3c1a20    | 77ab01c4 | no       |
    """
    there, ours = stated_circumstances(signature), stated_circumstances(here)
    rows = []
    for name in dict.fromkeys([*there, *ours]):
        one, other = there.get(name, ABSENT), ours.get(name, ABSENT)
        same = "unknown" if ABSENT in (one, other) else "yes" if one == other else "no"
        rows.append([name, one, other, same])
    return Table(["circumstance", "signature", "here", "agrees"], rows, labels=4)


def disagrees(table: Table) -> bool:
    """Whether other data, users or presets are stated than there are; another version of rankconv alone is not one."""
    return any(same == "no" for name, *_, same in table.rows if name != "rankconv")


def digest_of_labels(labels: Labels) -> str:
    """Return the digest of labels, 32 hexadecimal digits: of their users, items and grades."""
    return digest_of(labels.users, labels.items, labels.starts, labels.item, rounded(labels.grade))


def digest_of_run(run: Run) -> str:
    """Return the digest of a run, 32 hexadecimal digits: of users, items, and the dense ranks of scores.

    Without scores the places of items are their ranks.
    """
    if run.falling is None:
        ranks = within(np.repeat(np.arange(len(run.users)), run.lengths)).astype(np.uint32) + np.uint32(1)
    else:
        ranks = dense_ranks(run.starts, run.falling)
    return digest_of(run.users, run.items, run.starts, run.item, ranks)


def _of_labels(joined: Joined) -> str:
    return digest_of_labels(joined.labels)


def _of_run(joined: Joined) -> str:
    return digest_of_run(joined.rankings)


def _of_scores(joined: Joined) -> str:
    run = joined.rankings
    return "" if run.falling is None else digest_of(run.users, run.items, run.starts, run.item, rounded(run.falling))


def _of_groups(joined: Joined) -> str:
    groups = joined.labels.groups
    return "" if groups is None else _by_group(joined.labels, groups, groups.grade)


def _of_weights(joined: Joined) -> str:
    groups = joined.labels.groups
    return "" if groups is None or groups.weight is None else _by_group(joined.labels, groups, groups.weight)


def _by_group(labels: Labels, groups: Groups, numbers: Numbers) -> str:
    """The digest of a number of each row of groups, shape (rows,), which are named by the user."""
    values = mixed(text_hashes(groups.names))[groups.group] ^ rounded(numbers)
    return digest_of(labels.users, labels.items, groups.starts, groups.item, values)


def _of_parents(joined: Joined) -> str:
    if joined.extra.parents is None:
        return ""
    code, documents = joined.extra.parents.documents(joined.items)
    starts = np.append(0, np.cumsum(np.bincount(code, minlength=len(documents))))
    return digest_of(documents, joined.items, starts, np.argsort(code, kind="stable"), np.ones(len(code), np.uint32))


def _of_seen(joined: Joined) -> str:
    if joined.extra.seen is None:
        return ""
    user, item = np.divmod(joined.extra.seen, len(joined.items))
    starts = np.append(0, np.cumsum(np.bincount(user, minlength=len(joined.users))))
    return digest_of(joined.users, joined.items, starts, item, np.ones(len(item), np.uint32))


def _of_catalogue(joined: Joined) -> str:
    items = joined.extra.catalogue_items
    return "" if items is None else _of_items(items, np.ones((len(items), 1)))


def _of_train(joined: Joined) -> str:
    return "" if joined.extra.train is None else digest_of_labels(joined.extra.train)


def _of_features(joined: Joined) -> str:
    features = joined.extra.features
    return "" if features is None else _of_items(features.items, features.vectors)


def _of_items(items: Ids, vectors: Numbers) -> str:
    """The digest of a vector for each item, shape (items, features); a feature is a row of its own."""
    item, feature = np.indices(vectors.shape).reshape(2, -1)
    order = np.lexsort((item, feature))
    starts = np.arange(vectors.shape[1] + 1) * len(items)
    names = Ids(np.arange(vectors.shape[1]), "integer")
    return digest_of(names, items, starts, item[order], rounded(vectors[item, feature][order]))


DIGESTS: dict[str, tuple[str, Callable[[Joined], str]]] = {
    "labels": ("labels", _of_labels),
    "run": ("run", _of_run),
    "scores": ("scores", _of_scores),
    NEED: ("subtopics", _of_groups),
    NEED_WEIGHTS: ("weights", _of_weights),
    "parents": ("parents", _of_parents),
    "seen": ("seen", _of_seen),
    "the items of the catalogue": ("items", _of_catalogue),
    "train": ("train", _of_train),
    "features": ("features", _of_features),
}
"""By what a definition needs, the name and the digest that a signature has of it; empty where it was not given."""
