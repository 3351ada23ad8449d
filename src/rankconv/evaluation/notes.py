"""Notes on numbers: how the input was read, and values outside their bounds."""

import re
import shlex
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankconv.basics.errors import MissingGrades, RespelledIds, UnreadData, warn
from rankconv.conventions.data_parts import is_own
from rankconv.data.ids import other_spelling, quoted
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.data.ordering import is_sorted
from rankconv.data.train import in_catalogue
from rankconv.engine.metric_result import Measured
from rankconv.engine.needs import GradesNeeded, tied
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition, with_changes

RANKS_DECIDE = "Rows of equal score are ordered by the ranks of the run, which agree with its scores."


def input_notes(joined: Joined, definitions: Iterable[Definition], *, listed: bool = False) -> tuple[str, ...]:
    """Return sentences on what is assumed of the columns, on which side is which, and on what ordered the lists.

    With users that the caller `listed` it is expected that others have no list.
    """
    definitions = [*definitions]
    catalogue = _catalogue_notes(joined) if any("catalogue" in one.needs for one in definitions) else ()
    assumed = joined.assumed + assumed_rank(joined.rankings, definitions) + joined.aligned + _side_notes(joined)
    order = _order_notes(joined, definitions) + _tie_notes(joined, definitions)
    notes = assumed + order + catalogue + _count_notes(definitions) + _grade_0_notes(definitions)
    return notes if joined.part else (*of_matching(joined, listed=listed), *notes)


def of_matching(joined: Joined, *, listed: bool = False) -> tuple[str, ...]:
    """Return sentences on users and items of which hardly any are on both sides; what changes most comes first."""
    return (*(() if listed else joined.once(_few_listed)), *joined.once(_unmatched))


def _catalogue_notes(joined: Joined) -> tuple[str, ...]:
    """Return a sentence on items that a catalogue does not list."""
    if joined.extra.catalogue_items is None:
        return ()
    outside = np.flatnonzero(~joined.once(in_catalogue))
    if not len(outside):
        return ()
    some = ", ".join(quoted(joined.items.id(int(item))) for item in outside[:3])
    return (
        f"Not in the catalogue: {len(outside):,} of {len(joined.items):,} items of labels and lists, such as {some}.",
    )


def _count_notes(definitions: Iterable[Definition]) -> tuple[str, ...]:
    """Return a sentence for each definition that counts hits, which some call a hit rate."""
    return tuple(
        f"{one.spec} is a count of hits, and no share; the share of users with a hit is "
        f"{one.metric.share}{f'@{one.requested_k}' if one.requested_k else ''}."
        for one in definitions
        if one.metric.share
    )


def _grade_0_notes(definitions: Iterable[Definition]) -> tuple[str, ...]:
    """Return a sentence for each definition under which grade 0 has a gain, and an item without a label none."""
    notes = list[str]()
    for one in definitions:
        gain, settings = one.metric.settings.get("gain"), one.preparation.settings
        every_row = settings["labels-used"].traits.aligned_arrays or settings["unjudged"].text != "not-relevant"
        if gain is None or every_row or "own_highest" in gain.reads:
            continue
        if not is_own(gain.setting_type.function.__module__):  # others get no grade that the data lack
            continue
        level = float(settings["relevant"].keywords.get("level", 0.0))
        with np.errstate(all="ignore"):
            of_0 = float(np.ravel(gain(grades=np.zeros(1), relevant=np.zeros(1, bool), level=level))[0])
        if of_0:
            said = (
                f"{one.spec}: an item of grade 0 gains {of_0:g}, and one without a label 0; with unjudged=grade-0 it is"
            )
            notes.append(f"{said} of grade 0.")
    return tuple(notes)


def _tie_notes(joined: Joined, definitions: Sequence[Definition]) -> tuple[str, ...]:
    """Return a sentence for each rule that replaces expected values, where some rows of a list are tied."""
    replaced = dict[str, list[str]]()
    for one in definitions:
        preparation = one.preparation
        if preparation.tie_rule is TieEffect.EXPECTED and not one.expectation.known and tied(joined, preparation):
            replaced.setdefault(one.expectation.value, []).append(one.spec)
    words = "in place of their expected value, which is not computed for"
    return tuple(f"Rows of equal score: ties={rule} {words} {_some(specs)}." for rule, specs in replaced.items())


def _some(specs: Iterable[str]) -> str:
    specs = [*dict.fromkeys(specs)]
    return ", ".join(specs[:MOST_NAMED]) + (f" and {len(specs) - MOST_NAMED} more" if specs[MOST_NAMED:] else "")


