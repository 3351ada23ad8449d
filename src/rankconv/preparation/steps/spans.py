"""What spans of documents mean: their characters, piece by piece, or each as a whole that is a hit or none."""

from collections.abc import Mapping
from copy import copy
from typing import Annotated, Literal

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.conventions.traits import Traits
from rankconv.data.arrays import Codes, Mask, within
from rankconv.data.joined import Joined
from rankconv.data.pieces import ARE_SPANS, Pieces, SharedText, Spans
from rankconv.preparation.steps.lists import DUPLICATE_LABELS, RepeatedLabelTraits
from rankconv.preparation.steps.ranking import EXACT_DECIMALS
from rankconv.preparation.ties import TieEffect, TieTraits
from rankconv.preparation.working_rows import KnownLabels, WorkingBlock, match


class SpanTraits(Traits):
    """What the engine must know of a setting of `span-unit`."""

    refuses_spans: bool = False
    """Data in spans are refused."""
    cuts: bool = False
    """Rows and labels are cut into pieces that have lengths."""
    matches: bool = False
    """A row is the label that it matches."""


SPAN_UNIT = Convention(
    "span-unit", "Spans of documents in place of items", closed=True, tells="a chunk with a passage", traits=SpanTraits
)


@SPAN_UNIT.setting("refuse", rule="data in spans are refused", refuses_spans=True, plain="always", no="")
def _() -> None:
    """No choice is made for the caller: systems differ on it, and none is cited by most."""


@SPAN_UNIT.setting(
    "character",
    rule="characters: documents are cut at the borders of spans, and a piece weighs its length",
    needs=(ARE_SPANS,),
    cuts=True,
    reads_order=True,
    reads_data=(),
    spans_users=False,
    says="labels and run are spans of documents, and their characters are compared; the cutoff counts spans of the run",
)
def _() -> None:
    """For metrics with `item-weight=length`. The cutoff counts the chunks of the run, and not their pieces."""


@SPAN_UNIT.setting(
    "span",
    rule="whole spans: a chunk is the label that it matches, by span-match",
    needs=(ARE_SPANS,),
    matches=True,
    reads_data=(),
    spans_users=False,
    says="labels and run are spans of documents, and a span of the run is the label of which it has most characters, "
    "if both match",
)
def _() -> None:
    """All metrics work. Of several labels that match, a chunk is the one of which it has most characters.

    So it finds one label at most. Two chunks that match one label are an item that is repeated.
    """


SPAN_MATCH = Convention(
    "span-match",
    "Span of the run that matches a label",
    reads=("shared", "of_row", "of_label"),
    tells="a chunk with a part of a passage",
)
"""A setting says which pairs of a row and a label match, shape (pairs,), by the characters that are `shared`, below 0
where there is a gap between them, and by the length of both."""


@SPAN_MATCH.setting("overlap", rule="both have a character", plain="always", says="they match if they have a character")
def _(shared: Codes) -> Mask:
    """One character is enough."""
    return np.asarray(shared > 0)


@SPAN_MATCH.setting(
    "contained",
    rule="the chunk has the whole label",
    plain="always",
    says="they match if the label is in the span of the run as a whole",
)
def _(shared: Codes, of_label: Codes) -> Mask:
    """A label that two chunks share is found by neither."""
    return np.asarray(shared == of_label)


@SPAN_MATCH.setting(
    "touching",
    rule="both have a character, or one begins where the other ends",
    plain="always",
    cite="chunking_evaluation",
    says="they match if they have a character, or one begins where the other ends",
)
def _(shared: Codes) -> Mask:
    """As where a test of intersection takes equal borders."""
    return np.asarray(shared >= 0)


@SPAN_MATCH.setting(
    "at-least",
    rule="both have this share of the label, of the row or of the union of both",
    plain="always",
    says="they match if they have a share of {share} or more of the {of}",
)
def _(
    shared: Codes,
    of_row: Codes,
    of_label: Codes,
    *,
    share: Annotated[float, Within(0, 1)] = 0.5,
    of: Literal["label", "row", "union"] = "label",
) -> Mask:
    """At the share itself they match; without a character they do not."""
    whole = {"label": of_label, "row": of_row, "union": of_row + of_label - shared}[of]
    return np.asarray((shared > 0) & (shared >= np.round(share * whole, EXACT_DECIMALS)))


@SPAN_MATCH.idle("", by="span-unit")
def _(context: Context) -> bool:
    """Nothing is matched."""
    return not SpanTraits.of(context.settings[SPAN_UNIT.name]).matches


def refuses_spans(joined: Joined, settings: Mapping[str, Setting]) -> bool:
    """Whether these settings refuse the spans of these data."""
    return joined.has_spans and SpanTraits.of(settings[SPAN_UNIT.name]).refuses_spans


_FIT: Mapping[str, tuple[str, ...]] = {
    "duplicate-labels": ("one", "first", "counted", "invalid"),
    "labels-used": ("all", "relevant-only"),
    "candidates": ("returned", "with-unretrieved"),
    "duplicates": ("each", "once", "set", "invalid"),
    "unjudged": ("not-relevant",),
    "scope": ("per-user",),
    "subtopics": ("ignore", "separate"),
    "precision-denominator": ("row-weights", "k", "length", "min(k, length)", "one"),
    "recall-denominator": ("relevant-weights", "one"),
    "dcg-denominator": ("none", "relevant-weights"),
    "weight-norm": ("none",),
    "ideal": (),
}
"""The settings that mean something where rows and labels are cut into pieces: those that count no pieces."""


