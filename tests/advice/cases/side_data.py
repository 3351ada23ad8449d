"""What is known besides labels and run: catalogue, features, parents, seen items, clusters, weights."""

from tests.advice.case import Case, Follow

_LABELS = "labels, run = {'u': ['b']}, {'u': ['a', 'b']}; "
_FRAME = _LABELS + "import pandas as pd; "
_ILS = "ev(labels, run, 'diversity@2', item_features=§)"
"""1 - the cosine of the two items."""
_COVER = "ev(labels, run, 'coverage@2', catalogue=§)"
_PARENTS = "ev(labels, chunks, 'mrr(collapse=max)', parents=§)"
_CHUNKS = "labels, chunks = {'u': ['b']}, {'u': {'a#0': 3., 'b#1': 2.}}; "


def _ils(features: str) -> str:
    return _ILS.replace("§", features)


def _cover(catalogue: str) -> str:
    return _COVER.replace("§", catalogue)


def _parents(parents: str) -> str:
    return _PARENTS.replace("§", parents)


_FORMS = (
    Follow("{item: [numbers]}", _ILS, 1.0, fill={"item": "'a'", "[numbers]": "[1, 0], 'b': [0, 1]"}),
    Follow("{item: {categories}}", _ILS, 1.0, fill={"item": "'a'", "{categories}": "{'x'}, 'b': {'y'}"}),
    Follow("a table with a column of items", _ils("pd.DataFrame({'item': ['a', 'b'], 'genre': ['x', 'y']})"), 1.0),
)
_CATALOGUE = (
    Follow("Pass the items", _cover("['a', 'b', 'c', 'd']"), 0.5),
    Follow("how many there are", _cover("4"), 0.5),
)
_PARENT_FORMS = (
    Follow("{chunk: document}", _PARENTS, 0.5, fill={"chunk": "'a#0'", "document": "'a', 'b#1': 'b'"}),
    Follow(
        "a table with a column of each",
        _parents("pd.DataFrame({'chunk': ['a#0', 'b#1'], 'document': ['a', 'b']})"),
        0.5,
    ),
    Follow("the separator in ids", _parents("'#'"), 0.5),
)
_IPS = "ev(labels, run, 'recall(item-weight=inverse-propensity)@2', propensities=§)"
"""1/p of the one relevant item."""


def _ips(propensities: str) -> str:
    return _IPS.replace("§", propensities)


_PROPENSITY_FORMS = (
    Follow("{item: p}", _IPS, 2.0, fill={"item": "'b'", "p": "0.5"}),
    Follow(
        "a table with a column of items and one called 'propensity'",
        _ips("pd.DataFrame({'item': ['b'], 'propensity': [0.5]})"),
        2.0,
    ),
)
_AWRF = "ev(labels, run, 'awrf(group-target=given)@2', item_features={'a': {'x'}, 'b': {'y'}}, group_target=§)"
_EVEN = 0.993501017728937
"""Exposure of 1 and 1/log2(3), whose shares are nearly even."""


def _awrf(target: str) -> str:
    return _AWRF.replace("§", target)


_TARGET_FORMS = (
    Follow("{group: share}", _awrf("{'x': 0.5, 'y': 0.5}"), _EVEN),
    Follow("{user: {group: share}}", _awrf("{'u': {'x': 0.5, 'y': 0.5}}"), _EVEN),
    Follow(
        "a table with the columns group and share, and user",
        _awrf("pd.DataFrame({'user': ['u', 'u'], 'group': ['x', 'y'], 'share': [0.5, 0.5]})"),
        _EVEN,
    ),
)
_SHARES = "pd.DataFrame({'item': ['a', 'b', 'b'], 'group': ['x', 'y', 'y'], 'share': [1.0, 1.0, 1.0]})"
_GROUPS = "labels = rc.Labels({'u': {'x': ['a'], 'y': ['b']}}); "
_OF_FIRST = "hit_rate(subtopics=separate, subtopic-weight=given)@1"
"""The weight of x, where a is first."""