MANY = 10
"""So many labels of every user are as likely a list of their best items."""


def _side_notes(joined: Joined) -> tuple[str, ...]:
    """Return a sentence where labels look like lists, all of one length, and lists without scores like labels."""
    known, listed = (side.lengths[side.lengths > 0] for side in (joined.labels, joined.rankings))
    if joined.rankings.scored or len(known) < 2 or not len(listed) or (joined.labels.grade != 1).any():
        return ()
    fewest, most = int(listed.min()), int(listed.max())
    if not (MANY <= known.min() == known.max() > most > fewest):
        return ()
    said = f"Each user has {known[0]} labels, and {fewest} to {most} items in the run."
    return (f"{said} Are labels and run exchanged? Labels come first.",)


def assumed_rank(run: Run, definitions: Iterable[Definition]) -> tuple[str, ...]:
    """Return a sentence on the column that is taken for the rank, where a definition orders rows by their scores."""
    said = run.form.assumed_rank
    return (f"Run: {said}.",) if said and any(one.preparation.by_score for one in definitions) else ()


def _order_notes(joined: Joined, definitions: Iterable[Definition]) -> tuple[str, ...]:
    """Return sentences on ranks that order rows of equal score, and on an order that contradicts the scores."""
    run = joined.rankings
    if run.by_score or not run.scored or run.words is not None:
        return ()
    orders = {one.preparation.given("order"): one.preparation for one in definitions}
    notes = [RANKS_DECIDE] if any(one.compared.ranked for one in orders.values()) and _ranks_decide(run) else []
    assert run.score is not None
    if not is_sorted(run.starts, run.score, falling=True):
        given, verb = ("the order of the rows", "contradicts") if run.rank is None else ("the ranks", "contradict")
        used = [f"{'the scores' if one.by_score else given} (order={name})" for name, one in sorted(orders.items())]
        notes.append(f"{given.capitalize()} of the run {verb} its scores. Used: {', '.join(used)}.")
    return tuple(notes)


def _ranks_decide(run: Run) -> bool:
    """Whether rows of equal score of some user have different ranks."""
    if run.rank is None or run.score is None:
        return False
    tied = (run.score[1:] == run.score[:-1]) & (run.rank[1:] != run.rank[:-1])
    rows = np.flatnonzero(tied) + 1
    return bool((run.starts[np.searchsorted(run.starts, rows)] != rows).any())


UNREAD = {
    "seen": ("exclude", "seen", "{} takes these items out."),
    "train": ("exclude", "seen", "To take items of training out of the rankings, pass them as seen= to {}."),
    "parents": ("collapse", "max", "{} joins items."),
    "propensities": ("item-weight", "inverse-propensity", "{} weighs items by them."),
    "shown": ("item-weight", "position", "{} weighs clicks by the ranks in it."),
}
"""Side data that callers expect to change values, though only some definitions read them: a convention, the setting of
it that would, and what to do."""
DATA_OF = {convention: (name, setting) for name, (convention, setting, _) in reversed([*UNREAD.items()])}
"""The data that a convention reads, and the setting that reads them."""
MOST_NAMED = 3


def warn_of_data(joined: Joined, definitions: Sequence[Definition], *, listed: bool = False) -> None:
    """Warn of side data that no definition reads, and of labels without the grades that a collection needs."""
    named = _some(one.spec for one in definitions)
    for name, (convention, setting, do) in UNREAD.items():
        if getattr(joined.extra, name) is not None and not any(name in one.needs for one in definitions):
            having = next((one for one in definitions if convention in one.settings), None)
            set_to = f" ({convention}={having.settings[convention]})" if having else ""
            said = f"{name}= is not read by {named}{set_to}."
            changed = None if having is None else with_changes(having, {convention: setting})
            warn(f"{said} {do.format(changed.spec)}" if changed else said, UnreadData)
    for said in of_matching(joined, listed=listed):
        warn(said, RespelledIds)
    needed = GradesNeeded(definitions)
    needed.look(joined)
    warn_of_grades(needed)


FEW_LISTED = 0.1
"""Of the users with labels fewer are seldom ranked on purpose."""