def unfit_for_pieces(settings: Mapping[str, Setting]) -> str:
    """The setting that looks at whole rows, items or labels, where these are cut into pieces; empty where none does."""
    ties = TieTraits.of(settings["ties"]).effect
    if (settings["order"].traits.by_score and ties is TieEffect.SHARED) or settings["max-depth"].traits.keeps_ties:
        name = "ties" if ties is TieEffect.SHARED else "max-depth"
        return f"{name}={settings[name].text}"
    given = ((name, settings[name], fit) for name, fit in _FIT.items() if name in settings)
    odd = (f"{name}={one.text}" for name, one, fit in given if not {one.text, one.setting_type.name} & {*fit})
    return next(odd, "")


def match_spans(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Give each row the label of which it has most characters: as its item, where whole spans are compared.

    Where characters are, the steps before the cut know a chunk by that label: those that order tied rows.
    """
    traits = SpanTraits.of(settings[SPAN_UNIT.name])
    if not (traits.cuts or traits.matches):
        return
    rows, labels, how = block.rows, block.labels, settings[SPAN_MATCH.name]
    pairs = SharedText.of(block.joined.once(Spans.of), (rows.user, rows.item), (labels.user, labels.item))
    given = {"shared": pairs.shared, "of_row": pairs.of_row, "of_label": pairs.of_label}
    matches = how(**{name: given[name] for name in how.reads}) if traits.matches else pairs.shared > 0
    rows.label = pairs.best(len(rows.user), matches)
    if traits.matches:
        rows.item = np.where(rows.label < 0, rows.item, np.append(labels.item, -1)[rows.label])
        rows.label = match(labels, rows, block.items)


def cut_spans(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Cut rows and labels into pieces, which are items from then on; the list keeps the places of its rows.

    Of labels that share characters `duplicate-labels` says which counts.
    """
    if not SpanTraits.of(settings[SPAN_UNIT.name]).cuts:
        return
    pieces, rows = block.joined.once(Pieces.of), block.rows
    block.given = copy(rows)
    block.codes = len(pieces.border) + 1
    place = within(rows.user)
    known = _cut_labels(block, pieces, settings[DUPLICATE_LABELS.name])
    there = (rows.item >= 0) & (rows.item < len(block.joined.items))
    first, count = pieces.of_rows(block.users[rows.user], np.where(there, rows.item, 0))
    at = np.repeat(np.arange(len(there)), np.where(there, count, 1))
    rows.take(at)
    rows.item = np.where(there[at], first[at] + within(at), rows.item)
    rows.cell, rows.length = place[at], np.where(there[at], np.append(pieces.length, 0.0)[rows.item], 0.0)
    _label_rows(block, known)


def _cut_labels(block: WorkingBlock, pieces: Pieces, duplicates: Setting) -> KnownLabels:
    """The labels that exist, piece by piece."""
    assert block.known is not None
    known = block.known
    first, count = pieces.of_rows(block.users[known.user], known.item)
    at = np.repeat(np.arange(len(first)), count)
    cut = known.take(at)
    cut.item = first[at] + within(at)
    kept = _kept(cut, block, duplicates)
    cut = cut.take(np.flatnonzero(kept))
    cut.length = pieces.length[cut.item]
    block.known = cut
    return cut


def _kept(cut: KnownLabels, block: WorkingBlock, duplicates: Setting) -> Mask:
    """Which pieces of labels count, shape (pieces,), where several labels have them."""
    keys = cut.user * (block.items + 1) + cut.item
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    later, earlier = np.zeros(len(keys), bool), np.zeros(len(keys), bool)
    later[order[1:][same]] = earlier[order[:-1][same]] = True
    traits = RepeatedLabelTraits.of(duplicates)
    if traits.may_refuse:
        wrong = f"has characters in two labels, of which one is {{item}} ({DUPLICATE_LABELS.name}={duplicates.text})"
        block.refuse(later, cut.user, block.labels.item[cut.label], wrong, "labels")
    if traits.counts_all:
        return np.ones(len(keys), bool)
    if traits.counts_first:
        return ~later
    return ~earlier


def _label_rows(block: WorkingBlock, known: KnownLabels) -> None:
    """Give each piece of a row the grade of its label, of several the last."""
    rows = block.rows
    keys, wanted = known.user * block.items + known.item, rows.user * block.items + rows.item
    order = np.argsort(keys, kind="stable")
    at = order[np.searchsorted(keys[order], wanted, side="right") - 1] if len(keys) else np.zeros(len(wanted), np.int64)
    has = (rows.item >= 0) & (keys[at] == wanted) if len(keys) else np.zeros(len(wanted), bool)
    at = np.where(has, at, -1)
    rows.label = np.append(known.label, -1)[at]
    rows.judged, rows.relevant = has, np.append(known.relevant, False)[at]
    rows.grade = np.append(known.grade, np.nan)[at]
