"""Which column of a table is the user, the item, the grade, the score, the rank; ids may have several columns.

A column is found by the name that the caller gave, else by a usual name. Ids of several columns are tuples of parts.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import Any, Literal

from rankconv.basics.errors import InputError, nearest
from rankconv.data.attributes import Form
from rankconv.data.inputs.input_rows import NONE, ColumnSpec, base, shown_columns

Side = Literal["labels", "run"]
ROLES_OF: dict[Side, tuple[str, ...]] = {
    "labels": ("user", "item", "grade", "group"),
    "run": ("user", "item", "score", "rank"),
}
"""What the columns of each side may be."""
_NEEDED = ("user", "item")
_LISTED, _SHOWN = 20, 10
"""Columns, and usual names, that a message names."""
_BEIR_ITEM = "corpusid"
"""With this item column, BEIR calls the grade of a label its score."""
LOOKED_AT = 1000
"""Values that decide whether those of a column are numbers."""
_GAPS = frozenset({"", "-", "none", "null", "na", "n/a", "nan", "<na>", "\\n"})
"""Texts that mean no value."""
_WORDS = 3
"""Shorter names are ids as often, in a line that may be a header or the first row."""
COMPOUND_ROLES = ("user", "item")
"""Roles whose ids may have several parts."""


# usual names

USUAL_NAMES = {
    "user": (
        *("user", "user_id", "uid", "query", "query_id", "qid", "q_id", "topic", "topic_id", "user_idx", "user_index"),
        *("session", "session_id", "customer", "customer_id", "client_id", "visitor_id", "member_id", "account_id"),
        *("buyer_id", "person_id", "profile_id", "reviewer_id", "convention_id", "search_id", "srch_id", "request_id"),
        *("impression_id", "playlist_id", "query_no", "topic_no", "u_id"),
    ),
    "item": (
        *("item", "item_id", "iid", "doc", "doc_id", "docno", "document", "document_id", "corpus_id", "i_id"),
        *("item_idx", "item_index", "passage", "passage_id", "pid", "paragraph_id", "chunk_id", "paper_id", "page_id"),
        *("movie", "movie_id", "film_id", "anime_id", "product", "product_id", "prod_id", "article", "article_id"),
        *("news_id", "track_id", "song_id", "album_id", "artist_id", "book_id", "isbn", "asin", "parent_asin", "sku"),
        *("video_id", "game_id", "app_id", "business_id", "merchant_id", "restaurant_id", "venue_id", "poi_id"),
        *("listing_id", "hotel_id", "prop_id", "recipe_id", "course_id", "job_id", "offer_id", "ad_id", "post_id"),
        *("tweet_id", "photo_id", "image_id", "setting_id", "candidate_id", "entity_id", "content_id"),
    ),
    "group": ("group", "group_id", "subtopic", "subtopic_id", "intent", "intent_id", "aspect", "aspect_id"),
    "grade": (
        *("grade", "rel", "relevance", "label", "rating", "target", "judgment", "judgement", "relevant", "stars"),
        *("is_relevant", "relevance_grade", "relevance_label", "relevance_level", "relevance_judgment"),
        *("relevance_judgement", "graded_relevance", "rel_label", "qrel", "y", "y_true", "truth", "ground_truth"),
        *("gold", "gold_label", "true_label", "true_rating", "rating_true", "user_rating", "star_rating", "r_ui"),
        *("overall", "clicked", "click", "is_click", "is_clicked", "purchased", "purchase", "is_purchased", "bought"),
        *("liked", "like", "is_liked", "feedback", "preference", "interaction"),
    ),
    "score": (
        *("score", "scores", "prediction", "pred", "predicted", "sim", "similarity", "cosine_similarity"),
        *("y_pred", "y_hat", "y_score", "y_prob", "pred_score", "score_pred", "prediction_score", "predicted_score"),
        *("predicted_rating", "pred_rating", "rating_pred", "rating_prediction", "est", "estimate"),
        *("estimated_rating", "prob", "proba", "probability", "predicted_probability", "logit", "logits"),
        *("relevance_score", "rel_score", "ranking_score", "rerank_score", "retrieval_score", "match_score"),
        *("model_score", "bm25_score"),
    ),
    "rank": ("rank", "position"),
    "time": (
        *("time", "timestamp", "datetime", "date", "ts", "unix_time", "unix_timestamp", "unix_review_time"),
        *("event_time", "created_at", "rated_at", "rating_time", "rating_timestamp", "interaction_time"),
    ),
}
"""The usual names of each role; capital letters, blanks and separators of words are ignored."""
GRADES_AND_SCORES = ("grade", "score", "rank")

_ASIDE = (
    *("review_time", "click_time", "updated_at", "year", "month", "week", "weekday", "day", "hour", "minute", "second"),
    *("", "index", "idx", "id", "row", "row_id", "row_index", "row_number", "row_no", "level_0", "index_level_0"),
    *("fold", "split", "partition", "subset", "is_train", "is_test", "train", "test", "batch", "seed", "epoch"),
    *("iteration", "iter", "q0", "run", "run_id", "run_name", "run_tag", "tag", "model", "system"),
    *("title", "text", "name", "description", "query_text", "doc_text", "body", "url", "genre", "genres", "category"),
)
_UNNAMED = re.compile(r"unnamed\d+")
"""What pandas calls columns without a name."""
_ID = re.compile(r"(?:[\W_][iI][dD]|[a-z]I[dD])\s*$")
"""How the names of ids end."""

_TYPE = re.compile(r":(token|float)(_seq)?$")
"""How the atomic files of RecBole end the name of a column."""


def plain(name: str) -> str:
    """A name without what spellings differ in: `movieId`, `movie_id`, `Movie-ID` and `movie_id:token` are one."""
    return re.sub(r"[\W_]+", "", _TYPE.sub("", name)).casefold()


_DIGIT = re.compile(r"\d")
_PLAIN = {role: frozenset(map(plain, names)) for role, names in USUAL_NAMES.items()}
_PLAIN_ASIDE = frozenset(map(plain, _ASIDE))


def is_usual(role: str, column: str) -> bool:
    """Whether the column is called what this role usually is."""
    return plain(column) in _PLAIN[role]


def is_aside(column: str) -> bool:
    """Whether the name is that of no grade, score or rank, but of a time, a fold, a text, an id."""
    name = plain(column)
    if any(name in _PLAIN[role] for role in GRADES_AND_SCORES):
        return False
    other = name in _PLAIN_ASIDE or any(name in names for names in _PLAIN.values())
    return other or bool(_UNNAMED.fullmatch(name) or _ID.search(column))


# finding columns


def find_columns(columns: Sequence[str], spec: ColumnSpec, where: str) -> dict[str, str]:
    """Return the column of each role: the one the caller named, else the one with a usual name.

    The other columns are for `refuse_unread`.
    """
    found = {role: _column_named(role, name, columns, spec, where) for role, name in spec.caller_columns.items()}
    _refuse_sharing(found, where)
    _refuse_none(columns, spec, where)
    free = [column for column in columns if column not in found.values() and column not in spec.others]
    for role in spec.columns:
        if role in found or role in spec.absent:
            continue
        usual = _ids_before_texts([column for column in free if is_usual(role, column)])
        if role == "grade" and not usual and plain(found.get("item", "")) == _BEIR_ITEM and "score" in free:
            usual = ["score"]
        if usual or role in _NEEDED:
            found[role] = _only(role, usual, free, columns, spec, where)
    return found


def refuse_unread(
    columns: Sequence[str],
    found: Mapping[str, str],
    spec: ColumnSpec,
    where: str,
    holds_numbers: Callable[[str], bool],
) -> None:
    """Raise InputError where an unrecognised column has numbers, and there is neither grade, score nor rank.

    `holds_numbers` decides whether the values of a column are numbers; it is called only where the name is unclear.
    """
    if spec.number not in {*spec.columns} - spec.absent or {spec.number, "rank"} & found.keys():
        return
    free = [one for one in columns if one not in found.values() and one not in spec.others and not is_aside(one)]
    usual = [column for column in free if has_usual_name(GRADES_AND_SCORES, column)]
    unread = usual or [column for column in free if holds_numbers(column)]
    if unread:
        raise _unread(unread, exchanged=bool(usual), spec=spec, where=where)


def form_of(columns: Sequence[str], found: Mapping[str, str], spec: ColumnSpec) -> Form:
    """Return the form of a table of these columns: whether it is of this side, or what is assumed without numbers."""
    return Form(numbers_named=not found.get(spec.number, "1").isdigit(), assumed=_assumed(columns, found, spec))


def _assumed(columns: Sequence[str], found: Mapping[str, str], spec: ColumnSpec) -> str:
    """What is assumed without numbers, where the caller did not say so; of users and items alone nothing is said."""
    if any(role in found or role in spec.absent for role in (spec.number, "rank")):
        return ""
    if spec.what == "rankings":
        return "neither scores nor ranks, so the order of the rows is the ranking"
    if not {*columns} - {*found.values()} - {*spec.others}:
        return ""
    return "no ratings, so each is 1" if spec.keyword("grade") == "rating" else "no grades, so every row is relevant"


def are_numbers(values: Iterable[Any]) -> bool:
    """Whether these values, gaps aside, are numbers or truth values, or texts or lists of such; the first decide."""
    looked_at = list(islice(without_gaps(values), LOOKED_AT))
    return bool(looked_at) and all(map(_is_number, looked_at))


def without_gaps(values: Iterable[Any]) -> Iterator[Any]:
    """These values, and those in lists among them, without gaps."""
    each = (one for value in values for one in (value if isinstance(value, list | tuple) else (value,)))
    return (one for one in each if not _is_gap(one))


def of_side(named: Mapping[str, Any] | None, side: Side) -> dict[str, Any]:
    """The names of one side's columns, by role: those for it alone, such as `run.item`, else those for both.

    Raises InputError for a name that is not the role of a column.
    """
    given = dict(named or {})
    both = dict.fromkeys(role for roles in ROLES_OF.values() for role in roles)
    known = [*both, *(f"{one}.{role}" for one, roles in ROLES_OF.items() for role in roles)]
    for odd in (name for name in given if name not in known):
        allowed = f"Name {', '.join(both)}; of one side alone: run.item, labels.user, …"
        raise InputError(f"'{odd}' is not the role of a column", allowed=allowed, nearest=nearest(odd, known))
    return {role: given.get(f"{side}.{role}", given.get(role)) for role in ROLES_OF[side]}


def has_usual_name(roles: Iterable[str], *columns: str) -> bool:
    """Whether one of these columns is called what one of these roles usually is."""
    return any(is_usual(role, column) for role in roles for column in columns)


def name_columns(keys: Iterable[Any]) -> bool:
    """Whether keys name the columns of a table, and no users or items: one the user, and one the item."""
    # a digit is in most ids, and in no usual name of either
    names = {plain(key) for key in keys if isinstance(key, str) and not _DIGIT.search(key)}
    return not (names.isdisjoint(_PLAIN["user"]) or names.isdisjoint(_PLAIN["item"]))


def rank_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns of the items at rank 1, 2, … of a user: `rec_1`, `rec_2`; none where there are not two."""
    found: dict[str, dict[int, str]] = {}
    for name in columns:
        if numbered := _RANK.fullmatch(name):
            found.setdefault(plain(numbered[1]), {})[int(numbered[2])] = name
    for stem, of_stem in found.items():
        first = min(of_stem)
        in_turn = first in (0, 1) and sorted(of_stem) == [*range(first, first + len(of_stem))]
        if stem in _RANKED_STEMS and len(of_stem) > 1 and in_turn:
            return [of_stem[rank] for rank in sorted(of_stem)]
    return []


