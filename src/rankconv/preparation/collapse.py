"""Documents in place of their chunks, or products in place of their variants, in lists and labels.

It comes before all other preparation: the result is what the same data would be if they named documents.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.conventions.convention import Convention, Setting
from rankconv.data.arrays import Codes, Mask, Numbers, among, take_ownership
from rankconv.data.attributes import Form, Parents
from rankconv.data.ids import Ids, quoted
from rankconv.data.joined import Joined, rows_of
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.preparation.word_numbers import in_numbers

COLLAPSE = Convention(
    "collapse",
    "Chunks of one document, variants of one product",
    reads=("scores", "first", "document"),
    tells="a list with two chunks of a document",
)
"""A setting gives the score of each document, shape (documents,), from the `scores` of the rows and the `document` of
each, both of shape (rows,), and the `first` row of each document. With the trait `sorts` these scores order lists."""


@COLLAPSE.setting("none", rule="not collapsed", plain="always", no="")
def _(scores: Numbers) -> Numbers:
    """Chunks are evaluated as they are; ids of chunks and of documents do not match."""
    return scores


@COLLAPSE.setting(
    "first",
    rule="the document takes the place of its first chunk",
    needs=("parents",),
    reads_data=("order",),
    plain="always",
    says="of several chunks of one document the first represents it, and later ones are removed",
)
def _(scores: Numbers, first: Codes) -> Numbers:
    """Lists keep the order given. A document has the highest grade of its labelled chunks, also below."""
    return scores[first]


@COLLAPSE.setting(
    "max",
    rule="by the highest score of its chunks",
    needs=("parents",),
    sorts=True,
    plain="always",
    says="a document is ranked by the highest score of its chunks",
)
def _(scores: Numbers, first: Codes, document: Codes) -> Numbers:
    """MaxP. Lists without scores are in falling order already, so it is the first chunk."""
    highest = np.full(len(first), -np.inf)
    np.maximum.at(highest, document, scores)
    return highest


@COLLAPSE.setting(
    "sum",
    rule="by the sum of the scores of its chunks",
    needs=("parents", "scores"),
    sorts=True,
    reads_data=("order", "scores"),
    plain="always",
    says="a document is ranked by the sum of the scores of its chunks in the list",
)
def _(scores: Numbers, first: Codes, document: Codes) -> Numbers:
    """SumP, over the chunks in the list, in its order."""
    return np.bincount(document, weights=scores, minlength=len(first)).astype(np.float64)


WITHOUT_GROUPS = "Give labels without subtopics, or collapse=none"


def why_not_collapsed(joined: Joined, settings: Mapping[str, Setting]) -> str:
    """Why chunks cannot be collapsed to documents, in words; empty where they can, or are to stay."""
    how, grouped = settings["collapse"], joined.labels.groups is not None
    wrong = how.traits.needs and joined.extra.parents is not None and grouped
    return f"collapse={how.text} cannot collapse labels in subtopics" if wrong else ""


def collapsed(joined: Joined, settings: Mapping[str, Setting]) -> Joined:
    """The data of documents, where the settings collapse chunks to these; words are the numbers that the settings give.

    What is needed and was not given, or cannot be collapsed, is reported by the engine.
    """
    joined, how = in_numbers(joined, settings), settings["collapse"]
    if not how.traits.needs or joined.extra.parents is None or joined.labels.groups is not None:
        return joined
    return joined.once(_Collapse(how))


@dataclass(frozen=True)
class _Collapse:
    """A setting, under which the documents of joined data are found once."""

    how: Setting

    def __call__(self, joined: Joined) -> Joined:
        extra, parents = joined.extra, joined.extra.parents
        assert parents is not None
        code, ids = parents.documents(joined.items)
        chunk = parents.are_chunks(joined.items)
        known = joined.rankings.items if not chunk[joined.labels.item].any() else joined.items
        parents.check_named(known)
        _refuse_mixed(joined, code, chunk)
        seen, items = extra.seen, extra.catalogue_items and parents.documents(extra.catalogue_items)[1]
        if seen is not None:
            user, item = np.divmod(seen, max(len(joined.items), 1))
            seen = take_ownership(np.unique(user * len(ids) + code[item]))
        of_documents = replace(
            extra,
            parents=None,
            seen=seen,
            catalogue=len(items) if items else extra.catalogue,
            catalogue_items=items,
            train=extra.train and _labels(extra.train, *parents.documents(extra.train.items)),
            labelled_items=extra.labelled_items and parents.documents(extra.labelled_items)[1],
            shown=extra.shown and self._shown(extra.shown, parents),
        )
        return replace(
            joined,
            labels=_labels(joined.labels, code, ids),
            rankings=self._run(joined.rankings, code[joined.list_item], ids),
            extra=of_documents,
        )

    def _shown(self, shown: Run, parents: Parents) -> Run:
        code, ids = parents.documents(shown.items)
        return self._run(shown, code[shown.item], ids)

    def _run(self, run: Run, document: Codes, ids: Ids) -> Run:
        first, of_row = _merged(run.starts, document)
        sorts, score, starts = self.how.traits.sorts, run.score, np.searchsorted(first, run.starts)
        item, rank = document[first], None if run.rank is None or (sorts and run.scored) else run.rank[first]
        if score is not None:
            given = {"scores": score, "first": first, "document": of_row}
            score = self.how(**{name: given[name] for name in self.how.reads})
            if sorts:
                order = np.lexsort((-score, np.repeat(np.arange(len(run.users)), np.diff(starts))))
                score, item, first = score[order], item[order], first[order]
        changes = {"starts": starts, "items": ids, "item": item, "score": score, "rank": rank, "form": Form()}
        changes["calls"] = None if run.calls is None else run.calls.taking(first)
        of_documents: Run = run.replace(**changes, is_distinct=True, by_score=run.by_score or bool(sorts))
        return of_documents


def _labels(labels: Labels, code: Codes, ids: Ids) -> Labels:
    """The labels of documents: each has the highest grade of its chunks, at the place of the first.

    `code` is the document of each item of the labels, or of more, shape (items,).
    """
    first, of_row = _merged(labels.starts, code[labels.item])
    grade = np.full(len(first), -np.inf)
    np.maximum.at(grade, of_row, labels.grade)
    changes = {"starts": np.searchsorted(first, labels.starts), "items": ids, "item": code[labels.item][first]}
    of_documents: Labels = labels.replace(**changes, grade=grade, is_distinct=True, form=Form())
    return of_documents


def _merged(starts: Codes, document: Codes) -> tuple[Codes, Codes]:
    """The first row of each document of each user, rising, and the number of each row's document, shape (rows,)."""
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    keys = owner * (int(document.max(initial=0)) + 1) + document
    _, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return first[order], place[of_row]