def few_listed(labelled: int, listed: int) -> list[str]:
    """Return a sentence where hardly any of so many users with labels have a list.

    >>> few_listed(200, 12)[0]
    '12 of the 200 users with labels have a list. If the others count 0, a mean is 6% of that of these users alone.'
    """
    if labelled == 0 or listed == 0 or listed >= FEW_LISTED * labelled:
        return []
    share = f"{100 * listed / labelled:.2g}%"
    said = f"{listed:,} of the {labelled:,} users with labels have a list. If the others count 0, a mean is {share} of "
    return [f"{said}that of these users alone."]


def _few_listed(joined: Joined) -> list[str]:
    labelled = joined.label_counts > 0
    return few_listed(int(np.count_nonzero(labelled)), int(np.count_nonzero(labelled & (joined.list_counts > 0))))


LOOKED_AT = 1 << 11
"""Spellings of so many users and items of either side are compared: a program spells all its ids in one way."""


ALL = 1 << 62
ENOUGH = 5
"""So many users or items, or so many of both, have one on both sides, if both name them in the same way."""


def _unmatched(joined: Joined) -> list[str]:
    """Sentences on ids that do not match: spelled otherwise, several in one text, none on both sides."""
    found, labels, run = respelled(joined), joined.labels, joined.rankings
    users = int(np.count_nonzero((joined.label_counts > 0) & (joined.list_counts > 0)))
    if joined.has_spans and joined.has_listed_label:
        return found
    labelled, listed = joined.once(_looked_at)
    if found or users < ENOUGH or not labelled.isdisjoint(listed):
        return found
    return no_common_item(labels.some_items(ALL), run.some_items(ALL))


def _looked_at(joined: Joined) -> tuple[set[Any], set[Any]]:
    """The items of labels and of lists whose spellings are compared."""
    return joined.labels.some_items(LOOKED_AT), joined.rankings.some_items(LOOKED_AT)


def no_hit(labelled: Collection[Any], listed: Collection[Any]) -> list[str]:
    """Return a sentence on items of either side, at most `LOOKED_AT`, where no label is of an item in its user's list.

    It says that they are spelled otherwise, or that none is on both sides; nothing where some are, as in a poor run.
    """
    both = set(labelled), set(listed)
    if not both[0].isdisjoint(both[1]):
        return []
    if all(isinstance(one, str) for side in both for one in side):
        differs, pairs = other_spelling(*both)
        if pairs:
            return [_spelled_otherwise("item", differs, pairs)]
    found = no_common_item(*both)
    if max(map(len, both)) < LOOKED_AT:
        return found
    return [f"Of the {LOOKED_AT:,} first ids of either side, {said}" for said in found]


def no_common_item(labelled: set[Any], listed: set[Any]) -> list[str]:
    """Return a sentence on items of which none is on both sides, and which are enough to be all named otherwise."""
    if min(len(labelled), len(listed)) < ENOUGH or not labelled.isdisjoint(listed):
        return []
    examples = (", ".join(map(quoted, sorted(side)[:3])) for side in (labelled, listed))
    said = "no item of the labels ({}) is one of the run ({}), so no row can be a hit.".format(*examples)
    prefix, shared = shared_but_for_prefix(labelled, listed)
    do = f"{shared:,} are on both sides but for {prefix!r} before them." if shared else ""
    return [f"{said} {do or 'Check that both name items in the same way.'}"]


def shared_but_for_prefix(some: set[Any], others: set[Any]) -> tuple[str, int]:
    """Return the text that is before the ids of one side alone, and how many ids are then on both; 0 if hardly any.

    >>> shared_but_for_prefix({"item_1", "item_2"}, {"1", "2", "3"})
    ('item_', 2)
    """
    for longer, shorter in ((some, others), (others, some)):
        if not all(isinstance(one, str) for one in longer):
            continue
        first, last = min(longer), max(longer)
        same = [at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other]
        prefix = _LEAD.match(first[: same[0] if same else len(first)])
        lead = "" if prefix is None else prefix[0]
        known = {str(one) for one in shorter}
        shared = len({one.removeprefix(lead) for one in longer} & known) if lead else 0
        if 2 * shared >= min(len(longer), len(shorter)):
            return lead, shared
    return "", 0


_LEAD = re.compile(r".*[^0-9A-Za-z]|[^0-9]+")
"""What may be before ids: all up to a mark, else what is no digit."""