_RANK = re.compile(r"(.*\D)(\d+)")
_RANKED_STEMS = frozenset(
    (
        *("rec", "recs", "recommendation", "reco", "recommended", "recommendeditem", "item", "itemid", "top", "rank"),
        *("prediction", "pred", "predicted", "retrieved", "result", "doc", "docid", "product", "productid", "movie"),
        *("movieid", "track", "trackuri", "trackid", "article", "articleid", "hit", "candidate", "position"),
    )
)
"""Names before the rank in the columns of items."""


def may_be_wanted(column: str, spec: ColumnSpec) -> bool:
    """Whether a column of this name changes which columns are found."""
    return column in (*spec.caller_columns.values(), *spec.others) or has_usual_name(USUAL_NAMES, column)


def is_header(fields: Sequence[str], spec: ColumnSpec) -> bool:
    """Whether these name columns: a name that the caller gave, two usual names, or no number among them.

    Columns that the caller names by place are no names, also where a field is such a number.
    """
    named = spec.caller_columns.values()
    if any(name in fields for name in named if not name.isdigit()):
        return True
    usual = [name for name in fields if len(plain(name)) >= _WORDS and has_usual_name(USUAL_NAMES, name)]
    by_number = bool(named) and all(name.isdigit() for name in named)
    return len(usual) > 1 or (not by_number and not any(map(_is_number, fields)))