def _weighed(weights: str, labels: str = "labels") -> str:
    return f"ev({labels}.with_group_weights({weights}), {{'u': ['a', 'b']}}, '{_OF_FIRST}')"


CASES = (
    # targets of groups
    Case(_awrf("5"), _TARGET_FORMS, given=_FRAME),
    Case(_awrf("pd.DataFrame({'group': ['x']})"), _TARGET_FORMS, given=_FRAME),
    Case(_awrf("{'x': 0.5, 'u': {'x': 0.5}}"), _TARGET_FORMS, given=_FRAME),
    Case(
        _awrf("pd.DataFrame({'group': ['x', 'x'], 'share': [0.5, 0.5]})"),
        (Follow("Give each group one share", _awrf("{'x': 0.5, 'y': 0.5}"), _EVEN),),
        given=_FRAME,
    ),
    Case(
        _awrf("{'x': 0.75, 'y': 0.75}"),
        (Follow("Divide them by their sum", _awrf("{'x': 0.75 / 1.5, 'y': 0.75 / 1.5}"), _EVEN),),
        given=_LABELS,
    ),
    Case(
        _awrf("{'x': 2.0}"),
        (Follow("A number from 0 to 1", _awrf("{'x': 0.5, 'y': 0.5}"), _EVEN),),
        given=_LABELS,
    ),
    Case(
        _awrf("{'x': 0.5, 'y': 0.5}").replace("{'a': {'x'}, 'b': {'y'}}", _SHARES),
        (
            Follow(
                "Give each item and group one row",
                _awrf("{'x': 0.5, 'y': 0.5}").replace(
                    "{'a': {'x'}, 'b': {'y'}}",
                    "pd.DataFrame({'item': ['a', 'b'], 'group': ['x', 'y'], 'share': [1.0, 1.0]})",
                ),
                _EVEN,
            ),
        ),
        given=_FRAME,
    ),
    # propensities
    Case(_ips("5"), _PROPENSITY_FORMS, given=_FRAME),
    Case(
        _ips("pd.DataFrame({'item': ['b'], 'x': [0.5], 'y': [1.0]})"),
        (Follow("Call it 'propensity'", _ips("pd.DataFrame({'item': ['b'], 'propensity': [0.5], 'y': [1.0]})"), 2.0),),
        given=_FRAME,
    ),
    Case(
        _ips("pd.DataFrame({'item': ['b', 'b'], 'p': [0.5, 0.5]})"),
        (Follow("Give each item one", _ips("pd.DataFrame({'item': ['b'], 'p': [0.5]})"), 2.0),),
        given=_FRAME,
    ),
    Case(_ips("{'b': 2.0}"), (Follow("pass their inverses: 0.5 here", _ips("{'b': 0.5}"), 2.0),), given=_LABELS),
    Case(
        _ips("{'b': 0.0}"),
        (
            Follow(
                "Leave out the item if it has none",
                _ips("{'a': 0.5}").replace("-propensity", "-propensity, missing-weight=1"),
                1.0,
            ),
        ),
        given=_LABELS,
    ),
    # features
    Case(_ils("5"), _FORMS, given=_FRAME),
    Case(_ils("{'a': [1, 0], 'b': {'x'}}"), _FORMS, given=_FRAME),
    Case(_ils("{'a': None, 'b': {'x'}}"), _FORMS, given=_FRAME),
    Case(_ils("pd.DataFrame({'item': ['a', 'b']})"), _FORMS, given=_FRAME),
    Case(_ils("'features.json'"), _FORMS, given=_FRAME, files={"features.json": "[1, 2]"}),
    Case(_ils("'features.parquet'"), _FORMS, given=_FRAME, files={"features.parquet": "no Parquet"}),
    Case(
        _ils("{'a': [1, 0], 'b': [1]}"),
        (Follow("Give all items equally many numbers", _ils("{'a': [1, 0], 'b': [0, 1]}"), 1.0),),
        given=_FRAME,
    ),
    Case(
        _ils("pd.DataFrame({'thing': ['a', 'b'], 'genre': ['x', 'y']})"),
        (Follow("Call it 'item'", _ils("pd.DataFrame({'item': ['a', 'b'], 'genre': ['x', 'y']})"), 1.0),),
        given=_FRAME,
    ),
    Case(
        _ils("frame.to_pandas()"),
        (
            Follow("jazz|rock", _ils("pd.DataFrame({'item': ['a', 'b'], 'genre': ['§', 'pop']})"), 1.0),
            Follow("frame.group_by('item').agg('genre')", _ILS, 1.0),
        ),
        given=_FRAME
        + "import polars; frame = polars.DataFrame({'item': ['a', 'a', 'b'], 'genre': ['jazz', 'rock', 'pop']})",
    ),
    # parents
    Case(_parents("5"), _PARENT_FORMS, given=_FRAME + _CHUNKS),
    Case(_parents("''"), _PARENT_FORMS, given=_FRAME + _CHUNKS),
    Case(
        _parents("pd.DataFrame({'one': ['a#0', 'b#1'], 'other': ['a', 'b']})"),
        (
            Follow(
                "Call them chunk, document",
                _parents("pd.DataFrame({'chunk': ['a#0', 'b#1'], 'document': ['a', 'b']})"),
                0.5,
            ),
        ),
        given=_FRAME + _CHUNKS,
    ),
    Case(
        _parents("pd.DataFrame({'chunk': ['a#0', 'a#0', 'b#1'], 'document': ['a', 'b', 'b']})"),
        (
            Follow(
                "Give each chunk one row",
                _parents("pd.DataFrame({'chunk': ['a#0', 'b#1'], 'document': ['a', 'b']})"),
                0.5,
            ),
        ),
        given=_FRAME + _CHUNKS,
    ),
    Case(
        _parents("{'a#0': None, 'b#1': 'b'}"),
        (Follow("its own id if it is one", _parents("{'a#0': 'a#0', 'b#1': 'b'}"), 0.5),),
        given=_CHUNKS,
    ),
    Case(
        _parents("{'a#0': 'a', 'a': 'c', 'b#1': 'b'}"),
        (Follow("Name for each chunk its topmost document", _parents("{'a#0': 'c', 'a': 'c', 'b#1': 'b'}"), 0.5),),
        given=_CHUNKS,
    ),
    Case(
        _parents("{'a#0': 1, 'b#1': 2}"),
        (Follow("Convert the column to one type", _parents("{'a#0': 'a', 'b#1': 'b'}"), 0.5),),
        given=_CHUNKS,
    ),
    Case(
        "ev({'u': ['b#1']}, chunks, 'mrr(collapse=max)', parents={'a#0': 1, 'b#1': 2})",
        (
            Follow(
                "Convert them, so that all have the same type",
                "ev({'u': ['b#1']}, chunks, 'mrr(collapse=max)', parents={'a#0': '1', 'b#1': '2'})",
                0.5,
            ),
        ),
        given=_CHUNKS,
    ),
    Case(
        "ev({'u': [2]}, {'u': [1, 2]}, 'mrr(collapse=max)', parents='#')",
        (
            Follow(
                "Name the document of each item",
                "ev({'u': [2]}, {'u': [1, 2]}, 'mrr(collapse=max)', parents={1: 1, 2: 2})",
                0.5,
            ),
            Follow(
                "parents={'doc1#0': 'doc1'}",
                "ev({'u': ['b']}, {'u': ['doc1#0', 'b']}, 'mrr(collapse=max)', §)",
                0.5,
                fill={"}": ", 'b': 'b'}"},
            ),
        ),
    ),
    Case(
        "ev(labels, {'u': {'a#0#1': 3., 'b': 2.}}, 'mrr(collapse=max)', parents='#')",
        (
            Follow(
                "Name the document of each item",
                "ev(labels, {'u': {'a#0#1': 3., 'b': 2.}}, 'mrr(collapse=max)', parents={'a#0#1': 'a', 'b': 'b'})",
                0.5,
            ),
            Follow(
                "parents={'doc1#0': 'doc1'}",
                "ev(labels, {'u': ['doc1#0', 'b']}, 'mrr(collapse=max)', §)",
                0.5,
                fill={"}": ", 'b': 'b'}"},
            ),
        ),
        given=_CHUNKS,
    ),
    Case(
        _parents("{'a#0': 'a'}"),
        (Follow("Name its document, or itself", _parents("{'a#0': 'a', 'b#1': 'b'}"), 0.5),),
        given=_CHUNKS,
    ),
    Case(
        "ev({'u': ['b']}, {'u': ['a', 'b']}, 'mrr(collapse=max)', parents='#')",
        (
            Follow("such as '#'", _parents("'#'"), 0.5),
            Follow(
                "parents={'doc1#0': 'doc1'}",
                "ev(labels, {'u': ['doc1#0', 'b']}, 'mrr(collapse=max)', §)",
                0.5,
                fill={"}": ", 'b': 'b'}"},
            ),
        ),
        given=_CHUNKS,
    ),
    # the catalogue
    Case(_cover("0"), _CATALOGUE, given=_LABELS),
    Case(_cover("'all'"), _CATALOGUE, given=_LABELS),
    Case(
        _cover("frame"),
        (
            Follow("frame['item']", _COVER, 0.5),
            Follow("how many items there are, as a number", _cover("4"), 0.5),
        ),
        given=_FRAME + "frame = pd.DataFrame({'item': ['a', 'b', 'c', 'd'], 'x': [1, 2, 3, 4]})",
    ),
    Case(
        _cover("array"),
        (
            Follow("array.shape[1]", _COVER, 1.0),
            Follow("array.ravel()", _COVER, 0.5),
            Follow("how many items there are, as a number", _cover("4"), 0.5),
        ),
        given=_LABELS + "array = np.array([['a', 'b'], ['c', 'd']])",
    ),
    Case(
        _cover("1"),
        (Follow("Pass all items", _cover("['a', 'b', 'c', 'd']"), 0.5), Follow("how many there are", _cover("4"), 0.5)),
        given=_LABELS,
    ),
    Case(
        "rc.Evaluator('mrr', labelled=5)",
        (
            Follow(
                "Pass the items",
                "(lambda one: (one.update(labels, run), one.compute()['mrr'])[1])(rc.Evaluator('mrr', labelled=['b']))",
                0.5,
            ),
        ),
        given=_LABELS,
    ),
    # weights of groups
    Case(
        _weighed("{'u': {'x': .5, 'y': .5}}", "rc.Labels({'u': ['a', 'b']})"),
        (
            Follow(
                "{user: {group: [items]}}",
                _weighed("{'u': {'x': 1.}}", "rc.Labels(§)"),
                1.0,
                {"user": "'u'", "group": "'x'", "[items]": "['a', 'b']"},
            ),
            Follow("rc.Labels(…, group='column')", _weighed("{'u': {'x': .5, 'y': .5}}", "§"), 0.5, {"…": "frame"}),
        ),
        given=_FRAME + "frame = pd.DataFrame({'user': ['u', 'u'], 'item': ['a', 'b'], 'column': ['x', 'y']})",
    ),
    Case(
        _weighed("{'u': {'x': .5, 'y': .5}, 'v': {}}"),
        (Follow("Leave them out", _weighed("{'u': {'x': .5, 'y': .5}}"), 0.5),),
        given=_GROUPS,
    ),
    Case(
        _weighed("{'u': {'x': 1.}}"),
        (Follow("0 if need be", _weighed("{'u': {'x': 1., 'y': 0}}"), 1.0),),
        given=_GROUPS,
    ),
    Case(
        _weighed("{'u': {'x': .5, 'y': .5, 'z': .5}}"),
        (Follow("They have 'x', 'y'", _weighed("{'u': {'x': .5, 'y': .5}}"), 0.5),),
        given=_GROUPS,
    ),
    Case(
        _weighed("{'u': {'x': 1., 'y': -1.}}"),
        (Follow("A number from 0 on", _weighed("{'u': {'x': 1., 'y': 0}}"), 1.0),),
        given=_GROUPS,
    ),
)
