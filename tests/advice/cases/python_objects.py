"""Lists, dicts and tuples, several runs by name, and ids of rows."""

from tests.advice.case import Case, Follow

_FRAME = "import pandas, polars; "
_B = "{'u': ['b']}"
_AB = f"ev({_B}, {{'u': ['a', 'b']}})"

CASES = (
    Case(
        "ev({'u': ['b']}, {'u': iter(['a', 'b'])})",
        (Follow("{user: list(items) for user, items in data.items()}", "ev({'u': ['b']}, §)", 0.5),),
        given="data = {'u': iter(['a', 'b'])}",
    ),
    Case(
        "ev({'u': ['b']}, data)",
        (Follow("pandas.DataFrame(data)", "ev({'u': ['b']}, §)", 0.5),),
        given="import collections, pandas; Prediction = collections.namedtuple('Prediction', 'uid iid r_ui est of'); "
        "data = [Prediction('u', 'a', 4, 2., {}), Prediction('u', 'b', 4, 1., {})]",
    ),
    Case(f"ev({_B}, {{'u': {{'a', 'b'}}}})", (Follow("Pass a list of items, best first", _AB, 0.5),)),
    Case("ev({'u', 'v'}, {'u': ['a']})", (Follow("Pass a list", "ev([['a'], ['b']], [['a'], ['b']])", 1.0),)),
    Case(
        f"ev({_B}, [('u', 'a'), ['b']])",
        (Follow("Use one of the two forms throughout", f"ev({_B}, [('u', 'a'), ('u', 'b')])", 0.5),),
    ),
    # records
    Case(
        f"ev({_B}, data)",
        (
            Follow("pandas.DataFrame(data)", f"ev({_B}, §)", 0.5),
            Follow("polars.DataFrame(data)", f"ev({_B}, §)", 0.5),
        ),
        given=_FRAME + "data = [{'user': 'u', 'item': 'a', 'score': 2}, {'user': 'u', 'item': 'b', 'score': 1}]",
    ),
    Case(
        f"ev({_B}, data)",
        (
            Follow("pandas.DataFrame(data)", f"ev({_B}, §)", 0.5),
            Follow("polars.DataFrame(data)", f"ev({_B}, §)", 0.5),
        ),
        given=_FRAME + "data = {'user': ['u', 'u'], 'item': ['a', 'b'], 'score': [2, 1]}",
    ),
    Case(
        f"ev({_B}, data)",
        (
            Follow("pandas.DataFrame(list(data.values()))", f"ev({_B}, §)", 0.5),
            Follow("polars.DataFrame(list(data.values()))", f"ev({_B}, §)", 0.5),
        ),
        given=_FRAME + "data = {0: {'user': 'u', 'item': 'a', 'score': 2}, 1: {'user': 'u', 'item': 'b', 'score': 1}}",
    ),
    Case(
        "rankconv evaluate labels.json run.json -m mrr",
        (
            Follow(
                "Write JSON lines, an object for each row",
                "rankconv evaluate labels.json run.jsonl -m mrr",
                0.5,
                files={"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u", "item": "b", "score": 1}\n'},
            ),
        ),
        files={
            "labels.json": '{"u": {"b": 1}}',
            "run.json": '{"user": ["u", "u"], "item": ["a", "b"], "score": [2, 1]}',
        },
    ),
    # rows
    Case(
        f"ev({_B}, [('a', 'b', 'c', 'd', 'e')])",
        (
            Follow("A row is (user, item) or (user, item, score)", f"ev({_B}, [('u', 'a', 2), ('u', 'b', 1)])", 0.5),
            Follow("Pass one list, not a tuple, for each user", "ev([['b']], [['a', 'b', 'c', 'd', 'e']])", 0.5),
        ),
    ),
    Case(
        f"ev({_B}, [('u', 'a', 2), ('u', 'b')])",
        (Follow("Use one form throughout", f"ev({_B}, [('u', 'a'), ('u', 'b')])", 0.5),),
    ),
    # users
    Case(
        "ev({1: ['b']}, {Key(1): ['a'], Key(1): ['b']})",
        (Follow("Give each user one entry", "ev({1: ['b']}, {Key(1): ['a', 'b']})", 0.5),),
        given="class Key(int):\n    __hash__ = object.__hash__\n    __eq__ = object.__eq__\n",
    ),
    Case(
        f"ev({_B}, {{'u': ['a', 'b'], 'v': {{'a': 1}}}})",
        (Follow("Give all users the same form", f"ev({_B}, {{'u': ['a', 'b'], 'v': ['a']}})", 0.5),),
    ),
    Case(
        f"ev({_B}, {{'u': 'b'}})",
        (
            Follow("Each user has a list of items", _AB, 0.5),
            Follow("Put a single item into a list", f"ev({_B}, {{'u': ['b']}})", 1.0),
        ),
    ),
    Case(
        f"ev({_B}, {{'u': [('a', 2), 'b']}})",
        (
            Follow("Give all entries the same form", f"ev({_B}, {{'u': [('a', 2), ('b', 1)]}})", 0.5),
            Follow(
                "{user: dict(enumerate(groups))}",
                "rc.evaluate(§, {'u': ['a', 'b']}, 'alpha_ndcg@2')['alpha_ndcg@2']",
                1.0,
                fill={"user": "'u'", "groups": "[['a', 'b'], ['b', 'a']]"},
            ),
        ),
    ),
    Case(
        "ev({'u': [['a', 'b']]}, {'u': ['a', 'b']})",
        (
            Follow(
                "{user: dict(enumerate(groups))}",
                "rc.evaluate(§, {'u': ['a', 'b']}, 'alpha_ndcg@2')['alpha_ndcg@2']",
                1.0,
                fill={"user": "'u'", "groups": "[['a', 'b']]"},
            ),
        ),
    ),
    # groups
    Case(
        "ev({'u': {'x': ['a'], 'y': {'b': 1}}}, {'u': ['a', 'b']})",
        (Follow("Grade all", "ev({'u': {'x': {'a': 1}, 'y': {'b': 1}}}, {'u': ['c', 'a', 'b']})", 0.5),),
    ),
    Case(
        "ev({'u': {'x': ['b']}, 'v': ['b']}, {'u': ['a', 'b'], 'v': ['a', 'b']})",
        (
            Follow(
                "{user: {'x': items}}",
                "ev({'u': {'x': ['b']}, **§}, {'u': ['a', 'b'], 'v': ['a', 'b']})",
                0.5,
                fill={"user": "'v'", "items": "['b']"},
            ),
        ),
    ),
    Case(
        "ev({'u': {'x': ['b'], 'y': 'a'}}, {'u': ['c', 'b']})",
        (Follow("Put a single item into a list", "ev({'u': {'x': ['b'], 'y': ['a']}}, {'u': ['c', 'b']})", 0.5),),
    ),
    Case(
        "ev({'u': {'x': ['b'], 'y': []}}, {'u': ['a', 'b']})",
        (Follow("Leave it out", "ev({'u': {'x': ['b']}}, {'u': ['a', 'b']})", 0.5),),
    ),
    # several runs
    Case(
        "rc.Run({'bm25': run, 'dense': other})",
        (
            Follow("run['bm25']", f"(lambda run: ev({_B}, §))({{'bm25': run, 'dense': other}})", 0.5),
            Follow(
                "rc.compare(labels, runs, metrics)",
                "§['mrr', 'rankconv', 'bm25']",
                0.5,
                fill={"labels": _B, "runs": "{'bm25': run, 'dense': other}", "metrics": "'mrr', ['rankconv']"},
            ),
        ),
        given="run, other = {'u': ['a', 'b']}, {'u': ['b', 'a']}",
    ),
    Case(
        "rc.Runs()",
        (
            Follow(
                "runs(bm25=…, dense=…)",
                f"rc.compare({_B}, rc.R§, 'mrr', ['rankconv'])['mrr', 'rankconv', 'bm25']",
                0.5,
                fill={"runs(bm25=…, dense=…)": "uns(bm25={'u': ['a', 'b']}, dense={'u': ['b']})"},
            ),
        ),
    ),
    Case(
        "rc.Runs(5)",
        (
            Follow(
                "runs(bm25=…, dense=…)",
                f"rc.compare({_B}, rc.R§, 'mrr', ['rankconv'])['mrr', 'rankconv', 'bm25']",
                0.5,
                fill={"runs(bm25=…, dense=…)": "uns(bm25={'u': ['a', 'b']}, dense={'u': ['b']})"},
            ),
        ),
    ),
    Case(
        "rc.Runs({'u': 5, 'v': 6})",
        (
            Follow(
                "{'bm25': run, 'dense': run}",
                f"rc.compare({_B}, rc.Runs(§), 'mrr', ['rankconv'])['mrr', 'rankconv', 'bm25']",
                0.5,
            ),
        ),
        given="run = {'u': ['a', 'b']}",
    ),
    Case(
        f"ev(rc.Run({_B}), {_B})",
        (Follow("Give the judged items and their grades", _AB, 0.5),),
    ),
    Case(
        "rc.compare(labels, {'bm25': {'u': ['a', 'b']}, 'dense': {'v': 5}}, 'mrr', ['rankconv'])",
        (
            Follow(
                "rc.Runs(bm25=…, dense=…)",
                "rc.compare(labels, §, 'mrr', ['rankconv'])['mrr', 'rankconv', 'bm25']",
                0.5,
                fill={"bm25=…": "bm25={'u': ['a', 'b']}", "dense=…": "dense={'u': ['b']}"},
            ),
        ),
        given=f"labels = {_B}",
    ),
    Case(
        f"ev({_B}, 5)",
        (Follow("These can be read:", _AB, 0.5),),
    ),
    Case(
        "rc.Run({'u': ['a', 'b']}, padding=0)",
        (Follow("Leave it out", f"ev({_B}, rc.Run({{'u': ['a', 'b']}}))", 0.5),),
    ),
    # ids of rows
    Case(
        "rc.Run(np.array([[2., 1.]]), user_ids=['u', 'v'])",
        (
            Follow(
                "Name one user for each row",
                f"ev({_B}, rc.Run(np.array([[2., 1.]]), user_ids=['u'], item_ids=['a', 'b']))",
                0.5,
            ),
        ),
    ),
    Case(
        "rc.Run(np.ones((2, 2)), user_ids=['u', 'u'])",
        (
            Follow(
                "Name each user once",
                f"ev({_B}, rc.Run(np.array([[2., 1.], [0, 0]]), user_ids=['u', 'v'], item_ids=['a', 'b']))",
                0.5,
            ),
        ),
    ),
    Case(
        "rc.Run({'u': ['a', 'b']}, user_ids=['u'])",
        (Follow("Leave them out", f"ev({_B}, rc.Run({{'u': ['a', 'b']}}))", 0.5),),
    ),
    Case(
        "rc.Run([['a', 'b']], user_ids=['u'], item_ids=['a'])",
        (Follow("Leave item_ids= out", f"ev({_B}, rc.Run([['a', 'b']], user_ids=['u']))", 0.5),),
    ),
    Case(
        "rc.Run(np.array([[2., 1.]]), item_ids=['a'])",
        (
            Follow(
                "Name one item for each column",
                f"ev({_B}, rc.Run(np.array([[2., 1.]]), user_ids=['u'], item_ids=['a', 'b']))",
                0.5,
            ),
        ),
    ),
    Case(
        "rc.Run(array, item_ids=['a', 'b'])",
        (
            Follow("numpy.asarray(array, float)", f"ev({_B}, rc.Run(§, user_ids=['u'], item_ids=['a', 'b']))", 1.0),
            Follow(
                "lists for the latter", f"ev({_B}, rc.Run(array.tolist(), user_ids=['u'], item_ids=['a', 'b']))", 0.5
            ),
        ),
        given="array = np.array([[0, 1]])",
    ),
)