def of_places(columns: Sequence[str], spec: ColumnSpec) -> ColumnSpec:
    """The columns that the caller names by place, by the names that the first line gives them."""
    known = set(columns)
    names = {str(place): name for place, name in enumerate(columns, 1) if str(place) not in known}
    given: dict[str, Any] = spec.caller_columns  # several names are one id
    named = {
        role: names.get(one, one) if isinstance(one, str) else [names.get(part, part) for part in one]
        for role, one in given.items()
    }
    return replace(spec, columns={**spec.columns, **named})


def by_place(
    columns: Sequence[str], spec: ColumnSpec, where: str, rows: Callable[[], Iterable[Sequence[str]]]
) -> ColumnSpec:
    """Without names: the user, the item and the number, unless the caller says which column is which.

    Four columns of which the second is the same in all `rows` are those of qrels, and a third that counts the rows of
    each user is the rank.
    """
    if spec.caller_columns:
        return spec
    roles: tuple[str, ...] = ("user", "item", spec.number, *(("time",) if "time" in spec.columns else ()))
    if len(columns) == len(_QRELS) and roles == ("user", "item", "grade") and _are_qrels(rows()):
        roles = _QRELS
    elif len(columns) == len(roles) and roles[-1] == "score" and _count_rows(rows()):
        roles = _RANKED
    if spec.what == "rankings" and len(columns) == len(_TOP) and _have_texts(rows()):
        roles = _TOP
    if not 2 <= len(columns) <= len(roles):
        places = ((role, str(place)) for role, place in zip((*_NEEDED, spec.number), (1, 2, len(columns)), strict=True))
        raise InputError(
            f"the first line names no columns, and there are {len(columns)}",
            where=where,
            allowed="Without names, a file has a user, an item and, if any, a number in each line",
            do="Name the columns in the first line, or say their places: user='1', item='2', "
            f"{spec.number}='{len(columns)}'",
            shell="Name the columns in the first line, or say their places: "
            + " ".join(_of_this_side(role, place, spec) for role, place in places),
        )
    places_of = {role: at for role, at in zip(roles, columns, strict=False) if role in spec.columns}
    return replace(spec, columns={**spec.columns, **{r: at for r, at in places_of.items() if r not in spec.absent}})


