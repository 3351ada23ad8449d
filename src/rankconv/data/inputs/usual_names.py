"""The usual names of columns and keys: what users, items, grades, scores, ranks and times are called, and what not."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any

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
        *("nugget", "nugget_id"),
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
    "start": (
        "start",
        "start_index",
        "start_char",
        "char_start",
        "start_pos",
        "start_position",
        "start_offset",
        "begin",
    ),
    "end": ("end", "end_index", "end_char", "char_end", "end_pos", "end_position", "end_offset"),
    "call": ("call", "call_id", "call_no", "call_number", "call_index", "tool_call_id", "search_call_id"),
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


@lru_cache(maxsize=4096)
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


def has_usual_name(roles: Iterable[str], *columns: str) -> bool:
    """Whether one of these columns is called what one of these roles usually is."""
    return any(is_usual(role, column) for role in roles for column in columns)


_WIDEST = 1000
"""More keys are no columns of a table, but users or items."""


def name_columns(keys: Collection[Any]) -> bool:
    """Whether keys name the columns of a table, and no users or items: one the user, and one the item."""
    if len(keys) > _WIDEST:
        return False
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
_RANKED_STEMS = _PLAIN["item"].union(
    ("rec", "recs", "recommendation", "reco", "recommended", "recommendeditem", "top", "rank", "prediction"),
    ("pred", "predicted", "retrieved", "result", "track", "trackuri", "hit", "candidate", "position"),
)
"""Names before the rank in the columns of items."""