def _refuse_mixed(joined: Joined, code: Codes, chunk: Mask) -> None:
    """An InputError where a user has labels of chunks, and a label of a document of which there are chunks.

    `code` is the document of each item, and `chunk` whether it is a chunk, both of shape (items,).
    """
    user, label = rows_of(joined.labels.starts, joined.label_rows_of)
    listed_user, listed = rows_of(joined.rankings.starts, joined.list_rows_of)
    item, listed_item, count = joined.labels.item[label], joined.list_item[listed], int(code.max(initial=0)) + 1
    labelled, returned, of_chunk = user * count + code[item], listed_user * count + code[listed_item], chunk[item]
    with_chunks = np.unique(np.append(labelled[of_chunk], returned[chunk[listed_item]]))
    wrong = np.flatnonzero(~of_chunk & among(user, user[of_chunk]) & among(labelled, with_chunks))
    if len(wrong):
        who = user[wrong[0]]
        document, part = (joined.items.id(int(one[0])) for one in (item[wrong], item[of_chunk & (user == who)]))
        raise InputError(
            f"labels of {quoted(part)}, a chunk, and of {quoted(document)}, a document that has chunks, are mixed",
            where=f"labels, user {quoted(joined.users.id(int(who)))}",
            allowed="Labels of chunks, of which a document has the highest grade; or labels of documents",
            do="Keep one of both.",
        )