_QRELS = ("user", "iteration", "item", "grade")
_TOP = ("user", "item", "query", "passage")
"""The candidates of MS MARCO (top1000): ids, and the texts of both."""
_TRIED = 100_000
"""Rows of a file without names that tell what its columns are."""


def _are_qrels(rows: Iterable[Sequence[str]]) -> bool:
    """Whether there are several rows of four fields, of which the second is always the same, as the iteration is."""
    fields = [row for row in islice(rows, _TRIED) if row]
    return len(fields) > 1 and all(len(row) == len(_QRELS) for row in fields) and len({row[1] for row in fields}) == 1


def _have_texts(rows: Iterable[Sequence[str]]) -> bool:
    """Whether the last two of four fields are texts, of which some have blanks, and the first two are ids."""
    fields = [row for row in islice(rows, LOOKED_AT) if row]
    ids = all(len(row) == len(_TOP) and not any(len(one.split()) > 1 for one in row[:2]) for row in fields)
    return ids and all(any(len(row[at].split()) > 1 for row in fields) for at in (2, 3))


def _count_rows(rows: Iterable[Sequence[str]]) -> bool:
    """Whether the third field counts the rows of each user, 1, 2, …, and some user has two."""
    counts = dict[str, int]()
    for row in islice(rows, _TRIED):
        if row:
            counts[row[0]] = counts.get(row[0], 0) + 1
            if len(row) != len(_RANKED) or row[2].strip() != str(counts[row[0]]):
                return False
    return max(counts.values(), default=0) > 1