def respelled(joined: Joined) -> list[str]:
    """Return sentences on ids that are spelled otherwise on the other side, or are several in one text."""
    labels, run = joined.labels, joined.rankings
    labelled, listed = joined.once(_looked_at)
    found = [*_made_texts(labels, "labels"), *_made_texts(run, "run"), *_respelled(joined, labelled, listed)]
    for side, items, other, name in ((run, listed, labels, "run"), (labels, labelled, run, "labels")):
        several = _several_in_one(items, other) if side.item_kind == "text" else ""
        if several:
            found.append(
                f"item ids of the {name} look like several ids in one text ({several!r:.60}), and each text is read as "
                "one item. Give each item a row: frame.assign(item=frame['item'].str.split()).explode('item'). In CSV, "
                "call the column 'prediction', whose fields have several ids."
            )
    return found


def _several_in_one(texts: Collection[str], other: Labels | Run) -> str:
    """Return the first text that is a list of ids of the other side, where at least half of the texts are such lists.

    Blanks, commas, semicolons and bars are between ids; brackets and quotation marks may be around them.
    """
    if not _BETWEEN.search("\0".join(texts)):
        return ""
    lists = {text: ids for text in sorted(texts) if len(ids := _IN_CELL.findall(text)) > 1 or text[:1] == "["}
    if not lists or 2 * len(lists) < len(texts):
        return ""
    known, parts = other.some_items(ALL), {one for ids in lists.values() for one in ids}
    likely = len(parts & known) * 2 >= len(parts) and known.isdisjoint(lists)
    return next((text for text, ids in lists.items() if not known.isdisjoint(ids)), "") if likely else ""


_IN_CELL = re.compile(r"[^\s,;|\[\]()'\"]+")
_BETWEEN = re.compile(r"[\s,;|\[\]()'\"]")


def _respelled(joined: Joined, labelled: set[Any], listed: set[Any]) -> list[str]:
    """Sentences on ids that differ between labels and run in spelling alone; of items these are looked at."""
    labels, run, found = joined.labels, joined.rankings, list[str]()
    users = (set(side.users.values[:LOOKED_AT].tolist()) for side in (labels, run))
    kinds = ((labels.users.kind, run.users.kind), (labels.item_kind, run.item_kind))
    for what, both, (one, other) in zip(("user", "item"), (users, (labelled, listed)), kinds, strict=True):
        if one == other == "text":
            differs, pairs = other_spelling(*both)
            if pairs:
                found.append(_spelled_otherwise(what, differs, pairs))
    return found


def _made_texts(side: Labels | Run, name: str) -> list[str]:
    """A sentence on whole numbers of a file that were taken for texts."""
    what = " and ".join(side.form.as_texts)
    if not what:
        return []
    return [
        f"{what} ids of the {name} are whole numbers in {side.source}, and texts in the other file: they are read as "
        "texts, and match where the texts are equal: 7 is '7', and not '007'."
    ]


def _spelled_otherwise(what: str, differs: str, pairs: Sequence[tuple[Any, Any]]) -> str:
    said = f"{what} ids of the run differ from ids of the labels by {differs} alone, {len(pairs):,} of those looked at "
    said += f"({pairs[0][1]!r}, {pairs[0][0]!r}), so they do not match."
    return f"{said} Spell {what} ids the same on both sides; rankconv check counts all of them."


def warn_of_grades(needed: GradesNeeded) -> None:
    """Warn of metrics of collections for which no label is relevant, where some label has a grade above 0."""
    keys = dict[str, list[str]]()
    for one in needed.without if needed.highest > 0 else ():
        keys.setdefault(one.settings["relevant"], []).append(one.key)
    for setting, metrics in keys.items():
        said = f"no label is relevant for {', '.join(dict.fromkeys(metrics))} (relevant={setting})"
        do = "Take the labels of the collection with all their grades."
        warn(f"{said}: the highest grade is {needed.highest:g}. {do}", MissingGrades)


def with_notes(joined: Joined, measured: Sequence[Measured]) -> list[Measured]:
    """Add a note to the numbers of which the value of a user is outside the bounds of the metric."""
    return [replace(one, note=_note(joined, one)) if one.has_users_outside else one for one in measured]


def _note(joined: Joined, one: Measured) -> str:
    low, high = one.bounds
    with np.errstate(invalid="ignore"):  # an infinite value may have an infinite bound
        beyond = np.fmax(low - one.values, one.values - high)
    furthest = int(np.argmax(np.where(one.outside_users, beyond, -np.inf)))
    user, value = quoted(joined.users.id(furthest)), f"{one.values[furthest]:.6g}"
    see = f"rankconv explain -m {shlex.quote(one.definition.text)} shows why"
    return f"{one.outside} outside its bounds, {low:g} to {high:g} (user {user}: {value}; {see})"
