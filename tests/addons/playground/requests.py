"""Requests to the playground: right ones, nearly right ones, and any JSON at all."""

from typing import Any

import hypothesis.strategies as st

import rankconv as rc
from rankconv.addons.playground.playground_app import names

_CONVENTIONS = names()
NICKNAMES = sorted({name for one in _CONVENTIONS["presets"] for name in rc.preset(one).nicknames})
"""Names of several metrics, such as trec_eval's `official`, or of none, such as its `runid`."""
METRICS = st.one_of(
    st.sampled_from(_CONVENTIONS["metrics"]),
    st.sampled_from(NICKNAMES),
    st.builds(
        "{}@{}".format, st.sampled_from(_CONVENTIONS["metrics"]), st.sampled_from(["1", "3", "0", "1,2", "9" * 30])
    ),
    st.text("ndcg@(=),:é\ud800 1-", max_size=8),
)
PRESETS = st.sampled_from([*_CONVENTIONS["presets"], "search", "nothing", ""])
GRADES = st.sampled_from([None, 0, 1, 2, -1, 0.5, 1000, -1000, 1e-300, 1001, "1", True])
SCORES = st.sampled_from([0.0, 1.0, 0.5, -2.0, 1e308, -1e308, 5e-324])
IDS = st.sampled_from(["a", "b", "c", "01", "1", " ", "a,b", "\n", "\x00", "é", "", "\ud800"])
JUDGED = st.fixed_dictionaries({"id": IDS}, optional={"grade": GRADES})
RANKED = st.fixed_dictionaries({"id": IDS, "score": SCORES}, optional={"grade": GRADES})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
REQUESTS = st.fixed_dictionaries(
    {"items": st.lists(JUDGED, max_size=6) | st.lists(RANKED, max_size=6), "metric": METRICS},
    optional={
        "unretrieved": st.lists(JUDGED, max_size=4),
        "k": st.sampled_from([1, 2, 5, 0, -1, 10**6, 10**30, None, 1.5]),
        "presets": st.lists(PRESETS, min_size=1, max_size=3),
        "why": st.tuples(PRESETS, PRESETS).map(list),
    },
)
"""Plain data of the right form; often with one value that is not allowed."""
KEYS = st.sampled_from(["items", "unretrieved", "metric", "k", "presets", "why", "identify", "other"])


@st.composite
def broken(draw: Any) -> Any:
    """A request of which one part is replaced by any JSON."""
    return {**draw(REQUESTS), draw(KEYS): draw(JSON)}


ANYTHING = st.one_of(REQUESTS, REQUESTS, broken(), JSON)