_RANKED = ("user", "item", "rank")
RANKS_BY_PLACE = (
    "the third column counts the rows of each user, and is the rank; if it is the score, name it: "
    "columns={'run.user': '1', 'run.item': '2', 'run.score': '3'}, or "
    "--column run.user=1 --column run.item=2 --column run.score=3"
)


def _is_gap(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in _GAPS
    return value is None or (isinstance(value, float) and value != value)


def _is_number(value: Any) -> bool:
    if not isinstance(value, str):
        return isinstance(value, Real) or hasattr(value, "__float__")
    try:
        float(value)
    except ValueError:
        return value.strip().casefold() in ("true", "false")
    return True


def _column_named(role: str, name: str, columns: Sequence[str], spec: ColumnSpec, where: str) -> str:
    if name in columns:
        return name
    raise InputError(
        f"there is no column '{name}', which was named for the {role}",
        where=where,
        allowed=listed(columns),
        nearest=nearest(name, columns),
        do=f"Pass {spec.keyword(role)}= with the name of one of them",
        shell=f"Name one of them: {_of_this_side(role, 'NAME', spec)}",
    )


def _unread(unread: Sequence[str], *, exchanged: bool, spec: ColumnSpec, where: str) -> InputError:
    """The error for numbers in unrecognised columns; `exchanged` where their names are those of the other side."""
    role, of_labels = spec.keyword(spec.number), spec.what == "labels"
    ways = [(role, "if it is the " + role)] if of_labels else [(role, "if high is best"), ("rank", "if low is best")]
    without = "if all rows are equally relevant" if of_labels else "if the order of the rows is the ranking"
    reader = {"grade": "Labels", "rating": "protocols.Ratings"}.get(role, "Run")
    first = "Are the labels and the rankings exchanged? If not, pass " if exchanged else "Pass "
    in_python = [f"{name}={unread[0]!r} {why}" for name, why in ways] + [f"{role}={NONE!r} {without}"]
    in_commands = [f"{in_shell(name, unread[0])} {why}" for name, why in ways] + [f"{in_shell(role, NONE)} {without}"]
    names = _few([repr(one) for one in unread])
    seen = "there is" if exchanged else "there are numbers in"
    return InputError(
        f"no column has a usual name of the {role}{'' if of_labels else ' or the rank'}, and {seen} {names}",
        where=where,
        do=f"{first}{', '.join(in_python)}: rc.{reader}(data, {role}=…)",
        shell=f"{first}{', '.join(in_commands)}",
    )


def _only(
    role: str, usual: Sequence[str], free: Sequence[str], columns: Sequence[str], spec: ColumnSpec, where: str
) -> str:
    if len(usual) == 1:
        return usual[0]
    if not usual:
        raise _missing(role, free, columns, spec, where)
    called = spec.keyword(role)
    raise InputError(
        f"the columns {' and '.join(repr(column) for column in usual)} could each be the {called}",
        where=where,
        do=f"Name one: {' or '.join(f'{called}={column!r}' for column in usual)}",
        shell=f"Name one: {' or '.join(_of_this_side(role, column, spec) for column in usual)}",
    )


_TEXT_OF = {"qid": ("query",), "pid": ("passage",), "docno": ("document", "doc"), "docid": ("document", "doc")}
"""Columns of a text, by the name of its id, which `{text}_id` is too."""


def _ids_before_texts(columns: Sequence[str]) -> list[str]:
    """These columns without that of a text whose id is there: `query` next to `qid`."""
    names = [plain(one) for one in columns]
    texts = {text for one in names for text in _TEXT_OF.get(one, ())}
    texts |= {one.removesuffix("id") for one in names if one.endswith("id")}
    return [one for one in columns if plain(one) not in texts]


_WIDE = "; or, of a user in each row, frame.to_numpy() with user_ids=frame.index, item_ids=frame.columns"


def _missing(role: str, free: Sequence[str], columns: Sequence[str], spec: ColumnSpec, where: str) -> InputError:
    names = USUAL_NAMES[role]
    unclaimed = [column for column in free if not has_usual_name(USUAL_NAMES.keys() - {role}, column)]
    likely = next(filter(None, (nearest(name, unclaimed) for name in names)), "")
    both = "" if "time" in spec.columns else f"; or {in_shell(role, likely or 'NAME')} where both files call it so"
    return InputError(
        f"no column has a usual name of the {role} ({', '.join(names[:_SHOWN])}, …)",
        where=where,
        allowed=listed(columns),
        nearest=likely,
        do=f"Pass {role}={likely!r}" if likely else f"Name it: {role}=…{_WIDE if role == 'user' else ''}",
        shell=f"{'Pass' if likely else 'Name it:'} {_of_this_side(role, likely or 'NAME', spec)}{both}",
    )


def _refuse_none(columns: Sequence[str], spec: ColumnSpec, where: str) -> None:
    if spec.absent and NONE in columns:
        roles = " and ".join(sorted(spec.absent))
        wrong = f"a column is called {NONE!r}, and as the {roles} that word says that there is none"
        raise InputError(wrong, where=where, do="Rename the column")


def _refuse_sharing(found: dict[str, str], where: str) -> None:
    for column in found.values():
        roles = [role for role in found if found[role] == column]
        if len(roles) > 1:
            raise InputError(f"the column '{column}' is named for {' and '.join(roles)} at once", where=where)


def no_columns(given: Mapping[str, str], allowed: str) -> InputError:
    """Return the error for data without columns, of which a caller named some, by role."""
    named = ", ".join(f"'{name}' for the {role}" for role, name in given.items())
    return InputError(
        f"columns were named ({named}), and this data has no named columns",
        allowed=allowed,
        do=f"Leave {' and '.join(f'{role}=' for role in given)} out",
        shell=f"Leave {' and '.join(f'--column {role}=…' for role in given)} out",
    )


def in_shell(role: str, column: str) -> str:
    """How a command names a column."""
    return f"--column {shlex.quote(f'{role}={column}')}"


def _of_this_side(role: str, column: str, spec: ColumnSpec) -> str:
    """How a command names a column of labels, or of a run, alone, where both have one of this role."""
    side: Side = "labels" if spec.what == "labels" else "run"
    shared = role in _NEEDED and "time" not in spec.columns  # ratings have no other side
    return in_shell(f"{side}.{role}" if shared else spec.keyword(role), column)


def listed(columns: Sequence[str]) -> str:
    """The columns there are, for messages."""
    return f"The columns are: {_few(columns)}" if columns else "There are no columns"


def _few(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - _LISTED} more" if len(columns) > _LISTED else ""
    return ", ".join(f"{column:.60}" for column in columns[:_LISTED]) + more


# ids of several columns


def several_columns(spec: ColumnSpec) -> Mapping[str, tuple[str, ...]]:
    """The roles of which the caller named several columns; an InputError for a role that can have only one."""
    found = {role: tuple(name) for role, name in spec.columns.items() if isinstance(name, (tuple, list))}
    for role, names in found.items():
        if role not in COMPOUND_ROLES:
            wrong = f"the {role} is named as {len(names)} columns, {shown_columns(names)}"
            raise InputError(wrong, allowed=f"Several columns can be the {' or the '.join(COMPOUND_ROLES)}")
        if not names or not all(isinstance(name, str) for name in names):
            raise InputError(f"{names!r:.100} names no columns", do=f"Pass {role}=('first', 'second').")
    return found


def with_first_parts(spec: ColumnSpec) -> ColumnSpec:
    """What is spec, with the first column alone where the caller named several."""
    several = several_columns(spec)
    first = {**spec.columns, **{role: names[0] for role, names in several.items()}}
    parts = (name for names in several.values() for name in names)
    return replace(spec, columns=first, others=(*spec.others, *parts))


def columns_of_parts(names: Sequence[str], spec: ColumnSpec, where: str) -> dict[str, str]:
    """The column of each role; of compound ids that of each part, `user.1` and so on."""
    first = with_first_parts(spec)
    found = find_columns(names, first, where)
    for role, parts in several_columns(spec).items():
        del found[role]
        for at, part in enumerate(parts, 1):
            found[f"{role}.{at}"] = find_columns(names, replace(first, columns={**first.columns, role: part}), where)[
                role
            ]
    return found


def chosen_columns(
    names: Sequence[str], spec: ColumnSpec, where: str, holds_numbers: Callable[[str], bool]
) -> tuple[dict[str, str], Form]:
    """Return the column of each role, of compound ids that of each part, and the form of a table of these columns.

    Raises InputError where columns are missing or unclear; `holds_numbers` is that of `refuse_unread`.
    """
    found, first = columns_of_parts(names, spec, where), with_first_parts(spec)
    refuse_unread(names, found, first, where, holds_numbers)
    return found, form_of(names, found, first)


def without_parts(columns: Mapping[str, Any]) -> dict[str, str]:
    """Return the name of each role's column, of compound ids those of all parts as a command names them."""
    found: dict[str, list[str]] = {}
    for role, name in columns.items():
        found.setdefault(base(role), []).append(str(name))
    return {role: names[0] if len(names) == 1 else shown_columns(names) for role, names in found.items()}


# libraries of frames

LIBRARIES = (
    *("pandas", "polars", "pyarrow", "narwhals", "duckdb"),
    *("modin", "cudf", "dask", "ibis", "pyspark", "sqlframe"),
)
"""Those of frames that narwhals knows, and narwhals itself."""


def library_name(data: Any) -> str:
    """Return the library of a frame; empty for anything else."""
    modules = [base.__module__.partition(".")[0].lstrip("_") for base in type(data).__mro__]
    return next((library for library in LIBRARIES if library in modules), "")


def is_stream(data: Any) -> bool:
    """Whether it is a stream of Arrow batches, and not of the values of one column."""
    known = not library_name(data) or hasattr(type(data), "schema")
    return known and callable(getattr(data, "__arrow_c_stream__", None)) and not isinstance(data, type)


def is_frame(data: Any) -> bool:
    """Whether this is from a library of frames, or a stream of Arrow batches; reading it says what is a table."""
    return bool(library_name(data)) or is_stream(data)
